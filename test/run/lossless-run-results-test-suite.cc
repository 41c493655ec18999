// SPDX-License-Identifier: GPL-2.0-only

// FabricRun: what is left of a run: files, tables in memory, the summary, and a comparison of runs.

#include "fabric-test-case.h"
#include "run-scene.h"

#include "ns3/fabric-run.h"
#include "ns3/run-comparison.h"
#include "ns3/string.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

using tests::ContentOf;
using tests::FlowOf;
using tests::TcpOf;

/// A report that a script has written: the time of each sample.
class SampleTimes : public Report
{
  public:
    /// @param fabric ignored: every part gets the fabric
    explicit SampleTimes(const Fabric& fabric)
    {
    }

    std::string GetName() const override
    {
        return "times";
    }

    std::vector<TableSpec> GetTables() const override
    {
        return {{"times", "a sample", {{"time_ns", "ns", "when"}}}};
    }

    void Open(const std::vector<RowSink*>& rows) override
    {
        m_rows = rows[0];
    }

    void Sample(Time now) override
    {
        m_rows->Add(now.GetNanoSeconds());
    }

    void Close(Time end) override
    {
        m_rows->Add(end.GetNanoSeconds());
    }

    void AddTotals(RunTotals& totals) const override
    {
        totals.more.push_back({"answer", "", "what was asked", uint64_t{42}});
    }

    void Print(std::ostream& os, const RunTotals& totals) const override
    {
        os << "Samples were taken.\n";
    }

  private:
    RowSink* m_rows{nullptr};
};

/// Reports of scripts, and the log of faults.
class OwnReportTest : public FabricTestCase
{
  public:
    OwnReportTest()
        : FabricTestCase("A run writes the tables of added reports, and faults.csv")
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("own-report");
        FabricRun run(FabricHelper().Star(2));
        run.Rdma().Add(FlowOf(100000));
        run.Faults().CutLink(0, MicroSeconds(2), MicroSeconds(3));
        run.Add<SampleTimes>();
        run.WriteTo(folder);
        const RunResults& results = run.Execute();
        const std::string times = ContentOf(folder + "/times.csv");
        NS_TEST_EXPECT_MSG_EQ(times.substr(0, 14), "time_ns\n10000\n", times);
        const std::string end = std::to_string(results.finish.GetNanoSeconds()) + "\n";
        NS_TEST_EXPECT_MSG_EQ(times.substr(times.size() - end.size()), end, times);
        const std::string faults = ContentOf(folder + "/faults.csv");
        NS_TEST_EXPECT_MSG_EQ(std::count(faults.begin(), faults.end(), '\n'), 3, faults);
        const std::string summary = ContentOf(folder + "/summary.json");
        NS_TEST_EXPECT_MSG_NE(summary.find("\"answer\": 42"), std::string::npos, summary);
        NS_TEST_EXPECT_MSG_NE(results.Summary().find("Samples were taken.\n"),
                              std::string::npos,
                              results.Summary());
    }
};

/// Two bursts with a pause between them.
class DenseSamplesTest : public FabricTestCase
{
  public:
    DenseSamplesTest()
        : FabricTestCase("The mean of a rate is what was carried over time")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        RunOptions options;
        options.keep = {"throughput"};
        options.sample = MicroSeconds(1);
        FabricRun run(fabric, options);
        run.Rdma().Incast(2, 0, 100000, Time(0));
        run.Rdma().Incast(1, 0, 100000, MilliSeconds(1));
        const double seconds = run.Execute().finish.GetSeconds();
        const auto& columns = run.GetTable("throughput").GetColumns();
        const auto& nodes = std::get<std::vector<int64_t>>(columns[1]);
        const auto& rates = std::get<std::vector<double>>(columns[4]);
        std::map<int64_t, std::vector<double>> ofNode;
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            ofNode[nodes[i]].push_back(rates[i]);
        }
        NS_TEST_ASSERT_MSG_EQ(ofNode.size(), 3, "all are active");
        for (const auto& [node, values] : ofNode)
        {
            const double mean = std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
            const auto bytes =
                static_cast<double>(fabric.GetDevice(NodeId(static_cast<uint32_t>(node)), 0)
                                        ->GetCounters()
                                        .rxWireBytes);
            NS_TEST_EXPECT_MSG_EQ_TOL(mean * seconds / 8, bytes, bytes / 50, "node " << node);
        }
    }
};

/// Two bursts with hours between them.
class IdleHoursTest : public FabricTestCase
{
  public:
    IdleHoursTest()
        : FabricTestCase("Hours without traffic have rows at their ends")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        RunOptions options;
        options.keep = {"throughput"};
        FabricRun run(fabric, options);
        run.Rdma().Incast(1, 0, 100000, Time(0));
        run.Rdma().Incast(1, 0, 100000, Hours(10));
        run.Execute();
        const auto& columns = run.GetTable("throughput").GetColumns();
        const auto& times = std::get<std::vector<int64_t>>(columns[0]);
        const auto& rates = std::get<std::vector<double>>(columns[4]);
        NS_TEST_ASSERT_MSG_LT(times.size(), 100, "rows");
        const int64_t burst = Hours(10).GetNanoSeconds();
        double before = 0;
        bool isZeroAtBegin = false;
        bool isZeroAtEnd = false;
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const bool isIdle = times[i] > 20000 && times[i] <= burst;
            before += isIdle ? rates[i] : 0;
            isZeroAtBegin = isZeroAtBegin || (isIdle && times[i] < 100000);
            isZeroAtEnd = isZeroAtEnd || (isIdle && times[i] > burst - 20000);
        }
        NS_TEST_EXPECT_MSG_EQ(before, 0, "idle");
        NS_TEST_EXPECT_MSG_EQ(isZeroAtBegin, true, "a line falls to 0");
        NS_TEST_EXPECT_MSG_EQ(isZeroAtEnd, true, "and stays there");
    }
};

/// A folder that an earlier run has written to.
class OldFilesTest : public FabricTestCase
{
  public:
    OldFilesTest()
        : FabricTestCase("Files of an earlier run do not pass for those of this one")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        const std::string folder = CreateTempDirFilename("old");
        RunOptions options;
        options.outDir = folder;
        FabricRun first(fabric, options);
        first.Rdma().Incast(2, 0, 100000, Time(0));
        first.Execute();
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/queue.csv"), true, "of the first");
        std::ofstream(folder + "/notes.csv") << "mine\n";
        const auto before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            std::filesystem::last_write_time(entry.path(), before);
        }
        ExpectError([&] { first.EndNow("late"); }, "an end of a run that has ended");
        options.files = {"fct"};
        FabricRun second(fabric, options);
        second.Rdma().Incast(2, 0, 1000, Time(0));
        second.Execute();
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/fct.csv"), true, "of the second");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/queue.csv"), false, "old");
        NS_TEST_EXPECT_MSG_EQ(ContentOf(folder + "/notes.csv"), "mine\n", "of somebody else");
        Simulator::Destroy();
    }
};

/// Tables without files.
class KeepTest : public FabricTestCase
{
  public:
    KeepTest()
        : FabricTestCase("Tables that are kept in memory are those of the files")
    {
    }

  private:
    /// @param options of a run of flows of both kinds @return the run, executed
    static std::unique_ptr<FabricRun> RunWith(const RunOptions& options)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1MiB"));
        auto run = std::make_unique<FabricRun>(helper.Star(4), options);
        run->Rdma().Incast(3, 0, 1000000, Time(0));
        run->Sockets().AddTcp(TcpOf(1000));
        run->Execute();
        return run;
    }

    void DoRun() override
    {
        RunOptions options;
        options.outDir = CreateTempDirFilename("files");
        RunWith(options);
        RunOptions memory;
        memory.keep = {"pause", "queue", "fct", "application"};
        const auto run = RunWith(memory);
        for (const std::string& name : memory.keep)
        {
            const std::string file = ContentOf(options.outDir + "/" + name + ".csv");
            const auto lines = std::count(file.begin(), file.end(), '\n');
            const auto& column = run->GetTable(name).GetColumns().at(0);
            const auto rows = std::visit([](const auto& cells) { return cells.size(); }, column);
            NS_TEST_EXPECT_MSG_GT(rows, 0, name);
            NS_TEST_EXPECT_MSG_EQ(static_cast<long>(rows) + 1, lines, name << ", and the head");
        }
        ExpectError([&] { run->GetTable("pfc"); }, "no table \"pfc\" in memory; name it");
        memory.keep = {"pauses"};
        ExpectError([&] { RunWith(memory); }, "a run has no table \"pauses\"; there are ");
        memory.keep = {"pause"};
        memory.outDir = options.outDir;
        ExpectError([&] { RunWith(memory); }, "a run has a folder, or it keeps tables in memory");
    }
};

/// Several runs side by side.
class ComparisonTest : public FabricTestCase
{
  public:
    ComparisonTest()
        : FabricTestCase("RunComparison has a line a run, and refuses what it cannot compare")
    {
    }

  private:
    /// @param flows number of flows @return what came of them
    static RunResults Run(uint32_t flows)
    {
        FabricRun run(FabricHelper().Star(4));
        for (uint32_t i = 0; i < flows; ++i)
        {
            run.Rdma().Add(FlowOf(10000, i * MicroSeconds(10)));
        }
        return run.Execute();
    }

    void DoRun() override
    {
        const RunComparison::Runs runs = {{"two", Run(2)}, {"none", Run(0)}, {"five", Run(5)}};
        const RunComparison comparison(runs, {"flows_completed", "data_packets", "slowdown_p50"});
        const auto& rows = comparison.GetRows();
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 3, "a line a run");
        NS_TEST_EXPECT_MSG_EQ(rows[0].values[0], 2, "flows of the first");
        NS_TEST_EXPECT_MSG_EQ(rows[2].values[0], 5, "flows of the third, none of the first");
        NS_TEST_EXPECT_MSG_EQ(rows[2].values[1], 2.5 * rows[0].values[1], "packets of the third");
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[0].values[2], 1, 0.1, "alone in the fabric");
        const std::string folder = CreateTempDirFilename("comparison");
        comparison.WriteTo(folder);
        const std::string text = ContentOf(folder + "/comparison.csv");
        NS_TEST_EXPECT_MSG_EQ(text.rfind("scheme,flows_completed,data_packets,slowdown_p50\n", 0),
                              0,
                              text);
        NS_TEST_EXPECT_MSG_NE(text.find("\nnone,0,0,\n"), std::string::npos, "no slowdown at all");
        std::ostringstream table;
        comparison.Print(table);
        NS_TEST_EXPECT_MSG_NE(table.str().find("none"), std::string::npos, table.str());
        NS_TEST_EXPECT_MSG_EQ(RunComparison(runs).GetNames().size(), 8, "what most ask for");
        ExpectError([&] { RunComparison(RunComparison::Runs{}); }, "a comparison of no run");
        ExpectError([&] { RunComparison(runs, {"fct_p99"}); }, "no value \"fct_p99\"");
        ExpectError([&] { RunComparison(RunComparison::Runs{runs[0], runs[0]}); },
                    "two runs that are compared");
        ExpectError([&] { RunComparison(RunComparison::Runs{{"a,b", runs[0].second}}); },
                    "have no comma");
    }
};

class RunResultsTestSuite : public TestSuite
{
  public:
    RunResultsTestSuite()
        : TestSuite("lossless-run-results", Type::SYSTEM)
    {
        AddTestCase(new DenseSamplesTest);
        AddTestCase(new IdleHoursTest);
        AddTestCase(new OwnReportTest);
        AddTestCase(new KeepTest);
        AddTestCase(new OldFilesTest);
        AddTestCase(new ComparisonTest);
    }
};

RunResultsTestSuite g_runResultsTestSuite; //!< registers itself

} // namespace

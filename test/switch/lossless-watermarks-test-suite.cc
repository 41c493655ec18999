// SPDX-License-Identifier: GPL-2.0-only

// Watermarks of switch buffers at an interval of a run: what watermarks.csv has, and that nothing
// else changes.

#include "fabric-test-case.h"
#include "run-scene.h"

#include "ns3/fabric-run.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using tests::ContentOf;

/// A line of watermarks.csv.
struct Row
{
    int64_t time;
    std::string place; //!< "NODE,PORT,CLASS,POOL,STATISTIC"
    std::string table;
    uint64_t bytes;
};

/// @param path of watermarks.csv @return its lines
std::vector<Row>
RowsOf(const std::string& path)
{
    std::vector<Row> rows;
    for (auto& row : tests::RowsOf(path))
    {
        rows.push_back({std::stoll(row["time_ns"]),
                        row["node"] + ',' + row["port"] + ',' + row["class"] + ',' + row["pool"] +
                            ',' + row["statistic"],
                        row["table"],
                        std::stoull(row["bytes"])});
    }
    return rows;
}

/// @param rows of a run @param table one @return the highest of each place
std::map<std::string, uint64_t>
HighestOf(const std::vector<Row>& rows, const std::string& table)
{
    std::map<std::string, uint64_t> highest;
    for (const Row& row : rows)
    {
        if (row.table == table)
        {
            highest[row.place] = std::max(highest[row.place], row.bytes);
        }
    }
    return highest;
}

/// An incast that needs headroom.
class WatermarkTestCase : public FabricTestCase
{
  protected:
    explicit WatermarkTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

    static Fabric Star()
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        return helper.Star(9);
    }

    /// @param fabric a star @param watermarks interval @param folder below that of the test
    /// @param senders to host 0 @param threads of the run; 0: not said
    /// @return the folder
    std::string Execute(const Fabric& fabric,
                        Time watermarks,
                        const std::string& folder,
                        uint32_t senders = 8,
                        uint32_t threads = 0)
    {
        RunOptions options;
        options.outDir = CreateTempDirFilename(folder);
        options.watermarks = watermarks;
        if (threads > 0)
        {
            options.threads = threads;
        }
        FabricRun run(fabric, options);
        run.Rdma().Incast(senders, 0, 500000, Time(0));
        m_events = run.Execute().totals.events;
        return options.outDir;
    }

    uint64_t m_events{0}; //!< of the last run
};

class IntervalTest : public WatermarkTestCase
{
  public:
    IntervalTest()
        : WatermarkTestCase("watermarks.csv: intervals, and the most of them all")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Star();
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        const uint64_t cell = mmu->GetCellSize().Bytes();
        const std::string plain = Execute(fabric, Time(0), "plain");
        const uint64_t events = m_events;
        Simulator::Destroy();
        const Fabric again = Star();
        const std::string folder = Execute(again, MicroSeconds(10), "watched");
        const auto buffer = again.GetSwitch(0)->GetMmu();
        for (const char* file : {"/fct.csv", "/pfc.csv", "/pause.csv", "/queue.csv"})
        {
            NS_TEST_EXPECT_MSG_EQ((ContentOf(plain + file) == ContentOf(folder + file)),
                                  true,
                                  file << " is the same with and without");
        }
        NS_TEST_EXPECT_MSG_EQ(m_events, events, "its own events do not count");
        NS_TEST_EXPECT_MSG_EQ(ContentOf(plain + "/watermarks.csv"), "", "not asked for");

        const auto rows = RowsOf(folder + "/watermarks.csv");
        const int64_t end = rows.back().time;
        int64_t last = 0;
        for (const Row& row : rows)
        {
            NS_TEST_EXPECT_MSG_GT(row.bytes, 0, row.place);
            NS_TEST_EXPECT_MSG_EQ(row.bytes % cell, 0, "whole cells");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(row.time, last, "in order of time");
            NS_TEST_EXPECT_MSG_EQ((row.time % 10000 == 0 || row.time == end), true, row.time);
            last = row.time;
        }
        const auto periodic = HighestOf(rows, "PERIODIC_WATERMARKS");
        const auto persistent = HighestOf(rows, "PERSISTENT_WATERMARKS");
        NS_TEST_EXPECT_MSG_EQ((periodic == persistent), true, "the most of all intervals");
        NS_TEST_EXPECT_MSG_EQ((periodic == HighestOf(rows, "USER_WATERMARKS")), true, "users");
        NS_TEST_EXPECT_MSG_EQ(persistent.at("9,-1,-1,shared,SAI_BUFFER_POOL_STAT_WATERMARK_BYTES"),
                              buffer->GetSharedPeak() * cell,
                              "the peak of the run");
        NS_TEST_EXPECT_MSG_GT(
            persistent.at("9,-1,-1,headroom,SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES"),
            0,
            "headroom");
        NS_TEST_EXPECT_MSG_EQ(persistent.count("9,0,3,,SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"),
                              1,
                              "the queue of the receiver");
        const auto pool = std::count_if(rows.begin(), rows.end(), [](const Row& row) {
            return row.table == "PERIODIC_WATERMARKS" &&
                   row.place == "9,-1,-1,shared,SAI_BUFFER_POOL_STAT_WATERMARK_BYTES";
        });
        NS_TEST_EXPECT_MSG_GT(pool, 20, "an incast of 320 us at 100 Gb/s");

        // Another run: its intervals are its own, and nobody has cleared the other views.
        const std::string quiet = Execute(again, MicroSeconds(10), "quiet", 1);
        const auto later = RowsOf(quiet + "/watermarks.csv");
        const auto small = HighestOf(later, "PERIODIC_WATERMARKS");
        NS_TEST_EXPECT_MSG_EQ((HighestOf(later, "PERSISTENT_WATERMARKS") == persistent),
                              true,
                              "of both runs");
        NS_TEST_EXPECT_MSG_EQ(
            small.count("9,-1,-1,headroom,SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES"),
            0,
            "one flow needs no headroom");
    }
};

class ThreadsTest : public WatermarkTestCase
{
  public:
    ThreadsTest()
        : WatermarkTestCase("watermarks.csv: the same with several threads")
    {
    }

  private:
    void DoRun() override
    {
        std::string first;
        for (uint32_t threads : {1, 2})
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
            const Fabric fabric = Star();
            const std::string folder =
                Execute(fabric, MicroSeconds(7), "threads" + std::to_string(threads), 8, threads);
            const std::string content = ContentOf(folder + "/watermarks.csv");
            NS_TEST_EXPECT_MSG_GT(content.size(), 1000, "rows");
            NS_TEST_EXPECT_MSG_EQ((threads == 1 || content == first), true, "the same bytes");
            first = content;
            Simulator::Destroy();
        }
    }
};

class RefusalTest : public WatermarkTestCase
{
  public:
    RefusalTest()
        : WatermarkTestCase("watermarks: refused, or kept in memory")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Star();
        RunOptions options;
        options.watermarks = MicroSeconds(-1);
        ExpectError([&] { FabricRun run(fabric, options); },
                    "watermarks is -1us; it must be above 0, or 0 for none");
        options.watermarks = Time(0);
        options.keep = {"watermarks"};
        FabricRun run(fabric, options);
        run.Rdma().Incast(2, 0, 100000, Time(0));
        ExpectError([&] { run.Execute(); }, "watermarks");
        options.watermarks = MicroSeconds(5);
        run.Choose(options);
        run.Execute();
        const auto& bytes =
            std::get<std::vector<int64_t>>(run.GetTable("watermarks").GetColumns()[7]);
        NS_TEST_EXPECT_MSG_GT(bytes.size(), 3, "rows");
    }
};

class LosslessWatermarksTestSuite : public TestSuite
{
  public:
    LosslessWatermarksTestSuite()
        : TestSuite("lossless-watermarks", Type::SYSTEM)
    {
        AddTestCase(new IntervalTest);
        AddTestCase(new ThreadsTest);
        AddTestCase(new RefusalTest);
    }
};

LosslessWatermarksTestSuite g_watermarks;

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
//
// What comes of jobs: tables, summaries, critical paths, ideal times. Numbers are those of the
// sheet on AI traffic.
#include "fabric-test-case.h"
#include "job-on-star.h"
#include "run-scene.h"

#include "ns3/critical-path.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-loss.h"
#include "ns3/job-graph.h"
#include "ns3/job-stats.h"
#include "ns3/job.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::Rows;

namespace
{

/// @param graph gets a collective of all ranks @param type of it @param bytes of it
/// @param algorithm of it @return its index on the last rank
uint32_t
AddToAll(JobGraph& graph, CollectiveType type, uint64_t bytes, const std::string& algorithm)
{
    JobOperation operation = JobGraph::Collective(type, bytes);
    operation.algorithm = graph.AddText(algorithm);
    uint32_t index = 0;
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        index = graph.Add(rank, operation);
    }
    return index;
}

/// Checks that a path goes on without gaps, from the begin to the end of an iteration.
class PathCheck : public MessageTimes
{
  public:
    /// @param job whose messages
    explicit PathCheck(const Job& job)
        : m_job(job)
    {
    }

    Ideal GetIdeal(const RankMessage& message) const override
    {
        const auto ideal = m_job.GetCarrier().GetIdeal(
            {message.source, message.destination, message.channel, message.nic},
            message.bytes);
        return {ideal.delivery, ideal.completion, ideal.propagation};
    }

    Stops GetStops(const RankMessage&, int64_t, int64_t) const override
    {
        return {};
    }

  private:
    const Job& m_job;
};

/// Runs a job, and asks for all that there is about it.
class JobResultsCase : public FabricTestCase, protected JobListener
{
  public:
    explicit JobResultsCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    /// Run a graph on a star, a host for each rank. @param graph it @param options of the job
    /// @param look called at the end
    void Run(const JobGraph& graph,
             const JobOptions& options,
             const std::function<void(const JobSummary&)>& look)
    {
        const std::filesystem::path folder = CreateTempDirFilename("run");
        const Fabric fabric = MakeFabric(graph.GetNRanks());
        {
            RunOptions choice;
            if (m_threads > 0)
            {
                choice.threads = m_threads;
            }
            FabricRun run(fabric, choice);
            AddTraffic(run);
            Job& job = run.Add<Job>(graph, OnePerHost(graph.GetNRanks()), options);
            auto& stats = run.Add<JobStats>();
            stats.Watch(job);
            stats.WriteMessages(true);
            stats.WriteTimeline((folder / "timeline.json").string());
            stats.WriteReport((folder / "job.md").string());
            job.AddListener(static_cast<JobListener&>(*this));
            run.WriteTo(folder.string());
            m_summary = run.Execute().Summary();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "the job has an error");
            m_folder = folder;
            look(stats.GetSummary(job));
        }
        Simulator::Destroy();
    }

    /// @param ranks of the job @return where it runs
    virtual Fabric MakeFabric(uint32_t ranks) const
    {
        return MakeStar(std::max(2U, ranks));
    }

    /// @param run gets what runs beside the job
    virtual void AddTraffic([[maybe_unused]] FabricRun& run) const
    {
    }

    /// @param file of the folder @return its text
    std::string Read(const std::string& file) const
    {
        return tests::ContentOf(m_folder / file);
    }

    /// @param file a table of the folder @return its rows
    Rows ReadTable(const std::string& file) const
    {
        return tests::RowsOf(m_folder / file);
    }

    /// @param rows of a table @param row which, from 0 @param column its name @return the cell
    static double Cell(const Rows& rows, std::size_t row, const std::string& column)
    {
        return std::stod(rows.at(row).at(column));
    }

    void IterationEnded(const Job& job,
                        const JobIteration& iteration,
                        const std::vector<std::shared_ptr<const RankTrace>>& traces) override
    {
        const PathCheck times(job);
        const CriticalPath path(job.GetGraph(), traces, times, iteration.start, iteration.end);
        int64_t sum = 0;
        for (const int64_t ticks : path.GetParts())
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(ticks, 0, "a part of the path is negative");
            sum += ticks;
        }
        NS_TEST_EXPECT_MSG_EQ(sum, iteration.end - iteration.start, "the parts do not add up");
        int64_t at = iteration.start;
        for (const CriticalPath::Segment& segment : path.GetSegments())
        {
            NS_TEST_EXPECT_MSG_EQ(segment.begin, at, "the path has a gap");
            at = segment.end;
        }
        NS_TEST_EXPECT_MSG_EQ(at, iteration.end, "the path ends early");
        m_unexplained = path.GetParts()[CriticalPath::WAITING];
        for (uint32_t rank = 0; rank < traces.size(); ++rank)
        {
            CheckSpans(job.GetGraph(), rank, *traces[rank], iteration);
        }
    }

    uint32_t m_threads{0}; //!< of the next run; 0: not said
    std::filesystem::path m_folder;
    std::string m_summary;     //!< of the run
    int64_t m_unexplained{-1}; //!< CriticalPath::WAITING of the last iteration

  private:
    /// What a rank did, found from its operations, is what it has counted.
    void CheckSpans(const JobGraph& graph,
                    uint32_t rank,
                    const RankTrace& trace,
                    const JobIteration& iteration)
    {
        int64_t sums[JobPicture::STATES] = {};
        int64_t at = iteration.start;
        for (const JobPicture::Span& span : JobPicture::FindSpans(graph.GetRank(rank).operations,
                                                                  trace,
                                                                  iteration.start,
                                                                  iteration.end))
        {
            NS_TEST_EXPECT_MSG_EQ(span.begin, at, "spans have a gap");
            sums[span.state] += span.end - span.begin;
            at = span.end;
        }
        NS_TEST_EXPECT_MSG_EQ(at, iteration.end, "spans end early");
        NS_TEST_EXPECT_MSG_EQ(sums[JobPicture::CALC] + sums[JobPicture::BOTH],
                              trace.calc,
                              "calc of rank " << rank);
        NS_TEST_EXPECT_MSG_EQ(sums[JobPicture::EXPOSED],
                              trace.exposed,
                              "exposed communication of rank " << rank);
    }
};

/// 7.14: one rank is late, and all wait for it.
class LateRank : public JobResultsCase
{
  public:
    LateRank()
        : JobResultsCase("A rank that starts 100 us late is the straggler")
    {
    }

  private:
    void DoRun() override
    {
        JobGraph graph(8);
        const uint32_t late = graph.Add(3, JobGraph::Calc(100000));
        const uint32_t collective =
            AddToAll(graph, CollectiveType::ALL_REDUCE, MIB, "ring"); // of rank 7: 0
        graph.After(3, collective + 1, late);
        Run(graph, OneAck(), [this](const JobSummary& summary) { Look(summary); });
    }

    void Look(const JobSummary& summary)
    {
        const Rows iterations = ReadTable("iterations.csv");
        NS_TEST_EXPECT_MSG_EQ_TOL(Cell(iterations, 0, "iteration_ns"), 287830.72, 200, "time");
        NS_TEST_EXPECT_MSG_EQ(Cell(iterations, 0, "straggler_rank"), 3, "straggler");
        NS_TEST_EXPECT_MSG_EQ(Cell(iterations, 0, "messages"), 8 * 14, "messages");
        NS_TEST_EXPECT_MSG_EQ(Cell(iterations, 0, "path_calc_ns"), 100000, "computed");
        NS_TEST_EXPECT_MSG_EQ(Cell(iterations, 0, "path_propagation_ns"), 28000, "delays");
        NS_TEST_EXPECT_MSG_EQ(summary.GetStraggler(), 3, "straggler of the summary");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.GetRanks()[3].keptNs, 100000, 1e-6, "for 100 us");
        const Rows ranks = ReadTable("ranks.csv");
        for (uint32_t row = 0; row < 8; ++row)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Cell(ranks, row, "calc_ns") + Cell(ranks, row, "exposed_ns") +
                                          Cell(ranks, row, "idle_ns"),
                                      Cell(iterations, 0, "iteration_ns"),
                                      0.002,
                                      "closed sum of rank " << row);
            NS_TEST_EXPECT_MSG_LT(Cell(ranks, row, "late_ns"), 30000, "late");
        }
        // 14 deliveries of 2 delays of 1 us; and nobody waits for what is not told.
        const auto& parts = summary.GetIterations()[0].parts;
        NS_TEST_EXPECT_MSG_EQ(parts[CriticalPath::CALC], MicroSeconds(100).GetTimeStep(), "calc");
        NS_TEST_EXPECT_MSG_EQ(parts[CriticalPath::PROPAGATION],
                              MicroSeconds(28).GetTimeStep(),
                              "propagation");
        NS_TEST_EXPECT_MSG_EQ(parts[CriticalPath::PAUSE], 0, "pause");
        NS_TEST_EXPECT_MSG_EQ(parts[CriticalPath::WAITING], 0, "waiting");
        const Rows collectives = ReadTable("collectives.csv");
        NS_TEST_EXPECT_MSG_EQ_TOL(Cell(collectives, 0, "time_ns"), 287830.72, 200, "T");
        NS_TEST_EXPECT_MSG_EQ_TOL(Cell(collectives, 0, "network_ns"), 187830.72, 200, "network");
        NS_TEST_EXPECT_MSG_EQ_TOL(Cell(collectives, 0, "ideal_ns"), 187830.72, 1e-3, "ideal");
        CheckFiles(ranks.size());
    }

    void CheckFiles(std::size_t rows)
    {
        NS_TEST_EXPECT_MSG_EQ(rows, 8, "a line for each rank");
        const Rows messages = ReadTable("messages.csv");
        NS_TEST_ASSERT_MSG_EQ(messages.size(), 8 * 14, "messages");
        for (std::size_t row = 0; row < messages.size(); ++row)
        {
            const double posted = Cell(messages, row, "posted_ns");
            const double delivered = Cell(messages, row, "delivered_ns");
            NS_TEST_EXPECT_MSG_GT(delivered - posted,
                                  Cell(messages, row, "ideal_ns") - 0.002,
                                  "faster than alone");
            if (!messages[row].at("completed_ns").empty())
            {
                NS_TEST_EXPECT_MSG_GT(Cell(messages, row, "completed_ns"), delivered, "completed");
            }
        }
        const std::string timeline = Read("timeline.json");
        NS_TEST_EXPECT_MSG_NE(timeline.find("\"name\": \"all-reduce\""), std::string::npos, "");
        NS_TEST_EXPECT_MSG_EQ(timeline.substr(timeline.size() - 4), "\n]}\n", "whole");
        const std::string page = Read("job.md");
        NS_TEST_EXPECT_MSG_NE(page.find("](job.svg)"), std::string::npos, "the picture");
        NS_TEST_EXPECT_MSG_NE(page.find("No: the ports of the job were never paused"),
                              std::string::npos,
                              "PFC");
        NS_TEST_EXPECT_MSG_NE(Read("job.svg").find("rank 7"), std::string::npos, "rows");
        NS_TEST_EXPECT_MSG_NE(Read("summary.json").find("\"job_busbw_gbytes_all_reduce\""),
                              std::string::npos,
                              "totals");
        NS_TEST_EXPECT_MSG_NE(m_summary.find("Straggler: rank 3 in 1 of 1"),
                              std::string::npos,
                              m_summary);
    }
};

/// Ideal times of collectives.
class Ideals : public JobResultsCase
{
  public:
    Ideals()
        : JobResultsCase("Collectives have the ideal time of their closed form")
    {
    }

  private:
    void DoRun() override
    {
        struct Row
        {
            const char* algorithm;
            uint32_t ranks;
            CollectiveType type;
            double ns;
            double tolerance;
        };

        const Row rows[] = {
            {"ring", 4, CollectiveType::ALL_REDUCE, 148451.52, 1e-3},
            {"ring", 8, CollectiveType::ALL_REDUCE, 187830.72, 1e-3},
            {"ring", 8, CollectiveType::ALL_GATHER, 93915.36, 1e-3},
            {"halving-doubling", 8, CollectiveType::ALL_REDUCE, 171102.4, 1},
            {"pairwise", 8, CollectiveType::ALL_TO_ALL, 93915.36, 1e-3},
            {"direct", 8, CollectiveType::ALL_TO_ALL, 81376.8, 813},
            {"recursive-doubling", 8, CollectiveType::ALL_REDUCE, 3 * 92694.56, 1},
        };
        for (const Row& row : rows)
        {
            JobGraph graph(row.ranks);
            AddToAll(graph, row.type, MIB, row.algorithm);
            Run(graph, OneAck(), [&](const JobSummary& summary) {
                const JobSummary::OfType& sums = summary.GetTypes().at(row.type);
                NS_TEST_EXPECT_MSG_EQ_TOL(sums.idealNs, row.ns, row.tolerance, row.algorithm);
                NS_TEST_EXPECT_MSG_GT(sums.worstSlowdown, 0.9999, row.algorithm);
                NS_TEST_EXPECT_MSG_LT(sums.worstSlowdown, 1.002, row.algorithm);
            });
            if (std::string(row.algorithm) == "ring")
            {
                NS_TEST_EXPECT_MSG_EQ(m_unexplained, 0, "a ring waits for messages alone");
            }
        }
    }
};

/// 7.16: a bucket for each of 4 layers.
class Overlap : public JobResultsCase
{
  public:
    Overlap()
        : JobResultsCase("Communication is exposed as far as nothing is computed beside it")
    {
    }

  private:
    void DoRun() override
    {
        struct Row
        {
            double collective;
            double iteration;
            double exposed;
        };

        // ms: of a collective, of the iteration, exposed
        for (const Row& row :
             {Row{0.5, 6.5, 0.5}, Row{1.0, 7.0, 1.0}, Row{1.5, 9.0, 3.0}, Row{3.0, 15.0, 9.0}})
        {
            // Two steps of half the data, each 2091.04 ns + 86.40625 ps/B, in packets of 1024 B.
            const double half = (row.collective * 1e6 / 2 - 2091.04) / 0.08640625;
            const uint64_t bytes = 2 * static_cast<uint64_t>(std::round(half / 1024)) * 1024;
            JobGraph graph(2);
            for (uint32_t rank = 0; rank < 2; ++rank)
            {
                uint32_t last = graph.Add(rank, JobGraph::Calc(2000000));
                for (uint32_t layer = 0; layer < 4; ++layer)
                {
                    const uint32_t calc = graph.Add(rank, JobGraph::Calc(1000000));
                    graph.After(rank, calc, last);
                    const uint32_t bucket =
                        graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_REDUCE, bytes));
                    graph.After(rank, bucket, calc);
                    last = calc;
                }
            }
            Run(graph, OneAck(), [&](const JobSummary& summary) {
                const JobSummary::OfIteration& iteration = summary.GetIterations()[0];
                NS_TEST_EXPECT_MSG_EQ_TOL(iteration.ns / 1e6, row.iteration, 1e-3, "time");
                NS_TEST_EXPECT_MSG_EQ_TOL(iteration.iteration.exposedNs / 1e6,
                                          row.exposed,
                                          1e-3,
                                          "exposed");
                NS_TEST_EXPECT_MSG_EQ(iteration.iteration.calcNs, 6e6, "calc");
            });
        }
    }
};

/// 7.0: bus bandwidth.
class BusBandwidth : public JobResultsCase
{
  public:
    BusBandwidth()
        : JobResultsCase("64 MiB in a ring of 8 have the bus bandwidth of the closed form")
    {
    }

  private:
    void DoRun() override
    {
        JobGraph graph(8);
        AddToAll(graph, CollectiveType::ALL_REDUCE, 64 * MIB, "ring");
        Run(graph, OneAck(), [this](const JobSummary& summary) {
            NS_TEST_EXPECT_MSG_EQ_TOL(8 * summary.GetBusBandwidth(CollectiveType::ALL_REDUCE),
                                      92.320,
                                      0.002,
                                      "Gb/s");
        });
    }
};

/// Random graphs: the path always adds up.
class RandomGraphs : public JobResultsCase
{
  public:
    RandomGraphs()
        : JobResultsCase("The critical path of random graphs adds up, and goes on without gaps")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 12; ++seed)
        {
            JobOptions options = OneAck();
            options.iterations = 1 + seed % 3;
            options.warmUp = options.iterations - 1;
            options.rendezvous = seed % 4 == 0;
            options.sendIsDoneWhenPosted = seed % 2 == 0;
            options.reduceRate = seed % 3 == 0 ? DataRate("400Gb/s") : DataRate(0);
            options.channels = 1 + seed % 2;
            Run(Make(seed), options, [&](const JobSummary& summary) {
                NS_TEST_EXPECT_MSG_EQ(summary.GetCount(), 1, "iterations of seed " << seed);
                NS_TEST_EXPECT_MSG_EQ(summary.GetIterations().size(), options.iterations, "all");
            });
        }
    }

    /// @param seed of the graph @return calculations, messages and collectives, in a random order
    /// that all ranks follow as far as they have to
    static JobGraph Make(uint32_t seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](uint32_t below) {
            return static_cast<uint32_t>(random() % below);
        };
        const uint32_t ranks = 2 + draw(5);
        JobGraph graph(ranks);
        std::vector<uint32_t> last(ranks, RankTrace::NONE);
        std::vector<uint32_t> collective = last;
        const auto add = [&](uint32_t rank, const JobOperation& operation) {
            const uint32_t index = graph.Add(rank, operation);
            if (last[rank] != RankTrace::NONE && draw(4) > 0)
            {
                draw(5) ? graph.After(rank, index, last[rank])
                        : graph.AfterStart(rank, index, last[rank]);
            }
            last[rank] = index;
        };
        const char* const algorithms[] = {"ring", "halving-doubling", "direct", "double-tree"};
        for (uint32_t step = 0; step < 20; ++step)
        {
            const uint32_t kind = draw(4);
            if (kind == 0)
            {
                JobOperation operation =
                    JobGraph::Collective(CollectiveType::ALL_REDUCE, 1 + draw(200000));
                operation.algorithm = graph.AddText(algorithms[draw(4)]);
                for (uint32_t rank = 0; rank < ranks; ++rank)
                {
                    add(rank, operation);
                    if (collective[rank] != RankTrace::NONE)
                    {
                        // In one order on all ranks, or they wait for each other.
                        graph.After(rank, last[rank], collective[rank]);
                    }
                    collective[rank] = last[rank];
                }
            }
            else if (kind == 1)
            {
                const uint32_t from = draw(ranks);
                const uint32_t to = (from + 1 + draw(ranks - 1)) % ranks;
                const uint64_t bytes = 1 + draw(100000);
                graph.Add(from, JobGraph::Send(to, bytes, step));
                add(to, JobGraph::Recv(from, bytes, step));
            }
            else
            {
                add(draw(ranks), JobGraph::Calc(draw(20000), draw(2)));
            }
        }
        return graph;
    }
};

/// PFC gets in the way.
class Paused : public JobResultsCase
{
  public:
    Paused()
        : JobResultsCase("What waited behind paused ports is pause, with any number of threads")
    {
    }

  private:
    Fabric MakeFabric(uint32_t ranks) const override
    {
        FabricLinkSpec link;
        link.rate = DataRate("100Gb/s");
        link.delay = MicroSeconds(1);
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1MiB"));
        return helper.FromTopology(FabricTopology::Star(ranks + 4, link));
    }

    void AddTraffic(FabricRun& run) const override
    {
        for (uint32_t host = 4; host < 8; ++host)
        {
            run.Rdma().Add({host, 0, 2000000});
        }
    }

    void DoRun() override
    {
        JobGraph graph(4);
        AddToAll(graph, CollectiveType::ALL_REDUCE, 4 * MIB, "ring");
        std::vector<std::string> files;
        for (const uint32_t threads : {1, 2})
        {
            m_threads = threads;
            SetSimulator(FabricSimulatorImpl::GetTypeId());
            Run(graph, OneAck(), [&](const JobSummary& summary) {
                const JobSummary::OfIteration& iteration = summary.GetIterations()[0];
                NS_TEST_EXPECT_MSG_GT(iteration.xoffFrames, 0, "XOFF frames");
                NS_TEST_EXPECT_MSG_GT(iteration.pauseNs, 0, "paused ports");
                NS_TEST_EXPECT_MSG_GT(summary.GetShare(CriticalPath::PAUSE), 0.01, "of the path");
                NS_TEST_EXPECT_MSG_LT(summary.GetShare(CriticalPath::PAUSE), 1, "of the path");
            });
            NS_TEST_EXPECT_MSG_NE(Read("job.md").find("Yes, of "), std::string::npos, "the cause");
            // The pauses of the job's own ports, which pause.csv has, too.
            files.push_back(Read("iterations.csv") + Read("collectives.csv") + Read("ranks.csv") +
                            Read("messages.csv") + Read("job.md") + Read("job.svg") +
                            Read("timeline.json"));
            CheckPauses();
        }
        NS_TEST_EXPECT_MSG_EQ((files[0] == files[1]), true, "threads change what is written");
    }

    /// No more than pause.csv has of all ports.
    void CheckPauses()
    {
        double all = 0;
        const Rows pauses = ReadTable("pause.csv");
        for (std::size_t row = 0; row < pauses.size(); ++row)
        {
            all += Cell(pauses, row, "duration_ns") + 1; // that is cut to whole ns
        }
        double ranks = 0;
        const Rows rows = ReadTable("ranks.csv");
        for (std::size_t row = 0; row < rows.size(); ++row)
        {
            ranks += Cell(rows, row, "pause_ns");
        }
        const double job = Cell(ReadTable("iterations.csv"), 0, "pause_ns");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(all, job, "more than there are");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(job, ranks - 0.01, "ports of hosts are ports of the job");
        NS_TEST_EXPECT_MSG_GT(ranks, 0, "ports of hosts");
    }
};

/// Frames are lost.
class Lossy : public JobResultsCase
{
  public:
    Lossy()
        : JobResultsCase("Recovery from loss is a part of the critical path, and no queueing")
    {
    }

  private:
    Fabric MakeFabric(uint32_t ranks) const override
    {
        const Fabric fabric = MakeStar(std::max(2U, ranks));
        if (m_losesFrames)
        {
            // One in 256 frames of each host.
            fabric.GetSwitch(0)->GetPort(0)->AddReceiveLoss(CreateObject<IpIdLoss>());
        }
        return fabric;
    }

    /// @param bytes of a message from rank 0 to rank 1
    /// @param look called with the time of the iteration, and the parts of its critical path
    void Send(uint64_t bytes, const std::function<void(double, const CriticalPath::Parts&)>& look)
    {
        JobGraph graph(2);
        graph.Add(0, JobGraph::Send(1, bytes));
        graph.Add(1, JobGraph::Recv(0, bytes));
        JobOptions options = OneAck();
        options.network.queuePair.attributes.emplace_back("AckInterval",
                                                          Create<UintegerValue>(100));
        Run(graph, options, [&](const JobSummary& summary) {
            if (summary.GetIterations().empty())
            {
                return; // the job has an error, which was found
            }
            const JobSummary::OfIteration& iteration = summary.GetIterations()[0];
            look(iteration.ns, iteration.parts);
            NS_TEST_EXPECT_MSG_EQ_TOL(Cell(ReadTable("iterations.csv"), 0, "path_recovery_ns"),
                                      static_cast<double>(iteration.parts[CriticalPath::RECOVERY]) /
                                          1e3,
                                      0.001,
                                      "the table");
        });
    }

    void DoRun() override
    {
        // Packets of 1024 B. Of 1 MiB the 256th is lost, and three more of those that follow; NAKs
        // tell. Of 256 KiB the last is lost, and the timer tells.
        for (const uint64_t bytes : {MIB, MIB / 4})
        {
            double alone = 0;
            m_losesFrames = false;
            Send(bytes, [&](double ns, const CriticalPath::Parts& parts) {
                alone = ns;
                NS_TEST_EXPECT_MSG_EQ(parts[CriticalPath::RECOVERY], 0, "nothing is lost");
            });
            m_losesFrames = true;
            Send(bytes, [&](double ns, const CriticalPath::Parts& parts) {
                const double lost = ns - alone;
                const auto partOf = [&parts](CriticalPath::Part part) {
                    return static_cast<double>(parts[part]) / 1e3; // ticks are ps
                };
                NS_TEST_EXPECT_MSG_GT(lost, 8000, "loss takes time");
                NS_TEST_EXPECT_MSG_LT(partOf(CriticalPath::RECOVERY), lost + 0.001, "no more");
                NS_TEST_EXPECT_MSG_GT(partOf(CriticalPath::RECOVERY), 0.9 * lost, "nearly all");
                NS_TEST_EXPECT_MSG_EQ(partOf(CriticalPath::PAUSE), 0, "no pause");
                NS_TEST_EXPECT_MSG_EQ_TOL(partOf(CriticalPath::QUEUEING),
                                          lost - partOf(CriticalPath::RECOVERY),
                                          50,
                                          "the rest");
            });
            NS_TEST_EXPECT_MSG_NE(m_summary.find("recovery "), std::string::npos, m_summary);
            NS_TEST_EXPECT_MSG_NE(Read("job.md").find("| recovery | "), std::string::npos, "page");
        }
    }

    bool m_losesFrames{false};
};

/// What cannot be.
class Refusals : public FabricTestCase
{
  public:
    Refusals()
        : FabricTestCase("Results of jobs that cannot be are refused, or named")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeStar(4);
        {
            FabricRun run(fabric);
            JobGraph graph(2);
            graph.Add(0, JobGraph::Calc(1));
            Job& job = run.Add<Job>(graph, OnePerHost(2), JobOptions());
            ExpectError([&] { run.Add<Job>(graph, OnePerHost(2), JobOptions()); },
                        "job job: rank 0 is on GPU 0 of host 0, which rank 0 of job job has; a GPU "
                        "for each rank of all jobs");
            Job& other = run.Add<Job>(graph,
                                      std::vector<RankPlace>{{HostId(2), 0}, {HostId(3), 0}},
                                      JobOptions());
            auto& stats = run.Add<JobStats>();
            stats.Watch(job);
            ExpectError([&] { stats.Watch(other); }, "two jobs with the name \"job\"");
            ExpectError([&] { stats.GetSummary(other); }, "which is not watched");
            run.Execute();
        }
        Simulator::Destroy();
    }
};

/// The suite of results of jobs.
class JobResultsTestSuite : public TestSuite
{
  public:
    JobResultsTestSuite()
        : TestSuite("lossless-job-results", Type::UNIT)
    {
        AddTestCase(new LateRank);
        AddTestCase(new Ideals);
        AddTestCase(new Overlap);
        AddTestCase(new BusBandwidth);
        AddTestCase(new RandomGraphs);
        AddTestCase(new Paused);
        AddTestCase(new Lossy);
        AddTestCase(new Refusals);
    }
};

JobResultsTestSuite g_jobResultsTestSuite; //!< the suite

} // namespace

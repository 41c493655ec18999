// SPDX-License-Identifier: GPL-2.0-only
//
// How long collectives take: their closed forms on an idle star, and what late ranks, slow links,
// the order of sends, shared uplinks and other jobs make of it. Numbers are those of the sheet on
// AI traffic.
#include "fabric-test-case.h"
#include "job-on-star.h"

#include "ns3/collective.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/job-graph.h"
#include "ns3/job-stats.h"
#include "ns3/job.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Times of collectives on an idle star are those of their closed forms.
class IdleTimes : public FabricTestCase
{
  public:
    IdleTimes()
        : FabricTestCase("Collectives take the time of their closed form on an idle star")
    {
    }

  private:
    void DoRun() override
    {
        // name, ranks, type, steps that wait for each other, us
        struct Row
        {
            const char* algorithm;
            uint32_t ranks;
            CollectiveType type;
            uint32_t steps;
            double us;
        };

        const Row rows[] = {
            {"ring", 4, CollectiveType::ALL_REDUCE, 6, 148.45152},
            {"ring", 8, CollectiveType::ALL_REDUCE, 14, 187.83072},
            {"ring", 16, CollectiveType::ALL_REDUCE, 30, 232.6128},
            {"ring", 4, CollectiveType::REDUCE_SCATTER, 3, 74.2258},
            {"ring", 8, CollectiveType::ALL_GATHER, 7, 93.9154},
            {"ring", 16, CollectiveType::ALL_GATHER, 15, 116.3064},
            {"halving-doubling", 4, CollectiveType::ALL_REDUCE, 4, 144.2694},
            {"halving-doubling", 8, CollectiveType::ALL_REDUCE, 6, 171.1024},
            {"halving-doubling", 16, CollectiveType::ALL_REDUCE, 8, 186.6099},
            {"pairwise", 8, CollectiveType::ALL_TO_ALL, 7, 93.9154},
            {"direct", 8, CollectiveType::ALL_TO_ALL, 7, 81.3768},
            {"recursive-doubling", 8, CollectiveType::ALL_REDUCE, 3, 3 * 92.69456},
            {"binomial", 8, CollectiveType::REDUCE, 3, 3 * 92.69456},
        };
        for (const Row& row : rows)
        {
            const Outcome outcome =
                RunOnStar(OneCollective(row.ranks, row.type, MIB, row.algorithm), OneAck());
            NS_TEST_EXPECT_MSG_EQ(outcome.error, "", row.algorithm);
            // Up to two ACKs of 86 B a step are in the way.
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.us,
                                      row.us + row.steps * 0.00688,
                                      row.steps * 0.00688 + 1e-4,
                                      row.algorithm << " of " << row.ranks);
        }
    }
};

/// A broadcast waits for the ACKs of what its ranks have sent.
class BroadcastTime : public FabricTestCase
{
  public:
    BroadcastTime()
        : FabricTestCase("A rank of a broadcast sends one message at a time")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome outcome =
            RunOnStar(OneCollective(8, CollectiveType::BROADCAST, MIB, "binomial"), OneAck());
        // Three deliveries, and between them the ACKs: 2 us, twice 86 B, and a frame before them.
        const double ack = 2.01376 + 0.08848;
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.us, 3 * 92.69456 + 2 * ack, 0.05, "us");
    }
};

/// Without AckInterval each packet has an ACK, which takes its share of the link.
class AckedTimes : public FabricTestCase
{
  public:
    AckedTimes()
        : FabricTestCase("With an ACK for each packet collectives take 4 to 8 % longer")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome ring =
            RunOnStar(OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring"), JobOptions());
        NS_TEST_EXPECT_MSG_EQ_TOL(ring.us, 158.10, 0.5, "the packet model's ring of 4");
        const Outcome direct =
            RunOnStar(OneCollective(8, CollectiveType::ALL_TO_ALL, MIB, "direct"), JobOptions());
        NS_TEST_EXPECT_MSG_EQ_TOL(direct.us, 87.38, 0.5, "the packet model's all-to-all of 8");
    }
};

/// Times that depend on who is late and which link is slow.
class LateAndSlow : public FabricTestCase
{
  public:
    LateAndSlow()
        : FabricTestCase("The slowest link and the latest rank rule")
    {
    }

  private:
    void DoRun() override
    {
        JobGraph late = OneCollective(8, CollectiveType::ALL_REDUCE, MIB, "ring");
        late.After(3, 0, late.Add(3, JobGraph::Calc(100000)));
        const Outcome outcome = RunOnStar(late, OneAck());
        // The whole chain hangs on its first send: 100 us and 14 deliveries.
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.us, 287.83072, 14 * 2 * 0.00688, "7.14");

        FabricLinkSpec link;
        link.rate = DataRate("100Gb/s");
        link.delay = MicroSeconds(1);
        FabricTopology topology = FabricTopology::Star(8, link);
        topology.SetLink(LinkId(2), DataRate("50Gb/s"), MicroSeconds(1));
        const double even = RunOn(MakeStar(8));
        const double slow = RunOn(FabricHelper().FromTopology(topology));
        NS_TEST_EXPECT_MSG_EQ_TOL(slow / even, 2.0, 0.1, "7.13: " << even << " and " << slow);
    }

    /// @param fabric of eight hosts @return us of an all-reduce of 8 MiB around a ring
    double RunOn(const Fabric& fabric)
    {
        FabricRun run(fabric);
        Job& job = run.Add<Job>(OneCollective(8, CollectiveType::ALL_REDUCE, 8 * MIB, "ring"),
                                OnePerHost(8),
                                OneAck());
        run.Execute();
        const JobIteration& iteration = job.GetIterations().at(0);
        const double us = TimeStep(iteration.end - iteration.start).GetSeconds() * 1e6;
        Simulator::Destroy();
        return us;
    }
};

/// The order in which ranks send decides what waits where.
class OrderOfSends : public FabricTestCase
{
  public:
    OrderOfSends()
        : FabricTestCase("All ranks that send to the same one first take three times as long")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome rotated = RunOnStar(Sends(true), OneAck());
        const Outcome same = RunOnStar(Sends(false), OneAck());
        // The sheet ends with the last byte, a send with its ACK 2.01376 us later.
        NS_TEST_EXPECT_MSG_EQ_TOL(rotated.us, 105.998 + 2.01376, 0.1, "7.11, rotated");
        NS_TEST_EXPECT_MSG_EQ_TOL(same.us, 360.77 + 2.01376, 8, "7.11, the same order");
        NS_TEST_EXPECT_MSG_EQ((same.us > 3 * rotated.us), true, same.us << " and " << rotated.us);
    }

    /// @param rotates whether each rank begins with the one behind it @return sends, one by one
    static JobGraph Sends(bool rotates)
    {
        JobGraph graph(8);
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            uint32_t last = 0;
            bool isFirst = true;
            for (uint32_t i = 0; i < 8; ++i)
            {
                const uint32_t to = rotates ? (rank + i) % 8 : i;
                if (to == rank)
                {
                    continue;
                }
                const uint32_t send = graph.Add(rank, JobGraph::Send(to, MIB / 8));
                if (!isFirst)
                {
                    graph.After(rank, send, last);
                }
                isFirst = false;
                last = send;
                graph.Add(to, JobGraph::Recv(rank, MIB / 8));
            }
        }
        return graph;
    }
};

/// Two leaves of eight hosts and one uplink, over which rings lead several times.
class RingsOnUplink : public FabricTestCase
{
  public:
    explicit RingsOnUplink(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    static constexpr uint32_t HOSTS = 8;  //!< of a leaf
    static constexpr uint32_t STEPS = 14; //!< of an all-reduce of 8 ranks in a ring
    /// us in which a link carries a chunk, 1 MiB / 8, of a step
    static constexpr double CHUNK_US = 131072 * 0.08640625e-3;

    /// @return the leaves; a message over the uplink is on its way as long as on a star, but for
    /// the first frame, which is stored once more
    static Fabric MakeLeaves()
    {
        FabricLinkSpec edge;
        edge.rate = DataRate("100Gb/s");
        edge.delay = NanoSeconds(500);
        FabricLinkSpec uplink = edge;
        uplink.delay = MicroSeconds(1);
        return FabricHelper().FromTopology(FabricTopology::Dumbbell(HOSTS, HOSTS, edge, uplink));
    }

    /// @param flows of a ring of 8 over the uplink, each way: 1, 2 or 4 @param first host of each
    /// leaf @return where its ranks are
    static std::vector<RankPlace> Crossing(uint32_t flows, uint32_t first)
    {
        std::vector<RankPlace> places;
        uint32_t used[2] = {0, 0};
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const uint32_t leaf = rank / (4 / flows) % 2;
            places.push_back({HostId(leaf * HOSTS + first + used[leaf]++), 0});
        }
        return places;
    }

    /// @param run gets an all-reduce of 1 MiB in a ring @param name of the job @param places of
    /// its ranks @return the job
    static Job& AddRing(FabricRun& run,
                        const std::string& name,
                        const std::vector<RankPlace>& places)
    {
        JobOptions options = OneAck();
        options.name = name;
        return run.Add<Job>(OneCollective(8, CollectiveType::ALL_REDUCE, MIB, "ring"),
                            places,
                            options);
    }

    /// @param job that has ended @return us of its iteration
    static double UsOf(const Job& job)
    {
        const JobIteration& iteration = job.GetIterations().at(0);
        return TimeStep(iteration.end - iteration.start).GetSeconds() * 1e6;
    }
};

/// 7.15: several messages of each step share an uplink.
class SharedUplink : public RingsOnUplink
{
  public:
    SharedUplink()
        : RingsOnUplink("Flows of a ring on one uplink take between its bytes and the lock step")
    {
    }

  private:
    void DoRun() override
    {
        const double one = Run(1);
        // Frames of 1106 B, and 16 B of the first, which is stored at two switches.
        const double alpha = 2 + 2 * 1106 * 8e-5 + 16 * 8e-5;
        // Of the eight edges of the ring, six stay on a leaf: they are 88.48 ns + 1 us faster, but
        // a chunk of the longest way waits for the same step of its neighbour.
        NS_TEST_EXPECT_MSG_EQ((one < STEPS * (alpha + CHUNK_US) + STEPS * 2 * 0.00688),
                              true,
                              one << " us");
        NS_TEST_EXPECT_MSG_EQ((one > STEPS * CHUNK_US), true, one << " us");
        for (const auto& [flows, sheet] : {std::pair(2U, 346.39), std::pair(4U, 663.50)})
        {
            const double lockStep = STEPS * (2.09104 + flows * CHUNK_US);
            NS_TEST_EXPECT_MSG_EQ_TOL(lockStep, sheet, 0.01, "the sheet's bound of a star");
            const double took = Run(flows);
            NS_TEST_EXPECT_MSG_EQ((took > one), true, took << " us with " << flows << " flows");
            NS_TEST_EXPECT_MSG_EQ((took > STEPS * flows * CHUNK_US),
                                  true,
                                  took << " us: the uplink carries all of it");
            // A frame more on the way, and up to two ACKs of each flow in the way of a step.
            NS_TEST_EXPECT_MSG_EQ((took < lockStep + STEPS * (0.08848 + flows * 2 * 0.00688)),
                                  true,
                                  took << " us, in lock step " << lockStep);
        }
    }

    /// @param flows over the uplink, each way @return us of the all-reduce
    double Run(uint32_t flows)
    {
        const Fabric fabric = MakeLeaves();
        FabricRun run(fabric);
        const Job& job = AddRing(run, "job", Crossing(flows, 0));
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", flows << " flows");
        const double us = UsOf(job);
        Simulator::Destroy();
        return us;
    }
};

/// 7.17: two jobs at once.
class TwoJobs : public RingsOnUplink
{
  public:
    TwoJobs()
        : RingsOnUplink("Two jobs on other links are as alone, on one uplink up to twice as slow")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<RankPlace> first = Crossing(4, 0);
        const double alone = Run({first}).at(0);
        const std::vector<double> shared = Run({first, Crossing(4, 4)});
        for (const double us : shared)
        {
            NS_TEST_EXPECT_MSG_EQ((us > 1.9 * alone && us < 2.0 * alone + STEPS * 0.1),
                                  true,
                                  us << " us, alone " << alone);
        }
        std::vector<RankPlace> left;
        std::vector<RankPlace> right;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            left.push_back({HostId(rank), 0});
            right.push_back({HostId(HOSTS + rank), 0});
        }
        const double local = Run({left}).at(0);
        for (const double us : Run({left, right}))
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(us, local, 1e-6, "each on a leaf of its own: as alone");
        }
    }

    /// @param jobs where the ranks of each are @return us of each
    std::vector<double> Run(const std::vector<std::vector<RankPlace>>& jobs)
    {
        const Fabric fabric = MakeLeaves();
        FabricRun run(fabric);
        auto& stats = run.Add<JobStats>();
        std::vector<Job*> added;
        for (const std::vector<RankPlace>& places : jobs)
        {
            added.push_back(
                &AddRing(run, std::string(1, static_cast<char>('a' + added.size())), places));
            stats.Watch(*added.back());
        }
        const std::filesystem::path folder = CreateTempDirFilename("two-jobs");
        run.WriteTo(folder.string());
        run.Execute();
        std::vector<double> us;
        std::ifstream table(folder / "iterations.csv");
        std::set<std::string> rows;
        for (std::string line; std::getline(table, line);)
        {
            rows.insert(line.substr(0, line.find(',')));
        }
        NS_TEST_EXPECT_MSG_EQ(rows.size(), 1 + jobs.size(), "the header, and a line for each job");
        for (Job* job : added)
        {
            NS_TEST_EXPECT_MSG_EQ(job->GetError(), "", job->GetOptions().name);
            us.push_back(UsOf(*job));
            const JobSummary::OfIteration& told = stats.GetSummary(*job).GetIterations().at(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(told.ns / 1e3, us.back(), 1e-6, "the report of each job");
            NS_TEST_EXPECT_MSG_EQ(told.iteration.bytes, STEPS * MIB, "of one job alone");
            NS_TEST_EXPECT_MSG_EQ(rows.count(job->GetOptions().name), 1, "its line");
        }
        Simulator::Destroy();
        return us;
    }
};

/// The ideal time and the measured one end at the same moment.
class NothingInTheWay : public FabricTestCase
{
  public:
    NothingInTheWay()
        : FabricTestCase("On an idle fabric no collective is faster than ideal, nor much slower")
    {
    }

  private:
    void DoRun() override
    {
        uint32_t checked = 0;
        for (const std::string& name : CollectiveAlgorithm::GetNames())
        {
            const auto algorithm = CollectiveAlgorithm::Create(name);
            for (uint32_t type = 0; type < COLLECTIVE_TYPES; ++type)
            {
                if (!algorithm->Does(static_cast<CollectiveType>(type)))
                {
                    continue;
                }
                for (const uint32_t ranks : {2, 3, 5, 8})
                {
                    if (!DoesRanks(*algorithm, static_cast<CollectiveType>(type), ranks))
                    {
                        continue;
                    }
                    Check(name, static_cast<CollectiveType>(type), ranks, 1024);
                    Check(name, static_cast<CollectiveType>(type), ranks, 300001);
                    checked += 2;
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(checked, 150, "operations and algorithms");
    }

    /// @return whether the algorithm takes so many ranks: some need a power of two
    static bool DoesRanks(const CollectiveAlgorithm& algorithm, CollectiveType type, uint32_t ranks)
    {
        CollectiveShape shape;
        shape.type = type;
        shape.ranks = ranks;
        shape.bytes = 1024;
        try
        {
            algorithm.Make(shape);
        }
        catch (const FabricError&)
        {
            return false;
        }
        return true;
    }

    void Check(const std::string& algorithm, CollectiveType type, uint32_t ranks, uint64_t bytes)
    {
        const uint64_t size = type == CollectiveType::BARRIER ? 0 : bytes;
        const Fabric fabric = MakeStar(ranks);
        {
            FabricRun run(fabric);
            Job& job = run.Add<Job>(OneCollective(ranks, type, size, algorithm),
                                    OnePerHost(ranks),
                                    OneAck());
            auto& stats = run.Add<JobStats>();
            stats.Watch(job);
            run.Execute();
            const double slowdown = stats.GetSummary(job).GetTypes().at(type).worstSlowdown;
            const std::string what = algorithm + " " + ToString(type) + " of " +
                                     std::to_string(ranks) + ", " + std::to_string(bytes) + " B";
            // Messages take turns in it, and packets in the network: to the rest of a packet, and
            // where chunks of many messages follow each other, of a few.
            const double least = algorithm == "double-tree" ? 0.995 : 0.9999;
            NS_TEST_EXPECT_MSG_GT(slowdown, least, what);
            NS_TEST_EXPECT_MSG_LT(slowdown, 1.6, what);
        }
        Simulator::Destroy();
    }
};

/// Channels of different speed, where a rank waits for what it has sent.
class UnequalChannels : public FabricTestCase
{
  public:
    UnequalChannels()
        : FabricTestCase("A channel that has sent all does not end those that have not")
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology topology;
        std::vector<NodeId> hosts;
        for (uint32_t host = 0; host < 4; ++host)
        {
            hosts.push_back(topology.AddHost());
        }
        for (const char* rate : {"100Gb/s", "5Gb/s"})
        {
            const NodeId rail = topology.AddSwitch();
            for (const NodeId host : hosts)
            {
                FabricLinkSpec link;
                link.rate = DataRate(rate);
                link.delay = MicroSeconds(1);
                topology.AddLink(host, rail, link);
            }
        }
        const Fabric fabric = FabricHelper().FromTopology(topology);
        {
            FabricRun run(fabric);
            JobOptions options = OneAck();
            options.network.nic = QueuePairNetwork::NicChoice::CHANNEL;
            Job& job = run.Add<Job>(OneCollective(4, CollectiveType::BROADCAST, MIB, "binomial", 2),
                                    OnePerHost(4),
                                    options);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "the slow channel goes on");
            NS_TEST_EXPECT_MSG_EQ(job.IsDone(), true, "the job ends");
        }
        Simulator::Destroy();
    }
};

/// The suite of times of collectives.
class CollectiveTimesTestSuite : public TestSuite
{
  public:
    CollectiveTimesTestSuite()
        : TestSuite("lossless-collective-times", Type::UNIT)
    {
        AddTestCase(new IdleTimes);
        AddTestCase(new BroadcastTime);
        AddTestCase(new AckedTimes);
        AddTestCase(new LateAndSlow);
        AddTestCase(new OrderOfSends);
        AddTestCase(new SharedUplink);
        AddTestCase(new TwoJobs);
        AddTestCase(new NothingInTheWay);
        AddTestCase(new UnequalChannels);
    }
};

CollectiveTimesTestSuite g_collectiveTimesTestSuite; //!< the suite

} // namespace

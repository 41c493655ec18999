// SPDX-License-Identifier: GPL-2.0-only
//
// Jobs of several ranks: what carries them, where they are placed, and what they say when they
// cannot end. Numbers are those of the sheet on AI traffic.
#include "fabric-test-case.h"
#include "job-on-star.h"

#include "ns3/collective.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/gpu-fabric.h"
#include "ns3/job-graph.h"
#include "ns3/job.h"
#include "ns3/rank-placement.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// However messages are carried, all arrive, and in order.
class Carriers : public FabricTestCase
{
  public:
    Carriers()
        : FabricTestCase("Verbs, queue pairs, split data, rendezvous and channels carry a job")
    {
    }

  private:
    void DoRun() override
    {
        const JobGraph graph = OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring");
        const Outcome plain = RunOnStar(graph, OneAck());
        for (const RdmaVerb verb : {RdmaVerb::WRITE_IMM, RdmaVerb::SEND})
        {
            JobOptions options = OneAck();
            options.network.verb = verb;
            const Outcome outcome = RunOnStar(graph, options);
            NS_TEST_EXPECT_MSG_EQ(outcome.error, "", verb);
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.us, plain.us, 0.05, verb);
        }
        JobOptions split = OneAck();
        split.network.queuePairsPerConnection = 4;
        split.network.splitData = true;
        const Outcome inParts = RunOnStar(graph, split);
        NS_TEST_EXPECT_MSG_EQ(inParts.error, "", "split");
        NS_TEST_EXPECT_MSG_EQ_TOL(inParts.us, plain.us, 1.0, "split");
        split.network.splitData = false;
        const Outcome inTurn = RunOnStar(graph, split);
        NS_TEST_EXPECT_MSG_EQ_TOL(inTurn.us, plain.us, 0.2, "queue pairs take turns");
        JobOptions rendezvous = OneAck();
        rendezvous.rendezvous = true;
        const Outcome asked = RunOnStar(graph, rendezvous);
        NS_TEST_EXPECT_MSG_EQ(asked.error, "", "rendezvous");
        // The first message waits for the word of its receiver; the others are told ahead or not.
        NS_TEST_EXPECT_MSG_EQ((asked.us > plain.us + 2 && asked.us < plain.us + 6 * 2.2),
                              true,
                              asked.us << " us with a rendezvous, " << plain.us << " without");
        rendezvous.readyBytes = 65536;
        NS_TEST_EXPECT_MSG_EQ((RunOnStar(graph, rendezvous).us > asked.us + 5),
                              true,
                              "a long word of the receiver");
        JobOptions ll = OneAck();
        ll.wireFactor = 2;
        const Outcome twice = RunOnStar(graph, ll);
        NS_TEST_EXPECT_MSG_EQ_TOL(twice.us, 6 * 47.38944 + 0.05, 0.05, "LL doubles the bytes");
        NS_TEST_EXPECT_MSG_EQ(twice.iteration.bytes, 2 * plain.iteration.bytes, "on the wire");
        const Outcome channels =
            RunOnStar(OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring", 4), OneAck());
        NS_TEST_EXPECT_MSG_EQ(channels.error, "", "four channels");
        NS_TEST_EXPECT_MSG_EQ(channels.iteration.bytes, plain.iteration.bytes, "of four channels");
        JobOptions slow = OneAck();
        slow.reduceRate = DataRate("800Gb/s"); // 100 GB/s: 2.62144 us for each of three chunks
        NS_TEST_EXPECT_MSG_EQ_TOL(RunOnStar(graph, slow).us,
                                  plain.us + 3 * 2.62144,
                                  0.05,
                                  "reduce");
    }
};

/// What cannot end says why in one line, which names the ranks.
class JobErrors : public FabricTestCase
{
  public:
    JobErrors()
        : FabricTestCase("A job that cannot end says who waits for whom")
    {
    }

  private:
    /// @param graph of a job @return its error
    std::string ErrorOfJob(const JobGraph& graph, const JobOptions& options = OneAck())
    {
        return RunOnStar(graph, options).error;
    }

    void DoRun() override
    {
        JobGraph unwanted(3);
        unwanted.Add(0, JobGraph::Send(2, 100, 7));
        unwanted.After(1,
                       unwanted.Add(1, JobGraph::Send(2, 50, 8)),
                       unwanted.Add(1, JobGraph::Calc(1000)));
        NS_TEST_EXPECT_MSG_EQ(ErrorOfJob(unwanted),
                              "job job: rank 2 got 100 B from rank 0, tag 7, that no recv takes "
                              "(1 more)",
                              "7.1");

        JobOptions wrong = OneAck();
        wrong.algorithm = "bruck";
        ExpectError(
            [&] { RunOnStar(OneCollective(2, CollectiveType::ALL_REDUCE, MIB, ""), wrong); },
            "job job: none of its collectives is done by the algorithm bruck");
        Simulator::Destroy();
        {
            const Fabric fabric = MakeStar(2);
            RunOptions options;
            options.stop = MicroSeconds(1);
            FabricRun run(fabric, options);
            Job& job =
                run.Add<Job>(OneCollective(2, CollectiveType::ALL_REDUCE, MIB, ""), OnePerHost(2));
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "it may still end");
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(),
                                  "job job: the run ended when 0 of 1 iterations were done",
                                  "the run was stopped");
        }
        Simulator::Destroy();

        JobGraph unsent(2);
        unsent.Add(0, JobGraph::Calc(1000));
        unsent.Add(1, JobGraph::Recv(0, 100, 7));
        NS_TEST_EXPECT_MSG_EQ(ErrorOfJob(unsent),
                              "job job stuck at 1 us: rank 1 waits for 100 B from rank 0, tag 7; "
                              "rank 0 has finished",
                              "7.2");
        JobGraph otherTag(3);
        otherTag.Add(0, JobGraph::Send(1, 100, 8));
        otherTag.Add(1, JobGraph::Recv(0, 100, 7));
        otherTag.Add(2, JobGraph::Send(1, 100, 7)); // of another source
        const std::string stuck = ErrorOfJob(otherTag);
        NS_TEST_EXPECT_MSG_NE(stuck.find("rank 1 waits for 100 B from rank 0, tag 7; a message of "
                                         "rank 0 with tag 8 is there; rank 0 has finished"),
                              std::string::npos,
                              stuck);
        JobOptions rendezvous = OneAck();
        rendezvous.rendezvous = true;
        NS_TEST_EXPECT_MSG_EQ(ErrorOfJob(unwanted, rendezvous).substr(0, 16),
                              "job job stuck at",
                              "with a rendezvous the send waits");

        JobGraph unequal(2, "x.goal", "line");
        unequal.Add(0, JobGraph::Send(1, 100));
        JobOperation receive = JobGraph::Recv(0, 200);
        receive.place = 8;
        unequal.Add(1, receive);
        NS_TEST_EXPECT_MSG_EQ(ErrorOfJob(unequal),
                              "job job: rank 1 recv of 200 B at line 8 got 100 B from rank 0",
                              "7.9");
        unequal.AllowShortMessages();
        NS_TEST_EXPECT_MSG_EQ(ErrorOfJob(unequal), "", "short messages are allowed");

        JobGraph cycle(1, "x.0.et", "node");
        cycle.Add(0, JobGraph::Calc(1));
        cycle.Add(0, JobGraph::Calc(1));
        cycle.After(0, 0, 1);
        cycle.After(0, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { cycle.Check(); }),
                              "x.0.et: rank 0: node 0 requires node 1 requires node 0",
                              "7.3");

        JobGraph mixed(4, "job", "node");
        const uint32_t group = mixed.AddGroup("1", {0, 3});
        mixed.Add(0, JobGraph::Collective(CollectiveType::ALL_REDUCE, MIB, group));
        mixed.Add(3, JobGraph::Collective(CollectiveType::ALL_GATHER, 65536, group));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { mixed.Check(); }),
                              "job: group 1, 1st collective: rank 0 all-reduce of 1048576 B (node "
                              "0), rank 3 all-gather of 65536 B (node 0)",
                              "7.5");
        JobGraph few(2);
        few.Add(1, JobGraph::Collective(CollectiveType::BARRIER, 0));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { few.Check(); }),
                              "job: all ranks: rank 1 has 1 of its collectives, rank 0 has 0",
                              "7.5");
        JobGraph outside(3);
        const uint32_t two = outside.AddGroup("tp", {0, 1});
        for (uint32_t rank = 0; rank < 3; ++rank)
        {
            outside.Add(rank, JobGraph::Collective(CollectiveType::BARRIER, 0, two));
        }
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { outside.Check(); }),
            "job: group tp has no rank 2, which has a collective of it (operation 0)",
            "7.8");
        ExpectError([&] { outside.AddGroup("x", {1, 1}); }, "group x has rank 1 twice");
        ExpectError([&] { outside.Add(0, JobGraph::Send(9, 1)); }, "peer 9 of 3 ranks");
        ExpectError([&] { ErrorOfJob(JobGraph(2), WithAlgorithm("rings")); },
                    "there is no collective algorithm \"rings\"");
        ExpectError(
            [&] { RunOnStar(OneCollective(2, CollectiveType::BARRIER, 0, "ring"), {}); },
            "job job: operation 0 of rank 0: the algorithm ring does no barrier; barrier is "
            "done by dissemination");
        ExpectError(
            [&] {
                ErrorOfJob(OneCollective(2, CollectiveType::ALL_TO_ALL, 64, ""),
                           WithAlgorithm("ring"));
            },
            "none of its collectives is done by the algorithm ring; all-to-all is done by "
            "direct, pairwise, bruck");
        ExpectError([&] { ErrorOfJob(JobGraph(2), WithAlgorithm("ring")); },
                    "all of them name one, or there are none: leave it out");
        JobOptions waits;
        waits.rendezvous = true;
        JobGraph wild(2);
        wild.Add(1, JobGraph::Recv(JobOperation::ANY, 8, 1));
        ExpectError([&] { ErrorOfJob(wild, waits); },
                    "job job: operation 0 of rank 1: receives from any rank or any tag, with a "
                    "rendezvous; name both, or use no rendezvous: nobody can be told to send");
        ExpectError([&] { RunOnStar(OneCollective(2, CollectiveType::BARRIER, 0, "rings"), {}); },
                    "there is no collective algorithm \"rings\"");
    }

    static JobOptions WithAlgorithm(const std::string& name)
    {
        JobOptions options;
        options.algorithm = name;
        return options;
    }
};

/// Small and odd jobs end at once, or send what they must.
class OddJobs : public FabricTestCase
{
  public:
    OddJobs()
        : FabricTestCase("One rank, no bytes, fewer bytes than ranks, and several iterations")
    {
    }

  private:
    void DoRun() override
    {
        const Outcome alone = RunOnStar(OneCollective(1, CollectiveType::ALL_REDUCE, MIB, ""), {});
        NS_TEST_EXPECT_MSG_EQ(alone.error, "", "one rank");
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.us, 0, 1e-9, "one rank is done at once");
        const Outcome empty = RunOnStar(OneCollective(4, CollectiveType::ALL_REDUCE, 0, ""), {});
        NS_TEST_EXPECT_MSG_EQ_TOL(empty.us, 0, 1e-9, "nothing is sent");
        // Three chunks of 1 B go round eight ranks; the others are empty.
        const Outcome few =
            RunOnStar(OneCollective(8, CollectiveType::ALL_REDUCE, 3, "ring"), OneAck());
        NS_TEST_EXPECT_MSG_EQ(few.iteration.bytes, 3 * 14, "bytes");
        NS_TEST_EXPECT_MSG_EQ(few.iteration.messages, 3 * 14, "messages");
        JobGraph message(2);
        message.Add(0, JobGraph::Send(1, 0));
        message.Add(1, JobGraph::Recv(0, 0));
        NS_TEST_EXPECT_MSG_EQ(RunOnStar(message, {}).error, "", "an empty message is one");

        // A send is done when it is posted, or when its ACK has come.
        JobGraph twice(2);
        const uint32_t first = twice.Add(0, JobGraph::Send(1, 4096));
        twice.After(0, twice.Add(0, JobGraph::Calc(1000)), first);
        twice.Add(1, JobGraph::Recv(0, 4096));
        JobOptions posted = OneAck();
        posted.sendIsDoneWhenPosted = true;
        NS_TEST_EXPECT_MSG_EQ_TOL(RunOnStar(twice, posted).us, 2.44496, 1e-4, "delivery");
        NS_TEST_EXPECT_MSG_EQ_TOL(RunOnStar(twice, OneAck()).us,
                                  2.44496 + 2.01376 + 1,
                                  1e-4,
                                  "delivery, ACK, calculation");

        // Of several iterations each rank goes on by itself.
        JobOptions thrice = OneAck();
        thrice.iterations = 3;
        thrice.warmUp = 1;
        thrice.start = MicroSeconds(7);
        const Fabric fabric = MakeStar(4);
        auto run = std::make_unique<FabricRun>(fabric);
        Job& job = run->Add<Job>(OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring"),
                                 OnePerHost(4),
                                 thrice);
        run->Execute();
        NS_TEST_ASSERT_MSG_EQ(job.GetIterations().size(), 3, "iterations");
        NS_TEST_EXPECT_MSG_EQ(job.IsDone(), true, job.GetError());
        NS_TEST_EXPECT_MSG_EQ(TimeStep(job.GetIterations()[0].start), MicroSeconds(7), "start");
        NS_TEST_EXPECT_MSG_EQ(job.GetIterations()[0].isWarmUp, true, "the first warms up");
        NS_TEST_EXPECT_MSG_EQ(job.GetIterations()[1].isWarmUp, false, "the second counts");
        for (const JobIteration& each : job.GetIterations())
        {
            NS_TEST_EXPECT_MSG_EQ(each.messages, 4 * 6, "messages");
            NS_TEST_EXPECT_MSG_EQ(each.bytes, 6 * MIB, "bytes");
        }
        NS_TEST_EXPECT_MSG_EQ(job.GetIterations()[1].start, job.GetIterations()[0].end, "no gap");
        run.reset(); // and with it the queue pairs of the job
        ExpectSettled(fabric);
    }
};

/// Ranks of one host exchange over its own links.
class WithinHosts : public FabricTestCase
{
  public:
    WithinHosts()
        : FabricTestCase("Messages within a host stay there, and take the time of its links")
    {
    }

  private:
    void DoRun() override
    {
        JobOptions options = OneAck();
        options.network.intraRate = DataRate("800Gb/s");
        options.network.intraLatency = MicroSeconds(1);
        std::vector<RankPlace> packed;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            packed.push_back({HostId(rank / 4), rank % 4});
        }
        // Reduce-scatter and all-gather within hosts of 4, and an all-reduce of two between.
        const double inner = 3 * (1 + (1 << 18) / 100e3);
        Expect(packed, options, "hierarchical", 2 * inner + 2 * 13.41648, 4 * MIB);
        // Data parallel groups of neighbours: all within hosts, or, placed in turn, none.
        JobGraph graph(8);
        for (uint32_t i = 0; i < 2; ++i)
        {
            const uint32_t group =
                graph.AddGroup("tp" + std::to_string(i), {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
            for (uint32_t rank = 4 * i; rank < 4 * i + 4; ++rank)
            {
                graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_REDUCE, MIB, group));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(FabricBytes(graph, packed, options), 0, "7.18, packed");
        std::vector<RankPlace> inTurn;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            inTurn.push_back({HostId(rank % 2), rank / 2});
        }
        NS_TEST_EXPECT_MSG_EQ(FabricBytes(graph, inTurn, options), 12 * MIB, "7.18, round robin");
    }

    void Expect(const std::vector<RankPlace>& places,
                const JobOptions& options,
                const std::string& algorithm,
                double us,
                uint64_t fabricBytes)
    {
        const Fabric fabric = MakeStar(2);
        FabricRun run(fabric);
        Job& job = run.Add<Job>(OneCollective(8, CollectiveType::ALL_REDUCE, MIB, algorithm),
                                places,
                                options);
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", algorithm);
        const JobIteration& iteration = job.GetIterations().at(0);
        // Four ranks of each host share its link: the second term of the closed form is 4 times it.
        const double took = TimeStep(iteration.end - iteration.start).GetSeconds() * 1e6;
        NS_TEST_EXPECT_MSG_EQ((took > us && took < us + 2 * 4 * 13.5), true, took << " " << us);
        uint64_t bytes = 0;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            bytes += job.GetCarrier().GetCarried(rank).bytes;
        }
        NS_TEST_EXPECT_MSG_EQ(bytes, fabricBytes / 2, "2 (N - 1) / (N G) S for each rank");
        Simulator::Destroy();
    }

    uint64_t FabricBytes(const JobGraph& graph,
                         const std::vector<RankPlace>& places,
                         const JobOptions& options)
    {
        const Fabric fabric = MakeStar(2);
        FabricRun run(fabric);
        Job& job = run.Add<Job>(graph, places, options);
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "");
        uint64_t bytes = 0;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            bytes += job.GetCarrier().GetCarried(rank).bytes;
        }
        Simulator::Destroy();
        return bytes;
    }
};

/// A link that is cut for good leaves a job stuck, and its error says which queue pair has failed.
class CutLink : public FabricTestCase
{
  public:
    CutLink()
        : FabricTestCase("A link is cut during an all-reduce")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeStar(4);
        FabricRun run(fabric);
        Job& job = run.Add<Job>(OneCollective(4, CollectiveType::ALL_REDUCE, 8 * MIB, "ring"),
                                OnePerHost(4),
                                OneAck());
        run.Faults().CutLink(LinkId(1), MicroSeconds(50));
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(job.IsDone(), false, "it cannot end");
        NS_TEST_EXPECT_MSG_NE(job.GetError().find("stuck"), std::string::npos, job.GetError());
        NS_TEST_EXPECT_MSG_NE(job.GetError().find("RETRY_EXCEEDED"),
                              std::string::npos,
                              job.GetError());
        NS_TEST_EXPECT_MSG_EQ(run.GetResults().unfinished.size(), 1, "its iteration is unfinished");
    }
};

/// Two threads, and two jobs, do what one does.
class ThreadsAndJobs : public FabricTestCase
{
  public:
    ThreadsAndJobs()
        : FabricTestCase("One thread and several give the same times; jobs on other hosts do not "
                         "meet")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        const std::vector<int64_t> one = Run(1);
        NS_TEST_EXPECT_MSG_EQ((one.size() > 50), true, "times");
        NS_TEST_EXPECT_MSG_EQ((Run(2) == one), true, "two threads");
        NS_TEST_EXPECT_MSG_EQ((Run(3) == one), true, "three threads");

        const Outcome alone =
            RunOnStar(OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring"), OneAck());
        const Fabric fabric = MakeStar(8);
        FabricRun run(fabric);
        std::vector<Job*> jobs;
        for (uint32_t i = 0; i < 2; ++i)
        {
            JobOptions options = OneAck();
            options.name = std::string(1, static_cast<char>('a' + i));
            std::vector<RankPlace> places;
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                places.push_back({HostId(4 * i + rank), 0});
            }
            jobs.push_back(&run.Add<Job>(OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring"),
                                         places,
                                         options));
        }
        run.Execute();
        for (const Job* job : jobs)
        {
            const JobIteration& iteration = job->GetIterations().at(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(TimeStep(iteration.end - iteration.start).GetSeconds() * 1e6,
                                      alone.us,
                                      1e-6,
                                      "7.17: as alone");
        }
    }

    /// Keeps when collectives and iterations ended.
    class Keeper : public JobListener
    {
      public:
        std::vector<int64_t> times;

      private:
        void IterationEnded(const Job& /*job*/,
                            const JobIteration& iteration,
                            const std::vector<std::shared_ptr<const RankTrace>>& traces) override
        {
            times.push_back(iteration.end);
            for (const auto& trace : traces)
            {
                times.push_back(trace->end);
                times.push_back(trace->exposed);
                for (const RankTrace::Operation& operation : trace->operations)
                {
                    times.push_back(operation.start);
                    times.push_back(operation.end);
                    times.push_back(operation.endCause);
                }
            }
        }

        void CollectiveEnded(const Job& /*job*/, const JobCollective& collective) override
        {
            times.push_back(collective.group);
            times.push_back(collective.firstStart);
            times.push_back(collective.end);
        }
    };

    std::vector<int64_t> Run(uint32_t threads)
    {
        FabricLinkSpec link;
        link.rate = DataRate("100Gb/s");
        link.delay = MicroSeconds(1);
        const Fabric fabric =
            FabricHelper().FromTopology(FabricTopology::LeafSpine(4, 2, 2, link, link));
        JobGraph graph(16);
        const uint32_t half = graph.AddGroup("half", {0, 2, 4, 6, 8, 10, 12, 14});
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            const uint32_t calc = graph.Add(rank, JobGraph::Calc(1000 + 137 * rank));
            const uint32_t reduce =
                graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_REDUCE, MIB / 4));
            graph.After(rank, reduce, calc);
            if (rank % 2 == 0)
            {
                graph.After(
                    rank,
                    graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_TO_ALL, MIB, half)),
                    calc);
            }
            graph.After(rank, graph.Add(rank, JobGraph::Send((rank + 5) % 16, 50000, 3)), reduce);
            graph.Add(rank, JobGraph::Recv((rank + 11) % 16, 50000, 3));
        }
        std::vector<RankPlace> places;
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            places.push_back({HostId(rank / 2), rank % 2});
        }
        RunOptions options;
        options.threads = threads;
        FabricRun run(fabric, options);
        JobOptions jobOptions;
        jobOptions.iterations = 3;
        Job& job = run.Add<Job>(graph, places, jobOptions);
        Keeper keeper;
        job.AddListener(keeper);
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", threads << " threads");
        Simulator::Destroy();
        return keeper.times;
    }
};

/// Clusters with a NIC for each GPU: what crosses their spines, and how fast they are.
class Rails : public FabricTestCase
{
  public:
    Rails()
        : FabricTestCase("Channels and PXN keep traffic on its rail")
    {
    }

  private:
    void DoRun() override
    {
        JobOptions options = OneAck();
        options.channels = 8;
        options.network.nic = QueuePairNetwork::NicChoice::CHANNEL;
        const double flat = Run(CollectiveType::ALL_REDUCE, 64 * MIB, "ring", options);
        NS_TEST_EXPECT_MSG_EQ(m_spineBytes, 0, "eight flat rings cross no spine");
        // Busbw: eight NICs of 400 Gb/s, of which 4096 B of 4178 are payload.
        const double busbw = 64 * MIB * 2.0 * 15 / 16 / flat / 1e3;
        NS_TEST_EXPECT_MSG_EQ_TOL(busbw, 8 * 50 * 4096 / 4178.0, 20, "GB/s, " << flat << " us");
        options.network.nic = QueuePairNetwork::NicChoice::RAIL;
        Run(CollectiveType::ALL_REDUCE, 4 * MIB, "ring", options);
        NS_TEST_EXPECT_MSG_EQ((m_spineBytes > 0),
                              true,
                              "a ring leaves by another rail than it came");
        options.network.nic = QueuePairNetwork::NicChoice::HASH;
        const double drawn = Run(CollectiveType::ALL_REDUCE, 64 * MIB, "ring", options);
        NS_TEST_EXPECT_MSG_EQ(m_spineBytes, 0, "both ends have one rail, which is drawn");
        NS_TEST_EXPECT_MSG_EQ((drawn > 1.5 * flat), true, "some draw the same: " << drawn << " us");

        options.channels = 1;
        options.network.nic = QueuePairNetwork::NicChoice::RAIL;
        Run(CollectiveType::ALL_TO_ALL, 4 * MIB, "direct", options);
        const double without = static_cast<double>(m_spineBytes);
        // (G - 1) / G of the 128 blocks of 256 KiB between the hosts, and what their packets add.
        NS_TEST_EXPECT_MSG_EQ_TOL(without / (128.0 * 262144 * 7 / 8), 1.02, 0.01, "without PXN");
        options.network.pxn = true;
        const double whole = Run(CollectiveType::ALL_TO_ALL, 4 * MIB, "direct", options);
        NS_TEST_EXPECT_MSG_EQ(m_spineBytes, 0, "with PXN");
        options.network.pxnBytes = 4 * MIB; // a message is no longer forwarded while it comes
        NS_TEST_EXPECT_MSG_EQ((Run(CollectiveType::ALL_TO_ALL, 4 * MIB, "direct", options) > whole),
                              true,
                              "pieces overlap");
        options.network.pxn = false;
        options.network.gpusPerHost = 4;
        ExpectError([&] { Run(CollectiveType::ALL_TO_ALL, MIB, "direct", options); },
                    "a rank on GPU 4 of host 0; it has 4, from 0");

        options.network.gpusPerHost = 0;
        options.network.queuePair.attributes.emplace_back("Mtu", Create<UintegerValue>(4096));
        FabricRun small(MakeStar(16));
        small.Add<Job>(OneCollective(16, CollectiveType::BARRIER, 0, ""), OnePerHost(16), options);
        ExpectError([&] { small.Execute(); }, "Mtu 4096 needs IP packets of 4160 bytes");
        Simulator::Destroy();

        ExpectError(
            [&] {
                Job(MakeStar(2),
                    OneCollective(1, CollectiveType::BARRIER, 0, ""),
                    {{HostId(0), 0xffffffff}});
            },
            "a rank on GPU 4294967295 of host 0; GPUs are 0 to 1023");
        Simulator::Destroy();

        ExpectError(
            [&] {
                Job(MakeStar(2),
                    OneCollective(2, CollectiveType::BARRIER, 0, ""),
                    {{HostId(1), 3}, {HostId(1), 3}});
            },
            "ranks 0 and 1 are both on GPU 3 of host 1; a GPU for each rank");
        JobOptions proxy = OneAck();
        proxy.network.pxn = true;
        ExpectError(
            [&] {
                Job(MakeStar(2),
                    OneCollective(2, CollectiveType::BARRIER, 0, ""),
                    OnePerHost(2),
                    proxy);
            },
            "PXN, and no host of the job has several ports");
        Simulator::Destroy();

        // Rails that do not meet need PXN.
        GpuFabric rails = GpuFabric::Preset("hgx-h100:2");
        rails.spines = 0;
        const Fabric fabric = FabricHelper().FromTopology(rails.Build());
        FabricRun run(fabric);
        run.Add<Job>(OneCollective(16, CollectiveType::ALL_TO_ALL, MIB, "direct"),
                     RankPlacement(rails.Build(), 8).Place("packed", 16),
                     OneAck());
        ExpectError([&] { run.Execute(); }, "rails that no switch joins need PXN");
    }

    /// @param type of a collective of 16 ranks on two hosts @param bytes of it
    /// @param algorithm of it @param options of the job @return us that it takes
    double Run(CollectiveType type,
               uint64_t bytes,
               const std::string& algorithm,
               const JobOptions& options)
    {
        const FabricTopology topology = GpuFabric::Preset("hgx-h100:2").Build();
        FabricHelper helper;
        helper.SetQueuePair("Mtu", UintegerValue(4096));
        const Fabric fabric = helper.FromTopology(topology);
        FabricRun run(fabric);
        Job& job = run.Add<Job>(OneCollective(16, type, bytes, algorithm),
                                RankPlacement(topology, 8).Place("rail", 16),
                                options);
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", algorithm);
        m_spineBytes = 0;
        for (uint32_t spine = 8; spine < fabric.GetNSwitches(); ++spine) // behind eight leaves
        {
            for (uint32_t port = 0; port < fabric.GetSwitch(spine)->GetNPorts(); ++port)
            {
                m_spineBytes += fabric.GetSwitch(spine)->GetPort(port)->GetCounters().txWireBytes;
            }
        }
        const JobIteration& iteration = job.GetIterations().at(0);
        const double us = TimeStep(iteration.end - iteration.start).GetSeconds() * 1e6;
        Simulator::Destroy();
        return us;
    }

    uint64_t m_spineBytes{0}; //!< that spines have sent, ACKs included
};

/// Where ranks are put.
class Placements : public FabricTestCase
{
  public:
    Placements()
        : FabricTestCase("Ranks are placed by policies and lists")
    {
    }

  private:
    void DoRun() override
    {
        const FabricLinkSpec link;
        const FabricTopology topology = FabricTopology::LeafSpine(2, 1, 2, link, link);
        const RankPlacement two(topology, 2);
        const auto text = [&](const std::string& policy, uint32_t ranks) {
            return RankPlacement::Describe(two.Place(policy, ranks));
        };
        NS_TEST_EXPECT_MSG_EQ(text("packed", 5), "host 0: 0 to 1; host 1: 2 to 3; host 2: 4", "");
        NS_TEST_EXPECT_MSG_EQ(text("round-robin", 5),
                              "host 0: 0, 4; host 1: 1; host 2: 2; host 3: 3",
                              "");
        NS_TEST_EXPECT_MSG_EQ(text("spread", 3), "host 0: 0; host 1: 2; host 2: 1", "leaf by leaf");
        NS_TEST_EXPECT_MSG_EQ(text("rail", 4), "host 0: 0 to 1; host 1: 2 to 3", "");
        NS_TEST_EXPECT_MSG_EQ(text("list:3,0,3", 3), "host 0: 1; host 3: 0, 2", "");
        const auto ofMany = [&link](uint32_t hosts) {
            const FabricTopology star = FabricTopology::Star(hosts, link);
            const std::string whole =
                RankPlacement::Describe(RankPlacement(star, 1).Place("packed", hosts));
            return whole.substr(whole.find("host 15"));
        };
        NS_TEST_EXPECT_MSG_EQ(ofMany(17), "host 15: 15; host 16: 16", "all of them");
        NS_TEST_EXPECT_MSG_EQ(ofMany(1024), "host 15: 15; and 1008 more hosts", "the first ones");
        ExpectError([&] { text("rail", 5); }, "placement rail of 5 ranks on hosts with 2 GPUs");
        ExpectError([&] { text("packed", 9); }, "9 ranks, and 4 hosts with 2 GPUs each");
        ExpectError([&] { text("list:3,3,3", 3); }, "more than 2 ranks on host 3");
        ExpectError([&] { text("list:0,1", 3); }, "lists 2 hosts, and the job has 3 ranks");
        ExpectError([&] { text("list:0,9", 2); }, "a host of the placement");
        ExpectError([&] { text("near", 2); }, "placement \"near\"; packed, round-robin");
        ExpectError([&] { GpuFabric::Preset("hgx-x:1"); }, "there is no cluster \"hgx-x:1\"");
        const GpuFabric dual = GpuFabric::Preset("hpn-h100:2");
        NS_TEST_EXPECT_MSG_EQ(dual.Build().GetLinksOf(NodeId(0)).size(), 16, "two links a NIC");
        GpuFabric planes = GpuFabric::Preset("hgx-h100:4");
        planes.planes = GpuFabric::BY_RAIL;
        planes.spines = 2;
        NS_TEST_EXPECT_MSG_EQ(planes.Build().GetSwitches().size(), 8 + 8 * 2, "a plane a rail");
    }
};

/// A job was stopped while messages went to other GPUs of their host.
class StoppedJob : public FabricTestCase
{
  public:
    StoppedJob()
        : FabricTestCase("Messages within hosts of a job that was stopped are gone")
    {
    }

  private:
    void DoRun() override
    {
        const GpuFabric preset = GpuFabric::Preset("hgx-h100:2");
        const FabricTopology topology = preset.Build();
        {
            const Fabric fabric = FabricHelper().FromTopology(topology);
            RunOptions options;
            options.stop = MicroSeconds(3);
            FabricRun run(fabric, options);
            JobGraph graph(2 * preset.gpus);
            for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
            {
                graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_TO_ALL, 1 << 22));
            }
            JobOptions how;
            how.network.pxn = true;
            how.network.gpusPerHost = preset.gpus;
            Job& job = run.Add<Job>(
                graph,
                RankPlacement(topology, preset.gpus).Place("packed", graph.GetNRanks()),
                how);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.IsDone(), false, "it was stopped");
            options.stop = MilliSeconds(1);
            FabricRun second(fabric, options);
            second.Execute();
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(1003), "nothing of it is left");
        }
        Simulator::Destroy();
    }
};

/// The suite of jobs.
class JobTestSuite : public TestSuite
{
  public:
    JobTestSuite()
        : TestSuite("lossless-job", Type::UNIT)
    {
        AddTestCase(new Carriers);
        AddTestCase(new JobErrors);
        AddTestCase(new OddJobs);
        AddTestCase(new WithinHosts);
        AddTestCase(new CutLink);
        AddTestCase(new ThreadsAndJobs);
        AddTestCase(new Rails);
        AddTestCase(new Placements);
        AddTestCase(new StoppedJob);
    }
};

JobTestSuite g_jobTestSuite; //!< the suite

} // namespace

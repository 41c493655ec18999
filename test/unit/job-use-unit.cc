// SPDX-License-Identifier: GPL-2.0-only

// Options of jobs that have no effect are named in one line each.

#include "helper-test-util.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/job-use.h"
#include "ns3/job.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;

namespace
{

/// @param graph of two ranks on two hosts @param options of the job @param fabric with the hosts
/// @return what standard error says while the job is made
std::string
MakeJob(const JobGraph& graph,
        const JobOptions& options,
        const Fabric& fabric = FabricHelper().Star(2))
{
    ::testing::internal::CaptureStderr();
    {
        FabricRun run(fabric);
        run.Add<Job>(graph, std::vector<RankPlace>{{HostId(0), 0}, {HostId(1), 0}}, options);
    }
    Simulator::Destroy();
    return ::testing::internal::GetCapturedStderr();
}

/// @param type of a collective @return a job of it
JobGraph
GraphOf(CollectiveType type)
{
    JobGraph graph(2);
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        graph.Add(rank, JobGraph::Collective(type, 65536));
    }
    return graph;
}

} // namespace

TEST(JobUse, AReductionTakesTimeWhereSomethingIsReduced)
{
    JobOptions options;
    options.reduceRate = DataRate("100Gbps");
    EXPECT_EQ(MakeJob(GraphOf(CollectiveType::ALL_REDUCE), options), "");
    EXPECT_EQ(
        MakeJob(GraphOf(CollectiveType::ALL_GATHER), options),
        "lossless: warning: job job: reduceRate has no effect; it needs a collective in which "
        "ranks add what they receive, such as all-reduce\n");
    options.namesUnused = false;
    EXPECT_EQ(MakeJob(GraphOf(CollectiveType::ALL_GATHER), options), "");
}

TEST(JobUse, QueuePairsNeedSeveralMessagesOrPieces)
{
    JobGraph graph(2);
    graph.Add(0, JobGraph::Send(1, 65536));
    graph.Add(1, JobGraph::Recv(0, 65536));
    JobOptions options;
    options.network.queuePairsPerConnection = 2;
    const std::string line =
        "lossless: warning: job job: queuePairsPerConnection has no effect; it needs two ranks on "
        "two hosts with several messages, or with one that is split, or switches with several "
        "paths\n";
    EXPECT_EQ(MakeJob(graph, options), line);
    options.rendezvous = true; // a message each way
    EXPECT_EQ(MakeJob(graph, options), line);
    options.network.splitData = true;
    EXPECT_EQ(MakeJob(graph, options), "");
    options = {};
    options.network.queuePairsPerConnection = 2;
    options.iterations = 2;
    EXPECT_EQ(MakeJob(graph, options), "");
}

TEST(JobUse, SeveralPathsAreAUseOfSeveralQueuePairs)
{
    JobGraph graph(2);
    graph.Add(0, JobGraph::Send(1, 65536));
    graph.Add(1, JobGraph::Recv(0, 65536));
    JobOptions options;
    options.network.queuePairsPerConnection = 2;
    EXPECT_NE(MakeJob(graph, options, FabricHelper().LeafSpine(2, 1, 1)), "");
    EXPECT_EQ(MakeJob(graph, options, FabricHelper().LeafSpine(2, 2, 1)), "");
}

TEST(JobUse, BothWaysNeedAWayBack)
{
    JobGraph graph(2);
    graph.Add(0, JobGraph::Send(1, 65536));
    graph.Add(1, JobGraph::Recv(0, 65536));
    JobOptions options;
    options.network.bothWays = true;
    EXPECT_EQ(MakeJob(graph, options),
              "lossless: warning: job job: bothWays has no effect; it needs two ranks on two hosts "
              "that send to each other, by the same ports\n");
    EXPECT_EQ(MakeJob(GraphOf(CollectiveType::ALL_REDUCE), options), "");
}

TEST(JobUse, PacketsNeedMessagesThatFillThem)
{
    JobOptions options;
    options.network.queuePair.attributes.emplace_back("Mtu", Create<UintegerValue>(2048));
    options.network.queuePair.attributes.emplace_back("AckInterval", Create<UintegerValue>(4));
    JobGraph small(2);
    small.Add(0, JobGraph::Send(1, 100));
    small.Add(1, JobGraph::Recv(0, 100));
    EXPECT_EQ(
        MakeJob(small, options),
        "lossless: warning: job job: mtu has no effect; it needs a message of more than 1024 B "
        "that leaves its host\n"
        "lossless: warning: job job: ackInterval has no effect; it needs a message of more "
        "than 2048 B that leaves its host\n");
    JobGraph large(2);
    large.Add(0, JobGraph::Send(1, 65536));
    large.Add(1, JobGraph::Recv(0, 65536));
    EXPECT_EQ(MakeJob(large, options), "");
}

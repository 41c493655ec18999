// SPDX-License-Identifier: GPL-2.0-only

// What it costs to run a job, against what a process measures; and what is too much.

#include "helper-test-util.h"
#include "job-cost.h"
#include "memory-of-process.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/job-graph.h"
#include "ns3/job.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdint>
#include <vector>

using namespace ns3;

namespace
{

/// @param ranks of a star, a host each @param bothWays whether queue pairs carry both ways
/// @return memory that an all-to-all of these takes
double
MeasureJob(uint32_t ranks, bool bothWays)
{
    FabricHelper helper;
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1GiB"));
    const Fabric fabric = helper.Star(ranks);
    JobGraph graph(ranks);
    std::vector<RankPlace> places;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_TO_ALL, uint64_t{64} * ranks));
        places.push_back({HostId(rank), 0});
    }
    JobOptions options;
    options.network.bothWays = bothWays;
    double grown = 0;
    {
        FabricRun run(fabric);
        const uint64_t before = MemoryOfProcess();
        Job& job = run.Add<Job>(graph, places, options);
        run.Execute();
        grown = static_cast<double>(MemoryOfProcess() - before);
        EXPECT_TRUE(job.IsDone());
    }
    Simulator::Destroy();
    return grown;
}

} // namespace

TEST(JobCost, EstimateIsNearWhatConnectionsTake)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
    constexpr uint64_t ranks = 150;
    for (const bool bothWays : {false, true})
    {
        JobCost cost;
        cost.connections = ranks * (ranks - 1);
        cost.queuePairs = cost.connections / (bothWays ? 2 : 1);
        const double measured = MeasureJob(ranks, bothWays);
        EXPECT_NEAR(static_cast<double>(cost.GetMemory()) / measured, 1, 0.35)
            << (bothWays ? "both ways: " : "one way: ") << cost.GetMemory() << " of " << measured;
    }
}

TEST(JobCost, WhatTheMachineDoesNotHaveIsRefused)
{
    JobCost cost;
    cost.connections = 4000000;
    cost.queuePairs = 4000000;
    cost.RequireMemory("a", {cost.GetMemory(), "the machine has"});
    EXPECT_FABRIC_ERROR(cost.RequireMemory("a", {16000000000, "the machine has"}),
                        "job a: 4000000 connections of ranks with 4000000 queue pairs take about "
                        "20.8 GB of memory, and the machine has 16 GB; fewer ranks");
}

TEST(JobCost, LongRunsAreNamed)
{
    JobCost cost;
    cost.links = 4;
    cost.messages = 1;
    cost.bytes = 1e12;
    ::testing::internal::CaptureStderr();
    cost.WarnOfTime("a", 4096, 1); // 2e9 packet-hops
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    cost.bytes = 1e14;
    ::testing::internal::CaptureStderr();
    cost.WarnOfTime("a", 4096, 1);
    const std::string warning = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(
        warning.find(
            "job a: 4.88e+10 packets, ACKs included, over 4 links each, some 27.1 hours if it runs "
            "to its end"),
        std::string::npos)
        << warning;
    cost.messages = 1e11; // shorter than a packet each
    EXPECT_DOUBLE_EQ(cost.GetPackets(4096), 1e11);
}

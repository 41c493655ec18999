// SPDX-License-Identifier: GPL-2.0-only

// How much memory a fabric takes, against what a process measures; and what is too large to build.

#include "fabric-memory.h"
#include "helper-test-util.h"
#include "memory-of-process.h"

#include "ns3/fabric-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <chrono>
#include <new>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;

namespace
{

/// @param topology a graph @return memory that its fabric takes
double
Measure(const FabricTopology& topology)
{
    FabricHelper helper;
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4GiB"));
    const uint64_t before = MemoryOfProcess();
    const Fabric fabric = helper.FromTopology(topology);
    const uint64_t after = MemoryOfProcess();
    Simulator::Destroy();
    return static_cast<double>(after - before);
}

} // namespace

TEST(FabricMemory, EstimateIsWithinAQuarterOfWhatAFabricTakes)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
    for (const auto& topology : {FabricTopology::Star(1500, {}),
                                 FabricTopology::LeafSpine(64, 32, 8, {}, {}),
                                 FabricTopology::LeafSpine(250, 4, 10, {}, {}),
                                 FabricTopology::FatTree(16, {})})
    {
        const double measured = Measure(topology);
        const auto estimate = static_cast<double>(EstimateMemory(topology));
        EXPECT_NEAR(estimate / measured, 1, 0.25)
            << topology.GetNNodes() << " nodes: " << estimate << " of " << measured;
    }
}

TEST(FabricMemory, WhatTheMachineDoesNotHaveIsRefused)
{
    const auto topology = FabricTopology::LeafSpine(2, 2, 2, {}, {});
    const uint64_t needed = EstimateMemory(topology);
    RequireMemory(topology, {needed, "the machine has"});
    EXPECT_FABRIC_ERROR(RequireMemory(topology, {needed - 1, "the machine has"}),
                        "a fabric of 4 hosts, 4 switches and 8 links takes about 0.0001");
    EXPECT_FABRIC_ERROR(RequireMemory(topology, {needed - 1, "the machine has"}),
                        "of memory, and the machine has 0.0001");
    EXPECT_FABRIC_ERROR(RequireMemory(topology, {needed - 1, "the machine has"}),
                        "; take fewer hosts and switches");
    EXPECT_GT(GetMemoryLimit().bytes, uint64_t{1} << 20);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FABRIC_ERROR(FabricHelper().LeafSpine(300000, 1, 2), "of memory, and the machine has");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(FabricMemory, TheLimitOfTheProcessCounts)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "a sanitizer takes addresses of its own";
#endif
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    rlimit limit = before;
    limit.rlim_cur = rlim_t{2} << 30;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    const MemoryLimit left = GetMemoryLimit();
    const auto topology = FabricTopology::LeafSpine(10000, 1, 30, {}, {});
    EXPECT_GT(EstimateMemory(topology), uint64_t{2} << 30);
    EXPECT_FABRIC_ERROR(FabricHelper().FromTopology(topology),
                        "the limit of the process (ulimit -v), 2.15 GB, leaves ");
    std::string failure;
    try
    {
        const MemoryUse outer("something", "take less");
        const MemoryUse inner("a part of it", "take fewer parts");
        const std::vector<char> much(std::size_t{3} << 30);
    }
    catch (const std::bad_alloc&)
    {
        failure = MemoryUse::DescribeFailure();
    }
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    EXPECT_EQ(failure,
              "out of memory while making a part of it: the limit of the process (ulimit -v) is "
              "2.15 GB; take fewer parts");
    EXPECT_LT(left.bytes, uint64_t{2} << 30);
}

TEST(FabricMemory, SwitchesHaveSoManyPorts)
{
    // Before anything is built.
    EXPECT_FABRIC_ERROR(FabricHelper().Star(65536), "switch 0 has 65536 links; at most 65535");
}

TEST(FabricMemory, HostsWithoutLinksAreNamedAtOnce)
{
    FabricTopology topology;
    const NodeId hub = topology.AddSwitch();
    for (uint32_t i = 0; i < 100000; ++i)
    {
        topology.AddHost();
    }
    topology.AddLink(1, hub, {});
    topology.AddLink(3, hub, {});
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FABRIC_ERROR(FabricHelper().FromTopology(topology),
                        "host 1 (node 2) has no link, nor have 99997 more; give each host a link");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

// SPDX-License-Identifier: GPL-2.0-only

// What runs over ranks of MPI need of the rest, on one process. utils/mpi-run --check runs them.

#include "fabric-test-case.h"

#include "ns3/fabric-partitions.h"
#include "ns3/fabric-ranks.h"
#include "ns3/node.h"

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Without MPI there is one rank, which has all nodes.
class OneRankTest : public FabricTestCase
{
  public:
    OneRankTest()
        : FabricTestCase("Without MPI one rank has all nodes")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(FabricRanks::IsOn(), false, "MPI runs");
        NS_TEST_EXPECT_MSG_EQ(FabricRanks::Count(), 1, "ranks");
        NS_TEST_EXPECT_MSG_EQ(FabricRanks::Own(), 0, "own rank");
        NS_TEST_EXPECT_MSG_EQ(FabricRanks::HasNode(*CreateObject<Node>(3)), true, "node");
        NS_TEST_EXPECT_MSG_EQ((FabricRanks::Gather("x") == std::vector<std::string>{"x"}),
                              true,
                              "bytes");
        RequireOneRank("a capture"); // there is no reason to throw
        if (!FabricRanks::IsBuilt())
        {
            try
            {
                FabricRanks::Begin();
                NS_TEST_EXPECT_MSG_EQ(true, false, "MPI begins in a build without MPI");
            }
            catch (const std::invalid_argument& error)
            {
                NS_TEST_EXPECT_MSG_NE(std::string(error.what()).find("NS3_MPI=ON"),
                                      std::string::npos,
                                      error.what());
            }
        }
    }
};

/// The parts of a fat-tree are whole pods, and have about as many links.
class PodsTest : public FabricTestCase
{
  public:
    PodsTest()
        : FabricTestCase("Pods of a fat-tree stay together")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t k : {4U, 8U})
        {
            for (const uint32_t parts : {2U, 4U})
            {
                Divide(k, parts);
            }
        }
    }

    void Divide(uint32_t k, uint32_t parts)
    {
        const auto topology = FabricTopology::FatTree(k, FabricLinkSpec());
        const std::vector<uint32_t> of = FindPartitions(topology, parts);
        const std::vector<uint32_t> tiers = topology.GetTiers();
        std::map<uint32_t, uint32_t> sizes;
        for (const NodeId node : topology.Nodes())
        {
            ++sizes[of[node.Value()]];
        }
        NS_TEST_EXPECT_MSG_EQ(sizes.size(), parts, "parts");
        for (const auto& size : sizes)
        {
            NS_TEST_EXPECT_MSG_LT(size.second, 1.3 * topology.GetNNodes() / parts, "too large");
        }
        for (const FabricTopology::Link& link : topology.GetLinks())
        {
            const bool isOfPod = tiers[link.a.Value()] < 3 && tiers[link.b.Value()] < 3;
            if (isOfPod)
            {
                NS_TEST_EXPECT_MSG_EQ(of[link.a.Value()], of[link.b.Value()], "a pod is cut");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(FindRanks(topology).size(), of.size(), "a rank for each node");
    }
};

/// With KeepNumbers() the number of a queue pair follows from the order of creation alone.
class NumbersTest : public FabricTestCase
{
  public:
    NumbersTest()
        : FabricTestCase("Numbers of queue pairs are not given twice")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        const auto rdma = fabric.GetRdma(HostId(0));
        rdma->KeepNumbers();
        const uint32_t before = rdma->GetNQueuePairs();
        std::set<uint32_t> numbers;
        constexpr uint32_t many = 100; // far more than rest without KeepNumbers()
        for (uint32_t i = 0; i < many; ++i)
        {
            const auto queuePair = rdma->CreateQueuePair(0);
            numbers.insert(queuePair->GetNumber());
            rdma->DestroyQueuePair(queuePair);
        }
        NS_TEST_EXPECT_MSG_EQ(numbers.size(), many, "a number was given twice");
        rdma->SkipNumber();
        NS_TEST_EXPECT_MSG_EQ(rdma->GetNQueuePairs(), before, "queue pairs");
        NS_TEST_EXPECT_MSG_EQ(rdma->CreateQueuePair(0)->GetNumber(),
                              *numbers.rbegin() + 2,
                              "a number was not left out");
        Simulator::Run();
    }
};

/// Rank 0 counts and tells of flows that another rank has run.
class FlowsOfRanksTest : public FabricTestCase
{
  public:
    FlowsOfRanksTest()
        : FabricTestCase("Flows of other ranks are counted and told of")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        RdmaFlowHelper flows(fabric);
        std::vector<uint64_t> told;
        flows.OnEnd([&told](const RdmaFlowResult& result) { told.push_back(result.index); });
        RdmaFlowHelper::RankedFlow flow;
        flow.hasEnded = true;
        flow.result.index = 5;
        flow.end = MicroSeconds(7).GetTimeStep();
        flows.AddRankedFlow(flow);
        flow.result.index = 6;
        flow.result.status = RdmaStatus::RETRY_EXCEEDED;
        flow.end = MicroSeconds(3).GetTimeStep();
        flow.reason = "no answer";
        flows.AddRankedFlow(flow);
        flow.result.index = 2;
        flow.hasEnded = false;
        flow.reason = "paused";
        flows.AddRankedFlow(flow);
        NS_TEST_EXPECT_MSG_EQ((told == std::vector<uint64_t>{5, 6}), true, "flows told of");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFailed(), 1, "failed");
        NS_TEST_EXPECT_MSG_EQ(flows.GetLastEnd(), MicroSeconds(7), "last end");
        std::vector<std::pair<uint64_t, std::string>> unfinished;
        flows.ForEachUnfinished([&](const TrafficItem& item, const std::string& why) {
            unfinished.emplace_back(item.id, why);
        });
        const std::vector<std::pair<uint64_t, std::string>> expected{{2, "paused"},
                                                                     {6, "no answer"}};
        NS_TEST_EXPECT_MSG_EQ((unfinished == expected), true, "unfinished");
    }
};

/// The suite.
class LosslessRanksTestSuite : public TestSuite
{
  public:
    LosslessRanksTestSuite()
        : TestSuite("lossless-ranks", Type::UNIT)
    {
        AddTestCase(new OneRankTest);
        AddTestCase(new PodsTest);
        AddTestCase(new NumbersTest);
        AddTestCase(new FlowsOfRanksTest);
    }
};

LosslessRanksTestSuite g_suite; //!< registers itself

} // namespace

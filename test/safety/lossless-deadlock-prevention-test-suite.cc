// SPDX-License-Identifier: GPL-2.0-only

// Deadlocks prevented, each in the scenario that deadlocks without.

#include "deadlock-test-case.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/integer.h"

#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::tests;

namespace
{

/// How a leaf-spine ring is prevented from closing.
enum class Prevention
{
    NONE,
    GROUPS,
    TAGGER
};

/// Two links have failed, so that the flows between leaves 2 and 3 bounce at leaves 0 and 1, which
/// closes a circle with the flows between these. Each prevention opens it.
class PreventionTest : public DeadlockTest
{
  public:
    PreventionTest(Prevention prevention, const std::string& name)
        : DeadlockTest(name),
          m_prevention(prevention)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper({3, 4});
        helper.SetLoadBalancer("ns3::EcmpLoadBalancer", "Seed", IntegerValue(7));
        const Fabric fabric = helper.LeafSpine(4, 2, 8);
        const FabricTopology& topology = fabric.GetTopology();
        fabric.SetLinkUp(topology.FindLink(34, 37), false);
        fabric.SetLinkUp(topology.FindLink(35, 36), false);
        DeadlockHelper deadlocks(fabric);
        const auto detector = deadlocks.InstallDetector("Period", StringValue("100us"));
        if (m_prevention == Prevention::GROUPS)
        {
            deadlocks.InstallUplinkGroups({3, 4});
        }
        else if (m_prevention == Prevention::TAGGER)
        {
            deadlocks.InstallTagger({3, 4});
        }
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < 8; ++i)
        {
            AddFlow(flows, i, 8 + i, 3000000);
            AddFlow(flows, 8 + i, i, 3000000);
            AddFlow(flows, 16 + i, 24 + i, 3000000);
            AddFlow(flows, 24 + i, 16 + i, 3000000);
        }
        const bool open = m_prevention == Prevention::NONE;
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromFlows(flows).HasCycle(), open, "flows");
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromRoutes(fabric).HasCycle(), open, "routes");
        RunUntil(MilliSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), (open ? 1 : 0), "deadlocks");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), (open ? 0 : 32), "flows");
        if (!open)
        {
            ExpectClean(fabric);
            NS_TEST_EXPECT_MSG_GT(fabric.GetDevice(32, 8)->GetCounters().txClassBytes[4] +
                                      fabric.GetDevice(32, 9)->GetCounters().txClassBytes[4],
                                  0,
                                  "bounced frames are in class 4");
        }
    }

    Prevention m_prevention;
};

/// The graph of flows that run has the ports that carry them, and no other.
class ActiveFlowsTest : public DeadlockTest
{
  public:
    ActiveFlowsTest()
        : DeadlockTest("The graph of running flows is that of their paths")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeHelper().LeafSpine(4, 4, 4);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 0; host < 8; ++host)
        {
            AddFlow(flows, host, (host + 5 + host % 3) % 16, 10000000);
        }
        RunUntil(MicroSeconds(100)); // everybody has sent, and nobody is done
        const auto graph = BufferDependencyGraph::FromActiveFlows(flows);
        const auto possible = [&flows, &fabric] {
            std::vector<BufferDependencyGraph::Flow> pairs;
            for (const auto& active : flows.GetActive())
            {
                pairs.push_back({active.first.source, active.first.destination, 3});
            }
            return BufferDependencyGraph::FromFlows(fabric, pairs);
        }();
        NS_TEST_EXPECT_MSG_LT(graph.GetEdges().size(), possible.GetEdges().size(), "one path each");
        std::set<std::pair<NodeId, uint32_t>> entered; // node and ingress port
        for (const auto& edge : graph.GetEdges())
        {
            const auto& to = graph.GetVertices()[edge.to];
            entered.insert({to.node, to.port});
        }
        const FabricTopology& topology = fabric.GetTopology();
        for (const NodeId node : topology.GetSwitches())
        {
            for (const LinkId link : topology.GetLinksOf(node))
            {
                const NodeId peer = topology.GetLink(link).Peer(node);
                const uint32_t port = topology.GetPort(node, link);
                const auto sender = fabric.GetDevice(peer, topology.GetPort(peer, link));
                const bool carries = sender->GetCounters().txClassBytes[3] > 0;
                if (topology.IsSwitch(peer))
                {
                    NS_TEST_EXPECT_MSG_EQ((entered.count({node, port}) == 1),
                                          carries,
                                          "node " << node << " port " << port);
                }
            }
        }
    }
};

/// What bounces more often than there are classes becomes lossy, and goes on: on a line of three
/// ups and downs the frames are of class 3, then 4, then 0.
class SecondBounceTest : public DeadlockTest
{
  public:
    SecondBounceTest()
        : DeadlockTest("A second bounce makes frames lossy")
    {
    }

  private:
    void DoRun() override
    {
        // Leaf 0 - spine 1 - leaf 2 - spine 3 - leaf 4 - spine 5 - leaf 6, hosts at all leaves.
        FabricTopology line;
        for (uint32_t i = 0; i < 7; ++i)
        {
            line.AddSwitch();
            if (i > 0)
            {
                line.AddLink(i - 1, i, {});
            }
        }
        for (const uint32_t leaf : {0, 2, 4, 6})
        {
            line.AddLink(line.AddHost(), leaf, {});
        }
        const Fabric fabric = MakeHelper({3, 4}).FromTopology(line);
        DeadlockHelper(fabric).InstallTagger({3, 4});
        RdmaFlowHelper flows(fabric);
        AddFlow(flows, 0, 3, 1000000);
        RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "it arrives");
        const uint32_t expected[] = {3, 3, 4, 4, 0, 0};
        for (uint32_t i = 0; i < 6; ++i)
        {
            const uint32_t out = line.GetPort(i, i);
            const auto& bytes = fabric.GetDevice(i, out)->GetCounters().txClassBytes;
            NS_TEST_EXPECT_MSG_GT(bytes[expected[i]], 1000000, "class at switch " << i);
            for (const uint32_t cls : {3, 4})
            {
                NS_TEST_EXPECT_MSG_EQ((cls == expected[i] || bytes[cls] < 100000),
                                      true,
                                      "class " << cls << " at switch " << i);
            }
        }
        ExpectClean(fabric);
    }
};

/// A routing loop of two switches: above n B / TTL it is a deadlock, not with a lower TTL.
class LoopTest : public DeadlockTest
{
  public:
    /// @param limit of TtlLimiter; 0: none @param initial of the queue pairs
    LoopTest(uint32_t limit, uint32_t initial, bool deadlock)
        : DeadlockTest("A routing loop, TTL limit " + std::to_string(limit) + ", initial TTL " +
                       std::to_string(initial)),
          m_limit(limit),
          m_initial(initial),
          m_deadlock(deadlock)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", StringValue("10Gbps"));
        helper.SetQueuePair("InitialTtl", UintegerValue(m_initial));
        FabricLinkSpec link;
        link.rate = DataRate("40Gbps");
        const Fabric fabric = helper.FromTopology(MakeRing(3, 1, link, link));
        // What is for host 2 goes back and forth between switches 0 and 1.
        for (uint32_t i : {0, 1})
        {
            const auto port = static_cast<uint16_t>(fabric.GetTopology().GetPort(i, 0));
            fabric.GetSwitch(i)->AddRoute(fabric.GetAddress(2), {port});
        }
        DeadlockHelper deadlocks(fabric);
        const auto detector = deadlocks.InstallDetector("Period", StringValue("100us"));
        if (m_limit)
        {
            deadlocks.InstallTtlLimit(3, m_limit);
        }
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromRoutes(fabric).HasCycle(), true, "routes");
        RdmaFlowHelper flows(fabric);
        AddFlow(flows, 0, 2, 1000000000);
        RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), (m_deadlock ? 1 : 0), "deadlocks");
        if (!m_deadlock)
        {
            uint64_t expired = 0;
            for (uint32_t i : {0, 1})
            {
                expired += fabric.GetSwitch(i)->GetDropCount(DropReason::TTL_EXPIRED);
            }
            NS_TEST_EXPECT_MSG_GT(expired, 1000, "the loop has done nothing");
        }
    }

    uint32_t m_limit;
    uint32_t m_initial;
    bool m_deadlock;
};

class DeadlockPreventionTestSuite : public TestSuite
{
  public:
    DeadlockPreventionTestSuite()
        : TestSuite("lossless-deadlock-prevention", Type::SYSTEM)
    {
        AddTestCase(new PreventionTest(Prevention::NONE, "Bounced flows close a circle"));
        AddTestCase(new PreventionTest(Prevention::GROUPS, "Port groups open the circle"));
        AddTestCase(new PreventionTest(Prevention::TAGGER, "Tagger opens the circle"));
        AddTestCase(new ActiveFlowsTest);
        AddTestCase(new SecondBounceTest);
        AddTestCase(new LoopTest(0, 64, true));
        AddTestCase(new LoopTest(6, 64, false));
        AddTestCase(new LoopTest(0, 6, false));
    }
};

DeadlockPreventionTestSuite g_deadlockPreventionTestSuite; //!< registers the suite

} // namespace

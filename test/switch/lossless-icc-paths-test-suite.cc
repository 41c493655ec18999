// SPDX-License-Identifier: GPL-2.0-only

// ICC in fabrics with a choice of paths: ACKs pass the switches of their data, a load balancer that
// does not see to that is refused, and every run is the same and ends.

#include "fabric-test-case.h"
#include "wire-digest.h"

#include "ns3/boolean.h"
#include "ns3/icc-switch.h"
#include "ns3/integer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace ns3;

namespace
{

/// Which switches forward data and ACKs of each flow.
class PathWatch
{
  public:
    explicit PathWatch(const Fabric& fabric)
    {
        for (const FabricPort& each : PortsOf(fabric))
        {
            if (each.isSwitch)
            {
                each.device->TraceConnectWithoutContext(
                    "FrameTx",
                    Callback<void, const QbbNetDevice&, const Frame&>(
                        [this, node = each.node](const QbbNetDevice&, const Frame& frame) {
                            Sent(node, frame);
                        }));
            }
        }
    }

    using Flow = std::tuple<uint32_t, uint32_t, uint16_t>; //!< source, destination, UDP port
    std::map<Flow, std::set<NodeId>> data;                 //!< nodes that forward it
    std::map<Flow, std::set<NodeId>> acks;                 //!< nodes that forward its ACKs

  private:
    void Sent(NodeId node, const Frame& frame)
    {
        if (frame.kind == FrameKind::ROCE && CarriesData(frame.opcode))
        {
            data[{frame.src, frame.dst, frame.srcPort}].insert(node);
        }
        else if (frame.kind == FrameKind::ROCE)
        {
            acks[{frame.dst, frame.src, frame.srcPort}].insert(node);
        }
    }
};

/// ACKs come back over the switches of their data, and all links are used.
class PathTest : public FabricTestCase
{
  public:
    PathTest()
        : FabricTestCase("ACKs pass the switches of their data")
    {
    }

  private:
    /// @param switchesAtTop switches of the highest tier that data must pass
    void Watch(const Fabric& fabric, uint32_t switchesAtTop)
    {
        PathWatch watch(fabric);
        RdmaFlowHelper flows(fabric);
        flows.AllToAll(5000, Time(0));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no events are left");
        NS_TEST_EXPECT_MSG_GT(watch.data.size(), 100, "flows");
        const auto tiers = fabric.GetTopology().GetTiers();
        const uint32_t highest = *std::max_element(tiers.begin(), tiers.end());
        std::set<NodeId> used;
        for (const auto& [flow, nodes] : watch.data)
        {
            NS_TEST_EXPECT_MSG_EQ((nodes == watch.acks[flow]), true, "another way back");
            std::copy_if(nodes.begin(),
                         nodes.end(),
                         std::inserter(used, used.begin()),
                         [&](NodeId node) { return tiers[node.Value()] == highest; });
        }
        NS_TEST_EXPECT_MSG_EQ(used.size(), switchesAtTop, "the tiers choose unlike each other");
        uint64_t known = 0;
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const auto icc = DynamicCast<IccSwitch>(fabric.GetSwitch(i)->GetExtension(0));
            known += icc->GetCounters().acksSeen > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(known, fabric.GetNSwitches(), "switches that know the flow of ACKs");
        ExpectClean(fabric);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaIcc");
        Watch(helper.LeafSpine(4, 4, 4), 4);
        Watch(helper.FatTree(4), 4);
    }
};

/// A balancer that the user chose stays, and is refused if ACKs could miss a switch.
class SymmetryTest : public FabricTestCase
{
  public:
    SymmetryTest()
        : FabricTestCase("A load balancer that is not symmetric is refused")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaIcc");
        helper.SetLoadBalancer("ns3::EcmpLoadBalancer");
        ExpectError([&] { helper.LeafSpine(2, 2, 2); }, "its load balancer is not symmetric");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { helper.Star(3); }), "", "there is no choice");
        helper.SetLoadBalancer("ns3::EcmpLoadBalancer", "Symmetric", BooleanValue(true));
        ExpectError([&] { helper.LeafSpine(2, 2, 2); }, "one Seed a tier");
        helper.SetLoadBalancer("ns3::EcmpLoadBalancer",
                               "Symmetric",
                               BooleanValue(true),
                               "Seed",
                               IntegerValue(0));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { helper.LeafSpine(2, 2, 2); }), "", "symmetric");
        helper.SetLoadBalancer("ns3::EcmpLoadBalancer");
        helper.SetCongestionControl("ns3::RdmaIcc", "Feedback", StringValue("ReceiverEcho"));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { helper.LeafSpine(2, 2, 2); }), "", "any way back");
    }
};

/// The same bytes in every run, and an end.
class RepeatTest : public FabricTestCase
{
  public:
    RepeatTest()
        : FabricTestCase("The same frames in every run, and no events when all is done")
    {
    }

  private:
    uint64_t RunOnce()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaIcc");
        const Fabric fabric = helper.LeafSpine(2, 2, 4);
        const tests::WireDigest digest(fabric);
        RdmaFlowHelper flows(fabric);
        flows.AssignStreams(1000 + fabric.AssignStreams(1000));
        flows.Incast(7, 0, 500000, Time(0));
        flows.Permutation(500000, MicroSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no events are left");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 15, "all flows are done");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(20), "and the end is near them");
        ExpectClean(fabric);
        Simulator::Destroy();
        return digest.Get();
    }

    void DoRun() override
    {
        const uint64_t first = RunOnce();
        std::vector<std::unique_ptr<char[]>> elsewhere; // other addresses for the second run
        for (std::size_t bytes = 8; bytes < 50000; bytes += 24)
        {
            elsewhere.push_back(std::make_unique<char[]>(bytes));
        }
        NS_TEST_EXPECT_MSG_EQ(RunOnce(), first, "the same");
    }
};

/// The suite.
class IccPathsTestSuite : public TestSuite
{
  public:
    IccPathsTestSuite()
        : TestSuite("lossless-icc-paths", Type::SYSTEM)
    {
        AddTestCase(new PathTest);
        AddTestCase(new SymmetryTest);
        AddTestCase(new RepeatTest);
    }
};

IccPathsTestSuite g_iccPathsTestSuite; //!< registers the suite

} // namespace

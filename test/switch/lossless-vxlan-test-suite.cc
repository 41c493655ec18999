// SPDX-License-Identifier: GPL-2.0-only

// RDMA over VXLAN tunnels between the leaves of a fabric: how long frames take, which marks reach
// the sender from the three places of congestion of RFC 6040, what is refused, and what is dropped.

#include "fabric-ports.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/fabric-run.h"
#include "ns3/flow-path.h"
#include "ns3/switch-extensions.h"
#include "ns3/vxlan-endpoint.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @param fabric a fabric @param which a switch @return its end point
Ptr<VxlanEndpoint>
EndpointOf(const Fabric& fabric, SwitchId which)
{
    return ExtensionsOf<VxlanEndpoint>(*fabric.GetSwitch(which)).at(0);
}

/// @param fabric a fabric @param which a switch @return frames that its ports have marked
uint64_t
MarksOf(const Fabric& fabric, SwitchId which)
{
    uint64_t marks = 0;
    const auto fabricSwitch = fabric.GetSwitch(which);
    for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
    {
        for (const uint64_t count : fabricSwitch->GetCounters(port).ecnMarks)
        {
            marks += count;
        }
    }
    return marks;
}

/// A tunnel makes the frames between leaves longer by 50 or 70 bytes, and nothing else slower.
class ClosedFormTest : public FabricTestCase
{
  public:
    /// @param outerIp of the tunnels @param added bytes
    ClosedFormTest(const std::string& outerIp, int64_t added)
        : FabricTestCase("One flow takes as long as it must in tunnels over " + outerIp),
          m_outerIp(outerIp),
          m_added(added)
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t bytes : {1, 1024, 1025, 50000, 500001})
        {
            Compare(bytes);
        }
    }

    /// @param bytes of a WRITE over host, leaf, spine, leaf, host at 100 Gb/s @return picoseconds
    int64_t Completion(uint64_t bytes) const
    {
        constexpr int64_t MTU = 1024;
        constexpr int64_t DELAY = 1000000;
        const int64_t packets = std::max<int64_t>(1, (static_cast<int64_t>(bytes) + MTU - 1) / MTU);
        std::vector<int64_t> free(4, 0);
        std::vector<int64_t> ackFree(4, 0);
        int64_t completed = 0;
        const auto cross = [this](std::vector<int64_t>& lines, int hop, int64_t wire, int64_t at) {
            const bool isTunnel = hop == 1 || hop == 2;
            lines[hop] = std::max(at, lines[hop]) + 80 * (wire + (isTunnel ? m_added : 0));
            return lines[hop] + DELAY;
        };
        for (int64_t i = 0; i < packets; ++i)
        {
            const int64_t payload =
                i + 1 < packets ? MTU : static_cast<int64_t>(bytes) - (packets - 1) * MTU;
            const int64_t wire = (payload + 3) / 4 * 4 + 82 + (i == 0 ? 16 : 0);
            int64_t at = 0;
            for (int hop = 0; hop < 4; ++hop)
            {
                at = cross(free, hop, wire, at);
            }
            for (int hop = 3; hop >= 0; --hop)
            {
                at = cross(ackFree, hop, 86, at);
            }
            completed = at;
        }
        return completed;
    }

    void Compare(uint64_t bytes)
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.AddSwitchExtension("ns3::VxlanEndpoint", "OuterIp", StringValue(m_outerIp));
        const Fabric fabric = helper.LeafSpine(2, 1, 1);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, bytes});
        RdmaFlowResult result;
        flows.OnEnd([&result](const RdmaFlowResult& end) { result = end; });
        Simulator::Run();
        const std::string what = std::to_string(bytes) + " bytes";
        const int64_t expected = Completion(bytes);
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, what);
        NS_TEST_EXPECT_MSG_EQ(result.fct.GetPicoSeconds(), expected, what);
        NS_TEST_EXPECT_MSG_EQ(result.ideal.GetPicoSeconds(), expected, "IdealFct, " << what);
        const auto& first = EndpointOf(fabric, 0)->GetCounters();
        const auto& second = EndpointOf(fabric, 1)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(second.decapsulated, (bytes + 1023) / 1024, what);
        NS_TEST_EXPECT_MSG_EQ(second.encapsulated, first.decapsulated, "the ACKs, " << what);
        NS_TEST_EXPECT_MSG_EQ(EndpointOf(fabric, 2)->GetHooks(), 0, "the spine pays nothing");
        ExpectClean(fabric);
        ExpectSettled(fabric, what);
        Simulator::Destroy();
    }

    std::string m_outerIp;
    int64_t m_added;
};

/// Congestion at each of the three places reaches the senders as CNPs, and nothing is lost.
class PlacesOfCongestionTest : public FabricTestCase
{
  public:
    PlacesOfCongestionTest()
        : FabricTestCase(
              "Congestion where a tunnel begins, within it and behind it reaches senders")
    {
    }

  private:
    /// Which marks there are.
    struct Marks
    {
        bool atFirst;  //!< the leaf at which the tunnels begin marks frames
        bool atSpine;  //!< the spine does
        bool atLast;   //!< the leaf at which the tunnels end does
        bool isInner;  //!< inner frames are marked at the first leaf
        bool isCopied; //!< marks are copied at the last leaf
    };

    void DoRun() override
    {
        for (const std::string outerIp : {"Ipv4", "Ipv6"})
        {
            // Four hosts share an uplink of the rate of one.
            Run(outerIp,
                2,
                4,
                4,
                {{0, 4}, {1, 5}, {2, 6}, {3, 7}},
                {true, false, false, true, false});
            // Three leaves with uplinks of two hosts' rate send to hosts of the fourth.
            Run(outerIp, 4, 3, 1.5, {{0, 9}, {3, 10}, {6, 11}}, {false, true, false, false, true});
            // Uplinks of six hosts' rate, three hosts send to one.
            Run(outerIp, 2, 3, 0.5, {{0, 3}, {1, 3}, {2, 3}}, {false, false, true, false, false});
        }
    }

    void Run(const std::string& outerIp,
             uint32_t leaves,
             uint32_t hosts,
             double oversubscription,
             const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
             const Marks& marks)
    {
        FabricHelper helper;
        helper.At("leaf").AddSwitchExtension("ns3::VxlanEndpoint[Vni=4096|OuterIp=" + outerIp +
                                             "]");
        const Fabric fabric = helper.LeafSpine(leaves, 1, hosts, oversubscription);
        RdmaFlowHelper flows(fabric);
        for (const auto& [from, to] : pairs)
        {
            flows.Add({from, to, 4000000});
        }
        Simulator::Run();
        const std::string what = outerIp + ", " + std::to_string(leaves) + " leaves, " +
                                 std::to_string(oversubscription);
        const SwitchId last(leaves - 1);
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), pairs.size(), what);
        NS_TEST_EXPECT_MSG_EQ((MarksOf(fabric, 0) > 0), marks.atFirst, "first leaf, " << what);
        NS_TEST_EXPECT_MSG_EQ((MarksOf(fabric, leaves) > 0), marks.atSpine, "spine, " << what);
        NS_TEST_EXPECT_MSG_EQ((MarksOf(fabric, last) > 0), marks.atLast, "last leaf, " << what);
        const auto& begin = EndpointOf(fabric, 0)->GetCounters();
        const auto& end = EndpointOf(fabric, last)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ((begin.innerMarks > 0), marks.isInner, "inner marks, " << what);
        NS_TEST_EXPECT_MSG_EQ((end.copiedMarks > 0), marks.isCopied, "copied marks, " << what);
        if (marks.isInner)
        {
            NS_TEST_EXPECT_MSG_EQ(begin.innerMarks, MarksOf(fabric, 0), "each of them, " << what);
        }
        if (marks.isCopied)
        {
            NS_TEST_EXPECT_MSG_EQ(end.copiedMarks, MarksOf(fabric, leaves), "each, " << what);
        }
        for (const auto& [from, to] : pairs)
        {
            const RdmaCounters& sender = fabric.GetRdma(from)->GetCounters();
            NS_TEST_EXPECT_MSG_GT(sender.cnpsReceived, 0, "host " << from << ", " << what);
            NS_TEST_EXPECT_MSG_EQ(sender.retransmitted, 0, "host " << from << ", " << what);
        }
        ExpectClean(fabric);
        ExpectSettled(fabric, what);
        Simulator::Destroy();
    }
};

/// PFC works hop by hop on tunnels: pauses of class 3 reach the hosts, and nothing is lost.
class PauseTest : public FabricTestCase
{
  public:
    /// @param tagged whether the class is in the 802.1Q tag
    explicit PauseTest(bool tagged)
        : FabricTestCase(std::string("Pauses across tunnels keep the class of ") +
                         (tagged ? "tags" : "DSCPs")),
          m_tagged(tagged)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MB"));
        helper.AddSwitchExtension("ns3::VxlanEndpoint");
        if (m_tagged)
        {
            helper.At("all").Set("ns3::QbbNetDevice::TrafficClassMap",
                                 StringValue("ns3::TrafficClassMap[Trust=Dot1p]"));
        }
        const Fabric fabric = helper.LeafSpine(3, 1, 4);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 4; host < 12; ++host)
        {
            flows.Add({host, 0, 1000000});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 8, "all of it arrives");
        for (const uint32_t which : {0, 1, 3})
        {
            uint64_t pauses = 0;
            const auto fabricSwitch = fabric.GetSwitch(which);
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
                {
                    const auto count = fabricSwitch->GetMmu()->GetIngress(port, cls).xoffCount;
                    pauses += count;
                    NS_TEST_EXPECT_MSG_EQ((count == 0 || cls == 3), true, "class " << cls);
                }
            }
            NS_TEST_EXPECT_MSG_GT(pauses, 0, "switch " << which << " pauses");
        }
        ExpectClean(fabric);
        ExpectSettled(fabric);
    }

    bool m_tagged;
};

/// What cannot work is refused in one line that says what would be right.
class RefusalTest : public FabricTestCase
{
  public:
    RefusalTest()
        : FabricTestCase("Tunnels that cannot work are refused in one line")
    {
    }

  private:
    void DoRun() override
    {
        const auto build = [](const std::function<void(FabricHelper&)>& set) {
            return [set] {
                FabricHelper helper;
                helper.At("leaf").AddSwitchExtension("ns3::VxlanEndpoint");
                set(helper);
                helper.LeafSpine(2, 1, 1);
            };
        };
        ExpectError(build([](FabricHelper& helper) {
                        helper.At("leaf 1").Set("ns3::VxlanEndpoint::Vni", UintegerValue(2));
                    }),
                    "leaf 1 has Vni 2, and leaf 0 has 1");
        ExpectError(
            build([](FabricHelper& helper) { helper.SetCongestionControl("ns3::RdmaHpcc"); }),
            "which VXLAN tunnels hide");
        ExpectError(build([](FabricHelper& helper) { helper.SetLink("Mtu", UintegerValue(1500)); }),
                    "set Mtu to 1550 at the links between switches, or to 1450 at hosts");
        ExpectError(build([](FabricHelper& helper) {
                        helper.At("leaf 0").AddSwitchExtension("ns3::VxlanEndpoint[Vni=1]");
                    }),
                    "leaf 0 has 2 VXLAN end points; give each switch one");
        TablesInConflict();
    }

    /// @param endpoint it @return where a frame to 10.0.0.5 goes; 0: in no tunnel
    static uint32_t TunnelOf(const VxlanEndpoint& endpoint)
    {
        auto* const frame = new Frame;
        frame->dst = 0x0a000005;
        frame->bytes = ETHERNET_MIN_FRAME_BYTES;
        const uint32_t tunnel = endpoint.Encapsulate(*frame) ? frame->dst : 0;
        frame->Release();
        return tunnel;
    }

    /// End points that are made by hand.
    void TablesInConflict()
    {
        const auto endpoint = CreateObject<VxlanEndpoint>();
        endpoint->SetAddress("172.16.0.1");
        NS_TEST_EXPECT_MSG_EQ(TunnelOf(*endpoint), 0, "no host is known");
        endpoint->AddHost(Ipv4Address("10.0.0.5"), "172.16.0.2");
        NS_TEST_EXPECT_MSG_EQ(TunnelOf(*endpoint), 0xac100002, "the tunnel to the host");
        endpoint->AddHost(Ipv6Address("2001:db8::5"), "172.16.0.3");
        endpoint->AddHost(Ipv4Address("10.0.0.5"), "172.16.0.2");
        ExpectRefusal([&] { endpoint->AddHost(Ipv4Address("10.0.0.5"), "172.16.0.3"); },
                      "is behind 172.16.0.2 already");
        ExpectRefusal([&] { endpoint->AddHost(Ipv4Address("10.0.0.6"), "172.16.0.1"); },
                      "a tunnel from 172.16.0.1 to itself");
    }
};

/// An MTU that was set and suffices is taken; one that was not set is raised.
class MtuTest : public FabricTestCase
{
  public:
    MtuTest()
        : FabricTestCase("The links between switches hold what hosts send and tunnels add")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::VxlanEndpoint");
        const Fabric raised = helper.LeafSpine(2, 1, 1);
        ExpectMtus(raised, 1500, 1570); // room for either IP version
        raised.At("leaf 0").Set("ns3::VxlanEndpoint::OuterIp", StringValue("Ipv6"));
        NS_TEST_EXPECT_MSG_EQ(raised.CheckLossless().size(), 0, "lossless");
        Simulator::Destroy();

        FabricHelper jumbo;
        jumbo.AddSwitchExtension("ns3::VxlanEndpoint");
        jumbo.SetLink("Mtu", UintegerValue(9000));
        jumbo.At("leaf to spine").Set("ns3::QbbNetDevice::Mtu", UintegerValue(9050));
        jumbo.At("spine").Set("ns3::QbbNetDevice::Mtu", UintegerValue(9050));
        const Fabric fabric = jumbo.LeafSpine(2, 1, 1);
        ExpectMtus(fabric, 9000, 9050);

        // A longer outer header needs a longer MTU, at any time.
        EndpointOf(fabric, 0)->SetAttribute("OuterIp", StringValue("Ipv6"));
        ExpectError([&] { fabric.RequireLossless(); }, "and Mtu of port 1 is 9050; set it to 9070");
    }

    void ExpectMtus(const Fabric& fabric, uint32_t hosts, uint32_t switches)
    {
        const FabricTopology& topology = fabric.GetTopology();
        for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
        {
            const auto& link = topology.GetLink(topology.GetLinksOf(node)[port]);
            const bool isBetween = topology.IsSwitch(link.a) && topology.IsSwitch(link.b);
            NS_TEST_EXPECT_MSG_EQ(device->GetMtu(),
                                  (isBetween ? switches : hosts),
                                  node.Name() << " port " << port);
        }
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckLossless().size(), 0, "lossless");
    }
};

/// Frames that do not leave their tunnel are dropped with a reason of their own.
class DropTest : public FabricTestCase
{
  public:
    DropTest()
        : FabricTestCase("Frames of another network, or marked and not ECN-capable, are dropped")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::VxlanEndpoint", "Vni", UintegerValue(9));
        const Fabric fabric = helper.LeafSpine(2, 1, 1);
        Simulator::Schedule(MicroSeconds(1), [&] {
            Send(fabric, 9, Ecn::NOT_ECT, Ecn::NOT_ECT, 0x0a000002);
            Send(fabric, 9, Ecn::NOT_ECT, Ecn::CE, 0x0a000002);
            Send(fabric, 8, Ecn::ECT0, Ecn::ECT0, 0x0a000002);
        });
        Simulator::Run();
        const auto leaf = fabric.GetSwitch(1);
        const auto& counters = EndpointOf(fabric, 1)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.decapsulated, 1, "the good one");
        NS_TEST_EXPECT_MSG_EQ(counters.ecnDrops, 1, "RFC 6040");
        NS_TEST_EXPECT_MSG_EQ(counters.vniDrops, 1, "another network");
        NS_TEST_EXPECT_MSG_EQ(leaf->GetDropCount(DropReason::TUNNEL_ECN), 1, "RFC 6040");
        NS_TEST_EXPECT_MSG_EQ(leaf->GetDropCount(DropReason::TUNNEL_VNI), 1, "another network");
        NS_TEST_EXPECT_MSG_EQ(leaf->GetMmu()->IsIdle(), true, "nothing stays booked");
    }

    /// A frame of host 0 arrives at the port of leaf 1 towards the spine, in a tunnel.
    static void Send(const Fabric& fabric, uint32_t vni, Ecn inner, Ecn outer, uint32_t to)
    {
        auto* const frame = new Frame;
        frame->src = 0x0a000001;
        frame->dst = to;
        frame->opcode = RoceOpcode::WRITE_MIDDLE;
        frame->payloadBytes = 1024;
        frame->bytes = RoceFrameBytes(frame->opcode, 1024);
        frame->dscp = 24;
        frame->ecn = inner;
        EnterTunnel(*frame, {4, vni, 0xac100001, 0xac100002, {}});
        frame->ecn = outer;
        const auto leaf = fabric.GetSwitch(1);
        leaf->FrameArrived(*leaf->GetPort(leaf->GetNPorts() - 1), frame);
    }
};

/// The routes to end points are those of the links that are whole.
class LinkFailureTest : public FabricTestCase
{
  public:
    LinkFailureTest()
        : FabricTestCase("Tunnels take another way when a link fails")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string outerIp : {"Ipv4", "Ipv6"})
        {
            FabricHelper helper;
            helper.AddSwitchExtension("ns3::VxlanEndpoint", "OuterIp", StringValue(outerIp));
            const Fabric fabric = helper.LeafSpine(2, 2, 1);
            RdmaFlowHelper flows(fabric);
            for (uint32_t i = 0; i < 8; ++i)
            {
                flows.Add({i % 2, 1 - i % 2, 50000, MicroSeconds(100)});
            }
            const NodeId leaf = fabric.GetTopology().GetSwitches()[0];
            Simulator::Schedule(MicroSeconds(50), [fabric, leaf] {
                fabric.SetLinkUp(fabric.GetTopology().GetLinksOf(leaf)[1], false);
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 8, outerIp);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetDevice(leaf, 1)->GetCounters().txFrames, 0, outerIp);
            ExpectClean(fabric);
            Simulator::Destroy();
        }
    }
};

/// ECMP spreads flows by the port of the tunnel, and FlowPath knows it.
class PathTest : public FabricTestCase
{
  public:
    PathTest()
        : FabricTestCase("The path of a flow in a tunnel is known beforehand")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.AddSwitchExtension("ns3::VxlanEndpoint");
        const Fabric fabric = helper.LeafSpine(2, 4, 2);
        const NodeId leaf = fabric.GetTopology().GetSwitches()[0];
        std::vector<uint64_t> expected(6, 0); // frames by port of the leaf: two hosts, four spines
        std::set<uint32_t> taken;
        for (uint32_t i = 0; i < 16; ++i)
        {
            const auto ends = fabric.Connect(i % 2, 2 + i % 2);
            const auto path = FlowPath::Find(fabric, i % 2, 0, ends.source->GetConnection());
            NS_TEST_ASSERT_MSG_EQ(path.size(), 4, "links");
            expected[path[1].second] += 10;
            taken.insert(path[1].second);
            ends.source->Post({RdmaVerb::WRITE, 10240});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(taken.size(), 2, "flows spread");
        for (uint32_t port = 2; port < 6; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetDevice(leaf, port)->GetCounters().txFrames,
                                  expected[port],
                                  "port " << port);
        }
        for (const HostId host : fabric.Hosts())
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(host)->GetCounters().outOfOrder, 0, "one path");
        }
    }
};

/// An end point that no other one can talk to is named.
class IdleTest : public FabricTestCase
{
  public:
    IdleTest()
        : FabricTestCase("End points without another one are named")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper all;
        all.AddSwitchExtension("ns3::VxlanEndpoint");
        NS_TEST_EXPECT_MSG_EQ(PlaceIn(all.Star(2)), "leaf 0", "a star");
        FabricHelper one;
        one.At("spine").AddSwitchExtension("ns3::VxlanEndpoint");
        NS_TEST_EXPECT_MSG_EQ(PlaceIn(one.LeafSpine(2, 1, 1)), "spine 0", "a spine");
    }

    /// @param fabric a fabric @return place of its only finding, of rule tunnel
    static std::string PlaceIn(const Fabric& fabric)
    {
        const auto& found = fabric.GetFindings().Get();
        return found.size() == 1 && found[0].rule == "tunnel" ? found[0].place : "";
    }
};

/// Hosts of leaves without an end point are reached outside of tunnels.
class SomeLeavesTest : public FabricTestCase
{
  public:
    SomeLeavesTest()
        : FabricTestCase("Leaves without an end point are reached without a tunnel")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.At("leaf 0").AddSwitchExtension("ns3::VxlanEndpoint");
        helper.At("leaf 1").AddSwitchExtension("ns3::VxlanEndpoint");
        const Fabric fabric = helper.LeafSpine(3, 2, 1);
        RdmaFlowHelper flows(fabric);
        for (const auto& [from, to] : {std::pair(0U, 1U), {1U, 2U}, {2U, 0U}})
        {
            flows.Add({from, to, 10240});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 3, "all arrive");
        const auto& first = EndpointOf(fabric, 0)->GetCounters();
        const auto& second = EndpointOf(fabric, 1)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(first.encapsulated, 10, "data to leaf 1 alone");
        NS_TEST_EXPECT_MSG_EQ(second.encapsulated, first.decapsulated, "ACKs of these");
        ExpectClean(fabric);
    }
};

/// One thread and two give the same run.
class ThreadsTest : public FabricTestCase
{
  public:
    ThreadsTest()
        : FabricTestCase("Tunnels of a fabric with one thread and with two are the same")
    {
    }

  private:
    void DoRun() override
    {
        const auto one = Run(1);
        const auto two = Run(2);
        NS_TEST_EXPECT_MSG_EQ((one == two), true, "times of completion");
    }

    /// @param threads how many @return completion times by flow, in ticks
    static std::vector<int64_t> Run(uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::VxlanEndpoint");
        const Fabric fabric = helper.LeafSpine(3, 2, 4, 2);
        RunOptions options;
        options.threads = threads;
        FabricRun run(fabric, options);
        for (uint32_t host = 0; host < 12; ++host)
        {
            run.Rdma().Add({host, (host + 5) % 12, 300000});
        }
        std::vector<int64_t> times(12);
        run.Rdma().OnEnd(
            [&times](const RdmaFlowResult& end) { times[end.index] = end.fct.GetTimeStep(); });
        run.Execute();
        Simulator::Destroy();
        return times;
    }
};

class VxlanTestSuite : public TestSuite
{
  public:
    VxlanTestSuite()
        : TestSuite("lossless-vxlan", Type::SYSTEM)
    {
        AddTestCase(new ClosedFormTest("Ipv4", 50));
        AddTestCase(new ClosedFormTest("Ipv6", 70));
        AddTestCase(new PlacesOfCongestionTest);
        AddTestCase(new PauseTest(false));
        AddTestCase(new PauseTest(true));
        AddTestCase(new RefusalTest);
        AddTestCase(new MtuTest);
        AddTestCase(new DropTest);
        AddTestCase(new LinkFailureTest);
        AddTestCase(new PathTest);
        AddTestCase(new IdleTest);
        AddTestCase(new SomeLeavesTest);
        AddTestCase(new ThreadsTest);
    }
};

VxlanTestSuite g_vxlanTestSuite; //!< registers the suite

} // namespace

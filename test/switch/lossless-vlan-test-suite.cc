// SPDX-License-Identifier: GPL-2.0-only

// Trunk and access ports: which frames they carry, and what becomes of their tags.

#include "fabric-test-case.h"

#include "ns3/applications-module.h"
#include "ns3/vlan-ports.h"

#include <map>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

/// A message of host 1 to host 0 and its ACK, by what the ports of the two carry.
class VlanPortsTest : public FabricTestCase
{
  public:
    VlanPortsTest()
        : FabricTestCase("Trunk ports carry tagged frames, access ports untagged ones")
    {
    }

  private:
    /// What arrives at a host.
    struct Arrived
    {
        uint32_t data{0};   //!< data frames
        uint32_t tagged{0}; //!< those with a tag
        uint16_t vlan{0};   //!< of the last tag
        uint8_t pcp{0};     //!< and its PCP
        uint32_t bytes{0};  //!< length of the last
    };

    /// @param ports attributes of VlanPorts @param tagged whether hosts tag @return what arrives at
    /// host 0, and the counters
    std::pair<Arrived, VlanPorts::Counters> Send(const std::string& ports, bool tagged)
    {
        FabricHelper helper;
        helper.AllowLossy(); // queue pairs send again what is dropped, for some time
        helper.SetCongestionControl("none");
        helper.At("all").Set("ns3::TrafficClassMap::Trust", StringValue(tagged ? "Dot1p" : "Dscp"));
        helper.AddSwitchExtension("ns3::VlanPorts[" + ports + "]");
        const Fabric fabric = helper.Star(3);
        Arrived arrived;
        fabric.GetDevice(0, 0)->TraceConnectWithoutContext(
            "FrameRx",
            Callback<void, const QbbNetDevice&, const Frame&>(
                [&arrived](const QbbNetDevice&, const Frame& frame) {
                    ++arrived.data;
                    arrived.tagged += frame.tagged;
                    arrived.vlan = frame.vlan;
                    arrived.pcp = frame.pcp;
                    arrived.bytes = frame.bytes;
                }));
        RdmaFlowHelper flows(fabric);
        flows.Add({1, 0, 1000});
        Simulator::Stop(MicroSeconds(100)); // less than a retransmission takes
        Simulator::Run();
        const auto& fabricSwitch = *fabric.GetSwitch(0);
        const auto counters =
            DynamicCast<VlanPorts>(fabricSwitch.GetExtension(fabricSwitch.GetNExtensions() - 1))
                ->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropCount(DropReason::VLAN),
                              counters.dropped,
                              "the reason");
        m_completed = flows.GetNCompleted();
        Simulator::Destroy();
        return {arrived, counters};
    }

    void DoRun() override
    {
        const uint32_t plain = RoceFrameBytes(RoceOpcode::WRITE_ONLY, 1000);
        const auto expect = [&](const std::string& ports,
                                bool tagged,
                                uint64_t completed,
                                uint32_t data,
                                uint32_t isTagged,
                                const VlanPorts::Counters& counters) {
            const auto [arrived, found] = Send(ports, tagged);
            const std::string where = ports + (tagged ? ", tagged" : ", untagged");
            NS_TEST_EXPECT_MSG_EQ(m_completed, completed, where);
            NS_TEST_EXPECT_MSG_EQ(arrived.data, data, where);
            NS_TEST_EXPECT_MSG_EQ(arrived.tagged, isTagged, where);
            NS_TEST_EXPECT_MSG_EQ(found.dropped, counters.dropped, where);
            NS_TEST_EXPECT_MSG_EQ(found.tagged, counters.tagged, where);
            NS_TEST_EXPECT_MSG_EQ(found.untagged, counters.untagged, where);
            if (data)
            {
                NS_TEST_EXPECT_MSG_EQ(arrived.bytes, plain + (isTagged ? 4 : 0), where);
            }
            return arrived;
        };
        // A tag without VLAN is of Vlan; its PCP stays.
        const Arrived both = expect("Trunk=0-1|Vlan=7", true, 1, 1, 1, {});
        NS_TEST_EXPECT_MSG_EQ(both.vlan, 7, "of the switch");
        NS_TEST_EXPECT_MSG_EQ(+both.pcp, 3, "of the host");
        expect("Trunk=0-1", false, 0, 0, 0, {1, 0, 0});       // no data
        expect("Access=0-1", false, 1, 1, 0, {});             // all
        expect("Access=0-1", true, 0, 0, 0, {1, 0, 0});       // no data
        expect("Trunk=1|Access=0", true, 0, 1, 0, {1, 0, 1}); // data without tag, no ACK
        const Arrived added = expect("Access=1|Trunk=0|Vlan=9", false, 0, 1, 1, {1, 1, 0});
        NS_TEST_EXPECT_MSG_EQ(added.vlan, 9, "the tag is new");
        NS_TEST_EXPECT_MSG_EQ(+added.pcp, 0, "nothing said a PCP");
        expect("Trunk=0", false, 0, 1, 1, {1, 1, 0}); // no ACK
        expect("Access=2|Trunk=", true, 1, 1, 1, {}); // neither: as they are

        FabricHelper helper;
        helper.AddSwitchExtension("ns3::VlanPorts[Trunk=0-3]");
        ExpectError([&] { helper.Star(3); }, "names port 3");
        FabricHelper twice;
        twice.AddSwitchExtension("ns3::VlanPorts[Trunk=0-1|Access=1-2]");
        ExpectError([&] { twice.Star(3); }, "port 1 is in Trunk and in Access");
        Simulator::Destroy();
    }

    uint64_t m_completed{0}; //!< messages of the last Send()
};

/// The three cases of examples/pxe-boot.cc: five hosts send to host 0, host 6 asks host 7.
class BootTest : public FabricTestCase
{
  public:
    BootTest()
        : FabricTestCase("A server boots over access ports; RDMA is lossless by PCP or by DSCP")
    {
    }

  private:
    /// What a case has shown.
    struct Shown
    {
        uint32_t parts{0};   //!< of the image that have arrived
        uint64_t lost{0};    //!< frames lost in the buffer
        uint64_t refused{0}; //!< frames that no port carries
        uint64_t xoffs{0};   //!< XOFF frames
        uint64_t flows{0};   //!< messages completed
    };

    /// @param ports attributes of VlanPorts @param servers Trust of hosts @param fabricTrust that
    /// of the switch @param isLossy whether loss is allowed @return what happens
    static Shown Run(const std::string& ports,
                     const std::string& servers,
                     const std::string& fabricTrust,
                     bool isLossy)
    {
        FabricHelper helper;
        if (isLossy)
        {
            helper.AllowLossy();
        }
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1500KB"));
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        helper.At("hosts").Set("ns3::TrafficClassMap::Trust", StringValue(servers));
        helper.At("switches").Set("ns3::TrafficClassMap::Trust", StringValue(fabricTrust));
        helper.At("switches").AddSwitchExtension("ns3::VlanPorts[" + ports + "]");
        const Fabric fabric = helper.Star(8);
        fabric.InstallInternet();
        UdpEchoServerHelper(69).Install(fabric.GetHost(7)).Start(Time(0));
        UdpEchoClientHelper client(fabric.GetAddress(7), 69);
        client.SetAttribute("MaxPackets", UintegerValue(20));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(10)));
        ApplicationContainer boot = client.Install(fabric.GetHost(6));
        boot.Start(Time(0));
        Shown shown;
        boot.Get(0)->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>>([&shown](Ptr<const Packet>) { ++shown.parts; }));
        RdmaFlowHelper flows(fabric);
        flows.Incast(5, 0, 500000, Time(0));
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        const auto& middle = *fabric.GetSwitch(0);
        shown.refused = middle.GetDropCount(DropReason::VLAN);
        shown.lost = middle.GetLosslessDrops() + middle.GetLossyDrops() - shown.refused;
        for (uint32_t port = 0; port < middle.GetNPorts(); ++port)
        {
            shown.xoffs += middle.GetPort(port)->GetIssuer().Get(3).txXoff;
        }
        shown.flows = flows.GetNCompleted();
        Simulator::Destroy();
        return shown;
    }

    void DoRun() override
    {
        const Shown trunk = Run("Trunk=0-6|Access=7", "Dot1p", "Dot1p", false);
        NS_TEST_EXPECT_MSG_EQ(trunk.parts, 0, "it cannot boot");
        NS_TEST_EXPECT_MSG_EQ(trunk.refused, 20, "its datagrams have no tag");
        NS_TEST_EXPECT_MSG_EQ(trunk.lost, 0, "RDMA is lossless");
        NS_TEST_EXPECT_MSG_GT(trunk.xoffs, 0, "by PFC");
        NS_TEST_EXPECT_MSG_EQ(trunk.flows, 5, "all");

        ExpectError([] { Run("Access=0-7", "Dscp", "Dot1p", false); }, "class maps");
        Simulator::Destroy();
        const Shown access = Run("Access=0-7", "Dscp", "Dot1p", true);
        NS_TEST_EXPECT_MSG_EQ(access.parts, 20, "it boots");
        NS_TEST_EXPECT_MSG_EQ(access.refused, 0, "nothing has a tag");
        NS_TEST_EXPECT_MSG_GT(access.lost, 0, "RDMA is in class 0");
        NS_TEST_EXPECT_MSG_EQ(access.xoffs, 0, "which nothing pauses");

        const Shown dscp = Run("Access=0-7", "Dscp", "Dscp", false);
        NS_TEST_EXPECT_MSG_EQ(dscp.parts, 20, "it boots");
        NS_TEST_EXPECT_MSG_EQ(dscp.lost, 0, "RDMA is lossless");
        NS_TEST_EXPECT_MSG_GT(dscp.xoffs, 0, "by PFC");
        NS_TEST_EXPECT_MSG_EQ(dscp.flows, 5, "all");
    }
};

/// The suite.
class VlanTestSuite : public TestSuite
{
  public:
    VlanTestSuite()
        : TestSuite("lossless-vlan", Type::SYSTEM)
    {
        AddTestCase(new VlanPortsTest);
        AddTestCase(new BootTest);
    }
};

VlanTestSuite g_vlanTestSuite;

} // namespace

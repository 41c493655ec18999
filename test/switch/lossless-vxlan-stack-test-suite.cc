// SPDX-License-Identifier: GPL-2.0-only

// VXLAN net devices of hosts, for the stock IP stack: UDP and TCP across a fabric, marks of the
// fabric, and what is refused.

#include "fabric-test-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/socket.h"
#include "ns3/switch-extensions.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/vxlan-endpoint.h"
#include "ns3/vxlan-helper.h"

#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Stock UDP and TCP of hosts talk by net devices whose frames cross the fabric in tunnels.
class NetDeviceTest : public FabricTestCase
{
  public:
    /// @param ipVersion of the tunnels @param mtu that the devices are to get
    NetDeviceTest(uint8_t ipVersion, uint32_t mtu)
        : FabricTestCase("Stock UDP and TCP cross tunnels between hosts over IPv" +
                         std::to_string(ipVersion)),
          m_ipVersion(ipVersion),
          m_mtu(mtu)
    {
    }

  private:
    static constexpr uint32_t BURST = 40;
    static constexpr uint16_t PORT = 9;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetEcnThresholds(DataRate("100Gbps"), 2000, 4000, 1);
        const Fabric fabric = helper.LeafSpine(2, 1, 2);
        VxlanHelper large(fabric);
        large.SetDevice("Mtu", UintegerValue(1500));
        ExpectError([&] { large.Install({1, 2}, m_ipVersion); },
                    "the Mtu of VxlanNetDevice, 1500 bytes, is too large for the links under it; "
                    "set " +
                        std::to_string(m_mtu) + " at most");
        VxlanHelper overlay(fabric);
        overlay.SetDevice("Vni", UintegerValue(77));
        overlay.Install({}, m_ipVersion);
        NS_TEST_EXPECT_MSG_EQ(overlay.GetDevice(0)->GetMtu(), m_mtu, "MTU");
        const auto sink = MakeSocket(fabric, 3);
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink->SetIpRecvTos(true);
        sink->SetRecvCallback(MakeCallback(&NetDeviceTest::Receive, this));
        for (const uint32_t host : {0, 1, 2})
        {
            const auto socket = MakeSocket(fabric, host);
            socket->Connect(InetSocketAddress(overlay.GetAddress(3), PORT));
            socket->SetIpTos(static_cast<uint8_t>(Ecn::ECT0)); // Connect() has set it to 0
            // Nobody knows a MAC address yet: all of the burst waits for ARP.
            Simulator::ScheduleWithContext(host, MilliSeconds(1), [socket] {
                for (uint32_t i = 0; i < BURST; ++i)
                {
                    socket->Send(Create<Packet>(1000));
                }
            });
        }
        AddTcp(fabric, overlay);
        RunUntil(MilliSeconds(400));
        NS_TEST_EXPECT_MSG_EQ(m_packets, 3 * BURST, "UDP");
        NS_TEST_EXPECT_MSG_GT(m_marked, 0, "marks of the fabric");
        const auto& counters = overlay.GetDevice(3)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(m_marked, counters.copiedMarks, "each is copied");
        NS_TEST_EXPECT_MSG_EQ(counters.drops, 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(m_tcp->GetTotalRx(), 1000000, "TCP");
        // An entry by hand says where a device is that has never sent.
        const auto direct = CreateObject<VxlanNetDevice>();
        direct->SetLocal(Ipv4Address("10.0.0.1"));
        const auto mixed = [&] { direct->AddEntry("00:00:00:00:00:09", Ipv6Address("fd00::1")); };
        NS_TEST_EXPECT_MSG_EQ(Refused(mixed), true, "IP versions do not mix");
        // Unicast goes to one remote, once its device is known.
        const auto& sender = overlay.GetDevice(0)->GetCounters();
        NS_TEST_EXPECT_MSG_LT(sender.copies, sender.sent + 10, "copies");
        Refusals(fabric, overlay);
    }

    /// A bulk transfer from host 0 to host 2.
    void AddTcp(const Fabric& fabric, const VxlanHelper& overlay)
    {
        const Address to = InetSocketAddress(overlay.GetAddress(2), PORT);
        m_tcp = DynamicCast<PacketSink>(
            PacketSinkHelper("ns3::TcpSocketFactory", to).Install(fabric.GetHost(2)).Get(0));
        BulkSendHelper bulk("ns3::TcpSocketFactory", to);
        bulk.SetAttribute("MaxBytes", UintegerValue(1000000));
        bulk.Install(fabric.GetHost(0)).Start(MilliSeconds(60));
    }

    static Ptr<Socket> MakeSocket(const Fabric& fabric, uint32_t host)
    {
        return Socket::CreateSocket(fabric.GetHost(host), UdpSocketFactory::GetTypeId());
    }

    /// @param call what to do @return whether it is refused
    template <typename F>
    static bool Refused(F call)
    {
        try
        {
            call();
        }
        catch (const std::invalid_argument&)
        {
            return true;
        }
        return false;
    }

    void Receive(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            SocketIpTosTag tos;
            ++m_packets;
            m_marked += packet->PeekPacketTag(tos) && (tos.GetTos() & 3) == 3;
        }
    }

    void Refusals(const Fabric& fabric, VxlanHelper& overlay)
    {
        ExpectError([&] { overlay.Install({1, 2}, m_ipVersion); },
                    "host 1 is in the overlay already; name it once");
        ExpectError([&] { overlay.SetDevice("Vni", UintegerValue(9)); },
                    "Vni of the devices of an overlay that is installed; set it before, or set it "
                    "on the devices");
        ExpectError([&] { overlay.Install({1}, m_ipVersion); },
                    "an overlay of 1 host has no effect; name two hosts or more");
        VxlanHelper other(fabric);
        ExpectError([&] { other.GetAddress(1); }, "host 1 is not in the overlay");
        ExpectError([&] { other.Install({1, 2}, m_ipVersion); },
                    "host 1 is in another overlay; a host has one");
    }

    uint8_t m_ipVersion;
    uint32_t m_mtu;
    Ptr<PacketSink> m_tcp;
    uint32_t m_packets{0};
    uint64_t m_marked{0};
};

/// Packets of the stock stack pass tunnels of switches, too.
class SwitchTunnelTest : public FabricTestCase
{
  public:
    SwitchTunnelTest()
        : FabricTestCase("Stock packets of full length pass tunnels between switches")
    {
    }

  private:
    static constexpr uint16_t PORT = 9;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::VxlanEndpoint");
        const Fabric fabric = helper.LeafSpine(2, 1, 1);
        fabric.InstallInternet();
        Send(fabric,
             InetSocketAddress(Ipv4Address::GetAny(), PORT),
             InetSocketAddress(fabric.GetAddress(1), PORT),
             1500 - 20 - 8);
        Send(fabric,
             Inet6SocketAddress(Ipv6Address::GetAny(), PORT),
             Inet6SocketAddress(fabric.GetIpv6Address(1), PORT),
             1500 - 40 - 8);
        RunUntil(MilliSeconds(2));
        NS_TEST_EXPECT_MSG_EQ(m_packets, 2, "of IPv4 and of IPv6");
        const auto endpoint = ExtensionsOf<VxlanEndpoint>(*fabric.GetSwitch(0)).at(0);
        NS_TEST_EXPECT_MSG_EQ(endpoint->GetCounters().encapsulated, 2, "in a tunnel");
    }

    /// @param any address of the receiver's socket @param to that of host 1 @param bytes of payload
    void Send(const Fabric& fabric, const Address& any, const Address& to, uint32_t bytes)
    {
        const auto sink = Socket::CreateSocket(fabric.GetHost(1), UdpSocketFactory::GetTypeId());
        sink->Bind(any);
        sink->SetRecvCallback(MakeCallback(&SwitchTunnelTest::Receive, this));
        m_sinks.push_back(sink);
        const auto socket = Socket::CreateSocket(fabric.GetHost(0), UdpSocketFactory::GetTypeId());
        socket->Connect(to);
        Simulator::ScheduleWithContext(0, MilliSeconds(1), [socket, bytes] {
            socket->Send(Create<Packet>(bytes));
        });
    }

    void Receive(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            ++m_packets;
        }
    }

    uint32_t m_packets{0};
    std::vector<Ptr<Socket>> m_sinks;
};

/// What a device does not take, it drops and names.
class NetDeviceDropTest : public FabricTestCase
{
  public:
    NetDeviceDropTest()
        : FabricTestCase("Net devices of two VXLAN networks do not hear each other")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        VxlanHelper overlay(fabric);
        overlay.Install();
        overlay.GetDevice(1)->SetAttribute("Vni", UintegerValue(2));
        DropReason reason = DropReason::COUNT;
        overlay.GetDevice(1)->TraceConnectWithoutContext(
            "Drop",
            Callback<void, Ptr<const Packet>, DropReason>(
                [&reason](Ptr<const Packet>, DropReason why) { reason = why; }));
        const auto socket = Socket::CreateSocket(fabric.GetHost(0), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(overlay.GetAddress(1), 9));
        Simulator::ScheduleWithContext(0, MilliSeconds(1), [socket] {
            socket->Send(Create<Packet>(100));
        });
        RunUntil(MilliSeconds(50));
        NS_TEST_EXPECT_MSG_EQ(reason, DropReason::TUNNEL_VNI, "the ARP request");
        NS_TEST_EXPECT_MSG_EQ(overlay.GetDevice(1)->GetCounters().received, 0, "nothing");
    }
};

class VxlanStackTestSuite : public TestSuite
{
  public:
    VxlanStackTestSuite()
        : TestSuite("lossless-vxlan-stack", Type::SYSTEM)
    {
        AddTestCase(new NetDeviceTest(4, 1450));
        AddTestCase(new NetDeviceTest(6, 1430));
        AddTestCase(new NetDeviceDropTest);
        AddTestCase(new SwitchTunnelTest);
    }
};

VxlanStackTestSuite g_vxlanStackTestSuite; //!< registers the suite

} // namespace

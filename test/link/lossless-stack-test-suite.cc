// SPDX-License-Identifier: GPL-2.0-only

// Stock ns-3 traffic through a fabric: TCP, UDP and ping over IPv4 and IPv6, nothing patched
// (pitfall 17).

#include "port-test-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/fabric-switch.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/uinteger.h"

#include <array>

using namespace ns3;

namespace
{

/// Hosts around one switch, each with a stock IPv4 and IPv6 stack.
class StackStar
{
  public:
    /// @param hosts how many @param rate of all links
    StackStar(uint32_t hosts, const std::string& rate)
    {
        nodes.Create(hosts);
        InternetStackHelper().Install(nodes);
        switchNode = CreateObject<Node>();
        fabric = CreateObject<FabricSwitch>();
        switchNode->AggregateObject(fabric);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            Plug(i, rate);
        }
        Ipv4AddressHelper ipv4("10.0.0.0", "255.255.255.0");
        v4 = ipv4.Assign(hostDevices);
        Ipv6AddressHelper ipv6(Ipv6Address("2001:db8::"), Ipv6Prefix(64));
        v6 = ipv6.Assign(hostDevices);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            const auto port = static_cast<uint16_t>(i);
            fabric->AddRoute(v4.GetAddress(i), {port});
            fabric->AddRoute(v6.GetAddress(i, 1), {port});
        }
    }

    /// @param host index @param rate of its link
    void Plug(uint32_t host, const std::string& rate)
    {
        std::array<Ptr<QbbNetDevice>, 2> ends;
        auto channel = CreateObject<QbbChannel>();
        for (uint32_t end = 0; end < 2; ++end)
        {
            ends[end] = CreateObject<QbbNetDevice>();
            ends[end]->SetAttribute("DataRate", StringValue(rate));
            ends[end]->SetAddress(Mac48Address::Allocate());
            (end == 0 ? nodes.Get(host) : switchNode)->AddDevice(ends[end]);
            ends[end]->Attach(channel);
        }
        hostDevices.Add(ends[0]);
        fabric->AddPort(ends[1]);
    }

    /// @param host index @param tcp else UDP @param ipv6 else IPv4 @return its sink on port 9
    Ptr<PacketSink> Sink(uint32_t host, bool tcp, bool ipv6)
    {
        const Address any = ipv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), 9))
                                 : Address(InetSocketAddress(Ipv4Address::GetAny(), 9));
        PacketSinkHelper helper(tcp ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory", any);
        return DynamicCast<PacketSink>(helper.Install(nodes.Get(host)).Get(0));
    }

    /// @param host index @param ipv6 else IPv4 @return where its sink listens
    Address SinkAddress(uint32_t host, bool ipv6) const
    {
        return ipv6 ? Address(Inet6SocketAddress(v6.GetAddress(host, 1), 9))
                    : Address(InetSocketAddress(v4.GetAddress(host), 9));
    }

    NodeContainer nodes;            //!< hosts
    NetDeviceContainer hostDevices; //!< their ports
    Ptr<Node> switchNode;           //!< the switch
    Ptr<FabricSwitch> fabric;       //!< the switch
    Ipv4InterfaceContainer v4;      //!< addresses of the hosts
    Ipv6InterfaceContainer v6;      //!< addresses of the hosts
};

/// TCP delivers every byte.
class TcpTest : public PortTestCase
{
  public:
    explicit TcpTest(bool ipv6)
        : PortTestCase(std::string("Pitfall 17: two TCP senders fill one port over ") +
                       (ipv6 ? "IPv6" : "IPv4")),
          m_ipv6(ipv6)
    {
    }

  private:
    void DoRun() override
    {
        StackStar star(3, "10Gbps");
        auto sink = star.Sink(2, true, m_ipv6);
        BulkSendHelper bulk("ns3::TcpSocketFactory", star.SinkAddress(2, m_ipv6));
        bulk.SetAttribute("MaxBytes", UintegerValue(1000000));
        for (uint32_t host : {0, 1})
        {
            bulk.Install(star.nodes.Get(host)).Start(Seconds(2)); // after IPv6's DAD
        }
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 2000000, "every byte arrives");
        NS_TEST_EXPECT_MSG_EQ(star.fabric->GetMmu()->IsIdle(), true, "the buffer is empty again");
    }

    bool m_ipv6;
};

/// UDP datagrams arrive unless the buffer is full, and then the drop has a reason.
class UdpTest : public PortTestCase
{
  public:
    explicit UdpTest(bool ipv6)
        : PortTestCase(std::string("UDP is delivered or counted as dropped over ") +
                       (ipv6 ? "IPv6" : "IPv4")),
          m_ipv6(ipv6)
    {
    }

  private:
    void DoRun() override
    {
        StackStar star(3, "10Gbps");
        auto sink = star.Sink(2, false, m_ipv6);
        OnOffHelper onOff("ns3::UdpSocketFactory", star.SinkAddress(2, m_ipv6));
        onOff.SetConstantRate(DataRate("8Gbps"), 1000);
        onOff.SetAttribute("MaxBytes", UintegerValue(20000000));
        for (uint32_t host : {0, 1})
        {
            onOff.Install(star.nodes.Get(host)).Start(Seconds(2));
        }
        Simulator::Stop(Seconds(4));
        Simulator::Run();
        const uint64_t dropped = star.fabric->GetLossyDrops();
        NS_TEST_EXPECT_MSG_GT(dropped, 0, "16 Gb/s do not fit into 10");
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx() / 1000 + dropped, 40000, "none vanishes");
        NS_TEST_EXPECT_MSG_EQ(star.fabric->GetLosslessDrops(), 0, "UDP is in a lossy class");
        NS_TEST_EXPECT_MSG_EQ(star.fabric->GetMmu()->IsIdle(), true, "the buffer is empty again");
    }

    bool m_ipv6;
};

/// Echo requests are answered.
class PingTest : public PortTestCase
{
  public:
    PingTest()
        : PortTestCase("Ping works")
    {
    }

  private:
    void DoRun() override
    {
        StackStar star(2, "100Gbps");
        // V4Ping to ns-3.37, Ping from 3.38.
        ObjectFactory factory;
        TypeId tid;
        const bool old = TypeId::LookupByNameFailSafe("ns3::V4Ping", &tid);
        factory.SetTypeId(old ? "ns3::V4Ping" : "ns3::Ping");
        if (old)
        {
            factory.Set("Remote", Ipv4AddressValue(star.v4.GetAddress(1)));
        }
        else
        {
            factory.Set("Destination", AddressValue(star.v4.GetAddress(1)));
        }
        auto ping = factory.Create<Application>();
        star.nodes.Get(0)->AddApplication(ping);
        ping->SetStartTime(Seconds(1));
        ping->SetStopTime(Seconds(5.5));
        uint32_t replies = 0;
        const Callback<void, const QbbNetDevice&, const Frame&> count(
            [&replies](const QbbNetDevice&, const Frame& frame) {
                replies += frame.protocol == 1 && frame.ipVersion == 4;
            });
        star.hostDevices.Get(0)->TraceConnectWithoutContext("FrameRx", count);
        Simulator::Stop(Seconds(6));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(replies, 5, "one reply a second");
    }
};

/// The suite.
class StackTestSuite : public TestSuite
{
  public:
    StackTestSuite()
        : TestSuite("lossless-stack", Type::SYSTEM)
    {
        AddTestCase(new TcpTest(false));
        AddTestCase(new TcpTest(true));
        AddTestCase(new UdpTest(false));
        AddTestCase(new UdpTest(true));
        AddTestCase(new PingTest);
    }
};

StackTestSuite g_stackTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// Fabric::InstallInternet(): stock TCP and UDP applications over IPv4 and IPv6 beside RDMA, without
// RDMA loss.

#include "fabric-test-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"

using namespace ns3;

namespace
{

/// A stock flow between two hosts, and what has arrived of it.
class StockFlow
{
  public:
    /// @param fabric where @param from a host @param to a host @param factory kind of socket
    /// @param ipv6 else IPv4 @param port where it listens @param bytes how many
    StockFlow(const Fabric& fabric,
              uint32_t from,
              uint32_t to,
              const std::string& factory,
              bool ipv6,
              uint16_t port,
              uint32_t bytes)
    {
        const Address any = ipv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), port))
                                 : Address(InetSocketAddress(Ipv4Address::GetAny(), port));
        const Address remote = ipv6 ? Address(Inet6SocketAddress(fabric.GetIpv6Address(to), port))
                                    : Address(InetSocketAddress(fabric.GetAddress(to), port));
        PacketSinkHelper sink(factory, any);
        const auto sinks = sink.Install(fabric.GetHost(to));
        m_sink = DynamicCast<PacketSink>(sinks.Get(0));
        ApplicationContainer senders;
        if (factory == "ns3::TcpSocketFactory")
        {
            BulkSendHelper sender(factory, remote);
            sender.SetAttribute("MaxBytes", UintegerValue(bytes));
            senders = sender.Install(fabric.GetHost(from));
        }
        else
        {
            OnOffHelper sender(factory, remote);
            sender.SetAttribute("MaxBytes", UintegerValue(bytes));
            sender.SetConstantRate(DataRate("5Gbps"), 1000);
            senders = sender.Install(fabric.GetHost(from));
        }
        senders.Start(MicroSeconds(10));
    }

    /// @return bytes received
    uint64_t Received() const
    {
        return m_sink->GetTotalRx();
    }

  private:
    Ptr<PacketSink> m_sink;
};

/// TCP and UDP over both versions of IP share all links with RDMA.
class SharingTest : public FabricTestCase
{
  public:
    SharingTest()
        : FabricTestCase("Stock TCP and UDP beside RDMA")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 2, 4);
        fabric.InstallInternet();
        RdmaFlowHelper flows(fabric);
        flows.Incast(7, 0, 500000, MicroSeconds(100));
        const std::string tcp = "ns3::TcpSocketFactory";
        const std::string udp = "ns3::UdpSocketFactory";
        const StockFlow flowsOfStock[] = {{fabric, 1, 0, tcp, false, 80, 300000},
                                          {fabric, 7, 0, tcp, true, 81, 300000},
                                          {fabric, 5, 2, udp, false, 82, 100000},
                                          {fabric, 3, 6, udp, true, 83, 100000}};
        Simulator::Stop(MilliSeconds(900));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 7, "RDMA");
        NS_TEST_EXPECT_MSG_EQ(flowsOfStock[0].Received(), 300000, "TCP over IPv4");
        NS_TEST_EXPECT_MSG_EQ(flowsOfStock[1].Received(), 300000, "TCP over IPv6");
        NS_TEST_EXPECT_MSG_EQ(flowsOfStock[2].Received(), 100000, "UDP over IPv4");
        NS_TEST_EXPECT_MSG_EQ(flowsOfStock[3].Received(), 100000, "UDP over IPv6");
        ExpectClean(fabric);
    }
};

/// Hosts with two ports, one of them a direct cable, reach each other over the right one.
class DirectCableTest : public FabricTestCase
{
  public:
    DirectCableTest()
        : FabricTestCase("Stock traffic of hosts with several ports")
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology topology;
        topology.AddHost();
        topology.AddHost();
        const NodeId hub = topology.AddSwitch();
        const LinkId cable = topology.AddLink(0, 1, {}); // port 0 of both
        topology.AddLink(0, hub, {});
        topology.AddLink(1, hub, {});
        FabricHelper helper;
        const Fabric fabric = helper.FromTopology(topology);
        fabric.InstallInternet();
        const StockFlow direct(fabric, 0, 1, "ns3::TcpSocketFactory", false, 80, 100000);
        Simulator::Stop(MilliSeconds(900));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(direct.Received(), 100000, "to the address of the cable");
        const auto device = fabric.GetDevice(0, topology.GetPort(0, cable));
        NS_TEST_EXPECT_MSG_GT(device->GetCounters().txWireBytes, 100000, "not over the cable");
    }
};

/// The suite.
class SharingTestSuite : public TestSuite
{
  public:
    SharingTestSuite()
        : TestSuite("lossless-sharing", Type::UNIT)
    {
        AddTestCase(new SharingTest);
        AddTestCase(new DirectCableTest);
    }
};

SharingTestSuite g_sharingTestSuite;

} // namespace

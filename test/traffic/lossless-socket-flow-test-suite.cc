// SPDX-License-Identifier: GPL-2.0-only

// TCP and UDP beside RDMA: helper/traffic/socket-flow-helper.h.

#include "fabric-test-case.h"
#include "fault-watch.h"
#include "findings-of.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/pointer.h"
#include "ns3/socket-flow-helper.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @return a plan from host 1 to host 0
SocketFlow::Plan
PlanOf(uint64_t bytes, uint8_t cls = 0, Time start = Time(0), Time stop = Time(0))
{
    SocketFlow::Plan plan;
    plan.source = 1;
    plan.bytes = bytes;
    plan.trafficClass = cls;
    plan.start = start;
    plan.stop = stop;
    return plan;
}

/// Frames of a kind that a port receives, by class.
class ClassCounter
{
  public:
    /// @param device the port
    explicit ClassCounter(const Ptr<QbbNetDevice>& device)
    {
        device->TraceConnectWithoutContext(
            "FrameRx",
            Callback<void, const QbbNetDevice&, const Frame&>(
                [this](const QbbNetDevice&, const Frame& frame) {
                    ++(frame.kind == FrameKind::IP ? ip : roce)[frame.trafficClass];
                }));
    }

    std::array<uint64_t, TRAFFIC_CLASSES> ip{};   //!< TCP and UDP
    std::array<uint64_t, TRAFFIC_CLASSES> roce{}; //!< RDMA, and PFC
};

/// Who waits for whom.
class EndTest : public FabricTestCase
{
  public:
    EndTest()
        : FabricTestCase("A run ends with the last RDMA flow and the last finite TCP flow")
    {
    }

  private:
    /// @param rdmaBytes of the RDMA flow @param tcpBytes of the TCP flow @return when it ended, and
    /// how many of the two were complete
    std::pair<double, int> RunBoth(uint64_t rdmaBytes, uint64_t tcpBytes)
    {
        Simulator::Destroy();
        FabricHelper helper;
        const Fabric fabric = helper.Star(4);
        RdmaFlowHelper flows(fabric);
        SocketFlowHelper sockets(fabric);
        const auto tcp = sockets.AddTcp(PlanOf(tcpBytes));
        // Goes on for ever, and nobody waits for it.
        auto endless = PlanOf(0);
        endless.source = 2;
        endless.destination = 3;
        sockets.AddTcp(endless);
        flows.Add({2, 3, rdmaBytes});
        TestTraffic both(flows, sockets);
        both.StopWhenDone();
        Simulator::Run();
        return {Simulator::Now().GetSeconds(),
                static_cast<int>(flows.GetNCompleted()) +
                    (tcp->GetState() == SocketFlow::COMPLETED)};
    }

    void DoRun() override
    {
        const auto [shortRdma, bothOne] = RunBoth(1000, 10000000);
        const auto [shortTcp, bothTwo] = RunBoth(50000000, 1000);
        NS_TEST_EXPECT_MSG_EQ(bothOne, 2, "RDMA was first");
        NS_TEST_EXPECT_MSG_EQ(bothTwo, 2, "TCP was first");
        // 10 MB at 100 Gb/s take 0.8 ms, 50 MB 4 ms at least.
        NS_TEST_EXPECT_MSG_GT(shortRdma, 0.8e-3, "it waited for TCP");
        NS_TEST_EXPECT_MSG_LT(shortRdma, 3e-3, "and no longer");
        NS_TEST_EXPECT_MSG_GT(shortTcp, 4e-3, "it waited for RDMA");
        NS_TEST_EXPECT_MSG_LT(shortTcp, 20e-3, "and no longer");
    }
};

/// DSCP and class of what is sent.
class ClassTest : public FabricTestCase
{
  public:
    ClassTest()
        : FabricTestCase("TCP, UDP and RDMA are in the classes that were asked for")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(4);
        RdmaFlowHelper flows(fabric);
        SocketFlowHelper sockets(fabric);
        // As socket-flow-helper.h shows.
        const auto tcp = sockets.AddTcp(PlanOf(1000000, 1),
                                        "ns3::TcpDctcp",
                                        {{"MinRto", Create<TimeValue>(MilliSeconds(5))}});
        const auto udp =
            sockets.AddUdp(PlanOf(0, 2, MilliSeconds(2), MicroSeconds(2800)), DataRate("10Gbps"));
        flows.Add({1, 0, 1000000});
        const ClassCounter there(fabric.GetDevice(fabric.GetTopology().GetHosts()[0], 0));
        const ClassCounter back(fabric.GetDevice(fabric.GetTopology().GetHosts()[1], 0));
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tcp->GetBytesReceived(), 1000000, "TCP delivers");
        NS_TEST_EXPECT_MSG_EQ(tcp->GetBytesSent(), 1000000, "TCP was given");
        // 800 us at 10 Gb/s are 1000 datagrams of 1000 bytes; the last is due at the stop.
        NS_TEST_EXPECT_MSG_GT(udp->GetBytesSent(), 998000, "UDP was sent");
        NS_TEST_EXPECT_MSG_EQ(udp->GetBytesReceived(), udp->GetBytesSent(), "and arrived");
        NS_TEST_EXPECT_MSG_EQ_TOL(udp->GetThroughput(), 10e9, 0.1e9, "at its rate");
        // 1000000 / 1448 segments, the handshake and the end.
        NS_TEST_EXPECT_MSG_GT(there.ip[1], 690, "TCP data");
        NS_TEST_EXPECT_MSG_LT(there.ip[1], 700, "TCP data");
        NS_TEST_EXPECT_MSG_EQ(there.ip[2], udp->GetBytesSent() / 1000, "UDP");
        NS_TEST_EXPECT_MSG_EQ(there.ip[0] + there.ip[3], 0, "nothing of TCP or UDP elsewhere");
        NS_TEST_EXPECT_MSG_GT(back.ip[1], 300, "acknowledgements of TCP");
        NS_TEST_EXPECT_MSG_EQ(back.ip[0] + back.ip[2] + back.ip[3], 0, "and nowhere else");
        NS_TEST_EXPECT_MSG_GT(there.roce[3], 900, "RDMA");
        NS_TEST_EXPECT_MSG_EQ(there.roce[1] + there.roce[2], 0, "RDMA is apart");
        const auto socket = DynamicCast<TcpSocketBase>(tcp->GetSocket());
        PointerValue congestion;
        socket->GetAttribute("CongestionOps", congestion);
        NS_TEST_EXPECT_MSG_EQ(congestion.Get<Object>()->GetInstanceTypeId().GetName(),
                              "ns3::TcpDctcp",
                              "congestion control");
    }
};

/// ECN in classes that have a DSCP.
class EcnTest : public FabricTestCase
{
  public:
    EcnTest()
        : FabricTestCase("TCP with ECN is capable of it, and is marked, in every class")
    {
    }

  private:
    /// Two flows of a kind to host 0. @param cls class @param congestion control @param useEcn of
    /// the socket @return marks and drops of lossy classes at the switch
    std::pair<uint64_t, uint64_t> RunTwo(uint8_t cls,
                                         const std::string& congestion,
                                         const std::string& useEcn)
    {
        Simulator::Destroy();
        m_frames = {};
        FabricHelper helper;
        const Fabric fabric = helper.Star(4);
        RunOptions options;
        options.stop = MilliSeconds(100);
        FabricRun run(fabric, options);
        SocketFlowHelper& sockets = run.Sockets();
        for (uint32_t host = 0; host < 2; ++host)
        {
            fabric.GetDevice(fabric.GetTopology().GetHosts()[host], 0)
                ->TraceConnectWithoutContext(
                    "FrameRx",
                    Callback<void, const QbbNetDevice&, const Frame&>(
                        [this, host](const QbbNetDevice&, const Frame& frame) {
                            if (frame.kind == FrameKind::IP)
                            {
                                ++m_frames[host][static_cast<std::size_t>(frame.ecn)];
                            }
                        }));
        }
        for (const uint32_t source : {1, 2})
        {
            auto plan = PlanOf(10000000, cls);
            plan.source = source;
            const auto flow =
                sockets.AddTcp(plan, congestion, {{"UseEcn", Create<StringValue>(useEcn)}});
            m_flows.push_back(flow);
        }
        const RunTotals& totals = run.Execute().totals;
        for (const auto& flow : std::exchange(m_flows, {}))
        {
            NS_TEST_EXPECT_MSG_EQ(flow->GetState(), SocketFlow::COMPLETED, "it delivers");
        }
        return {totals.ecnMarks, totals.lossyDrops};
    }

    void DoRun() override
    {
        constexpr auto NONE = static_cast<std::size_t>(Ecn::NOT_ECT);
        const auto best = RunTwo(0, "ns3::TcpDctcp", "On");
        for (const uint8_t cls : {1, 2})
        {
            const auto marks = RunTwo(cls, "ns3::TcpDctcp", "On");
            NS_TEST_EXPECT_MSG_GT(marks.first, 10, "DCTCP is marked in class " << +cls);
            NS_TEST_EXPECT_MSG_EQ(marks.first, best.first, "as in class 0");
            NS_TEST_EXPECT_MSG_EQ(marks.second, 0, "and loses nothing");
            NS_TEST_EXPECT_MSG_EQ(m_frames[0][NONE], 0, "all of DCTCP is ECT, as in ns-3");
        }
        RunTwo(1, "ns3::TcpCubic", "On");
        // 2 * 10 MB / 1448 bytes of data; the handshakes and their ends are not ECT, nor are ACKs.
        NS_TEST_EXPECT_MSG_GT(m_frames[0][static_cast<std::size_t>(Ecn::ECT0)], 13700, "data");
        NS_TEST_EXPECT_MSG_LT(m_frames[0][NONE], 20, "SYN");
        NS_TEST_EXPECT_MSG_GT(m_frames[0][NONE], 1, "SYN");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1][static_cast<std::size_t>(Ecn::ECT0)], 0, "pure ACKs");
        RunTwo(1, "ns3::TcpCubic", "Off");
        NS_TEST_EXPECT_MSG_EQ(m_frames[0][static_cast<std::size_t>(Ecn::ECT0)], 0, "switched off");
    }

    std::array<std::array<uint64_t, 4>, 2> m_frames{}; //!< received: by host and ECN field
    std::vector<std::shared_ptr<SocketFlow>> m_flows;
};

/// Loss and the end of a connection.
class LossTest : public FabricTestCase
{
  public:
    LossTest()
        : FabricTestCase("UDP that does not fit is lost, TCP delivers, a dead link ends a flow")
    {
    }

  private:
    void Overload()
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(4);
        FabricRun run(fabric);
        SocketFlowHelper& sockets = run.Sockets();
        auto plan = PlanOf(0, 0, Time(0), MilliSeconds(2));
        const auto one = sockets.AddUdp(plan, DataRate("80Gbps"));
        plan.source = 2;
        const auto two = sockets.AddUdp(plan, DataRate("80Gbps"));
        RunOptions options;
        options.stop = MilliSeconds(5);
        options.stopWhenDone = false;
        options.files = {"fct", "queues"};
        ExpectError([&] { run.Choose(options); }, "no file \"queues\"");
        options.files.clear();
        run.Choose(options);
        const RunResults& results = run.Execute();
        const uint64_t lost = (one->GetBytesSent() + two->GetBytesSent() - one->GetBytesReceived() -
                               two->GetBytesReceived()) /
                              1000;
        NS_TEST_EXPECT_MSG_GT(lost, 100, "160 Gb/s do not fit into 100");
        NS_TEST_EXPECT_MSG_EQ(lost, results.totals.lossyDrops, "all at the switch");
        NS_TEST_EXPECT_MSG_NE(results.Summary().find("UDP: 2 flows"), std::string::npos, "a line");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Overload();
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        SocketFlowHelper sockets(fabric);

        const SocketFlowHelper::Attributes few = {
            {"ConnTimeout", Create<TimeValue>(MilliSeconds(1))},
            {"ConnCount", Create<UintegerValue>(2)},
        };
        FaultHelper faults(fabric);
        faults.CutLink(1, Time(0));
        const auto tcp = sockets.AddTcp(PlanOf(1000, 0, MicroSeconds(1)), "", few);
        const auto late =
            sockets.AddTcp(PlanOf(1000, 0, MicroSeconds(1), MilliSeconds(90)), "", few);
        const auto soon =
            sockets.AddTcp(PlanOf(1000, 0, MicroSeconds(1), MicroSeconds(100)), "", few);
        TestTraffic both(flows, sockets);
        both.StopWhenDone();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tcp->GetState(), SocketFlow::FAILED, "nobody answers");
        NS_TEST_EXPECT_MSG_EQ(tcp->GetReason(), "there was no connection", "why");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1), "and the run has ended");
        NS_TEST_EXPECT_MSG_EQ(soon->GetState(), SocketFlow::STOPPED, "before it could fail");
        NS_TEST_EXPECT_MSG_EQ(soon->GetReason(), "it was stopped", "why");
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(90), "past its stop");
        NS_TEST_EXPECT_MSG_EQ(late->GetState(), SocketFlow::FAILED, "failed flows stay so");
        NS_TEST_EXPECT_MSG_EQ(late->GetReason(), "there was no connection", "why");
        NS_TEST_EXPECT_MSG_EQ(soon->GetState(), SocketFlow::STOPPED, "and stopped ones");
    }
};

/// What is wrong is said.
class ErrorTest : public FabricTestCase
{
  public:
    ErrorTest()
        : FabricTestCase("What a socket flow cannot be is a FabricError")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(2);
        RdmaFlowHelper flows(fabric);
        SocketFlowHelper sockets(fabric);
        ExpectError([&] { sockets.AddTcp(PlanOf(1, 8)); }, "classes are 0 to 7");
        ExpectError([&] { sockets.AddTcp(PlanOf(1, 0, Seconds(1), Seconds(1))); }, "stops before");
        ExpectError([&] { sockets.AddTcp(PlanOf(1), "ns3::RdmaDcqcn"); }, "TcpCubic");
        ExpectError([&] { sockets.AddTcp(PlanOf(1), "", {{"Nagle", Create<StringValue>("1")}}); },
                    "Nagle");
        ExpectError([&] { sockets.AddUdp(PlanOf(1), DataRate(0)); }, "above 0");
        ExpectError([&] { sockets.AddUdp(PlanOf(1), DataRate(1), 70000); }, "65507");
        auto plan = PlanOf(1);
        plan.destination = 9;
        ExpectError([&] { sockets.AddTcp(plan); }, "host 9");
        ObjectFactory sink("ns3::PacketSink");
        ExpectError([&] { sockets.AddApplication(0, sink, Time(0)); }, "without Local");
        sink.Set("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 9)));
        sockets.AddApplication(0, sink, Time(0));
        ExpectError([&] { sockets.AddApplication(0, sink, Time(0)); }, "port 9 of host 0 is taken");
        ExpectError([&] { sockets.AddApplication(0, ObjectFactory("ns3::Node"), Time(0)); },
                    "no application");
        Applications(sockets);
    }

    /// What would end the program. @param sockets of two hosts
    void Applications(SocketFlowHelper& sockets)
    {
        ObjectFactory server("ns3::UdpServer");
        server.Set("Port", UintegerValue(5001));
        sockets.AddApplication(0, server, Time(0));
        ExpectError([&] { sockets.AddApplication(0, server, Time(0)); }, "port 5001 of host 0");
        auto plan = PlanOf(1000);
        sockets.AddUdp(plan, DataRate("1Gbps"), 1000); // elsewhere than the server
        server.Set("Port", UintegerValue(5002));
        ExpectError([&] { sockets.AddApplication(0, server, Time(0)); }, "port 5002 of host 0");
        for (const char* name : {"ns3::DhcpServer", "ns3::DhcpClient"})
        {
            ExpectError([&] { sockets.AddApplication(0, ObjectFactory(name), Time(0)); },
                        "hosts have their addresses");
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
    }
};

/// More flows than there are ports.
class PortTest : public FabricTestCase
{
  public:
    PortTest()
        : FabricTestCase("A host without free ports is a FabricError")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        SocketFlowHelper sockets(fabric);
        ObjectFactory server("ns3::UdpEchoServer");
        for (uint32_t port = 5002; port <= 49151; ++port)
        {
            server.Set("Port", UintegerValue(port));
            sockets.AddApplication(0, server, Time(0));
        }
        sockets.AddUdp(PlanOf(1), DataRate("1Gbps")); // takes the last
        ExpectError([&] { sockets.AddUdp(PlanOf(1), DataRate("1Gbps")); }, "all ports of host 0");
        auto plan = PlanOf(1);
        plan.destination = 2;
        sockets.AddUdp(plan, DataRate("1Gbps")); // the ports of others are free
    }
};

/// What a run of sockets has lost is found at its end.
class NamedAtEndTest : public FabricTestCase
{
  public:
    NamedAtEndTest()
        : FabricTestCase("What full queues of hosts and sockets lose is found")
    {
    }

  private:
    using Change = std::function<void(FabricRun&)>;

    /// @param add gives a run of a star its sockets @return what was found to be lost
    static std::string LostOf(const Change& add)
    {
        Simulator::Destroy();
        RunOptions options;
        options.stop = MilliSeconds(100);
        FabricRun run(FabricHelper().Star(4), options);
        add(run);
        run.Execute();
        return FindingsOf(run.GetFindings(), "lost");
    }

    /// @return adds UDP at three times the rate of the line. @param cls its class
    static Change Flood(uint8_t cls)
    {
        return [cls](FabricRun& run) {
            run.Sockets().AddUdp(PlanOf(0, cls, Time(0), MicroSeconds(200)), DataRate("300Gbps"));
        };
    }

    /// @return adds an application that sends to port 9 of host 0. @param sink protocol of a sink
    /// there; empty: there is none @param isIpv6 whether both use IPv6
    static Change SendTo9(const std::string& sink, bool isIpv6 = false)
    {
        return [sink, isIpv6](FabricRun& run) {
            const Fabric& fabric = run.GetFabric();
            const Address peer = isIpv6 ? Address(Inet6SocketAddress(fabric.GetIpv6Address(0), 9))
                                        : Address(InetSocketAddress(fabric.GetAddress(0), 9));
            if (!sink.empty())
            {
                ObjectFactory factory("ns3::PacketSink");
                factory.Set("Protocol", StringValue(sink));
                factory.Set("Local", AddressValue(peer));
                run.Sockets().AddApplication(0, factory, Time(0), MicroSeconds(100));
            }
            ObjectFactory source("ns3::OnOffApplication");
            source.Set("Protocol", StringValue("ns3::UdpSocketFactory"));
            source.Set("Remote", AddressValue(peer));
            source.Set("DataRate", StringValue("1Gbps"));
            source.Set("OffTime", StringValue("ns3::ConstantRandomVariable[Constant=0]"));
            run.Sockets().AddApplication(1, source, Time(0), MicroSeconds(50));
        };
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_NE(LostOf(Flood(3)).find(" frames lost: host-queue-full "),
                              std::string::npos,
                              "a lossless class");
        NS_TEST_EXPECT_MSG_EQ(LostOf(Flood(0)), "", "its class is lossy");
        Config::SetDefault("ns3::UdpSocket::RcvBufSize", UintegerValue(100));
        for (const bool isIpv6 : {false, true})
        {
            const std::string small = LostOf(SendTo9("ns3::UdpSocketFactory", isIpv6));
            NS_TEST_EXPECT_MSG_NE(small.find("UdpSocket "), std::string::npos, small);
        }
        Config::Reset();
        NS_TEST_EXPECT_MSG_EQ(LostOf(SendTo9("ns3::UdpSocketFactory")), "", "as usual");
    }
};

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
class SocketFlowTestSuite : public TestSuite
{
  public:
    SocketFlowTestSuite()
        : TestSuite("lossless-socket-flow", Type::SYSTEM)
    {
        AddTestCase(new EndTest);
        AddTestCase(new ClassTest);
        AddTestCase(new EcnTest);
        AddTestCase(new LossTest);
        AddTestCase(new ErrorTest);
        AddTestCase(new PortTest);
        AddTestCase(new NamedAtEndTest);
        AddTestCase(new SharingTest);
        AddTestCase(new DirectCableTest);
    }
};

SocketFlowTestSuite g_socketFlowTestSuite; //!< registers the suite

} // namespace

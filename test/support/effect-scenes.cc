// SPDX-License-Identifier: GPL-2.0-only

// The scenes of the suite lossless-effects.

#include "effect-scene.h"
#include "ring-fabric.h"

#include "ns3/deadlock-helper.h"
#include "ns3/double.h"
#include "ns3/ecn-threshold-advisor.h"
#include "ns3/error-model-loss.h"
#include "ns3/fault-helper.h"
#include "ns3/fault-loss.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inof-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/port-group-remap.h"
#include "ns3/rdma-connection.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/switch-cnp-rule.h"
#include "ns3/table-ecn-advisor.h"
#include "ns3/tagger.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"
#include "ns3/vxlan-helper.h"
#include "ns3/watchdog-helper.h"

#include <filesystem>
#include <fstream>

namespace ns3
{
namespace tests
{

namespace
{

constexpr uint8_t BIT = 1U << 3; //!< of the class of the flows

// ---- fabrics

using Build = std::function<Fabric(FabricHelper&)>;
using Configure = std::function<void(FabricHelper&)>;
using Part = std::function<void(EffectRun&)>;

/// @param hosts of a star @param buffer bytes @param classes lossless ones @param configure more
/// @return what builds the star, even if it may drop
Build
Star(uint32_t hosts,
     const std::string& buffer,
     const std::vector<uint32_t>& classes = {3},
     const Configure& configure = nullptr)
{
    return [=](FabricHelper& helper) {
        helper.AllowLossy();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue(buffer));
        helper.SetLosslessClasses(classes);
        if (configure)
        {
            configure(helper);
        }
        return helper.Star(hosts);
    };
}

/// @param type of an extension @return what gives it to all switches
Configure
With(const std::string& type)
{
    return [=](FabricHelper& helper) { helper.AddSwitchExtension("ns3::" + type); };
}

/// Slower links.
void
At25(FabricHelper& helper)
{
    helper.SetLink("DataRate", StringValue("25Gbps"));
}

// ---- traffic

/// @param senders hosts 1 and so on @param bytes of each, to host 0 @param classes of the flows, in
/// turn @return what sends them
Part
Incast(uint32_t senders, uint64_t bytes, const std::vector<uint32_t>& classes = {3})
{
    return [=](EffectRun& run) {
        for (uint32_t host = 1; host <= senders; ++host)
        {
            run.Send(host, 0, bytes, classes[host % classes.size()]);
        }
    };
}

/// Hosts 1 to 4 send to host 0, two flows each.
void
SendPairs(EffectRun& run)
{
    for (uint32_t host = 1; host <= 4; ++host)
    {
        run.Send(host, 0, 200000);
        run.Send(host, 0, 200000);
    }
}

/// Hosts 1 to 3 send to host 0, and again when the first messages have arrived.
void
SendTwice(EffectRun& run)
{
    for (uint32_t host = 1; host <= 3; ++host)
    {
        const auto sender = run.Connect(host, 0).source;
        sender->Post({RdmaVerb::WRITE, 400000});
        EffectRun::At(MicroSeconds(1000), [=] { sender->Post({RdmaVerb::WRITE, 300000}); });
    }
}

/// Host 1 sends to host 0, host 0 to host 2, host 2 to host 1.
void
SendAround(EffectRun& run)
{
    run.Send(1, 0, 1000000);
    run.Send(0, 2, 1000000);
    run.Send(2, 1, 1000000);
}

/// Four flows between two leaves.
void
SendAcross(EffectRun& run)
{
    for (uint32_t host = 0; host < 4; ++host)
    {
        run.Send(host, 4 + host, 50000);
    }
}

/// Hosts of two leaves send to two hosts of a third.
void
SendAcrossToTwo(EffectRun& run)
{
    for (uint32_t host = 0; host < 8; ++host)
    {
        run.Send(host, 8 + host % 2, 150000);
    }
}

/// Every 10 us a host of two leaves sends to a host of a third, in turn.
void
SendOneByOne(EffectRun& run)
{
    for (uint32_t i = 0; i < 100; ++i)
    {
        const auto sender = run.Connect(i % 8, 8 + i % 4).source;
        EffectRun::At(MicroSeconds(10 * i), [=] { sender->Post({RdmaVerb::WRITE, 60000}); });
    }
}

/// Hosts of one leaf send to two hosts of the other.
void
SendManyWays(EffectRun& run)
{
    for (uint32_t host = 0; host < 4; ++host)
    {
        run.Send(host, 4 + host / 2, 200000);
    }
}

/// Host 0 reads from host 1, forty times at once.
void
Read(EffectRun& run)
{
    const auto reader = run.Connect(0, 1).source;
    for (uint32_t i = 0; i < 40; ++i)
    {
        reader->Post({RdmaVerb::READ, 10000});
    }
}

/// Three hosts send across a link, and one sends to the same host from behind it.
void
SendOverTwoHops(EffectRun& run)
{
    for (uint32_t host = 0; host < 3; ++host)
    {
        run.Send(host, 4, 300000);
    }
    run.Send(5, 4, 100000);
    run.Send(3, 6, 1000000);
}

/// Host 1 sends to host 0, which is busy with data of its own, of another class, before its ACKs.
void
SendToBusyHost(EffectRun& run)
{
    run.Send(1, 0, 400000);
    run.Send(0, 2, 400000, 4);
}

/// Host 1 sends once the run is on its way.
void
SendLate(EffectRun& run)
{
    EffectRun::At(MicroSeconds(10), [&run] { run.Send(1, 0, 20000); });
}

/// A flow begins at a port that is busy with another.
void
SendBeside(EffectRun& run)
{
    run.Send(1, 0, 200000);
    EffectRun::At(MicroSeconds(10), [&run] { run.Send(1, 2, 20000); });
}

/// Nobody posts a receive for a SEND, for two milliseconds.
void
SendTooEarly(EffectRun& run)
{
    const auto ends = run.Connect(1, 0);
    ends.source->Post({RdmaVerb::SEND, 5000});
    EffectRun::At(MilliSeconds(2), [=] {
        if (ends.destination->GetState() == RdmaQueuePair::READY)
        {
            ends.destination->PostReceive();
        }
    });
}

/// The receiver closes.
void
SendToNobody(EffectRun& run)
{
    const auto ends = run.Connect(1, 0);
    ends.source->Post({RdmaVerb::WRITE, 50000});
    EffectRun::At(MicroSeconds(2), [=] { ends.destination->Close(); });
}

/// Bursts of datagrams of two hosts, of class 2 by their DSCP.
void
SendDatagrams(EffectRun& run)
{
    const Fabric& fabric = run.GetFabric();
    for (const uint32_t host : {1, 2})
    {
        const auto socket =
            Socket::CreateSocket(fabric.GetHost(host), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(fabric.GetAddress(0), 4000));
        socket->SetIpTos(16 << 2);
        for (const int64_t us : {1, 40})
        {
            EffectRun::At(MicroSeconds(us), [=] {
                for (uint32_t i = 0; i < 60; ++i)
                {
                    socket->Send(Create<Packet>(1000));
                }
            });
        }
    }
}

// ---- parts

/// A stock IP stack at all hosts.
void
AddInternet(EffectRun& run)
{
    run.GetFabric().InstallInternet();
    InternetStackHelper().AssignStreams(run.GetFabric().GetHosts(), 5000);
}

/// Captures of all ports.
void
AddCaptures(EffectRun& run)
{
    std::filesystem::create_directories(run.GetFolder());
    run.GetFabric().EnablePcap(run.GetFolder() + "/effect");
}

/// Note all bytes captured at a port. @param port "node-port"
void
ReadCapture(EffectRun& run, const std::string& port)
{
    run.GetFabric().FlushCaptures();
    std::ifstream file(run.GetFolder() + "/effect-" + port + ".pcap", std::ios::binary);
    run.Log() << file.rdbuf();
}

/// Note all bytes captured at host 0.
void
ReadCaptures(EffectRun& run)
{
    ReadCapture(run, "0-0");
}

/// Leaves whose tunnels meet in a spine, node 6. @param helper makes it @return the fabric
Fabric
Tunnels(FabricHelper& helper)
{
    helper.AddSwitchExtension("ns3::VxlanEndpoint");
    return helper.LeafSpine(2, 1, 2);
}

/// Note all bytes captured at the spine.
void
ReadSpine(EffectRun& run)
{
    ReadCapture(run, "6-0");
}

/// VXLAN net devices on all hosts, and captures.
void
AddOverlay(EffectRun& run)
{
    AddInternet(run);
    VxlanHelper overlay(run.GetFabric());
    overlay.Install();
    for (const HostId host : run.GetFabric().Hosts())
    {
        run.Add(overlay.GetDevice(host));
    }
    AddCaptures(run);
}

/// Host 1 sends to host 0, and host 2 begins when the settings have been made.
void
SendOverlay(EffectRun& run)
{
    constexpr int64_t every = 5000; // us
    for (const uint32_t host : {1, 2})
    {
        const auto socket =
            Socket::CreateSocket(run.GetFabric().GetHost(host), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress("192.168.0.1", 9));
        for (int64_t at = host == 1 ? 1000 : 61000; at < 90000; at += every)
        {
            Simulator::ScheduleWithContext(host, MicroSeconds(at), [socket] {
                socket->Send(Create<Packet>(1000));
            });
        }
    }
}

/// Watchdogs in all switches, whose changes of state are noted.
void
AddWatchdogs(EffectRun& run)
{
    const Fabric& fabric = run.GetFabric();
    WatchdogHelper(fabric).InstallSwitches("TimeScale", StringValue("0.01"));
    for (const SwitchId which : fabric.Switches())
    {
        WatchdogHelper::GetWatchdogs(fabric, which)
            .at(0)
            ->TraceConnectWithoutContext(
                "State",
                Callback<void, uint32_t, uint32_t, PfcQueueState, PfcQueueState>(
                    [&run, which](uint32_t port, uint32_t cls, PfcQueueState, PfcQueueState to) {
                        run.Log() << Simulator::Now().GetPicoSeconds() << ' ' << which << ' '
                                  << port << ' ' << cls << ' ' << to << '\n';
                    }));
    }
}

/// A port pauses its peer from 1 ms to 5 ms. @param port it
void
Storm(const Ptr<QbbNetDevice>& port)
{
    EffectRun::At(MilliSeconds(1), [=] { port->OverridePause(BIT, 0); });
    EffectRun::At(MilliSeconds(5), [=] { port->OverridePause(0, 0); });
}

/// Watchdogs in switches, and a storm of host 0.
void
StormOfHost(EffectRun& run)
{
    AddWatchdogs(run);
    Storm(run.GetFabric().GetRdma(0)->GetDevice(0));
}

/// Watchdogs in switches, and a storm of switch 1 towards switch 0.
void
StormOfSwitch(EffectRun& run)
{
    AddWatchdogs(run);
    const FabricTopology& topology = run.GetFabric().GetTopology();
    const NodeId one = topology.GetSwitches()[1];
    const LinkId link = topology.FindLink(topology.GetSwitches()[0], one);
    Storm(run.GetFabric().GetDevice(one, topology.GetPort(one, link)));
}

/// A watchdog in each NIC, and a storm of host 0.
void
StormOfWatchedHost(EffectRun& run)
{
    ObjectFactory factory("ns3::NicWatchdog");
    for (const auto& [name, value] : run.Take("NicWatchdog"))
    {
        factory.Set(name, StringValue(value));
    }
    WatchdogHelper helper(run.GetFabric());
    helper.AddToHosts(helper.AllHosts(), factory);
    const auto watchdog = run.GetFabric().GetHost(0)->GetObject<NicWatchdog>();
    run.Add(watchdog);
    watchdog->TraceConnectWithoutContext(
        "Stopped",
        Callback<void, uint32_t, uint8_t, bool>([&run](uint32_t, uint8_t, bool stopped) {
            run.Log() << Simulator::Now().GetPicoSeconds() << ' ' << stopped << '\n';
        }));
    Storm(run.GetFabric().GetRdma(0)->GetDevice(0));
}

/// Let the log hold what the host agents of iNOF tell. @param run it @param agent of a host
void
Listen(EffectRun& run, const Ptr<InofHostAgent>& agent)
{
    const uint32_t id = agent->GetId();
    agent->TraceConnectWithoutContext(
        "PeerUp",
        Callback<void, const InofHostInfo&>([&run, id](const InofHostInfo& peer) {
            run.Log() << Simulator::Now().GetPicoSeconds() << ' ' << id << " +" << peer.id << ' '
                      << static_cast<uint32_t>(peer.role) << '\n';
        }));
    agent->TraceConnectWithoutContext("PeerDown",
                                      Callback<void, const InofHostInfo&, InofReason>(
                                          [&run, id](const InofHostInfo& peer, InofReason reason) {
                                              run.Log()
                                                  << Simulator::Now().GetPicoSeconds() << ' ' << id
                                                  << " -" << peer.id << ' ' << reason << '\n';
                                          }));
}

/// iNOF across two leaves: at 20 ms leaf 0 restarts its control plane, at 100 ms a host falls
/// silent, at 150 ms and 170 ms the link of leaf 1 to the reflector fails and comes back.
void
AddInof(EffectRun& run)
{
    const Fabric& fabric = run.GetFabric();
    const auto inof = std::make_shared<InofHelper>(fabric);
    run.Keep(inof);
    inof->SetReflectors({2});
    for (const auto& [name, value] : run.Take("InofSwitchAgent"))
    {
        inof->SetSwitch(name, StringValue(value));
    }
    for (const auto& [name, value] : run.Take("InofHostAgent"))
    {
        inof->SetHost(name, StringValue(value));
    }
    inof->Install();
    for (const HostId host : fabric.Hosts())
    {
        run.Add(inof->GetHostAgent(host));
        Listen(run, inof->GetHostAgent(host));
    }
    const FabricTopology& topology = fabric.GetTopology();
    const auto& switches = topology.GetSwitches();
    const LinkId uplink = topology.FindLink(switches[1], switches[2]);
    EffectRun::At(MilliSeconds(20), [=] { inof->GetSwitchAgent(0)->Restart(MilliSeconds(50)); });
    EffectRun::At(MilliSeconds(100), [=] { inof->GetHostAgent(3)->Crash(); });
    EffectRun::At(MilliSeconds(150), [=] { fabric.SetLinkUp(uplink, false); });
    EffectRun::At(MilliSeconds(170), [=] { fabric.SetLinkUp(uplink, true); });
}

/// A detector, whose deadlocks are noted.
void
AddDetector(EffectRun& run)
{
    const auto detector = DeadlockHelper(run.GetFabric()).InstallDetector();
    run.Add(detector);
    detector->TraceConnectWithoutContext(
        "Deadlock",
        Callback<void, const Deadlock&>([&run](const Deadlock& deadlock) {
            run.Log() << Simulator::Now().GetPicoSeconds() << ' ' << deadlock.frames << ' '
                      << deadlock.flushedFrames << '\n';
        }));
}

/// Put a frame into the queue of a host. @param fabric where @param to address @param cls class
void
Push(const Fabric& fabric, uint32_t to, uint8_t cls)
{
    const auto device = fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(0)), 0);
    auto* frame = new Frame;
    frame->kind = FrameKind::ROCE;
    frame->bytes = 1000;
    frame->src = fabric.GetAddress(0).Get();
    frame->dst = to;
    frame->trafficClass = cls;
    const RdmaMarking marking = RdmaMarking::FromMap(*device->GetTrafficClassMap(), cls);
    frame->dscp = marking.dscp;
    frame->pcp = marking.pcp;
    frame->tagged = marking.tagged;
    device->Queues().Push(frame);
    device->Kick();
}

/// Host 3 dies at the begin, and the others go on; at 40 us there is a broadcast.
void
KillReceiver(EffectRun& run)
{
    const Fabric fabric = run.GetFabric();
    const auto faults = std::make_shared<FaultHelper>(fabric);
    run.Keep(faults);
    faults->KillHost(3, Time(0));
    EffectRun::At(MicroSeconds(40), [=] {
        Push(fabric, 0xffffffff, 0);
        Push(fabric, 0xffffffff, 3);
    });
}

/// Losses of each kind at the ports of hosts.
void
AddLosses(EffectRun& run)
{
    const Fabric& fabric = run.GetFabric();
    const auto add = [&](uint32_t host, const Ptr<FrameLoss>& loss) {
        fabric.GetRdma(host)->GetDevice(0)->AddReceiveLoss(loss);
        loss->AssignStreams(7000 + host);
        run.Add(loss);
    };
    for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
    {
        add(host, CreateObject<XonLoss>());
        add(host, CreateObject<RandomFrameLoss>());
    }
    add(0, CreateObject<IpIdLoss>());
    add(0, CreateObject<ErrorModelLoss>());
}

/// A receive pipeline at host 0.
void
AddReceiveBuffer(EffectRun& run)
{
    const auto buffer = CreateObject<NicReceiveBuffer>();
    for (const auto& [name, value] : run.Take("NicReceiveBuffer"))
    {
        buffer->SetAttribute(name, StringValue(value));
    }
    run.GetFabric().GetRdma(0)->SetReceiveBuffer(0, buffer);
    run.Add(buffer);
}

/// Advisors and rules by themselves, which are asked every 10 us.
void
AddAdvisors(EffectRun& run)
{
    const auto rule = CreateObject<TrendCnpRule>();
    run.Add(rule);
    for (int64_t us = 10; us <= 60; us += 10)
    {
        EffectRun::At(MicroSeconds(us), [&run, rule] {
            run.Log() << rule->Count({0, 3, 700, 600, 1000, 8}) << ' '
                      << rule->Count({0, 3, 700, 800, 1000, 8}) << '\n';
        });
    }
    for (const Ptr<EcnThresholdAdvisor>& advisor :
         {Ptr<EcnThresholdAdvisor>(CreateObject<RuleEcnThresholdAdvisor>()),
          Ptr<EcnThresholdAdvisor>(CreateObject<TableEcnAdvisor>())})
    {
        run.Add(advisor);
        for (int64_t us = 10; us <= 60; us += 10)
        {
            EffectRun::At(MicroSeconds(us), [&run, advisor] {
                run.Log() << advisor->Advise({100000, 25e9, 0.5, 0.5, 40e-6, 4, 4}) << '\n';
            });
        }
    }
}

/// Port groups, or tags, at a switch that sees ports 0 and 1 as one group, or as ports upwards.
/// @param extension of a new switch
void
AddRewriter(EffectRun& run, const Ptr<SwitchExtension>& extension)
{
    run.GetFabric().GetSwitch(0)->AddExtension(extension);
}

/// Note the path identifiers that packets with INT carry.
void
NotePathIds(EffectRun& run)
{
    run.GetFabric().GetRdma(0)->GetDevice(0)->GetPeer()->TraceConnectWithoutContext(
        "FrameTx",
        Callback<void, const QbbNetDevice&, const Frame&>(
            [&run](const QbbNetDevice&, const Frame& frame) {
                if (frame.telemetryKind == TelemetryKind::INT)
                {
                    run.Log() << frame.telemetry.hops.pathId << ' ';
                }
            }));
}

/// Messages with and without immediate data over queue pairs of MRC, of which some meet.
void
SendOverPlanes(EffectRun& run)
{
    for (uint32_t host = 0; host < 4; ++host)
    {
        const auto ends = run.Connect(host, 4 + host / 2, 3);
        ends.destination->PostReceive(8);
        ends.source->Post({RdmaVerb::WRITE, 1500000});
        for (uint32_t message = 0; message < 8; ++message)
        {
            ends.source->Post({RdmaVerb::WRITE_IMM, 20000});
        }
    }
}

/// @return scenes of links, switches and queue pairs
std::vector<EffectScene>
MakeTrafficScenes()
{
    const std::string fixed = "RdmaFixedRate; RdmaQueuePair::RetransmitTimeout=200us";
    const Configure weights = [](FabricHelper& helper) {
        helper.SetScheduler("ns3::DwrrScheduler");
    };
    const Configure shapers = [](FabricHelper& helper) {
        helper.SetScheduler("ns3::ShapedScheduler", "StrictClasses", UintegerValue(1 << 4));
    };
    const Configure tuner = [](FabricHelper& helper) {
        At25(helper);
        helper.AddSwitchExtension("ns3::EcnTuner");
    };
    const Configure separator = [](FabricHelper& helper) {
        helper.SetEcn("ns3::ColouredWredMarker");
        helper.AddSwitchExtension("ns3::ElephantSeparator");
    };
    const Configure slow = [](FabricHelper& helper) {
        At25(helper);
        helper.AddSwitchExtension("ns3::SwitchCnpSender");
    };
    const Build leaves = [](FabricHelper& helper) { return helper.LeafSpine(2, 4, 4); };
    const Build fewBuffers = [](FabricHelper& helper) {
        helper.AllowLossy();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2000000"));
        return helper.LeafSpine(3, 4, 4);
    };
    const Build conga = [](FabricHelper& helper) {
        helper.SetLoadBalancer("ns3::CongaLoadBalancer");
        helper.AddSwitchExtension("ns3::CongaSwitch");
        return helper.LeafSpine(3, 4, 4);
    };
    const Build conweave = [](FabricHelper& helper) {
        helper.SetLoadBalancer("ns3::ConWeaveLoadBalancer");
        helper.AddSwitchExtension("ns3::ConWeaveSwitch");
        helper.At("spine 0 to leaf 2").Set("ns3::QbbNetDevice::DataRate", StringValue("10Gbps"));
        helper.At("leaf 2 to spine 0").Set("ns3::QbbNetDevice::DataRate", StringValue("10Gbps"));
        return helper.LeafSpine(3, 2, 4);
    };
    const Build twoSwitches = [](FabricHelper& helper) {
        return helper.Dumbbell(4, 3, DataRate("100Gbps"));
    };
    const Build few = [](FabricHelper& helper) { return helper.Star(3); };
    const Build trimming = [](FabricHelper& helper) {
        helper.SetLosslessClasses({});
        helper.AddSwitchExtension("ns3::TrimSwitch");
        return helper.Dumbbell(4, 3, DataRate("100Gbps"));
    };
    const Build planes = [](FabricHelper& helper) {
        helper.SetMrc(MicroSeconds(10));
        helper.SetLink("ErrorRate", DoubleValue(0.003));
        return helper.MultiPlane(2, 2, 2, 4);
    };
    const Build named = [](FabricHelper& helper) {
        helper.SetMrc(MicroSeconds(10), RdmaMrc::SRV6);
        return helper.MultiPlane(2, 2, 2, 4);
    };
    return {
        {"planes", 25, 3000, "RdmaMrc", planes, nullptr, SendOverPlanes},
        {"named planes", 25, 3000, "RdmaMrc", named, nullptr, SendOverPlanes},
        {"incast", 25, 2000, "", Star(9, "2000000"), NotePathIds, Incast(8, 200000)},
        {"classes",
         25,
         2000,
         "",
         Star(5, "3000000", {3, 4}, weights),
         nullptr,
         Incast(4, 200000, {3, 4})},
        {"shapers",
         25,
         2000,
         "",
         Star(5, "3000000", {3, 4}, shapers),
         nullptr,
         Incast(4, 200000, {3, 4})},
        {"lossy", 25, 5000, fixed, Star(5, "1000000"), nullptr, Incast(4, 300000, {2})},
        {"paths", 3, 500, "", leaves, nullptr, SendAcross},
        {"conga", 300, 2000, "RdmaFixedRate::Rate=30Gbps", conga, nullptr, SendOneByOne},
        {"conweave", 300, 4000, "RdmaFixedRate::Rate=30Gbps", conweave, nullptr, SendOneByOne},
        {"crowded paths", 20, 3000, "RdmaFixedRate", fewBuffers, nullptr, SendAcrossToTwo},
        {"many ways",
         3,
         1000,
         "RdmaIrn::ReorderThreshold=100; WredEcnMarker::Kmin=2000; WredEcnMarker::Kmax=10000; "
         "WredEcnMarker::Pmax=1",
         leaves,
         nullptr,
         SendManyWays},
        {"reads", 5, 2000, "", few, nullptr, Read},
        {"bottleneck", 60, 2000, "", Star(5, "2000000", {3}, At25), nullptr, SendPairs},
        {"marks",
         60,
         2000,
         "WredEcnMarker::Kmin=5000; WredEcnMarker::Kmax=30000",
         Star(5, "2000000", {3}, At25),
         nullptr,
         SendPairs},
        {"two hops", 60, 2000, "", twoSwitches, nullptr, SendOverTwoHops},
        {"busy host",
         20,
         2000,
         "RdmaQueuePair::AckClass=0",
         Star(3, "4000000", {3, 4}),
         nullptr,
         SendToBusyHost},
        {"latecomer", 5, 2000, "", few, nullptr, SendLate},
        {"newcomer", 5, 2000, "", few, nullptr, SendBeside},
        {"early", 5, 8000, "", few, nullptr, SendTooEarly},
        {"nobody", 5, 8000, fixed, few, nullptr, SendToNobody},
        {"sockets", 25, 500, "", Star(3, "2000000"), AddInternet, SendDatagrams},
        {"capture", 5, 500, "", Star(3, "2000000"), AddCaptures, Incast(2, 50000), ReadCaptures},
        {"receiver",
         25,
         3000,
         "NicReceiveBuffer::BufferBytes=300000",
         Star(5, "2000000"),
         AddReceiveBuffer,
         Incast(4, 100000)},
        {"losses",
         25,
         3000,
         "RdmaQueuePair::RetransmitTimeout=100us",
         Star(9, "2000000"),
         AddLosses,
         Incast(8, 200000)},
        {"tuner",
         60,
         2000,
         "EcnTuner::Interval=20us; EcnTuner::ElephantBytes=50000",
         Star(5, "2000000", {3}, tuner),
         nullptr,
         SendPairs},
        {"elephants",
         3,
         3000,
         "ElephantSeparator::ElephantBytes=50000; ElephantSeparator::Move=Immediate",
         Star(4, "4000000", {3, 4, 5}, separator),
         nullptr,
         SendTwice},
        {"colours",
         3,
         3000,
         "RdmaFixedRate; ElephantSeparator::ElephantColour=Yellow; "
         "ElephantSeparator::MouseClass=1; ElephantSeparator::ElephantClass=1; "
         "ElephantSeparator::Condition=Bytes; "
         "ElephantSeparator::ElephantBytes=50000; RdmaQueuePair::RetransmitTimeout=200us",
         Star(5, "1300000", {3, 4}, separator),
         nullptr,
         Incast(4, 300000, {1})},
        {"polled",
         25,
         2000,
         "PolledWredMarker::PollInterval=5us",
         Star(9, "2000000", {3}, With("PolledWredMarker")),
         nullptr,
         Incast(8, 200000)},
        {"cnps",
         60,
         2000,
         "RdmaDcqcn::Dialect=Paper; SwitchCnpSender::Interval=20us; "
         "SwitchCnpSender::LimitBytes=50000",
         Star(9, "2000000", {3}, slow),
         nullptr,
         Incast(8, 100000)},
        {"trims",
         4,
         2000,
         "RdmaFixedRate; RdmaIrn; TrimSwitch::BaseRtt=2us",
         trimming,
         nullptr,
         SendOverTwoHops},
        {"advice", 35, 100, "", few, AddAdvisors, [](EffectRun&) {}},
    };
}

/// @return scenes of storms, deadlocks, faults and iNOF
std::vector<EffectScene>
MakeSafetyScenes()
{
    const std::string slow = "RdmaFixedRate::Rate=1Gbps";
    const std::string storm = slow + "; PfcWatchdog::DetectionTime=40ms; "
                                     "PfcWatchdog::RestorationTime=40ms; "
                                     "PfcWatchdog::PollInterval=20ms";
    const std::string h3c = slow + "; PfcWatchdog::Dialect=ns3::H3cStorm; "
                                   "PfcWatchdog::DetectionTime=40ms; PfcWatchdog::ClearTime=40ms";
    const Build leaves = [](FabricHelper& helper) { return helper.LeafSpine(2, 1, 2); };
    const Build few = [](FabricHelper& helper) { return helper.Star(3); };
    const Build two = [](FabricHelper& helper) {
        return helper.Dumbbell(1, 1, DataRate("100Gbps"));
    };
    const Build ring = [](FabricHelper& helper) {
        helper.AllowLossy();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1MiB"));
        FabricLinkSpec link;
        link.rate = DataRate("40Gbps");
        const Fabric fabric = helper.FromTopology(MakeRing(4, 2, link, link));
        RouteRound(fabric, 4, 2);
        return fabric;
    };
    const Part round = [](EffectRun& run) {
        for (uint32_t host = 0; host < 8; ++host)
        {
            run.Send(host, (host + 4) % 8, 2000000);
        }
    };
    const Part one = [](EffectRun& run) { run.Send(0, 1, 1000000); };
    const Part toDead = [](EffectRun& run) {
        run.Send(0, 3, 20000);
        run.Send(1, 2, 100000);
    };
    const Part bounce = [](EffectRun& run) {
        run.Send(0, 1, 50000, 3);
        run.Send(0, 1, 50000, 4);
    };
    const Part remap = [](EffectRun& run) { AddRewriter(run, CreateObject<PortGroupRemap>()); };
    const Part tagger = [](EffectRun& run) {
        const auto extension =
            CreateObjectWithAttributes<Tagger>("TagDscps", StringValue("0:24, 1:32"));
        extension->SetUpDown({Tagger::UP, Tagger::UP, Tagger::DOWN});
        AddRewriter(run, extension);
    };
    const std::string retry = "RdmaQueuePair::RetransmitTimeout=20us";
    const std::string groups = "PortGroupRemap::Groups=0:1, 1:1; PortGroupRemap::DscpMap=24:32";
    const auto rewritten = Star(3, "4000000", {3, 4, 5});
    return {
        {"storm", 500, 8000, storm, Star(3, "4MiB"), StormOfHost, SendAround},
        {"idle storm", 500, 8000, storm, Star(3, "4MiB"), StormOfHost, [](EffectRun&) {}},
        {"h3c storm", 500, 8000, h3c, Star(3, "4MiB"), StormOfHost, SendAround},
        {"storm inside", 500, 8000, storm, two, StormOfSwitch, one},
        {"nic",
         500,
         8000,
         slow + "; NicWatchdog::TimeScale=0.005",
         Star(3, "4MiB"),
         StormOfWatchedHost,
         SendAround},
        {"inof",
         5000,
         300000,
         "InofHostAgent::HelloInterval=5ms; InofSwitchAgent::HelloInterval=5ms",
         leaves,
         AddInof,
         [](EffectRun&) {}},
        {"ring",
         50,
         3000,
         "RdmaFixedRate; RdmaQueuePair::RetransmitTimeout=0; DeadlockDetector::Period=100us",
         ring,
         AddDetector,
         round},
        {"dead host",
         30,
         2000,
         retry,
         Star(4, "4000000", {3}, With("L2Tables")),
         KillReceiver,
         toDead},
        {"groups", 3, 500, groups, rewritten, remap, bounce},
        {"tags", 3, 500, "", rewritten, tagger, bounce},
        {"ttl", 3, 500, "", Star(3, "4000000", {3}, With("TtlLimiter")), nullptr, Incast(2, 50000)},
        {"tunnel", 25, 2000, "", Tunnels, AddCaptures, Incast(3, 200000), ReadSpine},
        {"overlay", 50000, 100000, "", few, AddOverlay, SendOverlay, ReadCaptures},
        {"border",
         3,
         500,
         "",
         Star(3, "4000000", {3}, With("BorderPolicy")),
         nullptr,
         Incast(2, 50000)},
        {"vlans",
         3,
         500,
         "",
         Star(3, "4000000", {3}, With("VlanPorts")),
         AddCaptures,
         Incast(2, 50000),
         ReadCaptures},
    };
}

} // namespace

const std::vector<EffectScene>&
GetEffectScenes()
{
    static const std::vector<EffectScene> scenes = [] {
        std::vector<EffectScene> all = MakeTrafficScenes();
        const auto others = MakeSafetyScenes();
        all.insert(all.end(), others.begin(), others.end());
        return all;
    }();
    return scenes;
}

} // namespace tests
} // namespace ns3

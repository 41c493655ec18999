// SPDX-License-Identifier: GPL-2.0-only
#include "socket-flow-helper.h"

#include "application-checks.h"
#include "loss-check.h"
#include "lossy-class.h"
#include "start-hint.h"
#include "stock-application.h"
#include "tcp-flow-source.h"

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/onoff-application.h"
#include "ns3/packet.h"
#include "ns3/seq-ts-size-header.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/type-id.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SocketFlowHelper");

namespace
{

/// Headers of IPv4 and of TCP with timestamps, bytes.
constexpr uint32_t TCP_HEADERS = 20 + 32;

/// Headers of IPv4 and of UDP, bytes.
constexpr uint32_t UDP_HEADERS = 20 + 8;

/// Buffers of a TCP socket, bytes: 400 us at 80 Gb/s.
constexpr uint64_t TCP_BUFFER_BYTES = 4 << 20;

/// An attribute that a connection must have before it begins, and a listening socket cannot take.
bool
IsOfSender(const std::string& name)
{
    return name == "SegmentSize" || name == "InitialCwnd" || name == "InitialSlowStartThreshold";
}

/// @param attributes of a TCP socket @param name one that is a whole number @return its value, or
/// the default of new sockets
uint64_t
NumberOf(const SocketFlowHelper::Attributes& attributes, const std::string& name)
{
    TypeId::AttributeInformation info;
    TcpSocketBase::GetTypeId().LookupAttributeByName(name, &info);
    Ptr<const AttributeValue> value = info.initialValue;
    for (const auto& [given, next] : attributes)
    {
        value = given == name ? Ptr<const AttributeValue>(next) : value;
    }
    const auto* const number = dynamic_cast<const UintegerValue*>(PeekPointer(value));
    return number ? number->Get() : std::stoull(value->SerializeToString(info.checker));
}

/// Make the listening socket of a sink like the sending one.
void
PrepareListener(const Ptr<PacketSink>& sink, const TcpFlowSource::Options& options)
{
    const auto socket = DynamicCast<TcpSocketBase>(sink->GetListeningSocket());
    if (!socket)
    {
        return; // it was stopped before its start
    }
    TcpFlowSource::MarkPackets(socket, options.tos);
    for (const auto& [name, value] : options.attributes)
    {
        if (!IsOfSender(name))
        {
            socket->SetAttribute(name, *value);
        }
    }
    if (!options.congestion.empty())
    {
        // DCTCP answers marks in a way of its own.
        const ObjectFactory factory(options.congestion);
        socket->SetCongestionControlAlgorithm(factory.Create<TcpCongestionOps>());
    }
}

/// Let a source end with a shorter packet where its bytes are no whole number of packets; by itself
/// it would send a whole one. It comes when a whole one would.
void
ShortenLastPacket(const Ptr<OnOffApplication>& source, uint64_t bytes, uint32_t packetBytes)
{
    const uint64_t rest = bytes % packetBytes;
    if (rest == 0)
    {
        return;
    }
    BooleanValue hasHeader;
    source->GetAttribute("EnableSeqTsSizeHeader", hasHeader);
    const uint64_t header = hasHeader.Get() ? SeqTsSizeHeader().GetSerializedSize() : 0;
    if (rest < header)
    {
        throw FabricError("the last UDP packet has " + std::to_string(rest) +
                              " bytes, less than its header",
                          "with EnableSeqTsSizeHeader it needs " + std::to_string(header) +
                              ": choose another size");
    }
    if (bytes == rest)
    {
        source->SetAttribute("PacketSize", UintegerValue(rest));
        return;
    }
    const auto left = std::make_shared<uint64_t>(bytes);
    OnOffApplication* const self = PeekPointer(source);
    const auto sent = [left, rest, self](const Ptr<const Packet>& packet) {
        *left -= std::min<uint64_t>(*left, packet->GetSize());
        if (*left == rest)
        {
            // Not at once: the source has still to count the packet.
            const Ptr<OnOffApplication> later(self);
            Simulator::ScheduleNow(
                [later, rest] { later->SetAttribute("PacketSize", UintegerValue(rest)); });
        }
    };
    source->TraceConnectWithoutContext("Tx", Callback<void, Ptr<const Packet>>(sent));
}

/// Call something after the applications of a host that start at a time have started. Twice in the
/// context of the host, since events of no node come first in canonical order, and since an
/// application that was made within an event needs one more for its start. @param host the host
/// @param start the time @param call what to do
void
CallAfterStart(const Ptr<Node>& host, Time start, const std::function<void()>& call)
{
    Simulator::ScheduleWithContext(host->GetId(), start - Simulator::Now(), [call] {
        Simulator::ScheduleNow(call);
    });
}

} // namespace

SocketFlowHelper::SocketFlowHelper(const Fabric& fabric, Time begin)
    : m_fabric(fabric),
      m_begin(begin)
{
}

// ---- checks

void
SocketFlowHelper::RequireTimes(Time start, Time stop) const
{
    if (start < Simulator::Now())
    {
        throw FabricError("an application starts in the past",
                          StartHint("its start", start - m_begin));
    }
    if (!stop.IsZero() && stop <= start)
    {
        throw FabricError("an application stops before it starts",
                          "its stop counts from the begin of the run");
    }
}

uint8_t
SocketFlowHelper::TosOf(HostId host, uint32_t cls) const
{
    if (cls >= TRAFFIC_CLASSES)
    {
        throw FabricError("class " + std::to_string(cls), "classes are 0 to 7");
    }
    const NodeId node = m_fabric.GetTopology().NodeOf(host);
    const auto map = m_fabric.GetDevice(node, 0)->GetTrafficClassMap();
    const uint8_t dscp = map->DscpOfClass(static_cast<uint8_t>(cls));
    if (map->GetTrust() != TrafficClassMap::DSCP || map->ClassOfDscp(dscp) != cls)
    {
        throw FabricError(
            "no DSCP stands for class " + std::to_string(cls) + " at " + host.Name(),
            "TCP and UDP are told apart by DSCP: set Trust and Dscp of its class map");
    }
    return static_cast<uint8_t>(dscp << 2);
}

void
SocketFlowHelper::Prepare(SocketFlow::Plan& plan)
{
    RequireOpen("a flow");
    plan.start += m_begin;
    plan.stop += plan.stop.IsZero() ? Time(0) : m_begin;
    m_fabric.GetPortPairs(plan.source, plan.destination);
    RequireTimes(plan.start, plan.stop);
    TosOf(plan.source, plan.trafficClass);
    NoteIpSender(m_fabric, plan.source, static_cast<uint8_t>(plan.trafficClass));
    m_fabric.InstallInternet();
}

// ---- flows

void
SocketFlowHelper::Install(const Ptr<Node>& host,
                          const Ptr<Application>& application,
                          Time start,
                          Time stop)
{
    // Times of an application count from its installation.
    application->SetStartTime(start - Simulator::Now());
    if (!stop.IsZero())
    {
        application->SetStopTime(stop - Simulator::Now());
    }
    host->AddApplication(application);
}

InetSocketAddress
SocketFlowHelper::TakePort(const SocketFlow::Plan& plan)
{
    for (int tries = 0; tries <= LAST_PORT - FIRST_PORT; ++tries)
    {
        const uint16_t port = m_nextPort;
        m_nextPort = port == LAST_PORT ? FIRST_PORT : static_cast<uint16_t>(port + 1);
        if (m_ports.insert({plan.destination, plan.isTcp, port}).second)
        {
            return {m_fabric.GetAddress(plan.destination), port};
        }
    }
    throw FabricError("all ports of " + plan.destination.Name() + " are taken",
                      "it can receive " + std::to_string(LAST_PORT - FIRST_PORT + 1) + " flows");
}

Ptr<PacketSink>
SocketFlowHelper::MakeSink(const SocketFlow::Plan& plan, uint16_t port)
{
    ObjectFactory factory("ns3::PacketSink");
    factory.Set(
        "Protocol",
        TypeIdValue(plan.isTcp ? TcpSocketFactory::GetTypeId() : UdpSocketFactory::GetTypeId()));
    factory.Set("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), port)));
    const auto sink = factory.Create<PacketSink>();
    Install(m_fabric.GetHost(plan.destination), sink, plan.start, Time(0));
    return sink;
}

SocketFlowHelper::Attributes
SocketFlowHelper::TcpAttributes(const SocketFlow::Plan& plan, const Attributes& attributes) const
{
    const TypeId type = TcpSocketBase::GetTypeId();
    const FabricTopology& topology = m_fabric.GetTopology();
    const uint32_t mtu =
        std::min(m_fabric.GetDevice(topology.NodeOf(plan.source), 0)->GetMtu(),
                 m_fabric.GetDevice(topology.NodeOf(plan.destination), 0)->GetMtu());
    const uint64_t segment = mtu > 2 * TCP_HEADERS ? mtu - TCP_HEADERS : TCP_HEADERS;
    Attributes all;
    for (const auto& [name, value] :
         {std::pair<std::string, uint64_t>{"SegmentSize", segment},
          std::pair<std::string, uint64_t>{"SndBufSize", TCP_BUFFER_BYTES},
          std::pair<std::string, uint64_t>{"RcvBufSize", TCP_BUFFER_BYTES}})
    {
        if (!FabricAttributes::DefaultChanged(type, name))
        {
            all.emplace_back(name, Create<UintegerValue>(value));
        }
    }
    for (const auto& [name, value] : attributes)
    {
        all.emplace_back(name, FabricAttributes::Check(type, name, *value));
    }
    return all;
}

std::shared_ptr<SocketFlow>
SocketFlowHelper::AddTcp(SocketFlow::Plan plan,
                         const std::string& congestionControl,
                         const Attributes& attributes)
{
    plan.isTcp = true;
    Prepare(plan);
    TcpFlowSource::Options options;
    options.tos = TosOf(plan.source, plan.trafficClass);
    options.bytes = plan.bytes;
    if (!congestionControl.empty())
    {
        const TypeId type =
            FabricAttributes::FindType(congestionControl, TcpCongestionOps::GetTypeId());
        // TcpCubic of ns-3.37 gives a wrong parent.
        if (!type.HasConstructor() ||
            !DynamicCast<TcpCongestionOps>(ObjectFactory(type.GetName()).Create<Object>()))
        {
            throw FabricError(type.GetName() + " is no congestion control of TCP",
                              "name one such as ns3::TcpCubic");
        }
        options.congestion = type.GetName();
    }
    options.attributes = TcpAttributes(plan, attributes);
    const uint64_t segment = NumberOf(options.attributes, "SegmentSize");
    NoteIpPackets(m_fabric,
                  plan.source,
                  plan.destination,
                  TCP_HEADERS + (plan.bytes ? std::min(plan.bytes, segment) : segment));
    const InetSocketAddress peer = TakePort(plan);
    options.peer = peer;
    const auto sink = MakeSink(plan, peer.GetPort());
    const auto source = CreateObject<TcpFlowSource>();
    source->Setup(options);
    auto flow = Keep(std::make_shared<SocketFlow>(plan), source, sink);
    // The start of the sink makes its socket.
    CallAfterStart(m_fabric.GetHost(plan.destination), plan.start, [sink, options] {
        PrepareListener(sink, options);
    });
    return flow;
}

std::shared_ptr<SocketFlow>
SocketFlowHelper::AddUdp(SocketFlow::Plan plan,
                         const DataRate& rate,
                         uint32_t packetBytes,
                         const Attributes& attributes)
{
    plan.isTcp = false;
    Prepare(plan);
    if (rate.GetBitRate() == 0)
    {
        throw FabricError("UDP at a rate of 0", "it must be above 0");
    }
    if (packetBytes == 0 || packetBytes > StockApplication::MOST_UDP_BYTES)
    {
        throw FabricError("UDP packets of " + std::to_string(packetBytes) + " bytes",
                          "they have 1 to " + std::to_string(StockApplication::MOST_UDP_BYTES) +
                              " bytes of payload");
    }
    ObjectFactory factory("ns3::OnOffApplication");
    factory.Set("DataRate", DataRateValue(rate));
    factory.Set("PacketSize", UintegerValue(packetBytes));
    factory.Set("MaxBytes", UintegerValue(plan.bytes));
    factory.Set("OnTime", StringValue("ns3::ConstantRandomVariable[Constant=1]"));
    factory.Set("OffTime", StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    factory.Set("Protocol", TypeIdValue(UdpSocketFactory::GetTypeId()));
    for (const auto& [name, value] : attributes)
    {
        FabricAttributes::Set(factory, name, *value);
    }
    const InetSocketAddress peer = TakePort(plan);
    factory.Set("Remote", AddressValue(peer));
    const auto source = factory.Create<OnOffApplication>();
    ShortenLastPacket(source, plan.bytes, packetBytes);
    RequireRunnable(*source);
    ReservePort(plan.source, *source);
    UintegerValue payload; // an attribute may have changed it
    source->GetAttribute("PacketSize", payload);
    NoteIpPackets(m_fabric, plan.source, plan.destination, UDP_HEADERS + payload.Get());
    const auto sink = MakeSink(plan, peer.GetPort());
    auto flow = Keep(std::make_shared<SocketFlow>(plan), source, sink);
    const uint8_t tos = TosOf(plan.source, plan.trafficClass);
    // Its socket is there when it has started, and it sends nothing at once.
    CallAfterStart(m_fabric.GetHost(plan.source), plan.start, [flow, source, tos] {
        if (const auto socket = source->GetSocket()) // else stopped before its start
        {
            socket->SetIpTos(tos);
            flow->Started();
        }
    });
    return flow;
}

std::shared_ptr<SocketFlow>
SocketFlowHelper::Keep(const std::shared_ptr<SocketFlow>& flow,
                       const Ptr<Application>& source,
                       const Ptr<PacketSink>& sink)
{
    const SocketFlow::Plan& plan = flow->GetPlan();
    Install(m_fabric.GetHost(plan.source), source, plan.start, plan.stop);
    AssignLater(*source);
    const std::size_t index = m_flows.size();
    m_flows.push_back(flow);
    Plan(m_fabric);
    flow->Watch(source,
                sink,
                m_guard.Wrap([this, index] { TellStarted(ToItem(index)); }),
                m_guard.Wrap([this, index] { TellEnded(ToItem(index)); }));
    return flow;
}

// ---- TrafficSource

void
SocketFlowHelper::Stop()
{
    NS_LOG_FUNCTION(this);
    for (const auto& flow : m_flows)
    {
        flow->Stop();
    }
    for (const auto& application : m_applications)
    {
        application->Initialize();
        application->Dispose();
    }
    m_applications.clear();
    m_starts.clear();
}

std::string
SocketFlowHelper::GetName() const
{
    return "sockets";
}

TrafficSource::Counts
SocketFlowHelper::GetCounts() const
{
    Counts counts;
    counts.added = m_flows.size();
    counts.expected = static_cast<double>(m_flows.size());
    for (const auto& flow : m_flows)
    {
        const SocketFlow::State state = flow->GetState();
        counts.started += state != SocketFlow::NOT_STARTED;
        counts.completed += state == SocketFlow::COMPLETED;
        counts.failed += state == SocketFlow::FAILED || state == SocketFlow::STOPPED;
    }
    return counts;
}

bool
SocketFlowHelper::IsAwaited() const
{
    return std::any_of(m_flows.begin(), m_flows.end(), [](const auto& flow) {
        return flow->IsAwaited();
    });
}

Time
SocketFlowHelper::GetNextActivity() const
{
    Time next = Time::Max();
    for (const auto& flow : m_flows)
    {
        next = flow->IsAwaited() ? std::min(next, flow->GetPlan().start) : next;
    }
    return std::max(next, Simulator::Now());
}

Time
SocketFlowHelper::GetFirstStart() const
{
    Time first = Simulator::Now();
    for (const auto& flow : m_flows)
    {
        first = std::min(first, flow->GetPlan().start);
    }
    return first;
}

bool
SocketFlowHelper::MayActByItself() const
{
    return IsAwaited(); // TCP has its timers
}

TrafficItem
SocketFlowHelper::ToItem(std::size_t index) const
{
    const SocketFlow& flow = *m_flows[index];
    const SocketFlow::Plan& plan = flow.GetPlan();
    TrafficItem item;
    item.id = index;
    item.source = plan.source;
    item.destination = plan.destination;
    item.bytes = plan.bytes;
    item.trafficClass = plan.trafficClass;
    item.start = plan.start;
    // The states of a socket flow have the names and the order of those of an item.
    item.state = static_cast<TrafficItem::State>(flow.GetState());
    item.end = item.state == TrafficItem::COMPLETED ? flow.GetCompleted() : Simulator::Now();
    return item;
}

uint64_t
SocketFlowHelper::CountFrom(Time time) const
{
    return TrafficSource::CountFrom(time) +
           static_cast<uint64_t>(std::count_if(m_starts.begin(), m_starts.end(), [&](Time start) {
               return start >= time;
           }));
}

void
SocketFlowHelper::ForEachUnfinished(const Unfinished& tell) const
{
    for (std::size_t index = 0; index < m_flows.size(); ++index)
    {
        const SocketFlow& flow = *m_flows[index];
        if (flow.GetState() != SocketFlow::COMPLETED)
        {
            const std::string progress = std::to_string(flow.GetBytesReceived()) + " bytes arrived";
            tell(ToItem(index), flow.GetReason().empty() ? progress : flow.GetReason());
        }
    }
}

} // namespace ns3

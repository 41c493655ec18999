// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-switch.h"

#include "switch-number.h"

#include "ns3/assert.h"
#include "ns3/credit-link.h"
#include "ns3/frame-trim.h"
#include "ns3/llr-link.h"
#include "ns3/log.h"
#include "ns3/lossless-link.h"
#include "ns3/node.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSwitch");

NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

namespace
{

/// @return whether a frame could carry a CE mark and does not yet
bool
IsMarkable(const Frame& frame)
{
    return frame.ecn == Ecn::ECT0 || frame.ecn == Ecn::ECT1;
}

} // namespace

TypeId
FabricSwitch::GetTypeId()
{
    static TypeId tid =
        AddParts(TypeId("ns3::FabricSwitch")
                     .SetParent<Object>()
                     .SetGroupName("Lossless")
                     .AddConstructor<FabricSwitch>())
            .AddTraceSource("Enqueue",
                            "A frame entered an egress queue: port, class, bytes in the queue.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_enqueueTrace),
                            "ns3::FabricSwitch::QueueTracedCallback")
            .AddTraceSource("Dequeue",
                            "A frame left an egress queue: port, class, bytes that remain.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_dequeueTrace),
                            "ns3::FabricSwitch::QueueTracedCallback")
            .AddTraceSource("EcnMark",
                            "A frame got a CE mark: port, class, bytes in the queue.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_markTrace),
                            "ns3::FabricSwitch::QueueTracedCallback")
            .AddTraceSource("Drop",
                            "A frame was dropped: ingress port, class, frame bytes, reason.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_dropTrace),
                            "ns3::FabricSwitch::DropTracedCallback");
    return tid;
}

FabricSwitch::FabricSwitch()
{
    m_mmuHot = PeekPointer(GetMmu());
    m_mmuHot->SetPauseSink(this);
}

FabricSwitch::~FabricSwitch() = default;

void
FabricSwitch::DoInitialize()
{
    if (GetEcnMarker()) // else disposed of: FabricHelper has refused the fabric
    {
        Start(); // also where it was called before: attributes may have been set since
    }
    Object::DoInitialize();
}

void
FabricSwitch::DoDispose()
{
    for (auto& device : m_devices)
    {
        device->SetOwner(nullptr, 0);
    }
    m_mmuHot->SetPauseSink(nullptr);
    m_devices.clear();
    m_ports.clear();
    m_balancerHot = nullptr;
    SwitchParts::DoDispose();
}

uint16_t
FabricSwitch::AddPort(Ptr<QbbNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    if (std::find(m_devices.begin(), m_devices.end(), device) != m_devices.end())
    {
        throw std::invalid_argument("FabricSwitch: the device is a port of the switch already");
    }
    if (m_devices.size() >= NO_PORT)
    {
        throw std::invalid_argument("FabricSwitch: more than 65535 ports");
    }
    const auto index = static_cast<uint16_t>(m_devices.size());
    m_mmuHot->SetPortCount(index + 1);
    m_devices.push_back(device);
    m_ports.emplace_back();
    m_ports.back().device = PeekPointer(device);
    m_flights.emplace_back();
    m_maps.emplace_back();
    m_counters.emplace_back();
    m_marksHeld.push_back(false);
    device->SetOwner(this, index);
    m_table.SetPortUp(index, device->IsLinkUp());
    m_started = false;
    return index;
}

uint32_t
FabricSwitch::GetNPorts() const
{
    return m_devices.size();
}

Ptr<QbbNetDevice>
FabricSwitch::GetPort(uint32_t port) const
{
    return m_devices.at(port);
}

ForwardingTable&
FabricSwitch::GetForwardingTable()
{
    return m_table;
}

ForwardingTable::GroupId
FabricSwitch::AddGroup(const std::vector<uint16_t>& ports)
{
    for (auto port : ports)
    {
        if (port >= m_devices.size())
        {
            throw std::invalid_argument("FabricSwitch: a route over port " + std::to_string(port) +
                                        ": the switch has " + std::to_string(m_devices.size()) +
                                        " ports");
        }
    }
    return m_table.AddGroup(ports);
}

void
FabricSwitch::AddRoute(Ipv4Address destination, const std::vector<uint16_t>& ports)
{
    m_table.SetRoute(destination, AddGroup(ports));
}

void
FabricSwitch::AddRoute(const Ipv6Address& destination, const std::vector<uint16_t>& ports)
{
    m_table.SetRoute(destination, AddGroup(ports));
}

std::shared_ptr<const TrafficClassMap::Table>
FabricSwitch::SharedMap(uint32_t port) const
{
    // Ports with equal maps, that is nearly always all, share one in the cache of the processor.
    const auto own = m_devices[port]->GetTrafficClassMap();
    for (uint32_t earlier = 0; earlier < port; ++earlier)
    {
        if (m_devices[earlier]->GetTrafficClassMap()->BooksAs(*own))
        {
            return m_maps[earlier];
        }
    }
    return own->GetTable();
}

void
FabricSwitch::Start()
{
    NS_LOG_FUNCTION(this);
    m_started = false; // until all of it has succeeded
    m_starting = true;
    m_mapsQueues = false;
    const auto end = [](bool* starting) { *starting = false; };
    const std::unique_ptr<bool, decltype(end)> starting(&m_starting, end);
    const Ptr<EcnMarker> marker = GetEcnMarker();
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Port& hot = m_ports[port];
        RequireTrust(*hot.device);
        RequireCredits(*hot.device);
        RequireLlr(*hot.device);
        m_maps[port] = SharedMap(port);
        hot.map = m_maps[port].get();
        m_mapsQueues = m_mapsQueues || !hot.map->KeepsQueues();
        hot.maxFrameBytes = hot.device->GetMtu() + ETHERNET_OVERHEAD_BYTES;
        hot.device->SetNotifyLastBit(m_releaseTime == LAST_BIT);
        hot.device->SetCutThroughBytes(GetCutThroughBytes());
        if (marker)
        {
            marker->SetPort(port, hot.device->GetDataRate().GetBitRate());
        }
    }
    const bool areMapsEqual =
        std::adjacent_find(m_maps.begin(), m_maps.end(), std::not_equal_to<>()) == m_maps.end();
    m_soleMap = areMapsEqual && !m_maps.empty() ? m_maps.front().get() : nullptr;
    m_pipeline.Configure(*this, GetSwitchDelay().GetTimeStep(), GetCutThroughBytes() > 0);
    m_isDelayed = m_pipeline.IsOn();
    m_markerHot = IsEcnEnabled() ? PeekPointer(marker) : nullptr;
    m_balancerHot = PeekPointer(GetLoadBalancer());
    m_table.SetNamed(m_balancerHot->NamesPorts());
    if (const auto number = GetObject<SwitchNumber>())
    {
        m_balancerHot->SetSwitchId(number->Get());
    }
    else if (const auto node = GetObject<Node>())
    {
        m_balancerHot->SetSwitchId(node->GetId());
    }
    m_headroom.Configure(*m_mmuHot, m_devices, GetAddedBytes(), IsInitialized());
    m_shares = false;
    for (uint8_t dscp = 0; marker && dscp < 64; ++dscp)
    {
        m_shares = m_shares || marker->GetBufferShare(dscp) < 1;
    }
    m_marksHeld.assign(m_ports.size(), false);
    m_hooks.Start(*this);
    m_hooked = m_hooks.Any() || HasCredits();
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        QuietChanged(port);
    }
    m_started = true;
}

bool
FabricSwitch::HasCredits() const
{
    return std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) {
        return device->GetCbfcClasses() != 0;
    });
}

void
FabricSwitch::QuietChanged(uint32_t port)
{
    if (port >= m_ports.size())
    {
        return;
    }
    uint64_t& quietBelow = m_ports[port].quietBelow;
    quietBelow = EcnMarker::NEVER;
    if (m_markerHot && m_shares)
    {
        quietBelow = 0; // the marker is asked about each frame
    }
    else if (m_markerHot && !m_marksHeld[port])
    {
        quietBelow = m_markerHot->QuietBelow(port);
    }
}

void
FabricSwitch::ConfigChanged()
{
    if (m_starting)
    {
        return; // Start() itself configures the MMU
    }
    if (m_isHeld)
    {
        m_isBehind = true;
        return;
    }
    if (IsInitialized())
    {
        Start();
    }
    else if (m_started) // by hand: what reads back is to be in force already
    {
        try
        {
            Start();
        }
        catch (const std::invalid_argument& mistake)
        {
            NS_LOG_LOGIC("left to the start of the run: " << mistake.what());
        }
    }
}

void
FabricSwitch::HoldChanges()
{
    m_isHeld = true;
}

bool
FabricSwitch::TakeChanges()
{
    m_isHeld = false;
    const bool isBehind = std::exchange(m_isBehind, false);
    if (isBehind)
    {
        ConfigChanged();
    }
    return isBehind;
}

void
FabricSwitch::PortChanged(QbbNetDevice& /* port */)
{
    ConfigChanged();
}

void
FabricSwitch::Restart()
{
    NS_LOG_FUNCTION(this);
    m_hooks.Restarted();
    Start();
}

HeadroomLink
FabricSwitch::GetHeadroomLink(uint32_t port) const
{
    return SwitchHeadroom::LinkOf(*m_devices.at(port), GetAddedBytes());
}

uint32_t
FabricSwitch::GetAddedBytes() const
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < GetNExtensions(); ++i)
    {
        bytes += GetExtension(i)->GetAddedBytes();
    }
    return bytes;
}

std::vector<LosslessMistake>
FabricSwitch::FindMistakes() const
{
    return SwitchHeadroom::Check(*m_mmuHot, m_devices, GetAddedBytes());
}

std::vector<std::string>
FabricSwitch::CheckLossless() const
{
    const auto node = GetObject<Node>();
    const std::string name = node ? "switch " + std::to_string(node->GetId()) : "switch";
    std::vector<std::string> lines;
    for (const LosslessMistake& mistake : FindMistakes())
    {
        lines.push_back(mistake.ToLine(name));
    }
    return lines;
}

const FabricSwitch::Counters&
FabricSwitch::GetCounters(uint32_t port) const
{
    return m_counters.at(port);
}

uint64_t
FabricSwitch::GetDropCount(DropReason reason) const
{
    uint64_t sum = 0;
    for (const auto& counters : m_counters)
    {
        sum += counters.drops[static_cast<size_t>(reason)];
    }
    return sum;
}

// ---- in

void
FabricSwitch::FrameArrived(QbbNetDevice& port, Frame* frame)
{
    if (!m_started)
    {
        Start();
    }
    const uint16_t inPort = port.GetPortIndex();
    frame->inPort = inPort;
    const TrafficClassMap::Table& map = *(m_soleMap ? m_soleMap : m_ports[inPort].map);
    frame->trafficClass = map.Classify(*frame); // the class, until the egress port is known
    frame->inClass = map.group[frame->trafficClass];
    m_mmuHot->Prefetch(inPort, frame->inClass); // needed after the route, which takes as long
    if (m_hooked)
    {
        m_hooks.Arrived(*frame, inPort);
    }

    auto reason = DropReason::NO_ROUTE;
    const uint16_t outPort = Route(*frame, inPort, reason);
    if (outPort == NO_PORT)
    {
        FreeCredits(*frame);
        const bool isUnrouted = reason == DropReason::NO_ROUTE || reason == DropReason::LINK_LOCAL;
        if (!isUnrouted || !m_hooks.Unrouted(frame))
        {
            Drop(frame, port, reason);
        }
        return;
    }
    ChooseQueue(*frame, outPort);
    if (!m_hooked)
    {
        Enqueue(frame, outPort);
        return;
    }
    const auto verdict = AskRouted(*frame, outPort);
    if (verdict.kind == SwitchExtension::Verdict::FORWARD)
    {
        Enqueue(frame, outPort);
    }
    else if (verdict.kind == SwitchExtension::Verdict::DROP)
    {
        Drop(frame, port, verdict.reason);
    }
}

SwitchExtension::Verdict
FabricSwitch::AskRouted(Frame& frame, uint16_t outPort)
{
    QbbNetDevice& in = *m_ports[frame.inPort].device;
    FrameCredits credits = std::exchange(frame.credits, {});
    const auto verdict = m_hooks.Routed(frame, outPort);
    if (verdict.kind == SwitchExtension::Verdict::FORWARD)
    {
        frame.credits = credits;
    }
    else
    {
        in.FreeCredits(credits); // the frame may be gone
    }
    return verdict;
}

void
FabricSwitch::Reclassify(Frame& frame) const
{
    frame.trafficClass = ClassOf(frame);
    frame.inClass = m_ports[frame.inPort].map->group[frame.trafficClass];
}

void
FabricSwitch::Forward(Frame* frame, uint16_t outPort)
{
    ChooseQueue(*frame, outPort);
    const auto verdict = m_hooks.Forwarded(*frame, outPort);
    if (verdict.kind == SwitchExtension::Verdict::FORWARD)
    {
        Enqueue(frame, outPort);
    }
    else if (verdict.kind == SwitchExtension::Verdict::DROP)
    {
        Refuse(frame, verdict.reason);
    }
}

__attribute__((always_inline)) inline bool
FabricSwitch::Pass(Frame* frame, const Port& out, uint16_t outPort)
{
    const uint32_t cls = frame->trafficClass;
    const int64_t now = SimulationClock::Now();
    if (m_hooked || m_isDelayed || m_releaseTime == LAST_BIT || !out.device->IsFreeFor(cls, now) ||
        frame->bytes > std::min<uint64_t>(out.maxFrameBytes, out.quietBelow) ||
        !m_mmuHot->Pass(frame->inPort, frame->inClass, outPort, cls, frame->bytes))
    {
        return false;
    }
    SendAtOnce(frame, *out.device, outPort, now);
    return true;
}

__attribute__((always_inline)) inline void
FabricSwitch::Queue(Frame* frame, QbbNetDevice& out, uint16_t outPort)
{
    const int64_t now = SimulationClock::Now();
    if (!m_hooked && m_releaseTime != LAST_BIT && out.IsFreeFor(frame->trafficClass, now))
    {
        SendAtOnce(frame, out, outPort, now);
        return;
    }
    EgressQueues& queues = out.Queues();
    queues.Push(frame);
    if (m_hooked || m_watched)
    {
        const uint64_t queueBytes = queues.Bytes(frame->trafficClass);
        m_hooks.Enqueued(*frame, outPort, queueBytes);
        m_enqueueTrace(outPort, frame->trafficClass, queueBytes);
    }
    out.Kick();
}

bool
FabricSwitch::Book(Frame* frame, uint16_t outPort)
{
    auto reason = DropReason::NO_ROUTE;
    Port& out = m_ports[outPort];
    if (Admit(*frame, out, outPort, reason) ||
        (m_hooked && AdmitChanged(*frame, out, outPort, reason)))
    {
        return true;
    }
    Drop(frame,
         reason == DropReason::EGRESS_LIMIT ? *out.device : *m_ports[frame->inPort].device,
         reason);
    return false;
}

void
FabricSwitch::Enqueue(Frame* frame, uint16_t outPort)
{
    Port& out = m_ports[outPort];
    out.device->Prefetch();
    if (Pass(frame, out, outPort) || !Book(frame, outPort))
    {
        return;
    }
    if (m_isDelayed)
    {
        m_pipeline.Enter(frame, outPort);
        return;
    }
    Queue(frame, *out.device, outPort);
}

void
FabricSwitch::QueueBooked(Frame* frame, uint16_t outPort)
{
    QbbNetDevice& out = *m_ports[outPort].device;
    if (out.IsLinkUp())
    {
        Queue(frame, out, outPort);
        return;
    }
    FrameFlushed(out, frame, DropReason::LINK_DOWN);
    out.Drop(frame, DropReason::LINK_DOWN);
}

void
FabricSwitch::SendAtOnce(Frame* frame, QbbNetDevice& out, uint16_t outPort, int64_t now)
{
    // What Enqueue() and NextFrame() do for a frame that waits for nothing, without its queue. No
    // mark: none is behind it.
    out.HoldForSendNow();
    if (m_watched)
    {
        m_enqueueTrace(outPort, frame->trafficClass, frame->bytes);
    }
    ReleaseBooking(*frame, outPort);
    if (m_watched)
    {
        m_dequeueTrace(outPort, frame->trafficClass, 0);
    }
    out.SendNow(frame, now);
}

void
FabricSwitch::SendOwn(Frame* frame)
{
    auto reason = DropReason::NO_ROUTE;
    frame->inPort = 0;
    frame->inClass = frame->trafficClass; // of no group: it is not booked
    const uint16_t outPort = Route(*frame, 0, reason);
    if (outPort == NO_PORT)
    {
        frame->Release();
        return;
    }
    ChooseQueue(*frame, outPort);
    QbbNetDevice& out = *m_ports[outPort].device;
    out.Queues().Push(frame);
    m_enqueueTrace(outPort, frame->trafficClass, out.Queues().Bytes(frame->trafficClass));
    out.Kick();
}

uint16_t
FabricSwitch::Route(Frame& frame, uint16_t inPort, DropReason& reason)
{
    if (frame.flooded)
    {
        reason = DropReason::NOT_FOR_US; // it has the MAC address of a host
        return NO_PORT;
    }
    const NextHopGroup* group = m_table.Find(frame);
    if (!group)
    {
        reason = frame.IsLinkLocal() ? DropReason::LINK_LOCAL : DropReason::NO_ROUTE;
        return NO_PORT;
    }
    if (group->ports.empty())
    {
        reason = DropReason::LINK_DOWN;
        return NO_PORT;
    }
    const uint16_t outPort = group->sole != NextHopGroup::NONE
                                 ? group->sole
                                 : m_balancerHot->Pick(frame, inPort, *group, *this);
    NS_ASSERT_MSG(outPort < m_ports.size() || outPort == NO_PORT,
                  "FabricSwitch: a route over a port that is not there");
    if (frame.ttl <= 1)
    {
        reason = DropReason::TTL_EXPIRED;
        return NO_PORT;
    }
    --frame.ttl;
    return outPort;
}

bool
FabricSwitch::Admit(Frame& frame, Port& out, uint16_t outPort, DropReason& reason)
{
    const uint32_t cls = frame.trafficClass;
    if (frame.bytes > out.maxFrameBytes + (frame.tagged ? VLAN_TAG_BYTES : 0))
    {
        reason = DropReason::OVERSIZE;
        return false;
    }
    const uint64_t queueBytes = out.device->Queues().Bytes(cls) + frame.bytes;
    const bool quiet = queueBytes <= out.quietBelow;
    if (!quiet && MarkerDrops(frame, outPort, queueBytes))
    {
        reason = DropReason::WRED;
        return false;
    }
    const MmuVerdict verdict =
        m_mmuHot->Admit(frame.inPort, frame.inClass, outPort, cls, frame.bytes);
    if (!verdict.accepted)
    {
        reason = verdict.reason;
        return false;
    }
    frame.cells = verdict.cells;
    if (!quiet && m_markTime == MARK_ENQUEUE)
    {
        Mark(frame, outPort, queueBytes);
    }
    return true;
}

bool
FabricSwitch::AdmitChanged(Frame& frame, Port& out, uint16_t outPort, DropReason& reason)
{
    const auto isFull = [&reason] {
        return reason == DropReason::INGRESS_LIMIT || reason == DropReason::EGRESS_LIMIT;
    };
    while (isFull() && m_hooks.Refused(frame, outPort))
    {
        if (Admit(frame, out, outPort, reason))
        {
            return true;
        }
    }
    if (isFull() && IsTrimmed(frame))
    {
        reason = DropReason::TRIMMED_FULL;
    }
    return false;
}

bool
FabricSwitch::IsDroppable(const Frame& frame) const
{
    // ACK, NAK and CNP carry the congestion signal back, and so does a trimmed packet: never a
    // victim of WRED.
    return !m_mmuHot->IsLossless(frame.inPort, frame.inClass) &&
           (frame.kind != FrameKind::ROCE ||
            (CarriesData(frame.opcode) && frame.trim == Trim::NONE));
}

__attribute__((noinline)) bool
FabricSwitch::MarkerDrops(const Frame& frame, uint16_t outPort, uint64_t queueBytes)
{
    return (frame.ecn == Ecn::NOT_ECT && WredDrops(frame, outPort, queueBytes)) ||
           (m_shares && ExceedsShare(frame, outPort));
}

bool
FabricSwitch::WredDrops(const Frame& frame, uint16_t outPort, uint64_t queueBytes)
{
    return m_markerHot && m_dropNonEct && !m_marksHeld[outPort] &&
           queueBytes > m_markerHot->QuietBelow(outPort, frame.trafficClass) &&
           IsDroppable(frame) && m_markerHot->ShouldMark(frame, outPort, queueBytes);
}

bool
FabricSwitch::ExceedsShare(const Frame& frame, uint16_t outPort) const
{
    const double share = m_markerHot ? m_markerHot->GetBufferShare(frame.dscp) : 1;
    return share < 1 && IsDroppable(frame) &&
           !m_mmuHot->IsWithin(share,
                               frame.inPort,
                               frame.inClass,
                               outPort,
                               frame.trafficClass,
                               frame.bytes);
}

// ---- out

Frame*
FabricSwitch::NextFrame(QbbNetDevice& port)
{
    Frame* frame = port.PopQueues();
    if (!frame)
    {
        return nullptr;
    }
    const uint16_t outPort = port.GetPortIndex();
    const uint32_t cls = frame->trafficClass;
    if (m_releaseTime == LAST_BIT)
    {
        ReleaseFlight(outPort);
        m_flights[outPort] = {frame->cells,
                              frame->inPort,
                              frame->inClass,
                              static_cast<uint8_t>(cls),
                              std::exchange(frame->credits, {})};
        frame->cells = 0;
    }
    else
    {
        ReleaseBooking(*frame, outPort);
    }
    const uint64_t queueBytes = port.Queues().Bytes(cls);
    if (m_markTime == MARK_DEQUEUE && queueBytes > m_ports[outPort].quietBelow)
    {
        Mark(*frame, outPort, queueBytes);
    }
    if (m_hooked)
    {
        FreeCredits(*frame);
        m_hooks.Dequeued(*frame, outPort, queueBytes);
    }
    if (m_watched)
    {
        m_dequeueTrace(outPort, cls, queueBytes);
    }
    return frame;
}

bool
FabricSwitch::HasNext(const QbbNetDevice& port) const
{
    return port.HasSendable();
}

void
FabricSwitch::LastBitSent(QbbNetDevice& port)
{
    const uint16_t outPort = port.GetPortIndex();
    ReleaseFlight(outPort);
}

void
FabricSwitch::Mark(Frame& frame, uint16_t port, uint64_t queueBytes)
{
    const uint32_t cls = frame.trafficClass;
    if (queueBytes > 0 && m_markerHot && IsMarkable(frame) && !m_marksHeld[port] &&
        queueBytes > m_markerHot->QuietBelow(port, cls) &&
        m_markerHot->ShouldMark(frame, port, queueBytes))
    {
        MarkCe(frame, port, queueBytes);
    }
}

bool
FabricSwitch::MarkCe(Frame& frame, uint32_t port, uint64_t queueBytes)
{
    if (!IsMarkable(frame) || !IsEcnEnabled())
    {
        return false;
    }
    frame.ecn = Ecn::CE;
    NS_LOG_LOGIC("CE at port " << port << " class " << +frame.trafficClass << ": " << queueBytes
                               << " bytes queued");
    ++m_counters[port].ecnMarks[frame.trafficClass];
    m_markTrace(port, frame.trafficClass, queueBytes);
    return true;
}

void
FabricSwitch::ReleaseBooking(Frame& frame, uint16_t outPort)
{
    // What the IP stack of the switch's own node sends by a port was never booked.
    if (frame.cells > 0)
    {
        m_mmuHot->Release(frame.inPort, frame.inClass, outPort, frame.trafficClass, frame.cells);
        frame.cells = 0;
    }
}

void
FabricSwitch::ReleaseFlight(uint16_t outPort)
{
    Flight flight = m_flights[outPort];
    if (flight.cells > 0)
    {
        m_flights[outPort].cells = 0; // first: the MMU may make other ports send
        m_mmuHot->Release(flight.inPort, flight.inClass, outPort, flight.outClass, flight.cells);
        m_ports[flight.inPort].device->FreeCredits(flight.credits);
    }
}

// ---- pauses, drops, link state

void
FabricSwitch::SetPause(uint32_t port, uint32_t cls, bool xoff)
{
    m_ports[port].device->RequestPause(cls, xoff);
}

void
FabricSwitch::CountDrop(const Frame& frame, DropReason reason)
{
    NS_LOG_DEBUG("drop from port " << frame.inPort << " class " << +frame.inClass << ": "
                                   << reason);
    ++m_counters[frame.inPort].drops[static_cast<size_t>(reason)];
    // A switch does not forward link-local frames: not a loss.
    if (reason != DropReason::LINK_LOCAL)
    {
        const bool lossless = m_mmuHot->IsLossless(frame.inPort, frame.inClass);
        ++(lossless ? m_losslessDrops : m_lossyDrops);
        m_losslessDropsOfLinks += lossless && reason == DropReason::LINK_DOWN;
    }
    m_dropTrace(frame.inPort, frame.inClass, frame.bytes, reason);
}

void
FabricSwitch::Drop(Frame* frame, QbbNetDevice& at, DropReason reason)
{
    CountDrop(*frame, reason);
    FreeCredits(*frame);
    at.Drop(frame, reason);
}

void
FabricSwitch::Refuse(Frame* frame, DropReason reason)
{
    Drop(frame, *m_ports[frame->inPort].device, reason);
}

void
FabricSwitch::FrameFlushed(QbbNetDevice& port, Frame* frame, DropReason reason)
{
    // The port drops the frame; what remains for the switch is its buffer.
    if (frame->cells > 0)
    {
        CountDrop(*frame, reason);
        ReleaseBooking(*frame, port.GetPortIndex());
        FreeCredits(*frame);
    }
}

void
FabricSwitch::LinkChanged(QbbNetDevice& port, bool up)
{
    NS_LOG_FUNCTION(this << port.GetPortIndex() << up);
    const uint16_t index = port.GetPortIndex();
    m_table.SetPortUp(index, up);
    if (!m_started)
    {
        return;
    }
    if (!up)
    {
        ReleaseFlight(index);
        PauseChanged(port, 0); // for extensions: the queues are empty now
        return;
    }
    // The peer has forgotten the pauses that are still due.
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (m_mmuHot->GetIngress(index, cls).paused)
        {
            port.RequestPause(cls, true);
        }
    }
}

void
FabricSwitch::PauseChanged(QbbNetDevice& port, uint8_t pausedMask)
{
    m_hooks.PauseChanged(port.GetPortIndex(), pausedMask);
}

// ---- SwitchPorts

uint64_t
FabricSwitch::GetQueueBytes(uint32_t port) const
{
    return m_ports.at(port).device->Queues().TotalBytes();
}

uint64_t
FabricSwitch::GetQueueBytes(uint32_t port, uint32_t cls) const
{
    return m_ports.at(port).device->Queues().Bytes(cls);
}

uint32_t
FabricSwitch::GetQueueFrames(uint32_t port, uint32_t cls) const
{
    return m_ports.at(port).device->Queues().Frames(cls);
}

uint8_t
FabricSwitch::GetPausedMask(uint32_t port) const
{
    return m_ports.at(port).device->PausedMask();
}

int64_t
FabricSwitch::Now() const
{
    return m_ports.at(0).device->Now();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-mrc.h"

#include "mrc-endpoint.h"
#include "mrc-plane.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaMrc");

NS_OBJECT_ENSURE_REGISTERED(RdmaMrc);

namespace
{

constexpr double BITS_PER_PS = 8e12; //!< of a byte in a second

} // namespace

TypeId
RdmaMrc::GetTypeId()
{
    static TypeId tid = AddRecovery(AddPaths(TypeId("ns3::RdmaMrc")
                                                 .SetParent<RdmaTransport>()
                                                 .SetGroupName("Lossless")
                                                 .AddConstructor<RdmaMrc>()));
    return tid;
}

TypeId
RdmaMrc::AddPaths(TypeId tid)
{
    return tid
        .AddAttribute(
            "Planes",
            "Ports of the host that a queue pair uses, each in a plane of its own: of port "
            "p those from p - p % Planes on; 0: all",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_planesWanted)),
            MakeUintegerChecker<uint32_t>(0, 32))
        .AddAttribute("Evs",
                      "Entropy values of a queue pair, in equal parts for all planes, backups "
                      "included",
                      UintegerValue(256),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_evsWanted)),
                      MakeUintegerChecker<uint32_t>(1, 16384))
        .AddAttribute("Active",
                      "Entropy values in rotation, likewise; the others are backups",
                      UintegerValue(128),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_active)),
                      MakeUintegerChecker<uint32_t>(1, 16384))
        .AddAttribute(
            "MinActive",
            "Entropy values that stay in rotation whatever is lost, likewise; 0: a quarter "
            "of Active",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_minActive)),
            MakeUintegerChecker<uint32_t>(0, 16384))
        .AddAttribute("Shuffle",
                      "Whether each round of the rotation has a new order",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaMrc::m_shuffle)),
                      MakeBooleanChecker())
        .AddAttribute("PlaneLead",
                      "Packets by which a plane may be ahead of the plane that has sent least; 1: "
                      "strict turns",
                      UintegerValue(8),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_planeLead)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("ProbeInterval",
                      "Time between two probes of an entropy value that lost a packet",
                      TimeValue(MilliSeconds(1)),
                      MakeFixed(MakeTimeAccessor(&RdmaMrc::m_probeInterval)),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("ProbeSuccesses",
                      "Answered probes in a row that bring an entropy value back",
                      UintegerValue(3),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_probeSuccesses)),
                      MakeUintegerChecker<uint32_t>(1, 255))
        .AddAttribute(
            "RepeatClass",
            "Class, 0 to 7, of packets that are sent again, as the class map of each port "
            "marks it; at the NIC they go before new packets",
            UintegerValue(4),
            MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_repeatClass)),
            MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute("ControlClass",
                      "Class, 0 to 7, of SACKs, NACKs and port status",
                      UintegerValue(6),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_controlClass)),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1));
}

TypeId
RdmaMrc::AddRecovery(TypeId tid)
{
    return tid
        .AddAttribute("BaseRtt",
                      "Longest round trip of the empty network, from which Mpr, Timeout and "
                      "ReorderThreshold follow; 0: that of the connection",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaMrc::m_baseRtt)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("SackBytes",
                      "Payload, bytes, after which the receiver sends a SACK; a packet counts 1024 "
                      "at least",
                      UintegerValue(16384),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_sackBytes)),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("Mpr",
                      "Receive window in units of 128 PSNs; 0: two largest windows of 1.5 "
                      "bandwidth-delay products, 8 at least",
                      UintegerValue(0),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_window)),
                      MakeUintegerChecker<uint32_t>(0, 255))
        .AddAttribute("MaxWimm",
                      "WRITE_IMMs of a queue pair that are not complete, at most",
                      UintegerValue(128),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_maxImmediates)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute(
            "Timeout",
            "A packet waits 1.024 us x 2^Timeout for its SACK; -1: 5 round trips, rounded "
            "up to such a time",
            IntegerValue(-1),
            MakeFixed(MakeIntegerAccessor(&RdmaMrc::m_timeout)),
            MakeIntegerChecker<int32_t>(-1, 24))
        .AddAttribute("LinearRetries",
                      "Timeouts in a row after so long",
                      UintegerValue(7),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_linearRetries)),
                      MakeUintegerChecker<uint32_t>(0, 7))
        .AddAttribute("ExpRetries",
                      "Further timeouts in a row, each after twice the time, before the queue pair "
                      "fails; 25: for ever",
                      UintegerValue(25),
                      MakeFixed(MakeUintegerAccessor(&RdmaMrc::m_expRetries)),
                      MakeUintegerChecker<uint32_t>(0, 25))
        .AddAttribute(
            "LossRule",
            "Arrivals that show a loss before it: Threshold: ReorderThreshold packets of "
            "higher PSN; PerEv: a packet that was sent later with the same entropy value; "
            "Both: either",
            EnumValue(MrcTerms::BOTH),
            MakeFixed(MakeLosslessEnumAccessor<MrcTerms::LossRule>(&RdmaMrc::m_lossRule)),
            MakeEnumChecker(MrcTerms::THRESHOLD,
                            "Threshold",
                            MrcTerms::PER_EV,
                            "PerEv",
                            MrcTerms::BOTH,
                            "Both"))
        .AddAttribute("ReorderThreshold",
                      "Packets of LossRule Threshold; -1: 1.5 windows or bandwidth-delay products, "
                      "whichever is less, 5 at least",
                      IntegerValue(-1),
                      MakeFixed(MakeIntegerAccessor(&RdmaMrc::m_reorderThreshold)),
                      MakeIntegerChecker<int32_t>(-1))
        .AddAttribute("TimeStamp",
                      "Whether data packets carry a time stamp, which SACKs bring back",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaMrc::m_timeStamp)),
                      MakeBooleanChecker())
        .AddAttribute("TransportAcks",
                      "Whether the end of a message is acknowledged at once",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaMrc::m_transportAcks)),
                      MakeBooleanChecker())
        .AddAttribute(
            "TrimNack",
            "Whether trimmed packets are answered by a NACK. If not, losses are no sign of "
            "a bad path, and cost an entropy value one turn",
            BooleanValue(true),
            MakeFixed(MakeBooleanAccessor(&RdmaMrc::m_trimNack)),
            MakeBooleanChecker());
}

RdmaMrc::RdmaMrc()
    : m_timerAt(RDMA_NEVER)
{
}

RdmaMrc::~RdmaMrc() = default;

void
RdmaMrc::DoDispose()
{
    m_timer.Cancel();
    m_isOpen = false;
    for (auto& plane : m_planes)
    {
        plane->port.Remove(plane->slot);
    }
    if (!m_planes.empty())
    {
        MrcEndpoint::Of(*m_site.hw).Remove(*this);
    }
    m_planes.clear();
    m_site = {};
    RdmaTransport::DoDispose();
}

std::optional<MrcCounters>
RdmaMrc::GetCountersOf(const RdmaHw& hw)
{
    const auto endpoint = dynamic_cast<const MrcEndpoint*>(hw.GetEndpoint());
    return endpoint ? std::optional(endpoint->GetCounters()) : std::nullopt;
}

// ---- connecting

uint32_t
RdmaMrc::CountPlanes(uint32_t ports) const
{
    return m_planesWanted ? m_planesWanted : ports;
}

uint32_t
RdmaMrc::GetHeaderBytes() const
{
    return MrcHeaderBytes(RoceOpcode::MRC_WRITE_ONLY_IMM) +
           TelemetryBytes(TelemetryKind::MRC, m_timeStamp);
}

std::vector<uint32_t>
RdmaMrc::GetPorts(const RdmaHw& hw, uint32_t port) const
{
    const uint32_t all = hw.GetNPorts();
    const uint32_t planes = CountPlanes(all);
    const uint32_t first = port - port % planes;
    if (first + planes > all || planes > 32)
    {
        throw std::invalid_argument("RdmaMrc: Planes is " + std::to_string(planes) +
                                    ", and the NIC has " + std::to_string(all) +
                                    " ports; set Planes to a number that divides them, 32 at most");
    }
    std::vector<uint32_t> ports(planes);
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        ports[plane] = first + plane;
    }
    return ports;
}

void
RdmaMrc::Connect(const Site& site, const std::vector<RdmaAddress>& remote, Time baseRtt)
{
    NS_LOG_FUNCTION(this << baseRtt);
    m_site = site;
    const std::vector<uint32_t> ports = GetPorts(*site.hw, site.port);
    m_planes.clear();
    RdmaFlowState& flow = *site.flow;
    flow.lineRate = 0;
    for (uint32_t plane = 0; plane < ports.size(); ++plane)
    {
        RdmaPort& port = site.hw->Port(ports[plane]);
        flow.lineRate += static_cast<double>(port.Device().GetDataRate().GetBitRate());
        m_planes.push_back(std::make_unique<MrcPlane>(*this, plane, port, remote[plane]));
        m_planes.back()->Follow(site.end->connection.data.sentClass, m_repeatClass, m_controlClass);
        m_planes.back()->linkUp = port.Device().IsLinkUp();
    }
    try
    {
        Require();
        flow.rate = flow.lineRate;
        FixTerms();
        site.ops->SetUsed();
        site.ops->Init(flow, m_planes[0]->port.ToPs(m_planes[0]->port.Device().Now()));
    }
    catch (...)
    {
        m_planes.clear(); // another try may come
        throw;
    }
    m_hooks = site.ops->GetHooks();
    m_turns.emplace(ports.size(), m_planeLead);
    m_responder = std::make_unique<MrcResponder>(*site.end, m_terms, m_counters);
    m_responder->PostReceive(m_receives);
    m_requester = std::make_unique<MrcRequester>(*site.end, m_terms, m_counters, m_evs);
    for (auto& plane : m_planes)
    {
        plane->slot = plane->port.Add(plane.get(), plane->dataMarking.trafficClass);
    }
    MrcEndpoint::Of(*site.hw).Add(*this);
    m_isOpen = true;
    UpdatePlanes(m_planes[0]->port.Device().Now());
}

void
RdmaMrc::Require() const
{
    const RdmaCongestionOps& ops = *m_site.ops;
    const TelemetryKind telemetry = ops.GetTelemetry();
    if (!ops.SetsWindow() ||
        (telemetry != TelemetryKind::NONE && telemetry != TelemetryKind::DELAY) ||
        !ops.GetSwitchExtensions().empty())
    {
        throw std::invalid_argument("RdmaMrc: " + ops.GetInstanceTypeId().GetName() +
                                    " cannot control MRC, which has a window and neither CNPs nor "
                                    "telemetry of switches; set CongestionControl to RdmaNscc");
    }
    const RdmaConnection& connection = m_site.end->connection;
    for (const auto& plane : m_planes)
    {
        const QbbNetDevice& device = plane->port.Device();
        for (const RdmaMarking& marking :
             {plane->dataMarking, plane->repeatMarking, plane->controlMarking})
        {
            if (device.GetActivePfcClasses() & (1U << marking.sentClass))
            {
                throw std::invalid_argument(
                    "RdmaMrc: MRC runs over lossy classes: class " +
                    std::to_string(marking.sentClass) +
                    " has PFC; turn PFC off, or set TrafficClass, RepeatClass and ControlClass to "
                    "classes without it");
            }
        }
        const uint32_t longest = RoceFrameBytes(RoceOpcode::MRC_WRITE_ONLY_IMM,
                                                connection.mtu,
                                                connection.local.ipVersion,
                                                false,
                                                TelemetryBytes(TelemetryKind::MRC, m_timeStamp)) -
                                 ETHERNET_OVERHEAD_BYTES;
        if (longest > device.GetMtu())
        {
            throw std::invalid_argument(
                "RdmaMrc: Mtu " + std::to_string(connection.mtu) + " needs IP packets of " +
                std::to_string(longest) + " bytes, and the MTU of the port is " +
                std::to_string(device.GetMtu()) + "; lower the first or raise the second");
        }
    }
}

void
RdmaMrc::FixTerms()
{
    const RdmaFlowState& flow = *m_site.flow;
    m_terms.sackBytes = m_sackBytes;
    m_terms.maxImmediates = m_maxImmediates;
    m_terms.linearRetries = m_linearRetries;
    m_terms.expRetries = m_expRetries;
    m_terms.lossRule = m_lossRule;
    m_terms.timeStamp = m_timeStamp;
    m_terms.transportAcks = m_transportAcks;
    m_terms.trimNack = m_trimNack;
    m_terms.ticksPerSecond = SimulationClock::TicksPerSecond();
    const int64_t rttPs = m_baseRtt.IsZero() ? flow.baseRttPs : m_baseRtt.GetPicoSeconds();
    const double productPackets =
        std::floor(flow.lineRate * static_cast<double>(rttPs) / BITS_PER_PS / flow.mtuBytes);
    m_mostPackets = 1.5 * productPackets;
    const auto units = static_cast<uint32_t>(std::ceil(2 * m_mostPackets / MrcTerms::WINDOW_UNIT));
    m_terms.window = m_window ? m_window : std::clamp<uint32_t>(units, 8, 255);
    constexpr double UNIT_PS = 1024e3;
    int32_t exponent = m_timeout;
    if (exponent < 0)
    {
        exponent = 0;
        while (exponent < 24 && std::ldexp(UNIT_PS, exponent) < 5 * static_cast<double>(rttPs))
        {
            ++exponent;
        }
    }
    m_terms.timeoutTicks =
        m_planes[0]->port.ToTick(static_cast<int64_t>(std::ldexp(UNIT_PS, exponent)));
    m_terms.reorderThreshold =
        m_reorderThreshold >= 0 ? m_reorderThreshold
                                : static_cast<uint32_t>(std::max(5.0, std::floor(m_mostPackets)));
}

RandomVariableStream&
RdmaMrc::Draws()
{
    if (!m_draws)
    {
        m_draws = CreateObject<UniformRandomVariable>();
        if (m_stream >= 0)
        {
            m_draws->SetStream(m_stream);
        }
    }
    return *m_draws;
}

uint32_t
RdmaMrc::DrawValue()
{
    constexpr double VALUES = 65536; // of a UDP port, or of a flow label
    const auto draw = [this] { return static_cast<uint32_t>(Draws().GetValue() * VALUES); };
    const uint32_t port = draw();
    return m_site.end->connection.local.ipVersion == 6 ? draw() << 16 | port : port;
}

std::vector<uint32_t>
RdmaMrc::DrawValues(uint32_t plane)
{
    const auto share = [this, plane](uint32_t all) {
        const uint32_t planes = m_planes.size();
        return std::max<uint32_t>(1, all / planes + (plane < all % planes));
    };
    const uint32_t wanted = std::max(share(m_evsWanted), share(m_active));
    std::vector<uint32_t> values;
    for (std::set<uint32_t> had; values.size() < wanted;)
    {
        const uint32_t value = DrawValue();
        if (had.insert(value).second)
        {
            values.push_back(value);
        }
    }
    return values;
}

void
RdmaMrc::DrawEvs()
{
    if (!m_evs.empty())
    {
        return;
    }
    const uint32_t planes = m_planes.size();
    const uint32_t floor = (m_minActive ? m_minActive : m_active / 4) / planes;
    Draws();
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        const uint32_t active = m_active / planes + (plane < m_active % planes);
        m_evs.emplace_back(DrawValues(plane),
                           std::max<uint32_t>(1, active),
                           floor,
                           m_probeSuccesses,
                           m_shuffle ? Ptr<RandomVariableStream>(m_draws) : nullptr);
    }
}

// ---- verbs

uint64_t
RdmaMrc::Post(const RdmaWorkRequest& request, int64_t now)
{
    DrawEvs();
    const uint64_t id = m_requester->Post(request, now);
    if (m_isOpen)
    {
        UpdatePlanes(now);
        Serve(now);
    }
    return id;
}

void
RdmaMrc::PostReceive(uint32_t count)
{
    if (m_responder)
    {
        m_responder->PostReceive(count);
    }
    else
    {
        m_receives += count;
    }
}

void
RdmaMrc::Fail(RdmaStatus status, int64_t now)
{
    m_isOpen = false;
    for (auto& plane : m_planes)
    {
        plane->port.Scheduler().SetIdle(plane->slot);
        plane->isReady = false;
    }
    if (m_timerAt != RDMA_NEVER)
    {
        Simulator::Remove(m_timer);
        m_timerAt = RDMA_NEVER;
    }
    if (m_requester)
    {
        m_requester->Fail(status, now); // user code last
    }
}

bool
RdmaMrc::IsBusy() const
{
    return m_requester && m_requester->IsBusy();
}

uint64_t
RdmaMrc::BytesInFlight() const
{
    return m_requester ? m_requester->InFlight() : 0;
}

uint32_t
RdmaMrc::GetRetries() const
{
    return m_requester ? m_requester->GetRetries() : 0;
}

int64_t
RdmaMrc::AssignStreams(int64_t stream)
{
    m_stream = stream;
    if (m_draws)
    {
        m_draws->SetStream(stream);
    }
    return 1;
}

// ---- sending

bool
RdmaMrc::CanSend() const
{
    return m_isOpen && m_requester->CanSend(m_site.flow->window);
}

Frame*
RdmaMrc::Pull(MrcPlane& plane, int64_t now)
{
    const bool may = CanSend() && m_turns->MaySend(plane.index);
    const uint16_t ev = may ? m_evs[plane.index].Choose() : MrcPlaneEvs::NONE;
    if (ev == MrcPlaneEvs::NONE)
    {
        plane.isReady = false;
        plane.port.Scheduler().SetIdle(plane.slot);
        if (may)
        {
            UpdatePlanes(now);
        }
        return nullptr;
    }
    Frame* frame = m_requester->Build(plane.index, ev, m_site.flow->window, now);
    Dress(*frame, plane, m_evs[plane.index].GetValue(ev));
    const RdmaMarking& marking =
        frame->telemetry.mrc.repeated ? plane.repeatMarking : plane.dataMarking;
    frame->trafficClass = marking.trafficClass;
    frame->dscp = marking.dscp;
    frame->pcp = marking.pcp;
    frame->sentClass = marking.sentClass;
    if (m_hooks & RdmaCongestionOps::ON_SENT)
    {
        NoteInFlight();
        m_site.ops->OnSent(*m_site.flow, frame->WireBytes(), plane.port.ToPs(now));
    }
    const bool othersMay = m_turns->Sent(plane.index);
    plane.isReady = CanSend() && m_turns->MaySend(plane.index);
    if (plane.isReady)
    {
        plane.port.Scheduler().SetReady(plane.slot);
    }
    else
    {
        plane.port.Scheduler().SetIdle(plane.slot);
    }
    if (othersMay)
    {
        Serve(now);
    }
    UpdateTimer(now);
    return frame;
}

void
RdmaMrc::Serve(int64_t now)
{
    for (auto& plane : m_planes)
    {
        // Each plane that is served may close the window, or let others send.
        if (!plane->isReady && CanSend() && m_turns->MaySend(plane->index))
        {
            plane->isReady = true;
            plane->port.Scheduler().SetReady(plane->slot);
            plane->port.Kick(plane->dataMarking.trafficClass);
        }
    }
    UpdateTimer(now);
}

void
RdmaMrc::Dress(Frame& frame, const MrcPlane& plane, uint32_t ev) const
{
    const RdmaAddress& local = plane.port.Address();
    frame.src = local.low;
    frame.srcHigh = local.high;
    frame.dst = plane.remote.low;
    frame.dstHigh = plane.remote.high;
    frame.srcPort = static_cast<uint16_t>(ev);
    frame.flowLabel = static_cast<uint16_t>(ev >> 16);
    MrcHeader& header = frame.telemetry.mrc;
    header.sourceContext = static_cast<uint16_t>(m_site.end->connection.localQp);
    header.destinationContext = static_cast<uint16_t>(m_site.end->connection.remoteQp);
}

void
RdmaMrc::SendControl(Frame* frame, uint32_t cause)
{
    const uint32_t planes = m_planes.size();
    uint32_t which = cause;
    for (uint32_t i = 0; i < planes && !m_turns->IsUp(which); ++i)
    {
        which = (which + 1) % planes;
    }
    MrcPlane& plane = *m_planes[which];
    if (!plane.hasReverseEv)
    {
        plane.reverseEv = DrawValue();
        plane.hasReverseEv = true;
    }
    frame->payloadBytes = 0;
    m_site.end->connection.Address(*frame, frame->opcode, plane.controlMarking);
    Dress(*frame, plane, plane.reverseEv);
    plane.port.SendControl(frame);
}

// ---- planes

void
RdmaMrc::UpdatePlanes(int64_t now)
{
    for (const auto& plane : m_planes)
    {
        const bool up =
            plane->linkUp && plane->peerUp && (m_evs.empty() || m_evs[plane->index].HasEv());
        if (up != m_turns->IsUp(plane->index))
        {
            m_counters.planesLost += !up;
            m_turns->SetUp(plane->index, up);
        }
    }
    m_requester->SetBlocked(m_turns->CountUp() == 0, now);
}

void
RdmaMrc::LinkChanged(uint32_t port, bool up, int64_t now)
{
    for (auto& plane : m_planes)
    {
        if (plane->port.Device().GetPortIndex() == port)
        {
            plane->linkUp = up;
        }
    }
    MrcEndpoint::Of(*m_site.hw).PortsChanged(now);
    UpdatePlanes(now);
    Serve(now);
}

void
RdmaMrc::PeerPorts(const Frame& source, uint32_t ports, int64_t now)
{
    const auto isFrom = [&source](const auto& plane) {
        return plane->remote.low == source.src && plane->remote.ipVersion == source.ipVersion &&
               (source.ipVersion == 4 || plane->remote.high == source.srcHigh);
    };
    if (!m_isOpen || std::none_of(m_planes.begin(), m_planes.end(), isFrom))
    {
        return;
    }
    for (auto& plane : m_planes)
    {
        plane->peerUp = ports >> plane->port.Device().GetPortIndex() & 1;
    }
    UpdatePlanes(now);
    Serve(now);
}

void
RdmaMrc::PortChanged(uint32_t)
{
    double rate = 0;
    for (auto& plane : m_planes)
    {
        rate += static_cast<double>(plane->port.Device().GetDataRate().GetBitRate());
        plane->Follow(plane->dataMarking.sentClass, m_repeatClass, m_controlClass);
    }
    if (rate != m_site.flow->lineRate)
    {
        throw std::invalid_argument(
            "RdmaMrc: the congestion control of a queue pair has started at "
            "another rate of the ports; set their DataRate before queue "
            "pairs are connected");
    }
    Require();
}

void
RdmaMrc::SetDenied(uint32_t plane, uint16_t ev, bool deny)
{
    if (plane >= m_planes.size())
    {
        throw std::invalid_argument("RdmaMrc: there is no plane " + std::to_string(plane) +
                                    "; the queue pair has " + std::to_string(m_planes.size()) +
                                    (m_planes.empty() ? ", as it is not connected" : ""));
    }
    DrawEvs();
    MrcPlaneEvs& evs = m_evs[plane];
    if (ev >= evs.GetN())
    {
        throw std::invalid_argument("RdmaMrc: there is no entropy value " + std::to_string(ev) +
                                    " in plane " + std::to_string(plane));
    }
    if (deny)
    {
        evs.Deny(ev);
    }
    else
    {
        evs.Allow(ev);
    }
    const int64_t now = m_planes[plane]->port.Device().Now();
    UpdatePlanes(now);
    Serve(now);
}

// ---- receiving

void
RdmaMrc::Receive(Frame* frame, uint32_t port, int64_t now)
{
    const uint32_t plane = port - m_planes[0]->port.Device().GetPortIndex();
    if (!IsMrc(frame->opcode) || plane >= m_planes.size())
    {
        frame->Release(); // of a queue pair that had this number before
        return;
    }
    if (IsMrcWrite(frame->opcode) || frame->opcode == RoceOpcode::MRC_PROBE)
    {
        RdmaCounters& counters = *m_site.end->counters;
        const int taken = m_site.end->connection.initialTtl - frame->ttl;
        counters.dataHops += IsMrcWrite(frame->opcode) ? (taken > 0 ? taken : 0) + 1U : 0;
        counters.markedReceived += frame->ecn == Ecn::CE;
        Frame* answer = IsMrcWrite(frame->opcode) ? m_responder->Receive(frame, now)
                                                  : m_responder->AnswerProbe(frame);
        if (answer && m_isOpen)
        {
            SendControl(answer, plane);
        }
        else if (answer)
        {
            answer->Release(); // user code has closed the queue pair
        }
        return;
    }
    MrcRequester::Outcome outcome;
    if (frame->opcode == RoceOpcode::MRC_SACK)
    {
        const MrcHeader& header = frame->telemetry.mrc;
        outcome = m_requester->OnSack(*frame, plane, now);
        if (header.answersProbe)
        {
            ProbeAnswered(header);
        }
        else if (header.mark == MrcMark::NONE)
        {
            m_planes[plane]->reverseEv = header.ev;
            m_planes[plane]->hasReverseEv = true;
        }
    }
    else if (frame->opcode == RoceOpcode::MRC_NACK)
    {
        outcome = m_requester->OnNack(*frame, now);
    }
    else
    {
        outcome = m_requester->OnAcknowledge(*frame);
    }
    frame->Release();
    Act(outcome, now);
}

void
RdmaMrc::NoteInFlight()
{
    m_site.flow->inFlight = m_requester->InFlight();
}

void
RdmaMrc::Act(const MrcRequester::Outcome& outcome, int64_t now)
{
    if (m_hooks & RdmaCongestionOps::ON_ACK)
    {
        RdmaAckEvent event;
        const RdmaPort& port = m_planes[0]->port;
        event.nowPs = port.ToPs(now);
        event.ackedBytes = event.deliveredBytes = outcome.delivered;
        event.lostBytes = outcome.lost;
        event.trimmedBytes = outcome.trimmed;
        event.trimmedAtLastHop = outcome.lastHop;
        event.unackedPsn = m_requester->GetUnacked();
        event.nextPsn = m_requester->GetNext();
        event.marked = outcome.marked;
        event.rttPs = port.ToPs(outcome.rttTicks);
        event.telemetryKind = TelemetryKind::DELAY;
        NoteInFlight();
        m_site.ops->OnAck(*m_site.flow, event);
    }
    if (m_reorderThreshold < 0)
    {
        const double window = 1.5 *
                              static_cast<double>(m_site.flow->window + m_site.flow->mtuBytes) /
                              static_cast<double>(m_site.flow->mtuBytes);
        m_requester->SetReorderThreshold(
            static_cast<uint32_t>(std::max(5.0, std::min(window, m_mostPackets))));
    }
    m_requester->Complete(now); // user code: may close the queue pair
    if (!m_isOpen)
    {
        return;
    }
    if (outcome.failed)
    {
        m_site.fail(RdmaStatus::RETRY_EXCEEDED);
        return;
    }
    UpdateProbes(now);
    UpdatePlanes(now);
    Serve(now);
}

// ---- probes

void
RdmaMrc::UpdateProbes(int64_t now)
{
    uint32_t bad = 0;
    for (const MrcPlaneEvs& evs : m_evs)
    {
        bad += evs.GetBad();
    }
    const auto isOver = [this](const Probe& probe) {
        return m_evs[probe.plane].GetState(probe.ev) != MrcPlaneEvs::ASSUMED_BAD;
    };
    m_probes.erase(std::remove_if(m_probes.begin(), m_probes.end(), isOver), m_probes.end());
    if (bad == m_probes.size())
    {
        return;
    }
    for (uint8_t plane = 0; plane < m_evs.size(); ++plane)
    {
        for (uint16_t ev = 0; ev < m_evs[plane].GetN(); ++ev)
        {
            const auto isOfIt = [plane, ev](const Probe& probe) {
                return probe.plane == plane && probe.ev == ev;
            };
            if (m_evs[plane].GetState(ev) == MrcPlaneEvs::ASSUMED_BAD &&
                std::none_of(m_probes.begin(), m_probes.end(), isOfIt))
            {
                m_probes.push_back({plane, ev, 0, now + m_probeInterval.GetTimeStep()});
            }
        }
    }
}

void
RdmaMrc::SendProbes(int64_t now)
{
    for (Probe& probe : m_probes)
    {
        if (probe.nextAt > now)
        {
            continue;
        }
        if (probe.number)
        {
            m_evs[probe.plane].Probed(probe.ev, false, false);
        }
        probe.nextAt = now + m_probeInterval.GetTimeStep();
        probe.number = 0;
        MrcPlane& plane = *m_planes[probe.plane];
        if (!plane.linkUp || !plane.peerUp)
        {
            continue;
        }
        m_probeNumber = m_probeNumber == 0xffff ? 1 : m_probeNumber + 1;
        probe.number = m_probeNumber;
        m_counters.probesSent++;
        auto frame = new Frame;
        frame->telemetryKind = TelemetryKind::MRC;
        frame->telemetry.mrc = {};
        frame->telemetry.mrc.probe = m_probeNumber;
        frame->telemetry.mrc.time = m_terms.StampOf(now);
        m_site.end->connection.Address(*frame, RoceOpcode::MRC_PROBE, plane.dataMarking);
        frame->ecn = m_site.end->connection.dataEcn;
        Dress(*frame, plane, m_evs[probe.plane].GetValue(probe.ev));
        plane.port.SendControl(frame);
    }
}

void
RdmaMrc::ProbeAnswered(const MrcHeader& answer)
{
    for (Probe& probe : m_probes)
    {
        if (probe.number == answer.probe)
        {
            MrcPlaneEvs& evs = m_evs[probe.plane];
            m_counters.probesAnswered++;
            probe.number = 0;
            evs.Probed(probe.ev, true, answer.mark != MrcMark::NONE);
            m_counters.evsBack += evs.GetState(probe.ev) != MrcPlaneEvs::ASSUMED_BAD;
            return;
        }
    }
}

// ---- timer

void
RdmaMrc::UpdateTimer(int64_t now)
{
    int64_t deadline = m_requester->Deadline();
    for (const Probe& probe : m_probes) // of a queue pair that is busy: an idle one has no events
    {
        deadline = IsBusy() ? std::min(deadline, probe.nextAt) : deadline;
    }
    const bool isArmed = m_timerAt != RDMA_NEVER;
    const bool isIdle = deadline == RDMA_NEVER && !IsBusy();
    if (deadline >= m_timerAt && !(isArmed && isIdle))
    {
        return; // a timer that is too early looks again
    }
    if (isArmed)
    {
        Simulator::Remove(m_timer); // a cancelled event would keep the simulation alive
    }
    m_timerAt = deadline;
    if (deadline != RDMA_NEVER)
    {
        m_timer = SimulationClock::Schedule(m_planes[0]->port.Device().GetNode()->GetId(),
                                            std::max<int64_t>(deadline - now, 0),
                                            MakeEvent(&RdmaMrc::TimerFired, this));
    }
}

void
RdmaMrc::TimerFired()
{
    m_timerAt = RDMA_NEVER;
    const int64_t now = m_planes[0]->port.Device().Now();
    if (IsBusy())
    {
        SendProbes(now);
    }
    if (m_requester->Deadline() > now)
    {
        UpdateTimer(now);
        return;
    }
    Act(m_requester->OnTimer(now), now);
}

} // namespace ns3

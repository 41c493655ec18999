// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-mrc.h"

#include "mrc-endpoint.h"
#include "mrc-plane.h"

#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"
#include "ns3/srv6-frame.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaMrc");

NS_OBJECT_ENSURE_REGISTERED(RdmaMrc);

TypeId
RdmaMrc::GetTypeId()
{
    static TypeId tid = AddSettings(TypeId("ns3::RdmaMrc")
                                        .SetParent<RdmaTransport>()
                                        .SetGroupName("Lossless")
                                        .AddConstructor<RdmaMrc>());
    return tid;
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
        MrcEndpoint::Of(*m_site.hw).Leave(*this);
    }
    m_planes.clear();
    m_site = {};
    RdmaTransport::DoDispose();
}

// ---- connecting

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
        m_planes.push_back(std::make_unique<MrcPlane>(*this, plane, port, remote[plane]));
        flow.lineRate += m_planes.back()->rate;
        m_planes.back()->Follow(site.end->connection.data.sentClass, m_repeatClass, m_controlClass);
        m_planes.back()->linkUp = port.Device().IsLinkUp();
    }
    try
    {
        Require();
        m_source.Connect(m_format,
                         site.end->connection.local.ipVersion,
                         MrcEndpoint::Of(*site.hw).GetPaths());
        for (auto& plane : m_planes)
        {
            plane->way = m_source.FindWay(plane->port.Address(), plane->remote);
        }
        flow.rate = flow.lineRate;
        m_terms = MakeTerms(flow);
        m_mostPackets = GetMostPackets(flow);
        m_probes.SetTimes(m_probeInterval.GetTimeStep(), GetProbeAfterTicks(flow));
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
    MrcEndpoint::Of(*site.hw).Join(*this);
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
                                                TelemetryBytes(TelemetryKind::MRC, m_timeStamp)) +
                                 GetOuterBytes() - ETHERNET_OVERHEAD_BYTES;
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
RdmaMrc::DrawEvs()
{
    if (!m_evs.empty())
    {
        return;
    }
    const uint32_t planes = m_planes.size();
    const uint32_t floor = (m_minActive ? m_minActive : m_active / 4) / planes;
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        const auto share = [plane, planes](uint32_t all) {
            return std::max<uint32_t>(1, all / planes + (plane < all % planes));
        };
        m_evs.emplace_back(m_source.GetValues(plane,
                                              m_planes[plane]->way,
                                              std::max(share(m_evsWanted), share(m_active))),
                           share(m_active),
                           floor,
                           m_probeSuccesses,
                           m_shuffle ? Ptr<RandomVariableStream>(m_source.Draws()) : nullptr);
    }
    if (MrcEndpoint::Of(*m_site.hw).GetDenial())
    {
        ReviewEvs();
    }
}

bool
RdmaMrc::IsDenied(const MrcPlane& plane, uint32_t ev) const
{
    const MrcEndpoint::Denial& denial = MrcEndpoint::Of(*m_site.hw).GetDenial();
    if (!denial)
    {
        return false;
    }
    Frame packet;
    m_site.end->connection.Address(packet, RoceOpcode::MRC_WRITE_MIDDLE, plane.dataMarking);
    Dress(packet, plane, ev);
    return denial(packet, plane.port.Device().GetPortIndex());
}

void
RdmaMrc::ReviewEvs()
{
    for (const auto& plane : m_planes)
    {
        plane->hasReverseEv = plane->hasReverseEv && !IsDenied(*plane, plane->reverseEv);
    }
    for (uint32_t plane = 0; plane < m_evs.size(); ++plane)
    {
        MrcPlaneEvs& evs = m_evs[plane];
        for (uint16_t ev = 0; ev < evs.GetN(); ++ev)
        {
            if (IsDenied(*m_planes[plane], evs.GetValue(ev)))
            {
                evs.Deny(ev);
            }
            else if (evs.GetState(ev) == MrcPlaneEvs::DENIED)
            {
                evs.Allow(ev);
            }
        }
    }
    const int64_t now = m_planes[0]->port.Device().Now();
    UpdatePlanes(now);
    Serve(now);
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

uint32_t
RdmaMrc::GetRetries() const
{
    return m_requester ? m_requester->GetRetries() : 0;
}

bool
RdmaMrc::GivesUp() const
{
    return m_expRetries < MrcTerms::FOR_EVER;
}

int64_t
RdmaMrc::AssignStreams(int64_t stream)
{
    return m_source.AssignStreams(stream);
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
    if (m_format == SRV6)
    {
        EnterSrv6(frame, plane.way.By(ev));
    }
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
        constexpr uint32_t TRIES = 64; // where all are denied, one of them is better than none
        plane.reverseEv = m_source.Draw(plane.way);
        for (uint32_t i = 0; i < TRIES && IsDenied(plane, plane.reverseEv); ++i)
        {
            plane.reverseEv = m_source.Draw(plane.way);
        }
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
    double rate = 0; // of the planes in service
    for (const auto& plane : m_planes)
    {
        const bool up =
            plane->linkUp && plane->peerUp && (m_evs.empty() || m_evs[plane->index].HasEv());
        if (up != m_turns->IsUp(plane->index))
        {
            m_counters.planesLost += !up;
            m_turns->SetUp(plane->index, up);
        }
        rate += up ? plane->rate : 0;
    }
    RdmaFlowState& flow = *m_site.flow;
    if (rate > 0 && rate != flow.lineRate) // without any plane nothing is sent, whatever the window
    {
        flow.lineRate = rate;
        m_mostPackets = GetMostPackets(flow);
        m_site.ops->OnLineRate(flow);
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
    MrcEndpoint::Of(*m_site.hw).PortsChanged();
    UpdatePlanes(now);
    Serve(now);
}

void
RdmaMrc::PeerPorts(const RdmaAddress& source, uint32_t ports, int64_t now)
{
    const auto isFrom = [&source](const auto& plane) { return plane->remote == source; };
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
    bool isOther = false;
    for (auto& plane : m_planes)
    {
        const auto rate = static_cast<double>(plane->port.Device().GetDataRate().GetBitRate());
        isOther = isOther || rate != plane->rate;
        plane->Follow(plane->dataMarking.sentClass, m_repeatClass, m_controlClass);
    }
    if (isOther)
    {
        throw std::invalid_argument(
            "RdmaMrc: the congestion control of a queue pair has started at "
            "another rate of the ports; set their DataRate before queue "
            "pairs are connected");
    }
    Require();
}

void
RdmaMrc::RequirePlane(uint32_t plane) const
{
    if (plane >= m_planes.size())
    {
        throw std::invalid_argument("RdmaMrc: there is no plane " + std::to_string(plane) +
                                    "; the queue pair has " + std::to_string(m_planes.size()) +
                                    (m_planes.empty() ? ", as it is not connected" : ""));
    }
}

void
RdmaMrc::SetEvs(uint32_t plane, std::vector<uint32_t> values)
{
    RequirePlane(plane);
    if (!m_evs.empty())
    {
        throw std::invalid_argument("RdmaMrc: the queue pair has its entropy values already; give "
                                    "others before the first request");
    }
    m_source.Give(plane, std::move(values));
}

void
RdmaMrc::SetDenied(uint32_t plane, uint16_t ev, bool deny)
{
    RequirePlane(plane);
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
    m_probes.Heard(now);
    MrcRequester::Outcome outcome;
    if (frame->opcode == RoceOpcode::MRC_SACK)
    {
        const MrcHeader& header = frame->telemetry.mrc;
        if (const auto question = m_probes.TakeQuestion(header))
        {
            m_requester->ProbePassed(*question);
        }
        outcome = m_requester->OnSack(*frame, plane, now);
        if (header.answersProbe)
        {
            m_probes.Answered(header);
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
        FrameTelemetry telemetry;
        telemetry.delay = {}; // SACKs tell neither of hops nor of the peer's share of the delay
        if (outcome.rttTicks > 0)
        {
            event.telemetryKind = TelemetryKind::DELAY;
            event.telemetry = &telemetry;
        }
        event.nak = outcome.lost > 0 || outcome.trimmed > 0;
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
    m_probes.Update(now);
    UpdatePlanes(now);
    Serve(now);
}

bool
RdmaMrc::SendProbe(uint32_t index, uint32_t value, uint16_t number, int64_t now)
{
    MrcPlane& plane = *m_planes[index];
    if (!plane.linkUp || !plane.peerUp)
    {
        return false;
    }
    auto frame = new Frame;
    frame->telemetryKind = TelemetryKind::MRC;
    frame->telemetry.mrc = {};
    frame->telemetry.mrc.probe = number;
    frame->telemetry.mrc.time = m_terms.StampOf(now);
    m_site.end->connection.Address(*frame, RoceOpcode::MRC_PROBE, plane.dataMarking);
    frame->ecn = m_site.end->connection.dataEcn;
    Dress(*frame, plane, value);
    plane.port.SendControl(frame);
    return true;
}

// ---- timer

void
RdmaMrc::UpdateTimer(int64_t now)
{
    int64_t deadline = m_requester->Deadline();
    if (IsBusy()) // an idle queue pair has no events
    {
        deadline = std::min(deadline, m_probes.NextAt(m_requester->WaitsSince()));
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
        const auto send = [this, now](uint32_t plane, uint32_t value, uint16_t number) {
            return SendProbe(plane, value, number, now);
        };
        m_probes.SendDue(now, send);
        m_probes.Ask(now, m_requester->GetWaiting(), send);
    }
    if (m_requester->Deadline() > now)
    {
        UpdateTimer(now);
        return;
    }
    Act(m_requester->OnTimer(now), now);
}

} // namespace ns3

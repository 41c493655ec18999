// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-mrc.h"

#include "mrc-endpoint.h"
#include "mrc-planes.h"

#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"

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
    : m_evs(m_source, [this](uint32_t plane, uint32_t value) { return IsDenied(plane, value); }),
      m_probes(m_evs.planes, m_counters)
{
}

RdmaMrc::~RdmaMrc() = default;

void
RdmaMrc::DoDispose()
{
    m_timer.Cancel();
    m_isOpen = false;
    if (m_planes)
    {
        m_planes->Leave();
        MrcEndpoint::Of(*m_site.hw).Leave(*this);
        m_planes.reset();
    }
    m_site = {};
    RdmaTransport::DoDispose();
}

uint32_t
RdmaMrc::GetNPlanes() const
{
    return m_planes ? m_planes->all.size() : 0;
}

const MrcPlaneTurns*
RdmaMrc::GetTurns() const
{
    return m_planes ? &m_planes->turns : nullptr;
}

// ---- connecting

void
RdmaMrc::Connect(const Site& site, const std::vector<RdmaAddress>& remote, Time baseRtt)
{
    NS_LOG_FUNCTION(this << baseRtt);
    m_site = site;
    m_planes = std::make_unique<MrcPlanes>(*this,
                                           site,
                                           GetPorts(*site.hw, site.port),
                                           remote,
                                           m_planeLead);
    RdmaFlowState& flow = *site.flow;
    flow.lineRate = 0;
    try
    {
        Follow();
        m_source.Connect(m_format,
                         site.end->connection.local.ipVersion,
                         MrcEndpoint::Of(*site.hw).GetPaths());
        std::vector<uint32_t> names;
        for (const auto& plane : m_planes->all)
        {
            flow.lineRate += plane->rate;
            plane->way = m_source.FindWay(plane->port.Address(), plane->remote);
            names.push_back(plane->way ? plane->way->GetPlane() : 0);
        }
        m_evs.Connect(std::move(names));
        flow.rate = flow.lineRate;
        m_terms = MakeTerms(flow);
        m_mostPackets = GetMostPackets(flow);
        m_probes.SetTimes(m_probeInterval.GetTimeStep(), GetProbeAfterTicks(flow));
        site.ops->SetUsed();
        site.ops->Init(flow, m_planes->all[0]->port.ToPs(m_planes->Now()));
    }
    catch (...)
    {
        m_planes.reset(); // another try may come
        throw;
    }
    m_hooks = site.ops->GetHooks();
    m_responder = std::make_unique<MrcResponder>(*site.end, m_terms, m_counters);
    m_responder->PostReceive(m_receives);
    m_requester = std::make_unique<MrcRequester>(*site.end, m_terms, m_counters, m_evs.planes);
    m_planes->Join();
    MrcEndpoint::Of(*site.hw).Join(*this);
    m_isOpen = true;
    UpdatePlanes(m_planes->Now());
}

void
RdmaMrc::Follow()
{
    RequireControl(*m_site.ops);
    m_planes->Follow(m_repeatClass, m_controlClass, GetLongestPacket(m_site.end->connection));
}

void
RdmaMrc::PortChanged(uint32_t)
{
    Follow();
    if (m_isOpen)
    {
        Serve(); // data may have another queue
    }
}

void
RdmaMrc::DrawEvs()
{
    if (m_evs.planes.empty())
    {
        m_evs.Draw(m_terms);
        if (MrcEndpoint::Of(*m_site.hw).GetDenial())
        {
            ReviewEvs();
        }
    }
}

bool
RdmaMrc::IsDenied(uint32_t index, uint32_t ev) const
{
    const MrcEndpoint::Denial& denial = MrcEndpoint::Of(*m_site.hw).GetDenial();
    if (!denial)
    {
        return false;
    }
    const MrcPlane& plane = *m_planes->all[index];
    Frame packet;
    m_site.end->connection.Address(packet, RoceOpcode::MRC_WRITE_MIDDLE, plane.dataMarking);
    plane.Address(packet, ev);
    return denial(packet, plane.port.Device().GetPortIndex());
}

void
RdmaMrc::ReviewEvs()
{
    m_evs.Review();
    Resume(m_planes->Now());
}

// ---- verbs

uint64_t
RdmaMrc::Post(const RdmaWorkRequest& request, int64_t now)
{
    DrawEvs();
    const uint64_t id = m_requester->Post(request, now);
    if (m_isOpen)
    {
        Resume(now);
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
    for (uint32_t plane = 0; plane < GetNPlanes(); ++plane)
    {
        m_planes->all[plane]->SetReady(false);
    }
    Simulator::Remove(m_timer);
    m_timerAt = RDMA_NEVER;
    if (m_requester)
    {
        m_requester->Fail(status, now); // user code last
    }
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
    const bool may = CanSend() && m_planes->turns.MaySend(plane.index);
    const uint16_t ev = may ? m_evs.planes[plane.index].Choose() : MrcPlaneEvs::NONE;
    if (ev == MrcPlaneEvs::NONE)
    {
        plane.SetReady(false);
        if (may)
        {
            UpdatePlanes(now);
        }
        return nullptr;
    }
    Frame* frame = m_requester->Build(plane.index, ev, m_site.flow->window, now);
    plane.Address(*frame, m_evs.planes[plane.index].GetValue(ev));
    const RdmaMarking& marking =
        frame->telemetry.mrc.repeated ? plane.repeatMarking : plane.dataMarking;
    frame->trafficClass = marking.trafficClass;
    frame->dscp = marking.dscp;
    frame->pcp = marking.pcp;
    frame->sentClass = marking.sentClass;
    if (m_hooks & RdmaCongestionOps::ON_SENT)
    {
        m_site.flow->inFlight = m_requester->InFlight();
        m_site.ops->OnSent(*m_site.flow, frame->WireBytes(), plane.port.ToPs(now));
    }
    const bool othersMay = m_planes->turns.Sent(plane.index);
    plane.SetReady(CanSend() && m_planes->turns.MaySend(plane.index));
    if (othersMay)
    {
        Serve();
    }
    UpdateTimer(now);
    return frame;
}

void
RdmaMrc::Serve()
{
    for (auto& plane : m_planes->all)
    {
        // Each plane that is served may close the window, or let others send.
        if (!plane->isReady && CanSend() && m_planes->turns.MaySend(plane->index))
        {
            plane->SetReady(true);
            plane->port.Kick(plane->dataMarking.trafficClass);
        }
    }
}

void
RdmaMrc::Resume(int64_t now)
{
    UpdatePlanes(now);
    Serve();
    UpdateTimer(now);
}

// ---- planes

void
RdmaMrc::UpdatePlanes(int64_t now)
{
    const double rate = m_planes->Update(m_evs, m_counters.planesLost);
    RdmaFlowState& flow = *m_site.flow;
    if (rate > 0 && rate != flow.lineRate) // without any plane nothing is sent, whatever the window
    {
        flow.lineRate = rate;
        m_mostPackets = GetMostPackets(flow);
        m_site.ops->OnLineRate(flow);
    }
    m_requester->SetBlocked(rate == 0, now);
}

void
RdmaMrc::LinkChanged(uint32_t port, bool up, int64_t now)
{
    m_planes->SetLink(port, up);
    MrcEndpoint::Of(*m_site.hw).PortsChanged();
    Resume(now);
}

void
RdmaMrc::PeerPorts(const RdmaAddress& source, uint32_t ports, int64_t now)
{
    if (m_isOpen && m_planes->SetPeer(source, ports))
    {
        Resume(now);
    }
}

void
RdmaMrc::RequirePlane(uint32_t plane) const
{
    if (plane >= GetNPlanes())
    {
        throw std::invalid_argument("RdmaMrc: there is no plane " + std::to_string(plane) +
                                    "; the queue pair has " + std::to_string(GetNPlanes()) +
                                    (m_planes ? "" : ", as it is not connected"));
    }
}

void
RdmaMrc::SetEvs(uint32_t plane, std::vector<uint32_t> values)
{
    RequirePlane(plane);
    if (!m_evs.planes.empty())
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
    m_evs.Deny(plane, ev, deny);
    Resume(m_planes->Now());
}

// ---- receiving

void
RdmaMrc::Receive(Frame* frame, uint32_t port, int64_t now)
{
    const uint32_t plane = m_planes->PlaneOf(port);
    if (!IsMrc(frame->opcode) || plane >= m_planes->all.size())
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
            MrcPlane& by = m_planes->ForAnswer(plane);
            by.Answer(answer, m_evs.ForAnswer(by.index));
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
            m_evs.NoteGood(plane, header.ev);
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
RdmaMrc::Act(const MrcRequester::Outcome& outcome, int64_t now)
{
    if (m_hooks & RdmaCongestionOps::ON_ACK)
    {
        RdmaAckEvent event;
        const RdmaPort& port = m_planes->all[0]->port;
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
        m_site.flow->inFlight = m_requester->InFlight();
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
    Resume(now);
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
        m_timer = SimulationClock::Schedule(m_planes->all[0]->port.Device().GetNode()->GetId(),
                                            std::max<int64_t>(deadline - now, 0),
                                            MakeEvent(&RdmaMrc::TimerFired, this));
    }
}

void
RdmaMrc::TimerFired()
{
    m_timerAt = RDMA_NEVER;
    const int64_t now = m_planes->Now();
    if (IsBusy())
    {
        const auto send = [this, now](uint32_t plane, uint32_t value, uint16_t number) {
            return m_planes->all[plane]->Probe(value, number, m_terms.StampOf(now));
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

// SPDX-License-Identifier: GPL-2.0-only

// The data path of a queue pair. Its life is in rdma-queue-pair-setup.cc.

#include "rdma-queue-pair.h"

#include "rdma-port.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

// ---- sending

bool
RdmaQueuePair::CanSend() const
{
    return m_state == READY && (m_responder.HasResponses() || m_requester.CanSend(m_flow.window));
}

uint32_t
RdmaQueuePair::HeadWireBytes() const
{
    bool request = m_requester.CanSend(m_flow.window);
    bool response = m_responder.HasResponses() && (m_responseNext || !request);
    return response ? m_responder.HeadWireBytes() : m_requester.HeadWireBytes();
}

Frame*
RdmaQueuePair::Pull(int64_t now)
{
    CatchUp(now);
    bool request = m_requester.CanSend(m_flow.window);
    bool response = m_responder.HasResponses() && (m_responseNext || !request);
    if (!request && !response)
    {
        Place(now); // the congestion control has just closed the window
        return nullptr;
    }
    m_responseNext = !response;
    Frame* frame = response ? m_responder.BuildResponse() : m_requester.Build(m_flow.window, now);
    uint32_t wireBytes = frame->WireBytes();
    Pace(wireBytes, now);
    if (m_hooks & RdmaCongestionOps::ON_SENT)
    {
        m_ops->OnSent(m_flow, wireBytes, ToPs(now));
        CongestionChanged(now);
    }
    Place(now);
    UpdateTimer(now);
    return frame;
}

void
RdmaQueuePair::Pace(uint32_t wireBytes, int64_t now)
{
    double ticks = wireBytes * m_ticksPerByte + m_fraction;
    auto whole = static_cast<int64_t>(ticks);
    m_fraction = ticks - whole;
    m_nextSend = now + whole;
    m_lastBytes = wireBytes;
}

void
RdmaQueuePair::Place(int64_t now)
{
    QpScheduler& scheduler = m_port->Scheduler();
    m_active = CanSend();
    if (!m_active)
    {
        scheduler.SetIdle(m_slot);
    }
    else if (m_pacedRate >= m_flow.lineRate || m_nextSend <= now)
    {
        scheduler.SetReady(m_slot); // at line rate the line paces
    }
    else
    {
        scheduler.SetPaced(m_slot, m_nextSend);
    }
    m_port->PaceChanged();
}

void
RdmaQueuePair::PlaceAndKick(int64_t now)
{
    Place(now);
    if (!m_active)
    {
        return;
    }
    if (m_pacedRate >= m_flow.lineRate || m_nextSend <= now)
    {
        m_port->Kick(m_dataClass);
    }
    else
    {
        m_port->WakeAt(m_dataClass, m_nextSend);
    }
}

// ---- receiving

void
RdmaQueuePair::Receive(Frame* frame)
{
    int64_t now = m_port->Device().Now();
    if (m_state != READY)
    {
        frame->Release();
        return;
    }
    if (CarriesData(frame->opcode))
    {
        DataArrived(*frame, now);
    }
    switch (frame->opcode)
    {
    case RoceOpcode::CNP:
        ReceiveCnp(frame, now);
        return;
    case RoceOpcode::ACKNOWLEDGE:
    case RoceOpcode::READ_RESPONSE_FIRST:
    case RoceOpcode::READ_RESPONSE_MIDDLE:
    case RoceOpcode::READ_RESPONSE_LAST:
    case RoceOpcode::READ_RESPONSE_ONLY:
        ReceiveAnswer(frame, now);
        return;
    default:
        ReceiveRequest(frame, now);
        return;
    }
}

void
RdmaQueuePair::DataArrived(Frame& frame, int64_t now)
{
    // Each switch has taken one off; both ends begin with the same.
    const int taken = m_end.connection.initialTtl - frame.ttl;
    const auto switches = static_cast<uint8_t>(taken > 0 ? taken : 0);
    m_end.counters->dataHops += switches + 1U;
    if (frame.telemetryKind == TelemetryKind::DELAY)
    {
        frame.telemetry.delay.hops = switches;
        frame.telemetry.delay.endpointDelayNs = m_port->ClockNs(now); // RdmaPort makes it a delay
    }
    const bool marked = frame.ecn == Ecn::CE;
    if (marked)
    {
        Marked(now);
    }
    if (m_hooks & RdmaCongestionOps::ON_DATA)
    {
        m_ops->OnData({ToPs(now), frame.WireBytes(), marked});
        m_noticeAt = ToTick(m_ops->NextNotice());
        UpdateTimer(now);
    }
}

void
RdmaQueuePair::ReceiveCnp(Frame* frame, int64_t now)
{
    m_end.counters->cnpsReceived++;
    CatchUp(now);
    if (frame->telemetryKind == TelemetryKind::RATE)
    {
        constexpr double MEGA = 1e6;
        const RateTelemetry& rate = frame->telemetry.rate;
        m_ops->OnRateReport(m_flow, {rate.rateMbps * MEGA, rate.congested}, ToPs(now));
    }
    else
    {
        m_ops->OnCnp(m_flow, ToPs(now));
    }
    frame->Release();
    CongestionChanged(now);
    UpdateTimer(now);
}

void
RdmaQueuePair::ReceiveRequest(Frame* frame, int64_t now)
{
    Frame* answer = m_responder.Receive(frame, now);
    if (answer)
    {
        m_port->SendControl(answer);
    }
    if (!m_active && m_responder.HasResponses() && m_state == READY)
    {
        PlaceAndKick(now);
        UpdateTimer(now);
    }
}

void
RdmaQueuePair::ReceiveAnswer(Frame* frame, int64_t now)
{
    bool ack = frame->opcode == RoceOpcode::ACKNOWLEDGE;
    bool nak = ack && (frame->syndrome & aeth::TYPE_MASK) != 0;
    auto outcome = ack ? m_requester.OnAck(*frame, now) : m_requester.OnReadResponse(*frame, now);
    if (m_hooks & RdmaCongestionOps::ON_ACK)
    {
        RdmaAckEvent event;
        event.nowPs = ToPs(now);
        event.ackedBytes = outcome.ackedBytes;
        event.unackedPsn = m_requester.Unacked();
        event.nextPsn = m_requester.Next();
        event.nak = nak || outcome.wentBack;
        event.marked = frame->becn;
        if (frame->telemetryKind == TelemetryKind::DELAY)
        {
            event.rttPs = ToPs(now - frame->telemetry.delay.sentTick);
        }
        event.telemetryKind = frame->telemetryKind;
        event.telemetry = frame->telemetryKind == TelemetryKind::NONE ? nullptr : &frame->telemetry;
        CatchUp(now);
        m_ops->OnAck(m_flow, event);
        CongestionChanged(now);
    }
    frame->Release();
    Act(outcome, now);
}

void
RdmaQueuePair::Act(const RdmaRequester::Outcome& outcome, int64_t now)
{
    m_requester.Complete(now); // user code: the state may be another afterwards
    if (m_state != READY)
    {
        return;
    }
    if (outcome.failed)
    {
        Fail(outcome.status, now);
        return;
    }
    if (outcome.wentBack || m_active != CanSend())
    {
        PlaceAndKick(now);
    }
    UpdateTimer(now);
    CountBusy();
}

void
RdmaQueuePair::CountBusy()
{
    const bool busy = m_state == READY && m_requester.IsBusy();
    if (busy != m_busy)
    {
        m_busy = busy;
        m_port->SetBusy(busy);
    }
}

void
RdmaQueuePair::Marked(int64_t now)
{
    m_end.counters->markedReceived++;
    if (!m_ops->OnMarkedData(ToPs(now)))
    {
        return;
    }
    m_port->SendControl(MakeCnp());
}

void
RdmaQueuePair::Notify(int64_t now)
{
    if (m_noticeAt > now)
    {
        return;
    }
    RdmaRateReport report;
    const bool send = m_ops->OnNotice(ToPs(now), report);
    m_noticeAt = ToTick(m_ops->NextNotice());
    if (!send)
    {
        return;
    }
    constexpr double MEGA = 1e6;
    Frame* frame = MakeCnp();
    frame->telemetryKind = TelemetryKind::RATE;
    frame->telemetry.rate = {static_cast<uint32_t>(report.rate / MEGA), report.congested};
    m_port->SendControl(frame);
}

Frame*
RdmaQueuePair::MakeCnp()
{
    m_end.counters->cnpsSent++;
    auto frame = new Frame;
    m_end.connection.Address(*frame, RoceOpcode::CNP, m_end.connection.cnp);
    frame->becn = true;
    return frame;
}

// ---- congestion control

void
RdmaQueuePair::CatchUp(int64_t now)
{
    if (m_congestionAt <= now)
    {
        m_ops->OnTimer(m_flow, ToPs(now));
        CongestionChanged(now);
    }
}

void
RdmaQueuePair::CongestionChanged(int64_t now)
{
    m_congestionAt = ToTick(m_ops->NextTimer());
    m_flow.rate = std::clamp(m_flow.rate, 1.0, m_flow.lineRate);
    if (m_flow.rate != m_pacedRate)
    {
        constexpr double BITS = 8;
        double ticksPerByte = BITS * m_end.connection.ticksPerSecond / m_flow.rate;
        // The packet that was sent last takes as long as the new rate says (doc/rdma.rst).
        double change = m_lastBytes * (ticksPerByte - m_ticksPerByte);
        m_nextSend = std::max(now, m_nextSend + static_cast<int64_t>(change));
        m_ticksPerByte = ticksPerByte;
        m_pacedRate = m_flow.rate;
        m_rateTrace(m_pacedRate);
        if (m_active)
        {
            PlaceAndKick(now);
        }
    }
    if (m_active != CanSend())
    {
        PlaceAndKick(now);
    }
}

// ---- timer

int64_t
RdmaQueuePair::ToTick(int64_t ps) const
{
    return ps == RdmaCongestionOps::NEVER ? RDMA_NEVER
                                          : (ps * m_ticksPerPs + m_psPerTick - 1) / m_psPerTick;
}

void
RdmaQueuePair::UpdateTimer(int64_t now)
{
    int64_t deadline = std::min(m_requester.Deadline(), m_noticeAt);
    if (m_requester.HasUnsent() || m_responder.HasResponses())
    {
        deadline = std::min(deadline, m_congestionAt); // else CatchUp() does it in time
    }
    // An armed timer that is too early looks again when it fires. It is taken away only when the
    // queue pair falls idle: taking it away between two packets costs more than they do.
    bool armed = m_timerAt != RDMA_NEVER;
    bool idle = deadline == RDMA_NEVER && !m_requester.IsBusy();
    if (deadline >= m_timerAt && !(armed && idle))
    {
        return;
    }
    if (armed)
    {
        Simulator::Remove(m_timer); // a cancelled event would keep the simulation alive
    }
    m_timerAt = deadline;
    if (deadline != RDMA_NEVER)
    {
        Time delay = TimeStep(std::max<int64_t>(deadline - now, 0));
        m_timer = Simulator::Schedule(delay, &RdmaQueuePair::TimerFired, this);
    }
}

void
RdmaQueuePair::TimerFired()
{
    m_timerAt = RDMA_NEVER;
    int64_t now = m_port->Device().Now();
    CatchUp(now);
    Notify(now);
    if (m_requester.Deadline() > now)
    {
        UpdateTimer(now);
        return;
    }
    if (m_port->IsPaused(m_dataClass))
    {
        m_requester.Postpone(now); // no answer is due for what could not leave
    }
    auto outcome = m_requester.OnTimer(now);
    if (outcome.timedOut)
    {
        m_ops->OnTimeout(m_flow, ToPs(now));
        CongestionChanged(now);
    }
    Act(outcome, now);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-port.h"

#include "rdma-sender.h"

#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaPort");

RdmaPort::RdmaPort(RdmaHw& hw, Ptr<QbbNetDevice> device, const RdmaAddress& address)
    : m_device(device),
      m_address(address),
      m_hw(hw)
{
    SettingChanged();
    constexpr int64_t NS_PER_SECOND = 1000000000;
    const int64_t ticks = SimulationClock::TicksPerSecond();
    m_nsPerTick = ticks < NS_PER_SECOND ? NS_PER_SECOND / ticks : 1;
    m_ticksPerNs = ticks > NS_PER_SECOND ? ticks / NS_PER_SECOND : 1;
    constexpr int64_t PS_PER_SECOND = 1000000000000;
    m_psPerTick = ticks < PS_PER_SECOND ? PS_PER_SECOND / ticks : 1;
    m_ticksPerPs = ticks > PS_PER_SECOND ? ticks / PS_PER_SECOND : 1;
}

RdmaPort::~RdmaPort()
{
    m_far.Cancel();
}

void
RdmaPort::SettingChanged()
{
    m_isHpcc = m_device->GetTransmitter() == QbbNetDevice::HPCC_TRANSMITTER;
    m_isPlain = !m_isHpcc && !m_receiveBuffer;
    // The HPCC simulator has no wake-ups but those of WakeAsHpcc().
    m_farTicks = m_isHpcc ? std::numeric_limits<int64_t>::min() : MicroSeconds(50).GetTimeStep();
}

uint32_t
RdmaPort::Add(RdmaSender* sender, uint8_t cls)
{
    uint32_t slot = m_scheduler.Add(cls);
    if (slot >= m_senders.size())
    {
        m_senders.resize(slot + 1);
    }
    m_senders[slot] = sender;
    NS_LOG_LOGIC("port " << m_device->GetPortIndex() << " serves slot " << slot << " in class "
                         << +cls);
    return slot;
}

void
RdmaPort::Remove(uint32_t slot)
{
    NS_LOG_FUNCTION(this << slot);
    m_scheduler.Remove(slot);
    m_senders[slot] = nullptr;
}

void
RdmaPort::SendControl(Frame* frame)
{
    uint32_t cls = frame->trafficClass;
    m_device->Queues().Push(frame);
    Kick(cls);
}

void
RdmaPort::Kick(uint32_t cls)
{
    if (!IsPaused(cls)) // else the port is kicked when the pause ends
    {
        m_device->Kick();
    }
}

void
RdmaPort::WakeAt(uint32_t cls, int64_t tick)
{
    if (!IsPaused(cls))
    {
        Wake(std::max(tick, m_device->BusyUntil()));
    }
}

void
RdmaPort::Wake(int64_t tick)
{
    int64_t now = m_device->Now();
    if (tick - now < m_farTicks)
    {
        m_device->WakeAt(tick);
        return;
    }
    if (m_isHpcc)
    {
        return;
    }
    // The port's own wake-up costs no memory but cannot be taken back. At a low rate it would be
    // milliseconds ahead, and keep a simulation alive whose last flow has ended.
    if (tick < m_farAt)
    {
        if (m_farAt != QpScheduler::NEVER)
        {
            Simulator::Remove(m_far);
        }
        m_farAt = tick;
        m_far = SimulationClock::Schedule(m_device->GetNode()->GetId(),
                                          tick - now,
                                          MakeEvent(&RdmaPort::FarWake, this));
    }
}

void
RdmaPort::WakeAsHpcc(int64_t now)
{
    // One timer, for the gap that ends first, whatever else holds its queue pair up. If that gap
    // has ended, there is no timer; and one that runs is not set anew.
    if (m_hpccTimer <= now)
    {
        m_hpccTimer = QpScheduler::NEVER;
        for (const RdmaSender* sender : m_senders)
        {
            m_hpccTimer = std::min(m_hpccTimer, sender ? sender->GapEnd() : m_hpccTimer);
        }
        m_hpccTimer = m_hpccTimer == QpScheduler::NEVER ? now : m_hpccTimer;
    }
    if (m_hpccTimer > now)
    {
        m_device->WakeAt(m_hpccTimer);
    }
}

void
RdmaPort::GapRepaced(int64_t tick)
{
    const int64_t now = m_device->Now();
    if (m_isHpcc && m_hpccTimer > now && tick < m_hpccTimer)
    {
        m_hpccTimer = std::max(tick, now);
        m_device->WakeAt(m_hpccTimer);
    }
}

void
RdmaPort::FarWake()
{
    m_farAt = QpScheduler::NEVER;
    m_device->Kick();
}

void
RdmaPort::CheckFarWake()
{
    int64_t next = m_scheduler.NextTick(~m_device->PausedMask());
    if (next > m_farAt)
    {
        Simulator::Remove(m_far);
        m_farAt = QpScheduler::NEVER;
        if (next != QpScheduler::NEVER)
        {
            Wake(next);
        }
    }
}

uint8_t
RdmaPort::Waiting() const
{
    return (m_device->Queues().NonEmpty() | m_scheduler.ReadyMask()) & ~m_device->PausedMask();
}

bool
RdmaPort::QueueGoesFirst(uint32_t cls) const
{
    const Frame* head = m_device->Queues().Head(cls);
    if (!head || !(m_scheduler.ReadyMask() & (1U << cls)))
    {
        return head;
    }
    // ACKs and CNPs overtake data; stock IP in the same class takes turns with it.
    return head->kind == FrameKind::ROCE || !(m_queuePairTurn & (1U << cls));
}

uint32_t
RdmaPort::HeadWireBytes(uint32_t cls) const
{
    return QueueGoesFirst(cls) ? m_device->Queues().HeadWireBytes(cls)
                               : m_senders[m_scheduler.Front(cls)]->HeadWireBytes();
}

Frame*
RdmaPort::Take(uint32_t cls, int64_t now)
{
    Frame* frame;
    if (QueueGoesFirst(cls))
    {
        frame = m_device->Queues().Pop(cls);
        if (frame->telemetryKind == TelemetryKind::DELAY) // an ACK: since its data packet came
        {
            uint32_t& delay = frame->telemetry.delay.endpointDelayNs;
            delay = ClockNs(now) - delay;
        }
        if (frame->kind == FrameKind::ROCE) // stock IP has its own
        {
            frame->ipId = m_ipId++;
        }
        m_queuePairTurn |= 1U << cls;
    }
    else
    {
        frame = m_senders[m_scheduler.TakeTurn(cls)]->Pull(now);
        if (frame)
        {
            frame->ipId = m_ipId++;
        }
        m_queuePairTurn &= ~(1U << cls);
    }
    if (!((m_device->Queues().NonEmpty() | m_scheduler.ReadyMask()) & (1U << cls)))
    {
        m_device->Scheduler().ClassEmptied(cls);
    }
    return frame;
}

Frame*
RdmaPort::NextFrame()
{
    int64_t now = m_device->Now();
    m_scheduler.Promote(now);
    while (const uint8_t waiting = m_device->Conforming(Waiting()))
    {
        Frame* frame = Take(m_device->Scheduler().Pick(waiting, *this), now);
        if (frame)
        {
            return frame;
        }
        // A congestion control caught up with its timers and closed the window: the next one.
    }
    if (m_isHpcc)
    {
        WakeAsHpcc(now);
        return nullptr;
    }
    int64_t next = m_scheduler.NextTick(~m_device->PausedMask());
    if (next != QpScheduler::NEVER)
    {
        Wake(next);
    }
    return nullptr;
}

bool
RdmaPort::HasNext()
{
    if (Waiting())
    {
        return true;
    }
    int64_t next = m_scheduler.NextTick(~m_device->PausedMask());
    if (next == QpScheduler::NEVER)
    {
        return false;
    }
    // One event, at the later of the two times.
    Wake(std::max(next, m_device->BusyUntil()));
    return false;
}

} // namespace ns3

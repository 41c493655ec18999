// SPDX-License-Identifier: GPL-2.0-only

// What the watchdog does while the simulation runs. Attributes and start: pfc-watchdog-setup.cc.

#include "pfc-watchdog.h"

#include "ns3/fabric-switch.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

// ---- state

void
PfcWatchdog::RequireQueue(uint32_t port, uint32_t cls) const
{
    if (port >= m_ports.size())
    {
        throw std::invalid_argument("PfcWatchdog: there is no port " + std::to_string(port) +
                                    "; the switch has " + std::to_string(m_ports.size()) +
                                    " (0 before its start), counted from 0");
    }
    if (cls >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument("PfcWatchdog: there is no class " + std::to_string(cls) +
                                    "; classes are 0 to 7");
    }
}

PfcQueueState
PfcWatchdog::GetState(uint32_t port, uint32_t cls) const
{
    RequireQueue(port, cls);
    const auto& machine = m_ports[port].machines[cls];
    return machine ? machine->GetState() : PfcQueueState::OPERATIONAL;
}

uint8_t
PfcWatchdog::GetWatchedClasses(uint32_t port) const
{
    RequireQueue(port, 0);
    return m_ports[port].watched;
}

const PfcWatchdog::Counters&
PfcWatchdog::GetCounters(uint32_t port, uint32_t cls) const
{
    RequireQueue(port, cls);
    return m_ports[port].counters[cls];
}

PfcWatchdog::Counters
PfcWatchdog::GetTotals() const
{
    Counters sum = m_past;
    for (const Port& port : m_ports)
    {
        for (const Counters& one : port.counters)
        {
            AddCounters(sum, one);
        }
    }
    return sum;
}

// ---- the operator

void
PfcWatchdog::Restore(uint32_t port, uint32_t cls)
{
    RequireQueue(port, cls);
    const auto& machine = m_ports[port].machines[cls];
    if (!machine)
    {
        return;
    }
    const PfcQueueState before = machine->GetState();
    const int64_t now = m_clock.Now();
    machine->Reset(TakeSample(port, cls, now));
    Settle(port, cls, before);
    Arm(now, machine->NextSample());
}

void
PfcWatchdog::SetBigRedSwitch(bool on)
{
    if (on == m_bigRedSwitch)
    {
        return;
    }
    m_bigRedSwitch = on;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Apply(port);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            // What was disabled by hand is restored by hand.
            if (!on && m_ports[port].machines[cls] &&
                GetState(port, cls) != PfcQueueState::DISABLED)
            {
                Restore(port, cls);
            }
        }
    }
}

bool
PfcWatchdog::GetBigRedSwitch() const
{
    return m_bigRedSwitch;
}

// ---- detection

PfcQueueSample
PfcWatchdog::TakeSample(uint32_t port, uint32_t cls, int64_t now)
{
    const QbbNetDevice& device = *m_owner->GetPort(port);
    const PfcObeyer& obeyer = device.GetObeyer();
    const PfcObeyer::Counters& counters = obeyer.Get(cls);
    PfcQueueSample sample;
    sample.time = now;
    sample.paused = obeyer.PausedMask() & (1U << cls);
    sample.rxPause = counters.rxXoff;
    for (uint32_t other = 0; other < TRAFFIC_CLASSES; ++other)
    {
        if (m_ports[port].watched & (1U << other))
        {
            sample.rxPausePort += obeyer.Get(other).rxXoff;
        }
    }
    sample.resumptions = counters.pauses - (sample.paused ? 1 : 0);
    sample.pausedTicks = obeyer.PausedTicks(cls, now);
    sample.lastTx = m_ports[port].lastTx[cls];
    sample.queueBytes = device.Queues().Bytes(cls);
    ++m_samples;
    return sample;
}

void
PfcWatchdog::PauseChanged(uint32_t port, uint8_t pausedMask)
{
    Port& mine = m_ports[port];
    const uint8_t changed = (mine.paused ^ pausedMask) & mine.watched;
    mine.paused = pausedMask;
    if (!changed || m_bigRedSwitch)
    {
        return;
    }
    const int64_t now = m_clock.Now();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (changed & (1U << cls))
        {
            PfcStormMachine& machine = *mine.machines[cls];
            const PfcQueueState before = machine.GetState();
            machine.PauseChanged(TakeSample(port, cls, now));
            Settle(port, cls, before);
            Arm(now, machine.NextSample());
        }
    }
}

void
PfcWatchdog::Dequeued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    m_ports[outPort].lastTx[frame.trafficClass] = m_clock.Now();
}

void
PfcWatchdog::Wake()
{
    if (m_bigRedSwitch)
    {
        return; // the switch going off plans the next samples
    }
    const int64_t now = m_clock.Now();
    int64_t next = PfcStormMachine::NEVER;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            PfcStormMachine* machine = m_ports[port].machines[cls].get();
            if (!machine)
            {
                continue;
            }
            if (machine->NextSample() <= now)
            {
                const PfcQueueState before = machine->GetState();
                machine->Sampled(TakeSample(port, cls, now));
                Settle(port, cls, before);
            }
            next = std::min(next, machine->NextSample());
        }
    }
    Arm(now, next);
}

void
PfcWatchdog::Arm(int64_t now, int64_t next)
{
    m_wake->Arm(m_clock, m_nodeId, now, std::max(next, now));
}

// ---- action

void
PfcWatchdog::Settle(uint32_t port, uint32_t cls, PfcQueueState before)
{
    const PfcQueueState after = m_ports[port].machines[cls]->GetState();
    if (after == before)
    {
        return;
    }
    Counters& counters = m_ports[port].counters[cls];
    counters.storms += before == PfcQueueState::OPERATIONAL;
    counters.restored += after == PfcQueueState::OPERATIONAL;
    counters.disabled += after == PfcQueueState::DISABLED;
    Apply(port);
    m_stateTrace(port, cls, before, after);
}

void
PfcWatchdog::Apply(uint32_t index)
{
    Port& port = m_ports[index];
    uint8_t ignored = m_bigRedSwitch ? port.watched : 0;
    uint8_t dropped = ignored;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = 1U << cls;
        const PfcQueueState state = GetState(index, cls);
        if (state == PfcQueueState::DISABLED)
        {
            ignored |= bit; // PFC is off; frames pass
        }
        else if (state == PfcQueueState::STORMED && m_action != ALERT)
        {
            const uint8_t classes = m_rule->ActsOnPort() ? port.watched : bit;
            ignored |= classes;
            dropped |= m_action == DROP ? classes : 0;
        }
    }
    const uint8_t fresh = dropped & ~port.dropped;
    m_droppingPorts += (dropped != 0) - (port.dropped != 0);
    port.dropped = dropped; // first: what comes while the queue is flushed must not join it
    QbbNetDevice& device = *m_owner->GetPort(index);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (fresh & (1U << cls))
        {
            port.counters[cls].queueDrops += device.FlushClass(cls, DropReason::WATCHDOG);
        }
    }
    // Only now: an open queue would send.
    const uint8_t released = port.ignored & ~ignored & ~IgnoredByOthers(index);
    port.ignored = ignored;
    const uint8_t all = (device.GetObeyer().Ignored() & ~released) | ignored;
    if (device.GetObeyer().Ignored() != all)
    {
        device.SetPfcIgnored(all);
    }
}

uint8_t
PfcWatchdog::IgnoredByOthers(uint32_t index) const
{
    uint8_t classes = 0;
    for (uint32_t each = 0; each < m_owner->GetNExtensions(); ++each)
    {
        const auto other = DynamicCast<PfcWatchdog>(m_owner->GetExtension(each));
        if (other && PeekPointer(other) != this && index < other->m_ports.size())
        {
            classes |= other->m_ports[index].ignored;
        }
    }
    return classes;
}

SwitchExtension::Verdict
PfcWatchdog::Routed(Frame& frame, uint32_t outPort)
{
    if (m_droppingPorts == 0)
    {
        return {};
    }
    Port& out = m_ports[outPort];
    Port& in = m_ports[frame.inPort];
    if (out.dropped & (1U << frame.trafficClass))
    {
        ++out.counters[frame.trafficClass].queueDrops;
    }
    else if (in.dropped & (1U << frame.inClass))
    {
        ++in.counters[frame.inClass].ingressDrops;
    }
    else
    {
        return {};
    }
    return {Verdict::DROP, DropReason::WATCHDOG};
}

} // namespace ns3

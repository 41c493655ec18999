// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-obeyer.h"

#include <algorithm>

namespace ns3
{

uint8_t
PfcObeyer::SetQueues(const QueueMasks& queues, int64_t now)
{
    if (queues == m_queues)
    {
        return 0;
    }
    const uint8_t held = Held();
    m_queues = queues;
    uint8_t opened = 0;
    for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
    {
        const uint8_t bit = 1U << queue;
        uint8_t left = 0;
        for (uint32_t priority = 0; priority < TRAFFIC_CLASSES; ++priority)
        {
            if (!(held & (1U << priority)))
            {
                continue;
            }
            if (!(m_queues[priority] & bit))
            {
                left |= 1U << priority;
            }
            else if (!(m_ignored & bit))
            {
                Close(queue, priority, now);
            }
        }
        opened |= Open(queue, left, now);
    }
    return opened;
}

uint8_t
PfcObeyer::Apply(int64_t now, const Frame& frame, const LineClock& line, bool endless)
{
    uint8_t resumed = 0;
    for (uint32_t priority = 0; priority < TRAFFIC_CLASSES; ++priority)
    {
        if (!(frame.pfcEnable & (1U << priority)))
        {
            continue;
        }
        Counters& counters = m_counters[priority];
        counters.lastRx = now;
        const uint16_t quanta = frame.pfcQuanta[priority];
        if (quanta == 0)
        {
            ++counters.rxXon;
            resumed |= 1U << priority;
            continue;
        }
        ++counters.rxXoff;
        m_expiry[priority] = endless ? NEVER : now + line.TicksOfBits(512ULL * quanta);
        for (uint8_t queues = m_queues[priority] & ~m_ignored; queues; queues &= queues - 1)
        {
            Close(__builtin_ctz(queues), priority, now);
        }
    }
    // Last: a queue that another priority of the frame pauses stays paused.
    return resumed ? Release(resumed, now) : 0;
}

uint8_t
PfcObeyer::Expire(int64_t now)
{
    uint8_t over = 0;
    for (uint8_t held = Held(); held; held &= held - 1)
    {
        const auto priority = static_cast<uint32_t>(__builtin_ctz(held));
        over |= m_expiry[priority] <= now ? 1U << priority : 0;
    }
    const uint8_t opened = over ? Release(over, now) : 0;
    for (uint8_t left = opened; left; left &= left - 1)
    {
        ++m_counters[__builtin_ctz(left)].expired;
    }
    return opened;
}

uint8_t
PfcObeyer::SetIgnored(uint8_t mask, int64_t now)
{
    m_ignored = mask;
    uint8_t opened = 0;
    for (uint8_t left = mask & m_paused; left; left &= left - 1)
    {
        opened |= Open(__builtin_ctz(left), 0xff, now);
    }
    return opened;
}

uint8_t
PfcObeyer::Release(uint8_t priorities, int64_t now)
{
    uint8_t opened = 0;
    for (uint8_t left = m_paused; left; left &= left - 1)
    {
        opened |= Open(__builtin_ctz(left), priorities, now);
    }
    return opened;
}

uint8_t
PfcObeyer::Held() const
{
    uint8_t held = 0;
    for (const uint8_t priorities : m_by)
    {
        held |= priorities;
    }
    return held;
}

int64_t
PfcObeyer::NextExpiry() const
{
    int64_t earliest = NEVER;
    for (uint8_t held = Held(); held; held &= held - 1)
    {
        earliest = std::min(earliest, m_expiry[__builtin_ctz(held)]);
    }
    return earliest;
}

int64_t
PfcObeyer::PausedTicks(uint32_t queue, int64_t now) const
{
    const bool paused = m_paused & (1U << queue);
    return m_counters[queue].pausedTicks + (paused ? now - m_since[queue] : 0);
}

void
PfcObeyer::Close(uint32_t queue, uint32_t priority, int64_t now)
{
    m_by[queue] |= 1U << priority;
    Pause(queue, now);
}

void
PfcObeyer::SetStarved(uint32_t queue, bool starved, int64_t now)
{
    const uint8_t bit = 1U << queue;
    if (starved)
    {
        m_starved |= bit;
        Pause(queue, now);
        return;
    }
    m_starved &= ~bit;
    Open(queue, 0, now);
}

void
PfcObeyer::Pause(uint32_t queue, int64_t now)
{
    const uint8_t bit = 1U << queue;
    if (!(m_paused & bit))
    {
        m_paused |= bit;
        m_since[queue] = now;
        ++m_counters[queue].pauses;
    }
}

uint8_t
PfcObeyer::Open(uint32_t queue, uint8_t priorities, int64_t now)
{
    const uint8_t bit = 1U << queue;
    m_by[queue] &= ~priorities;
    if (m_by[queue] || !(m_paused & ~m_starved & bit))
    {
        return 0;
    }
    m_paused &= ~bit;
    m_counters[queue].pausedTicks += now - m_since[queue];
    return bit;
}

} // namespace ns3

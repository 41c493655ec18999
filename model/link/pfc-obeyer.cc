// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-obeyer.h"

#include <algorithm>

namespace ns3
{

uint8_t
PfcObeyer::Apply(int64_t now, const Frame& frame, const LineClock& line, bool endless)
{
    uint8_t opened = 0;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = 1U << cls;
        if (!(frame.pfcEnable & bit))
        {
            continue;
        }
        Counters& counters = m_counters[cls];
        counters.lastRx = now;
        const uint16_t quanta = frame.pfcQuanta[cls];
        if (quanta == 0)
        {
            ++counters.rxXon;
            if (m_paused & bit)
            {
                Open(cls, now);
                opened |= bit;
            }
            continue;
        }
        ++counters.rxXoff;
        if (m_ignored & bit)
        {
            continue;
        }
        m_expiry[cls] = endless ? NEVER : now + line.TicksOfBits(512ULL * quanta);
        if (!(m_paused & bit))
        {
            m_paused |= bit;
            m_since[cls] = now;
            ++counters.pauses;
        }
    }
    return opened;
}

uint8_t
PfcObeyer::Expire(int64_t now)
{
    uint8_t opened = 0;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if ((m_paused & (1U << cls)) && m_expiry[cls] <= now)
        {
            ++m_counters[cls].expired;
            Open(cls, now);
            opened |= 1U << cls;
        }
    }
    return opened;
}

uint8_t
PfcObeyer::SetIgnored(uint8_t mask, int64_t now)
{
    m_ignored = mask;
    return Release(mask, now);
}

uint8_t
PfcObeyer::Release(uint8_t classes, int64_t now)
{
    const uint8_t opened = m_paused & classes;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (opened & (1U << cls))
        {
            Open(cls, now);
        }
    }
    return opened;
}

int64_t
PfcObeyer::NextExpiry() const
{
    int64_t earliest = NEVER;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (m_paused & (1U << cls))
        {
            earliest = std::min(earliest, m_expiry[cls]);
        }
    }
    return earliest;
}

int64_t
PfcObeyer::PausedTicks(uint32_t cls, int64_t now) const
{
    const bool paused = m_paused & (1U << cls);
    return m_counters[cls].pausedTicks + (paused ? now - m_since[cls] : 0);
}

void
PfcObeyer::Open(uint32_t cls, int64_t now)
{
    m_paused &= ~(1U << cls);
    m_counters[cls].pausedTicks += now - m_since[cls];
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-issuer.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

void
PfcIssuer::Configure(uint16_t quanta, int64_t refreshTicks)
{
    NS_ASSERT(quanta > 0 && refreshTicks >= 0);
    m_quanta = quanta;
    m_refreshTicks = refreshTicks;
}

void
PfcIssuer::Request(uint32_t cls, bool xoff)
{
    const uint8_t bit = 1U << cls;
    m_wanted = xoff ? m_wanted | bit : m_wanted & ~bit;
    const bool changed = (m_wanted ^ m_told) & bit;
    m_pending = changed ? m_pending | bit : m_pending & ~bit;
}

void
PfcIssuer::Refresh(int64_t now)
{
    if (m_refreshTicks == 0)
    {
        return;
    }
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = 1U << cls;
        if ((m_wanted & m_told & bit) && m_lastTx[cls] + m_refreshTicks <= now)
        {
            m_pending |= bit;
        }
    }
}

int64_t
PfcIssuer::NextRefresh() const
{
    const uint8_t waiting = m_wanted & m_told & ~m_pending;
    if (m_refreshTicks == 0 || !waiting)
    {
        return NEVER;
    }
    int64_t earliest = NEVER;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (waiting & (1U << cls))
        {
            earliest = std::min(earliest, m_lastTx[cls] + m_refreshTicks);
        }
    }
    return earliest;
}

void
PfcIssuer::Fill(int64_t now, Frame& frame)
{
    frame.pfcEnable = m_pending;
    frame.pfcQuanta.fill(0);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = 1U << cls;
        if (!(m_pending & bit))
        {
            continue;
        }
        const bool xoff = m_wanted & bit;
        frame.pfcQuanta[cls] = xoff ? m_quanta : 0;
        ++(xoff ? m_counters[cls].txXoff : m_counters[cls].txXon);
        m_counters[cls].txRefresh += xoff && (m_told & bit);
        m_lastTx[cls] = now;
    }
    m_told = (m_told & ~m_pending) | (m_wanted & m_pending);
    m_pending = 0;
}

void
PfcIssuer::Reset()
{
    m_wanted = 0;
    m_told = 0;
    m_pending = 0;
}

} // namespace ns3

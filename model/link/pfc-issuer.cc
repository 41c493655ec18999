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
    if (quanta != m_quanta || refreshTicks != m_refreshTicks)
    {
        m_pending |= Wanted() & m_told;
    }
    m_quanta = quanta;
    m_refreshTicks = refreshTicks;
}

void
PfcIssuer::SetClasses(uint8_t classes)
{
    const uint8_t changed = m_classes ^ classes;
    m_classes = classes;
    Compare(changed);
}

void
PfcIssuer::Repeat(uint8_t classes)
{
    m_told &= ~classes;
    Compare(classes);
}

uint8_t
PfcIssuer::PrioritiesOf(uint8_t groups) const
{
    uint8_t classes = 0;
    for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
    {
        classes |= groups & (1U << group) ? 1U << m_priorities[group] : 0;
    }
    return classes;
}

void
PfcIssuer::SetPriorities(const std::array<uint8_t, TRAFFIC_CLASSES>& priorities)
{
    if (priorities == m_priorities)
    {
        return;
    }
    const uint8_t before = m_requested;
    m_priorities = priorities;
    m_requested = PrioritiesOf(m_groups);
    Compare(before ^ m_requested);
}

void
PfcIssuer::Request(uint32_t group, bool xoff)
{
    const uint8_t others = m_groups & ~(1U << group);
    m_groups = others | (xoff ? 1U << group : 0);
    const uint8_t bit = 1U << m_priorities[group];
    if (others && (PrioritiesOf(others) & bit))
    {
        return; // another group keeps the class paused
    }
    m_requested = xoff ? m_requested | bit : m_requested & ~bit;
    Compare(bit);
}

void
PfcIssuer::Override(uint8_t stuck, uint8_t muted)
{
    const uint8_t changed = (m_stuck ^ stuck) | (m_muted ^ muted);
    m_stuck = stuck;
    m_muted = muted;
    Compare(changed);
}

void
PfcIssuer::Compare(uint8_t classes)
{
    const uint8_t changed = Wanted() ^ m_told;
    m_pending = (m_pending & ~classes) | (changed & classes);
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
        if ((Wanted() & m_told & bit) && m_lastTx[cls] + m_refreshTicks <= now)
        {
            m_pending |= bit;
        }
    }
}

int64_t
PfcIssuer::NextRefresh() const
{
    const uint8_t waiting = Wanted() & m_told & ~m_pending;
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
        const bool xoff = Wanted() & bit;
        frame.pfcQuanta[cls] = xoff ? m_quanta : 0;
        ++(xoff ? m_counters[cls].txXoff : m_counters[cls].txXon);
        m_counters[cls].txRefresh += xoff && (m_told & bit);
        m_lastTx[cls] = now;
    }
    m_told = (m_told & ~m_pending) | (Wanted() & m_pending);
    m_pending = 0;
}

void
PfcIssuer::Reset()
{
    m_groups = 0;
    m_requested = 0;
    m_told = 0;
    m_pending = 0;
    Compare(m_stuck);
}

} // namespace ns3

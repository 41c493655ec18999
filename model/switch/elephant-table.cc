// SPDX-License-Identifier: GPL-2.0-only
#include "elephant-table.h"

#include "ns3/assert.h"

namespace ns3
{

void
ElephantTable::SetRule(const Rule& rule)
{
    NS_ASSERT_MSG(rule.window > 0 && rule.idle >= 0, "ElephantTable: a time that is negative");
    m_rule = rule;
}

void
ElephantTable::Clear()
{
    m_flows = {};
    m_full = MIN_FULL;
}

bool
ElephantTable::IsElephant(const Flow& flow) const
{
    const bool isLarge = flow.bytes >= m_rule.bytes;
    const bool isFast = flow.windowBytes >= m_rule.windowBytes;
    switch (m_rule.condition)
    {
    case BYTES:
        return isLarge;
    case RATE:
        return isFast;
    case BOTH:
        return isLarge && isFast;
    default:
        return isLarge || isFast;
    }
}

ElephantTable::Sighting
ElephantTable::Count(const Key& key, uint32_t bytes, int64_t now)
{
    Sighting sighting;
    sighting.flow = &m_flows[key];
    Flow& flow = *sighting.flow;
    const bool isFirst = flow.lastSeen == NEVER;
    NS_ASSERT_MSG(isFirst || now >= flow.lastSeen, "ElephantTable: the time runs back");
    sighting.gap = isFirst ? FIRST : now - flow.lastSeen;
    const bool beginsAnew = !isFirst && IsIdle(flow, now);
    if (beginsAnew)
    {
        sighting.isDemoted = flow.isElephant;
        flow.isElephant = false;
        flow.isSeparated = false;
        flow.bytes = 0;
    }
    if (isFirst || beginsAnew || now - flow.windowStart >= m_rule.window)
    {
        flow.windowStart = now; // windows of a flow begin with a frame: no timer
        flow.windowBytes = 0;
    }
    flow.lastSeen = now;
    flow.bytes += bytes;
    flow.windowBytes += bytes;
    if (!flow.isElephant && IsElephant(flow))
    {
        flow.isElephant = true;
        sighting.isFound = true;
    }
    return sighting;
}

} // namespace ns3

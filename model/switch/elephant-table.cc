// SPDX-License-Identifier: GPL-2.0-only
#include "elephant-table.h"

#include "ether-types.h"

#include "ns3/assert.h"

namespace ns3
{

bool
ElephantTable::HasFlow(const Frame& frame)
{
    return frame.kind == FrameKind::ROCE ||
           (frame.kind == FrameKind::IP &&
            (frame.protocol == PROTOCOL_TCP || frame.protocol == PROTOCOL_UDP));
}

ElephantTable::Key
ElephantTable::FlowOf(const Frame& frame)
{
    constexpr uint32_t PORT_BITS = 16;
    const uint32_t source = frame.SourceKey();
    const uint32_t destination = frame.DestinationKey();
    if (frame.kind == FrameKind::ROCE)
    {
        return {source, destination, frame.destQp};
    }
    const uint32_t ports = uint32_t{frame.srcPort} << PORT_BITS | frame.dstPort;
    return {source, destination, ports, frame.protocol};
}

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

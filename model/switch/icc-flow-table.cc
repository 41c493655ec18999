// SPDX-License-Identifier: GPL-2.0-only
#include "icc-flow-table.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t SMALLEST = 64;

} // namespace

IccFlowTable::IccFlowTable(uint32_t maxFlows, int64_t maxAgePs)
    : m_flows(SMALLEST),
      m_mask(SMALLEST - 1),
      m_maxFlows(maxFlows),
      m_maxAgePs(maxAgePs)
{
}

void
IccFlowTable::SetLimits(uint32_t maxFlows, int64_t maxAgePs)
{
    m_maxFlows = maxFlows;
    m_maxAgePs = maxAgePs;
    m_roomAt = 0; // there may be room since now
    if (m_count > m_maxFlows)
    {
        uint32_t seen = 0;
        for (IccFlow& flow : m_flows)
        {
            if (flow.queue != IccFlow::NO_QUEUE && ++seen > m_maxFlows)
            {
                flow.queue = IccFlow::NO_QUEUE;
            }
        }
        Rehash(m_flows.size());
    }
}

IccFlow&
IccFlowTable::FreeEntry(const IccFlowKey& key)
{
    uint32_t i = HashOf(key) & m_mask;
    while (m_flows[i].queue != IccFlow::NO_QUEUE)
    {
        i = (i + 1) & m_mask;
    }
    return m_flows[i];
}

IccFlow*
IccFlowTable::Insert(const IccFlowKey& key, int64_t nowPs)
{
    const auto full = [this] { return m_count >= m_maxFlows || m_count >= m_flows.size() / 2; };
    if (full() && nowPs >= m_roomAt)
    {
        MakeRoom(nowPs);
    }
    if (full())
    {
        ++m_refused;
        return nullptr;
    }
    IccFlow& flow = FreeEntry(key);
    flow = IccFlow();
    flow.key = key;
    flow.lastSeenPs = nowPs;
    flow.queue = 0; // in use; the caller says which
    ++m_count;
    return &flow;
}

void
IccFlowTable::Rehash(std::size_t size)
{
    std::vector<IccFlow> old(size);
    std::swap(old, m_flows);
    m_mask = static_cast<uint32_t>(size - 1);
    m_count = 0;
    for (const IccFlow& flow : old)
    {
        if (flow.queue != IccFlow::NO_QUEUE)
        {
            FreeEntry(flow.key) = flow;
            ++m_count;
        }
    }
    ++m_generation;
}

void
IccFlowTable::MakeRoom(int64_t nowPs)
{
    uint32_t kept = 0;
    for (IccFlow& flow : m_flows)
    {
        if (flow.queue != IccFlow::NO_QUEUE && nowPs - flow.lastSeenPs > m_maxAgePs)
        {
            flow.queue = IccFlow::NO_QUEUE;
        }
        kept += flow.queue != IccFlow::NO_QUEUE;
    }
    std::size_t size = m_flows.size();
    if (kept >= size / 4 && size / 2 < m_maxFlows)
    {
        size *= 2;
    }
    Rehash(size);
    // A table full of live flows is not looked through at each packet of others.
    m_roomAt = kept >= m_maxFlows ? nowPs + m_maxAgePs : nowPs;
}

} // namespace ns3

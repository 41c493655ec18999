// SPDX-License-Identifier: GPL-2.0-only
#include "drill-load-balancer.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DrillLoadBalancer);

TypeId
DrillLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DrillLoadBalancer")
            .SetParent<DataLoadBalancer>()
            .SetGroupName("Lossless")
            .AddConstructor<DrillLoadBalancer>()
            .AddAttribute("Samples",
                          "Ports that are drawn for each packet, without repetition.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DrillLoadBalancer::m_samples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Memory",
                          "Ports that are remembered as the best of the last time.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DrillLoadBalancer::m_memory),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SkipPaused",
                          "Whether a port that may not send the class of the packet loses against "
                          "any that may, whatever their queues.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DrillLoadBalancer::m_skipPaused),
                          MakeBooleanChecker());
    return tid;
}

void
DrillLoadBalancer::Join(const Candidate& candidate)
{
    const auto isBetter = [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; };
    m_candidates.insert(
        std::upper_bound(m_candidates.begin(), m_candidates.end(), candidate, isBetter),
        candidate);
}

uint16_t
DrillLoadBalancer::Choose(const Frame& frame, const NextHopGroup& group, const SwitchPorts& view)
{
    constexpr uint64_t PAUSED = uint64_t{1} << 63;
    const auto join = [&](uint16_t member) {
        const uint16_t port = group.ports[member];
        const bool isPaused = m_skipPaused && (view.GetPausedMask(port) >> frame.trafficClass & 1U);
        Join({view.GetQueueBytes(port) + (isPaused ? PAUSED : 0), member});
    };
    Memory& memory = m_memories.Of(group);
    if (Fit(memory.order, group))
    {
        memory.best.clear();
    }
    m_candidates.clear();
    const auto end = memory.order.begin() + std::min<std::size_t>(m_samples, memory.order.size());
    for (auto drawn = memory.order.begin(); drawn != end; ++drawn)
    {
        join(DrawInto(memory.order, drawn - memory.order.begin()));
    }
    for (const uint16_t member : memory.best)
    {
        if (std::find(memory.order.begin(), end, member) == end)
        {
            join(member);
        }
    }
    memory.best.clear();
    for (const Candidate& candidate : m_candidates)
    {
        if (memory.best.size() == m_memory)
        {
            break;
        }
        memory.best.push_back(candidate.member);
    }
    return group.ports[m_candidates.front().member];
}

} // namespace ns3

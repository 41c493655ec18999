// SPDX-License-Identifier: GPL-2.0-only
#include "adaptive-load-balancer.h"

#include "ns3/enum-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveLoadBalancer);

TypeId
AdaptiveLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AdaptiveLoadBalancer")
            .SetParent<DataLoadBalancer>()
            .SetGroupName("Lossless")
            .AddConstructor<AdaptiveLoadBalancer>()
            .AddAttribute("FullBytes",
                          "Bytes in the egress queues of a port of which 5, 10 and 20 % are the "
                          "levels. A good value is the ECN Kmax of the port.",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&AdaptiveLoadBalancer::m_fullBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("UpdateInterval",
                          "For how long a level that was read counts. 0: levels are always new.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&AdaptiveLoadBalancer::m_interval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Compare",
                          "What makes a port better: the level of its queues; or whether it may "
                          "send the class of the packet, and the level among equals.",
                          EnumValue(PAUSE_QUEUE),
                          MakeLosslessEnumAccessor<Compare>(&AdaptiveLoadBalancer::m_compare),
                          MakeEnumChecker(QUEUE, "Queue", PAUSE_QUEUE, "PauseQueue"))
            .AddAttribute(
                "Granularity",
                "What takes one path.",
                EnumValue(PACKET),
                MakeLosslessEnumAccessor<Granularity>(&AdaptiveLoadBalancer::m_granularity),
                MakeEnumChecker(PACKET, "Packet", FLOWLET, "Flowlet"))
            .AddAttribute("FlowletTimeout",
                          "Longest gap between two packets of a flowlet.",
                          TimeValue(MicroSeconds(10)),
                          UsedWhen(MakeTimeAccessor(&AdaptiveLoadBalancer::m_timeout),
                                   &AdaptiveLoadBalancer::HasFlowlets,
                                   "Granularity Flowlet"),
                          MakeTimeChecker(Time(0)));
    return tid;
}

uint8_t
AdaptiveLoadBalancer::LevelOf(uint64_t bytes, uint64_t fullBytes)
{
    return (20 * bytes >= fullBytes) + (10 * bytes >= fullBytes) + (5 * bytes >= fullBytes);
}

uint64_t
AdaptiveLoadBalancer::CostOf(uint16_t port, uint8_t cls, const SwitchPorts& view)
{
    constexpr uint64_t PAUSED = 4; // above all levels
    if (port >= m_readings.size())
    {
        m_readings.resize(port + std::size_t{1});
    }
    Reading& reading = m_readings[port];
    const int64_t now = view.Now();
    if (now >= reading.until)
    {
        reading = {now + m_interval.GetTimeStep(), LevelOf(view.GetQueueBytes(port), m_fullBytes)};
    }
    const bool isPaused = m_compare == PAUSE_QUEUE && (view.GetPausedMask(port) >> cls & 1U);
    return reading.level + (isPaused ? PAUSED : 0);
}

uint16_t
AdaptiveLoadBalancer::Choose(const Frame& frame, const NextHopGroup& group, const SwitchPorts& view)
{
    const auto costOf = [&](uint16_t port) { return CostOf(port, frame.trafficClass, view); };
    if (m_granularity == PACKET)
    {
        return DrawCheapest(group.ports, costOf);
    }
    bool isNew = false;
    auto& flow = m_table.Arrived(frame, view.Now(), m_timeout.GetTimeStep(), isNew);
    const auto& ports = group.ports;
    const bool isKnown = std::find(ports.begin(), ports.end(), flow.port) != ports.end();
    if (!isKnown || (isNew && Draw(0, 1) == 0))
    {
        const uint16_t best = DrawCheapest(ports, costOf);
        if (!isKnown || costOf(best) < costOf(flow.port))
        {
            flow.port = best;
        }
    }
    return flow.port;
}

} // namespace ns3

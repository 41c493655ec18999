// SPDX-License-Identifier: GPL-2.0-only
#include "spray-load-balancer.h"

#include "ns3/enum-accessor.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SprayLoadBalancer);

TypeId
SprayLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SprayLoadBalancer")
            .SetParent<DataLoadBalancer>()
            .SetGroupName("Lossless")
            .AddConstructor<SprayLoadBalancer>()
            .AddAttribute("Mode",
                          "How the port of a packet is chosen: at random, each port of a group "
                          "once in a round of random order, or one with the fewest queued bytes.",
                          EnumValue(ROUND_ROBIN),
                          MakeLosslessEnumAccessor<Mode>(&SprayLoadBalancer::m_mode),
                          MakeEnumChecker(RANDOM,
                                          "Random",
                                          ROUND_ROBIN,
                                          "RoundRobin",
                                          SHORTEST_QUEUE,
                                          "ShortestQueue"))
            .AddAttribute("MinBytes",
                          "Frames of fewer bytes take the path that the hash of their flow gives.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&SprayLoadBalancer::m_minBytes),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

uint16_t
SprayLoadBalancer::NextOfRound(const NextHopGroup& group)
{
    Round& round = m_rounds.Of(group);
    if (Fit(round.order, group) || round.next == round.order.size())
    {
        round.next = 0;
    }
    return group.ports[DrawInto(round.order, round.next++)];
}

uint16_t
SprayLoadBalancer::Choose(const Frame& frame, const NextHopGroup& group, const SwitchPorts& view)
{
    if (frame.bytes < m_minBytes)
    {
        return PickByHash(frame, group);
    }
    switch (m_mode)
    {
    case RANDOM:
        return DrawPort(group.ports);
    case ROUND_ROBIN:
        return NextOfRound(group);
    default:
        return DrawCheapest(group.ports,
                            [&view](uint16_t port) { return view.GetQueueBytes(port); });
    }
}

} // namespace ns3

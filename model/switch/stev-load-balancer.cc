// SPDX-License-Identifier: GPL-2.0-only
#include "stev-load-balancer.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StevLoadBalancer);

TypeId
StevLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StevLoadBalancer")
                            .SetParent<EcmpLoadBalancer>()
                            .SetGroupName("Lossless")
                            .AddConstructor<StevLoadBalancer>();
    return tid;
}

void
StevLoadBalancer::SetField(uint32_t first, uint32_t bits)
{
    if (first > EV_BITS || bits > EV_BITS - first)
    {
        throw std::invalid_argument("StevLoadBalancer: a field of " + std::to_string(bits) +
                                    " bits behind " + std::to_string(first) +
                                    "; an entropy value has 32 in all");
    }
    m_first = first;
    m_bits = bits;
}

uint16_t
StevLoadBalancer::Pick(const Frame& frame,
                       uint16_t /* inPort */,
                       const NextHopGroup& group,
                       const SwitchPorts& /* view */)
{
    if (m_bits == 0 || frame.kind != FrameKind::ROCE || !IsMrc(frame.opcode))
    {
        return PickByHash(frame, group);
    }
    const uint32_t ev = uint32_t{frame.flowLabel} << 16 | frame.srcPort;
    const uint32_t number = ev << m_first >> (EV_BITS - m_bits);
    if (number >= group.all.size())
    {
        return NextHopGroup::NONE;
    }
    const uint16_t port = group.all[number];
    const bool isUp = group.ports.size() == group.all.size() ||
                      std::find(group.ports.begin(), group.ports.end(), port) != group.ports.end();
    return isUp ? port : NextHopGroup::NONE;
}

} // namespace ns3

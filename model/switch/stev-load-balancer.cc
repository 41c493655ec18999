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
StevLoadBalancer::SetField(uint32_t first, uint32_t bits, const std::vector<uint16_t>& ports)
{
    if (first > EV_BITS || bits > EV_BITS - first)
    {
        throw std::invalid_argument("StevLoadBalancer: a field of " + std::to_string(bits) +
                                    " bits behind " + std::to_string(first) +
                                    "; an entropy value has 32 in all");
    }
    m_first = first;
    m_bits = bits;
    m_ports = ports;
    m_isNamed.clear();
    for (const uint16_t port : ports)
    {
        m_isNamed.resize(std::max<std::size_t>(m_isNamed.size(), port + 1U));
        m_isNamed[port] = true;
    }
}

uint16_t
StevLoadBalancer::PortOf(const Frame& frame) const
{
    const uint64_t ev = uint64_t{frame.flowLabel} << 16 | frame.srcPort;
    constexpr uint64_t ALL = 0xffffffff;
    const uint64_t number = (ev << m_first & ALL) >> (EV_BITS - m_bits); // 64 bits: by 32, too
    return number < m_ports.size() ? m_ports[number] : NextHopGroup::NONE;
}

uint16_t
StevLoadBalancer::Pick(const Frame& frame,
                       uint16_t /* inPort */,
                       const NextHopGroup& group,
                       const SwitchPorts& /* view */)
{
    const uint16_t any = group.ports.front();
    const bool isUp = any < m_isNamed.size() && m_isNamed[any];
    if (!isUp || frame.kind != FrameKind::ROCE || !IsMrc(frame.opcode))
    {
        return group.ports.size() == 1 ? any : PickByHash(frame, group);
    }
    const uint16_t port = PortOf(frame);
    const bool leads = group.ports.size() == m_ports.size() ||
                       std::find(group.ports.begin(), group.ports.end(), port) != group.ports.end();
    return leads ? port : NextHopGroup::NONE;
}

std::vector<uint16_t>
StevLoadBalancer::GetWays(const Frame& frame,
                          uint16_t inPort,
                          const NextHopGroup& group,
                          const SwitchPorts& view)
{
    const uint16_t port = Pick(frame, inPort, group, view);
    return port == NextHopGroup::NONE ? std::vector<uint16_t>() : std::vector<uint16_t>{port};
}

} // namespace ns3

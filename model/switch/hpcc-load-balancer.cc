// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-load-balancer.h"

#include "ecmp-load-balancer.h"

#include "ns3/log.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HpccLoadBalancer");

NS_OBJECT_ENSURE_REGISTERED(HpccLoadBalancer);

TypeId
HpccLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HpccLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Lossless")
                            .AddConstructor<HpccLoadBalancer>();
    return tid;
}

uint64_t
HpccLoadBalancer::Names::KeyOf(uint32_t src, uint32_t dst, uint16_t srcPort)
{
    // Hosts follow each other and have fewer than 2^24 addresses.
    constexpr uint32_t HOST_BITS = 24;
    constexpr uint32_t PORT_BITS = 16;
    constexpr uint32_t HOST = (1U << HOST_BITS) - 1;
    return (uint64_t{src & HOST} << HOST_BITS | (dst & HOST)) << PORT_BITS | srcPort;
}

void
HpccLoadBalancer::SetNames(std::shared_ptr<const Names> names)
{
    NS_LOG_FUNCTION(this);
    m_names = std::move(names);
}

void
HpccLoadBalancer::SetSwitchId(uint32_t id)
{
    NS_LOG_FUNCTION(this << id);
    m_seed = id;
}

uint32_t
HpccLoadBalancer::HashOf(const Frame& frame) const
{
    constexpr uint32_t PORT_BITS = 16;
    uint32_t src = frame.SourceKey();
    uint32_t dst = frame.DestinationKey();
    uint32_t low = frame.srcPort;
    uint32_t high = frame.dstPort;
    if (m_names && frame.kind == FrameKind::ROCE)
    {
        const bool isBack =
            frame.opcode == RoceOpcode::ACKNOWLEDGE || frame.opcode == RoceOpcode::CNP;
        const auto port = m_names->ports.find(isBack ? Names::KeyOf(dst, src, frame.srcPort)
                                                     : Names::KeyOf(src, dst, frame.srcPort));
        high = port == m_names->ports.end() ? high : port->second;
        if (isBack)
        {
            std::swap(low, high);
        }
        for (uint32_t* address : {&src, &dst})
        {
            const uint32_t index = *address - m_names->first;
            *address = index < m_names->addresses.size() ? m_names->addresses[index] : *address;
        }
    }
    return EcmpLoadBalancer::Hash(src, dst, low | high << PORT_BITS, m_seed);
}

uint16_t
HpccLoadBalancer::Pick(const Frame& frame,
                       uint16_t /* inPort */,
                       const NextHopGroup& group,
                       const SwitchPorts& /* view */)
{
    const auto count = static_cast<uint32_t>(group.ports.size());
    return group.ports[count - 1 - HashOf(frame) % count];
}

} // namespace ns3

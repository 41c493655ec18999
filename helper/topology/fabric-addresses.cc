// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-addresses.h"

namespace ns3
{

FabricAddresses::FabricAddresses(const FabricTopology& topology)
    : m_count(static_cast<uint32_t>(topology.GetHosts().size()))
{
    m_second.reserve(m_count);
    for (const NodeId host : topology.GetHosts())
    {
        m_second.push_back(m_count);
        const auto ports = static_cast<uint32_t>(topology.GetLinksOf(host).size());
        m_count += ports > 1 ? ports - 1 : 0;
    }
}

Ipv6Address
FabricAddresses::Ipv6Of(Ipv4Address address)
{
    uint8_t bytes[16];
    Ipv4Address(PREFIX[0]).Serialize(bytes);
    Ipv4Address(PREFIX[1]).Serialize(bytes + 4);
    Ipv4Address(PREFIX[2]).Serialize(bytes + 8);
    address.Serialize(bytes + 12);
    return Ipv6Address(bytes);
}

} // namespace ns3

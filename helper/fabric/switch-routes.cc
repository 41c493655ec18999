// SPDX-License-Identifier: GPL-2.0-only
#include "switch-routes.h"

#include <cstdint>
#include <vector>

namespace ns3
{

SwitchRoutes::SwitchRoutes(const Fabric& fabric, SwitchId which, const FabricRoutes& routes)
    : m_fabric(fabric),
      m_topology(fabric.GetTopology()),
      m_routes(routes),
      m_self(m_topology.NodeOf(which)),
      m_table(fabric.GetSwitch(which)->GetForwardingTable())
{
}

void
SwitchRoutes::InstallToHosts() const
{
    const auto& sites = m_routes.GetHostSites();
    std::vector<ForwardingTable::GroupId> groups(sites->GetNSites() + 1, 0);
    for (uint32_t site = 1; site < groups.size(); ++site)
    {
        groups[site] = AddGroup(m_routes.GetSwitchOf(static_cast<HostSites::Site>(site)));
    }
    m_table.SetSiteRoutes(sites, groups);
    for (const LinkId link : m_topology.GetLinksOf(m_self))
    {
        const NodeId peer = m_topology.GetLink(link).Peer(m_self);
        if (!m_topology.IsSwitch(peer))
        {
            const HostId host = m_topology.HostAt(peer);
            const uint32_t port = m_topology.GetPort(peer, link);
            const auto group =
                m_table.AddGroup({static_cast<uint16_t>(m_topology.GetPort(m_self, link))});
            m_table.SetRoute(m_fabric.GetAddress(host, port), group);
            m_table.SetRoute(m_fabric.GetIpv6Address(host, port), group);
        }
    }
}

void
SwitchRoutes::InstallToSwitches() const
{
    for (const SwitchId other : m_fabric.Switches())
    {
        const auto group = AddGroup(m_topology.NodeOf(other));
        if (group == 0)
        {
            m_table.RemoveRoute(m_fabric.GetSwitchAddress(other));
            m_table.RemoveRoute(m_fabric.GetSwitchIpv6Address(other));
        }
        else
        {
            m_table.SetRoute(m_fabric.GetSwitchAddress(other), group);
            m_table.SetRoute(m_fabric.GetSwitchIpv6Address(other), group);
        }
    }
}

ForwardingTable::GroupId
SwitchRoutes::AddGroup(NodeId to) const
{
    std::vector<uint16_t> ports;
    for (const LinkId link : m_routes.GetNextHops(m_self, to))
    {
        ports.push_back(static_cast<uint16_t>(m_topology.GetPort(m_self, link)));
    }
    return ports.empty() ? 0 : m_table.AddGroup(ports);
}

} // namespace ns3

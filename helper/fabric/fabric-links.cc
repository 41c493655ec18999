// SPDX-License-Identifier: GPL-2.0-only

// Links of a fabric that go down and up, and the routes of its switches.

#include "fabric.h"

#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

namespace ns3
{

void
Fabric::ScheduleLink(uint32_t link, bool up, Time when) const
{
    GetChannel(link);
    if (when < Simulator::Now())
    {
        throw FabricError("link " + std::to_string(link) + " is to change at " +
                              std::to_string(when.GetSeconds()) + " s, before the time now",
                          "the time counts from the start of the simulation");
    }
    Simulator::Schedule(when - Simulator::Now(),
                        [fabric = *this, link, up] { fabric.SetLinkUp(link, up); });
}

void
Fabric::SetLinkUp(uint32_t link, bool up) const
{
    SetLinkState(link, up);
    ComputeRoutes();
    InstallRoutes();
}

void
Fabric::SetLinkState(uint32_t link, bool up) const
{
    GetChannel(link)->SetUp(up);
    m_parts->linkDown[link] = !up;
}

bool
Fabric::IsLinkUp(uint32_t link) const
{
    return GetChannel(link)->IsUp();
}

std::shared_ptr<const FabricRoutes>
Fabric::ComputeRoutes() const
{
    m_parts->routes = std::make_shared<FabricRoutes>(m_parts->topology, m_parts->linkDown);
    return m_parts->routes;
}

void
Fabric::InstallRoutes() const
{
    for (uint32_t i = 0; i < m_parts->switches.size(); ++i)
    {
        InstallRoutesAt(i, GetRoutes());
    }
}

void
Fabric::InstallRoutesAt(uint32_t i, const FabricRoutes& routes) const
{
    GetSwitch(i);
    const FabricTopology& topology = GetTopology();
    const uint32_t self = topology.GetSwitches()[i];
    ForwardingTable& table = m_parts->switches[i]->GetForwardingTable();
    table.Reserve(AddressAt(0), m_parts->addresses);
    // All hosts behind a switch share one group: it is looked up once for each of them.
    std::vector<ForwardingTable::GroupId> groups(topology.GetNNodes(), 0);
    std::vector<bool> known(topology.GetNNodes(), false);
    for (const uint32_t node : topology.GetHosts())
    {
        const uint32_t host = topology.GetHostIndex(node);
        const auto& links = topology.GetLinksOf(node);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const uint32_t behind = topology.GetLinks()[links[port]].Peer(node);
            ForwardingTable::GroupId group = 0;
            if (behind == self)
            {
                group =
                    table.AddGroup({static_cast<uint16_t>(topology.GetPort(self, links[port]))});
            }
            else if (topology.IsSwitch(behind) && routes.IsUp(links[port]))
            {
                if (!known[behind])
                {
                    std::vector<uint16_t> ports;
                    for (const uint32_t link : routes.GetNextHops(self, behind))
                    {
                        ports.push_back(static_cast<uint16_t>(topology.GetPort(self, link)));
                    }
                    known[behind] = true;
                    groups[behind] = ports.empty() ? 0 : table.AddGroup(ports);
                }
                group = groups[behind];
            }
            if (group)
            {
                table.SetRoute(GetAddress(host, port), group);
                table.SetRoute(GetIpv6Address(host, port), group);
            }
            else
            {
                table.RemoveRoute(GetAddress(host, port));
                table.RemoveRoute(GetIpv6Address(host, port));
            }
        }
    }
    if (m_parts->routesToSwitches)
    {
        InstallSwitchRoutesAt(i, routes);
    }
}

void
Fabric::InstallSwitchRoutesAt(uint32_t i, const FabricRoutes& routes) const
{
    const FabricTopology& topology = GetTopology();
    const auto& switches = topology.GetSwitches();
    ForwardingTable& table = m_parts->switches[i]->GetForwardingTable();
    for (uint32_t other = 0; other < switches.size(); ++other)
    {
        std::vector<uint16_t> ports;
        for (const uint32_t link : routes.GetNextHops(switches[i], switches[other]))
        {
            ports.push_back(static_cast<uint16_t>(topology.GetPort(switches[i], link)));
        }
        if (ports.empty())
        {
            table.RemoveRoute(GetSwitchAddress(other));
        }
        else
        {
            table.SetRoute(GetSwitchAddress(other), table.AddGroup(ports));
        }
    }
}

void
Fabric::RouteToSwitches() const
{
    m_parts->routesToSwitches = true;
    for (uint32_t i = 0; i < m_parts->switches.size(); ++i)
    {
        InstallSwitchRoutesAt(i, GetRoutes());
    }
}

} // namespace ns3

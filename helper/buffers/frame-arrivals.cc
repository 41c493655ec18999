// SPDX-License-Identifier: GPL-2.0-only
#include "frame-arrivals.h"

#include "switch-extensions.h"

#include "ns3/class-rewriter.h"
#include "ns3/vlan-ports.h"

namespace ns3
{

FrameArrivals::FrameArrivals(const Fabric& fabric)
    : m_fabric(fabric),
      m_topology(fabric.GetTopology())
{
}

std::set<NodePort>
FrameArrivals::Find(const std::vector<NodePort>& senders)
{
    m_found.clear();
    std::set<NodeId> first; // switches of the senders
    std::set<NodeId> hosts;
    for (const auto& [host, port] : senders)
    {
        hosts.insert(host);
        const LinkId link = m_topology.GetLinksOf(host)[port];
        const NodeId peer = m_topology.GetLink(link).Peer(host);
        if (m_fabric.GetRoutes().IsUp(link))
        {
            Arrive(peer, link);
            if (m_topology.IsSwitch(peer) && !Rewrites(peer))
            {
                first.insert(peer);
            }
        }
    }
    for (const NodeId last : m_topology.GetSwitches())
    {
        Follow(first, last, hosts);
    }
    return m_found;
}

void
FrameArrivals::Arrive(NodeId node, LinkId link)
{
    m_found.emplace(node, m_topology.GetPort(node, link));
}

bool
FrameArrivals::Rewrites(NodeId node) const
{
    const auto fabricSwitch = m_fabric.GetSwitch(m_topology.SwitchAt(node));
    return !ExtensionsOf<ClassRewriter>(*fabricSwitch).empty() ||
           !ExtensionsOf<VlanPorts>(*fabricSwitch).empty();
}

void
FrameArrivals::Follow(const std::set<NodeId>& first, NodeId last, const std::set<NodeId>& senders)
{
    std::vector<std::pair<NodeId, LinkId>> hosts;
    for (const LinkId link : m_topology.GetLinksOf(last))
    {
        const NodeId host = m_topology.GetLink(link).Peer(last);
        const bool isAlone = senders.size() == 1 && *senders.begin() == host;
        if (!m_topology.IsSwitch(host) && !isAlone && m_fabric.GetRoutes().IsUp(link))
        {
            hosts.emplace_back(host, link);
        }
    }
    std::vector<NodeId> open(first.begin(), first.end());
    std::set<NodeId> seen(first);
    while (!hosts.empty() && !open.empty())
    {
        const NodeId at = open.back();
        open.pop_back();
        for (const auto& [host, link] : hosts)
        {
            if (at == last)
            {
                Arrive(host, link);
            }
        }
        for (const LinkId link : m_fabric.GetRoutes().GetNextHops(at, last))
        {
            const NodeId next = m_topology.GetLink(link).Peer(at);
            Arrive(next, link);
            if (!Rewrites(next) && seen.insert(next).second)
            {
                open.push_back(next);
            }
        }
    }
}

} // namespace ns3

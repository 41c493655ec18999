// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-topology.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"

#include <cmath>

namespace ns3
{
namespace
{

void
RequirePositive(uint32_t value, const char* what)
{
    if (value == 0)
    {
        throw FabricError(std::string(what) + " is 0", "it must be 1 or more");
    }
}

/// Refuse a topology that has more nodes or links than can be, before building it.
void
RequireAtMost(uint64_t count, uint32_t most, const char* what)
{
    if (count > most)
    {
        throw FabricError("a fabric of " + std::to_string(count) + " " + what,
                          "it has at most " + std::to_string(most));
    }
}

} // namespace

FabricTopology
FabricTopology::Star(uint32_t hosts, const FabricLinkSpec& link)
{
    RequirePositive(hosts, "number of hosts of a star");
    RequireAtMost(uint64_t{hosts} + 1, MAX_NODES, "nodes");
    FabricTopology topology;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        topology.AddHost();
    }
    const NodeId hub = topology.AddSwitch();
    for (uint32_t i = 0; i < hosts; ++i)
    {
        topology.AddLink(i, hub, link);
    }
    return topology;
}

FabricTopology
FabricTopology::Dumbbell(uint32_t left,
                         uint32_t right,
                         const FabricLinkSpec& edge,
                         const FabricLinkSpec& bottleneck)
{
    RequirePositive(left, "number of hosts on the left of a dumbbell");
    RequirePositive(right, "number of hosts on the right of a dumbbell");
    RequireAtMost(uint64_t{left} + right + 2, MAX_NODES, "nodes");
    FabricTopology topology;
    for (uint32_t i = 0; i < left + right; ++i)
    {
        topology.AddHost();
    }
    const NodeId leftSwitch = topology.AddSwitch();
    const NodeId rightSwitch = topology.AddSwitch();
    for (uint32_t i = 0; i < left + right; ++i)
    {
        topology.AddLink(i, i < left ? leftSwitch : rightSwitch, edge);
    }
    topology.AddLink(leftSwitch, rightSwitch, bottleneck);
    return topology;
}

FabricTopology
FabricTopology::LeafSpine(uint32_t leaves,
                          uint32_t spines,
                          uint32_t hostsPerLeaf,
                          const FabricLinkSpec& edge,
                          const FabricLinkSpec& uplink)
{
    return MultiPlane(1, leaves, spines, hostsPerLeaf, edge, uplink);
}

FabricTopology
FabricTopology::MultiPlane(uint32_t planes,
                           uint32_t leaves,
                           uint32_t spines,
                           uint32_t hostsPerLeaf,
                           const FabricLinkSpec& edge,
                           const FabricLinkSpec& uplink)
{
    RequirePositive(planes, "number of planes");
    RequirePositive(leaves, "number of leaves");
    RequirePositive(spines, "number of spines");
    RequirePositive(hostsPerLeaf, "number of hosts per leaf");
    RequireAtMost(planes, MAX_NODES, "planes");
    RequireAtMost(uint64_t{leaves} * hostsPerLeaf, MAX_NODES, "hosts");
    const uint32_t hosts = leaves * hostsPerLeaf;
    RequireAtMost(hosts + planes * (uint64_t{leaves} + spines), MAX_NODES, "nodes");
    RequireAtMost(uint64_t{planes} * hosts, MAX_NODES, "ports of hosts");
    RequireAtMost(uint64_t{planes} * leaves * spines, MAX_NODES, "links between leaves and spines");
    FabricTopology topology;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        topology.AddHost();
    }
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        const uint32_t first = topology.GetNNodes(); // leaf of the plane
        for (uint32_t i = 0; i < leaves + spines; ++i)
        {
            topology.AddSwitch();
        }
        for (uint32_t i = 0; i < hosts; ++i)
        {
            topology.AddLink(i, first + i / hostsPerLeaf, edge);
        }
        for (uint32_t leaf = 0; leaf < leaves; ++leaf)
        {
            for (uint32_t spine = 0; spine < spines; ++spine)
            {
                topology.AddLink(first + leaf, first + leaves + spine, uplink);
            }
        }
    }
    return topology;
}

DataRate
FabricTopology::UplinkRate(DataRate edge,
                           uint32_t hostsPerLeaf,
                           uint32_t spines,
                           double oversubscription)
{
    RequirePositive(spines, "number of spines");
    RequirePositive(hostsPerLeaf, "number of hosts per leaf");
    if (!(oversubscription > 0) || !std::isfinite(oversubscription))
    {
        throw FabricError("oversubscription is " + ExactText(oversubscription),
                          "it must be more than 0, 1 for a non-blocking fabric");
    }
    const double rate =
        static_cast<double>(edge.GetBitRate()) * hostsPerLeaf / spines / oversubscription;
    if (!(rate >= 0.5 && rate < 0x1p63))
    {
        throw FabricError("links to the spines of " + ExactText(rate) + " bit/s",
                          "choose the oversubscription such that they can be");
    }
    return DataRate(static_cast<uint64_t>(std::llround(rate)));
}

FabricTopology
FabricTopology::FatTree(uint32_t k, const FabricLinkSpec& link)
{
    if (k < 2 || k % 2 || k > 256)
    {
        throw FabricError("k of a fat-tree is " + std::to_string(k), "it must be even, 2 to 256");
    }
    const uint32_t half = k / 2;
    const uint32_t hosts = k * half * half;
    const uint32_t tier = k * half; // switches of the edge, and of the aggregation tier
    FabricTopology topology;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        topology.AddHost();
    }
    for (uint32_t i = 0; i < 2 * tier + half * half; ++i)
    {
        topology.AddSwitch();
    }
    for (uint32_t i = 0; i < hosts; ++i)
    {
        topology.AddLink(i, hosts + i / half, link);
    }
    for (uint32_t edge = 0; edge < tier; ++edge)
    {
        for (uint32_t i = 0; i < half; ++i)
        {
            topology.AddLink(hosts + edge, hosts + tier + edge / half * half + i, link);
        }
    }
    for (uint32_t aggregation = 0; aggregation < tier; ++aggregation)
    {
        for (uint32_t i = 0; i < half; ++i)
        {
            const uint32_t core = hosts + 2 * tier + aggregation % half * half + i;
            topology.AddLink(hosts + tier + aggregation, core, link);
        }
    }
    return topology;
}

NodeId
FabricTopology::AddHost()
{
    return AddNode(false);
}

NodeId
FabricTopology::AddSwitch()
{
    return AddNode(true);
}

NodeId
FabricTopology::AddNode(bool isSwitch)
{
    const NodeId node = GetNNodes();
    RequireAtMost(uint64_t{GetNNodes()} + 1, MAX_NODES, "nodes");
    std::vector<NodeId>& kind = isSwitch ? m_switches : m_hosts;
    m_isSwitch.push_back(isSwitch);
    m_index.push_back(static_cast<uint32_t>(kind.size()));
    kind.push_back(node);
    m_linksOf.emplace_back();
    return node;
}

LinkId
FabricTopology::AddLink(NodeId a, NodeId b, const FabricLinkSpec& spec)
{
    for (const NodeId node : {a, b})
    {
        if (node.Value() >= GetNNodes())
        {
            const std::string right =
                GetNNodes() ? "nodes are 0 to " + std::to_string(GetNNodes() - 1) : "add it first";
            throw FabricError("there is no " + node.Name(), right);
        }
    }
    if (a == b)
    {
        throw FabricError("a link from " + a.Name() + " to itself", "a link joins two nodes");
    }
    if (spec.rate.GetBitRate() == 0)
    {
        throw FabricError("the rate of a link is 0", "it must be above 0, such as 100Gbps");
    }
    if (spec.delay.IsStrictlyNegative())
    {
        throw FabricError("the delay of a link is negative", "it must be 0 or more, such as 1us");
    }
    if (!(spec.errorRate >= 0 && spec.errorRate <= 1))
    {
        throw FabricError("the error rate of a link is " + std::to_string(spec.errorRate),
                          "it must be a probability, 0 to 1");
    }
    const LinkId link = m_links.size();
    m_links.push_back({a, b, spec});
    m_portA.push_back(static_cast<uint32_t>(m_linksOf[a.Value()].size()));
    m_portB.push_back(static_cast<uint32_t>(m_linksOf[b.Value()].size()));
    m_linksOf[a.Value()].push_back(link);
    m_linksOf[b.Value()].push_back(link);
    return link;
}

void
FabricTopology::SetLink(LinkId link, DataRate rate, Time delay)
{
    m_links.at(link.Value()).spec.rate = rate;
    m_links[link.Value()].spec.delay = delay;
}

LinkId
FabricTopology::FindLink(NodeId a, NodeId b) const
{
    if (a.Value() < GetNNodes())
    {
        for (const LinkId link : m_linksOf[a.Value()])
        {
            if (GetLink(link).Peer(a) == b)
            {
                return link;
            }
        }
    }
    return {};
}

std::vector<uint32_t>
FabricTopology::GetTiers() const
{
    std::vector<uint32_t> tiers(GetNNodes(), 0);
    std::vector<NodeId> reached = m_hosts; // breadth first
    for (std::size_t next = 0; next < reached.size(); ++next)
    {
        const NodeId node = reached[next];
        for (const LinkId link : GetLinksOf(node))
        {
            const NodeId peer = GetLink(link).Peer(node);
            if (IsSwitch(peer) && tiers[peer.Value()] == 0)
            {
                tiers[peer.Value()] = tiers[node.Value()] + 1;
                reached.push_back(peer);
            }
        }
    }
    return tiers;
}

std::vector<std::optional<uint32_t>>
FabricTopology::GetPlanes() const
{
    std::vector<std::optional<uint32_t>> planes(GetNNodes());
    std::vector<NodeId> reached;
    const auto reach = [&](NodeId node, uint32_t plane) {
        std::optional<uint32_t>& known = planes[node.Value()];
        if (!IsSwitch(node) || known == plane)
        {
            return;
        }
        if (known)
        {
            throw FabricError("ports " + std::to_string(*known) + " and " + std::to_string(plane) +
                                  " of hosts lead to " + SwitchAt(node).Name(),
                              "planes share no switch");
        }
        known = plane;
        reached.push_back(node);
    };
    for (const NodeId host : m_hosts)
    {
        for (uint32_t port = 0; port < GetLinksOf(host).size(); ++port)
        {
            reach(GetLink(GetLinksOf(host)[port]).Peer(host), port);
        }
    }
    for (std::size_t next = 0; next < reached.size(); ++next)
    {
        const NodeId node = reached[next];
        for (const LinkId link : GetLinksOf(node))
        {
            reach(GetLink(link).Peer(node), *planes[node.Value()]);
        }
    }
    return planes;
}

} // namespace ns3

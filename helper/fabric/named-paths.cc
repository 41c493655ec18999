// SPDX-License-Identifier: GPL-2.0-only
#include "named-paths.h"

#include "srv6-tables.h"
#include "switch-extensions.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-switch.h"
#include "ns3/mrc-endpoint.h"
#include "ns3/mrc-paths.h"
#include "ns3/srv6-switch.h"
#include "ns3/stev-load-balancer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace
{

/// @param topology a topology @param tiers of its nodes @param node a switch @return its ports to
/// the next tier, in the order of next hops: by neighbour, then by link
std::vector<uint16_t>
FindPortsUp(const FabricTopology& topology, const std::vector<uint32_t>& tiers, NodeId node)
{
    std::vector<std::pair<NodeId, LinkId>> up;
    for (const LinkId link : topology.GetLinksOf(node))
    {
        const NodeId peer = topology.GetLink(link).Peer(node);
        if (topology.IsSwitch(peer) && tiers[peer.Value()] > tiers[node.Value()])
        {
            up.emplace_back(peer, link);
        }
    }
    std::sort(up.begin(), up.end());
    std::vector<uint16_t> ports;
    for (const auto& [peer, link] : up)
    {
        ports.push_back(static_cast<uint16_t>(topology.GetPort(node, link)));
    }
    return ports;
}

/// FabricError unless all switches of a tier have as many ways up. @param topology a topology
/// @param tiers of its nodes @return the ways, by tier
std::vector<uint32_t>
FindWays(const FabricTopology& topology, const std::vector<uint32_t>& tiers)
{
    std::vector<uint32_t> ways(*std::max_element(tiers.begin(), tiers.end()));
    std::vector<bool> isKnown(ways.size());
    for (const NodeId node : topology.GetSwitches())
    {
        const uint32_t tier = tiers[node.Value()];
        if (tier == 0)
        {
            continue; // no host reaches it
        }
        const auto own = static_cast<uint32_t>(FindPortsUp(topology, tiers, node).size());
        if (isKnown[tier - 1] && ways[tier - 1] != own)
        {
            throw FabricError(FabricPlaces::NameOf(topology, node) + " has " + std::to_string(own) +
                                  " links to the next tier, and others of its tier have " +
                                  std::to_string(ways[tier - 1]) +
                                  ", so that entropy values cannot number them",
                              "take a regular topology, or entropy values of format Udp");
        }
        isKnown[tier - 1] = true;
        ways[tier - 1] = own;
    }
    if (!ways.empty())
    {
        ways.pop_back(); // the last tier has none
    }
    return ways;
}

} // namespace

void
NamedPaths::Join(const Fabric& fabric)
{
    const FabricTopology& topology = fabric.GetTopology();
    const std::vector<uint32_t> tiers = topology.GetTiers();
    std::vector<std::pair<Ptr<StevLoadBalancer>, NodeId>> balancers;
    bool hasSrv6 = false;
    for (const SwitchId which : fabric.Switches())
    {
        const auto any = fabric.GetSwitch(which)->GetLoadBalancer();
        if (const auto balancer = DynamicCast<StevLoadBalancer>(any))
        {
            balancers.emplace_back(balancer, topology.NodeOf(which));
        }
        hasSrv6 = hasSrv6 || !ExtensionsOf<Srv6Switch>(*fabric.GetSwitch(which)).empty();
    }
    if (balancers.empty() && !hasSrv6)
    {
        return;
    }
    const std::vector<uint32_t> ways = FindWays(topology, tiers);
    const auto paths = std::make_shared<MrcPaths>(ways);
    for (const auto& [balancer, node] : balancers)
    {
        const uint32_t tier = tiers[node.Value()];
        if (tier > 0 && tier <= ways.size())
        {
            const auto [first, bits] = paths->GetField(tier - 1);
            balancer->SetField(first, bits, FindPortsUp(topology, tiers, node));
        }
    }
    if (hasSrv6)
    {
        Srv6Tables(fabric, tiers).Fill(*paths);
    }
    for (const HostId host : fabric.Hosts())
    {
        MrcEndpoint::Of(*fabric.GetRdma(host)).SetPaths(paths);
    }
}

} // namespace ns3

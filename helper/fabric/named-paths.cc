// SPDX-License-Identifier: GPL-2.0-only
#include "named-paths.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-switch.h"
#include "ns3/mrc-paths.h"
#include "ns3/rdma-mrc.h"
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

/// @param topology a topology @param tiers of its nodes @param node a switch @return its links to
/// the next tier
uint32_t
CountWaysUp(const FabricTopology& topology, const std::vector<uint32_t>& tiers, NodeId node)
{
    const auto& links = topology.GetLinksOf(node);
    return static_cast<uint32_t>(std::count_if(links.begin(), links.end(), [&](LinkId link) {
        const NodeId peer = topology.GetLink(link).Peer(node);
        return topology.IsSwitch(peer) && tiers[peer.Value()] > tiers[node.Value()];
    }));
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
        const uint32_t own = CountWaysUp(topology, tiers, node);
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
    ways.pop_back(); // the last tier has none
    return ways;
}

} // namespace

void
NamedPaths::Join(const Fabric& fabric)
{
    const FabricTopology& topology = fabric.GetTopology();
    const std::vector<uint32_t> tiers = topology.GetTiers();
    std::vector<std::pair<Ptr<StevLoadBalancer>, uint32_t>> named; // with their tiers
    for (const SwitchId which : fabric.Switches())
    {
        const auto any = fabric.GetSwitch(which)->GetLoadBalancer();
        if (const auto balancer = DynamicCast<StevLoadBalancer>(any))
        {
            named.emplace_back(balancer, tiers[topology.NodeOf(which).Value()]);
        }
    }
    if (named.empty())
    {
        return;
    }
    const std::vector<uint32_t> ways = FindWays(topology, tiers);
    const auto paths = std::make_shared<const MrcPaths>(ways);
    for (const auto& [balancer, tier] : named)
    {
        if (tier > 0 && tier <= ways.size())
        {
            const auto [first, bits] = paths->GetField(tier - 1);
            balancer->SetField(first, bits);
        }
    }
    for (const HostId host : fabric.Hosts())
    {
        RdmaMrc::SetPaths(*fabric.GetRdma(host), paths);
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "srv6-tables.h"

#include "switch-extensions.h"

#include "ns3/fabric-addresses.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace ns3
{

Srv6Tables::Srv6Tables(const Fabric& fabric, const std::vector<uint32_t>& tiers)
    : m_fabric(fabric),
      m_switches(fabric.GetTopology().GetNNodes()),
      m_sids(fabric.GetTopology().GetNNodes())
{
    const uint32_t most = *std::max_element(tiers.begin(), tiers.end());
    if (most > 2)
    {
        throw FabricError("SRv6 of MRC names one spine of two tiers, and the fabric has " +
                              std::to_string(most) + " tiers",
                          "take entropy values of format Stev or Udp");
    }
    FindSwitches();
    std::vector<uint32_t> planes;
    for (const auto& plane : fabric.GetTopology().GetPlanes())
    {
        planes.push_back(plane.value_or(0));
    }
    Number(planes, tiers);
    for (const NodeId node : fabric.GetTopology().GetSwitches())
    {
        if (tiers[node.Value()] == 1)
        {
            RequireSpines(node);
        }
    }
}

void
Srv6Tables::FindSwitches()
{
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const SwitchId which : m_fabric.Switches())
    {
        const NodeId node = topology.NodeOf(which);
        const auto found = ExtensionsOf<Srv6Switch>(*m_fabric.GetSwitch(which));
        if (found.size() != 1)
        {
            throw FabricError(FabricPlaces::NameOf(topology, node) + " has " +
                                  std::to_string(found.size()) + " of ns3::Srv6Switch",
                              "give each switch of the fabric one");
        }
        const uint32_t locator = found.front()->GetLocator();
        m_locator = m_locator ? m_locator : locator;
        if (locator != m_locator || locator == FabricAddresses::PREFIX[0])
        {
            throw FabricError("Locator of " + FabricPlaces::NameOf(topology, node) +
                                  " is that of " +
                                  (locator == m_locator ? "hosts" : "no other switch"),
                              "take one prefix for all switches, not fd00::");
        }
        m_switches[node.Value()] = found.front();
    }
}

void
Srv6Tables::Number(const std::vector<uint32_t>& planes, const std::vector<uint32_t>& tiers)
{
    std::array<std::array<uint32_t, 2>, SRV6_PLANES> counts{}; // by plane and tier - 1
    m_spines.resize(SRV6_PLANES);
    for (const NodeId node : m_fabric.GetTopology().GetSwitches())
    {
        const uint32_t plane = planes[node.Value()];
        const uint32_t tier = tiers[node.Value()];
        if (tier == 0)
        {
            continue; // no host reaches it
        }
        if (plane >= SRV6_PLANES || counts[plane][tier - 1] >= SRV6_NUMBERS)
        {
            throw FabricError("uSIDs number " + std::to_string(SRV6_PLANES) + " planes of " +
                                  std::to_string(SRV6_NUMBERS) +
                                  " leaves and as many spines, and the fabric has more",
                              "take entropy values of format Stev or Udp");
        }
        const uint32_t number = counts[plane][tier - 1]++;
        m_sids[node.Value()] =
            MicroSid(plane, tier == 1 ? Srv6Role::LEAF : Srv6Role::SPINE, number);
        m_spines[plane] += tier == 2;
    }
}

void
Srv6Tables::RequireSpines(NodeId leaf) const
{
    constexpr uint32_t PLANE_SHIFT = 12; // in a uSID
    const FabricTopology& topology = m_fabric.GetTopology();
    std::set<NodeId> spines;
    uint32_t links = 0;
    for (const LinkId link : topology.GetLinksOf(leaf))
    {
        const NodeId peer = topology.GetLink(link).Peer(leaf);
        if (topology.IsSwitch(peer))
        {
            spines.insert(peer);
            ++links;
        }
    }
    const uint32_t wanted = m_spines[m_sids[leaf.Value()] >> PLANE_SHIFT];
    if (spines.size() != wanted || links != wanted)
    {
        throw FabricError(FabricPlaces::NameOf(topology, leaf) + " has " + std::to_string(links) +
                              " links to " + std::to_string(spines.size()) + " of " +
                              std::to_string(wanted) + " spines of its plane",
                          "SRv6 of MRC needs one link to each; or take entropy values of format "
                          "Stev or Udp");
    }
}

void
Srv6Tables::Fill(MrcPaths& paths) const
{
    constexpr uint32_t PLANE_SHIFT = 12; // in a uSID
    const FabricTopology& topology = m_fabric.GetTopology();
    std::vector<Srv6Port> ports;
    for (const NodeId node : topology.GetSwitches())
    {
        Srv6Switch& own = *m_switches[node.Value()];
        const uint16_t sid = m_sids[node.Value()];
        own.SetSid(sid);
        uint32_t hosts = 0;
        for (const LinkId link : topology.GetLinksOf(node))
        {
            const NodeId peer = topology.GetLink(link).Peer(node);
            const auto port = static_cast<uint16_t>(topology.GetPort(node, link));
            if (topology.IsSwitch(peer))
            {
                own.SetRoute(m_sids[peer.Value()], port);
                continue;
            }
            const RdmaHw& rdma = *m_fabric.GetRdma(topology.HostAt(peer));
            const auto& address = rdma.GetAddress(topology.GetPort(peer, link));
            const uint16_t down = MicroSid(sid >> PLANE_SHIFT, Srv6Role::HOST, hosts++);
            own.SetRoute(down, port);
            ports.push_back({address, sid, down});
        }
        if (hosts > SRV6_NUMBERS)
        {
            throw FabricError(FabricPlaces::NameOf(topology, node) + " has " +
                                  std::to_string(hosts) +
                                  " links to hosts, which uSIDs cannot number",
                              "attach " + std::to_string(SRV6_NUMBERS) + " at most");
        }
    }
    paths.SetSrv6(m_locator, std::move(ports));
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-overlay.h"

#include "switch-extensions.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/vxlan-endpoint.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace ns3
{
namespace
{

/// An end point, and the switch that has it.
struct Placed
{
    SwitchId which;
    Ptr<VxlanEndpoint> endpoint;
};

/// @param fabric a fabric @param which a switch @return its name, for people
std::string
NameOf(const Fabric& fabric, SwitchId which)
{
    return FabricPlaces::NameOf(fabric.GetTopology(), fabric.GetTopology().NodeOf(which));
}

/// FabricError for several end points of a switch. @param fabric a fabric
/// @return those of switches with hosts, by site - 1; null where a site has none
std::vector<Placed>
FindEndpoints(const Fabric& fabric)
{
    const FabricRoutes& routes = fabric.GetRoutes();
    std::vector<Placed> placed;
    for (uint32_t site = 1; site <= routes.GetHostSites()->GetNSites(); ++site)
    {
        const NodeId node = routes.GetSwitchOf(static_cast<HostSites::Site>(site));
        const SwitchId which = fabric.GetTopology().SwitchAt(node);
        const auto endpoints = ExtensionsOf<VxlanEndpoint>(*fabric.GetSwitch(which));
        if (endpoints.size() > 1)
        {
            throw FabricError(NameOf(fabric, which) + " has " + std::to_string(endpoints.size()) +
                                  " VXLAN end points",
                              "give each switch one ns3::VxlanEndpoint");
        }
        placed.push_back({which, endpoints.empty() ? nullptr : endpoints.front()});
    }
    return placed;
}

/// FabricError for an extension to which tunnels hide what it needs. @param fabric a fabric
void
RequireNoReaders(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        for (const auto& extension : ExtensionsOf<SwitchExtension>(*fabric.GetSwitch(which)))
        {
            if (extension->ReadsRoce())
            {
                throw FabricError(extension->GetInstanceTypeId().GetName() + " of " +
                                      NameOf(fabric, which) +
                                      " reads RoCE headers, which VXLAN tunnels hide",
                                  "take a congestion control that ECN or delay drives, such as "
                                  "ns3::RdmaDcqcn");
            }
        }
    }
}

/// FabricError where end points are of several VXLAN networks. @param fabric a fabric @param placed
/// its end points
void
RequireOneNetwork(const Fabric& fabric, const std::vector<Placed>& placed)
{
    const Placed* first = nullptr;
    for (const Placed& one : placed)
    {
        if (first && one.endpoint && one.endpoint->GetVni() != first->endpoint->GetVni())
        {
            throw FabricError(NameOf(fabric, one.which) + " has Vni " +
                                  std::to_string(one.endpoint->GetVni()) + ", and " +
                                  NameOf(fabric, first->which) + " has " +
                                  std::to_string(first->endpoint->GetVni()) +
                                  ": each would drop what the other sends",
                              "set one Vni at both");
        }
        first = first || !one.endpoint ? first : &one;
    }
}

/// The links between switches hold the packets of hosts and what tunnels add, or FabricError.
/// @param fabric a fabric @param added bytes @param mtuIsSet as for VxlanOverlay::Join()
void
RequireMtu(const Fabric& fabric, uint32_t added, bool mtuIsSet)
{
    const FabricTopology& topology = fabric.GetTopology();
    uint32_t longest = 0;
    for (const HostId host : fabric.Hosts())
    {
        const NodeId node = topology.NodeOf(host);
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            longest = std::max<uint32_t>(longest, fabric.GetDevice(node, port)->GetMtu());
        }
    }
    const uint32_t needed = longest + added;
    const uint32_t roomy = longest + VxlanAddedBytes(6); // OuterIp may change
    for (const LinkId link : topology.Links())
    {
        const FabricTopology::Link& ends = topology.GetLink(link);
        for (const NodeId node : {ends.a, ends.b})
        {
            const uint32_t port = topology.GetPort(node, link);
            const auto device = fabric.GetDevice(node, port);
            if (!topology.IsSwitch(ends.a) || !topology.IsSwitch(ends.b) ||
                device->GetMtu() >= needed)
            {
                continue;
            }
            if (mtuIsSet || roomy > std::numeric_limits<uint16_t>::max() ||
                !device->SetMtu(static_cast<uint16_t>(roomy)))
            {
                throw FabricError("the MTU of " + FabricPlaces::NameOf(topology, node) + " port " +
                                      std::to_string(port) + ", " +
                                      std::to_string(device->GetMtu()) +
                                      " bytes, is too small for packets of hosts of " +
                                      std::to_string(longest) + " bytes in VXLAN",
                                  "set Mtu to " + std::to_string(needed) +
                                      " at the links between switches, or to " +
                                      std::to_string(device->GetMtu() - added) + " at hosts");
            }
        }
    }
}

/// Name end points of a fabric where no tunnel has two ends. @param fabric the fabric
void
WarnOfIdle(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        if (!ExtensionsOf<VxlanEndpoint>(*fabric.GetSwitch(which)).empty())
        {
            fabric.GetFindings().Add({Level::UNUSED,
                                      "tunnel",
                                      NameOf(fabric, which),
                                      {},
                                      "ns3::VxlanEndpoint has no effect",
                                      "a tunnel needs end points at two switches with hosts"});
            return;
        }
    }
}

} // namespace

bool
VxlanOverlay::Join(const Fabric& fabric, bool mtuIsSet)
{
    const std::vector<Placed> placed = FindEndpoints(fabric);
    const auto has = [](const Placed& one) { return one.endpoint != nullptr; };
    if (std::count_if(placed.begin(), placed.end(), has) < 2)
    {
        WarnOfIdle(fabric);
        return false;
    }
    RequireNoReaders(fabric);
    RequireOneNetwork(fabric, placed);
    std::vector<Ipv4Address> addresses; // by site - 1
    for (const Placed& one : placed)
    {
        addresses.push_back(one.endpoint ? fabric.GetSwitchAddress(one.which)
                                         : Ipv4Address(uint32_t{0}));
        if (one.endpoint)
        {
            one.endpoint->SetAddress(addresses.back());
        }
    }
    uint32_t added = 0;
    for (const Placed& one : placed)
    {
        if (one.endpoint)
        {
            one.endpoint->SetHosts(fabric.GetRoutes().GetHostSites(), addresses);
            added = std::max(added, one.endpoint->GetAddedBytes());
        }
    }
    RequireMtu(fabric, added, mtuIsSet);
    fabric.RouteToSwitches();
    fabric.m_parts->hasTunnels = true;
    fabric.GetNotes().tunnelBytes = added;
    return true;
}

void
VxlanOverlay::CheckLate(const Fabric& fabric)
{
    for (const Placed& one : FindEndpoints(fabric))
    {
        if (one.endpoint && one.endpoint->GetAddress() == Ipv4Address(uint32_t{0}))
        {
            fabric.GetFindings().Add(
                {Level::UNUSED,
                 "tunnel",
                 NameOf(fabric, one.which),
                 {},
                 "ns3::VxlanEndpoint has no effect",
                 "the end points of a fabric are joined when it is built: name it there"});
        }
    }
    if (Has(fabric))
    {
        RequireNoReaders(fabric);
    }
}

void
VxlanOverlay::WarnOfLate(const Fabric& fabric)
{
    try
    {
        CheckLate(fabric);
    }
    catch (const FabricError& error)
    {
        fabric.GetFindings().Add({Level::UNUSED, "tunnel", "", {}, error.what(), ""});
    }
}

bool
VxlanOverlay::Has(const Fabric& fabric)
{
    return fabric.m_parts->hasTunnels;
}

void
VxlanOverlay::Pass(const FabricSwitch& fabricSwitch, Frame& frame)
{
    for (const auto& endpoint : ExtensionsOf<VxlanEndpoint>(fabricSwitch))
    {
        if (!endpoint->IsForUs(frame))
        {
            endpoint->Encapsulate(frame);
        }
        else if (frame.vni == endpoint->GetVni())
        {
            LeaveTunnel(frame);
        }
    }
}

std::vector<uint32_t>
VxlanOverlay::AddedBytes(const Fabric& fabric,
                         NodeId from,
                         const std::vector<LinkId>& path,
                         const Frame& frame)
{
    const FabricTopology& topology = fabric.GetTopology();
    const auto release = [](Frame* copy) { copy->Release(); };
    const std::unique_ptr<Frame, decltype(release)> onTheWay(frame.Copy(), release);
    std::vector<uint32_t> added;
    NodeId node = from;
    for (const LinkId link : path)
    {
        if (topology.IsSwitch(node))
        {
            Pass(*fabric.GetSwitch(topology.SwitchAt(node)), *onTheWay);
        }
        added.push_back(onTheWay->inner ? VxlanAddedBytes(onTheWay->ipVersion) : 0);
        node = topology.GetLink(link).Peer(node);
    }
    return added;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "flow-path.h"

#include "switch-extensions.h"
#include "vxlan-overlay.h"

#include "ns3/ecmp-load-balancer.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-frame.h"
#include "ns3/srv6-switch.h"
#include "ns3/stev-load-balancer.h"

#include <optional>
#include <set>

namespace ns3
{
namespace
{

/// A frame that a port is about to send.
struct Leaving
{
    NodePort by;  //!< the port
    Frame* frame; //!< as it is there
};

/// @param fabricSwitch a switch @param frame that it would forward; loses its uSID of SRv6
/// @param inPort by which it came @return the egress ports that it may take; empty: no way
std::vector<uint16_t>
PortsFor(FabricSwitch& fabricSwitch, Frame& frame, uint16_t inPort)
{
    const NextHopGroup* const group = fabricSwitch.GetForwardingTable().Find(frame);
    for (const auto& srv6 : ExtensionsOf<Srv6Switch>(fabricSwitch))
    {
        const auto port = group ? std::nullopt : srv6->Step(frame);
        if (port)
        {
            return {*port};
        }
    }
    const auto balancer = fabricSwitch.GetLoadBalancer();
    const bool isNamed = balancer && balancer->NamesPorts();
    if (!group || group->ports.empty() || (group->ports.size() == 1 && !isNamed))
    {
        return group ? group->ports : std::vector<uint16_t>();
    }
    return balancer->GetWays(frame, inPort, *group, fabricSwitch);
}

/// A frame goes over a link. @param fabric where @param leaving the frame @param next gets the
/// frames that leave the switch at its end, one for each way @return whether a host is at its end
bool
Send(const Fabric& fabric, const Leaving& leaving, std::vector<Leaving>& next)
{
    const FabricTopology& topology = fabric.GetTopology();
    const auto& [from, port] = leaving.by;
    const LinkId link = topology.GetLinksOf(from)[port];
    const NodeId node = topology.GetLink(link).Peer(from);
    if (!topology.IsSwitch(node))
    {
        return true;
    }
    const auto inPort = static_cast<uint16_t>(topology.GetPort(node, link));
    const auto fabricSwitch = fabric.GetSwitch(topology.SwitchAt(node));
    if (VxlanOverlay::Has(fabric))
    {
        VxlanOverlay::Pass(*fabricSwitch, *leaving.frame);
    }
    for (const uint16_t out : PortsFor(*fabricSwitch, *leaving.frame, inPort))
    {
        next.push_back({{node, out}, leaving.frame->Copy()});
    }
    return false;
}

} // namespace

void
FlowPath::RequireKnown(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        const auto balancer = fabricSwitch->GetLoadBalancer();
        // Another one may draw, or remember what it was asked.
        if (balancer && balancer->GetInstanceTypeId() != EcmpLoadBalancer::GetTypeId() &&
            balancer->GetInstanceTypeId() != StevLoadBalancer::GetTypeId() &&
            fabricSwitch->GetForwardingTable().HasChoice())
        {
            const NodeId node = fabric.GetTopology().NodeOf(which);
            throw FabricError("the paths of flows cannot be known beforehand: " +
                                  FabricPlaces::NameOf(fabric.GetTopology(), node) + " has " +
                                  balancer->GetInstanceTypeId().GetName(),
                              "ns3::EcmpLoadBalancer can be asked");
        }
    }
}

bool
FlowPath::HasChoice(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        if (fabric.GetSwitch(which)->GetForwardingTable().HasChoice())
        {
            return true;
        }
    }
    return false;
}

std::vector<NodePort>
FlowPath::Find(const Fabric& fabric, HostId host, uint32_t port, const RdmaConnection& connection)
{
    auto* const frame = new Frame;
    connection.Address(*frame, RoceOpcode::WRITE_MIDDLE, connection.data);
    const Way way = WayOf(fabric, host, port, *frame);
    frame->Release();
    return way.arrives ? way.ports : std::vector<NodePort>();
}

FlowPath::Way
FlowPath::WayOf(const Fabric& fabric, HostId host, uint32_t port, const Frame& packet)
{
    std::vector<Leaving> leaving{{{fabric.GetTopology().NodeOf(host), port}, packet.Copy()}};
    Way way;
    std::set<NodePort> known;
    for (uint32_t ttl = packet.ttl; ttl > 0 && !leaving.empty(); --ttl)
    {
        std::vector<Leaving> next;
        for (const Leaving& each : leaving)
        {
            if (known.insert(each.by).second) // else another way has come here before
            {
                way.ports.push_back(each.by);
                way.arrives = Send(fabric, each, next) || way.arrives;
            }
            each.frame->Release();
        }
        leaving.swap(next);
    }
    for (const Leaving& lost : leaving)
    {
        lost.frame->Release();
    }
    return way;
}

} // namespace ns3

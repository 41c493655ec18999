// SPDX-License-Identifier: GPL-2.0-only
#include "flow-path.h"

#include "vxlan-overlay.h"

#include "ns3/ecmp-load-balancer.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-frame.h"

namespace ns3
{
namespace
{

/// @param fabricSwitch a switch @param frame that it would forward @param inPort by which it came
/// @return the egress port; NextHopGroup::NONE: no way
uint16_t
PortFor(FabricSwitch& fabricSwitch, const Frame& frame, uint16_t inPort)
{
    const NextHopGroup* const group = fabricSwitch.GetForwardingTable().Find(frame);
    if (!group || group->ports.empty())
    {
        return NextHopGroup::NONE;
    }
    return group->sole != NextHopGroup::NONE
               ? group->sole
               : fabricSwitch.GetLoadBalancer()->Pick(frame, inPort, group->ports, fabricSwitch);
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
    const FabricTopology& topology = fabric.GetTopology();
    auto* const frame = new Frame;
    connection.Address(*frame, RoceOpcode::WRITE_MIDDLE, connection.data);
    std::vector<NodePort> path;
    NodePort at{topology.NodeOf(host), port};
    for (uint32_t ttl = connection.initialTtl; ttl > 0; --ttl)
    {
        path.push_back(at);
        const LinkId link = topology.GetLinksOf(at.first)[at.second];
        const auto& ends = topology.GetLink(link);
        const NodeId next = ends.a == at.first ? ends.b : ends.a;
        if (!topology.IsSwitch(next))
        {
            frame->Release();
            return path;
        }
        const auto inPort = static_cast<uint16_t>(topology.GetPort(next, link));
        const auto fabricSwitch = fabric.GetSwitch(topology.SwitchAt(next));
        if (VxlanOverlay::Has(fabric))
        {
            VxlanOverlay::Pass(*fabricSwitch, *frame);
        }
        const uint16_t out = PortFor(*fabricSwitch, *frame, inPort);
        if (out == NextHopGroup::NONE)
        {
            break;
        }
        at = {next, out};
    }
    frame->Release();
    return {};
}

} // namespace ns3

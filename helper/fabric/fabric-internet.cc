// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-internet.h"

#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace FabricInternet
{
namespace
{

/// The port by which a host reaches all that it has no direct cable to.
uint32_t
MainPort(const FabricTopology& topology, NodeId node)
{
    const auto& links = topology.GetLinksOf(node);
    for (uint32_t port = 0; port < links.size(); ++port)
    {
        if (topology.IsSwitch(topology.GetLink(links[port]).Peer(node)))
        {
            return port;
        }
    }
    return 0;
}

uint32_t
AddIpv4(const Ptr<Node>& node, const Ptr<NetDevice>& device, Ipv4Address address, bool isMain)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    // The network is on the main link; a further port knows only its own address.
    const Ipv4Mask mask(isMain ? "255.0.0.0" : "255.255.255.255");
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, mask));
    ipv4->SetUp(interface);
    return interface;
}

uint32_t
AddIpv6(const Ptr<Node>& node, const Ptr<NetDevice>& device, Ipv6Address address, bool isMain)
{
    const auto ipv6 = node->GetObject<Ipv6>();
    const uint32_t interface = ipv6->AddInterface(device);
    ipv6->SetUp(interface);
    ipv6->AddAddress(interface, Ipv6InterfaceAddress(address, Ipv6Prefix(isMain ? 64 : 128)));
    return interface;
}

} // namespace

bool
IsInstalled(const Fabric& fabric)
{
    uint32_t hosts = 0;
    for (const HostId host : fabric.Hosts())
    {
        hosts += fabric.GetHost(host)->GetObject<Ipv4>() || fabric.GetHost(host)->GetObject<Ipv6>();
    }
    if (hosts > 0 && hosts < fabric.GetNHosts())
    {
        throw FabricError(std::to_string(hosts) + " of " + std::to_string(fabric.GetNHosts()) +
                              " hosts have an IP stack",
                          "install it on all of them, or on none");
    }
    return hosts > 0;
}

void
Install(const Fabric& fabric)
{
    if (IsInstalled(fabric))
    {
        return;
    }
    const FabricTopology& topology = fabric.GetTopology();
    InternetStackHelper stack;
    stack.Install(fabric.GetHosts());
    Ipv4StaticRoutingHelper routing4;
    Ipv6StaticRoutingHelper routing6;
    for (const HostId host : fabric.Hosts())
    {
        const Ptr<Node> node = fabric.GetHost(host);
        const NodeId index = topology.NodeOf(host);
        // Addresses of a fabric are unique: nobody need wait a second to find that out.
        node->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
        const uint32_t mainPort = MainPort(topology, index);
        const auto& links = topology.GetLinksOf(index);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const bool isMain = port == mainPort;
            const Ptr<NetDevice> device = fabric.GetDevice(index, port);
            const uint32_t interface4 =
                AddIpv4(node, device, fabric.GetAddress(host, port), isMain);
            const uint32_t interface6 =
                AddIpv6(node, device, fabric.GetIpv6Address(host, port), isMain);
            const NodeId peer = topology.GetLink(links[port]).Peer(index);
            if (!topology.IsSwitch(peer))
            {
                const HostId peerHost = topology.HostAt(peer);
                const uint32_t peerPort = topology.GetPort(peer, links[port]);
                routing4.GetStaticRouting(node->GetObject<Ipv4>())
                    ->AddHostRouteTo(fabric.GetAddress(peerHost, peerPort), interface4);
                routing6.GetStaticRouting(node->GetObject<Ipv6>())
                    ->AddHostRouteTo(fabric.GetIpv6Address(peerHost, peerPort), interface6);
            }
        }
        if (Simulator::Now().IsStrictlyPositive())
        {
            node->Initialize(); // the simulation has begun, and would not do so
        }
    }
}

} // namespace FabricInternet
} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-helper.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/mac48-address.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"
#include "ns3/vxlan-frame.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace
{

constexpr uint32_t FIRST = 0xc0a80001; // 192.168.0.1
constexpr uint32_t MOST = 65534;       // hosts of 192.168.0.0/16

/**
 * ns-3 lets three packets wait for the MAC address of a neighbour, and asks for that address after
 * up to 10 ms, so that radios do not collide: a fabric would lose what its hosts send meanwhile. As
 * in Linux, ARP asks at once, and 101 packets wait (unres_qlen in the kernel's ip-sysctl). Defaults
 * of the user hold.
 * @param ipv4 stack of a host @param interface of the overlay
 */
void
PrepareArp(const Ptr<Ipv4>& ipv4, uint32_t interface)
{
    constexpr uint32_t waiting = 101;
    const auto stack = DynamicCast<Ipv4L3Protocol>(ipv4);
    if (!FabricAttributes::DefaultChanged(ArpCache::GetTypeId(), "PendingQueueSize"))
    {
        stack->GetInterface(interface)->GetArpCache()->SetAttribute("PendingQueueSize",
                                                                    UintegerValue(waiting));
    }
    if (!FabricAttributes::DefaultChanged(ArpL3Protocol::GetTypeId(), "RequestJitter"))
    {
        const auto none = CreateObject<ConstantRandomVariable>();
        none->SetAttribute("Constant", DoubleValue(0));
        ipv4->GetObject<ArpL3Protocol>()->SetAttribute("RequestJitter", PointerValue(none));
    }
}

} // namespace

VxlanHelper::VxlanHelper(const Fabric& fabric)
    : m_fabric(fabric),
      m_devices(fabric.GetNHosts())
{
}

void
VxlanHelper::SetDevice(const std::string& name, const AttributeValue& value)
{
    if (std::any_of(m_devices.begin(), m_devices.end(), [](const auto& each) { return each; }))
    {
        throw FabricError(name + " of the devices of an overlay that is installed",
                          "set it before, or set it on the devices");
    }
    m_fabric.GetOptions().Set(m_device, name, value);
    m_mtuIsSet = m_mtuIsSet || name == "Mtu";
}

uint32_t
VxlanHelper::FindMtu(const std::vector<HostId>& hosts, uint8_t ipVersion) const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    uint32_t mtu = std::numeric_limits<uint16_t>::max();
    for (const HostId host : hosts)
    {
        const NodeId node = topology.NodeOf(host);
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            mtu = std::min<uint32_t>(mtu, m_fabric.GetDevice(node, port)->GetMtu());
        }
    }
    return mtu - VxlanAddedBytes(ipVersion);
}

void
VxlanHelper::RequireFree(const std::vector<HostId>& hosts) const
{
    if (hosts.size() < 2)
    {
        throw FabricError("an overlay of " + std::to_string(hosts.size()) + " host has no effect",
                          "name two hosts or more");
    }
    for (const HostId host : hosts)
    {
        const Ptr<Node> node = m_fabric.GetHost(host);
        for (uint32_t i = 0; i < node->GetNDevices() && !m_devices[host.Value()]; ++i)
        {
            if (DynamicCast<VxlanNetDevice>(node->GetDevice(i)))
            {
                throw FabricError(host.Name() + " is in another overlay",
                                  "a host has one; name hosts that have none");
            }
        }
    }
}

void
VxlanHelper::Install(const std::vector<HostId>& asked, uint8_t ipVersion)
{
    std::vector<HostId> hosts = asked;
    for (const HostId host : m_fabric.Hosts())
    {
        if (asked.empty())
        {
            hosts.push_back(host);
        }
    }
    if (ipVersion != 4 && ipVersion != 6)
    {
        throw FabricError("there is no IP version " + std::to_string(ipVersion), "take 4 or 6");
    }
    if (m_fabric.GetNHosts() > MOST)
    {
        throw FabricError("an overlay over a fabric of " + std::to_string(m_fabric.GetNHosts()) +
                              " hosts",
                          "there are addresses for " + std::to_string(MOST));
    }
    RequireFree(hosts);
    const uint32_t mtu = FindMtu(hosts, ipVersion);
    const bool isSet =
        m_mtuIsSet || FabricAttributes::DefaultChanged(VxlanNetDevice::GetTypeId(), "Mtu");
    m_fabric.InstallInternet();
    for (const HostId host : hosts)
    {
        const Ptr<Node> node = m_fabric.GetHost(host);
        if (m_devices[host.Value()])
        {
            throw FabricError(host.Name() + " is in the overlay already", "name it once");
        }
        const auto device = m_device.Create<VxlanNetDevice>();
        if (isSet && device->GetMtu() > mtu)
        {
            throw FabricError("the Mtu of VxlanNetDevice, " + std::to_string(device->GetMtu()) +
                                  " bytes, is too large for the links under it",
                              "set " + std::to_string(mtu) + " at most");
        }
        if (!isSet)
        {
            device->SetMtu(static_cast<uint16_t>(mtu));
        }
        device->SetAddress(Mac48Address::Allocate());
        const auto addressOf = [&](HostId other) {
            return ipVersion == 4 ? Address(m_fabric.GetAddress(other))
                                  : Address(m_fabric.GetIpv6Address(other));
        };
        device->SetLocal(addressOf(host));
        for (const HostId other : hosts)
        {
            if (other != host)
            {
                device->AddRemote(addressOf(other));
            }
        }
        node->AddDevice(device);
        m_devices[host.Value()] = device;
        const auto ipv4 = node->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(device);
        ipv4->AddAddress(interface, Ipv4InterfaceAddress(GetAddress(host), Ipv4Mask("/16")));
        ipv4->SetUp(interface);
        PrepareArp(ipv4, interface);
    }
}

Ptr<VxlanNetDevice>
VxlanHelper::GetDevice(HostId host) const
{
    m_fabric.GetHost(host);
    if (!m_devices[host.Value()])
    {
        throw FabricError(host.Name() + " is not in the overlay",
                          "name it among the hosts of the overlay");
    }
    return m_devices[host.Value()];
}

Ipv4Address
VxlanHelper::GetAddress(HostId host) const
{
    GetDevice(host);
    return Ipv4Address(FIRST + host.Value());
}

} // namespace ns3

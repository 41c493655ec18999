// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-helper.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/mac48-address.h"
#include "ns3/vxlan-frame.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace
{

constexpr uint32_t FIRST = 0xc0a80001; // 192.168.0.1
constexpr uint32_t MOST = 65534;       // hosts of 192.168.0.0/16

} // namespace

VxlanHelper::VxlanHelper(const Fabric& fabric)
    : m_fabric(fabric),
      m_devices(fabric.GetNHosts())
{
}

void
VxlanHelper::SetDevice(const std::string& name, const AttributeValue& value)
{
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

// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-objects.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace
{

constexpr uint32_t FIRST_SWITCH_ADDRESS = 0xac100001; // 172.16.0.1

/// Refuse what there is not. @param name "port 7" @param many what all are called
void
RequireExists(uint32_t number, std::size_t count, const std::string& name, const std::string& many)
{
    if (number >= count)
    {
        throw FabricError("there is no " + name,
                          count ? many + " are 0 to " + std::to_string(count - 1)
                                : "there are no " + many);
    }
}

/// @param index to refuse, unless there are so many @param many what all are called
template <typename Kind>
void
RequireExists(FabricIndex<Kind> index, std::size_t count, const char* many)
{
    if (index.Value() >= count)
    {
        RequireExists(index.Value(), count, index.Name(), many);
    }
}

/// @param objects of a fabric @param node one end of a link @param link the link
/// @return the rate at which that end sends
DataRate
RateAt(const FabricObjects& objects, NodeId node, LinkId link)
{
    return objects.GetDevice(node, objects.GetTopology().GetPort(node, link))->GetDataRate();
}

} // namespace

FabricObjects::Objects::Objects(const FabricTopology& graph)
    : topology(graph),
      routes(std::make_shared<FabricRoutes>(topology)),
      addresses(topology)
{
}

FabricObjects::FabricObjects(std::shared_ptr<Objects> objects)
    : m_objects(std::move(objects))
{
}

const FabricTopology&
FabricObjects::GetTopology() const
{
    return m_objects->topology;
}

const FabricRoutes&
FabricObjects::GetRoutes() const
{
    return *m_objects->routes;
}

uint32_t
FabricObjects::GetNHosts() const
{
    return static_cast<uint32_t>(m_objects->rdma.size());
}

NodeContainer
FabricObjects::GetHosts() const
{
    NodeContainer hosts;
    for (const NodeId node : GetTopology().GetHosts())
    {
        hosts.Add(m_objects->nodes[node.Value()]);
    }
    return hosts;
}

NodeContainer
FabricObjects::GetSwitches() const
{
    NodeContainer switches;
    for (const NodeId node : GetTopology().GetSwitches())
    {
        switches.Add(m_objects->nodes[node.Value()]);
    }
    return switches;
}

Ptr<Node>
FabricObjects::GetNode(NodeId node) const
{
    RequireExists(node, m_objects->nodes.size(), "nodes");
    return m_objects->nodes[node.Value()];
}

Ptr<Node>
FabricObjects::GetHost(HostId host) const
{
    return m_objects->nodes[HostNode(host).Value()];
}

Ptr<RdmaHw>
FabricObjects::GetRdma(HostId host) const
{
    HostNode(host);
    return m_objects->rdma[host.Value()];
}

Ptr<FabricSwitch>
FabricObjects::GetSwitch(SwitchId which) const
{
    RequireExists(which, m_objects->switches.size(), "switches");
    return m_objects->switches[which.Value()];
}

uint32_t
FabricObjects::GetNSwitches() const
{
    return static_cast<uint32_t>(m_objects->switches.size());
}

Ptr<QbbNetDevice>
FabricObjects::GetDevice(NodeId node, uint32_t port) const
{
    RequireExists(node, m_objects->devices.size(), "nodes");
    const auto& ports = m_objects->devices[node.Value()];
    if (port >= ports.size())
    {
        RequireExists(port,
                      ports.size(),
                      "port " + std::to_string(port),
                      "ports of " + node.Name());
    }
    return ports[port];
}

Ptr<QbbChannel>
FabricObjects::GetChannel(LinkId link) const
{
    RequireExists(link, m_objects->channels.size(), "links");
    return m_objects->channels[link.Value()];
}

NodeId
FabricObjects::HostNode(HostId host) const
{
    RequireExists(host, GetTopology().GetHosts().size(), "hosts");
    return GetTopology().NodeOf(host);
}

Ipv4Address
FabricObjects::GetAddress(HostId host, uint32_t port) const
{
    if (port >= GetTopology().GetLinksOf(HostNode(host)).size())
    {
        throw FabricError(host.Name() + " has no port " + std::to_string(port),
                          "its links are its ports, from 0");
    }
    return FabricAddresses::At(m_objects->addresses.NumberOf(host, port));
}

Ipv6Address
FabricObjects::GetIpv6Address(HostId host, uint32_t port) const
{
    return FabricAddresses::Ipv6At(GetAddress(host, port).Get() - FabricAddresses::FIRST);
}

Findings&
FabricObjects::GetFindings() const
{
    return m_objects->findings;
}

FabricObjects::Notes&
FabricObjects::GetNotes() const
{
    return m_objects->notes;
}

const FabricOptions&
FabricObjects::GetOptions() const
{
    return m_objects->options;
}

void
FabricObjects::FollowLinks() const
{
    FabricTopology& topology = m_objects->topology;
    bool isOther = false;
    for (const LinkId link : topology.Links())
    {
        const FabricTopology::Link& ends = topology.GetLink(link);
        const DataRate rate = std::min(RateAt(*this, ends.a, link), RateAt(*this, ends.b, link));
        const Time delay = GetChannel(link)->GetDelay();
        if (rate != ends.spec.rate || delay != ends.spec.delay)
        {
            topology.SetLink(link, rate, delay);
            isOther = true;
        }
    }
    if (isOther)
    {
        m_objects->routes->ForgetPaths();
    }
}

bool
FabricObjects::IsDestroyed() const
{
    for (const auto& ports : m_objects->devices)
    {
        if (!ports.empty())
        {
            return !ports.front()->GetNode(); // disposed, as the nodes are
        }
    }
    return false;
}

Ipv4Address
FabricObjects::GetSwitchAddress(SwitchId which) const
{
    GetSwitch(which);
    return Ipv4Address(FIRST_SWITCH_ADDRESS + which.Value());
}

Ipv6Address
FabricObjects::GetSwitchIpv6Address(SwitchId which) const
{
    return FabricAddresses::Ipv6Of(GetSwitchAddress(which));
}

} // namespace ns3

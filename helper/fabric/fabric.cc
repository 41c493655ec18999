// SPDX-License-Identifier: GPL-2.0-only
#include "fabric.h"

#include "qbb-helper.h"
#include "switch-needs.h"

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/fabric-error.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <filesystem>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace
{

/// Refuse a number of something that there is not. @param what its name, and that of the many
void
RequireExists(const char* what, const char* many, uint32_t number, std::size_t count)
{
    if (number >= count)
    {
        throw FabricError("there is no " + std::string(what) + " " + std::to_string(number),
                          count ? std::string(many) + " are 0 to " + std::to_string(count - 1)
                                : "there are no " + std::string(many));
    }
}

/// The port by which a host reaches all that it has no direct cable to.
uint32_t
MainPort(const FabricTopology& topology, uint32_t node)
{
    const auto& links = topology.GetLinksOf(node);
    for (uint32_t port = 0; port < links.size(); ++port)
    {
        if (topology.IsSwitch(topology.GetLinks()[links[port]].Peer(node)))
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

Fabric::Parts::Parts(const FabricTopology& graph)
    : topology(graph),
      routes(std::make_shared<FabricRoutes>(topology)),
      linkDown(topology.GetLinks().size(), false)
{
}

Fabric::Fabric(std::shared_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

// ---- look-up

const FabricTopology&
Fabric::GetTopology() const
{
    return m_parts->topology;
}

const FabricRoutes&
Fabric::GetRoutes() const
{
    return *m_parts->routes;
}

uint32_t
Fabric::GetNHosts() const
{
    return static_cast<uint32_t>(m_parts->rdma.size());
}

NodeContainer
Fabric::GetHosts() const
{
    NodeContainer hosts;
    for (const uint32_t node : GetTopology().GetHosts())
    {
        hosts.Add(m_parts->nodes[node]);
    }
    return hosts;
}

NodeContainer
Fabric::GetSwitches() const
{
    NodeContainer switches;
    for (const uint32_t node : GetTopology().GetSwitches())
    {
        switches.Add(m_parts->nodes[node]);
    }
    return switches;
}

Ptr<Node>
Fabric::GetNode(uint32_t node) const
{
    RequireExists("node", "nodes", node, m_parts->nodes.size());
    return m_parts->nodes[node];
}

Ptr<Node>
Fabric::GetHost(uint32_t host) const
{
    return m_parts->nodes[HostNode(host)];
}

Ptr<RdmaHw>
Fabric::GetRdma(uint32_t host) const
{
    HostNode(host);
    return m_parts->rdma[host];
}

Ptr<FabricSwitch>
Fabric::GetSwitch(uint32_t i) const
{
    RequireExists("switch", "switches", i, m_parts->switches.size());
    return m_parts->switches[i];
}

uint32_t
Fabric::GetNSwitches() const
{
    return static_cast<uint32_t>(m_parts->switches.size());
}

Ptr<QbbNetDevice>
Fabric::GetDevice(uint32_t node, uint32_t port) const
{
    RequireExists("node", "nodes", node, m_parts->devices.size());
    const auto& ports = m_parts->devices[node];
    if (port >= ports.size())
    {
        RequireExists("port",
                      ("ports of node " + std::to_string(node)).c_str(),
                      port,
                      ports.size());
    }
    return ports[port];
}

Ptr<QbbChannel>
Fabric::GetChannel(uint32_t link) const
{
    RequireExists("link", "links", link, m_parts->channels.size());
    return m_parts->channels[link];
}

uint32_t
Fabric::HostNode(uint32_t host) const
{
    const auto& hosts = GetTopology().GetHosts();
    RequireExists("host", "hosts", host, hosts.size());
    return hosts[host];
}

Ipv4Address
Fabric::AddressAt(uint32_t offset)
{
    return Ipv4Address(0x0a000001 + offset);
}

Ipv4Address
Fabric::GetAddress(uint32_t host, uint32_t port) const
{
    if (port >= GetTopology().GetLinksOf(HostNode(host)).size())
    {
        throw FabricError("host " + std::to_string(host) + " has no port " + std::to_string(port),
                          "its links are its ports, from 0");
    }
    return AddressAt(port == 0 ? host : m_parts->secondAddress[host] + port - 1);
}

Ipv6Address
Fabric::GetIpv6Address(uint32_t host, uint32_t port) const
{
    uint8_t bytes[16] = {0xfd};
    GetAddress(host, port).Serialize(bytes + 12);
    return Ipv6Address(bytes);
}

const FabricOptions&
Fabric::GetOptions() const
{
    return m_parts->options;
}

// ---- paths

std::vector<Fabric::Ports>
Fabric::GetPortPairs(uint32_t source, uint32_t destination) const
{
    const uint32_t from = HostNode(source);
    const uint32_t to = HostNode(destination);
    if (source == destination)
    {
        throw FabricError("host " + std::to_string(source) + " sends to itself",
                          "source and destination must differ");
    }
    const auto& fromLinks = GetTopology().GetLinksOf(from);
    const auto& toLinks = GetTopology().GetLinksOf(to);
    std::vector<Ports> pairs;
    for (uint32_t i = 0; i < fromLinks.size(); ++i)
    {
        for (uint32_t j = 0; j < toLinks.size(); ++j)
        {
            if (!GetRoutes().GetPath(from, fromLinks[i], to, toLinks[j]).empty())
            {
                pairs.push_back({i, j});
            }
        }
    }
    if (pairs.empty())
    {
        throw FabricError("host " + std::to_string(destination) + " (node " + std::to_string(to) +
                              ") cannot be reached from host " + std::to_string(source) +
                              " (node " + std::to_string(from) + ")",
                          "links and switches must join them");
    }
    return pairs;
}

IdealFct
Fabric::GetIdeal(uint32_t source,
                 uint32_t destination,
                 const Ports& ports,
                 const IdealFct::Framing& framing) const
{
    const FabricTopology& topology = GetTopology();
    const uint32_t from = HostNode(source);
    const uint32_t to = HostNode(destination);
    GetAddress(source, ports.source); // both ports exist
    GetAddress(destination, ports.destination);
    std::vector<IdealHop> hops;
    for (const uint32_t link : GetRoutes().GetPath(from,
                                                   topology.GetLinksOf(from)[ports.source],
                                                   to,
                                                   topology.GetLinksOf(to)[ports.destination]))
    {
        const FabricLinkSpec& spec = topology.GetLinks()[link].spec;
        hops.push_back({spec.rate.GetBitRate(), spec.delay.GetTimeStep()});
    }
    return IdealFct(std::move(hops), framing, Seconds(1).GetTimeStep());
}

// ---- connections

Fabric::Connection
Fabric::Connect(uint32_t source, uint32_t destination) const
{
    return Connect(source, destination, QueuePairOptions());
}

Fabric::Connection
Fabric::Connect(uint32_t source, uint32_t destination, const QueuePairOptions& options) const
{
    RequireCongestionControl(options.congestion);
    const std::vector<Ports> pairs = GetPortPairs(source, destination);
    const Ports ports = pairs[options.choice % pairs.size()];
    const ObjectFactory& congestion =
        options.congestion.IsTypeIdSet() ? options.congestion : m_parts->congestion;
    Ptr<RdmaCongestionOps> controls[2];
    if (congestion.IsTypeIdSet())
    {
        controls[0] = congestion.Create<RdmaCongestionOps>();
        controls[1] = congestion.Create<RdmaCongestionOps>();
        RequireExtensions(*controls[0]);
    }
    Connection connection{GetRdma(source)->CreateQueuePair(ports.source),
                          GetRdma(destination)->CreateQueuePair(ports.destination),
                          ports};
    const Ptr<RdmaCongestionOps>* control = controls;
    for (const auto& end : {connection.source, connection.destination})
    {
        for (const auto& [name, value] : options.attributes)
        {
            end->SetAttribute(name, *value);
        }
        if (*control)
        {
            end->SetCongestionControl(*control);
        }
        ++control;
    }
    IdealFct::Framing framing;
    framing.mtu = connection.source->GetMtu();
    const int64_t rtt = GetIdeal(source, destination, ports, framing).BaseRtt();
    RdmaHw::Connect(connection.source, connection.destination, TimeStep(rtt));
    return connection;
}

void
Fabric::RequireCongestionType(const ObjectFactory& congestion)
{
    const TypeId type = congestion.GetTypeId();
    const TypeId base = RdmaCongestionOps::GetTypeId();
    const bool derives = type == base || type.IsChildOf(base);
    if (!derives || !type.HasConstructor())
    {
        throw FabricError(type.GetName() + " is " + (derives ? "abstract" : "no " + base.GetName()),
                          "name a type that derives from " + base.GetName());
    }
}

void
Fabric::RequireCongestionControl(const ObjectFactory& congestion) const
{
    if (congestion.IsTypeIdSet())
    {
        RequireCongestionType(congestion);
        RequireExtensions(*congestion.Create<RdmaCongestionOps>());
    }
}

void
Fabric::RequireExtensions(const RdmaCongestionOps& congestion) const
{
    for (const std::string& text : congestion.GetSwitchExtensions())
    {
        if (m_parts->met.count(text))
        {
            continue;
        }
        const SwitchNeed need(congestion.GetInstanceTypeId(), text);
        for (const auto& fabricSwitch : m_parts->switches)
        {
            need.Require(fabricSwitch);
        }
        m_parts->met.insert(text);
    }
}

Fabric::PacketSize
Fabric::GetPacketSize(const QueuePairOptions& options) const
{
    const auto end = GetRdma(0)->GetQueuePairFactory().Create<RdmaQueuePair>();
    for (const auto& [name, value] : options.attributes)
    {
        end->SetAttribute(name, *value);
    }
    const ObjectFactory& congestion =
        options.congestion.IsTypeIdSet() ? options.congestion : m_parts->congestion;
    const TelemetryKind telemetry = congestion.IsTypeIdSet()
                                        ? congestion.Create<RdmaCongestionOps>()->GetTelemetry()
                                        : TelemetryKind::NONE;
    return {end->GetMtu(), TelemetryBytes(telemetry, IntTelemetry::MAX_HOPS)};
}

// ---- the whole fabric

bool
Fabric::IsDestroyed() const
{
    for (const auto& ports : m_parts->devices)
    {
        if (!ports.empty())
        {
            return !ports.front()->GetNode(); // disposed, as the nodes are
        }
    }
    return false;
}

std::vector<std::string>
Fabric::CheckLossless() const
{
    std::size_t ignored = 0;
    return FindMistakes(ignored);
}

std::vector<std::string>
Fabric::FindMistakes(std::size_t& fatal) const
{
    fatal = 0;
    std::vector<std::string> findings;
    for (const auto& fabricSwitch : m_parts->switches)
    {
        try
        {
            fabricSwitch->Start();
        }
        catch (const std::exception& error)
        {
            const auto node = fabricSwitch->GetObject<Node>();
            findings.insert(findings.begin() + static_cast<std::ptrdiff_t>(fatal++),
                            "switch " + std::to_string(node->GetId()) + ": " + error.what());
            continue;
        }
        const auto some = fabricSwitch->CheckLossless();
        findings.insert(findings.end(), some.begin(), some.end());
    }
    return findings;
}

void
Fabric::RequireLossless() const
{
    std::size_t fatal = 0;
    const auto findings = FindMistakes(fatal);
    if (!findings.empty())
    {
        const std::size_t more = findings.size() - 1;
        throw FabricError(findings[0] +
                              (more ? " (and " + std::to_string(more) + " more findings)" : ""),
                          fatal ? "" : "correct it, or allow loss with AllowLossy");
    }
}

Ipv4Address
Fabric::GetSwitchAddress(uint32_t i) const
{
    RequireExists("switch", "switches", i, m_parts->switches.size());
    return Ipv4Address(0xac100001 + i);
}

void
Fabric::SetDeadlockDetector(const Ptr<DeadlockDetector>& detector) const
{
    m_parts->deadlockDetector = detector;
}

Ptr<DeadlockDetector>
Fabric::GetDeadlockDetector() const
{
    return m_parts->deadlockDetector;
}

int64_t
Fabric::AssignStreams(int64_t stream) const
{
    int64_t used = 0;
    for (const auto& fabricSwitch : m_parts->switches)
    {
        used += fabricSwitch->AssignStreams(stream + used);
    }
    for (const auto& host : m_parts->rdma)
    {
        for (uint32_t port = 0; port < host->GetNPorts(); ++port)
        {
            const auto buffer = host->GetReceiveBuffer(port);
            used += buffer ? buffer->AssignStreams(stream + used) : 0;
        }
    }
    for (const auto& ports : m_parts->devices)
    {
        for (const auto& device : ports)
        {
            PointerValue model;
            device->GetAttribute("ReceiveErrorModel", model);
            if (const auto errors = model.Get<RateErrorModel>())
            {
                used += errors->AssignStreams(stream + used);
            }
        }
    }
    return used;
}

// ---- links that go down and up, and routes

void
Fabric::ScheduleLink(uint32_t link, bool up, Time when) const
{
    GetChannel(link);
    if (when < Simulator::Now())
    {
        throw FabricError("link " + std::to_string(link) + " is to change at " +
                              std::to_string(when.GetSeconds()) + " s, before the time now",
                          "the time counts from the start of the simulation");
    }
    Simulator::Schedule(when - Simulator::Now(),
                        [fabric = *this, link, up] { fabric.SetLinkUp(link, up); });
}

void
Fabric::SetLinkUp(uint32_t link, bool up) const
{
    SetLinkState(link, up);
    ComputeRoutes();
    InstallRoutes();
}

void
Fabric::SetLinkState(uint32_t link, bool up) const
{
    GetChannel(link)->SetUp(up);
    m_parts->linkDown[link] = !up;
}

bool
Fabric::IsLinkUp(uint32_t link) const
{
    return GetChannel(link)->IsUp();
}

std::shared_ptr<const FabricRoutes>
Fabric::ComputeRoutes() const
{
    m_parts->routes = std::make_shared<FabricRoutes>(m_parts->topology, m_parts->linkDown);
    return m_parts->routes;
}

void
Fabric::InstallRoutes() const
{
    for (uint32_t i = 0; i < m_parts->switches.size(); ++i)
    {
        InstallRoutesAt(i, GetRoutes());
    }
}

void
Fabric::InstallRoutesAt(uint32_t i, const FabricRoutes& routes) const
{
    GetSwitch(i);
    const FabricTopology& topology = GetTopology();
    const uint32_t self = topology.GetSwitches()[i];
    ForwardingTable& table = m_parts->switches[i]->GetForwardingTable();
    table.Reserve(AddressAt(0), m_parts->addresses);
    // All hosts behind a switch share one group: it is looked up once for each of them.
    std::vector<ForwardingTable::GroupId> groups(topology.GetNNodes(), 0);
    std::vector<bool> known(topology.GetNNodes(), false);
    for (const uint32_t node : topology.GetHosts())
    {
        const uint32_t host = topology.GetHostIndex(node);
        const auto& links = topology.GetLinksOf(node);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const uint32_t behind = topology.GetLinks()[links[port]].Peer(node);
            ForwardingTable::GroupId group = 0;
            if (behind == self)
            {
                group =
                    table.AddGroup({static_cast<uint16_t>(topology.GetPort(self, links[port]))});
            }
            else if (topology.IsSwitch(behind) && routes.IsUp(links[port]))
            {
                if (!known[behind])
                {
                    std::vector<uint16_t> ports;
                    for (const uint32_t link : routes.GetNextHops(self, behind))
                    {
                        ports.push_back(static_cast<uint16_t>(topology.GetPort(self, link)));
                    }
                    known[behind] = true;
                    groups[behind] = ports.empty() ? 0 : table.AddGroup(ports);
                }
                group = groups[behind];
            }
            if (group)
            {
                table.SetRoute(GetAddress(host, port), group);
                table.SetRoute(GetIpv6Address(host, port), group);
            }
            else
            {
                table.RemoveRoute(GetAddress(host, port));
                table.RemoveRoute(GetIpv6Address(host, port));
            }
        }
    }
    if (m_parts->routesToSwitches)
    {
        InstallSwitchRoutesAt(i, routes);
    }
}

void
Fabric::InstallSwitchRoutesAt(uint32_t i, const FabricRoutes& routes) const
{
    const FabricTopology& topology = GetTopology();
    const auto& switches = topology.GetSwitches();
    ForwardingTable& table = m_parts->switches[i]->GetForwardingTable();
    for (uint32_t other = 0; other < switches.size(); ++other)
    {
        std::vector<uint16_t> ports;
        for (const uint32_t link : routes.GetNextHops(switches[i], switches[other]))
        {
            ports.push_back(static_cast<uint16_t>(topology.GetPort(switches[i], link)));
        }
        if (ports.empty())
        {
            table.RemoveRoute(GetSwitchAddress(other));
        }
        else
        {
            table.SetRoute(GetSwitchAddress(other), table.AddGroup(ports));
        }
    }
}

void
Fabric::RouteToSwitches() const
{
    m_parts->routesToSwitches = true;
    for (uint32_t i = 0; i < m_parts->switches.size(); ++i)
    {
        InstallSwitchRoutesAt(i, GetRoutes());
    }
}

// ---- the stock IP stack on the hosts

bool
Fabric::HasInternet() const
{
    uint32_t hosts = 0;
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        hosts += GetHost(host)->GetObject<Ipv4>() || GetHost(host)->GetObject<Ipv6>();
    }
    if (hosts > 0 && hosts < GetNHosts())
    {
        throw FabricError(std::to_string(hosts) + " of " + std::to_string(GetNHosts()) +
                              " hosts have an IP stack",
                          "install it on all of them, or on none");
    }
    return hosts > 0;
}

void
Fabric::InstallInternet() const
{
    if (HasInternet())
    {
        return;
    }
    const FabricTopology& topology = GetTopology();
    InternetStackHelper stack;
    stack.Install(GetHosts());
    Ipv4StaticRoutingHelper routing4;
    Ipv6StaticRoutingHelper routing6;
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        const Ptr<Node> node = GetHost(host);
        const uint32_t index = topology.GetHosts()[host];
        // Addresses of a fabric are unique: nobody need wait a second to find that out.
        node->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
        const uint32_t mainPort = MainPort(topology, index);
        const auto& links = topology.GetLinksOf(index);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const bool isMain = port == mainPort;
            const Ptr<NetDevice> device = GetDevice(index, port);
            const uint32_t interface4 = AddIpv4(node, device, GetAddress(host, port), isMain);
            const uint32_t interface6 = AddIpv6(node, device, GetIpv6Address(host, port), isMain);
            const uint32_t peer = topology.GetLinks()[links[port]].Peer(index);
            if (!topology.IsSwitch(peer))
            {
                const uint32_t peerHost = topology.GetHostIndex(peer);
                const uint32_t peerPort = topology.GetPort(peer, links[port]);
                routing4.GetStaticRouting(node->GetObject<Ipv4>())
                    ->AddHostRouteTo(GetAddress(peerHost, peerPort), interface4);
                routing6.GetStaticRouting(node->GetObject<Ipv6>())
                    ->AddHostRouteTo(GetIpv6Address(peerHost, peerPort), interface6);
            }
        }
        if (Simulator::Now().IsStrictlyPositive())
        {
            node->Initialize(); // the simulation has begun, and would not do so
        }
    }
}

// ---- captures

void
Fabric::EnablePcap(const std::string& prefix, const std::vector<uint32_t>& nodes) const
{
    std::vector<uint32_t> wanted = nodes;
    if (wanted.empty())
    {
        wanted.resize(GetTopology().GetNNodes());
        std::iota(wanted.begin(), wanted.end(), 0);
    }
    for (const uint32_t node : wanted)
    {
        GetNode(node);
    }
    // ns-3 would abort when it cannot write.
    const auto folder = std::filesystem::path(prefix).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error) &&
        !std::filesystem::create_directories(folder, error))
    {
        throw FabricError(folder.string(), 0, "is no folder and cannot be made");
    }
    QbbHelper helper;
    for (const uint32_t node : wanted)
    {
        for (uint32_t port = 0; port < GetTopology().GetLinksOf(node).size(); ++port)
        {
            const std::string file =
                prefix + "-" + std::to_string(node) + "-" + std::to_string(port) + ".pcap";
            helper.EnablePcap(file, Ptr<NetDevice>(GetDevice(node, port)), true, true);
        }
    }
}

} // namespace ns3

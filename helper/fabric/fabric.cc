// SPDX-License-Identifier: GPL-2.0-only
#include "fabric.h"

#include "fabric-internet.h"
#include "fabric-partitions.h"
#include "fabric-streams.h"
#include "loss-check.h"
#include "lossy-class.h"
#include "path-check.h"
#include "qbb-helper.h"
#include "switch-needs.h"
#include "switch-routes.h"
#include "type-relation.h"
#include "vxlan-overlay.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/load-balancer.h"

#include <filesystem>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace
{

/// @param end a queue pair, not connected @param options to set
void
SetOptions(RdmaQueuePair& end, const Fabric::QueuePairOptions& options)
{
    for (const auto& [name, value] : options.attributes)
    {
        end.SetAttribute(name, *value);
    }
    if (options.congestion.IsTypeIdSet())
    {
        end.SetAttribute("CongestionControl", ObjectFactoryValue(options.congestion));
    }
}

/// @param rdma a host @param options of a queue pair @return such a queue pair, of no port
Ptr<RdmaQueuePair>
MakeEnd(const RdmaHw& rdma, const Fabric::QueuePairOptions& options)
{
    const auto end = rdma.GetQueuePairFactory().Create<RdmaQueuePair>();
    SetOptions(*end, options);
    return end;
}

/// @param end a queue pair, not connected @return what would be its congestion control
Ptr<RdmaCongestionOps>
MakeControl(const RdmaQueuePair& end)
{
    ObjectFactoryValue congestion;
    end.GetAttribute("CongestionControl", congestion);
    return congestion.Get().Create<RdmaCongestionOps>();
}

/// @param requester the end that posts @param responder the other end @param ipVersion of both
/// @param ports number of ports of the requester's NIC @return how messages become packets
IdealFct::Framing
MakeFraming(const RdmaQueuePair& requester,
            const RdmaQueuePair& responder,
            uint8_t ipVersion,
            uint32_t ports)
{
    const auto timesOf = [](const RdmaTerms& end) {
        return IdealFct::HostTimes{end.GetTxDelay().GetTimeStep(), end.GetRxDelay().GetTimeStep()};
    };
    const RdmaConnection& connection = requester.GetConnection();
    IdealFct::Framing framing;
    framing.mtu = connection.mtu;
    framing.ackInterval = connection.ackInterval;
    framing.ipVersion = ipVersion;
    framing.tagged = connection.data.tagged;
    framing.format = connection.format;
    framing.planes = requester.CountPlanes(ports);
    framing.spreads = framing.planes > 0 || SpreadsPackets(requester) || SpreadsPackets(responder);
    framing.outerBytes = requester.GetOuterBytes();
    framing.requester = timesOf(requester);
    framing.responder = timesOf(responder);
    return framing;
}

} // namespace

Fabric::Parts::Parts(const FabricTopology& graph)
    : Objects(graph),
      linkDown(topology.GetLinks().size(), false)
{
}

Fabric::Fabric(const std::shared_ptr<Parts>& parts)
    : FabricObjects(parts),
      m_parts(parts)
{
}

std::string
Fabric::GetLate() const
{
    std::string late;
    for (std::size_t i = 0; m_parts->late && i < m_parts->late->size(); ++i)
    {
        late += (i ? ", " : "") + (*m_parts->late)[i];
    }
    return late;
}

// ---- paths

std::vector<Fabric::Ports>
Fabric::GetPortPairs(HostId source, HostId destination) const
{
    const NodeId from = HostNode(source);
    const NodeId to = HostNode(destination);
    if (source == destination)
    {
        throw FabricError(source.Name() + " sends to itself", "source and destination must differ");
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
        throw FabricError(destination.Name() + " (" + to.Name() + ") cannot be reached from " +
                              source.Name() + " (" + from.Name() + ")",
                          "links and switches must join them");
    }
    return pairs;
}

IdealFct
Fabric::GetIdeal(HostId source,
                 HostId destination,
                 const Ports& ports,
                 const IdealFct::Framing& framing) const
{
    GetAddress(source, ports.source); // both ports exist
    GetAddress(destination, ports.destination);
    const Way way = GetWay(source, destination, ports);
    std::vector<IdealHop> hops = GetHops(way, framing.ipVersion);
    AddWays(way, framing, hops);
    return IdealFct(std::move(hops), framing, Seconds(1).GetTimeStep());
}

Fabric::Way
Fabric::GetWay(HostId source, HostId destination, const Ports& ports) const
{
    const FabricTopology& topology = GetTopology();
    const NodeId from = HostNode(source);
    const NodeId to = HostNode(destination);
    return {source,
            destination,
            ports,
            GetRoutes().GetPath(from,
                                topology.GetLinksOf(from)[ports.source],
                                to,
                                topology.GetLinksOf(to)[ports.destination])};
}

std::vector<IdealHop>
Fabric::GetHops(const Way& way, uint8_t ipVersion) const
{
    const FabricTopology& topology = GetTopology();
    const int64_t unit = GetRdma(way.source)->GetDevice(way.ports.source)->SerialisationTicks();
    const auto rateAt = [&](NodeId end, LinkId link) {
        return GetDevice(end, topology.GetPort(end, link))->GetDataRate().GetBitRate();
    };
    std::vector<IdealHop> hops;
    NodeId node = HostNode(way.source);
    for (const LinkId link : way.links)
    {
        const FabricTopology::Link& ends = topology.GetLink(link);
        const NodeId peer = ends.Peer(node);
        hops.push_back({rateAt(node, link),
                        GetChannel(link)->GetDelay().GetTimeStep(),
                        unit,
                        rateAt(peer, link)});
        node = peer;
        if (topology.IsSwitch(node))
        {
            const auto behind = GetSwitch(topology.SwitchAt(node));
            hops.back().switchTicks = behind->GetSwitchDelay().GetTimeStep();
            hops.back().cutThroughBytes = behind->GetCutThroughBytes();
        }
    }
    if (VxlanOverlay::Has(*this))
    {
        AddTunnels(way, ipVersion, hops);
    }
    return hops;
}

void
Fabric::AddWays(const Way& way, const IdealFct::Framing& framing, std::vector<IdealHop>& hops) const
{
    const FabricTopology& topology = GetTopology();
    const NodeId from = HostNode(way.source);
    NodeId node = from;
    bool spreads = framing.spreads;
    for (std::size_t i = 0; i + 1 < way.links.size(); ++i)
    {
        node = topology.GetLink(way.links[i]).Peer(node);
        const auto balancer = GetSwitch(topology.SwitchAt(node))->GetLoadBalancer();
        spreads = spreads || (balancer && balancer->GetUnit() != PathUnit::FLOW);
    }
    if (spreads && way.links.size() > 2)
    {
        const auto& widths =
            GetRoutes().GetWidths(topology.GetLink(way.links.front()).Peer(from), node);
        for (std::size_t i = 0; i < widths.size(); ++i)
        {
            hops[i + 1].ways = (widths[i] - 1) / hops[i + 1].bitsPerSecond + 1;
        }
    }
}

void
Fabric::AddTunnels(const Way& way, uint8_t ipVersion, std::vector<IdealHop>& hops) const
{
    auto* const frame = new Frame;
    frame->ipVersion = ipVersion;
    frame->dst = GetAddress(way.destination, way.ports.destination).Get();
    frame->dstHigh = FabricAddresses::PREFIX;
    const auto added = VxlanOverlay::AddedBytes(*this, HostNode(way.source), way.links, *frame);
    frame->Release();
    for (std::size_t i = 0; i < hops.size(); ++i)
    {
        hops[i].tunnelBytes = added[i];
    }
}

IdealFct::Framing
Fabric::GetFraming(const Connection& connection) const
{
    const RdmaAddress& address = connection.source->GetConnection().local;
    const auto device = connection.source->GetDevice();
    const uint32_t ports =
        device ? device->GetNode()->GetObject<RdmaHw>()->GetNPorts() : GetRdma(0)->GetNPorts();
    return MakeFraming(*connection.source, *connection.destination, address.ipVersion, ports);
}

IdealFct::Framing
Fabric::GetFraming(HostId source, HostId destination) const
{
    const auto& rdma = *GetRdma(source);
    return MakeFraming(*MakeEnd(rdma, {}),
                       *MakeEnd(*GetRdma(destination), {}),
                       rdma.GetAddress(0).ipVersion,
                       rdma.GetNPorts());
}

// ---- connections

Fabric::Connection
Fabric::Connect(HostId source, HostId destination) const
{
    return Connect(source, destination, QueuePairOptions());
}

Fabric::Connection
Fabric::Connect(HostId source, HostId destination, const QueuePairOptions& options) const
{
    RequireCongestionControl(options.congestion);
    const std::vector<Ports> pairs = GetPortPairs(source, destination);
    const Ports ports = pairs[options.choice % pairs.size()];
    Connection connection{GetRdma(source)->CreateQueuePair(ports.source),
                          GetRdma(destination)->CreateQueuePair(ports.destination),
                          ports};
    for (const auto& end : {connection.source, connection.destination})
    {
        SetOptions(*end, options);
    }
    const IdealFct::Framing framing = GetFraming(connection);
    // A packet alone has one way.
    const IdealFct ideal(GetHops(GetWay(source, destination, ports), framing.ipVersion),
                         framing,
                         Seconds(1).GetTimeStep());
    const Time rtt = TimeStep(ideal.BaseRtt());
    RdmaHw::Connect(connection.source, connection.destination, rtt);
    GiveLaterStreams(m_parts->later, source, *connection.source);
    GiveLaterStreams(m_parts->later, destination, *connection.destination);
    NoteQueuePair(*this, *connection.source);
    NoteQueuePair(*this, *connection.destination);
    CheckPaths(*this, *connection.source);
    if (!options.isNamed)
    {
        AddIfLossy(*this, source, connection.source->GetConnection().data.sentClass);
    }
    return connection;
}

void
Fabric::RequireCongestionType(const ObjectFactory& congestion)
{
    const TypeId type = congestion.GetTypeId();
    const TypeId base = RdmaCongestionOps::GetTypeId();
    const bool derives = IsA(type, base);
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

const std::vector<SettingDifference>&
Fabric::GetClaims() const
{
    return m_parts->claims;
}

std::optional<SettingUse>&
Fabric::GetSettingUse() const
{
    return m_parts->use;
}

const std::set<TypeId>&
Fabric::GetConnected() const
{
    return m_parts->connected;
}

void
Fabric::RequireExtensions(const RdmaCongestionOps& congestion) const
{
    for (const std::string& text : congestion.GetSwitchExtensions())
    {
        // Beside the text itself: when it was met, as an attribute may change after that.
        const std::string now = text + '#' + std::to_string(m_parts->changes);
        if (m_parts->met.count(now))
        {
            continue;
        }
        const SwitchNeed need(congestion.GetInstanceTypeId(), text);
        const auto names = FabricPlaces::NamesOf(GetTopology());
        for (const SwitchId which : Switches())
        {
            need.Require(GetSwitch(which), names[GetTopology().NodeOf(which).Value()]);
        }
        m_parts->met.erase(m_parts->met.lower_bound(text + '#'),
                           m_parts->met.lower_bound(text + static_cast<char>('#' + 1)));
        m_parts->met.insert({text, now});
    }
}

Fabric::PacketSize
Fabric::GetPacketSize(const QueuePairOptions& options) const
{
    const auto end = MakeEnd(*GetRdma(0), options);
    const auto control = MakeControl(*end);
    try
    {
        end->RequireOneWindow(*control);
    }
    catch (const std::invalid_argument& error)
    {
        throw FabricError(error.what());
    }
    return {end->GetMtu(), end->GetAddedBytes(*control), end->GetConnection().format};
}

void
Fabric::RequireReads(const QueuePairOptions& options) const
{
    const auto end = MakeEnd(*GetRdma(0), options);
    const auto control = MakeControl(*end);
    if (!end->ControlsReads(*control))
    {
        throw FabricError("nothing would control the responses of READs: " +
                              control->GetInstanceTypeId().GetName() +
                              " or the window needs acknowledgements, and ReadAcks of the queue "
                              "pairs is false",
                          "set ReadAcks, or take a congestion control that CNPs drive");
    }
}

// ---- the whole fabric

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
    const auto names = FabricPlaces::NamesOf(GetTopology());
    for (const SwitchId which : Switches())
    {
        const auto fabricSwitch = GetSwitch(which);
        const NodeId node = GetTopology().NodeOf(which);
        const std::string name = names[node.Value()] + " (" + node.Name() + ")";
        try
        {
            fabricSwitch->Start();
        }
        catch (const std::exception& error)
        {
            findings.insert(findings.begin() + static_cast<std::ptrdiff_t>(fatal++),
                            name + ": " + error.what());
            continue;
        }
        for (const LosslessMistake& mistake : fabricSwitch->FindMistakes())
        {
            findings.push_back(mistake.ToLine(name));
        }
    }
    for (const auto& host : m_parts->rdma)
    {
        const auto some = host->CheckLossless();
        findings.insert(findings.end(), some.begin(), some.end());
    }
    return findings;
}

FabricAt
Fabric::At(const FabricPlaces& places) const
{
    return FabricAt(places, GetOptions(), [fabric = *this](const FabricSettings& settings) {
        if (!settings.extensions.empty())
        {
            throw FabricError("AddSwitchExtension() at a fabric that is built",
                              "call it at FabricHelper::At(), or FabricSwitch::AddExtension()");
        }
        if (auto& use = fabric.GetSettingUse(); use && !fabric.IsDestroyed())
        {
            NoteUse(fabric, settings.places, *use); // what the change replaces, or switches off
        }
        settings.Apply(fabric);
        RunOfFabric::Changed();
    });
}

void
Fabric::RequireLossless() const
{
    std::size_t fatal = 0;
    const auto findings = FindMistakes(fatal);
    if (!findings.empty())
    {
        throw FabricError(FirstOf(findings), fatal ? "" : "correct it, or allow loss");
    }
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
    const int64_t used = GiveStreams(*this, stream);
    m_parts->later = LaterStreams(stream);
    m_parts->ownStreams = stream;
    GiveLaterStreams(*this, m_parts->later);
    return used;
}

std::optional<int64_t>
Fabric::TakeOwnStreams() const
{
    return std::exchange(m_parts->ownStreams, std::nullopt);
}

// ---- links that go down and up, and routes

void
Fabric::SetLinkUp(LinkId link, bool up) const
{
    if (!up && !IsLinkUp(link))
    {
        PrintWarning(link.Name() + " is down already, and to set it down changes nothing",
                     "a fault that has cut it sets it up at its end");
    }
    SetLinkState(link, up);
    ComputeRoutes();
    InstallRoutes();
}

void
Fabric::SetLinkState(LinkId link, bool up) const
{
    GetChannel(link)->SetUp(up);
    m_parts->linkDown[link.Value()] = !up;
}

bool
Fabric::IsLinkUp(LinkId link) const
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
    for (const SwitchId which : Switches())
    {
        InstallRoutesAt(which, GetRoutes());
    }
}

void
Fabric::InstallRoutesAt(SwitchId which, const FabricRoutes& routes) const
{
    const SwitchRoutes installer(*this, which, routes);
    installer.InstallToHosts();
    if (m_parts->routesToSwitches)
    {
        installer.InstallToSwitches();
    }
}

void
Fabric::RouteToSwitches() const
{
    m_parts->routesToSwitches = true;
    for (const SwitchId which : Switches())
    {
        SwitchRoutes(*this, which, GetRoutes()).InstallToSwitches();
    }
}

// ---- the stock IP stack on the hosts

bool
Fabric::HasInternet() const
{
    return FabricInternet::IsInstalled(*this);
}

void
Fabric::InstallInternet() const
{
    RequireOneRank("the IP stack");
    FabricInternet::Install(*this);
}

// ---- captures

void
Fabric::EnablePcap(const std::string& prefix, const std::vector<NodeId>& nodes) const
{
    RequireOneRank("a capture");
    std::vector<NodeId> wanted = nodes;
    if (wanted.empty())
    {
        wanted.resize(GetTopology().GetNNodes());
        std::iota(wanted.begin(), wanted.end(), 0);
    }
    for (const NodeId node : wanted)
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
    for (const NodeId node : wanted)
    {
        for (uint32_t port = 0; port < GetTopology().GetLinksOf(node).size(); ++port)
        {
            const std::string file =
                prefix + "-" + std::to_string(node.Value()) + "-" + std::to_string(port) + ".pcap";
            m_parts->captures.push_back(QbbHelper::Capture(*GetDevice(node, port), file, true));
        }
    }
}

void
Fabric::FlushCaptures() const
{
    for (const auto& capture : m_parts->captures)
    {
        capture->Flush();
    }
}

} // namespace ns3

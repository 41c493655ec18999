// SPDX-License-Identifier: GPL-2.0-only
#include "dependency-walk.h"

#include "vxlan-overlay.h"

#include "ns3/fabric-places.h"
#include "ns3/rdma-connection.h"

#include <algorithm>

namespace ns3
{

DependencyWalk::DependencyWalk(const Fabric& fabric)
    : m_fabric(fabric)
{
    uint32_t ports = 0;
    for (const SwitchId which : fabric.Switches())
    {
        const auto at = fabric.GetSwitch(which);
        const auto ecmp = DynamicCast<EcmpLoadBalancer>(at->GetLoadBalancer());
        m_switches.push_back({PeekPointer(at), PeekPointer(ecmp), {}, {}, ports * DSCPS});
        ports += at->GetNPorts();
    }
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        ReadSwitch(i);
    }
    // All hosts have addresses of one version, which differ in their last 32 bits alone.
    const RdmaAddress& address = fabric.GetRdma(HostId(0))->GetAddress(0);
    m_frame.ipVersion = address.ipVersion;
    m_frame.srcHigh = m_frame.dstHigh = address.high;
    m_edges.resize(ports * TRAFFIC_CLASSES);
    m_seen.resize(ports * DSCPS, 0);
    ReadEntries();
}

void
DependencyWalk::ReadSwitch(uint32_t index)
{
    const FabricTopology& topology = m_fabric.GetTopology();
    Switch& read = m_switches[index];
    const auto mmu = read.fabricSwitch->GetMmu();
    if (!mmu->IsFinal())
    {
        read.fabricSwitch->Start();
    }
    for (uint32_t i = 0; i < read.fabricSwitch->GetNExtensions(); ++i)
    {
        const auto rewriter = DynamicCast<ClassRewriter>(read.fabricSwitch->GetExtension(i));
        if (rewriter)
        {
            read.rewriters.push_back(PeekPointer(rewriter));
        }
    }
    const NodeId node = topology.GetSwitches()[index];
    const auto& links = topology.GetLinksOf(node);
    // Ports that a script has added lead to no node of the fabric.
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        const auto device = read.fabricSwitch->GetPort(i);
        const NodeId peer = topology.GetLink(links[i]).Peer(node);
        Port port;
        if (topology.IsSwitch(peer))
        {
            port.peer = topology.SwitchAt(peer).Value();
            port.peerPort = topology.GetPort(peer, links[i]);
        }
        port.map = PeekPointer(device->GetTrafficClassMap());
        port.pfc = device->GetActivePfcClasses();
        for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
        {
            port.lossless |= mmu->IsLossless(i, group) ? 1U << group : 0;
        }
        port.lossless &= device->GetPausingGroups();
        read.ports.push_back(port);
    }
}

void
DependencyWalk::ReadEntries()
{
    const FabricTopology& topology = m_fabric.GetTopology();
    m_entries.resize(m_switches.size());
    for (uint32_t i = 0; i < m_switches.size(); ++i)
    {
        const NodeId node = topology.GetSwitches()[i];
        const auto& links = topology.GetLinksOf(node);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const NodeId peer = topology.GetLink(links[port]).Peer(node);
            if (!topology.IsSwitch(peer))
            {
                m_entries[i].push_back(
                    {topology.HostAt(peer), topology.GetPort(peer, links[port]), i, port});
            }
        }
    }
}

void
DependencyWalk::FindTargets()
{
    constexpr uint32_t NO_WAY = NONE;
    constexpr uint32_t DELIVERED = NONE - 1;
    std::map<std::vector<uint32_t>, uint32_t> known;
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const HostId host : m_fabric.Hosts())
    {
        const std::size_t ports = topology.GetLinksOf(topology.NodeOf(host)).size();
        for (uint32_t port = 0; port < ports; ++port)
        {
            std::vector<uint32_t> ways;
            m_frame.dst = m_fabric.GetAddress(host, port).Get();
            for (const Switch& at : m_switches)
            {
                const ForwardingTable& table = at.fabricSwitch->GetForwardingTable();
                const NextHopGroup* group = table.Find(m_frame);
                const auto toHost = [&at](uint16_t p) { return at.ports[p].peer == NONE; };
                if (!group || group->ports.empty())
                {
                    ways.push_back(NO_WAY);
                }
                else if (std::all_of(group->ports.begin(), group->ports.end(), toHost))
                {
                    ways.push_back(DELIVERED);
                }
                else
                {
                    ways.push_back(static_cast<uint32_t>(group - &table.GetGroup(0)));
                }
            }
            const auto [place, isNew] = known.emplace(ways, m_targets.size());
            if (isNew)
            {
                m_targets.push_back({Ipv4Address(m_frame.dst), {}});
            }
            m_targets[place->second].hosts.push_back(host);
        }
    }
}

void
DependencyWalk::WalkAll()
{
    FindTargets();
    for (const Target& target : m_targets)
    {
        for (const auto& entries : m_entries)
        {
            for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                WalkFrom(entries, target, cls);
            }
        }
    }
}

void
DependencyWalk::WalkPair(HostId from, HostId to, const Fabric::Ports& ports, uint8_t cls)
{
    const Target target{m_fabric.GetAddress(to, ports.destination), {to}};
    for (const auto& entries : m_entries)
    {
        for (const Entry& entry : entries)
        {
            if (entry.host == from && entry.hostPort == ports.source)
            {
                WalkFrom({entry}, target, cls);
            }
        }
    }
}

void
DependencyWalk::WalkFlow(const BufferDependencyGraph::Flow& flow)
{
    for (const Fabric::Ports& ports : m_fabric.GetPortPairs(flow.source, flow.destination))
    {
        WalkPair(flow.source, flow.destination, ports, flow.trafficClass);
        const Fabric::Ports back{ports.destination, ports.source};
        WalkPair(flow.destination, flow.source, back, flow.trafficClass);
    }
}

void
DependencyWalk::WalkActive(const BufferDependencyGraph::Flow& flow,
                           const Fabric::Connection& connection)
{
    const RdmaConnection& ends = connection.source->GetConnection();
    // The hash of a tunnel is not that of its flows, and packets with entropy values have many
    // hashes: then all ways are followed.
    m_exact = !VxlanOverlay::Has(m_fabric) && !connection.source->GetEntropyPolicy();
    m_frame.srcPort = ends.udpPort;
    m_frame.dstPort = ROCE_UDP_PORT;
    m_frame.src = ends.local.low;
    m_frame.opcode = RoceOpcode::WRITE_MIDDLE;
    WalkPair(flow.source, flow.destination, connection.ports, flow.trafficClass);
    m_frame.src = ends.remote.low;
    m_frame.opcode = RoceOpcode::ACKNOWLEDGE;
    const Fabric::Ports back{connection.ports.destination, connection.ports.source};
    WalkPair(flow.destination, flow.source, back, flow.trafficClass);
    m_exact = false;
}

std::vector<uint16_t>
DependencyWalk::WaysOf(const Switch& at, uint32_t inPort, const NextHopGroup& group)
{
    if (m_exact && at.ecmp && group.ports.size() > 1)
    {
        const auto port = static_cast<uint16_t>(inPort);
        return at.ecmp->GetWays(m_frame, port, group, *at.fabricSwitch);
    }
    return group.ports;
}

Frame&
DependencyWalk::Mark(const Entry& entry, uint8_t cls)
{
    const NodeId node = m_fabric.GetTopology().NodeOf(entry.host);
    const auto device = m_fabric.GetDevice(node, entry.hostPort);
    const RdmaMarking marking = RdmaMarking::FromMap(*device->GetTrafficClassMap(), cls);
    m_frame.dscp = marking.dscp;
    m_frame.tagged = marking.tagged;
    m_frame.pcp = marking.pcp;
    return m_frame;
}

void
DependencyWalk::WalkFrom(const std::vector<Entry>& entries, const Target& target, uint8_t cls)
{
    m_frame.dst = target.address.Get();
    // Hosts whose frames are in the same states one hop on are followed together.
    std::map<std::vector<State>, std::vector<HostId>> origins;
    for (const Entry& entry : entries)
    {
        const NodeId node = m_fabric.GetTopology().NodeOf(entry.host);
        const bool self = target.hosts.size() == 1 && target.hosts[0] == entry.host;
        const auto device = m_fabric.GetDevice(node, entry.hostPort);
        if (self || !(device->GetPausableClasses() & (1U << cls)))
        {
            continue;
        }
        std::vector<State> next;
        const State first{entry.switchIndex, entry.port, Mark(entry, cls).dscp};
        Step(first, {{entry.host}, &target, cls}, next);
        if (!next.empty())
        {
            origins[next].push_back(entry.host);
        }
    }
    for (const auto& [states, sources] : origins)
    {
        Follow(states, {sources, &target, cls});
    }
}

void
DependencyWalk::Follow(const std::vector<State>& from, const Cause& cause)
{
    ++m_walk;
    std::vector<State> open = from;
    while (!open.empty())
    {
        const State at = open.back();
        open.pop_back();
        uint32_t& seen = m_seen[m_switches[at.switchIndex].firstState + at.port * DSCPS + at.dscp];
        if (seen != m_walk)
        {
            seen = m_walk;
            Step(at, cause, open);
        }
    }
}

void
DependencyWalk::Step(const State& at, const Cause& cause, std::vector<State>& next)
{
    const Switch& here = m_switches[at.switchIndex];
    const NextHopGroup* group = here.fabricSwitch->GetForwardingTable().Find(m_frame);
    if (!group)
    {
        return;
    }
    const Port& in = here.ports[at.port];
    m_frame.dscp = at.dscp;
    const uint8_t inClass = in.map->Classify(m_frame);
    const uint8_t inGroup = in.map->GroupOf(inClass);
    for (const uint16_t out : WaysOf(here, at.port, *group))
    {
        const Port& egress = here.ports[out];
        if (egress.peer == NONE)
        {
            continue; // a host holds nobody up for ever
        }
        // As ClassRewriter::Routed() does.
        uint8_t dscp = at.dscp;
        uint8_t outClass = inClass;
        for (const ClassRewriter* rewriter : here.rewriters)
        {
            const uint8_t rewritten = rewriter->Rewrite(dscp, at.port, out);
            outClass = rewritten != dscp ? egress.map->ClassOfDscp(rewritten) : outClass;
            dscp = rewritten;
        }
        // The queue waits for the groups whose pauses stop it, whatever the peer takes the frame
        // for.
        const Port& peer = m_switches[egress.peer].ports[egress.peerPort];
        const uint8_t queue = 1U << egress.map->QueueOf(outClass);
        const uint8_t priorities = egress.map->GetTable()->PrioritiesOfQueues(queue) & egress.pfc;
        const uint8_t groups = peer.map->GetTable()->GroupsOfPriorities(priorities) & peer.lossless;
        for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
        {
            if ((in.lossless & (1U << inGroup)) && (groups & (1U << group)))
            {
                AddEdge(VertexOf(at.switchIndex, at.port, inGroup),
                        VertexOf(egress.peer, egress.peerPort, group),
                        cause);
            }
        }
        next.push_back({egress.peer, egress.peerPort, dscp});
    }
}

void
DependencyWalk::AddEdge(uint32_t from, uint32_t to, const Cause& cause)
{
    auto& edges = m_edges[from];
    auto edge =
        std::find_if(edges.begin(), edges.end(), [to](const RawEdge& e) { return e.to == to; });
    if (edge == edges.end())
    {
        edges.push_back({to, 0, {}});
        edge = edges.end() - 1;
    }
    const std::vector<HostId>& targets = cause.target->hosts;
    edge->flows += cause.sources.size() * targets.size();
    for (const HostId source : cause.sources)
    {
        const bool both = std::find(targets.begin(), targets.end(), source) != targets.end();
        edge->flows -= both ? 1 : 0; // nobody sends to himself
        for (const HostId target : targets)
        {
            if (edge->examples.size() == BufferDependencyGraph::EXAMPLES)
            {
                break;
            }
            if (source != target)
            {
                edge->examples.push_back({source, target, cause.trafficClass});
            }
        }
    }
}

BufferDependencyGraph
DependencyWalk::GetGraph() const
{
    BufferDependencyGraph graph;
    graph.m_names = FabricPlaces::NamesOf(m_fabric.GetTopology());
    std::vector<uint32_t> number(m_edges.size(), NONE);
    std::vector<bool> used(m_edges.size(), false);
    for (uint32_t from = 0; from < m_edges.size(); ++from)
    {
        for (const RawEdge& edge : m_edges[from])
        {
            used[from] = used[edge.to] = true;
        }
    }
    for (uint32_t i = 0; i < m_switches.size(); ++i)
    {
        for (uint32_t port = 0; port < m_switches[i].ports.size(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const uint32_t raw = VertexOf(i, port, cls);
                if (used[raw])
                {
                    number[raw] = static_cast<uint32_t>(graph.m_vertices.size());
                    graph.m_vertices.push_back(
                        {m_fabric.GetTopology().GetSwitches()[i], port, cls});
                }
            }
        }
    }
    for (uint32_t from = 0; from < m_edges.size(); ++from)
    {
        auto edges = m_edges[from];
        std::sort(edges.begin(), edges.end(), [](const RawEdge& a, const RawEdge& b) {
            return a.to < b.to;
        });
        for (const RawEdge& edge : edges)
        {
            graph.m_edges.push_back({number[from], number[edge.to], edge.flows, edge.examples});
        }
    }
    graph.Finish();
    return graph;
}

} // namespace ns3

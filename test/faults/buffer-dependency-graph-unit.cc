// SPDX-License-Identifier: GPL-2.0-only

// The buffer dependency graph against one found by following every path of every pair of hosts.

#include "helper-test-util.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/deadlock-helper.h"
#include "ns3/fabric-helper.h"
#include "ns3/pointer.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

using namespace ns3;

namespace
{

using Key = std::tuple<NodeId, uint32_t, uint32_t>; // switch, port, class
using FlowKey = std::tuple<HostId, HostId, uint32_t>;
using Edges = std::map<std::pair<Key, Key>, std::set<FlowKey>>;

/// What a prevention does, said in another way than by the objects under test.
enum class Moves
{
    NONE,
    GROUPS, //!< up after down: class 3 becomes 4, 4 becomes 0
    TAGGER  //!< the same, as within tiers nothing else differs
};

class BruteForce
{
  public:
    BruteForce(const Fabric& fabric, Moves moves)
        : m_fabric(fabric),
          m_topology(fabric.GetTopology()),
          m_tiers(m_topology.GetTiers()),
          m_moves(moves)
    {
        for (const HostId from : fabric.Hosts())
        {
            for (const HostId to : fabric.Hosts())
            {
                for (uint32_t cls : {3, 4})
                {
                    if (from != to)
                    {
                        Start(from, to, cls);
                    }
                }
            }
        }
    }

    Edges edges;

  private:
    void Start(HostId from, HostId to, uint32_t cls)
    {
        m_flow = {from, to, cls};
        m_to = fabric().GetAddress(to).Get();
        m_seen.clear();
        const NodeId node = m_topology.NodeOf(from);
        const LinkId link = m_topology.GetLinksOf(node)[0];
        const NodeId at = m_topology.GetLink(link).Peer(node);
        Follow(at, link, cls);
    }

    const Fabric& fabric() const
    {
        return m_fabric;
    }

    bool IsHigh(NodeId node, LinkId link) const
    {
        const NodeId peer = m_topology.GetLink(link).Peer(node);
        return m_topology.IsSwitch(peer) && m_tiers[peer.Value()] >= m_tiers[node.Value()];
    }

    void Follow(NodeId node, LinkId inLink, uint32_t cls)
    {
        const uint32_t inPort = m_topology.GetPort(node, inLink);
        if (!m_seen.insert({node, inPort, cls}).second)
        {
            return;
        }
        const SwitchId which = m_topology.SwitchAt(node);
        Frame frame;
        frame.dst = m_to;
        const auto* group = m_fabric.GetSwitch(which)->GetForwardingTable().Find(frame);
        for (const uint16_t out : group ? group->ports : std::vector<uint16_t>())
        {
            const LinkId link = m_topology.GetLinksOf(node)[out];
            const NodeId peer = m_topology.GetLink(link).Peer(node);
            if (!m_topology.IsSwitch(peer))
            {
                continue;
            }
            uint32_t next = cls;
            if (m_moves != Moves::NONE && IsHigh(node, inLink) && IsHigh(node, link))
            {
                next = cls == 3 ? 4 : 0;
            }
            if (cls != 0 && next != 0)
            {
                const Key from{node, inPort, cls};
                const Key to{peer, m_topology.GetPort(peer, link), next};
                edges[{from, to}].insert(m_flow);
            }
            Follow(peer, link, next);
        }
    }

    Fabric m_fabric;
    const FabricTopology& m_topology;
    std::vector<uint32_t> m_tiers;
    Moves m_moves;
    FlowKey m_flow;
    uint32_t m_to{0};
    std::set<Key> m_seen;
};

Key
KeyOf(const BufferDependencyGraph& graph, uint32_t vertex)
{
    const auto& v = graph.GetVertices()[vertex];
    return {v.node, v.port, v.trafficClass};
}

/// @return the vertices that are on circles, by Warshall's algorithm
std::set<Key>
OnCircles(const Edges& edges)
{
    std::set<Key> vertices;
    std::set<std::pair<Key, Key>> reach;
    for (const auto& [edge, flows] : edges)
    {
        vertices.insert(edge.first);
        vertices.insert(edge.second);
        reach.insert(edge);
    }
    for (const Key& via : vertices)
    {
        for (const Key& from : vertices)
        {
            if (reach.count({from, via}))
            {
                for (const Key& to : vertices)
                {
                    if (reach.count({via, to}))
                    {
                        reach.insert({from, to});
                    }
                }
            }
        }
    }
    std::set<Key> circles;
    for (const Key& vertex : vertices)
    {
        if (reach.count({vertex, vertex}))
        {
            circles.insert(vertex);
        }
    }
    return circles;
}

/// @return a connected random graph of 2 to 5 switches and 2 to 6 hosts with a link each
FabricTopology
DrawTopology(std::mt19937_64& engine)
{
    FabricTopology topology;
    const uint32_t switches = 2 + engine() % 4;
    for (uint32_t i = 0; i < switches; ++i)
    {
        topology.AddSwitch();
    }
    for (uint32_t i = 1; i < switches; ++i)
    {
        topology.AddLink(i, engine() % i, {});
    }
    for (uint32_t extra = engine() % 4; extra > 0; --extra)
    {
        const uint32_t a = engine() % switches;
        topology.AddLink(a, (a + 1 + engine() % (switches - 1)) % switches, {});
    }
    for (uint32_t hosts = 2 + engine() % 5; hosts > 0; --hosts)
    {
        topology.AddLink(topology.AddHost(), engine() % switches, {});
    }
    return topology;
}

/// Give some destinations other next hops at some switches: any ports, so also loops.
void
DisturbRoutes(const Fabric& fabric, std::mt19937_64& engine)
{
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const auto fabricSwitch = fabric.GetSwitch(i);
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            if (engine() % 3 == 0)
            {
                std::vector<uint16_t> ports{
                    static_cast<uint16_t>(engine() % fabricSwitch->GetNPorts())};
                const auto more = static_cast<uint16_t>(engine() % fabricSwitch->GetNPorts());
                if (engine() % 2 && more != ports[0])
                {
                    ports.push_back(more);
                }
                fabricSwitch->AddRoute(fabric.GetAddress(host), ports);
            }
        }
    }
}

void
Compare(const BufferDependencyGraph& graph, const BruteForce& brute, const std::string& what)
{
    ASSERT_EQ(graph.GetEdges().size(), brute.edges.size()) << what;
    for (const auto& edge : graph.GetEdges())
    {
        const auto found = brute.edges.find({KeyOf(graph, edge.from), KeyOf(graph, edge.to)});
        ASSERT_NE(found, brute.edges.end()) << what;
        ASSERT_EQ(edge.flows, found->second.size()) << what;
        ASSERT_EQ(edge.examples.size(),
                  std::min<std::size_t>(edge.flows, BufferDependencyGraph::EXAMPLES));
        for (const auto& flow : edge.examples)
        {
            ASSERT_TRUE(found->second.count({flow.source, flow.destination, flow.trafficClass}))
                << what;
        }
    }
    std::set<Key> members;
    for (const auto& component : graph.GetComponents())
    {
        for (const uint32_t vertex : component)
        {
            members.insert(KeyOf(graph, vertex));
        }
    }
    ASSERT_EQ(members, OnCircles(brute.edges)) << what;
}

class BufferDependencyGraphTest : public testing::Test
{
  protected:
    BufferDependencyGraphTest()
    {
        Simulator::Destroy();
        helper.SetLosslessClasses({3, 4});
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("64MiB"));
    }

    ~BufferDependencyGraphTest() override
    {
        Simulator::Destroy();
    }

    FabricHelper helper;
};

} // namespace

TEST_F(BufferDependencyGraphTest, AgreesWithBruteForce)
{
    std::mt19937_64 engine(7);
    std::array<uint32_t, 3> cyclic{};
    constexpr uint32_t GRAPHS = 300;
    for (uint32_t g = 0; g < GRAPHS; ++g)
    {
        const Fabric fabric = helper.FromTopology(DrawTopology(engine));
        const auto moves = static_cast<Moves>(g % 3);
        if (g % 2)
        {
            DisturbRoutes(fabric, engine);
        }
        DeadlockHelper deadlocks(fabric);
        if (moves == Moves::GROUPS)
        {
            deadlocks.InstallUplinkGroups({3, 4});
        }
        else if (moves == Moves::TAGGER)
        {
            deadlocks.InstallTagger({3, 4});
        }
        const auto graph = BufferDependencyGraph::FromRoutes(fabric);
        Compare(graph, BruteForce(fabric, moves), "graph " + std::to_string(g));
        cyclic[g % 3] += graph.HasCycle();
        EXPECT_EQ(graph.HasCycle(), !graph.Describe().empty());
    }
    EXPECT_GT(cyclic[0], 20U); // of 100
    EXPECT_LT(cyclic[0], 80U);
    // Whatever the routes, each tag goes up before it goes down: no circle ever.
    EXPECT_EQ(cyclic[1], 0U);
    EXPECT_EQ(cyclic[2], 0U);
}

TEST_F(BufferDependencyGraphTest, FollowsOnlyTheFlowsGiven)
{
    const Fabric fabric = helper.LeafSpine(4, 2, 2);
    EXPECT_FALSE(BufferDependencyGraph::FromRoutes(fabric).HasCycle());
    const FabricTopology& topology = fabric.GetTopology();
    fabric.SetLinkUp(topology.FindLink(10, 13), false); // leaf 2 has spine 0 only,
    fabric.SetLinkUp(topology.FindLink(11, 12), false); // leaf 3 spine 1
    EXPECT_TRUE(BufferDependencyGraph::FromRoutes(fabric).HasCycle());
    using Flow = BufferDependencyGraph::Flow;
    const std::vector<Flow> bounced{{4, 6, 3}};
    EXPECT_FALSE(BufferDependencyGraph::FromFlows(fabric, bounced).HasCycle());
    const std::vector<Flow> both{{4, 6, 3}, {0, 2, 3}};
    const auto graph = BufferDependencyGraph::FromFlows(fabric, both);
    EXPECT_TRUE(graph.HasCycle());
    EXPECT_EQ(graph.GetCycle().size(), 4U);
    ASSERT_EQ(graph.Describe().size(), 8U); // over either spine
    EXPECT_NE(graph.Describe()[0].find("leaf 0 port 2 class 3 -> spine 1 port 0 class 3"),
              std::string::npos)
        << graph.Describe()[0];
    EXPECT_NE(graph.Describe()[0].find("4->6"), std::string::npos) << graph.Describe()[0];
    // In classes of their own they close no circle.
    const std::vector<Flow> apart{{4, 6, 3}, {0, 2, 4}};
    EXPECT_FALSE(BufferDependencyGraph::FromFlows(fabric, apart).HasCycle());
    EXPECT_THROW(BufferDependencyGraph::FromFlows(fabric, {{4, 6, 8}}), FabricError);

    RdmaFlowHelper flows(fabric);
    for (const Flow& pair : both)
    {
        flows.Add({pair.source, pair.destination});
    }
    EXPECT_EQ(BufferDependencyGraph::FromFlows(flows).Describe(), graph.Describe());
}

TEST_F(BufferDependencyGraphTest, FollowsClassMapsOfPorts)
{
    // A port that takes class 3 for class 4: the upstream queue waits for what the port pauses, and
    // the frames depend on as what they were taken for.
    const Fabric fabric = helper.LeafSpine(2, 1, 1);
    const FabricTopology& topology = fabric.GetTopology();
    const NodeId spine = 4;
    const LinkId link = topology.FindLink(2, spine);
    const auto map = CreateObject<TrafficClassMap>();
    const auto device = fabric.GetDevice(spine, topology.GetPort(spine, link));
    map->SetDscp(device->GetTrafficClassMap()->DscpOfClass(3), 4);
    device->SetAttribute("TrafficClassMap", PointerValue(map));
    const auto graph = BufferDependencyGraph::FromFlows(fabric, {{0, 1, 3}});
    std::set<std::pair<Key, Key>> edges;
    for (const auto& edge : graph.GetEdges())
    {
        edges.insert({KeyOf(graph, edge.from), KeyOf(graph, edge.to)});
    }
    const uint32_t in = topology.GetPort(spine, link);
    const uint32_t leaf = topology.GetPort(3, topology.FindLink(3, spine));
    const auto has = [&](Key from, Key to) { return edges.count({from, to}) == 1; };
    EXPECT_TRUE(has({2, topology.GetPort(2, topology.GetLinksOf(0)[0]), 3}, {spine, in, 3}));
    EXPECT_TRUE(has({spine, in, 4}, {3, leaf, 4}));
    EXPECT_FALSE(has({spine, in, 3}, {3, leaf, 3}));
}

TEST_F(BufferDependencyGraphTest, DrawsItself)
{
    const Fabric fabric = helper.LeafSpine(4, 2, 2);
    const FabricTopology& topology = fabric.GetTopology();
    fabric.SetLinkUp(topology.FindLink(10, 13), false);
    fabric.SetLinkUp(topology.FindLink(11, 12), false);
    std::ostringstream drawn;
    BufferDependencyGraph::FromRoutes(fabric).PrintDot(drawn);
    const std::string text = drawn.str();
    EXPECT_EQ(text.rfind("digraph buffers {", 0), 0U);
    EXPECT_NE(text.find("color=red"), std::string::npos);
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

// SPDX-License-Identifier: GPL-2.0-only

// Shortest paths: order of next hops, failed links, parallel links, size.

#include "helper-test-util.h"

#include "ns3/fabric-addresses.h"
#include "ns3/fabric-routes.h"

#include <chrono>

using namespace ns3;

namespace
{

/// The neighbours behind the next hops.
std::vector<NodeId>
Peers(const FabricTopology& topology, const FabricRoutes& routes, NodeId from, NodeId to)
{
    std::vector<NodeId> peers;
    for (const LinkId link : routes.GetNextHops(from, to))
    {
        peers.push_back(topology.GetLink(link).Peer(from));
    }
    return peers;
}

/// The path between the first links of two hosts.
std::vector<LinkId>
Path(const FabricTopology& topology, const FabricRoutes& routes, NodeId from, NodeId to)
{
    return routes.GetPath(from, topology.GetLinksOf(from)[0], to, topology.GetLinksOf(to)[0]);
}

} // namespace

TEST(FabricRoutes, LeafSpineGoesOverAllSpines)
{
    const auto topology = FabricTopology::LeafSpine(3, 4, 2, {}, {});
    const FabricRoutes routes(topology);
    EXPECT_EQ(Peers(topology, routes, 6, 8), (std::vector<NodeId>{9, 10, 11, 12}));
    EXPECT_EQ(Peers(topology, routes, 9, 8), (std::vector<NodeId>{8}));
    EXPECT_TRUE(routes.GetNextHops(8, 8).empty());
    EXPECT_EQ(Path(topology, routes, 0, 1).size(), 2U);
    EXPECT_EQ(Path(topology, routes, 0, 5).size(), 4U);
}

// Pitfall 4: the order of next hops must come from numbers, not from the order of insertion or of
// memory.
TEST(FabricRoutes, Pitfall4NextHopsAreOrderedByNeighbourThenLink)
{
    FabricTopology topology;
    const NodeId left = topology.AddSwitch();
    const NodeId right = topology.AddSwitch();
    const NodeId x = topology.AddSwitch();
    const NodeId y = topology.AddSwitch();
    topology.AddLink(left, y, {});  // 0
    topology.AddLink(left, x, {});  // 1
    topology.AddLink(left, y, {});  // 2
    topology.AddLink(right, x, {}); // 3
    topology.AddLink(right, y, {}); // 4
    const FabricRoutes routes(topology);
    EXPECT_EQ(routes.GetNextHops(left, right), (std::vector<LinkId>{1, 0, 2}));
}

TEST(FabricRoutes, FailedLinksAreAvoided)
{
    const auto topology = FabricTopology::LeafSpine(2, 2, 1, {}, {});
    std::vector<bool> down(topology.GetLinks().size(), false);
    down[topology.FindLink(2, 4).Value()] = true;
    const FabricRoutes routes(topology, down);
    EXPECT_EQ(Peers(topology, routes, 2, 3), (std::vector<NodeId>{5}));
    EXPECT_EQ(Peers(topology, routes, 4, 2), (std::vector<NodeId>{3})); // the long way
    down[topology.FindLink(2, 5).Value()] = true;
    const FabricRoutes cut(topology, down);
    EXPECT_TRUE(cut.GetNextHops(2, 3).empty());
    EXPECT_TRUE(Path(topology, cut, 0, 1).empty());
}

TEST(FabricRoutes, HostsLieBehindTheirSwitches)
{
    FabricTopology topology = FabricTopology::LeafSpine(2, 1, 2, {}, {}); // hosts 0-3, leaves 4, 5
    const LinkId second = topology.AddLink(0, 5, {});                     // another port of host 0
    std::vector<bool> down(topology.GetLinks().size(), false);
    const auto switchesOf = [&] {
        const FabricRoutes routes(topology, down);
        std::vector<NodeId> switches;
        for (const HostSites::Site site : routes.GetHostSites()->GetSites())
        {
            switches.push_back(site == 0 ? NodeId() : routes.GetSwitchOf(site));
        }
        return switches;
    };
    EXPECT_EQ(switchesOf(), (std::vector<NodeId>{4, 4, 5, 5, 5}));
    down[second.Value()] = true;
    EXPECT_EQ(switchesOf(), (std::vector<NodeId>{4, 4, 5, 5, NodeId()}));
    down[topology.FindLink(1, 4).Value()] = true;
    EXPECT_EQ(switchesOf(), (std::vector<NodeId>{4, NodeId(), 5, 5, NodeId()}));
    const FabricRoutes routes(topology, down);
    EXPECT_EQ(routes.GetHostSites()->Find(FabricAddresses::FIRST + 2), 2);
    EXPECT_EQ(routes.GetHostSites()->Find(FabricAddresses::FIRST + 5), 0);
    EXPECT_EQ(routes.GetHostSites()->Find(FabricAddresses::FIRST - 1), 0);
}

TEST(FabricRoutes, HostsNeverForward)
{
    // Two switches whose only connection is a host with two links.
    FabricTopology topology;
    const NodeId middle = topology.AddHost();
    const NodeId end = topology.AddHost();
    const NodeId a = topology.AddSwitch();
    const NodeId b = topology.AddSwitch();
    topology.AddLink(middle, a, {});
    topology.AddLink(middle, b, {});
    topology.AddLink(end, b, {});
    const FabricRoutes routes(topology);
    EXPECT_TRUE(routes.GetNextHops(a, b).empty());
    EXPECT_EQ(routes.GetPath(middle, 1, end, 2), (std::vector<LinkId>{1, 2}));
    EXPECT_TRUE(routes.GetPath(middle, 0, end, 2).empty());
}

TEST(FabricRoutes, AlikeLinksNeedNoSearch)
{
    const auto paths = [](const FabricTopology& topology) {
        const FabricRoutes routes(topology);
        std::vector<std::vector<LinkId>> all;
        for (const NodeId from : topology.GetHosts())
        {
            for (const NodeId to : topology.GetHosts())
            {
                all.push_back(from == to ? std::vector<LinkId>()
                                         : Path(topology, routes, from, to));
            }
        }
        return all;
    };
    const FabricTopology alike = FabricTopology::FatTree(4, {});
    FabricTopology other = alike;
    FabricLinkSpec slow;
    slow.rate = DataRate("1Gbps");
    other.AddLink(other.AddSwitch(), other.AddSwitch(), slow); // apart from the rest
    EXPECT_EQ(paths(alike), paths(other));
}

TEST(FabricRoutes, HostsJoinedDirectly)
{
    FabricTopology topology;
    topology.AddHost();
    topology.AddHost();
    topology.AddHost();
    topology.AddLink(0, 1, {});
    topology.AddLink(1, 2, {});
    const FabricRoutes routes(topology);
    EXPECT_EQ(routes.GetPath(0, 0, 1, 0), (std::vector<LinkId>{0}));
    EXPECT_TRUE(routes.GetPath(0, 0, 2, 1).empty()); // host 1 does not forward
}

TEST(FabricRoutes, FastestOfTheShortestPaths)
{
    FabricLinkSpec slow;
    slow.delay = MicroSeconds(5);
    FabricTopology topology = FabricTopology::LeafSpine(2, 1, 1, {}, slow);
    const NodeId spine = topology.AddSwitch();
    const LinkId first = topology.AddLink(2, spine, {});
    const LinkId second = topology.AddLink(3, spine, {});
    const FabricRoutes routes(topology);
    EXPECT_EQ(routes.GetNextHops(2, 3).size(), 2U);
    EXPECT_EQ(Path(topology, routes, 0, 1), (std::vector<LinkId>{0, first, second, 1}));
}

TEST(FabricRoutes, FatTreeOf1024Hosts)
{
    const auto topology = FabricTopology::FatTree(16, {});
    const FabricRoutes routes(topology);
    const uint32_t firstEdge = 1024;
    EXPECT_EQ(routes.GetNextHops(firstEdge, firstEdge + 127).size(), 8U);
    EXPECT_EQ(Path(topology, routes, 0, 1023).size(), 6U);
    // Every pair of edge switches can talk.
    for (uint32_t to = 1; to < 128; ++to)
    {
        ASSERT_EQ(routes.GetNextHops(firstEdge, firstEdge + to).size(), 8U);
    }
}

// SPDX-License-Identifier: GPL-2.0-only

// The graphs that the generators make, and what may not be joined.

#include "helper-test-util.h"

#include "ns3/fabric-topology.h"

using namespace ns3;

TEST(FabricTopology, Star)
{
    const auto topology = FabricTopology::Star(4, {});
    EXPECT_EQ(topology.GetNNodes(), 5U);
    EXPECT_EQ(topology.GetHosts(), (std::vector<NodeId>{0, 1, 2, 3}));
    EXPECT_TRUE(topology.IsSwitch(4));
    EXPECT_EQ(topology.GetLinksOf(4).size(), 4U);
    EXPECT_EQ(topology.GetPort(4, topology.FindLink(2, 4)), 2U);
}

TEST(FabricTopology, ALinkMayBecomeAnother)
{
    auto topology = FabricTopology::Star(2, {});
    topology.SetLink(1, DataRate("25Gbps"), MicroSeconds(7));
    EXPECT_EQ(topology.GetLink(1).spec.rate, DataRate("25Gbps"));
    EXPECT_EQ(topology.GetLink(1).spec.delay, MicroSeconds(7));
    EXPECT_EQ(topology.GetLink(0).spec.rate, FabricLinkSpec().rate);
}

TEST(FabricTopology, LeafSpine)
{
    FabricLinkSpec edge;
    FabricLinkSpec uplink;
    uplink.rate = FabricTopology::UplinkRate(edge.rate, 8, 2, 2);
    EXPECT_EQ(uplink.rate.GetBitRate(), 200000000000U); // 8 x 100G down, 2 x 200G up: 2 to 1
    const auto topology = FabricTopology::LeafSpine(4, 2, 8, edge, uplink);
    EXPECT_EQ(topology.GetHosts().size(), 32U);
    EXPECT_EQ(topology.GetSwitches().size(), 6U);
    EXPECT_EQ(topology.GetLinks().size(), 32U + 8U);
    EXPECT_EQ(topology.GetLinksOf(32).size(), 10U); // a leaf
    EXPECT_EQ(topology.GetLinksOf(36).size(), 4U);  // a spine
    EXPECT_EQ(topology.GetLink(topology.FindLink(32, 36)).spec.rate, uplink.rate);
    EXPECT_EQ(topology.GetLink(31).Peer(31), 35U);
}

TEST(FabricTopology, MultiPlane)
{
    constexpr uint32_t PLANES = 8;
    FabricLinkSpec uplink;
    uplink.rate = DataRate("400Gbps");
    const auto topology = FabricTopology::MultiPlane(PLANES, 4, 4, 16, {}, uplink);
    EXPECT_EQ(topology.GetHosts().size(), 64U);
    EXPECT_EQ(topology.GetSwitches().size(), PLANES * 8U);
    EXPECT_EQ(topology.GetLinks().size(), PLANES * (64U + 16U));
    const auto planes = topology.GetPlanes();
    for (const NodeId host : topology.GetHosts())
    {
        ASSERT_EQ(topology.GetLinksOf(host).size(), PLANES);
        EXPECT_EQ(planes[host.Value()], std::nullopt);
        for (uint32_t plane = 0; plane < PLANES; ++plane)
        {
            const auto& link = topology.GetLink(topology.GetLinksOf(host)[plane]);
            EXPECT_EQ(link.Peer(host), 64 + plane * 8 + host.Value() / 16);
            EXPECT_EQ(link.spec.rate, FabricLinkSpec().rate);
        }
    }
    for (uint32_t i = 0; i < topology.GetSwitches().size(); ++i)
    {
        const NodeId node = topology.GetSwitches()[i];
        EXPECT_EQ(planes[node.Value()], i / 8) << node;
        EXPECT_EQ(topology.GetLinksOf(node).size(), i % 8 < 4 ? 20U : 4U) << node;
    }
    EXPECT_EQ(topology.GetLink(topology.FindLink(64 + 8, 64 + 12)).spec.rate, uplink.rate);
}

TEST(FabricTopology, PlanesAreFoundInAnyGraph)
{
    FabricTopology topology; // hosts 0, 1 and 2; host 2 has one port
    for (int i = 0; i < 3; ++i)
    {
        topology.AddHost();
    }
    const NodeId first = topology.AddSwitch();
    const NodeId second = topology.AddSwitch();
    const NodeId behind = topology.AddSwitch();
    const NodeId alone = topology.AddSwitch();
    topology.AddLink(0, 1, {}); // port 0 of both hosts
    topology.AddLink(0, first, {});
    topology.AddLink(1, first, {});
    topology.AddLink(2, second, {});
    topology.AddLink(first, behind, {});
    auto planes = topology.GetPlanes();
    EXPECT_EQ(planes[first.Value()], 1U);
    EXPECT_EQ(planes[second.Value()], 0U);
    EXPECT_EQ(planes[behind.Value()], 1U);
    EXPECT_EQ(planes[alone.Value()], std::nullopt);
    topology.AddLink(second, behind, {});
    EXPECT_FABRIC_ERROR(topology.GetPlanes(), "planes share no switch");
}

TEST(FabricTopology, FatTree)
{
    const auto topology = FabricTopology::FatTree(4, {});
    EXPECT_EQ(topology.GetHosts().size(), 16U);
    EXPECT_EQ(topology.GetSwitches().size(), 20U);
    EXPECT_EQ(topology.GetLinks().size(), 48U);
    for (const NodeId node : topology.GetSwitches())
    {
        EXPECT_EQ(topology.GetLinksOf(node).size(), 4U) << node;
    }
    // A core switch has one link into each pod.
    const uint32_t core = 16 + 16;
    for (uint32_t pod = 0; pod < 4; ++pod)
    {
        const NodeId peer = topology.GetLink(topology.GetLinksOf(core)[pod]).Peer(core);
        EXPECT_EQ((peer.Value() - 24) / 2, pod);
    }
}

TEST(FabricTopology, Dumbbell)
{
    const auto topology = FabricTopology::Dumbbell(3, 2, {}, {DataRate(40000000000ULL)});
    EXPECT_EQ(topology.GetHosts().size(), 5U);
    EXPECT_EQ(topology.GetLinksOf(5).size(), 4U);
    EXPECT_EQ(topology.GetLinksOf(6).size(), 3U);
}

TEST(FabricTopology, ParallelLinksAndHostsJoinedDirectly)
{
    FabricTopology topology;
    const NodeId a = topology.AddHost();
    const NodeId b = topology.AddHost();
    EXPECT_EQ(topology.AddLink(a, b, {}), 0U);
    EXPECT_EQ(topology.AddLink(b, a, {}), 1U);
    EXPECT_EQ(topology.GetPort(a, 1), 1U);
    EXPECT_EQ(topology.GetPort(b, 1), 1U);
}

TEST(FabricTopology, WrongArgumentsAreRefused)
{
    FabricTopology topology;
    EXPECT_FABRIC_ERROR(topology.AddLink(0, 1, {}), "there is no node 0; add it first");
    topology.AddHost();
    topology.AddHost();
    EXPECT_FABRIC_ERROR(topology.AddLink(0, 2, {}), "there is no node 2; nodes are 0 to 1");
    EXPECT_FABRIC_ERROR(topology.AddLink(1, 1, {}), "to itself");
    EXPECT_FABRIC_ERROR(topology.AddLink(0, 1, {DataRate(0)}), "rate of a link is 0");
    FabricLinkSpec spec;
    spec.delay = NanoSeconds(-1);
    EXPECT_FABRIC_ERROR(topology.AddLink(0, 1, spec), "delay of a link is negative");
    spec.delay = NanoSeconds(0);
    for (const double rate : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    {
        spec.errorRate = rate;
        EXPECT_FABRIC_ERROR(topology.AddLink(0, 1, spec), "error rate of a link");
    }
    EXPECT_TRUE(topology.GetLinks().empty());
    EXPECT_FABRIC_ERROR(FabricTopology::Star(0, {}), "number of hosts");
    EXPECT_FABRIC_ERROR(FabricTopology::FatTree(3, {}), "k of a fat-tree is 3");
    EXPECT_FABRIC_ERROR(FabricTopology::LeafSpine(1, 0, 1, {}, {}), "number of spines");
    EXPECT_FABRIC_ERROR(FabricTopology::MultiPlane(0, 1, 1, 1, {}, {}), "number of planes");
    constexpr uint32_t MOST = UINT32_MAX;
    EXPECT_FABRIC_ERROR(FabricTopology::MultiPlane(MOST, 1, MOST, 1, {}, {}), "at most");
    EXPECT_FABRIC_ERROR(FabricTopology::MultiPlane(3000, 1, 1, 10000, {}, {}), "ports of hosts");
    EXPECT_FABRIC_ERROR(FabricTopology::UplinkRate(DataRate(1), 1, 1, 0), "oversubscription");
}

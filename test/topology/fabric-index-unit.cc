// SPDX-License-Identifier: GPL-2.0-only
#include "helper-test-util.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-index.h"

#include <sstream>
#include <type_traits>
#include <unordered_set>
#include <vector>

using namespace ns3;

namespace
{

template <typename From, typename To>
constexpr bool CONVERTS = std::is_convertible_v<From, To> || std::is_constructible_v<To, From>;

static_assert(sizeof(HostId) == 4 && std::is_trivially_copyable_v<HostId>);
static_assert(std::is_convertible_v<int, HostId> && std::is_convertible_v<uint32_t, LinkId>);
static_assert(std::is_convertible_v<std::size_t, NodeId>);
static_assert(!CONVERTS<SwitchId, HostId> && !CONVERTS<HostId, NodeId>);
static_assert(!CONVERTS<NodeId, SwitchId> && !CONVERTS<LinkId, NodeId>);
static_assert(!CONVERTS<HostId, uint32_t> && !CONVERTS<HostId, bool> && !CONVERTS<HostId, double>);
static_assert(!CONVERTS<bool, HostId> && !CONVERTS<double, HostId>);
static_assert(!std::is_invocable_v<decltype(&Fabric::GetHost), Fabric, SwitchId>);
static_assert(std::is_invocable_v<decltype(&Fabric::GetHost), Fabric, int>);
static_assert(!std::is_invocable_v<decltype(&Fabric::SetLinkUp), Fabric, NodeId, bool>);
static_assert(HostId(3).Value() == 3 && HostId().IsNone() && !HostId(0).IsNone());

} // namespace

TEST(FabricIndex, ComparesOrdersHashesAndPrints)
{
    const HostId host = 4;
    EXPECT_EQ(host, 4);
    EXPECT_NE(host, HostId(5));
    EXPECT_LT(host, 5U);
    EXPECT_FALSE(HostId(5) < host);
    EXPECT_LT(host, HostId()); // none comes last
    EXPECT_EQ((std::unordered_set<LinkId>{1, 2, 1}).size(), 2U);
    std::ostringstream text;
    text << host << ' ' << SwitchId();
    EXPECT_EQ(text.str(), "4 none");
    EXPECT_EQ(host.Name() + ", " + LinkId(7).Name(), "host 4, link 7");
    EXPECT_EQ(SwitchId(2).Name() + ", " + NodeId(0).Name(), "switch 2, node 0");
}

TEST(FabricIndex, RefusesWhatIsNoNumber)
{
    EXPECT_FABRIC_ERROR(HostId(-1), "there is no host -1; numbers count from 0, to 2^32 - 2");
    EXPECT_FABRIC_ERROR(LinkId(int64_t{-7}), "there is no link -7");
    EXPECT_FABRIC_ERROR(NodeId(uint64_t{1} << 32), "there is no node 4294967296");
    EXPECT_FABRIC_ERROR(HostId(0xffffffffU), "there is no host 4294967295"); // not none
    EXPECT_EQ(HostId(0xfffffffeU).Value(), 0xfffffffeU);
}

TEST(FabricIndex, RangesGoThroughAll)
{
    const Fabric fabric = FabricHelper().LeafSpine(2, 1, 2);
    const FabricTopology& topology = fabric.GetTopology();
    std::vector<HostId> hosts;
    for (const HostId host : fabric.Hosts())
    {
        EXPECT_EQ(topology.HostAt(topology.NodeOf(host)), host);
        EXPECT_TRUE(topology.SwitchAt(topology.NodeOf(host)).IsNone());
        hosts.push_back(host);
    }
    EXPECT_EQ(hosts, (std::vector<HostId>{0, 1, 2, 3}));
    std::vector<NodeId> nodes;
    for (const SwitchId which : fabric.Switches())
    {
        EXPECT_EQ(topology.SwitchAt(topology.NodeOf(which)), which);
        EXPECT_TRUE(topology.HostAt(topology.NodeOf(which)).IsNone());
        nodes.push_back(topology.NodeOf(which));
    }
    EXPECT_EQ(nodes, topology.GetSwitches());
    EXPECT_EQ(nodes, (std::vector<NodeId>{4, 5, 6}));
    std::size_t links = 0;
    for (const LinkId link : topology.Links())
    {
        EXPECT_EQ(topology.FindLink(topology.GetLink(link).a, topology.GetLink(link).b), link);
        ++links;
    }
    EXPECT_EQ(links, topology.GetLinks().size());
    EXPECT_TRUE(topology.FindLink(0, 1).IsNone());
}

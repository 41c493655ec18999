// SPDX-License-Identifier: GPL-2.0-only
#include "no-switch-view.h"
#include "refusal-of.h"

#include "ns3/forwarding-table.h"
#include "ns3/object.h"
#include "ns3/stev-load-balancer.h"

#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <vector>

using namespace ns3;

namespace
{

/// @return the port that a packet takes. @param ev its entropy value
uint16_t
PickFor(StevLoadBalancer& balancer,
        uint32_t ev,
        const NextHopGroup& group,
        RoceOpcode opcode = RoceOpcode::MRC_WRITE_ONLY)
{
    auto frame = new Frame;
    frame->ipVersion = 6;
    frame->opcode = opcode;
    frame->srcPort = static_cast<uint16_t>(ev);
    frame->flowLabel = static_cast<uint16_t>(ev >> 16);
    const uint16_t port = balancer.Pick(*frame, 0, group, NoSwitchView());
    frame->Release();
    return port;
}

TEST(StevLoadBalancer, AFieldIsTheNumberOfThePort)
{
    const auto balancer = CreateObject<StevLoadBalancer>();
    const NextHopGroup group = GroupOf({20, 11, 12});
    balancer->SetField(0, 2, {20, 11, 12});
    EXPECT_EQ(PickFor(*balancer, 0, group), 20);
    EXPECT_EQ(PickFor(*balancer, 0x7fffffff, group), 11);
    EXPECT_EQ(PickFor(*balancer, 0x80000000, group), 12);
    EXPECT_EQ(PickFor(*balancer, 0xc0000000, group), NextHopGroup::NONE) << "out of range";
    balancer->SetField(14, 4, {20, 11, 12}); // across label and port
    EXPECT_EQ(PickFor(*balancer, 0x00004000, group), 11);
    EXPECT_EQ(PickFor(*balancer, 0xfffc8000, group), 12);
    EXPECT_EQ(PickFor(*balancer, 0x00010000, group), NextHopGroup::NONE);
    balancer->SetField(31, 1, {20, 11, 12});
    EXPECT_EQ(PickFor(*balancer, 1, group), 11);
    EXPECT_NE(tests::RefusalOf<std::invalid_argument>([&] { balancer->SetField(31, 2, {}); }), "");
}

TEST(StevLoadBalancer, HashesWhatNamesNoPort)
{
    const auto balancer = CreateObject<StevLoadBalancer>();
    const NextHopGroup group = GroupOf({20, 11, 12});
    EXPECT_FALSE(balancer->NamesPorts());
    std::set<uint16_t> without;
    std::set<uint16_t> others;
    for (uint32_t port = 0; port < 64; ++port)
    {
        without.insert(PickFor(*balancer, 0xc0000000 | port, group));
    }
    balancer->SetField(0, 2, {20, 11, 12});
    EXPECT_TRUE(balancer->NamesPorts());
    for (uint32_t port = 0; port < 64; ++port)
    {
        others.insert(PickFor(*balancer, 0xc0000000 | port, group, RoceOpcode::WRITE_ONLY));
    }
    EXPECT_EQ(without.size(), 3U);
    EXPECT_EQ(others.size(), 3U);
}

TEST(StevLoadBalancer, HashesOnTheWayDown)
{
    const auto balancer = CreateObject<StevLoadBalancer>();
    balancer->SetField(0, 1, {20, 11});
    std::set<uint16_t> taken;
    for (uint32_t port = 0; port < 64; ++port)
    {
        taken.insert(PickFor(*balancer, 0x80000000 | port, GroupOf({3, 4})));
    }
    EXPECT_EQ(taken.size(), 2U);
    EXPECT_EQ(PickFor(*balancer, 0x80000000, GroupOf({3})), 3);
}

TEST(StevLoadBalancer, APortThatDoesNotLeadThereIsNoRouteAndMovesNoOther)
{
    ForwardingTable table;
    const auto failed = table.AddGroup({20, 11});
    const auto converged = table.AddGroup({11});
    EXPECT_EQ(table.GetGroup(converged).sole, 11);
    table.SetNamed(true);
    table.SetPortUp(20, false);
    const auto balancer = CreateObject<StevLoadBalancer>();
    balancer->SetField(0, 1, {20, 11});
    for (const auto group : {failed, converged})
    {
        EXPECT_EQ(table.GetGroup(group).sole, NextHopGroup::NONE) << "the balancer is asked";
        EXPECT_EQ(PickFor(*balancer, 0, table.GetGroup(group)), NextHopGroup::NONE);
        EXPECT_EQ(PickFor(*balancer, 0x80000000, table.GetGroup(group)), 11);
        EXPECT_EQ(PickFor(*balancer, 0, table.GetGroup(group), RoceOpcode::WRITE_ONLY), 11);
    }
    table.SetNamed(false);
    EXPECT_EQ(table.GetGroup(failed).sole, 11);
}

} // namespace

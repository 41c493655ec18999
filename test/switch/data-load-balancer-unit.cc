// SPDX-License-Identifier: GPL-2.0-only
#include "no-switch-view.h"
#include "switch-view.h"

#include "ns3/adaptive-load-balancer.h"
#include "ns3/boolean.h"
#include "ns3/conweave-load-balancer.h"
#include "ns3/drill-load-balancer.h"
#include "ns3/let-flow-load-balancer.h"
#include "ns3/nstime.h"
#include "ns3/spray-load-balancer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/// Draws what a test says; from then on it draws by itself.
template <typename Base>
class Scripted : public Base
{
  public:
    std::deque<uint32_t> draws;

  private:
    uint32_t Draw(uint32_t first, uint32_t last) override
    {
        if (draws.empty())
        {
            return Base::Draw(first, last);
        }
        const uint32_t drawn = draws.front();
        draws.pop_front();
        EXPECT_GE(drawn, first);
        EXPECT_LE(drawn, last);
        return drawn;
    }
};

/// @return a frame that ends with its owner
auto
MakeFrame(RoceOpcode opcode = RoceOpcode::WRITE_MIDDLE)
{
    std::unique_ptr<Frame, void (*)(Frame*)> frame(new Frame, [](Frame* end) { end->Release(); });
    frame->opcode = opcode;
    frame->bytes = CarriesData(opcode) ? 1086 : 64;
    frame->src = 0x0a000001;
    frame->dst = 0x0a000002;
    frame->srcPort = 0xc001;
    frame->dstPort = ROCE_UDP_PORT;
    frame->destQp = 5;
    frame->trafficClass = 3;
    return frame;
}

/// @param balancer asked many times for a data packet @return how often it gives which port
std::map<uint16_t, uint32_t>
Count(LoadBalancer& balancer, uint32_t times, const NextHopGroup& group, const SwitchPorts& view)
{
    const auto frame = MakeFrame();
    std::map<uint16_t, uint32_t> counts;
    for (uint32_t i = 0; i < times; ++i)
    {
        ++counts[balancer.Pick(*frame, 0, group, view)];
    }
    return counts;
}

template <typename Balancer>
Ptr<Balancer>
Make(const std::string& name = "", const std::string& value = "")
{
    auto balancer = CreateObject<Balancer>();
    balancer->AssignStreams(7);
    if (!name.empty())
    {
        balancer->SetAttribute(name, StringValue(value));
    }
    return balancer;
}

} // namespace

TEST(DataLoadBalancer, WhatIsNoDataKeepsItsHash)
{
    const NextHopGroup group = GroupOf({4, 5, 6, 7});
    SwitchView view;
    view.queues = {{4, 9000}, {5, 7000}, {6, 1}, {7, 8000}};
    const auto hash = CreateObject<EcmpLoadBalancer>();
    const std::vector<Ptr<LoadBalancer>> balancers{Make<SprayLoadBalancer>(),
                                                   Make<SprayLoadBalancer>("Mode", "Random"),
                                                   Make<SprayLoadBalancer>("Mode", "ShortestQueue"),
                                                   Make<DrillLoadBalancer>(),
                                                   Make<AdaptiveLoadBalancer>(),
                                                   Make<LetFlowLoadBalancer>()};
    for (uint16_t flow = 0; flow < 40; ++flow)
    {
        for (const RoceOpcode opcode :
             {RoceOpcode::ACKNOWLEDGE, RoceOpcode::CNP, RoceOpcode::READ_REQUEST})
        {
            const auto frame = MakeFrame(opcode);
            frame->srcPort += flow;
            const uint16_t expected = hash->Pick(*frame, 0, group, view);
            for (const auto& balancer : balancers)
            {
                EXPECT_EQ(balancer->Pick(*frame, 0, group, view), expected);
            }
        }
    }
}

TEST(DataLoadBalancer, IpIsNotSprayedButMayBeFlowlets)
{
    const NextHopGroup group = GroupOf({4, 5, 6, 7});
    const auto spray = Make<SprayLoadBalancer>();
    const auto letFlow = CreateObject<Scripted<LetFlowLoadBalancer>>();
    letFlow->draws = {3, 0};
    const auto frame = MakeFrame();
    frame->kind = FrameKind::IP;
    frame->protocol = 6;
    std::set<uint16_t> sprayed;
    for (int i = 0; i < 20; ++i)
    {
        sprayed.insert(spray->Pick(*frame, 0, group, NoSwitchView()));
    }
    EXPECT_EQ(sprayed.size(), 1U);
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 7);
    frame->destQp = 17; // it has none
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 7);
    frame->dstPort = 80;
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 4);
}

TEST(DataLoadBalancer, UnitsSayWhatTakesOnePath)
{
    EXPECT_EQ(CreateObject<EcmpLoadBalancer>()->GetUnit(), PathUnit::FLOW);
    EXPECT_EQ(Make<SprayLoadBalancer>()->GetUnit(), PathUnit::PACKET);
    EXPECT_EQ(Make<DrillLoadBalancer>()->GetUnit(), PathUnit::PACKET);
    EXPECT_EQ(Make<LetFlowLoadBalancer>()->GetUnit(), PathUnit::FLOWLET);
    EXPECT_EQ(Make<ConWeaveLoadBalancer>()->GetUnit(), PathUnit::REROUTED_FLOW);
    EXPECT_EQ(Make<AdaptiveLoadBalancer>()->GetUnit(), PathUnit::PACKET);
    EXPECT_EQ(Make<AdaptiveLoadBalancer>("Granularity", "Flowlet")->GetUnit(), PathUnit::FLOWLET);
    auto spray = Make<SprayLoadBalancer>("Symmetric", "true");
    spray->SetAttribute("Seed", StringValue("1"));
    EXPECT_FALSE(spray->IsSymmetric()) << "ACKs miss the switches of data";
}

TEST(SprayLoadBalancer, EachRoundHasEachPortOnceInAnotherOrder)
{
    const auto spray = Make<SprayLoadBalancer>();
    NextHopGroup one = GroupOf({10, 11, 12, 13, 14, 15, 16, 17});
    NextHopGroup two = GroupOf({10, 12, 14});
    one.number = 1;
    two.number = 2;
    const auto frame = MakeFrame();
    std::set<std::vector<uint16_t>> orders;
    for (int round = 0; round < 100; ++round)
    {
        std::vector<uint16_t> order;
        std::set<uint16_t> ofTwo;
        for (int i = 0; i < 8; ++i)
        {
            order.push_back(spray->Pick(*frame, 0, one, NoSwitchView()));
            if (i % 3 == 1) // the rounds of the groups do not meet
            {
                ofTwo.insert(spray->Pick(*frame, 0, two, NoSwitchView()));
            }
        }
        EXPECT_EQ(ofTwo.size(), 3U);
        orders.insert(order);
        std::sort(order.begin(), order.end());
        EXPECT_EQ(order, one.ports);
    }
    EXPECT_GT(orders.size(), 95U);
}

TEST(SprayLoadBalancer, ARoundBeginsAnewWhenALinkFails)
{
    const auto spray = Make<SprayLoadBalancer>();
    NextHopGroup group = GroupOf({1, 2, 3, 4, 5});
    Count(*spray, 3, group, NoSwitchView());
    group.ports = {1, 2, 4, 5};
    const std::map<uint16_t, uint32_t> each{{1, 10}, {2, 10}, {4, 10}, {5, 10}};
    EXPECT_EQ(Count(*spray, 40, group, NoSwitchView()), each);
}

TEST(SprayLoadBalancer, RandomIsUniform)
{
    const auto spray = Make<SprayLoadBalancer>("Mode", "Random");
    const auto counts = Count(*spray, 8000, GroupOf({3, 5, 7, 9}), NoSwitchView());
    ASSERT_EQ(counts.size(), 4U);
    for (const auto& [port, count] : counts)
    {
        EXPECT_NEAR(count, 2000, 120) << "port " << port; // 3 standard deviations
    }
    EXPECT_EQ(Count(*Make<SprayLoadBalancer>("Mode", "Random"),
                    8000,
                    GroupOf({3, 5, 7, 9}),
                    NoSwitchView()),
              counts)
        << "the same stream draws the same";
}

TEST(SprayLoadBalancer, ShortestQueueDrawsAmongEquals)
{
    const auto spray = Make<SprayLoadBalancer>("Mode", "ShortestQueue");
    SwitchView view;
    view.queues = {{0, 500}, {1, 200}, {2, 200}, {3, 700}, {4, 200}};
    const auto counts = Count(*spray, 3000, GroupOf({0, 1, 2, 3, 4}), view);
    ASSERT_EQ(counts.size(), 3U);
    for (const uint16_t port : {1, 2, 4})
    {
        EXPECT_NEAR(counts.at(port), 1000, 80) << "port " << port; // 3 standard deviations
    }
}

TEST(SprayLoadBalancer, ShortFramesKeepTheirHash)
{
    const auto spray = Make<SprayLoadBalancer>();
    const NextHopGroup group = GroupOf({0, 1, 2, 3, 4, 5, 6, 7});
    const auto frame = MakeFrame(RoceOpcode::WRITE_LAST);
    for (const uint32_t bytes : {127, 128})
    {
        frame->bytes = bytes;
        std::set<uint16_t> ports;
        for (int i = 0; i < 8; ++i)
        {
            ports.insert(spray->Pick(*frame, 0, group, NoSwitchView()));
        }
        EXPECT_EQ(ports.size(), bytes < 128 ? 1U : 8U);
    }
}

TEST(DrillLoadBalancer, ChoosesAmongSamplesAndMemory)
{
    const auto drill = CreateObject<Scripted<DrillLoadBalancer>>();
    const NextHopGroup group = GroupOf({0, 1, 2, 3});
    SwitchView view;
    view.queues = {{0, 30000}, {1, 0}, {2, 25000}, {3, 5000}};
    const auto frame = MakeFrame();
    drill->draws = {1, 1}; // 1, then 0: 1 is remembered
    EXPECT_EQ(drill->Pick(*frame, 0, group, view), 1);
    view.queues[1] = 10000;
    drill->draws = {1, 2}; // of 1 0 2 3: samples 0 and 2
    EXPECT_EQ(drill->Pick(*frame, 0, group, view), 1);
    drill->draws = {3, 3}; // of 0 2 1 3: 3; of 3 2 1 0: 0
    EXPECT_EQ(drill->Pick(*frame, 0, group, view), 3);
    drill->draws = {1, 3}; // of 3 0 2 1 and the like, without 3: it is remembered
    EXPECT_EQ(drill->Pick(*frame, 0, group, view), 3);
}

TEST(DrillLoadBalancer, WithAllPortsSampledTakesTheShortestQueue)
{
    const auto drill = Make<DrillLoadBalancer>("Samples", "100");
    SwitchView view;
    for (uint16_t shortest = 0; shortest < 6; ++shortest)
    {
        for (uint16_t port = 0; port < 6; ++port)
        {
            view.queues[port] = port == shortest ? 100 : 200 + port;
        }
        const std::map<uint16_t, uint32_t> all{{shortest, 50}};
        EXPECT_EQ(Count(*drill, 50, GroupOf({0, 1, 2, 3, 4, 5}), view), all);
    }
}

TEST(DrillLoadBalancer, OneSampleWithoutMemoryIsRandom)
{
    const auto drill = Make<DrillLoadBalancer>("Samples", "1");
    drill->SetAttribute("Memory", UintegerValue(0));
    SwitchView view;
    view.queues = {{0, 30000}, {1, 0}, {2, 25000}, {3, 5000}};
    for (const auto& [port, count] : Count(*drill, 8000, GroupOf({0, 1, 2, 3}), view))
    {
        EXPECT_NEAR(count, 2000, 120) << "port " << port;
    }
}

TEST(DrillLoadBalancer, TwoChoicesWithoutMemory)
{
    // Of two that are drawn without repetition the better is taken: the worst of 4 never, the best
    // in 3 of 6 pairs, the second in 2, the third in 1.
    const auto drill = Make<DrillLoadBalancer>("Memory", "0");
    SwitchView view;
    view.queues = {{0, 40}, {1, 10}, {2, 30}, {3, 20}};
    auto counts = Count(*drill, 6000, GroupOf({0, 1, 2, 3}), view);
    EXPECT_EQ(counts[0], 0U);
    EXPECT_NEAR(counts[1], 3000, 120);
    EXPECT_NEAR(counts[3], 2000, 120);
    EXPECT_NEAR(counts[2], 1000, 90);
}

TEST(DrillLoadBalancer, APausedPortLosesUnlessAllArePaused)
{
    SwitchView view;
    view.queues = {{0, 10}, {1, 30000}, {2, 20}};
    view.paused = {{0, 1U << 3}, {1, 1U << 4}, {2, 1U << 3}}; // the frame has class 3
    const NextHopGroup group = GroupOf({0, 1, 2});
    const auto skips = Make<DrillLoadBalancer>("Samples", "3");
    EXPECT_EQ(Count(*skips, 10, group, view), (std::map<uint16_t, uint32_t>{{1, 10}}));
    view.paused[1] = 0xff;
    EXPECT_EQ(Count(*skips, 10, group, view), (std::map<uint16_t, uint32_t>{{0, 10}}));
    view.paused[1] = 0;
    const auto blind = Make<DrillLoadBalancer>("Samples", "3");
    blind->SetAttribute("SkipPaused", BooleanValue(false));
    EXPECT_EQ(Count(*blind, 10, group, view), (std::map<uint16_t, uint32_t>{{0, 10}}));
}

TEST(DrillLoadBalancer, ForgetsMembersWhenALinkFails)
{
    const auto drill = Make<DrillLoadBalancer>();
    NextHopGroup group = GroupOf({0, 1, 2, 3});
    Count(*drill, 10, group, NoSwitchView());
    group.ports = {1, 3};
    for (const auto& [port, count] : Count(*drill, 100, group, NoSwitchView()))
    {
        EXPECT_TRUE(port == 1 || port == 3);
    }
}

TEST(AdaptiveLoadBalancer, Levels)
{
    const std::vector<uint64_t> bytes{0, 49, 50, 99, 100, 199, 200, 900};
    std::vector<uint32_t> levels;
    for (const uint64_t queued : bytes)
    {
        levels.push_back(AdaptiveLoadBalancer::LevelOf(queued, 1000));
    }
    EXPECT_EQ(levels, (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(AdaptiveLoadBalancer, DrawsAmongTheBestLevel)
{
    const auto adaptive = Make<AdaptiveLoadBalancer>("FullBytes", "100000");
    SwitchView view;
    view.queues = {{0, 9999}, {1, 5000}, {2, 20000}, {3, 7000}, {4, 0}};
    view.paused = {{4, 1U << 3}};
    auto counts = Count(*adaptive, 3000, GroupOf({0, 1, 2, 3, 4}), view);
    ASSERT_EQ(counts.size(), 3U);
    for (const uint16_t port : {0, 1, 3})
    {
        EXPECT_NEAR(counts[port], 1000, 80) << "port " << port;
    }
    adaptive->SetAttribute("Compare", StringValue("Queue"));
    EXPECT_EQ(Count(*adaptive, 10, GroupOf({0, 1, 2, 3, 4}), view),
              (std::map<uint16_t, uint32_t>{{4, 10}}));
}

TEST(AdaptiveLoadBalancer, LevelsCountForTheUpdateInterval)
{
    const auto adaptive = Make<AdaptiveLoadBalancer>("UpdateInterval", "10us");
    SwitchView view;
    view.queues = {{0, 400000}, {1, 0}};
    const NextHopGroup group = GroupOf({0, 1});
    const auto frame = MakeFrame();
    EXPECT_EQ(adaptive->Pick(*frame, 0, group, view), 1);
    view.queues = {{0, 0}, {1, 400000}};
    view.now = TimeStep(0).GetTimeStep() + MicroSeconds(10).GetTimeStep() - 1;
    EXPECT_EQ(adaptive->Pick(*frame, 0, group, view), 1);
    ++view.now;
    EXPECT_EQ(adaptive->Pick(*frame, 0, group, view), 0);
}

TEST(AdaptiveLoadBalancer, AFlowletMovesOnlyToABetterPort)
{
    const auto adaptive = CreateObject<Scripted<AdaptiveLoadBalancer>>();
    adaptive->SetAttribute("Granularity", StringValue("Flowlet"));
    const int64_t gap = MicroSeconds(11).GetTimeStep();
    SwitchView view;
    const NextHopGroup group = GroupOf({0, 1, 2});
    const auto frame = MakeFrame();
    const auto pick = [&](std::deque<uint32_t> draws) {
        adaptive->draws = std::move(draws);
        const uint16_t port = adaptive->Pick(*frame, 0, group, view);
        EXPECT_TRUE(adaptive->draws.empty());
        return port;
    };
    EXPECT_EQ(pick({1}), 1); // new
    view.queues[1] = 400000;
    EXPECT_EQ(pick({}), 1); // no gap
    view.now += gap;
    EXPECT_EQ(pick({1}), 1); // does not look
    view.now += gap;
    EXPECT_EQ(pick({0, 1}), 2); // the second of 0 and 2
    view.now += gap;
    EXPECT_EQ(pick({0, 0}), 2); // 0 is not better
}

TEST(LetFlowLoadBalancer, AGapBeyondTheTimeoutBeginsAFlowlet)
{
    const auto letFlow = CreateObject<Scripted<LetFlowLoadBalancer>>();
    letFlow->draws = {2, 0, 3};
    const int64_t us = MicroSeconds(1).GetTimeStep();
    const NextHopGroup group = GroupOf({0, 1, 2, 3});
    const auto frame = MakeFrame();
    SwitchView view;
    for (const auto& [at, port] : std::vector<std::pair<int64_t, uint16_t>>{{0, 2},
                                                                            {1, 2},
                                                                            {50, 2},
                                                                            {150, 2},
                                                                            {251, 0},
                                                                            {252, 0},
                                                                            {400, 3}})
    {
        view.now = at * us;
        ++frame->srcPort; // the entropy of a packet is no part of its flow
        EXPECT_EQ(letFlow->Pick(*frame, 0, group, view), port) << at << " us";
    }
    EXPECT_EQ(letFlow->GetNFlowlets(), 3U);
    EXPECT_EQ(letFlow->GetNFlows(), 1U);
}

TEST(LetFlowLoadBalancer, AFlowIsAQueuePairAndAClass)
{
    const auto letFlow = CreateObject<Scripted<LetFlowLoadBalancer>>();
    letFlow->draws = {0, 1, 2, 3};
    const NextHopGroup group = GroupOf({0, 1, 2, 3});
    const auto frame = MakeFrame();
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 0);
    frame->trafficClass = 4;
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 1);
    frame->destQp = 6;
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 2);
    frame->src = 0x0a000003;
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 3);
    frame->src = 0x0a000001;
    frame->destQp = 5;
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 1);
}

TEST(LetFlowLoadBalancer, AFlowletLeavesAPortWhoseLinkFails)
{
    const auto letFlow = CreateObject<Scripted<LetFlowLoadBalancer>>();
    letFlow->draws = {2, 1};
    NextHopGroup group = GroupOf({4, 5, 6, 7});
    const auto frame = MakeFrame();
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 6);
    group.ports = {4, 6, 7};
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 6);
    group.ports = {4, 7};
    EXPECT_EQ(letFlow->Pick(*frame, 0, group, NoSwitchView()), 7);
}

TEST(LetFlowLoadBalancer, SilentFlowsAreForgotten)
{
    const auto letFlow = Make<LetFlowLoadBalancer>();
    const NextHopGroup group = GroupOf({0, 1, 2, 3});
    const auto frame = MakeFrame();
    SwitchView view;
    std::size_t most = 0;
    for (uint32_t flow = 0; flow < 100000; ++flow)
    {
        view.now += MicroSeconds(1).GetTimeStep(); // 100 flows within a timeout
        frame->destQp = flow;
        letFlow->Pick(*frame, 0, group, view);
        most = std::max(most, letFlow->GetNFlows());
    }
    EXPECT_LE(most, 256U);
    EXPECT_EQ(letFlow->GetNFlowlets(), 100000U);
}

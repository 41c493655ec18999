// SPDX-License-Identifier: GPL-2.0-only

// Entropy values: each policy alone, by vectors and rules; and what two ends make of them.

#include "entropy-rotation.h"
#include "rdma-test-util.h"

#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rdma-entropy-aware.h"
#include "ns3/rdma-entropy-bitmap.h"
#include "ns3/rdma-entropy-mixed.h"
#include "ns3/rdma-entropy-oblivious.h"
#include "ns3/rdma-entropy-reps.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Evs = std::vector<uint32_t>;
using Policy = RdmaEntropyPolicy;

/// @param paths number of values @param draws what is drawn, over and over @return a policy
template <typename T>
Ptr<T>
Make(uint32_t paths, std::vector<double> draws)
{
    const auto policy = CreateObject<T>();
    policy->SetAttribute("Paths", UintegerValue(paths));
    const auto numbers = CreateObject<DeterministicRandomVariable>();
    numbers->SetValueArray(draws.data(), draws.size());
    policy->SetDraws(numbers);
    return policy;
}

/// @return the next values
Evs
Send(Policy& policy, uint32_t count, int64_t now = 0)
{
    Evs evs;
    for (uint32_t i = 0; i < count; ++i)
    {
        evs.push_back(policy.Next(now));
    }
    return evs;
}

/// Says what it hears. Its values count up.
class NotingPolicy : public Policy
{
  public:
    uint32_t Next(int64_t /* now */) override
    {
        return m_next++ & (GetPaths() - 1);
    }

    void OnFeedback(uint32_t ev, Feedback feedback, int64_t /* now */) override
    {
        heard[feedback].push_back(ev);
    }

    std::map<Feedback, Evs> heard;

  private:
    uint32_t m_next{0};
};

/// Two ends with entropy values.
struct SprayedPair : public TestPair
{
    explicit SprayedPair(uint32_t paths = 16384)
    {
        for (int i = 0; i < 2; ++i)
        {
            policies[i] = CreateObject<NotingPolicy>();
            policies[i]->SetAttribute("Paths", UintegerValue(paths));
            ends[i].end.connection.udpPort = BASE;
            ends[i].end.connection.echoCe = true;
            ends[i].end.times = std::make_unique<RdmaHostTimes>();
            ends[i].end.times->entropy = Create<RdmaEntropy>(policies[i], BASE);
        }
    }

    static constexpr uint16_t BASE = 0xc000 | 0x2aaa;
    Ptr<NotingPolicy> policies[2];
};

} // namespace

// ---- the policies

TEST(RdmaEntropyOblivious, TakesAllValuesInTurnFlippedByADrawOfEachRound)
{
    const auto policy = Make<RdmaEntropyOblivious>(8, {5, 3});
    EXPECT_EQ(Send(*policy, 16), (Evs{5, 4, 7, 6, 1, 0, 3, 2, 3, 2, 1, 0, 7, 6, 5, 4}));
}

TEST(RdmaEntropyOblivious, UsesEachValueAlikeWhateverIsDrawn)
{
    const auto policy = CreateObject<RdmaEntropyOblivious>();
    policy->AssignStreams(7);
    for (int round = 0; round < 5; ++round)
    {
        const Evs evs = Send(*policy, 64);
        EXPECT_EQ(std::set<uint32_t>(evs.begin(), evs.end()).size(), 64U) << round;
    }
}

TEST(RdmaEntropyBitmap, SkipsValuesWithAPenaltyAndTakesOneOffTheFirst)
{
    const auto policy = Make<RdmaEntropyBitmap>(8, {5, 3, 6, 1});
    policy->OnFeedback(4, Policy::MARKED, 0);
    policy->OnFeedback(6, Policy::TRIMMED, 0);
    EXPECT_EQ(policy->GetPenalty(4), 1);
    EXPECT_EQ(policy->GetPenalty(6), 4);
    EXPECT_EQ(Send(*policy, 14), (Evs{5, 7, 1, 0, 3, 2, 3, 2, 1, 0, 7, 5, 4, 7}));
    EXPECT_EQ(policy->GetPenalty(4), 0);
    EXPECT_EQ(policy->GetPenalty(6), 1);
}

TEST(RdmaEntropyBitmap, ATimeoutIsTheLargestPenaltyAndAllPenalisedIsNoDeadlock)
{
    const auto policy = Make<RdmaEntropyBitmap>(4, {0});
    for (uint32_t ev = 0; ev < 4; ++ev)
    {
        policy->OnFeedback(ev, Policy::LOST, 0);
        policy->OnFeedback(ev, Policy::LOST, 0);
        EXPECT_EQ(policy->GetPenalty(ev), 15);
    }
    // Each takes one off the value that it finds, and comes back to that after a round.
    EXPECT_EQ(Send(*policy, 4), (Evs{0, 1, 2, 3}));
    EXPECT_EQ(policy->GetPenalty(3), 14);
    policy->OnFeedback(3, Policy::GOOD, 0);
    EXPECT_EQ(policy->GetPenalty(3), 14);
}

TEST(RdmaEntropyReps, RecyclesGoodValuesAndFreezesAfterATimeout)
{
    std::vector<double> draws;
    for (int i = 0; i < 100; ++i)
    {
        draws.push_back(100 + i);
    }
    const auto policy = Make<RdmaEntropyReps>(1024, draws);
    EXPECT_EQ(Send(*policy, 3), (Evs{100, 101, 102}));
    policy->OnFeedback(100, Policy::GOOD, 60);
    policy->OnFeedback(101, Policy::MARKED, 60);
    EXPECT_EQ(Send(*policy, 1), (Evs{100}));
    policy->OnFeedback(102, Policy::GOOD, 60);
    EXPECT_EQ(Send(*policy, 2), (Evs{102, 103}));
    policy->OnFeedback(103, Policy::LOST, 50);
    EXPECT_TRUE(policy->IsFrozen());
    EXPECT_EQ(Send(*policy, 3), (Evs{100, 102, 100}));
    policy->OnFeedback(103, Policy::GOOD, 60);
    EXPECT_EQ(Send(*policy, 2), (Evs{102, 103}));
}

TEST(RdmaEntropyReps, ExploresAfterTheFreeze)
{
    const auto policy = Make<RdmaEntropyReps>(64, {1, 2, 3, 4, 5});
    policy->SetAttribute("ExplorePackets", UintegerValue(3));
    policy->SetAttribute("FreezeTime", TimeValue(TimeStep(1000)));
    policy->OnFeedback(60, Policy::GOOD, 0);
    policy->OnFeedback(0, Policy::LOST, 100);
    policy->OnFeedback(61, Policy::GOOD, 1100); // not after it
    EXPECT_EQ(Send(*policy, 3), (Evs{60, 61, 60}));
    policy->OnFeedback(62, Policy::GOOD, 1101);
    EXPECT_FALSE(policy->IsFrozen());
    policy->OnFeedback(0, Policy::LOST, 1102); // exploring: no news
    EXPECT_FALSE(policy->IsFrozen());
    EXPECT_EQ(Send(*policy, 5), (Evs{1, 2, 3, 62, 4}));
}

TEST(RdmaEntropyReps, KeepsTheLastValuesOfTheBuffer)
{
    const auto policy = Make<RdmaEntropyReps>(64, {63});
    policy->SetAttribute("BufferSize", UintegerValue(4));
    for (uint32_t ev = 0; ev < 6; ++ev)
    {
        policy->OnFeedback(ev, Policy::GOOD, 0);
    }
    EXPECT_EQ(Send(*policy, 5), (Evs{2, 3, 4, 5, 63}));
}

TEST(RdmaEntropyMixed, TakesGoodValuesFirstAndThenThoseOfTheBitmap)
{
    const auto policy = Make<RdmaEntropyMixed>(8, {5, 3});
    EXPECT_EQ(Send(*policy, 2), (Evs{5, 4}));
    policy->OnFeedback(5, Policy::GOOD, 0);
    policy->OnFeedback(6, Policy::MARKED, 0);
    policy->OnFeedback(4, Policy::GOOD, 0);
    EXPECT_EQ(Send(*policy, 4), (Evs{5, 4, 7, 1})) << "6 is skipped";
}

TEST(RdmaEntropyAware, PassesMarkedValuesOnceUnlessMostAreMarked)
{
    const auto few = Make<RdmaEntropyAware>(8, {0});
    few->OnFeedback(1, Policy::MARKED, 0);
    few->OnFeedback(2, Policy::TRIMMED, 0);
    few->OnFeedback(2, Policy::TRIMMED, 0);
    EXPECT_EQ(Send(*few, 8), (Evs{0, 3, 4, 5, 6, 7, 0, 1}));

    const auto most = Make<RdmaEntropyAware>(8, {0});
    for (uint32_t ev = 0; ev < 5; ++ev)
    {
        most->OnFeedback(ev, Policy::MARKED, 0);
    }
    EXPECT_EQ(Send(*most, 8), (Evs{0, 5, 6, 7, 0, 1, 2, 3}));
}

TEST(RdmaEntropyPolicy, PathsAreAPowerOfTwo)
{
    const auto policy = CreateObject<RdmaEntropyOblivious>();
    EXPECT_THROW(policy->SetAttribute("Paths", UintegerValue(48)), std::invalid_argument);
    EXPECT_EQ(policy->GetPaths(), 64U);
}

TEST(RdmaEntropyPolicy, TheSameStreamDrawsTheSameValues)
{
    const auto run = [](int64_t stream) {
        const auto policy = CreateObject<RdmaEntropyReps>();
        policy->AssignStreams(stream);
        return Send(*policy, 100);
    };
    EXPECT_EQ(run(3), run(3));
    EXPECT_NE(run(3), run(4));
    for (const uint32_t ev : run(5))
    {
        EXPECT_LT(ev, 64U);
    }
}

// ---- in two ends

TEST(RdmaEntropy, AValueFillsTheLowBitsOfThePort)
{
    const auto policy = Make<RdmaEntropyOblivious>(8, {5});
    RdmaEntropy entropy(policy, 0xc123);
    EXPECT_EQ(entropy.NextPort(0), 0xc120 | 5);
    EXPECT_EQ(entropy.NextPort(0), 0xc120 | 4);
    EXPECT_EQ(entropy.PortInTurn(), 0xc120);
    EXPECT_EQ(entropy.PortInTurn(), 0xc121);
    const auto all = Make<RdmaEntropyOblivious>(16384, {0x3fff});
    EXPECT_EQ(RdmaEntropy(all, 80).NextPort(0), 0xffff);
}

TEST(RdmaEntropy, AnAnswerHasThePortAndTheMarkOfItsPacket)
{
    for (const bool irn : {false, true})
    {
        SprayedPair pair;
        std::mt19937 random(1);
        std::set<uint32_t> marked;
        std::set<uint32_t> late;
        for (auto& end : pair.ends)
        {
            end.end.connection.ackInterval = 4;
            if (irn)
            {
                end.UseIrn(300, 10000, 10000, 100);
            }
        }
        pair.mark = [&](int from, const Frame& frame) {
            const bool marks = from == 0 && random() % 5 == 0;
            if (marks)
            {
                marked.insert(frame.srcPort & 0x3fff);
            }
            return marks;
        };
        if (irn) // packets that are kept and taken later tell nothing of those that close the gap
        {
            pair.late = [&](int from, const Frame& frame) -> int64_t {
                return from == 0 && frame.psn % 7 == 0 ? 9 : 0;
            };
        }
        pair.ends[0].Post(RdmaVerb::WRITE, 200 * 1024);
        ASSERT_TRUE(pair.Run());
        EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U);
        auto& heard = pair.policies[0]->heard;
        EXPECT_EQ(std::set<uint32_t>(heard[Policy::MARKED].begin(), heard[Policy::MARKED].end()),
                  marked);
        EXPECT_EQ(heard[Policy::MARKED].size(), marked.size()) << "at once, and once";
        for (const uint32_t ev : heard[Policy::GOOD])
        {
            EXPECT_EQ(marked.count(ev), 0U) << ev;
        }
        EXPECT_GE(heard[Policy::GOOD].size(), 200 / 4 - marked.size());
        EXPECT_TRUE(pair.policies[1]->heard.empty());
    }
}

TEST(RdmaEntropy, WhatIsSentAgainTakesANewValueAndATimeoutIsTold)
{
    SprayedPair pair;
    for (auto& end : pair.ends)
    {
        end.UseIrn(64, 100, 320);
    }
    std::vector<uint16_t> ports;
    pair.lose = [&](int from, const Frame& frame) {
        if (from == 0 && frame.psn == 9)
        {
            ports.push_back(frame.srcPort);
            return ports.size() == 1;
        }
        return false;
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 10 * 1024); // the last one: only a timeout tells
    ASSERT_TRUE(pair.Run());
    ASSERT_EQ(ports.size(), 2U);
    EXPECT_NE(ports[0], ports[1]);
    EXPECT_EQ(pair.policies[0]->heard[Policy::LOST], (Evs{ports[0] & 0x3fffU}));
}

TEST(RdmaEntropy, ReadResponsesTakeAllValuesInTurn)
{
    SprayedPair pair(8);
    std::map<uint16_t, uint32_t> uses;
    pair.lose = [&](int from, const Frame& frame) {
        uses[frame.srcPort] += from == 1 && IsReadResponse(frame.opcode);
        EXPECT_TRUE(from == 1 || frame.srcPort == SprayedPair::BASE);
        return false;
    };
    pair.ends[0].Post(RdmaVerb::READ, 80 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(uses.size(), 8U);
    for (const auto& [port, count] : uses)
    {
        EXPECT_EQ(count, 10U) << port;
        EXPECT_EQ(port & ~7, SprayedPair::BASE & ~7);
    }
}

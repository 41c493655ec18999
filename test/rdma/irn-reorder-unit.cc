// SPDX-License-Identifier: GPL-2.0-only

// IRN with a reorder threshold: the sender alone against a model that looks at every packet, and
// both ends on channels that reorder. What is delivered, lost and in flight is exact in each case.

#include "case-budget.h"
#include "irn-receiver.h"
#include "irn-sender.h"
#include "rdma-test-util.h"

#include "ns3/rdma-irn.h"

#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 1024;

IrnParameters
Parameters(int32_t threshold)
{
    IrnParameters parameters;
    parameters.bdpCap = 1000;
    parameters.timeoutLowTicks = 100;
    parameters.timeoutHighTicks = 320;
    parameters.reorderThreshold = threshold;
    return parameters;
}

/// What a sender should know, packet by packet.
class Model
{
  public:
    void Sent(uint64_t psn, uint16_t bytes)
    {
        m_packets[psn] = {bytes, FLYING, false};
    }

    void Done(uint64_t psn)
    {
        Packet& packet = m_packets.at(psn);
        delivered += packet.isCounted ? 0 : packet.bytes;
        packet.isCounted = true;
        packet.state = HERE;
    }

    void Acknowledged(uint64_t to)
    {
        while (!m_packets.empty() && m_packets.begin()->first < to)
        {
            Done(m_packets.begin()->first);
            m_packets.erase(m_packets.begin());
        }
    }

    void FindLost(uint64_t threshold)
    {
        for (auto& [psn, packet] : m_packets)
        {
            uint64_t above = 0;
            for (auto later = m_packets.upper_bound(psn); later != m_packets.end(); ++later)
            {
                above += later->second.state == HERE;
            }
            if (packet.state == FLYING && above >= threshold)
            {
                packet.state = MISSING;
                lost += packet.bytes;
            }
        }
    }

    void TimedOut()
    {
        for (auto& [psn, packet] : m_packets)
        {
            const bool isFirst = psn == m_packets.begin()->first;
            packet.state = packet.state != HERE || isFirst ? MISSING : HERE;
        }
    }

    void SentAgain(uint64_t psn)
    {
        m_packets.at(psn).state = AGAIN;
    }

    uint64_t InFlight() const
    {
        uint64_t bytes = 0;
        for (const auto& [psn, packet] : m_packets)
        {
            const bool flies = packet.state == FLYING || packet.state == AGAIN;
            bytes += flies && !packet.isCounted ? packet.bytes : 0;
        }
        return bytes;
    }

    std::set<uint64_t> Missing() const
    {
        std::set<uint64_t> psns;
        for (const auto& [psn, packet] : m_packets)
        {
            if (packet.state == MISSING)
            {
                psns.insert(psn);
            }
        }
        return psns;
    }

    uint64_t delivered{0};
    uint64_t lost{0};

  private:
    enum State
    {
        FLYING,
        HERE,
        MISSING,
        AGAIN
    };

    struct Packet
    {
        uint16_t bytes;
        State state;
        bool isCounted;
    };

    std::map<uint64_t, Packet> m_packets;
};

} // namespace

// ---- the threshold

TEST(IrnReorder, TheAutomaticThresholdFollowsWindowAndProduct)
{
    RdmaFlowState flow;
    flow.mtuBytes = MTU;
    IrnParameters parameters = Parameters(-1);
    parameters.bdp = 43;
    parameters.flow = &flow;
    const IrnSender sender(parameters);
    const std::map<uint64_t, uint64_t> vectors{{43, 64}, {64, 64}, {10, 15}, {2, 5}};
    for (const auto& [window, threshold] : vectors)
    {
        flow.window = window * MTU;
        EXPECT_EQ(sender.GetThreshold(), threshold) << window;
    }
    flow.window = 0; // no window: 1.5 bandwidth-delay products
    EXPECT_EQ(sender.GetThreshold(), 64U);
}

TEST(IrnReorder, TheAutomaticThresholdNeedsARoundTrip)
{
    auto irn = CreateObject<RdmaIrn>();
    irn->SetAttribute("BdpCap", UintegerValue(10));
    irn->SetAttribute("ReorderThreshold", IntegerValue(-1));
    RdmaFlowState flow;
    flow.lineRate = 100e9;
    flow.mtuBytes = MTU;
    EXPECT_THROW(irn->MakeSender(flow), std::invalid_argument);
    flow.baseRttPs = 3522560; // 43 packets of 1024 bytes
    const auto sender = irn->MakeSender(flow);
    EXPECT_TRUE(sender->ExpectsReordering());
    EXPECT_EQ(static_cast<IrnSender&>(*sender).GetThreshold(), 64U);
}

TEST(IrnReorder, MaxKeptBoundsBothEnds)
{
    const auto span = [](uint32_t cap, int32_t threshold, uint32_t maxKept) {
        auto irn = CreateObject<RdmaIrn>();
        irn->SetAttribute("BdpCap", UintegerValue(cap));
        irn->SetAttribute("ReorderThreshold", IntegerValue(threshold));
        irn->SetAttribute("MaxKept", UintegerValue(maxKept));
        irn->SetAttribute("CountSacked", BooleanValue(false));
        const auto sender = irn->MakeSender(RdmaFlowState());
        uint64_t psn = 0;
        while (const uint64_t room = sender->Room())
        {
            sender->Sent({psn, psn + room});
            sender->Done({psn + (psn == 0), psn + room}); // all but number 0
            psn += room;
        }
        return psn;
    };
    EXPECT_EQ(span(10, 0, 0), 80U);
    EXPECT_EQ(span(10, 20, 0), 40U);
    EXPECT_EQ(span(10, 20, 25), 25U);
    EXPECT_EQ(span(10000, 20, 0), 16384U);

    auto irn = CreateObject<RdmaIrn>();
    irn->SetAttribute("MaxKept", UintegerValue(64));
    const auto receiver = irn->MakeReceiver();
    Frame* frame = new Frame;
    frame->psn = 3 + 63;
    EXPECT_EQ(receiver->Keep(*frame, 3), RdmaSelectiveReceiver::KEPT);
    frame->psn = 3 + 64;
    EXPECT_EQ(receiver->Keep(*frame, 3), RdmaSelectiveReceiver::NOT_KEPT);
    EXPECT_EQ(receiver->Count(), 1U);
    frame->Release();
}

// ---- the sender alone

TEST(IrnReorder, APacketIsLostWhenSoManyLaterOnesAreHere)
{
    IrnSender sender(Parameters(3));
    sender.Sent({0, 10}, MTU);
    const auto nak = [&](uint64_t missing, uint64_t sack) {
        sender.Acknowledged(missing);
        sender.Done({sack, sack + 1});
        return sender.OnNak(missing, sack);
    };
    EXPECT_FALSE(nak(0, 9));
    EXPECT_FALSE(nak(0, 4));
    EXPECT_FALSE(nak(0, 4)) << "told twice is once";
    EXPECT_FALSE(sender.HasLost());
    EXPECT_TRUE(nak(0, 2)); // 2, 4, 9 are above 0 and 1; two are above 3
    EXPECT_TRUE(sender.IsRecovering());
    EXPECT_EQ(sender.FirstLost(100).first, 0U);
    EXPECT_EQ(sender.FirstLost(100).end, 2U);
    EXPECT_EQ(sender.GetTally().lost, 2U * MTU);
    EXPECT_EQ(sender.GetTally().delivered, 3U * MTU);
    EXPECT_EQ(sender.GetTally().inFlight, 5U * MTU);
    sender.SentAgain({0, 2});
    EXPECT_EQ(sender.GetTally().inFlight, 7U * MTU);
    EXPECT_TRUE(nak(0, 6)); // 3, not 0 or 1 again
    EXPECT_EQ(sender.FirstLost(100).first, 3U);
    EXPECT_EQ(sender.FirstLost(100).end, 4U);
    sender.Acknowledged(10);
    EXPECT_FALSE(sender.IsRecovering());
    EXPECT_FALSE(sender.HasLost());
    EXPECT_EQ(sender.GetTally().inFlight, 0U);
    EXPECT_EQ(sender.GetTally().delivered, 10U * MTU);
}

TEST(IrnReorder, ResponsesAreJudgedByResponsesAlone)
{
    IrnSender sender(Parameters(3));
    sender.Sent({0, 10});       // a READ
    sender.Sent({10, 20}, MTU); // WRITEs, of which the ACK overtakes the responses
    sender.Done({10, 20});
    EXPECT_FALSE(sender.OnNak(20, 20)) << "the READ was executed";
    for (const uint64_t psn : {5, 6})
    {
        sender.Responded(psn);
        EXPECT_FALSE(sender.OnResponseGap(0, psn));
    }
    sender.Responded(9);
    EXPECT_TRUE(sender.OnResponseGap(0, 9));
    EXPECT_EQ(sender.FirstLost(100).first, 0U);
    EXPECT_EQ(sender.FirstLost(100).end, 5U) << "7 and 8 have one above";
}

TEST(IrnReorder, RandomSendersKnowWhatTheModelKnows)
{
    constexpr uint32_t CASES = 300;
    const uint32_t cases = tests::GetCases(CASES);
    std::cout << cases << " cases of " << CASES << '\n';
    for (uint32_t seed = 1; seed <= cases; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const auto threshold = static_cast<int32_t>(1 + random() % 12);
        IrnSender sender(Parameters(threshold));
        Model model;
        uint64_t first = (1ULL << 24) - 20;
        uint64_t next = first;
        sender.Clear(first);
        for (int step = 0; step < 400; ++step)
        {
            const uint32_t what = random() % 20;
            if (what < 9 || next == first)
            {
                const uint16_t bytes = random() % 4 ? MTU : random() % MTU;
                sender.Sent({next, next + 1}, bytes);
                model.Sent(next++, bytes);
            }
            else if (what < 16) // a NAK with a SACK, which may be old
            {
                const uint64_t psn = first + random() % (next - first);
                if (psn > first)
                {
                    sender.Done({psn, psn + 1});
                    model.Done(psn);
                    sender.OnNak(first, psn);
                    model.FindLost(threshold);
                }
            }
            else if (what < 18)
            {
                first += random() % (next - first + 1);
                sender.Acknowledged(first);
                model.Acknowledged(first);
            }
            else if (what < 19 && sender.HasLost())
            {
                const uint64_t psn = sender.FirstLost();
                ASSERT_EQ(psn, *model.Missing().begin());
                sender.SentAgain({psn, psn + 1});
                model.SentAgain(psn);
            }
            else if (random() % 20 == 0)
            {
                sender.OnTimeout(first);
                model.TimedOut();
            }
            ASSERT_EQ(sender.HasLost(), !model.Missing().empty()) << step;
            ASSERT_EQ(sender.GetTally().inFlight, model.InFlight()) << step;
            ASSERT_EQ(sender.GetTally().delivered, model.delivered) << step;
            ASSERT_EQ(sender.GetTally().lost, model.lost) << step;
        }
    }
}

// ---- in two ends

TEST(IrnReorder, ReorderingAloneIsNoLoss)
{
    for (const int32_t threshold : {0, 40})
    {
        TestPair pair(MTU);
        std::mt19937 random(3);
        for (auto& end : pair.ends)
        {
            end.UseIrn(100, 1000, 1000, threshold);
        }
        pair.late = [&](int, const Frame&) { return random() % 30; };
        pair.ends[0].Post(RdmaVerb::WRITE, 1000 * MTU);
        pair.ends[1].Post(RdmaVerb::READ, 1000 * MTU);
        ASSERT_TRUE(pair.Run());
        const RdmaCounters& counters = pair.ends[0].counters;
        EXPECT_EQ(counters.timeouts + pair.ends[1].counters.timeouts, 0U);
        EXPECT_EQ(counters.retransmitted > 100, threshold == 0);
        EXPECT_EQ(counters.retransmitted == 0, threshold != 0);
        EXPECT_EQ(pair.ends[1].counters.duplicates == 0, threshold != 0) << "all were spurious";
        EXPECT_GT(pair.ends[1].counters.outOfOrder, 500U);
        EXPECT_LE(pair.ends[1].counters.reorderDistance, 30U + 100U * (threshold == 0));
        EXPECT_GT(pair.ends[1].counters.reorderDistance, 10U);
        EXPECT_GT(pair.ends[1].counters.mostKept, 5U);
        EXPECT_LE(pair.ends[1].counters.mostKept, pair.ends[1].counters.reorderDistance);
    }
}

TEST(IrnReorder, WhatIsLostIsSentAgainOnceAndNothingElse)
{
    TestPair pair(MTU);
    std::mt19937 random(5);
    for (auto& end : pair.ends)
    {
        end.UseIrn(100, 1000, 1000, 30);
    }
    std::map<uint64_t, uint32_t> sent;
    uint32_t losses = 0;
    pair.late = [&](int, const Frame&) { return random() % 20; };
    pair.lose = [&](int from, const Frame& frame) {
        const bool first = from == 0 && sent[frame.psn]++ == 0;
        const bool lost = first && frame.psn % 50 == 7;
        losses += lost;
        return lost;
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 1000 * MTU);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(losses, 20U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, losses);
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[1].counters.duplicates, 0U);
    EXPECT_EQ(pair.lostBytes[0], losses * MTU);
    EXPECT_EQ(pair.deliveredBytes[0], 1000U * MTU);
    for (const auto& [psn, count] : sent)
    {
        EXPECT_EQ(count, psn % 50 == 7 ? 2U : 1U) << psn;
    }
}

TEST(IrnReorder, TheWindowLimitsWhatIsInTheNetworkRepeatsIncluded)
{
    constexpr uint64_t WINDOW = 20 * MTU;
    TestPair pair(MTU);
    std::mt19937 random(7);
    for (auto& end : pair.ends)
    {
        end.UseIrn(1000, 1000, 1000, 10);
        end.window = WINDOW;
    }
    pair.late = [&](int, const Frame&) { return random() % 12; };
    pair.lose = [&](int from, const Frame&) { return from == 0 && random() % 20 == 0; };
    pair.ends[0].Post(RdmaVerb::WRITE, 500 * MTU);
    uint64_t most = 0;
    for (int tick = 0; tick < 100000 && !pair.IsQuiet(); ++tick)
    {
        pair.Step();
        most = std::max(most, pair.ends[0].requester.InFlight());
    }
    ASSERT_TRUE(pair.IsQuiet());
    EXPECT_LE(most, WINDOW);
    EXPECT_GE(most, WINDOW - MTU);
    EXPECT_GT(pair.ends[0].counters.retransmitted, 10U);
}

TEST(IrnReorder, EveryByteIsDeliveredOnceWhateverTheChannelDoes)
{
    constexpr uint32_t CASES = 400;
    const uint32_t cases = tests::GetCases(CASES);
    std::cout << cases << " cases of " << CASES << '\n';
    for (uint32_t seed = 1; seed <= cases; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        TestPair pair(MTU, 1 + seed % 30);
        uint64_t bytesOf[2]{};
        for (auto& end : pair.ends)
        {
            end.end.connection.retryLimit = 200;
            end.end.connection.ackInterval = 1 + seed % 5;
            end.window = seed % 3 ? 0 : 8000;
            if (seed % 4) // else go-back-N
            {
                end.UseIrn(1 + seed % 40, 200, 500, static_cast<int32_t>(seed / 4 % 4 * 5));
            }
            end.responder.PostReceive(seed % 2 ? 40 : 3);
        }
        for (int i = 0; i < 40; ++i)
        {
            const int from = random() % 2;
            const RdmaVerb verbs[] = {RdmaVerb::WRITE, RdmaVerb::SEND, RdmaVerb::READ};
            const RdmaVerb verb = verbs[random() % 3];
            const uint64_t bytes = random() % 20000;
            pair.ends[from].Post(verb, bytes);
            bytesOf[from] += verb == RdmaVerb::READ ? 0 : bytes;
        }
        pair.lose = [&](int, const Frame&) { return random() % 25 == 0; };
        pair.duplicate = [&](int, const Frame&) { return random() % 15 == 0; };
        pair.late = [&](int, const Frame&) { return random() % 10 ? 0 : random() % 30; };
        for (int tick = 0; tick < 1000000 && !pair.IsQuiet(); ++tick)
        {
            if (tick == 3000)
            {
                pair.ends[0].responder.PostReceive(40);
                pair.ends[1].responder.PostReceive(40);
            }
            pair.Step();
            for (int end = 0; end < 2; ++end)
            {
                ASSERT_LE(pair.deliveredBytes[end] + pair.ends[end].requester.InFlight(),
                          bytesOf[end])
                    << tick;
            }
        }
        ASSERT_TRUE(pair.IsQuiet());
        for (int end = 0; end < 2; ++end)
        {
            ASSERT_EQ(pair.ends[end].counters.messagesFailed, 0U);
            ASSERT_EQ(pair.deliveredBytes[end], bytesOf[end]);
            ASSERT_EQ(pair.ends[end].requester.InFlight(), 0U);
        }
    }
}

TEST(IrnReorder, GoingBackCountsWhatItAcknowledgesAndHasInFlight)
{
    TestPair pair(MTU);
    bool isLost = false;
    pair.lose = [&](int from, const Frame& frame) {
        const bool loses = from == 0 && frame.psn == 5 && !isLost;
        isLost |= loses;
        return loses;
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 100 * MTU);
    for (int tick = 0; tick < 10000 && !pair.IsQuiet(); ++tick)
    {
        pair.Step();
        ASSERT_EQ(pair.ends[0].requester.InFlight(), pair.ends[0].requester.BytesInFlight());
        ASSERT_EQ(pair.deliveredBytes[0], pair.ackedBytes);
    }
    EXPECT_EQ(pair.deliveredBytes[0], 100U * MTU);
    EXPECT_EQ(pair.lostBytes[0], pair.ends[0].counters.retransmitted * MTU);
}

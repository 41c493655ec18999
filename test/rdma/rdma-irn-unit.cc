// SPDX-License-Identifier: GPL-2.0-only

// IRN (Mittal et al., SIGCOMM 2018) in both ends of a connection.

#include "irn-receiver.h"
#include "irn-sender.h"
#include "rdma-test-util.h"

#include "ns3/rdma-irn.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Psns = std::vector<uint64_t>;

/// Two ends with IRN.
struct IrnPair : public TestPair
{
    explicit IrnPair(uint32_t cap = 64, int64_t pipeTicks = 10)
        : TestPair(1024, pipeTicks)
    {
        for (auto& end : ends)
        {
            end.UseIrn(cap, 100, 320);
        }
    }

    IrnSender& Sender(int end)
    {
        return static_cast<IrnSender&>(*ends[end].end.sender);
    }

    IrnReceiver& Receiver(int end)
    {
        return static_cast<IrnReceiver&>(*ends[end].end.receiver);
    }

    /// Lose the packets of an end with one of these numbers, each once.
    void LoseOnce(int from, Psns psns)
    {
        auto left = std::make_shared<Psns>(psns);
        lose = [=](int sender, const Frame& frame) {
            for (auto& psn : *left)
            {
                if (sender == from && frame.psn == psn)
                {
                    psn = UINT64_MAX;
                    return true;
                }
            }
            return false;
        };
    }
};

} // namespace

// ---- the policy

TEST(RdmaIrn, TheCapIsTheBandwidthDelayProduct)
{
    auto irn = CreateObject<RdmaIrn>();
    RdmaFlowState flow;
    flow.lineRate = 40e9;
    flow.baseRttPs = 24000000; // 24 us: 120 KB
    flow.mtuBytes = 1000;
    EXPECT_EQ(irn->CapOf(flow), 120U);
    flow.baseRttPs = 24000001;
    EXPECT_EQ(irn->CapOf(flow), 121U);
    flow.baseRttPs = 1;
    EXPECT_EQ(irn->CapOf(flow), 1U);
    flow.baseRttPs = 0;
    EXPECT_THROW(irn->CapOf(flow), std::invalid_argument);
    irn->SetAttribute("BdpCap", UintegerValue(7));
    EXPECT_EQ(irn->CapOf(flow), 7U);
}

// ---- both, in a queue pair

TEST(RdmaIrn, OnlyTheLostPacketIsSentAgain)
{
    for (uint64_t lost : {0, 1, 50, 98, 99})
    {
        IrnPair pair;
        pair.LoseOnce(0, {lost});
        pair.ends[0].Post(RdmaVerb::WRITE, 100 * 1024);
        ASSERT_TRUE(pair.Run()) << lost;
        EXPECT_EQ(pair.ends[0].counters.retransmitted, 1U) << lost;
        EXPECT_EQ(pair.ends[0].counters.timeouts, lost == 99 ? 1U : 0U); // nothing came after it
        EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 100U * 1024);
        EXPECT_EQ(pair.ends[1].counters.duplicates, 0U);
        EXPECT_EQ(pair.ackedBytes, 100U * 1024);
        ASSERT_EQ(pair.ends[0].completed.size(), 1U);
        ASSERT_EQ(pair.ends[1].received.size(), 1U);
        EXPECT_EQ(pair.ends[1].received[0].bytes, 100U * 1024);
        EXPECT_FALSE(pair.Sender(0).IsRecovering());
        EXPECT_EQ(pair.Receiver(1).Count(), 0U);
    }
}

TEST(RdmaIrn, EveryPacketOutOfOrderIsAnsweredByANakWithItsNumber)
{
    IrnPair pair;
    pair.LoseOnce(0, {3});
    pair.ends[0].Post(RdmaVerb::WRITE, 8 * 1024);
    std::vector<std::pair<uint64_t, uint64_t>> naks;
    auto lose = pair.lose;
    pair.lose = [&](int from, const Frame& frame) {
        if (from == 1 && frame.syndrome == aeth::NAK_SEQUENCE)
        {
            naks.emplace_back(frame.psn, frame.sackFirst);
            EXPECT_EQ(frame.sackPackets, 1U);
            EXPECT_EQ(frame.bytes, 74U);
        }
        return lose(from, frame);
    };
    ASSERT_TRUE(pair.Run());
    const decltype(naks) expected{{3, 4}, {3, 5}, {3, 6}, {3, 7}};
    EXPECT_EQ(naks, expected);
    EXPECT_EQ(pair.ends[1].counters.naksSent, 4U);
    EXPECT_EQ(pair.ends[1].counters.outOfOrder, 4U);
}

TEST(RdmaIrn, ARetransmissionThatIsLostWaitsForTheTimeout)
{
    IrnPair pair;
    pair.LoseOnce(0, {5, 5});
    pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 1U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 2U);
    // Packet 4 is acknowledged at 24; one packet is in flight: 100 ticks, and a round trip.
    EXPECT_EQ(pair.ends[0].completed.at(0).completed.GetTimeStep(), 24 + 100 + 20);
}

TEST(RdmaIrn, LostNaksAreMadeGoodByOthersOrTheTimeout)
{
    for (int losses : {1, 5, 14})
    {
        IrnPair pair;
        bool dataLost = false;
        int naksLost = 0;
        pair.lose = [&](int from, const Frame& frame) {
            if (from == 0 && frame.psn == 5 && !dataLost)
            {
                return dataLost = true;
            }
            return frame.syndrome == aeth::NAK_SEQUENCE && naksLost++ < losses;
        };
        pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024); // 14 packets beyond the gap
        ASSERT_TRUE(pair.Run()) << losses;
        EXPECT_EQ(pair.ends[0].counters.timeouts, losses == 14 ? 1U : 0U) << losses;
        // What was SACKed only by NAKs that were lost is sent again.
        EXPECT_LE(pair.ends[0].counters.retransmitted, losses + 1U) << losses;
        EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 20U * 1024) << losses;
        EXPECT_EQ(pair.ends[0].completed.size(), 1U) << losses;
    }
}

TEST(RdmaIrn, ANakOverwhelmsNeitherEndWhenPacketsComeTwice)
{
    IrnPair pair;
    pair.LoseOnce(0, {2});
    pair.duplicate = [](int, const Frame&) { return true; };
    pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 1U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 20U * 1024);
    EXPECT_EQ(pair.ends[1].received.size(), 1U);
    EXPECT_EQ(pair.ends[0].completed.size(), 1U);
}

TEST(RdmaIrn, NoMoreThanTheCapIsInFlight)
{
    for (RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::SEND, RdmaVerb::READ})
    {
        IrnPair pair(8);
        pair.ends[1].responder.PostReceive(10);
        pair.ends[0].Post(verb, 100 * 1024);
        pair.ends[0].Post(verb, 100 * 1024);
        uint64_t most = 0;
        for (int i = 0; i < 2000 && !pair.IsQuiet(); i++)
        {
            pair.Step();
            most = std::max(most, pair.Sender(0).InFlight());
        }
        EXPECT_TRUE(pair.IsQuiet());
        EXPECT_EQ(most, 8U) << verb;
        EXPECT_EQ(pair.ends[0].counters.retransmitted + pair.ends[1].counters.retransmitted, 0U);
        EXPECT_EQ(pair.ends[1].received.size(), 2U);
        EXPECT_EQ(pair.ends[1].received[0].bytes, 100U * 1024) << verb;
    }
}

TEST(RdmaIrn, ACapSmallerThanTheAckIntervalDoesNotHang)
{
    IrnPair pair(4);
    pair.ends[0].end.connection.ackInterval = 64;
    pair.ends[0].Post(RdmaVerb::WRITE, 100 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U);
}

TEST(RdmaIrn, MissingReadResponsesAreAskedForAndNoMore)
{
    IrnPair pair(200);
    pair.LoseOnce(1, {4, 10, 11, 12, 60});
    pair.ends[0].Post(RdmaVerb::READ, 100 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[1].counters.retransmitted, 5U);
    EXPECT_EQ(pair.ends[0].counters.duplicates, 0U);
    EXPECT_EQ(pair.ends[0].counters.payloadDelivered, 100U * 1024);
    EXPECT_EQ(pair.ends[0].completed.size(), 1U);
    EXPECT_EQ(pair.ends[1].received.size(), 1U);
    uint32_t requests = 0;
    for (const auto& sent : pair.log)
    {
        requests += sent.opcode == RoceOpcode::READ_REQUEST;
    }
    EXPECT_EQ(requests, 4U); // one, and one a gap
}

TEST(RdmaIrn, AReadWhoseResponsesWaitForAWindowLosesNoRequest)
{
    // Each response lets the requester ask for one more, while most of the first request waits.
    IrnPair pair(200);
    pair.ends[1].end.connection.acknowledgesReads = true;
    pair.ends[1].window = 1;
    pair.ends[0].Post(RdmaVerb::READ, 500 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[0].counters.messagesCompleted, 1U);
    EXPECT_EQ(pair.ends[1].counters.retransmitted, 0U);
}

TEST(RdmaIrn, FirstLastAndAllResponsesLost)
{
    for (Psns lost : {Psns{0}, Psns{9}, Psns{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Psns{8, 8, 9}})
    {
        IrnPair pair;
        pair.LoseOnce(1, lost);
        pair.ends[0].Post(RdmaVerb::READ, 10 * 1024);
        ASSERT_TRUE(pair.Run());
        EXPECT_EQ(pair.ends[1].counters.retransmitted, lost.size());
        EXPECT_EQ(pair.ends[0].counters.payloadDelivered, 10U * 1024);
        EXPECT_EQ(pair.ends[0].completed.size(), 1U);
        EXPECT_EQ(pair.ends[1].received.size(), 1U);
    }
}

TEST(RdmaIrn, ALostReadRequestIsSentAgainAndLaterOnesWait)
{
    IrnPair pair;
    pair.LoseOnce(0, {0});
    for (int i = 0; i < 4; i++)
    {
        pair.ends[0].Post(RdmaVerb::READ, 5 * 1024);
    }
    pair.ends[0].Post(RdmaVerb::WRITE, 5 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[1].counters.retransmitted, 0U); // no response was asked for twice
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U); // nor was the WRITE
    EXPECT_EQ(pair.ends[0].counters.duplicates, 0U);
    EXPECT_EQ(pair.ends[1].counters.duplicates, 0U);
    ASSERT_EQ(pair.ends[0].completed.size(), 5U);
    EXPECT_EQ(pair.ends[0].completed[4].verb, RdmaVerb::WRITE);
    EXPECT_EQ(pair.ends[1].received.size(), 5U);
}

TEST(RdmaIrn, WhatIsBehindAReadIsNotSentAgainForIt)
{
    IrnPair pair;
    pair.LoseOnce(1, {7}); // a response
    pair.ends[0].Post(RdmaVerb::WRITE, 5 * 1024);
    pair.ends[0].Post(RdmaVerb::READ, 5 * 1024);
    pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U);
    EXPECT_EQ(pair.ends[1].counters.retransmitted, 1U);
    EXPECT_EQ(pair.ends[0].completed.size(), 3U);
    EXPECT_EQ(pair.ackedBytes, 25U * 1024);
}

TEST(RdmaIrn, AReceiverThatIsNotReadyIsAskedAgain)
{
    IrnPair pair;
    pair.ends[0].Post(RdmaVerb::SEND, 5 * 1024);
    pair.ends[0].Post(RdmaVerb::WRITE_IMM, 5 * 1024);
    for (int i = 0; i < 25000; i++)
    {
        pair.Step();
    }
    EXPECT_EQ(pair.ends[1].counters.rnrNaksSent, 3U); // every 10 us and a round trip
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 2U); // the refused packet alone
    pair.ends[1].responder.PostReceive(1);
    for (int i = 0; i < 25000; i++)
    {
        pair.Step();
    }
    EXPECT_EQ(pair.ends[0].completed.size(), 1U);
    EXPECT_GT(pair.ends[1].counters.rnrNaksSent, 3U); // of the WRITE_IMM, which was kept
    pair.ends[1].responder.PostReceive(1);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.size(), 2U);
    EXPECT_EQ(pair.ends[1].received.size(), 2U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 10U * 1024);
    EXPECT_EQ(pair.ends[1].responder.Receives(), 0U);
}

TEST(RdmaIrn, WhatIsAcknowledgedBehindAReadIsNotSentAgainAfterATimeout)
{
    IrnPair pair;
    pair.LoseOnce(1, {7, 7}); // a response and its repetition
    pair.ends[0].Post(RdmaVerb::WRITE, 5 * 1024);
    pair.ends[0].Post(RdmaVerb::READ, 5 * 1024);
    pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 1U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U);
    EXPECT_EQ(pair.ends[1].counters.retransmitted, 2U);
    EXPECT_EQ(pair.ends[0].completed.size(), 3U);
}

TEST(RdmaIrn, AGapThatClosesIsAcknowledgedWithoutBeingAsked)
{
    IrnPair pair;
    auto give = [&](uint64_t psn) {
        auto frame = new Frame;
        frame->opcode = psn == 0 ? RoceOpcode::WRITE_FIRST : RoceOpcode::WRITE_MIDDLE;
        frame->psn = psn;
        frame->payloadBytes = 1024;
        return pair.ends[1].responder.Receive(frame, 0);
    };
    EXPECT_EQ(give(0), nullptr);
    Frame* nak = give(2);
    ASSERT_NE(nak, nullptr);
    EXPECT_EQ(nak->syndrome, aeth::NAK_SEQUENCE);
    nak->Release();
    Frame* ack = give(1);
    ASSERT_NE(ack, nullptr);
    EXPECT_EQ(ack->syndrome, aeth::ACK);
    EXPECT_EQ(ack->psn, 2U);
    ack->Release();
    EXPECT_EQ(give(3), nullptr); // nothing was open
}

TEST(RdmaIrn, ASackThatComesAfterTheRefusalOfItsPacketIsIgnored)
{
    IrnPair pair;
    auto& requester = pair.ends[0].requester;
    auto answer = [&](uint8_t syndrome, uint64_t psn, uint64_t sack) {
        Frame* frame = new Frame;
        frame->opcode = RoceOpcode::ACKNOWLEDGE;
        frame->syndrome = syndrome;
        frame->psn = psn;
        frame->sackFirst = sack;
        frame->sackPackets = sack ? 1 : 0;
        requester.OnAck(*frame, 0);
        frame->Release();
    };
    pair.ends[0].Post(RdmaVerb::SEND, 4 * 1024);
    while (requester.CanSend(0))
    {
        requester.Build(0, 0)->Release();
    }
    answer(aeth::RNR | 1, 2, 0);
    EXPECT_EQ(requester.Unacked(), 2U);
    answer(aeth::NAK_SEQUENCE, 1, 2); // was kept once, before it was refused
    const int64_t wait = requester.Deadline();
    EXPECT_EQ(wait, 10000); // the RNR timer
    requester.OnTimer(wait);
    ASSERT_TRUE(requester.CanSend(0));
    Frame* again = requester.Build(0, wait);
    EXPECT_EQ(again->psn, 2U);
    again->Release();
}

TEST(RdmaIrn, RnrRetryLimitStillCounts)
{
    IrnPair pair;
    pair.ends[0].end.connection.rnrRetryLimit = 3;
    pair.ends[0].Post(RdmaVerb::SEND, 5000);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::RNR_RETRY_EXCEEDED);
    EXPECT_EQ(pair.ends[0].counters.rnrNaksReceived, 4U);
}

TEST(RdmaIrn, RetryLimitStillCountsAndTimeoutsDouble)
{
    IrnPair pair;
    pair.lose = [](int from, const Frame&) { return from == 0; };
    pair.ends[0].Post(RdmaVerb::WRITE, 1000);
    pair.ends[0].Post(RdmaVerb::READ, 1000);
    ASSERT_TRUE(pair.Run());
    ASSERT_EQ(pair.ends[0].completed.size(), 2U);
    EXPECT_EQ(pair.ends[0].completed[0].status, RdmaStatus::RETRY_EXCEEDED);
    EXPECT_EQ(pair.ends[0].completed[1].status, RdmaStatus::FLUSHED);
    EXPECT_EQ(pair.ends[0].counters.timeouts, 8U);
    EXPECT_EQ(pair.ends[0].completed[0].completed.GetTimeStep(),
              100 * (1 + 2 + 4 + 8 + 16 + 32 + 64 + 64));
    EXPECT_EQ(pair.ends[0].requester.Deadline(), RDMA_NEVER);
    EXPECT_FALSE(pair.ends[0].requester.CanSend(0));
}

TEST(RdmaIrn, AQueuePairThatFailedStartsClean)
{
    IrnPair pair;
    pair.lose = [](int from, const Frame&) { return from == 0; };
    pair.ends[0].Post(RdmaVerb::WRITE, 50 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.Sender(0).InFlight(), 0U);
    EXPECT_FALSE(pair.Sender(0).HasLost());
    EXPECT_EQ(pair.ends[0].requester.BytesInFlight(), 0U);
}

TEST(RdmaIrn, PsnsWrapOnTheWire)
{
    // Both ends just below 2^24: a READ that both have done with.
    constexpr uint64_t START = (1ULL << 24) - 20;
    IrnPair pair;
    pair.ends[0].Post(RdmaVerb::READ, START * 1024);
    pair.ends[0].requester.Fail(RdmaStatus::FLUSHED, 0);
    pair.ends[0].counters = {};
    pair.ends[0].completed.clear();
    for (uint64_t psn = 0; psn < START;)
    {
        const uint64_t packets = std::min<uint64_t>(START - psn, 1 << 22);
        auto frame = new Frame;
        frame->opcode = RoceOpcode::READ_REQUEST;
        frame->psn = psn & 0xffffff;
        frame->dmaBytes = packets * 1024;
        frame->ackRequest = true;
        pair.ends[1].responder.Receive(frame, 0);
        pair.ends[1].responder.Clear();
        psn += packets;
    }
    pair.ends[1].received.clear();
    ASSERT_EQ(pair.ends[1].responder.Expected(), START);
    ASSERT_EQ(pair.ends[0].requester.Next(), START);
    pair.LoseOnce(0, {START + 5, START + 19, START + 20, START + 21});
    pair.ends[0].Post(RdmaVerb::WRITE, 40 * 1024);
    pair.ends[0].Post(RdmaVerb::READ, 40 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 4U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 40U * 1024);
    EXPECT_EQ(pair.ends[0].counters.payloadDelivered, 40U * 1024);
    EXPECT_EQ(pair.ends[0].completed.size(), 2U);
    EXPECT_EQ(pair.ends[1].received.size(), 2U);
    EXPECT_EQ(pair.ends[0].requester.Unacked(), START + 80);
}

TEST(RdmaIrn, HeadWireBytesIsWhatComesNextWhenSomethingIsLost)
{
    IrnPair pair;
    pair.LoseOnce(0, {2, 9, 14});
    for (RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::READ, RdmaVerb::WRITE})
    {
        pair.ends[0].Post(verb, 5555);
    }
    ASSERT_TRUE(pair.Run());
    EXPECT_TRUE(pair.headsRight);
    EXPECT_EQ(pair.ends[0].completed.size(), 3U);
}

// SPDX-License-Identifier: GPL-2.0-only

// IRN (Mittal et al., SIGCOMM 2018): sender, receiver, and both in a queue pair.

#include "rdma-test-util.h"

#include "ns3/boolean.h"
#include "ns3/irn-receiver.h"
#include "ns3/irn-sender.h"
#include "ns3/rdma-irn.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/// Cap 10, timeouts of 100 and 320 ticks.
IrnSender
MakeSender(uint32_t cap = 10, bool countSacked = false)
{
    return IrnSender({cap, 3, 100, 320, countSacked});
}

/// Gives up all that is lost. @return the numbers, in the order of sending
std::vector<uint64_t>
Repeat(IrnSender& sender)
{
    std::vector<uint64_t> psns;
    while (sender.HasLost())
    {
        psns.push_back(sender.FirstLost());
        sender.SentAgain({psns.back(), psns.back() + 1});
    }
    return psns;
}

/// A NAK as the requester tells it. @return whether more is lost
bool
Nak(IrnSender& sender, uint64_t missing, uint64_t sack)
{
    sender.Acknowledged(missing);
    sender.Done({sack, sack + 1});
    return sender.OnNak(missing, sack);
}

using Psns = std::vector<uint64_t>;

/// @return a request packet
Frame*
Packet(uint64_t psn)
{
    auto frame = new Frame;
    frame->opcode = RoceOpcode::WRITE_MIDDLE;
    frame->psn = psn;
    frame->payloadBytes = 1024;
    frame->telemetryKind = TelemetryKind::PINT;
    return frame;
}

/// @return the verdict on a packet
RdmaSelectiveReceiver::Verdict
Keep(IrnReceiver& receiver, uint64_t psn, uint64_t expected)
{
    Frame* frame = Packet(psn);
    auto verdict = receiver.Keep(*frame, expected);
    frame->Release();
    return verdict;
}

/// @return whether the packet was kept; it is no more
bool
Take(IrnReceiver& receiver, uint64_t psn)
{
    Frame* frame = receiver.Take(psn);
    if (!frame)
    {
        return false;
    }
    EXPECT_EQ(frame->psn, psn);
    EXPECT_EQ(frame->telemetryKind, TelemetryKind::NONE);
    frame->Release();
    return true;
}

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

// ---- the sender alone

TEST(IrnSender, ANakBeginsTheRecoveryAndTheAckOfAllSentEndsIt)
{
    auto sender = MakeSender();
    sender.Sent({0, 10});
    EXPECT_FALSE(sender.IsRecovering());
    EXPECT_TRUE(Nak(sender, 3, 5));
    EXPECT_TRUE(sender.IsRecovering());
    EXPECT_EQ(sender.RecoveryEnd(), 10U);
    EXPECT_EQ(Repeat(sender), (Psns{3, 4}));
    sender.Sent({10, 12}); // new data do not move the end
    sender.Acknowledged(9);
    EXPECT_TRUE(sender.IsRecovering());
    sender.Acknowledged(10);
    EXPECT_FALSE(sender.IsRecovering());
}

TEST(IrnSender, WhatANakFindsMissingIsSentAgainOnce)
{
    auto sender = MakeSender(20);
    sender.Sent({0, 20});
    EXPECT_TRUE(Nak(sender, 2, 4));
    EXPECT_EQ(Repeat(sender), (Psns{2, 3}));
    EXPECT_FALSE(Nak(sender, 2, 5)); // nothing new is missing
    EXPECT_FALSE(Nak(sender, 2, 4)); // the same again
    EXPECT_TRUE(Nak(sender, 2, 8));
    EXPECT_EQ(Repeat(sender), (Psns{6, 7}));
    EXPECT_FALSE(sender.HasLost());
}

TEST(IrnSender, SacksThatWereReorderedMakeNothingLostTwice)
{
    auto sender = MakeSender(20);
    sender.Sent({0, 20});
    EXPECT_TRUE(Nak(sender, 2, 9));
    EXPECT_FALSE(Nak(sender, 2, 5)); // sent before it, arrives after it: 5 is no longer lost
    EXPECT_EQ(Repeat(sender), (Psns{2, 3, 4, 6, 7, 8}));
    EXPECT_FALSE(Nak(sender, 2, 7)); // sent again for nothing, and done
    EXPECT_TRUE(sender.IsDone(7));
    EXPECT_FALSE(sender.IsDone(8));
}

TEST(IrnSender, ANewRecoverySendsItsFirstPacketAgainEvenIfItWasBefore)
{
    auto sender = MakeSender(20);
    sender.Sent({0, 5});
    EXPECT_TRUE(Nak(sender, 0, 1));
    sender.Sent({5, 10});
    EXPECT_TRUE(Nak(sender, 0, 7)); // 5, 6 were sent in the recovery
    EXPECT_EQ(Repeat(sender), (Psns{0, 2, 3, 4, 5, 6}));
    sender.Acknowledged(5);
    EXPECT_FALSE(sender.IsRecovering());
    EXPECT_TRUE(Nak(sender, 5, 8)); // the repetition of 5 was lost; 6 was sent again already
    EXPECT_EQ(Repeat(sender), (Psns{5}));
}

TEST(IrnSender, ATimeoutSendsAgainWhatIsNotSacked)
{
    auto sender = MakeSender(20);
    sender.Sent({0, 8});
    sender.Done({2, 4});
    sender.Done({6, 7});
    sender.OnTimeout(0);
    EXPECT_TRUE(sender.IsRecovering());
    EXPECT_EQ(Repeat(sender), (Psns{0, 1, 4, 5, 7}));
    sender.OnTimeout(0); // the repetitions were lost, too
    EXPECT_EQ(Repeat(sender), (Psns{0, 1, 4, 5, 7}));
    sender.Acknowledged(8);
    EXPECT_FALSE(sender.IsRecovering());
    EXPECT_FALSE(sender.HasLost());
}

TEST(IrnSender, TheCapCountsWhatIsOnTheWay)
{
    auto sender = MakeSender(10);
    EXPECT_EQ(sender.Room(), 10U);
    sender.Sent({0, 10});
    EXPECT_EQ(sender.Room(), 0U);
    Nak(sender, 1, 4);
    EXPECT_EQ(sender.InFlight(), 8U); // 1..9 but 4
    EXPECT_EQ(sender.Room(), 2U);
    sender.Acknowledged(10);
    EXPECT_EQ(sender.Room(), 10U);

    auto paper = MakeSender(10, true);
    paper.Sent({0, 10});
    Nak(paper, 1, 4);
    EXPECT_EQ(paper.InFlight(), 9U);
    EXPECT_EQ(paper.Room(), 1U);
}

TEST(IrnSender, TheSpanIsLimitedHoweverMuchIsSacked)
{
    auto sender = MakeSender(10);
    uint64_t psn = 0;
    while (const uint64_t room = sender.Room())
    {
        sender.Sent({psn, psn + room});
        sender.Done({psn + (psn == 0), psn + room}); // all but number 0
        psn += room;
    }
    EXPECT_EQ(psn, 10 * IrnSender::SPAN_CAPS);
    EXPECT_EQ(sender.InFlight(), 1U);
    sender.Acknowledged(psn);
    EXPECT_EQ(sender.Room(), 10U);
}

TEST(IrnSender, TheTimeoutIsShortWithFewPacketsInFlightAndDoubles)
{
    auto sender = MakeSender();
    sender.Sent({0, 2});
    EXPECT_EQ(sender.TimeoutTicks(0), 100);
    sender.Sent({2, 3});
    EXPECT_EQ(sender.TimeoutTicks(0), 320);
    sender.Done({1, 2});
    EXPECT_EQ(sender.TimeoutTicks(0), 100);
    EXPECT_EQ(sender.TimeoutTicks(1), 200);
    EXPECT_EQ(sender.TimeoutTicks(6), 6400);
    EXPECT_EQ(sender.TimeoutTicks(200), 6400);
}

TEST(IrnSender, AReadRequestThatIsKeptIsNotLostButItsResponsesMayBe)
{
    auto sender = MakeSender(20);
    sender.Sent({0, 1});  // a WRITE
    sender.Sent({1, 6});  // a READ
    sender.Sent({6, 10}); // another
    sender.Kept({1, 6});
    EXPECT_TRUE(sender.OnNak(0, 1));
    sender.Kept({6, 10});
    EXPECT_FALSE(sender.OnNak(0, 6));
    EXPECT_EQ(Repeat(sender), (Psns{0}));
    sender.OnTimeout(0); // the responder waits for 0, not for the READs
    EXPECT_EQ(Repeat(sender), (Psns{0}));
    sender.Acknowledged(1);
    sender.Done({4, 5}); // a response, 1..3 are missing
    EXPECT_TRUE(sender.OnResponseGap(1, 4));
    EXPECT_FALSE(sender.OnResponseGap(1, 4));
    EXPECT_EQ(sender.FirstLost(100).first, 1U);
    EXPECT_EQ(sender.FirstLost(100).end, 4U);
    EXPECT_EQ(sender.FirstLost(3).end, 3U);
    EXPECT_EQ(Repeat(sender), (Psns{1, 2, 3}));
    sender.OnTimeout(10); // all were executed: what is missing was lost
    EXPECT_EQ(Repeat(sender), (Psns{1, 2, 3, 5, 6, 7, 8, 9}));
}

TEST(IrnSender, ARefusedPacketIsSentAgain)
{
    auto sender = MakeSender();
    sender.Sent({0, 4});
    sender.Done({1, 2});
    sender.Acknowledged(1); // 1 was SACKed, then refused when its turn came
    sender.OnRefused(1);
    EXPECT_EQ(Repeat(sender), (Psns{1}));
    EXPECT_FALSE(sender.IsDone(1));
}

TEST(IrnSender, StatesAreKeptWhenTheMemoryGrowsAndTheNumbersWrap)
{
    auto sender = MakeSender(1000);
    const uint64_t start = (1ULL << 24) - 7; // not a multiple of the size
    sender.Clear(start);
    sender.Sent({start, start + 12});
    sender.Done({start + 3, start + 5});
    sender.Sent({start + 12, start + 900});
    sender.Done({start + 890, start + 891});
    EXPECT_TRUE(sender.IsDone(start + 4));
    EXPECT_FALSE(sender.IsDone(start + 5));
    EXPECT_EQ(sender.InFlight(), 897U);
    EXPECT_TRUE(sender.OnNak(start, start + 890));
    EXPECT_EQ(Repeat(sender).size(), 888U);
}

// ---- the receiver alone

TEST(IrnReceiver, KeepsWhatIsBeyondAGapAndGivesItInOrder)
{
    IrnReceiver receiver;
    EXPECT_EQ(Keep(receiver, 5, 3), RdmaSelectiveReceiver::KEPT);
    EXPECT_EQ(Keep(receiver, 4, 3), RdmaSelectiveReceiver::KEPT);
    EXPECT_EQ(Keep(receiver, 7, 3), RdmaSelectiveReceiver::KEPT);
    EXPECT_EQ(Keep(receiver, 5, 3), RdmaSelectiveReceiver::HAD);
    EXPECT_EQ(receiver.Count(), 3U);
    EXPECT_FALSE(Take(receiver, 3));
    EXPECT_TRUE(Take(receiver, 4));
    EXPECT_TRUE(Take(receiver, 5));
    EXPECT_FALSE(Take(receiver, 6));
    EXPECT_TRUE(Take(receiver, 7));
    EXPECT_EQ(receiver.Count(), 0U);
}

TEST(IrnReceiver, WhatIsPassedOverIsVoid)
{
    IrnReceiver receiver;
    Keep(receiver, 5, 3);
    Keep(receiver, 12, 3);
    EXPECT_FALSE(Take(receiver, 10)); // a READ went from 3 to 9
    EXPECT_EQ(receiver.Count(), 1U);
    EXPECT_TRUE(Take(receiver, 12));
}

TEST(IrnReceiver, RoomIsLimited)
{
    IrnReceiver receiver;
    EXPECT_EQ(Keep(receiver, 3 + IrnReceiver::MAX_SPAN, 3), RdmaSelectiveReceiver::NOT_KEPT);
    EXPECT_EQ(Keep(receiver, 2 + IrnReceiver::MAX_SPAN, 3), RdmaSelectiveReceiver::KEPT);
    receiver.Clear();
    EXPECT_EQ(receiver.Count(), 0U);
    EXPECT_FALSE(Take(receiver, 2 + IrnReceiver::MAX_SPAN));
}

TEST(IrnReceiver, PacketsSurviveGrowth)
{
    IrnReceiver receiver;
    const uint64_t expected = (1ULL << 24) - 3;
    for (uint64_t i = 1; i < 500; i += 3)
    {
        ASSERT_EQ(Keep(receiver, expected + i, expected), RdmaSelectiveReceiver::KEPT);
    }
    for (uint64_t i = 1; i < 500; i++)
    {
        ASSERT_EQ(Take(receiver, expected + i), i % 3 == 1) << i;
    }
}

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

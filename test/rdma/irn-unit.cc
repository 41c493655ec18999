// SPDX-License-Identifier: GPL-2.0-only

// IRN (Mittal et al., SIGCOMM 2018): sender and receiver, each alone, transition by transition.

#include "irn-receiver.h"
#include "irn-sender.h"

#include "ns3/fabric-frame.h"

#include <gtest/gtest.h>
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

TEST(IrnReceiver, GrowthKeepsTheHighestWhateverCameLast)
{
    IrnReceiver receiver;
    Keep(receiver, 14, 0);
    Keep(receiver, 3, 0);
    Keep(receiver, 100, 0); // the memory grows
    EXPECT_EQ(Keep(receiver, 14, 0), RdmaSelectiveReceiver::HAD);
    EXPECT_TRUE(Take(receiver, 3));
    EXPECT_TRUE(Take(receiver, 14));
    EXPECT_TRUE(Take(receiver, 100));
}

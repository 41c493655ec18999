// SPDX-License-Identifier: GPL-2.0-only

// Link-level retry: sequence numbers, ordered sets, sizes, and the receiving side.

#include "ns3/llr-link.h"
#include "ns3/llr-receiver.h"
#include "ns3/llr-sender.h"
#include "ns3/llr-set.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;

TEST(Llr, NumbersAreCyclic)
{
    EXPECT_EQ(LlrDifference(0, 0xfffff), 1);
    EXPECT_EQ(LlrDifference(0xfffff, 0), -1);
    EXPECT_EQ(LlrDifference(16, 0xffff0), 32);
    EXPECT_EQ(LlrDifference(7, 7), 0);
}

TEST(Llr, AnOrderedSetOnTheLine)
{
    EXPECT_EQ(LlrSetBytes(LlrSetType::ACK, 0x12345),
              (std::array<uint8_t, 8>{0x4b, 0x01, 0x12, 0x34, 0x56, 0, 0, 0}));
    EXPECT_EQ(LlrSetBytes(LlrSetType::NACK, 0xfffff),
              (std::array<uint8_t, 8>{0x4b, 0x02, 0xff, 0xff, 0xf6, 0, 0, 0}));
}

TEST(Llr, ReplayBufferForTheFullRate)
{
    constexpr uint32_t FRAME = 1542;
    const auto bytes = [](double gbps, double delayNs) {
        return LlrReplayBytes(gbps / 8 * 2 * delayNs, 2048, FRAME);
    };
    EXPECT_EQ(bytes(100, 25), 5757);
    EXPECT_EQ(bytes(100, 200), 10132);
    EXPECT_EQ(bytes(100, 1000), 30132);
    EXPECT_EQ(bytes(400, 25), 7632);
    EXPECT_EQ(bytes(400, 200), 25132);
    EXPECT_EQ(bytes(400, 1000), 105132);
    EXPECT_EQ(bytes(800, 25), 10132);
    EXPECT_EQ(bytes(800, 200), 45132);
    EXPECT_EQ(bytes(800, 1000), 205132);
}

TEST(Llr, ShareOfTheLineWithLosses)
{
    const double frame = 1106 * 8 / 400.0; // ns
    const double link = 2100 / frame;
    const double fabric = 12000 / frame;
    EXPECT_NEAR(link, 94.9, 0.1);
    EXPECT_NEAR(fabric, 542.5, 0.1);
    EXPECT_NEAR(GoBackNShare(1e-6, link), 0.999905, 1e-6);
    EXPECT_NEAR(GoBackNShare(1e-4, link), 0.990595, 1e-6);
    EXPECT_NEAR(GoBackNShare(1e-3, link), 0.913216, 1e-6);
    EXPECT_NEAR(GoBackNShare(1e-6, fabric), 0.999458, 1e-6);
    EXPECT_NEAR(GoBackNShare(1e-4, fabric), 0.948537, 1e-6);
    EXPECT_NEAR(GoBackNShare(1e-3, fabric), 0.648072, 1e-6);
}

TEST(LlrReceiver, OneNackForEachMissingFrame)
{
    LlrReceiver receiver;
    EXPECT_EQ(receiver.Arrived(0), LlrReceiver::DELIVER);
    EXPECT_TRUE(receiver.IsAckDue());
    receiver.Told();
    EXPECT_EQ(receiver.Arrived(2), LlrReceiver::DISCARD);
    EXPECT_TRUE(receiver.IsNackDue());
    EXPECT_EQ(receiver.LastGood(), 0);
    receiver.Told();
    EXPECT_EQ(receiver.Arrived(3), LlrReceiver::DISCARD);
    receiver.Missing();
    EXPECT_FALSE(receiver.IsNackDue()) << "once";
    EXPECT_FALSE(receiver.IsAckDue()) << "none meanwhile";
    EXPECT_EQ(receiver.Arrived(1), LlrReceiver::DELIVER);
    EXPECT_TRUE(receiver.IsAckDue());
    EXPECT_EQ(receiver.Arrived(1), LlrReceiver::DUPLICATE);
    EXPECT_EQ(receiver.Arrived(2), LlrReceiver::DELIVER);
    receiver.Missing();
    EXPECT_TRUE(receiver.IsNackDue()) << "the next one";
    EXPECT_EQ(receiver.LastGood(), 2);
}

TEST(LlrReceiver, NumbersWrap)
{
    LlrReceiver receiver;
    receiver.Begin(0xfffff);
    EXPECT_EQ(receiver.Arrived(0xfffff), LlrReceiver::DELIVER);
    EXPECT_EQ(receiver.LastGood(), 0xfffff);
    EXPECT_EQ(receiver.Arrived(0xfffff), LlrReceiver::DUPLICATE);
    EXPECT_EQ(receiver.Arrived(0), LlrReceiver::DELIVER);
    EXPECT_EQ(receiver.LastGood(), 0);
}

TEST(LlrSender, KeepsCopiesUntilTheyAreAcknowledged)
{
    LlrSender sender;
    for (uint32_t i = 0; i < 4; ++i)
    {
        Frame frame;
        frame.bytes = 100 + i;
        sender.Sent(frame);
        EXPECT_EQ(LlrSender::NumberOf(frame), i);
    }
    EXPECT_EQ(sender.Bytes(), 4 * 120 + 6);
    EXPECT_FALSE(sender.IsReplaying());
    EXPECT_TRUE(sender.Acknowledged(0));
    EXPECT_FALSE(sender.Acknowledged(0));
    EXPECT_FALSE(sender.Acknowledged(0xfffff)) << "an old one";
    sender.Replay();
    Frame* const again = sender.NextReplay();
    EXPECT_EQ(LlrSender::NumberOf(*again), 1);
    EXPECT_EQ(again->bytes, 101);
    again->Release();
    EXPECT_TRUE(sender.Acknowledged(2)) << "overtakes the replay";
    Frame* const last = sender.NextReplay();
    EXPECT_EQ(LlrSender::NumberOf(*last), 3);
    last->Release();
    EXPECT_FALSE(sender.IsReplaying());
    EXPECT_EQ(sender.Frames(), 1);
    EXPECT_EQ(sender.Forget(), 1);
    EXPECT_EQ(sender.Bytes(), 0);
}

// SPDX-License-Identifier: GPL-2.0-only

// Credits of frames, cyclic counters, and how many credits a link needs: closed forms and worked
// numbers (doc/link.rst).

#include "ns3/credit-counters.h"
#include "ns3/credit-link.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

/// A link of doc/link.rst: MTU 1500 with a tag.
CreditLink
Link(uint64_t gbps, uint64_t delayNs, uint32_t spacingBytes)
{
    CreditLink link;
    link.bitsPerSecond = gbps * 1000000000;
    link.reverseBitsPerSecond = link.bitsPerSecond;
    link.delayPs = delayNs * 1000;
    link.maxFrameBytes = 1522;
    link.spacingBytes = spacingBytes;
    return link;
}

} // namespace

TEST(CreditCounters, AFrameTakesItsBytesAndTheOverheadRoundedUp)
{
    const std::vector<uint32_t> frames{64, 65, 1086, 1518, 4158, 9216};
    const auto creditsOf = [&frames](const CreditUnit& unit) {
        std::vector<uint32_t> credits;
        for (const uint32_t frame : frames)
        {
            credits.push_back(unit.Of(frame));
        }
        return credits;
    };
    using Credits = std::vector<uint32_t>;
    EXPECT_EQ(creditsOf({256, 0}), (Credits{1, 1, 5, 6, 17, 36}));
    EXPECT_EQ(creditsOf({256, 64}), (Credits{1, 1, 5, 7, 17, 37}));
    EXPECT_EQ(creditsOf({208, 0}), (Credits{1, 1, 6, 8, 20, 45}));
    EXPECT_EQ(creditsOf({128, 0}), (Credits{1, 1, 9, 12, 33, 72}));
    EXPECT_EQ((CreditUnit{64, -16}.Of(80)), 1);
    EXPECT_EQ((CreditUnit{64, -16}.Of(81)), 2);
}

TEST(CreditCounters, CountsAreCyclic)
{
    CreditSender sender;
    sender.SetLimit(MAX_CREDITS);
    sender.Consume(1048570);
    sender.Consume(10);
    EXPECT_EQ(sender.Consumed(), 4);
    EXPECT_EQ(CreditDifference(4, 1048572), 8);
    EXPECT_EQ(CreditDifference(3, 32760, CREDIT_WIRE_BITS), 11);
}

TEST(CreditCounters, AFrameIsSentOnlyWithinTheLimit)
{
    CreditSender sender;
    sender.SetLimit(12);
    EXPECT_TRUE(sender.Fits(12));
    EXPECT_FALSE(sender.Fits(13));
    sender.Consume(7);
    EXPECT_TRUE(sender.Fits(5));
    EXPECT_FALSE(sender.Fits(6));
    sender.Update(2);
    EXPECT_EQ(sender.Used(), 5);
    EXPECT_TRUE(sender.Fits(7));
    sender.Update(2);
    EXPECT_EQ(sender.Used(), 5) << "the same count again frees nothing";
}

TEST(CreditCounters, FifteenBitsAreEnoughFarBeyondTheirRange)
{
    CreditSender sender;
    CreditReceiver receiver;
    sender.SetLimit(MAX_CREDITS);
    for (uint32_t i = 0; i < 200; ++i) // four times round 20 bits
    {
        ASSERT_TRUE(sender.Fits(MAX_CREDITS - i));
        sender.Consume(MAX_CREDITS - i);
        receiver.Store(MAX_CREDITS - i);
        EXPECT_EQ(receiver.Stored(), MAX_CREDITS - i);
        receiver.Free(MAX_CREDITS - i);
        sender.Update(receiver.Freed() & ((1U << CREDIT_WIRE_BITS) - 1));
        ASSERT_EQ(sender.Used(), 0) << i;
    }
}

TEST(CreditCounters, ACcUpdateFreesWhatWasLost)
{
    CreditReceiver receiver;
    receiver.Store(95);
    receiver.Free(90);
    EXPECT_EQ(receiver.Update(100), 5);
    EXPECT_EQ(receiver.Freed(), 95);
    EXPECT_EQ(receiver.Stored(), 5);
    EXPECT_EQ(receiver.Update(100), 0) << "once";
}

TEST(CreditLink, BytesForTheFullRate)
{
    EXPECT_EQ(FullRateWireBytes(Link(100, 100, 6400)), 11992);
    EXPECT_EQ(FullRateWireBytes(Link(100, 100, 800)), 6392);
    EXPECT_EQ(FullRateWireBytes(Link(100, 1000, 6400)), 34492);
    EXPECT_EQ(FullRateWireBytes(Link(100, 1000, 800)), 28892);
    EXPECT_EQ(FullRateWireBytes(Link(100, 5000, 6400)), 134492);
    EXPECT_EQ(FullRateWireBytes(Link(100, 5000, 800)), 128892);
    EXPECT_EQ(FullRateWireBytes(Link(100, 50000, 6400)), 1259492);
    EXPECT_EQ(FullRateWireBytes(Link(100, 50000, 800)), 1253892);
    EXPECT_EQ(FullRateWireBytes(Link(400, 100, 6400)), 19492);
    EXPECT_EQ(FullRateWireBytes(Link(400, 50000, 800)), 5003892);
    EXPECT_EQ(FullRateWireBytes(Link(800, 100, 6400)), 29492);
    EXPECT_EQ(FullRateWireBytes(Link(800, 1000, 6400)), 209492);
    EXPECT_EQ(FullRateWireBytes(Link(800, 5000, 6400)), 1009492);
    EXPECT_EQ(FullRateWireBytes(Link(800, 50000, 6400)), 10009492);
    // Updates on a line of a quarter of the rate come four times as late.
    CreditLink slowBack = Link(100, 1000, 6400);
    slowBack.reverseBitsPerSecond /= 4;
    EXPECT_EQ(FullRateWireBytes(slowBack), 34492 + 3 * 6400);
}

TEST(CreditLink, CreditsForTheFullRateHoldFramesFromHalfTheLongestUp)
{
    for (const uint32_t creditBytes : {128U, 208U, 256U, 1000U})
    {
        CreditLink link = Link(100, 1000, 6400);
        link.unit.bytes = creditBytes;
        const uint64_t credits = FullRateCredits(link);
        uint64_t needed = 0;
        for (uint32_t frame = 761; frame <= 1522; ++frame)
        {
            const uint64_t frames = (FullRateWireBytes(link) + frame + 19) / (frame + 20);
            needed = std::max<uint64_t>(needed, frames * link.unit.Of(frame));
        }
        EXPECT_EQ(credits, needed) << creditBytes;
    }
}

TEST(CreditLink, MemoryHoldsAnyFramesThatTheCreditsAllow)
{
    for (const uint32_t cell : {1U, 144U, 208U, 256U, 300U})
    {
        for (const CreditUnit& unit :
             {CreditUnit{256, 0}, CreditUnit{208, 64}, CreditUnit{64, -16}})
        {
            const uint64_t cells = CreditMemoryBytes(1000, unit, cell, 1522, 50) / cell;
            uint64_t most = 0;
            for (uint32_t frame = 64; frame <= 1522; ++frame)
            {
                most = std::max<uint64_t>(most,
                                          1000 * ((frame + 50 + cell - 1) / cell) / unit.Of(frame));
            }
            EXPECT_EQ(cells, most) << cell << ", " << unit.bytes;
        }
    }
    EXPECT_EQ(CreditMemoryBytes(1000, {208, 0}, 208, 9238), 208000) << "a credit is a cell";
    EXPECT_EQ(CreditMemoryBytes(1000, {256, 0}, 208, 9238), 416000) << "209 bytes take two cells";
}

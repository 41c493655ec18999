// SPDX-License-Identifier: GPL-2.0-only

// When the next packet of a queue pair may leave, by the rate of its congestion control.

#include "ns3/rdma-pacer.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr int64_t PS = 1000000000000; //!< ticks in a second
constexpr double LINE = 100e9;        //!< line rate, bit/s: 80 ps a byte

TEST(RdmaPacer, APacketTakesAsLongAsTheRateSays)
{
    RdmaPacer pacer;
    pacer.SetRate(LINE / 2, PS, 0);
    EXPECT_DOUBLE_EQ(pacer.Rate(), LINE / 2);
    EXPECT_TRUE(pacer.MaySend(LINE, 0)) << "nothing was sent";
    pacer.Sent(1000, 500);
    EXPECT_EQ(pacer.NextSend(), 500 + 160000);
    EXPECT_FALSE(pacer.MaySend(LINE, 160499));
    EXPECT_TRUE(pacer.MaySend(LINE, 160500));
}

TEST(RdmaPacer, AtLineRateTheLinePaces)
{
    RdmaPacer pacer;
    pacer.SetRate(LINE, PS, 0);
    pacer.Sent(1000, 0);
    EXPECT_TRUE(pacer.MaySend(LINE, 0));
}

TEST(RdmaPacer, AnotherRateHoldsForTheLastPacket)
{
    RdmaPacer pacer;
    pacer.SetRate(LINE / 2, PS, 0);
    pacer.Sent(1000, 0);
    pacer.SetRate(LINE / 4, PS, 10000);
    EXPECT_EQ(pacer.NextSend(), 320000) << "slower";
    pacer.SetRate(LINE, PS, 100000);
    EXPECT_EQ(pacer.NextSend(), 100000) << "faster, but not in the past";
}

TEST(RdmaPacer, AnotherRateMayWaitForTheNextPacket)
{
    RdmaPacer pacer;
    pacer.SetRate(LINE / 2, PS, 0);
    pacer.Sent(1000, 0);
    pacer.SetRate(LINE / 4, PS, 10000, RdmaPacer::NEXT);
    EXPECT_EQ(pacer.NextSend(), 160000) << "as the rate before said";
    pacer.Sent(1000, 160000);
    EXPECT_EQ(pacer.NextSend(), 160000 + 320000);
}

TEST(RdmaPacer, AnotherRateMayCountFromTheLastPacket)
{
    RdmaPacer pacer;
    pacer.SetRate(LINE, PS, 0);
    pacer.Sent(1000, 500);
    pacer.SetRate(LINE / 2, PS, 400000, RdmaPacer::FROM_SENT);
    EXPECT_EQ(pacer.NextSend(), 500 + 160000) << "the gap is over already";
    pacer.SetRate(LINE / 8, PS, 500000, RdmaPacer::FROM_SENT);
    EXPECT_EQ(pacer.NextSend(), 500 + 640000) << "it was not";
}

TEST(RdmaPacer, GapsMayBeCutToAUnit)
{
    RdmaPacer pacer;
    pacer.SetUnit(1000);
    pacer.SetRate(LINE, PS, 0);
    pacer.Sent(1048, 0);
    EXPECT_EQ(pacer.NextSend(), 83000) << "83.84 ns";
    pacer.Sent(1048, 83000);
    EXPECT_EQ(pacer.NextSend(), 166000) << "nothing is carried";
    pacer.Sent(1056, 166000);
    pacer.SetRate(1e8, PS, 200000, RdmaPacer::FROM_SENT);
    EXPECT_EQ(pacer.NextSend(), 166000 + 84480000) << "84480 ns exactly, as the double is above it";
    pacer.SetRate(2e8, PS, 200000, RdmaPacer::FROM_SENT);
    EXPECT_EQ(pacer.NextSend(), 166000 + 42239000) << "42240 ns exactly: seconds are cut, too";
}

TEST(RdmaPacer, FractionsOfATickAreCarried)
{
    RdmaPacer pacer;
    pacer.SetRate(8e9, 250000000, 0); // a quarter of a tick a byte
    int64_t now = 0;
    for (int i = 0; i < 4; ++i)
    {
        pacer.Sent(1001, now); // 250.25 ticks
        now = pacer.NextSend();
    }
    EXPECT_EQ(now, 1001);
}

} // namespace

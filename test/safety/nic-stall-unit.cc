// SPDX-License-Identifier: GPL-2.0-only

// When a NIC is taken for dead.

#include "ns3/nic-stall-detector.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(NicStall, NoProgressUnderPauseForTheTime)
{
    NicStallDetector detector(100);
    EXPECT_FALSE(detector.Sample(0, 5, true)) << "never at the first look";
    EXPECT_FALSE(detector.Sample(99, 5, true));
    EXPECT_TRUE(detector.Sample(100, 5, true));
}

TEST(NicStall, ProgressBeginsAnew)
{
    NicStallDetector detector(100);
    EXPECT_FALSE(detector.Sample(0, 5, true));
    EXPECT_FALSE(detector.Sample(90, 6, true)) << "one frame in 90";
    EXPECT_FALSE(detector.Sample(189, 6, true));
    EXPECT_TRUE(detector.Sample(190, 6, true));
}

TEST(NicStall, SlowIsNotDead)
{
    NicStallDetector detector(100);
    for (int64_t i = 0; i < 1000; ++i)
    {
        EXPECT_FALSE(detector.Sample(i * 99, i, true));
    }
}

TEST(NicStall, IdleIsNotDead)
{
    NicStallDetector detector(100);
    EXPECT_FALSE(detector.Sample(0, 5, false));
    EXPECT_FALSE(detector.Sample(1000, 5, false));
    EXPECT_FALSE(detector.Sample(1090, 5, true)) << "the time counts from the pause";
    EXPECT_FALSE(detector.Sample(1189, 5, true));
    EXPECT_FALSE(detector.Sample(1190, 5, false)) << "it ended in time";
    EXPECT_FALSE(detector.Sample(1191, 5, true));
    EXPECT_TRUE(detector.Sample(1291, 5, true));
}

TEST(NicStall, ResetForgets)
{
    NicStallDetector detector(100);
    EXPECT_FALSE(detector.Sample(0, 5, true));
    detector.Reset();
    EXPECT_FALSE(detector.Sample(100, 5, true));
    EXPECT_TRUE(detector.Sample(200, 5, true));
}

TEST(NicStall, OneLookNeverDecides)
{
    NicStallDetector detector(1);
    EXPECT_FALSE(detector.Sample(1000000, 0, true));
    EXPECT_TRUE(detector.Sample(1000001, 0, true));
}

// SPDX-License-Identifier: GPL-2.0-only

// The averaged queue length of WRED, against the vector computed by hand.

#include "ns3/polled-average.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr PolledAverage::Config SIXTEENTH{100, 1.0 / 16};

} // namespace

TEST(PolledAverage, VectorJumpTo1000)
{
    PolledAverage average;
    average.Change(SIXTEENTH, 50, 1000); // the poll at 0 saw nothing
    EXPECT_EQ(average.Get(SIXTEENTH, 99), 0);
    EXPECT_DOUBLE_EQ(average.Get(SIXTEENTH, 100), 62.5);
    EXPECT_DOUBLE_EQ(average.Get(SIXTEENTH, 199), 62.5); // a staircase
    EXPECT_NEAR(average.Get(SIXTEENTH, 200), 121.094, 5e-4);
    EXPECT_NEAR(average.Get(SIXTEENTH, 300), 176.025, 5e-4);
    EXPECT_NEAR(average.Get(SIXTEENTH, 1600), 643.926, 5e-4);
}

TEST(PolledAverage, MadeUpForAtOnceOrStepByStep)
{
    PolledAverage lazy;
    PolledAverage eager;
    lazy.Change(SIXTEENTH, 50, 1000);
    eager.Change(SIXTEENTH, 50, 1000);
    for (int64_t now = 51; now < 3000; ++now)
    {
        eager.Get(SIXTEENTH, now);
    }
    EXPECT_NEAR(lazy.Get(SIXTEENTH, 2999), eager.Get(SIXTEENTH, 2999), 1e-9);
}

TEST(PolledAverage, DecaysOnAnIdleQueue)
{
    PolledAverage average;
    average.Change(SIXTEENTH, 50, 1000);
    average.Change(SIXTEENTH, 1650, 0); // 16 polls
    EXPECT_NEAR(average.Get(SIXTEENTH, 1699), 643.926, 5e-4);
    EXPECT_NEAR(average.Get(SIXTEENTH, 1700), 643.926 * 15 / 16, 5e-4);
    EXPECT_LT(average.Get(SIXTEENTH, 100000), 1e-3);
}

TEST(PolledAverage, SeesOnlyWhatIsThereAtAPoll)
{
    PolledAverage average;
    average.Change(SIXTEENTH, 101, 1000000);
    average.Change(SIXTEENTH, 199, 0);
    EXPECT_EQ(average.Get(SIXTEENTH, 1000), 0);
}

TEST(PolledAverage, WithoutAverageOrInterval)
{
    const PolledAverage::Config last{100, 1};
    PolledAverage average;
    average.Change(last, 50, 700);
    EXPECT_EQ(average.Get(last, 99), 0);
    EXPECT_EQ(average.Get(last, 100), 700);
    const PolledAverage::Config always{0, 1.0 / 16};
    PolledAverage instant;
    instant.Change(always, 50, 700);
    EXPECT_EQ(instant.Get(always, 50), 700);
}

TEST(PolledAverage, PollsAtMultiplesOfANewInterval)
{
    constexpr PolledAverage::Config SELDOM{1000000, 1.0 / 16};
    for (const bool again : {false, true})
    {
        PolledAverage average;
        average.Change(SELDOM, 50, 1000);
        average.Configure(SELDOM, SIXTEENTH, 250);
        if (again)
        {
            average.Configure(SIXTEENTH, SIXTEENTH, 299); // delays nothing
        }
        EXPECT_EQ(average.Get(SIXTEENTH, 299), 0);
        EXPECT_DOUBLE_EQ(average.Get(SIXTEENTH, 300), 62.5);
        average.Configure(SIXTEENTH, SELDOM, 350);
        EXPECT_DOUBLE_EQ(average.Get(SELDOM, 999999), 62.5);
        EXPECT_NEAR(average.Get(SELDOM, 1000000), 121.094, 5e-4);
    }
}

TEST(PolledAverage, BeginsWithTheLengthWhereThereWereNoPolls)
{
    constexpr PolledAverage::Config NO_POLLS{0, 1.0 / 16};
    PolledAverage average;
    average.Change(NO_POLLS, 50, 1000);
    average.Configure(NO_POLLS, SIXTEENTH, 60);
    EXPECT_DOUBLE_EQ(average.Get(SIXTEENTH, 99), 1000);
    average.Change(SIXTEENTH, 99, 0);
    EXPECT_DOUBLE_EQ(average.Get(SIXTEENTH, 100), 937.5);
}

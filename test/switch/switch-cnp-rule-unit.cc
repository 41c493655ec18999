// SPDX-License-Identifier: GPL-2.0-only

// How many CNPs a switch sends, against the vectors computed by hand.

#include "switch-cnp-rule.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(SwitchCnpRule, Vectors)
{
    EXPECT_EQ(SwitchCnpRule::Count(100, 50, 1000, 8), 1U);
    EXPECT_EQ(SwitchCnpRule::Count(700, 600, 1000, 8), 6U);
    EXPECT_EQ(SwitchCnpRule::Count(990, 900, 1000, 8), 8U);
    EXPECT_EQ(SwitchCnpRule::Count(100, 200, 1000, 8), 0U);
    EXPECT_EQ(SwitchCnpRule::Count(700, 800, 1000, 8), 1U);
}

TEST(SwitchCnpRule, BeyondTheLimitAndEqual)
{
    EXPECT_EQ(SwitchCnpRule::Count(50000, 900, 1000, 8), 8U);
    EXPECT_EQ(SwitchCnpRule::Count(700, 700, 1000, 8), 1U); // equal is not growing
    EXPECT_EQ(SwitchCnpRule::Count(599, 599, 1000, 8), 0U);
}

TEST(SwitchCnpRule, NeverMoreThanFlows)
{
    EXPECT_EQ(SwitchCnpRule::Count(100, 50, 1000, 0), 0U);
    EXPECT_EQ(SwitchCnpRule::Count(900, 950, 1000, 0), 0U);
    EXPECT_EQ(SwitchCnpRule::Count(900, 50, 1000, 1), 1U);
}

TEST(SwitchCnpRule, GrowsWithTheQueue)
{
    uint32_t before = 0;
    for (uint64_t bytes = 1; bytes <= 1200; ++bytes)
    {
        const uint32_t count = SwitchCnpRule::Count(bytes, 0, 1000, 20);
        EXPECT_GE(count, before) << bytes;
        before = count;
    }
    EXPECT_EQ(before, 20U);
}

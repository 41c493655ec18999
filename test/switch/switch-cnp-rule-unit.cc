// SPDX-License-Identifier: GPL-2.0-only

// How many CNPs a switch sends, against the vectors computed by hand.

#include "ns3/double.h"
#include "ns3/switch-cnp-rule.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/// @param rule a rule @param bytes length @param before that at the last poll, of 1000 @param flows
/// number of flows @return CNPs
uint32_t
CountOf(const Ptr<SwitchCnpRule>& rule, uint64_t bytes, uint64_t before, uint32_t flows = 8)
{
    return rule->Count({0, 3, bytes, before, 1000, flows});
}

} // namespace

TEST(TrendCnpRule, Vectors)
{
    const auto rule = CreateObject<TrendCnpRule>();
    EXPECT_EQ(CountOf(rule, 100, 50), 1U);
    EXPECT_EQ(CountOf(rule, 700, 600), 6U);
    EXPECT_EQ(CountOf(rule, 990, 900), 9U); // the sender of CNPs sends 8, one for each flow
    EXPECT_EQ(CountOf(rule, 100, 200), 0U);
    EXPECT_EQ(CountOf(rule, 700, 800), 1U);
}

TEST(TrendCnpRule, BeyondTheLimitAndEqual)
{
    const auto rule = CreateObject<TrendCnpRule>();
    EXPECT_EQ(CountOf(rule, 50000, 900), 9U);
    EXPECT_EQ(CountOf(rule, 700, 700), 1U); // equal is not growing
    EXPECT_EQ(CountOf(rule, 599, 599), 0U);
}

TEST(TrendCnpRule, Borders)
{
    const auto rule = CreateObject<TrendCnpRule>();
    rule->SetAttribute("LowUse", DoubleValue(0.5));
    rule->SetAttribute("HighUse", DoubleValue(0.9));
    EXPECT_EQ(CountOf(rule, 499, 50), 1U);
    EXPECT_EQ(CountOf(rule, 750, 600), 5U); // 1 + 8 * 0.25 / 0.5
    EXPECT_EQ(CountOf(rule, 899, 950), 0U);
    EXPECT_EQ(CountOf(rule, 900, 950), 1U);
    rule->SetAttribute("LowUse", DoubleValue(1));
    EXPECT_EQ(CountOf(rule, 999, 50), 1U);
    EXPECT_EQ(CountOf(rule, 1000, 50), 9U);
}

TEST(TrendCnpRule, GrowsWithTheQueue)
{
    const auto rule = CreateObject<TrendCnpRule>();
    uint32_t before = 0;
    for (uint64_t bytes = 1; bytes <= 1200; ++bytes)
    {
        const uint32_t count = CountOf(rule, bytes, 0, 20);
        EXPECT_GE(count, before) << bytes;
        before = count;
    }
    EXPECT_EQ(before, 21U);
}

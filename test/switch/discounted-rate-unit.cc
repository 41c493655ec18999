// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/discounted-rate.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

// 100 Gb/s, 50 us, a part of 0.2, 3 bits; ticks are nanoseconds.
constexpr double BYTES_PER_PERIOD = 625000;
const DiscountedRate::Terms TERMS{50000, 0.2, BYTES_PER_PERIOD / 0.2, 8};

/// @param load part of the rate @param periods how many @return level at the end of the last one
uint32_t
LevelAfter(double load, int64_t periods)
{
    DiscountedRate rate;
    for (int64_t period = 0; period < periods; ++period)
    {
        rate.Add(static_cast<uint32_t>(load * BYTES_PER_PERIOD), period * TERMS.period, TERMS);
    }
    return rate.GetLevel(periods * TERMS.period - 1, TERMS);
}

} // namespace

TEST(DiscountedRate, LevelsOfSteadyLoads)
{
    const std::vector<std::pair<double, uint32_t>> levels{{0.1, 0},
                                                          {0.3, 2},
                                                          {0.55, 4},
                                                          {0.7, 5},
                                                          {0.9, 7},
                                                          {1.0, 7}};
    for (const auto& [load, level] : levels)
    {
        EXPECT_EQ(LevelAfter(load, 200), level) << load;
    }
    EXPECT_EQ(LevelAfter(1, 1), 1U) << "625000 of 3125000 bytes";
}

TEST(DiscountedRate, PeriodsWithoutFramesAreMadeUpFor)
{
    // 0.8^n falls below 1/8 of the full register after 10 periods: 0.8^9 = 0.134, 0.8^10 = 0.107.
    for (const int64_t idle : {9, 10, 1000000000})
    {
        DiscountedRate rate;
        rate.Add(3125000, 0, TERMS);
        EXPECT_EQ(rate.GetLevel(idle * TERMS.period, TERMS), idle == 9 ? 1U : 0U);
    }
    DiscountedRate asked;
    asked.Add(3125000, 0, TERMS);
    DiscountedRate unasked = asked;
    for (int64_t now = 0; now < 9 * TERMS.period; now += 777)
    {
        asked.GetLevel(now, TERMS);
    }
    EXPECT_EQ(asked.GetLevel(9 * TERMS.period, TERMS), unasked.GetLevel(9 * TERMS.period, TERMS))
        << "asking changes nothing";
}

TEST(DiscountedRate, TheHighestLevelIsNotExceeded)
{
    DiscountedRate rate;
    rate.Add(1000000000, 0, TERMS);
    EXPECT_EQ(rate.GetLevel(0, TERMS), 7U);
}

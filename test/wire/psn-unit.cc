// SPDX-License-Identifier: GPL-2.0-only

// Psn: vectors of InfiniBand architecture 9.7, and 64-bit numbers rebuilt from 24 bits across many
// wraps.

#include "psn.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

TEST(Psn, KnownVectors)
{
    struct Vector
    {
        uint32_t a;
        uint32_t b;
        bool before;
        int32_t distance;
    };

    const Vector vectors[] = {
        {0x000000, 0x000001, true, -1},
        {0xffffff, 0x000000, true, -1},
        {0x800000, 0x000000, true, -8388608},
        {0x7fffff, 0x000000, false, 8388607},
        {0x000005, 0x000005, false, 0},
        {0x000010, 0xfffff0, false, 32},
    };
    for (const Vector& v : vectors)
    {
        EXPECT_EQ(Psn::Before(v.a, v.b), v.before) << std::hex << v.a << " " << v.b;
        EXPECT_EQ(Psn::Distance(v.a, v.b), v.distance) << std::hex << v.a << " " << v.b;
    }
    static_assert(Psn::Distance(0x10, 0xfffff0) == 32, "usable at compile time");
}

TEST(Psn, TruncateKeeps24Bits)
{
    EXPECT_EQ(Psn::Truncate(0x123456789abcdef0), 0xbcdef0U);
    EXPECT_EQ(Psn::Truncate(0x1000000), 0U);
    EXPECT_EQ(Psn::Truncate(0xffffff), 0xffffffU);
}

TEST(Psn, DistanceLooksAt24BitsOnly)
{
    EXPECT_EQ(Psn::Distance(0x5000000000000002, 0x7f00000000000001), 1);
    EXPECT_EQ(Psn::Distance(0x1000000, 0xffffff), 1);
}

TEST(Psn, ExtendFindsTheNumberMeant)
{
    std::mt19937_64 random(24);
    for (int i = 0; i < 100000; ++i)
    {
        const uint64_t reference = random() >> (random() % 60 + 2);
        const int64_t distance = static_cast<int64_t>(random() % Psn::SPACE) - Psn::HALF;
        if (distance < 0 && reference < static_cast<uint64_t>(-distance))
        {
            continue;
        }
        const uint64_t meant = reference + static_cast<uint64_t>(distance);
        ASSERT_EQ(Psn::Extend(Psn::Truncate(meant), reference), meant)
            << reference << " " << distance;
    }
}

TEST(Psn, ExtendAtTheEdges)
{
    EXPECT_EQ(Psn::Extend(0x000000, 0xffffff), 0x1000000U);         // wrapped once
    EXPECT_EQ(Psn::Extend(0xffffff, 0x1000000), 0xffffffU);         // the last of before
    EXPECT_EQ(Psn::Extend(0xfffff0, 5), 0xfffff0U);                 // nothing below zero
    EXPECT_EQ(Psn::Extend(0x800000, 0x1000000), 0x800000U);         // half the circle: before
    EXPECT_EQ(Psn::Extend(1, 1ULL << 40), (1ULL << 40) + 1);        // a 2^40-packet flow
    EXPECT_EQ(Psn::Extend(0xffffff, 3ULL << 24), (3ULL << 24) - 1); //
}

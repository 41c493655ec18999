// SPDX-License-Identifier: GPL-2.0-only

// Powers that are the same on every machine, to the last bit.

#include "ns3/integer-power.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace ns3;

TEST(IntegerPower, ExactCases)
{
    EXPECT_EQ(IntegerPower(3, 0), 1);
    EXPECT_EQ(IntegerPower(0, 0), 1);
    EXPECT_EQ(IntegerPower(0, 7), 0);
    EXPECT_EQ(IntegerPower(3, 1), 3);
    EXPECT_EQ(IntegerPower(3, 20), 3486784401.0);
    EXPECT_EQ(IntegerPower(-2, 9), -512);
    EXPECT_EQ(IntegerPower(0.5, 1000), std::ldexp(1.0, -1000));
    EXPECT_EQ(IntegerPower(1, std::numeric_limits<uint64_t>::max()), 1);
    EXPECT_EQ(IntegerPower(0.996, 1000000), 0); // below the smallest number
}

TEST(IntegerPower, BitsAreFixed)
{
    // Computed elsewhere in the same order, product by product, in IEEE 754 double precision.
    EXPECT_EQ(IntegerPower(1 - 1.0 / 256, 55), 0x1.9cd70bb13d35bp-1);
    EXPECT_EQ(IntegerPower(1 - 1.0 / 256, 1000), 0x1.4710d4af618d4p-6);
    EXPECT_EQ(IntegerPower(1 - 1.0 / 16, 37), 0x1.78183c125a33bp-4);
    EXPECT_EQ(IntegerPower(0.9, 1234), 0x1.587526ac8c494p-188);
}

TEST(IntegerPower, CloseToThatOfTheLibrary)
{
    for (const double base : {1 - 1.0 / 256, 1 - 1.0 / 16, 0.9999, 1.0001})
    {
        for (uint64_t exponent = 0; exponent < 3000; ++exponent)
        {
            const double library = std::pow(base, static_cast<double>(exponent));
            EXPECT_NEAR(IntegerPower(base, exponent), library, library * 1e-12);
        }
    }
}

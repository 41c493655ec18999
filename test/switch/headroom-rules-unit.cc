// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-rules.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000;

} // namespace

TEST(HeadroomRules, WorstCaseOf8021Qbb)
{
    // Bit times 695936, 572768, 82278, 254848 and 142848, in bytes rounded up.
    EXPECT_EQ(StandardHeadroomBytes(100 * GBPS, 100, 9216, 9216), 86992U);
    EXPECT_EQ(StandardHeadroomBytes(100 * GBPS, 100, 1518, 1518), 71596U);
    EXPECT_EQ(StandardHeadroomBytes(25 * GBPS, 15, 1518, 1518), 10285U);
    EXPECT_EQ(StandardHeadroomBytes(40 * GBPS, 300, 1518, 1518), 31856U);
    EXPECT_EQ(StandardHeadroomBytes(40 * GBPS, 20, 1518, 1518), 17856U);
}

TEST(HeadroomRules, Sonic)
{
    const SonicHeadroom profile = SonicHeadroomBytes(SonicPort{});
    EXPECT_EQ(profile.xoff, 81920U);
    EXPECT_EQ(profile.xon, 18432U);
    EXPECT_EQ(profile.size, 100352U);
}

TEST(HeadroomRules, SpeedsWithoutConstantsAreRefused)
{
    EXPECT_THROW(StandardHeadroomBytes(400 * GBPS, 5, 1518, 1518), std::invalid_argument);
    EXPECT_THROW(StandardHeadroomBytes(30 * GBPS, 5, 1518, 1518), std::invalid_argument);
    SonicPort port;
    port.bitsPerSecond = 1;
    EXPECT_THROW(SonicHeadroomBytes(port), std::invalid_argument);
}

TEST(HeadroomRules, Deployment)
{
    EXPECT_EQ(DeploymentHeadroomCells(100000000000, 100), 408U);
    EXPECT_EQ(DeploymentHeadroomCells(25000000000, 15), 98U);
}

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

    // 400 Gb/s and 300 m: 2.25 * (9100 + 2 * 300 * 4e5 * 1e9 / 1.98e8 / 8192 + 819 + 905 * 64) and
    // 1024 are 486,581 B, in KiB 487,424 B; the cable term is 147,964 B.
    const auto of = [](uint64_t rate, uint32_t metres, uint32_t lanes) {
        SonicPort port;
        port.bitsPerSecond = rate;
        port.metres = metres;
        port.lanes = lanes;
        return SonicHeadroomBytes(port);
    };
    EXPECT_EQ(of(100 * GBPS, 40, 4).xoff, 92160U);
    EXPECT_EQ(of(100 * GBPS, 300, 4).xoff, 163840U);
    EXPECT_EQ(of(200 * GBPS, 300, 4).xoff, 256000U);
    EXPECT_EQ(of(400 * GBPS, 300, 8).xoff, 487424U);
    EXPECT_EQ(of(400 * GBPS, 300, 8).xon, 35840U) << "two pipelines less 1 KiB";
    EXPECT_EQ(of(400 * GBPS, 300, 8).size, 532480U) << "and the MTU of 9100, in KiB";
    EXPECT_EQ(of(400 * GBPS, 300, 0).xon, 35840U) << "8 lanes at 400 Gb/s";
    EXPECT_EQ(of(400 * GBPS, 300, 4).xon, 18432U);
    // 1 Gb/s: 2 quanta, 128 B; 5 m are 6 B.
    EXPECT_EQ(of(GBPS, 5, 1).xoff, 24576U);
    // 800 Gb/s: 905 quanta, as 400 Gb/s; 5 m are 4932 B.
    EXPECT_EQ(of(800 * GBPS, 5, 8).xoff, 164864U);
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

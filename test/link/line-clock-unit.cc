// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/line-clock.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000;
constexpr uint64_t PICOSECONDS = 1000000000000;
constexpr uint64_t NANOSECONDS = 1000000000;

/// @return when the last of `frames` back-to-back frames of `bytes` ends
int64_t
SendBackToBack(LineClock& clock, uint32_t frames, uint32_t bytes)
{
    int64_t now = 0;
    for (uint32_t i = 0; i < frames; ++i)
    {
        now = clock.Send(now, bytes);
    }
    return now;
}

} // namespace

// An 84-byte PFC frame.
TEST(LineClock, PfcFrameTimes)
{
    for (auto [rate, ps] : {std::pair{10 * GBPS, 67200},
                            {25 * GBPS, 26880},
                            {40 * GBPS, 16800},
                            {100 * GBPS, 6720},
                            {400 * GBPS, 1680}})
    {
        LineClock clock;
        clock.SetRate(rate, PICOSECONDS);
        EXPECT_EQ(clock.Send(0, 84), ps) << rate;
    }
}

// The public HPCC simulator counts whole nanoseconds.
TEST(LineClock, TimesMayBeCutToAUnit)
{
    LineClock clock;
    clock.SetRate(100 * GBPS, PICOSECONDS, 1000);
    EXPECT_EQ(clock.Send(0, 1048), 83000); // 83.84 ns
    EXPECT_EQ(clock.Send(83000, 1048), 166000) << "nothing is carried";
    clock.SetRate(7 * GBPS, PICOSECONDS, 1000);
    EXPECT_EQ(clock.Send(166000, 70), 166000 + 79000) << "80 ns exactly: seconds are cut, too";
    EXPECT_EQ(SendBackToBack(clock, 10, 71), 810000) << "81.14 ns";
    clock.SetRate(800 * GBPS, PICOSECONDS, 1000);
    EXPECT_EQ(clock.Send(0, 60), 1000) << "0.6 ns: no frame passes in no time";
}

// A truncating clock is 1 % fast at 100G and 4.8 % fast at 400G with nanosecond ticks.
TEST(LineClock, Pitfall03_ExactInTheLongRunAtAnySpeedAndResolution)
{
    for (uint64_t rate : {1 * GBPS,
                          3 * GBPS,
                          7 * GBPS,
                          100 * GBPS,
                          400 * GBPS,
                          800 * GBPS,
                          1600 * GBPS,
                          uint64_t{123456789},
                          uint64_t{999999999989}})
    {
        for (uint64_t resolution : {NANOSECONDS, PICOSECONDS})
        {
            for (uint32_t bytes : {84U, 1082U, 1106U, 9236U})
            {
                LineClock clock;
                clock.SetRate(rate, resolution);
                const uint32_t frames = 100000;
                const auto end = SendBackToBack(clock, frames, bytes);
                __extension__ using Wide = unsigned __int128;
                const Wide exact = Wide{frames} * bytes * 8 * resolution / rate;
                EXPECT_EQ(static_cast<uint64_t>(end), static_cast<uint64_t>(exact))
                    << rate << " bit/s, " << resolution << " ticks/s, " << bytes << " bytes";
            }
        }
    }
}

TEST(LineClock, AnIdleLineStartsOnAWholeTick)
{
    LineClock clock;
    clock.SetRate(3 * GBPS, NANOSECONDS); // 1 byte = 2.667 ns
    EXPECT_EQ(clock.Send(0, 1), 2);
    EXPECT_EQ(clock.Send(2, 1), 5); // 5.33: the fraction of the first counts
    LineClock idle;
    idle.SetRate(3 * GBPS, NANOSECONDS);
    EXPECT_EQ(idle.Send(0, 1), 2);
    EXPECT_EQ(idle.Send(100, 1), 102); // and not here
}

// IEEE 802.3 annex 31B: quanta, and 5 us in quanta.
TEST(LineClock, PauseQuanta)
{
    LineClock clock;
    clock.SetRate(100 * GBPS, PICOSECONDS);
    EXPECT_EQ(clock.TicksOfBits(512), 5120);
    EXPECT_EQ(clock.TicksOfBits(512ULL * 65535), 335539200);
    EXPECT_EQ(clock.TicksOfBits(512ULL * 977), 5002240);
    clock.SetRate(400 * GBPS, PICOSECONDS);
    EXPECT_EQ(clock.TicksOfBits(512), 1280);
    clock.SetRate(400 * GBPS, NANOSECONDS);
    EXPECT_EQ(clock.TicksOfBits(512), 2); // rounded up: a pause is never too short
}

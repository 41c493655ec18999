// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cut-time.h"
#include "ns3/headroom.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

constexpr uint64_t G = 1000000000;
constexpr uint64_t NS = 1000; // picoseconds

/// A row of the table in doc/link.rst.
struct Row
{
    uint64_t rate;
    uint64_t delayPs;
    uint32_t frame;
    uint64_t reactionPs;
    uint64_t wire;
    uint64_t cells;
};

HeadroomLink
Link(const Row& row)
{
    HeadroomLink link;
    link.bitsPerSecond = row.rate;
    link.delayPs = row.delayPs;
    link.maxFrameBytes = row.frame;
    link.reverseMaxFrameBytes = row.frame;
    link.reactionPs = row.reactionPs;
    return link;
}

} // namespace

TEST(Headroom, TableOfTheDocumentation)
{
    const Row rows[] = {{100 * G, 500 * NS, 1518, 0, 15660, 187},
                        {100 * G, 500 * NS, 1518, 1000 * NS, 28160, 336},
                        {100 * G, 1000 * NS, 1106, 0, 27336, 326},
                        {100 * G, 5000 * NS, 1106, 0, 127336, 1516},
                        {40 * G, 1000 * NS, 1106, 0, 12336, 147},
                        {25 * G, 75 * NS, 1518, 0, 3629, 44}};
    for (const auto& row : rows)
    {
        const HeadroomLink link = Link(row);
        EXPECT_EQ(HeadroomWireBytes(link), row.wire);
        EXPECT_EQ(HeadroomCells(row.wire, 208, row.frame), row.cells);
        // The frame that sets off the XOFF is covered without another cell.
        EXPECT_EQ(HeadroomBytes(link, 208), row.cells * 208);
    }
}

TEST(Headroom, GenerationTimeCounts)
{
    HeadroomLink link = Link({100 * G, 500 * NS, 1518, 0, 0, 0});
    link.generationPs = 1000 * NS;
    EXPECT_EQ(HeadroomWireBytes(link), 15660 + 12500);
}

TEST(Headroom, DataComesAtTheRateOfThePeer)
{
    // 400 Gb/s from the peer, 100 Gb/s towards the peer: four times as much arrives while the frame
    // before the PFC frame, and the PFC frame, leave.
    HeadroomLink link = Link({400 * G, 500 * NS, 1518, 0, 0, 0});
    link.reverseBitsPerSecond = 100 * G;
    EXPECT_EQ(HeadroomWireBytes(link), 50000U + 4 * (1538 + 84) + 1538);
    // The other way round a quarter, rounded up.
    link.bitsPerSecond = 100 * G;
    link.reverseBitsPerSecond = 400 * G;
    EXPECT_EQ(HeadroomWireBytes(link), 12500U + 406 + 1538);
    // The same both ways is the table of the documentation.
    link.reverseBitsPerSecond = 100 * G;
    EXPECT_EQ(HeadroomWireBytes(link), 15660U);
}

TEST(Headroom, Pitfall01_MtuAndFixedTermsCountOnShortLinks)
{
    // 3 * rate * delay, the rule of thumb, is 3750 bytes here; two frames alone are 3076.
    const HeadroomLink link = Link({100 * G, 100 * NS, 1518, 0, 0, 0});
    EXPECT_EQ(HeadroomWireBytes(link), 2500 + 1538 + 84 + 1538);
    EXPECT_GT(HeadroomBytes(link, 208), 3750U);
}

TEST(Headroom, ExactAtAnyRateAndTime)
{
    // 1.6 Tb/s for 2 * 1 ms: 4e8 bytes. And one bit more is one byte more.
    HeadroomLink link = Link({1600 * G, 1000000 * NS, 64, 0, 0, 0});
    EXPECT_EQ(HeadroomWireBytes(link), 400000000U + 84 + 84 + 84);
    link.reactionPs = 1;
    EXPECT_EQ(HeadroomWireBytes(link), 400000000U + 1 + 84 + 84 + 84);
}

TEST(Headroom, WorstFrameLengthDependsOnTheCell)
{
    // Byte mode: the longest frames waste least wire. 80-byte cells: an 81-byte frame takes two.
    EXPECT_EQ(HeadroomCells(1538 * 10, 1, 1518), 15180U);
    EXPECT_EQ(HeadroomCells(1010, 80, 1518), 20U);
    EXPECT_EQ(HeadroomCells(840, 208, 1518), 10U);
}

TEST(Headroom, NoFrameLengthNeedsMoreThanTheWorst)
{
    // By brute force: as many frames of one length as fit on the wire.
    for (uint32_t cell : {1, 64, 80, 144, 208, 256, 1024, 4096})
    {
        for (uint32_t frame = 64; frame <= 1518; ++frame)
        {
            const uint64_t cells = 15660 / (frame + 20) * ((frame + cell - 1) / cell);
            EXPECT_LE(cells, HeadroomCells(15660, cell, 1518)) << cell << " " << frame;
        }
    }
}

TEST(Headroom, WhatASwitchAddsBeforeItBooksIsCounted)
{
    HeadroomLink link;
    link.bitsPerSecond = 100 * G;
    link.delayPs = 1000 * NS;
    for (const uint32_t cell : {1, 80, 100, 208, 256})
    {
        link.addedBytes = 0;
        const uint64_t plain = HeadroomBytes(link, cell);
        for (const uint32_t added : {50, 70})
        {
            link.addedBytes = added;
            const uint64_t wire = HeadroomWireBytes(link);
            const uint64_t cells = HeadroomCells(wire, cell, 1518, FRAMES_STANDARD, added);
            EXPECT_GE(HeadroomBytes(link, cell), plain);
            EXPECT_GE(HeadroomBytes(link, cell), cells * cell);
            uint64_t worst = 0; // by trial, whole frames of one length
            for (uint32_t frame = 64; frame <= 1518; ++frame)
            {
                const uint64_t each = (frame + added + cell - 1) / cell;
                worst = std::max(worst, wire / (frame + 20) * each);
            }
            EXPECT_LE(worst, cells) << cell << "-byte cells, " << added << " bytes added";
        }
    }
}

TEST(Headroom, FramesOfTheHpccSimulatorNeedMore)
{
    // No preamble, no gap: each byte of the wire is stored, and the shortest frame has 48.
    EXPECT_EQ(HeadroomCells(15660, 1, 1518, FRAMES_HPCC), 15660U);
    EXPECT_EQ(HeadroomCells(480, 208, 1518, FRAMES_HPCC), 10U);
    EXPECT_EQ(HeadroomCells(980, 48, 1518, FRAMES_HPCC), 40U); // 49 bytes take two cells
    for (const uint32_t cell : {1, 64, 80, 208, 1024})
    {
        for (uint32_t frame = 48; frame <= 1518; ++frame)
        {
            const uint64_t cells = 15660 / frame * ((frame + cell - 1) / cell);
            EXPECT_LE(cells, HeadroomCells(15660, cell, 1518, FRAMES_HPCC)) << cell << " " << frame;
        }
    }
    HeadroomLink link = Link({100 * G, 500 * NS, 1518, 0, 0, 0});
    const uint64_t standard = HeadroomBytes(link, 1);
    link.format = FRAMES_HPCC;
    EXPECT_EQ(HeadroomBytes(link, 1), HeadroomWireBytes(link) - 1538 + 2 * 1518);
    EXPECT_GT(HeadroomBytes(link, 1), standard);
}

TEST(Headroom, CutTimesMakeTheLineFaster)
{
    // 100 bytes take 8 ns at 100 Gb/s, of which the cut leaves 7; 50 take 3 in place of 4.
    HeadroomLink link = Link({100 * G, 500 * NS, 1518, 0, 0, 0});
    link.format = FRAMES_HPCC;
    link.unitPs = NS;
    // So data arrives at 4/3 of the rate: 12500 bytes become 16667, and 1622 become 2163.
    EXPECT_EQ(HeadroomWireBytes(link), 16667U + 2163 + 1538);
    for (const uint64_t gigabits : {1, 10, 40, 100, 200, 400, 800, 1600})
    {
        for (const FrameFormat format : {FRAMES_STANDARD, FRAMES_HPCC})
        {
            link.bitsPerSecond = gigabits * G;
            link.format = format;
            link.delayPs = 50000 * NS; // what passes in 100 us, and the rest
            link.reverseMaxFrameBytes = 0;
            const uint64_t wire = HeadroomWireBytes(link);
            for (uint32_t bytes = ShortestFrameBytes(format); bytes <= 1518; ++bytes)
            {
                const uint32_t onWire = bytes + GapBytes(format);
                const int64_t time = CutFrameTime(onWire, gigabits * G, 1000000000000, NS);
                EXPECT_LE(100000 * NS / time * onWire, wire) << gigabits << " " << bytes;
            }
        }
    }
}

TEST(Headroom, CoversTheFrameThatGoesToHeadroomAsABlock)
{
    // Byte mode: one longest frame before HeadroomWireBytes() starts to count, then that full of
    // longest frames.
    const HeadroomLink link = Link({100 * G, 500 * NS, 1518, 0, 0, 0});
    const uint64_t after = HeadroomWireBytes(link) / 1538 * 1518;
    EXPECT_GE(HeadroomBytes(link, 1), after + 1518);
}

TEST(Headroom, AbsurdDelaysDoNotWrap)
{
    // 100 Gb/s for 2 * 92.2337205 s: the products passed 64 bits, and little was left of them.
    HeadroomLink link = Link({100 * G, 92233720500000, 1518, 0, 0, 0});
    EXPECT_EQ(HeadroomWireBytes(link), 2305843012500U + 1538 + 84 + 1538);
    EXPECT_GT(HeadroomBytes(link, 208), 2305843012500U);
    uint64_t before = 0;
    for (uint64_t delay = 1; delay < uint64_t{1} << 63; delay *= 2)
    {
        link.delayPs = delay;
        for (const uint32_t cell : {1U, 208U, ~0U})
        {
            EXPECT_GE(HeadroomBytes(link, cell), before) << delay;
        }
        before = HeadroomBytes(link, 1);
    }
    EXPECT_GT(before, uint64_t{1} << 45);
    link = {~uint64_t{0}, ~uint64_t{0}, 1518, 1518, ~uint64_t{0}, ~uint64_t{0}};
    EXPECT_GE(HeadroomWireBytes(link), uint64_t{1} << 46);
}

TEST(Headroom, ZeroRateIsRefused)
{
    EXPECT_THROW(HeadroomWireBytes(HeadroomLink{}), std::invalid_argument);
}

// SPDX-License-Identifier: GPL-2.0-only

// Headroom by all rules, for a link as a user describes it.

#include "headroom-table.h"
#include "helper-test-util.h"

#include <sstream>

using namespace ns3;

namespace
{

/// IP MTU of frames of 1518 bytes with a tag.
constexpr uint32_t MTU_1518 = 1496;
/// IP MTU of frames of 1106 bytes with a tag.
constexpr uint32_t MTU_1106 = 1084;

/// @return the case of a rate in Gb/s, a cable, an MTU and a reaction delay in us
HeadroomCase
CaseOf(uint64_t gigabits, uint32_t metres, uint32_t mtu, double reaction = 0)
{
    HeadroomCase input;
    input.rate = DataRate(gigabits * 1000000000);
    input.metres = metres;
    input.mtuBytes = mtu;
    input.reaction = MicroSeconds(reaction);
    return input;
}

} // namespace

TEST(HeadroomTable, ExactRule)
{
    const struct
    {
        HeadroomCase input;
        uint64_t wireBytes;
        uint64_t cells;
    } vectors[] = {
        {CaseOf(100, 100, MTU_1518), 15660, 187},
        {CaseOf(100, 100, MTU_1518, 1), 28160, 336},
        {CaseOf(100, 200, MTU_1106), 27336, 326},
        {CaseOf(100, 1000, MTU_1106), 127336, 1516},
        {CaseOf(40, 200, MTU_1106), 12336, 147},
        {CaseOf(25, 15, MTU_1518), 3629, 44},
    };

    for (const auto& vector : vectors)
    {
        const HeadroomRow row = HeadroomOf(vector.input);
        EXPECT_EQ(row.wireBytes, vector.wireBytes);
        EXPECT_EQ(row.cells, vector.cells);
        EXPECT_EQ(row.bytes, vector.cells * 208);
    }
}

TEST(HeadroomTable, CellsOfAnotherSize)
{
    HeadroomCase input = CaseOf(100, 100, MTU_1518);
    input.cellBytes = 1; // the frame that sets off the XOFF comes on top
    const HeadroomRow row = HeadroomOf(input);
    EXPECT_EQ(row.bytes, HeadroomBytes(LinkOf(input), 1));
    EXPECT_EQ(row.cells, row.bytes);
    EXPECT_GT(row.bytes, row.wireBytes);
    input.format = FRAMES_HPCC;
    EXPECT_GT(HeadroomOf(input).bytes, row.bytes); // no gap between frames
}

TEST(HeadroomTable, WorstCaseOf8021Qbb)
{
    EXPECT_EQ(HeadroomOf(CaseOf(100, 100, MTU_1518)).standardBytes, 71596U);
    EXPECT_EQ(HeadroomOf(CaseOf(100, 100, 9216 - 22)).standardBytes, 86992U);
    EXPECT_EQ(HeadroomOf(CaseOf(40, 300, MTU_1518)).standardBytes, 31856U);
    EXPECT_EQ(HeadroomOf(CaseOf(25, 15, MTU_1518)).standardBytes, 10285U);
    EXPECT_EQ(HeadroomOf(CaseOf(400, 100, MTU_1518)).standardBytes, std::nullopt);
    EXPECT_EQ(HeadroomOf(CaseOf(50, 100, MTU_1518)).standardBytes, std::nullopt);
}

TEST(HeadroomTable, Sonic)
{
    // 1518 + (1518 + 631.3 of cable + 819 + 394 * 64) * 208 / 64, in steps of 1 KiB.
    const auto sonic = HeadroomOf(CaseOf(100, 5, MTU_1518)).sonic;
    ASSERT_TRUE(sonic);
    EXPECT_EQ(sonic->xoff, 91U * 1024);
    EXPECT_EQ(sonic->xon, 18U * 1024);
    EXPECT_EQ(sonic->size, 109U * 1024);
    EXPECT_TRUE(HeadroomOf(CaseOf(400, 5, MTU_1518)).sonic);
    EXPECT_TRUE(HeadroomOf(CaseOf(800, 5, MTU_1518)).sonic);
}

TEST(HeadroomTable, Deployment)
{
    EXPECT_EQ(HeadroomOf(CaseOf(100, 100, 1500)).deploymentCells, 408U);
    EXPECT_EQ(HeadroomOf(CaseOf(25, 15, 1500)).deploymentCells, 98U);
}

TEST(HeadroomTable, Text)
{
    std::ostringstream text;
    const HeadroomCases cases{{DataRate("2500Mbps"), DataRate("100Gbps")},
                              {100},
                              {1496},
                              {MicroSeconds(1)},
                              {208}};
    PrintHeadroomTable(text, MakeHeadroomTable(cases));
    EXPECT_EQ(text.str(),
              "rate  cable   MTU  reaction  cell  exact: wire  cells   bytes  802.1Qbb  SONiC: xoff"
              "     xon     size   deployment\n"
              "Gb/s      m     B        us     B            B              B         B            B"
              "       B        B  208 B cells\n"
              " 2.5    100  1496         1   208        3,785     46   9,568         -            -"
              "       -        -           45\n"
              " 100    100  1496         1   208       28,160    336  69,888    71,596      132,096"
              "  18,432  150,528          408\n");
}

TEST(HeadroomTable, WhatIsOutOfRangeIsRefused)
{
    const auto with = [](auto&& edit) {
        HeadroomCase input;
        edit(input);
        HeadroomOf(input);
    };
    EXPECT_FABRIC_ERROR(with([](HeadroomCase& input) { input.rate = DataRate(0); }),
                        "the rate in bit/s is 0; it must be 1 to 10000000000000");
    EXPECT_FABRIC_ERROR(with([](HeadroomCase& input) { input.metres = 100001; }),
                        "the length of the cable in metres is 100001; it must be 0 to 100000");
    EXPECT_FABRIC_ERROR(with([](HeadroomCase& input) { input.mtuBytes = 67; }),
                        "the MTU is 67; it must be 68 to 9216");
    EXPECT_FABRIC_ERROR(with([](HeadroomCase& input) { input.cellBytes = 0; }),
                        "the size of a cell in bytes is 0; it must be 1 to 65536");
    EXPECT_FABRIC_ERROR(with([](HeadroomCase& input) { input.reaction = Seconds(2); }),
                        "the reaction delay is out of range; it must be 0 to 1 s");
}

TEST(HeadroomTable, Lists)
{
    HeadroomTexts texts;
    EXPECT_EQ(MakeHeadroomTable(texts.Read()).size(), 8U * 4);
    texts.rates = {"25Gb/s", "1.6Tbps"};
    texts.metres = {"3"};
    texts.reactions = {"0", "350ns"};
    const auto rows = MakeHeadroomTable(texts.Read());
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].input.rate, DataRate("25Gbps"));
    EXPECT_EQ(rows[1].input.reaction, NanoSeconds(350));
    EXPECT_EQ(rows[3].input.rate, DataRate("1600Gbps"));
    texts.cellBytes = {"208", "big"};
    EXPECT_FABRIC_ERROR(texts.Read(), "--cell is \"big\"");
    texts.cellBytes = {};
    EXPECT_FABRIC_ERROR(texts.Read(), "--cell is empty; give a value, or several with commas");
}

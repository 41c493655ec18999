// SPDX-License-Identifier: GPL-2.0-only

// The division of a switch buffer before there is a switch. That a built switch has the same is in
// lossless-buffer-check-test-suite.cc.

#include "helper-test-util.h"
#include "switch-budget.h"

#include <sstream>

using namespace ns3;

namespace
{

/// @return a switch of a buffer with 8 ports of 100 Gb/s and 100 m
BudgetCase
EightPorts(uint64_t bufferBytes)
{
    BudgetCase input;
    input.bufferBytes = bufferBytes;
    input.ports = SwitchBudget::ToPorts("8x100Gbps:100");
    return input;
}

} // namespace

TEST(SwitchBudget, Division)
{
    const SwitchBudget budget(EightPorts(4000000));
    const uint64_t cells = 4000000 / 208;
    const uint64_t headroom = HeadroomOf({}).cells;
    EXPECT_EQ(budget.GetHeadroomOf(0), headroom * 208);
    EXPECT_EQ(budget.GetHeadroom(), 8 * headroom * 208);
    EXPECT_EQ(budget.GetGuaranteed(), 8U * 8 * 8 * 208); // 1518 bytes are 8 cells
    EXPECT_EQ(budget.GetShared(), (cells - 8 * headroom - 512) * 208);
    EXPECT_EQ(budget.GetShared(0), (cells - 512) * 208);
    EXPECT_EQ(budget.GetMissing(), 0U);
    EXPECT_TRUE(budget.Fits());
    EXPECT_EQ(budget.GetMostClasses(), 8U);
    EXPECT_EQ(budget.GetPairs(), 8U);
}

TEST(SwitchBudget, TooSmall)
{
    BudgetCase input = EightPorts(1000000);
    input.losslessClasses = 5;
    const SwitchBudget budget(input);
    EXPECT_FALSE(budget.Fits());
    EXPECT_EQ(budget.GetShared(), 0U);
    const uint64_t needed = (8 * 5 * HeadroomOf({}).cells + 512) * 208;
    EXPECT_EQ(budget.GetMissing(), needed - 1000000 / 208 * 208);
    EXPECT_EQ(budget.GetMostClasses(), 2U);
    EXPECT_TRUE(budget.Fits(2));
    EXPECT_FALSE(budget.Fits(3));
    // The buffer that the line names is enough, and one cell less is not.
    input.bufferBytes += budget.GetMissing();
    EXPECT_TRUE(SwitchBudget(input).Fits());
    input.bufferBytes -= 208;
    EXPECT_FALSE(SwitchBudget(input).Fits());
}

TEST(SwitchBudget, FixedPointOfTheThreshold)
{
    const struct
    {
        double alpha;
        uint64_t pairs;
        uint64_t threshold;
    } vectors[] = {{1.0 / 8, 1, 555556},
                   {1.0 / 8, 8, 312500},
                   {1.0 / 16, 1, 294118},
                   {1.0 / 2, 1, 1666667},
                   {1.0 / 2, 4, 833333}};

    for (const auto& vector : vectors)
    {
        EXPECT_NEAR(ThresholdAtFixedPoint(vector.alpha, 5000000, vector.pairs),
                    vector.threshold,
                    0.5);
    }
}

TEST(SwitchBudget, Ports)
{
    const auto groups = SwitchBudget::ToPorts("32x100Gbps:100,8x400Gbps:300");
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].count, 32U);
    EXPECT_EQ(groups[0].rate, DataRate("100Gbps"));
    EXPECT_EQ(groups[0].metres, 100U);
    EXPECT_EQ(groups[1].count, 8U);
    EXPECT_EQ(groups[1].rate, DataRate("400Gbps"));
    EXPECT_EQ(groups[1].metres, 300U);
    for (const char* bad :
         {"32", "32x100Gbps", "100Gbps:100", "100:32x1Gbps", "1x1Gbps:1,,1x1Gbps:1", "1x:1"})
    {
        EXPECT_NE(ErrorOf([&] { SwitchBudget::ToPorts(bad); }), "") << bad;
    }
    EXPECT_FABRIC_ERROR(SwitchBudget::ToPorts("32@100Gbps"),
                        "ports are \"32@100Gbps\"; write number, rate and metres, such as "
                        "32x100Gbps:100");
    EXPECT_FABRIC_ERROR(SwitchBudget::ToPorts("yx100Gbps:1"), "the number of ports is \"y\"");
    EXPECT_FABRIC_ERROR(SwitchBudget::ToPorts("1x100Gbps:4294967396"), // 100 in 32 bits
                        "it must be a whole number from 0 to 100000");
    EXPECT_FABRIC_ERROR(SwitchBudget::ToPorts("1x100Gbps:1m"), "the metres of cables is \"1m\"");
}

TEST(SwitchBudget, Text)
{
    BudgetCase input = EightPorts(1000000);
    input.losslessClasses = 2;
    std::ostringstream text;
    SwitchBudget(input).Print(text);
    EXPECT_EQ(text.str(), R"(ports  rate  cable  headroom of a class   of all
       Gb/s      m                    B        B
    8   100    100               38,896  622,336

    buffer  1,000,000  B
  headroom    622,336  B
guaranteed    106,496  B
    shared    271,024  B

lossless classes  shared space
                             B
               0       893,360
               1       582,192
               2       271,024

congested pairs  threshold
                         B
              1     30,113
              2     27,102
              4     22,585
              8     16,939
             16     11,292
)");
    input.losslessClasses = 0;
    std::ostringstream lossy;
    SwitchBudget(input).Print(lossy);
    EXPECT_EQ(lossy.str().find("threshold"), std::string::npos);
    input.losslessClasses = 3;
    std::ostringstream small;
    SwitchBudget(input).Print(small);
    EXPECT_NE(small.str().find("the buffer is 40,144 bytes short of guaranteed space and headroom "
                               "of 3 lossless classes; it must have 1,040,144 at least\n"),
              std::string::npos)
        << small.str();
}

TEST(SwitchBudget, WhatIsOutOfRangeIsRefused)
{
    const auto with = [](auto&& edit) {
        BudgetCase input = EightPorts(4000000);
        edit(input);
        SwitchBudget budget(input);
    };
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.losslessClasses = 9; }),
                        "9 lossless classes; a port has 8 classes");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.alpha = 128; }),
                        "alpha is 128; it must be 0 or more and below 128");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.guaranteedBytes = 1000000001; }),
                        "it must be at most 1000000000");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.bufferBytes = 0; }),
                        "a buffer of 0 bytes; it must be above 0 and have less than 2^31 cells");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.bufferBytes = uint64_t{1} << 39; }),
                        "it must be above 0 and have less than 2^31 cells");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.ports.clear(); }),
                        "a switch without ports; name at least one group of ports");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.ports[0].count = 0; }),
                        "a group of 0 ports; a group has 1 or more, and a switch 4096 at most");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.ports[0].count = 4097; }),
                        "a group of 4097 ports");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.ports[0].metres = 200000; }),
                        "the length of the cable in metres is 200000; it must be 0 to 100000");
    EXPECT_FABRIC_ERROR(with([](BudgetCase& input) { input.link.cellBytes = 0; }),
                        "the size of a cell in bytes is 0; it must be 1 to 65536");
}

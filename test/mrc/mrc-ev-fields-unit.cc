// SPDX-License-Identifier: GPL-2.0-only

// Values of entropy values that are generated or structured (sheet 16, sections 3.1 and 7).

#include "refusal-of.h"

#include "ns3/mrc-ev-fields.h"
#include "ns3/mrc-paths.h"

#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

using namespace ns3;

namespace
{

using tests::RefusalOf;

TEST(MrcEvFields, Vectors)
{
    const MrcEvFields masked({{8, 0xa0, 0x0f}, {4, 0, 0x5}});
    EXPECT_EQ(masked.GetBits(), 6U);
    EXPECT_EQ(masked.Expand(0b101110), 0xab4U);
    const MrcEvFields roomy({{8, 0xa0, 0x0f, 16}, {4, 0, 0x5, 16}});
    EXPECT_EQ(roomy.Expand(0b101110), 0xab0004U) << "zero on the left of each field";
    const MrcEvFields whole({{10, 0, 0x3ff}, {8, 0, 0xff}, {4, 0, 0xf}});
    EXPECT_EQ(whole.Expand(0x2f0c5), 0x2f0c5U);
    const MrcEvFields left({{10, 0, 0x3ff}, {8, 0, 0xff}, {4, 0, 0xf}, {10, 0, 0}});
    EXPECT_EQ(left.Expand(0x2f0c5), 0xbc31400U) << "left-aligned in 32 bits";
    EXPECT_EQ(MrcEvFields({{32, 0, 0xffffffff}}).Expand(0x12345678), 0x12345678U);
    EXPECT_EQ(MrcEvFields({{8, 0xff, 0x0f}}).Expand(0), 0xf0U) << "the mask overwrites init";
}

TEST(MrcEvFields, Refusals)
{
    const auto refusal = [](std::vector<MrcEvField> fields) {
        return RefusalOf<std::invalid_argument>([&] { MrcEvFields made(fields); });
    };
    EXPECT_NE(refusal({{4, 0x10, 0}}).find("a field of 4 bits"), std::string::npos);
    EXPECT_NE(refusal({{4, 0, 0x10}}).find("a field of 4 bits"), std::string::npos);
    EXPECT_NE(refusal({{8, 0, 1, 4}}).find("its 4 bits"), std::string::npos);
    EXPECT_NE(refusal({{16, 0, 1, 30}, {3, 0, 1}}).find("33 bits"), std::string::npos);
    EXPECT_NE(refusal({{40, 0, 1}}).find("a field of 40 bits"), std::string::npos);
}

TEST(MrcPaths, StructuredValuesHaveAFieldOfEachTier)
{
    const MrcPaths paths({4, 3, 1, 256});
    EXPECT_EQ(paths.CountStevs(), 4U * 3 * 256);
    EXPECT_EQ(paths.GetField(0).bits, 2U);
    EXPECT_EQ(paths.GetField(1).first, 2U);
    EXPECT_EQ(paths.GetField(1).bits, 2U);
    EXPECT_EQ(paths.GetField(2).bits, 0U) << "one way needs no number";
    EXPECT_EQ(paths.GetField(3).first, 4U);
    EXPECT_EQ(paths.GetField(3).bits, 8U);
    std::set<uint32_t> values;
    for (uint32_t number = 0; number < paths.CountStevs(); ++number)
    {
        const uint32_t value = paths.GetStev(number);
        EXPECT_LT(value >> 28 & 3, 3U) << "within the range of its tier";
        EXPECT_EQ(value & 0xfffff, 0U);
        values.insert(value);
    }
    EXPECT_EQ(values.size(), paths.CountStevs());
    EXPECT_EQ(MrcPaths({}).GetStev(5), 0U);
    EXPECT_NE(RefusalOf<std::invalid_argument>([] { MrcPaths({65536, 65536, 2}); }), "");
    EXPECT_NE(RefusalOf<std::invalid_argument>([] { MrcPaths({4, 0}); }), "");
}

} // namespace

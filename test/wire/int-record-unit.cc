// SPDX-License-Identifier: GPL-2.0-only

// The numbers of HPCC on the wire: packing, units, wraps and saturation; the logarithmic code of
// PINT.

#include "refusal-of.h"

#include "ns3/int-record.h"
#include "ns3/pint-code.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

constexpr double G = 1e9;

/// @return the message of the error that a table of speeds yields, or ""
std::string
Refusal(const std::string& speeds, uint32_t multiplier = 1)
{
    return RefusalOf([&] { IntFormat format(speeds, multiplier); });
}

} // namespace

TEST(IntRecord, Quantised)
{
    const IntFormat format;
    const IntRecord record = format.Quantise(2, (1U << 24) + 5, 1000000, 123456);
    EXPECT_EQ(record.speedCode, 2);
    EXPECT_EQ(record.timeNs, 5U);
    EXPECT_EQ(record.txUnits, 7812U);
    EXPECT_EQ(record.queueUnits, 1543U);
    EXPECT_EQ(record.queueUnits * format.GetQueueUnit(), 123440U);
}

TEST(IntRecord, FieldsDoNotTouch)
{
    EXPECT_EQ((IntRecord{7, 0, 0, 0}.Pack()), 0xe000000000000000);
    EXPECT_EQ((IntRecord{0, 0xffffff, 0, 0}.Pack()), 0x1fffffe000000000);
    EXPECT_EQ((IntRecord{0, 0, 0xfffff, 0}.Pack()), 0x0000001ffffe0000);
    EXPECT_EQ((IntRecord{0, 0, 0, 0x1ffff}.Pack()), 0x000000000001ffff);
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i)
    {
        const uint64_t bits = random();
        EXPECT_EQ(IntRecord::Unpack(bits).Pack(), bits);
    }
}

TEST(IntRecord, DeltasWrap)
{
    const IntRecord before{0, 16777210, (1U << 20) - 3, 0};
    const IntRecord after{0, 10, 4, 0};
    EXPECT_EQ(after.NsSince(before), 16U);
    EXPECT_EQ(after.TxUnitsSince(before), 7U);
    EXPECT_EQ(before.NsSince(before), 0U);
}

TEST(IntRecord, BytesWrapAndQueueSaturates)
{
    const IntFormat format;
    EXPECT_EQ(format.Quantise(0, 0, 128ULL << 20, 0).txUnits, 0U); // 134.2 MB
    EXPECT_EQ(format.Quantise(0, 0, (128ULL << 20) - 1, 0).txUnits, 0xfffffU);
    EXPECT_EQ(format.Quantise(0, 0, 0, 10485680).queueUnits, 0x1ffffU);
    EXPECT_EQ(format.Quantise(0, 0, 0, 10485760).queueUnits, 0x1ffffU);
    EXPECT_EQ(format.Quantise(0, 0, 0, 1ULL << 40).queueUnits, 0x1ffffU);
    const IntFormat coarse(IntFormat::DEFAULT_SPEEDS, 4); // NICs of 100 Gb/s
    EXPECT_EQ(coarse.GetTxUnit(), 512U);
    EXPECT_EQ(coarse.GetQueueUnit(), 320U);
    EXPECT_EQ(coarse.Quantise(0, 0, 1000000, 123456).txUnits, 1953U);
    EXPECT_EQ(coarse.Quantise(0, 0, 1000000, 123456).queueUnits, 385U);
}

TEST(IntFormat, SpeedsHaveCodes)
{
    const IntFormat format;
    const double speeds[] = {25 * G, 50 * G, 100 * G, 200 * G, 400 * G, 10 * G, 40 * G, 800 * G};
    for (uint32_t code = 0; code < 8; ++code)
    {
        EXPECT_EQ(format.CodeOf(speeds[code]), code);
        EXPECT_EQ(format.GetSpeed(code), speeds[code]);
    }
    EXPECT_EQ(format.CodeOf(33 * G), IntFormat::UNKNOWN);
    const IntFormat own("33Gbps 1Mbps", 1);
    EXPECT_EQ(own.CodeOf(33 * G), 0U);
    EXPECT_EQ(own.CodeOf(1e6), 1U);
    EXPECT_EQ(own.GetSpeed(7), 0);
}

TEST(IntFormat, RefusesWhatItCannotUse)
{
    EXPECT_EQ(Refusal("25Gbps"), "");
    EXPECT_EQ(
        Refusal("25Gbps 7apples"),
        "IntFormat: LinkSpeeds \"25Gbps 7apples\": \"7apples\": need up to 8 different speeds, "
        "such as \"25Gbps 100Gbps\"");
    EXPECT_NE(Refusal("25Gbps 25Gbps"), "");
    EXPECT_NE(Refusal("0Gbps"), "");
    EXPECT_NE(Refusal("1Gbps 2Gbps 3Gbps 4Gbps 5Gbps 6Gbps 7Gbps 8Gbps 9Gbps"), "");
    EXPECT_EQ(Refusal("25Gbps", 0), "IntFormat: Multiplier 0: need at least 1");
}

TEST(PintCode, NearestByRatio)
{
    const PintCode code(1.05);
    EXPECT_EQ(code.Encode(0), 1);     // not "none"
    EXPECT_EQ(code.Encode(0.007), 1); // below 1/128
    EXPECT_LE(code.Decode(1), 1.0 / 128);
    EXPECT_EQ(code.Decode(0), 0);
    EXPECT_EQ(code.Decode(code.Encode(1)), 1);
    const uint16_t one = code.Encode(1);
    EXPECT_LT(one, 256); // one byte would do
    EXPECT_DOUBLE_EQ(code.Decode(one + 1), 1.05);
    EXPECT_DOUBLE_EQ(code.Decode(one - 1), 1 / 1.05);
    EXPECT_EQ(code.Encode(1.024), one);     // sqrt(1.05) = 1.02470
    EXPECT_EQ(code.Encode(1.025), one + 1); //
    const uint16_t last = code.Encode(1e9);
    EXPECT_EQ(code.Encode(code.Decode(last)), last);
    EXPECT_GE(code.Decode(last), 128);
    EXPECT_EQ(code.Decode(0xffff), code.Decode(last)); // garbled on the way
}

TEST(PintCode, ErrorIsHalfACode)
{
    for (const double base : {1.001, 1.05, 1.5, 2.0})
    {
        const PintCode code(base);
        uint16_t before = 0;
        for (double value = 0.008; value < 100; value *= 1.0007)
        {
            const uint16_t now = code.Encode(value);
            ASSERT_GE(now, before);
            before = now;
            ASSERT_LE(std::abs(std::log(code.Decode(now) / value)), std::log(base) / 2 * 1.000001);
        }
    }
    EXPECT_THROW(PintCode(1), std::invalid_argument);
    EXPECT_THROW(PintCode(2.1), std::invalid_argument);
}

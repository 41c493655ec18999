// SPDX-License-Identifier: GPL-2.0-only
#include "case-budget.h"

#include "ns3/class-rates.h"
#include "ns3/object-factory.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/string.h"
#include "ns3/token-bucket.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 100'000'000'000;
constexpr uint64_t PS = 1'000'000'000'000;

/// Backlogged classes with frames of one length.
class Backlog : public ClassHeads
{
  public:
    explicit Backlog(uint32_t bytes)
        : m_bytes(bytes)
    {
    }

    uint32_t HeadWireBytes(uint32_t /* cls */) const override
    {
        return m_bytes;
    }

  private:
    uint32_t m_bytes;
};

/// @return a scheduler with attributes that are text
template <typename... Args>
Ptr<ShapedScheduler>
Shaped(uint32_t strict, Args&&... args)
{
    auto scheduler = CreateObject<ShapedScheduler>();
    scheduler->SetAttribute("StrictClasses", UintegerValue(strict));
    const std::array<std::pair<std::string, std::string>, sizeof...(args)> settings{args...};
    for (const auto& [name, value] : settings)
    {
        scheduler->SetAttribute(name, StringValue(value));
    }
    return scheduler;
}

/// A line that sends frames of backlogged classes for a time, and what came of it.
struct Line
{
    std::array<uint64_t, TRAFFIC_CLASSES> bytes{}; //!< sent, by class
    std::array<uint32_t, TRAFFIC_CLASSES> first{}; //!< frames sent before the first wait
    int64_t now{0};                                //!< tick

    /// @param scheduler whom to ask @param eligible backlogged classes @param frame wire bytes of
    /// each frame @param until tick
    void Run(ShapedScheduler& scheduler, uint8_t eligible, uint32_t frame, int64_t until)
    {
        bool hasWaited = false;
        while (now < until)
        {
            int64_t retryAt = -1;
            const uint8_t some = scheduler.Conforming(eligible, {now, LINE, PS}, retryAt);
            if (!some)
            {
                ASSERT_GT(retryAt, now);
                now = retryAt;
                hasWaited = true;
                continue;
            }
            ASSERT_EQ(some & ~eligible, 0);
            const uint32_t cls = scheduler.Pick(some, Backlog(frame));
            ASSERT_TRUE(some & (1U << cls));
            bytes[cls] += frame;
            first[cls] += hasWaited ? 0 : 1;
            now += static_cast<int64_t>(frame * 8 * (PS / LINE));
        }
    }
};

} // namespace

TEST(TokenBucket, RateIsExactAndBurstIsBounded)
{
    const uint32_t cases = tests::GetCases(200);
    for (uint32_t seed = 1; seed <= cases; ++seed)
    {
        std::mt19937_64 random(seed);
        const uint64_t rate = 1 + random() % LINE;
        const uint64_t burst = random() % 20000;
        TokenBucket bucket;
        bucket.Change(0, rate, burst, PS);
        int64_t now = 0;
        uint64_t sent = 0;
        uint32_t longest = 0;
        for (int i = 0; i < 1000; ++i)
        {
            now = std::max(now, bucket.ConformsAt());
            const auto frame = 84 + static_cast<uint32_t>(random() % 9155);
            longest = std::max(longest, frame);
            bucket.Take(now, frame);
            sent += frame;
            // What a backlogged sender has sent: rate * t and the burst, and not a frame more.
            const double allowed =
                static_cast<double>(now) * rate / 8 / PS + static_cast<double>(burst);
            ASSERT_LE(static_cast<double>(sent), allowed + longest + 1) << "seed " << seed;
            ASSERT_GE(static_cast<double>(sent) + 1, std::min<double>(allowed, sent))
                << "seed " << seed;
        }
        // The bucket is full again after exactly what was sent, and not a tick before.
        const double end = static_cast<double>(sent) * 8 * PS / rate;
        const double burstTicks = static_cast<double>(burst) * 8 * PS / rate;
        EXPECT_NEAR(static_cast<double>(bucket.ConformsAt()), end - burstTicks, 1 + end * 1e-12)
            << "seed " << seed;
    }
}

TEST(TokenBucket, WhatItLacksStaysWhenTheRateChanges)
{
    TokenBucket bucket;
    bucket.Change(0, 1'000'000, 0, PS);
    bucket.Take(0, 1250); // 10,000 bits: 10 ms at 1 Mb/s
    EXPECT_EQ(bucket.ConformsAt(), 10'000'000'000);
    bucket.Change(5'000'000'000, 10'000'000, 0, PS); // 5,000 bits lack
    EXPECT_EQ(bucket.ConformsAt(), 5'500'000'000);
    bucket.Change(5'000'000'000, 0, 0, PS);
    EXPECT_TRUE(bucket.Conforms(5'000'000'000));
    bucket.Change(5'000'000'000, 1'000'000, 0, PS);
    EXPECT_TRUE(bucket.Conforms(5'000'000'000));
}

TEST(ClassRates, TextIsReadAndWritten)
{
    const ClassRates rates = ReadClassRates("6:5%, 3:10Gbps", "MaxRates");
    EXPECT_EQ(rates[6].Of(LINE), LINE / 20);
    EXPECT_EQ(rates[3].Of(LINE), LINE / 10);
    EXPECT_EQ(rates[0].Of(LINE), 0U);
    EXPECT_EQ(WriteClassRates(rates), "3:10000000000bps,6:5%");
    EXPECT_EQ(WriteClassRates(ReadClassRates(WriteClassRates(rates), "")), WriteClassRates(rates));
    EXPECT_EQ(WriteClassRates(ReadClassRates("", "MaxRates")), "");
    for (const char* text : {"8:5%",
                             "6",
                             "6:",
                             "6:0%",
                             "6:101%",
                             "6:x%",
                             "6:-5%",
                             "6:5%,6:6%",
                             "6:0bps",
                             "6:fast",
                             "6:5%%",
                             "a:5%",
                             ",",
                             "6:nan%",
                             "6:inf%"})
    {
        EXPECT_THROW(ReadClassRates(text, "MaxRates"), std::invalid_argument) << text;
    }
}

TEST(ShapedScheduler, StrictClassIsLimitedToFivePercentByDefault)
{
    auto scheduler = Shaped(1 << 6);
    Line line;
    line.Run(*scheduler, 1 << 6 | 1 << 3, 100, PS / 1000);
    const double total = static_cast<double>(line.bytes[6] + line.bytes[3]);
    EXPECT_NEAR(line.bytes[6] / total, 0.05, 0.0005);
    EXPECT_EQ(total, LINE / 8 / 1000); // the line is never idle
}

TEST(ShapedScheduler, BurstPassesAtOnce)
{
    auto scheduler = Shaped(1 << 6);
    Line line;
    line.Run(*scheduler, 1 << 6, 84, PS / 10000);
    // 4,096 bytes are 48.8 frames; the bucket fills by 5 % as they leave; one may overdraw it.
    EXPECT_GE(line.first[6], 49U);
    EXPECT_LE(line.first[6], 53U);
    EXPECT_NEAR(line.bytes[6], LINE / 8 / 10000 * 0.05 + 4096, 84);
}

TEST(ShapedScheduler, ExhaustedClassJoinsTheRound)
{
    auto scheduler =
        Shaped(1 << 6, std::pair{"Exhausted", "Join"}, std::pair{"Weights", "1 1 1 3 1 1 1 1"});
    Line line;
    line.Run(*scheduler, 1 << 6 | 1 << 3, 1000, PS / 100);
    // 5 % first, and a quarter of the other 95 %.
    const double total = static_cast<double>(line.bytes[6] + line.bytes[3]);
    EXPECT_NEAR(line.bytes[6] / total, 0.05 + 0.95 / 4, 0.002);
}

TEST(ShapedScheduler, HighestAndLowestRates)
{
    auto scheduler = Shaped(0,
                            std::pair{"MaxRates", "1:10%"},
                            std::pair{"MinRates", "2:60Gbps"},
                            std::pair{"Weights", "1 8 1 1 1 1 1 1"});
    Line line;
    line.Run(*scheduler, 0x0f, 1000, PS / 100);
    const double all = LINE / 8.0 / 100;
    EXPECT_NEAR(line.bytes[1] / all, 0.10, 0.002);
    // A class at its lowest rate has what is its due already: what 1 and 2 leave, 0 and 3 share.
    EXPECT_NEAR(line.bytes[2] / all, 0.60, 0.002);
    EXPECT_NEAR(line.bytes[0] / all, 0.15, 0.002);
    EXPECT_NEAR(line.bytes[3] / all, 0.15, 0.002);
}

TEST(ShapedScheduler, LowestRateIsNoLimit)
{
    auto scheduler = Shaped(0, std::pair{"MinRates", "2:10%"}, std::pair{"MaxRates", "3:20%"});
    Line line;
    line.Run(*scheduler, 0x0c, 1000, PS / 100);
    const double all = LINE / 8.0 / 100;
    EXPECT_NEAR(line.bytes[2] / all, 0.80, 0.002);
    EXPECT_NEAR(line.bytes[3] / all, 0.20, 0.002);
}

TEST(ShapedScheduler, PortRateHoldsAllClassesBack)
{
    auto scheduler = Shaped(1 << 6, std::pair{"PortRate", "40%"}, std::pair{"StrictRate", ""});
    Line line;
    line.Run(*scheduler, 1 << 6 | 1, 1500, PS / 100);
    EXPECT_NEAR(line.bytes[6] + line.bytes[0], LINE / 8 / 100 * 0.4 + 4096, 1500);
    EXPECT_EQ(line.bytes[0], 0U); // strict priority without a limit
}

TEST(ShapedScheduler, SettingsTakeEffectAtTheNextChoice)
{
    auto scheduler = Shaped(0, std::pair{"MaxRates", "3:1Mbps"}, std::pair{"Burst", "0"});
    Line line;
    line.Run(*scheduler, 1 << 3, 1250, PS / 100);
    EXPECT_EQ(line.bytes[3], 1250U);
    scheduler->SetAttribute("MaxRates", StringValue(""));
    line.Run(*scheduler, 1 << 3, 1250, line.now + 1'000'000);
    EXPECT_EQ(line.bytes[3], 1250U * 11);
    EXPECT_THROW(scheduler->SetAttribute("MaxRates", StringValue("3")), std::invalid_argument);
    StringValue text;
    scheduler->GetAttribute("MaxRates", text);
    EXPECT_EQ(text.Get(), "");
}

TEST(DwrrScheduler, FramesInPlaceOfBytes)
{
    auto scheduler = CreateObject<DwrrScheduler>();
    scheduler->SetAttribute("RoundUnit", StringValue("Frames"));
    scheduler->SetAttribute("Weights", StringValue("1 1 1 3 1 1 1 1"));

    /// Class 3 has short frames.
    class Heads : public ClassHeads
    {
      public:
        uint32_t HeadWireBytes(uint32_t cls) const override
        {
            return cls == 3 ? 84 : 9238;
        }
    };

    std::array<uint32_t, TRAFFIC_CLASSES> frames{};
    for (int i = 0; i < 4000; ++i)
    {
        ++frames[scheduler->Pick(0x09, Heads())];
    }
    EXPECT_EQ(frames[3], 3000U);
    EXPECT_EQ(frames[0], 1000U);
}

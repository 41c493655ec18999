// SPDX-License-Identifier: GPL-2.0-only
#include "case-budget.h"

#include "ns3/dwrr-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

/// Backlogged classes with frames of one length each.
class Heads : public ClassHeads
{
  public:
    explicit Heads(std::array<uint32_t, TRAFFIC_CLASSES> bytes)
        : m_bytes(bytes)
    {
    }

    uint32_t HeadWireBytes(uint32_t cls) const override
    {
        return m_bytes[cls];
    }

  private:
    std::array<uint32_t, TRAFFIC_CLASSES> m_bytes;
};

/// @return a scheduler with a quantum and weights
Ptr<DwrrScheduler>
Dwrr(uint32_t quantum, const std::string& weights)
{
    return CreateObjectWithAttributes<DwrrScheduler>("Quantum",
                                                     UintegerValue(quantum),
                                                     "Weights",
                                                     StringValue(weights));
}

} // namespace

TEST(StrictPriorityScheduler, HighestEligibleClass)
{
    auto scheduler = CreateObject<StrictPriorityScheduler>();
    const Heads heads({64, 64, 64, 64, 64, 64, 64, 64});
    EXPECT_EQ(scheduler->Pick(0x01, heads), 0U);
    EXPECT_EQ(scheduler->Pick(0x0a, heads), 3U);
    EXPECT_EQ(scheduler->Pick(0xff, heads), 7U);
}

TEST(DwrrScheduler, KnownVector)
{
    // A: class 0, weight 1, 1500 bytes; B: class 1, weight 3, 500 bytes; quantum 1000.
    auto scheduler = Dwrr(1000, "1 3 1 1 1 1 1 1");
    const Heads heads({1500, 500, 0, 0, 0, 0, 0, 0});
    std::string order;
    for (int i = 0; i < 6 + 7 + 7 + 6; ++i)
    {
        order += scheduler->Pick(0x03, heads) ? 'B' : 'A';
    }
    EXPECT_EQ(order, "BBBBBBABBBBBBABBBBBBBBBBBB");
    EXPECT_EQ(scheduler->GetDeficit(0), 1000U);
    EXPECT_EQ(scheduler->GetDeficit(1), 0U);
}

TEST(DwrrScheduler, SharesAreExactInBytes)
{
    auto scheduler = Dwrr(1600, "7 1 1 3 1 1 1 1");
    const Heads heads({84, 0, 0, 1538, 0, 0, 0, 0});
    uint64_t bytes[TRAFFIC_CLASSES] = {};
    for (int i = 0; i < 1000000; ++i)
    {
        const uint32_t cls = scheduler->Pick(0x09, heads);
        bytes[cls] += heads.HeadWireBytes(cls);
    }
    EXPECT_NEAR(static_cast<double>(bytes[0]) / (bytes[0] + bytes[3]), 0.7, 0.0005);
}

TEST(DwrrScheduler, PausedClassKeepsItsDeficitAndEarnsNothing)
{
    auto scheduler = Dwrr(1000, "1 1 1 1 1 1 1 1");
    const Heads heads({300, 300, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(scheduler->Pick(0x03, heads), 0U);
    ASSERT_EQ(scheduler->GetDeficit(0), 700U);
    for (int i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(scheduler->Pick(0x02, heads), 1U); // work conserving
    }
    EXPECT_EQ(scheduler->GetDeficit(0), 700U);
    // No burst afterwards: the visit goes on with what was left of it, 700 bytes, two frames.
    int burst = 0;
    while (scheduler->Pick(0x03, heads) == 1)
    {
    }
    do
    {
        ++burst;
    } while (scheduler->Pick(0x03, heads) == 0);
    EXPECT_EQ(burst, 2);
}

TEST(DwrrScheduler, PauseWithinAVisitEarnsNoSecondQuantum)
{
    // Class 0 has sent one frame of its four when it is paused, a thousand times over.
    auto scheduler = Dwrr(1000, "4 1 1 1 1 1 1 1");
    const Heads heads({1000, 1000, 0, 0, 0, 0, 0, 0});
    for (int i = 0; i < 1000; ++i)
    {
        while (scheduler->Pick(0x03, heads) != 0)
        {
        }
        ASSERT_LE(scheduler->GetDeficit(0), 4000U);
        ASSERT_EQ(scheduler->Pick(0x02, heads), 1U);
    }
    // What it may send in a row is what its visits leave: no more than two of them, and one frame.
    int row = 0;
    while (scheduler->Pick(0x03, heads) == 0)
    {
        ++row;
    }
    EXPECT_LE(row, 8);
}

TEST(DwrrScheduler, SharesSurviveRandomPauses)
{
    constexpr uint32_t QUANTUM = 1600;
    constexpr uint32_t LONGEST = 9238;
    constexpr uint32_t CLASSES = 4;
    const uint32_t cases = tests::GetCases(200);
    for (uint32_t seed = 1; seed <= cases; ++seed)
    {
        std::mt19937_64 random(seed);
        std::array<uint32_t, CLASSES> weight{};
        std::string weights;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const uint32_t w = 1 + random() % 100;
            weights += std::to_string(w) + " ";
            if (cls < CLASSES)
            {
                weight[cls] = w;
            }
        }
        auto scheduler = Dwrr(QUANTUM, weights);
        std::array<uint32_t, TRAFFIC_CLASSES> bytes{};
        const auto draw = [&random] {
            return 84 + static_cast<uint32_t>(random() % (LONGEST - 83));
        };
        std::generate(bytes.begin(), bytes.end(), draw);
        uint32_t open = (1U << CLASSES) - 1;
        // [a][b]: bytes that a has sent since the last change of a or b.
        uint64_t sent[CLASSES][CLASSES] = {};
        for (int pick = 0; pick < 20000; ++pick)
        {
            const uint32_t cls = scheduler->Pick(open, Heads(bytes));
            ASSERT_TRUE(open & (1U << cls)) << "seed " << seed;
            ASSERT_LE(scheduler->GetDeficit(cls), uint64_t{weight[cls]} * QUANTUM + LONGEST);
            for (uint32_t other = 0; other < CLASSES; ++other)
            {
                sent[cls][other] += bytes[cls];
            }
            bytes[cls] = draw();
            for (uint32_t a = 0; a < CLASSES; ++a)
            {
                for (uint32_t b = 0; b < a; ++b)
                {
                    const uint32_t both = 1U << a | 1U << b;
                    if ((open & both) != both)
                    {
                        continue;
                    }
                    // Two open classes differ by one visit, and the first visit may be one that is
                    // resumed: two quanta, and a frame that each may have kept.
                    const double ofA = static_cast<double>(sent[a][b]) / weight[a];
                    const double ofB = static_cast<double>(sent[b][a]) / weight[b];
                    const double frames = static_cast<double>(LONGEST) / weight[a] +
                                          static_cast<double>(LONGEST) / weight[b];
                    ASSERT_LE(std::abs(ofA - ofB), 2.0 * QUANTUM + frames)
                        << "seed " << seed << " pick " << pick << " classes " << a << " and " << b;
                }
            }
            if (random() % 8 == 0)
            {
                const uint32_t flipped = random() % CLASSES;
                const uint32_t next = open ^ (1U << flipped);
                open = next ? next : open;
                for (uint32_t other = 0; other < CLASSES; ++other)
                {
                    sent[flipped][other] = sent[other][flipped] = 0;
                }
            }
        }
    }
}

TEST(DwrrScheduler, EmptiedClassLosesItsDeficit)
{
    auto scheduler = Dwrr(1000, "1 1 1 1 1 1 1 1");
    const Heads heads({300, 300, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(scheduler->Pick(0x03, heads), 0U);
    scheduler->ClassEmptied(0);
    EXPECT_EQ(scheduler->GetDeficit(0), 0U);
    EXPECT_EQ(scheduler->Pick(0x03, heads), 1U);
}

TEST(DwrrScheduler, StrictClassesGoFirst)
{
    auto scheduler =
        CreateObjectWithAttributes<DwrrScheduler>("StrictClasses", UintegerValue(0x60));
    const Heads heads({500, 500, 500, 500, 500, 500, 500, 500});
    EXPECT_EQ(scheduler->Pick(0xff, heads), 6U);
    EXPECT_EQ(scheduler->Pick(0x3f, heads), 5U);
    EXPECT_EQ(scheduler->Pick(0x80, heads), 7U); // the only one, though not strict
    EXPECT_EQ(scheduler->GetDeficit(6), 0U);
}

TEST(DwrrScheduler, FrameLongerThanTheQuantumIsSentInTheEnd)
{
    auto scheduler = Dwrr(64, "1 1 1 1 1 1 1 1");
    const Heads heads({9236, 84, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(scheduler->Pick(0x01, heads), 0U);
}

TEST(DwrrScheduler, BadWeightsAreRefused)
{
    auto scheduler = CreateObject<DwrrScheduler>();
    EXPECT_THROW(scheduler->SetWeight(8, 1), std::invalid_argument);
    EXPECT_THROW(scheduler->SetWeight(0, 0), std::invalid_argument);
    for (const char* text :
         {"1 2 3", "1 1 1 1 1 1 1 0", "1 1 1 1 1 1 1 -1", "a", "1 1 1 1 1 1 1 1 1"})
    {
        EXPECT_THROW(scheduler->SetAttribute("Weights", StringValue(text)), std::invalid_argument)
            << text;
    }
    StringValue value;
    scheduler->GetAttribute("Weights", value);
    EXPECT_EQ(value.Get(), "1 1 1 1 1 1 1 1");
}

// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dwrr-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
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
    // No burst afterwards: what was left and one quantum, 1700 bytes, five frames.
    int burst = 0;
    while (scheduler->Pick(0x03, heads) == 1)
    {
    }
    do
    {
        ++burst;
    } while (scheduler->Pick(0x03, heads) == 0);
    EXPECT_EQ(burst, 5);
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

// SPDX-License-Identifier: GPL-2.0-only

// The rule that adapts Kmin, against the vectors computed by hand, and the table of flows.

#include "ns3/ecn-threshold-advisor.h"
#include "ns3/roce-flow-table.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

EcnFeatures
Features(double kmin, double elephants, double utilisation, double delayUs, double rate = 25e9)
{
    EcnFeatures features;
    features.kmin = kmin;
    features.bitsPerSecond = rate;
    features.elephantShare = elephants;
    features.utilisation = utilisation;
    features.queueingDelaySeconds = delayUs * 1e-6;
    return features;
}

/// @return what a port arrives at when nothing changes
double
Settled(double elephants)
{
    auto rule = CreateObject<RuleEcnThresholdAdvisor>();
    double kmin = 100000;
    for (int i = 0; i < 300; ++i)
    {
        kmin = rule->Advise(Features(kmin, elephants, .99, 20));
    }
    return kmin;
}

} // namespace

TEST(EcnThresholdAdvisor, Vectors)
{
    auto rule = CreateObject<RuleEcnThresholdAdvisor>();
    EXPECT_NEAR(rule->Advise(Features(100000, .1, .99, 60)), 93200, 1e-6);
    EXPECT_NEAR(rule->Advise(Features(100000, .9, .90, 10)), 109200, 1e-6);
    EXPECT_NEAR(rule->Advise(Features(100000, .5, .99, 20)), 100000, 1e-6);
}

TEST(EcnThresholdAdvisor, LinearInTheSpeed)
{
    auto rule = CreateObject<RuleEcnThresholdAdvisor>();
    EXPECT_NEAR(rule->Advise(Features(400000, .1, .99, 60, 100e9)), 372800, 1e-6);
}

TEST(EcnThresholdAdvisor, MoreShortFlowsLowerMoreLongFlowsHigher)
{
    double before = 0;
    for (int i = 0; i <= 10; ++i)
    {
        const double kmin = Settled(.1 * i);
        EXPECT_GT(kmin, before) << i;
        before = kmin;
    }
    EXPECT_NEAR(Settled(0), 25000, 1);
    EXPECT_NEAR(Settled(1), 175000, 1);
}

TEST(EcnThresholdAdvisor, Bounds)
{
    auto rule = CreateObject<RuleEcnThresholdAdvisor>();
    EXPECT_EQ(rule->Advise(Features(1000, 0, .99, 60)), 20000);
    EXPECT_EQ(rule->Advise(Features(1e9, 1, .5, 0)), 400000);
}

TEST(RoceFlowTable, KeepsFlowsApartAndInOrder)
{
    RoceFlowTable<uint32_t> table;
    EXPECT_EQ(table.Find({1, 2, 3}), nullptr);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        table[{i % 10, i % 7, i}] += i;
    }
    for (uint32_t i = 0; i < 1000; ++i)
    {
        ASSERT_NE(table.Find({i % 10, i % 7, i}), nullptr);
        EXPECT_EQ(*table.Find({i % 10, i % 7, i}), i);
        EXPECT_EQ(table.Entries()[i].value, i);
    }
    EXPECT_EQ(table.Find({1, 0, 0}), nullptr); // not another one's
    table.Forget([](uint32_t value) { return value % 2 == 1; });
    EXPECT_EQ(table.Entries().size(), 500U);
    EXPECT_EQ(table.Find({1, 1, 1}), nullptr);
    EXPECT_EQ(*table.Find({2, 2, 2}), 2U);
    EXPECT_EQ(table.Entries()[3].value, 6U);
    table[{1, 1, 1}] = 5;
    EXPECT_EQ(*table.Find({1, 1, 1}), 5U);
}

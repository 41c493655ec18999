// SPDX-License-Identifier: GPL-2.0-only

// The flow table of an ICC switch: it finds what was put in, grows, forgets, and has a limit.

#include "ns3/icc-flow-table.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr int64_t AGE = 1000;

/// @return the i-th of many flows
IccFlowKey
Key(uint32_t i)
{
    return {0x0a000001 + i % 16, 0x0a000101 + i / 16 % 16, static_cast<uint16_t>(0xc000 + i / 256)};
}

} // namespace

TEST(IccFlowTable, FindsWhatWasPutIn)
{
    constexpr uint32_t COUNT = 5000;
    IccFlowTable table(65536, AGE);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        ASSERT_EQ(table.Find(Key(i)), nullptr);
        IccFlow* flow = table.Insert(Key(i), 0);
        ASSERT_NE(flow, nullptr);
        flow->queue = i;
    }
    EXPECT_EQ(table.GetNFlows(), COUNT);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        IccFlow* flow = table.Find(Key(i));
        ASSERT_NE(flow, nullptr);
        EXPECT_EQ(flow->queue, i);
    }
    EXPECT_EQ(table.Find({Key(0).dst, Key(0).src, Key(0).srcPort}), nullptr) << "the way back";
}

TEST(IccFlowTable, ForgetsTheSilent)
{
    IccFlowTable table(65536, AGE);
    table.Insert(Key(0), 0)->queue = 7;
    for (uint32_t i = 1; i < 10000; ++i)
    {
        const int64_t now = i * 100;
        ASSERT_NE(table.Insert(Key(i), now), nullptr);
        IccFlow* kept = table.Find(Key(0));
        ASSERT_NE(kept, nullptr) << "it was seen lately";
        EXPECT_EQ(kept->queue, 7);
        kept->lastSeenPs = now;
    }
    EXPECT_LE(table.GetEntries().size(), 64) << "10 flows are alive at a time";
}

TEST(IccFlowTable, FollowsALowerLimit)
{
    IccFlowTable table(100, AGE);
    for (uint32_t i = 0; i < 20; ++i)
    {
        table.Insert(Key(i), 0);
    }
    const uint32_t generation = table.GetGeneration();
    table.SetLimits(5, AGE);
    EXPECT_EQ(table.GetNFlows(), 5);
    EXPECT_NE(table.GetGeneration(), generation) << "entries have moved";
    uint32_t found = 0;
    for (uint32_t i = 0; i < 20; ++i)
    {
        found += table.Find(Key(i)) != nullptr;
    }
    EXPECT_EQ(found, 5);
    EXPECT_EQ(table.Insert(Key(30), 0), nullptr) << "full";
}

TEST(IccFlowTable, TakesNoMoreThanItsLimit)
{
    constexpr uint32_t LIMIT = 100;
    IccFlowTable table(LIMIT, AGE);
    for (uint32_t i = 0; i < 3 * LIMIT; ++i)
    {
        EXPECT_EQ(table.Insert(Key(i), 0) != nullptr, i < LIMIT);
    }
    EXPECT_EQ(table.GetNFlows(), LIMIT);
    EXPECT_EQ(table.GetRefused(), 2 * LIMIT);
    EXPECT_NE(table.Insert(Key(1000), 2 * AGE), nullptr) << "the others have fallen silent";
    EXPECT_EQ(table.GetNFlows(), 1);
}

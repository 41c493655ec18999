// SPDX-License-Identifier: GPL-2.0-only

// Planes of a queue pair of MRC stay equal (sheet 16, section 3.5).

#include "ns3/mrc-plane-turns.h"

#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

constexpr uint32_t PLANES = 3;

/// @param turns of three planes @param asks words: "1" plane 1 asks, "1-" it goes down, "1+" up
/// @return the plane for each ask, "." if it may not send; then the packets of all
std::string
Spread(MrcPlaneTurns turns, const std::string& asks)
{
    std::istringstream in(asks);
    std::ostringstream out;
    for (std::string ask; in >> ask;)
    {
        const uint32_t plane = ask[0] - '0';
        if (ask.size() > 1)
        {
            turns.SetUp(plane, ask[1] == '+');
            continue;
        }
        const bool may = turns.MaySend(plane);
        out << (may ? ask : ".") << ' ';
        if (may)
        {
            turns.Sent(plane);
        }
    }
    out << '[' << turns.GetSent(0) << ", " << turns.GetSent(1) << ", " << turns.GetSent(2) << ']';
    return out.str();
}

} // namespace

TEST(MrcPlaneTurns, Vectors)
{
    EXPECT_EQ(Spread({PLANES, 1}, "0 0 1 1 2 2 0 0"), "0 . 1 . 2 2 0 . [2, 1, 2]");
    EXPECT_EQ(Spread({PLANES, 2}, "0 0 0 1 2 0 1 2 2"), "0 0 . 1 2 0 1 2 2 [3, 2, 3]");
    EXPECT_EQ(Spread({PLANES, 1}, "0 1 2 1- 0 2 0 2 1+ 1 1 0 2"),
              "0 1 2 0 2 0 2 1 . 0 2 [4, 4, 4]");
}

TEST(MrcPlaneTurns, TellsWhenOthersMaySend)
{
    MrcPlaneTurns turns(2, 1);
    EXPECT_FALSE(turns.Sent(0));
    EXPECT_TRUE(turns.Sent(1)); // now plane 0 may
    EXPECT_FALSE(turns.Sent(1));
    EXPECT_TRUE(turns.Sent(0));
}

TEST(MrcPlaneTurns, APlaneThatWasTheLastToGoDownHoldsNobodyBack)
{
    // Plane 0 sends much while it is alone. Plane 1 comes back before plane 0 does.
    MrcPlaneTurns turns(2, 1);
    turns.SetUp(1, false);
    EXPECT_FALSE(turns.IsUp(1));
    for (int i = 0; i < 1000; ++i)
    {
        ASSERT_TRUE(turns.MaySend(0));
        turns.Sent(0);
    }
    turns.SetUp(0, false);
    EXPECT_FALSE(turns.MaySend(0));
    EXPECT_FALSE(turns.IsUp(0));
    turns.SetUp(1, true);
    turns.SetUp(0, true);
    EXPECT_TRUE(turns.IsUp(0) && turns.IsUp(1));
    EXPECT_TRUE(turns.MaySend(0));
    EXPECT_TRUE(turns.MaySend(1));
}

TEST(MrcPlaneTurns, NoPlaneIsAheadByMoreThanTheLead)
{
    std::mt19937 random(1);
    for (uint32_t lead = 1; lead < 6; ++lead)
    {
        MrcPlaneTurns turns(PLANES, lead);
        uint32_t sent = 0;
        for (int i = 0; i < 10000; ++i)
        {
            const uint32_t plane = random() % PLANES;
            if (random() % 50 == 0)
            {
                turns.SetUp(plane, !turns.IsUp(plane));
            }
            else if (turns.MaySend(plane))
            {
                ASSERT_TRUE(turns.IsUp(plane));
                turns.Sent(plane);
                ++sent;
            }
            for (uint32_t other = 0; other < PLANES; ++other)
            {
                ASSERT_TRUE(!turns.IsUp(plane) || !turns.IsUp(other) ||
                            turns.GetSent(plane) <= turns.GetSent(other) + lead);
            }
        }
        EXPECT_GT(sent, 1000U); // nor do the planes wait for each other for ever
    }
}

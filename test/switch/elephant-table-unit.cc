// SPDX-License-Identifier: GPL-2.0-only

// Elephants and mice: limits, their conjunctions, windows, idle flows, and colours of DSCPs, by
// vectors computed by hand.

#include "ns3/drop-precedence.h"
#include "ns3/elephant-table.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr ElephantTable::Key FLOW{1, 2, 3};

/// 10,000 bytes, or 4,000 in 100 ticks; idle after 1000.
ElephantTable::Rule
MakeRule(ElephantTable::Condition condition)
{
    ElephantTable::Rule rule;
    rule.condition = condition;
    rule.bytes = 10000;
    rule.windowBytes = 4000;
    rule.window = 100;
    rule.idle = 1000;
    return rule;
}

/// Frames of 1000 bytes of one flow. @param table counts them @param gap ticks between them
/// @param most how many frames @return which of them, from 1, makes the flow an elephant; 0: none
int
FirstOfElephant(ElephantTable& table, int64_t gap, int most = 100)
{
    for (int i = 1; i <= most; ++i)
    {
        if (table.Count(FLOW, 1000, i * gap).isFound)
        {
            return i;
        }
    }
    return 0;
}

/// @return the same for a new table
int
FirstOfElephant(ElephantTable::Condition condition, int64_t gap, int most = 100)
{
    ElephantTable table;
    table.SetRule(MakeRule(condition));
    return FirstOfElephant(table, gap, most);
}

} // namespace

TEST(ElephantTable, EachConditionHasItsFrame)
{
    // A fast flow: 20 ticks a frame, five frames a window. A slow one: 50 ticks, two a window.
    EXPECT_EQ(FirstOfElephant(ElephantTable::BYTES, 20), 10);
    EXPECT_EQ(FirstOfElephant(ElephantTable::RATE, 20), 4);
    EXPECT_EQ(FirstOfElephant(ElephantTable::BOTH, 20), 10) << "the fifth of its second window";
    EXPECT_EQ(FirstOfElephant(ElephantTable::EITHER, 20), 4);
    EXPECT_EQ(FirstOfElephant(ElephantTable::BYTES, 50), 10);
    EXPECT_EQ(FirstOfElephant(ElephantTable::RATE, 50), 0);
    EXPECT_EQ(FirstOfElephant(ElephantTable::BOTH, 50), 0);
    EXPECT_EQ(FirstOfElephant(ElephantTable::EITHER, 50), 10);
}

TEST(ElephantTable, BothMeansAtTheSameTime)
{
    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::BOTH));
    int64_t now = 0;
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_FALSE(table.Count(FLOW, 1000, now += 1).isFound) << "fast, but small";
    }
    for (int i = 0; i < 20; ++i)
    {
        EXPECT_FALSE(table.Count(FLOW, 1000, now += 60).isFound) << "large, but slow by now";
    }
    now += 100; // a window begins
    EXPECT_FALSE(table.Count(FLOW, 3999, now).isFound);
    EXPECT_TRUE(table.Count(FLOW, 1, now + 99).isFound) << "the last tick of the window";
}

TEST(ElephantTable, WindowsDoNotOverlap)
{
    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::RATE));
    table.Count(FLOW, 3999, 5);
    EXPECT_FALSE(table.Count(FLOW, 3999, 105).isFound) << "a window of 100 ticks is over";
    EXPECT_EQ(table.Find(FLOW)->windowStart, 105);
    EXPECT_TRUE(table.Count(FLOW, 1, 106).isFound);
}

TEST(ElephantTable, AnElephantIsFoundOnceAndStaysOne)
{
    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::RATE));
    EXPECT_EQ(FirstOfElephant(table, 20, 4), 4);
    for (int64_t now = 80; now < 8000; now += 1000)
    {
        const auto sighting = table.Count(FLOW, 64, now);
        EXPECT_FALSE(sighting.isFound);
        EXPECT_TRUE(sighting.flow->isElephant) << "slow, but never idle";
    }
}

TEST(ElephantTable, IdleFlowsBeginAnew)
{
    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::BYTES));
    EXPECT_EQ(table.Count(FLOW, 10000, 0).gap, ElephantTable::FIRST);
    table.Count(FLOW, 0, 0).flow->isSeparated = true;
    auto sighting = table.Count(FLOW, 1, 1000);
    EXPECT_EQ(sighting.gap, 1000);
    EXPECT_FALSE(sighting.isDemoted) << "idle, but not for too long";
    sighting = table.Count(FLOW, 9999, 2001);
    EXPECT_TRUE(sighting.isDemoted);
    EXPECT_FALSE(sighting.flow->isElephant);
    EXPECT_FALSE(sighting.flow->isSeparated);
    sighting = table.Count(FLOW, 1, 2002);
    EXPECT_TRUE(sighting.isFound) << "counted anew";
    EXPECT_FALSE(sighting.isDemoted);
    sighting = table.Count(FLOW, 10000, 9000);
    EXPECT_TRUE(sighting.isDemoted && sighting.isFound) << "one frame does both";
}

TEST(ElephantTable, EachFlowCountsForItself)
{
    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::BYTES));
    const std::vector<ElephantTable::Key> others{{9, 2, 3}, {1, 9, 3}, {1, 2, 9}};
    table.Count(FLOW, 9999, 0);
    for (const auto& key : others)
    {
        EXPECT_FALSE(table.Count(key, 9999, 0).isFound);
    }
    EXPECT_TRUE(table.Count(FLOW, 1, 0).isFound);
    EXPECT_EQ(table.GetNFlows(), 4U);
    table.Clear();
    EXPECT_EQ(table.Find(FLOW), nullptr);
}

TEST(ElephantTable, ForgetsWhatIsIdle)
{
    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::BYTES));
    uint32_t flows = 0;
    while (!table.IsFull())
    {
        ++flows;
        table.Count({flows, 0, 0}, flows <= 3 ? 10000 : 1, flows <= 10 ? 0 : 500);
    }
    EXPECT_EQ(flows, 1024U);
    std::vector<uint32_t> demoted;
    table.ForgetIdle(1400, [&](const auto& key) { demoted.push_back(key.src); });
    EXPECT_EQ(demoted, (std::vector<uint32_t>{1, 2, 3}));
    EXPECT_EQ(table.GetNFlows(), flows - 10);
    EXPECT_FALSE(table.IsFull()) << "not before it has doubled";
    EXPECT_EQ(table.Find({10, 0, 0}), nullptr);
    EXPECT_NE(table.Find({11, 0, 0}), nullptr);
}

TEST(ElephantTable, FlowsOfRoceTcpAndUdp)
{
    Frame frame;
    frame.src = 1;
    frame.dst = 2;
    frame.srcPort = 0x1234;
    frame.dstPort = 0x5678;
    frame.destQp = 0x12345678; // RoCE with the number that the ports make
    const auto roce = ElephantTable::FlowOf(frame);
    EXPECT_TRUE(ElephantTable::HasFlow(frame));
    frame.kind = FrameKind::IP;
    frame.protocol = 17;
    const auto udp = ElephantTable::FlowOf(frame);
    EXPECT_TRUE(ElephantTable::HasFlow(frame));
    frame.protocol = 6;
    const auto tcp = ElephantTable::FlowOf(frame);
    EXPECT_TRUE(ElephantTable::HasFlow(frame));
    ++frame.srcPort;
    const auto other = ElephantTable::FlowOf(frame);
    EXPECT_EQ(tcp.more, 0x12345678U);

    ElephantTable table;
    table.SetRule(MakeRule(ElephantTable::BYTES));
    for (const auto& key : {roce, udp, tcp, other})
    {
        EXPECT_FALSE(table.Count(key, 9999, 0).isFound);
    }
    EXPECT_EQ(table.GetNFlows(), 4U);

    frame.protocol = 1; // ICMP
    EXPECT_FALSE(ElephantTable::HasFlow(frame));
    frame.protocol = 17;
    frame.kind = FrameKind::VXLAN;
    EXPECT_FALSE(ElephantTable::HasFlow(frame));
}

TEST(DropPrecedence, ColoursOfAssuredForwarding)
{
    EXPECT_EQ(DropPrecedence::ToDscp(1, DropPrecedence::GREEN), 10);  // AF11
    EXPECT_EQ(DropPrecedence::ToDscp(3, DropPrecedence::YELLOW), 28); // AF32
    EXPECT_EQ(DropPrecedence::ToDscp(4, DropPrecedence::RED), 38);    // AF43
    uint32_t coloured = 0;
    for (uint8_t dscp = 0; dscp < 64; ++dscp)
    {
        const auto colour = DropPrecedence::Of(dscp);
        coloured += colour != DropPrecedence::GREEN;
        EXPECT_TRUE(colour == DropPrecedence::GREEN ||
                    DropPrecedence::ToDscp(dscp >> 3, colour) == dscp);
    }
    EXPECT_EQ(coloured, 8U) << "four classes, yellow and red";
    EXPECT_EQ(DropPrecedence::Of(46), DropPrecedence::GREEN) << "EF is not Assured Forwarding";
    EXPECT_EQ(DropPrecedence::Of(26), DropPrecedence::GREEN) << "AF31";
    EXPECT_EQ(DropPrecedence::Of(30), DropPrecedence::RED) << "AF33";
    EXPECT_EQ(DropPrecedence::Of(29), DropPrecedence::GREEN) << "odd: none of RFC 2597";
}

// SPDX-License-Identifier: GPL-2.0-only
#include "refusal-of.h"

#include "ns3/string.h"
#include "ns3/traffic-class-map.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @return the class of a frame with these fields
uint8_t
Classify(const TrafficClassMap& map, uint8_t dscp, bool tagged, uint8_t pcp)
{
    auto frame = new Frame;
    frame->dscp = dscp;
    frame->tagged = tagged;
    frame->pcp = pcp;
    const uint8_t cls = map.Classify(*frame);
    frame->Release();
    return cls;
}

} // namespace

TEST(TrafficClassMap, Defaults)
{
    auto map = CreateObject<TrafficClassMap>();
    for (uint32_t dscp = 0; dscp < 64; ++dscp)
    {
        EXPECT_EQ(Classify(*map, dscp, true, 7), dscp >> 3);
    }
    for (uint32_t cls = 0; cls < 8; ++cls)
    {
        EXPECT_EQ(map->ClassOfPcp(cls), cls);
        EXPECT_EQ(map->ClassOfDscp(map->DscpOfClass(cls)), cls);
    }
}

TEST(TrafficClassMap, TrustDecidesOnTheField)
{
    auto map = CreateObject<TrafficClassMap>();
    map->SetAttribute("DefaultClass", UintegerValue(2));
    map->SetAttribute("Trust", StringValue("Dot1p"));
    EXPECT_EQ(Classify(*map, 26, true, 5), 5);
    EXPECT_EQ(Classify(*map, 26, false, 5), 2); // the PCP of an untagged frame means nothing
    map->SetAttribute("Trust", StringValue("Untrusted"));
    EXPECT_EQ(Classify(*map, 26, true, 5), 2);
}

TEST(TrafficClassMap, SameAsSeesWhatTheTrustedFieldReaches)
{
    auto one = CreateObject<TrafficClassMap>();
    auto two = CreateObject<TrafficClassMap>();
    EXPECT_TRUE(one->SameAs(*two));
    two->SetPcp(5, 1); // not looked at
    EXPECT_TRUE(one->SameAs(*two));
    two->SetDscp(46, 1);
    EXPECT_FALSE(one->SameAs(*two));
    one->SetDscp(46, 1);
    EXPECT_TRUE(one->SameAs(*two));
    two->SetAttribute("Trust", StringValue("Dot1p"));
    EXPECT_FALSE(one->SameAs(*two));
}

TEST(TrafficClassMap, OutOfRangeIsRefused)
{
    auto map = CreateObject<TrafficClassMap>();
    EXPECT_THROW(map->SetDscp(64, 0), std::invalid_argument);
    EXPECT_THROW(map->SetDscp(0, 8), std::invalid_argument);
    EXPECT_THROW(map->SetPcp(8, 0), std::invalid_argument);
    EXPECT_THROW(map->SetPcp(0, 8), std::invalid_argument);
}

TEST(TrafficClassMap, Text)
{
    auto map = CreateObject<TrafficClassMap>();
    StringValue text;
    map->GetAttribute("Dscp", text);
    EXPECT_EQ(text.Get(), "");
    map->SetAttribute("Dscp", StringValue("26:5,48-55:2"));
    map->SetAttribute("Pcp", StringValue("3:4"));
    EXPECT_EQ(map->ClassOfDscp(26), 5);
    EXPECT_EQ(map->ClassOfDscp(27), 3);
    EXPECT_EQ(map->ClassOfDscp(48), 2);
    EXPECT_EQ(map->ClassOfDscp(55), 2);
    EXPECT_EQ(map->ClassOfDscp(56), 7);
    EXPECT_EQ(map->ClassOfPcp(3), 4);
    map->GetAttribute("Dscp", text);
    EXPECT_EQ(text.Get(), "26:5,48-55:2");
    // What the text does not name is as by default, whatever was there before.
    map->SetAttribute("Dscp", StringValue("0:1"));
    EXPECT_EQ(map->ClassOfDscp(26), 3);
    map->GetAttribute("Dscp", text);
    EXPECT_EQ(text.Get(), "0:1");
    map->SetDscp(1, 1);
    map->GetAttribute("Dscp", text);
    EXPECT_EQ(text.Get(), "0-1:1");
}

TEST(TrafficClassMap, TextThatCannotBeRead)
{
    auto map = CreateObject<TrafficClassMap>();
    for (const char* wrong : {"64:1", "1:8", "5", "a:1", "1:2x", "3-64:1", ":", "1:2,,3:4"})
    {
        EXPECT_THROW(map->SetAttribute("Dscp", StringValue(wrong)), std::invalid_argument) << wrong;
    }
    StringValue text;
    map->GetAttribute("Dscp", text);
    EXPECT_EQ(text.Get(), "");
    EXPECT_THROW(map->SetAttribute("Pcp", StringValue("8:1")), std::invalid_argument);
    for (const auto& [wrong, message] : std::vector<std::pair<const char*, const char*>>{
             {"26:3,26:4", "TrafficClassMap: DSCP 26 is there twice; name it once"},
             {"20-30:4, 26:3", "TrafficClassMap: DSCP 26 is there twice; name it once"},
             {"30-20:4", "TrafficClassMap: DSCP \"30-20:4\" runs backwards; write 20-30:4"},
             {"-3:4", "TrafficClassMap: DSCP \"-3:4\" cannot be read; such as 26:3 or 48-55:6"},
             {"3--4:4", "TrafficClassMap: DSCP \"3--4:4\" cannot be read; such as 26:3 or 48-55:6"},
             {"3:-4", "TrafficClassMap: DSCP \"3:-4\" cannot be read; such as 26:3 or 48-55:6"}})
    {
        EXPECT_EQ(RefusalOf([&] { map->SetAttribute("Dscp", StringValue(wrong)); }), message);
    }
    map->SetAttribute("Dscp", StringValue("26:5, 48-55:2"));
    EXPECT_EQ(map->ClassOfDscp(48), 2) << "after a space";
}

TEST(TrafficClassMap, ChainIsTheIdentityByDefault)
{
    const auto map = CreateObject<TrafficClassMap>();
    const auto table = map->GetTable();
    for (uint8_t number = 0; number < 8; ++number)
    {
        EXPECT_EQ(map->QueueOf(number), number);
        EXPECT_EQ(map->GroupOf(number), number);
        EXPECT_EQ(map->PfcPriorityOf(number), number);
        EXPECT_EQ(table->pfcQueues[number], 1U << number);
    }
    for (uint32_t mask = 0; mask < 256; ++mask)
    {
        EXPECT_EQ(table->QueuesOfPriorities(mask), mask);
        EXPECT_EQ(table->PrioritiesOfQueues(mask), mask);
        EXPECT_EQ(table->GroupsOfPriorities(mask), mask);
        EXPECT_EQ(table->ClassesOfQueues(mask), mask);
        EXPECT_EQ(table->ClassesOfGroups(mask), mask);
        EXPECT_EQ(table->GroupsOfClasses(mask), mask);
    }
}

TEST(TrafficClassMap, ChainOfManyToOne)
{
    const auto map = CreateObject<TrafficClassMap>();
    map->SetQueue(4, 3);
    map->SetPriorityGroup(5, 4);
    map->SetPfcPriority(4, 3);
    map->SetPfcQueues(3, 1U << 3 | 1U << 5);
    const auto table = map->GetTable();
    EXPECT_EQ(map->QueueOf(4), 3);
    EXPECT_EQ(map->GroupOf(5), 4);
    EXPECT_EQ(map->PfcPriorityOf(4), 3);
    EXPECT_EQ(table->QueuesOfPriorities(1U << 3), 1U << 3 | 1U << 5);
    EXPECT_EQ(table->PrioritiesOfQueues(1U << 5), 1U << 3 | 1U << 5);
    EXPECT_EQ(table->GroupsOfPriorities(1U << 3), 1U << 3 | 1U << 4);
    EXPECT_EQ(table->ClassesOfQueues(1U << 3), 1U << 3 | 1U << 4);
    EXPECT_EQ(table->ClassesOfGroups(1U << 4), 1U << 4 | 1U << 5);
    EXPECT_EQ(table->GroupsOfClasses(1U << 4 | 1U << 5), 1U << 4);
    const auto plain = CreateObject<TrafficClassMap>();
    EXPECT_TRUE(map->SameAs(*plain)) << "the classes are the same";
    EXPECT_FALSE(map->BooksAs(*plain));
}

TEST(TrafficClassMap, TextOfTheChain)
{
    const auto map = CreateObject<TrafficClassMap>();
    StringValue text;
    for (const char* name : {"Queue", "PriorityGroup", "PfcPriority", "PfcQueue"})
    {
        map->GetAttribute(name, text);
        EXPECT_EQ(text.Get(), "") << name;
        map->SetAttribute(name, StringValue("4:3, 5-6:2"));
        map->GetAttribute(name, text);
        EXPECT_EQ(text.Get(), std::string(name) == "PfcQueue" ? "4:3,5:2,6:2" : "4:3,5-6:2")
            << name;
    }
    EXPECT_EQ(map->QueueOf(6), 2);
    EXPECT_EQ(map->GroupOf(6), 2);
    EXPECT_EQ(map->PfcPriorityOf(6), 2);
    EXPECT_EQ(map->GetTable()->pfcQueues[6], 1U << 2);
    // One priority pauses several queues; what is not named has its own number, as ever.
    map->SetAttribute("PfcQueue", StringValue("3:3,3:4"));
    EXPECT_EQ(map->GetTable()->pfcQueues[3], 1U << 3 | 1U << 4);
    EXPECT_EQ(map->GetTable()->pfcQueues[6], 1U << 6);
    map->GetAttribute("PfcQueue", text);
    EXPECT_EQ(text.Get(), "3:3,3:4");
}

TEST(TrafficClassMap, ChainOutOfRangeIsRefused)
{
    const auto map = CreateObject<TrafficClassMap>();
    EXPECT_THROW(map->SetQueue(8, 0), std::invalid_argument);
    EXPECT_THROW(map->SetQueue(0, 8), std::invalid_argument);
    EXPECT_THROW(map->SetPriorityGroup(0, 8), std::invalid_argument);
    EXPECT_THROW(map->SetPfcPriority(8, 0), std::invalid_argument);
    EXPECT_THROW(map->SetPfcQueues(8, 1), std::invalid_argument);
    EXPECT_THROW(map->SetPfcQueues(0, 0), std::invalid_argument);
    EXPECT_THROW(map->SetPfcQueues(0, 256), std::invalid_argument);
    for (const auto& [name, value, message] :
         std::vector<std::tuple<const char*, const char*, const char*>>{
             {"Queue",
              "4:8",
              "TrafficClassMap: class 4 to queue 8: need class below 8 and a queue from 0 to 7"},
             {"Queue", "4:3,4:2", "TrafficClassMap: class 4 is there twice; name it once"},
             {"PriorityGroup",
              "8:1",
              "TrafficClassMap: class 8 to priority group 1: need class below 8 and a priority "
              "group from 0 to 7"},
             {"PfcPriority",
              "5-4:1",
              "TrafficClassMap: priority group \"5-4:1\" runs backwards; write 4-5:1"},
             {"PfcQueue",
              "3",
              "TrafficClassMap: PFC priority \"3\" cannot be read; such as 4:3 or 3:3,3:4"}})
    {
        EXPECT_EQ(RefusalOf([&] { map->SetAttribute(name, StringValue(value)); }), message);
    }
}

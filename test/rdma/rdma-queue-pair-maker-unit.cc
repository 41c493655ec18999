// SPDX-License-Identifier: GPL-2.0-only

// Queue pairs are copies of one: they must be as a factory makes them.

#include "attribute-texts.h"
#include "rdma-queue-pair-maker.h"

#include "ns3/config.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using ns3::tests::AttributeTexts;

TEST(RdmaQueuePairMaker, ACopyHasAllAttributes)
{
    const std::map<std::string, std::string> values{
        {"Mtu", "2048"},
        {"AckInterval", "3"},
        {"ReadAcks", "false"},
        {"FrameFormat", "Hpcc"},
        {"Window", "12345"},
        {"VariableWindow", "true"},
        {"PaceByRate", "false"},
        {"Repace", "FromSent"},
        {"TurnByNumber", "true"},
        {"TrafficClass", "4"},
        {"AckClass", "5"},
        {"AckQueue", "6"},
        {"CnpClass", "7"},
        {"EcnCapable", "false"},
        {"InitialTtl", "9"},
        {"UdpPort", "50000"},
        {"MaxOutstandingReads", "2"},
        {"RetransmitTimeout", "1ms"},
        {"RetryLimit", "3"},
        {"RnrRetryLimit", "2"},
        {"RnrTimer", "10us"},
        {"NackInterval", "7us"},
        {"TxDelay", "1us"},
        {"RxDelay", "2us"},
        {"MessageGap", "3us"},
        {"LossRecovery", "ns3::RdmaIrn"},
        {"Entropy", "ns3::RdmaEntropyReps"},
        {"Transport", "ns3::RdmaMrc"},
        {"CongestionControl", "ns3::RdmaHpcc"},
    };
    RdmaQueuePairMaker maker;
    const auto usual = AttributeTexts(*maker.Make());
    EXPECT_EQ(usual, AttributeTexts(*CreateObject<RdmaQueuePair>()));
    for (const auto& [name, value] : usual)
    {
        ASSERT_EQ(values.count(name), 1) << name << " is new: give it a value";
        maker.Set(name, StringValue(values.at(name)));
    }
    const auto made = maker.Make();
    EXPECT_EQ(AttributeTexts(*made), AttributeTexts(*maker.GetFactory().Create<RdmaQueuePair>()));
    EXPECT_EQ(AttributeTexts(*maker.Make()), AttributeTexts(*made));
    for (const auto& [name, value] : AttributeTexts(*made))
    {
        EXPECT_NE(value, usual.at(name)) << name;
    }
    made->SetAttribute("Window", StringValue("1"));
    made->SetAttribute("TxDelay", StringValue("9us"));
    EXPECT_NE(AttributeTexts(*maker.Make()), AttributeTexts(*made)) << "a copy has its own values";
}

TEST(RdmaQueuePairMaker, FollowsDefaults)
{
    RdmaQueuePairMaker maker;
    EXPECT_EQ(maker.Make()->GetMtu(), 1024);
    Config::SetDefault("ns3::RdmaQueuePair::Mtu", StringValue("4096"));
    EXPECT_EQ(maker.Make()->GetMtu(), 4096);
    Config::SetDefault("ns3::RdmaQueuePair::Mtu", StringValue("1024"));
    EXPECT_EQ(maker.Make()->GetMtu(), 1024);
}

// SPDX-License-Identifier: GPL-2.0-only

// The ports of a fabric are copies of one: they must be as a factory makes them.

#include "attribute-texts.h"

#include "ns3/qbb-net-device.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using ns3::tests::AttributeTexts;

TEST(QbbNetDevice, ACopyHasAllAttributes)
{
    const std::map<std::string, std::string> values{
        {"DataRate", "40Gbps"},
        {"SerialisationUnit", "1ns"},
        {"Transmitter", "Hpcc"},
        {"Mtu", "4200"},
        {"IpQueueBytes", "1000"},
        {"ComputeIcrc", "true"},
        {"PfcEnabled", "false"},
        {"PfcClasses", "12"},
        {"PfcDialect", "EndlessXoff"},
        {"FrameFormat", "Hpcc"},
        {"PfcQuanta", "7"},
        {"PfcRefreshInterval", "1us"},
        {"PfcReactionDelay", "2us"},
        {"CbfcClasses", "16"},
        {"CbfcCredits", "99"},
        {"CreditBytes", "208"},
        {"CreditOverhead", "-8"},
        {"CfMinSpacing", "1600"},
        {"CcTimer", "3us"},
        {"LlrEnabled", "true"},
        {"LlrReplayBytes", "9999"},
        {"LlrReplayTimer", "7us"},
        {"LlrReplayCount", "5"},
        {"LlrAckSpacing", "999"},
        {"LlrFlushAction", "Block"},
        {"LlrReInitOnFlush", "true"},
    };
    const auto model = CreateObject<QbbNetDevice>();
    const auto usual = AttributeTexts(*model);
    for (const auto& [name, value] : usual)
    {
        ASSERT_EQ(values.count(name), 1) << name << " is new: give it a value";
        model->SetAttribute(name, StringValue(values.at(name)));
    }
    const auto copy = CopyObject(model);
    EXPECT_EQ(copy->GetInstanceTypeId(), QbbNetDevice::GetTypeId());
    EXPECT_EQ(AttributeTexts(*copy), AttributeTexts(*model));
    EXPECT_EQ(copy->GetActivePfcClasses(), model->GetActivePfcClasses());
    for (const auto& [name, value] : AttributeTexts(*copy))
    {
        EXPECT_NE(value, usual.at(name)) << name;
    }
}

TEST(QbbNetDevice, ACopySharesOnlyWhatIsShared)
{
    const auto model = CreateObject<QbbNetDevice>();
    model->GetTrafficClassMap()->SetDscp(1, 5);
    const auto copy = CopyObject(model);
    EXPECT_TRUE(copy->GetTrafficClassMap()->SameAs(*model->GetTrafficClassMap()));
    EXPECT_NE(copy->GetTrafficClassMap(), model->GetTrafficClassMap());
    EXPECT_NE(copy->GetScheduler(), model->GetScheduler());

    const auto map = CreateObject<TrafficClassMap>();
    model->SetTrafficClassMap(map);
    EXPECT_EQ(CopyObject(model)->GetTrafficClassMap(), map);
}

// SPDX-License-Identifier: GPL-2.0-only

// Losses of FaultHelper, and copies of frames.

#include "wire-test-util.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fault-loss.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace wiretest;

namespace
{

/// @return a PFC frame that tells the classes of a mask a pause time
FramePtr
Pfc(uint8_t classes, uint16_t quanta)
{
    FramePtr frame(new Frame);
    frame->kind = FrameKind::PFC;
    frame->pfcEnable = classes;
    frame->pfcQuanta.fill(quanta);
    return frame;
}

TEST(FaultLoss, SilenceLosesAll)
{
    const auto loss = CreateObject<SilentLoss>();
    EXPECT_TRUE(loss->IsLost(*Pfc(8, 0)));
    EXPECT_TRUE(loss->IsLost(*FramePtr(new Frame)));
}

TEST(FaultLoss, OnlyTheNextXonFramesOfTheClass)
{
    const auto loss =
        CreateObjectWithAttributes<XonLoss>("Class", UintegerValue(3), "Count", UintegerValue(2));
    EXPECT_FALSE(loss->IsLost(*FramePtr(new Frame)));
    EXPECT_FALSE(loss->IsLost(*Pfc(8, 65535))); // XOFF
    EXPECT_FALSE(loss->IsLost(*Pfc(4, 0)));     // another class
    EXPECT_TRUE(loss->IsLost(*Pfc(12, 0)));     // with another class
    EXPECT_EQ(loss->GetLeft(), 1);
    EXPECT_TRUE(loss->IsLost(*Pfc(8, 0)));
    EXPECT_FALSE(loss->IsLost(*Pfc(8, 0)));
}

TEST(FaultLoss, ByIdentification)
{
    const auto loss = CreateObject<IpIdLoss>();
    FramePtr frame(new Frame);
    uint32_t lost = 0;
    for (uint32_t id = 0; id < 1024; ++id)
    {
        frame->ipId = static_cast<uint16_t>(id);
        lost += loss->IsLost(*frame);
    }
    EXPECT_EQ(lost, 4U);
    frame->ipId = 0x12ff;
    EXPECT_TRUE(loss->IsLost(*frame));
    frame->ipVersion = 6; // has no identification
    EXPECT_FALSE(loss->IsLost(*frame));
    EXPECT_FALSE(loss->IsLost(*Pfc(8, 0)));
}

TEST(FaultLoss, AShare)
{
    const auto loss = CreateObject<RandomFrameLoss>();
    loss->SetAttribute("Rate", DoubleValue(0.25));
    EXPECT_EQ(loss->AssignStreams(3), 1);
    const FramePtr frame(new Frame);
    uint32_t lost = 0;
    for (uint32_t i = 0; i < 100000; ++i)
    {
        lost += loss->IsLost(*frame);
    }
    EXPECT_NEAR(lost / 1e5, 0.25, 0.006); // four standard deviations
    loss->SetAttribute("Rate", DoubleValue(1));
    EXPECT_TRUE(loss->IsLost(*Pfc(8, 0)));
    loss->SetAttribute("LosesPfc", BooleanValue(false));
    EXPECT_FALSE(loss->IsLost(*Pfc(8, 0)));
    EXPECT_TRUE(loss->IsLost(*frame));
}

TEST(FrameCopy, HasAllFieldsAndNoBooking)
{
    std::mt19937_64 random(11);
    for (uint32_t i = 0; i < 2000; ++i)
    {
        const FramePtr frame = RandomFrame(random);
        if (frame->kind == FrameKind::ROCE && random() % 2)
        {
            DrawTelemetry(random, *frame, static_cast<TelemetryKind>(random() % 6));
        }
        frame->cells = 7;
        frame->inPort = static_cast<uint16_t>(random() % 64);
        frame->inClass = 5;
        frame->flooded = random() % 2;
        frame->next = frame.get();
        const FramePtr copy(frame->Copy());
        EXPECT_EQ(WireFields(*copy), WireFields(*frame));
        EXPECT_EQ(copy->inPort, frame->inPort);
        EXPECT_EQ(copy->inClass, frame->inClass);
        EXPECT_EQ(copy->trafficClass, frame->trafficClass);
        EXPECT_EQ(copy->flooded, frame->flooded);
        EXPECT_EQ(copy->telemetryKind, frame->telemetryKind);
        EXPECT_EQ(copy->cells, 0);
        EXPECT_EQ(copy->next, nullptr);
        EXPECT_EQ(copy->receiver, nullptr);
        if (frame->packet)
        {
            EXPECT_NE(copy->packet, frame->packet); // a packet of its own: headers may be removed
            EXPECT_EQ(copy->packet->GetSize(), frame->packet->GetSize());
        }
    }
}

TEST(FrameCopy, OutlivesTheOriginal)
{
    FramePtr frame(new Frame);
    frame->telemetryKind = TelemetryKind::INT;
    frame->telemetry.hops.hops = 2;
    frame->telemetry.hops.pathId = 77;
    frame->telemetry.hops.records = {1, 2, 3, 4, 5};
    const FramePtr copy(frame->Copy());
    frame->telemetry.hops.records.fill(0);
    frame.reset();
    EXPECT_EQ(copy->telemetry.hops.pathId, 77);
    EXPECT_EQ(copy->telemetry.hops.records[4], 5U);
}

} // namespace

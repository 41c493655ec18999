// SPDX-License-Identifier: GPL-2.0-only

// IntStamper on a switch without a simulation: which packets it writes into, and what.

#include "refusal-of.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-switch.h"
#include "ns3/int-stamper.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

struct Releaser
{
    void operator()(Frame* frame) const
    {
        frame->Release();
    }
};

using FramePtr = std::unique_ptr<Frame, Releaser>;

/// A switch with ports of 100 and 400 Gb/s, and its stamper.
class IntStamperTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        node = CreateObject<Node>();
        fabricSwitch = CreateObject<FabricSwitch>();
        node->AggregateObject(fabricSwitch);
        for (const auto* rate : {"100Gbps", "400Gbps"})
        {
            auto device = CreateObject<QbbNetDevice>();
            device->SetAttribute("DataRate", StringValue(rate));
            node->AddDevice(device);
            fabricSwitch->AddPort(device);
        }
        stamper = CreateObject<IntStamper>();
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static FramePtr Packet(TelemetryKind kind, RoceOpcode opcode = RoceOpcode::WRITE_MIDDLE)
    {
        FramePtr frame(new Frame);
        frame->opcode = opcode;
        frame->telemetryKind = kind;
        frame->telemetry.hops = {};
        frame->bytes = 1000;
        return frame;
    }

    Ptr<Node> node;
    Ptr<FabricSwitch> fabricSwitch;
    Ptr<IntStamper> stamper;
};

} // namespace

TEST_F(IntStamperTest, RecordsAndPath)
{
    stamper->SetAttribute("SwitchId", UintegerValue(0xabc));
    stamper->SetAttribute("QueueScope", StringValue("Class"));
    stamper->Start(*fabricSwitch);
    auto frame = Packet(TelemetryKind::INT);
    stamper->Dequeued(*frame, 0, 123456);
    stamper->Dequeued(*frame, 1, 80);
    const IntTelemetry& hops = frame->telemetry.hops;
    EXPECT_EQ(hops.hops, 2);
    EXPECT_EQ(hops.pathId, 0); // the same switch twice
    EXPECT_EQ(frame->bytes, 1000U);
    const IntRecord first = IntRecord::Unpack(hops.records[0]);
    EXPECT_EQ(first.speedCode, 2);
    EXPECT_EQ(first.queueUnits, 1543U);
    EXPECT_EQ(first.txUnits, 0U);
    EXPECT_EQ(IntRecord::Unpack(hops.records[1]).speedCode, 4);
    EXPECT_EQ(IntRecord::Unpack(hops.records[1]).queueUnits, 1U);
    stamper->Dequeued(*frame, 0, 0);
    EXPECT_EQ(hops.pathId, 0xabc);
}

TEST_F(IntStamperTest, WholePortIsTheDefault)
{
    stamper->Start(*fabricSwitch);
    auto frame = Packet(TelemetryKind::INT);
    stamper->Dequeued(*frame, 0, 123456); // of the class; the port's queues are empty
    EXPECT_EQ(IntRecord::Unpack(frame->telemetry.hops.records[0]).queueUnits, 0U);
}

TEST_F(IntStamperTest, GrowsByEightBytesAHopUpToFive)
{
    stamper->Start(*fabricSwitch);
    auto frame = Packet(TelemetryKind::INT_GROWING);
    for (uint32_t hop = 1; hop <= 20; ++hop)
    {
        const uint32_t before = frame->GetTelemetryBytes();
        const uint32_t bytes = frame->bytes;
        stamper->Dequeued(*frame, 0, 0);
        EXPECT_EQ(frame->telemetry.hops.hops, std::min(hop, 15U));
        EXPECT_EQ(frame->bytes - bytes, frame->GetTelemetryBytes() - before);
        EXPECT_EQ(frame->bytes, 1000 + 8 * std::min(hop, 5U));
    }
}

/// The ACK brings back what the data packet met: stamped again it would have too many hops.
TEST_F(IntStamperTest, LeavesAcksAndOthersAlone)
{
    stamper->Start(*fabricSwitch);
    for (const auto kind : {TelemetryKind::INT, TelemetryKind::INT_GROWING, TelemetryKind::PINT})
    {
        auto ack = Packet(kind, RoceOpcode::ACKNOWLEDGE);
        stamper->Dequeued(*ack, 0, 100000);
        EXPECT_EQ(ack->telemetry.hops.hops, 0);
        EXPECT_EQ(ack->telemetry.hops.pathId, 0);
        EXPECT_EQ(ack->bytes, 1000U);
    }
    for (const auto kind : {TelemetryKind::NONE, TelemetryKind::ICC})
    {
        auto data = Packet(kind);
        stamper->Dequeued(*data, 0, 100000);
        EXPECT_EQ(data->telemetry.hops.hops, 0);
        EXPECT_EQ(data->bytes, 1000U);
    }
}

TEST_F(IntStamperTest, PintKeepsTheLargest)
{
    stamper->SetAttribute("QueueScope", StringValue("Class"));
    stamper->Start(*fabricSwitch);
    const PintCode code(1.05);
    Simulator::Schedule(MicroSeconds(18), [&] {
        auto frame = Packet(TelemetryKind::PINT);
        stamper->Dequeued(*frame, 0, 112500); // 100 Gb/s times 9 us, for more than 9 us
        EXPECT_DOUBLE_EQ(stamper->GetUtilisation(0), 1);
        EXPECT_EQ(frame->telemetry.pint.utilisation, code.Encode(1));
        stamper->Dequeued(*frame, 1, 112500); // a quarter of that at 400 Gb/s
        EXPECT_DOUBLE_EQ(stamper->GetUtilisation(1), .25);
        EXPECT_EQ(frame->telemetry.pint.utilisation, code.Encode(1));
        EXPECT_EQ(frame->bytes, 1000U);
    });
    Simulator::Schedule(MicroSeconds(21), [&] {
        auto frame = Packet(TelemetryKind::PINT);
        stamper->Dequeued(*frame, 0, 0); // empty for a third of MaxRtt
        EXPECT_NEAR(stamper->GetUtilisation(0), 2.0 / 3, 1e-9);
        EXPECT_EQ(frame->telemetry.pint.utilisation, code.Encode(2.0 / 3));
    });
    Simulator::Run();
}

TEST_F(IntStamperTest, NamesTheAttributeThatLacksASpeed)
{
    stamper->SetAttribute("LinkSpeeds", StringValue("25Gbps 100Gbps"));
    const std::string text = RefusalOf([&] { stamper->Start(*fabricSwitch); });
    EXPECT_NE(text.find("port 1 of node 0 has 400000000000 bit/s"), std::string::npos) << text;
    EXPECT_NE(text.find("LinkSpeeds"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
}

/// Paths through three tiers of numbered switches are told apart.
TEST_F(IntStamperTest, IdentifiersDoNotCancel)
{
    std::vector<uint16_t> ids;
    for (int i = 0; i < 32; ++i)
    {
        auto other = CreateObject<Node>();
        auto another = CreateObject<FabricSwitch>();
        other->AggregateObject(another);
        auto counted = CreateObject<IntStamper>();
        counted->Start(*another);
        ids.push_back(counted->GetSwitchId());
        EXPECT_LT(ids.back(), 4096);
    }
    // One switch of 0..7 and one of 8..31, twice.
    uint32_t equal = 0;
    uint32_t pairs = 0;
    for (int a = 0; a < 8; ++a)
    {
        for (int b = 8; b < 32; ++b)
        {
            for (int c = a + 1; c < 8; ++c)
            {
                for (int d = 8; d < 32; ++d)
                {
                    ++pairs;
                    equal += (ids[a] ^ ids[b]) == (ids[c] ^ ids[d]);
                }
            }
        }
    }
    EXPECT_LT(equal, pairs / 100) << "of " << pairs; // the numbers themselves: 1 in 24
}

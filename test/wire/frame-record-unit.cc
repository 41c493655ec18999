// SPDX-License-Identifier: GPL-2.0-only
//
// FrameRecord: what a frame is on its way between ranks.
#include "refusal-of.h"
#include "wire-test-util.h"

#include "ns3/flow-id-tag.h"
#include "ns3/frame-record.h"

#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using ns3::tests::RefusalOf;
using namespace wiretest;

namespace
{

/// @return values of all fields that a record carries and FrameCodec's bytes do not, or cut short
std::string
MoreFields(const Frame& frame)
{
    std::ostringstream os;
    os << frame.bytes << ' ' << +frame.gapBytes << ' ' << +frame.trafficClass << ' '
       << frame.flooded << ' ' << +static_cast<uint8_t>(frame.kind) << ' ' << +frame.ipVersion;
    if (frame.shimKind == ShimKind::PATH)
    {
        os << " shim " << frame.pathShim.path << ' ' << frame.pathShim.feedbackPath << ' '
           << +frame.pathShim.congestion << ' ' << +frame.pathShim.feedback;
    }
    if (frame.shimKind == ShimKind::CONWEAVE)
    {
        const ConWeaveShim& shim = frame.conWeaveShim;
        os << " shim " << shim.txTime << ' ' << shim.tailTime << ' ' << shim.epoch << ' '
           << shim.path << ' ' << +shim.phase << ' ' << +shim.kind << ' ' << +shim.cls;
    }
    if (frame.kind == FrameKind::ROCE)
    {
        os << ' ' << frame.psn << ' ' << frame.destQp << ' ' << frame.msn << ' ' << frame.dmaBytes
           << ' ' << frame.remoteAddress << ' ' << frame.remoteKey << ' ' << frame.immediate << ' '
           << frame.payloadBytes << ' ' << +frame.syndrome << ' ' << frame.ackRequest << ' '
           << frame.becn << ' ' << frame.sackFirst << ' ' << frame.sackPackets << ' '
           << frame.dstPort << ' ' << +frame.sentClass << ' ' << +static_cast<uint8_t>(frame.trim);
    }
    if (frame.telemetryKind == TelemetryKind::INT ||
        frame.telemetryKind == TelemetryKind::INT_GROWING)
    {
        os << " hops " << +frame.telemetry.hops.hops << ' ' << frame.telemetry.hops.pathId;
    }
    if (frame.kind == FrameKind::PFC)
    {
        os << ' ' << +frame.pfcEnable;
        for (const uint16_t quanta : frame.pfcQuanta)
        {
            os << ' ' << quanta;
        }
    }
    return os.str();
}

/// Draw what every frame has, whatever its kind.
void
DrawRest(std::mt19937_64& random, Frame& frame)
{
    frame.bytes = static_cast<uint32_t>(random());
    frame.gapBytes = static_cast<uint8_t>(random());
    frame.trafficClass = static_cast<uint8_t>(random() % TRAFFIC_CLASSES);
    frame.flooded = random() % 2;
    frame.shimKind = static_cast<ShimKind>(frame.kind == FrameKind::PFC ? 0 : random() % 3);
    if (frame.shimKind == ShimKind::PATH)
    {
        frame.pathShim = {static_cast<uint16_t>(random()),
                          static_cast<uint16_t>(random()),
                          static_cast<uint8_t>(random()),
                          static_cast<uint8_t>(random())};
    }
    else
    {
        frame.conWeaveShim = {static_cast<int64_t>(random()),
                              static_cast<int64_t>(random()),
                              static_cast<uint32_t>(random()),
                              static_cast<uint16_t>(random()),
                              static_cast<uint8_t>(random() % 2),
                              static_cast<ConWeaveShim::Kind>(random() % 6),
                              static_cast<uint8_t>(random() % TRAFFIC_CLASSES)};
    }
    if (frame.kind == FrameKind::ROCE)
    {
        frame.psn = random();
        frame.sentClass = static_cast<uint8_t>(random() % TRAFFIC_CLASSES);
        frame.destQp = static_cast<uint32_t>(random());
        frame.msn = static_cast<uint32_t>(random());
        frame.dmaBytes = random();
        frame.remoteAddress = random();
        frame.remoteKey = static_cast<uint32_t>(random());
        frame.immediate = static_cast<uint32_t>(random());
        frame.payloadBytes = static_cast<uint32_t>(random());
        frame.syndrome = static_cast<uint8_t>(random());
        frame.sackFirst = static_cast<uint32_t>(random());
        frame.sackPackets = static_cast<uint32_t>(random());
        frame.dstPort = static_cast<uint16_t>(random());
    }
}

/// Write a frame, read it back, and compare.
void
ExpectSame(const Frame& frame)
{
    std::vector<uint8_t> record;
    FrameRecord::Write(frame, record);
    const FramePtr again(FrameRecord::Read(record.data(), record.size()));
    EXPECT_EQ(WireFields(*again), WireFields(frame));
    EXPECT_EQ(MoreFields(*again), MoreFields(frame));
}

} // namespace

TEST(FrameRecord, FramesOfAllKindsAreTheSameAfterwards)
{
    std::mt19937_64 random(20);
    for (int i = 0; i < 3000; ++i)
    {
        const FramePtr frame = RandomFrame(random);
        DrawRest(random, *frame);
        ExpectSame(*frame);
    }
}

TEST(FrameRecord, AllOpcodesWithAllTelemetryAreTheSameAfterwards)
{
    std::mt19937_64 random(21);
    for (const RoceOpcode opcode : AllOpcodes())
    {
        for (int kind = 0; kind <= static_cast<int>(TelemetryKind::MRC); ++kind)
        {
            const FramePtr frame = RandomRoce(random, opcode);
            DrawTelemetry(random, *frame, static_cast<TelemetryKind>(kind));
            DrawRest(random, *frame);
            ExpectSame(*frame);
        }
    }
}

TEST(FrameRecord, PsnHas64Bits)
{
    Frame* const frame = new Frame;
    const FramePtr owner(frame);
    frame->psn = 0xfedcba9876543210;
    std::vector<uint8_t> record;
    FrameRecord::Write(*frame, record);
    const FramePtr again(FrameRecord::Read(record.data(), record.size()));
    EXPECT_EQ(again->psn, 0xfedcba9876543210);
}

TEST(FrameRecord, PausesAreTheSameAfterwards)
{
    Frame* const frame = new Frame;
    const FramePtr owner(frame);
    frame->kind = FrameKind::PFC;
    frame->bytes = ETHERNET_MIN_FRAME_BYTES;
    frame->pfcEnable = 0x88;
    frame->pfcQuanta = {0, 1, 2, 65535, 256, 0, 7, 0x1234};
    ExpectSame(*frame);
}

TEST(FrameRecord, PacketsKeepTheirTags)
{
    std::mt19937_64 random(22);
    const FramePtr frame = RandomIp(random);
    FlowIdTag tag(77);
    frame->packet->AddPacketTag(tag);
    std::vector<uint8_t> record;
    FrameRecord::Write(*frame, record);
    const FramePtr again(FrameRecord::Read(record.data(), record.size()));
    FlowIdTag found;
    ASSERT_TRUE(again->packet->PeekPacketTag(found));
    EXPECT_EQ(found.GetFlowId(), 77U);
}

TEST(FrameRecord, RecordsThatAreCutOrLongerAreRefused)
{
    std::mt19937_64 random(23);
    const FramePtr frame = RandomRoce(random, RoceOpcode::ACKNOWLEDGE);
    DrawTelemetry(random, *frame, TelemetryKind::INT);
    std::vector<uint8_t> record;
    FrameRecord::Write(*frame, record);
    for (std::size_t size = 0; size < record.size(); ++size)
    {
        EXPECT_THROW(FrameRecord::Read(record.data(), size), std::runtime_error) << size;
    }
    record.push_back(0);
    EXPECT_THROW(FrameRecord::Read(record.data(), record.size()), std::runtime_error);
}

TEST(FrameRecord, AnotherVersionIsRefused)
{
    const FramePtr frame(new Frame);
    std::vector<uint8_t> record;
    FrameRecord::Write(*frame, record);
    record[0] = FrameRecord::VERSION + 1;
    EXPECT_EQ(
        RefusalOf<std::runtime_error>([&] { FrameRecord::Read(record.data(), record.size()); }),
        "a record of a frame has version 7, this build knows 6; run the same build on "
        "all ranks");
}

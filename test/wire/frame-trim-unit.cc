// SPDX-License-Identifier: GPL-2.0-only

// Trimmed packets and the NAKs that tell of them: lengths, bytes, and which packets may be cut.

#include "wire-test-util.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-format.h"
#include "ns3/frame-printer.h"
#include "ns3/frame-trim.h"

#include <gtest/gtest.h>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace wiretest;

namespace
{

const Mac48Address SOURCE("02:00:00:00:00:0a");
const Mac48Address DESTINATION("02:00:00:00:00:0b");

/// @return a data packet of a sender
FramePtr
Data(RoceOpcode opcode,
     uint32_t payload,
     uint8_t ipVersion = 4,
     TelemetryKind kind = TelemetryKind::NONE)
{
    FramePtr frame(new Frame);
    frame->opcode = opcode;
    frame->payloadBytes = payload;
    frame->ipVersion = ipVersion;
    frame->dstPort = ROCE_UDP_PORT;
    frame->telemetryKind = kind;
    frame->telemetry.delay = {1, 2, 3};
    frame->bytes = RoceFrameBytes(opcode, payload, ipVersion, false, frame->GetTelemetryBytes());
    return frame;
}

std::vector<uint8_t>
BytesOf(const Frame& frame)
{
    return FrameCodec::Serialise(frame, SOURCE, DESTINATION, {true, true});
}

} // namespace

TEST(FrameTrim, KnownSizes)
{
    struct Vector
    {
        RoceOpcode opcode;
        uint8_t ipVersion;
        TelemetryKind kind;
        uint32_t kept;
        uint32_t frame;
        uint32_t wire;
    };

    const auto none = TelemetryKind::NONE;
    const Vector vectors[] = {
        {RoceOpcode::WRITE_MIDDLE, 4, none, 24, 64, 84},
        {RoceOpcode::WRITE_MIDDLE, 6, none, 24, 82, 102},
        {RoceOpcode::WRITE_FIRST, 4, none, 24, 78, 98},
        {RoceOpcode::WRITE_MIDDLE, 4, TelemetryKind::DELAY, 24, 78, 98},
        {RoceOpcode::READ_RESPONSE_LAST, 4, none, 24, 66, 86},
        {RoceOpcode::SEND_LAST_IMM, 4, none, 24, 66, 86},
        {RoceOpcode::WRITE_MIDDLE, 4, none, 92, 130, 150}, // 68 bytes of payload stay
        {RoceOpcode::WRITE_MIDDLE, 4, none, 91, 126, 146}, // in multiples of 4
    };
    for (const Vector& v : vectors)
    {
        auto frame = Data(v.opcode, 4096, v.ipVersion, v.kind);
        ASSERT_TRUE(IsTrimmable(*frame));
        ASSERT_TRUE(TrimFrame(*frame, v.kept, Trim::ON_PATH));
        EXPECT_EQ(frame->bytes, v.frame);
        EXPECT_EQ(frame->WireBytes(), v.wire);
        EXPECT_EQ(BytesOf(*frame).size(), v.frame);
        EXPECT_TRUE(IsTrimmed(*frame));
        EXPECT_FALSE(IsTrimmable(*frame)); // once
    }
}

TEST(FrameTrim, LengthsOfTheHpccFormat)
{
    auto frame = Data(RoceOpcode::WRITE_MIDDLE, 1000);
    frame->gapBytes = GapBytes(FRAMES_HPCC);
    frame->bytes = HpccFrameBytes(frame->opcode, 1000, TelemetryKind::NONE);
    ASSERT_TRUE(TrimFrame(*frame, LEAST_TRIM_BYTES, Trim::ON_PATH));
    EXPECT_EQ(frame->bytes, 48U);
}

TEST(FrameTrim, OnlyDataWithPayloadMayBeCut)
{
    for (const RoceOpcode opcode : AllOpcodes())
    {
        EXPECT_EQ(IsTrimmable(*Data(opcode, 1024)), CarriesData(opcode))
            << static_cast<int>(opcode);
    }
    EXPECT_FALSE(IsTrimmable(*Data(RoceOpcode::SEND_ONLY, 0)));
    auto stock = Data(RoceOpcode::SEND_ONLY, 1024);
    stock->kind = FrameKind::IP;
    EXPECT_FALSE(IsTrimmable(*stock));
}

TEST(FrameTrim, WhatWouldStayWholeIsNotCut)
{
    auto frame = Data(RoceOpcode::WRITE_MIDDLE, 64);
    EXPECT_FALSE(TrimFrame(*frame, 24 + 64, Trim::ON_PATH));
    EXPECT_EQ(frame->trim, Trim::NONE);
    EXPECT_EQ(frame->payloadBytes, 64U);
    auto tiny = Data(RoceOpcode::WRITE_MIDDLE, 1);
    EXPECT_TRUE(TrimFrame(*tiny, 24, Trim::ON_PATH));
    EXPECT_EQ(tiny->bytes, 64U); // of 66
}

/// The one packet whose length cannot tell is the single one of a SEND without RETH.
TEST(FrameTrim, ParserTellsACutPacketFromOneWithoutPayload)
{
    for (const auto trim : {Trim::NONE, Trim::ON_PATH, Trim::LAST_HOP})
    {
        auto frame = Data(RoceOpcode::SEND_ONLY, trim == Trim::NONE ? 0 : 1021);
        if (trim != Trim::NONE)
        {
            ASSERT_TRUE(TrimFrame(*frame, LEAST_TRIM_BYTES, trim));
        }
        const auto bytes = BytesOf(*frame);
        ASSERT_EQ(bytes.size(), 64U);
        EXPECT_EQ(bytes[17], 20 + 8 + 12 + 4); // length of the IP packet
        EXPECT_EQ(bytes[39], 8 + 12 + 4);      // of the UDP datagram
        EXPECT_EQ(bytes[43] >> 4 & 3, 0);      // pad
        EXPECT_EQ(bytes[46], static_cast<uint8_t>(trim));
        FramePtr parsed(FrameCodec::Parse(bytes.data(), bytes.size(), {true, true}).frame);
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->trim, trim);
        EXPECT_EQ(WireFields(*parsed), WireFields(*frame));
    }
}

TEST(FrameTrim, IcrcDoesNotNoticeWhoSaysThatItWasCut)
{
    auto frame = Data(RoceOpcode::WRITE_MIDDLE, 1024);
    ASSERT_TRUE(TrimFrame(*frame, LEAST_TRIM_BYTES, Trim::ON_PATH));
    auto bytes = BytesOf(*frame);
    bytes.resize(bytes.size() - 4);
    bytes[46] = 2;
    FramePtr parsed(FrameCodec::Parse(bytes.data(), bytes.size(), {true, false}).frame);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->trim, Trim::LAST_HOP);
}

TEST(FrameTrim, UnknownMarksAreRefused)
{
    const auto errorOf = [](const Frame& frame, std::size_t offset, uint8_t value) {
        auto bytes = FrameCodec::Serialise(frame, SOURCE, DESTINATION, {});
        bytes[offset] = value;
        FrameCodec::Result result = FrameCodec::Parse(bytes.data(), bytes.size(), {});
        FramePtr owner(result.frame);
        return result.error;
    };
    EXPECT_NE(errorOf(*Data(RoceOpcode::WRITE_MIDDLE, 0), 46, 3), "");
    auto nak = Data(RoceOpcode::ACKNOWLEDGE, 0);
    EXPECT_NE(errorOf(*nak, 46, 1), "");
    nak->syndrome = 0x60;
    nak->sackFirst = 7;
    nak->sackPackets = 1;
    for (const auto& [octet, isKnown] : std::vector<std::pair<uint8_t, bool>>{{0x00, true},
                                                                              {0x01, true},
                                                                              {0x81, true},
                                                                              {0x80, false},
                                                                              {0x02, false},
                                                                              {0x03, false},
                                                                              {0x41, false}})
    {
        EXPECT_EQ(errorOf(*nak, 58, octet) == "", isKnown) << +octet;
    }
}

TEST(FrameTrim, NakNamesTheTrimmedPacket)
{
    auto nak = Data(RoceOpcode::ACKNOWLEDGE, 0);
    nak->syndrome = 0x60;
    nak->sackFirst = 0x123456;
    nak->sackPackets = 1;
    nak->bytes += SACK_BYTES;
    for (const auto& [trim, octet] :
         {std::make_pair(Trim::ON_PATH, 0x01), std::make_pair(Trim::LAST_HOP, 0x81)})
    {
        nak->trim = trim;
        const auto bytes = BytesOf(*nak);
        ASSERT_EQ(bytes.size(), 74U);
        EXPECT_EQ(bytes[46], 0); // the BTH is that of any NAK
        const std::vector<uint8_t> sack(bytes.begin() + 58, bytes.begin() + 66);
        EXPECT_EQ(
            sack,
            (std::vector<uint8_t>{static_cast<uint8_t>(octet), 0x12, 0x34, 0x56, 0, 0, 0, 1}));
    }
    std::ostringstream os;
    os << *nak;
    EXPECT_NE(os.str().find("trimmed=last-hop"), std::string::npos) << os.str();
}

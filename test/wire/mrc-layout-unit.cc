// SPDX-License-Identifier: GPL-2.0-only

// The wire format of MRC: sizes and bytes of the packets, and what a parser must refuse. Round
// trips of random packets are in frame-codec-unit.cc, for all opcodes.

#include "wire-test-util.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-printer.h"
#include "ns3/frame-trim.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace wiretest;

namespace
{

const Mac48Address SOURCE("02:00:00:00:00:0a");
const Mac48Address DESTINATION("02:00:00:00:00:0b");
constexpr std::size_t BTH_OVER_IPV6 = 14 + 40 + 8;
constexpr std::size_t BTH_OVER_IPV4 = 14 + 20 + 8;

/// @return a packet of MRC, time stamp included if it is data
FramePtr
Mrc(RoceOpcode opcode, uint32_t payload = 0, uint8_t ipVersion = 6, bool stamped = true)
{
    FramePtr frame(new Frame);
    frame->opcode = opcode;
    frame->payloadBytes = payload;
    frame->ipVersion = ipVersion;
    frame->dstPort = ROCE_UDP_PORT;
    frame->telemetryKind = TelemetryKind::MRC;
    frame->telemetry.mrc = {};
    frame->telemetry.mrc.stamped = stamped && IsMrcWrite(opcode);
    frame->bytes = RoceFrameBytes(opcode, payload, ipVersion, false, frame->GetTelemetryBytes());
    return frame;
}

std::vector<uint8_t>
BytesOf(const Frame& frame)
{
    return FrameCodec::Serialise(frame, SOURCE, DESTINATION, {true, true});
}

/// @return what stands between UDP header and ICRC, or for data payload, in hex
std::string
HeadersOf(const Frame& frame, std::size_t count)
{
    static const char* const DIGITS = "0123456789abcdef";
    const auto bytes = BytesOf(frame);
    std::string hex;
    for (std::size_t i = BTH_OVER_IPV6; i < BTH_OVER_IPV6 + count; ++i)
    {
        hex += DIGITS[bytes[i] >> 4];
        hex += DIGITS[bytes[i] & 15];
    }
    return hex;
}

/// @return the error of the parser after a change of the bytes; "" for a frame
std::string
ErrorOf(const Frame& frame, std::size_t offset, uint8_t value)
{
    auto bytes = FrameCodec::Serialise(frame, SOURCE, DESTINATION, {});
    bytes[BTH_OVER_IPV4 + offset] = value;
    FrameCodec::Result result = FrameCodec::Parse(bytes.data(), bytes.size(), {});
    FramePtr owner(result.frame);
    return result.error;
}

} // namespace

TEST(MrcLayout, KnownSizes)
{
    struct Vector
    {
        RoceOpcode opcode;
        uint32_t payload;
        uint8_t ipVersion;
        bool stamped;
        uint32_t frame;
    };

    // 16-mrc-vectors.out, "1 sizes"
    const Vector vectors[] = {
        {RoceOpcode::MRC_WRITE_MIDDLE, 4096, 6, true, 4202},
        {RoceOpcode::MRC_WRITE_FIRST, 4096, 6, true, 4202},
        {RoceOpcode::MRC_WRITE_MIDDLE, 4096, 6, false, 4198},
        {RoceOpcode::MRC_WRITE_MIDDLE, 4096, 4, true, 4182},
        {RoceOpcode::MRC_WRITE_MIDDLE, 1024, 6, true, 1130},
        {RoceOpcode::MRC_WRITE_LAST_IMM, 4096, 6, true, 4206},
        {RoceOpcode::MRC_WRITE_ONLY, 2, 6, true, 110},
        {RoceOpcode::MRC_SACK, 0, 6, false, 118},
        {RoceOpcode::MRC_SACK, 0, 4, false, 98},
        {RoceOpcode::MRC_NACK, 0, 6, false, 102},
        {RoceOpcode::MRC_PROBE, 0, 6, false, 98},
        {RoceOpcode::MRC_ENDPOINT_REQUEST, 0, 6, false, 98},
        {RoceOpcode::MRC_ENDPOINT_RESPONSE, 0, 6, false, 118},
        {RoceOpcode::MRC_ACKNOWLEDGE, 0, 6, false, 86},
    };
    for (const Vector& v : vectors)
    {
        const auto frame = Mrc(v.opcode, v.payload, v.ipVersion, v.stamped);
        EXPECT_EQ(frame->bytes, v.frame) << ToString(v.opcode);
        EXPECT_EQ(BytesOf(*frame).size(), v.frame) << ToString(v.opcode);
    }
}

// The vectors of 16-mrc-vectors.out, "2 header bytes".

TEST(MrcLayout, DataIsItsBytes)
{
    const auto frame = Mrc(RoceOpcode::MRC_WRITE_MIDDLE, 4096);
    frame->destQp = 0x123;
    frame->psn = 0xff01;
    frame->ackRequest = true;
    frame->telemetry.mrc.repeated = true;
    frame->telemetry.mrc.msn = 7;
    frame->telemetry.mrc.time = 0x1234;
    frame->remoteAddress = 0x10001000;
    frame->remoteKey = 0x55aa;
    frame->dmaBytes = 1 << 20;
    EXPECT_EQ(HeadersOf(*frame, 36),
              "c740ffff00000123b000ff01"
              "00000007"
              "12340001"
              "0000000010001000000055aa00100000");
}

TEST(MrcLayout, SackIsItsBytes)
{
    const auto frame = Mrc(RoceOpcode::MRC_SACK);
    frame->destQp = 0x456;
    frame->psn = 4;
    MrcHeader& sack = frame->telemetry.mrc;
    sack.acked = 11 - 4;
    sack.base = 5 - 4;
    sack.bitmap = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6; // of 6 7 9 10 11
    sack.ev = 0x00050003;
    sack.mark = MrcMark::SKIP_ONCE;
    sack.window = 8;
    sack.time = 0x1234;
    sack.outOfOrder = 5;
    sack.received = (41760 + 255) / 256;
    EXPECT_EQ(HeadersOf(*frame, 48),
              "dc40ffff0000045600000004"
              "00200007000500030000000000000004000800010000000000000076"
              "12340005000000a4");
    sack.acked = -3;
    sack.penalty = 127;
    sack.restore = true;
    sack.mark = MrcMark::ALWAYS_SKIP;
    EXPECT_EQ(HeadersOf(*frame, 48),
              "dc40ffff0000045600000004"
              "0040fffd000500030000000000000004000800010000000000000076"
              "12340005ff0000a4");
    sack.answersProbe = true;
    sack.probe = 9;
    EXPECT_EQ(HeadersOf(*frame, 16), "dc40ffff000004560000000400420009");
}

TEST(MrcLayout, NackIsItsBytes)
{
    const auto frame = Mrc(RoceOpcode::MRC_NACK);
    frame->destQp = 0x456;
    frame->psn = 5;
    frame->telemetry.mrc.reason = MrcReason::TRIMMED;
    frame->telemetry.mrc.ev = 0x00050003;
    frame->telemetry.mrc.time = 0x1234;
    EXPECT_EQ(HeadersOf(*frame, 32),
              "dd40ffff0000045600000005"
              "0000010000050003000000000000000520001234");
}

TEST(MrcLayout, ProbeAndEndpointOperationsAreTheirBytes)
{
    const auto probe = Mrc(RoceOpcode::MRC_PROBE);
    probe->destQp = 0x123;
    probe->telemetry.mrc.probe = 9;
    probe->telemetry.mrc.time = 0x100;
    EXPECT_EQ(HeadersOf(*probe, 28), "de40ffff000001230000000000000000000900000000000001000001");

    const auto request = Mrc(RoceOpcode::MRC_ENDPOINT_REQUEST);
    request->destQp = 2;
    request->psn = 3;
    request->telemetry.mrc.ports = 0x7f;
    request->telemetry.mrc.time = 0x100;
    EXPECT_EQ(HeadersOf(*request, 28), "d840ffff0000000200000003000000000000007f0000000001000001");

    // The sheet's rules, without a vector: operation in bits 3 and 2 of octet 1, time at 28.
    const auto response = Mrc(RoceOpcode::MRC_ENDPOINT_RESPONSE);
    response->destQp = 2;
    response->psn = 3;
    response->telemetry.mrc.operation = MrcOperation::EV_PROBE;
    response->telemetry.mrc.time = 0x100;
    EXPECT_EQ(HeadersOf(*response, 48),
              "d940ffff0000000200000003"
              "00040000" +
                  std::string(48, '0') + "0100000000000000");
}

TEST(MrcLayout, TheEntropyValueIsPortAndFlowLabel)
{
    const auto frame = Mrc(RoceOpcode::MRC_WRITE_ONLY, 64);
    frame->srcPort = 0x5678;
    frame->flowLabel = 0x1234;
    frame->dscp = 63;
    const auto bytes = BytesOf(*frame);
    const std::vector<uint8_t> first(bytes.begin() + 14, bytes.begin() + 18);
    EXPECT_EQ(first, (std::vector<uint8_t>{0x6f, 0xc0, 0x12, 0x34}));
    EXPECT_EQ(bytes[54] << 8 | bytes[55], 0x5678);
}

TEST(MrcLayout, TrimmedPacketEndsBehindTheTimeStamp)
{
    // 16-mrc-vectors.out, "1 sizes": 66 over IPv4, 86 over IPv6
    for (const auto& [ipVersion, stamped, size] :
         std::vector<std::tuple<uint8_t, bool, uint32_t>>{{4, true, 66},
                                                          {6, true, 86},
                                                          {4, false, 64}, // Ethernet's minimum
                                                          {6, false, 82}})
    {
        for (const uint32_t kept : {LEAST_TRIM_BYTES, uint32_t{92}}) // no matter how many
        {
            const auto frame = Mrc(RoceOpcode::MRC_WRITE_ONLY_IMM, 4095, ipVersion, stamped);
            ASSERT_TRUE(TrimFrame(*frame, kept, Trim::LAST_HOP));
            EXPECT_EQ(frame->bytes, size);
            EXPECT_EQ(BytesOf(*frame).size(), size);
        }
    }
    const auto frame = Mrc(RoceOpcode::MRC_WRITE_LAST, 2);
    frame->telemetry.mrc.time = 0x1234;
    frame->telemetry.mrc.msn = 7;
    frame->psn = 5;
    ASSERT_TRUE(TrimFrame(*frame, LEAST_TRIM_BYTES, Trim::ON_PATH));
    EXPECT_EQ(HeadersOf(*frame, 20),
              "c840ffff0100000010000005"
              "00000007"
              "12340001");
    auto bytes = BytesOf(*frame);
    EXPECT_EQ(bytes[58] << 8 | bytes[59], 28); // UDP length
    FrameCodec::Result result = FrameCodec::Parse(bytes.data(), bytes.size(), {true, true});
    FramePtr parsed(result.frame);
    ASSERT_TRUE(parsed) << result.error; // no ICRC that could be wrong
    EXPECT_EQ(parsed->trim, Trim::ON_PATH);
    EXPECT_EQ(parsed->psn, 5U);
    EXPECT_EQ(parsed->payloadBytes, 0U);
    EXPECT_EQ(parsed->telemetry.mrc.time, 0x1234);
    EXPECT_EQ(parsed->telemetry.mrc.msn, 7);
}

TEST(MrcLayout, WhatIsNotMrcIsRefused)
{
    const auto data = Mrc(RoceOpcode::MRC_WRITE_ONLY, 64, 4);
    EXPECT_EQ(ErrorOf(*data, 8, 0x30), "");
    for (const uint8_t flags : {0x08, 0x01, 0x40}) // number of a kind of telemetry, SACK
    {
        EXPECT_NE(ErrorOf(*data, 8, flags), "") << +flags;
    }
    EXPECT_NE(ErrorOf(*data, 4, 0x01), ""); // cut, but the payload is there
    EXPECT_NE(ErrorOf(*data, 4, 0x03), "");
    for (const uint8_t opcode : {0xcc, 0xd0, 0xd7, 0xda, 0xdb, 0xdf})
    {
        EXPECT_NE(ErrorOf(*data, 0, opcode), "") << +opcode;
    }
    for (const uint8_t opcode : {0xd1, 0xd8, 0xd9, 0xdc, 0xdd, 0xde}) // without payload, as cut
    {
        EXPECT_NE(ErrorOf(*data, 0, opcode), "") << +opcode;
    }
    const auto sack = Mrc(RoceOpcode::MRC_SACK, 0, 4);
    EXPECT_EQ(ErrorOf(*sack, 13, 0x40), "");
    EXPECT_NE(ErrorOf(*sack, 13, 0x60), ""); // mark 3
    EXPECT_NE(ErrorOf(*sack, 8, 0x10), "");  // a TSETH outside of data
    const auto request = Mrc(RoceOpcode::MRC_ENDPOINT_REQUEST, 0, 4);
    EXPECT_EQ(ErrorOf(*request, 13, 1), "");
    EXPECT_NE(ErrorOf(*request, 13, 2), "");
    EXPECT_NE(ErrorOf(*request, 0, 0xd9), ""); // longer
}

TEST(MrcLayout, IsPrinted)
{
    const auto sack = Mrc(RoceOpcode::MRC_SACK);
    sack->telemetry.mrc.acked = -3;
    sack->telemetry.mrc.bitmap = 0x76;
    std::ostringstream os;
    os << *sack;
    EXPECT_NE(os.str().find(" acked=-3 "), std::string::npos) << os.str();
    EXPECT_NE(os.str().find(" bitmap=0x76 "), std::string::npos) << os.str();
}

// SPDX-License-Identifier: GPL-2.0-only

// FrameCodec, writing and round trips: sizes and byte vectors, and the property
// parse(serialise(frame)) == frame for frames of all kinds.

#include "icrc.h"
#include "psn.h"
#include "wire-test-util.h"

#include "ns3/frame-codec.h"
#include "ns3/ip-frame.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace wiretest;

namespace
{

const Mac48Address SOURCE("02:00:00:00:00:0a");
const Mac48Address DESTINATION("02:00:00:00:00:0b");

std::string
Hex(const uint8_t* data, std::size_t size)
{
    static const char* digits = "0123456789abcdef";
    std::string hex;
    for (std::size_t i = 0; i < size; ++i)
    {
        hex += digits[data[i] >> 4];
        hex += digits[data[i] & 15];
    }
    return hex;
}

std::string
Hex(const std::vector<uint8_t>& bytes)
{
    return Hex(bytes.data(), bytes.size());
}

/// The acknowledgement of the ICRC vector.
FramePtr
KnownAck()
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::ACKNOWLEDGE;
    frame->src = 0x0a000001;
    frame->dst = 0x0a000002;
    frame->srcPort = 0xc001;
    frame->dstPort = ROCE_UDP_PORT;
    frame->ecn = Ecn::ECT0;
    frame->ipId = 0x1234;
    frame->destQp = 0x12;
    frame->psn = 7;
    frame->syndrome = 0x1f;
    frame->msn = 1;
    return frame;
}

/// @return length with FCS of a RoCEv2 frame, as its bytes are
std::size_t
Length(RoceOpcode opcode, uint32_t payload)
{
    Frame* frame = new Frame;
    FramePtr owner(frame);
    frame->opcode = opcode;
    frame->payloadBytes = payload;
    return FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {false, true}).size();
}

} // namespace

TEST(FrameCodec, KnownSizes)
{
    struct Vector
    {
        RoceOpcode opcode;
        uint32_t payload;
        uint32_t frame;
        uint32_t wire;
    };

    // vectors.out, "04 RoCEv2 sizes"
    const Vector vectors[] = {
        {RoceOpcode::WRITE_FIRST, 1024, 1102, 1122},
        {RoceOpcode::WRITE_MIDDLE, 1024, 1086, 1106},
        {RoceOpcode::WRITE_LAST, 1024, 1086, 1106},
        {RoceOpcode::SEND_FIRST, 1024, 1086, 1106},
        {RoceOpcode::SEND_LAST, 1024, 1086, 1106},
        {RoceOpcode::WRITE_ONLY, 1024, 1102, 1122},
        {RoceOpcode::SEND_MIDDLE, 4096, 4158, 4178},
        {RoceOpcode::SEND_MIDDLE, 1000, 1062, 1082},
        {RoceOpcode::READ_REQUEST, 0, 78, 98},
        {RoceOpcode::READ_RESPONSE_FIRST, 1024, 1090, 1110},
        {RoceOpcode::READ_RESPONSE_LAST, 1024, 1090, 1110},
        {RoceOpcode::READ_RESPONSE_ONLY, 1024, 1090, 1110},
        {RoceOpcode::READ_RESPONSE_MIDDLE, 1024, 1086, 1106},
        {RoceOpcode::ACKNOWLEDGE, 0, 66, 86},
        {RoceOpcode::CNP, 0, 78, 98},
        {RoceOpcode::WRITE_LAST_IMM, 512, 578, 598},
    };
    for (const Vector& v : vectors)
    {
        EXPECT_EQ(RoceFrameBytes(v.opcode, v.payload), v.frame) << +static_cast<int>(v.opcode);
        EXPECT_EQ(Length(v.opcode, v.payload), v.frame) << +static_cast<int>(v.opcode);
        EXPECT_EQ(v.frame + ETHERNET_GAP_BYTES, v.wire);
    }
    EXPECT_EQ(Length(RoceOpcode::SEND_ONLY, 0), 64U); // Ethernet's minimum, not 62
    EXPECT_EQ(Length(RoceOpcode::SEND_ONLY, 1), Length(RoceOpcode::SEND_ONLY, 4)); // pad
}

TEST(FrameCodec, AckIsItsBytes)
{
    // A published header with a right IPv4 checksum (0x1485) in place of its stand-in abcd.
    const auto bytes = FrameCodec::Serialise(*KnownAck(), SOURCE, DESTINATION, {true, true});
    EXPECT_EQ(Hex(bytes),
              "02000000000b02000000000a0800"
              "45020030123440004011"
              "1485"
              "0a0000010a000002"
              "c00112b7001c0000"
              "1140ffff00000012000000071f000001"
              "0585ea2e"
              "e9691b1d");
}

TEST(FrameCodec, IcrcIsOptionalAndAlwaysCounted)
{
    const auto with = FrameCodec::Serialise(*KnownAck(), SOURCE, DESTINATION, {true, false});
    const auto without = FrameCodec::Serialise(*KnownAck(), SOURCE, DESTINATION, {false, false});
    ASSERT_EQ(with.size(), 62U);
    ASSERT_EQ(without.size(), 62U);
    EXPECT_EQ(Hex(with.data() + 58, 4), "0585ea2e");
    EXPECT_EQ(Hex(without.data() + 58, 4), "00000000");
}

TEST(FrameCodec, PfcFrameIsItsBytes)
{
    FramePtr frame(new Frame);
    frame->kind = FrameKind::PFC;
    frame->pfcEnable = 0x88;     // classes 3 and 7
    frame->pfcQuanta[3] = 65535; // XOFF
    frame->pfcQuanta[7] = 0;     // XON
    frame->tagged = true;        // must not matter: PFC is never tagged
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {false, true});
    ASSERT_EQ(bytes.size(), 64U);
    EXPECT_EQ(Hex(bytes.data(), 34),
              "0180c200000102000000000a8808" // addresses and type
              "0101"
              "0088"
              "000000000000ffff0000000000000000");
    EXPECT_EQ(Hex(bytes.data() + 34, 26), std::string(52, '0'));
    EXPECT_EQ(Hex(bytes.data() + 60, 4), "ad6acb78");
}

TEST(FrameCodec, CnpIsMarkedAndCarriesSixteenZeros)
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::CNP;
    frame->becn = true;
    frame->destQp = 0xabcdef;
    frame->dscp = 48;
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {false, false});
    EXPECT_EQ(bytes[15], 48 << 2);
    EXPECT_EQ(Hex(bytes.data() + 42, 12), "8140ffff40abcdef00000000");
    EXPECT_EQ(Hex(bytes.data() + 54, 16), std::string(32, '0'));
}

TEST(FrameCodec, CeMarkKeepsIpv4ChecksumRight)
{
    auto frame = KnownAck();
    frame->ecn = Ecn::CE;
    frame->ttl = 61;
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {true, false});
    uint32_t sum = 0;
    for (int i = 0; i < 20; i += 2)
    {
        sum += static_cast<uint32_t>(bytes[14 + i] << 8 | bytes[15 + i]);
    }
    EXPECT_EQ((sum & 0xffff) + (sum >> 16), 0xffffU);
    EXPECT_EQ(Hex(bytes.data() + 58, 4), "0585ea2e"); // the ICRC does not notice
}

TEST(FrameCodec, RoundTripOfEveryOpcode)
{
    std::mt19937_64 random(4);
    for (RoceOpcode opcode : AllOpcodes())
    {
        for (int i = 0; i < 300; ++i)
        {
            auto frame = RandomRoce(random, opcode);
            const FrameCodec::Options options{(i & 1) != 0, (i & 2) != 0};
            const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, options);
            ASSERT_EQ(bytes.size(), frame->bytes - (options.appendFcs ? 0 : 4));
            auto result = FrameCodec::Parse(bytes.data(), bytes.size(), options);
            ASSERT_TRUE(result.frame) << result.error;
            FramePtr parsed(result.frame);
            ASSERT_EQ(WireFields(*parsed), WireFields(*frame));
        }
    }
}

TEST(FrameCodec, RoundTripOfAllKinds)
{
    std::mt19937_64 random(7);
    int kinds[4] = {};
    for (int i = 0; i < 5000; ++i)
    {
        auto frame = RandomFrame(random);
        ++kinds[static_cast<int>(frame->kind)];
        const FrameCodec::Options options{(i & 1) != 0, (i & 2) != 0};
        const auto packet = FrameCodec::ToPacket(*frame, SOURCE, DESTINATION, options);
        ASSERT_EQ(packet->GetSize(), frame->bytes - (options.appendFcs ? 0 : 4));
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        auto result = FrameCodec::Parse(bytes.data(), bytes.size(), options);
        ASSERT_TRUE(result.frame) << result.error;
        FramePtr parsed(result.frame);
        ASSERT_EQ(WireFields(*parsed), WireFields(*frame));
        EXPECT_EQ(result.source, SOURCE);
        EXPECT_EQ(result.destination,
                  frame->kind == FrameKind::PFC ? FrameCodec::PfcDestination() : DESTINATION);
    }
    EXPECT_GT(kinds[0], 100);
    EXPECT_GT(kinds[1], 100);
    EXPECT_GT(kinds[2], 100);
    EXPECT_GT(kinds[3], 100);
}

/// Each kind behind the AETH of the known ACK: number in the BTH, and bytes.
TEST(FrameCodec, TelemetryIsItsBytes)
{
    // From AckReq and the kind to the ICRC.
    const auto bytes = [](TelemetryKind kind, const std::function<void(FrameTelemetry&)>& fill) {
        auto frame = KnownAck();
        frame->telemetryKind = kind;
        fill(frame->telemetry);
        const auto all = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {});
        EXPECT_EQ(all.size() + 4,
                  RoceFrameBytes(frame->opcode, 0, 4, false, frame->GetTelemetryBytes()));
        return Hex(all.data() + 50, all.size() - 54);
    };
    const IntTelemetry twoHops{2, 0xabc, {0x1122334455667788, 0x99aabbccddeeff00, 7}};
    EXPECT_EQ(bytes(TelemetryKind::DELAY,
                    [](FrameTelemetry& t) { t.delay = {0x0102030405060708, 0x0a0b0c0d, 3}; }),
              "010000071f000001"
              "01020304050607080a0b0c0d03000000");
    EXPECT_EQ(bytes(TelemetryKind::INT, [&](FrameTelemetry& t) { t.hops = twoHops; }),
              "020000071f000001"
              "2abc112233445566778899aabbccddeeff000000000000000007" +
                  std::string(32, '0'));
    EXPECT_EQ(bytes(TelemetryKind::INT_GROWING, [&](FrameTelemetry& t) { t.hops = twoHops; }),
              "030000071f000001"
              "2abc112233445566778899aabbccddeeff00");
    EXPECT_EQ(bytes(TelemetryKind::PINT, [](FrameTelemetry& t) { t.pint = {0x1234}; }),
              "040000071f000001"
              "1234");
    EXPECT_EQ(
        bytes(TelemetryKind::ICC, [](FrameTelemetry& t) { t.icc = {1, 2, -3, 4, 5, 6, 7, 8, 9}; }),
        "050000071f000001"
        "0000000100000002fffffffd000400050000000600000007"
        "00080009");
}

TEST(FrameCodec, SackStandsBehindTheAethAndBeforeTelemetry)
{
    auto frame = KnownAck();
    frame->syndrome = 0x60;
    frame->sackFirst = 0x123456;
    frame->sackPackets = 0x89;
    frame->telemetryKind = TelemetryKind::PINT;
    frame->telemetry.pint = {0x7788};
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {});
    EXPECT_EQ(bytes.size() + 4, RoceFrameBytes(frame->opcode, 0, 4, false, 2) + SACK_BYTES);
    EXPECT_EQ(Hex(bytes.data() + 50, bytes.size() - 54),
              "4400000760000001"
              "00123456000000897788");
}

TEST(FrameCodec, RateReportIsThePayloadOfTheCnp)
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::CNP;
    frame->becn = true;
    frame->telemetryKind = TelemetryKind::RATE;
    frame->telemetry.rate = {40000, true};
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {});
    EXPECT_EQ(bytes.size() + 4, RoceFrameBytes(RoceOpcode::CNP, 0));
    EXPECT_EQ(Hex(bytes.data() + 50, 20),
              "06000000" // BTH
              "0300000000009c400000000000000000");
    frame->telemetry.rate.congested = false;
    EXPECT_EQ(FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {})[54], 2); // only "a report"
}

TEST(FrameCodec, QueuePairOfTheReceiverIsThePayloadOfTheCnp)
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::CNP;
    frame->becn = true;
    frame->telemetryKind = TelemetryKind::RECEIVER;
    frame->telemetry.receiver = {0x123456};
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {});
    EXPECT_EQ(bytes.size() + 4, RoceFrameBytes(RoceOpcode::CNP, 0));
    EXPECT_EQ(Hex(bytes.data() + 50, 20),
              "07000000" // BTH
              "04123456000000000000000000000000");
}

TEST(FrameCodec, HopCountSaturatesOnTheWire)
{
    for (const auto kind : {TelemetryKind::INT, TelemetryKind::INT_GROWING})
    {
        auto frame = KnownAck();
        frame->telemetryKind = kind;
        frame->telemetry.hops = {16, 0xfff, {1, 2, 3, 4, 5}};
        const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {});
        auto result = FrameCodec::Parse(bytes.data(), bytes.size(), {});
        FramePtr parsed(result.frame);
        ASSERT_TRUE(parsed) << result.error;
        EXPECT_EQ(parsed->telemetry.hops.hops, 15);
        EXPECT_EQ(parsed->telemetry.hops.pathId, 0xfff);
        EXPECT_EQ(parsed->telemetry.hops.records, frame->telemetry.hops.records);
    }
}

TEST(FrameCodec, RoundTripOfEveryTelemetry)
{
    std::mt19937_64 random(5);
    for (int kind = 0; kind <= static_cast<int>(TelemetryKind::RECEIVER); ++kind)
    {
        const bool inCnp = IsInCnp(static_cast<TelemetryKind>(kind));
        for (int i = 0; i < 500; ++i)
        {
            auto frame = RandomRoce(random, inCnp ? RoceOpcode::CNP : AllOpcodes()[random() % 18]);
            DrawTelemetry(random, *frame, static_cast<TelemetryKind>(kind));
            const FrameCodec::Options options{(i & 1) != 0, (i & 2) != 0};
            const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, options);
            ASSERT_EQ(bytes.size(), frame->bytes - (options.appendFcs ? 0 : 4));
            auto result = FrameCodec::Parse(bytes.data(), bytes.size(), options);
            ASSERT_TRUE(result.frame) << result.error;
            FramePtr parsed(result.frame);
            ASSERT_EQ(WireFields(*parsed), WireFields(*frame));
        }
    }
}

TEST(FrameCodec, IcrcCoversTelemetry)
{
    auto frame = KnownAck();
    frame->telemetryKind = TelemetryKind::INT;
    frame->telemetry.hops = {1, 5, {0x1234}};
    auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {true, false});
    auto result = FrameCodec::Parse(bytes.data(), bytes.size(), {true, false});
    FramePtr parsed(result.frame);
    EXPECT_TRUE(parsed) << result.error;
    for (const std::size_t offset : {50, 58, 67}) // kind, INT header, a record
    {
        bytes[offset] ^= 1;
        EXPECT_EQ(FrameCodec::Parse(bytes.data(), bytes.size(), {true, false}).error,
                  "RoCEv2: wrong ICRC");
        bytes[offset] ^= 1;
    }
}

TEST(FrameCodec, PsnIs24BitsOnTheWire)
{
    auto frame = KnownAck();
    frame->psn = 0x123456789abcdef;
    const auto bytes = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, {});
    auto result = FrameCodec::Parse(bytes.data(), bytes.size(), {});
    FramePtr parsed(result.frame);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->psn, 0xabcdefU);
    EXPECT_EQ(Psn::Extend(static_cast<uint32_t>(parsed->psn), 0x123456789a00000), frame->psn);
}

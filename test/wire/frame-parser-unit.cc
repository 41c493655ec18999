// SPDX-License-Identifier: GPL-2.0-only

// FrameCodec, reading what may be garbled: random bytes, truncations at every length, flipped bits,
// and the reason that each kind of damage is given. Buffers are sized exactly, so that a sanitizer
// or valgrind sees a read too far.

#include "wire-test-util.h"

#include "ns3/frame-codec.h"

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

using Bytes = std::vector<uint8_t>;

/// Parses; checks that there is a frame or a one-line reason, never both, never neither.
/// @return the reason, or "" for a frame
std::string
Reason(const Bytes& bytes, FrameCodec::Options options = {})
{
    const Bytes exact(bytes.begin(), bytes.end());
    auto result = FrameCodec::Parse(exact.data(), exact.size(), options);
    EXPECT_NE(result.frame == nullptr, result.error.empty());
    EXPECT_EQ(result.error.find('\n'), std::string::npos);
    if (result.frame)
    {
        FramePtr frame(result.frame);
        // What was understood can be said again, and means the same.
        const auto again = FrameCodec::Serialise(*frame, SOURCE, DESTINATION, options);
        auto second = FrameCodec::Parse(again.data(), again.size(), options);
        EXPECT_TRUE(second.frame) << second.error;
        if (second.frame)
        {
            FramePtr owner(second.frame);
            frame->bytes = owner->bytes; // trailing bytes are not kept
            if (frame->inner && owner->inner)
            {
                frame->inner->bytes = owner->inner->bytes;
            }
            EXPECT_EQ(WireFields(*owner), WireFields(*frame));
        }
    }
    return result.error;
}

Bytes
Serialised(const Frame& frame, FrameCodec::Options options = {})
{
    return FrameCodec::Serialise(frame, SOURCE, DESTINATION, options);
}

Bytes
Write()
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::WRITE_ONLY;
    frame->payloadBytes = 61;
    return Serialised(*frame);
}

/// @return the reason after a change that is followed by a right IPv4 checksum
std::string
AfterChange(const std::function<void(Bytes&)>& change)
{
    Bytes bytes = Write();
    change(bytes);
    bytes[24] = bytes[25] = 0;
    uint32_t sum = 0;
    for (int i = 14; i < 34; i += 2)
    {
        sum += static_cast<uint32_t>(bytes[i] << 8 | bytes[i + 1]);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    bytes[24] = static_cast<uint8_t>(~sum >> 8);
    bytes[25] = static_cast<uint8_t>(~sum);
    return Reason(bytes);
}

} // namespace

TEST(FrameParser, ReasonsNameTheLayer)
{
    EXPECT_EQ(AfterChange([](Bytes&) {}), "");
    EXPECT_EQ(Reason({}), "Ethernet: 0 bytes, shortest is 60");
    EXPECT_EQ(Reason(Bytes(60)), "Ethernet: unknown type 0");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[14] = 0x65; }),
              "IP: version does not match the Ethernet type");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[14] = 0x44; }), "IPv4: header truncated");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[16] = 0xff; }), "IP: length 65404 in 124 bytes");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[17] = 30; }), "RoCEv2: truncated");
    EXPECT_EQ(AfterChange([](Bytes& b) { --b[17]; }), "UDP: length does not match the IP header");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[41] = 1; }), "UDP: wrong checksum");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[42] = 0x12; }), "BTH: unknown opcode 18");
    auto oneLess = [](Bytes& b) { --b[17], --b[39]; };
    EXPECT_EQ(AfterChange(oneLess), "BTH: pad count does not match the length");
    auto shorten = [](Bytes& b) { b[17] = 60, b[39] = 40; }; // to 16 bytes behind UDP and BTH
    EXPECT_EQ(AfterChange(shorten), "BTH: extension headers truncated");

    Bytes bytes = Write();
    bytes[24] ^= 1;
    EXPECT_EQ(Reason(bytes), "IPv4: wrong header checksum");
    EXPECT_EQ(Reason(Write(), {true, false}), "RoCEv2: wrong ICRC"); // it was sent without
    EXPECT_EQ(Reason(Write(), {false, true}), "Ethernet: wrong FCS");
}

TEST(FrameParser, ReasonsOfTelemetry)
{
    EXPECT_EQ(AfterChange([](Bytes& b) { b[50] = 8; }), "BTH: unknown telemetry kind 8");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[50] = 0xbf; }), "BTH: unknown telemetry kind 63");
    EXPECT_EQ(AfterChange([](Bytes& b) { b[50] = 6; }), "telemetry: kind 6 outside of a CNP");
    // 61 bytes of payload and 3 of pad: there is room for each, but then no whole words are left.
    for (const uint8_t kind : {2, 3, 4})
    {
        EXPECT_EQ(AfterChange([=](Bytes& b) { b[50] = kind; }),
                  "BTH: pad count does not match the length");
    }
    for (const uint8_t kind : {1, 5}) // 16 and 28 bytes
    {
        EXPECT_EQ(AfterChange([=](Bytes& b) { b[50] = kind; }), "");
    }

    // An ACK has no payload that could be taken for telemetry.
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::ACKNOWLEDGE;
    frame->telemetryKind = TelemetryKind::INT_GROWING;
    frame->telemetry.hops = {2, 5, {1, 2}};
    const Bytes growing = Serialised(*frame);
    EXPECT_EQ(Reason(growing), "");
    const auto changed = [&](std::size_t offset, uint8_t value) {
        Bytes bytes = growing;
        bytes[offset] = value;
        return Reason(bytes);
    };
    for (const uint8_t kind : {2, 5}) // 42 and 28 bytes of 18
    {
        EXPECT_EQ(changed(50, kind), "telemetry: truncated");
    }
    EXPECT_EQ(changed(58, 0x30), "telemetry: truncated"); // a third hop
    EXPECT_EQ(changed(58, 0x10), "");                     // 8 bytes, as payload of an ACK

    FramePtr cnp(new Frame);
    cnp->opcode = RoceOpcode::CNP;
    cnp->telemetryKind = TelemetryKind::RATE;
    cnp->telemetry.rate = {1000, true};
    Bytes bytes = Serialised(*cnp);
    EXPECT_EQ(Reason(bytes), "");
    bytes[54] = 1;
    EXPECT_EQ(Reason(bytes), "telemetry: no report in the CNP");
    bytes[50] = 7;
    EXPECT_EQ(Reason(bytes), "telemetry: no queue pair in the CNP");
    bytes[50] = 8;
    EXPECT_EQ(Reason(bytes), "BTH: unknown telemetry kind 8");
    bytes[50] = 2;
    EXPECT_EQ(Reason(bytes), "telemetry: kind 2 in a CNP");
}

TEST(FrameParser, ReasonsOfSack)
{
    EXPECT_EQ(AfterChange([](Bytes& b) { b[50] = 0xff; }), "BTH: a SACK with opcode 10");
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::ACKNOWLEDGE;
    EXPECT_EQ(Reason(Serialised(*frame)), "");
    Bytes bytes = Serialised(*frame);
    bytes[50] |= 0x40;
    EXPECT_EQ(Reason(bytes), "BTH: extension headers truncated");
    frame->sackFirst = 0x123456;
    frame->sackPackets = 1;
    bytes = Serialised(*frame);
    EXPECT_EQ(Reason(bytes), "");
    bytes[65] = 0;
    EXPECT_EQ(Reason(bytes), "BTH: a SACK of nothing");
}

TEST(FrameParser, ReasonsOfPfc)
{
    FramePtr frame(new Frame);
    frame->kind = FrameKind::PFC;
    const Bytes good = Serialised(*frame);
    EXPECT_EQ(Reason(good), "");
    auto changed = [&](std::size_t offset, uint8_t value) {
        Bytes bytes = good;
        bytes[offset] = value;
        return Reason(bytes);
    };
    EXPECT_EQ(changed(5, 2), "MAC control: wrong destination address");
    EXPECT_EQ(changed(14, 0), "MAC control: not a PFC frame"); // 0x0001, plain PAUSE
    EXPECT_EQ(changed(16, 1), "PFC: high octet of the class-enable vector is not zero");
    Bytes tagged = good;
    const uint8_t tag[] = {0x81, 0x00, 0x60, 0x00};
    tagged.insert(tagged.begin() + 12, tag, tag + 4);
    EXPECT_EQ(Reason(tagged), "MAC control: tagged");
}

TEST(FrameParser, EveryTruncationIsSafe)
{
    std::mt19937_64 random(11);
    for (int i = 0; i < 80; ++i)
    {
        auto frame = RandomFrame(random);
        if (i < 20) // least room: an ACK with nothing behind its telemetry
        {
            frame = RandomRoce(random, RoceOpcode::ACKNOWLEDGE);
            DrawTelemetry(random, *frame, static_cast<TelemetryKind>(i % 6));
        }
        const Bytes bytes = Serialised(*frame);
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            const Bytes part(bytes.begin(), bytes.begin() + static_cast<long>(size));
            ASSERT_NE(Reason(part), "") << WireFields(*frame) << " cut to " << size;
        }
    }
}

TEST(FrameParser, RandomBytesAreSafe)
{
    std::mt19937_64 random(13);
    const uint16_t types[] = {0x0800, 0x86dd, 0x8100, 0x8808, 0x0806};
    for (int i = 0; i < 20000; ++i)
    {
        Bytes bytes(random() % 200);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(random());
        }
        if (bytes.size() > 24 && random() % 8)
        {
            // Let it past the first checks.
            const uint16_t type = types[random() % 5];
            bytes[12] = static_cast<uint8_t>(type >> 8);
            bytes[13] = static_cast<uint8_t>(type);
            bytes[14] = type == 0x86dd ? 0x60 : 0x45;
        }
        Reason(bytes, {random() % 2 == 0, random() % 4 == 0});
    }
}

TEST(FrameParser, GarbledFramesAreSafe)
{
    std::mt19937_64 random(17);
    int understood = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Bytes bytes = Serialised(*RandomFrame(random));
        for (uint64_t flips = 1 + random() % 4; flips > 0; --flips)
        {
            bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1U << random() % 8);
        }
        understood += Reason(bytes).empty();
    }
    // Most damage hits the payload or a field that may have any value.
    EXPECT_GT(understood, 1000);
    EXPECT_LT(understood, 19000);
}

TEST(FrameParser, FcsSeesEveryFlippedBit)
{
    std::mt19937_64 random(19);
    for (int i = 0; i < 20; ++i)
    {
        const Bytes bytes = Serialised(*RandomFrame(random), {false, true});
        for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 1 + random() % 40)
        {
            Bytes bad = bytes;
            bad[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
            ASSERT_EQ(Reason(bad, {false, true}), "Ethernet: wrong FCS");
        }
    }
}

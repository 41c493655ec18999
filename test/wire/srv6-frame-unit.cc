// SPDX-License-Identifier: GPL-2.0-only

// Packets in SRv6: uSIDs, lengths, ECN, bytes, and what a reader makes of bytes that only look like
// such a packet (sheet 16, sections 2 and 7). Round trips of random packets are in
// frame-codec-unit.cc.

#include "wire-test-util.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-printer.h"
#include "ns3/frame-trim.h"
#include "ns3/srv6-frame.h"

#include <gtest/gtest.h>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace wiretest;

namespace
{

const Mac48Address SOURCE("02:00:00:00:00:0a");
const Mac48Address DESTINATION("02:00:00:00:00:0b");
constexpr std::size_t OUTER = 14;
constexpr std::size_t INNER = OUTER + 40;
constexpr uint32_t LOCATOR = 0xfcbbbb00;

/// @return a packet of MRC from fd00::1 to fd00::2, not in SRv6
FramePtr
Mrc(RoceOpcode opcode = RoceOpcode::MRC_WRITE_MIDDLE, uint32_t payload = 4096)
{
    FramePtr frame(new Frame);
    frame->ipVersion = 6;
    frame->opcode = opcode;
    frame->src = 1;
    frame->dst = 2;
    frame->srcHigh = frame->dstHigh = {0xfd000000, 0, 0};
    frame->srcPort = 3;
    frame->flowLabel = 5;
    frame->dstPort = ROCE_UDP_PORT;
    frame->ecn = Ecn::ECT0;
    frame->dscp = 4;
    frame->payloadBytes = payload;
    frame->telemetryKind = TelemetryKind::MRC;
    frame->telemetry.mrc = {};
    frame->telemetry.mrc.stamped = IsMrcWrite(opcode);
    frame->bytes = RoceFrameBytes(opcode, payload, 6, false, frame->GetTelemetryBytes());
    return frame;
}

/// @param sids of a frame in SRv6, the next one first @return the frame
FramePtr
InSrv6(const std::array<uint16_t, 6>& sids)
{
    const auto two = [&sids](std::size_t i) { return uint32_t{sids[i]} << 16 | sids[i + 1]; };
    FramePtr frame = Mrc();
    EnterSrv6(*frame, {LOCATOR, two(0), two(2), two(4)});
    return frame;
}

/// @return the outer destination, in hex
std::string
Destination(const Frame& frame)
{
    std::ostringstream os;
    os << std::hex << frame.dstHigh[0] << ":" << frame.dstHigh[1] << ":" << frame.dstHigh[2] << ":"
       << frame.dst;
    return os.str();
}

std::vector<uint8_t>
BytesOf(const Frame& frame)
{
    return FrameCodec::Serialise(frame, SOURCE, DESTINATION, {true, true});
}

/// @return the frame that a parser makes of bytes after a change
FramePtr
Changed(const Frame& frame, std::size_t offset, uint8_t value)
{
    auto bytes = FrameCodec::Serialise(frame, SOURCE, DESTINATION, {true, false});
    bytes[offset] = value;
    return FramePtr(FrameCodec::Parse(bytes.data(), bytes.size(), {true, false}).frame);
}

TEST(Srv6Frame, UsidsAreThoseOfTheSheet)
{
    EXPECT_EQ(MicroSid(5, Srv6Role::LEAF, 17), 0x5411);
    EXPECT_EQ(MicroSid(5, Srv6Role::SPINE, 3), 0x5803);
    EXPECT_EQ(MicroSid(5, Srv6Role::LEAF, 34), 0x5422);
    EXPECT_EQ(MicroSid(5, Srv6Role::HOST, 7), 0x5007);
    const FramePtr frame = InSrv6({0x5411, 0x5803, 0x5422, 0x5007, 0, 0});
    const char* const ways[] = {"fcbbbb00:54115803:54225007:0",
                                "fcbbbb00:58035422:50070000:0",
                                "fcbbbb00:54225007:0:0",
                                "fcbbbb00:50070000:0:0",
                                "fcbbbb00:0:0:0"};
    for (const char* way : ways)
    {
        EXPECT_EQ(Destination(*frame), way);
        ShiftMicroSids(*frame);
    }
    const FramePtr full = InSrv6({0x1111, 0x2222, 0x3333, 0x4444, 0x5555, 0x6666});
    EXPECT_EQ(NextMicroSid(*full), 0x1111);
    ShiftMicroSids(*full);
    EXPECT_EQ(Destination(*full), "fcbbbb00:22223333:44445555:66660000");
    ShiftMicroSids(*full);
    EXPECT_EQ(Destination(*full), "fcbbbb00:33334444:55556666:0");
}

TEST(Srv6Frame, IsFortyBytesLonger)
{
    struct Vector
    {
        RoceOpcode opcode;
        uint32_t payload;
        uint32_t frame;
    };

    // 16-mrc-vectors.out, "1 sizes", and 40 more than those over IPv6
    for (const Vector& v : {Vector{RoceOpcode::MRC_WRITE_MIDDLE, 4096, 4242},
                            {RoceOpcode::MRC_WRITE_ONLY, 2, 150},
                            {RoceOpcode::MRC_SACK, 0, 158},
                            {RoceOpcode::MRC_NACK, 0, 142},
                            {RoceOpcode::MRC_PROBE, 0, 138}})
    {
        const FramePtr frame = Mrc(v.opcode, v.payload);
        EnterSrv6(*frame, {LOCATOR, 0x54005000, 0, 0});
        EXPECT_EQ(frame->bytes, v.frame);
        EXPECT_EQ(frame->WireBytes(), v.frame + 20);
        EXPECT_EQ(BytesOf(*frame).size(), v.frame);
    }
    const FramePtr cut = InSrv6({0x5411, 0x5803, 0x5422, 0x5007, 0, 0});
    EXPECT_TRUE(TrimFrame(*cut, LEAST_TRIM_BYTES, Trim::ON_PATH));
    EXPECT_EQ(cut->bytes, 126U);
    EXPECT_EQ(BytesOf(*cut).size(), 126U);
}

TEST(Srv6Frame, LeavesAsItWas)
{
    const FramePtr plain = Mrc();
    const FramePtr frame = Mrc();
    EnterSrv6(*frame, {LOCATOR, 0x54115803, 0x54225007, 0});
    EXPECT_EQ(frame->ecn, Ecn::ECT0);
    frame->ttl -= 3;
    EXPECT_TRUE(LeaveSrv6(*frame));
    EXPECT_EQ(frame->ttl, Frame::INITIAL_TTL - 3) << "hops of the outer header";
    frame->ttl = plain->ttl;
    EXPECT_EQ(WireFields(*frame), WireFields(*plain));
}

TEST(Srv6Frame, BringsMarksIn)
{
    FramePtr frame = InSrv6({0x5411, 0x5007, 0, 0, 0, 0});
    frame->ecn = Ecn::CE;
    EXPECT_TRUE(LeaveSrv6(*frame));
    EXPECT_EQ(frame->ecn, Ecn::CE);
    frame = Mrc();
    frame->ecn = Ecn::NOT_ECT;
    EnterSrv6(*frame, {LOCATOR, 0x54115007, 0, 0});
    frame->ecn = Ecn::CE;
    EXPECT_FALSE(LeaveSrv6(*frame)) << "RFC 6040: to be dropped";
    EXPECT_TRUE(frame->isSrv6);
}

TEST(Srv6Frame, Bytes)
{
    const FramePtr frame = InSrv6({0x5411, 0x5803, 0x5422, 0x5007, 0, 0});
    frame->ecn = Ecn::CE;
    frame->ttl = 61;
    const auto bytes = BytesOf(*frame);
    const std::vector<uint8_t> outer(bytes.begin() + OUTER, bytes.begin() + INNER);
    const std::vector<uint8_t> inner(bytes.begin() + INNER, bytes.begin() + INNER + 40);
    const uint32_t length = 4242 - 18 - 40;
    const auto high = static_cast<uint8_t>(length >> 8);
    const auto low = static_cast<uint8_t>(length);
    EXPECT_EQ(outer, (std::vector<uint8_t>{0x61, 0x30, 0,    0,    high, low,  41,   61, 0xfd, 0,
                                           0,    0,    0,    0,    0,    0,    0,    0,  0,    0,
                                           0,    0,    0,    1,    0xfc, 0xbb, 0xbb, 0,  0x54, 0x11,
                                           0x58, 3,    0x54, 0x22, 0x50, 7,    0,    0,  0,    0}));
    EXPECT_EQ(inner[0], 0x61);
    EXPECT_EQ(inner[1], 0x20) << "DSCP 4, ECT(0): marks are on the outer header";
    EXPECT_EQ(inner[3], 5) << "flow label: half of the entropy value";
    EXPECT_EQ(inner[6], 17);
    EXPECT_EQ(inner[7], 64) << "hop limits are counted on the outer header";
    EXPECT_EQ(inner[39], 2);
    // UDP, BTH and ICRC are those of the packet outside of SRv6.
    const FramePtr plain = Mrc();
    const auto same = BytesOf(*plain);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + INNER + 40, bytes.end() - 4),
              std::vector<uint8_t>(same.begin() + INNER, same.end() - 4));
}

TEST(Srv6Frame, OnlyWhatItWouldWriteIsRead)
{
    const FramePtr frame = InSrv6({0x5411, 0x5803, 0x5422, 0x5007, 0, 0});
    const FramePtr read = Changed(*frame, OUTER, 0x61);
    EXPECT_EQ(WireFields(*read), WireFields(*frame));

    struct Change
    {
        std::size_t offset;
        uint8_t value;
    };

    for (const Change& change : {Change{OUTER + 3, 1},    // an outer flow label
                                 Change{OUTER + 23, 9},   // another source
                                 Change{OUTER + 1, 0xe0}, // another DSCP
                                 Change{INNER + 7, 63},   // another inner hop limit
                                 Change{INNER + 6, 6},    // no UDP
                                 Change{INNER + 45, 0},   // a wrong ICRC
                                 Change{INNER, 0x45}})    // no IPv6
    {
        const FramePtr other = Changed(*frame, change.offset, change.value);
        ASSERT_TRUE(other) << change.offset;
        EXPECT_EQ(other->kind, FrameKind::IP) << change.offset;
        EXPECT_FALSE(other->isSrv6);
        EXPECT_EQ(other->bytes, frame->bytes);
    }
}

TEST(Srv6Frame, Printed)
{
    std::ostringstream os;
    os << *InSrv6({0x5411, 0x5803, 0x5422, 0x5007, 0, 0});
    EXPECT_NE(os.str().find("fcbb:bb00:5411:5803:5422:5007::"), std::string::npos) << os.str();
    EXPECT_NE(os.str().find("inside=fd00::2"), std::string::npos) << os.str();
}

} // namespace

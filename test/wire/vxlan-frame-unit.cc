// SPDX-License-Identifier: GPL-2.0-only
//
// Frames that enter and leave VXLAN tunnels: fields, lengths, bytes of RFC 7348, and what a reader
// makes of bytes that only look like it.
#include "wire-test-util.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-printer.h"
#include "ns3/ipv4-address.h"
#include "ns3/vxlan-frame.h"
#include "ns3/vxlan-header.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace wiretest;

namespace
{

const Mac48Address SOURCE("02:00:00:00:00:0a");
const Mac48Address DESTINATION("02:00:00:00:00:0b");

/// @return a packet from 10.0.0.1 to 10.0.0.2 with 1024 bytes of payload
FramePtr
Data()
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::WRITE_MIDDLE;
    frame->src = 0x0a000001;
    frame->dst = 0x0a000002;
    frame->srcPort = 0xc001;
    frame->dstPort = ROCE_UDP_PORT;
    frame->ecn = Ecn::ECT0;
    frame->dscp = 24;
    frame->ttl = 7;
    frame->ipId = 0x1234;
    frame->payloadBytes = 1024;
    frame->bytes = RoceFrameBytes(frame->opcode, 1024);
    frame->inPort = 5;
    frame->inClass = 3;
    frame->trafficClass = 3;
    return frame;
}

/// @param ipVersion of the outer header @return from 172.16.0.1 to 172.16.0.2, VNI 0x123456
VxlanTunnel
Tunnel(uint8_t ipVersion = 4)
{
    return {ipVersion, 0x123456, 0xac100001, 0xac100002, {0xfd000000, 0, 0}};
}

std::vector<uint8_t>
Bytes(const Frame& frame)
{
    return FrameCodec::Serialise(frame, SOURCE, DESTINATION, {false, false});
}

} // namespace

TEST(VxlanFrame, TheOuterFrameHasTheMarksOfTheInnerOne)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    EXPECT_EQ(frame->kind, FrameKind::VXLAN);
    EXPECT_EQ(frame->src, 0xac100001U);
    EXPECT_EQ(frame->dst, 0xac100002U);
    EXPECT_EQ(frame->dstPort, VXLAN_UDP_PORT);
    EXPECT_GE(frame->srcPort, 0xc000);
    EXPECT_EQ(frame->vni, 0x123456U);
    EXPECT_EQ(frame->dscp, 24);
    EXPECT_EQ(frame->ecn, Ecn::ECT0);
    EXPECT_EQ(frame->ttl, Frame::INITIAL_TTL);
    EXPECT_EQ(frame->telemetryKind, TelemetryKind::NONE);
    EXPECT_EQ(frame->bytes, 1086U + 50);
    EXPECT_EQ(frame->inPort, 5);
    EXPECT_EQ(frame->inClass, 3);
    EXPECT_EQ(frame->trafficClass, 3);
    EXPECT_EQ(frame->inner->ttl, 7);
    EXPECT_EQ(&frame->Content(), frame->inner);
}

TEST(VxlanFrame, ATunnelAdds50Or70Bytes)
{
    EXPECT_EQ(VxlanAddedBytes(4), 50U);
    EXPECT_EQ(VxlanAddedBytes(6), 70U);
    for (const uint8_t version : {4, 6})
    {
        const FramePtr frame = Data();
        const std::size_t before = Bytes(*frame).size();
        EnterTunnel(*frame, Tunnel(version));
        EXPECT_EQ(Bytes(*frame).size(), before + VxlanAddedBytes(version));
        EXPECT_EQ(Bytes(*frame).size() + 4, frame->bytes);
    }
}

TEST(VxlanFrame, WhatEntersLeavesAsItWas)
{
    std::mt19937_64 random(71);
    for (int i = 0; i < 2000; ++i)
    {
        const auto& opcodes = AllOpcodes();
        const FramePtr frame =
            i % 2 ? RandomIp(random) : RandomRoce(random, opcodes[random() % opcodes.size()]);
        const std::string before = WireFields(*frame);
        const uint32_t bytes = frame->bytes;
        EnterTunnel(*frame, Tunnel(i % 3 ? 4 : 6));
        frame->ttl = 1;
        ASSERT_TRUE(LeaveTunnel(*frame));
        if (frame->tagged && bytes < ETHERNET_MIN_FRAME_BYTES + 4)
        {
            frame->bytes = bytes; // padded without its tag
        }
        ASSERT_EQ(WireFields(*frame), before);
        EXPECT_EQ(frame->inner, nullptr);
    }
}

TEST(VxlanFrame, TheTagGoesOutsideAndComesBack)
{
    const FramePtr frame = Data();
    frame->tagged = true;
    frame->pcp = 3;
    frame->vlan = 100;
    frame->bytes += 4;
    EnterTunnel(*frame, Tunnel());
    EXPECT_TRUE(frame->tagged);
    EXPECT_EQ(frame->pcp, 3);
    EXPECT_EQ(frame->vlan, 100);
    EXPECT_FALSE(frame->inner->tagged);
    EXPECT_EQ(frame->bytes, 1090U + 50);
    ASSERT_TRUE(LeaveTunnel(*frame));
    EXPECT_TRUE(frame->tagged);
    EXPECT_EQ(frame->vlan, 100);
    EXPECT_EQ(frame->bytes, 1090U);
}

TEST(VxlanFrame, AMarkOfTheTunnelReachesThePacket)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    frame->ecn = Ecn::CE;
    ASSERT_TRUE(LeaveTunnel(*frame));
    EXPECT_EQ(frame->ecn, Ecn::CE);
}

TEST(VxlanFrame, AMarkedTunnelAroundAPacketWithoutEcnDoesNotOpen)
{
    const FramePtr frame = Data();
    frame->ecn = Ecn::NOT_ECT;
    EnterTunnel(*frame, Tunnel());
    frame->ecn = Ecn::CE;
    EXPECT_FALSE(LeaveTunnel(*frame));
    EXPECT_EQ(frame->kind, FrameKind::VXLAN);
}

TEST(VxlanFrame, TheSourcePortTellsFlowsApartAndDirectionsAlike)
{
    std::set<uint16_t> ports;
    for (uint16_t flow = 0; flow < 1000; ++flow)
    {
        const FramePtr frame = Data();
        frame->srcPort = static_cast<uint16_t>(0xc000 + flow);
        const uint16_t port = VxlanSourcePort(*frame);
        EXPECT_GE(port, 0xc000);
        ports.insert(port);
        std::swap(frame->src, frame->dst);
        EXPECT_EQ(VxlanSourcePort(*frame), port);
    }
    // 1000 of 16384 ports: about 970 differ.
    EXPECT_GT(ports.size(), 900U);
}

TEST(VxlanFrame, TheSourcePortTellsFlowLabelsApart)
{
    Frame frame;
    frame.ipVersion = 6;
    frame.srcPort = 0xc001;
    frame.dstPort = ROCE_UDP_PORT;
    std::set<uint16_t> ports;
    for (frame.flowLabel = 0; frame.flowLabel < 16; ++frame.flowLabel)
    {
        ports.insert(VxlanSourcePort(frame));
    }
    EXPECT_GT(ports.size(), 12U); // of 2^14, evenly spread: the same twice once in 137 runs
    frame.ipVersion = 4;
    const uint16_t labelled = VxlanSourcePort(frame);
    frame.flowLabel = 0;
    EXPECT_EQ(VxlanSourcePort(frame), labelled);
}

TEST(VxlanFrame, TheBytesAreThoseOfRfc7348)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    const auto bytes = Bytes(*frame);
    const auto u16 = [&bytes](std::size_t at) { return bytes[at] << 8 | bytes[at + 1]; };
    EXPECT_EQ(u16(12), 0x0800);        // outer EtherType
    EXPECT_EQ(bytes[15], 24 << 2 | 2); // outer DSCP and ECN
    EXPECT_EQ(bytes[23], 17);          // UDP
    EXPECT_EQ(u16(34), frame->srcPort);
    EXPECT_EQ(u16(36), 4789);
    EXPECT_EQ(u16(38), 8 + 8 + 1082); // UDP, VXLAN, inner frame without FCS
    EXPECT_EQ(u16(40), 0);            // no checksum over IPv4
    const std::vector<uint8_t> header(bytes.begin() + 42, bytes.begin() + 50);
    EXPECT_EQ(header, (std::vector<uint8_t>{0x08, 0, 0, 0, 0x12, 0x34, 0x56, 0}));
    const std::vector<uint8_t> macs(bytes.begin() + 50, bytes.begin() + 62);
    EXPECT_EQ(macs, (std::vector<uint8_t>{2, 0, 10, 0, 0, 2, 2, 0, 10, 0, 0, 1}));
    EXPECT_EQ(u16(62), 0x0800); // inner EtherType
}

TEST(VxlanFrame, WhatOnlyLooksLikeATunnelStaysAPacketOfTheStack)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    const auto good = Bytes(*frame);
    // Flags, reserved octets, inner EtherType, inner IP checksum.
    for (const std::size_t at : {42, 43, 49, 62, 74})
    {
        auto bytes = good;
        bytes[at] ^= 0x40;
        const auto result = FrameCodec::Parse(bytes.data(), bytes.size(), {false, false});
        ASSERT_TRUE(result.frame) << at;
        const FramePtr parsed(result.frame);
        EXPECT_EQ(parsed->kind, FrameKind::IP) << at;
        EXPECT_EQ(parsed->inner, nullptr);
    }
}

TEST(VxlanFrame, ATunnelInATunnelIsReadAsAPacketInATunnel)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    EnterTunnel(*frame, Tunnel());
    EXPECT_EQ(frame->inner->inner->kind, FrameKind::ROCE);
    const auto bytes = Bytes(*frame);
    const auto result = FrameCodec::Parse(bytes.data(), bytes.size(), {false, false});
    ASSERT_TRUE(result.frame);
    const FramePtr parsed(result.frame);
    EXPECT_EQ(parsed->kind, FrameKind::VXLAN);
    EXPECT_EQ(parsed->inner->kind, FrameKind::IP);
    ASSERT_TRUE(LeaveTunnel(*frame));
    ASSERT_TRUE(LeaveTunnel(*frame));
    EXPECT_EQ(frame->kind, FrameKind::ROCE);
}

TEST(VxlanFrame, ACopyHasAnInnerFrameOfItsOwn)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    const FramePtr copy(frame->Copy());
    EXPECT_NE(copy->inner, frame->inner);
    EXPECT_EQ(WireFields(*copy), WireFields(*frame));
}

TEST(VxlanFrame, TheHeaderForTheStackHasTheSameBytes)
{
    auto packet = Create<Packet>();
    packet->AddHeader(VxlanHeader(0x123456));
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    EXPECT_EQ(bytes, (std::vector<uint8_t>{0x08, 0, 0, 0, 0x12, 0x34, 0x56, 0}));
    VxlanHeader header;
    EXPECT_EQ(packet->RemoveHeader(header), 8U);
    EXPECT_TRUE(header.IsValid());
    EXPECT_EQ(header.GetVni(), 0x123456U);
    const std::vector<uint8_t> zeros(8);
    auto invalid = Create<Packet>(zeros.data(), 8);
    invalid->RemoveHeader(header);
    EXPECT_FALSE(header.IsValid());
}

TEST(VxlanFrame, IsPrintedWithWhatIsInIt)
{
    const FramePtr frame = Data();
    EnterTunnel(*frame, Tunnel());
    frame->srcPort = 50000;
    std::ostringstream text;
    text << *frame;
    EXPECT_EQ(text.str(),
              "VXLAN vni=1193046 172.16.0.1.50000 > 172.16.0.2.4789 dscp=24 ecn=ect0 ttl=64 "
              "[RoCE WRITE_MIDDLE 10.0.0.1.49153 > 10.0.0.2.4791 dscp=24 ecn=ect0 ttl=7 qp=0 "
              "psn=0 payload=1024 bytes=1086] bytes=1136");
}

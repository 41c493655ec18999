// SPDX-License-Identifier: GPL-2.0-only

// Stock IP packets in frames: what FrameFromIpPacket reads, what TakeIpPacket writes back, and what
// it leaves alone.

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/ip-frame.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

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

Ptr<Packet>
UdpPacket(uint32_t payload)
{
    auto packet = Create<Packet>(payload);
    UdpHeader header;
    header.SetSourcePort(49153);
    header.SetDestinationPort(9);
    packet->AddHeader(header);
    return packet;
}

Ipv4Header
Header4(Ptr<const Packet> packet)
{
    Ipv4Header header;
    header.SetSource("10.1.2.3");
    header.SetDestination("10.4.5.6");
    header.SetProtocol(17);
    header.SetTtl(64);
    header.SetTos(0xb8 | 2); // EF, ECT(0)
    header.SetIdentification(77);
    header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    return header;
}

Ptr<Packet>
Ipv4Udp(uint32_t payload, bool checksum = false)
{
    auto packet = UdpPacket(payload);
    Ipv4Header header = Header4(packet);
    if (checksum)
    {
        header.EnableChecksum();
    }
    packet->AddHeader(header);
    return packet;
}

Ptr<Packet>
Ipv6Udp(uint32_t payload)
{
    auto packet = UdpPacket(payload);
    Ipv6Header header;
    header.SetSource("2001:db8::1:2:3");
    header.SetDestination("fd00:1:2:3:4:5:6:7");
    header.SetNextHeader(17);
    header.SetHopLimit(64);
    header.SetTrafficClass(0x28 | 1);
    header.SetFlowLabel(0x54321);
    header.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(header);
    return packet;
}

std::vector<uint8_t>
BytesOf(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return bytes;
}

uint16_t
ChecksumField(Ptr<const Packet> packet)
{
    const auto bytes = BytesOf(packet);
    return static_cast<uint16_t>(bytes[10] << 8 | bytes[11]);
}

/// @return whether the stock stack would find the IPv4 header checksum right
bool
ChecksumOk(Ptr<const Packet> packet)
{
    Ipv4Header header;
    header.EnableChecksum();
    packet->PeekHeader(header);
    return header.IsChecksumOk();
}

/// Switches ns-3's ChecksumEnabled for the length of a scope.
class ChecksumEnabled
{
  public:
    ChecksumEnabled()
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    }

    ~ChecksumEnabled()
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }
};

} // namespace

TEST(IpFrame, ReadsIpv4)
{
    FramePtr frame(FrameFromIpPacket(Ipv4Udp(100), 0x0800));
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->kind, FrameKind::IP);
    EXPECT_EQ(frame->ipVersion, 4);
    EXPECT_EQ(frame->src, 0x0a010203U);
    EXPECT_EQ(frame->dst, 0x0a040506U);
    EXPECT_EQ(frame->srcPort, 49153);
    EXPECT_EQ(frame->dstPort, 9);
    EXPECT_EQ(frame->protocol, 17);
    EXPECT_EQ(frame->dscp, 46);
    EXPECT_EQ(frame->ecn, Ecn::ECT0);
    EXPECT_EQ(frame->ttl, 64);
    EXPECT_EQ(frame->ipId, 77);
    EXPECT_EQ(frame->bytes, 18U + 20 + 8 + 100);
    EXPECT_FALSE(frame->tagged);
}

TEST(IpFrame, ReadsIpv6)
{
    FramePtr frame(FrameFromIpPacket(Ipv6Udp(100), 0x86dd));
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->ipVersion, 6);
    EXPECT_EQ(frame->srcHigh, (std::array<uint32_t, 3>{0x20010db8, 0, 0x00000001}));
    EXPECT_EQ(frame->src, 0x00020003U);
    EXPECT_EQ(frame->dstHigh, (std::array<uint32_t, 3>{0xfd000001, 0x00020003, 0x00040005}));
    EXPECT_EQ(frame->dst, 0x00060007U);
    EXPECT_EQ(frame->srcPort, 49153);
    EXPECT_EQ(frame->dstPort, 9);
    EXPECT_EQ(frame->dscp, 10);
    EXPECT_EQ(frame->ecn, Ecn::ECT1);
    EXPECT_EQ(frame->ttl, 64);
    EXPECT_EQ(frame->bytes, 18U + 40 + 8 + 100);
}

TEST(IpFrame, ReadsTcpPorts)
{
    auto packet = Create<Packet>(10);
    TcpHeader tcp;
    tcp.SetSourcePort(1234);
    tcp.SetDestinationPort(80);
    packet->AddHeader(tcp);
    Ipv4Header ip = Header4(packet);
    ip.SetProtocol(6);
    packet->AddHeader(ip);
    FramePtr frame(FrameFromIpPacket(packet, 0x0800));
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->srcPort, 1234);
    EXPECT_EQ(frame->dstPort, 80);
    EXPECT_EQ(frame->protocol, 6);
}

TEST(IpFrame, NoPortsInFragmentsAndOtherProtocols)
{
    for (int kind = 0; kind < 3; ++kind)
    {
        auto packet = UdpPacket(64);
        Ipv4Header ip = Header4(packet);
        kind == 0   ? ip.SetMoreFragments() // the first fragment: it must go the way of the rest
        : kind == 1 ? ip.SetFragmentOffset(80)
                    : ip.SetProtocol(1);
        packet->AddHeader(ip);
        FramePtr frame(FrameFromIpPacket(packet, 0x0800));
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->srcPort, 0) << kind;
        EXPECT_EQ(frame->dstPort, 0) << kind;
    }
}

TEST(IpFrame, ShortPacketsFillAMinimumFrame)
{
    FramePtr shortest(FrameFromIpPacket(Ipv4Udp(0), 0x0800));
    EXPECT_EQ(shortest->bytes, 64U);
    FramePtr edge(FrameFromIpPacket(Ipv4Udp(64 - 18 - 28), 0x0800));
    EXPECT_EQ(edge->bytes, 64U);
    FramePtr over(FrameFromIpPacket(Ipv4Udp(64 - 18 - 28 + 1), 0x0800));
    EXPECT_EQ(over->bytes, 65U);
}

TEST(IpFrame, RefusesWhatIsNotIp)
{
    EXPECT_EQ(FrameFromIpPacket(Ipv4Udp(10), 0x0806), nullptr);        // ARP
    EXPECT_EQ(FrameFromIpPacket(Ipv4Udp(10), 0x86dd), nullptr);        // version 4 inside
    EXPECT_EQ(FrameFromIpPacket(Ipv6Udp(10), 0x0800), nullptr);        // version 6 inside
    EXPECT_EQ(FrameFromIpPacket(Create<Packet>(), 0x0800), nullptr);   // empty
    EXPECT_EQ(FrameFromIpPacket(Create<Packet>(60), 0x0800), nullptr); // zeros
    const uint8_t truncated[19] = {0x45};
    EXPECT_EQ(FrameFromIpPacket(Create<Packet>(truncated, 19), 0x0800), nullptr);
    const uint8_t options[24] = {0x4f}; // says 60 bytes of header
    EXPECT_EQ(FrameFromIpPacket(Create<Packet>(options, 24), 0x0800), nullptr);
    const uint8_t truncated6[39] = {0x60};
    EXPECT_EQ(FrameFromIpPacket(Create<Packet>(truncated6, 39), 0x86dd), nullptr);
}

TEST(IpFrame, UnchangedPacketComesOutItself)
{
    for (int kind = 0; kind < 3; ++kind)
    {
        auto packet = kind == 2 ? Ipv6Udp(33) : Ipv4Udp(33, kind == 1);
        const auto before = BytesOf(packet);
        const uint16_t type = kind == 2 ? 0x86dd : 0x0800;
        const Packet* address = PeekPointer(packet);
        FramePtr frame(FrameFromIpPacket(packet, type));
        packet = nullptr;
        auto out = TakeIpPacket(*frame);
        EXPECT_EQ(PeekPointer(out), address); // not copied
        EXPECT_EQ(BytesOf(out), before);
        EXPECT_FALSE(frame->packet);
    }
}

TEST(IpFrame, WritesTtlAndMarkBack)
{
    for (bool checksum : {false, true})
    {
        FramePtr frame(FrameFromIpPacket(Ipv4Udp(33, checksum), 0x0800));
        frame->ttl = 60;
        frame->ecn = Ecn::CE;
        auto out = TakeIpPacket(*frame);
        Ipv4Header header;
        out->PeekHeader(header);
        EXPECT_EQ(header.GetTtl(), 60);
        EXPECT_EQ(header.GetTos(), 0xb8 | 3);
        EXPECT_EQ(header.GetIdentification(), 77);
        EXPECT_EQ(out->GetSize(), 20U + 8 + 33);
        EXPECT_EQ(ChecksumField(out) != 0, checksum);
        EXPECT_EQ(ChecksumOk(out), checksum);
        // All else is as it was.
        auto now = BytesOf(out);
        auto then = BytesOf(Ipv4Udp(33, checksum));
        for (std::size_t i : {1, 8, 10, 11})
        {
            now[i] = then[i] = 0;
        }
        EXPECT_EQ(now, then);
    }
}

TEST(IpFrame, WritesHopLimitAndMarkBack)
{
    FramePtr frame(FrameFromIpPacket(Ipv6Udp(33), 0x86dd));
    frame->ttl = 61;
    frame->ecn = Ecn::CE;
    auto out = TakeIpPacket(*frame);
    auto now = BytesOf(out);
    auto then = BytesOf(Ipv6Udp(33));
    EXPECT_EQ(now[0], 0x62);
    EXPECT_EQ(now[1], 0xb5); // traffic class 0x2b, flow label 0x5....
    EXPECT_EQ(now[7], 61);
    now[1] = then[1];
    now[7] = then[7];
    EXPECT_EQ(now, then);
}

TEST(IpFrame, ChecksumEnabledAlwaysGivesARightOne)
{
    ChecksumEnabled on;
    FramePtr frame(FrameFromIpPacket(Ipv4Udp(33, true), 0x0800));
    frame->ttl = 1;
    EXPECT_TRUE(ChecksumOk(TakeIpPacket(*frame)));
}

TEST(IpFrame, APacketThatSomebodyKeptIsNotTouched)
{
    auto kept = Ipv4Udp(33);
    const auto before = BytesOf(kept);
    FramePtr frame(FrameFromIpPacket(kept, 0x0800));
    frame->ttl = 3;
    auto out = TakeIpPacket(*frame);
    EXPECT_NE(PeekPointer(out), PeekPointer(kept));
    EXPECT_EQ(BytesOf(kept), before);
    EXPECT_EQ(BytesOf(out)[8], 3);
}

TEST(IpFrame, TagsTravelWithThePacket)
{
    for (uint8_t ttl : {64, 63})
    {
        auto packet = Ipv4Udp(33);
        SocketPriorityTag tag;
        tag.SetPriority(5);
        packet->AddPacketTag(tag);
        FramePtr frame(FrameFromIpPacket(packet, 0x0800));
        packet = nullptr;
        frame->ttl = ttl;
        auto out = TakeIpPacket(*frame);
        SocketPriorityTag found;
        ASSERT_TRUE(out->PeekPacketTag(found));
        EXPECT_EQ(found.GetPriority(), 5);
    }
}

// SPDX-License-Identifier: GPL-2.0-only

// The wire format of iNOF, its zones and its reliable stream.

#include "inof-packet.h"

#include "ns3/frame-codec.h"
#include "ns3/inof-message.h"
#include "ns3/inof-stream.h"
#include "ns3/inof-zone.h"
#include "ns3/ip-frame.h"

#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

using namespace ns3;

namespace
{

/// A datagram whose fields are drawn, each within what the wire can carry.
InofDatagram
DrawDatagram(std::mt19937& random)
{
    const auto draw = [&random](uint32_t below) { return random() % below; };
    const auto drawHost = [&] {
        return InofHostInfo{static_cast<uint32_t>(random()),
                            static_cast<uint32_t>(random()),
                            draw(2) ? InofRole::DISK : InofRole::SERVER,
                            static_cast<uint8_t>(draw(256))};
    };
    InofDatagram datagram;
    datagram.kind = static_cast<InofDatagram::Kind>(1 + draw(5));
    datagram.sender = random();
    datagram.senderEpoch = random();
    datagram.receiverEpoch = random();
    datagram.acknowledge = random();
    if (datagram.kind == InofDatagram::HELLO)
    {
        datagram.hello = drawHost();
        return datagram;
    }
    const bool canCarry =
        datagram.kind == InofDatagram::NOTICE || datagram.kind == InofDatagram::SESSION;
    if (!canCarry || draw(4) == 0)
    {
        return datagram;
    }
    datagram.sequence = 1 + draw(0xffffffff);
    InofMessage message;
    message.type = static_cast<InofMessage::Type>(1 + draw(7));
    message.up = draw(2);
    message.reason = static_cast<InofReason>(draw(6));
    message.host = drawHost();
    message.originator = random();
    message.serial = (uint64_t{static_cast<uint32_t>(random())} << 32) | random();
    message.clusterList.resize(draw(4), 7);
    message.version = random();
    message.autoJoin = draw(2);
    message.zone = draw(65536);
    message.name = std::string(draw(32), 'z');
    message.members.resize(draw(101), 9);
    datagram.message = message;
    return datagram;
}

} // namespace

TEST(InofMessages, RoundTripOfRandomDatagrams)
{
    std::mt19937 random(1);
    std::size_t longest = 0;
    for (int i = 0; i < 5000; ++i)
    {
        const auto bytes = DrawDatagram(random).Serialise();
        longest = std::max(longest, bytes.size());
        const auto parsed = InofDatagram::Parse(bytes.data(), bytes.size());
        ASSERT_TRUE(parsed) << "draw " << i;
        ASSERT_EQ(parsed->Serialise(), bytes) << "draw " << i;
    }
    EXPECT_LE(longest, 548U) << "any link carries 576 bytes, 28 of them IP and UDP";
}

TEST(InofMessages, EachFieldArrives)
{
    InofDatagram datagram;
    datagram.kind = InofDatagram::SESSION;
    datagram.sender = 17;
    datagram.senderEpoch = 65537;
    datagram.receiverEpoch = 3;
    datagram.sequence = 4;
    datagram.acknowledge = 5;
    InofMessage word;
    word.type = InofMessage::ROUTE;
    word.up = false;
    word.reason = InofReason::PFC_DISABLED;
    word.host = {9, 0x0a000009, InofRole::DISK, 0x18};
    word.originator = 17;
    word.serial = (uint64_t{1} << 32) + 6;
    word.clusterList = {2, 1};
    datagram.message = word;
    const auto bytes = datagram.Serialise();
    EXPECT_EQ(bytes.size(), 24U + 3 + 10 + 4 + 8 + 2 + 8) << "as doc/inof.rst says";
    const auto parsed = InofDatagram::Parse(bytes.data(), bytes.size());
    ASSERT_TRUE(parsed && parsed->message);
    EXPECT_EQ(parsed->sender, 17U);
    EXPECT_EQ(parsed->senderEpoch, 65537U);
    EXPECT_EQ(parsed->receiverEpoch, 3U);
    EXPECT_EQ(parsed->sequence, 4U);
    EXPECT_EQ(parsed->acknowledge, 5U);
    EXPECT_EQ(parsed->message->reason, InofReason::PFC_DISABLED);
    EXPECT_FALSE(parsed->message->up);
    EXPECT_TRUE(parsed->message->host == word.host);
    EXPECT_EQ(parsed->message->originator, 17U);
    EXPECT_EQ(parsed->message->serial, word.serial);
    EXPECT_EQ(parsed->message->clusterList, word.clusterList);
}

TEST(InofMessages, AnyBytesAreSafe)
{
    std::mt19937 random(2);
    int good = 0;
    for (int i = 0; i < 20000; ++i)
    {
        auto bytes = DrawDatagram(random).Serialise();
        bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1U << (random() % 8));
        bytes.resize(random() % (bytes.size() + 1));
        good += InofDatagram::Parse(bytes.data(), bytes.size()).has_value();
    }
    EXPECT_LT(good, 2000) << "what is cut short is refused by its length";
    EXPECT_FALSE(InofDatagram::Parse(nullptr, 0));
}

TEST(InofMessages, RefusesAnotherVersion)
{
    auto bytes = InofDatagram().Serialise();
    ASSERT_TRUE(InofDatagram::Parse(bytes.data(), bytes.size()));
    bytes[0] = 2;
    EXPECT_FALSE(InofDatagram::Parse(bytes.data(), bytes.size()));
}

TEST(InofMessages, TravelAsUdpThroughTheCodec)
{
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i)
    {
        const InofDatagram datagram = DrawDatagram(random);
        const bool isLink = datagram.kind != InofDatagram::SESSION;
        const Ipv4Address to(isLink ? INOF_LINK_GROUP : 0xac100002);
        Frame* frame =
            FrameFromIpPacket(MakeInofPacket(datagram, Ipv4Address("10.0.0.1"), to, 56), 0x0800);
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->dscp, 56);
        EXPECT_EQ(frame->ttl, isLink ? 1 : 64);
        EXPECT_EQ(frame->dstPort, INOF_UDP_PORT);
        const auto bytes = FrameCodec::Serialise(*frame, Mac48Address(), Mac48Address(), {});
        frame->Release();
        const auto read = FrameCodec::Parse(bytes.data(), bytes.size(), {});
        ASSERT_TRUE(read.frame) << read.error;
        const auto parsed = ReadInofPacket(TakeIpPacket(*read.frame));
        read.frame->Release();
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->Serialise(), datagram.Serialise());
    }
}

// ---- zones

TEST(InofZones, FreeHostsAreInTheDefaultZone)
{
    InofZoneTable zones;
    EXPECT_TRUE(zones.Share(1, 2));
    zones.SetAutoJoin(false);
    EXPECT_FALSE(zones.Share(1, 2));
    zones.AddMember("default", 1);
    zones.AddMember("default", 2);
    EXPECT_TRUE(zones.Share(1, 2)) << "by hand";
}

TEST(InofZones, AHostMayBeInSeveral)
{
    InofZoneTable zones;
    zones.AddZone("gold");
    zones.AddZone("silver");
    zones.AddMember("gold", 1);
    zones.AddMember("gold", 2);
    zones.AddMember("silver", 2);
    zones.AddMember("silver", 3);
    EXPECT_TRUE(zones.Share(1, 2));
    EXPECT_TRUE(zones.Share(2, 3));
    EXPECT_FALSE(zones.Share(1, 3));
    EXPECT_FALSE(zones.Share(1, 4)) << "4 is free, 1 is not";
    zones.DeleteZone("gold");
    EXPECT_FALSE(zones.Share(1, 2));
    EXPECT_TRUE(zones.Share(1, 4)) << "1 is free again";
}

TEST(InofZones, TheDefaultZoneCannotBeDeleted)
{
    InofZoneTable zones;
    EXPECT_THROW(zones.DeleteZone("default"), std::invalid_argument);
    EXPECT_THROW(zones.DeleteZone("none"), std::invalid_argument);
    EXPECT_THROW(zones.AddZone("default"), std::invalid_argument);
    EXPECT_THROW(zones.AddZone(""), std::invalid_argument);
    EXPECT_THROW(zones.AddZone(std::string(32, 'n')), std::invalid_argument);
    EXPECT_THROW(zones.AddMember("none", 1), std::invalid_argument);
    EXPECT_THROW(zones.RemoveMember("default", 1), std::invalid_argument);
}

TEST(InofZones, EachChangeIsAVersion)
{
    InofZoneTable zones;
    const uint32_t before = zones.GetVersion();
    EXPECT_EQ(zones.AddZone("a"), 1);
    EXPECT_EQ(zones.AddZone("b"), 2);
    zones.DeleteZone("a");
    EXPECT_EQ(zones.AddZone("c"), 1) << "numbers are used again";
    zones.AddMember("c", 5);
    zones.AddMember("c", 5);
    zones.SetAutoJoin(true);
    EXPECT_EQ(zones.GetVersion() - before, 5U) << "what changes nothing is none";
}

// ---- the stream

TEST(InofStreams, GoesBackToTheFirstUnacknowledged)
{
    InofSendStream stream(100);
    for (uint32_t i = 0; i < 3; ++i)
    {
        stream.Post(InofMessage{});
    }
    uint32_t sequence = 0;
    for (uint32_t expected = 1; expected <= 3; ++expected)
    {
        ASSERT_TRUE(stream.Next(0, sequence));
        EXPECT_EQ(sequence, expected);
    }
    EXPECT_FALSE(stream.Next(0, sequence));
    stream.Acknowledged(1, 50);
    EXPECT_EQ(stream.NextDeadline(), 150);
    stream.Advance(149);
    EXPECT_FALSE(stream.Next(149, sequence));
    stream.Advance(150);
    ASSERT_TRUE(stream.Next(150, sequence));
    EXPECT_EQ(sequence, 2U);
    ASSERT_TRUE(stream.Next(150, sequence));
    EXPECT_EQ(stream.NextDeadline(), 350) << "the second time waits twice as long";
    EXPECT_EQ(stream.GetRetransmitted(), 2U);
    stream.Acknowledged(3, 200);
    EXPECT_TRUE(stream.IsIdle());
    EXPECT_EQ(stream.NextDeadline(), InofSendStream::NEVER);
}

TEST(InofStreams, WindowLimitsWhatIsUnderWay)
{
    InofSendStream stream(100);
    for (uint32_t i = 0; i < 2 * InofSendStream::WINDOW; ++i)
    {
        stream.Post(InofMessage{});
    }
    uint32_t sequence = 0;
    uint32_t sent = 0;
    while (stream.Next(0, sequence))
    {
        ++sent;
    }
    EXPECT_EQ(sent, InofSendStream::WINDOW);
    stream.Acknowledged(10, 1);
    while (stream.Next(1, sequence))
    {
        ++sent;
    }
    EXPECT_EQ(sent, InofSendStream::WINDOW + 10);
}

TEST(InofStreams, ReceiverTakesEachOnceAndInOrder)
{
    InofReceiveStream stream;
    EXPECT_FALSE(stream.Accept(2));
    EXPECT_TRUE(stream.Accept(1));
    EXPECT_FALSE(stream.Accept(1));
    EXPECT_TRUE(stream.Accept(2));
    EXPECT_EQ(stream.Last(), 2U);
}

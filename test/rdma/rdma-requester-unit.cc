// SPDX-License-Identifier: GPL-2.0-only

// Packetisation, windows, ACK requests and errors of the requester (InfiniBand architecture 9.7).

#include "rdma-test-util.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

/// What a message becomes.
struct Packets
{
    uint64_t count{0};
    uint64_t bytes{0};
    uint32_t lastPayload{0};
    RoceOpcode first{};
    RoceOpcode last{};
};

/// Build all packets of one message, and check what is alike in all. Without answers.
Packets
Packetise(uint16_t mtu, RdmaVerb verb, uint64_t bytes)
{
    TestEnd end(mtu);
    end.Post(verb, bytes);
    Packets packets;
    while (end.requester.CanSend(0))
    {
        Frame* frame = end.requester.Build(0, 0);
        EXPECT_EQ(frame->psn, packets.count);
        EXPECT_EQ(frame->ecn, Ecn::ECT0);
        EXPECT_EQ(frame->bytes, RoceFrameBytes(frame->opcode, frame->payloadBytes));
        EXPECT_EQ(IsFirst(frame->opcode), packets.count == 0);
        if (packets.count == 0)
        {
            packets.first = frame->opcode;
        }
        packets.last = frame->opcode;
        packets.lastPayload = frame->payloadBytes;
        packets.bytes += frame->payloadBytes;
        packets.count++;
        frame->Release();
    }
    return packets;
}

/// An answer to the requester, without a responder.
RdmaRequester::Outcome
Answer(TestEnd& end, uint8_t syndrome, uint64_t psn, int64_t now)
{
    auto frame = new Frame;
    frame->opcode = RoceOpcode::ACKNOWLEDGE;
    frame->syndrome = syndrome;
    frame->psn = psn;
    auto outcome = end.requester.OnAck(*frame, now);
    frame->Release();
    return outcome;
}

/// Take one packet. @return its PSN
uint64_t
Take(TestEnd& end, int64_t now = 0)
{
    EXPECT_TRUE(end.requester.CanSend(end.window));
    Frame* frame = end.requester.Build(end.window, now);
    uint64_t psn = frame->psn;
    frame->Release();
    return psn;
}

} // namespace

TEST(RdmaRequester, PacketisationTable)
{
    struct Row
    {
        uint16_t mtu;
        uint64_t bytes;
        uint64_t packets;
        uint32_t last;
    };

    // computed by hand
    const Row rows[] = {{1024, 0, 1, 0},
                        {1024, 1, 1, 1},
                        {1024, 1024, 1, 1024},
                        {1024, 1025, 2, 1},
                        {1024, 2048, 2, 1024},
                        {1024, 4194304, 4096, 1024},
                        {4096, 4194304, 1024, 4096},
                        {256, 1000, 4, 232},
                        {1000, 65536, 66, 536},
                        {1000, 100000000, 100000, 1000}};
    for (const Row& row : rows)
    {
        auto packets = Packetise(row.mtu, RdmaVerb::WRITE, row.bytes);
        EXPECT_EQ(packets.count, row.packets) << row.bytes;
        EXPECT_EQ(packets.lastPayload, row.last) << row.bytes;
        EXPECT_EQ(packets.bytes, row.bytes);
        bool only = row.packets == 1;
        EXPECT_EQ(packets.first, only ? RoceOpcode::WRITE_ONLY : RoceOpcode::WRITE_FIRST);
        EXPECT_EQ(packets.last, only ? RoceOpcode::WRITE_ONLY : RoceOpcode::WRITE_LAST);
    }
}

TEST(RdmaRequester, OpcodesOfAllVerbs)
{
    using Op = RoceOpcode;
    EXPECT_EQ(Packetise(1024, RdmaVerb::SEND, 3000).first, Op::SEND_FIRST);
    EXPECT_EQ(Packetise(1024, RdmaVerb::SEND, 3000).last, Op::SEND_LAST);
    EXPECT_EQ(Packetise(1024, RdmaVerb::SEND, 3).last, Op::SEND_ONLY);
    EXPECT_EQ(Packetise(1024, RdmaVerb::SEND_IMM, 3000).last, Op::SEND_LAST_IMM);
    EXPECT_EQ(Packetise(1024, RdmaVerb::SEND_IMM, 3).last, Op::SEND_ONLY_IMM);
    EXPECT_EQ(Packetise(1024, RdmaVerb::WRITE_IMM, 3000).last, Op::WRITE_LAST_IMM);
    EXPECT_EQ(Packetise(1024, RdmaVerb::WRITE_IMM, 3).last, Op::WRITE_ONLY_IMM);
}

TEST(RdmaRequester, FramesCarryWhatTheWireNeeds)
{
    TestEnd end;
    end.Post(RdmaVerb::WRITE_IMM, 1500);
    Frame* first = end.requester.Build(0, 0);
    EXPECT_EQ(first->bytes, 1102U); // 1024 B and a RETH
    EXPECT_EQ(first->remoteAddress, 0x1000U);
    EXPECT_EQ(first->dmaBytes, 1500U);
    Frame* last = end.requester.Build(0, 0);
    EXPECT_EQ(last->bytes, 62U + 476 + 4); // immediate data
    EXPECT_EQ(last->immediate, 0xabcdU);
    first->Release();
    last->Release();
}

TEST(RdmaRequester, AReadTakesOnePsnForEachResponse)
{
    TestEnd end;
    end.Post(RdmaVerb::READ, 5000); // 5 packets
    end.Post(RdmaVerb::READ, 0);    // 1
    end.Post(RdmaVerb::WRITE, 10);
    Frame* frame = end.requester.Build(0, 0);
    EXPECT_EQ(frame->opcode, RoceOpcode::READ_REQUEST);
    EXPECT_EQ(frame->psn, 0U);
    EXPECT_EQ(frame->dmaBytes, 5000U);
    EXPECT_EQ(frame->bytes, 78U);
    frame->Release();
    EXPECT_EQ(Take(end), 5U);
    EXPECT_EQ(Take(end), 6U);
    EXPECT_EQ(end.counters.dataPackets, 1U); // the WRITE
}

TEST(RdmaRequester, ReadsOutstandingAreLimited)
{
    TestEnd end;
    end.end.connection.maxReads = 4;
    for (int i = 0; i < 10; i++)
    {
        end.Post(RdmaVerb::READ, 1);
    }
    int requests = 0;
    while (end.requester.CanSend(0))
    {
        Take(end);
        requests++;
    }
    EXPECT_EQ(requests, 4);
}

TEST(RdmaRequester, Pitfall10_MessagesBeyondFourGigabytes)
{
    TestEnd end;
    constexpr uint64_t TIB = 1ULL << 40;
    end.Post(RdmaVerb::WRITE, TIB);
    end.Post(RdmaVerb::WRITE, TIB);
    // Let the peer acknowledge in great strides; most packets are never built.
    uint64_t psn = 0;
    uint64_t acked = 0;
    uint64_t packets = 2 * TIB / 1024;
    EXPECT_THROW(end.Post(RdmaVerb::WRITE, TIB + 1), std::invalid_argument);
    for (; psn < 6000000; psn++)
    {
        if (!end.requester.CanSend(0))
        {
            ASSERT_EQ(psn, acked / 1024 + RdmaRequester::MAX_OUTSTANDING);
            acked += Answer(end, 0x1f, (psn - 1) & 0xffffff, 0).ackedBytes;
            ASSERT_EQ(acked, psn * 1024);
        }
        ASSERT_EQ(Take(end), psn);
    }
    EXPECT_GT(psn * 1024, 1ULL << 32);
    EXPECT_LT(psn, packets);
    EXPECT_EQ(end.completed.size(), 0U);
}

TEST(RdmaRequester, AckOfNothingSentIsIgnored)
{
    TestEnd end;
    end.Post(RdmaVerb::WRITE, 3000);
    Take(end);
    EXPECT_FALSE(Answer(end, 0x1f, 1, 0).progress);
    EXPECT_TRUE(Answer(end, 0x1f, 0, 0).progress);
    EXPECT_FALSE(Answer(end, 0x1f, 0, 0).progress);
    EXPECT_EQ(end.requester.Unacked(), 1U);
}

TEST(RdmaRequester, WindowCountsPayloadBytesInFlight)
{
    TestEnd end;
    end.window = 3000;
    end.Post(RdmaVerb::WRITE, 100000);
    EXPECT_EQ(Take(end), 0U);
    EXPECT_EQ(Take(end), 1U);
    EXPECT_EQ(Take(end), 2U); // 2048 < 3000
    EXPECT_FALSE(end.requester.CanSend(end.window));
    EXPECT_EQ(end.requester.BytesInFlight(), 3072U);
    EXPECT_EQ(Answer(end, 0x1f, 0, 0).ackedBytes, 1024U);
    EXPECT_TRUE(end.requester.CanSend(end.window));
}

TEST(RdmaRequester, Pitfall06_RatioOfAcksIsKept)
{
    for (uint32_t n = 1; n <= 64; n++)
    {
        TestPair pair;
        pair.ends[0].end.connection.ackInterval = n;
        pair.ends[0].Post(RdmaVerb::WRITE, 1024 * 64 * n);
        ASSERT_TRUE(pair.Run()) << n;
        EXPECT_EQ(pair.ends[0].counters.dataPackets, 64 * n);
        EXPECT_EQ(pair.ends[1].counters.acksSent, 64U) << n;
        EXPECT_EQ(pair.ends[0].completed.size(), 1U);
    }
}

TEST(RdmaRequester, Pitfall06_MessagesShorterThanTheIntervalComplete)
{
    for (uint32_t n = 1; n <= 64; n++)
    {
        TestPair pair;
        pair.ends[0].end.connection.ackInterval = n;
        for (uint64_t bytes : {1ULL, 0ULL, 1024ULL, 1025ULL, 10000ULL})
        {
            pair.ends[0].Post(RdmaVerb::WRITE, bytes);
        }
        ASSERT_TRUE(pair.Run(300)) << n; // before any timeout
        EXPECT_EQ(pair.ends[0].completed.size(), 5U) << n;
    }
}

TEST(RdmaRequester, Pitfall06_AWindowSmallerThanTheIntervalDoesNotHang)
{
    for (uint64_t window : {1ULL, 1024ULL, 5000ULL, 20000ULL})
    {
        TestPair pair;
        pair.ends[0].end.connection.ackInterval = 64;
        pair.ends[0].window = window;
        pair.ends[0].Post(RdmaVerb::WRITE, 200 * 1024);
        ASSERT_TRUE(pair.Run(20000)) << window;
        EXPECT_EQ(pair.ends[0].counters.timeouts, 0U) << window;
        EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U);
        // Still coalesced: about one ACK a window.
        uint64_t packetsOfWindow = (window + 1023) / 1024;
        EXPECT_LE(pair.ends[1].counters.acksSent, 200 / packetsOfWindow + 2) << window;
    }
}

TEST(RdmaRequester, TimeoutRunsWhileAnAnswerIsOwed)
{
    // 20 packets, 900 ticks apart, at a timeout of 1000: packets 16 and 20 ask for an ACK.
    TestEnd end;
    end.end.connection.ackInterval = 16;
    end.Post(RdmaVerb::WRITE, 20 * 1024);
    int64_t now = 0;
    for (int packet = 1; packet <= 15; ++packet, now += 900)
    {
        end.requester.Build(0, now)->Release();
        ASSERT_EQ(end.requester.Deadline(), RDMA_NEVER) << "packet " << packet;
    }
    end.requester.Build(0, now)->Release();
    EXPECT_EQ(end.requester.Deadline(), now + 1000);
    end.requester.Build(0, now + 900)->Release(); // asks for nothing: the 16th still does
    EXPECT_EQ(end.requester.Deadline(), now + 1000);
}

TEST(RdmaRequester, AWindowThatShrinksLetsOnePacketPassThatAsks)
{
    TestEnd end;
    end.end.connection.ackInterval = 16;
    end.Post(RdmaVerb::WRITE, 20 * 1024);
    for (int64_t now : {0, 100, 200})
    {
        end.requester.Build(8 * 1024, now)->Release();
    }
    EXPECT_EQ(end.requester.Deadline(), RDMA_NEVER);
    // The peer owes no answer to three packets, and the window is now one.
    ASSERT_TRUE(end.requester.CanSend(1024));
    Frame* frame = end.requester.Build(1024, 300);
    EXPECT_TRUE(frame->ackRequest);
    frame->Release();
    EXPECT_FALSE(end.requester.CanSend(1024));
    EXPECT_EQ(end.requester.Deadline(), 1300);
    EXPECT_EQ(Answer(end, 0x1f, 3, 400).ackedBytes, 4096U);
    EXPECT_TRUE(end.requester.CanSend(1024));
}

TEST(RdmaRequester, HeadWireBytesIsWhatComesNext)
{
    TestPair pair;
    for (RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::WRITE_IMM, RdmaVerb::READ, RdmaVerb::WRITE})
    {
        pair.ends[1].responder.PostReceive(1);
        pair.ends[0].Post(verb, 5555);
    }
    ASSERT_TRUE(pair.Run());
    EXPECT_TRUE(pair.headsRight);
    EXPECT_EQ(pair.ends[0].completed.size(), 4U);
}

TEST(RdmaRequester, TimesOfACompletion)
{
    TestPair pair;
    pair.Step();
    pair.ends[0].Post(RdmaVerb::WRITE, 2000, 0);
    ASSERT_TRUE(pair.Run());
    const auto& done = pair.ends[0].completed.at(0);
    EXPECT_EQ(done.posted.GetTimeStep(), 0);
    EXPECT_EQ(done.firstSent.GetTimeStep(), 1);
    EXPECT_EQ(done.completed.GetTimeStep(), 22); // second packet at 2, there and back 20
    EXPECT_EQ(pair.ends[1].received.at(0).completed.GetTimeStep(), 12);
    EXPECT_EQ(pair.ends[1].received.at(0).posted.GetTimeStep(), 11);
}

TEST(RdmaRequester, IdsAreChosenOrCounted)
{
    TestPair pair;
    EXPECT_EQ(pair.ends[0].Post(RdmaVerb::WRITE, 1), 1U);
    EXPECT_EQ(pair.ends[0].Post(RdmaVerb::WRITE, 1), 2U);
    RdmaWorkRequest request;
    request.id = 99;
    request.bytes = 7;
    EXPECT_EQ(pair.ends[0].requester.Post(request, 0), 99U);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.at(2).id, 99U);
    for (uint64_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(pair.ends[1].received.at(i).id, i); // ordinal of the request
    }
}

TEST(RdmaRequester, ACallbackMayPost)
{
    TestPair pair;
    int left = 50;
    pair.ends[0].onCompleted = [&](const RdmaCompletion&) {
        if (left-- > 0)
        {
            pair.ends[0].Post(left % 3 ? RdmaVerb::WRITE : RdmaVerb::READ, left * 100);
        }
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 1);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.size(), 51U);
}

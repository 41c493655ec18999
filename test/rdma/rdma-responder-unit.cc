// SPDX-License-Identifier: GPL-2.0-only

// What the responder answers (InfiniBand architecture 9.7).

#include "rdma-test-util.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/// What an answer was.
struct Answered
{
    bool any{false};
    RoceOpcode opcode{};
    uint8_t syndrome{0};
    uint64_t psn{0};
    uint32_t msn{0};
};

/// Give a packet to the responder.
Answered
Give(TestEnd& end,
     RoceOpcode opcode,
     uint64_t psn,
     bool ackRequest = true,
     int64_t now = 0,
     uint64_t readBytes = 0)
{
    auto frame = new Frame;
    frame->opcode = opcode;
    frame->psn = psn & 0xffffff;
    frame->ackRequest = ackRequest;
    frame->payloadBytes = CarriesData(opcode) ? 1024 : 0;
    frame->dmaBytes = readBytes;
    frame->immediate = 5;
    Frame* answer = end.responder.Receive(frame, now);
    Answered result;
    if (answer)
    {
        EXPECT_EQ(answer, frame); // the very same frame, in place
        result = {true, answer->opcode, answer->syndrome, answer->psn, answer->msn};
        EXPECT_EQ(answer->bytes, 66U);
        answer->Release();
    }
    return result;
}

} // namespace

TEST(RdmaResponder, AcksWhatAsksForItAndTheEnd)
{
    TestEnd end;
    EXPECT_FALSE(Give(end, RoceOpcode::WRITE_FIRST, 0, false).any);
    auto ack = Give(end, RoceOpcode::WRITE_MIDDLE, 1, true);
    EXPECT_EQ(ack.opcode, RoceOpcode::ACKNOWLEDGE);
    EXPECT_EQ(ack.syndrome, 0x1f);
    EXPECT_EQ(ack.psn, 1U);
    EXPECT_EQ(ack.msn, 0U);
    ack = Give(end, RoceOpcode::WRITE_LAST, 2, false); // the end always
    EXPECT_EQ(ack.psn, 2U);
    EXPECT_EQ(ack.msn, 1U);
    ASSERT_EQ(end.received.size(), 1U);
    EXPECT_EQ(end.received[0].bytes, 3072U);
    EXPECT_EQ(end.counters.payloadDelivered, 3072U);
}

TEST(RdmaResponder, OneNakAGap)
{
    TestEnd end;
    Give(end, RoceOpcode::WRITE_FIRST, 0);
    auto nak = Give(end, RoceOpcode::WRITE_MIDDLE, 2, true, 100);
    EXPECT_EQ(nak.syndrome, 0x60);
    EXPECT_EQ(nak.psn, 1U);
    for (int i = 3; i < 100; i++)
    {
        EXPECT_FALSE(Give(end, RoceOpcode::WRITE_MIDDLE, i, true, 100 + i).any) << i;
    }
    // The interval (500 ticks) has passed: once more.
    EXPECT_EQ(Give(end, RoceOpcode::WRITE_MIDDLE, 100, true, 600).syndrome, 0x60);
    EXPECT_FALSE(Give(end, RoceOpcode::WRITE_MIDDLE, 101, true, 601).any);
    // The missing one ends it; the next gap is told at once.
    EXPECT_EQ(Give(end, RoceOpcode::WRITE_MIDDLE, 1, true, 602).syndrome, 0x1f);
    EXPECT_EQ(Give(end, RoceOpcode::WRITE_MIDDLE, 3, true, 603).syndrome, 0x60);
    EXPECT_EQ(end.counters.naksSent, 3U);
    EXPECT_EQ(end.counters.outOfOrder, 101U);
    EXPECT_EQ(end.counters.payloadDelivered, 2048U);
}

TEST(RdmaResponder, DuplicatesAreAcknowledgedAgain)
{
    TestEnd end;
    Give(end, RoceOpcode::WRITE_FIRST, 0);
    Give(end, RoceOpcode::WRITE_MIDDLE, 1);
    Give(end, RoceOpcode::WRITE_LAST, 2);
    auto ack = Give(end, RoceOpcode::WRITE_FIRST, 0);
    EXPECT_EQ(ack.syndrome, 0x1f);
    EXPECT_EQ(ack.psn, 2U);
    EXPECT_FALSE(Give(end, RoceOpcode::WRITE_MIDDLE, 1, false).any);
    EXPECT_EQ(end.counters.duplicates, 2U);
    EXPECT_EQ(end.counters.payloadDelivered, 3072U);
    EXPECT_EQ(end.received.size(), 1U);
}

TEST(RdmaResponder, RnrNakThenSilenceUntilItComesAgain)
{
    TestEnd end;
    auto rnr = Give(end, RoceOpcode::SEND_FIRST, 0);
    EXPECT_EQ(rnr.syndrome, 0x20 | 1);
    EXPECT_EQ(rnr.psn, 0U);
    EXPECT_FALSE(Give(end, RoceOpcode::SEND_MIDDLE, 1).any);
    EXPECT_FALSE(Give(end, RoceOpcode::SEND_LAST, 2).any);
    end.responder.PostReceive(1);
    EXPECT_EQ(Give(end, RoceOpcode::SEND_FIRST, 0).syndrome, 0x1f);
    EXPECT_EQ(end.responder.Receives(), 0U);
    EXPECT_TRUE(Give(end, RoceOpcode::SEND_MIDDLE, 1).any);
    EXPECT_TRUE(Give(end, RoceOpcode::SEND_LAST, 2).any);
    EXPECT_EQ(end.received.size(), 1U);
    EXPECT_EQ(end.counters.rnrNaksSent, 1U);
}

TEST(RdmaResponder, WriteWithImmediateTakesAReceiveAtItsEnd)
{
    TestEnd end;
    EXPECT_EQ(Give(end, RoceOpcode::WRITE_FIRST, 0).syndrome, 0x1f);
    EXPECT_EQ(Give(end, RoceOpcode::WRITE_LAST_IMM, 1).syndrome, 0x21);
    end.responder.PostReceive(1);
    EXPECT_EQ(Give(end, RoceOpcode::WRITE_LAST_IMM, 1).syndrome, 0x1f);
    ASSERT_EQ(end.received.size(), 1U);
    EXPECT_EQ(end.received[0].immediate, 5U);
    EXPECT_EQ(end.received[0].verb, RdmaVerb::WRITE_IMM);
}

TEST(RdmaResponder, ReadResponsesOpcodesSizesAndPsns)
{
    TestEnd end;
    EXPECT_FALSE(Give(end, RoceOpcode::READ_REQUEST, 0, true, 0, 2500).any);
    EXPECT_EQ(end.responder.Expected(), 3U);
    const RoceOpcode opcodes[] = {RoceOpcode::READ_RESPONSE_FIRST,
                                  RoceOpcode::READ_RESPONSE_MIDDLE,
                                  RoceOpcode::READ_RESPONSE_LAST};
    const uint32_t bytes[] = {1090, 1086, 62 + 4 + 452};
    for (uint64_t i = 0; i < 3; i++)
    {
        ASSERT_TRUE(end.responder.HasResponses());
        uint32_t promised = end.responder.HeadWireBytes();
        Frame* frame = end.responder.BuildResponse(0, 0);
        EXPECT_EQ(frame->opcode, opcodes[i]);
        EXPECT_EQ(frame->psn, i);
        EXPECT_EQ(frame->bytes, bytes[i]);
        EXPECT_EQ(frame->WireBytes(), promised);
        EXPECT_EQ(frame->ecn, Ecn::ECT0);
        frame->Release();
    }
    EXPECT_FALSE(end.responder.HasResponses());
    // Once more from the middle: what is asked for, and no more.
    Give(end, RoceOpcode::READ_REQUEST, 1, true, 0, 1476);
    Frame* frame = end.responder.BuildResponse(0, 0);
    EXPECT_EQ(frame->opcode, RoceOpcode::READ_RESPONSE_FIRST);
    EXPECT_EQ(frame->psn, 1U);
    frame->Release();
    EXPECT_EQ(end.counters.retransmitted, 1U);
    EXPECT_EQ(end.received.size(), 1U); // executed again, told once
}

TEST(RdmaResponder, AWindowThatShrinksLetsOneResponsePassThatAsks)
{
    TestEnd end;
    end.end.connection.acknowledgesReads = true;
    end.end.connection.ackInterval = 16;
    Give(end, RoceOpcode::READ_REQUEST, 0, true, 0, 20 * 1024);
    const auto asks = [&end](uint64_t window) {
        EXPECT_TRUE(end.responder.CanRespond(window));
        Frame* frame = end.responder.BuildResponse(window, 0);
        const bool ackRequest = frame->ackRequest;
        frame->Release();
        return ackRequest;
    };
    EXPECT_FALSE(asks(8 * 1024));
    EXPECT_FALSE(asks(8 * 1024));
    EXPECT_TRUE(asks(1024));
    EXPECT_FALSE(end.responder.CanRespond(1024));
    // The requester asks again from the second on: nothing in flight asks any more.
    Give(end, RoceOpcode::READ_REQUEST, 1, true, 0, 19 * 1024);
    EXPECT_TRUE(asks(1024));
    EXPECT_FALSE(end.responder.CanRespond(1024));
}

TEST(RdmaResponder, ARepeatedReadReplacesWhatIsLeftOfIt)
{
    TestEnd end;
    Give(end, RoceOpcode::READ_REQUEST, 0, true, 0, 10 * 1024);
    Give(end, RoceOpcode::READ_REQUEST, 10, true, 0, 10 * 1024);
    end.responder.BuildResponse(0, 0)->Release();
    // From 5 on, and the second one again
    Give(end, RoceOpcode::READ_REQUEST, 5, true, 0, 5 * 1024);
    Give(end, RoceOpcode::READ_REQUEST, 10, true, 0, 10 * 1024);
    uint64_t expected = 1;
    while (end.responder.HasResponses())
    {
        Frame* frame = end.responder.BuildResponse(0, 0);
        EXPECT_EQ(frame->psn, expected++);
        frame->Release();
    }
    EXPECT_EQ(expected, 20U);
}

TEST(RdmaResponder, TooManyReadsAreRefused)
{
    TestEnd end;
    end.end.connection.maxReads = 2;
    EXPECT_FALSE(Give(end, RoceOpcode::READ_REQUEST, 0, true, 0, 1).any);
    EXPECT_FALSE(Give(end, RoceOpcode::READ_REQUEST, 1, true, 0, 1).any);
    EXPECT_EQ(Give(end, RoceOpcode::READ_REQUEST, 2, true, 0, 1).syndrome, 0x61);
}

TEST(RdmaResponder, Pitfall10_PsnsWrapOnTheWireOnly)
{
    TestEnd end;
    uint64_t psn = 0;
    Give(end, RoceOpcode::WRITE_FIRST, psn++);
    for (; psn < (1U << 24) + 100; psn++)
    {
        Answered ack = Give(end, RoceOpcode::WRITE_MIDDLE, psn, psn % 65536 == 0);
        if (psn % 65536 == 0)
        {
            ASSERT_EQ(ack.psn, psn);
        }
    }
    EXPECT_EQ(end.responder.Expected(), psn);
    EXPECT_EQ(end.counters.payloadDelivered, psn * 1024);
    EXPECT_EQ(end.counters.outOfOrder + end.counters.duplicates, 0U);
}

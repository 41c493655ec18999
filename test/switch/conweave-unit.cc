// SPDX-License-Identifier: GPL-2.0-only
//
// ConWeave's state of a flow at both leaves: sheet 15, section 3. Times in ns.
#include "ns3/conweave-receiver.h"
#include "ns3/conweave-sender.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr int64_t US = 1000;
constexpr int64_t PATIENCE = 12 * US; //!< base round trip 8 us, ReplyExtra 4 us
constexpr int64_t EXPIRY = 300 * US;
constexpr ConWeaveReceiver::Waits WAITS{16 * US, 200 * US};

/// @return what a frame tells that a flow sends as it must @param path where it would move
ConWeaveShim
Send(ConWeaveSender& flow, int64_t now, uint16_t path)
{
    const auto step = flow.Look(now, EXPIRY);
    return flow.Send(step, now, PATIENCE, ConWeaveSender::MayMove(step) ? path : flow.GetPath());
}

/// @return the reply to a frame
ConWeaveShim
ReplyTo(const ConWeaveShim& shim)
{
    const bool isInit = shim.kind == ConWeaveShim::INIT;
    ConWeaveShim reply = shim;
    reply.kind = isInit ? ConWeaveShim::INIT_REPLY : ConWeaveShim::TAIL_REPLY;
    reply.phase = isInit ? 0 : 1;
    return reply;
}

/// @return a frame of an epoch
ConWeaveShim
Shim(uint8_t phase,
     int64_t txTime,
     int64_t tailTime = 0,
     ConWeaveShim::Kind kind = ConWeaveShim::DATA,
     uint32_t epoch = 1)
{
    return {txTime, tailTime, epoch, 0, phase, kind, 3};
}

void
ExpectShim(const ConWeaveShim& shim,
           ConWeaveShim::Kind kind,
           uint16_t path,
           uint32_t epoch,
           uint8_t phase,
           int64_t tailTime)
{
    EXPECT_EQ(shim.kind, kind);
    EXPECT_EQ(shim.path, path);
    EXPECT_EQ(shim.epoch, epoch);
    EXPECT_EQ(shim.phase, phase);
    EXPECT_EQ(shim.tailTime, tailTime);
}

} // namespace

TEST(ConWeaveSender, ReroutesWhenTheReplyIsLate)
{
    ConWeaveSender flow;
    ExpectShim(Send(flow, 100 * US, 4), ConWeaveShim::INIT, 4, 1, 0, 0);
    EXPECT_EQ(flow.GetReplyTimer(), 112 * US); // the vector
    ExpectShim(Send(flow, 112 * US, 5), ConWeaveShim::DATA, 4, 1, 0, 0);
    // The TAIL takes the old path, and the others the new one.
    ExpectShim(Send(flow, 112 * US + 1, 5), ConWeaveShim::TAIL, 4, 1, 0, 112 * US + 1);
    EXPECT_EQ(flow.GetReplyTimer(), ConWeaveSender::NEVER);
    ExpectShim(Send(flow, 113 * US, 6), ConWeaveShim::DATA, 5, 1, 1, 112 * US + 1);
    // Nothing happens until the TAIL is answered, and then an epoch begins where the flow is.
    const auto data = Send(flow, 200 * US, 6);
    ExpectShim(data, ConWeaveShim::DATA, 5, 1, 1, 112 * US + 1);
    flow.Replied(ReplyTo(Shim(0, 0, 0, ConWeaveShim::TAIL, 1)), 201 * US);
    ExpectShim(Send(flow, 202 * US, 6), ConWeaveShim::INIT, 5, 2, 0, 0);
    EXPECT_EQ(flow.GetReplyTimer(), 214 * US);
}

TEST(ConWeaveSender, StaysWhenTheReplyIsInTime)
{
    ConWeaveSender flow;
    const auto init = Send(flow, 0, 4);
    flow.Replied(ReplyTo(init), PATIENCE - 1);
    ExpectShim(Send(flow, 20 * US, 5), ConWeaveShim::INIT, 4, 2, 0, 0);
    // Late replies, and those of other epochs and phases, say nothing.
    flow.Replied(ReplyTo(init), 21 * US);
    ExpectShim(Send(flow, 22 * US, 5), ConWeaveShim::DATA, 4, 2, 0, 0);
    flow.Replied(ReplyTo(Shim(0, 0, 0, ConWeaveShim::TAIL, 2)), 22 * US);
    ExpectShim(Send(flow, 23 * US, 5), ConWeaveShim::DATA, 4, 2, 0, 0);
    flow.Replied(ReplyTo(Shim(0, 0, 0, ConWeaveShim::INIT, 2)), 20 * US + PATIENCE);
    ExpectShim(Send(flow, 33 * US, 5), ConWeaveShim::TAIL, 4, 2, 0, 33 * US);
    flow.Replied(ReplyTo(Shim(0, 0, 0, ConWeaveShim::INIT, 2)), 34 * US);
    ExpectShim(Send(flow, 35 * US, 6), ConWeaveShim::DATA, 5, 2, 1, 33 * US);
}

TEST(ConWeaveSender, BeginsAnewAfterSilence)
{
    ConWeaveSender flow(7); // forgotten flows begin behind what the other leaf remembers
    ExpectShim(Send(flow, 0, 4), ConWeaveShim::INIT, 4, 8, 0, 0);
    Send(flow, 13 * US, 5);
    ExpectShim(Send(flow, 313 * US, 6), ConWeaveShim::DATA, 5, 8, 1, 13 * US);
    ExpectShim(Send(flow, 613 * US + 1, 6), ConWeaveShim::INIT, 6, 9, 0, 0);
    // No good path is found: a TAIL is sent nevertheless.
    ExpectShim(Send(flow, 626 * US, 6), ConWeaveShim::TAIL, 6, 9, 0, 626 * US);
    ExpectShim(Send(flow, 627 * US, 4), ConWeaveShim::DATA, 6, 9, 1, 626 * US);
}

TEST(ConWeaveReceiver, HoldsFramesUntilTheTailShouldHaveCome)
{
    ConWeaveReceiver flow;
    EXPECT_FALSE(flow.Arrived(Shim(0, 107000), 111500, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), ConWeaveReceiver::NEVER);
    EXPECT_TRUE(flow.Arrived(Shim(1, 113100, 113000), 114200, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 133500); // the vector
    EXPECT_TRUE(flow.Arrived(Shim(1, 113200, 113000), 114300, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 133500);
    EXPECT_FALSE(flow.Arrived(Shim(0, 112000), 117000, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 134000); // the vector
    EXPECT_FALSE(flow.Flushed());
    EXPECT_EQ(flow.GetFlushTime(), ConWeaveReceiver::NEVER);
    EXPECT_FALSE(flow.Arrived(Shim(1, 135000, 113000), 136000, WAITS)) << "all has gone on";
}

TEST(ConWeaveReceiver, LetsGoBehindTheTail)
{
    ConWeaveReceiver flow;
    flow.Arrived(Shim(0, 107000), 111500, WAITS);
    EXPECT_TRUE(flow.Arrived(Shim(1, 113100, 113000), 114200, WAITS));
    EXPECT_FALSE(flow.Arrived(Shim(0, 113000, 113000, ConWeaveShim::TAIL), 118100, WAITS));
    EXPECT_TRUE(flow.Arrived(Shim(1, 113300, 113000), 118100, WAITS)) << "the TAIL is not queued";
    flow.TailPassed(1, 118100);
    EXPECT_EQ(flow.GetFlushTime(), 118101); // the vector
    EXPECT_TRUE(flow.Arrived(Shim(1, 113400, 113000), 118100, WAITS)) << "others wait";
    EXPECT_TRUE(flow.Flushed());
    EXPECT_FALSE(flow.Arrived(Shim(1, 113500, 113000), 118200, WAITS));
}

TEST(ConWeaveReceiver, WaitsLongWhereNothingTellsOfTheTail)
{
    ConWeaveReceiver flow;
    EXPECT_TRUE(flow.Arrived(Shim(1, 113100, 113000), 114200, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 330200); // the vector
    // What was seen in another epoch tells nothing.
    EXPECT_FALSE(flow.Flushed());
    EXPECT_FALSE(flow.Arrived(Shim(0, 400000, 0, ConWeaveShim::INIT, 2), 401000, WAITS));
    EXPECT_TRUE(flow.Arrived(Shim(1, 500000, 499000, ConWeaveShim::DATA, 3), 501000, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 717000);
}

TEST(ConWeaveReceiver, TakesFramesInOrderWithoutWaiting)
{
    ConWeaveReceiver flow;
    EXPECT_FALSE(flow.Arrived(Shim(0, 0, 0, ConWeaveShim::INIT, 5), 2000, WAITS));
    EXPECT_FALSE(flow.Arrived(Shim(0, 100, 100, ConWeaveShim::TAIL, 5), 2100, WAITS));
    flow.TailPassed(5, 2100);
    EXPECT_FALSE(flow.Arrived(Shim(1, 200, 100, ConWeaveShim::DATA, 5), 2200, WAITS));
    EXPECT_FALSE(flow.Arrived(Shim(1, 0, 0, ConWeaveShim::DATA, 4), 2300, WAITS)) << "is older";
    // An estimate that has passed already.
    EXPECT_FALSE(flow.Arrived(Shim(0, 5000, 0, ConWeaveShim::INIT, 6), 6000, WAITS));
    EXPECT_TRUE(flow.Arrived(Shim(1, 5200, 5100, ConWeaveShim::DATA, 6), 90000, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 90001);
}

TEST(ConWeaveReceiver, ALaterEpochGoesBehindWhatIsHeld)
{
    ConWeaveReceiver flow;
    flow.Arrived(Shim(0, 0), 2000, WAITS);
    EXPECT_TRUE(flow.Arrived(Shim(1, 200, 100), 2100, WAITS));
    EXPECT_TRUE(flow.Arrived(Shim(0, 1000, 0, ConWeaveShim::INIT, 2), 3000, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 3001);
    EXPECT_FALSE(flow.Flushed());
    // The new epoch is in phase 0.
    EXPECT_FALSE(flow.Arrived(Shim(0, 1100, 0, ConWeaveShim::DATA, 2), 3100, WAITS));
    EXPECT_TRUE(flow.Arrived(Shim(1, 1300, 1200, ConWeaveShim::DATA, 2), 3200, WAITS));
    EXPECT_EQ(flow.GetFlushTime(), 3100 + 100 + 16 * US);
}

// SPDX-License-Identifier: GPL-2.0-only

// Trimmed packets at the two ends: what the responder answers, and what the requester sends again.

#include "irn-receiver.h"
#include "irn-sender.h"
#include "rdma-test-util.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/// What an answer was.
struct Answered
{
    bool any{false};
    uint8_t syndrome{0};
    uint64_t psn{0};
    Trim trim{Trim::NONE};
    uint32_t sackFirst{0};
    uint32_t sackPackets{0};
    uint32_t bytes{0};
};

/// Give a packet to the responder, whole or cut.
Answered
Give(TestEnd& end, uint64_t psn, Trim trim = Trim::NONE, bool ackRequest = false, int64_t now = 0)
{
    auto frame = new Frame;
    frame->opcode = RoceOpcode::WRITE_MIDDLE;
    frame->psn = psn;
    frame->ackRequest = ackRequest;
    frame->payloadBytes = 1024;
    if (trim != Trim::NONE)
    {
        TrimFrame(*frame, LEAST_TRIM_BYTES, trim);
    }
    Frame* answer = end.responder.Receive(frame, now);
    if (!answer)
    {
        return {};
    }
    const Answered result{true,
                          answer->syndrome,
                          answer->psn,
                          answer->trim,
                          answer->sackFirst,
                          answer->sackPackets,
                          answer->bytes};
    answer->Release();
    return result;
}

/// A NAK of a trimmed packet. @param expected PSN that the peer expects @param psn of the packet
Frame*
TrimNak(uint64_t expected, uint64_t psn, Trim trim = Trim::ON_PATH)
{
    auto nak = new Frame;
    nak->opcode = RoceOpcode::ACKNOWLEDGE;
    nak->syndrome = aeth::NAK_SEQUENCE;
    nak->psn = expected;
    nak->sackFirst = psn;
    nak->sackPackets = 1;
    nak->trim = trim;
    return nak;
}

RdmaRequester::Outcome
Tell(TestEnd& end, Frame* nak, int64_t now = 0)
{
    const auto outcome = end.requester.OnAck(*nak, now);
    nak->Release();
    return outcome;
}

/// Let the requester send what it may. @return the PSNs
std::vector<uint64_t>
Send(TestEnd& end, uint32_t most = 100)
{
    std::vector<uint64_t> psns;
    while (psns.size() < most && end.requester.CanSend(0))
    {
        Frame* frame = end.requester.Build(0, 0);
        EXPECT_EQ(frame->trim, Trim::NONE);
        psns.push_back(frame->psn);
        frame->Release();
    }
    return psns;
}

using Psns = std::vector<uint64_t>;

constexpr uint32_t PACKET = 1024;

} // namespace

TEST(RdmaTrim, ResponderNamesThePacketAndExecutesNothing)
{
    for (const bool irn : {false, true})
    {
        TestEnd end;
        if (irn)
        {
            end.UseIrn(20, 100, 100);
        }
        Give(end, 0);
        for (const auto trim : {Trim::ON_PATH, Trim::LAST_HOP}) // its next copy was cut, too
        {
            const Answered nak = Give(end, 1, trim);
            EXPECT_EQ(nak.syndrome, 0x60);
            EXPECT_EQ(nak.psn, 1U);
            EXPECT_EQ(nak.trim, trim);
            EXPECT_EQ(nak.sackFirst, 1U);
            EXPECT_EQ(nak.sackPackets, 1U);
            EXPECT_EQ(nak.bytes, 74U);
        }
        EXPECT_EQ(end.counters.payloadDelivered, PACKET);
        EXPECT_EQ(end.responder.Expected(), 1U);
        Give(end, 1);
        EXPECT_EQ(end.responder.Expected(), 2U);
    }
}

TEST(RdmaTrim, ResponderAcknowledgesWhatItHas)
{
    for (const bool irn : {false, true})
    {
        TestEnd end;
        if (irn)
        {
            end.UseIrn(20, 100, 100);
        }
        Give(end, 0);
        Give(end, 1);
        const Answered ack = Give(end, 0, Trim::ON_PATH);
        EXPECT_EQ(ack.syndrome, 0x1f);
        EXPECT_EQ(ack.psn, 1U);
        EXPECT_EQ(ack.trim, Trim::NONE);
        EXPECT_EQ(ack.bytes, 66U);
        EXPECT_EQ(end.counters.payloadDelivered, 2 * PACKET);
    }
}

TEST(RdmaTrim, SelectiveResponderSaysThatItHasKeptThePacket)
{
    TestEnd end;
    end.UseIrn(20, 100, 100);
    Give(end, 3); // early, kept
    const Answered here = Give(end, 3, Trim::ON_PATH);
    EXPECT_EQ(here.trim, Trim::NONE);
    EXPECT_EQ(here.sackFirst, 3U);
    const Answered lost = Give(end, 2, Trim::ON_PATH);
    EXPECT_EQ(lost.trim, Trim::ON_PATH);
    EXPECT_EQ(lost.psn, 0U); // packets before it may be on their way
    EXPECT_EQ(lost.sackFirst, 2U);
    EXPECT_EQ(end.counters.duplicates, 1U);
}

/// Headers overtake the data that wait in the queue.
TEST(RdmaTrim, GoBackNTellsOfTheFirstAlone)
{
    TestEnd end;
    Give(end, 0);
    EXPECT_EQ(Give(end, 5, Trim::ON_PATH, false, 10).sackFirst, 5U);
    EXPECT_FALSE(Give(end, 7, Trim::ON_PATH, false, 11).any);       // comes again with 5
    EXPECT_EQ(Give(end, 9, Trim::ON_PATH, true, 12).sackFirst, 9U); // the last one
    EXPECT_FALSE(Give(end, 1).any);
    EXPECT_FALSE(Give(end, 2).any);
    EXPECT_EQ(Give(end, 3, Trim::ON_PATH, false, 13).sackFirst, 3U); // before the first
    for (uint64_t psn = 4; psn < 9; ++psn)
    {
        EXPECT_FALSE(Give(end, psn, Trim::NONE, true, 14).any) << psn; // told already
    }
    EXPECT_EQ(end.responder.Expected(), 3U);
    EXPECT_FALSE(Give(end, 3, Trim::NONE, false, 20).any);
    // A gap that nobody has told of.
    EXPECT_EQ(Give(end, 6, Trim::NONE, false, 21).psn, 4U);
}

TEST(RdmaTrim, GoBackNTellsAgainWhenTheNakHasNotHelped)
{
    TestEnd end;
    EXPECT_TRUE(Give(end, 1, Trim::ON_PATH, false, 0).any);
    EXPECT_FALSE(Give(end, 2, Trim::ON_PATH, false, 499).any);
    EXPECT_TRUE(Give(end, 2, Trim::ON_PATH, false, 500).any); // NackInterval of this end
}

TEST(RdmaTrim, RnrKeepsSilentAboutWhatFollows)
{
    TestEnd end;
    auto send = new Frame;
    send->opcode = RoceOpcode::SEND_FIRST;
    end.responder.Receive(send, 0)->Release();
    EXPECT_FALSE(Give(end, 1, Trim::ON_PATH).any);
    EXPECT_TRUE(Give(end, 0, Trim::ON_PATH).any); // the retry was cut
}

TEST(RdmaTrim, GoBackNStartsAtTheTrimmedPacket)
{
    TestEnd end;
    end.Post(RdmaVerb::WRITE, 10 * PACKET);
    EXPECT_EQ(Send(end).size(), 10U);
    const auto outcome = Tell(end, TrimNak(2, 6, Trim::LAST_HOP));
    EXPECT_EQ(outcome.ackedBytes, 2 * PACKET);
    EXPECT_EQ(outcome.trimmedBytes, PACKET);
    EXPECT_TRUE(outcome.wentBack);
    EXPECT_EQ(Send(end, 2), (Psns{6, 7}));
    const auto late = Tell(end, TrimNak(2, 8)); // it will be sent again in any case
    EXPECT_EQ(late.trimmedBytes, 0U);
    EXPECT_FALSE(late.wentBack);
    const auto old = Tell(end, TrimNak(3, 1)); // has come meanwhile
    EXPECT_EQ(old.trimmedBytes, 0U);
    EXPECT_EQ(Send(end), (Psns{8, 9}));
}

TEST(RdmaTrim, SelectiveSenderRepeatsBeforeNewData)
{
    TestEnd end;
    end.UseIrn(6, 100, 100);
    end.Post(RdmaVerb::WRITE, 10 * PACKET + 5);
    EXPECT_EQ(Send(end), (Psns{0, 1, 2, 3, 4, 5}));
    auto outcome = Tell(end, TrimNak(1, 3), 50);
    EXPECT_EQ(outcome.ackedBytes, PACKET);
    EXPECT_EQ(outcome.trimmedBytes, PACKET);
    EXPECT_EQ(end.requester.Deadline(), 150); // the peer has answered
    EXPECT_EQ(Send(end), (Psns{3, 6}));
    // What arrives behind it says nothing new: its next copy is on the way.
    auto sack = TrimNak(3, 4, Trim::NONE);
    EXPECT_FALSE(Tell(end, sack).wentBack);
    // The next copy is cut, too.
    EXPECT_TRUE(Tell(end, TrimNak(3, 3)).wentBack);
    EXPECT_EQ(Send(end).front(), 3U);
    EXPECT_FALSE(Tell(end, TrimNak(3, 4)).wentBack); // SACKed: it is there
}

TEST(RdmaTrim, BytesOfTheLastPacketAreItsOwn)
{
    TestEnd end;
    end.Post(RdmaVerb::WRITE, 2 * PACKET + 5);
    Send(end);
    EXPECT_EQ(Tell(end, TrimNak(2, 2)).trimmedBytes, 5U);
}

TEST(RdmaTrim, TrimmedReadResponseIsAskedForAtOnce)
{
    for (const bool irn : {false, true})
    {
        TestEnd end;
        if (irn)
        {
            end.UseIrn(20, 100, 100);
        }
        end.Post(RdmaVerb::READ, 4 * PACKET);
        Frame* request = end.requester.Build(0, 0);
        request->Release();
        const auto arrive = [&](RoceOpcode opcode, uint64_t psn, Trim trim) {
            Frame response;
            response.opcode = opcode;
            response.psn = psn;
            response.payloadBytes = PACKET;
            if (trim != Trim::NONE)
            {
                TrimFrame(response, LEAST_TRIM_BYTES, trim);
            }
            return end.requester.OnReadResponse(response, 0);
        };
        arrive(RoceOpcode::READ_RESPONSE_FIRST, 0, Trim::NONE);
        EXPECT_TRUE(arrive(RoceOpcode::READ_RESPONSE_MIDDLE, 1, Trim::ON_PATH).wentBack);
        EXPECT_FALSE(arrive(RoceOpcode::READ_RESPONSE_FIRST, 0, Trim::ON_PATH).wentBack);
        ASSERT_TRUE(end.requester.CanSend(0));
        request = end.requester.Build(0, 0);
        EXPECT_EQ(request->psn, 1U);
        EXPECT_EQ(request->dmaBytes, irn ? PACKET : 3 * PACKET);
        request->Release();
        EXPECT_EQ(end.counters.payloadDelivered, PACKET);
        EXPECT_TRUE(arrive(RoceOpcode::READ_RESPONSE_FIRST, 1, Trim::ON_PATH).wentBack); // again
    }
}

TEST(RdmaTrim, IrnSenderLosesAPacketOncePerCopy)
{
    IrnSender sender({10, 3, 100, 320, false});
    sender.Sent({0, 6});
    EXPECT_TRUE(sender.OnTrimmed(2));
    EXPECT_FALSE(sender.OnTrimmed(2)); // waits already
    EXPECT_TRUE(sender.IsRecovering());
    EXPECT_EQ(sender.RecoveryEnd(), 6U);
    sender.SentAgain({2, 3});
    EXPECT_FALSE(sender.HasLost());
    sender.Sent({6, 8});
    EXPECT_TRUE(sender.OnTrimmed(7));
    EXPECT_EQ(sender.RecoveryEnd(), 8U);
    sender.SentAgain({7, 8});
    sender.Done({2, 3});
    EXPECT_FALSE(sender.OnTrimmed(2)); // its other copy has come
    // A gap that an early packet shows is lost; the repeated ones in it are not.
    sender.Acknowledged(4);
    sender.Done({6, 7});
    EXPECT_TRUE(sender.OnNak(4, 6));
    EXPECT_EQ(sender.FirstLost(7).end, 6U);
}

TEST(RdmaTrim, IrnReceiverKnowsWhatItKeeps)
{
    IrnReceiver receiver;
    EXPECT_FALSE(receiver.Has(3));
    Frame frame;
    frame.psn = 3;
    receiver.Keep(frame, 1);
    EXPECT_TRUE(receiver.Has(3));
    EXPECT_FALSE(receiver.Has(2));
    EXPECT_FALSE(receiver.Has(3 + 16)); // the same slot
    receiver.Take(3)->Release();
    EXPECT_FALSE(receiver.Has(3));
}

/// Headers come at once and data late, as behind a queue: each trimmed packet is sent again once,
/// without a timeout, and nothing else is.
TEST(RdmaTrim, SelectiveRepeatSendsTrimmedPacketsAlone)
{
    TestPair pair;
    for (auto& end : pair.ends)
    {
        end.UseIrn(60, 1000, 1000);
    }
    pair.late = [](int, const Frame& frame) { return frame.payloadBytes ? 15 : 0; };
    std::map<uint64_t, int> copies;
    pair.cut = [&](int, const Frame& frame) {
        return frame.psn % 5 == 2 && copies[frame.psn]++ < 1 + (frame.psn % 50 == 2);
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 500 * PACKET);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.trims, 110U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, pair.trims);
    EXPECT_EQ(pair.trimmedBytes, pair.trims * PACKET);
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[1].counters.duplicates, 0U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 500U * PACKET);
}

/// Go-back-N sends at most a round trip of packets again for each packet that it was told of.
TEST(RdmaTrim, GoBackNNeedsNoTimeoutWhileHeadersArrive)
{
    TestPair pair;
    pair.late = [](int, const Frame& frame) { return frame.payloadBytes ? 15 : 0; };
    std::map<uint64_t, int> copies;
    pair.cut = [&](int, const Frame& frame) {
        return frame.psn % 100 == 99 && copies[frame.psn]++ < 2; // the last packet, too
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 500 * PACKET);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.trims, 10U);
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_LE(pair.ends[0].counters.retransmitted, pair.trims * 25);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 500U * PACKET);
}

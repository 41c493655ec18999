// SPDX-License-Identifier: GPL-2.0-only

// Losses: go-back-N, go-back-0, timeouts, RNR, retry limits (InfiniBand architecture 9.7).

#include "rdma-test-util.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

/// Loses the k-th packet that fits, once.
TestPair::Loss
LoseOnce(int from, RoceOpcode opcode, uint64_t psn)
{
    auto done = std::make_shared<bool>(false);
    return [=](int sender, const Frame& frame) {
        bool hit = !*done && sender == from && frame.opcode == opcode && frame.psn == psn;
        *done |= hit;
        return hit;
    };
}

/// @return how many packets with an opcode an end has sent
uint64_t
Count(const TestPair& pair, int from, RoceOpcode opcode)
{
    uint64_t count = 0;
    for (const auto& sent : pair.log)
    {
        count += sent.from == from && sent.opcode == opcode;
    }
    return count;
}

} // namespace

TEST(RdmaRecovery, GoBackNSendsAgainFromTheLostPacket)
{
    TestPair pair; // 10 ticks each way
    pair.lose = LoseOnce(0, RoceOpcode::WRITE_MIDDLE, 30);
    pair.ends[0].Post(RdmaVerb::WRITE, 100 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[1].counters.naksSent, 1U); // no NAK storm
    // Packet 31 arrives at 41, the NAK at 51: 30..50 were sent until then.
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 21U);
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 100U * 1024);
    EXPECT_EQ(pair.ackedBytes, 100U * 1024);
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::SUCCESS);
}

TEST(RdmaRecovery, Pitfall08_LostLastPacket)
{
    TestPair pair;
    pair.lose = LoseOnce(0, RoceOpcode::WRITE_LAST, 9);
    pair.ends[0].Post(RdmaVerb::WRITE, 10 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 1U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 1U);
    // The timer ran from the last progress (packet 8: sent at 8, acknowledged at 28).
    EXPECT_EQ(pair.ends[0].completed.at(0).completed.GetTimeStep(), 28 + 1000 + 20);
}

TEST(RdmaRecovery, Pitfall08_LostLastAck)
{
    TestPair pair;
    pair.lose = LoseOnce(1, RoceOpcode::ACKNOWLEDGE, 9);
    pair.ends[0].Post(RdmaVerb::WRITE, 10 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 1U);
    EXPECT_EQ(pair.ends[1].counters.duplicates, 1U);
    EXPECT_EQ(pair.ends[1].received.size(), 1U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 10U * 1024);
    EXPECT_EQ(pair.ends[0].completed.size(), 1U);
}

TEST(RdmaRecovery, ALostAckInTheMiddleIsMadeGoodByTheNext)
{
    TestPair pair;
    pair.lose = LoseOnce(1, RoceOpcode::ACKNOWLEDGE, 5);
    pair.ends[0].Post(RdmaVerb::WRITE, 10 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 0U);
}

TEST(RdmaRecovery, ALostNakIsMadeGoodByTheTimerOrTheNext)
{
    TestPair pair;
    bool lostData = false;
    bool lostNak = false;
    pair.lose = [&](int from, const Frame& frame) {
        if (from == 0 && frame.psn == 3 && !lostData)
        {
            return lostData = true;
        }
        if (from == 1 && frame.syndrome == 0x60 && !lostNak)
        {
            return lostNak = true;
        }
        return false;
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 2000 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U); // told again after 500 ticks
    EXPECT_EQ(pair.ends[1].counters.naksSent, 2U);
    EXPECT_EQ(pair.ends[0].completed.size(), 1U);
}

TEST(RdmaRecovery, RetransmissionIsLostToo)
{
    TestPair pair;
    int losses = 0;
    pair.lose = [&](int from, const Frame& frame) {
        return from == 0 && frame.psn == 5 && losses++ < 3;
    };
    pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 20U * 1024);
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::SUCCESS);
}

TEST(RdmaRecovery, Pitfall08_RetryLimitEndsInAnErrorAndFlushesTheRest)
{
    TestPair pair;
    pair.lose = [](int from, const Frame&) { return from == 0; };
    pair.ends[0].Post(RdmaVerb::WRITE, 5000);
    pair.ends[0].Post(RdmaVerb::WRITE, 6000);
    pair.ends[0].Post(RdmaVerb::READ, 7000);
    ASSERT_TRUE(pair.Run());
    ASSERT_EQ(pair.ends[0].completed.size(), 3U);
    EXPECT_EQ(pair.ends[0].completed[0].status, RdmaStatus::RETRY_EXCEEDED);
    EXPECT_EQ(pair.ends[0].completed[1].status, RdmaStatus::FLUSHED);
    EXPECT_EQ(pair.ends[0].completed[2].status, RdmaStatus::FLUSHED);
    EXPECT_EQ(pair.ends[0].counters.timeouts, 8U); // 7 retries
    EXPECT_EQ(pair.ends[0].requester.Deadline(), RDMA_NEVER);
    EXPECT_FALSE(pair.ends[0].requester.CanSend(0));
}

TEST(RdmaRecovery, ProgressGivesTheRetriesBack)
{
    TestPair pair;
    pair.ends[0].end.connection.retryLimit = 2;
    int count = 0;
    // Every packet is lost twice.
    pair.lose = [&](int from, const Frame&) { return from == 0 && count++ % 3 != 2; };
    pair.ends[0].window = 1;
    pair.ends[0].Post(RdmaVerb::WRITE, 10 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::SUCCESS);
}

TEST(RdmaRecovery, TimerRunsOnlyWhileSomethingIsOutstanding)
{
    TestEnd end;
    EXPECT_EQ(end.requester.Deadline(), RDMA_NEVER);
    end.Post(RdmaVerb::WRITE, 10, 0);
    EXPECT_EQ(end.requester.Deadline(), RDMA_NEVER); // armed by transmission, not by posting
    end.requester.Build(0, 500)->Release();
    EXPECT_EQ(end.requester.Deadline(), 1500);
    end.requester.Postpone(1200);
    EXPECT_EQ(end.requester.Deadline(), 2200);

    TestEnd never;
    never.end.connection.retransmitTicks = 0;
    never.Post(RdmaVerb::WRITE, 10, 0);
    never.requester.Build(0, 500)->Release();
    EXPECT_EQ(never.requester.Deadline(), RDMA_NEVER);
}

TEST(RdmaRecovery, GoBack0StartsTheMessageAgainAtBothEnds)
{
    TestPair pair;
    for (auto& end : pair.ends)
    {
        end.end.recovery = CreateObject<RdmaGoBack0>();
    }
    pair.lose = LoseOnce(0, RoceOpcode::WRITE_MIDDLE, 130);
    pair.ends[0].Post(RdmaVerb::WRITE, 100 * 1024);
    pair.ends[0].Post(RdmaVerb::WRITE, 100 * 1024); // PSN 100..199
    ASSERT_TRUE(pair.Run());
    // 100..150 had been sent when the NAK came.
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 51U);
    EXPECT_EQ(Count(pair, 0, RoceOpcode::WRITE_FIRST), 3U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 200U * 1024); // not counted twice
    EXPECT_EQ(pair.ends[1].received.size(), 2U);
    EXPECT_EQ(pair.ends[1].received[1].bytes, 100U * 1024);
    EXPECT_EQ(pair.ends[0].completed.size(), 2U);
}

TEST(RdmaRecovery, GoBack0WithChunksGoesBackToTheChunk)
{
    TestPair pair(1000);
    for (auto& end : pair.ends)
    {
        auto recovery = CreateObject<RdmaGoBack0>();
        recovery->SetAttribute("ChunkBytes", UintegerValue(4000));
        end.end.recovery = recovery;
    }
    pair.lose = LoseOnce(0, RoceOpcode::WRITE_MIDDLE, 31);
    pair.ends[0].Post(RdmaVerb::WRITE, 100000);
    ASSERT_TRUE(pair.Run());
    // Chunk 28..31; the NAK comes when 51 has been sent: 28..51.
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 24U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 100000U);
}

TEST(RdmaRecovery, GoBack0AfterATimeout)
{
    TestPair pair;
    for (auto& end : pair.ends)
    {
        end.end.recovery = CreateObject<RdmaGoBack0>();
    }
    pair.lose = LoseOnce(0, RoceOpcode::WRITE_LAST, 9);
    pair.ends[0].Post(RdmaVerb::WRITE, 10 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 1U);
    EXPECT_EQ(pair.ends[0].counters.retransmitted, 10U);
    EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 10U * 1024);
    EXPECT_EQ(pair.ends[0].completed.size(), 1U);
}

TEST(RdmaRecovery, GoBack0StartsAReadAgain)
{
    for (bool timeout : {false, true})
    {
        TestPair pair;
        for (auto& end : pair.ends)
        {
            end.end.recovery = CreateObject<RdmaGoBack0>();
        }
        pair.lose = timeout ? LoseOnce(1, RoceOpcode::READ_RESPONSE_LAST, 119)
                            : LoseOnce(1, RoceOpcode::READ_RESPONSE_MIDDLE, 50);
        pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
        pair.ends[0].Post(RdmaVerb::READ, 100 * 1024); // PSN 20..119
        pair.ends[0].Post(RdmaVerb::WRITE, 20 * 1024);
        ASSERT_TRUE(pair.Run());
        EXPECT_EQ(pair.ends[0].counters.timeouts, timeout ? 1U : 0U);
        // 31 responses were here, and a round trip of 20 beyond the lost one was on its way.
        EXPECT_EQ(pair.ends[1].counters.retransmitted, timeout ? 100U : 51U);
        EXPECT_EQ(Count(pair, 1, RoceOpcode::READ_RESPONSE_FIRST), 2U);
        EXPECT_EQ(pair.ends[0].counters.payloadDelivered, 100U * 1024); // not counted twice
        EXPECT_EQ(pair.ends[1].counters.payloadDelivered, 40U * 1024);
        EXPECT_EQ(pair.ends[0].completed.size(), 3U);
        EXPECT_EQ(pair.ends[1].received.size(), 3U);
    }
}

TEST(RdmaRecovery, RnrRetriesAndSucceeds)
{
    TestPair pair;
    pair.ends[0].Post(RdmaVerb::SEND, 5000);
    for (int i = 0; i < 25000; i++)
    {
        pair.Step();
    }
    EXPECT_EQ(pair.ends[1].counters.rnrNaksSent, 3U); // every 10 us and a round trip
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    pair.ends[1].responder.PostReceive(1);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::SUCCESS);
    EXPECT_EQ(pair.ends[1].received.at(0).bytes, 5000U);
}

TEST(RdmaRecovery, RnrRetryLimit)
{
    TestPair pair;
    pair.ends[0].end.connection.rnrRetryLimit = 3;
    pair.ends[0].Post(RdmaVerb::SEND, 5000);
    pair.ends[0].Post(RdmaVerb::SEND, 5000);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::RNR_RETRY_EXCEEDED);
    EXPECT_EQ(pair.ends[0].completed.at(1).status, RdmaStatus::FLUSHED);
    EXPECT_EQ(pair.ends[0].counters.rnrNaksReceived, 4U);
}

TEST(RdmaRecovery, GapInReadResponsesIsANak)
{
    TestPair pair;
    pair.lose = LoseOnce(1, RoceOpcode::READ_RESPONSE_MIDDLE, 4);
    pair.ends[0].Post(RdmaVerb::READ, 100 * 1024);
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].counters.timeouts, 0U);
    EXPECT_EQ(Count(pair, 0, RoceOpcode::READ_REQUEST), 2U);
    EXPECT_EQ(pair.ends[0].counters.payloadDelivered, 100U * 1024);
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::SUCCESS);
}

TEST(RdmaRecovery, Pitfall08_LostReadRequestOrLastResponse)
{
    for (int which = 0; which < 2; which++)
    {
        TestPair pair;
        pair.lose = which ? LoseOnce(1, RoceOpcode::READ_RESPONSE_LAST, 9)
                          : LoseOnce(0, RoceOpcode::READ_REQUEST, 0);
        pair.ends[0].Post(RdmaVerb::READ, 10 * 1024);
        ASSERT_TRUE(pair.Run()) << which;
        EXPECT_EQ(pair.ends[0].counters.timeouts, 1U) << which;
        EXPECT_EQ(pair.ends[0].counters.payloadDelivered, 10U * 1024);
        EXPECT_EQ(pair.ends[0].completed.size(), 1U);
    }
}

TEST(RdmaRecovery, AnAckThatOvertakesResponsesDoesNotCompleteTheRead)
{
    TestPair pair;
    pair.ends[0].Post(RdmaVerb::READ, 50 * 1024);
    pair.ends[0].Post(RdmaVerb::WRITE, 10);
    std::vector<RdmaVerb> order;
    pair.ends[0].onCompleted = [&](const RdmaCompletion& c) { order.push_back(c.verb); };
    ASSERT_TRUE(pair.Run());
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(order[0], RdmaVerb::READ);
    EXPECT_GT(pair.ends[0].completed[0].completed.GetTimeStep(), 60);
}

TEST(RdmaRecovery, LongReadsAreMadeOfSeveralRequests)
{
    TestPair pair(256, 2);
    uint64_t bytes = 256 * (RdmaRequester::MAX_READ_PACKETS + 10);
    pair.ends[0].Post(RdmaVerb::READ, bytes);
    pair.ends[0].Post(RdmaVerb::WRITE, 10);
    ASSERT_TRUE(pair.Run(3 * RdmaRequester::MAX_READ_PACKETS));
    EXPECT_EQ(Count(pair, 0, RoceOpcode::READ_REQUEST), 2U);
    EXPECT_EQ(pair.ends[0].counters.payloadDelivered, bytes);
    EXPECT_EQ(pair.ends[0].completed.size(), 2U);
    ASSERT_EQ(pair.ends[1].received.size(), 2U); // one message, for all that
    EXPECT_EQ(pair.ends[1].received[0].bytes, bytes);
}

TEST(RdmaRecovery, RemoteRefusalFailsTheRequest)
{
    TestPair pair;
    pair.ends[1].end.connection.maxReads = 1;
    for (int i = 0; i < 3; i++)
    {
        pair.ends[0].Post(RdmaVerb::READ, 100 * 1024);
    }
    ASSERT_TRUE(pair.Run());
    EXPECT_EQ(pair.ends[0].completed.at(0).status, RdmaStatus::REMOTE_INVALID);
    EXPECT_EQ(pair.ends[0].completed.at(1).status, RdmaStatus::FLUSHED);
}

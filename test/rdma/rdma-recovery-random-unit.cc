// SPDX-License-Identifier: GPL-2.0-only

// Property: whatever the channel loses, doubles or reorders, every message of every verb completes
// exactly once and in order, and its bytes count once; with each loss recovery. Where nothing is
// lost, no timeout is needed, whatever the windows do.

#include "case-budget.h"
#include "rdma-test-util.h"

#include "ns3/rdma-irn.h"

#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <string>

using namespace ns3;

namespace
{

/// A loss recovery and what its channel does.
struct Case
{
    const char* name;
    const char* recovery;
    uint32_t chunkBytes; //!< of go-back-0
    bool doubles;        //!< packets may come twice
    bool reorders;       //!< packets may overtake others
    bool trims;          //!< a switch may cut packets
    uint32_t seeds;
};

std::ostream&
operator<<(std::ostream& os, const Case& which)
{
    return os << which.name;
}

constexpr int MESSAGES = 40;

/// Posts messages of all verbs at both ends. @return bytes that each end shall receive
std::array<uint64_t, 2>
PostRandom(TestPair& pair, std::mt19937& random)
{
    std::array<uint64_t, 2> bytesTo{};
    const RdmaVerb verbs[] = {RdmaVerb::WRITE,
                              RdmaVerb::SEND,
                              RdmaVerb::READ,
                              RdmaVerb::WRITE_IMM,
                              RdmaVerb::SEND_IMM};
    for (int i = 0; i < MESSAGES; i++)
    {
        const int from = random() % 2;
        const RdmaVerb verb = verbs[random() % 5];
        const uint64_t bytes = random() % 20000;
        pair.ends[from].Post(verb, bytes);
        bytesTo[verb == RdmaVerb::READ ? from : 1 - from] += bytes;
        if (random() % 2)
        {
            pair.ends[1 - from].responder.PostReceive(1);
        }
    }
    return bytesTo;
}

class RandomChannel : public testing::TestWithParam<Case>
{
  protected:
    void Prepare(TestPair& pair, std::mt19937& random, uint32_t seed) const
    {
        const Case& which = GetParam();
        for (auto& end : pair.ends)
        {
            end.end.connection.retryLimit = 200;
            end.end.connection.ackInterval = 1 + seed % 5;
            end.window = seed % 3 ? 0 : 8000;
            if (which.recovery == std::string("irn"))
            {
                end.UseIrn(1 + seed % 40, 200, 500);
            }
            else if (which.recovery == std::string("go-back-0"))
            {
                auto recovery = CreateObject<RdmaGoBack0>();
                recovery->SetAttribute("ChunkBytes", UintegerValue(which.chunkBytes));
                end.end.recovery = recovery;
            }
        }
        pair.lose = [&](int, const Frame&) { return random() % 25 == 0; };
        if (which.doubles)
        {
            pair.duplicate = [&](int, const Frame&) { return random() % 15 == 0; };
        }
        if (which.trims)
        {
            pair.cut = [&](int, const Frame&) { return random() % 6 == 0; };
        }
        if (which.reorders)
        {
            pair.late = [&](int, const Frame&) { return random() % 10 ? 0 : random() % 30; };
        }
    }

    void Check(const TestPair& pair, int here, uint64_t bytes) const
    {
        const TestEnd& end = pair.ends[here];
        const TestEnd& peer = pair.ends[1 - here];
        EXPECT_EQ(end.counters.payloadDelivered, bytes);
        EXPECT_EQ(end.counters.messagesFailed, 0U);
        EXPECT_EQ(end.requester.BytesInFlight(), 0U);
        EXPECT_EQ(end.requester.Deadline(), RDMA_NEVER);
        ASSERT_EQ(end.completed.size(), peer.received.size());
        for (size_t k = 0; k < end.completed.size(); k++)
        {
            const auto& sent = end.completed[k];
            const auto& got = peer.received[k];
            ASSERT_EQ(sent.id, k + 1); // in order, each once
            ASSERT_EQ(got.id, k);
            ASSERT_EQ(sent.bytes, got.bytes) << k;
            ASSERT_EQ(sent.verb, got.verb) << k;
            ASSERT_EQ(sent.status, RdmaStatus::SUCCESS) << k;
            ASSERT_LE(got.completed, sent.completed) << k;
        }
    }
};

} // namespace

TEST_P(RandomChannel, EveryMessageCompletesOnceAndInOrder)
{
    const uint32_t seeds = tests::GetCases(GetParam().seeds);
    std::cout << seeds << " cases of " << GetParam().seeds << '\n';
    uint64_t again = 0;
    for (uint32_t seed = 1; seed <= seeds; seed++)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        TestPair pair(1024, 1 + seed % 30);
        Prepare(pair, random, seed);
        const auto bytesTo = PostRandom(pair, random);
        pair.Run(3000);
        // From now on there are receives for all.
        pair.ends[0].responder.PostReceive(MESSAGES);
        pair.ends[1].responder.PostReceive(MESSAGES);
        ASSERT_TRUE(pair.Run(4000000));
        EXPECT_EQ(pair.ends[0].completed.size() + pair.ends[1].completed.size(), MESSAGES + 0U);
        EXPECT_TRUE(pair.headsRight);
        for (int end = 0; end < 2; end++)
        {
            Check(pair, end, bytesTo[end]);
            again += pair.ends[end].counters.retransmitted;
        }
        if (HasFailure())
        {
            return;
        }
    }
    EXPECT_GT(again, seeds); // the channel did lose
}

TEST(RandomWindow, NothingStandsStillWhateverTheWindowsDo)
{
    constexpr uint32_t CASES = 2000;
    const uint32_t cases = tests::GetCases(CASES);
    std::cout << cases << " cases of " << CASES << '\n';
    for (uint32_t seed = 1; seed <= cases; seed++)
    {
        std::mt19937 random(seed);
        TestPair pair(1024, 1 + seed % 30);
        for (auto& end : pair.ends)
        {
            end.end.connection.ackInterval = 1 + random() % (seed % 2 ? 8 : 64);
            end.end.connection.acknowledgesReads = true;
            end.window = 8000;
            if (seed % 3 == 0)
            {
                end.UseIrn(1 + random() % 40, 1000, 1000);
            }
            end.responder.PostReceive(MESSAGES);
        }
        PostRandom(pair, random);
        for (int tick = 0; tick < 100000 && !pair.IsQuiet(); tick++)
        {
            for (auto& end : pair.ends)
            {
                end.window = random() % 500 ? end.window : 1 + random() % 40000;
            }
            pair.Step();
        }
        ASSERT_TRUE(pair.IsQuiet()) << "seed " << seed;
        for (const auto& end : pair.ends)
        {
            ASSERT_EQ(end.counters.timeouts, 0U) << "seed " << seed;
            ASSERT_EQ(end.counters.retransmitted, 0U) << "seed " << seed;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    AllRecoveries,
    RandomChannel,
    testing::Values(Case{"GoBackN", "go-back-n", 0, false, false, false, 150},
                    Case{"GoBackNDoubled", "go-back-n", 0, true, false, false, 150},
                    Case{"GoBackNReordered", "go-back-n", 0, true, true, false, 150},
                    Case{"GoBack0", "go-back-0", 0, false, false, false, 150},
                    Case{"GoBack0Chunks", "go-back-0", 4096, false, false, false, 150},
                    Case{"Irn", "irn", 0, false, false, false, 300},
                    Case{"IrnDoubled", "irn", 0, true, false, false, 150},
                    Case{"IrnReordered", "irn", 0, true, true, false, 300},
                    Case{"GoBackNTrimmed", "go-back-n", 0, false, false, true, 150},
                    Case{"GoBackNTrimmedReordered", "go-back-n", 0, true, true, true, 150},
                    Case{"GoBack0Trimmed", "go-back-0", 4096, false, false, true, 150},
                    Case{"IrnTrimmed", "irn", 0, false, false, true, 150},
                    Case{"IrnTrimmedReordered", "irn", 0, true, true, true, 300}),
    [](const auto& info) { return std::string(info.param.name); });

// SPDX-License-Identifier: GPL-2.0-only
//
// What holds messages of a job: nothing is lost, mixed up or changed on its way.

#include "ns3/match-table.h"
#include "ns3/message-line.h"
#include "ns3/message-log.h"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <tuple>
#include <vector>

using namespace ns3;

TEST(MatchTable, KeepsTheOrderOfEachKey)
{
    std::mt19937_64 draw(3);
    MatchTable<uint64_t> table;
    std::map<std::tuple<uint32_t, uint64_t, uint64_t>, std::deque<uint64_t>> expected;
    std::size_t items = 0;
    for (uint64_t i = 0; i < 20000; ++i)
    {
        // Few keys and many: some have many items, and the table grows and is emptied again.
        const uint64_t most = i % 4000 < 2000 ? 3 : 40;
        const MatchKey key{static_cast<uint32_t>(draw() % most), draw() % 2, draw() % most};
        std::deque<uint64_t>& queue = expected[{key.peer, key.scope, key.tag}];
        const uint64_t* const first = table.Peek(key);
        ASSERT_EQ(first != nullptr, !queue.empty());
        if (draw() % 5 < (i % 2000 < 1000 ? 3U : 1U))
        {
            table.Add(key, i);
            queue.push_back(i);
            ++items;
        }
        else if (first)
        {
            ASSERT_EQ(*first, queue.front());
            ASSERT_EQ(table.Take(key), queue.front());
            queue.pop_front();
            --items;
        }
        if (i % 100 == 0)
        {
            std::map<std::tuple<uint32_t, uint64_t, uint64_t>, std::deque<uint64_t>> found;
            std::size_t count = 0;
            table.ForEach([&](const MatchKey& one, uint64_t item) {
                found[{one.peer, one.scope, one.tag}].push_back(item);
                ++count;
            });
            ASSERT_EQ(count, items);
            for (const auto& [one, order] : found)
            {
                ASSERT_EQ(order, expected[one]);
            }
        }
    }
}

TEST(MessageLine, UsesEntriesAgain)
{
    MessageLine<uint64_t> line;
    uint64_t added = 0;
    uint64_t taken = 0;
    for (const uint64_t underWay : {1, 5, 2, 9, 1, 9})
    {
        for (int round = 0; round < 20; ++round)
        {
            while (added < taken + underWay)
            {
                line.Add(added++);
            }
            ASSERT_EQ(line.Take(), taken);
            ++taken;
        }
    }
}

TEST(MessageLog, GivesBackWhatItGot)
{
    std::mt19937_64 draw(7);
    const auto any = [&draw] { return draw() >> draw() % 64; }; // of any length
    MessageLog log;
    std::vector<TakenMessage> expected;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        TakenMessage one;
        const bool isOdd = draw() % 10 == 0;
        one.message.source = isOdd ? static_cast<uint32_t>(any()) : i % 3;
        one.message.destination = 5;
        one.message.scope = draw() % 40;
        one.message.tag = isOdd ? any() : i;
        one.message.bytes = isOdd ? any() : 4096;
        one.message.channel = i % 8;
        one.message.nic = i % 2 ? RankMessage::ANY_NIC : 3;
        one.message.tells = i % 5 == 0;
        one.message.cause = isOdd ? static_cast<uint32_t>(any()) : 2 * i + 1;
        one.message.position = i % 7;
        one.message.posted = static_cast<int64_t>(any() >> 1);
        one.message.arrived = isOdd ? static_cast<int64_t>(any() >> 1) : 100 * i;
        one.taken = isOdd ? static_cast<int64_t>(any() >> 1) : 100 * i + 7;
        one.posted = static_cast<int64_t>(any() >> 1);
        one.cause = isOdd ? 0xffffffff : 2 * i;
        log.Add(one);
        expected.push_back(one);
    }
    const auto expectSame = [&expected](uint32_t index, const TakenMessage& one) {
        const TakenMessage& other = expected[index];
        const auto all = [](const TakenMessage& what) {
            const RankMessage& message = what.message;
            return std::make_tuple(message.source,
                                   message.destination,
                                   message.scope,
                                   message.tag,
                                   message.bytes,
                                   message.channel,
                                   message.nic,
                                   message.tells,
                                   message.cause,
                                   message.position,
                                   message.posted,
                                   message.arrived,
                                   what.taken,
                                   what.posted,
                                   what.cause);
        };
        EXPECT_EQ(all(one), all(other)) << "message " << index;
    };
    ASSERT_EQ(log.Size(), expected.size());
    uint32_t next = 0;
    log.ForEach([&](const TakenMessage& one) { expectSame(next++, one); });
    EXPECT_EQ(next, expected.size());
    for (uint32_t i = 0; i < 200; ++i)
    {
        const auto index = static_cast<uint32_t>(draw() % expected.size());
        expectSame(index, log.At(index));
    }
    expectSame(0, log.At(0));
    expectSame(4999, log.At(4999));
}

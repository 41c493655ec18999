// SPDX-License-Identifier: GPL-2.0-only

// The scheduler of queue pairs against a plain model of it.

#include "qp-scheduler.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

TEST(QpScheduler, RoundRobinWithinAClass)
{
    QpScheduler scheduler;
    for (uint32_t i = 0; i < 4; i++)
    {
        scheduler.SetReady(scheduler.Add(3));
    }
    EXPECT_EQ(scheduler.ReadyMask(), 1U << 3);
    for (uint32_t i = 0; i < 12; i++)
    {
        uint32_t slot = scheduler.Front(3);
        EXPECT_EQ(slot, i % 4);
        scheduler.SetReady(slot);
    }
}

TEST(QpScheduler, AClassSetLaterIsTheOneThatIsScheduled)
{
    QpScheduler scheduler;
    const uint32_t slot = scheduler.Add(3);
    scheduler.SetClass(slot, 5);
    scheduler.SetReady(slot);
    EXPECT_EQ(scheduler.ReadyMask(), 1U << 5);
    scheduler.SetPaced(slot, 10);
    EXPECT_EQ(scheduler.NextTick(1U << 3), QpScheduler::NEVER);
    EXPECT_EQ(scheduler.NextTick(1U << 5), 10);
}

TEST(QpScheduler, LeavesFromAnywhereInTheRing)
{
    QpScheduler scheduler;
    for (uint32_t i = 0; i < 5; i++)
    {
        scheduler.SetReady(scheduler.Add(0));
    }
    scheduler.SetIdle(2); // the middle
    scheduler.SetIdle(0); // the head
    scheduler.SetIdle(4); // the tail
    EXPECT_EQ(scheduler.Front(0), 1);
    scheduler.SetReady(1);
    EXPECT_EQ(scheduler.Front(0), 3);
    scheduler.SetIdle(3);
    scheduler.SetIdle(1);
    EXPECT_EQ(scheduler.ReadyMask(), 0);
    scheduler.SetReady(4);
    EXPECT_EQ(scheduler.Front(0), 4);
}

TEST(QpScheduler, Pitfall07_WakesAtTheEarliestOfThosePacedOnly)
{
    QpScheduler scheduler;
    uint32_t blocked = scheduler.Add(3);
    uint32_t paced = scheduler.Add(3);
    scheduler.SetPaced(blocked, 100);
    scheduler.SetPaced(paced, 500);
    EXPECT_EQ(scheduler.NextTick(0xff), 100);
    scheduler.SetIdle(blocked); // its window closed
    EXPECT_EQ(scheduler.NextTick(0xff), 500);
    EXPECT_EQ(scheduler.NextTick(0xff & ~(1U << 3)), QpScheduler::NEVER); // the class is paused
    scheduler.Promote(499);
    EXPECT_EQ(scheduler.ReadyMask(), 0);
    scheduler.Promote(500);
    EXPECT_EQ(scheduler.Front(3), paced);
    EXPECT_EQ(scheduler.NextTick(0xff), QpScheduler::NEVER);
}

TEST(QpScheduler, APaceCanMoveBothWays)
{
    QpScheduler scheduler;
    std::vector<uint32_t> slots;
    for (uint32_t i = 0; i < 10; i++)
    {
        slots.push_back(scheduler.Add(1));
        scheduler.SetPaced(slots[i], 100 * (i + 1));
    }
    scheduler.SetPaced(slots[9], 5);
    EXPECT_EQ(scheduler.NextTick(2), 5);
    scheduler.SetPaced(slots[9], 5000);
    scheduler.SetPaced(slots[0], 950);
    EXPECT_EQ(scheduler.NextTick(2), 200);
}

TEST(QpScheduler, SlotsAreUsedAgain)
{
    QpScheduler scheduler;
    uint32_t first = scheduler.Add(1);
    scheduler.SetReady(first);
    scheduler.Remove(first);
    EXPECT_EQ(scheduler.ReadyMask(), 0);
    uint32_t second = scheduler.Add(5);
    EXPECT_EQ(second, first);
    EXPECT_FALSE(scheduler.IsActive(second));
    scheduler.SetReady(second);
    EXPECT_EQ(scheduler.ReadyMask(), 1U << 5);
}

TEST(QpScheduler, Pitfall12_ThousandsAgreeWithAModel)
{
    constexpr uint32_t COUNT = 5000;
    QpScheduler scheduler;
    std::mt19937 random(1);
    std::vector<uint8_t> cls(COUNT);
    std::set<std::pair<int64_t, uint32_t>> paced[TRAFFIC_CLASSES];
    std::map<uint32_t, int64_t> tickOf;
    std::vector<uint32_t> ring[TRAFFIC_CLASSES];
    auto leave = [&](uint32_t slot) {
        uint8_t c = cls[slot];
        if (tickOf.count(slot))
        {
            paced[c].erase({tickOf[slot], slot});
            tickOf.erase(slot);
        }
        ring[c].erase(std::remove(ring[c].begin(), ring[c].end(), slot), ring[c].end());
    };
    for (uint32_t i = 0; i < COUNT; i++)
    {
        cls[i] = i % TRAFFIC_CLASSES;
        ASSERT_EQ(scheduler.Add(cls[i]), i);
    }
    int64_t now = 0;
    for (uint32_t step = 0; step < 100000; step++)
    {
        uint32_t slot = random() % COUNT;
        uint32_t what = random() % 10;
        if (what < 7)
        {
            int64_t tick = now + 1 + random() % 1000;
            leave(slot);
            scheduler.SetPaced(slot, tick);
            paced[cls[slot]].insert({tick, slot});
            tickOf[slot] = tick;
        }
        else if (what < 8)
        {
            leave(slot);
            scheduler.SetIdle(slot);
        }
        else
        {
            now += random() % 3;
            scheduler.Promote(now);
            for (uint32_t c = 0; c < TRAFFIC_CLASSES; c++)
            {
                while (!paced[c].empty() && paced[c].begin()->first <= now)
                {
                    uint32_t due = paced[c].begin()->second;
                    leave(due);
                    ring[c].push_back(due);
                }
            }
        }
        uint32_t c = step % TRAFFIC_CLASSES;
        ASSERT_EQ(scheduler.NextTick(1U << c),
                  paced[c].empty() ? QpScheduler::NEVER : paced[c].begin()->first);
        ASSERT_EQ(bool(scheduler.ReadyMask() & (1U << c)), !ring[c].empty());
        if (!ring[c].empty())
        {
            ASSERT_EQ(scheduler.Front(c), ring[c].front());
        }
    }
}

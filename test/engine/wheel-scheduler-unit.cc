// SPDX-License-Identifier: GPL-2.0-only

// WheelScheduler against a std::map of what is scheduled: same events, same order, whatever the
// width of the buckets and the size of the wheel.

#include "ns3/look-ahead-event.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-scheduler.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// An event that does nothing.
class Idle final : public EventImpl
{
  protected:
    void Notify() override
    {
    }
};

/// A scheduler and, beside it, what it should hold.
class Pair
{
  public:
    Pair(unsigned bucketBits, unsigned wheelBits)
    {
        ObjectFactory factory("ns3::WheelScheduler");
        factory.Set("BucketBits", UintegerValue(bucketBits));
        factory.Set("WheelBits", UintegerValue(wheelBits));
        m_wheel = factory.Create<Scheduler>();
    }

    /// Insert an event at a time; @return its uid.
    uint32_t Insert(uint64_t time)
    {
        const uint32_t uid = m_uid++;
        m_wheel->Insert(MakeEvent(time, uid));
        m_expected.insert({time, uid});
        return uid;
    }

    /// Remove the event with a uid that was inserted at a time.
    void Remove(uint64_t time, uint32_t uid)
    {
        m_wheel->Remove(MakeEvent(time, uid));
        ASSERT_EQ(m_expected.erase({time, uid}), 1U);
    }

    /// Remove any one of the scheduled events.
    template <typename Rng>
    void RemoveSome(Rng& rng)
    {
        // The first event at or after a random time between the first and the last.
        const uint64_t first = m_expected.begin()->first;
        const uint64_t span = m_expected.rbegin()->first - first + 1;
        const auto it = m_expected.lower_bound({first + rng() % span, 0});
        Remove(it->first, it->second);
    }

    /// Take the next event and check it; @return its time.
    uint64_t Next(bool peek = false)
    {
        const auto first = m_expected.begin();
        const auto [time, uid] = *first;
        if (peek)
        {
            Check(m_wheel->PeekNext(), time, uid);
        }
        Check(m_wheel->RemoveNext(), time, uid);
        m_expected.erase(first);
        return time;
    }

    /// Take and check all that is left.
    void Drain()
    {
        while (!m_expected.empty() && !testing::Test::HasFailure())
        {
            ASSERT_FALSE(m_wheel->IsEmpty());
            Next();
        }
        EXPECT_TRUE(m_wheel->IsEmpty());
    }

    std::size_t Size() const
    {
        return m_expected.size();
    }

  private:
    static Scheduler::Event MakeEvent(uint64_t time, uint32_t uid)
    {
        // Only to see that it comes back.
        static std::array<Idle, 64> events;
        return {&events[uid % events.size()], {time, uid, uid % 7}};
    }

    static void Check(const Scheduler::Event& event, uint64_t time, uint32_t uid)
    {
        EXPECT_EQ(event.key.m_ts, time);
        EXPECT_EQ(event.key.m_uid, uid);
        EXPECT_EQ(event.key.m_context, uid % 7);
        EXPECT_EQ(event.impl, MakeEvent(time, uid).impl);
    }

    Ptr<Scheduler> m_wheel;
    std::set<std::pair<uint64_t, uint32_t>> m_expected;
    uint32_t m_uid{4}; // ns-3's first uid
};

/// Log2 of the bucket width and of the number of buckets.
class WheelSchedulerHold : public testing::TestWithParam<std::pair<unsigned, unsigned>>
{
};

TEST_P(WheelSchedulerHold, LeavesInMapOrder)
{
    const auto [bucketBits, wheelBits] = GetParam();
    std::mt19937_64 rng(17);
    for (const unsigned pending : {1U, 10U, 1000U})
    {
        Pair pair(bucketBits, wheelBits);
        uint64_t now = 0;
        for (unsigned step = 0; step < 20000 && !HasFailure(); ++step)
        {
            // At once, in the same bucket, on the wheel, around its end, far beyond it.
            static constexpr uint64_t SPREAD[] = {1, 1 << 6, 1 << 12, 1 << 18, uint64_t{1} << 34};
            while (pair.Size() < pending)
            {
                pair.Insert(now + rng() % SPREAD[rng() % std::size(SPREAD)]);
            }
            if (rng() % 4 == 0)
            {
                pair.RemoveSome(rng);
            }
            else
            {
                now = pair.Next(rng() % 3 == 0);
            }
        }
        pair.Drain();
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         WheelSchedulerHold,
                         testing::Values(std::pair{10U, 18U},
                                         std::pair{0U, 1U},
                                         std::pair{0U, 6U},
                                         std::pair{4U, 7U},
                                         std::pair{6U, 12U},
                                         std::pair{3U, 13U},
                                         std::pair{40U, 6U}),
                         [](const auto& info) {
                             return "Bucket" + std::to_string(info.param.first) + "Wheel" +
                                    std::to_string(info.param.second);
                         });

TEST(WheelScheduler, TimersOfOneMomentAreRemovedInAnyOrder)
{
    std::mt19937 rng(5);
    for (const unsigned wheelBits : {4U, 16U}) // the moment is beyond the wheel, and on it
    {
        Pair pair(2, wheelBits);
        constexpr uint64_t moment = 50000;
        std::vector<uint32_t> timers;
        timers.reserve(3000);
        while (timers.size() < 3000)
        {
            timers.push_back(pair.Insert(moment));
        }
        pair.Insert(moment - 1);
        pair.Insert(moment + 1);
        std::shuffle(timers.begin(), timers.end(), rng);
        for (std::size_t i = 0; i < timers.size() / 2; ++i)
        {
            pair.Remove(moment, timers[i]);
        }
        pair.Drain();
    }
}

TEST(WheelScheduler, EqualTimesLeaveInOrderOfUid)
{
    for (const uint64_t time : {uint64_t{0}, uint64_t{5000}, uint64_t{1} << 40})
    {
        Pair pair(10, 18);
        for (int i = 0; i < 300; ++i)
        {
            pair.Insert(time);
        }
        pair.Drain();
    }
}

TEST(WheelScheduler, LateEventsOfACrowdedBucket)
{
    // All in the bucket that is being emptied: the sorted vector first, then the map.
    Pair pair(10, 18);
    pair.Insert(5000);
    EXPECT_EQ(pair.Next(), 5000U);
    std::mt19937_64 rng(3);
    for (int i = 0; i < 500; ++i)
    {
        pair.Insert(5000 + rng() % 100);
    }
    for (int i = 0; i < 200; ++i)
    {
        pair.RemoveSome(rng);
    }
    pair.Drain();
}

TEST(WheelScheduler, RemovesFromEveryPlace)
{
    Pair pair(10, 6); // one turn is 65536 ticks
    pair.Insert(1024);
    pair.Next();
    const auto current = pair.Insert(1030);
    const auto wheel = pair.Insert(9000);
    const auto sameBucket = pair.Insert(9001);
    const auto far = pair.Insert(1000000);
    pair.Insert(2000000);
    pair.Remove(9000, wheel);
    pair.Remove(1000000, far);
    pair.Remove(1030, current);
    pair.Remove(9001, sameBucket);
    EXPECT_EQ(pair.Next(true), 2000000U);
    pair.Drain();
}

TEST(WheelScheduler, RemovesFromTheMapWhatTheWheelHasReached)
{
    Pair pair(10, 6);
    const auto far = pair.Insert(100000); // beyond one turn when it is inserted
    pair.Insert(60000);
    EXPECT_EQ(pair.Next(), 60000U);
    const auto wheel = pair.Insert(100001); // the same bucket, now within one turn
    pair.Insert(100002);
    pair.Remove(100000, far);
    pair.Remove(100001, wheel);
    EXPECT_EQ(pair.Next(), 100002U);
    pair.Drain();
}

TEST(WheelScheduler, EarlierEventAfterPeek)
{
    // A simulator may look at the next event, wait, and get an earlier one from elsewhere.
    Pair pair(10, 18);
    pair.Insert(50000);
    pair.Next();
    pair.Insert(900000);
    EXPECT_EQ(pair.Size(), 1U);
    const auto peeked = pair.Insert(800000);
    pair.Insert(700000);
    EXPECT_EQ(pair.Next(true), 700000U);
    pair.Remove(800000, peeked);
    pair.Insert(700001);
    EXPECT_EQ(pair.Next(true), 700001U);
    pair.Drain();
}

TEST(WheelSchedulerDeathTest, EndsInOneLineWhenUidsWrap)
{
    ObjectFactory factory("ns3::WheelScheduler");
    auto wheel = factory.Create<Scheduler>();
    wheel->Insert({nullptr, {10, 0xffffffff, 0}});
    EXPECT_EXIT(wheel->Insert({nullptr, {10, 0, 0}}),
                testing::ExitedWithCode(2),
                "^lossless: [^\n]*2\\^32 event ids[^\n]*\n$");
}

} // namespace

namespace
{

/// Counts how often the scheduler looks ahead to it.
class Seen final : public LookAheadEvent
{
  public:
    void Prefetch() const override
    {
        ++asked;
    }

    void PrefetchMore() const override
    {
        ++askedMore;
    }

    mutable uint32_t asked{0};     //!< calls of Prefetch()
    mutable uint32_t askedMore{0}; //!< calls of PrefetchMore()

  protected:
    void Notify() override
    {
    }
};

/// A wheel with buckets of 1024 ticks and events of type Seen in the second bucket, 20 in the
/// first.
class LookAhead : public testing::Test
{
  protected:
    LookAhead()
    {
        m_wheel = ObjectFactory("ns3::WheelScheduler").Create<Scheduler>();
        for (uint32_t i = 0; i < 20; ++i)
        {
            m_wheel->Insert({&m_first, {2000 + i, 4 + i, 0}});
        }
        for (uint32_t i = 0; i < m_second.size(); ++i)
        {
            m_wheel->Insert(Second(i));
        }
    }

    /// @return an event of the second bucket
    Scheduler::Event Second(uint32_t i)
    {
        return {&m_second[i], {5000 + i, 100 + i, 0}};
    }

    Ptr<Scheduler> m_wheel;
    Seen m_first;
    std::array<Seen, 8> m_second;
};

} // namespace

TEST_F(LookAhead, AsksEachEventOfTheNextBucketOnceBeforeItIsDue)
{
    for (uint32_t i = 0; i < 20; ++i)
    {
        m_wheel->RemoveNext();
    }
    for (const Seen& seen : m_second)
    {
        EXPECT_EQ(seen.asked, 1U);
        EXPECT_EQ(seen.askedMore, 1U);
    }
}

TEST_F(LookAhead, NeverTouchesAnEventThatWasRemoved)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        m_wheel->RemoveNext(); // on the way through the next bucket
    }
    for (uint32_t i = 0; i < m_second.size(); ++i)
    {
        m_wheel->Remove(Second(i));
        m_second[i].asked = 0;
    }
    for (uint32_t i = 3; i < 20; ++i)
    {
        m_wheel->RemoveNext();
    }
    for (const Seen& seen : m_second)
    {
        EXPECT_EQ(seen.asked, 0U);
        EXPECT_EQ(seen.askedMore, 0U);
    }
}

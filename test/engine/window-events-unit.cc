// SPDX-License-Identifier: GPL-2.0-only

// WindowEvents against a sorted set of what was inserted: the same events in the same order, for
// random windows, cuts of windows, delays, ties and removals.

#include "ns3/window-events.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/// Events of one node and, beside them, what they should be.
class Node
{
  public:
    /// @param seed of random numbers @param length of a window, ticks
    Node(uint32_t seed, uint64_t length)
        : m_random(seed),
          m_length(length)
    {
    }

    /// Run windows until so many events have been taken. @param count how many
    void Run(uint32_t count)
    {
        for (int i = 0; i < 20; ++i)
        {
            Insert(0);
        }
        while (m_taken < count && !m_expected.empty())
        {
            OpenWindow(m_expected.begin()->GetTime());
            RunWindow();
            RemoveSome();
            for (auto more = m_random() % 30; more > 0; --more)
            {
                Insert(m_window.end); // of other nodes, which are done with the window
            }
        }
        EXPECT_GE(m_taken, count);
        const std::vector<FabricEvent> left = m_events.TakeAll();
        ASSERT_EQ(left.size(), m_expected.size());
        EXPECT_TRUE(std::equal(left.begin(), left.end(), m_expected.begin(), IsSame));
        EXPECT_EQ(m_events.FirstTime(), WindowEvents::NEVER);
    }

  private:
    /// The order of events.
    struct Order
    {
        bool operator()(const FabricEvent& a, const FabricEvent& b) const
        {
            return a.IsBefore(b);
        }
    };

    static bool IsSame(const FabricEvent& a, const FabricEvent& b)
    {
        return a.GetTime() == b.GetTime() && a.GetNumber() == b.GetNumber();
    }

    /// The window of a time.
    void OpenWindow(uint64_t time)
    {
        constexpr uint64_t NEAR = 8;
        const uint64_t begin = time - time % m_length;
        m_window = {begin + m_length,
                    begin + 2 * m_length,
                    begin + NEAR * m_length,
                    static_cast<uint32_t>(begin / m_length % 2)};
    }

    /// Post an event that is due at a time or later, often at the same time as others.
    void Insert(uint64_t earliest)
    {
        static constexpr uint64_t SPREAD[] = {1, 4, 100, 2000, 40000};
        const uint64_t delay = m_random() % SPREAD[m_random() % 5] * m_length / 1000;
        const FabricEvent::Poster poster{m_now, static_cast<uint32_t>(m_random() % 3), ++m_number};
        // Never looked at: its address tells events apart.
        auto* const impl = reinterpret_cast<EventImpl*>(m_number * sizeof(uint64_t));
        const FabricEvent event(earliest + delay, poster, 0, impl, false);
        m_events.Insert(event, m_window);
        m_expected.insert(event);
    }

    /// Take the events of the window, in one go or in several, and post some more.
    void RunWindow()
    {
        uint64_t until = m_window.end;
        if (m_random() % 4 == 0)
        {
            until = m_expected.begin()->GetTime() + 1 + m_random() % m_length;
        }
        for (; until < m_window.end; until += 1 + m_random() % m_length)
        {
            RunBefore(until);
            m_now = std::max(m_now, until);
            Insert(until); // by no node, between two parts of the window
        }
        RunBefore(m_window.end);
    }

    /// Take the events before a time.
    void RunBefore(uint64_t until)
    {
        ASSERT_EQ(m_events.FirstTime(), FirstExpected());
        if (m_events.FirstTime() >= until)
        {
            return;
        }
        m_events.Begin(m_window, m_spares);
        FabricEvent next;
        while (m_events.GetDue().TakeNext(until, next))
        {
            ASSERT_FALSE(m_expected.empty());
            ASSERT_TRUE(IsSame(next, *m_expected.begin()));
            m_expected.erase(m_expected.begin());
            m_now = next.GetTime();
            ++m_taken;
            for (auto more = m_random() % 2; more > 0; --more)
            {
                Insert(m_now);
            }
            if (m_random() % 8 == 0)
            {
                RemoveSome();
            }
        }
        m_events.Leave(m_spares);
        EXPECT_GE(FirstExpected(), until);
    }

    uint64_t FirstExpected() const
    {
        return m_expected.empty() ? WindowEvents::NEVER : m_expected.begin()->GetTime();
    }

    /// Look for some events, and take one of them out.
    void RemoveSome()
    {
        if (m_expected.empty())
        {
            return;
        }
        auto place = m_expected.begin();
        std::advance(place, m_random() % std::min<std::size_t>(m_expected.size(), 40));
        const FabricEvent event = *place;
        const auto isIt = [&event](const FabricEvent& other) { return IsSame(event, other); };
        EXPECT_TRUE(m_events.Holds(event.GetTime(), isIt));
        EXPECT_TRUE(m_events.Remove(event.GetTime(), event.GetImpl(), isIt));
        EXPECT_FALSE(m_events.Holds(event.GetTime(), isIt));
        EXPECT_FALSE(m_events.Remove(event.GetTime(), event.GetImpl(), isIt));
        m_expected.erase(place);
    }

    std::mt19937_64 m_random;
    uint64_t m_length;
    EventWindow m_window;
    WindowEvents m_events;
    WindowEvents::Spares m_spares;
    std::set<FabricEvent, Order> m_expected;
    uint64_t m_now{0};
    uint64_t m_number{0};
    uint32_t m_taken{0};
};

TEST(WindowEvents, RandomWindowsGiveTheOrderOfASet)
{
    for (const uint64_t length : {1, 7, 1000, 1 << 20})
    {
        for (uint32_t seed = 1; seed <= 25; ++seed)
        {
            SCOPED_TRACE(testing::Message() << "length " << length << ", seed " << seed);
            Node node(seed, length);
            ASSERT_NO_FATAL_FAILURE(node.Run(2000));
        }
    }
}

/// A crowd of one time is sorted as fast as any.
TEST(WindowEvents, CrowdsOfOneTime)
{
    constexpr uint32_t CROWD = 200000;
    WindowEvents events;
    const EventWindow window{1000, 2000, 8000, 0};
    std::mt19937 random(5);
    for (uint32_t i = 0; i < CROWD; ++i)
    {
        const FabricEvent::Poster poster{random() % 500, static_cast<uint32_t>(random() % 9), i};
        events.Insert(FabricEvent(700, poster, 0, nullptr, false), window);
    }
    WindowEvents::Spares spares;
    events.Begin(window, spares);
    FabricEvent before;
    ASSERT_TRUE(events.GetDue().TakeNext(1000, before));
    FabricEvent next;
    uint32_t taken = 1;
    for (; events.GetDue().TakeNext(1000, next); ++taken)
    {
        ASSERT_TRUE(before.IsBefore(next));
        before = next;
    }
    EXPECT_EQ(taken, CROWD);
}

} // namespace

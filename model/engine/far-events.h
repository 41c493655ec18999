// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAR_EVENTS_H
#define LOSSLESS_FAR_EVENTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace ns3
{

class EventImpl;

/**
 * @ingroup lossless
 *
 * Events that are due much later than others, in their order: timers, mostly. Thousands of them may
 * be due at one moment: once one of a crowd is to be removed, all are found by what they call.
 *
 * @tparam EVENT one event: a small struct that is copied
 * @tparam ORDER what must be known of an event, as EventWheel says
 */
template <typename EVENT, typename ORDER>
class FarEvents
{
  public:
    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_events.empty();
    }

    /// @return the first, or ORDER::NEVER
    const EVENT& First() const
    {
        return m_first;
    }

    /// @param event a new event
    void Insert(const EVENT& event)
    {
        const auto place = m_events.insert(event).first;
        if (m_isIndexed)
        {
            m_byImpl.emplace(ORDER::Impl(event), place);
        }
        if (ORDER::Before(event, m_first))
        {
            m_first = event;
        }
    }

    /// @return the first, taken out; there must be one
    EVENT TakeFirst()
    {
        const EVENT first = m_first;
        Erase(m_events.begin());
        return first;
    }

    /**
     * Take an event out.
     * @param time when it is due, ticks
     * @param impl what it calls
     * @param isIt says of an event that is due then whether it is meant
     * @return whether it was there
     */
    template <typename PREDICATE>
    bool Remove(uint64_t time, const EventImpl* impl, PREDICATE isIt)
    {
        const auto place = Find(time, impl, isIt);
        if (place == m_events.end())
        {
            return false;
        }
        Erase(place);
        return true;
    }

    /// @param time when an event is due, ticks @param isIt says of an event that is due then
    /// whether it is meant @return whether it is there
    template <typename PREDICATE>
    bool Holds(uint64_t time, PREDICATE isIt) const
    {
        const auto [first, last] = m_events.equal_range(time);
        return std::any_of(first, last, isIt);
    }

  private:
    /// The order of the events; also finds all that are due at a time.
    struct Order
    {
        using is_transparent = void; //!< compares events with times

        bool operator()(const EVENT& a, const EVENT& b) const
        {
            return ORDER::Before(a, b);
        }

        bool operator()(const EVENT& a, uint64_t time) const
        {
            return ORDER::Time(a) < time;
        }

        bool operator()(uint64_t time, const EVENT& b) const
        {
            return time < ORDER::Time(b);
        }
    };

    using Events = std::set<EVENT, Order>;
    using Place = typename Events::const_iterator;

    static constexpr std::size_t CROWD{48}; //!< so many of one time are looked at one by one

    /// @param time of an event, ticks @param impl what it calls @param isIt says of an event that
    /// is due then whether it is meant @return where it is, or the end
    template <typename PREDICATE>
    Place Find(uint64_t time, const EventImpl* impl, PREDICATE isIt)
    {
        std::size_t steps = 0;
        for (auto place = m_events.lower_bound(time); !m_isIndexed; ++place)
        {
            if (place == m_events.end() || ORDER::Time(*place) != time)
            {
                return m_events.end();
            }
            if (isIt(*place))
            {
                return place;
            }
            if (++steps == CROWD)
            {
                Index();
            }
        }
        const auto [first, last] = m_byImpl.equal_range(impl);
        const auto found = std::find_if(first, last, [time, &isIt](const auto& entry) {
            return ORDER::Time(*entry.second) == time && isIt(*entry.second);
        });
        return found == last ? m_events.end() : found->second;
    }

    /// Find events by what they call from now on, until none is left.
    void Index()
    {
        m_isIndexed = true;
        for (auto place = m_events.begin(); place != m_events.end(); ++place)
        {
            m_byImpl.emplace(ORDER::Impl(*place), place);
        }
    }

    /// @param event to be taken out
    void Erase(Place event)
    {
        if (m_isIndexed)
        {
            auto place = m_byImpl.find(ORDER::Impl(*event));
            while (place->second != event)
            {
                ++place;
            }
            m_byImpl.erase(place);
        }
        m_events.erase(event);
        m_first = m_events.empty() ? ORDER::NEVER : *m_events.begin();
        m_isIndexed = m_isIndexed && !m_events.empty();
    }

    EVENT m_first{ORDER::NEVER}; //!< First()
    Events m_events;
    bool m_isIndexed{false};                                   //!< m_byImpl has all of m_events
    std::unordered_multimap<const EventImpl*, Place> m_byImpl; //!< m_events
};

} // namespace ns3

#endif // LOSSLESS_FAR_EVENTS_H

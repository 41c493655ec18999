// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DUE_EVENTS_H
#define LOSSLESS_DUE_EVENTS_H

#include "fabric-event.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Events of a window. Most are known at its begin, such as all frames that arrive, and are sorted
 * then: by time into as many buckets as there are events, which takes linear time. What is posted
 * within the window is mostly due soon, such as the end of a transmission, and is inserted where it
 * belongs; where that is far away, it goes to a heap.
 */
class DueEvents
{
  public:
    /// No tick: after all others.
    static constexpr uint64_t NEVER = ~uint64_t{0};

    /**
     * Begin with a window; there must be no event.
     * @param events what is known, copied: the memory here is in the cache
     * @param count how many events
     * @param begin when the first of them is due, ticks
     * @param end of the window, ticks
     */
    void Begin(const FabricEvent* events, std::size_t count, uint64_t begin, uint64_t end);

    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_next == m_nKnown && m_posted.empty();
    }

    /// @return when the next event is due, ticks, or NEVER
    uint64_t FirstTime() const
    {
        return m_next < m_nKnown ? std::min(m_firstPosted, Known(m_next).GetTime()) : m_firstPosted;
    }

    /**
     * Take the next event.
     * @param until a time, ticks
     * @param next the event
     * @return whether an event is due before that time
     */
    bool TakeNext(uint64_t until, FabricEvent& next)
    {
        if (m_next < m_nKnown)
        {
            const FabricEvent& known = Known(m_next);
            if (known.GetTime() < m_firstPosted ||
                (known.GetTime() == m_firstPosted && known.IsBefore(m_posted.front())))
            {
                if (known.GetTime() >= until)
                {
                    return false;
                }
                next = known;
                ++m_next;
                LookAhead();
                return true;
            }
        }
        if (m_firstPosted >= until)
        {
            return false;
        }
        next = m_posted.front();
        std::pop_heap(m_posted.begin(), m_posted.end(), IsAfter);
        m_posted.pop_back();
        m_firstPosted = m_posted.empty() ? NEVER : m_posted.front().GetTime();
        return true;
    }

    /// @param event posted within the window and due in it
    void Insert(const FabricEvent& event)
    {
        constexpr std::size_t NEAR = 48;
        const std::size_t last = std::min(m_nKnown, m_next + NEAR);
        std::size_t place = m_next;
        while (place < last && !event.IsBefore(Known(place)))
        {
            ++place;
        }
        if (m_next == 0 || (place == last && last < m_nKnown))
        {
            InsertFar(event);
            return;
        }
        if (m_nStored == m_known.size())
        {
            m_known.resize(2 * m_nStored);
        }
        m_known[m_nStored] = event;
        --m_next; // an event that was taken makes room
        std::copy(m_order.begin() + m_next + 1, m_order.begin() + place, m_order.begin() + m_next);
        m_order[place - 1] = static_cast<uint32_t>(m_nStored++);
    }

    /// Take an event out. @param isIt says of an event whether it is meant @return whether it was
    /// there
    template <typename PREDICATE>
    bool Remove(PREDICATE isIt)
    {
        const auto posted = std::find_if(m_posted.begin(), m_posted.end(), isIt);
        if (posted != m_posted.end())
        {
            m_posted.erase(posted);
            std::make_heap(m_posted.begin(), m_posted.end(), IsAfter);
            m_firstPosted = m_posted.empty() ? NEVER : m_posted.front().GetTime();
            return true;
        }
        for (std::size_t i = m_next; i < m_nKnown; ++i)
        {
            if (isIt(Known(i)))
            {
                std::copy_backward(m_order.begin() + m_next,
                                   m_order.begin() + i,
                                   m_order.begin() + i + 1);
                ++m_next;
                return true;
            }
        }
        return false;
    }

    /// @param isIt says of an event whether it is meant @return whether it is there
    template <typename PREDICATE>
    bool Holds(PREDICATE isIt) const
    {
        return std::any_of(m_posted.begin(), m_posted.end(), isIt) ||
               std::any_of(m_order.begin() + m_next,
                           m_order.begin() + m_nKnown,
                           [this, &isIt](uint32_t index) { return isIt(m_known[index]); });
    }

  private:
    /// @param a one event @param b another @return whether @p a leaves after @p b
    static bool IsAfter(const FabricEvent& a, const FabricEvent& b)
    {
        return b.IsBefore(a);
    }

    /// @param place in the order @return the event
    const FabricEvent& Known(std::size_t place) const
    {
        return m_known[m_order[place]];
    }

    /// Bring into the cache what the next event touches. Begin() has asked for the event itself.
    void LookAhead() const
    {
        if (m_next < m_nKnown && Known(m_next).LooksAhead())
        {
            static_cast<const LookAheadEvent*>(Known(m_next).GetImpl())->Prefetch();
        }
    }

    /// Sort m_order, of whose events none is far from its place.
    void SortNear();
    /// @param event that belongs far from the next event, or is inserted before any was taken
    void InsertFar(const FabricEvent& event);

    std::size_t m_next{0};             //!< next event of m_order
    std::size_t m_nKnown{0};           //!< events of m_order that are due in the window
    uint64_t m_firstPosted{NEVER};     //!< time of the first of m_posted, ticks
    std::size_t m_nStored{0};          //!< events of m_known
    std::vector<FabricEvent> m_known;  //!< the first m_nStored
    std::vector<uint32_t> m_order;     //!< of m_known
    std::vector<FabricEvent> m_posted; //!< a heap
    std::vector<uint32_t> m_buckets;   //!< by event of m_known: its bucket
    std::vector<uint32_t> m_places;    //!< by bucket: place in m_order of its next event
};

} // namespace ns3

#endif // LOSSLESS_DUE_EVENTS_H

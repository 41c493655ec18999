// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WINDOW_EVENTS_H
#define LOSSLESS_WINDOW_EVENTS_H

#include "due-events.h"
#include "fabric-event.h"
#include "far-events.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The window that runs, or ran last. Windows have a length and follow a grid.
struct EventWindow
{
    uint64_t end{0};     //!< first tick that is not of the window
    uint64_t nextEnd{0}; //!< first tick that is not of the next window
    uint64_t near{0};    //!< first tick that is not of the next few windows
    uint32_t parity{0};  //!< 0 and 1 in turn: number of the window modulo 2
};

/**
 * @ingroup lossless
 *
 * Events of the nodes of a partition that are to come, in canonical order, for FabricWindows. What
 * reaches a node within a window was posted before it, but for what the node does to itself: so the
 * events of a window are few, known at its begin, and need to be sorted only then. An event is in
 * one of these places:
 * - due in the window that the partition has begun with: in DueEvents;
 * - due in a window that it has not begun with, or in the next one, or in the next few: appended to
 *   an array of these, in no order. Other nodes append here;
 * - due later: in FarEvents.
 */
class WindowEvents
{
  public:
    /// No tick: after all others.
    static constexpr uint64_t NEVER = ~uint64_t{0};

    /// DueEvents that nobody needs. Partitions that run one after another use the same ones, whose
    /// memory is in the cache.
    using Spares = std::vector<std::unique_ptr<DueEvents>>;

    /// Inline, and with copies where the event goes elsewhere: it is never in memory before it is
    /// in an array. @param event a new event, not due before one that was taken @param window that
    /// runs, or ran last
    [[gnu::always_inline]] void Insert(const FabricEvent& event, const EventWindow& window)
    {
        const uint64_t time = event.GetTime();
        if (time < m_end)
        {
            m_due->Insert(FabricEvent(event));
        }
        else if (time < window.nextEnd)
        {
            m_soon[time < window.end ? window.parity : 1 - window.parity].Append(event);
        }
        else if (time < window.near)
        {
            m_later.Append(event);
        }
        else
        {
            m_far.Insert(FabricEvent(event));
        }
    }

    /// Begin with a window, or go on with it. @param window it @param spares it may take one of
    /// these
    void Begin(const EventWindow& window, Spares& spares);

    /// @return events of the window; between Begin() and Leave()
    DueEvents& GetDue()
    {
        return *m_due;
    }

    /// Leave the window, for now or for good. @param spares gets what is not needed
    void Leave(Spares& spares)
    {
        if (m_due->IsEmpty())
        {
            spares.push_back(std::move(m_due));
            m_end = 0;
        }
    }

    /// @return when the first event is due, ticks, or NEVER
    uint64_t FirstTime() const
    {
        return std::min({m_due ? m_due->FirstTime() : NEVER,
                         m_soon[0].first,
                         m_soon[1].first,
                         m_later.first,
                         m_far.First().GetTime()});
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
        const auto isThere = [time, &isIt](const FabricEvent& event) {
            return event.GetTime() == time && isIt(event);
        };
        return time < m_end ? m_due->Remove(isThere)
                            : m_far.Remove(time, impl, isIt) || m_soon[0].Remove(isThere) ||
                                  m_soon[1].Remove(isThere) || m_later.Remove(isThere);
    }

    /// @param time when an event is due, ticks @param isIt says of an event that is due then
    /// whether it is meant @return whether it is there
    template <typename PREDICATE>
    bool Holds(uint64_t time, PREDICATE isIt) const
    {
        const auto isThere = [time, &isIt](const FabricEvent& event) {
            return event.GetTime() == time && isIt(event);
        };
        return time < m_end ? m_due->Holds(isThere)
                            : m_far.Holds(time, isIt) || m_soon[0].Holds(isThere) ||
                                  m_soon[1].Holds(isThere) || m_later.Holds(isThere);
    }

    /// @return all events, taken out, in their order
    std::vector<FabricEvent> TakeAll();

  private:
    /// Events in no order.
    struct Pile
    {
        uint64_t first{NEVER};           //!< when the first is due, ticks
        std::size_t count{0};            //!< how many
        std::vector<FabricEvent> events; //!< of which the first `count` are there

        /// @param event one more
        [[gnu::always_inline]] void Append(const FabricEvent& event)
        {
            if (count == events.size())
            {
                constexpr std::size_t FEW = 8;
                events.resize(FEW + 2 * count);
            }
            events[count++] = event;
            first = std::min(first, event.GetTime());
        }

        /// @param isIt says of an event whether it is meant @return where it is, or the end
        template <typename PREDICATE>
        std::size_t Find(PREDICATE isIt) const
        {
            const auto end = events.begin() + count;
            return std::find_if(events.begin(), end, isIt) - events.begin();
        }

        /// @param isIt says of an event whether it is meant @return whether it is there
        template <typename PREDICATE>
        bool Holds(PREDICATE isIt) const
        {
            return Find(isIt) < count;
        }

        /// Take an event out. @param isIt says of an event whether it is meant @return whether it
        /// was there
        template <typename PREDICATE>
        bool Remove(PREDICATE isIt)
        {
            const std::size_t place = Find(isIt);
            if (place == count)
            {
                return false;
            }
            events[place] = events[--count];
            first = NEVER;
            for (std::size_t i = 0; i < count; ++i)
            {
                first = std::min(first, events[i].GetTime());
            }
            return true;
        }
    };

    uint64_t m_end{0}; //!< of the window that the partition has begun with, ticks; 0: of none
    std::array<Pile, 2> m_soon;       //!< by parity of the window: that which runs, and the next
    Pile m_later;                     //!< the few windows after these
    std::unique_ptr<DueEvents> m_due; //!< null: none
    FarEvents<FabricEvent, FabricEventOrder> m_far;
};

} // namespace ns3

#endif // LOSSLESS_WINDOW_EVENTS_H

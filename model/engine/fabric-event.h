// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_EVENT_H
#define LOSSLESS_FABRIC_EVENT_H

#include "look-ahead-event.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * An event of FabricSimulatorImpl. Not an aggregate, so that EventWheel can use its padding.
 *
 * Events leave by time. Those of one time leave in the order in which they were posted, as ns-3 has
 * it; or in canonical order: by the time at which they were posted, then by the node that has
 * posted them, then in its order. Canonical order does not depend on what other nodes do meanwhile.
 */
class FabricEvent
{
  public:
    /// Who has posted an event, and when, for the canonical order.
    struct Poster
    {
        uint64_t time;   //!< ticks
        uint32_t node;   //!< or Simulator::NO_CONTEXT, which comes first
        uint64_t number; //!< how many events the same partition had posted before
    };

    /// An event that is never due.
    FabricEvent() = default;

    /// @param time when it is due, ticks @param number how many events were posted before
    /// @param context node in whose context it runs @param impl what is to be called
    /// @param looksAhead whether @p impl is a LookAheadEvent that is posted as one
    FabricEvent(uint64_t time, uint64_t number, uint32_t context, EventImpl* impl, bool looksAhead)
        : m_time(time),
          m_order(number << 1 | (looksAhead ? 1 : 0)),
          m_impl(impl),
          m_context(context)
    {
    }

    /// For the canonical order. @param time when it is due, ticks @param poster who has posted it
    /// @param context node in whose context it runs @param impl what is to be called
    /// @param looksAhead whether @p impl is a LookAheadEvent that is posted as one
    FabricEvent(uint64_t time,
                const Poster& poster,
                uint32_t context,
                EventImpl* impl,
                bool looksAhead)
        : m_time(time),
          m_posted(poster.time),
          m_order(uint64_t{poster.node + 1} << NODE_SHIFT |
                  (poster.number << 1 & ((uint64_t{1} << NODE_SHIFT) - 1)) | (looksAhead ? 1 : 0)),
          m_impl(impl),
          m_context(context)
    {
    }

    /// @return when it is due, ticks
    uint64_t GetTime() const
    {
        return m_time;
    }

    /// @return how many events were posted before
    uint64_t GetNumber() const
    {
        return m_order >> 1;
    }

    /// @return the number as ns-3's EventId has it: the lower half
    uint32_t GetUid() const
    {
        return static_cast<uint32_t>(GetNumber());
    }

    /// @return node in whose context it runs
    uint32_t GetContext() const
    {
        return m_context;
    }

    /// @return what is to be called
    EventImpl* GetImpl() const
    {
        return m_impl;
    }

    /// @return whether GetImpl() is a LookAheadEvent that was posted as one
    bool LooksAhead() const
    {
        return (m_order & 1) != 0;
    }

    /// Compare without branches: the result is too random for branch prediction.
    /// @param other another event @return whether this one comes first
    bool IsBefore(const FabricEvent& other) const
    {
        const bool isFirstPosted =
            (m_posted < other.m_posted) |
            (static_cast<int>(m_posted == other.m_posted) & (m_order < other.m_order));
        return (m_time < other.m_time) | ((m_time == other.m_time) & isFirstPosted);
    }

    /// Put it off. @param time before which it is not due, ticks
    void DelayTo(uint64_t time)
    {
        m_time = time > m_time ? time : m_time;
    }

  private:
    /// Canonical order: above it lies the node, below it the number. 2^39 events of a partition are
    /// hours of its run; which of two events was posted first is asked only within one moment.
    static constexpr unsigned NODE_SHIFT = 40;

    uint64_t m_time{~uint64_t{0}};
    uint64_t m_posted{0};           //!< canonical order: when it was posted, ticks
    uint64_t m_order{~uint64_t{0}}; //!< the number, and in the lowest bit LooksAhead()
    EventImpl* m_impl{nullptr};
    uint32_t m_context{0};
};

/**
 * @ingroup lossless
 *
 * What EventWheel must know of FabricEvents.
 */
struct FabricEventOrder
{
    inline static const FabricEvent NEVER; //!< after all others

    /// @param event an event @return when it is due, ticks
    static uint64_t Time(const FabricEvent& event)
    {
        return event.GetTime();
    }

    /// @param a one event @param b another @return whether @p a leaves before @p b
    static bool Before(const FabricEvent& a, const FabricEvent& b)
    {
        return a.IsBefore(b);
    }

    /// @param event an event @return what is to be called
    static const EventImpl* Impl(const FabricEvent& event)
    {
        return event.GetImpl();
    }

    /// @param event an event @return the same if it looks ahead, or null
    static const EventImpl* Asked(const FabricEvent& event)
    {
        return event.LooksAhead() ? event.GetImpl() : nullptr;
    }

    /// @param impl what Asked() returned @return the same
    static const LookAheadEvent* AsLookAhead(const EventImpl& impl)
    {
        return static_cast<const LookAheadEvent*>(&impl);
    }
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_EVENT_H

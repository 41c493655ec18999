// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WAKE_EVENT_H
#define LOSSLESS_WAKE_EVENT_H

#include "simulation-clock.h"

#include "ns3/look-ahead-event.h"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace ns3
{

/// @ingroup lossless
/// Whether a type has PrefetchNext(): brings what waking it touches into the cache.
template <typename T, typename = void>
struct PrefetchesNext : std::false_type
{
};

/// @copydoc PrefetchesNext
template <typename T>
struct PrefetchesNext<T, std::void_t<decltype(std::declval<const T&>().PrefetchNext())>>
    : std::true_type
{
};

/**
 * @ingroup lossless
 *
 * A wake-up call that is allocated once: calls a member function of its target at the earliest time
 * that was asked for. Asking for a later time than one already asked for costs nothing; the target
 * looks at its own deadlines when it wakes. Must live on the heap, as posted calls may outlive
 * the target: the target calls Detach() when it goes.
 *
 * @tparam T type of the target
 * @tparam METHOD what to call
 */
template <typename T, void (T::*METHOD)()>
class WakeEvent final : public LookAheadEvent
{
  public:
    /// Not armed.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @param target whom to wake
    explicit WakeEvent(T* target)
        : m_target(target)
    {
    }

    /**
     * Wake the target at a time, unless it wakes earlier anyway.
     * @param clock the simulator
     * @param context node in whose context it wakes
     * @param now the time, ticks
     * @param at when, ticks, not before now; NEVER: no-op
     */
    void Arm(SimulationClock& clock, uint32_t context, int64_t now, int64_t at)
    {
        if (at >= m_at)
        {
            return;
        }
        m_at = at;
        m_clock = &clock;
        Ref(); // the simulator drops this one
        clock.Post(context, at - now, this);
    }

    void Prefetch() const override
    {
        constexpr std::size_t HOT_BYTES = 640; // most of a port, which is what this mostly wakes
        PrefetchLines(m_target, HOT_BYTES);
    }

    void PrefetchMore() const override
    {
        if constexpr (PrefetchesNext<T>::value)
        {
            if (m_target)
            {
                m_target->PrefetchNext();
            }
        }
    }

    /// The target goes: do not call it any more.
    void Detach()
    {
        m_target = nullptr;
    }

  protected:
    void Notify() override
    {
        // A call that was posted before an earlier one was asked for finds nothing to do.
        if (m_target && m_clock->Now() == m_at)
        {
            m_at = NEVER;
            (m_target->*METHOD)();
        }
    }

  private:
    T* m_target;
    SimulationClock* m_clock{nullptr};
    int64_t m_at{NEVER};
};

} // namespace ns3

#endif // LOSSLESS_WAKE_EVENT_H

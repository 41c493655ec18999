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
/// Whether a type has Prefetch(), which brings into the cache what is touched first when it wakes.
template <typename T, typename = void>
struct Prefetches : std::false_type
{
};

/// @copydoc Prefetches
template <typename T>
struct Prefetches<T, std::void_t<decltype(std::declval<const T&>().Prefetch())>> : std::true_type
{
};

/// @ingroup lossless
/// Whether a type has PrefetchNext(), which brings into the cache what its wake-up touches.
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
 * A reusable wake-up event: calls a member function of its target at the earliest time for which it
 * was armed. Arming it for a later time costs nothing; the target checks its own deadlines when it
 * wakes. The event must live on the heap, as posted calls may outlive the target, and the target
 * calls Detach() before it is destroyed.
 *
 * @tparam T type of the target
 * @tparam METHOD member function to call
 */
template <typename T, void (T::*METHOD)()>
class WakeEvent final : public LookAheadEvent
{
  public:
    /// Not armed.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @param target the object to wake
    explicit WakeEvent(T* target)
        : m_target(target)
    {
    }

    /**
     * Wake the target at a time, unless the event is armed for an earlier time.
     * @param context node in whose context it wakes
     * @param now the time, ticks
     * @param at when to wake, ticks, not before now; NEVER: no effect
     */
    void Arm(uint32_t context, int64_t now, int64_t at)
    {
        if (at >= m_at)
        {
            return;
        }
        m_at = at;
        Ref(); // the simulator drops this reference
        SimulationClock::Post(context, at - now, this);
    }

    void Prefetch() const override
    {
        if constexpr (Prefetches<T>::value)
        {
            if (m_target)
            {
                m_target->Prefetch();
            }
        }
        else
        {
            constexpr std::size_t FIRST_BYTES = 128;
            PrefetchLines(m_target, FIRST_BYTES);
        }
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

    void Execute() override
    {
        Notify(); // called directly, as the class is final
        Unref();
    }

    /// The target is being destroyed: never call it again.
    void Detach()
    {
        m_target = nullptr;
    }

  protected:
    void Notify() override
    {
        // A call that was posted before the event was armed for an earlier time has no effect.
        if (m_target && SimulationClock::Now() == m_at)
        {
            m_at = NEVER;
            (m_target->*METHOD)();
        }
    }

  private:
    T* m_target;
    int64_t m_at{NEVER};
};

} // namespace ns3

#endif // LOSSLESS_WAKE_EVENT_H

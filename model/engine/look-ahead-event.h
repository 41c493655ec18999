// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOOK_AHEAD_EVENT_H
#define LOSSLESS_LOOK_AHEAD_EVENT_H

#include "ns3/event-impl.h"

#include <cstddef>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * An event that can say in advance which memory it will touch. With a thousand hosts little of that
 * memory is in the processor's cache when the event is due, and an event spends most of its time
 * waiting for memory. WheelScheduler and FabricSimulatorImpl call Prefetch() a few events ahead;
 * other schedulers never call it.
 */
class LookAheadEvent : public EventImpl
{
  public:
    /// Bring into the cache what Notify() touches first. The event itself is in the cache already.
    virtual void Prefetch() const = 0;

    /// Bring into the cache what the memory of Prefetch() points to. That memory is in the cache
    /// now.
    virtual void PrefetchMore() const
    {
    }

    /// Run the event, and drop the simulator's reference, in one call: FabricSimulatorImpl's way.
    /// It must do what EventImpl::Invoke() and Unref() do, except that nobody can have cancelled
    /// the event.
    virtual void Execute()
    {
        Notify();
        Unref();
    }

  protected:
    /// Bring memory into the cache. @param begin where it begins @param bytes how much
    static void PrefetchLines(const void* begin, std::size_t bytes)
    {
        constexpr std::size_t LINE = 64;
        const char* line = static_cast<const char*>(begin);
        for (std::size_t offset = 0; offset < bytes; offset += LINE)
        {
            __builtin_prefetch(line + offset);
        }
    }
};

} // namespace ns3

#endif // LOSSLESS_LOOK_AHEAD_EVENT_H

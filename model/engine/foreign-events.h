// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FOREIGN_EVENTS_H
#define LOSSLESS_FOREIGN_EVENTS_H

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ns3
{

class EventImpl;

/**
 * @ingroup lossless
 *
 * Events that other threads than the simulator's have posted, until the simulator takes them.
 */
class ForeignEvents
{
  public:
    /// An event of another thread.
    struct Event
    {
        uint32_t context; //!< node in whose context it runs
        uint64_t delay;   //!< ticks from when the simulator takes it
        EventImpl* impl;  //!< what is to be called
    };

    /// The present thread is the simulator's.
    void SetThread()
    {
        m_thread.store(std::this_thread::get_id(), std::memory_order_relaxed);
    }

    /// @return whether the present thread is the simulator's
    bool IsOfThread() const
    {
        return m_thread.load(std::memory_order_relaxed) == std::this_thread::get_id();
    }

    /// @param event of another thread
    void Add(const Event& event)
    {
        const std::lock_guard lock(m_mutex);
        m_events.push_back(event);
        m_isEmpty.store(false, std::memory_order_relaxed);
    }

    /// @return whether there is nothing to take; what is added now is seen soon
    bool IsEmpty() const
    {
        return m_isEmpty.load(std::memory_order_relaxed);
    }

    /// @return all events, in the order in which they were added; it keeps none
    std::vector<Event> Take()
    {
        const std::lock_guard lock(m_mutex);
        m_isEmpty.store(true, std::memory_order_relaxed);
        return std::exchange(m_events, {});
    }

  private:
    /// The simulator's. Other threads may ask while Run() begins.
    std::atomic<std::thread::id> m_thread{std::this_thread::get_id()};
    std::atomic<bool> m_isEmpty{true}; //!< m_events is
    std::mutex m_mutex;                //!< guards m_events
    std::vector<Event> m_events;       //!< not yet taken
};

} // namespace ns3

#endif // LOSSLESS_FOREIGN_EVENTS_H

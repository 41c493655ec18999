// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EVENT_PARTITION_H
#define LOSSLESS_EVENT_PARTITION_H

#include "event-wheel.h"
#include "fabric-event.h"

#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class EventPartition;

/**
 * @ingroup lossless
 *
 * Which partition has which nodes, for all partitions of a simulator in canonical order.
 */
struct PartitionMap
{
    std::vector<EventPartition*> ofNode; //!< by node; nodes beyond it are of `rest`
    EventPartition* rest{nullptr};       //!< of all other nodes
    EventPartition* global{nullptr};     //!< of no node: what may touch all of them
    uint64_t lookahead{~uint64_t{0}};    //!< length of a window, ticks
    uint64_t soonest{0};                 //!< ticks: no node may act on another sooner

    /// @param context a node, or Simulator::NO_CONTEXT @return the partition of its events
    EventPartition& Of(uint32_t context) const
    {
        if (context < ofNode.size())
        {
            return *ofNode[context];
        }
        return context == Simulator::NO_CONTEXT ? *global : *rest;
    }
};

/**
 * @ingroup lossless
 *
 * What the partitions of one thread leave for the end of a window.
 */
struct PartitionThread
{
    /// An event for a partition of another thread.
    struct Parcel
    {
        EventPartition* to; //!< that it is for
        FabricEvent event;  //!< made by the other one
    };

    /// A call that waits for the end of the window.
    struct Deferred
    {
        FabricEvent event;          //!< that has asked for it: its place in the order
        std::function<void()> call; //!< what to do
    };

    uint32_t index{0};                        //!< number of the thread
    uint64_t longest{0};                      //!< events of the partition that had most to do
    std::vector<std::vector<Parcel>> parcels; //!< by thread that takes them
    std::vector<Deferred> deferred;           //!< in the order of asking
    std::vector<FabricEvent> toGlobal;        //!< events of no node
};

/**
 * @ingroup lossless
 *
 * Events of some nodes that are to come, and the present of these nodes. One thread at a time runs
 * a partition. FabricSimulatorImpl has one for all nodes, in the order of ns-3's event numbers, or
 * several with a PartitionMap, in canonical order.
 */
class EventPartition
{
  public:
    /// Its set of events.
    using Wheel = EventWheel<FabricEvent, FabricEventOrder>;

    /// No tick: after all others.
    static constexpr uint64_t NEVER = ~uint64_t{0};

    /// @param bucketBits see EventWheel @param wheelBits see EventWheel
    /// @param map who has which nodes; null: this one has all. Outlives the partition
    EventPartition(unsigned bucketBits, unsigned wheelBits, const PartitionMap* map);

    /// Free the events that are left.
    ~EventPartition();
    EventPartition(const EventPartition&) = delete;
    EventPartition& operator=(const EventPartition&) = delete;

    /// @return the partition that the present thread runs, or null
    static EventPartition* Current()
    {
        return t_current;
    }

    /// The present thread runs a partition from now on. @param partition it; null: none
    static void Enter(EventPartition* partition)
    {
        t_current = partition;
    }

    // ---- the present

    /// @return now, ticks
    int64_t GetTick() const
    {
        return static_cast<int64_t>(m_now);
    }

    /// @return context of the event that runs, or ran last
    uint32_t GetContext() const
    {
        return m_current.GetContext();
    }

    /// @return number of the event that runs, or ran last
    uint64_t GetNumber() const
    {
        return m_current.GetNumber();
    }

    /// @return number that the next event will get
    uint64_t GetNextNumber() const
    {
        return m_next;
    }

    /// @return events executed
    uint64_t GetCount() const
    {
        return m_count;
    }

    // ---- what is to come

    /**
     * Post an event that nobody will cancel.
     * @param context node in whose context it runs
     * @param delay ticks from now, not negative
     * @param event its Execute() is called; one reference of it passes to the simulator
     */
    void Post(uint32_t context, int64_t delay, LookAheadEvent* event)
    {
        Send(Make(context, static_cast<uint64_t>(delay), event, true));
    }

    /**
     * Post an event that may be taken back.
     * @param context node in whose context it runs
     * @param delay ticks from now
     * @param event what is to be called; one reference of it passes to the simulator
     * @return names the event
     */
    EventId Schedule(uint32_t context, uint64_t delay, EventImpl* event);

    /**
     * Number an event, as posted now.
     * @param context node in whose context it runs
     * @param delay ticks from now
     * @param impl what is to be called
     * @param looksAhead whether it is a LookAheadEvent that is posted as one
     * @return the event
     */
    FabricEvent Make(uint32_t context, uint64_t delay, EventImpl* impl, bool looksAhead)
    {
        if (!m_map)
        {
            return {m_now + delay, m_next++, context, impl, looksAhead};
        }
        const FabricEvent::Poster poster{m_now, m_current.GetContext(), m_next++};
        return {std::max(m_now + delay, m_floor), poster, context, impl, looksAhead};
    }

    /// Hand an event to the partition of its context. @param event that this one has made
    void Send(const FabricEvent& event)
    {
        if (!m_map)
        {
            m_wheel->Insert(event);
            return;
        }
        SendByMap(event);
    }

    /// Take an event that another partition has made. @param event it
    void Take(const FabricEvent& event)
    {
        m_wheel->Insert(event);
        m_nextTime = std::min(m_nextTime, event.GetTime());
    }

    /// Leave out a number, as ns-3 does for an event of ScheduleDestroy().
    void SkipNumber()
    {
        ++m_next;
    }

    /// Count as if events had been posted already. @param number of the next event
    void ContinueAt(uint64_t number)
    {
        m_next = number;
    }

    /// Do something at the end of the window; at once where there are no windows. @param call it
    void Defer(std::function<void()> call)
    {
        if (m_thread)
        {
            m_thread->deferred.push_back({m_current, std::move(call)});
        }
        else
        {
            call();
        }
    }

    /// @return whether no event is left
    bool IsEmpty() const
    {
        return m_wheel->IsEmpty();
    }

    /// @return when the next event is due, ticks, or NEVER; only with a PartitionMap
    uint64_t GetNextTime() const
    {
        return m_nextTime;
    }

    /// Take an event out. @param id of it @return whether it was there
    bool Remove(const EventId& id);

    /// @param id of an event that is due now, or in a deferred call of any @return whether it is
    /// still to come
    bool HoldsNow(const EventId& id) const;

    /// Choose other sizes of the wheel; the events move. @param bucketBits see EventWheel
    /// @param wheelBits see EventWheel
    void Fit(unsigned bucketBits, unsigned wheelBits);

    /// @return all events, taken out, in their order
    std::vector<FabricEvent> TakeAll();

    // ---- to run it

    /// Run the next event; there must be one.
    void RunNext()
    {
        Execute(m_wheel->TakeNext());
        if (m_map)
        {
            NoteNextTime();
        }
    }

    /// Run the events of a window. @param end its first tick that is not of it
    void RunBefore(uint64_t end);

    /// @param thread where it leaves what is for others; null: it runs alone
    void SetThread(PartitionThread* thread)
    {
        m_thread = thread;
    }

    /// Begin a call that was deferred. @param now the time of the event that asked for it
    /// @param floor before which nothing that it posts is due: the end of the window
    void BeginDeferred(uint64_t now, uint64_t floor)
    {
        m_now = now;
        m_floor = floor;
    }

    /// What was deferred is done.
    void EndDeferred()
    {
        m_floor = 0;
    }

    /// @return whether a call that was deferred runs: now is the time of the event that asked for
    /// it, and later events may have run
    bool IsDeferring() const
    {
        return m_floor != 0;
    }

    /// Now is no earlier than a time. @param tick the time
    void AdvanceTo(int64_t tick)
    {
        m_now = std::max(m_now, static_cast<uint64_t>(tick));
    }

  private:
    /// Send() with several partitions. @param event made by this one
    void SendByMap(const FabricEvent& event);
    /// @param event the next event, taken out
    void Execute(const FabricEvent& event);

    /// Look up when the next event is due.
    void NoteNextTime()
    {
        m_nextTime = m_wheel->IsEmpty() ? NEVER : m_wheel->PeekNext().GetTime();
    }

    /// "initial-exec" makes reading it one instruction in a shared library, too.
    [[gnu::tls_model("initial-exec")]] inline static thread_local EventPartition* t_current{
        nullptr};

    uint64_t m_now{0};                  //!< present time, ticks
    uint64_t m_next;                    //!< number of the next event
    const PartitionMap* m_map;          //!< null: the only partition
    PartitionThread* m_thread{nullptr}; //!< SetThread()
    FabricEvent m_current;              //!< the event that runs, or ran last
    uint64_t m_floor{0};                //!< BeginDeferred()
    uint64_t m_nextTime{NEVER};         //!< GetNextTime()
    uint64_t m_count{0};                //!< events executed
    std::unique_ptr<Wheel> m_wheel;     //!< what is to come
};

inline void
EventPartition::Execute(const FabricEvent& event)
{
    NS_ASSERT_MSG(event.GetTime() >= m_now, "an event of the past");
    m_now = event.GetTime();
    m_current = event;
    ++m_count;
    EventImpl* impl = event.GetImpl();
    if (event.LooksAhead())
    {
        static_cast<LookAheadEvent*>(impl)->Execute();
    }
    else
    {
        impl->Invoke();
        impl->Unref();
    }
}

} // namespace ns3

#endif // LOSSLESS_EVENT_PARTITION_H

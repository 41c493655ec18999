// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EVENT_PARTITION_H
#define LOSSLESS_EVENT_PARTITION_H

#include "event-wheel.h"
#include "fabric-event.h"
#include "window-events.h"

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
    EventWindow window;                  //!< that runs, or ran last
    /// Partitions that follow each other, of which FabricWindows knows when the first event is due.
    static constexpr std::size_t BLOCK = 8;

    std::vector<uint64_t> nextTimes;  //!< by number of a partition of nodes: its GetNextTime()
    std::vector<uint64_t> blockTimes; //!< by number / BLOCK: the earliest of these, or earlier

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
    WindowEvents::Spares spares;              //!< for its partitions
    std::vector<std::vector<Parcel>> parcels; //!< by thread that takes them
    std::vector<Deferred> deferred;           //!< in the order of asking
    std::vector<FabricEvent> toGlobal;        //!< events of no node
};

/**
 * @ingroup lossless
 *
 * Events of some nodes that are to come, and the present of these nodes. One thread at a time runs
 * a partition. FabricSimulatorImpl has one for all nodes, in the order of ns-3's event numbers, or
 * several with a PartitionMap, in canonical order: one for each node, if that may be, and one for
 * events of no node.
 */
class EventPartition
{
  public:
    /// Its set of events.
    using Wheel = EventWheel<FabricEvent, FabricEventOrder>;

    /// No tick: after all others.
    static constexpr uint64_t NEVER = ~uint64_t{0};

    /// One for all nodes, or for no node: its events lie in a wheel, which Fit() makes.
    /// @param map who has which nodes; null: this one has all. Outlives the partition
    explicit EventPartition(const PartitionMap* map);

    /// One of nodes, in canonical order. @param map who has which nodes. Outlives the partition
    /// @param number of the partition
    EventPartition(PartitionMap& map, std::size_t number);

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
        if (!m_map)
        {
            m_wheel->Insert(Make(context, static_cast<uint64_t>(delay), event, true));
            return;
        }
        PostByMap(context, static_cast<uint64_t>(delay), event);
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
    void Send(const FabricEvent& event);

    /// Take an event that any partition has made. @param event it
    [[gnu::always_inline]] void Take(const FabricEvent& event)
    {
        if (m_wheel)
        {
            m_wheel->Insert(FabricEvent(event));
        }
        else
        {
            m_events.Insert(event, m_map->window);
        }
        if (event.GetTime() < *m_nextTime)
        {
            *m_nextTime = event.GetTime();
            *m_blockTime = std::min(*m_blockTime, event.GetTime());
        }
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
        return m_wheel ? m_wheel->IsEmpty() : *m_nextTime == NEVER;
    }

    /// @return when the next event is due, ticks, or NEVER; only with a PartitionMap, and while no
    /// partition runs
    uint64_t GetNextTime() const
    {
        return *m_nextTime;
    }

    /// Take an event out. @param id of it @return whether it was there
    bool Remove(const EventId& id);

    /// @param id of an event that is due now, or in a deferred call of any @return whether it is
    /// still to come
    bool HoldsNow(const EventId& id) const;

    /// Make the wheel; events of one that was there before move. @param bucketBits see EventWheel
    /// @param wheelBits see EventWheel
    void Fit(unsigned bucketBits, unsigned wheelBits);

    /// @return all events, taken out, in their order
    std::vector<FabricEvent> TakeAll();

    // ---- to run it

    /// Run the next event; there must be one. Only for a partition with a wheel.
    void RunNext()
    {
        m_current = m_wheel->TakeNext();
        Execute();
        if (m_map)
        {
            NoteNextTime();
        }
    }

    /// Run events of the window. Only for a partition of nodes. @param until first tick that they
    /// are not due at: the end of the window, or an earlier one
    void RunBefore(uint64_t until);

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
    /// Post() with several partitions. @param context node in whose context it runs
    /// @param delay ticks from now @param event its Execute() is called
    void PostByMap(uint32_t context, uint64_t delay, LookAheadEvent* event);
    /// Send() with several partitions. Inline: the event stays in registers on its way into an
    /// array. @param event made by this one
    inline void SendByMap(const FabricEvent& event);
    /// @param to a node on which the present one acts sooner than the shortest link @param delay of
    /// the event, ticks
    [[noreturn]] void ThrowTooSoon(uint32_t to, uint64_t delay) const;
    /// Run m_current, which was taken out.
    void Execute();
    /// Look up when the next event is due.
    void NoteNextTime();

    /// "initial-exec" makes reading it one instruction in a shared library, too.
    [[gnu::tls_model("initial-exec")]] inline static thread_local EventPartition* t_current{
        nullptr};

    // What it takes to append an event of another partition: one cache line.
    alignas(64) PartitionThread* m_thread{nullptr}; //!< SetThread()
    uint64_t* m_nextTime;                           //!< GetNextTime(), in PartitionMap::nextTimes
    uint64_t* m_blockTime;                          //!< likewise, in PartitionMap::blockTimes
    std::unique_ptr<Wheel> m_wheel;                 //!< what is to come; null: m_events is
    WindowEvents m_events;                          //!< what is to come, in canonical order
    uint64_t m_now{0};                              //!< present time, ticks
    uint64_t m_next;                                //!< number of the next event
    const PartitionMap* m_map;                      //!< null: the only partition
    FabricEvent m_current;                          //!< the event that runs, or ran last
    uint64_t m_floor{0};                            //!< BeginDeferred()
    uint64_t m_ownNextTime{NEVER};                  //!< *m_nextTime of a partition with a wheel
    uint64_t m_noBlock{NEVER};                      //!< *m_blockTime, likewise
    uint64_t m_count{0};                            //!< events executed
};

inline void
EventPartition::Execute()
{
    NS_ASSERT_MSG(m_current.GetTime() >= m_now, "an event of the past");
    m_now = m_current.GetTime();
    ++m_count;
    EventImpl* impl = m_current.GetImpl();
    if (m_current.LooksAhead())
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

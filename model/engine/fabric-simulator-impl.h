// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_SIMULATOR_IMPL_H
#define LOSSLESS_FABRIC_SIMULATOR_IMPL_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"

#include <cstdint>
#include <list>
#include <memory>
#include <utility>

namespace ns3
{

class ForeignEvents;
class LookAheadEvent;

/**
 * @ingroup lossless
 *
 * A simulator for fabrics: events leave in exactly the order of DefaultSimulatorImpl, by time and
 * then by the order in which they were posted, so that a run gives the same result, but faster.
 * FabricProgram and the Python package use it unless the user names another; a script takes it with
 * one line, before anything else of the simulator:
 *
 * @code
 * FabricSimulatorImpl::UseByDefault();
 * @endcode
 *
 * - Its events lie in a wheel of its own, as WheelScheduler's do: ns-3's SchedulerType has no
 * effect, and one line says so if it was changed. The width of a bucket follows the resolution of
 * ns3::Time.
 * - Events are numbered with 64 bits. ns-3 numbers them with 32, and after 2^32 events cannot tell
 *   which of two comes first.
 * - SimulationClock, the data path's way to the simulator, calls it without virtual functions, and
 *   it calls LookAheadEvents, such as frames, directly.
 *
 * An EventId has the lower 32 bits of an event's number. Two events with the same EventId would
 * have to be posted 2^32 events apart, for the same time, with the same EventImpl.
 */
class FabricSimulatorImpl : public SimulatorImpl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FabricSimulatorImpl();
    ~FabricSimulatorImpl() override;

    /// Make it the simulator of this process, unless NS_GLOBAL_VALUE or GlobalValue::Bind() has
    /// named another. With ns-3's DefaultSimulatorImpl, WheelScheduler becomes the scheduler,
    /// unless another is named.
    static void UseByDefault();

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    // ns-3.41 and later return an EventId.
    decltype(std::declval<SimulatorImpl>().Stop(Time())) Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    /// From any thread: from another than Run()'s the delay counts from when the event is taken.
    /// @param context of the event @param delay from now @param event one reference of it passes on
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    /// Has no effect, and says so in one line, unless the scheduler is ns-3's default. @param
    /// schedulerFactory makes a scheduler
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

    /// @return the simulator of this process, for the thread that runs it; null: it is no
    /// FabricSimulatorImpl
    static FabricSimulatorImpl* Current()
    {
        return t_current;
    }

    /// @return now, ticks
    int64_t GetTick() const
    {
        return static_cast<int64_t>(m_now);
    }

    /**
     * Post an event that nobody will cancel. For the thread of Run() only.
     * @param context node in whose context it runs
     * @param delay ticks from now, not negative
     * @param event its Execute() is called; one reference of it passes to the simulator
     */
    void Post(uint32_t context, int64_t delay, LookAheadEvent* event);

  protected:
    void DoDispose() override;

    /// Count as if events had been posted already; for tests of very long runs.
    /// @param number of the next event, not below that of any so far
    void ContinueAt(uint64_t number);

  private:
    class Events;

    /// Current(). "initial-exec" makes reading it one instruction in a shared library, too.
    [[gnu::tls_model("initial-exec")]] inline static thread_local FabricSimulatorImpl* t_current{
        nullptr};

    /// Make the wheel for ns3::Time's resolution; events that it holds already move.
    void FitWheel();
    /// Take the events that other threads have posted.
    void TakeForeign();
    std::unique_ptr<Events> m_events;         //!< what is to come
    std::unique_ptr<ForeignEvents> m_foreign; //!< posted by other threads
    Time::Unit m_resolution{Time::LAST};      //!< for which m_events was made
    uint64_t m_now{0};                        //!< present time, ticks
    uint64_t m_next;                          //!< number of the next event
    uint64_t m_current{0};                    //!< number of the event that runs, or ran last
    uint64_t m_count{0};                      //!< events executed
    uint32_t m_context;                       //!< context of the event that runs
    bool m_stop{false};                       //!< Stop() was called
    std::list<EventId> m_atDestroy;           //!< events of ScheduleDestroy()
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_SIMULATOR_IMPL_H

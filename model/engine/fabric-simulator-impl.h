// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_SIMULATOR_IMPL_H
#define LOSSLESS_FABRIC_SIMULATOR_IMPL_H

#include "event-partition.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class ForeignEvents;

/**
 * @ingroup lossless
 *
 * A simulator for fabrics: events leave in exactly the order of DefaultSimulatorImpl, by time and
 * then by the order in which they were posted, so that a run gives the same result, but faster; or,
 * with attribute Order, in an order that any number of threads can keep (FabricWindows).
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

    /// Which of two events of one time comes first.
    enum Order
    {
        UID,       //!< which was posted first: exactly the order of DefaultSimulatorImpl
        CANONICAL, //!< by time of posting, node that has posted, and its order; does not depend on
                   //!< partitions and threads
        OPEN       //!< nobody has chosen: UID, unless a run chooses CANONICAL
    };

    /// @return attribute Order
    Order GetOrder() const;

    /// @return attribute Threads
    uint32_t GetThreads() const
    {
        return m_threads;
    }

    /**
     * Divide the nodes, for Order CANONICAL, before Run(). Events that are there already move.
     * Throws std::invalid_argument with Order UID, or with a lookahead of 0.
     * @param partitions by node: number of its partition, from 0 without gaps; nodes beyond them
     * are of partition 0. Neighbours in number share a thread
     * @param lookahead of the whole fabric, whatever the partitions: the shortest time in which a
     * node can act on another, the delay of the shortest link. With several partitions an event
     * that breaks it makes Run() throw std::runtime_error
     */
    void SetPartitions(const std::vector<uint32_t>& partitions, const Time& lookahead);

    /**
     * Run all nodes together from now on, whatever SetPartitions() has said: each may act on any
     * other at once, and the results are the same. By one thread, and not within an event of a
     * node.
     * @return whether that is so; else nothing was done
     */
    bool Undivide();

    /// @return number of partitions of nodes; 1 with Order UID
    uint32_t GetNPartitions() const;

    /// @return the shortest time after which a node may act on another in the run that is under
    /// way; 0: any, as there is no run or one partition
    Time GetSoonest() const;

    /**
     * How far more cores could help: of the events of nodes that ran in canonical order, how many
     * would run one after another with a core for each partition. That is the sum, over windows, of
     * the events of the partition that had most to do.
     * @return the number; 0 with Order UID
     */
    uint64_t GetCriticalCount() const
    {
        return m_critical;
    }

    /// @return whether the last Run() has ended since nothing was left to happen; else it was
    /// stopped
    bool HasRunOut() const
    {
        return m_hasRunOut;
    }

    /**
     * Do something that touches more than the node whose event runs, such as what a trace sink or a
     * completion does: between two windows, in the order of the events that asked for it, with
     * Simulator::Now() as it is now. What it posts on nodes is due after the window at the
     * earliest. At once with Order UID, with another simulator, and outside of events of nodes.
     * @param call what to do
     */
    static void Serially(std::function<void()> call);

  protected:
    void DoDispose() override;

    /// Count as if events had been posted already; for tests of very long runs.
    /// @param number of the next event, not below that of any so far
    void ContinueAt(uint64_t number);

  private:
    /// @param order attribute Order
    void SetOrder(Order order);
    /// @param threads attribute Threads
    void SetThreads(uint32_t threads);
    /// @return the partition of the present thread, else the global one
    EventPartition& Here() const;
    /// @return whether the present thread may post events
    bool IsInside() const;
    /// @param context of events @return their partition
    EventPartition& HomeOf(uint32_t context) const;
    /// Throws std::runtime_error unless who runs may take an event back. @param id names the event
    void RequireOwn(const EventId& id) const;
    /// Call a function with each partition. @param visit it
    template <typename Visit>
    void ForEachPartition(const Visit& visit) const;
    /// Make partitions of nodes, anew. @param count how many @param number of their next event
    void MakePartitions(uint32_t count, uint64_t number);
    /// Make the wheel for ns3::Time's resolution.
    void FitWheel();
    /// Take the events that other threads have posted.
    void TakeForeign();
    /// Run() in the order of ns-3's event numbers.
    void RunAlone();
    /// Run() in canonical order.
    void RunWindows();

    bool m_isOrderOpen{true};                 //!< with Order UID: nobody has chosen it
    PartitionMap m_map;                       //!< for Order CANONICAL
    std::unique_ptr<EventPartition> m_global; //!< events of no node; with Order UID all events
    std::vector<std::unique_ptr<EventPartition>> m_partitions; //!< Order CANONICAL: of nodes
    std::unique_ptr<ForeignEvents> m_foreign;                  //!< posted by other threads
    Time::Unit m_resolution{Time::LAST};                       //!< for which the wheel was made
    uint64_t m_count{0};             //!< events of partitions that are gone
    uint64_t m_critical{0};          //!< GetCriticalCount()
    uint32_t m_threads{1};           //!< attribute Threads
    bool m_isRunning{false};         //!< in Run()
    bool m_hasRunOut{false};         //!< HasRunOut()
    std::atomic<bool> m_stop{false}; //!< Stop() was called
    std::list<EventId> m_atDestroy;  //!< events of ScheduleDestroy()
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_SIMULATOR_IMPL_H

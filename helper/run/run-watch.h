// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_WATCH_H
#define LOSSLESS_RUN_WATCH_H

#include "ns3/callback-guard.h"
#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/fault-helper.h"
#include "ns3/nstime.h"
#include "ns3/run-traffic.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Ends a run in which nothing moves any more. A fabric in a deadlock refreshes its pauses for ever,
 * and a sender whose class is paused has no timeout, so that neither the event queue runs dry nor a
 * flow fails.
 *
 * Progress is payload that is delivered, an item of traffic that starts or ends, and a
 * retransmission timeout, of which a flow has a limited number. A run is stuck when there was none
 * for the patience, something is under way that is awaited, no source of traffic has a timeout to
 * come that would change something, and no fault of ExpectWhile() is to begin or to end. The watch
 * looks at the run while something is awaited, a few times per patience;
 * TrafficSource::ForEachUnfinished() says what each item waits for. When nothing is awaited, pauses
 * that outlast the patience are stuck, too; without pauses the watch rests until LookAgain(), or
 * traffic that starts.
 */
class RunWatch : private TrafficListener
{
  public:
    /// @param fabric the fabric @param traffic all of the run; must outlive this
    RunWatch(const Fabric& fabric, RunTraffic& traffic);
    ~RunWatch() override;
    RunWatch(const RunWatch&) = delete;
    RunWatch& operator=(const RunWatch&) = delete;

    /// @param patience simulated time without progress after which a run is stuck; 0 is a
    /// FabricError. By default 20 ms, and no less than the watchdogs of the fabric need to act.
    void SetPatience(Time patience);

    /// @param due says whether something is planned that may change the run, such as the end of a
    /// fault: then it is not stuck
    void ExpectWhile(std::function<bool()> due);

    /// While a fault is to begin or to end, the run is not stuck, and it is looked at from each
    /// begin of a fault on. @param faults those; must outlive this
    void Expect(FaultHelper& faults);

    /// Something has changed that may stop the run, such as a fault: look from now on.
    void LookAgain();

    /// @param stop whether the simulation ends when it is stuck; it does by default
    void StopWhenStuck(bool stop);

    /// @param listener called when the run is found stuck
    void OnStuck(std::function<void()> listener);

    /// @return whether the run was found stuck
    bool IsStuck() const
    {
        return m_stuck;
    }

    /// @return when there was progress last, as far as was looked at
    Time GetLastProgress() const
    {
        return m_lastProgress;
    }

    /// @return events that this has added to the run
    uint64_t GetEvents() const
    {
        return m_events;
    }

    /// Watch on after the run was stuck, when it goes on.
    void Resume();

  private:
    void Started(const TrafficSource& source, const TrafficItem& item) override;
    /// With the last item the watch ends, too, unless someone is paused.
    void Ended(const TrafficSource& source, const TrafficItem& item) override;
    /// @return whether nothing is awaited, and nobody is paused
    bool IsOver() const;
    /// @return the patience; by default what the watchdogs need
    Time Patience() const;
    /// @return whether something is planned that may change the run
    bool IsSomethingDue() const;
    /// Look whether there was progress.
    void Look();
    /// Plan the next look.
    void Plan();
    /// @return a number that grows with progress
    uint64_t Progress() const;
    /// @return whether a port keeps its peer paused
    bool AnyoneWantsPause() const;

    Fabric m_fabric;
    RunTraffic& m_traffic;
    Time m_patience; //!< 0: by default
    Time m_lastProgress;
    uint64_t m_progress{0};
    uint64_t m_events{0};
    EventId m_next;
    bool m_stop{true};
    bool m_stuck{false};
    std::vector<std::function<void()>> m_listeners;
    std::vector<std::function<bool()>> m_due;
    CallbackGuard m_guard; //!< of faults, which outlive this
};

} // namespace ns3

#endif // LOSSLESS_RUN_WATCH_H

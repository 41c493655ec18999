// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_WATCH_H
#define LOSSLESS_RUN_WATCH_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"

#include <cstdint>
#include <functional>
#include <memory>
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
 * Progress is payload that is delivered, a flow that starts or ends, and a retransmission timeout,
 * of which a flow has a limited number. A run is stuck when there was none for the patience, no
 * other traffic is waited for (RdmaFlowHelper::WaitFor()), flows are under way, none of them has a
 * timeout to come that would change something, and no fault of ExpectWhile() is to begin or to end.
 * It is looked at while flows run, a few times per patience; UnfinishedFlows says what each flow
 * waits for. When all flows have ended, pauses that outlast the patience are stuck, too; without
 * any it is not looked at until LookAgain(), or a flow that starts.
 */
class RunWatch
{
  public:
    /// @param flows the flows of the run; must outlive this
    explicit RunWatch(RdmaFlowHelper& flows);
    ~RunWatch();
    RunWatch(const RunWatch&) = delete;
    RunWatch& operator=(const RunWatch&) = delete;

    /// @param patience simulated time without progress after which a run is stuck; 0 is a
    /// FabricError. By default 20 ms, and no less than the watchdogs of the fabric need to act.
    void SetPatience(Time patience);

    /// @param due says whether something is planned that may change the run, such as the end of a
    /// fault: then it is not stuck
    void ExpectWhile(std::function<bool()> due);

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
    /// A flow has ended. With the last one it ends, too, unless someone is paused.
    void FlowEnded();
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
    /// @return whether a flow has a timeout to come
    bool MayActByItself() const;

    RdmaFlowHelper& m_flows;
    Time m_patience; //!< 0: by default
    Time m_lastProgress;
    uint64_t m_progress{0};
    uint64_t m_events{0};
    EventId m_next;
    bool m_stop{true};
    bool m_stuck{false};
    std::vector<std::function<void()>> m_listeners;
    std::vector<std::function<bool()>> m_due;
    std::shared_ptr<RunWatch*> m_self; //!< what listeners of the flows, which outlive this, look at
};

} // namespace ns3

#endif // LOSSLESS_RUN_WATCH_H

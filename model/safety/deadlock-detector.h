// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_DETECTOR_H
#define LOSSLESS_DEADLOCK_DETECTOR_H

#include "deadlock.h"
#include "wait-for-graph.h"

#include "ns3/event-id.h"
#include "ns3/fabric-frame.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

class FabricSwitch;
class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * Finds deadlocks while the simulation runs: cycles of ingress buffers that wait for each other
 * (WaitForGraph) and which no frame has left for two periods. The detector is an observer, not a
 * protocol: it sees all switches at once, which no real device can.
 *
 * The detector polls only while some egress queue is paused. It stops when all paused queues have
 * been found still, until a pause begins or ends. The detector thus adds at most one event per
 * period to a run, none to a run without pauses, and at most one after the last pause.
 *
 * In a parallel simulation the detector sees only the switches of its own process.
 */
class DeadlockDetector : public Object
{
  public:
    /// Action on a deadlock.
    enum Action
    {
        REPORT, //!< only report the deadlock
        STOP,   //!< stop the simulation
        DRAIN   //!< flush queues of the cycle, one after the other, until the cycle is broken
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param fabricSwitch the switch to watch; it must have all its ports, and outlive the
    /// detector
    void Add(const Ptr<FabricSwitch>& fabricSwitch);

    /// @return the deadlocks found so far, in order of time
    const std::vector<Deadlock>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// @return number of polls so far
    uint64_t GetPolls() const
    {
        return m_polls;
    }

    /// A deadlock was found, and broken if the action is Drain. @param deadlock the deadlock
    typedef void (*DeadlockTracedCallback)(const Deadlock& deadlock);

  protected:
    void DoDispose() override;

  private:
    /// Periods without movement after which a wait counts as deadlock.
    static constexpr uint8_t STILL_PERIODS = 2;
    static constexpr uint8_t STILL = 1 + STILL_PERIODS;  //!< looks of a queue that is still
    static constexpr uint32_t NONE = WaitForGraph::NONE; //!< no deadlock

    /// A queue that waits for the end of a pause.
    struct Wait
    {
        uint64_t departed{0}; //!< value of Departed() at the last poll
        uint8_t looks{0};     //!< successive polls without movement, up to STILL
    };

    /// An egress port.
    struct Egress
    {
        QbbNetDevice* device;
        uint32_t switchIndex;
        uint32_t port;
        std::array<Wait, TRAFFIC_CLASSES> waits;
    };

    /// A pause began or ended.
    void PauseChanged(const QbbNetDevice& port, uint32_t cls, bool paused);
    /// Poll in a period, unless a poll is planned.
    void LookLater();
    /// Poll a period after m_looked, or now if that is over.
    void PlanPoll();
    /// The attribute Period has changed: so has the time of the poll that is planned.
    void PeriodChanged();
    /// The attribute Action has changed: take it on the deadlocks that are known.
    void ActionChanged();
    /// Take the action on the deadlocks that are known and not broken.
    void ActOnKnown();
    /// Poll all queues, and schedule the next poll.
    void Poll();
    /// Poll a queue. @return whether the queue waits, but has not been still for long enough
    bool Look(Egress& egress, uint32_t cls);
    /// @return a number that changes whenever a frame of the queue is sent
    static uint64_t Departed(const QbbNetDevice& device, uint32_t cls);
    /// Collect the queues that do not move, and solve the graph.
    void Solve();
    /// @param known whether the deadlock is known @return vertices that wait for each other in such
    /// a deadlock; or none
    std::vector<uint32_t> Find(bool known) const;
    /// Record the end of deadlocks that have been broken.
    void CloseDeadlocks(const std::vector<std::vector<uint32_t>>& components);
    /// Report a deadlock, and take the action. @param component vertices that wait for each other
    void Found(const std::vector<uint32_t>& component);
    /// @param component vertices @return queues through which these vertices wait for each other,
    /// as indices into WaitForGraph::GetQueues()
    std::vector<uint32_t> QueuesWithin(const std::vector<uint32_t>& component) const;
    /// Count the frames of each flow in some queues. @param queues indices @param deadlock result
    void ListFlows(const std::vector<uint32_t>& queues, Deadlock& deadlock) const;
    /// Flush queues until none of these vertices is on a cycle. @param component vertices
    void Drain(std::vector<uint32_t> component, Deadlock& deadlock);
    /// @param component vertices @return index of the queue to flush
    uint32_t ChooseVictim(const std::vector<uint32_t>& component) const;

    WaitForGraph m_graph;
    std::vector<Egress> m_egresses;
    std::vector<Deadlock> m_deadlocks;
    std::vector<uint32_t> m_deadlockOf; //!< deadlock of each vertex, or NONE
    uint32_t m_open{0};                 //!< number of current deadlocks
    EventId m_next;                     //!< the poll that is planned
    Time m_looked;                      //!< when a poll was planned
    EventId m_act;                      //!< ActOnKnown(), if the action has just changed
    uint64_t m_polls{0};
    Time m_period;           //!< attribute Period
    Action m_action{REPORT}; //!< attribute Action
    TracedCallback<const Deadlock&> m_deadlockTrace;
};

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_DETECTOR_H

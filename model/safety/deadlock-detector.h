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
 * Finds deadlocks while the simulation runs: circles of ingress buffers that wait for each other
 * (WaitForGraph) and from which nothing has left for two periods. The detector sees all switches at
 * once, which no real device can: it is an observer, not a protocol.
 *
 * The detector looks only while some egress is paused. It stops when it has seen all that is paused
 * without movement, until a pause begins or ends. So it adds at most one event a period to a run,
 * and none to a run without pauses; at most one event comes after the last pause.
 *
 * The detector sees the switches of its own process, as there is one.
 */
class DeadlockDetector : public Object
{
  public:
    /// What is done about a deadlock.
    enum Action
    {
        REPORT, //!< nothing but report it
        STOP,   //!< stop the simulation
        DRAIN   //!< throw away queues of the circle, one after the other, until it is broken
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param fabricSwitch watched from now on; it must have all its ports, and outlive this
    void Add(const Ptr<FabricSwitch>& fabricSwitch);

    /// @return the deadlocks found so far, in order of time
    const std::vector<Deadlock>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// @return times that it has looked
    uint64_t GetPolls() const
    {
        return m_polls;
    }

    /// A deadlock was found, and broken if the action is Drain. @param deadlock the deadlock
    typedef void (*DeadlockTracedCallback)(const Deadlock& deadlock);

  protected:
    void DoDispose() override;

  private:
    /// Periods without movement that make a deadlock.
    static constexpr uint8_t STILL_PERIODS = 2;
    static constexpr uint32_t NONE = WaitForGraph::NONE; //!< no deadlock

    /// A queue that was seen to wait for the end of a pause.
    struct Wait
    {
        uint64_t departed{0}; //!< bytes sent, when it was seen last
        uint8_t looks{0};     //!< how often in a row it was seen unmoved, up to 1 + 2
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
    /// Look, and plan the next look.
    void Poll();
    /// Look at a queue. @return whether it waits, and has not been still for long enough
    bool Look(Egress& egress, uint32_t cls);
    /// @return what changes when something of a queue is sent
    static uint64_t Departed(const QbbNetDevice& device, uint32_t cls);
    /// Gather the queues that do not move, and solve the graph.
    void Solve();
    /// @return vertices that wait for each other and are in no deadlock that is known; or none
    std::vector<uint32_t> FindNew() const;
    /// Note the end of deadlocks that are no more.
    void CloseDeadlocks(const std::vector<std::vector<uint32_t>>& components);
    /// Report a circle, and do what the action says. @param component vertices that wait
    void Found(const std::vector<uint32_t>& component);
    /// @param component vertices @return queues that make vertices of it wait for others of it, by
    /// their place in WaitForGraph::GetQueues()
    std::vector<uint32_t> QueuesWithin(const std::vector<uint32_t>& component) const;
    /// Count the frames of the flows in some queues. @param queues places @param deadlock result
    void ListFlows(const std::vector<uint32_t>& queues, Deadlock& deadlock) const;
    /// Throw away queues until none of these vertices is on a circle. @param component vertices
    void Drain(std::vector<uint32_t> component, Deadlock& deadlock);
    /// @param component vertices @return the queue to throw away, by its place
    uint32_t ChooseVictim(const std::vector<uint32_t>& component) const;

    WaitForGraph m_graph;
    std::vector<Egress> m_egresses;
    std::vector<Deadlock> m_deadlocks;
    std::vector<uint32_t> m_deadlockOf; //!< by vertex: the deadlock that it is in, or NONE
    uint32_t m_open{0};                 //!< deadlocks that are not over
    EventId m_next;
    uint64_t m_polls{0};
    Time m_period;   //!< attribute Period
    Action m_action; //!< attribute Action
    TracedCallback<const Deadlock&> m_deadlockTrace;
};

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_DETECTOR_H

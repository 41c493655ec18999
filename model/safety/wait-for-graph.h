// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WAIT_FOR_GRAPH_H
#define LOSSLESS_WAIT_FOR_GRAPH_H

#include "deadlock.h"
#include "dependency-cycles.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{

class FabricSwitch;
class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * Which ingress buffers of switches wait for which, at one instant. A vertex is a class at an
 * ingress port whose upstream is paused; u -> v if frames booked by u wait in an egress queue that
 * v has paused. All frames of a queue wait, not only the first: queues are first-in first-out.
 *
 * A circle alone is no deadlock: u may resume because of frames that it holds elsewhere. The graph
 * is therefore reduced: a vertex goes if it would resume when all queues drain that no remaining
 * vertex has paused. The vertices that remain wait for ever, whatever the hosts do.
 *
 * A host is no vertex: what a host receives does not wait for what it sends. Frames that wait for a
 * host which pauses for ever are a pause storm, and go on when the storm ends.
 */
class WaitForGraph
{
  public:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); //!< no vertex

    /// A queue that does not move.
    struct StuckQueue
    {
        uint32_t switchIndex;  //!< whose
        uint32_t port;         //!< egress port
        uint32_t trafficClass; //!< its class
        uint32_t waitsFor;     //!< vertex that has paused it; NONE: none, such as a host
        /// Cells by ingress vertex, sorted; frames of the switch's own stack are not booked.
        std::vector<std::pair<uint32_t, uint64_t>> cells;
    };

    /// @param fabricSwitch the next switch; it must have all its ports
    void AddSwitch(FabricSwitch* fabricSwitch);

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_switches.size());
    }

    /// @param switchIndex a switch @return the switch
    FabricSwitch& GetSwitch(uint32_t switchIndex) const
    {
        return *m_switches[switchIndex];
    }

    /// @param vertex number of a vertex @return which it is
    BufferVertex Describe(uint32_t vertex) const;

    /// Forget the queues.
    void Clear();

    /**
     * Add a queue that does not move.
     * @param switchIndex whose @param port egress port @param trafficClass its class
     */
    void AddQueue(uint32_t switchIndex, uint32_t port, uint32_t trafficClass);

    /// Find the vertices that wait for ever, and the edges between them.
    void Solve();

    /// @param vertex a vertex @return whether it waits for ever, after Solve()
    bool IsStuck(uint32_t vertex) const
    {
        return m_stuck[vertex];
    }

    /// @return edges between the vertices that wait for ever, after Solve()
    const DependencyCycles::Graph& GetEdges() const
    {
        return m_edges;
    }

    /// @return the queues
    const std::vector<StuckQueue>& GetQueues() const
    {
        return m_queues;
    }

    /**
     * @param vertex a vertex that waits
     * @param queue a queue to leave out, by its place in GetQueues(); NONE: none
     * @return whether it would resume if it had nothing but its frames in the other queues that
     * wait for ever, after Solve()
     */
    bool ResumesWithout(uint32_t vertex, uint32_t queue) const;

  private:
    /// @return the vertex that pauses an egress, or NONE
    uint32_t PausedBy(const QbbNetDevice& egress, uint32_t trafficClass) const;
    /// @return whether a queue waits for a vertex that waits for ever
    bool WaitsForEver(const StuckQueue& queue) const;
    /// Sum up what the vertices hold in queues that wait for ever. @param without a queue to leave
    /// out, or NONE @return cells by vertex
    std::vector<uint64_t> Remaining(uint32_t without) const;
    /// @param remaining cells by vertex @return of these, cells in shared space, by switch
    std::vector<uint64_t> SharedOf(const std::vector<uint64_t>& remaining) const;
    /// @return whether a vertex resumes with what remains
    bool Resumes(uint32_t vertex,
                 const std::vector<uint64_t>& remaining,
                 const std::vector<uint64_t>& shared) const;

    std::vector<FabricSwitch*> m_switches;
    std::vector<uint32_t> m_first;       //!< by switch: its first vertex
    std::vector<uint32_t> m_switchOf;    //!< by vertex
    std::vector<uint32_t> m_indexOfNode; //!< by node: number of its switch, or NONE
    std::vector<StuckQueue> m_queues;
    std::vector<bool> m_stuck;       //!< by vertex
    DependencyCycles::Graph m_edges; //!< by vertex
};

} // namespace ns3

#endif // LOSSLESS_WAIT_FOR_GRAPH_H

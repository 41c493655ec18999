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
 * The wait-for graph of the ingress buffers of all switches at one instant. A vertex is a class at
 * an ingress port that pauses its upstream neighbour. There is an edge u -> v if frames booked at u
 * wait in an egress queue that v has paused. All frames of such a queue wait, not only the first:
 * queues are first-in first-out.
 *
 * A class with credits (CBFC) is such a vertex, too: its frames hold credits, without which its
 * upstream neighbour waits. What it holds is counted in credits instead of cells.
 *
 * A cycle alone is no deadlock: u may resume because frames that it holds in other queues leave.
 * The graph is therefore reduced: a vertex is removed if it would resume once all queues drain that
 * no remaining vertex has paused. The vertices that remain wait for ever, whatever the hosts do.
 *
 * A host is no vertex: frames that a host receives do not wait for frames that it sends. Frames
 * that wait for a host which pauses for ever are in a pause storm, and move on when the storm ends.
 */
class WaitForGraph
{
  public:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); //!< no vertex

    /// A queue that does not move.
    struct StuckQueue
    {
        uint32_t switchIndex;  //!< its switch
        uint32_t port;         //!< egress port
        uint32_t trafficClass; //!< its number at the port
        /// Vertices that have paused it, all of which must resume; empty: paused by a host.
        std::vector<uint32_t> waitsFor;
        /// Cells, or credits, by ingress vertex, sorted; without frames of the switch's own IP
        /// stack, which are not booked.
        std::vector<std::pair<uint32_t, uint64_t>> cells;
    };

    /// @param fabricSwitch the switch to add; it must have all its ports
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

    /// @param vertex number of a vertex @return its switch, port and class
    BufferVertex Describe(uint32_t vertex) const;

    /// Remove all queues.
    void Clear();

    /**
     * Add a queue that does not move.
     * @param switchIndex its switch @param port egress port @param trafficClass its number there
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
     * @param vertex a vertex that waits for ever
     * @param queue index in GetQueues() of a queue to leave out; NONE: none
     * @return whether the vertex would resume if it held only its frames in the other queues that
     * wait for ever, after Solve()
     */
    bool ResumesWithout(uint32_t vertex, uint32_t queue) const;

  private:
    /// @return the vertices that pause an egress queue: of the peer's priority groups those whose
    /// pause names a PFC priority that stops the queue
    std::vector<uint32_t> PausedBy(const QbbNetDevice& egress, uint32_t queue) const;
    /// @return whether a vertex is a class with credits
    bool HasCredits(uint32_t vertex) const;
    /// @return whether a queue waits for a vertex that waits for ever
    bool WaitsForEver(const StuckQueue& queue) const;
    /// Sum the cells of each vertex in queues that wait for ever. @param without a queue to leave
    /// out, or NONE @return cells by vertex
    std::vector<uint64_t> Remaining(uint32_t without) const;
    /// @param remaining cells by vertex @return those of them in shared space, by switch
    std::vector<uint64_t> SharedOf(const std::vector<uint64_t>& remaining) const;
    /// @return whether a vertex resumes with the remaining cells
    bool Resumes(uint32_t vertex,
                 const std::vector<uint64_t>& remaining,
                 const std::vector<uint64_t>& shared) const;

    std::vector<FabricSwitch*> m_switches;
    std::vector<uint32_t> m_first;       //!< first vertex of each switch
    std::vector<uint32_t> m_switchOf;    //!< switch of each vertex
    std::vector<uint32_t> m_indexOfNode; //!< number of the switch of each node, or NONE
    std::vector<StuckQueue> m_queues;
    std::vector<bool> m_stuck;       //!< whether each vertex waits for ever
    DependencyCycles::Graph m_edges; //!< edges of each vertex
};

} // namespace ns3

#endif // LOSSLESS_WAIT_FOR_GRAPH_H

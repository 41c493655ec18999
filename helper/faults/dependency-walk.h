// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEPENDENCY_WALK_H
#define LOSSLESS_DEPENDENCY_WALK_H

#include "buffer-dependency-graph.h"

#include "ns3/class-rewriter.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/fabric-frame.h"
#include "ns3/fabric.h"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Follows paths through a fabric for BufferDependencyGraph. Hosts to which all switches forward
 * alike are one target, and hosts of one switch whose frames go on alike are one origin, so that
 * the work grows with the pairs of switches, not of hosts.
 */
class DependencyWalk
{
  public:
    /// @param fabric the fabric
    explicit DependencyWalk(const Fabric& fabric);

    /// Follow all paths from all hosts to all hosts.
    void WalkAll();

    /// Follow the paths of a flow and of its answers. @param flow the flow
    void WalkFlow(const BufferDependencyGraph::Flow& flow);

    /// Follow the path of a flow that runs, and that of its answers.
    /// @param flow the flow @param connection its ends
    void WalkActive(const BufferDependencyGraph::Flow& flow, const Fabric::Connection& connection);

    /// @return the graph of what was followed
    BufferDependencyGraph GetGraph() const;

  private:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); //!< no switch, no edge
    static constexpr uint32_t DSCPS = 64;                                  //!< number of DSCPs

    /// What a link of a switch leads to.
    struct Port
    {
        uint32_t peer{NONE};  //!< number of the switch there; NONE: a host
        uint32_t peerPort{0}; //!< ingress port there
        uint8_t lossless{0};  //!< mask of the priority groups that are lossless at the ingress here
        uint8_t pfc{0};       //!< mask of the PFC priorities with PFC
        const TrafficClassMap* map{nullptr};
    };

    /// A switch.
    struct Switch
    {
        FabricSwitch* fabricSwitch;
        EcmpLoadBalancer* ecmp; //!< its load balancer; null: another one
        std::vector<Port> ports;
        std::vector<const ClassRewriter*> rewriters; //!< in the order of their calls
        uint32_t firstState;                         //!< place of the state (port 0, DSCP 0)
    };

    /// Where frames come into the fabric.
    struct Entry
    {
        HostId host;
        uint32_t hostPort;    //!< of the host
        uint32_t switchIndex; //!< where
        uint32_t port;        //!< ingress port there
    };

    /// A frame at an ingress.
    struct State
    {
        uint32_t switchIndex;
        uint32_t port;
        uint8_t dscp;

        bool operator<(const State& other) const
        {
            return std::tie(switchIndex, port, dscp) <
                   std::tie(other.switchIndex, other.port, other.dscp);
        }

        bool operator==(const State& other) const
        {
            return switchIndex == other.switchIndex && port == other.port && dscp == other.dscp;
        }
    };

    /// Hosts that all switches forward to alike.
    struct Target
    {
        Ipv4Address address; //!< of one of them
        std::vector<HostId> hosts;
    };

    /// An edge by number of state-independent vertices.
    struct RawEdge
    {
        uint32_t to;
        uint64_t flows;
        std::vector<BufferDependencyGraph::Flow> examples;
    };

    /// Who sends, to whom, in which class: what an edge is due to.
    struct Cause
    {
        std::vector<HostId> sources;
        const Target* target;
        uint8_t trafficClass;
    };

    void ReadSwitch(uint32_t index);
    void ReadEntries();
    void FindTargets();
    /// @param entry where a frame comes in @param cls its class at the host @return the marking
    Frame& Mark(const Entry& entry, uint8_t cls);
    /// From a port of a host to a port of another. @param from who sends @param to the other
    /// @param ports source and destination @param cls class
    void WalkPair(HostId from, HostId to, const Fabric::Ports& ports, uint8_t cls);
    /// @return the ports that a frame may leave a switch by
    std::vector<uint16_t> WaysOf(const Switch& at, uint32_t inPort, const NextHopGroup& group);
    /// One step. @param at a state @param cause what edges are due to @param next gets the states
    /// that follow
    void Step(const State& at, const Cause& cause, std::vector<State>& next);
    /// All steps that follow. @param from the states to begin with @param cause of the edges
    void Follow(const std::vector<State>& from, const Cause& cause);
    /// From all hosts of a switch to a target. @param entries of the switch @param target where
    /// @param cls class
    void WalkFrom(const std::vector<Entry>& entries, const Target& target, uint8_t cls);
    void AddEdge(uint32_t from, uint32_t to, const Cause& cause);

    /// @return number of a class at an ingress port
    uint32_t VertexOf(uint32_t switchIndex, uint32_t port, uint32_t cls) const
    {
        return (m_switches[switchIndex].firstState / DSCPS + port) * TRAFFIC_CLASSES + cls;
    }

    Fabric m_fabric;
    std::vector<Switch> m_switches;
    std::vector<std::vector<Entry>> m_entries; //!< by switch
    std::vector<Target> m_targets;
    std::vector<std::vector<RawEdge>> m_edges; //!< by vertex
    std::vector<uint32_t> m_seen;              //!< by state: number of the walk
    uint32_t m_walk{0};
    bool m_exact{false}; //!< m_frame has the ports of a flow that runs
    Frame m_frame;       //!< to ask maps and tables
};

} // namespace ns3

#endif // LOSSLESS_DEPENDENCY_WALK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_DEPENDENCY_GRAPH_H
#define LOSSLESS_BUFFER_DEPENDENCY_GRAPH_H

#include "ns3/dependency-cycles.h"
#include "ns3/fabric.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class RdmaFlowHelper;

/**
 * @ingroup lossless
 *
 * Which ingress buffers can come to wait for which others, found from the forwarding tables before
 * a run (Dally and Seitz 1987, for buffers of switches). A vertex is a lossless class at an ingress
 * port; u -> v if some path takes frames from u out of an egress that v can pause. Without a circle
 * no deadlock is possible, with one it may be: it is necessary, not sufficient.
 *
 * Paths are those of the tables as they are now, over all members of a next-hop group that are up,
 * and with what the ClassRewriters of the switches make of the DSCP and what the class map of each
 * port makes of that. A path that goes round for ever is followed once.
 *
 * @code
 * const auto graph = BufferDependencyGraph::FromRoutes(fabric);
 * for (const std::string& line : graph.Describe()) { std::cout << line << '\n'; }
 * @endcode
 */
class BufferDependencyGraph
{
  public:
    /// A class at an ingress port of a switch.
    struct Vertex
    {
        NodeId node;           //!< of the switch
        uint32_t port;         //!< ingress port
        uint32_t trafficClass; //!< class there
    };

    /// Who sends to whom.
    struct Flow
    {
        HostId source;           //!< sends
        HostId destination;      //!< receives
        uint8_t trafficClass{3}; //!< class at the source
    };

    /// A dependency.
    struct Edge
    {
        uint32_t from;              //!< number of the vertex that may have to wait
        uint32_t to;                //!< number of the vertex that it may have to wait for
        uint64_t flows{0};          //!< host pairs and classes whose paths make it
        std::vector<Flow> examples; //!< the first of them, EXAMPLES at most
    };

    /// Flows that are remembered by name for each edge.
    static constexpr std::size_t EXAMPLES = 8;

    /**
     * Whatever may be sent: from every host to every other, in every class that is lossless at the
     * sender's port.
     * @param fabric the fabric @return its graph
     */
    static BufferDependencyGraph FromRoutes(const Fabric& fabric);

    /**
     * Only some flows, with all the paths that ECMP may give them: the hash depends on the numbers
     * of queue pairs, which exist when a flow starts. Their answers go the other way, in the same
     * class.
     * @param fabric the fabric @param flows the flows @return the graph
     */
    static BufferDependencyGraph FromFlows(const Fabric& fabric, const std::vector<Flow>& flows);

    /// FromFlows() for the flows that were added and have not started, of Poisson workloads none.
    /// @param flows the flows @return the graph
    static BufferDependencyGraph FromFlows(const RdmaFlowHelper& flows);

    /**
     * The flows that run now, on the paths that they take: where the load balancer is
     * EcmpLoadBalancer its choice is exact, with any other, and for data that are sprayed or go by
     * flowlets, all possible paths are followed.
     * @param flows the flows @return the graph
     */
    static BufferDependencyGraph FromActiveFlows(const RdmaFlowHelper& flows);

    /// @return the vertices that are on some path, in order of switch, port and class
    const std::vector<Vertex>& GetVertices() const
    {
        return m_vertices;
    }

    /// @return the edges, in order of both their vertices
    const std::vector<Edge>& GetEdges() const
    {
        return m_edges;
    }

    /// @return strongly connected components with a circle; numbers of vertices, sorted
    const std::vector<std::vector<uint32_t>>& GetComponents() const
    {
        return m_components;
    }

    /// @return whether there is a circle
    bool HasCycle() const
    {
        return !m_components.empty();
    }

    /// @return numbers of the vertices of a shortest circle of the first component; empty: none
    std::vector<uint32_t> GetCycle() const;

    /// @return one line for each edge within a component, with its flows; empty: no circle
    std::vector<std::string> Describe() const;

    /**
     * Print the graph for Graphviz: vertices are grouped by switch, circles are red.
     * @param os where
     * @param all whether to draw vertices outside of circles, too
     */
    void PrintDot(std::ostream& os, bool all = true) const;

  private:
    friend class DependencyWalk;

    /// Find the components.
    void Finish();
    /// @param edge an edge @return its flows as text
    static std::string FlowsOf(const Edge& edge);
    /// @param vertex a vertex @return its name
    std::string NameOf(const Vertex& vertex) const;

    std::vector<std::string> m_names; //!< of all nodes
    std::vector<Vertex> m_vertices;
    std::vector<Edge> m_edges;
    std::vector<std::vector<uint32_t>> m_components;
    std::vector<uint32_t> m_componentOf; //!< by vertex: number of its component, or NONE
    DependencyCycles::Graph m_graph;
};

} // namespace ns3

#endif // LOSSLESS_BUFFER_DEPENDENCY_GRAPH_H

// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-dependency-graph.h"

#include "dependency-walk.h"

#include "ns3/fabric-error.h"
#include "ns3/rdma-flow-helper.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace
{

constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

} // namespace

BufferDependencyGraph
BufferDependencyGraph::FromRoutes(const Fabric& fabric)
{
    DependencyWalk walk(fabric);
    walk.WalkAll();
    return walk.GetGraph();
}

BufferDependencyGraph
BufferDependencyGraph::FromFlows(const Fabric& fabric, const std::vector<Flow>& flows)
{
    DependencyWalk walk(fabric);
    for (const Flow& flow : flows)
    {
        if (flow.trafficClass >= TRAFFIC_CLASSES)
        {
            throw FabricError("a flow of class " + std::to_string(flow.trafficClass),
                              "classes are 0 to 7");
        }
        walk.WalkFlow(flow);
    }
    return walk.GetGraph();
}

BufferDependencyGraph
BufferDependencyGraph::FromFlows(const RdmaFlowHelper& flows)
{
    std::vector<Flow> pending;
    for (const RdmaFlow& flow : flows.GetPending())
    {
        pending.push_back({flow.source, flow.destination, flow.trafficClass});
    }
    return FromFlows(flows.GetFabric(), pending);
}

BufferDependencyGraph
BufferDependencyGraph::FromActiveFlows(const RdmaFlowHelper& flows)
{
    DependencyWalk walk(flows.GetFabric());
    for (const auto& [flow, connection] : flows.GetActive())
    {
        walk.WalkActive({flow.source, flow.destination, flow.trafficClass}, connection);
    }
    return walk.GetGraph();
}

void
BufferDependencyGraph::Finish()
{
    m_graph.resize(m_vertices.size());
    for (const Edge& edge : m_edges)
    {
        m_graph[edge.from].push_back(edge.to);
    }
    m_components = DependencyCycles::FindComponents(m_graph);
    m_componentOf.assign(m_vertices.size(), NONE);
    for (uint32_t i = 0; i < m_components.size(); ++i)
    {
        for (const uint32_t vertex : m_components[i])
        {
            m_componentOf[vertex] = i;
        }
    }
}

std::vector<uint32_t>
BufferDependencyGraph::GetCycle() const
{
    return HasCycle() ? DependencyCycles::FindCycle(m_graph, m_components.front())
                      : std::vector<uint32_t>();
}

std::string
BufferDependencyGraph::NameOf(const Vertex& vertex) const
{
    return m_names[vertex.node.Value()] + " port " + std::to_string(vertex.port) + " class " +
           std::to_string(vertex.trafficClass);
}

std::string
BufferDependencyGraph::FlowsOf(const Edge& edge)
{
    std::string text;
    for (const Flow& flow : edge.examples)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(flow.source.Value()) + "->" +
                std::to_string(flow.destination.Value());
    }
    const uint64_t more = edge.flows - edge.examples.size();
    return text + (more ? " and " + std::to_string(more) + " more" : "");
}

std::vector<std::string>
BufferDependencyGraph::Describe() const
{
    std::vector<std::string> lines;
    for (uint32_t i = 0; i < m_components.size(); ++i)
    {
        for (const Edge& edge : m_edges)
        {
            if (m_componentOf[edge.from] == i && m_componentOf[edge.to] == i)
            {
                lines.push_back(NameOf(m_vertices[edge.from]) + " -> " +
                                NameOf(m_vertices[edge.to]) + ": hosts " + FlowsOf(edge));
            }
        }
    }
    return lines;
}

void
BufferDependencyGraph::PrintDot(std::ostream& os, bool all) const
{
    os << "digraph buffers {\n  rankdir=LR;\n  node [shape=box, fontsize=10];\n"
          "  edge [fontsize=8];\n";
    for (uint32_t i = 0; i < m_vertices.size();)
    {
        const NodeId node = m_vertices[i].node;
        std::string members;
        for (; i < m_vertices.size() && m_vertices[i].node == node; ++i)
        {
            const bool cyclic = m_componentOf[i] != NONE;
            if (all || cyclic)
            {
                members += "    v" + std::to_string(i) + " [label=\"port " +
                           std::to_string(m_vertices[i].port) + "\\nclass " +
                           std::to_string(m_vertices[i].trafficClass) + "\"" +
                           (cyclic ? ", color=red" : "") + "];\n";
            }
        }
        if (!members.empty())
        {
            os << "  subgraph cluster" << node << " {\n    label=\"" << m_names[node.Value()]
               << "\";\n"
               << members << "  }\n";
        }
    }
    for (const Edge& edge : m_edges)
    {
        const uint32_t component = m_componentOf[edge.from];
        const bool cyclic = component != NONE && component == m_componentOf[edge.to];
        if (all || (component != NONE && m_componentOf[edge.to] != NONE))
        {
            os << "  v" << edge.from << " -> v" << edge.to;
            os << (cyclic ? " [color=red, label=\"" + FlowsOf(edge) + "\"];\n" : ";\n");
        }
    }
    os << "}\n";
}

} // namespace ns3

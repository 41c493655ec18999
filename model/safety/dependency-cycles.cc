// SPDX-License-Identifier: GPL-2.0-only
#include "dependency-cycles.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <limits>

namespace ns3
{
namespace DependencyCycles
{
namespace
{

constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

} // namespace

std::vector<std::vector<uint32_t>>
FindComponents(const Graph& graph)
{
    using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    BoostGraph boostGraph(graph.size());
    std::vector<bool> self(graph.size(), false);
    for (uint32_t from = 0; from < graph.size(); ++from)
    {
        for (const uint32_t to : graph[from])
        {
            boost::add_edge(from, to, boostGraph);
            self[from] = self[from] || to == from;
        }
    }
    std::vector<uint32_t> number(graph.size());
    const auto map = boost::make_iterator_property_map(number.begin(),
                                                       boost::get(boost::vertex_index, boostGraph));
    std::vector<std::vector<uint32_t>> all(
        graph.empty() ? 0 : boost::strong_components(boostGraph, map));
    for (uint32_t vertex = 0; vertex < graph.size(); ++vertex)
    {
        all[number[vertex]].push_back(vertex);
    }
    std::vector<std::vector<uint32_t>> cyclic;
    for (auto& component : all)
    {
        if (component.size() > 1 || self[component[0]])
        {
            cyclic.push_back(std::move(component));
        }
    }
    std::sort(cyclic.begin(), cyclic.end());
    return cyclic;
}

std::vector<uint32_t>
FindCycle(const Graph& graph, const std::vector<uint32_t>& component)
{
    const uint32_t start = component.front();
    std::vector<uint32_t> before(graph.size(), NONE); // on the way from the start
    std::vector<uint32_t> reached{start};             // breadth first
    for (std::size_t next = 0; next < reached.size(); ++next)
    {
        const uint32_t from = reached[next];
        std::vector<uint32_t> ahead = graph[from];
        std::sort(ahead.begin(), ahead.end());
        for (const uint32_t to : ahead)
        {
            if (to == start)
            {
                std::vector<uint32_t> cycle{from};
                while (cycle.back() != start)
                {
                    cycle.push_back(before[cycle.back()]);
                }
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (before[to] == NONE && std::binary_search(component.begin(), component.end(), to))
            {
                before[to] = from;
                reached.push_back(to);
            }
        }
    }
    return {};
}

} // namespace DependencyCycles
} // namespace ns3

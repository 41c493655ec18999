// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEPENDENCY_CYCLES_H
#define LOSSLESS_DEPENDENCY_CYCLES_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Circles in a graph of buffers that depend on each other. Nothing here depends on the order in
 * which edges were added, or on addresses.
 */
namespace DependencyCycles
{

/// By vertex: the vertices that it depends on. An edge may occur more than once.
using Graph = std::vector<std::vector<uint32_t>>;

/**
 * The strongly connected components (Tarjan 1972) in which there is a circle: those of several
 * vertices, and single vertices with an edge to themselves.
 * @param graph the graph
 * @return the components, sorted by their lowest vertex; the vertices of each are sorted
 */
std::vector<std::vector<uint32_t>> FindComponents(const Graph& graph);

/**
 * A shortest circle through the lowest vertex of a component; of several the one whose vertices are
 * lowest, one after the other.
 * @param graph the graph
 * @param component one of FindComponents()
 * @return the vertices in order, each depends on the next and the last on the first
 */
std::vector<uint32_t> FindCycle(const Graph& graph, const std::vector<uint32_t>& component);

} // namespace DependencyCycles
} // namespace ns3

#endif // LOSSLESS_DEPENDENCY_CYCLES_H

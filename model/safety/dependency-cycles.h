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
 * Cycles in a graph of buffers that depend on each other. Results depend neither on the order of
 * the edges nor on memory addresses.
 */
namespace DependencyCycles
{

/// For each vertex the vertices on which it depends. An edge may occur more than once.
using Graph = std::vector<std::vector<uint32_t>>;

/**
 * The strongly connected components (Tarjan, SIAM J. Computing 1972) with a cycle: components of
 * several vertices, and single vertices with an edge to themselves.
 * @param graph the graph
 * @return the components, sorted by their lowest vertex; the vertices of each are sorted
 */
std::vector<std::vector<uint32_t>> FindComponents(const Graph& graph);

/**
 * A shortest cycle through the lowest vertex of a component; among several, the lexicographically
 * lowest.
 * @param graph the graph
 * @param component one of FindComponents()
 * @return the vertices in order: each depends on the next, the last on the first
 */
std::vector<uint32_t> FindCycle(const Graph& graph, const std::vector<uint32_t>& component);

} // namespace DependencyCycles
} // namespace ns3

#endif // LOSSLESS_DEPENDENCY_CYCLES_H

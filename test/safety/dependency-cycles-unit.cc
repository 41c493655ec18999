// SPDX-License-Identifier: GPL-2.0-only

// Circles in graphs, against reachability by Warshall's algorithm and against all simple circles.

#include "ns3/dependency-cycles.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;
using DependencyCycles::FindComponents;
using DependencyCycles::FindCycle;
using DependencyCycles::Graph;

namespace
{

using Matrix = std::vector<std::vector<bool>>;

/// @return by pair of vertices: whether there is a way of one edge or more
Matrix
Reachability(const Graph& graph)
{
    const std::size_t n = graph.size();
    Matrix reach(n, std::vector<bool>(n, false));
    for (std::size_t from = 0; from < n; ++from)
    {
        for (const uint32_t to : graph[from])
        {
            reach[from][to] = true;
        }
    }
    for (std::size_t via = 0; via < n; ++via)
    {
        for (std::size_t from = 0; from < n; ++from)
        {
            for (std::size_t to = 0; to < n; ++to)
            {
                reach[from][to] = reach[from][to] || (reach[from][via] && reach[via][to]);
            }
        }
    }
    return reach;
}

/// @return edges of the shortest simple circle through a vertex, by trying all ways; 0: none
uint32_t
ShortestBySearch(const Graph& graph, uint32_t start)
{
    uint32_t best = 0;
    std::vector<bool> onPath(graph.size(), false);
    const std::function<void(uint32_t, uint32_t)> follow = [&](uint32_t at, uint32_t edges) {
        onPath[at] = true;
        for (const uint32_t to : graph[at])
        {
            if (to == start && (best == 0 || edges + 1 < best))
            {
                best = edges + 1;
            }
            else if (!onPath[to])
            {
                follow(to, edges + 1);
            }
        }
        onPath[at] = false;
    };
    follow(start, 0);
    return best;
}

bool
HasEdge(const Graph& graph, uint32_t from, uint32_t to)
{
    return std::count(graph[from].begin(), graph[from].end(), to) > 0;
}

} // namespace

TEST(DependencyCycles, SmallGraphs)
{
    EXPECT_TRUE(FindComponents({}).empty());
    EXPECT_TRUE(FindComponents({{}, {}}).empty());
    EXPECT_TRUE(FindComponents({{1}, {2}, {}}).empty());
    const Graph loop{{}, {1}};
    ASSERT_EQ(FindComponents(loop).size(), 1U);
    EXPECT_EQ(FindComponents(loop)[0], std::vector<uint32_t>({1}));
    EXPECT_EQ(FindCycle(loop, {1}), std::vector<uint32_t>({1}));
    // Two circles, and an edge from one to the other.
    const Graph two{{3}, {2}, {1}, {4, 1}, {0}};
    const std::vector<std::vector<uint32_t>> expected{{0, 3, 4}, {1, 2}};
    EXPECT_EQ(FindComponents(two), expected);
    EXPECT_EQ(FindCycle(two, {0, 3, 4}), std::vector<uint32_t>({0, 3, 4}));
    // Of two circles of the same length the lower one, whatever the order of edges.
    EXPECT_EQ(FindCycle({{2, 1}, {3}, {3}, {0}}, {0, 1, 2, 3}), std::vector<uint32_t>({0, 1, 3}));
}

TEST(DependencyCycles, AgreesWithBruteForce)
{
    std::mt19937_64 engine(1);
    uint32_t cyclic = 0;
    constexpr uint32_t GRAPHS = 600;
    for (uint32_t g = 0; g < GRAPHS; ++g)
    {
        const uint32_t n = 1 + engine() % 9;
        Graph graph(n);
        for (uint32_t edges = engine() % (2 * n); edges > 0; --edges)
        {
            graph[engine() % n].push_back(static_cast<uint32_t>(engine() % n));
        }
        const Matrix reach = Reachability(graph);
        std::vector<std::vector<uint32_t>> expected;
        for (uint32_t v = 0; v < n; ++v)
        {
            std::vector<uint32_t> members;
            for (uint32_t w = 0; w < n; ++w)
            {
                if (reach[v][w] && reach[w][v])
                {
                    members.push_back(w);
                }
            }
            if (!members.empty() && members[0] == v)
            {
                expected.push_back(members);
            }
        }
        const auto found = FindComponents(graph);
        ASSERT_EQ(found, expected) << "graph " << g;
        cyclic += !found.empty();
        for (const auto& component : found)
        {
            const auto cycle = FindCycle(graph, component);
            ASSERT_EQ(cycle.size(), ShortestBySearch(graph, component[0])) << "graph " << g;
            ASSERT_EQ(cycle[0], component[0]);
            for (std::size_t i = 0; i < cycle.size(); ++i)
            {
                EXPECT_TRUE(HasEdge(graph, cycle[i], cycle[(i + 1) % cycle.size()]));
            }
        }
    }
    // The graphs were of both kinds.
    EXPECT_GT(cyclic, GRAPHS / 5);
    EXPECT_LT(cyclic, GRAPHS - GRAPHS / 5);
}

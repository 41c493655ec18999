// SPDX-License-Identifier: GPL-2.0-only
#include "job-graph.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::array<const char*, COLLECTIVE_TYPES> TYPE_NAMES{"all-reduce",
                                                               "reduce-scatter",
                                                               "all-gather",
                                                               "all-to-all",
                                                               "broadcast",
                                                               "reduce",
                                                               "gather",
                                                               "scatter",
                                                               "barrier"};

/// @param operation a collective @return what messages call it: "all-reduce of 1024 B"
std::string
Describe(const JobOperation& operation)
{
    return std::string(ToString(operation.type)) + " of " + std::to_string(operation.bytes) + " B";
}

/// @param number from 1 @return "1st", "2nd", "11th"
std::string
Ordinal(uint64_t number)
{
    const uint64_t last = number % 10;
    const bool isTeen = number / 10 % 10 == 1;
    const char* end = isTeen || last == 0 || last > 3 ? "th"
                      : last == 1                     ? "st"
                      : last == 2                     ? "nd"
                                                      : "rd";
    return std::to_string(number) + end;
}

} // namespace

const char*
ToString(CollectiveType type)
{
    return TYPE_NAMES.at(static_cast<std::size_t>(type));
}

std::optional<CollectiveType>
ToCollectiveType(const std::string& name)
{
    const auto found = std::find(TYPE_NAMES.begin(), TYPE_NAMES.end(), name);
    if (found == TYPE_NAMES.end())
    {
        return std::nullopt;
    }
    return static_cast<CollectiveType>(found - TYPE_NAMES.begin());
}

JobGraph::JobGraph(uint32_t ranks, std::string source, std::string place)
    : m_source(std::move(source)),
      m_place(std::move(place))
{
    if (ranks == 0 || ranks > MOST_RANKS)
    {
        throw FabricError(m_source + ": " + std::to_string(ranks) + " ranks",
                          "a job has 1 to " + std::to_string(MOST_RANKS));
    }
    m_ranks.resize(ranks);
    AddText("");
    std::vector<uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    m_groups.push_back({"all ranks", std::move(all)});
}

// ---- operations

JobOperation
JobGraph::Calc(uint64_t ns, uint32_t stream)
{
    JobOperation operation;
    operation.kind = JobOperation::CALC;
    operation.ns = ns;
    operation.stream = stream;
    return operation;
}

JobOperation
JobGraph::Send(uint32_t to, uint64_t bytes, uint64_t tag)
{
    JobOperation operation;
    operation.kind = JobOperation::SEND;
    operation.peer = to;
    operation.bytes = bytes;
    operation.tag = tag;
    return operation;
}

JobOperation
JobGraph::Recv(uint32_t from, uint64_t bytes, uint64_t tag)
{
    JobOperation operation = Send(from, bytes, tag);
    operation.kind = JobOperation::RECV;
    return operation;
}

JobOperation
JobGraph::Collective(CollectiveType type, uint64_t bytes, uint32_t group)
{
    JobOperation operation;
    operation.kind = JobOperation::COLLECTIVE;
    operation.type = type;
    operation.bytes = bytes;
    operation.group = group;
    operation.stream = JobOperation::OWN_STREAM;
    return operation;
}

uint32_t
JobGraph::Add(uint32_t rank, const JobOperation& operation)
{
    RequireRank(rank, "an operation");
    std::vector<JobOperation>& operations = m_ranks[rank].operations;
    JobOperation added = operation;
    added.place = added.place ? added.place : operations.size() + 1;
    const std::string where = m_source + ": " + PlaceOf(added) + " of rank " + std::to_string(rank);
    switch (added.kind)
    {
    case JobOperation::CALC:
        break;
    case JobOperation::COLLECTIVE:
        if (added.group >= m_groups.size())
        {
            throw FabricError(where + ": there is no group " + std::to_string(added.group));
        }
        if (added.peer >= m_groups[added.group].ranks.size())
        {
            throw FabricError(where + ": there is no position " + std::to_string(added.peer) +
                              " in " + m_groups[added.group].name + ", which has " +
                              std::to_string(m_groups[added.group].ranks.size()) + " ranks");
        }
        break;
    case JobOperation::SEND:
    case JobOperation::RECV:
        if (added.peer == JobOperation::ANY && added.kind == JobOperation::RECV)
        {
            break;
        }
        if (added.peer >= GetNRanks())
        {
            throw FabricError(where + ": peer " + std::to_string(added.peer) + " of " +
                                  std::to_string(GetNRanks()) + " ranks",
                              "ranks are 0 to " + std::to_string(GetNRanks() - 1));
        }
    }
    operations.push_back(added);
    return static_cast<uint32_t>(operations.size() - 1);
}

void
JobGraph::After(uint32_t rank, uint32_t after, uint32_t before)
{
    AddEdge(rank, {before, after, false});
}

void
JobGraph::AfterStart(uint32_t rank, uint32_t after, uint32_t before)
{
    AddEdge(rank, {before, after, true});
}

void
JobGraph::AddEdge(uint32_t rank, const JobEdge& edge)
{
    RequireRank(rank, "a dependency");
    if (const std::size_t count = m_ranks[rank].operations.size();
        edge.before >= count || edge.after >= count)
    {
        throw FabricError(m_source + ": a dependency of operation " + std::to_string(edge.after) +
                          " on operation " + std::to_string(edge.before) + ", and rank " +
                          std::to_string(rank) + " has " + std::to_string(count));
    }
    m_ranks[rank].edges.push_back(edge);
}

uint32_t
JobGraph::AddGroup(const std::string& name, std::vector<uint32_t> ranks)
{
    const std::string what = m_source + ": group " + name;
    if (FindGroup(name))
    {
        throw FabricError(what + " twice");
    }
    if (ranks.empty())
    {
        throw FabricError(what + " has no ranks");
    }
    std::unordered_set<uint32_t> seen;
    for (const uint32_t rank : ranks)
    {
        RequireRank(rank, ("group " + name).c_str());
        if (!seen.insert(rank).second)
        {
            throw FabricError(what + " has rank " + std::to_string(rank) + " twice");
        }
    }
    m_groups.push_back({name, std::move(ranks)});
    return static_cast<uint32_t>(m_groups.size() - 1);
}

// ---- look-up

const JobGraph::Rank&
JobGraph::GetRank(uint32_t rank) const
{
    RequireRank(rank, "operations");
    return m_ranks[rank];
}

std::optional<uint32_t>
JobGraph::FindGroup(const std::string& name) const
{
    for (std::size_t group = 0; group < m_groups.size(); ++group)
    {
        if (m_groups[group].name == name)
        {
            return static_cast<uint32_t>(group);
        }
    }
    return std::nullopt;
}

uint64_t
JobGraph::GetNOperations() const
{
    uint64_t sum = 0;
    for (const Rank& rank : m_ranks)
    {
        sum += rank.operations.size();
    }
    return sum;
}

std::string
JobGraph::PlaceOf(const JobOperation& operation) const
{
    return m_place + " " + std::to_string(operation.place);
}

uint32_t
JobGraph::AddText(const std::string& text)
{
    const auto [entry, isNew] = m_numbers.emplace(text, static_cast<uint32_t>(m_texts.size()));
    if (isNew)
    {
        m_texts.push_back(text);
    }
    return entry->second;
}

void
JobGraph::RequireRank(uint32_t rank, const char* what) const
{
    if (rank >= GetNRanks())
    {
        throw FabricError(m_source + ": " + what + " of rank " + std::to_string(rank) + ", and " +
                              std::to_string(GetNRanks()) + " ranks",
                          "ranks are 0 to " + std::to_string(GetNRanks() - 1));
    }
}

// ---- checks

std::vector<uint32_t>
JobGraph::FindCycle(uint32_t rank) const
{
    const Rank& graph = GetRank(rank);
    const auto count = static_cast<uint32_t>(graph.operations.size());
    // Take away what waits for nothing that is left; what remains waits for each other.
    std::vector<uint32_t> parents(count, 0);
    std::vector<std::vector<uint32_t>> children(graph.edges.empty() ? 0 : count);
    for (const JobEdge& edge : graph.edges)
    {
        ++parents[edge.after];
        children[edge.before].push_back(edge.after);
    }
    if (graph.edges.empty())
    {
        return {};
    }
    std::vector<uint32_t> free;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (parents[i] == 0)
        {
            free.push_back(i);
        }
    }
    for (std::size_t i = 0; i < free.size(); ++i)
    {
        for (const uint32_t child : children[free[i]])
        {
            if (--parents[child] == 0)
            {
                free.push_back(child);
            }
        }
    }
    if (free.size() == count)
    {
        return {};
    }
    // Each that remains has a parent that remains: go from parent to parent until one comes again.
    std::vector<uint32_t> parentOf(count, count);
    for (const JobEdge& edge : graph.edges)
    {
        if (parents[edge.after] && parents[edge.before])
        {
            parentOf[edge.after] = edge.before;
        }
    }
    uint32_t at = static_cast<uint32_t>(
        std::find_if(parents.begin(), parents.end(), [](uint32_t left) { return left != 0; }) -
        parents.begin());
    std::vector<bool> met(count, false);
    while (!met[at])
    {
        met[at] = true;
        at = parentOf[at];
    }
    std::vector<uint32_t> cycle{at};
    for (uint32_t next = parentOf[at]; next != at; next = parentOf[next])
    {
        cycle.push_back(next);
    }
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
}

void
JobGraph::Check() const
{
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        if (const std::vector<uint32_t> cycle = FindCycle(rank); !cycle.empty())
        {
            std::string text;
            for (const uint32_t operation : cycle)
            {
                text += PlaceOf(GetRank(rank).operations[operation]) + " requires ";
            }
            throw FabricError(m_source + ": rank " + std::to_string(rank) + ": " + text +
                              PlaceOf(GetRank(rank).operations[cycle.front()]));
        }
    }
    CheckCollectives();
}

void
JobGraph::CheckCollectives() const
{
    // For each group, its collectives in the order of each of its ranks.
    using Calls = std::unordered_map<uint32_t, std::vector<const JobOperation*>>;
    std::vector<Calls> calls(m_groups.size());
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        for (const JobOperation& operation : m_ranks[rank].operations)
        {
            if (operation.kind == JobOperation::COLLECTIVE)
            {
                calls[operation.group][rank].push_back(&operation);
            }
        }
    }
    for (std::size_t number = 0; number < m_groups.size(); ++number)
    {
        const Group& group = m_groups[number];
        const std::string what =
            m_source + ": " + (number == 0 ? std::string() : "group ") + group.name;
        const uint32_t first = group.ranks.front();
        const std::vector<const JobOperation*>& expected = calls[number][first];
        for (const uint32_t rank : group.ranks)
        {
            const std::vector<const JobOperation*>& have = calls[number][rank];
            for (std::size_t i = 0; i < std::min(have.size(), expected.size()); ++i)
            {
                const JobOperation& a = *expected[i];
                const JobOperation& b = *have[i];
                if (a.type != b.type || a.bytes != b.bytes || a.peer != b.peer ||
                    a.algorithm != b.algorithm || a.channels != b.channels)
                {
                    throw FabricError(what + ", " + Ordinal(i + 1) + " collective: rank " +
                                      std::to_string(first) + " " + Describe(a) + " (" +
                                      PlaceOf(a) + "), rank " + std::to_string(rank) + " " +
                                      Describe(b) + " (" + PlaceOf(b) + ")");
                }
            }
            if (have.size() != expected.size())
            {
                throw FabricError(what + ": rank " + std::to_string(rank) + " has " +
                                  std::to_string(have.size()) + " of its collectives, rank " +
                                  std::to_string(first) + " has " +
                                  std::to_string(expected.size()));
            }
            calls[number].erase(rank == first ? JobOperation::ANY : rank);
        }
        calls[number].erase(first);
        if (!calls[number].empty())
        {
            const auto& [rank, have] =
                *std::min_element(calls[number].begin(),
                                  calls[number].end(),
                                  [](const auto& a, const auto& b) { return a.first < b.first; });
            throw FabricError(what + " has no rank " + std::to_string(rank) +
                              ", which has a collective of it (" + PlaceOf(*have.front()) + ")");
        }
    }
}

} // namespace ns3

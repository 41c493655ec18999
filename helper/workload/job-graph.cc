// SPDX-License-Identifier: GPL-2.0-only
#include "job-graph.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <queue>
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

/// @param rank operations and edges @return for each operation, how many edges lead to it
std::vector<uint32_t>
CountParents(const JobGraph::Rank& rank)
{
    std::vector<uint32_t> parents(rank.operations.size(), 0);
    for (const JobEdge& edge : rank.edges)
    {
        ++parents[edge.after];
    }
    return parents;
}

/// For each operation those that wait for it.
class Children
{
  public:
    /// @param rank operations and edges
    explicit Children(const JobGraph::Rank& rank)
        : m_begin(rank.operations.size() + 1, 0),
          m_children(rank.edges.size())
    {
        for (const JobEdge& edge : rank.edges)
        {
            ++m_begin[edge.before + 1];
        }
        std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
        std::vector<std::size_t> next(m_begin.begin(), m_begin.end() - 1);
        for (const JobEdge& edge : rank.edges)
        {
            m_children[next[edge.before]++] = edge.after;
        }
    }

    /// @param operation which @param action gets each of its children, as often as it waits
    template <typename Action>
    void ForEach(uint32_t operation, Action action) const
    {
        for (std::size_t i = m_begin[operation]; i < m_begin[operation + 1]; ++i)
        {
            action(m_children[i]);
        }
    }

  private:
    std::vector<std::size_t> m_begin; //!< of the children of each operation, and the end
    std::vector<uint32_t> m_children;
};

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
    m_groupNumbers["all ranks"] = 0;
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
    if (added.place == JobOperation::NO_PLACE)
    {
        added.place = operations.size();
    }
    RequirePossible(rank, added);
    operations.push_back(added);
    return static_cast<uint32_t>(operations.size() - 1);
}

void
JobGraph::RequirePossible(uint32_t rank, const JobOperation& operation) const
{
    const auto fail = [&](const std::string& wrong, const std::string& right = "") {
        throw FabricError(WhereIs(rank, operation) + ": " + wrong, right);
    };
    if (operation.ns > MOST_NS || operation.bytes > MOST_BYTES)
    {
        fail(operation.ns > MOST_NS ? std::to_string(operation.ns) + " ns"
                                    : std::to_string(operation.bytes) + " B",
             "at most " + std::to_string(MOST_NS) + " ns, " + std::to_string(MOST_BYTES) + " B");
    }
    if (operation.kind == JobOperation::COLLECTIVE)
    {
        if (operation.group >= m_groups.size())
        {
            fail("there is no group " + std::to_string(operation.group));
        }
        if (operation.peer != 0 && !HasRoot(operation.type))
        {
            fail(std::string("root ") + std::to_string(operation.peer) + " of a collective " +
                     ToString(operation.type) + ", which has no root",
                 "leave it out");
        }
        if (operation.bytes != 0 && operation.type == CollectiveType::BARRIER)
        {
            fail("a barrier of " + std::to_string(operation.bytes) + " B", "a barrier has 0 B");
        }
        if (operation.peer >= m_groups[operation.group].ranks.size())
        {
            fail("there is no position " + std::to_string(operation.peer) + " in " +
                 m_groups[operation.group].name + ", which has " +
                 std::to_string(m_groups[operation.group].ranks.size()) + " ranks");
        }
    }
    const bool isAny = operation.peer == JobOperation::ANY && operation.kind == JobOperation::RECV;
    const bool hasPeer =
        operation.kind == JobOperation::SEND || operation.kind == JobOperation::RECV;
    if (hasPeer && !isAny && operation.peer >= GetNRanks())
    {
        fail("peer " + std::to_string(operation.peer) + " of " + std::to_string(GetNRanks()) +
                 " ranks",
             "ranks are 0 to " + std::to_string(GetNRanks() - 1));
    }
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
    if (name.empty())
    {
        throw FabricError(m_source + ": a group without a name", "name it");
    }
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
    const auto number = static_cast<uint32_t>(m_groups.size() - 1);
    m_groupNumbers[name] = number;
    return number;
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
    const auto found = m_groupNumbers.find(name);
    if (found != m_groupNumbers.end())
    {
        return found->second;
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

uint64_t
JobGraph::GetSize() const
{
    uint64_t size = m_groups.size() + (m_allowsShort ? 1 : 0);
    for (const Rank& rank : m_ranks)
    {
        size += rank.operations.size() + rank.edges.size();
    }
    return size;
}

std::string
JobGraph::PlaceOf(const JobOperation& operation) const
{
    return m_place + " " + std::to_string(operation.place);
}

std::string
JobGraph::WhereIs(uint32_t rank, const JobOperation& operation) const
{
    return m_source + ": " + PlaceOf(operation) + " of rank " + std::to_string(rank);
}

uint32_t
JobGraph::AddText(const std::string& text)
{
    const auto [entry, isNew] = m_numbers.try_emplace(text, static_cast<uint32_t>(m_texts.size()));
    if (isNew)
    {
        m_texts.push_back(text);
    }
    return entry->second;
}

std::optional<uint32_t>
JobGraph::FindText(const std::string& text) const
{
    const auto found = m_numbers.find(text);
    return found == m_numbers.end() ? std::nullopt : std::optional<uint32_t>(found->second);
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
    if (graph.edges.empty())
    {
        return {};
    }
    // Take away what waits for nothing that is left; what remains waits for each other.
    std::vector<uint32_t> parents = CountParents(graph);
    const Children children(graph);
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
        children.ForEach(free[i], [&](uint32_t child) {
            if (--parents[child] == 0)
            {
                free.push_back(child);
            }
        });
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

std::vector<uint32_t>
JobGraph::GetOrder(uint32_t rank) const
{
    const Rank& graph = GetRank(rank);
    std::vector<uint32_t> parents = CountParents(graph);
    const Children children(graph);
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free;
    for (uint32_t i = 0; i < parents.size(); ++i)
    {
        if (parents[i] == 0)
        {
            free.push(i);
        }
    }
    std::vector<uint32_t> order;
    order.reserve(parents.size());
    while (!free.empty())
    {
        order.push_back(free.top());
        free.pop();
        children.ForEach(order.back(), [&](uint32_t child) {
            if (--parents[child] == 0)
            {
                free.push(child);
            }
        });
    }
    return order;
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

std::string
JobGraph::DescribeBeside(const JobOperation& one, const JobOperation& other) const
{
    std::string text = Describe(one);
    if (one.peer != other.peer)
    {
        text += " with root " + std::to_string(one.peer);
    }
    if (one.algorithm != other.algorithm)
    {
        const std::string& name = GetText(one.algorithm);
        text += name.empty() ? " by no named algorithm" : " by " + name;
    }
    if (one.channels != other.channels)
    {
        text += one.channels ? " on " + std::to_string(one.channels) + " channels"
                             : std::string(" on no named number of channels");
    }
    return text;
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
                                      std::to_string(first) + " " + DescribeBeside(a, b) + " (" +
                                      PlaceOf(a) + "), rank " + std::to_string(rank) + " " +
                                      DescribeBeside(b, a) + " (" + PlaceOf(b) + ")");
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

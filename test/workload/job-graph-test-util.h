// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_GRAPH_TEST_UTIL_H
#define LOSSLESS_JOB_GRAPH_TEST_UTIL_H

#include "ns3/job-graph.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// What text of a graph has.
struct GraphText
{
    bool names{true};    //!< those of operations
    bool sendDone{true}; //!< when sends are done
    bool nics{true};     //!< ports
    bool groups{true};   //!< all groups, whether used or not
};

/// @param graph a graph @param what of it @return a line for each operation and each edge: what the
/// graph says, whatever the order of its edges and the numbers of its texts
inline std::string
TextOf(const ns3::JobGraph& graph, const GraphText& what = {})
{
    using ns3::JobOperation;
    std::ostringstream text;
    text << graph.GetNRanks() << " ranks" << (graph.AllowsShortMessages() ? ", short" : "") << "\n";
    for (const auto& group : graph.GetGroups())
    {
        text << (what.groups ? "group " + group.name : "");
        for (std::size_t i = 0; i < group.ranks.size() && what.groups; ++i)
        {
            text << " " << group.ranks[i];
        }
        text << "\n";
    }
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        const auto& operations = graph.GetRank(rank).operations;
        for (std::size_t i = 0; i < operations.size(); ++i)
        {
            const JobOperation& o = operations[i];
            text << rank << "." << i << " kind " << int{o.kind} << " ns " << o.ns << " bytes "
                 << o.bytes << " tag " << o.tag << " peer " << o.peer << " group "
                 << graph.GetGroups()[o.group].name << " stream " << o.stream << " algorithm "
                 << graph.GetText(o.algorithm) << " channels " << o.channels << " type "
                 << static_cast<int>(o.type) << " name "
                 << (what.names ? graph.GetText(o.name) : "") << " done "
                 << (what.sendDone ? int{o.sendDone} : 0) << " nic " << (what.nics ? o.nic : 0)
                 << "\n";
        }
        std::vector<std::tuple<uint32_t, uint32_t, bool>> edges;
        for (const auto& edge : graph.GetRank(rank).edges)
        {
            edges.emplace_back(edge.after, edge.before, edge.atStart);
        }
        std::sort(edges.begin(), edges.end());
        for (const auto& [after, before, atStart] : edges)
        {
            text << rank << ": " << after << (atStart ? " starts after " : " after ") << before
                 << "\n";
        }
    }
    return text.str();
}

/// What random graphs have.
struct RandomGraphOptions
{
    bool collectives{true}; //!< collectives, on groups
    bool wildcards{true};   //!< receives from any rank and of any tag
    bool atStart{true};     //!< edges to starts
    bool streams{true};     //!< streams besides the first
    bool extras{true}; //!< names of all kinds, algorithms, channels, roots, nics, ends of sends
    bool eager{false}; //!< sends are done as GOAL has it
};

/// Makes random graphs; collectives of a group agree, nothing waits for itself.
class RandomGraph
{
  public:
    /// @param seed decides @param options what they have
    RandomGraph(uint64_t seed, const RandomGraphOptions& options)
        : m_random(seed),
          m_options(options)
    {
    }

    /// @return a graph
    ns3::JobGraph Make()
    {
        const auto ranks = static_cast<uint32_t>(1 + Below(9));
        ns3::JobGraph graph(ranks, "random");
        for (uint64_t group = 1 + Below(m_options.collectives ? 4 : 1); group > 1; --group)
        {
            std::vector<uint32_t> members;
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                if (Below(2) || (members.empty() && rank + 1 == ranks))
                {
                    members.push_back(rank);
                }
            }
            std::shuffle(members.begin(), members.end(), m_random);
            graph.AddGroup(std::to_string(group), members);
        }
        for (uint64_t step = Below(12); step > 0; --step)
        {
            m_options.collectives&& Below(3) == 0 ? AddCollective(graph) : AddOthers(graph);
        }
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            AddEdges(graph, rank);
        }
        return graph;
    }

  private:
    uint64_t Below(uint64_t n)
    {
        return m_random() % n;
    }

    void AddCollective(ns3::JobGraph& graph)
    {
        const auto group = static_cast<uint32_t>(Below(graph.GetGroups().size()));
        const auto type = static_cast<ns3::CollectiveType>(Below(ns3::COLLECTIVE_TYPES));
        const std::vector<uint32_t> members = graph.GetGroups()[group].ranks;
        const bool isBarrier = type == ns3::CollectiveType::BARRIER;
        auto operation =
            ns3::JobGraph::Collective(type, isBarrier ? 0 : Below(1000) * members.size(), group);
        if (m_options.extras)
        {
            operation.algorithm = graph.AddText(Below(2) ? "ring" : "");
            operation.channels = static_cast<uint16_t>(Below(3));
        }
        const bool isRooted =
            type == ns3::CollectiveType::BROADCAST || type == ns3::CollectiveType::REDUCE ||
            type == ns3::CollectiveType::GATHER || type == ns3::CollectiveType::SCATTER;
        operation.peer = isRooted ? static_cast<uint32_t>(Below(members.size())) : 0;
        for (const uint32_t rank : members)
        {
            if (m_options.streams && Below(4) == 0)
            {
                operation.stream = static_cast<uint32_t>(Below(5));
            }
            Add(graph, rank, operation);
        }
    }

    void AddOthers(ns3::JobGraph& graph)
    {
        using ns3::JobOperation;
        const auto rank = static_cast<uint32_t>(Below(graph.GetNRanks()));
        const auto peer = static_cast<uint32_t>(Below(graph.GetNRanks()));
        const uint64_t bytes = Below(2) ? Below(200000) : Below(uint64_t{1} << 40);
        const uint64_t tag = Below(2) ? 0 : Below(uint64_t{1} << 31);
        Add(graph,
            rank,
            ns3::JobGraph::Calc(Below(2) ? Below(100) * 1000 : Below(1000000000),
                                static_cast<uint32_t>(m_options.streams ? Below(5) : 0)));
        auto send = ns3::JobGraph::Send(peer, bytes, tag);
        send.sendDone = m_options.extras ? static_cast<JobOperation::SendDone>(Below(3))
                                         : JobOperation::AS_THE_JOB;
        if (m_options.eager)
        {
            send.sendDone = bytes <= 65535 ? JobOperation::POSTED : JobOperation::COMPLETED;
        }
        const bool hasNic = (m_options.extras || m_options.eager) && Below(2);
        send.nic = hasNic ? static_cast<uint16_t>(Below(256)) : JobOperation::ANY_NIC;
        Add(graph, rank, send);
        auto receive = ns3::JobGraph::Recv(rank, bytes, tag);
        if (m_options.wildcards)
        {
            receive.peer = Below(3) ? rank : JobOperation::ANY;
            receive.tag = Below(3) ? tag : JobOperation::ANY_TAG;
        }
        Add(graph, peer, receive);
    }

    void Add(ns3::JobGraph& graph, uint32_t rank, ns3::JobOperation operation)
    {
        static const std::vector<std::string> names{"",
                                                    "fc1",
                                                    "back\\slash \"and\" quotes",
                                                    "\xc3\xa9t\xc3\xa9, {}[]: '//'"};
        operation.name = graph.AddText(
            m_options.extras  ? names[Below(names.size())]
            : m_options.eager ? "op" + std::to_string(graph.GetRank(rank).operations.size())
                              : "");
        graph.Add(rank, operation);
    }

    void AddEdges(ns3::JobGraph& graph, uint32_t rank)
    {
        const auto count = static_cast<uint32_t>(graph.GetRank(rank).operations.size());
        std::vector<uint32_t> order(count);
        for (uint32_t i = 0; i < count; ++i)
        {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), m_random); // parents may stand behind
        std::vector<std::pair<uint32_t, uint32_t>> pairs;
        for (uint64_t i = count > 1 ? Below(2 * count) : 0; i > 0; --i)
        {
            const auto before = static_cast<uint32_t>(Below(count - 1));
            const auto after = static_cast<uint32_t>(before + 1 + Below(count - 1 - before));
            const std::pair<uint32_t, uint32_t> pair{order[after], order[before]};
            if (std::find(pairs.begin(), pairs.end(), pair) != pairs.end())
            {
                continue;
            }
            pairs.push_back(pair);
            m_options.atStart&& Below(3) == 0 ? graph.AfterStart(rank, pair.first, pair.second)
                                              : graph.After(rank, pair.first, pair.second);
        }
    }

    std::mt19937_64 m_random;
    RandomGraphOptions m_options;
};

#endif // LOSSLESS_JOB_GRAPH_TEST_UTIL_H

// SPDX-License-Identifier: GPL-2.0-only
//
// Random graphs of operations on a network without limits: each operation starts and ends when a
// small scheduler, written apart, says so. LOSSLESS_JOB_GRAPHS says how many graphs.

#include "case-budget.h"

#include "ns3/job-graph.h"
#include "ns3/job-rank.h"
#include "ns3/message-exchange.h"
#include "ns3/message-network.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t NEVER = -1;

/// Longest calculation: drawn from so many that hardly two things happen at one time by chance.
constexpr uint64_t MOST_NS = 1000000000000;

/// Streams of calculations that come before messages, each alone on its stream.
constexpr uint32_t OWN_STREAMS = 10;

/// Brings each message after the same time, and its ACK after that time again.
class ConstantNetwork : public MessageNetwork
{
  public:
    explicit ConstantNetwork(Time latency)
        : m_latency(latency)
    {
    }

    void Connect(const Pair& /*pair*/) override
    {
    }

    void Send(const RankMessage& message) override
    {
        Simulator::Schedule(m_latency, [this, message] { GetListener().Arrived(message); });
        Simulator::Schedule(m_latency + m_latency,
                            [this, message] { GetListener().Completed(message, true); });
    }

    void Schedule(uint32_t /*rank*/, Time delay, std::function<void()> call) override
    {
        Simulator::Schedule(delay, [call = std::move(call)] { call(); });
    }

  private:
    Time m_latency;
};

/// Ranks of a job on such a network.
class ConstantWorld : public JobWorld, private MessageExchange::Owner
{
  public:
    ConstantWorld(const JobGraph& graph, Time latency, const JobOptions& options)
        : m_graph(graph),
          m_options(options),
          m_network(latency),
          m_exchange(m_network, *this, graph.GetNRanks(), {options.rendezvous, options.readyBytes}),
          traces(graph.GetNRanks())
    {
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            ranks.push_back(std::make_unique<JobRank>(*this, rank));
        }
    }

    /// Run to the end.
    void Run()
    {
        active = static_cast<int64_t>(ranks.size());
        for (const auto& rank : ranks)
        {
            Simulator::Schedule(Time(0), [each = rank.get()] { each->Begin(); });
        }
        Simulator::Run();
    }

    const JobGraph& GetGraph() const override
    {
        return m_graph;
    }

    const JobOptions& GetOptions() const override
    {
        return m_options;
    }

    MessageNetwork& GetNetwork() override
    {
        return m_network;
    }

    MessageExchange& GetExchange() override
    {
        return m_exchange;
    }

    std::unique_ptr<CollectivePart> MakePart(uint32_t, const JobOperation&, uint32_t) const override
    {
        return nullptr;
    }

    const std::vector<uint32_t>& GetRing(uint32_t group, uint32_t) const override
    {
        return m_graph.GetGroups()[group].ranks;
    }

    uint32_t GetChannels(const JobOperation&) const override
    {
        return 1;
    }

    bool HasFailed() const override
    {
        return !error.empty();
    }

    void CollectiveEnded(const CollectiveEnd&) override
    {
    }

    void IterationEnded(uint32_t rank, uint32_t, std::unique_ptr<RankTrace> trace) override
    {
        traces[rank] = std::move(trace);
    }

    void ActivityChanged(uint32_t, bool isActive) override
    {
        active += isActive ? 1 : -1;
        EXPECT_GE(active, 0);
        if (active == 0)
        {
            ++timesIdle;
        }
    }

    void Fail(const std::string& why) override
    {
        error = why;
    }

  private:
    void Matched(const MessageExchange::Wanted& wanted, const RankMessage& message) override
    {
        ranks[wanted.rank]->Matched(wanted, message);
    }

    void Completed(const RankMessage& message, bool isDelivered) override
    {
        ranks[message.source]->Completed(message, isDelivered);
    }

    void UnderWayChanged(uint32_t rank) override
    {
        ranks[rank]->DoWork();
    }

    JobGraph m_graph;
    JobOptions m_options;
    ConstantNetwork m_network;
    MessageExchange m_exchange;

  public:
    std::vector<std::unique_ptr<JobRank>> ranks;
    std::vector<std::unique_ptr<RankTrace>> traces; //!< of the only iteration
    std::string error;
    int64_t active{0};
    uint32_t timesIdle{0}; //!< how often nothing was under way
};

/// Says when each operation of a graph starts and ends, by looking at all of them again and again.
class Oracle
{
  public:
    Oracle(const JobGraph& graph, int64_t latency)
        : m_graph(graph),
          m_latency(latency),
          times(graph.GetNRanks())
    {
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            times[rank].resize(graph.GetRank(rank).operations.size());
        }
    }

    /// When an operation starts and ends.
    struct Times
    {
        int64_t start{NEVER};
        int64_t end{NEVER};
    };

    void Run()
    {
        for (std::optional<int64_t> now = 0; now; now = Next(*now))
        {
            while (Step(*now))
            {
            }
        }
    }

  private:
    using Place = std::pair<uint32_t, uint32_t>; // rank and operation

    /// @return the next time at which something ends or arrives
    std::optional<int64_t> Next(int64_t now) const
    {
        std::optional<int64_t> next;
        const auto consider = [&](int64_t time) {
            if (time > now && (!next || time < *next))
            {
                next = time;
            }
        };
        for (const auto& rank : times)
        {
            for (const Times& each : rank)
            {
                consider(each.end);
            }
        }
        for (const auto& [key, queue] : m_sent)
        {
            for (const int64_t posted : queue)
            {
                consider(posted + m_latency);
            }
        }
        return next;
    }

    /// @return since when an operation may start; NEVER: not yet
    int64_t ReadySince(uint32_t rank, uint32_t index, int64_t now) const
    {
        int64_t since = 0;
        for (const JobEdge& edge : m_graph.GetRank(rank).edges)
        {
            if (edge.after != index)
            {
                continue;
            }
            const Times& before = times[rank][edge.before];
            const int64_t time = edge.atStart ? before.start : before.end;
            if (time == NEVER || time > now)
            {
                return NEVER;
            }
            since = std::max(since, time);
        }
        return since;
    }

    /// Do one thing that is due. @return whether there was one
    bool Step(int64_t now)
    {
        for (uint32_t rank = 0; rank < times.size(); ++rank)
        {
            if (StartOne(rank, now))
            {
                return true;
            }
        }
        return MatchOne(now);
    }

    bool IsBusy(uint32_t rank, uint32_t stream, int64_t now) const
    {
        const auto& operations = m_graph.GetRank(rank).operations;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            const Times& other = times[rank][i];
            if (operations[i].kind == JobOperation::CALC && operations[i].stream == stream &&
                other.start != NEVER && other.end > now)
            {
                return true;
            }
        }
        return false;
    }

    bool StartOne(uint32_t rank, int64_t now)
    {
        const auto& operations = m_graph.GetRank(rank).operations;
        int64_t bestSince = 0;
        std::optional<uint32_t> best;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            if (times[rank][i].start != NEVER)
            {
                continue;
            }
            const int64_t since = ReadySince(rank, i, now);
            if (since == NEVER || (operations[i].kind == JobOperation::CALC &&
                                   IsBusy(rank, operations[i].stream, now)))
            {
                continue;
            }
            if (!best || since < bestSince)
            {
                best = i;
                bestSince = since;
            }
        }
        if (!best)
        {
            return false;
        }
        const JobOperation& operation = operations[*best];
        Times& mine = times[rank][*best];
        mine.start = now;
        if (operation.kind == JobOperation::CALC)
        {
            mine.end = now + static_cast<int64_t>(operation.ns);
        }
        else if (operation.kind == JobOperation::SEND)
        {
            mine.end = now + 2 * m_latency;
            m_sent[{rank, operation.peer, operation.tag}].push_back(now);
        }
        else
        {
            m_posted.push_back({rank, *best});
        }
        return true;
    }

    /// The first receive, in the order of posting, takes the first message that it can.
    bool MatchOne(int64_t now)
    {
        for (auto posted = m_posted.begin(); posted != m_posted.end(); ++posted)
        {
            const auto [rank, index] = *posted;
            const JobOperation& operation = m_graph.GetRank(rank).operations[index];
            const Key* best = nullptr;
            for (const auto& [key, queue] : m_sent)
            {
                const auto& [from, to, tag] = key;
                const bool fits = to == rank && !queue.empty() &&
                                  queue.front() + m_latency <= now &&
                                  (operation.peer == JobOperation::ANY || operation.peer == from) &&
                                  (operation.tag == JobOperation::ANY_TAG || operation.tag == tag);
                if (fits && (!best || queue.front() < m_sent[*best].front()))
                {
                    best = &key;
                }
            }
            if (best)
            {
                m_sent[*best].erase(m_sent[*best].begin());
                times[rank][index].end = now;
                m_posted.erase(posted);
                return true;
            }
        }
        return false;
    }

    using Key = std::tuple<uint32_t, uint32_t, uint64_t>; // from, to, tag

    const JobGraph& m_graph;
    int64_t m_latency;
    std::map<Key, std::vector<int64_t>> m_sent; //!< when messages were posted that nobody has taken
    std::vector<Place> m_posted;                //!< receives that wait, in the order of posting

  public:
    std::vector<std::vector<Times>> times; //!< by rank and operation
};

/// @param draw random numbers @param canAny whether receives take any source or tag
/// @return a graph; some of its receives may wait for ever
JobGraph
DrawGraph(std::mt19937_64& draw, bool canAny)
{
    const auto upTo = [&draw](uint64_t most) {
        return std::uniform_int_distribution<uint64_t>(0, most)(draw);
    };
    const auto ranks = static_cast<uint32_t>(2 + upTo(2));
    JobGraph graph(ranks);
    for (uint64_t i = 0, messages = upTo(6); i < messages; ++i)
    {
        const auto from = static_cast<uint32_t>(upTo(ranks - 1));
        const auto to = static_cast<uint32_t>((from + 1 + upTo(ranks - 2)) % ranks);
        const uint64_t tag = upTo(1);
        // Each at a time of its own: what happens at one time has no order that one could foresee.
        const auto stream = static_cast<uint32_t>(OWN_STREAMS + i);
        const uint32_t beforeSend = graph.Add(from, JobGraph::Calc(1 + upTo(MOST_NS), stream));
        const uint32_t beforeReceive = graph.Add(to, JobGraph::Calc(1 + upTo(MOST_NS), stream));
        JobOperation send = JobGraph::Send(to, 100, tag);
        send.sendDone = JobOperation::COMPLETED;
        graph.After(from, graph.Add(from, send), beforeSend);
        const uint32_t receive =
            graph.Add(to,
                      JobGraph::Recv(canAny && upTo(3) == 0 ? JobOperation::ANY : from,
                                     100,
                                     canAny && upTo(3) == 0 ? JobOperation::ANY_TAG : tag));
        graph.After(to, receive, beforeReceive);
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (uint64_t i = 0, calcs = upTo(4); i < calcs; ++i)
        {
            graph.Add(rank, JobGraph::Calc(1 + upTo(MOST_NS), static_cast<uint32_t>(upTo(1))));
        }
        const auto count = static_cast<uint32_t>(graph.GetRank(rank).operations.size());
        for (uint32_t after = 1; after < count; ++after)
        {
            const bool isCalc = graph.GetRank(rank).operations[after].kind == JobOperation::CALC;
            for (uint64_t i = 0, edges = isCalc ? upTo(2) : 0; i < edges; ++i)
            {
                const auto before = static_cast<uint32_t>(upTo(after - 1));
                const auto& operations = graph.GetRank(rank).operations;
                const bool isAlone = operations[after].stream >= OWN_STREAMS;
                if (!isAlone && operations[before].kind != JobOperation::CALC)
                {
                    continue; // a receive may end at the time at which it starts
                }
                if (isAlone && upTo(3) == 0)
                {
                    graph.AfterStart(rank, after, before);
                }
                else
                {
                    graph.After(rank, after, before);
                }
            }
        }
    }
    return graph;
}

/// @return how many graphs
uint32_t
GetGraphs()
{
    const char* text = std::getenv("LOSSLESS_JOB_GRAPHS");
    return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : tests::GetCases(3000);
}

} // namespace

TEST(JobRandom, OperationsStartAndEndWhenTheOracleSays)
{
    constexpr int64_t latency = 777777;
    std::mt19937_64 draw(16);
    uint64_t compared = 0;
    uint32_t stuck = 0;
    for (uint32_t i = 0; i < GetGraphs(); ++i)
    {
        const JobGraph graph = DrawGraph(draw, i % 2 == 1);
        Oracle oracle(graph, latency);
        oracle.Run();

        ConstantWorld world(graph, NanoSeconds(latency), JobOptions());
        world.Run();
        ASSERT_EQ(world.error, "") << "graph " << i;
        bool isStuck = false;
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            const RankTrace* trace = world.traces[rank].get();
            trace = trace ? trace : world.ranks[rank]->GetTrace();
            ASSERT_NE(trace, nullptr);
            for (uint32_t j = 0; j < trace->operations.size(); ++j)
            {
                const auto ns = [](int64_t tick) {
                    return tick < 0 ? NEVER : TimeStep(tick).GetNanoSeconds();
                };
                const Oracle::Times& expected = oracle.times[rank][j];
                ASSERT_EQ(ns(trace->operations[j].start), expected.start)
                    << "graph " << i << ", rank " << rank << ", operation " << j;
                ASSERT_EQ(ns(trace->operations[j].end), expected.end)
                    << "graph " << i << ", rank " << rank << ", operation " << j;
                isStuck |= expected.end == NEVER;
                ++compared;
            }
        }
        EXPECT_EQ(world.active, 0) << "graph " << i << ": something is under way at the end";
        EXPECT_EQ(world.timesIdle, 1U) << "graph " << i << ": nothing was under way before the end";
        stuck += isStuck ? 1 : 0;
        Simulator::Destroy(); // the next one begins at 0
    }
    EXPECT_GT(compared, 0U);
    RecordProperty("operations", std::to_string(compared));
    RecordProperty("stuck", std::to_string(stuck));
    std::cout << GetGraphs() << " graphs, " << compared << " operations, " << stuck
              << " graphs that cannot end" << std::endl;
}

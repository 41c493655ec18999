// SPDX-License-Identifier: GPL-2.0-only

// What comes of jobs, without a simulation: critical paths by hand, spans of ranks, factors of bus
// bandwidths, pictures.

#include "ns3/critical-path.h"
#include "ns3/job-graph.h"
#include "ns3/job-picture.h"
#include "ns3/job-summary.h"
#include "ns3/job-tables.h"
#include "ns3/table-list.h"
#include "ns3/tick-spans.h"
#include "ns3/timed-rehearsal.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Traces = std::vector<std::shared_ptr<const RankTrace>>;

/// A message takes 10 + 2 B alone, of which 10 are delay; it was paused for 3, and recovered for 5.
class Times : public MessageTimes
{
  public:
    Ideal GetIdeal(const RankMessage& message) const override
    {
        const auto delivery = static_cast<int64_t>(10 + 2 * message.bytes);
        return {delivery, delivery + 10, 10};
    }

    Stops GetStops(const RankMessage&, int64_t, int64_t) const override
    {
        return {3, 5};
    }
};

/// Rank 0 computes 100, sends 20 B to rank 1, which computes 30 and then receives.
class HandMade : public ::testing::Test
{
  protected:
    HandMade()
        : graph(2)
    {
        const uint32_t calc = graph.Add(0, JobGraph::Calc(100));
        const uint32_t send = graph.Add(0, JobGraph::Send(1, 20));
        graph.After(0, send, calc);
        const uint32_t first = graph.Add(1, JobGraph::Calc(30));
        const uint32_t receive = graph.Add(1, JobGraph::Recv(0, 20));
        graph.After(1, receive, first);
    }

    /// @param arrived when the message is at rank 1 @param begin of rank 0 @return the traces
    Traces Make(int64_t arrived, int64_t begin = 0)
    {
        auto one = std::make_shared<RankTrace>();
        one->begin = begin;
        one->end = arrived + 10;
        one->operations = {{begin, 100, RankTrace::NONE, RankTrace::NONE},
                           {100, arrived + 10, RankTrace::CauseOf(0), RankTrace::NONE}};
        auto other = std::make_shared<RankTrace>();
        other->end = arrived + 20;
        other->operations = {
            {0, 30, RankTrace::NONE, RankTrace::NONE},
            {30, arrived + 20, RankTrace::CauseOf(0), RankTrace::CauseOfMessage(0)}};
        RankMessage message;
        message.destination = 1;
        message.bytes = 20;
        message.cause = RankTrace::CauseOf(1);
        message.posted = 100;
        message.arrived = arrived;
        other->messages.Add({message, arrived + 20, 30, RankTrace::CauseOf(1)});
        return {one, other};
    }

    JobGraph graph;
    Times times;
};

} // namespace

TEST_F(HandMade, GoesOverTheMessage)
{
    const Traces traces = Make(170);
    const CriticalPath path(graph, traces, times, 0, 190);
    // 100 computing; 70 under way, of which 50 alone; then 20 behind others. Both were stopped.
    EXPECT_EQ(path.GetParts(), (CriticalPath::Parts{100, 40, 10, 12 + 12, 3 + 3, 5 + 5, 0, 0}));
    EXPECT_EQ(path.GetStraggler(), 0U);
    EXPECT_EQ(path.GetStragglerTime(), 100);
    EXPECT_EQ(path.GetLastRank(), 1U);
    EXPECT_EQ(path.GetLastOperation(), 1U);
    EXPECT_EQ(path.GetLastMessage(), 0U);
}

TEST_F(HandMade, StopsAreNoMoreThanWhatItTookLonger)
{
    const Traces traces = Make(154); // 54 under way, of which 50 alone
    const CriticalPath path(graph, traces, times, 0, 174);
    EXPECT_EQ(path.GetParts(), (CriticalPath::Parts{100, 40, 10, 12, 3 + 3, 1 + 5, 0, 0}));
}

TEST(TickSpans, CountsWhatIsCoveredOnce)
{
    EXPECT_EQ(CoveredTicks({}), 0);
    EXPECT_EQ(CoveredTicks({{20, 30}, {5, 10}, {7, 12}, {22, 25}}), 17);
}

TEST_F(HandMade, CountsTheIterationBefore)
{
    const Traces traces = Make(170, 60);
    const CriticalPath path(graph, traces, times, 0, 190);
    EXPECT_EQ(path.GetParts(), (CriticalPath::Parts{40, 40, 10, 24, 6, 10, 0, 60}));
}

TEST_F(HandMade, FasterThanAlone)
{
    const Traces traces = Make(120);
    const CriticalPath path(graph, traces, times, 0, 140);
    EXPECT_EQ(path.GetParts(), (CriticalPath::Parts{100, 10, 10, 12, 3, 5, 0, 0}));
}

TEST_F(HandMade, WaitsForTheReceiver)
{
    // The message was there long before: rank 1 computed until then.
    Traces traces = Make(170);
    auto other = std::make_shared<RankTrace>(*traces[1]);
    other->operations[0].end = 200;
    other->operations[1] = {200, 200, RankTrace::CauseOf(0), RankTrace::CauseOfMessage(0)};
    const RankMessage message = other->messages.At(0).message;
    other->messages = MessageLog();
    other->messages.Add({message, 200, 200, RankTrace::CauseOf(1)});
    other->end = 200;
    traces[1] = other;
    const CriticalPath path(graph, traces, times, 0, 200);
    EXPECT_EQ(path.GetParts(), (CriticalPath::Parts{200, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(path.GetStraggler(), 1U);
}

TEST_F(HandMade, ACauseOfAnotherIterationIsWaiting)
{
    Traces traces = Make(170);
    auto other = std::make_shared<RankTrace>(*traces[1]);
    TakenMessage taken = other->messages.At(0);
    taken.message.cause = RankTrace::CauseOfMessage(7);
    other->messages = MessageLog();
    other->messages.Add(taken);
    traces[1] = other;
    const CriticalPath path(graph, traces, times, 0, 190);
    EXPECT_EQ(path.GetParts(), (CriticalPath::Parts{0, 40, 10, 24, 6, 10, 100, 0}));
}

TEST_F(HandMade, Spans)
{
    const Traces traces = Make(170);
    const auto spans = JobPicture::FindSpans(graph.GetRank(0).operations, *traces[0], 0, 190);
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].state, JobPicture::CALC);
    EXPECT_EQ(spans[0].end, 100);
    EXPECT_EQ(spans[1].state, JobPicture::EXPOSED);
    EXPECT_EQ(spans[1].end, 180);
    EXPECT_EQ(spans[2].state, JobPicture::IDLE);
    EXPECT_EQ(spans[2].end, 190);
}

TEST_F(HandMade, Picture)
{
    const Traces traces = Make(170);
    const CriticalPath path(graph, traces, times, 0, 190);
    std::ostringstream os;
    JobPicture::Draw(os, graph, {"a < b & c", 0, 190, traces, path.GetSegments()});
    EXPECT_NE(os.str().find(">a &lt; b &amp; c<"), std::string::npos);
    EXPECT_NE(os.str().find(">rank 1<"), std::string::npos);
    EXPECT_EQ(os.str().find("nan"), std::string::npos);
}

TEST(JobPicture, ManyRanksAreRowsOf64AtMost)
{
    const JobGraph graph(1000);
    auto trace = std::make_shared<RankTrace>();
    trace->end = 5;
    const Traces traces(1000, trace);
    std::ostringstream os;
    JobPicture::Draw(os, graph, {"many", 0, 5, traces, {}});
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = os.str().find(">rank ", at)) != std::string::npos; ++at)
    {
        ++rows;
    }
    EXPECT_EQ(rows, 63U); // each 16th
}

TEST(JobTables, AreListedWithNamesAndHelp)
{
    std::set<std::string> listed;
    for (const TableSpec& table : ListTables())
    {
        listed.insert(table.name);
    }
    for (const TableSpec& table : ListJobTables())
    {
        EXPECT_EQ(listed.count(table.name), 1U) << table.name;
        std::set<std::string> columns;
        for (const ColumnSpec& column : table.columns)
        {
            EXPECT_TRUE(columns.insert(column.name).second) << table.name << ' ' << column.name;
            EXPECT_FALSE(std::string(column.help).empty()) << table.name << ' ' << column.name;
        }
    }
}

TEST(JobSummary, BusFactors)
{
    using Type = CollectiveType;
    EXPECT_DOUBLE_EQ(JobSummary::BusFactor(Type::ALL_REDUCE, 8), 1.75);
    EXPECT_DOUBLE_EQ(JobSummary::BusFactor(Type::REDUCE_SCATTER, 8), 0.875);
    EXPECT_DOUBLE_EQ(JobSummary::BusFactor(Type::ALL_GATHER, 4), 0.75);
    EXPECT_DOUBLE_EQ(JobSummary::BusFactor(Type::ALL_TO_ALL, 4), 0.75);
    EXPECT_DOUBLE_EQ(JobSummary::BusFactor(Type::BROADCAST, 4), 1);
    EXPECT_DOUBLE_EQ(JobSummary::BusFactor(Type::REDUCE, 4), 1);
}

TEST(TimedRehearsal, LinksOfRanksAreShared)
{
    // 8 ranks, a message of 1 takes 100 alone, of which 10 on each link.
    CollectiveShape shape;
    shape.type = CollectiveType::ALL_TO_ALL;
    shape.ranks = 8;
    shape.bytes = 8;
    TimedRehearsal::World world;
    world.alone = [](uint32_t source, uint32_t destination, uint32_t, uint64_t bytes) {
        const auto time = static_cast<int64_t>(10 * bytes);
        return TimedRehearsal::Alone{90 + time, 200, {{source, time, 90}, {destination, time, 90}}};
    };
    const auto direct = CollectiveAlgorithm::Create("direct");
    EXPECT_EQ(TimedRehearsal::Run(*direct, {shape}, world), 100 + 6 * 10);
    const auto pairwise = CollectiveAlgorithm::Create("pairwise");
    EXPECT_EQ(TimedRehearsal::Run(*pairwise, {shape}, world), 7 * 100);
    // Two channels by the same links.
    EXPECT_EQ(TimedRehearsal::Run(*direct, {shape, shape}, world), 100 + 13 * 10);
    // Senders wait until they are told, in the order of their messages.
    world.ready = [&world](uint32_t source, uint32_t destination, uint32_t channel) {
        return world.alone(destination, source, channel, 1);
    };
    EXPECT_EQ(TimedRehearsal::Run(*direct, {shape}, world), 100 + 6 * 10 + 100);
    // What is reduced takes 5 more, in each of 7 steps.
    world.ready = nullptr;
    world.reduction = [](uint64_t) { return 5; };
    shape.type = CollectiveType::REDUCE_SCATTER;
    const auto ring = CollectiveAlgorithm::Create("ring");
    EXPECT_EQ(TimedRehearsal::Run(*ring, {shape}, world), 7 * 105);
}

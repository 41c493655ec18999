// SPDX-License-Identifier: GPL-2.0-only

// Graphs of training: sizes of models and messages, and times without a network.

#include "helper-test-util.h"
#include "job-graph-test-util.h"

#include "ns3/training-job.h"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Runs a graph where messages and collectives take no time.
class IdealRun
{
  public:
    explicit IdealRun(const JobGraph& graph)
        : m_graph(graph),
          m_parents(graph.GetNRanks()),
          m_atEnd(graph.GetNRanks()),
          m_atStart(graph.GetNRanks())
    {
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            const JobGraph::Rank& own = graph.GetRank(rank);
            m_parents[rank].resize(own.operations.size());
            m_atEnd[rank].resize(own.operations.size());
            m_atStart[rank].resize(own.operations.size());
            for (const JobEdge& edge : own.edges)
            {
                ++m_parents[rank][edge.after];
                (edge.atStart ? m_atStart : m_atEnd)[rank][edge.before].push_back(edge.after);
            }
        }
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            for (uint32_t i = 0; i < m_parents[rank].size(); ++i)
            {
                if (m_parents[rank][i] == 0)
                {
                    Ready(rank, i);
                }
            }
        }
        while (!m_ends.empty())
        {
            const auto [time, order, rank, index] = m_ends.top();
            m_ends.pop();
            m_now = time;
            End(rank, index);
        }
    }

    /// @return operations that have ended
    uint64_t GetEnded() const
    {
        return m_ended;
    }

    /// @return when the last one has
    uint64_t GetTime() const
    {
        return m_now;
    }

  private:
    using Stream = std::pair<uint32_t, uint32_t>;

    void Ready(uint32_t rank, uint32_t index)
    {
        const JobOperation& operation = m_graph.GetRank(rank).operations[index];
        if (operation.kind == JobOperation::CALC)
        {
            std::deque<uint32_t>& waiting = m_streams[{rank, operation.stream}];
            waiting.push_back(index);
            if (waiting.size() == 1)
            {
                Start(rank, index);
            }
            return;
        }
        Start(rank, index);
    }

    void Start(uint32_t rank, uint32_t index)
    {
        const JobOperation& operation = m_graph.GetRank(rank).operations[index];
        Release(rank, m_atStart[rank][index]);
        switch (operation.kind)
        {
        case JobOperation::CALC:
            EndAt(m_now + operation.ns, rank, index);
            break;
        case JobOperation::SEND:
            EndAt(m_now, rank, index);
            m_sent[{rank, operation.peer, operation.tag}].emplace_back(index, operation.bytes);
            Match({rank, operation.peer, operation.tag});
            break;
        case JobOperation::RECV:
            m_posted[{operation.peer, rank, operation.tag}].emplace_back(index, operation.bytes);
            Match({operation.peer, rank, operation.tag});
            break;
        case JobOperation::COLLECTIVE: {
            const uint64_t call = m_calls[{rank, operation.group}]++;
            auto& joined = m_joined[{operation.group, call}];
            joined.emplace_back(rank, index);
            if (joined.size() == m_graph.GetGroups()[operation.group].ranks.size())
            {
                for (const auto& [other, itsIndex] : joined)
                {
                    EndAt(m_now, other, itsIndex);
                }
            }
        }
        }
    }

    void Match(const std::tuple<uint32_t, uint32_t, uint64_t>& key)
    {
        auto& sent = m_sent[key];
        auto& posted = m_posted[key];
        while (!sent.empty() && !posted.empty())
        {
            EXPECT_EQ(sent.front().second, posted.front().second);
            EndAt(m_now, std::get<1>(key), posted.front().first);
            sent.pop_front();
            posted.pop_front();
        }
    }

    void EndAt(uint64_t time, uint32_t rank, uint32_t index)
    {
        m_ends.emplace(time, m_order++, rank, index);
    }

    void End(uint32_t rank, uint32_t index)
    {
        ++m_ended;
        const JobOperation& operation = m_graph.GetRank(rank).operations[index];
        if (operation.kind == JobOperation::CALC)
        {
            std::deque<uint32_t>& waiting = m_streams[{rank, operation.stream}];
            waiting.pop_front();
            if (!waiting.empty())
            {
                Start(rank, waiting.front());
            }
        }
        Release(rank, m_atEnd[rank][index]);
    }

    void Release(uint32_t rank, const std::vector<uint32_t>& children)
    {
        for (const uint32_t child : children)
        {
            if (--m_parents[rank][child] == 0)
            {
                Ready(rank, child);
            }
        }
    }

    using Event = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t>;
    using Key = std::tuple<uint32_t, uint32_t, uint64_t>;
    using Waiting = std::deque<std::pair<uint32_t, uint64_t>>;

    const JobGraph& m_graph;
    std::vector<std::vector<uint32_t>> m_parents;
    std::vector<std::vector<std::vector<uint32_t>>> m_atEnd;
    std::vector<std::vector<std::vector<uint32_t>>> m_atStart;
    std::map<Stream, std::deque<uint32_t>> m_streams;
    std::map<Key, Waiting> m_sent;
    std::map<Key, Waiting> m_posted;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_calls;
    std::map<std::pair<uint32_t, uint64_t>, std::vector<std::pair<uint32_t, uint32_t>>> m_joined;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_ends;
    uint64_t m_order{0};
    uint64_t m_now{0};
    uint64_t m_ended{0};
};

/// A model of two layers, small enough for each test.
TrainingOptions
Small(const std::string& preset = "llama-2-7b", uint64_t layers = 2)
{
    TrainingOptions options;
    options.model = TrainingModel::Preset(preset);
    options.model.layers = layers;
    return options;
}

/// @return the graph, which can run to its end
JobGraph
MakeChecked(const TrainingOptions& options)
{
    JobGraph graph = TrainingJob(options).Make();
    graph.Check();
    EXPECT_EQ(IdealRun(graph).GetEnded(), graph.GetNOperations());
    return graph;
}

/// Bytes of collectives of a rank: {group, type} -> each of them.
using Collectives = std::map<std::pair<std::string, CollectiveType>, std::vector<uint64_t>>;

Collectives
CollectivesOf(const JobGraph& graph, uint32_t rank)
{
    Collectives collectives;
    for (const auto& operation : graph.GetRank(rank).operations)
    {
        if (operation.kind == JobOperation::COLLECTIVE)
        {
            collectives[{graph.GetGroups()[operation.group].name, operation.type}].push_back(
                operation.bytes);
        }
    }
    return collectives;
}

uint64_t
Sum(const std::vector<uint64_t>& numbers)
{
    uint64_t sum = 0;
    for (const uint64_t number : numbers)
    {
        sum += number;
    }
    return sum;
}

/// @return bytes of the messages of a rank that go to another
std::vector<uint64_t>
SentTo(const JobGraph& graph, uint32_t rank, uint32_t peer)
{
    std::vector<uint64_t> bytes;
    for (const auto& operation : graph.GetRank(rank).operations)
    {
        if (operation.kind == JobOperation::SEND && operation.peer == peer)
        {
            bytes.push_back(operation.bytes);
        }
    }
    return bytes;
}

/// @return nanoseconds that a rank calculates
uint64_t
CalculationOf(const JobGraph& graph, uint32_t rank)
{
    uint64_t ns = 0;
    for (const auto& operation : graph.GetRank(rank).operations)
    {
        ns += operation.kind == JobOperation::CALC ? operation.ns : 0;
    }
    return ns;
}

} // namespace

TEST(TrainingModel, Parameters)
{
    const std::map<std::string, uint64_t> expected{{"gpt-3-13b", 12853386240},
                                                   {"gpt-3-175b", 174604259328},
                                                   {"llama-2-7b", 6738415616},
                                                   {"llama-2-13b", 13015864320},
                                                   {"llama-2-70b", 68976648192},
                                                   {"llama-3-8b", 8030261248},
                                                   {"llama-3-70b", 70553706496},
                                                   {"llama-3-405b", 405853388800},
                                                   {"mixtral-8x7b", 46702792704}};
    EXPECT_EQ(TrainingModel::Presets().size(), expected.size());
    for (const auto& [name, parameters] : expected)
    {
        const TrainingModel model = TrainingModel::Preset(name);
        model.Check();
        EXPECT_EQ(model.CountParameters(), parameters) << name;
    }
    // A token of Mixtral meets 2 of 8 experts.
    const TrainingModel mixtral = TrainingModel::Preset("mixtral-8x7b");
    EXPECT_EQ(mixtral.CountLayerParameters() - mixtral.CountAttentionParameters() -
                  mixtral.CountForwardParameters(),
              6U * 3 * 4096 * 14336);
    EXPECT_EQ(ErrorOf([] { TrainingModel::Preset("gpt-3-17b"); }),
              "there is no model \"gpt-3-17b\"; did you mean gpt-3-13b?");
}

TEST(TrainingModel, Refusals)
{
    TrainingModel model = TrainingModel::Preset("llama-2-7b");
    model.heads = 0;
    EXPECT_FABRIC_ERROR(model.Check(), "heads is 0");
    model.heads = 30;
    model.keyValueHeads = 30;
    EXPECT_FABRIC_ERROR(model.Check(), "hidden 4096, heads 30");
    model = TrainingModel::Preset("gpt-3-13b");
    model.experts = 8;
    EXPECT_FABRIC_ERROR(model.Check(), "a model of GPT has one expert");
    model = TrainingModel::Preset("mixtral-8x7b");
    model.expertsOfAToken = 9;
    EXPECT_FABRIC_ERROR(model.Check(), "expertsOfAToken is 9; it must be 1 to 8");
    model.expertsOfAToken = 1;
    model.experts = 60000;
    model.feedForward = 1 << 24;
    EXPECT_FABRIC_ERROR(model.Check(), "more than 2^50 parameters");
}

TEST(TrainingJob, RanksAreNumberedAsByMegatron)
{
    TrainingOptions options = Small();
    options.tensor = 2;
    options.context = 2;
    options.data = 4;
    options.pipeline = 2;
    options.model = TrainingModel::Preset("mixtral-8x7b");
    options.expert = 2;
    const TrainingJob job(options);
    EXPECT_EQ(job.GetNRanks(), 32U);
    for (uint32_t rank = 0; rank < 32; ++rank)
    {
        EXPECT_EQ(job.RankAt(job.PlaceOf(rank)), rank);
    }
    EXPECT_EQ(job.RankAt({1, 1, 3, 1}), ((1U * 4 + 3) * 2 + 1) * 2 + 1);
    options.model.layers = 2;
    const JobGraph graph = MakeChecked(options);
    const auto ranksOf = [&](const std::string& name) {
        return graph.GetGroups().at(graph.FindGroup(name).value()).ranks;
    };
    EXPECT_EQ(ranksOf("tp1"), (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(ranksOf("cp1"), (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(ranksOf("dp1"), (std::vector<uint32_t>{1, 3, 5, 7, 9, 11, 13, 15}));
    EXPECT_EQ(ranksOf("dp2"), (std::vector<uint32_t>{16, 18, 20, 22, 24, 26, 28, 30}));
    EXPECT_EQ(ranksOf("ep0"), (std::vector<uint32_t>{0, 4}));
    EXPECT_EQ(ranksOf("ep4"), (std::vector<uint32_t>{8, 12}));
    EXPECT_EQ(ranksOf("edp0"), (std::vector<uint32_t>{0, 2, 8, 10}));
    EXPECT_FALSE(graph.FindGroup("em0")); // each end has an embedding of its own
}

TEST(TrainingJob, LayersOfStages)
{
    TrainingOptions options = Small("llama-3-405b", 126);
    options.pipeline = 16;
    const TrainingJob job(options);
    EXPECT_EQ(job.LayersOf(0), 8U);
    EXPECT_EQ(job.LayersOf(13), 8U);
    EXPECT_EQ(job.LayersOf(14), 7U);
}

TEST(TrainingJob, TensorParallel)
{
    for (const auto& [preset, bytes] : {std::pair("gpt-3-13b", 20971520), {"gpt-3-175b", 50331648}})
    {
        TrainingOptions options = Small(preset, 3);
        options.tensor = 8;
        options.microBatches = 2;
        const auto size = static_cast<uint64_t>(bytes);
        EXPECT_EQ(TrainingJob(options).ActivationBytes(), size);
        // 2 forward and 2 backward, of 3 layers and 2 micro-batches.
        Collectives collectives = CollectivesOf(MakeChecked(options), 5);
        ASSERT_EQ(collectives.size(), 1U);
        const std::vector<uint64_t> all(24, size);
        EXPECT_EQ((collectives[{"tp0", CollectiveType::ALL_REDUCE}]), all);
        options.sequenceParallel = true;
        collectives = CollectivesOf(MakeChecked(options), 5);
        ASSERT_EQ(collectives.size(), 2U);
        EXPECT_EQ((collectives[{"tp0", CollectiveType::ALL_GATHER}]), all);
        EXPECT_EQ((collectives[{"tp0", CollectiveType::REDUCE_SCATTER}]), all);
    }
}

TEST(TrainingJob, SizesOfActivations)
{
    TrainingOptions options = Small();
    options.microBatch = 3;
    options.sequence = 1000;
    options.activationBytes = 4;
    EXPECT_EQ(TrainingJob(options).ActivationBytes(), 4U * 3 * 1000 * 4096);
}

TEST(TrainingJob, PipelineParallel)
{
    TrainingOptions options = Small("llama-2-70b", 8);
    options.pipeline = 4;
    options.tensor = 8;
    options.microBatches = 5;
    JobGraph graph = MakeChecked(options);
    const std::vector<uint64_t> five(5, 2 * 4096 * 8192);
    EXPECT_EQ(SentTo(graph, 11, 19), five);
    EXPECT_EQ(SentTo(graph, 11, 3), five);
    EXPECT_TRUE(SentTo(graph, 3, 27).empty());
    options.sequenceParallel = true;
    EXPECT_EQ(SentTo(MakeChecked(options), 11, 19),
              (std::vector<uint64_t>(5, 2 * 4096 * 8192 / 8)));
}

TEST(TrainingJob, TimeOfAPipeline)
{
    for (const auto& [stages, batches] :
         {std::pair(1, 4), {4, 4}, {4, 8}, {4, 16}, {8, 32}, {8, 3}})
    {
        TrainingOptions options = Small("llama-2-7b", 16);
        options.pipeline = static_cast<uint32_t>(stages);
        options.microBatches = static_cast<uint32_t>(batches);
        const JobGraph graph = MakeChecked(options);
        const auto& operations = graph.GetRank(0).operations;
        uint64_t forward = 0;
        uint64_t backward = 0;
        for (const JobOperation& operation : operations)
        {
            const bool isCalc = operation.kind == JobOperation::CALC;
            forward =
                isCalc && graph.GetText(operation.name) == "forward 1" ? operation.ns : forward;
            backward =
                isCalc && graph.GetText(operation.name) == "backward 1" ? operation.ns : backward;
        }
        ASSERT_GT(forward, 0U);
        EXPECT_NEAR(static_cast<double>(backward), 2.0 * static_cast<double>(forward), 1);
        EXPECT_EQ(IdealRun(graph).GetTime(),
                  static_cast<uint64_t>(batches + stages - 1) * (forward + backward));
    }
}

TEST(TrainingJob, TimeOfAnInterleavedPipeline)
{
    using Case = std::array<uint32_t, 3>; // stages, pieces of a stage, micro-batches
    for (const auto& [stages, pieces, batches] : {Case{2, 2, 2},
                                                  Case{2, 4, 6},
                                                  Case{4, 1, 8},
                                                  Case{4, 2, 4},
                                                  Case{4, 2, 8},
                                                  Case{4, 4, 16},
                                                  Case{8, 2, 32}})
    {
        TrainingOptions options = Small("llama-2-7b", 16);
        options.pipeline = stages;
        options.virtualStages = pieces;
        options.microBatches = batches;
        const JobGraph graph = MakeChecked(options);
        uint64_t busy = 0; // of a stage: all of them calculate for as long
        for (const JobOperation& operation : graph.GetRank(0).operations)
        {
            busy += operation.kind == JobOperation::CALC ? operation.ns : 0;
        }
        // m (tf + tb) of calculation, and a bubble of (P - 1) (tf + tb) / v.
        EXPECT_EQ(IdealRun(graph).GetTime(), busy + busy / (batches * pieces) * (stages - 1))
            << stages << " stages, " << pieces << " pieces, " << batches << " micro-batches";
    }
}

TEST(TrainingJob, PiecesOfStages)
{
    TrainingOptions options = Small("llama-2-7b", 8);
    options.pipeline = 2;
    options.virtualStages = 2;
    options.microBatches = 4;
    const JobGraph graph = MakeChecked(options);
    const uint64_t bytes = 2 * 4096 * 4096;
    // Forward through 0 1 0 1, and back: the sends of a micro-batch, and of four.
    EXPECT_EQ(SentTo(graph, 0, 1), std::vector<uint64_t>(4 * 3, bytes));
    EXPECT_EQ(SentTo(graph, 1, 0), std::vector<uint64_t>(4 * 3, bytes));
    std::vector<std::string> first; // what rank 1 calculates
    for (const JobOperation& operation : graph.GetRank(1).operations)
    {
        if (operation.kind == JobOperation::CALC && first.size() < 8)
        {
            first.push_back(graph.GetText(operation.name));
        }
    }
    EXPECT_EQ(first,
              (std::vector<std::string>{"forward 0 chunk 0",
                                        "forward 1 chunk 0",
                                        "forward 0 chunk 1",
                                        "backward 0 chunk 1",
                                        "forward 1 chunk 1",
                                        "backward 1 chunk 1",
                                        "forward 2 chunk 0",
                                        "backward 0 chunk 0"}));
}

TEST(TrainingJob, TimeOfALayer)
{
    TrainingOptions options = Small("llama-2-7b", 1);
    options.microBatch = 2;
    const double tokens = 2 * 4096;
    const double layer = 4.0 * 4096 * 4096 + 3.0 * 4096 * 11008 + 2 * 4096;
    const double flops = 2 * layer * tokens + 4 * tokens * 4096 * 4096;
    EXPECT_DOUBLE_EQ(TrainingJob(options).FlopsOfLayer(), flops);
    const double ns = 3 * flops / 989e12 / 0.4 * 1e9;
    EXPECT_NEAR(static_cast<double>(CalculationOf(MakeChecked(options), 0)), ns, 2);
    options.efficiency = 0.8;
    EXPECT_NEAR(static_cast<double>(CalculationOf(MakeChecked(options), 0)), ns / 2, 2);
    options.efficiency = 0.4;
    options.peakFlops = 989e11;
    EXPECT_NEAR(static_cast<double>(CalculationOf(MakeChecked(options), 0)), ns * 10, 2);
    options.peakFlops = 989e12;
    options.tensor = 4;
    options.context = 2;
    EXPECT_NEAR(static_cast<double>(CalculationOf(MakeChecked(options), 5)), ns / 8, 10);
}

TEST(TrainingJob, DataParallel)
{
    TrainingOptions options = Small("gpt-3-13b", 40);
    options.tensor = 8;
    options.data = 2;
    const uint64_t own = 12853386240 / 8;
    options.bucketBytes = 0;
    Collectives collectives = CollectivesOf(MakeChecked(options), 9);
    EXPECT_EQ((collectives[{"dp1", CollectiveType::ALL_REDUCE}]), (std::vector<uint64_t>{4 * own}));
    options.gradientBytes = 2;
    options.bucketBytes = 25 << 20;
    collectives = CollectivesOf(MakeChecked(options), 9);
    EXPECT_EQ(Sum(collectives[{"dp1", CollectiveType::ALL_REDUCE}]), 2 * own);
    EXPECT_GT((collectives[{"dp1", CollectiveType::ALL_REDUCE}].size()), 80U);
    // The last norm alone, which is ready first.
    options.firstBucketBytes = 1;
    collectives = CollectivesOf(MakeChecked(options), 9);
    EXPECT_EQ((collectives[{"dp1", CollectiveType::ALL_REDUCE}].front()), 2U * 5120 / 8);
    options.gradientBytes = 4;
    options.dataParallel = DataParallel::SHARDED_OPTIMISER;
    collectives = CollectivesOf(MakeChecked(options), 9);
    EXPECT_EQ(Sum(collectives[{"dp1", CollectiveType::REDUCE_SCATTER}]), 4 * own);
    EXPECT_EQ(Sum(collectives[{"dp1", CollectiveType::ALL_GATHER}]), 2 * own);
    EXPECT_EQ((collectives.count({"dp1", CollectiveType::ALL_REDUCE})), 0U);

    // Stages have the whole model, and the ends of GPT share the embedding.
    options.pipeline = 4;
    const JobGraph graph = MakeChecked(options);
    uint64_t sum = 0;
    for (const uint32_t rank : {1, 17, 33, 49})
    {
        for (const auto& [key, bytes] : CollectivesOf(graph, rank))
        {
            sum += key.second == CollectiveType::REDUCE_SCATTER && key.first[0] == 'd' ? Sum(bytes)
                                                                                       : 0;
        }
    }
    EXPECT_EQ(sum, 4 * (own + 5120ULL * 50257 / 8)); // which both ends have
    const auto embedding = std::pair(std::string("em1"), CollectiveType::ALL_REDUCE);
    EXPECT_EQ(CollectivesOf(graph, 49)[embedding],
              (std::vector<uint64_t>{2ULL * 5120 * 50257 / 8}));
    EXPECT_EQ(CollectivesOf(graph, 17).count(embedding), 0U);
}

TEST(TrainingJob, Buckets)
{
    // ResNet-50, whose gradients PyTorch put into these: a real trace.
    std::vector<uint64_t> forward{64 * 3 * 49, 64, 64};
    uint64_t in = 64;
    for (const auto& [blocks, width] : {std::pair(3, 64), {4, 128}, {6, 256}, {3, 512}})
    {
        const auto w = static_cast<uint64_t>(width);
        for (int block = 0; block < blocks; ++block)
        {
            const std::vector<uint64_t>
                sizes{in * w, w, w, 9 * w * w, w, w, 4 * w * w, 4 * w, 4 * w};
            forward.insert(forward.end(), sizes.begin(), sizes.end());
            if (block == 0)
            {
                const std::vector<uint64_t> skip{in * 4 * w, 4 * w, 4 * w};
                forward.insert(forward.end(), skip.begin(), skip.end());
            }
            in = 4 * w;
        }
    }
    forward.insert(forward.end(), {2048 * 1000, 1000});
    EXPECT_EQ(Sum(forward), 25557032U);
    std::vector<uint64_t> bytes;
    for (auto size = forward.rbegin(); size != forward.rend(); ++size)
    {
        bytes.push_back(4 * *size);
    }
    std::vector<uint64_t> buckets;
    std::size_t at = 0;
    for (const std::size_t count : TrainingJob::BucketsOf(bytes, 1 << 20, 25 << 20))
    {
        uint64_t sum = 0;
        for (const std::size_t end = at + count; at < end; ++at)
        {
            sum += bytes[at];
        }
        buckets.push_back(sum);
    }
    EXPECT_EQ(buckets, (std::vector<uint64_t>{8196000, 31502336, 26255360, 26550272, 9724160}));
    EXPECT_EQ(TrainingJob::BucketsOf(bytes, 1, 0), (std::vector<std::size_t>{bytes.size()}));
    EXPECT_TRUE(TrainingJob::BucketsOf({}, 1, 1).empty());
}

TEST(TrainingJob, BucketsGoWhileTheRestIsCalculated)
{
    TrainingOptions options = Small("llama-2-7b", 4);
    options.data = 2;
    options.microBatches = 3;
    const JobGraph graph = MakeChecked(options);
    const JobGraph::Rank& rank = graph.GetRank(0);
    uint32_t first = 0;
    while (rank.operations[first].kind != JobOperation::COLLECTIVE)
    {
        ++first;
    }
    // Behind the last micro-batch's first layers backward, before its others.
    uint64_t before = 0;
    for (uint32_t i = 0; i < first; ++i)
    {
        before += graph.GetText(rank.operations[i].name) == "backward 2";
    }
    EXPECT_EQ(before, 1U);
    for (const JobEdge& edge : rank.edges)
    {
        EXPECT_NE(rank.operations[edge.before].kind, JobOperation::COLLECTIVE); // not waited for
    }
    EXPECT_EQ(rank.operations[first + 1].kind, JobOperation::COLLECTIVE);
}

TEST(TrainingJob, FullySharded)
{
    TrainingOptions options = Small("llama-3-8b", 3);
    options.data = 4;
    options.tensor = 2;
    options.microBatches = 2;
    options.dataParallel = DataParallel::FULLY_SHARDED;
    const JobGraph graph = MakeChecked(options);
    Collectives collectives = CollectivesOf(graph, 3);
    const uint64_t layer = options.model.CountLayerParameters() / 2;
    const uint64_t ends = (2ULL * 128256 * 4096 + 4096) / 2;
    const std::vector<uint64_t> gathered = collectives[{"dp1", CollectiveType::ALL_GATHER}];
    const std::vector<uint64_t> scattered = collectives[{"dp1", CollectiveType::REDUCE_SCATTER}];
    // Forward and backward of 3 layers, and once what stands outside of layers, 2 micro-batches.
    EXPECT_EQ(std::count(gathered.begin(), gathered.end(), 2 * layer), 12);
    EXPECT_EQ(std::count(gathered.begin(), gathered.end(), 2 * ends), 2);
    EXPECT_EQ(gathered.size(), 14U);
    EXPECT_EQ(std::count(scattered.begin(), scattered.end(), 4 * layer), 6);
    EXPECT_EQ(std::count(scattered.begin(), scattered.end(), 4 * ends), 2);
    EXPECT_EQ(scattered.size(), 8U);
}

TEST(TrainingJob, Experts)
{
    TrainingOptions options = Small("mixtral-8x7b", 2);
    options.tensor = 2;
    options.data = 4;
    options.expert = 4;
    EXPECT_EQ(TrainingJob(options).ExpertBytes(), 2ULL * 4096 * 4096 * 2 / 2);
    const JobGraph graph = MakeChecked(options);
    Collectives collectives = CollectivesOf(graph, 3);
    EXPECT_EQ((collectives[{"ep1", CollectiveType::ALL_TO_ALL}]),
              (std::vector<uint64_t>(8, 33554432))); // 4 a layer
    // Experts are here alone; the rest is on all.
    const uint64_t experts = 2ULL * 8 * 3 * 4096 * 14336;
    const uint64_t others = options.model.CountParameters() - experts;
    EXPECT_EQ(Sum(collectives[{"dp1", CollectiveType::ALL_REDUCE}]), 4 * others / 2);
    EXPECT_FALSE(graph.FindGroup("edp0"));
    options.data = 8;
    collectives = CollectivesOf(MakeChecked(options), 3);
    EXPECT_EQ(Sum(collectives[{"edp3", CollectiveType::ALL_REDUCE}]), 4 * experts / 4 / 2);
}

TEST(TrainingJob, ExpertsThatAreLiked)
{
    TrainingOptions options = Small("mixtral-8x7b", 1);
    options.data = 4;
    options.expert = 4;
    const JobGraph even = MakeChecked(options);
    options.expertWeights = {4, 0, 1, 1, 2, 0, 0, 0};
    const JobGraph graph = MakeChecked(options);
    const uint64_t bytes = TrainingJob(options).ExpertBytes();
    // Ranks have 1/2, 1/4, 1/4 and none of the tokens. Forward and backward, dispatch and combine.
    EXPECT_EQ(SentTo(graph, 2, 0),
              (std::vector<uint64_t>{bytes / 2, bytes / 4, bytes / 2, bytes / 4}));
    EXPECT_EQ(SentTo(graph, 0, 2),
              (std::vector<uint64_t>{bytes / 4, bytes / 2, bytes / 4, bytes / 2}));
    EXPECT_EQ(SentTo(graph, 1, 3).size(), 2U); // only combine: what 3 had sent to 1
    EXPECT_TRUE(CollectivesOf(graph, 0).count({"ep0", CollectiveType::ALL_TO_ALL}) == 0);
    // The one that is liked calculates twice as much of experts, the other nothing.
    const auto work = [](const JobGraph& g, uint32_t rank) {
        return static_cast<double>(CalculationOf(g, rank));
    };
    const double extra = work(graph, 0) - work(even, 0);
    EXPECT_GT(extra, 1e5);
    EXPECT_NEAR(work(graph, 1), work(even, 1), 8);
    EXPECT_NEAR(work(graph, 3), work(even, 3) - extra, 8);
    // By a law: shares fall as 1/i.
    options.expertWeights.clear();
    options.expertSkew = 1;
    const std::vector<double> shares = TrainingJob(options).ExpertShares();
    EXPECT_DOUBLE_EQ(shares[0] / shares[7], 8);
    MakeChecked(options);
}

TEST(TrainingJob, Context)
{
    TrainingOptions options = Small("llama-3-8b", 2);
    options.context = 4;
    const uint64_t bytes = 2ULL * 2 * (8192 / 4) * 4096 * 8 / 32;
    EXPECT_EQ(TrainingJob(options).ContextBytes(), bytes);
    const JobGraph graph = MakeChecked(options);
    std::vector<uint64_t> expected(2 * 3, bytes);      // forward
    expected.insert(expected.end(), 2 * 3, 2 * bytes); // and backward, with gradients
    EXPECT_EQ(SentTo(graph, 3, 0), expected);
    EXPECT_EQ(SentTo(graph, 1, 2), expected);
    EXPECT_TRUE(SentTo(graph, 1, 0).empty());
    EXPECT_EQ(Sum(CollectivesOf(graph, 1)[{"dp0", CollectiveType::ALL_REDUCE}]),
              4 * options.model.CountParameters());
}

TEST(TrainingJob, RandomOnesRunToTheirEnd)
{
    std::mt19937_64 random(5);
    const auto oneOf = [&](const std::vector<uint32_t>& numbers) {
        return numbers[random() % numbers.size()];
    };
    for (int i = 0; i < 60; ++i)
    {
        TrainingOptions options =
            Small(TrainingModel::Presets()[random() % TrainingModel::Presets().size()],
                  oneOf({3, 4, 7}));
        options.tensor = oneOf({1, 2, 4});
        options.pipeline = oneOf({1, 2, 3});
        options.context = oneOf({1, 1, 2});
        options.data = oneOf({1, 2, 4});
        options.expert = options.model.experts > 1 && options.data > 1 ? oneOf({1, 2}) : 1;
        options.microBatches = oneOf({1, 2, 5});
        const bool isInterleaved = options.pipeline > 1 && oneOf({0, 1}) == 1;
        if (isInterleaved)
        {
            options.virtualStages = oneOf({2, 3});
            options.microBatches *= options.pipeline;
            options.model.layers = uint64_t{options.pipeline} * options.virtualStages;
        }
        options.sequenceParallel = oneOf({0, 1}) == 1;
        options.dataParallel = static_cast<DataParallel>(oneOf({0, 1, 2}));
        options.expertSkew = oneOf({0, 1});
        const uint64_t operations = MakeChecked(options).GetNOperations();
        if (options.expertSkew == 0) // else ranks differ, and the count is of one of each stage
        {
            EXPECT_EQ(TrainingJob(options).CountOperations(), operations);
        }
    }
}

TEST(TrainingJob, Refusals)
{
    const std::vector<std::pair<std::string, std::function<void(TrainingOptions&)>>> cases{
        {"tensor (tp) is 0", [](auto& o) { o.tensor = 0; }},
        {"heads 32 in tensor", [](auto& o) { o.tensor = 3; }},
        {"sequence 4096 in context", [](auto& o) { o.context = 3; }},
        {"experts 8 in expert", [](auto& o) { o.expert = 3; }},
        {"data (dp) 1 in expert", [](auto& o) { o.expert = 2; }},
        {"5 stages of 4 layers", [](auto& o) { o.pipeline = 5; }},
        {"virtualStages (vp) is 2", [](auto& o) { o.virtualStages = 2; }},
        {"4 layers in 2 stages", [](auto& o) { o.pipeline = 2, o.virtualStages = 4; }},
        {"microBatches 3 in pipeline",
         [](auto& o) { o.pipeline = o.virtualStages = 2, o.microBatches = 3; }},
        {"more than 1048576 ranks", [](auto& o) { o.data = o.pipeline = 1025; }},
        {"2 weights of experts", [](auto& o) { o.expertWeights = {1, 2}; }},
        {"both expertWeights and expertSkew",
         [](auto& o) { o.expertWeights = {1, 2, 3, 4, 5, 6, 7, 8}, o.expertSkew = 1; }},
        {"expertSkew is -1", [](auto& o) { o.expertSkew = -1; }},
        {"efficiency", [](auto& o) { o.efficiency = 2; }},
        {"too slow", [](auto& o) { o.peakFlops = 1e-9; }},
    };
    for (const auto& [text, change] : cases)
    {
        TrainingOptions options = Small("mixtral-8x7b", 4);
        change(options);
        EXPECT_FABRIC_ERROR(TrainingJob{options}, text);
    }
}

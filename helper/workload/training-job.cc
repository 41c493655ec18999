// SPDX-License-Identifier: GPL-2.0-only
#include "training-job.h"

#include "training-rank.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

TrainingJob::TrainingJob(TrainingOptions options)
    : m_options(std::move(options))
{
    m_options.model.Check();
    if (m_options.sequence == 0)
    {
        m_options.sequence = m_options.model.sequence;
    }
    CheckNumbers();
    CheckDivision();
    const double bytes =
        static_cast<double>(m_options.activationBytes) * static_cast<double>(m_options.microBatch) *
        static_cast<double>(m_options.sequence) * static_cast<double>(m_options.model.hidden) *
        static_cast<double>(m_options.model.expertsOfAToken);
    const double ns = 2e9 * FlopsOfLayer() * static_cast<double>(m_options.model.layers) /
                      m_options.peakFlops / m_options.efficiency;
    if (bytes * 2 > static_cast<double>(JobGraph::MOST_BYTES) ||
        !(ns * static_cast<double>(m_options.model.experts) <
          static_cast<double>(JobGraph::MOST_NS)))
    {
        throw FabricError("training: a micro-batch is too large, or GPUs are too slow");
    }
}

DataParallel
TrainingJob::ToDataParallel(const std::string& name, const std::string& option)
{
    static const std::map<std::string, DataParallel> ways{
        {"all-reduce", DataParallel::ALL_REDUCE},
        {"sharded-optimiser", DataParallel::SHARDED_OPTIMISER},
        {"fully-sharded", DataParallel::FULLY_SHARDED}};
    const auto way = ways.find(name);
    if (way == ways.end())
    {
        throw FabricError(option + " is \"" + name + "\"",
                          "it must be \"all-reduce\", \"sharded-optimiser\" or "
                          "\"fully-sharded\"");
    }
    return way->second;
}

void
TrainingJob::CheckNumbers() const
{
    struct Limit
    {
        const char* what;
        uint64_t value;
        uint64_t most;
    };

    const uint64_t ranks = JobGraph::MOST_RANKS;
    for (const Limit& limit :
         {Limit{"tensor (tp)", m_options.tensor, ranks},
          Limit{"pipeline (pp)", m_options.pipeline, ranks},
          Limit{"virtualStages (vp)", m_options.virtualStages, ranks},
          Limit{"data (dp)", m_options.data, ranks},
          Limit{"expert (ep)", m_options.expert, ranks},
          Limit{"context (cp)", m_options.context, ranks},
          Limit{"microBatches", m_options.microBatches, TrainingOptions::MOST_MICRO_BATCHES},
          Limit{"microBatch", m_options.microBatch, TrainingOptions::MOST_SEQUENCES},
          Limit{"sequence", m_options.sequence, TrainingOptions::MOST_TOKENS},
          Limit{"activationBytes", m_options.activationBytes, 8},
          Limit{"gradientBytes", m_options.gradientBytes, 8}})
    {
        if (limit.value == 0 || limit.value > limit.most)
        {
            throw FabricError(std::string("training: ") + limit.what + " is " +
                                  std::to_string(limit.value),
                              "it must be 1 to " + std::to_string(limit.most));
        }
    }
    uint64_t product = 1;
    for (const uint64_t factor :
         {m_options.tensor, m_options.context, m_options.data, m_options.pipeline})
    {
        product *= factor;
        if (product > ranks)
        {
            throw FabricError("training: more than " + std::to_string(ranks) + " ranks");
        }
    }
    const bool isRate = std::isfinite(m_options.peakFlops) && m_options.peakFlops > 0;
    if (!isRate || !(m_options.efficiency > 0) || m_options.efficiency > 1)
    {
        throw FabricError("training: peakFlops " + std::to_string(m_options.peakFlops) +
                              ", efficiency " + std::to_string(m_options.efficiency),
                          "they must be above 0, and efficiency at most 1");
    }
}

void
TrainingJob::CheckDivision() const
{
    const TrainingModel& model = m_options.model;

    struct Division
    {
        const char* what;
        uint64_t whole;
        const char* by;
        uint64_t parts;
    };

    for (const Division& division :
         {Division{"heads", model.heads, "tensor (tp)", m_options.tensor},
          Division{"feedForward", model.feedForward, "tensor (tp)", m_options.tensor},
          Division{"hidden", model.hidden, "tensor (tp)", m_options.tensor},
          Division{"sequence", m_options.sequence, "context (cp)", m_options.context},
          Division{"sequence",
                   m_options.sequence / m_options.context,
                   "tensor (tp)",
                   m_options.sequenceParallel ? m_options.tensor : 1},
          Division{"experts", model.experts, "expert (ep)", m_options.expert},
          Division{"data (dp)", m_options.data, "expert (ep)", m_options.expert}})
    {
        if (division.whole % division.parts)
        {
            throw FabricError(std::string("training: ") + division.what + " " +
                                  std::to_string(division.whole) + " in " + division.by + " " +
                                  std::to_string(division.parts),
                              "it must be a multiple");
        }
    }
    if (m_options.pipeline > model.layers)
    {
        throw FabricError("training: " + std::to_string(m_options.pipeline) + " stages of " +
                              std::to_string(model.layers) + " layers",
                          "each has one or more");
    }
    if (m_options.virtualStages > 1)
    {
        CheckVirtualStages();
    }
    CheckExperts();
}

void
TrainingJob::CheckExperts() const
{
    const std::vector<double>& weights = m_options.expertWeights;
    const bool isFinite = std::all_of(weights.begin(), weights.end(), [](double weight) {
        return std::isfinite(weight) && weight >= 0;
    });
    if (!weights.empty() && (weights.size() != m_options.model.experts || !isFinite ||
                             !(std::accumulate(weights.begin(), weights.end(), 0.0) > 0)))
    {
        throw FabricError("training: " + std::to_string(weights.size()) +
                              " weights of experts, and " +
                              std::to_string(m_options.model.experts) + " experts",
                          "each needs one, 0 or more, and not all 0");
    }
    if (!std::isfinite(m_options.expertSkew) || m_options.expertSkew < 0)
    {
        throw FabricError("training: expertSkew is " + std::to_string(m_options.expertSkew),
                          "it must be 0 or more");
    }
    if (!weights.empty() && m_options.expertSkew > 0)
    {
        throw FabricError("training: both expertWeights and expertSkew", "set one of them");
    }
}

void
TrainingJob::CheckVirtualStages() const
{
    const std::string pieces = std::to_string(m_options.virtualStages);
    const std::string stages = std::to_string(m_options.pipeline);
    if (m_options.pipeline == 1)
    {
        throw FabricError("training: virtualStages (vp) is " + pieces + ", and there is one stage",
                          "set pipeline (pp) above 1");
    }
    if (m_options.model.layers % (uint64_t{m_options.pipeline} * m_options.virtualStages))
    {
        throw FabricError("training: " + std::to_string(m_options.model.layers) + " layers in " +
                              stages + " stages of " + pieces + " pieces",
                          "all pieces have as many");
    }
    if (m_options.microBatches % m_options.pipeline)
    {
        throw FabricError("training: microBatches " + std::to_string(m_options.microBatches) +
                              " in pipeline (pp) " + stages + " with virtualStages (vp)",
                          "it must be a multiple");
    }
}

// ---- ranks

uint32_t
TrainingJob::GetNRanks() const
{
    return m_options.tensor * m_options.context * m_options.data * m_options.pipeline;
}

uint32_t
TrainingJob::RankAt(const Place& place) const
{
    return ((place.stage * m_options.data + place.data) * m_options.context + place.context) *
               m_options.tensor +
           place.tensor;
}

TrainingJob::Place
TrainingJob::PlaceOf(uint32_t rank) const
{
    Place place;
    place.tensor = rank % m_options.tensor;
    place.context = rank / m_options.tensor % m_options.context;
    place.data = rank / m_options.tensor / m_options.context % m_options.data;
    place.stage = rank / m_options.tensor / m_options.context / m_options.data;
    return place;
}

uint64_t
TrainingJob::LayersOf(uint32_t stage) const
{
    const uint64_t layers = m_options.model.layers;
    return layers / m_options.pipeline + (stage < layers % m_options.pipeline);
}

// ---- sizes

uint64_t
TrainingJob::ActivationBytes() const
{
    return m_options.activationBytes * m_options.microBatch *
           (m_options.sequence / m_options.context) * m_options.model.hidden;
}

uint64_t
TrainingJob::ExpertBytes() const
{
    return ActivationBytes() * m_options.model.expertsOfAToken / m_options.tensor;
}

uint64_t
TrainingJob::ContextBytes() const
{
    const TrainingModel& model = m_options.model;
    const uint64_t heads =
        (model.keyValueHeads + m_options.tensor - 1) / m_options.tensor; // of a rank: one or more
    return 2 * m_options.activationBytes * m_options.microBatch *
           (m_options.sequence / m_options.context) * (model.hidden / model.heads) * heads;
}

std::vector<double>
TrainingJob::ExpertShares() const
{
    std::vector<double> shares = m_options.expertWeights;
    for (uint64_t expert = 1; m_options.expertWeights.empty() && expert <= m_options.model.experts;
         ++expert)
    {
        shares.push_back(std::pow(static_cast<double>(expert), -m_options.expertSkew));
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= sum;
    }
    return shares;
}

double
TrainingJob::FlopsOfLayer() const
{
    const auto tokens =
        static_cast<double>(m_options.microBatch * (m_options.sequence / m_options.context));
    const TrainingModel& model = m_options.model;
    const auto parameters =
        static_cast<double>(model.CountAttentionParameters() + model.CountForwardParameters());
    return 2 * parameters * tokens +
           4 * tokens * static_cast<double>(m_options.sequence) * static_cast<double>(model.hidden);
}

std::vector<std::size_t>
TrainingJob::BucketsOf(const std::vector<uint64_t>& sizes, uint64_t first, uint64_t other)
{
    std::vector<std::size_t> buckets;
    std::size_t count = 0;
    uint64_t bytes = 0;
    for (const uint64_t size : sizes)
    {
        ++count;
        bytes += size;
        if (other && bytes >= (buckets.empty() ? first : other))
        {
            buckets.push_back(count);
            count = 0;
            bytes = 0;
        }
    }
    if (count)
    {
        buckets.push_back(count);
    }
    return buckets;
}

// ---- the graph

void
TrainingJob::AddGroups(JobGraph& graph) const
{
    const bool hasExperts = m_options.expert > 1;
    // Ranks are in one group that have the same key. Groups come in the order of first ranks.
    const auto add = [&](const char* name, const std::function<uint64_t(const Place&)>& keyOf) {
        std::map<uint64_t, std::vector<uint32_t>> members;
        for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
        {
            members[keyOf(PlaceOf(rank))].push_back(rank);
        }
        uint32_t number = 0;
        for (auto& [key, ranks] : members)
        {
            if (ranks.size() > 1)
            {
                graph.AddGroup(name + std::to_string(number++), std::move(ranks));
            }
        }
    };
    const auto at = [this](Place place) { return uint64_t{RankAt(place)}; };
    add("tp", [&](Place place) {
        place.tensor = 0;
        return at(place);
    });
    add("cp", [&](Place place) {
        place.context = 0;
        return at(place);
    });
    add("dp", [&](Place place) {
        place.data = 0;
        place.context = 0;
        return at(place);
    });
    if (hasExperts)
    {
        add("ep", [&](Place place) {
            place.data -= place.data % m_options.expert;
            return at(place);
        });
        add("edp", [&](Place place) {
            place.data %= m_options.expert;
            place.context = 0;
            return at(place);
        });
    }
    if (m_options.model.family == TrainingModel::GPT && m_options.pipeline > 1)
    {
        add("em", [&](Place place) {
            place.stage = place.stage + 1 == m_options.pipeline ? 0 : place.stage;
            return at(place);
        });
    }
}

uint64_t
TrainingJob::CountOperations() const
{
    const uint32_t ranksOfStage = GetNRanks() / m_options.pipeline;
    // The least number of micro-batches that can be.
    const uint32_t step = m_options.virtualStages > 1 ? m_options.pipeline : 1;
    std::array<uint64_t, 2> counts{}; // with one step of micro-batches and with two
    for (uint32_t more = 0; more < counts.size(); ++more)
    {
        TrainingOptions options = m_options;
        options.microBatches = step * (1 + more);
        const TrainingJob job(options);
        JobGraph graph(GetNRanks());
        job.AddGroups(graph);
        const TrainingRank::Groups groups(graph);
        for (uint32_t stage = 0; stage < m_options.pipeline; ++stage)
        {
            TrainingRank(job, groups, stage * ranksOfStage, graph).Make();
        }
        counts[more] = graph.GetNOperations();
    }
    const uint64_t ofAll =
        counts[0] + (counts[1] - counts[0]) * (m_options.microBatches / step - 1);
    return ofAll * ranksOfStage;
}

JobGraph
TrainingJob::Make() const
{
    if (const uint64_t operations = CountOperations(); operations > MOST_OPERATIONS)
    {
        throw FabricError(
            "training: some " + std::to_string(operations) + " operations of all ranks",
            "at most " + std::to_string(MOST_OPERATIONS) + ": fewer microBatches, layers or ranks");
    }
    JobGraph graph(GetNRanks(), "training of " + m_options.model.name);
    AddGroups(graph);
    TrainingRank::Groups groups(graph);
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        TrainingRank(*this, groups, rank, graph).Make();
    }
    return graph;
}

} // namespace ns3

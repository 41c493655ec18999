// SPDX-License-Identifier: GPL-2.0-only
#include "training-rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

TrainingRank::Groups::Groups(const JobGraph& graph)
{
    for (uint32_t group = 1; group < graph.GetGroups().size(); ++group)
    {
        const std::string& name = graph.GetGroups()[group].name;
        auto& groups = m_groups[name.substr(0, name.find_first_of("0123456789"))];
        groups.resize(graph.GetNRanks(), ALONE);
        for (const uint32_t rank : graph.GetGroups()[group].ranks)
        {
            groups[rank] = group;
        }
    }
}

uint32_t
TrainingRank::Groups::Of(const std::string& kind, uint32_t rank) const
{
    const auto found = m_groups.find(kind);
    return found == m_groups.end() ? ALONE : found->second[rank];
}

TrainingRank::TrainingRank(const TrainingJob& job,
                           const Groups& groups,
                           uint32_t rank,
                           JobGraph& graph)
    : m_job(job),
      m_options(job.GetOptions()),
      m_graph(graph),
      m_rank(rank),
      m_place(job.PlaceOf(rank)),
      m_tensorGroup(groups.Of("tp", rank)),
      m_dataGroup(groups.Of("dp", rank)),
      m_expertGroup(groups.Of("ep", rank)),
      m_expertDataGroup(m_options.expert > 1 ? groups.Of("edp", rank) : m_dataGroup),
      m_embeddingGroup(groups.Of("em", rank)),
      m_isFsdp(m_options.dataParallel == DataParallel::FULLY_SHARDED &&
               m_dataGroup != Groups::ALONE),
      m_nsOfFlop(1e9 / (m_options.tensor * m_options.peakFlops * m_options.efficiency))
{
    if (m_expertGroup == Groups::ALONE)
    {
        return;
    }
    const std::vector<double> shares = m_job.ExpertShares();
    const std::size_t experts = shares.size() / m_options.expert; // of a rank
    double end = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        end += shares[i];
        m_isSkewed = m_isSkewed || shares[i] != shares[0];
        if ((i + 1) % experts == 0)
        {
            m_ends.push_back(i + 1 == shares.size() ? 1 : end);
        }
    }
    const uint32_t own = m_place.data % m_options.expert;
    m_expertLoad = m_isSkewed ? (m_ends[own] - (own ? m_ends[own - 1] : 0)) * m_options.expert : 1;
}

void
TrainingRank::Make()
{
    if (!m_isFsdp)
    {
        m_buckets = Buckets();
    }
    const uint32_t steps = m_options.microBatches * m_options.virtualStages;
    uint32_t forward = 0;
    for (const uint32_t ahead = CountAhead(); forward < ahead; ++forward)
    {
        Pass(PieceAt(forward, true), true);
    }
    for (uint32_t backward = 0; backward < steps; ++backward)
    {
        if (forward < steps)
        {
            Pass(PieceAt(forward++, true), true);
        }
        Pass(PieceAt(backward, false), false);
    }
    Finish();
}

// ---- micro-batches

TrainingRank::Piece
TrainingRank::PieceAt(uint32_t step, bool isForward) const
{
    const uint32_t stages = m_options.pipeline;
    const uint32_t chunks = m_options.virtualStages;
    const uint32_t within = step % (stages * chunks); // of P micro-batches through all pieces
    const uint32_t chunk = within / stages;
    return {step / (stages * chunks) * stages + within % stages,
            isForward ? chunk : chunks - 1 - chunk};
}

uint32_t
TrainingRank::CountAhead() const
{
    const uint32_t behind = m_options.pipeline - 1 - m_place.stage;
    const uint32_t chunks = m_options.virtualStages;
    // Interleaved, the stage before must have one more ready when a backward comes back.
    const uint32_t ahead = chunks == 1 ? behind : 2 * behind + (chunks - 1) * m_options.pipeline;
    return std::min(ahead, m_options.microBatches * chunks);
}

bool
TrainingRank::HasNeighbour(uint32_t chunk, bool isNext) const
{
    return isNext ? m_place.stage + 1 < m_options.pipeline || chunk + 1 < m_options.virtualStages
                  : m_place.stage > 0 || chunk > 0;
}

uint32_t
TrainingRank::NeighbourOf(bool isNext) const
{
    TrainingJob::Place other = m_place;
    other.stage = (m_place.stage + (isNext ? 1 : m_options.pipeline - 1)) % m_options.pipeline;
    return m_job.RankAt(other);
}

uint64_t
TrainingRank::FirstLayerOf(uint32_t chunk) const
{
    return m_job.LayersOf(m_place.stage) / m_options.virtualStages * chunk;
}

uint64_t
TrainingRank::TagOf(uint32_t batch, uint32_t chunk, bool isForward) const
{
    return 2 * (uint64_t{batch} * m_options.virtualStages + chunk) + (isForward ? 0 : 1);
}

void
TrainingRank::Pass(const Piece& piece, bool isForward)
{
    const auto& [batch, chunk] = piece;
    m_name = (isForward ? "forward " : "backward ") + std::to_string(batch) +
             (m_options.virtualStages > 1 ? " chunk " + std::to_string(chunk) : "");
    const uint64_t bytes =
        m_job.ActivationBytes() / (m_options.sequenceParallel ? m_options.tensor : 1);
    if (HasNeighbour(chunk, !isForward))
    {
        m_last.push_back(
            Add(JobGraph::Recv(NeighbourOf(!isForward), bytes, TagOf(batch, chunk, isForward)),
                m_name));
    }
    const uint64_t first = FirstLayerOf(chunk);
    const uint64_t layers = m_job.LayersOf(m_place.stage) / m_options.virtualStages;
    for (uint64_t i = 0; i < layers; ++i)
    {
        const uint64_t layer = isForward ? first + i : first + layers - 1 - i;
        Layer(layer, isForward);
        if (!isForward && (m_isFsdp || batch + 1 == m_options.microBatches))
        {
            ExchangeGradients(layer);
        }
    }
    Flush();
    if (HasNeighbour(chunk, isForward))
    {
        // The piece behind the last stage's is the first stage's next one, and back.
        const bool wraps = isForward ? m_place.stage + 1 == m_options.pipeline : m_place.stage == 0;
        const uint32_t receiver = !wraps ? chunk : isForward ? chunk + 1 : chunk - 1;
        Branch(JobGraph::Send(NeighbourOf(isForward), bytes, TagOf(batch, receiver, isForward)),
               m_name);
    }
}

// ---- layers

void
TrainingRank::Layer(uint64_t layer, bool isForward)
{
    if (m_isFsdp)
    {
        GatherLayer(layer, isForward);
    }
    isForward ? Attention(true) : FeedForward(false);
    isForward ? FeedForward(true) : Attention(false);
    if (m_isFsdp)
    {
        Flush();
        m_layerEnds[0] = m_layerEnds[1];
        m_layerEnds[1] = m_last;
    }
}

void
TrainingRank::Attention(bool isForward)
{
    TensorExchange(true);
    const auto tokens = static_cast<double>(m_options.microBatch) *
                        static_cast<double>(m_options.sequence / m_options.context);
    const double factor = m_nsOfFlop * (isForward ? 1 : 2);
    const double core = factor * 4 * tokens * static_cast<double>(m_options.sequence) *
                        static_cast<double>(m_options.model.hidden);
    const double others =
        factor * 2 * tokens * static_cast<double>(m_options.model.CountAttentionParameters());
    if (isForward)
    {
        Calculate(others);
    }
    Ring(core, isForward);
    if (!isForward)
    {
        Calculate(others);
    }
    TensorExchange(false);
}

void
TrainingRank::Ring(double ns, bool isForward)
{
    const uint32_t ranks = m_options.context;
    if (ranks == 1)
    {
        Calculate(ns);
        return;
    }
    Flush();
    TrainingJob::Place next = m_place;
    next.context = (m_place.context + 1) % ranks;
    TrainingJob::Place previous = m_place;
    previous.context = (m_place.context + ranks - 1) % ranks;
    // Backward, gradients go round with the keys and values.
    const uint64_t bytes = m_job.ContextBytes() * (isForward ? 1 : 2);
    std::vector<uint32_t> held = m_last; // what the next send waits for
    for (uint32_t step = 0; step < ranks; ++step)
    {
        const std::vector<uint32_t> ready = held;
        if (step + 1 < ranks)
        {
            const uint64_t tag = m_messages++;
            const uint32_t send =
                Add(JobGraph::Send(m_job.RankAt(next), bytes, tag), m_name + " ring");
            for (const uint32_t before : held)
            {
                m_graph.After(m_rank, send, before);
            }
            held = {Add(JobGraph::Recv(m_job.RankAt(previous), bytes, tag), m_name + " ring")};
        }
        if (step > 0)
        {
            m_last.insert(m_last.end(), ready.begin(), ready.end());
        }
        Calculate(ns / ranks);
        Flush();
    }
}

void
TrainingRank::FeedForward(bool isForward)
{
    TensorExchange(true);
    const auto tokens = static_cast<double>(m_options.microBatch) *
                        static_cast<double>(m_options.sequence / m_options.context);
    const double factor = m_nsOfFlop * 2 * tokens * (isForward ? 1 : 2);
    const uint64_t experts =
        m_options.model.expertsOfAToken * TrainingModel::Sum(m_options.model.ExpertParameters());
    const uint64_t others = m_options.model.CountForwardParameters() - experts;
    const bool isExchanged = m_expertGroup != Groups::ALONE;
    if (isForward)
    {
        Calculate(factor * static_cast<double>(others));
    }
    if (isExchanged)
    {
        ExpertExchange(true);
    }
    Calculate(factor * static_cast<double>(experts) * m_expertLoad);
    if (isExchanged)
    {
        ExpertExchange(false);
    }
    if (!isForward)
    {
        Calculate(factor * static_cast<double>(others));
    }
    TensorExchange(false);
}

void
TrainingRank::TensorExchange(bool isBefore)
{
    if (m_tensorGroup == Groups::ALONE || (isBefore && !m_options.sequenceParallel))
    {
        return;
    }
    const CollectiveType type = !m_options.sequenceParallel ? CollectiveType::ALL_REDUCE
                                : isBefore                  ? CollectiveType::ALL_GATHER
                                                            : CollectiveType::REDUCE_SCATTER;
    Chain(JobGraph::Collective(type, m_job.ActivationBytes(), m_tensorGroup), m_name + " tensor");
}

void
TrainingRank::ExpertExchange(bool isDispatch)
{
    const uint64_t bytes = m_job.ExpertBytes();
    const std::string name = m_name + (isDispatch ? " dispatch" : " combine");
    if (!m_isSkewed)
    {
        Chain(JobGraph::Collective(CollectiveType::ALL_TO_ALL, bytes, m_expertGroup), name);
        return;
    }
    Flush();
    const auto upTo = [&](uint32_t rank) {
        return m_ends[rank] >= 1 ? bytes
                                 : static_cast<uint64_t>(m_ends[rank] * static_cast<double>(bytes));
    };
    // What each rank sends to the experts of one, and gets back from there.
    const auto bytesTo = [&](uint32_t rank) { return upTo(rank) - (rank ? upTo(rank - 1) : 0); };
    const uint32_t ranks = m_options.expert;
    const uint32_t own = m_place.data % ranks;
    const uint64_t tag = m_messages++;
    std::vector<uint32_t> last;
    for (uint32_t step = 1; step < ranks; ++step)
    {
        TrainingJob::Place to = m_place;
        TrainingJob::Place from = m_place;
        const uint32_t next = (own + step) % ranks;
        const uint32_t previous = (own + ranks - step) % ranks;
        to.data = m_place.data - own + next;
        from.data = m_place.data - own + previous;
        const uint64_t sent = bytesTo(isDispatch ? next : own);
        const uint64_t received = bytesTo(isDispatch ? own : previous);
        if (sent)
        {
            last.push_back(Branch(JobGraph::Send(m_job.RankAt(to), sent, tag), name));
        }
        if (received)
        {
            last.push_back(Add(JobGraph::Recv(m_job.RankAt(from), received, tag), name));
        }
    }
    // What this rank keeps needs no message, and no more time than the others.
    m_last.insert(m_last.end(), last.begin(), last.end());
}

// ---- parameters and gradients

uint64_t
TrainingRank::LayerBytes(uint64_t bytes, bool areExperts) const
{
    const TrainingModel& model = m_options.model;
    return bytes *
           (areExperts
                ? TrainingModel::Sum(model.ExpertParameters()) * (model.experts / m_options.expert)
                : TrainingModel::Sum(model.DenseParameters())) /
           m_options.tensor;
}

void
TrainingRank::GatherLayer(uint64_t layer, bool isForward)
{
    Flush();
    const auto gather = [&](uint64_t bytes, uint32_t group, const std::string& name) {
        if (bytes == 0 || group == Groups::ALONE)
        {
            return;
        }
        const uint32_t index =
            Add(JobGraph::Collective(CollectiveType::ALL_GATHER, bytes, group), name);
        // While a layer is calculated, the next one may come, and no more.
        for (const uint32_t before : m_layerEnds[0])
        {
            m_graph.After(m_rank, index, before);
        }
        m_last.push_back(index);
    };
    if (isForward && layer == 0)
    {
        gather(m_options.activationBytes * EndParameters() / m_options.tensor,
               m_dataGroup,
               m_name + " parameters");
    }
    for (const bool areExperts : {false, true})
    {
        gather(LayerBytes(m_options.activationBytes, areExperts),
               areExperts ? m_expertDataGroup : m_dataGroup,
               m_name + " parameters");
    }
}

uint64_t
TrainingRank::EndParameters() const
{
    const TrainingModel& model = m_options.model;
    return (m_place.stage == 0 ? TrainingModel::Sum(model.FirstParameters()) : 0) +
           (m_place.stage + 1 == m_options.pipeline ? TrainingModel::Sum(LastParameters()) : 0);
}

std::vector<uint64_t>
TrainingRank::LastParameters() const
{
    const TrainingModel& model = m_options.model;
    std::vector<uint64_t> sizes = model.LastParameters();
    if (m_embeddingGroup != Groups::ALONE)
    {
        sizes.push_back(model.vocabulary * model.hidden); // a copy of what the first stage has
    }
    return sizes;
}

void
TrainingRank::ExchangeGradients(uint64_t layer)
{
    if (!m_isFsdp)
    {
        const bool isSharded = m_options.dataParallel == DataParallel::SHARDED_OPTIMISER;
        for (; m_nextBucket < m_buckets.size() && m_buckets[m_nextBucket].layer >= layer;
             ++m_nextBucket)
        {
            const Bucket& bucket = m_buckets[m_nextBucket];
            Flush();
            m_exchanges.push_back(
                Branch(JobGraph::Collective(isSharded ? CollectiveType::REDUCE_SCATTER
                                                      : CollectiveType::ALL_REDUCE,
                                            bucket.count * m_options.gradientBytes,
                                            bucket.group),
                       "gradients"));
        }
        return;
    }
    const auto scatter = [&](uint64_t bytes, uint32_t group) {
        if (bytes && group != Groups::ALONE)
        {
            Branch(JobGraph::Collective(CollectiveType::REDUCE_SCATTER, bytes, group),
                   m_name + " gradients");
        }
    };
    scatter(LayerBytes(m_options.gradientBytes, false), m_dataGroup);
    scatter(LayerBytes(m_options.gradientBytes, true), m_expertDataGroup);
    if (layer == 0)
    {
        scatter(m_options.gradientBytes * EndParameters() / m_options.tensor, m_dataGroup);
    }
}

std::vector<TrainingRank::Bucket>
TrainingRank::Buckets() const
{
    const TrainingModel& model = m_options.model;
    const uint64_t layers = m_job.LayersOf(m_place.stage);
    std::vector<Parameter> dense;
    std::vector<Parameter> experts;
    // Gradients are ready from the end of the model to its begin.
    const auto append =
        [&](std::vector<Parameter>& to, const std::vector<uint64_t>& sizes, uint64_t layer) {
            for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
            {
                to.push_back({*size / m_options.tensor, layer});
            }
        };
    if (m_place.stage + 1 == m_options.pipeline)
    {
        append(dense, LastParameters(), layers - 1);
    }
    for (uint64_t layer = layers; layer-- > 0;)
    {
        append(dense, model.DenseParameters(), layer);
        for (uint64_t expert = 0; expert < model.experts / m_options.expert; ++expert)
        {
            append(m_options.expert > 1 ? experts : dense, model.ExpertParameters(), layer);
        }
    }
    if (m_place.stage == 0)
    {
        append(dense, model.FirstParameters(), 0);
    }
    std::vector<Bucket> buckets;
    AppendBuckets(dense, m_dataGroup, buckets);
    AppendBuckets(experts, m_expertDataGroup, buckets);
    std::stable_sort(buckets.begin(), buckets.end(), [](const Bucket& a, const Bucket& b) {
        return a.layer > b.layer;
    });
    return buckets;
}

void
TrainingRank::AppendBuckets(const std::vector<Parameter>& parameters,
                            uint32_t group,
                            std::vector<Bucket>& to) const
{
    if (group == Groups::ALONE)
    {
        return;
    }
    std::vector<uint64_t> sizes;
    for (const Parameter& parameter : parameters)
    {
        sizes.push_back(parameter.count * m_options.gradientBytes);
    }
    std::size_t at = 0;
    for (const std::size_t count :
         TrainingJob::BucketsOf(sizes, m_options.firstBucketBytes, m_options.bucketBytes))
    {
        Bucket bucket;
        bucket.group = group;
        for (const std::size_t end = at + count; at < end; ++at)
        {
            bucket.count += parameters[at].count;
            bucket.layer = parameters[at].layer;
        }
        to.push_back(bucket);
    }
}

void
TrainingRank::Finish()
{
    const TrainingModel& model = m_options.model;
    if (m_embeddingGroup != Groups::ALONE)
    {
        Branch(JobGraph::Collective(CollectiveType::ALL_REDUCE,
                                    m_options.activationBytes * model.vocabulary * model.hidden /
                                        m_options.tensor,
                                    m_embeddingGroup),
               "embedding");
    }
    if (m_options.dataParallel != DataParallel::SHARDED_OPTIMISER)
    {
        return;
    }
    for (const Bucket& bucket : m_buckets)
    {
        const uint32_t index = Add(JobGraph::Collective(CollectiveType::ALL_GATHER,
                                                        bucket.count * m_options.activationBytes,
                                                        bucket.group),
                                   "parameters");
        for (const uint32_t before : m_exchanges)
        {
            m_graph.After(m_rank, index, before);
        }
    }
}

// ---- operations

uint32_t
TrainingRank::Add(JobOperation operation, const std::string& name)
{
    operation.name = m_graph.AddText(name);
    return m_graph.Add(m_rank, operation);
}

uint32_t
TrainingRank::Branch(const JobOperation& operation, const std::string& name)
{
    Flush();
    const uint32_t index = Add(operation, name);
    for (const uint32_t before : m_last)
    {
        m_graph.After(m_rank, index, before);
    }
    return index;
}

void
TrainingRank::Chain(const JobOperation& operation, const std::string& name)
{
    m_last = {Branch(operation, name)};
}

void
TrainingRank::Flush()
{
    const auto ns = static_cast<uint64_t>(std::llround(m_pending));
    m_pending = 0;
    if (ns)
    {
        Chain(JobGraph::Calc(ns), m_name);
    }
}

} // namespace ns3

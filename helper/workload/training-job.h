// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRAINING_JOB_H
#define LOSSLESS_TRAINING_JOB_H

#include "job-graph.h"
#include "training-model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What becomes of gradients and parameters of data-parallel ranks.
enum class DataParallel : uint8_t
{
    ALL_REDUCE,        //!< gradients are all-reduced, in buckets, as by PyTorch's DDP
    SHARDED_OPTIMISER, //!< gradients are reduce-scattered, parameters all-gathered behind
    FULLY_SHARDED      //!< parameters are all-gathered layer by layer: FSDP, ZeRO-3
};

/// @ingroup lossless
/// How a model is trained: on how many ranks, in which pieces, on which GPUs.
struct TrainingOptions
{
    static constexpr uint32_t MOST_MICRO_BATCHES = 1 << 20; //!< of microBatches
    static constexpr uint64_t MOST_SEQUENCES = 1 << 16;     //!< of microBatch
    static constexpr uint64_t MOST_TOKENS = 1 << 24;        //!< of sequence

    TrainingModel model;          //!< what is trained
    uint32_t tensor{1};           //!< t, ranks that share each layer
    uint32_t pipeline{1};         //!< P, stages
    uint32_t virtualStages{1};    //!< v, pieces of a stage, which take turns: interleaved 1F1B
    uint32_t data{1};             //!< D, copies
    uint32_t expert{1};           //!< ranks of D that share the experts
    uint32_t context{1};          //!< C, ranks that share each sequence
    uint32_t microBatches{1};     //!< m, of an iteration and a copy
    uint64_t microBatch{1};       //!< b, sequences
    uint64_t sequence{0};         //!< s, tokens; 0: the model's
    bool sequenceParallel{false}; //!< all-gather and reduce-scatter in place of all-reduce
    DataParallel dataParallel{DataParallel::ALL_REDUCE}; //!< see there
    uint64_t activationBytes{2};    //!< e, of a number of an activation or a parameter
    uint64_t gradientBytes{4};      //!< e_g, of a number of a gradient
    uint64_t bucketBytes{25 << 20}; //!< a bucket of gradients is full with so many; 0: one bucket
    uint64_t firstBucketBytes{1 << 20}; //!< as bucketBytes, of the first bucket
    double peakFlops{989e12};           //!< operations/s of a GPU; an H100
    double efficiency{0.4};             //!< share of it that calculations reach
    /// Share of tokens that each expert gets, in any unit; empty: as expertSkew says.
    std::vector<double> expertWeights;
    /// Tokens of the i-th expert, from 1, are as i to the power of minus this; 0: all have as many.
    double expertSkew{0};
};

/**
 * @ingroup lossless
 *
 * Makes the graph of an iteration of training. Ranks are numbered as by Megatron: tensor-parallel
 * ones follow each other, then context, data, pipeline stages. Forward and backward of
 * micro-batches take turns (1F1B): each stage runs as many forwards ahead as stages follow it. With
 * virtualStages each stage has v pieces of the model, every P-th one: a micro-batch passes all
 * stages v times, and P micro-batches follow each other through a piece before its next one.
 * Without time for sends, an iteration takes m + (P - 1) / v times forward and backward of a stage
 * (Narayanan et al., SC 2021, section 2.2).
 *
 * @code
 * TrainingOptions options;
 * options.model = TrainingModel::Preset("llama-2-70b");
 * options.tensor = 8;
 * options.pipeline = 4;
 * options.data = 2;
 * options.microBatches = 8;
 * const JobGraph graph = TrainingJob(options).Make();
 * @endcode
 *
 * Groups are named tp0, cp0, dp0, ep0, edp0 and em0, and so on: of tensor, context, data, experts,
 * data within the same experts, and the embedding that first and last stage share. A group of one
 * rank has no name. Embeddings and the last norm take no time.
 */
class TrainingJob
{
  public:
    /// Operations of all ranks together, which take some GB.
    static constexpr uint64_t MOST_OPERATIONS = uint64_t{1} << 26;

    /// Where a rank stands.
    struct Place
    {
        uint32_t tensor{0};  //!< of t
        uint32_t context{0}; //!< of C
        uint32_t data{0};    //!< of D
        uint32_t stage{0};   //!< of P
    };

    /// @param options how the model is trained; FabricError when they contradict each other
    explicit TrainingJob(TrainingOptions options);

    /// @param name "all-reduce", "sharded-optimiser" or "fully-sharded" @param option that gives
    /// it, for the error @return what the name stands for; FabricError if it stands for nothing
    static DataParallel ToDataParallel(const std::string& name, const std::string& option);

    /// @return the graph of an iteration
    JobGraph Make() const;

    /// @return how many ranks there are
    uint32_t GetNRanks() const;

    /// @return about how many operations all ranks have: of each stage the first rank is made with
    /// one micro-batch and with two
    uint64_t CountOperations() const;

    /// @param place of a rank @return its number
    uint32_t RankAt(const Place& place) const;

    /// @param rank its number @return its place
    Place PlaceOf(uint32_t rank) const;

    /// @param stage of the pipeline @return how many layers it has: the first stages have one more
    /// if they do not have as many
    uint64_t LayersOf(uint32_t stage) const;

    /// @return bytes of an activation between layers, e b s h: what is all-reduced by
    /// tensor-parallel ranks
    uint64_t ActivationBytes() const;

    /// @return bytes that a rank sends to experts, its own included, in one all-to-all
    uint64_t ExpertBytes() const;

    /// @return bytes of a send between ranks of a context group
    uint64_t ContextBytes() const;

    /// @return share of the tokens that go to each expert
    std::vector<double> ExpertShares() const;

    /// @return floating-point operations of a layer forward, of all its tensor-parallel ranks of a
    /// place in the sequence
    double FlopsOfLayer() const;

    /**
     * Put what becomes ready one after another into buckets.
     * @param sizes bytes of parameters, the one that is ready first before
     * @param first bytes with which the first bucket is full @param other bytes of the others; 0:
     * there is one bucket
     * @return numbers of parameters in each bucket
     */
    static std::vector<std::size_t> BucketsOf(const std::vector<uint64_t>& sizes,
                                              uint64_t first,
                                              uint64_t other);

    /// @return how the model is trained
    const TrainingOptions& GetOptions() const
    {
        return m_options;
    }

  private:
    /// FabricError unless the numbers can be.
    void CheckNumbers() const;
    /// FabricError unless the model can be divided so.
    void CheckDivision() const;
    /// FabricError unless what experts get can be.
    void CheckExperts() const;
    /// FabricError unless stages can be divided into pieces.
    void CheckVirtualStages() const;
    /// Add the groups. @param graph gets them
    void AddGroups(JobGraph& graph) const;

    TrainingOptions m_options;
};

} // namespace ns3

#endif // LOSSLESS_TRAINING_JOB_H

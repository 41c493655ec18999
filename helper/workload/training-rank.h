// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRAINING_RANK_H
#define LOSSLESS_TRAINING_RANK_H

#include "training-job.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Makes what one rank of a TrainingJob does.
class TrainingRank
{
  public:
    /// Which groups ranks are in.
    class Groups
    {
      public:
        static constexpr uint32_t ALONE = 0; //!< group 0 has all ranks, and is used by none

        /// @param graph with groups
        explicit Groups(const JobGraph& graph);

        /// @param kind letters that the name begins with @param rank in it @return the group
        uint32_t Of(const std::string& kind, uint32_t rank) const;

      private:
        std::unordered_map<std::string, std::vector<uint32_t>> m_groups; //!< by kind, by rank
    };

    /// @param job what is trained @param groups of the ranks @param rank its number @param graph
    /// gets what it does
    TrainingRank(const TrainingJob& job, const Groups& groups, uint32_t rank, JobGraph& graph);

    /// Add what the rank does.
    void Make();

  private:
    /// A parameter whose gradient becomes ready.
    struct Parameter
    {
        uint64_t count{0}; //!< numbers that this rank has of it
        uint64_t layer{0}; //!< whose backward makes it ready; of the stage
    };

    /// What is exchanged when the gradients of its parameters are ready.
    struct Bucket
    {
        uint64_t count{0}; //!< numbers
        uint64_t layer{0}; //!< behind which it is ready
        uint32_t group{0}; //!< who exchanges it
    };

    /// What a stage calculates at once.
    struct Piece
    {
        uint32_t batch{0}; //!< number of a micro-batch
        uint32_t chunk{0}; //!< virtual stage of this rank
    };

    /// @param step of the forwards or backwards of this rank, in their order @param isForward which
    /// @return what the step calculates
    Piece PieceAt(uint32_t step, bool isForward) const;
    /// @return how many forwards come before the first backward
    uint32_t CountAhead() const;
    /// @param chunk virtual stage of this rank @param isNext whether the one behind it, else before
    /// @return whether there is one
    bool HasNeighbour(uint32_t chunk, bool isNext) const;
    /// @param isNext whether behind this stage, else before @return the rank that has it
    uint32_t NeighbourOf(bool isNext) const;
    /// @param chunk virtual stage of this rank @return number of its first layer, of the stage
    uint64_t FirstLayerOf(uint32_t chunk) const;
    /// Forward or backward. @param piece what @param isForward which
    void Pass(const Piece& piece, bool isForward);
    /// Forward or backward through both halves of a layer. @param layer of the stage
    /// @param isForward which
    void Layer(uint64_t layer, bool isForward);
    /// @param isForward which
    void Attention(bool isForward);
    /// @param isForward which
    void FeedForward(bool isForward);
    /// The core of attention, with keys and values of other ranks. @param ns of its calculation
    /// @param isForward which
    void Ring(double ns, bool isForward);
    /// Parameters of a layer come together. @param layer of the stage @param isForward which
    void GatherLayer(uint64_t layer, bool isForward);
    /// Tensor-parallel ranks exchange activations. @param isBefore a calculation, not behind it
    void TensorExchange(bool isBefore);
    /// Tokens go to experts, or come back. @param isDispatch which
    void ExpertExchange(bool isDispatch);
    /// Collectives of buckets that are ready. @param layer whose backward is done
    void ExchangeGradients(uint64_t layer);
    /// What follows the last backward: parameters come back, and embeddings are added.
    void Finish();
    /// @return the buckets of this rank, in the order in which they are ready
    std::vector<Bucket> Buckets() const;
    /// Append buckets of parameters. @param parameters in the order in which they are ready
    /// @param group who exchanges them @param to gets the buckets
    void AppendBuckets(const std::vector<Parameter>& parameters,
                       uint32_t group,
                       std::vector<Bucket>& to) const;
    /// @return bytes of a layer's parameters on this rank and those that share it, and of
    /// gradients. @param bytes of a number @param areExperts of experts, else the others
    uint64_t LayerBytes(uint64_t bytes, bool areExperts) const;

    /// @return numbers behind the last layer, for the last stage: with the copy of the embedding
    /// that it shares with the first one, if it does
    std::vector<uint64_t> LastParameters() const;
    /// @return parameters of this stage outside its layers
    uint64_t EndParameters() const;

    /// Calculate later, together with what follows. @param ns how long
    void Calculate(double ns)
    {
        m_pending += ns;
    }

    /// Add the calculation that is pending.
    void Flush();
    /// Add an operation that the next one waits for. @param operation it @param name of it
    void Chain(const JobOperation& operation, const std::string& name);
    /// Add an operation behind the calculation, that nobody waits for. @param operation it
    /// @param name of it @return its index
    uint32_t Branch(const JobOperation& operation, const std::string& name);
    /// Add an operation that waits for nothing. @param operation it @param name of it
    /// @return its index
    uint32_t Add(JobOperation operation, const std::string& name);
    /// @param batch number of a micro-batch @param chunk virtual stage of the receiver
    /// @param isForward which @return the tag of the activations that it gets
    uint64_t TagOf(uint32_t batch, uint32_t chunk, bool isForward) const;

    const TrainingJob& m_job;
    const TrainingOptions& m_options;
    JobGraph& m_graph;
    uint32_t m_rank;
    TrainingJob::Place m_place;
    uint32_t m_tensorGroup;
    uint32_t m_dataGroup;
    uint32_t m_expertGroup;
    uint32_t m_expertDataGroup;
    uint32_t m_embeddingGroup;
    bool m_isFsdp;              //!< parameters come layer by layer
    double m_nsOfFlop;          //!< on one rank, with what others of the tensor group do
    double m_expertLoad{1};     //!< of this rank, 1: as all
    bool m_isSkewed{false};     //!< experts have different shares
    std::vector<double> m_ends; //!< share of tokens up to each rank of the expert group, included
    std::vector<Bucket> m_buckets;
    std::size_t m_nextBucket{0};
    std::vector<uint32_t> m_exchanges;                //!< of gradients
    std::vector<uint32_t> m_last;                     //!< what the next operation waits for
    std::array<std::vector<uint32_t>, 2> m_layerEnds; //!< what was last in the last two layers
    double m_pending{0};                              //!< ns of calculation
    std::string m_name;                               //!< of what is calculated
    uint64_t m_messages{0};                           //!< exchanges of sends so far, for tags
};

} // namespace ns3

#endif // LOSSLESS_TRAINING_RANK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_PLAN_H
#define LOSSLESS_JOB_PLAN_H

#include "collective.h"
#include "job-cost.h"
#include "job-options.h"
#include "message-network.h"
#include "queue-pair-network.h"

#include "ns3/job-graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

class CollectiveRehearsal;

/**
 * @ingroup lossless
 *
 * What is known of a job before it runs: the order of the ranks of each group on each channel, who
 * does its collectives, and who sends to whom. All collectives are rehearsed for it.
 */
class JobPlan
{
  public:
    /// FabricError, with the place in the source, for operations that cannot be done.
    /// @param graph what ranks do, checked @param options how the job runs
    /// @param network with the places of ranks; all three must outlive the plan
    /// @param fabric where
    JobPlan(const JobGraph& graph,
            const JobOptions& options,
            const QueuePairNetwork& network,
            const Fabric& fabric);

    /// @param operation a collective @return name of its algorithm: what it names itself, else that
    /// of the job if it can do it, else that of its type
    std::string NameOfAlgorithm(const JobOperation& operation) const;

    /// @param operation a collective @return its algorithm
    const CollectiveAlgorithm& AlgorithmOf(const JobOperation& operation) const;

    /// @param operation a collective @return on how many channels it runs
    uint32_t GetChannels(const JobOperation& operation) const;

    /// @param group its number @param channel which @return its ranks in the order they have there
    const std::vector<uint32_t>& GetRing(uint32_t group, uint32_t channel) const;

    /// @param operation a collective @param channel which @return what it is to one of its ranks
    CollectiveShape ShapeOf(const JobOperation& operation, uint32_t channel) const;

    /// @param rank whose @param operation a collective @param channel which @return the rank's part
    std::unique_ptr<CollectivePart> MakePart(uint32_t rank,
                                             const JobOperation& operation,
                                             uint32_t channel) const;

    /// @return who sends to whom
    const std::set<MessageNetwork::Pair>& GetPairs() const
    {
        return m_pairs;
    }

    /// @return what it costs to run the job
    const JobCost& GetCost() const
    {
        return m_cost;
    }

  private:
    /**
     * The order of the ranks of a group on a channel. From channel to channel those of each host
     * are rotated, so that each channel enters hosts at another GPU, as NCCL's rings do.
     */
    struct Ring
    {
        std::vector<uint32_t> ranks;                          //!< by position
        std::map<uint32_t, uint32_t> positions;               //!< by rank
        std::shared_ptr<const std::vector<uint32_t>> hosts{}; //!< numbers of hosts, by position
    };

    /// Order the ranks of a group on all channels. @param group the group
    void AddRings(const JobGraph::Group& group);
    /// @param group its number @param channel which @return the order of its ranks there
    const Ring& RingOf(uint32_t group, uint32_t channel) const;
    /// FabricError if the algorithm of the options does no collective.
    void RequireAlgorithm() const;
    /// Find who sends to whom: look at each operation.
    void FindPairs();
    /// @param rank whose @param operation of which it may send
    void FindPairsOf(uint32_t rank, const JobOperation& operation);
    /// FabricError if there would be more queue pairs than a run can have.
    /// @param rehearsal of a collective on one channel @param ranks by position
    /// @param channels how many
    void RequireQueuePairs(const CollectiveRehearsal& rehearsal,
                           const std::vector<uint32_t>& ranks,
                           uint32_t channels) const;
    /// A collective as it takes the same messages: group, type, root, algorithm, channels, bytes.
    using Shape = std::tuple<uint32_t, CollectiveType, uint32_t, uint32_t, uint32_t, uint64_t>;

    /// What a collective sends between hosts.
    struct Sent
    {
        double bytes{0};
        double messages{0};
    };

    /// Rehearse a collective, unless one like it was. @param operation a collective of a rank
    /// @return what it sends
    const Sent& Rehearse(const JobOperation& operation);
    /// Note who sends to whom on a channel of a collective. @param operation it
    /// @param channel which @param rehearsal of that channel @param sent gets what is sent
    void AddChannel(const JobOperation& operation,
                    uint32_t channel,
                    const CollectiveRehearsal& rehearsal,
                    Sent& sent);
    /// @param pair of ranks @return whether they are on two hosts
    bool IsBetweenHosts(const MessageNetwork::Pair& pair) const;
    /// @return whether two ranks of different hosts send to each other by the same ports, so that a
    /// queue pair could carry both ways
    bool HasWayBack() const;
    /// Find what connections there are, and how long their paths are. @param fabric where
    void FindCost(const Fabric& fabric);

    const JobGraph& m_graph;
    const JobOptions& m_options;
    const QueuePairNetwork& m_network;
    Ptr<CollectiveAlgorithm> m_chosen; //!< that of the options; null: they name none
    std::map<std::string, Ptr<CollectiveAlgorithm>> m_algorithms; //!< by name
    /// By group, then channel, modulo how many ranks of the group are on one host at most.
    std::vector<std::vector<Ring>> m_rings;
    std::set<MessageNetwork::Pair> m_pairs; //!< who sends to whom
    std::map<Shape, Sent> m_rehearsed;      //!< collectives
    JobCost m_cost;
    bool m_usesAlgorithm{false}; //!< a collective is done by that of the options
};

} // namespace ns3

#endif // LOSSLESS_JOB_PLAN_H

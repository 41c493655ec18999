// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_RANK_H
#define LOSSLESS_JOB_RANK_H

#include "collective-run.h"
#include "collective.h"
#include "job-options.h"
#include "job-trace.h"
#include "message-exchange.h"

#include "ns3/job-graph.h"
#include "ns3/rdma-ring.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the ranks of a job have in common.
 */
class JobWorld
{
  public:
    virtual ~JobWorld() = default;

    /// @return the graph
    virtual const JobGraph& GetGraph() const = 0;
    /// @return how the job runs
    virtual const JobOptions& GetOptions() const = 0;
    /// @return what carries messages
    virtual MessageNetwork& GetNetwork() = 0;
    /// @return what brings messages and receives together
    virtual MessageExchange& GetExchange() = 0;
    /// @param rank whose part @param operation a collective of it, of 2 ranks or more
    /// @param channel which @return the part
    virtual std::unique_ptr<CollectivePart> MakePart(uint32_t rank,
                                                     const JobOperation& operation,
                                                     uint32_t channel) const = 0;
    /// @param group of a collective @param channel which @return its ranks, in the order in which
    /// the parts on that channel count them
    virtual const std::vector<uint32_t>& GetRing(uint32_t group, uint32_t channel) const = 0;
    /// @param operation a collective @return on how many channels it runs
    virtual uint32_t GetChannels(const JobOperation& operation) const = 0;
    /// @return whether the job has failed: nobody does anything more
    virtual bool HasFailed() const = 0;

    // ---- what ranks tell, in events of their nodes

    /// @param end of a part of a collective
    virtual void CollectiveEnded(const CollectiveEnd& end) = 0;
    /// @param rank that has done all of an iteration @param iteration from 0
    /// @param trace what it did
    virtual void IterationEnded(uint32_t rank,
                                uint32_t iteration,
                                std::unique_ptr<RankTrace> trace) = 0;

    /// @return whether MessageCompleted() is called
    virtual bool TellsMessages() const
    {
        return false;
    }

    /// @param message whose sender knows since now that it was delivered
    virtual void MessageCompleted([[maybe_unused]] const RankMessage& message)
    {
    }

    /// @param rank that waits for others alone now, or not any more @param isActive whether it
    /// computes, or a message of it is under way
    virtual void ActivityChanged(uint32_t rank, bool isActive) = 0;
    /// The job cannot go on. @param why one line
    virtual void Fail(const std::string& why) = 0;
};

/**
 * @ingroup lossless
 *
 * Runs the operations of one rank: each starts when what it requires is done and its stream is
 * free. Those of a stream that become ready at one time by one operation go in the order of their
 * indices. Touches nothing of other ranks, but by JobWorld.
 */
class JobRank
{
  public:
    /// @param world what ranks have in common; must outlive this @param rank which
    JobRank(JobWorld& world, uint32_t rank);
    JobRank(const JobRank&) = delete;
    JobRank& operator=(const JobRank&) = delete;

    /// @param scope RankMessage::scope of a collective, not 0 @return number of its group, and how
    /// many collectives of the group came before
    static std::pair<uint32_t, uint64_t> FromScope(uint64_t scope);

    /// @return its number
    uint32_t GetNumber() const
    {
        return m_rank;
    }

    /// @return whether it computes, or reduces
    bool IsComputing() const
    {
        return m_active > 0;
    }

    /// Begin the first iteration.
    void Begin();

    /// Do what happens next until nothing is left to do now.
    void DoWork();

    /// @return iterations that it has done
    uint32_t GetDone() const
    {
        return m_iteration;
    }

    /// @return operations of this iteration that have started and not ended
    std::vector<uint32_t> GetWaiting() const;

    /// @return what it has done in this iteration so far; null: it has done all iterations
    const RankTrace* GetTrace() const
    {
        return m_trace.get();
    }

    // ---- for the world

    /// A receive of this rank has its message. @param wanted the receive @param message its
    void Matched(const MessageExchange::Wanted& wanted, const RankMessage& message);

    /// A message of this rank is over for it. @param message as it was posted
    /// @param isDelivered else its connection has failed
    void Completed(const RankMessage& message, bool isDelivered);

    // ---- for CollectiveRun

    /// Post a message of a collective. @param run of this rank @param to position in the group
    /// @param bytes of the message @param label of the message
    /// @param tells whether the part is told when it was sent
    void SendPart(CollectiveRun& run, uint32_t to, uint64_t bytes, uint64_t label, bool tells);
    /// Wait for a message of a collective. @param run of this rank @param from position in the
    /// group @param label of the message @param reduces whether it is added to what is here
    void ReceivePart(CollectiveRun& run, uint32_t from, uint64_t label, bool reduces);

  private:
    /// Something that happens next: an operation may start, or a message of a collective is there.
    struct Work
    {
        CollectiveRun* run{nullptr}; //!< null: an operation
        uint32_t operation{0};
        uint32_t from{0};
        uint64_t label{0};
        uint32_t cause{RankTrace::NONE};
        bool isSent{false}; //!< the message was sent, not received
    };

    /// Operations that run one after another.
    struct Stream
    {
        bool isBusy{false};
        std::deque<std::pair<uint32_t, uint32_t>> ready; //!< operations, and what made them ready
    };

    /// A collective that runs.
    struct Running
    {
        std::vector<std::unique_ptr<CollectiveRun>> runs; //!< by channel
        std::size_t left{0};                              //!< channels that have not ended
    };

    /// Begin an iteration: what waits for nothing is ready.
    void BeginIteration();
    /// What an operation required is done. @param operation which @param cause what was last
    void Ready(uint32_t operation, uint32_t cause);
    /// @param operation which @param cause what made it ready
    void Start(uint32_t operation, uint32_t cause);
    void StartCalc(uint32_t operation);
    void StartSend(uint32_t operation);
    void StartReceive(uint32_t operation);
    void StartCollective(uint32_t operation);
    /// Start the next operation of a stream, if there is one. @param stream which
    /// @param cause what has freed it
    void Free(uint64_t stream, uint32_t cause);
    /// @param operation that has ended @param cause message that ended it, or NONE
    void End(uint32_t operation, uint32_t cause);
    /// @param operation a collective @return how many of its group came before, in all iterations
    uint64_t NumberOf(uint32_t operation) const;
    /// @param what a send @return whether it is done when it was posted
    bool IsDoneWhenPosted(const JobOperation& what) const;
    /// A receive has got its message. @param operation which @param message its
    void Took(uint32_t operation, const RankMessage& message);
    /// A message of a collective is there. @param wanted its receive @param message it
    void TookPart(const MessageExchange::Wanted& wanted, const RankMessage& message);
    /// @param message of a collective of this rank @return its run; null: it has ended
    CollectiveRun* FindRun(const RankMessage& message) const;
    /// @param run that has received something, or has begun
    void Look(CollectiveRun& run);
    /// All operations have ended.
    void EndIteration();
    /// Send. @param message of this rank
    void Post(RankMessage message);
    /// @param message that a receive takes now @param posted when that was posted @param cause why
    /// then @return the cause that the message is
    uint32_t Note(const RankMessage& message, int64_t posted, uint32_t cause);
    /// Count time, before the number of running operations changes.
    void Account();
    /// @param operation of this rank @return its stream; NO_STREAM: it has none
    uint64_t StreamOf(const JobOperation& operation) const;

    static constexpr uint64_t NO_STREAM = ~uint64_t{0};

    // What each message touches, on two lines:
    alignas(64) JobWorld& m_world;
    std::unique_ptr<RankTrace> m_trace;
    RdmaRing<Work> m_work; //!< what happens next
    uint64_t m_left{0};    //!< operations that have not ended
    uint64_t m_active{0};  //!< calculations and reductions that run
    uint32_t m_rank;
    bool m_isWorking{false};
    bool m_toldActive{true}; //!< what JobWorld was told last
    const JobGraph::Rank& m_graph;
    std::map<uint32_t, Running> m_collectives; //!< by operation

    std::vector<uint32_t> m_firstChild;          //!< by operation: index of its first edge
    std::vector<JobEdge> m_edges;                //!< sorted
    std::vector<uint32_t> m_parents;             //!< by operation: how many edges lead to it
    std::vector<uint64_t> m_ordinals;            //!< by operation: of collectives, in its group
    std::map<uint32_t, uint64_t> m_perIteration; //!< by group: collectives of an iteration
    uint32_t m_iteration{0};
    std::vector<uint32_t> m_waiting; //!< by operation: edges whose first operation is not done
    std::map<uint64_t, Stream> m_streams;
    uint32_t m_nCalc{0};    //!< calculations that run
    uint32_t m_nComm{0};    //!< other operations that run
    int64_t m_accounted{0}; //!< tick
};

} // namespace ns3

#endif // LOSSLESS_JOB_RANK_H

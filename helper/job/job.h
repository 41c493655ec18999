// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_H
#define LOSSLESS_JOB_H

#include "collective.h"
#include "job-options.h"
#include "job-rank.h"
#include "job-trace.h"
#include "message-exchange.h"
#include "queue-pair-network.h"
#include "rank-place.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/job-graph.h"
#include "ns3/traffic-source.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class JobDiagnosis;
class JobPlan;

class Job;

/// @ingroup lossless
/// One iteration of a job, which all ranks have done. Times are ticks of the simulation.
struct JobIteration
{
    uint32_t number{0};      //!< from 0
    bool isWarmUp{false};    //!< means leave it out
    int64_t start{0};        //!< when the first rank began it
    int64_t end{0};          //!< when the last rank ended it
    double calcNs{0};        //!< time in which a rank computes, mean over the ranks
    double exposedNs{0};     //!< time in which a rank communicates and does not compute, mean
    double exposedMostNs{0}; //!< the most of a rank
    uint32_t straggler{0};   //!< the rank that ended last
    uint64_t bytes{0};       //!< payload that ranks posted
    uint64_t messages{0};    //!< that ranks posted
};

/// @ingroup lossless
/// A collective that all its ranks have done. Times are ticks of the simulation.
struct JobCollective
{
    uint32_t group{0};     //!< its number
    uint64_t number{0};    //!< how many of the group came before
    uint32_t iteration{0}; //!< from 0
    uint32_t rank{0};      //!< one that took part
    uint32_t operation{0}; //!< its index in the graph of that rank
    uint32_t channels{1};  //!< on how many it ran
    int64_t firstStart{0}; //!< when the first rank came to it
    int64_t lastStart{0};  //!< when the last rank came to it
    int64_t end{0};        //!< when the last rank ended it
};

/**
 * @ingroup lossless
 *
 * Who is told what a job has done. In no event of a node.
 */
class JobListener
{
  public:
    virtual ~JobListener() = default;

    /// @param job which @param iteration that all ranks have done @param traces by rank: what they
    /// did in it
    virtual void IterationEnded(
        [[maybe_unused]] const Job& job,
        [[maybe_unused]] const JobIteration& iteration,
        [[maybe_unused]] const std::vector<std::shared_ptr<const RankTrace>>& traces)
    {
    }

    /// @param job which @param collective that all its ranks have done
    virtual void CollectiveEnded([[maybe_unused]] const Job& job,
                                 [[maybe_unused]] const JobCollective& collective)
    {
    }

    /// @return whether it is to be told MessageCompleted(); a job asks when it begins
    virtual bool WantsMessages() const
    {
        return false;
    }

    /// @param job which @param message of it @param completed when its sender knew that it was
    /// delivered, tick
    virtual void MessageCompleted([[maybe_unused]] const Job& job,
                                  [[maybe_unused]] const RankMessage& message,
                                  [[maybe_unused]] int64_t completed)
    {
    }
};

/**
 * @ingroup lossless
 *
 * A job of several ranks, such as the training of a model, as traffic of a run: computes, sends,
 * receives and does collectives as its graph says.
 *
 * @code
 * FabricRun run(fabric);
 * JobGraph graph(8);
 * for (uint32_t rank = 0; rank < 8; ++rank)
 * {
 *     graph.Add(rank, JobGraph::Collective(CollectiveType::ALL_REDUCE, 1 << 20));
 * }
 * Job& job = run.Add<Job>(graph, places);
 * run.Execute();
 * @endcode
 *
 * Its items are its iterations. It is found stuck when nothing of it is under way any more, not by
 * a time limit; GetError() says what is wrong then.
 */
class Job : public TrafficSource, private JobWorld, private MessageExchange::Owner
{
  public:
    /// @param fabric where @param graph what ranks do; FabricError unless JobGraph::Check() passes,
    /// and its collectives can be done
    /// @param places by rank @param options how it runs
    Job(const Fabric& fabric,
        JobGraph graph,
        std::vector<RankPlace> places,
        JobOptions options = {});
    ~Job() override;

    /// @param listener told from now on; must say RemoveListener() before it is gone
    void AddListener(JobListener& listener);
    using TrafficSource::AddListener;

    /// @param listener told no more
    void RemoveListener(JobListener& listener);
    using TrafficSource::RemoveListener;

    /// @return what ranks do
    const JobGraph& GetGraph() const override
    {
        return m_graph;
    }

    /// @return how it runs
    const JobOptions& GetOptions() const override
    {
        return m_options;
    }

    /// @return where ranks run
    const std::vector<RankPlace>& GetPlaces() const
    {
        return m_network.GetPlaces();
    }

    /// @return what carries its messages
    const QueuePairNetwork& GetCarrier() const
    {
        return m_network;
    }

    /// @param operation a collective @return name of its algorithm: what it names itself, else that
    /// of the job if it can do it, else that of its type
    std::string NameOfAlgorithm(const JobOperation& operation) const;
    /// @param operation a collective @return its algorithm
    const CollectiveAlgorithm& AlgorithmOf(const JobOperation& operation) const;
    /// @param operation a collective @param channel which @return what it is to one of its ranks
    CollectiveShape ShapeOf(const JobOperation& operation, uint32_t channel) const;
    uint32_t GetChannels(const JobOperation& operation) const override;
    const std::vector<uint32_t>& GetRing(uint32_t group, uint32_t channel) const override;

    /// @return iterations that all ranks have done
    const std::vector<JobIteration>& GetIterations() const
    {
        return m_iterations;
    }

    /// @return whether all iterations are done, and each message has found its receive
    bool IsDone() const
    {
        return m_state == DONE;
    }

    /// @return one line that says why the job did not end well; empty: it has, or may still
    std::string GetError() const;

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    // ---- TrafficSource

    std::string GetName() const override;
    bool IsDividable() const override;
    void ForEachControl(const Controls& visit) const override;
    Counts GetCounts() const override;
    bool IsAwaited() const override;
    std::string GetStuck() const override;
    Time GetNextActivity() const override;
    Time GetFirstStart() const override;
    bool MayActByItself() const override;
    void ForEachUnfinished(const Unfinished& tell) const override;
    void SetBegin(Time begin) override;
    void Stop() override;

  private:
    /// How far it is.
    enum State : uint8_t
    {
        WAITING, //!< for its start
        RUNNING, //!< its ranks work
        DONE,    //!< all iterations have ended
        FAILED,  //!< it cannot end
        STOPPED  //!< the run was over first
    };

    /// An iteration that not all ranks have done.
    struct Open
    {
        std::vector<std::shared_ptr<const RankTrace>> traces; //!< by rank
        uint32_t done{0};                                     //!< ranks that have done it
    };

    // ---- JobWorld
    MessageNetwork& GetNetwork() override;
    MessageExchange& GetExchange() override;
    std::unique_ptr<CollectivePart> MakePart(uint32_t rank,
                                             const JobOperation& operation,
                                             uint32_t channel) const override;
    bool HasFailed() const override;
    void CollectiveEnded(const CollectiveEnd& end) override;
    void IterationEnded(uint32_t rank,
                        uint32_t iteration,
                        std::unique_ptr<RankTrace> trace) override;
    bool TellsMessages() const override;
    void MessageCompleted(const RankMessage& message) override;
    void ActivityChanged(uint32_t rank, bool isActive) override;
    void Fail(const std::string& why) override;

    // ---- MessageExchange::Owner
    void Matched(const MessageExchange::Wanted& wanted, const RankMessage& message) override;
    void Completed(const RankMessage& message, bool isDelivered) override;
    void UnderWayChanged(uint32_t rank) override;

    /// FabricError for options that cannot be.
    void RequireOptions() const;
    /// FabricError if another job that has not ended has a GPU of this one.
    void RequireFreeGpus() const;
    /// Find how packets are made, and say if the job will run for more than an hour.
    void LookAtPackets();
    /// The time has come.
    void Begin();
    /// All ranks have done an iteration. @param number which @param open what they did
    void CloseIteration(uint32_t number, const Open& open);
    /// Nothing of the job is under way: it is done, or stuck.
    void Conclude();
    /// It has ended. @param state how @param error why, one line
    void End(State state, const std::string& error);
    /// @return what says what is wrong
    JobDiagnosis Diagnose() const;
    /// @param number of an iteration @return it as an item
    TrafficItem ToItem(uint32_t number) const;

    Fabric m_fabric;
    JobGraph m_graph;
    JobOptions m_options;
    QueuePairNetwork m_network;
    MessageExchange m_exchange;
    std::unique_ptr<JobPlan> m_plan;
    std::vector<std::unique_ptr<JobRank>> m_ranks;
    std::map<uint32_t, Open> m_open; //!< by iteration
    std::map<std::pair<uint32_t, uint64_t>, std::pair<JobCollective, uint32_t>>
        m_collectives; //!< by group and number: those under way, and how many ranks have done it
    std::vector<JobIteration> m_iterations;
    std::vector<JobListener*> m_jobListeners;
    bool m_tellsMessages{false}; //!< a listener wants them
    Time m_begin;                //!< of the job
    Time m_end;
    EventId m_start;
    State m_state{WAITING};
    std::atomic<bool> m_hasFailed{false}; //!< ranks do nothing more
    std::string m_error;
    bool m_isStuck{false};  //!< it has failed as nothing of it was left to happen
    uint32_t m_active{0};   //!< ranks of which something is under way
    uint32_t m_finished{0}; //!< ranks that have done all iterations
};

} // namespace ns3

#endif // LOSSLESS_JOB_H

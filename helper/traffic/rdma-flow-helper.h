// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_FLOW_HELPER_H
#define LOSSLESS_RDMA_FLOW_HELPER_H

#include "flow-size-distribution.h"
#include "poisson-arrivals.h"
#include "rdma-flow-settings.h"
#include "rdma-flow.h"
#include "running-flows.h"
#include "traffic-source.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Flows and workloads of a fabric: which flows there are, when each starts, and what became of
 * them. RunningFlows are those between start and end; a Poisson workload is drawn as it goes, so
 * that memory depends on the flows that run. Arguments are checked when flows are added
 * (FabricError).
 *
 * RdmaFlowSettings says what flows are like that are added from now on. Must live until the
 * simulation ends.
 */
class RdmaFlowHelper : public TrafficSource, public RdmaFlowSettings
{
  public:
    /// @param fabric where the flows run @param begin time from which starts of flows count
    explicit RdmaFlowHelper(const Fabric& fabric, Time begin = Time(0));
    ~RdmaFlowHelper() override;
    RdmaFlowHelper(const RdmaFlowHelper&) = delete;
    RdmaFlowHelper& operator=(const RdmaFlowHelper&) = delete;

    // ---- workloads

    /// @param flow a flow; start in the past is an error @return its number
    uint64_t Add(const RdmaFlow& flow);

    /// Check a flow as Add() does, and add nothing: of many flows all are right before the first is
    /// added. @param flow a flow @return it, with its start as a time of the simulation
    RdmaFlow Check(const RdmaFlow& flow) const;

    /**
     * Poisson arrivals at all hosts, each flow to another host chosen uniformly. A host starts on
     * average load * rate / (8 * mean size) flows a second.
     * @param workload flow sizes: a name or a file, see FlowSizeDistribution
     * @param load share of the rate of all links of hosts, more than 0
     * @param duration time during which flows arrive
     * @param start when this begins
     */
    void Poisson(const std::string& workload, double load, Time duration, Time start = Time(0));
    /// @copydoc Poisson(const std::string&,double,Time,Time)
    void Poisson(const FlowSizeDistribution& workload,
                 double load,
                 Time duration,
                 Time start = Time(0));

    /**
     * Many send to one at the same time. The senders are spread evenly over the other hosts. With
     * SetVerb(RdmaVerb::READ) the receiver asks all of them at once: the data take the same way.
     * @param senders how many
     * @param receiver host
     * @param bytes that each sends
     * @param start when
     * @param repeats how often, 1 or more
     * @param interval time from one to the next, above 0 if there is more than one
     */
    void Incast(uint32_t senders,
                HostId receiver,
                uint64_t bytes,
                Time start,
                uint32_t repeats = 1,
                Time interval = Time(0));

    /// Every host sends to one other and receives from one other, in one random cycle.
    /// @param bytes that each sends @param start when
    void Permutation(uint64_t bytes, Time start);

    /// Every host sends to every other host. @param bytes of each flow @param start when
    void AllToAll(uint64_t bytes, Time start);

    /**
     * Fix the random streams of all workloads, whether they were added before or are added after
     * it: the flows are the same; and those of congestion controls that draw, one for each end of a
     * flow. Before the first of them starts (FabricError).
     * @param stream first stream to use
     * @return number of streams set aside: for 249 Poisson workloads or all so far, and 2^32 for
     * congestion controls
     */
    int64_t AssignStreams(int64_t stream) override;

    // ---- results

    /// @param listener called when a flow starts
    void OnStart(std::function<void()> listener);

    /// @param listener called at the end of each flow
    void OnEnd(std::function<void(const RdmaFlowResult&)> listener);

    /// @return flows added; of a Poisson workload those that have arrived
    uint64_t GetNFlows() const
    {
        return m_added;
    }

    /// @return flows added, and those of Poisson workloads that are still expected
    double GetExpectedFlows() const;

    /// @return flows started
    uint64_t GetNStarted() const
    {
        return m_started;
    }

    /// @return bytes of all flows started
    uint64_t GetStartedBytes() const
    {
        return m_startedBytes;
    }

    /// @return flows completed with success
    uint64_t GetNCompleted() const
    {
        return m_completed;
    }

    /// @return flows that ended otherwise
    uint64_t GetNFailed() const
    {
        return m_failed;
    }

    /// @return whether all flows have ended and none will arrive
    bool IsDone() const
    {
        return m_pending.empty() && m_notDrawn == 0 && m_completed + m_failed == m_started;
    }

    /// @return when the first flow started; the time now if none has
    Time GetFirstStart() const override;

    /// @return when the last of the flows that have ended did so; 0 if none has
    Time GetLastEnd() const
    {
        return m_lastEnd;
    }

    /// @return the flows that have not started, in the order of their start; of Poisson workloads
    /// the next one, as the others are not drawn
    std::vector<RdmaFlow> GetPending() const;

    /// @return the flows that run, each with both its ends, in the order of their start
    std::vector<std::pair<RdmaFlow, Fabric::Connection>> GetActive() const;

    /**
     * Look at all flows that have not ended, of Poisson workloads those that have arrived.
     * @param look takes a flow, and its queue pairs; null: it has not started
     */
    void ForEachOpen(
        const std::function<void(const RdmaFlowResult&, const Fabric::Connection*)>& look) const;

    /// From the next start on, flows start after all else that has been scheduled for the same
    /// time, as in the HPCC simulator: a packet that may leave then goes first.
    void StartLast();

    // ---- several ranks (FabricRanks)

    /// How far a flow of one rank has come when the simulation has ended.
    struct RankedFlow
    {
        RdmaFlowResult result; //!< of a flow that has ended
        bool hasEnded{false};  //!< else it is still open
        int64_t end{0};        //!< when it ended, ticks
        std::string reason{};  //!< why it has not succeeded
    };

    /// @return flows of this rank that run, and 1 if more are to start on any rank
    uint64_t CountOpenHere() const;

    /// @return the flows of this rank: those whose source it has. With MPI their ends are kept
    /// until they are taken, and nobody was told of them
    std::vector<RankedFlow> TakeRankedFlows();

    /// Count a flow of any rank, and tell of its end. @param flow it
    void AddRankedFlow(const RankedFlow& flow);

    // ---- TrafficSource

    std::string GetName() const override;
    bool IsDividable() const override;
    void ForEachControl(const Controls& visit) const override;
    Counts GetCounts() const override;
    bool IsAwaited() const override;
    Time GetNextActivity() const override;
    bool MayActByItself() const override;
    uint64_t CountFrom(Time time) const override;
    void ForEachUnfinished(const Unfinished& tell) const override;
    void Stop() override;

  private:
    /// A flow that has ended without success.
    struct FailedFlow
    {
        RdmaFlowResult result; //!< how it ended
        std::string reason;    //!< its status, and what was in its way then
    };

    void RequireSettable() const override;

    /// A workload that is drawn as it goes.
    struct Source
    {
        PoissonArrivals arrivals;
        RdmaFlow flow; //!< class and verb
        uint32_t group;
        EventId begin; //!< the first draw
    };

    static constexpr uint32_t NONE = 0xffffffff; //!< no source

    /// A flow that has not started.
    struct Pending
    {
        RdmaFlow flow;
        uint64_t index;
        uint32_t group;  //!< number of its options
        uint32_t source; //!< the workload that it comes from, or NONE

        /// The queue gives the largest first: earlier is larger.
        bool operator<(const Pending& other) const
        {
            return flow.start != other.flow.start ? flow.start > other.flow.start
                                                  : index > other.index;
        }
    };

    /// Queue a flow. @param flow the flow @param source NONE or its workload @param group options
    uint64_t Push(const RdmaFlow& flow, uint32_t source, uint32_t group);
    /// Draw the next arrival of a workload. @param source which
    void Draw(uint32_t source);
    /// Arm the event for the next start.
    void Arm();
    /// Start what is due after all that has been scheduled for now.
    void StartDueLast();
    /// Start what is due.
    void StartDue();
    /// Start a flow. @param pending the flow
    void Start(const Pending& pending);
    /// @param result a flow @param state how far it came @return it as an item
    static TrafficItem ToItem(const RdmaFlowResult& result, TrafficItem::State state);
    /// Count and report the end of a flow, or keep it for TakeRankedFlows(). @param result how
    /// @param reason why it has not succeeded; empty: it has
    void End(const RdmaFlowResult& result, const std::string& reason);
    /// Count and report the end of a flow. @param result how @param reason as of End()
    /// @param end when
    void Report(const RdmaFlowResult& result, const std::string& reason, Time end);
    /// @param source a workload, which gets its streams
    void AssignStreamsOf(uint32_t source);
    /// @return for each host, where the next permutation sends
    std::vector<uint32_t> DrawPermutation();
    /// Draw the permutations again; none of their flows may have started.
    void RedrawPermutations();
    /// @param host a host; FabricError if there is none
    void RequireHost(HostId host) const;
    /// @param start of a flow, from the begin of the run; FabricError if that time is over
    /// @return the time of the simulation
    Time InSimulation(Time start) const;

    Time m_begin; //!< from which starts count
    std::vector<Source> m_sources;
    std::priority_queue<Pending> m_pending;
    RunningFlows m_running;
    std::vector<std::function<void(const RdmaFlowResult&)>> m_listeners;
    std::vector<std::function<void()>> m_startListeners;
    Ptr<UniformRandomVariable> m_permutation;
    std::vector<uint64_t> m_permutations; //!< numbers of their first flows
    int64_t m_stream{0};                  //!< first stream
    int64_t m_streams{0};                 //!< streams set aside from there; 0: none
    EventId m_next;
    bool m_starting{false};  //!< in StartDue(), which arms the next start itself
    bool m_startLast{false}; //!< StartLast()
    Time m_firstStart;
    Time m_lastEnd;
    Time m_latestStart;     //!< of all flows that were queued
    uint32_t m_notDrawn{0}; //!< workloads whose start is still to come
    uint64_t m_added{0};
    uint64_t m_started{0};
    uint64_t m_startedBytes{0};
    uint64_t m_completed{0};
    uint64_t m_failed{0};
    std::vector<FailedFlow> m_failedFlows;
    std::vector<RankedFlow> m_ranked;        //!< ends that are kept for TakeRankedFlows()
    std::vector<RankedFlow> m_openElsewhere; //!< of AddRankedFlow()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_FLOW_HELPER_H

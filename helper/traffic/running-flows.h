// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUNNING_FLOWS_H
#define LOSSLESS_RUNNING_FLOWS_H

#include "rdma-flow.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The RDMA flows of a fabric that run, from their start to their end: a flow gets queue pairs when
 * it starts and gives them up when it ends, so that memory depends on the flows that run. When a
 * flow starts, and what its end means, is for RdmaFlowHelper.
 */
class RunningFlows
{
  public:
    /// Takes a flow that has ended, and why it has not succeeded; empty: it has.
    using Ended = std::function<void(const RdmaFlowResult&, const std::string&)>;

    /// Random streams that AssignStreams() sets aside: one for each end of a flow.
    static constexpr int64_t STREAMS = int64_t{1} << 32;

    /// @param fabric where the flows run @param ended is told of the end of each
    RunningFlows(const Fabric& fabric, Ended ended);

    /// Nobody is told of the flows that still run.
    ~RunningFlows();
    RunningFlows(const RunningFlows&) = delete;
    RunningFlows& operator=(const RunningFlows&) = delete;

    /// Fix the random streams of the congestion controls of flows that start from now on.
    /// @param stream first of STREAMS streams
    void AssignStreams(int64_t stream);

    /// @param index number of a flow @param flow the flow @return what is known of it at its start
    RdmaFlowResult Describe(uint64_t index, const RdmaFlow& flow) const;

    /// Start a flow. One that cannot get its queue pairs ends at once.
    /// @param described Describe() @param options of its queue pairs
    void Start(const RdmaFlowResult& described, const Fabric::QueuePairOptions& options);

    /// Take part in the start of a flow whose source is of another rank: make the queue pair of its
    /// destination if that is of this rank.
    /// @param described Describe() @param options of its queue pairs
    void StartElsewhere(const RdmaFlowResult& described, const Fabric::QueuePairOptions& options);

    /// @return how many run
    std::size_t GetN() const
    {
        return m_active.size() - m_freeSlots.size();
    }

    /// @param look takes each flow that runs and its queue pairs, in no order that means anything
    void ForEach(
        const std::function<void(const RdmaFlowResult&, const Fabric::Connection&)>& look) const;

    /// @return the flows that run, each with both its ends, in the order of their numbers
    std::vector<std::pair<RdmaFlow, Fabric::Connection>> GetAll() const;

    /// @return whether a flow may act without an event from outside: it is not paused, and has
    /// packets to send or a timer that runs
    bool MayActByThemselves() const;

    /// Forget all flows that run, whose queue pairs stay. @return what Describe() knew of each, and
    /// its queue pairs
    std::vector<std::pair<RdmaFlowResult, Fabric::Connection>> TakeAll();

    /// Destroy the queue pairs of all flows that run; nobody is told.
    void Stop();

  private:
    /// A flow that runs.
    struct Active
    {
        RdmaFlowResult result;         //!< so far
        Fabric::Connection connection; //!< its queue pairs
    };

    /// @param described a flow @param options of its queue pairs @return the same, with the way
    /// that it takes between the ports of its hosts
    Fabric::QueuePairOptions WithWay(const RdmaFlowResult& described,
                                     const Fabric::QueuePairOptions& options);
    /// @param source a host @param destination another host @return which of the ways between them
    /// the next flow takes: each in turn
    uint32_t NextChoice(HostId source, HostId destination);
    /// @param active a flow, which has its queue pairs @return its time in an empty fabric
    Time Ideal(const Active& active) const;
    /// @param active a flow that has begun @return where it is among m_active
    uint32_t Keep(std::unique_ptr<Active> active);
    /// Fix the streams of the congestion controls of a flow. @param connection its queue pairs
    /// @param index number of the flow
    void AssignStreamsOf(const Fabric::Connection& connection, uint64_t index) const;
    /// A work request ended. @param slot the flow @param completion how
    void Completed(uint32_t slot, const RdmaCompletion& completion);
    /// Completed(), when no node is about anything. @param slot @param completion likewise
    void Complete(uint32_t slot, const RdmaCompletion& completion);
    /// Destroy the queue pairs of a flow. @param flow it @param connection its queue pairs
    void Disconnect(const RdmaFlow& flow, const Fabric::Connection& connection) const;

    Fabric m_fabric;
    Ended m_ended;
    std::vector<std::unique_ptr<Active>> m_active; //!< by slot; null: free
    std::vector<uint32_t> m_freeSlots;             //!< of m_active
    std::vector<uint32_t> m_ordinals;              //!< by host: flows started
    /// By source and destination, where there is a choice of ports: flows started.
    std::map<std::pair<HostId, HostId>, uint32_t> m_choices;
    std::optional<int64_t> m_stream; //!< first of STREAMS
};

} // namespace ns3

#endif // LOSSLESS_RUNNING_FLOWS_H

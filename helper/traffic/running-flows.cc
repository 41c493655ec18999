// SPDX-License-Identifier: GPL-2.0-only
#include "running-flows.h"

#include "flow-diagnosis.h"
#include "has-way.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-simulator-impl.h"

#include <algorithm>

namespace ns3
{

RunningFlows::RunningFlows(const Fabric& fabric, Ended ended)
    : m_fabric(fabric),
      m_ended(std::move(ended)),
      m_ordinals(fabric.GetNHosts(), 0)
{
}

RunningFlows::~RunningFlows()
{
    for (const auto& active : m_active)
    {
        if (active)
        {
            active->connection.source->SetCompletionCallback(RdmaQueuePair::CompletionCallback());
        }
    }
}

void
RunningFlows::AssignStreams(int64_t stream)
{
    m_stream = stream;
}

void
RunningFlows::AssignStreamsOf(const Fabric::Connection& connection, uint64_t index) const
{
    if (m_stream)
    {
        const int64_t stream = *m_stream + static_cast<int64_t>(2 * index) % STREAMS;
        connection.source->GetCongestionControl()->AssignStreams(stream);
        connection.destination->GetCongestionControl()->AssignStreams(stream + 1);
    }
}

// ---- the start of a flow

RdmaFlowResult
RunningFlows::Describe(uint64_t index, const RdmaFlow& flow) const
{
    RdmaFlowResult result;
    result.index = index;
    result.flow = flow;
    result.sourceNode = m_fabric.GetTopology().NodeOf(flow.source);
    result.destinationNode = m_fabric.GetTopology().NodeOf(flow.destination);
    return result;
}

uint32_t
RunningFlows::NextChoice(HostId source, HostId destination)
{
    const FabricTopology& topology = m_fabric.GetTopology();
    auto ports = [&topology](HostId host) {
        return topology.GetLinksOf(topology.NodeOf(host)).size();
    };
    // Counted for each pair: by source alone, destinations that take turns would each keep a way.
    return ports(source) * ports(destination) > 1 ? m_choices[{source, destination}]++ : 0;
}

Fabric::QueuePairOptions
RunningFlows::WithWay(const RdmaFlowResult& described, const Fabric::QueuePairOptions& options)
{
    const RdmaFlow& flow = described.flow;
    Fabric::QueuePairOptions chosen = options;
    chosen.choice = flow.way ? *flow.way : NextChoice(flow.source, flow.destination);
    return chosen;
}

Time
RunningFlows::Ideal(const Active& active) const
{
    const RdmaFlow& flow = active.result.flow;
    const Fabric::Connection& ends = active.connection;
    const IdealFct ideal =
        m_fabric.GetIdeal(flow.source, flow.destination, ends.ports, m_fabric.GetFraming(ends));
    return TimeStep(ideal.Completion(flow.verb, flow.bytes));
}

uint32_t
RunningFlows::Keep(std::unique_ptr<Active> active)
{
    if (m_freeSlots.empty())
    {
        m_active.push_back(std::move(active));
        return static_cast<uint32_t>(m_active.size() - 1);
    }
    const uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_active[slot] = std::move(active);
    return slot;
}

void
RunningFlows::Start(const RdmaFlowResult& described, const Fabric::QueuePairOptions& options)
{
    const RdmaFlow& flow = described.flow;
    auto active = std::make_unique<Active>();
    active->result = described;
    active->result.ordinal = m_ordinals[flow.source.Value()]++;
    const Fabric::QueuePairOptions chosen = WithWay(described, options);
    try
    {
        active->connection = m_fabric.Connect(flow.source, flow.destination, chosen);
    }
    catch (const FabricError& error)
    {
        active->result.status = RdmaStatus::RETRY_EXCEEDED;
        // A link has failed since the flow was added, or an attribute has changed.
        m_ended(active->result,
                HasWay(m_fabric, flow.source, flow.destination)
                    ? error.what()
                    : "there was no way when it started");
        return;
    }
    AssignStreamsOf(active->connection, described.index);
    active->result.ideal = Ideal(*active);
    const Fabric::Connection ends = active->connection;
    const uint32_t slot = Keep(std::move(active));
    ends.source->SetCompletionCallback(MakeCallback(&RunningFlows::Completed, this).Bind(slot));
    ends.destination->PostReceive();
    RdmaWorkRequest request;
    request.verb = flow.verb;
    request.bytes = flow.bytes;
    ends.source->Post(request);
}

void
RunningFlows::StartElsewhere(const RdmaFlowResult& described,
                             const Fabric::QueuePairOptions& options)
{
    const RdmaFlow& flow = described.flow;
    ++m_ordinals[flow.source.Value()];
    const Fabric::QueuePairOptions chosen = WithWay(described, options);
    if (!FabricRanks::HasNode(*m_fabric.GetNode(described.destinationNode)))
    {
        m_fabric.GetRdma(flow.source)->SkipNumber();
        m_fabric.GetRdma(flow.destination)->SkipNumber();
        return;
    }
    const Fabric::Connection ends = m_fabric.Connect(flow.source, flow.destination, chosen);
    AssignStreamsOf(ends, described.index);
    ends.destination->PostReceive();
}

// ---- the end of a flow

void
RunningFlows::Completed(uint32_t slot, const RdmaCompletion& completion)
{
    FabricSimulatorImpl::Serially([this, slot, completion] { Complete(slot, completion); });
}

void
RunningFlows::Complete(uint32_t slot, const RdmaCompletion& completion)
{
    const std::unique_ptr<Active> active = std::move(m_active[slot]);
    if (!active)
    {
        return; // the close of a queue pair that has failed
    }
    m_freeSlots.push_back(slot);
    active->result.status = completion.status;
    active->result.fct = completion.completed - completion.posted;
    std::string reason;
    if (completion.status != RdmaStatus::SUCCESS)
    {
        reason = ToString(completion.status) + std::string("; ") +
                 FlowDiagnosis(m_fabric).GetReason(active->result.flow.verb, active->connection);
    }
    Disconnect(active->result.flow, active->connection);
    m_ended(active->result, reason);
}

void
RunningFlows::Disconnect(const RdmaFlow& flow, const Fabric::Connection& connection) const
{
    m_fabric.GetRdma(flow.source)->DestroyQueuePair(connection.source);
    // The rank of the destination does not learn of the end: on any number of ranks the queue pair
    // stays there.
    if (!FabricRanks::IsOn())
    {
        m_fabric.GetRdma(flow.destination)->DestroyQueuePair(connection.destination);
    }
}

std::vector<std::pair<RdmaFlowResult, Fabric::Connection>>
RunningFlows::TakeAll()
{
    std::vector<std::pair<RdmaFlowResult, Fabric::Connection>> flows;
    for (uint32_t slot = 0; slot < m_active.size(); ++slot)
    {
        if (const auto active = std::move(m_active[slot]))
        {
            m_freeSlots.push_back(slot);
            flows.emplace_back(active->result, active->connection);
        }
    }
    return flows;
}

void
RunningFlows::Stop()
{
    for (const auto& [result, connection] : TakeAll())
    {
        Disconnect(result.flow, connection);
    }
}

// ---- what runs

void
RunningFlows::ForEach(
    const std::function<void(const RdmaFlowResult&, const Fabric::Connection&)>& look) const
{
    for (const auto& active : m_active)
    {
        if (active)
        {
            look(active->result, active->connection);
        }
    }
}

std::vector<std::pair<RdmaFlow, Fabric::Connection>>
RunningFlows::GetAll() const
{
    std::map<uint64_t, const Active*> running; // by number
    for (const auto& active : m_active)
    {
        if (active)
        {
            running[active->result.index] = active.get();
        }
    }
    std::vector<std::pair<RdmaFlow, Fabric::Connection>> flows;
    for (const auto& [index, active] : running)
    {
        flows.emplace_back(active->result.flow, active->connection);
    }
    return flows;
}

bool
RunningFlows::MayActByThemselves() const
{
    return std::any_of(m_active.begin(), m_active.end(), [](const auto& active) {
        if (!active)
        {
            return false;
        }
        const RdmaQueuePair& source = *active->connection.source;
        if (const auto transport = source.GetTransport())
        {
            // Its timeouts have no pauses to wait for, but may come for ever.
            return transport->IsBusy() && transport->GivesUp();
        }
        const uint32_t cls = source.GetConnection().data.trafficClass;
        const bool paused = source.GetDevice()->PausedMask() & (1U << cls);
        const RdmaRequester& requester = source.GetRequester();
        const uint64_t window = source.GetFlowState().window;
        const bool sends = requester.Unacked() < requester.Next() && requester.CanSend(window);
        return !paused && (sends || requester.Deadline() != RDMA_NEVER);
    });
}

} // namespace ns3

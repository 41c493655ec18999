// SPDX-License-Identifier: GPL-2.0-only

// The life of a flow. Workloads are in rdma-flow-workloads.cc.

#include "rdma-flow-helper.h"

#include "flow-diagnosis.h"

#include "ns3/callback.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

RdmaFlowHelper::RdmaFlowHelper(const Fabric& fabric)
    : m_fabric(fabric),
      m_ordinals(fabric.GetNHosts(), 0),
      m_permutation(CreateObject<UniformRandomVariable>())
{
    const std::string option = fabric.GetOptions().Get(RdmaQueuePair::GetTypeId(), "TrafficClass");
    m_template.trafficClass =
        option.empty() ? m_template.trafficClass
                       : static_cast<uint8_t>(FabricText::ToUint(option, "TrafficClass", 7));
}

RdmaFlowHelper::~RdmaFlowHelper()
{
    m_next.Cancel();
    for (Source& source : m_sources)
    {
        source.begin.Cancel();
    }
    for (const auto& active : m_active)
    {
        if (active)
        {
            active->connection.source->SetCompletionCallback(RdmaQueuePair::CompletionCallback());
        }
    }
}

// ---- what the next flows are like

void
RdmaFlowHelper::SetClass(uint32_t trafficClass)
{
    if (trafficClass >= TRAFFIC_CLASSES)
    {
        throw FabricError("class " + std::to_string(trafficClass), "classes are 0 to 7");
    }
    if (!m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "TrafficClass"))
    {
        m_template.trafficClass = static_cast<uint8_t>(trafficClass);
    }
}

void
RdmaFlowHelper::SetVerb(RdmaVerb verb)
{
    m_template.verb = verb;
}

void
RdmaFlowHelper::SetQueuePair(const std::string& name, const AttributeValue& value)
{
    const auto checked = m_fabric.GetOptions().Check(RdmaQueuePair::GetTypeId(), name, value);
    if (!m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), name))
    {
        m_options.attributes.emplace_back(name, checked);
        m_optionsChanged = true;
    }
}

void
RdmaFlowHelper::ResetQueuePair()
{
    m_optionsChanged |= !m_options.attributes.empty();
    m_options.attributes.clear();
}

void
RdmaFlowHelper::SetCongestionControl(const ObjectFactory& congestion)
{
    if (congestion.IsTypeIdSet())
    {
        Fabric::RequireCongestionType(congestion);
    }
    if (!m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "CongestionControl"))
    {
        m_fabric.RequireCongestionControl(congestion);
        m_options.congestion = congestion;
        m_optionsChanged = true;
    }
}

void
RdmaFlowHelper::RequireMtu() const
{
    if (m_options.attributes.empty() && !m_options.congestion.IsTypeIdSet())
    {
        return; // as FabricHelper has checked
    }
    const Fabric::PacketSize size = m_fabric.GetPacketSize(m_options);
    const uint32_t needed =
        RoceFrameBytes(RoceOpcode::WRITE_ONLY_IMM, size.mtu, 4, false, size.telemetry) -
        ETHERNET_OVERHEAD_BYTES;
    const std::string with =
        size.telemetry ? " with " + std::to_string(size.telemetry) + " bytes of telemetry" : "";
    const FabricTopology& topology = m_fabric.GetTopology();
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            const uint32_t has = m_fabric.GetDevice(node, port)->GetMtu();
            if (has < needed)
            {
                throw FabricError("queue pairs of Mtu " + std::to_string(size.mtu) + with +
                                      " need IP packets of " + std::to_string(needed) +
                                      " bytes, and the MTU of port " + std::to_string(port) +
                                      " of node " + std::to_string(node) + " is " +
                                      std::to_string(has),
                                  "set the Mtu of the queue pairs or of the links at FabricHelper");
            }
        }
    }
}

uint32_t
RdmaFlowHelper::Group()
{
    if (m_optionsChanged)
    {
        RequireMtu();
        m_groups.push_back(m_options);
        m_optionsChanged = false;
    }
    return static_cast<uint32_t>(m_groups.size() - 1);
}

// ---- adding

void
RdmaFlowHelper::RequireHost(uint32_t host) const
{
    m_fabric.GetHost(host);
}

uint64_t
RdmaFlowHelper::Add(const RdmaFlow& flow)
{
    RequireHost(flow.source);
    RequireHost(flow.destination);
    if (flow.trafficClass >= TRAFFIC_CLASSES)
    {
        throw FabricError("class " + std::to_string(flow.trafficClass), "classes are 0 to 7");
    }
    if (flow.bytes > uint64_t{1} << 40)
    {
        throw FabricError("a flow of " + std::to_string(flow.bytes) + " bytes",
                          "a message has at most 2^40 bytes");
    }
    if (flow.start < Simulator::Now())
    {
        throw FabricError(
            "a flow starts " + std::to_string((Simulator::Now() - flow.start).GetNanoSeconds()) +
                " ns before the time now",
            "its start counts from the begin of the simulation; another one begins after "
            "Simulator::Destroy()");
    }
    m_fabric.GetPortPairs(flow.source, flow.destination);
    return Push(flow, NONE, Group());
}

uint64_t
RdmaFlowHelper::Push(const RdmaFlow& flow, uint32_t source, uint32_t group)
{
    const uint64_t index = m_added++;
    m_pending.push({flow, index, group, source});
    if (!m_starting && m_pending.top().index == index)
    {
        Arm();
    }
    return index;
}

// ---- running

void
RdmaFlowHelper::Arm()
{
    m_next.Cancel();
    if (!m_pending.empty())
    {
        m_next = Simulator::Schedule(m_pending.top().flow.start - Simulator::Now(),
                                     &RdmaFlowHelper::StartDue,
                                     this);
    }
}

void
RdmaFlowHelper::StartDue()
{
    m_starting = true;
    while (!m_pending.empty() && m_pending.top().flow.start <= Simulator::Now())
    {
        const Pending pending = m_pending.top();
        m_pending.pop();
        if (pending.source != NONE)
        {
            Draw(pending.source);
        }
        Start(pending);
    }
    m_starting = false;
    Arm();
}

uint32_t
RdmaFlowHelper::NextChoice(uint32_t source, uint32_t destination)
{
    const FabricTopology& topology = m_fabric.GetTopology();
    auto ports = [&topology](uint32_t host) {
        return topology.GetLinksOf(topology.GetHosts()[host]).size();
    };
    // Counted for each pair: by source alone, destinations that take turns would each keep a way.
    return ports(source) * ports(destination) > 1 ? m_choices[{source, destination}]++ : 0;
}

RdmaFlowResult
RdmaFlowHelper::Describe(const Pending& pending) const
{
    RdmaFlowResult result;
    result.index = pending.index;
    result.flow = pending.flow;
    result.sourceNode = m_fabric.GetTopology().GetHosts()[pending.flow.source];
    result.destinationNode = m_fabric.GetTopology().GetHosts()[pending.flow.destination];
    return result;
}

void
RdmaFlowHelper::Start(const Pending& pending)
{
    m_firstStart = m_started ? m_firstStart : Simulator::Now();
    ++m_started;
    for (const auto& listener : m_startListeners)
    {
        listener();
    }
    const RdmaFlow& flow = pending.flow;
    auto active = std::make_unique<Active>();
    active->result = Describe(pending);
    active->result.ordinal = m_ordinals[flow.source]++;
    Fabric::QueuePairOptions options = m_groups[pending.group];
    options.choice = NextChoice(flow.source, flow.destination);
    options.attributes.emplace_back("TrafficClass", Create<UintegerValue>(flow.trafficClass));
    if (flow.window && !m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "Window"))
    {
        options.attributes.emplace_back("Window", Create<UintegerValue>(flow.window));
    }
    try
    {
        active->connection = m_fabric.Connect(flow.source, flow.destination, options);
    }
    catch (const FabricError&)
    {
        // A link has failed since the flow was added, and there is no other way.
        active->result.status = RdmaStatus::RETRY_EXCEEDED;
        m_failedFlows.push_back({active->result, "there was no way when it started"});
        End(active->result);
        return;
    }
    AssignStreamsOf(active->connection, pending.index);
    const RdmaConnection& connection = active->connection.source->GetConnection();
    IdealFct::Framing framing;
    framing.mtu = connection.mtu;
    framing.ackInterval = connection.ackInterval;
    framing.tagged = connection.data.tagged;
    const IdealFct ideal =
        m_fabric.GetIdeal(flow.source, flow.destination, active->connection.ports, framing);
    active->result.ideal = TimeStep(ideal.Completion(flow.verb, flow.bytes));

    uint32_t slot;
    if (m_freeSlots.empty())
    {
        slot = static_cast<uint32_t>(m_active.size());
        m_active.emplace_back();
    }
    else
    {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    const Fabric::Connection ends = active->connection;
    m_active[slot] = std::move(active);
    ends.source->SetCompletionCallback(MakeCallback(&RdmaFlowHelper::Completed, this).Bind(slot));
    ends.destination->PostReceive();
    RdmaWorkRequest request;
    request.verb = flow.verb;
    request.bytes = flow.bytes;
    ends.source->Post(request);
}

void
RdmaFlowHelper::Completed(uint32_t slot, const RdmaCompletion& completion)
{
    const std::unique_ptr<Active> active = std::move(m_active[slot]);
    if (!active)
    {
        return; // the close of a queue pair that has failed
    }
    m_freeSlots.push_back(slot);
    active->result.status = completion.status;
    active->result.fct = completion.completed - completion.posted;
    const RdmaFlow& flow = active->result.flow;
    if (completion.status != RdmaStatus::SUCCESS)
    {
        m_failedFlows.push_back(
            {active->result,
             ToString(completion.status) + std::string("; ") +
                 FlowDiagnosis(m_fabric).GetReason(flow.verb, active->connection)});
    }
    m_fabric.GetRdma(flow.source)->DestroyQueuePair(active->connection.source);
    m_fabric.GetRdma(flow.destination)->DestroyQueuePair(active->connection.destination);
    End(active->result);
}

void
RdmaFlowHelper::End(const RdmaFlowResult& result)
{
    ++(result.status == RdmaStatus::SUCCESS ? m_completed : m_failed);
    m_lastEnd = Simulator::Now();
    for (const auto& listener : m_listeners)
    {
        listener(result);
    }
    OtherEnded();
}

// ---- other traffic

void
RdmaFlowHelper::WaitFor(const OtherTraffic& other)
{
    m_others.push_back(&other);
}

void
RdmaFlowHelper::Forget(const OtherTraffic& other)
{
    m_others.erase(std::remove(m_others.begin(), m_others.end(), &other), m_others.end());
}

bool
RdmaFlowHelper::AreOthersDone() const
{
    return std::all_of(m_others.begin(), m_others.end(), [](const OtherTraffic* other) {
        return other->IsDone();
    });
}

void
RdmaFlowHelper::OtherEnded()
{
    if (m_stopWhenDone && IsOver())
    {
        Simulator::Stop();
    }
}

// ---- results

Time
RdmaFlowHelper::GetFirstStart() const
{
    return m_started ? m_firstStart : Simulator::Now();
}

std::vector<RdmaFlow>
RdmaFlowHelper::GetPending() const
{
    std::vector<RdmaFlow> flows;
    for (auto left = m_pending; !left.empty(); left.pop())
    {
        flows.push_back(left.top().flow);
    }
    return flows;
}

std::vector<std::pair<RdmaFlow, Fabric::Connection>>
RdmaFlowHelper::GetActive() const
{
    std::vector<const Active*> running;
    for (const auto& active : m_active)
    {
        if (active)
        {
            running.push_back(active.get());
        }
    }
    std::sort(running.begin(), running.end(), [](const Active* one, const Active* other) {
        return one->result.index < other->result.index;
    });
    std::vector<std::pair<RdmaFlow, Fabric::Connection>> flows;
    for (const Active* active : running)
    {
        flows.emplace_back(active->result.flow, active->connection);
    }
    return flows;
}

Time
RdmaFlowHelper::GetNextActivity() const
{
    const Time now = Simulator::Now();
    if (m_completed + m_failed != m_started || m_notDrawn != 0 || IsOver())
    {
        return now;
    }
    Time next = m_pending.empty() ? Time::Max() : m_pending.top().flow.start;
    for (const OtherTraffic* other : m_others)
    {
        next = other->IsDone() ? next : std::min(next, other->GetNextActivity());
    }
    return next;
}

void
RdmaFlowHelper::ForEachOpen(
    const std::function<void(const RdmaFlowResult&, const Fabric::Connection*)>& look) const
{
    for (const auto& active : m_active)
    {
        if (active)
        {
            look(active->result, &active->connection);
        }
    }
    for (auto pending = m_pending; !pending.empty(); pending.pop())
    {
        look(Describe(pending.top()), nullptr);
    }
}

void
RdmaFlowHelper::OnStart(std::function<void()> listener)
{
    m_startListeners.push_back(std::move(listener));
}

void
RdmaFlowHelper::OnEnd(std::function<void(const RdmaFlowResult&)> listener)
{
    m_listeners.push_back(std::move(listener));
}

void
RdmaFlowHelper::StopWhenDone(bool stop)
{
    m_stopWhenDone = stop;
}

} // namespace ns3

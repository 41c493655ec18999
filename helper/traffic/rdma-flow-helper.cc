// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-flow-helper.h"

#include "flow-diagnosis.h"
#include "loss-check.h"
#include "start-hint.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-warning.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaFlowHelper");

namespace
{

constexpr int64_t STREAMS = 1000; //!< that AssignStreams() sets aside

/// @param sources number of Poisson workloads @return streams of these and of the permutations
int64_t
StreamsOf(std::size_t sources)
{
    return 1 + PoissonArrivals::STREAMS * static_cast<int64_t>(sources);
}

} // namespace

RdmaFlowHelper::RdmaFlowHelper(const Fabric& fabric, Time begin)
    : RdmaFlowSettings(fabric),
      m_begin(begin),
      m_running(
          fabric,
          [this](const RdmaFlowResult& result, const std::string& reason) { End(result, reason); }),
      m_permutation(CreateObject<UniformRandomVariable>())
{
}

RdmaFlowHelper::~RdmaFlowHelper()
{
    m_next.Cancel();
    for (Source& source : m_sources)
    {
        source.begin.Cancel();
    }
}

// ---- adding

void
RdmaFlowHelper::RequireHost(HostId host) const
{
    m_fabric.GetHost(host);
}

Time
RdmaFlowHelper::InSimulation(Time start) const
{
    const Time now = Simulator::Now() - m_begin;
    if (start < now)
    {
        char ns[48]; // a difference of times may be none that there is
        std::snprintf(ns, sizeof(ns), "%.9g", (now.GetSeconds() - start.GetSeconds()) * 1e9);
        throw FabricError(std::string("a flow starts ") + ns + " ns before the time now",
                          m_begin.IsZero() && !start.IsStrictlyNegative()
                              ? "its start counts from the begin of the simulation; another one "
                                "begins when this one is destroyed"
                              : StartHint("its start", start));
    }
    if (start > Time::Max() - m_begin)
    {
        throw FabricError("a flow starts after the last time that there is",
                          "its start counts from the begin of the run");
    }
    return start + m_begin;
}

RdmaFlow
RdmaFlowHelper::Check(const RdmaFlow& asked) const
{
    RequireOpen("a flow");
    RdmaFlow flow = asked;
    RequireHost(flow.source);
    RequireHost(flow.destination);
    if (flow.trafficClass >= TRAFFIC_CLASSES)
    {
        throw FabricError("class " + std::to_string(flow.trafficClass), "classes are 0 to 7");
    }
    const FabricOptions& options = m_fabric.GetOptions();
    if (!options.IsEmpty() && options.Has(RdmaQueuePair::GetTypeId(), "TrafficClass"))
    {
        flow.trafficClass = GetTemplate().trafficClass; // as for workloads, the option wins
    }
    if (flow.bytes > uint64_t{1} << 40)
    {
        throw FabricError("a flow of " + std::to_string(flow.bytes) + " bytes",
                          "a message has at most 2^40 bytes");
    }
    flow.start = InSimulation(flow.start);
    RequireLabel(flow.label);
    const std::size_t ways = m_fabric.GetPortPairs(flow.source, flow.destination).size();
    if (flow.way && *flow.way >= ways)
    {
        throw FabricError("a flow takes way " + std::to_string(*flow.way),
                          "its hosts have 0 to " + std::to_string(ways - 1));
    }
    return flow;
}

uint64_t
RdmaFlowHelper::Add(const RdmaFlow& asked)
{
    const RdmaFlow flow = Check(asked);
    const uint32_t group = Group(flow);
    NoteSender(flow.DataSource(), flow.trafficClass);
    return Push(flow, NONE, group);
}

uint64_t
RdmaFlowHelper::Push(const RdmaFlow& flow, uint32_t source, uint32_t group)
{
    const uint64_t index = m_added++;
    m_latestStart = std::max(m_latestStart, flow.start);
    m_pending.push({flow, index, group, source});
    if (!m_starting && m_pending.top().index == index)
    {
        Arm();
    }
    return index;
}

// ---- workloads

void
RdmaFlowHelper::Poisson(const std::string& workload, double load, Time duration, Time start)
{
    Poisson(FlowSizeDistribution::Load(workload), load, duration, start);
}

void
RdmaFlowHelper::Poisson(const FlowSizeDistribution& workload,
                        double load,
                        Time duration,
                        Time start)
{
    RequireOpen("a workload");
    start = InSimulation(start);
    m_fabric.FollowLinks();
    PoissonArrivals arrivals(workload, load, m_fabric.GetTopology(), start, duration);
    if (m_streams && StreamsOf(m_sources.size() + 1) > m_streams)
    {
        throw FabricError("no random streams are left for one more workload",
                          "assign streams after adding the workloads");
    }
    const auto index = static_cast<uint32_t>(m_sources.size());
    const uint32_t group = Group(GetTemplate());
    m_sources.push_back({std::move(arrivals), GetTemplate(), group, EventId()});
    for (const HostId host : m_fabric.Hosts())
    {
        NoteSender(host, GetTemplate().trafficClass);
    }
    if (m_streams)
    {
        AssignStreamsOf(index);
    }
    // The first draw waits for the start, so that AssignStreams() may still come.
    m_sources.back().begin =
        Simulator::Schedule(start - Simulator::Now(), &RdmaFlowHelper::Draw, this, index);
    ++m_notDrawn;
}

void
RdmaFlowHelper::Draw(uint32_t index)
{
    Source& source = m_sources[index];
    const bool isFirst = !source.arrivals.HasBegun();
    m_notDrawn -= isFirst ? 1 : 0;
    if (const auto arrival = source.arrivals.Next())
    {
        RdmaFlow flow = source.flow;
        flow.start = arrival->start;
        flow.bytes = arrival->bytes;
        flow.source = arrival->source;
        flow.destination = arrival->destination;
        Push(flow, index, source.group);
    }
}

void
RdmaFlowHelper::Incast(uint32_t senders,
                       HostId receiver,
                       uint64_t bytes,
                       Time start,
                       uint32_t repeats,
                       Time interval)
{
    RequireHost(receiver);
    const uint32_t others = m_fabric.GetNHosts() - 1;
    if (senders == 0 || senders > others)
    {
        throw FabricError("an incast of " + std::to_string(senders) + " senders",
                          "there can be 1 to " + std::to_string(others));
    }
    if (repeats == 0)
    {
        throw FabricError("an incast that is repeated 0 times", "it must be 1 time or more");
    }
    if (interval.IsStrictlyNegative() || (repeats > 1 && interval.IsZero()))
    {
        throw FabricError(std::to_string(repeats) + " incasts, " +
                              std::to_string(interval.GetNanoSeconds()) + " ns one after the other",
                          "the interval must be above 0");
    }
    if (repeats > 1 &&
        interval.GetTimeStep() > (Time::Max() - m_begin - start).GetTimeStep() / (repeats - 1))
    {
        throw FabricError("the last of " + std::to_string(repeats) +
                              " incasts is after the last time that there is",
                          "shorten the interval");
    }
    RdmaFlow flow = GetTemplate();
    flow.bytes = bytes;
    const bool isRead = flow.verb == RdmaVerb::READ; // data goes to the host that asks
    for (uint32_t repeat = 0; repeat < repeats; ++repeat)
    {
        flow.start = start + repeat * interval;
        for (uint64_t i = 0; i < senders; ++i)
        {
            const auto distance = static_cast<uint32_t>(1 + i * others / senders);
            const HostId sender((receiver.Value() + distance) % (others + 1));
            flow.source = isRead ? receiver : sender;
            flow.destination = isRead ? sender : receiver;
            Add(flow);
        }
    }
}

void
RdmaFlowHelper::Permutation(uint64_t bytes, Time start)
{
    if (m_fabric.GetNHosts() < 2)
    {
        throw FabricError("a permutation of one host", "it needs two hosts or more");
    }
    const std::vector<uint32_t> order = DrawPermutation();
    m_permutations.push_back(m_added);
    RdmaFlow flow = GetTemplate();
    flow.bytes = bytes;
    flow.start = start;
    for (uint32_t i = 0; i < order.size(); ++i)
    {
        flow.source = i;
        flow.destination = order[i];
        Add(flow);
    }
}

void
RdmaFlowHelper::AllToAll(uint64_t bytes, Time start)
{
    RdmaFlow flow = GetTemplate();
    flow.bytes = bytes;
    flow.start = start;
    const uint32_t hosts = m_fabric.GetNHosts();
    if (hosts < 2)
    {
        throw FabricError("an all-to-all of one host", "it needs two hosts or more");
    }
    // In rounds: in each, every host has another destination.
    for (uint32_t round = 1; round < hosts; ++round)
    {
        for (uint32_t i = 0; i < hosts; ++i)
        {
            flow.source = i;
            flow.destination = (i + round) % hosts;
            Add(flow);
        }
    }
}

double
RdmaFlowHelper::GetExpectedFlows() const
{
    auto flows = static_cast<double>(m_added);
    for (const Source& source : m_sources)
    {
        flows += source.arrivals.GetExpected();
    }
    return flows;
}

int64_t
RdmaFlowHelper::AssignStreams(int64_t stream)
{
    for (const Source& source : m_sources)
    {
        if (source.arrivals.HasBegun())
        {
            throw FabricError("streams are assigned after the start of a workload",
                              "assign them before the simulation runs");
        }
    }
    m_stream = stream;
    m_streams = std::max(STREAMS, StreamsOf(m_sources.size()));
    m_permutation->SetStream(stream);
    m_running.AssignStreams(stream + m_streams);
    RedrawPermutations();
    for (uint32_t source = 0; source < m_sources.size(); ++source)
    {
        AssignStreamsOf(source);
    }
    return m_streams + RunningFlows::STREAMS;
}

void
RdmaFlowHelper::AssignStreamsOf(uint32_t index)
{
    m_sources[index].arrivals.AssignStreams(m_stream + StreamsOf(index));
}

std::vector<uint32_t>
RdmaFlowHelper::DrawPermutation()
{
    // Sattolo's shuffle gives one cycle through all hosts: nobody sends to itself.
    std::vector<uint32_t> order(m_fabric.GetNHosts());
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = static_cast<uint32_t>(order.size()) - 1; i > 0; --i)
    {
        std::swap(order[i], order[m_permutation->GetInteger(0, i - 1)]);
    }
    return order;
}

void
RdmaFlowHelper::RedrawPermutations()
{
    std::map<uint64_t, uint32_t> destinations; // by number of the flow
    for (const uint64_t first : m_permutations)
    {
        const std::vector<uint32_t> order = DrawPermutation();
        for (uint32_t i = 0; i < order.size(); ++i)
        {
            m_fabric.GetPortPairs(i, order[i]);
            destinations[first + i] = order[i];
        }
    }
    std::priority_queue<Pending> redrawn;
    for (std::priority_queue<Pending> old = m_pending; !old.empty(); old.pop())
    {
        Pending pending = old.top();
        const auto destination = destinations.find(pending.index);
        if (destination != destinations.end())
        {
            pending.flow.destination = destination->second;
            destinations.erase(destination);
        }
        redrawn.push(pending);
    }
    if (!destinations.empty())
    {
        throw FabricError("streams are assigned after the start of a permutation",
                          "assign them before the simulation runs");
    }
    m_pending = std::move(redrawn);
}

// ---- running

void
RdmaFlowHelper::Arm()
{
    m_next.Cancel();
    if (!m_pending.empty())
    {
        m_next = Simulator::Schedule(m_pending.top().flow.start - Simulator::Now(),
                                     m_startLast ? &RdmaFlowHelper::StartDueLast
                                                 : &RdmaFlowHelper::StartDue,
                                     this);
    }
}

void
RdmaFlowHelper::StartLast()
{
    m_startLast = true;
    Arm();
}

void
RdmaFlowHelper::StartDueLast()
{
    m_next = Simulator::ScheduleNow(&RdmaFlowHelper::StartDue, this);
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

void
RdmaFlowHelper::Start(const Pending& pending)
{
    m_firstStart = m_started ? m_firstStart : Simulator::Now();
    ++m_started;
    m_startedBytes += pending.flow.bytes;
    for (const auto& listener : m_startListeners)
    {
        listener();
    }
    const RdmaFlowResult described = m_running.Describe(pending.index, pending.flow);
    if (!FabricRanks::HasNode(*m_fabric.GetNode(described.sourceNode)))
    {
        m_running.StartElsewhere(described, OptionsOf(pending.group, pending.flow));
        return;
    }
    TellStarted(ToItem(described, TrafficItem::RUNNING));
    m_running.Start(described, OptionsOf(pending.group, pending.flow));
}

bool
RdmaFlowHelper::IsDividable() const
{
    return true;
}

void
RdmaFlowHelper::ForEachControl(const Controls& visit) const
{
    ForEachControlOfFlows(visit);
}

void
RdmaFlowHelper::End(const RdmaFlowResult& result, const std::string& reason)
{
    if (FabricRanks::IsOn())
    {
        m_ranked.push_back({result, true, Simulator::Now().GetTimeStep(), reason});
        return;
    }
    Report(result, reason, Simulator::Now());
}

uint64_t
RdmaFlowHelper::CountOpenHere() const
{
    return m_running.GetN() + (m_pending.empty() && m_notDrawn == 0 ? 0 : 1);
}

std::vector<RdmaFlowHelper::RankedFlow>
RdmaFlowHelper::TakeRankedFlows()
{
    std::vector<RankedFlow> flows = std::exchange(m_ranked, {});
    const FlowDiagnosis diagnosis(m_fabric);
    for (const auto& [result, connection] : m_running.TakeAll())
    {
        flows.push_back({result, false, 0, diagnosis.GetReason(result.flow.verb, connection)});
    }
    return flows;
}

void
RdmaFlowHelper::AddRankedFlow(const RankedFlow& flow)
{
    if (flow.hasEnded)
    {
        Report(flow.result, flow.reason, TimeStep(flow.end));
    }
    else
    {
        m_openElsewhere.push_back(flow);
    }
}

void
RdmaFlowHelper::Report(const RdmaFlowResult& result, const std::string& reason, Time end)
{
    NS_LOG_LOGIC("flow " << result.index << " from host " << result.flow.source << " to host "
                         << result.flow.destination << ": " << ToString(result.status));
    const bool success = result.status == RdmaStatus::SUCCESS;
    if (!success)
    {
        m_failedFlows.push_back({result, reason});
    }
    ++(success ? m_completed : m_failed);
    m_lastEnd = std::max(m_lastEnd, end);
    for (const auto& listener : m_listeners)
    {
        listener(result);
    }
    TrafficItem item = ToItem(result, success ? TrafficItem::COMPLETED : TrafficItem::FAILED);
    item.end = end;
    TellEnded(item);
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
    return m_running.GetAll();
}

void
RdmaFlowHelper::ForEachOpen(
    const std::function<void(const RdmaFlowResult&, const Fabric::Connection*)>& look) const
{
    m_running.ForEach([&look](const RdmaFlowResult& result, const Fabric::Connection& connection) {
        look(result, &connection);
    });
    for (auto pending = m_pending; !pending.empty(); pending.pop())
    {
        look(m_running.Describe(pending.top().index, pending.top().flow), nullptr);
    }
}

void
RdmaFlowHelper::RequireSettable() const
{
    RequireOpen("a setting of flows");
}

void
RdmaFlowHelper::OnStart(std::function<void()> listener)
{
    RequireOpen("a listener");
    m_startListeners.push_back(std::move(listener));
}

void
RdmaFlowHelper::OnEnd(std::function<void(const RdmaFlowResult&)> listener)
{
    RequireOpen("a listener");
    m_listeners.push_back(std::move(listener));
}

// ---- TrafficSource

void
RdmaFlowHelper::Stop()
{
    NS_LOG_FUNCTION(this);
    m_next.Remove();
    m_pending = {};
    for (Source& source : m_sources)
    {
        source.begin.Remove();
    }
    m_running.Stop();
}

std::string
RdmaFlowHelper::GetName() const
{
    return "rdma";
}

TrafficSource::Counts
RdmaFlowHelper::GetCounts() const
{
    return {GetExpectedFlows(), m_added, m_started, m_completed, m_failed};
}

bool
RdmaFlowHelper::IsAwaited() const
{
    return !IsDone();
}

Time
RdmaFlowHelper::GetNextActivity() const
{
    if (m_completed + m_failed != m_started || m_notDrawn != 0)
    {
        return Simulator::Now();
    }
    return m_pending.empty() ? Time::Max() : m_pending.top().flow.start;
}

bool
RdmaFlowHelper::MayActByItself() const
{
    return m_running.MayActByThemselves();
}

uint64_t
RdmaFlowHelper::CountFrom(Time time) const
{
    uint64_t count = 0;
    for (const Source& source : m_sources)
    {
        count += !source.arrivals.HasBegun() && TimeStep(source.begin.GetTs()) >= time;
    }
    if (m_latestStart >= time)
    {
        for (auto left = m_pending; !left.empty(); left.pop())
        {
            // The next arrival of a workload is of a workload that has begun.
            count += left.top().source == NONE && left.top().flow.start >= time;
        }
    }
    return count;
}

TrafficItem
RdmaFlowHelper::ToItem(const RdmaFlowResult& result, TrafficItem::State state)
{
    TrafficItem item;
    item.id = result.index;
    item.source = result.flow.source;
    item.destination = result.flow.destination;
    item.bytes = result.flow.bytes;
    item.trafficClass = result.flow.trafficClass;
    item.start = result.flow.start;
    item.state = state;
    return item;
}

void
RdmaFlowHelper::ForEachUnfinished(const Unfinished& tell) const
{
    std::map<uint64_t, std::pair<TrafficItem, std::string>> all; // by number
    const FlowDiagnosis diagnosis(m_fabric);
    ForEachOpen([&](const RdmaFlowResult& result, const Fabric::Connection* connection) {
        if (connection)
        {
            all[result.index] = {ToItem(result, TrafficItem::RUNNING),
                                 diagnosis.GetReason(result.flow.verb, *connection)};
            return;
        }
        char text[64];
        std::snprintf(text,
                      sizeof(text),
                      "starts at %.6f ms",
                      result.flow.start.GetSeconds() * 1e3);
        all[result.index] = {ToItem(result, TrafficItem::NOT_STARTED), text};
    });
    for (const RankedFlow& flow : m_openElsewhere)
    {
        all[flow.result.index] = {ToItem(flow.result, TrafficItem::RUNNING), flow.reason};
    }
    for (const FailedFlow& failed : m_failedFlows)
    {
        all[failed.result.index] = {ToItem(failed.result, TrafficItem::FAILED), failed.reason};
    }
    for (const auto& [index, item] : all)
    {
        tell(item.first, item.second);
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-ping-mesh.h"

#include "has-way.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/log.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaPingMesh");

namespace
{

/// Probes that a pair may miss before it counts as unreachable.
constexpr int64_t MISSED_INTERVALS = 10;

/// Between two probes of a pair, unless somebody says otherwise, microseconds.
constexpr int64_t USUAL_INTERVAL_US = 100;

/// @param what a time must be more than 0 @param value the time
void
RequirePositive(const std::string& what, Time value)
{
    if (value <= Time(0))
    {
        throw FabricError("the " + what + " of the ping mesh is " + ExactText(value),
                          "it must be more than 0");
    }
}

} // namespace

RdmaPingMesh::RdmaPingMesh(const Fabric& fabric)
    : m_fabric(fabric),
      m_interval(MicroSeconds(USUAL_INTERVAL_US))
{
    m_options.congestion.SetTypeId(RdmaFixedRate::GetTypeId());
}

RdmaPingMesh::~RdmaPingMesh()
{
    for (EventId& next : m_next)
    {
        next.Cancel();
    }
}

void
RdmaPingMesh::RequireNotRunning(const char* what) const
{
    RequireOpen(what);
    if (m_running)
    {
        throw FabricError(std::string(what) + " of a ping mesh that runs would have no effect",
                          "set it before");
    }
}

void
RdmaPingMesh::RequireNotOver(const char* what) const
{
    RequireOpen(what);
    if (m_running && Simulator::Now() >= m_end)
    {
        throw FabricError(std::string(what) + " of a ping mesh that is over would have no effect",
                          "set it before its end, " + ExactText(m_end - m_origin));
    }
}

void
RdmaPingMesh::SetBytes(uint64_t bytes)
{
    RequireNotOver("the length of the probes");
    if (bytes > uint64_t{1} << 40)
    {
        throw FabricError("pings of " + std::to_string(bytes) + " bytes",
                          "a message has at most 2^40");
    }
    m_bytes = bytes;
}

void
RdmaPingMesh::SetInterval(Time interval)
{
    RequireNotOver("the interval of the probes");
    RequirePositive("interval", interval);
    m_interval = interval;
    for (uint32_t host = 0; host < m_next.size(); ++host)
    {
        if (!m_next[host].IsExpired())
        {
            m_next[host].Cancel();
            PlanProbe(host);
        }
    }
}

void
RdmaPingMesh::SetQueuePair(const std::string& name, const AttributeValue& value)
{
    RequireNotRunning("an attribute of the queue pairs");
    if (name == "CongestionControl")
    {
        throw FabricError("CongestionControl of the queue pairs of a ping mesh",
                          "its probes have none; leave it out");
    }
    m_options.attributes.emplace_back(
        name,
        FabricAttributes::Check(RdmaQueuePair::GetTypeId(), name, value));
}

void
RdmaPingMesh::SetSample(uint32_t targets, int64_t stream)
{
    RequireNotRunning("the number of targets");
    if (targets == 0 || targets >= m_fabric.GetNHosts())
    {
        throw FabricError("each host is to probe " + std::to_string(targets) + " others",
                          "1 to " + std::to_string(m_fabric.GetNHosts() - 1) + " are possible");
    }
    m_targets = targets;
    m_stream = stream;
}

void
RdmaPingMesh::OnProbe(std::function<void(const Outcome&)> listener)
{
    RequireOpen("a listener");
    m_listeners.push_back(std::move(listener));
}

void
RdmaPingMesh::Run(Time begin, Time end)
{
    NS_LOG_FUNCTION(this << begin << end);
    RequireOpen("probes");
    if (m_running)
    {
        throw FabricError("the ping mesh runs already", "make another one");
    }
    if (m_fabric.GetNHosts() < 2)
    {
        throw FabricError("a ping mesh of one host", "at least two are needed");
    }
    if (m_origin + begin < Simulator::Now() || end <= begin)
    {
        throw FabricError("the ping mesh is to run from " + ExactText(begin) + " to " +
                              ExactText(end),
                          "the begin must not be past, and the end after it");
    }
    Plan(m_fabric);
    m_running = true;
    m_begin = m_origin + begin;
    m_end = m_origin + end;
    MakePairs();
    m_next.resize(m_fabric.GetNHosts());
    m_probed.resize(m_fabric.GetNHosts(), Time(-1));
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        PlanProbe(host);
    }
}

void
RdmaPingMesh::PlanProbe(HostId host)
{
    // Hosts take turns within the interval, so that the probes are no incast of their own.
    const uint64_t turn =
        static_cast<uint64_t>(m_interval.GetTimeStep()) * host.Value() / m_fabric.GetNHosts();
    const Time probed = m_probed[host.Value()];
    const Time at = probed.IsStrictlyNegative() ? m_begin + TimeStep(turn) : probed + m_interval;
    m_next[host.Value()] = Simulator::Schedule(std::max(at - Simulator::Now(), Time(0)),
                                               &RdmaPingMesh::Probe,
                                               this,
                                               host);
}

void
RdmaPingMesh::MakePairs()
{
    const uint32_t hosts = m_fabric.GetNHosts();
    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(m_stream);
    m_ofHost.resize(hosts);
    for (uint32_t source = 0; source < hosts; ++source)
    {
        std::vector<uint32_t> others(hosts);
        std::iota(others.begin(), others.end(), 0);
        others.erase(others.begin() + source);
        const auto wanted = static_cast<uint32_t>(m_targets ? m_targets : others.size());
        for (uint32_t i = 0; i < wanted && m_targets; ++i)
        {
            const auto last = static_cast<uint32_t>(others.size() - 1);
            std::swap(others[i], others[draw->GetInteger(i, last)]);
        }
        for (uint32_t i = 0; i < wanted; ++i)
        {
            m_ofHost[source].push_back(static_cast<uint32_t>(m_pairs.size()));
            Pair pair;
            pair.source = source;
            pair.destination = others[i];
            m_pairs.push_back(pair);
        }
    }
    m_connections.resize(m_pairs.size());
    m_lives.resize(m_pairs.size());
}

// ---- probes

void
RdmaPingMesh::Probe(HostId host)
{
    const bool isOver = Simulator::Now() >= m_end;
    for (const uint32_t index : m_ofHost[host.Value()])
    {
        if (m_pairs[index].waiting)
        {
            continue;
        }
        if (isOver)
        {
            Disconnect(index);
        }
        else
        {
            Send(index);
        }
    }
    if (!isOver)
    {
        m_probed[host.Value()] = Simulator::Now();
        PlanProbe(host);
    }
}

void
RdmaPingMesh::Send(uint32_t index)
{
    Pair& pair = m_pairs[index];
    ++pair.sent;
    pair.since = Simulator::Now();
    TellStarted(ToItem(index, TrafficItem::RUNNING));
    if (!m_connections[index].source)
    {
        Connect(index);
    }
    if (!m_connections[index].source)
    {
        End(index, NO_ROUTE, pair.since);
        return;
    }
    pair.waiting = true;
    RdmaWorkRequest request;
    request.verb = RdmaVerb::WRITE;
    request.bytes = m_bytes;
    m_connections[index].source->Post(request);
}

void
RdmaPingMesh::Connect(uint32_t index)
{
    const Pair& pair = m_pairs[index];
    try
    {
        m_connections[index] = m_fabric.Connect(pair.source, pair.destination, m_options);
    }
    catch (const FabricError&)
    {
        if (HasWay(m_fabric, pair.source, pair.destination))
        {
            throw; // a mistake, of which the results would say nothing
        }
        return;
    }
    const uint32_t life = ++m_lives[index];
    m_connections[index].source->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
        m_guard.Wrap([this, index, life](const RdmaCompletion& completion) {
            FabricSimulatorImpl::Serially(m_guard.Wrap(
                [this, index, life, completion] { Completed(index, life, completion); }));
        })));
}

void
RdmaPingMesh::Disconnect(uint32_t index)
{
    Fabric::Connection& connection = m_connections[index];
    if (connection.source)
    {
        ++m_lives[index];
        m_fabric.GetRdma(m_pairs[index].source)->DestroyQueuePair(connection.source);
        m_fabric.GetRdma(m_pairs[index].destination)->DestroyQueuePair(connection.destination);
        connection = Fabric::Connection();
    }
}

void
RdmaPingMesh::Completed(uint32_t index, uint32_t life, const RdmaCompletion& completion)
{
    if (life != m_lives[index])
    {
        return;
    }
    m_pairs[index].waiting = false;
    const bool isOk = completion.status == RdmaStatus::SUCCESS;
    if (!isOk || Simulator::Now() >= m_end)
    {
        Disconnect(index);
    }
    End(index,
        isOk                                              ? OK
        : completion.status == RdmaStatus::RETRY_EXCEEDED ? RETRY_EXCEEDED
                                                          : OTHER,
        completion.posted);
}

void
RdmaPingMesh::End(uint32_t index, Result result, Time posted)
{
    Pair& pair = m_pairs[index];
    ++pair.results[result];
    ++m_totals[result];
    pair.last = result;
    const Outcome outcome{pair.source, pair.destination, result, posted, Simulator::Now()};
    for (const auto& listener : m_listeners)
    {
        listener(outcome);
    }
    TellEnded(ToItem(index, result == OK ? TrafficItem::COMPLETED : TrafficItem::FAILED));
}

// ---- results

std::vector<RdmaPingMesh::Pair>
RdmaPingMesh::GetUnreachable() const
{
    std::vector<Pair> unreachable;
    const Time limit = TimeStep(static_cast<uint64_t>(MISSED_INTERVALS * m_interval.GetTimeStep()));
    for (const Pair& pair : m_pairs)
    {
        const bool isLate = pair.waiting && Simulator::Now() - pair.since > limit;
        if (pair.last != OK || isLate)
        {
            unreachable.push_back(pair);
        }
    }
    return unreachable;
}

const char*
RdmaPingMesh::ToString(Result result)
{
    static const char* names[RESULTS] = {"ok", "retry-exceeded", "no-route", "other"};
    return names[result];
}

// ---- TrafficSource

void
RdmaPingMesh::SetBegin(Time begin)
{
    m_origin = begin;
}

void
RdmaPingMesh::Stop()
{
    m_end = Simulator::Now();
    for (EventId& next : m_next)
    {
        next.Remove();
    }
    for (uint32_t index = 0; index < m_pairs.size(); ++index)
    {
        Disconnect(index);
        m_pairs[index].waiting = false;
    }
}

bool
RdmaPingMesh::IsDividable() const
{
    return true;
}

void
RdmaPingMesh::ForEachControl(const Controls& visit) const
{
    visit(m_options.congestion);
}

std::string
RdmaPingMesh::GetName() const
{
    return "ping";
}

TrafficItem
RdmaPingMesh::ToItem(uint32_t index, TrafficItem::State state) const
{
    const Pair& pair = m_pairs[index];
    TrafficItem item;
    item.id = index;
    item.source = pair.source;
    item.destination = pair.destination;
    item.bytes = m_bytes;
    item.start = pair.since;
    item.end = state == TrafficItem::RUNNING ? Time(0) : Simulator::Now();
    item.state = state;
    return item;
}

TrafficSource::Counts
RdmaPingMesh::GetCounts() const
{
    Counts counts;
    for (const Pair& pair : m_pairs)
    {
        counts.added += pair.sent;
    }
    counts.expected = static_cast<double>(counts.added);
    counts.started = counts.added;
    counts.completed = m_totals[OK];
    counts.failed = m_totals[RETRY_EXCEEDED] + m_totals[NO_ROUTE] + m_totals[OTHER];
    return counts;
}

bool
RdmaPingMesh::IsAwaited() const
{
    return m_running && (Simulator::Now() < m_end ||
                         std::any_of(m_pairs.begin(), m_pairs.end(), [](const Pair& pair) {
                             return pair.waiting;
                         }));
}

Time
RdmaPingMesh::GetNextActivity() const
{
    return IsAwaited() ? std::max(m_begin, Simulator::Now()) : Time::Max();
}

Time
RdmaPingMesh::GetFirstStart() const
{
    return m_running ? std::min(m_begin, Simulator::Now()) : Simulator::Now();
}

void
RdmaPingMesh::ForEachUnfinished(const Unfinished& tell) const
{
    for (uint32_t index = 0; index < m_pairs.size(); ++index)
    {
        if (m_pairs[index].waiting)
        {
            tell(ToItem(index, TrafficItem::RUNNING), "no answer yet");
        }
    }
}

} // namespace ns3

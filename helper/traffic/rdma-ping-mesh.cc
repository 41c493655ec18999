// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-ping-mesh.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace ns3
{

namespace
{

/// Probes that a pair may miss before it counts as unreachable.
constexpr int64_t MISSED_INTERVALS = 10;

/// @param what a time must be more than 0 @param value the time
void
RequirePositive(const std::string& what, Time value)
{
    if (value <= Time(0))
    {
        throw FabricError("the " + what + " of the ping mesh is " +
                              std::to_string(value.GetSeconds()) + " s",
                          "it must be more than 0");
    }
}

} // namespace

RdmaPingMesh::RdmaPingMesh(const Fabric& fabric)
    : m_fabric(fabric),
      m_interval(MicroSeconds(100)),
      m_window(MilliSeconds(1))
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
RdmaPingMesh::SetBytes(uint64_t bytes)
{
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
    RequirePositive("interval", interval);
    m_interval = interval;
}

void
RdmaPingMesh::SetWindow(Time window)
{
    RequirePositive("window", window);
    m_window = window;
}

void
RdmaPingMesh::SetQueuePair(const std::string& name, const AttributeValue& value)
{
    m_options.attributes.emplace_back(
        name,
        FabricAttributes::Check(RdmaQueuePair::GetTypeId(), name, value));
}

void
RdmaPingMesh::SetSample(uint32_t targets, int64_t stream)
{
    if (targets == 0 || targets >= m_fabric.GetNHosts())
    {
        throw FabricError("each host is to probe " + std::to_string(targets) + " others",
                          "1 to " + std::to_string(m_fabric.GetNHosts() - 1) + " are possible");
    }
    m_targets = targets;
    m_stream = stream;
}

void
RdmaPingMesh::WriteTo(const std::string& probes, const std::string& windows)
{
    m_probeFile = std::make_unique<ResultFile>(probes);
    m_probeFile->Stream() << "time_ns,src,dst,result,rtt_ns\n";
    m_windowFile = std::make_unique<ResultFile>(windows);
    m_windowFile->Stream() << "start_ns,probes,failed,p50_ns,p99_ns,p999_ns,max_ns\n";
}

void
RdmaPingMesh::Run(Time begin, Time end)
{
    if (m_running)
    {
        throw FabricError("the ping mesh runs already", "make another one");
    }
    if (m_fabric.GetNHosts() < 2)
    {
        throw FabricError("a ping mesh of one host", "at least two are needed");
    }
    if (begin < Simulator::Now() || end <= begin)
    {
        throw FabricError("the ping mesh is to run from " + std::to_string(begin.GetSeconds()) +
                              " s to " + std::to_string(end.GetSeconds()) + " s",
                          "the begin must not be past, and the end after it");
    }
    m_running = true;
    m_begin = begin;
    m_end = end;
    m_open.begin = begin;
    MakePairs();
    const uint32_t hosts = m_fabric.GetNHosts();
    for (uint32_t host = 0; host < hosts; ++host)
    {
        // Hosts take turns within the interval, so that the probes are no incast of their own.
        const Time offset =
            TimeStep(static_cast<uint64_t>(m_interval.GetTimeStep() * host / hosts));
        m_next.push_back(Simulator::Schedule(begin + offset - Simulator::Now(),
                                             &RdmaPingMesh::Probe,
                                             this,
                                             host));
    }
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
RdmaPingMesh::Probe(uint32_t host)
{
    const bool isOver = Simulator::Now() >= m_end;
    for (const uint32_t index : m_ofHost[host])
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
        m_next[host] = Simulator::Schedule(m_interval, &RdmaPingMesh::Probe, this, host);
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
        return; // there is no way now
    }
    const uint32_t life = ++m_lives[index];
    m_connections[index].source->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
        m_guard.Wrap([this, index, life](const RdmaCompletion& completion) {
            Completed(index, life, completion);
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
    RollWindow();
    Pair& pair = m_pairs[index];
    const Time rtt = Simulator::Now() - posted;
    ++pair.results[result];
    ++m_totals[result];
    ++m_open.results[result];
    pair.last = result;
    if (result == OK)
    {
        const double us = rtt.GetSeconds() * 1e6;
        m_all.Add(us);
        m_current.Add(us);
    }
    if (m_probeFile)
    {
        const auto& hosts = m_fabric.GetTopology().GetHosts();
        m_probeFile->Stream() << posted.GetNanoSeconds() << ',' << hosts[pair.source] << ','
                              << hosts[pair.destination] << ',' << ToString(result) << ',';
        if (result == OK)
        {
            m_probeFile->Stream() << rtt.GetNanoSeconds();
        }
        m_probeFile->Stream() << '\n';
    }
    TellEnded(ToItem(index, result == OK ? TrafficItem::COMPLETED : TrafficItem::FAILED));
}

// ---- windows

void
RdmaPingMesh::RollWindow()
{
    const Time now = Simulator::Now();
    if (now >= m_open.begin + m_window)
    {
        CloseWindow();
        const int64_t windows = (now - m_begin).GetTimeStep() / m_window.GetTimeStep();
        m_open = Window();
        m_open.begin = m_begin + TimeStep(static_cast<uint64_t>(windows * m_window.GetTimeStep()));
        m_current = LogHistogram();
    }
}

void
RdmaPingMesh::CloseWindow()
{
    const uint64_t probes =
        std::accumulate(m_open.results.begin(), m_open.results.end(), uint64_t{0});
    if (probes == 0)
    {
        return;
    }
    m_open.p50Us = m_current.Quantile(0.5);
    m_open.p99Us = m_current.Quantile(0.99);
    m_open.p999Us = m_current.Quantile(0.999);
    m_open.maxUs = m_current.Max();
    m_windows.push_back(m_open);
    if (m_windowFile)
    {
        char line[200];
        std::snprintf(line,
                      sizeof(line),
                      "%lld,%llu,%llu,%.0f,%.0f,%.0f,%.0f\n",
                      static_cast<long long>(m_open.begin.GetNanoSeconds()),
                      static_cast<unsigned long long>(probes),
                      static_cast<unsigned long long>(probes - m_open.results[OK]),
                      m_open.p50Us * 1e3,
                      m_open.p99Us * 1e3,
                      m_open.p999Us * 1e3,
                      m_open.maxUs * 1e3);
        m_windowFile->Stream() << line;
    }
}

void
RdmaPingMesh::Finish()
{
    CloseWindow();
    m_open = Window();
    m_open.begin = Simulator::Now();
    m_current = LogHistogram();
    if (m_probeFile)
    {
        m_probeFile->Commit();
        m_windowFile->Commit();
    }
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

std::string
RdmaPingMesh::Summary() const
{
    const uint64_t probes = std::accumulate(m_totals.begin(), m_totals.end(), uint64_t{0});
    char line[240];
    std::snprintf(line,
                  sizeof(line),
                  "Ping mesh: %llu probes of %zu pairs, round trip p50 %.2f us, p99 %.2f us, p99.9 "
                  "%.2f us; failed: %llu retry-exceeded, %llu no-route, %llu other",
                  static_cast<unsigned long long>(probes),
                  m_pairs.size(),
                  m_all.Quantile(0.5),
                  m_all.Quantile(0.99),
                  m_all.Quantile(0.999),
                  static_cast<unsigned long long>(m_totals[RETRY_EXCEEDED]),
                  static_cast<unsigned long long>(m_totals[NO_ROUTE]),
                  static_cast<unsigned long long>(m_totals[OTHER]));
    return line;
}

// ---- TrafficSource

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

// SPDX-License-Identifier: GPL-2.0-only
#include "ping-stats.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

#include <cstdio>
#include <limits>
#include <numeric>

namespace ns3
{
namespace
{

/// @return the sum of results
uint64_t
Sum(const std::array<uint64_t, RdmaPingMesh::RESULTS>& results)
{
    return std::accumulate(results.begin(), results.end(), uint64_t{0});
}

} // namespace

PingStats::PingStats(RdmaPingMesh& mesh)
    : TableReport("ping", ListTables()),
      m_mesh(mesh),
      m_window(MilliSeconds(1))
{
    const Callback<void, const RdmaPingMesh::Outcome&> ended(
        m_guard.Wrap([this](const RdmaPingMesh::Outcome& probe) { Ended(probe); }));
    mesh.OnProbe([ended](const RdmaPingMesh::Outcome& probe) { ended(probe); });
}

void
PingStats::SetWindow(Time window)
{
    if (window <= Time(0))
    {
        throw FabricError("the window of the ping mesh is " + ExactText(window),
                          "it must be more than 0");
    }
    if (m_isOpen)
    {
        throw FabricError("the window of pings that have ended", "set it before the run");
    }
    m_window = window;
}

std::vector<TableSpec>
PingStats::ListTables()
{
    using C = ColumnSpec;
    return {{"ping",
             "a probe of the ping mesh that has ended",
             {{"time_ns", "ns", "when it was posted"},
              {"src", "", "node that probes"},
              {"dst", "", "node that is probed"},
              {"result", "", "ok, retry-exceeded, no-route or other", C::TEXT},
              {"rtt_ns", "ns", "round trip; empty: no answer", C::REAL, "%.0f"}}},
            {"ping-window",
             "the probes that ended in an interval of time, if there were any",
             {{"start_ns", "ns", "begin of the interval"},
              {"probes", "", "probes that ended"},
              {"failed", "", "probes without an answer"},
              {"p50_ns", "ns", "median of the round trips", C::REAL, "%.0f"},
              {"p99_ns", "ns", "99th percentile", C::REAL, "%.0f"},
              {"p999_ns", "ns", "99.9th percentile", C::REAL, "%.0f"},
              {"max_ns", "ns", "longest round trip", C::REAL, "%.0f"}}}};
}

void
PingStats::Open(const std::vector<RowSink*>& rows)
{
    m_probeRows = rows.at(0);
    m_windowRows = rows.at(1);
}

void
PingStats::WriteTo(const std::string& probes, const std::string& windows)
{
    TableReport::WriteTo({probes, windows});
}

void
PingStats::Ended(const RdmaPingMesh::Outcome& probe)
{
    const Time begin = m_mesh.GetBegin();
    if (!m_isOpen)
    {
        m_isOpen = true;
        m_open.begin = begin;
    }
    if (probe.ended >= m_open.begin + m_window)
    {
        const int64_t windows = (probe.ended - begin).GetTimeStep() / m_window.GetTimeStep();
        NextWindow(begin + TimeStep(static_cast<uint64_t>(windows * m_window.GetTimeStep())));
    }
    ++m_open.results[probe.result];
    const Time rtt = probe.ended - probe.posted;
    const bool isOk = probe.result == RdmaPingMesh::OK;
    if (isOk)
    {
        const double us = rtt.GetSeconds() * 1e6;
        m_all.Add(us);
        m_current.Add(us);
    }
    if (m_probeRows)
    {
        const FabricTopology& topology = m_mesh.GetFabric().GetTopology();
        m_probeRows->Add(probe.posted.GetNanoSeconds(),
                         topology.NodeOf(probe.source),
                         topology.NodeOf(probe.destination),
                         RdmaPingMesh::ToString(probe.result),
                         isOk ? static_cast<double>(rtt.GetNanoSeconds())
                              : std::numeric_limits<double>::quiet_NaN());
    }
}

void
PingStats::NextWindow(Time begin)
{
    if (const uint64_t probes = Sum(m_open.results))
    {
        m_open.p50Us = m_current.Quantile(0.5);
        m_open.p99Us = m_current.Quantile(0.99);
        m_open.p999Us = m_current.Quantile(0.999);
        m_open.maxUs = m_current.Max();
        m_windows.push_back(m_open);
        if (m_windowRows)
        {
            m_windowRows->Add(m_open.begin.GetNanoSeconds(),
                              probes,
                              probes - m_open.results[RdmaPingMesh::OK],
                              m_open.p50Us * 1e3,
                              m_open.p99Us * 1e3,
                              m_open.p999Us * 1e3,
                              m_open.maxUs * 1e3);
        }
    }
    m_open = Window();
    m_open.begin = begin;
    m_current = LogHistogram();
}

void
PingStats::Close(Time end)
{
    NextWindow(end);
}

void
PingStats::Finish()
{
    Commit(); // closes the last window if there are files; it is empty then
    Close(Simulator::Now());
    m_probeRows = nullptr;
    m_windowRows = nullptr;
}

std::string
PingStats::Summary() const
{
    const auto& totals = m_mesh.GetTotals();
    char line[240];
    std::snprintf(line,
                  sizeof(line),
                  "Ping mesh: %llu probes of %zu pairs, round trip p50 %.2f us, p99 %.2f us, p99.9 "
                  "%.2f us; failed: %llu retry-exceeded, %llu no-route, %llu other",
                  static_cast<unsigned long long>(Sum(totals)),
                  m_mesh.GetPairs().size(),
                  m_all.Quantile(0.5),
                  m_all.Quantile(0.99),
                  m_all.Quantile(0.999),
                  static_cast<unsigned long long>(totals[RdmaPingMesh::RETRY_EXCEEDED]),
                  static_cast<unsigned long long>(totals[RdmaPingMesh::NO_ROUTE]),
                  static_cast<unsigned long long>(totals[RdmaPingMesh::OTHER]));
    return line;
}

void
PingStats::Print(std::ostream& os, const RunTotals&) const
{
    os << Summary() << '\n';
}

} // namespace ns3

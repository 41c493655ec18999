// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-run.h"

#include "run-interrupt.h"
#include "run-progress.h"

#include "ns3/deadlock-detector.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-program.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <csignal>
#include <cstdio>
#include <utility>

namespace ns3
{
namespace
{

/// @return the run that waits for its end; null: none. A process has one simulation.
const FabricRun*&
RunOfProcess()
{
    static const FabricRun* run = nullptr;
    return run;
}

/// @param time of the simulation @return it for people
std::string
Milliseconds(Time time)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.6g ms", time.GetSeconds() * 1e3);
    return text;
}

/// @param fabric a fabric @return which one
std::string
NameOf(const Fabric& fabric)
{
    return "a fabric of " + std::to_string(fabric.GetNHosts()) + " hosts and " +
           std::to_string(fabric.GetNSwitches()) + " switches";
}

} // namespace

FabricRun::FabricRun(const Fabric& fabric, RunOptions options)
    : m_fabric(fabric),
      m_begin(Simulator::Now())
{
    if (const FabricRun* const other = RunOfProcess())
    {
        throw FabricError("a FabricRun of " + NameOf(other->GetFabric()) + ", begun at " +
                              Milliseconds(other->GetBegin()) + ", has not ended",
                          "call its Execute() first, or let it go; fabrics that run together are "
                          "one topology");
    }
    if (fabric.IsDestroyed())
    {
        throw FabricError("a run of a fabric after Simulator::Destroy()", "make the fabric anew");
    }
    Choose(std::move(options)); // what is made from here on draws by its seed
    m_rdma = std::make_unique<RdmaFlowHelper>(fabric, m_begin);
    m_traffic.Add(*m_rdma);
    m_stats = std::make_unique<FabricStats>(fabric, *m_rdma);
    m_stats->SetSampleInterval(m_options.sample);
    m_atDestroy = Simulator::ScheduleDestroy([this] {
        m_destroyed = true;
        if (RunOfProcess() == this)
        {
            RunOfProcess() = nullptr;
        }
    });
    RunOfProcess() = this;
}

FabricRun::~FabricRun()
{
    if (RunOfProcess() == this)
    {
        RunOfProcess() = nullptr;
    }
    m_atDestroy.Cancel();
    m_stop.Cancel();
}

void
FabricRun::Choose(RunOptions options)
{
    RequireWaiting("Choose()");
    if (options.stop.IsStrictlyNegative())
    {
        throw FabricError("the end of a run is before its begin", "stop must be above 0, or 0");
    }
    if (options.seed)
    {
        FabricProgram::RequireSeed(*options.seed);
    }
    if (m_stats)
    {
        m_stats->SetSampleInterval(options.sample);
    }
    if (options.seed)
    {
        RngSeedManager::SetSeed(*options.seed);
    }
    if (options.rngRun)
    {
        RngSeedManager::SetRun(*options.rngRun);
    }
    m_options = std::move(options);
}

// ---- what it carries

void
FabricRun::RequireAlive(const char* what) const
{
    if (m_destroyed)
    {
        throw FabricError(std::string(what) + " of a run after Simulator::Destroy()",
                          "make a fabric and a run of it anew");
    }
}

void
FabricRun::RequireWaiting(const char* what) const
{
    RequireAlive(what);
    if (m_executed)
    {
        throw FabricError(std::string(what) + " after Execute()",
                          "make another FabricRun of the same fabric");
    }
}

RdmaFlowHelper&
FabricRun::Rdma()
{
    RequireAlive("Rdma()");
    return *m_rdma;
}

SocketFlowHelper&
FabricRun::Sockets()
{
    RequireAlive("Sockets()");
    if (!m_sockets)
    {
        if (HasEnded())
        {
            RequireWaiting("the first Sockets()");
        }
        m_sockets = std::make_unique<SocketFlowHelper>(m_fabric, m_begin);
        m_traffic.Add(*m_sockets);
        m_stats->AddSockets(*m_sockets);
    }
    return *m_sockets;
}

FaultHelper&
FabricRun::Faults()
{
    RequireAlive("Faults()");
    if (!m_faults)
    {
        RequireWaiting("the first Faults()");
        m_faults = std::make_unique<FaultHelper>(m_fabric, m_begin);
        m_faultLog = std::make_unique<FaultStats>(*m_faults);
        m_stats->AddReport(*m_faultLog);
    }
    return *m_faults;
}

void
FabricRun::Keep(std::unique_ptr<RunPart> part)
{
    if (auto* const source = dynamic_cast<TrafficSource*>(part.get()))
    {
        m_traffic.Add(*source);
        m_stats->AddTraffic(*source);
    }
    if (auto* const report = dynamic_cast<Report*>(part.get()))
    {
        m_stats->AddReport(*report);
    }
    m_parts.push_back(std::move(part));
}

void
FabricRun::AssignStreams()
{
    int64_t next = m_options.firstStream;
    next += m_fabric.AssignStreams(next);
    next += m_rdma->AssignStreams(next);
    next += m_faults ? m_faults->AssignStreams(next) : 0;
    next += m_sockets ? m_sockets->AssignStreams(next) : 0;
    for (const auto& part : m_parts)
    {
        next += part->AssignStreams(next);
    }
}

// ---- what comes of it

void
FabricRun::WriteTo(const std::string& folder)
{
    RequireWaiting("WriteTo()");
    m_options.outDir = folder;
}

void
FabricRun::OnStop(std::function<void()> listener)
{
    m_onStop = std::move(listener);
}

const RunResults&
FabricRun::Execute()
{
    RequireWaiting("Execute()");
    const RunInterrupt interrupt;
    if (m_options.firstStream >= 0)
    {
        AssignStreams();
    }
    OpenTables();
    m_executed = true; // what was wrong so far may be mended
    try
    {
        Simulate();
        if (m_onStop && !interrupt.GetSignal())
        {
            m_onStop();
        }
    }
    catch (...)
    {
        Withdraw();
        m_stats->Abandon(); // half of a run is no result
        m_failed = true;
        RunOfProcess() = nullptr;
        throw;
    }
    Conclude(interrupt.GetSignal());
    Collect();
    RunOfProcess() = nullptr;
    if (m_results.signal)
    {
        throw FabricInterrupt(m_results.signal, m_results.why, m_results.summary);
    }
    return m_results;
}

void
FabricRun::OpenTables()
{
    if (!m_options.outDir.empty() && !m_options.keep.empty())
    {
        throw FabricError("a run has a folder, or it keeps tables in memory",
                          "what is in a folder need not be kept");
    }
    if (!m_options.outDir.empty())
    {
        m_stats->WriteTo(m_options.outDir, m_options.files);
    }
    if (!m_options.keep.empty())
    {
        m_stats->Keep(m_options.keep);
    }
}

void
FabricRun::Simulate()
{
    // The order of these, after the files, is that of their events at one time.
    if (m_ended) // before it has begun
    {
        return;
    }
    if (m_options.stop.IsStrictlyPositive())
    {
        m_stop = Simulator::Schedule(m_begin + m_options.stop - Simulator::Now(), [this] {
            End(RunResults::End::STOPPED, "stopped at " + Milliseconds(Simulator::Now()));
        });
    }
    if (m_options.patience ? m_options.patience->IsStrictlyPositive() : bool(m_faults))
    {
        m_watch = std::make_unique<RunWatch>(m_fabric, m_traffic);
        if (m_options.patience)
        {
            m_watch->SetPatience(*m_options.patience);
        }
        if (m_faults)
        {
            m_watch->Expect(*m_faults);
        }
        m_watch->StopWhenStuck(m_options.stopWhenStuck);
        if (m_options.stopWhenStuck)
        {
            m_watch->OnStuck([this] {
                End(RunResults::End::STUCK,
                    "stuck: no progress since " + Milliseconds(m_watch->GetLastProgress()));
            });
        }
    }
    if (m_options.stopWhenDone)
    {
        m_traffic.OnDone([this] { End(RunResults::End::DONE, "done"); });
    }
    RunProgress progress(m_traffic, m_options.stop);
    if (!m_options.progress)
    {
        progress.Enable(false);
    }
    else if (m_options.showProgress)
    {
        progress.ShowBy(m_options.showProgress);
    }
    Simulator::Run();
    progress.Finish();
    m_stats->IgnoreEvents(progress.GetEvents());
    Withdraw();
}

void
FabricRun::Withdraw()
{
    m_traffic.OnDone(nullptr);
    m_watch.reset();
    m_stop.Remove();
}

void
FabricRun::End(RunResults::End end, const std::string& why)
{
    if (!m_ended)
    {
        m_ended = true;
        m_results.end = end;
        m_results.why = why;
    }
    Simulator::Stop();
}

void
FabricRun::EndNow(const std::string& why)
{
    RequireAlive("EndNow()");
    End(RunResults::End::ENDED_BY_PART, why);
}

void
FabricRun::Interrupt(int signal)
{
    RunInterrupt::Tell(signal);
}

void
FabricRun::Conclude(int signal)
{
    const std::string now = Milliseconds(Simulator::Now());
    const auto detector = m_fabric.GetDeadlockDetector();
    if (signal)
    {
        const char* const name = signal == SIGINT    ? "SIGINT"
                                 : signal == SIGTERM ? "SIGTERM"
                                                     : "SIGHUP";
        m_ended = true;
        m_results.signal = signal;
        m_results.end = RunResults::End::INTERRUPTED;
        m_results.why = std::string("interrupted by ") + name + " at " + now;
    }
    else if (!m_ended && !m_traffic.IsAwaited())
    {
        m_results.end = RunResults::End::DONE;
        m_results.why = "done";
    }
    else if (!m_ended && detector && !detector->GetDeadlocks().empty())
    {
        m_results.end = RunResults::End::DEADLOCK;
        m_results.why = "ended at " + now + " in a deadlock";
    }
    else if (!m_ended)
    {
        m_results.end = RunResults::End::STOPPED;
        m_results.why = "ended at " + now + ": Simulator::Stop() was called or no event was left";
    }
}

void
FabricRun::Collect()
{
    m_results.begin = m_begin;
    m_results.finish = Simulator::Now();
    const auto& bins = m_stats->GetFct().GetBins();
    m_results.slowdown.assign(bins.begin(), bins.end());
    for (const TrafficSource* source : m_traffic.GetSources())
    {
        source->ForEachUnfinished([&](const TrafficItem& item, const std::string& why) {
            m_results.unfinished.push_back({source->GetName(), item, why});
        });
    }
    m_results.folder = m_options.outDir;
    m_results.summary = m_stats->Summary();
    if (m_results.end != RunResults::End::DONE)
    {
        m_results.summary += "End: " + m_results.why + "\n";
    }
    const bool interrupted = m_results.signal != 0;
    m_stats->SetEnd(RunResults::NameOf(m_results.end),
                    interrupted ? m_results.finish : Time::Max());
    m_results.totals = m_stats->GetTotals();
    m_stats->Finish();
}

bool
FabricRun::HasEnded() const
{
    return m_executed && RunOfProcess() != this;
}

RunTotals
FabricRun::GetTotals() const
{
    RequireAlive("GetTotals()");
    return HasEnded() && !m_failed ? m_results.totals : m_stats->GetTotals();
}

const RowSink&
FabricRun::GetTable(const std::string& name) const
{
    const RowSink* const rows = m_stats->GetTable(name);
    if (!rows)
    {
        throw FabricError("a run has no table \"" + name + "\" in memory",
                          "name it in RunOptions::keep");
    }
    return *rows;
}

const RunResults&
FabricRun::GetResults() const
{
    if (!HasEnded())
    {
        throw FabricError("a run has no results before its end", "call Execute() first");
    }
    if (m_failed)
    {
        throw FabricError("a run that has failed has no results");
    }
    return m_results;
}

} // namespace ns3

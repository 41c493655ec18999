// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-run.h"

#include "counters-at-rest.h"
#include "fabric-ports.h"
#include "fabric-streams.h"
#include "run-division.h"
#include "run-interrupt.h"
#include "run-progress.h"
#include "run-ranks.h"
#include "run-seed.h"
#include "run-stats.h"
#include "run-time.h"
#include "run-warnings.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/flow-times.h"
#include "ns3/later-streams.h"
#include "ns3/log.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <iostream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricRun");

namespace
{

/// What the runs of a process share: it has one simulation.
struct RunsOfProcess
{
    const FabricRun* waiting{nullptr}; //!< the run that waits for its end; null: none
    FabricRun* last{nullptr};          //!< the run made last; null: it is gone
    uint64_t stopped{0};               //!< items that StopParts() has stopped, not yet named
};

RunsOfProcess&
Runs()
{
    static RunsOfProcess runs;
    return runs;
}

/// @param fabric a fabric @return which one
std::string
NameOf(const Fabric& fabric)
{
    return "a fabric of " + std::to_string(fabric.GetNHosts()) + " hosts and " +
           std::to_string(fabric.GetNSwitches()) + " switches";
}

/// @param fabric a fabric @param planned queue pairs like those that flows will have
/// @return whether some have a transport that may send for ever without an answer
bool
MaySendForEver(const Fabric& fabric, const std::vector<Ptr<RdmaQueuePair>>& planned)
{
    bool may = false;
    const auto look = [&may](const RdmaQueuePair& end) {
        may = may || end.GetTransportType() != RdmaRc::GetTypeId();
    };
    for (const auto& end : planned)
    {
        look(*end);
    }
    ForEachQueuePair(fabric, [&look](HostId, const RdmaQueuePair& end) { look(end); });
    return may;
}

} // namespace

FabricRun::FabricRun(const Fabric& fabric, RunOptions options)
    : m_fabric(fabric),
      m_begin(Simulator::Now()),
      m_seedBefore(RngSeedManager::GetSeed()),
      m_rngRunBefore(RngSeedManager::GetRun())
{
    if (const FabricRun* const other = Runs().waiting)
    {
        throw FabricError("a run of " + NameOf(other->GetFabric()) + ", begun at " +
                              Milliseconds(other->GetBegin()) + ", has not ended",
                          "execute it first, or let it go; fabrics that run together are "
                          "one topology");
    }
    if (fabric.IsDestroyed())
    {
        throw FabricError("a run of a fabric after Simulator::Destroy()", "make the fabric anew");
    }
    Choose(std::move(options)); // what is made from here on draws by its seed
    if (Runs().last)
    {
        Runs().last->StopParts();
    }
    m_stoppedBefore = std::exchange(Runs().stopped, 0);
    m_findingsBefore = m_fabric.GetFindings().Get().size();
    m_rdma = std::make_unique<RdmaFlowHelper>(fabric, m_begin);
    m_traffic.Add(*m_rdma);
    m_stats = std::make_unique<RunStats>(m_fabric, *m_rdma, m_traffic);
    m_atDestroy = Simulator::ScheduleDestroy([this] {
        m_destroyed = true;
        Runs() = RunsOfProcess();
    });
    Runs().waiting = this;
    Runs().last = this;
}

FabricRun::~FabricRun()
{
    StopParts();
    m_atDestroy.Cancel();
    m_stop.Cancel();
}

void
FabricRun::StopParts()
{
    NS_LOG_FUNCTION(this);
    if (Runs().waiting == this)
    {
        Runs().waiting = nullptr;
    }
    if (Runs().last == this)
    {
        Runs().last = nullptr;
    }
    if (m_destroyed || std::exchange(m_isStopped, true))
    {
        return;
    }
    const TrafficSource::Counts counts = m_traffic.GetCounts();
    Runs().stopped += m_executed ? counts.added - counts.completed - counts.failed : 0;
    const CountersAtRest::Aside aside(m_fabric); // the results of the next run have nothing of it
    ForEachPart([](RunPart& part) { part.Stop(); });
    RunPart::StopPlanned(m_fabric, m_lastPlan);
    m_fabric.GetFindings().Shrink(m_findingsBefore);
    m_fabric.GetNotes().lossy = 0;
    m_fabric.GetNotes().hasLooseAcks = false;
}

void
FabricRun::Choose(RunOptions options)
{
    RequireWaiting("a choice of options");
    OptionText::Require(options);
    if (options.stop > Time::Max() - m_begin)
    {
        throw FabricError("a run that begins at " + Milliseconds(m_begin) +
                              " ends after the last time that there is",
                          "shorten stop");
    }
    FlowTimes::Parse(options.explain);
    RunStats::RequireFiles(options.files);
    // What was chosen before, and is not any more, leaves no trace.
    if (options.seed || m_options.seed)
    {
        RunSeed::SetSeed(options.seed.value_or(m_seedBefore));
    }
    if (options.rngRun || m_options.rngRun)
    {
        RunSeed::SetRun(options.rngRun.value_or(m_rngRunBefore));
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
        throw HasEnded() ? FabricError(std::string(what) + " of a run that was executed",
                                       "make another run of the same fabric")
                         : FabricError(std::string(what) + " of a run under way",
                                       "it must come before the run begins");
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
            RequireWaiting("the first TCP or UDP flow");
        }
        RequireOneThread("the first TCP or UDP flow");
        m_sockets = std::make_unique<SocketFlowHelper>(m_fabric, m_begin);
        if (m_executed && m_options.firstStream >= 0) // AssignStreams() has been
        {
            m_sockets->AssignStreams(LaterStreams(m_options.firstStream).OfApplications());
        }
        m_traffic.Add(*m_sockets);
    }
    return *m_sockets;
}

FaultHelper&
FabricRun::Faults()
{
    RequireAlive("Faults()");
    if (!m_faults)
    {
        RequireWaiting("the first fault");
        m_faults = std::make_unique<FaultHelper>(m_fabric, m_begin);
        m_faultLog = std::make_unique<FaultStats>(*m_faults);
        m_stats->Add(*m_faultLog);
    }
    return *m_faults;
}

void
FabricRun::Keep(std::unique_ptr<RunPart> part)
{
    part->SetBegin(m_begin);
    if (auto* const source = dynamic_cast<TrafficSource*>(part.get()))
    {
        m_traffic.Add(*source);
    }
    if (auto* const report = dynamic_cast<Report*>(part.get()))
    {
        m_stats->Add(*report);
    }
    m_parts.push_back(std::move(part));
}

void
FabricRun::AssignStreams()
{
    int64_t next = m_options.firstStream;
    if (const auto own = m_fabric.TakeOwnStreams(); own && *own != next)
    {
        m_fabric.GetFindings().Add({Level::UNUSED,
                                    "streams",
                                    "",
                                    {},
                                    "the random streams from " + std::to_string(*own) +
                                        " on: the run gives the fabric those from " +
                                        std::to_string(next) + " on",
                                    "choose the first stream of the run"});
    }
    // What traffic draws does not depend on load balancers, extensions and errors that draw as
    // well: runs that differ in them have the same messages.
    const int64_t usual = CountUsualStreams(m_fabric);
    if (m_fabric.AssignStreams(next) > usual)
    {
        m_fabric.AssignStreams(LaterStreams(next).OfFabric());
    }
    next += usual;
    m_fabric.TakeOwnStreams();
    ForEachPart([&next](RunPart& part) { next += part.AssignStreams(next); });
}

void
FabricRun::ForEachPart(const std::function<void(RunPart&)>& visit)
{
    for (RunPart* part : {static_cast<RunPart*>(m_rdma.get()),
                          static_cast<RunPart*>(m_faults.get()),
                          static_cast<RunPart*>(m_sockets.get())})
    {
        if (part)
        {
            visit(*part);
        }
    }
    m_stats->ForEachAsked(visit);
    for (const auto& part : m_parts)
    {
        visit(*part);
    }
}

// ---- what comes of it

void
FabricRun::WriteTo(const std::string& folder)
{
    NS_LOG_FUNCTION(this << folder);
    RequireWaiting("a folder");
    m_options.outDir = folder;
}

void
FabricRun::OnStop(std::function<void()> listener)
{
    if (HasEnded())
    {
        RequireWaiting("a listener");
    }
    m_onStop = std::move(listener);
}

const RunResults&
FabricRun::Execute()
{
    NS_LOG_FUNCTION(this);
    RequireAlive("an execution");
    RequireWaiting("a second execution");
    FabricProgram::RequireOptionsTaken();
    if (m_options.outDir.empty() && !m_options.files.empty())
    {
        throw FabricError("files are chosen, and there is no folder for them",
                          "choose a folder, or no files");
    }
    RunInterrupt interrupt;
    if (m_options.firstStream >= 0)
    {
        AssignStreams();
    }
    m_fabric.FollowLinks();
    m_stats->Ask(m_options);
    std::vector<const RunPart*> parts;
    ForEachPart([&](const RunPart& part) { parts.push_back(&part); });
    if (FabricRanks::IsOn())
    {
        RunRanks::Require(m_fabric, m_options, m_begin, parts);
        m_ranks = std::make_unique<RunRanks>(m_fabric, *m_rdma);
    }
    const auto partitions = m_ranks ? std::nullopt : ChooseThreads(m_fabric, m_options, parts);
    RunWarnings warnings({m_fabric,
                          m_traffic,
                          *m_rdma,
                          *m_stats,
                          m_faults.get(),
                          m_stats->GetLost(),
                          bool(m_ranks),
                          m_options.allowReordering});
    warnings.Check();
    m_fabric.GetFindings().Print(std::cerr);
    m_stats->Open(m_options);
    if (partitions)
    {
        DivideFabric(m_fabric, *partitions);
    }
    m_stats->NoteBegin();
    warnings.Begin();
    m_executed = true; // what was wrong so far may be mended
    try
    {
        Simulate(interrupt);
        if (m_ranks)
        {
            m_ranks->Gather(m_stats->GetTotals());
            m_stats->Add(*m_ranks);
        }
        if (m_onStop && !interrupt.GetSignal())
        {
            m_onStop();
        }
        Conclude(interrupt.GetSignal());
        m_stats->NoteSettings();
        m_results.signal ? m_stats->GetLost().Find() : warnings.End();
        m_fabric.GetFindings().Print(std::cerr);
        Collect();
    }
    catch (...)
    {
        m_stats->GetLost().Find();
        m_fabric.GetFindings().Print(std::cerr);
        Withdraw();
        m_stats->Abandon(); // half of a run is no result
        Leave();
        throw;
    }
    m_hasResults = true;
    Leave();
    if (const int signal = interrupt.Release())
    {
        throw FabricInterrupt(signal,
                              m_results.signal
                                  ? m_results.why
                                  : std::string(RunInterrupt::NameOf(signal)) +
                                        " has come when the run had ended: " + m_results.why,
                              m_results.summary);
    }
    if (m_options.strict && m_fabric.GetFindings().IsStrictlyWrong())
    {
        throw StrictError("the run is strict, and something was lost or had no effect",
                          "mend what the findings name, or do not ask for a strict run",
                          m_results.summary);
    }
    return m_results;
}

bool
FabricRun::LooksForProgress() const
{
    if (m_options.patience)
    {
        return m_options.patience->IsStrictlyPositive();
    }
    return m_faults || (!m_ranks && MaySendForEver(m_fabric, m_rdma->MakeEnds()));
}

void
FabricRun::Simulate(const RunInterrupt& interrupt)
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
    if (LooksForProgress())
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
    if (m_ranks && m_options.stopWhenDone)
    {
        m_ranks->StopWhenDone();
    }
    else if (m_options.stopWhenDone)
    {
        m_traffic.OnDone([this] {
            const std::string stuck = GetStuck();
            End(stuck.empty() ? RunResults::End::DONE : RunResults::End::STUCK,
                stuck.empty() ? "done" : stuck);
        });
    }
    RunProgress progress(m_traffic, m_options.stop);
    if (!m_options.progress || m_ranks)
    {
        progress.Enable(false);
    }
    else if (m_options.showProgress)
    {
        progress.ShowBy(m_options.showProgress);
    }
    // Simulator::Run() forgets a Stop() from before it, also that of a signal.
    m_signalCheck = Simulator::ScheduleNow([&interrupt] {
        if (interrupt.GetSignal())
        {
            Simulator::Stop();
        }
    });
    Simulator::Run();
    progress.Finish();
    m_stats->IgnoreEvents(progress.GetEvents() + 1);
    Withdraw();
}

void
FabricRun::Withdraw()
{
    m_traffic.OnDone(nullptr);
    m_watch.reset();
    m_stop.Remove();
    m_signalCheck.Remove();
}

void
FabricRun::Leave()
{
    Runs().waiting = nullptr;
    ForEachPart([](RunPart& part) { part.Seal(); });
    m_lastPlan = RunPart::GetLastPlan();
    CountersAtRest::Note(m_fabric);
}

void
FabricRun::End(RunResults::End end, const std::string& why)
{
    if (!m_ended)
    {
        m_ended = true;
        m_results.end = end;
        m_results.why = why;
        NS_LOG_DEBUG("ends: " << why);
    }
    Simulator::Stop();
}

void
FabricRun::EndNow(const std::string& why)
{
    RequireAlive("EndNow()");
    if (HasEnded())
    {
        throw FabricError("an end of a run that has ended", "end it before");
    }
    End(RunResults::End::ENDED_BY_PART, why);
}

void
FabricRun::Interrupt(int signal)
{
    RunInterrupt::Tell(signal);
}

std::string
FabricRun::GetStuck() const
{
    for (const TrafficSource* source : m_traffic.GetSources())
    {
        if (const std::string stuck = source->GetStuck(); !stuck.empty())
        {
            return "stuck: " + stuck;
        }
    }
    return {};
}

void
FabricRun::Conclude(int signal)
{
    const std::string now = Milliseconds(Simulator::Now());
    if (signal)
    {
        m_ended = true;
        m_results.signal = signal;
        m_results.end = RunResults::End::INTERRUPTED;
        m_results.why =
            std::string("interrupted by ") + RunInterrupt::NameOf(signal) + " at " + now;
    }
    else if (!m_ended && !m_traffic.IsAwaited())
    {
        const std::string stuck = GetStuck();
        m_results.end = stuck.empty() ? RunResults::End::DONE : RunResults::End::STUCK;
        m_results.why = stuck.empty() ? "done" : stuck;
    }
    else if (const auto deadlocks = m_stats->GetTotals().deadlocks;
             !m_ended && deadlocks && deadlocks->found > 0)
    {
        m_results.end = RunResults::End::DEADLOCK;
        m_results.why = "ended at " + now + " in a deadlock";
    }
    else if (const auto simulator =
                 DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
             !m_ended && simulator && simulator->HasRunOut())
    {
        m_results.end = RunResults::End::STUCK;
        m_results.why = "stuck: nothing was left to happen at " + now;
    }
    else if (!m_ended)
    {
        m_results.end = RunResults::End::STOPPED;
        m_results.why = "ended at " + now + ": the simulator was stopped";
    }
}

void
FabricRun::Collect()
{
    m_fabric.FlushCaptures();
    m_results.begin = m_begin;
    m_results.finish = Simulator::Now();
    for (const TrafficSource* source : m_traffic.GetSources())
    {
        source->ForEachUnfinished([&](const TrafficItem& item, const std::string& why) {
            m_results.unfinished.push_back({source->GetName(), item, why});
        });
    }
    m_results.folder = m_options.outDir;
    m_results.findings = m_fabric.GetFindings().Get();
    if (m_stoppedBefore)
    {
        m_results.summary += "Begin: " + std::to_string(m_stoppedBefore) +
                             " flows or sessions of the run before had not ended, and were "
                             "stopped\n";
    }
    if (m_results.end != RunResults::End::DONE)
    {
        m_results.summary += "End: " + m_results.why + "\n";
    }
    m_stats->Finish(m_results);
}

bool
FabricRun::HasEnded() const
{
    return m_executed && Runs().waiting != this;
}

RunTotals
FabricRun::GetTotals() const
{
    RequireAlive("GetTotals()");
    return m_hasResults ? m_results.totals : m_stats->GetTotals();
}

std::vector<Finding>
FabricRun::GetFindings() const
{
    return m_hasResults ? m_results.findings : m_fabric.GetFindings().Get();
}

const RowSink&
FabricRun::GetTable(const std::string& name) const
{
    const RowSink* const rows = m_stats->GetTable(name);
    if (!rows)
    {
        throw FabricError("a run has no table \"" + name + "\" in memory",
                          "name it among the tables to keep");
    }
    return *rows;
}

const RunResults&
FabricRun::GetResults() const
{
    if (!HasEnded())
    {
        throw FabricError("a run has no results before its end", "execute it first");
    }
    if (!m_hasResults)
    {
        throw FabricError("a run that has failed has no results", "make another run");
    }
    return m_results;
}

} // namespace ns3

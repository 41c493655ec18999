// SPDX-License-Identifier: GPL-2.0-only
#include "run-stats.h"

#include "fabric-ports.h"

#include "ns3/application-stats.h"
#include "ns3/counter-stats.h"
#include "ns3/deadlock-stats.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fct-stats.h"
#include "ns3/finding-stats.h"
#include "ns3/flow-times.h"
#include "ns3/mrc-stats.h"
#include "ns3/pause-tree.h"
#include "ns3/pfc-stats.h"
#include "ns3/queue-stats.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/setting-table.h"
#include "ns3/simulator.h"
#include "ns3/throughput-stats.h"
#include "ns3/topology-json.h"
#include "ns3/trim-stats.h"
#include "ns3/unfinished-flows.h"
#include "ns3/watchdog-stats.h"
#include "ns3/watermark-stats.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <sys/resource.h>

namespace ns3
{
namespace
{

/// The files that RunOptions::files chooses among.
const std::vector<std::string> STREAMED = {"fct", "pfc", "queue", "throughput", "watchdog"};

/// Rows of idle times in a table at most, some hundred MB: idle hours cost no events.
constexpr uint64_t IDLE_ROWS = 20000000;

bool
Has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// @return what the process has used so far
rusage
GetUsage()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

double
CpuSeconds()
{
    const rusage usage = GetUsage();
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// @param traffic of a run @param flows its RDMA flows @return whether the summary counts these:
/// not if all that the run has is other traffic, such as jobs
bool
CountsFlows(const RunTraffic& traffic, const RdmaFlowHelper& flows)
{
    const auto& sources = traffic.GetSources();
    return flows.GetCounts().expected > 0 ||
           std::all_of(sources.begin(), sources.end(), [](const TrafficSource* source) {
               return source->GetCounts().added == 0;
           });
}

} // namespace

RunStats::RunStats(const Fabric& fabric, RdmaFlowHelper& flows, const RunTraffic& traffic)
    : m_fabric(fabric),
      m_flows(flows),
      m_traffic(traffic),
      m_begin(std::chrono::steady_clock::now()),
      m_beginCpu(CpuSeconds()),
      m_beginTime(Simulator::Now()),
      m_beginEvents(Simulator::GetEventCount())
{
    // In the order of the summary.
    Make<UnfinishedStats>(m_own, flows);
    m_fct = &Make<FctStats>(m_own);
    Make<ApplicationStats>(m_own, traffic);
    Make<PfcStats>(m_own, fabric);
    m_own.push_back(MakeDropStats(fabric));
    Make<WatchdogStats>(m_own, fabric);
    for (auto& extensions : MakeExtensionStats(fabric))
    {
        m_own.push_back(std::move(extensions));
    }
    Make<TrimStats>(m_own, fabric);
    Make<MrcStats>(m_own, fabric);
    Make<DeadlockStats>(m_own, fabric);
    Make<QueueStats>(m_own, fabric);
    Make<ThroughputStats>(m_own, fabric);
    m_own.push_back(MakeRdmaStats(fabric));
    Make<SettingTable>(m_own, m_settings);
    Make<FindingStats>(m_own, fabric);
    m_lost = &Make<LostStats>(m_own, fabric);
    flows.OnEnd([this](const RdmaFlowResult& result) { m_fct->Add(result); });
    for (const SwitchId which : m_fabric.Switches())
    {
        m_fabric.GetSwitch(which)->GetMmu()->ClearPeaks();
    }
}

RunStats::~RunStats()
{
    m_next.Cancel();
}

void
RunStats::Add(Report& report)
{
    m_added.push_back(&report);
}

void
RunStats::Ask(const RunOptions& options)
{
    m_asked.clear();
    if (options.skippable)
    {
        Make<SkippableStats>(m_asked, m_fabric, m_flows).Watch(options.steady);
    }
    if (options.watermarks.IsStrictlyPositive())
    {
        Make<WatermarkStats>(m_asked, m_fabric, m_traffic).SetInterval(options.watermarks);
    }
    if (options.pauseTree)
    {
        Make<PauseTree>(m_asked, m_fabric).Watch(true);
    }
    if (!options.explain.empty())
    {
        Make<FlowTimes>(m_asked, m_fabric, m_flows).Watch(FlowTimes::Parse(options.explain));
    }
    if (options.linkLoad)
    {
        Make<LinkLoad>(m_asked, m_fabric);
    }
}

void
RunStats::ForEachAsked(const std::function<void(RunPart&)>& visit) const
{
    for (const auto& report : m_asked)
    {
        visit(*report);
    }
}

std::vector<Report*>
RunStats::GetReports() const
{
    std::vector<Report*> all;
    const auto get = [](const auto& report) { return &*report; };
    std::transform(m_own.begin(), m_own.end(), std::back_inserter(all), get);
    std::transform(m_added.begin(), m_added.end(), std::back_inserter(all), get);
    std::transform(m_asked.begin(), m_asked.end(), std::back_inserter(all), get);
    return all;
}

void
RunStats::RequireFiles(const std::vector<std::string>& files)
{
    for (const std::string& file : files)
    {
        if (!Has(STREAMED, file))
        {
            throw FabricError("statistics have no file \"" + file + "\"",
                              "choose of fct, pfc (which has pause.csv), queue, throughput, "
                              "watchdog");
        }
        if (std::count(files.begin(), files.end(), file) > 1)
        {
            throw FabricError("the file \"" + file + "\" is named twice", "name it once");
        }
    }
}

void
RunStats::Open(const RunOptions& options)
{
    if (!options.outDir.empty() && !options.keep.empty())
    {
        throw FabricError("a run has a folder, or it keeps tables in memory",
                          "what is in a folder need not be kept");
    }
    if (!options.outDir.empty() && FabricRanks::Own() == 0)
    {
        m_folder = std::make_unique<ResultFolder>(options.outDir);
    }
    else if (!options.keep.empty())
    {
        m_memory = std::make_unique<ResultMemory>(options.keep, GetReports());
    }
    else
    {
        return;
    }
    const auto& files = options.files;
    for (Report* const report : GetReports())
    {
        bool isWanted = m_memory && m_memory->Add(*report);
        if (m_folder &&
            (files.empty() || !Has(STREAMED, report->GetName()) || Has(files, report->GetName())))
        {
            m_folder->Add(*report);
            isWanted = true;
        }
        const bool isAdded = std::find(m_added.begin(), m_added.end(), report) != m_added.end();
        if (isWanted && (isAdded ? report->IsSampled() : !!dynamic_cast<SampledTable*>(report)))
        {
            m_sampled.push_back(report);
        }
    }
    m_interval = options.sample;
    m_idleSamples = IDLE_ROWS / std::max<uint64_t>(2 * m_fabric.GetTopology().GetLinks().size(), 1);
    // Flows and watchdogs may still be added: look again when the simulation begins.
    m_next = Simulator::ScheduleNow(&RunStats::Begin, this);
}

const RowSink*
RunStats::GetTable(const std::string& table) const
{
    return m_memory ? m_memory->Get(table) : nullptr;
}

void
RunStats::Begin()
{
    for (Report* report : GetReports())
    {
        report->Begin();
    }
    if (!m_sampled.empty())
    {
        PlanSample();
    }
}

void
RunStats::PlanSample()
{
    const uint64_t step = m_interval.GetTimeStep();
    const uint64_t samples = m_traffic.GetNextActivity().GetTimeStep() / step;
    const Time next = TimeStep((samples + 1) * step);
    // The first sample of a run may be late: only what comes after it has no holes.
    const Time last = next - m_interval;
    const uint64_t now = Simulator::Now().GetTimeStep() / step;
    const bool isWhole = !m_hasSamples || samples - now <= m_idleSamples;
    m_idleSamples -= m_hasSamples && isWhole ? samples - now : 0;
    for (Time time = m_hasSamples ? TimeStep((now + 1) * step) : last; time <= last;
         time = isWhole || time == last ? time + m_interval : last)
    {
        for (Report* report : m_sampled)
        {
            report->SampleFrom(time);
        }
    }
    m_next = Simulator::Schedule(next - Simulator::Now(), &RunStats::Sample, this);
}

void
RunStats::Sample()
{
    m_hasSamples = true;
    for (Report* report : m_sampled)
    {
        report->Sample(Simulator::Now());
    }
    if (m_traffic.IsAwaited())
    {
        PlanSample();
    }
}

void
RunStats::NoteBegin()
{
    auto& use = m_fabric.GetSettingUse();
    use = SettingUse{ReadDefaults(), {}, {}};
    NoteUse(m_fabric, "all", *use);
    m_seed = RngSeedManager::GetSeed();
    m_rngRun = RngSeedManager::GetRun();
}

void
RunStats::NoteSettings()
{
    const auto& use = m_fabric.GetSettingUse();
    m_settings = FindSettings(
        m_fabric,
        {use ? &*use : nullptr, m_fabric.GetClaims(), m_fabric.GetConnected(), m_flows.MakeEnds()});
}

void
RunStats::Finish(RunResults& results)
{
    m_next.Remove(); // a later run would meet the event
    results.summary = Summarize(GetTotals()) + results.summary;
    m_end = NamedTotal::OfEnd(RunResults::NameOf(results.end),
                              results.signal ? results.finish : Time::Max(),
                              m_rngRun);
    results.totals = GetTotals();
    const auto& bins = m_fct->GetBins();
    results.slowdown.assign(bins.begin(), bins.end());
    if (m_memory)
    {
        m_memory->Close();
    }
    if (m_folder)
    {
        m_folder->Close();
        // The folder stays: what a later run does takes the same ways, and the sinks drop late
        // rows.
        std::ostringstream topology;
        PrintTopologyJson(topology, m_fabric, m_beginTime, Simulator::Now());
        m_folder->Commit(GetTotals(), topology.str());
        return;
    }
    ReportFiles files; // of reports that have their own
    for (Report* report : GetReports())
    {
        if (!report->GetFiles().empty())
        {
            files.Add(*report, {});
        }
    }
    files.Close();
    files.Commit();
}

void
RunStats::Abandon()
{
    m_next.Remove();
    if (m_folder)
    {
        m_folder->Discard();
    }
}

RunTotals
RunStats::GetTotals() const
{
    RunTotals totals;
    totals.flowsTotal = m_flows.GetNFlows();
    totals.flowsCompleted = m_flows.GetNCompleted();
    totals.flowsFailed = m_flows.GetNFailed();
    totals.simulated = Simulator::Now() - m_beginTime;
    totals.more = m_end;
    totals.settings = m_settings ? std::optional(m_settings->differences) : std::nullopt;
    totals.events = Simulator::GetEventCount() - m_beginEvents - m_foreignEvents;
    totals.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    totals.cpuSeconds = CpuSeconds() - m_beginCpu;
    totals.peakRssBytes = static_cast<uint64_t>(GetUsage().ru_maxrss) * 1024;
    totals.seed = m_seed.value_or(RngSeedManager::GetSeed());
    for (const Report* report : GetReports())
    {
        report->AddTotals(totals);
        totals.events -= report->GetEvents();
    }
    totals.active = GetActive(totals.rdma.payloadDelivered);
    return totals;
}

Time
RunStats::GetActive(uint64_t payloadDelivered) const
{
    const Time now = Simulator::Now();
    if (payloadDelivered > m_flows.GetStartedBytes())
    {
        return now - m_beginTime; // storage, probes or a user's own queue pairs have sent, too
    }
    // What is idle after the last flow, a watchdog that looks once more, dilutes no rate.
    const bool over =
        m_flows.IsDone() && m_flows.GetNStarted() > 0 && m_traffic.GetSources().size() == 1;
    if (!over)
    {
        return now - m_traffic.GetFirstStart();
    }
    Time end = m_flows.GetLastEnd();
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        end = std::max(end, std::min(now, TimeStep(std::max<int64_t>(device->BusyUntil(), 0))));
    }
    return end - m_traffic.GetFirstStart();
}

std::string
RunStats::Summarize(const RunTotals& totals) const
{
    std::ostringstream os;
    if (CountsFlows(m_traffic, m_flows))
    {
        os << totals.flowsCompleted << " of " << totals.flowsTotal << " flows completed, "
           << totals.flowsFailed << " failed, in ";
    }
    char line[256];
    std::snprintf(line,
                  sizeof(line),
                  "%.3f ms; %u hosts, %u switches\n\n",
                  totals.active.GetSeconds() * 1e3,
                  m_fabric.GetNHosts(),
                  m_fabric.GetNSwitches());
    os << line;
    for (const Report* report : GetReports())
    {
        report->Print(os, totals);
    }
    if (totals.settings && !totals.settings->empty())
    {
        os << "Settings that are not the defaults\n";
        for (const SettingDifference& setting : *totals.settings)
        {
            os << "  " << setting.ToText() << '\n';
        }
    }
    return os.str();
}

} // namespace ns3

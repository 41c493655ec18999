// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-stats.h"

#include "fabric-ports.h"
#include "topology-json.h"

#include "ns3/fabric-error.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <sys/resource.h>
#include <utility>

namespace ns3
{
namespace
{

/// The files that WriteTo() chooses among.
const std::vector<std::string> STREAMED = {"fct", "pfc", "queue", "throughput", "watchdog"};

/// Rows of idle times in a table at most, some hundred MB: idle hours cost no events.
constexpr uint64_t IDLE_ROWS = 20000000;

bool
Has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

double
CpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t
PeakRssBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
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

FabricStats::FabricStats(const Fabric& fabric, RdmaFlowHelper& flows)
    : m_fabric(fabric),
      m_flows(flows),
      m_unfinished(flows),
      m_pfc(fabric),
      m_drops(fabric),
      m_watchdogs(fabric),
      m_extensions(MakeExtensionStats(fabric)),
      m_deadlocks(fabric),
      m_queues(fabric),
      m_throughput(fabric),
      m_rdma(fabric),
      m_settingTable(m_settings),
      m_findings(fabric),
      m_reports{&m_unfinished,
                &m_fct,
                &m_pfc,
                &m_drops,
                &m_watchdogs,
                m_extensions[0].get(),
                m_extensions[1].get(),
                m_extensions[2].get(),
                &m_deadlocks,
                &m_queues,
                &m_throughput,
                &m_rdma,
                &m_settingTable,
                &m_findings},
      m_own(m_reports.size()),
      m_interval(MicroSeconds(10)),
      m_exceptions(std::uncaught_exceptions()),
      m_begin(std::chrono::steady_clock::now()),
      m_beginCpu(CpuSeconds()),
      m_beginTime(Simulator::Now()),
      m_beginEvents(Simulator::GetEventCount())
{
    flows.OnEnd(m_guard.Wrap([this](const RdmaFlowResult& result) { m_fct.Add(result); }));
    m_traffic.Add(flows);
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        m_fabric.GetSwitch(i)->GetMmu()->ClearPeaks();
    }
}

FabricStats::~FabricStats()
{
    m_next.Cancel();
    m_atDestroy.Cancel();
    if (std::uncaught_exceptions() == m_exceptions)
    {
        FinishQuietly();
    }
}

void
FabricStats::FinishQuietly()
{
    try
    {
        if (m_folder)
        {
            Finish();
        }
    }
    catch (const std::exception& error)
    {
        std::cerr << "FabricStats: " << error.what() << std::endl;
    }
}

void
FabricStats::AddSockets(SocketFlowHelper& sockets)
{
    m_applications.push_back(std::make_unique<ApplicationStats>(sockets));
    AddTraffic(sockets);
}

void
FabricStats::AddTraffic(TrafficSource& source)
{
    m_traffic.Add(source);
}

void
FabricStats::AddReport(Report& report)
{
    m_reports.push_back(&report);
}

void
FabricStats::RequireFiles(const std::vector<std::string>& files)
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
FabricStats::WriteTo(const std::string& folder, const std::vector<std::string>& files)
{
    RequireFiles(files);
    m_folder.reset(); // it may be the same one
    m_sampled.clear();
    m_folder = std::make_unique<ResultFolder>(folder);
    for (Report* const report : m_reports)
    {
        if (files.empty() || !Has(STREAMED, report->GetName()) || Has(files, report->GetName()))
        {
            m_folder->Add(*report);
            NoteOpened(*report);
        }
    }
    PlanBegin();
}

void
FabricStats::Keep(const std::vector<std::string>& tables)
{
    std::vector<Report*> reports = m_reports;
    for (const auto& applications : m_applications)
    {
        reports.push_back(applications.get());
    }
    m_memory = std::make_unique<ResultMemory>(tables, reports);
    m_sampled.clear();
    for (Report* const report : reports)
    {
        if (m_memory->Add(*report))
        {
            NoteOpened(*report);
        }
    }
    PlanBegin();
}

const RowSink*
FabricStats::GetTable(const std::string& table) const
{
    return m_memory ? m_memory->Get(table) : nullptr;
}

void
FabricStats::NoteOpened(Report& report)
{
    const auto own = m_reports.begin() + static_cast<std::ptrdiff_t>(m_own);
    if (&report == &m_queues || &report == &m_throughput ||
        (report.IsSampled() && std::find(own, m_reports.end(), &report) != m_reports.end()))
    {
        m_sampled.push_back(&report);
    }
}

void
FabricStats::PlanBegin()
{
    m_isFinished = false;
    m_hasSamples = false;
    m_idleSamples = IDLE_ROWS / std::max<uint64_t>(2 * m_fabric.GetTopology().GetLinks().size(), 1);
    // Flows and watchdogs may still be added: look again when the simulation begins.
    m_next = Simulator::ScheduleNow(&FabricStats::Begin, this);
    m_atDestroy = Simulator::ScheduleDestroy(&FabricStats::FinishQuietly, this);
}

void
FabricStats::Begin()
{
    for (Report* report : m_reports)
    {
        report->Begin();
    }
    if (!m_sampled.empty())
    {
        PlanSample();
    }
}

void
FabricStats::PlanSample()
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
    m_next = Simulator::Schedule(next - Simulator::Now(), &FabricStats::Sample, this);
}

void
FabricStats::SetSampleInterval(Time interval)
{
    if (!interval.IsStrictlyPositive())
    {
        throw FabricError("the sample interval is 0 or negative", "it must be above 0");
    }
    m_interval = interval;
}

void
FabricStats::IgnoreEvents(uint64_t events)
{
    m_foreignEvents += events;
}

void
FabricStats::Sample()
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
FabricStats::NoteUse()
{
    auto& use = m_fabric.GetSettingUse();
    use = SettingUse{ReadDefaults(), {}, {}};
    ns3::NoteUse(m_fabric, "all", *use);
}

void
FabricStats::NoteSettings()
{
    const auto& use = m_fabric.GetSettingUse();
    m_settings = FindSettings(
        m_fabric,
        {use ? &*use : nullptr, m_fabric.GetClaims(), m_fabric.GetConnected(), m_flows.MakeEnds()});
}

void
FabricStats::SetEnd(const std::string& end, Time interrupted)
{
    m_more = EndTotals(end, interrupted);
}

std::vector<NamedTotal>
FabricStats::EndTotals(const std::string& end, Time interrupted)
{
    std::vector<NamedTotal> totals = {
        {"end", "", "how the run ended", end},
        {"run", "", "run number of the random numbers", uint64_t{RngSeedManager::GetRun()}}};
    if (interrupted != Time::Max())
    {
        totals.push_back({"interrupted_at_ns",
                          "ns",
                          "when a signal came",
                          int64_t{interrupted.GetNanoSeconds()}});
    }
    return totals;
}

void
FabricStats::Finish()
{
    if (m_isFinished)
    {
        return;
    }
    m_isFinished = true; // whatever comes of it, there is no second try
    m_next.Remove();     // a later run would meet the event
    if (m_memory)
    {
        m_memory->Close();
    }
    if (!m_folder)
    {
        ReportFiles files; // of reports that have their own
        for (Report* report : m_reports)
        {
            if (!report->GetFiles().empty())
            {
                files.Add(*report, {});
            }
        }
        files.Close();
        files.Commit();
        return;
    }
    for (const auto& applications : m_applications)
    {
        m_folder->Add(*applications);
    }
    m_folder->Close();
    // The folder stays: what a later run does takes the same ways, and the sinks drop late rows.
    std::ostringstream topology;
    PrintTopologyJson(topology, m_fabric, m_beginTime, Simulator::Now());
    m_folder->Commit(GetTotals(), topology.str());
}

void
FabricStats::Abandon()
{
    m_isFinished = true;
    m_next.Remove();
    if (m_folder)
    {
        m_folder->Discard();
    }
}

RunTotals
FabricStats::GetTotals() const
{
    RunTotals totals;
    totals.flowsTotal = m_flows.GetNFlows();
    totals.flowsCompleted = m_flows.GetNCompleted();
    totals.flowsFailed = m_flows.GetNFailed();
    totals.simulated = Simulator::Now() - m_beginTime;
    totals.more = m_more;
    totals.settings = m_settings ? std::optional(m_settings->differences) : std::nullopt;
    totals.events = Simulator::GetEventCount() - m_beginEvents - m_foreignEvents;
    totals.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    totals.cpuSeconds = CpuSeconds() - m_beginCpu;
    totals.peakRssBytes = PeakRssBytes();
    totals.seed = RngSeedManager::GetSeed();
    for (const Report* report : m_reports)
    {
        report->AddTotals(totals);
    }
    totals.active = GetActive(totals.rdma.payloadDelivered);
    return totals;
}

Time
FabricStats::GetActive(uint64_t payloadDelivered) const
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
FabricStats::Summary() const
{
    const Totals totals = GetTotals();
    std::ostringstream os;
    char line[256];
    if (CountsFlows(m_traffic, m_flows))
    {
        std::snprintf(line,
                      sizeof(line),
                      "%llu of %llu flows completed, %llu failed, in ",
                      static_cast<unsigned long long>(totals.flowsCompleted),
                      static_cast<unsigned long long>(totals.flowsTotal),
                      static_cast<unsigned long long>(m_flows.GetNFailed()));
        os << line;
    }
    std::snprintf(line,
                  sizeof(line),
                  "%.3f ms; %u hosts, %u switches\n\n",
                  totals.active.GetSeconds() * 1e3,
                  m_fabric.GetNHosts(),
                  m_fabric.GetNSwitches());
    os << line;
    for (const Report* report : m_reports)
    {
        report->Print(os, totals);
        if (report == &m_fct)
        {
            for (const auto& applications : m_applications)
            {
                applications->Print(os, totals);
            }
        }
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

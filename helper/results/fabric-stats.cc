// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-stats.h"

#include "deadlock-stats.h"
#include "unfinished-flows.h"

#include "ns3/fabric-error.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <sys/resource.h>
#include <vector>

namespace ns3
{
namespace
{

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

} // namespace

FabricStats::FabricStats(const Fabric& fabric, RdmaFlowHelper& flows)
    : m_fabric(fabric),
      m_flows(flows),
      m_pfc(fabric),
      m_queues(fabric),
      m_throughput(fabric),
      m_watchdogs(fabric),
      m_interval(MicroSeconds(10)),
      m_exceptions(std::uncaught_exceptions()),
      m_begin(std::chrono::steady_clock::now()),
      m_beginCpu(CpuSeconds())
{
    flows.OnEnd([this](const RdmaFlowResult& result) { m_fct.Add(result); });
    m_traffic.Add(flows);
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
        Finish();
    }
    catch (const std::exception& error)
    {
        std::cerr << "FabricStats: " << error.what() << std::endl;
    }
}

void
FabricStats::AddSockets(SocketFlowHelper& sockets)
{
    m_sockets.push_back(&sockets);
    AddTraffic(sockets);
}

void
FabricStats::AddTraffic(TrafficSource& source)
{
    m_traffic.Add(source);
}

void
FabricStats::WriteTo(const std::string& folder, const std::vector<std::string>& files)
{
    const std::filesystem::path path(folder);
    const std::map<std::string, std::function<void()>> known = {
        {"fct", [&] { m_fct.WriteTo(path / "fct.csv"); }},
        {"pfc", [&] { m_pfc.WriteTo(path / "pfc.csv", path / "pause.csv"); }},
        {"queue", [&] { m_queues.WriteTo(path / "queue.csv"); }},
        {"throughput", [&] { m_throughput.WriteTo(path / "throughput.csv"); }},
        {"watchdog", [&] { m_watchdogs.WriteTo(path / "watchdog.csv"); }},
    };
    for (const std::string& file : files)
    {
        if (!known.count(file))
        {
            throw FabricError("statistics have no file \"" + file + "\"",
                              "choose of fct, pfc, queue, throughput, watchdog");
        }
    }
    const auto isWanted = [&files](const std::string& name) {
        return files.empty() || std::find(files.begin(), files.end(), name) != files.end();
    };
    m_folder = folder;
    m_isSampled = isWanted("queue") || isWanted("throughput");
    for (const auto& [name, write] : known)
    {
        if (isWanted(name))
        {
            write();
        }
    }
    // Flows and watchdogs may still be added: look again when the simulation begins.
    m_next = Simulator::ScheduleNow(&FabricStats::Begin, this);
    m_atDestroy = Simulator::ScheduleDestroy(&FabricStats::FinishQuietly, this);
}

void
FabricStats::Begin()
{
    m_watchdogs.Begin();
    if (m_isSampled)
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
    m_throughput.Begin(next - m_interval);
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
FabricStats::SetEnd(const std::string& end, Time interrupted)
{
    m_more = {{"end", "", "how the run ended", end}};
    if (interrupted != Time::Max())
    {
        m_more.push_back({"interrupted_at_ns",
                          "ns",
                          "when a signal came",
                          int64_t{interrupted.GetNanoSeconds()}});
    }
}

void
FabricStats::Sample()
{
    m_queues.Sample();
    m_throughput.Sample();
    if (m_traffic.IsAwaited())
    {
        PlanSample();
    }
}

void
FabricStats::Finish()
{
    if (m_folder.empty() || m_finished)
    {
        return;
    }
    m_finished = true;
    m_throughput.Sample();
    m_fct.Commit();
    m_pfc.Commit();
    m_queues.Commit();
    m_throughput.Commit();
    m_watchdogs.Commit();
    DeadlockStats(m_fabric).Write(std::filesystem::path(m_folder) / "deadlock.csv");
    UnfinishedFlows(m_flows).WriteTo(std::filesystem::path(m_folder) / "unfinished.csv");
    for (const SocketFlowHelper* sockets : m_sockets)
    {
        sockets->Write(m_folder);
    }
    WriteJson(std::filesystem::path(m_folder) / "summary.json");
}

void
FabricStats::CountFromNow()
{
    m_base = Gather();
}

FabricStats::Totals
FabricStats::GetTotals() const
{
    Totals totals = CountersSince(Gather(), m_base);
    totals.rdma = CountersSince(totals.rdma, m_base.rdma);
    totals.pfc = CountersSince(totals.pfc, m_base.pfc);
    static_cast<PfcWatchdog::Counters&>(totals.watchdogs) =
        CountersSince<PfcWatchdog::Counters>(totals.watchdogs, m_base.watchdogs);
    totals.watchdogs.nicsStopped -= m_base.watchdogs.nicsStopped;
    totals.deadlocks = CountersSince(totals.deadlocks, m_base.deadlocks);
    totals.more = m_more;
    return totals;
}

FabricStats::Totals
FabricStats::Gather() const
{
    Totals totals;
    totals.flowsTotal = m_flows.GetNFlows();
    totals.flowsCompleted = m_flows.GetNCompleted();
    totals.flowsFailed = m_flows.GetNFailed();
    totals.pfc = m_pfc.GetTotals();
    totals.queuePeakBytes = m_queues.GetPeakBytes();
    totals.hasWatchdogs = m_watchdogs.HasAny();
    totals.watchdogs = m_watchdogs.GetTotals();
    const DeadlockStats deadlocks(m_fabric);
    totals.hasDetector = deadlocks.IsInstalled();
    totals.deadlocks = deadlocks.GetTotals();
    totals.simulated = Simulator::Now();
    // What is idle after the last flow, a watchdog that looks once more, dilutes no rate.
    const bool over =
        m_flows.IsDone() && m_flows.GetNStarted() > 0 && m_traffic.GetSources().size() == 1;
    totals.active = (over ? m_flows.GetLastEnd() : totals.simulated) - m_traffic.GetFirstStart();
    totals.events = Simulator::GetEventCount() - m_foreignEvents;
    totals.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    totals.cpuSeconds = CpuSeconds() - m_beginCpu;
    totals.peakRssBytes = PeakRssBytes();
    totals.seed = RngSeedManager::GetSeed();
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        const auto fabricSwitch = m_fabric.GetSwitch(i);
        totals.losslessDrops += fabricSwitch->GetLosslessDrops();
        totals.lossyDrops += fabricSwitch->GetLossyDrops();
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            const auto& counters = fabricSwitch->GetCounters(port);
            for (const uint64_t marks : counters.ecnMarks)
            {
                totals.ecnMarks += marks;
            }
        }
    }
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        AddCounters(totals.rdma, m_fabric.GetRdma(host)->GetCounters());
    }
    const FabricTopology& topology = m_fabric.GetTopology();
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            const auto& drops = m_fabric.GetDevice(node, port)->GetCounters().drops;
            for (std::size_t reason = 0; reason < drops.size(); ++reason)
            {
                totals.drops[reason] += drops[reason];
            }
        }
    }
    return totals;
}

std::string
FabricStats::Summary() const
{
    const Totals totals = GetTotals();
    std::ostringstream os;
    char line[256];
    std::snprintf(
        line,
        sizeof(line),
        "%llu of %llu flows completed, %llu failed, in %.3f ms; %u hosts, %u switches\n\n",
        static_cast<unsigned long long>(totals.flowsCompleted),
        static_cast<unsigned long long>(totals.flowsTotal),
        static_cast<unsigned long long>(m_flows.GetNFailed()),
        totals.active.GetSeconds() * 1e3,
        m_fabric.GetNHosts(),
        m_fabric.GetNSwitches());
    os << line;
    UnfinishedFlows(m_flows).Print(os);
    m_fct.Print(os);
    os << '\n';
    for (const SocketFlowHelper* sockets : m_sockets)
    {
        sockets->Print(os);
    }
    m_pfc.Print(os);
    os << "Drops: " << totals.losslessDrops << " in lossless classes, " << totals.lossyDrops
       << " in lossy classes";
    for (std::size_t reason = 0; reason < totals.drops.size(); ++reason)
    {
        if (totals.drops[reason])
        {
            os << "; " << static_cast<DropReason>(reason) << " " << totals.drops[reason];
        }
    }
    os << '\n';
    m_watchdogs.Print(os);
    DeadlockStats(m_fabric).Print(os);
    m_queues.Print(os);
    m_throughput.Print(os, totals.active);
    os << "RDMA: " << totals.rdma.dataPackets << " data packets, " << totals.rdma.retransmitted
       << " of them sent again, " << totals.ecnMarks << " ECN marks, " << totals.rdma.cnpsReceived
       << " CNPs, " << totals.rdma.timeouts << " timeouts\n";
    return os.str();
}

void
FabricStats::WriteJson(const std::string& path) const
{
    ResultFile file(path);
    GetTotals().PrintJson(file.Stream());
    file.Commit();
}

} // namespace ns3

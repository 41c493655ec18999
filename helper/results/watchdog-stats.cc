// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-stats.h"

#include "ns3/simulator.h"
#include "ns3/watchdog-helper.h"

#include <algorithm>

namespace ns3
{

WatchdogStats::WatchdogStats(const Fabric& fabric)
    : m_fabric(fabric)
{
}

WatchdogStats::Found
WatchdogStats::Find() const
{
    if (!m_found.switches.empty() || !m_found.nics.empty())
    {
        return m_found;
    }
    return FindNow();
}

WatchdogStats::Found
WatchdogStats::FindNow() const
{
    Found found;
    const FabricTopology& topology = m_fabric.GetTopology();
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        for (const auto& watchdog : WatchdogHelper::GetWatchdogs(m_fabric, i))
        {
            found.switches.emplace_back(topology.GetSwitches()[i], watchdog);
        }
    }
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        if (auto watchdog = m_fabric.GetHost(host)->GetObject<NicWatchdog>())
        {
            found.nics.emplace_back(topology.GetHosts()[host], watchdog);
        }
    }
    return found;
}

bool
WatchdogStats::HasAny() const
{
    const Found found = Find();
    return !found.switches.empty() || !found.nics.empty();
}

void
WatchdogStats::WriteTo(const std::string& path)
{
    m_path = path;
    Begin();
}

void
WatchdogStats::Begin()
{
    const Found found = FindNow();
    if (m_path.empty() || (found.switches.empty() && found.nics.empty()))
    {
        return;
    }
    if (!m_file)
    {
        m_file = std::make_unique<ResultFile>(m_path);
        m_file->Stream() << "time_ns,node,node_type,port,class,from,to,dropped\n";
    }
    const auto connectNew = [this](const auto& now, const auto& before) {
        for (const auto& [node, watchdog] : now)
        {
            if (std::find(before.begin(), before.end(), std::pair(node, watchdog)) == before.end())
            {
                Connect(*watchdog, node);
            }
        }
    };
    connectNew(found.switches, m_found.switches);
    connectNew(found.nics, m_found.nics);
    m_found = found;
}

void
WatchdogStats::Connect(PfcWatchdog& watchdog, uint32_t node)
{
    const PfcWatchdog* source = &watchdog;
    watchdog.TraceConnectWithoutContext(
        "State",
        Callback<void, uint32_t, uint32_t, PfcQueueState, PfcQueueState>(
            m_guard.Wrap([this,
                          source,
                          node](uint32_t port, uint32_t cls, PfcQueueState from, PfcQueueState to) {
                const auto& counters = source->GetCounters(port, cls);
                m_file->Stream() << Simulator::Now().GetNanoSeconds() << ',' << node << ",switch,"
                                 << port << ',' << cls << ',' << from << ',' << to << ','
                                 << counters.queueDrops + counters.ingressDrops << '\n';
            })));
}

void
WatchdogStats::Connect(NicWatchdog& watchdog, uint32_t node)
{
    watchdog.TraceConnectWithoutContext(
        "Stopped",
        Callback<void, uint32_t, uint8_t, bool>(
            m_guard.Wrap([this, node](uint32_t port, uint8_t classes, bool stopped) {
                for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
                {
                    if (classes & (1U << cls))
                    {
                        m_file->Stream()
                            << Simulator::Now().GetNanoSeconds() << ',' << node << ",host," << port
                            << ',' << cls << ','
                            << (stopped ? "operational,stopped" : "stopped,operational") << ",0\n";
                    }
                }
            })));
}

void
WatchdogStats::Commit()
{
    if (m_file)
    {
        m_file->Commit();
    }
}

WatchdogTotals
WatchdogStats::GetTotals() const
{
    WatchdogTotals totals;
    const Found found = Find();
    for (const auto& [node, watchdog] : found.switches)
    {
        AddCounters<PfcWatchdog::Counters>(totals, watchdog->GetTotals());
    }
    for (const auto& [node, watchdog] : found.nics)
    {
        totals.nicsStopped += watchdog->GetStopCount();
    }
    return totals;
}

void
WatchdogStats::Print(std::ostream& os) const
{
    if (!HasAny())
    {
        return;
    }
    const WatchdogTotals totals = GetTotals();
    os << "Watchdogs: " << totals.storms << " storms, " << totals.restored << " restored, "
       << totals.disabled << " disabled; dropped " << totals.queueDrops << " frames of the queues, "
       << totals.ingressDrops << " received; " << totals.nicsStopped << " NICs stopped\n";
}

} // namespace ns3

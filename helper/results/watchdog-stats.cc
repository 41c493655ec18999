// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-stats.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/watchdog-helper.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace
{

/// @param state a state @return its name
std::string
ToText(PfcQueueState state)
{
    std::ostringstream os;
    os << state;
    return os.str();
}

} // namespace

WatchdogStats::WatchdogStats(const Fabric& fabric)
    : TableReport("watchdog", {GetTable()}),
      m_fabric(fabric)
{
    m_before = Read();
}

WatchdogStats::Found
WatchdogStats::Find() const
{
    return m_fabric.IsDestroyed() ? m_found : FindNow();
}

WatchdogStats::Found
WatchdogStats::FindNow() const
{
    Found found;
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const SwitchId which : m_fabric.Switches())
    {
        for (const auto& watchdog : WatchdogHelper::GetWatchdogs(m_fabric, which))
        {
            found.switches.emplace_back(topology.NodeOf(which), watchdog);
        }
    }
    for (const HostId host : m_fabric.Hosts())
    {
        if (auto watchdog = m_fabric.GetHost(host)->GetObject<NicWatchdog>())
        {
            found.nics.emplace_back(topology.NodeOf(host), watchdog);
        }
    }
    return found;
}

TableSpec
WatchdogStats::GetTable()
{
    using C = ColumnSpec;
    return {"watchdog",
            "a change of state of a watchdog; no file where there is no watchdog",
            {{"time_ns", "ns", "when it changed"},
             {"node", "", "node of the watchdog"},
             {"node_type", "", "switch or host", C::TEXT},
             {"port", "", "port of the node"},
             {"class", "", "traffic class"},
             {"from", "", "state before", C::TEXT},
             {"to", "", "state from now on", C::TEXT},
             {"dropped", "frames", "frames that it has dropped so far"}},
            false};
}

void
WatchdogStats::Open(const std::vector<RowSink*>& rows)
{
    TableReport::Open(rows);
    Begin();
}

void
WatchdogStats::Begin()
{
    const Found found = FindNow();
    if (m_rows && !(found.switches.empty() && found.nics.empty()))
    {
        m_rows->Start();
        ForEachNew(found, [this](const auto& node, auto& watchdog) { Connect(watchdog, node); });
    }
    m_found = found;
}

void
WatchdogStats::Close(Time /* end */)
{
    if (m_fabric.IsDestroyed())
    {
        return;
    }
    const Found found = FindNow();
    if (m_rows)
    {
        ForEachNew(found, [this](const auto& node, const auto& watchdog) {
            m_rows->Start();
            for (const auto& change : watchdog.GetChanges())
            {
                Write(change, node);
            }
        });
    }
    m_found = found;
}

template <typename Visit>
void
WatchdogStats::ForEachNew(const Found& found, const Visit& visit) const
{
    const auto visitNew = [&visit](const auto& now, const auto& before) {
        for (const auto& [node, watchdog] : now)
        {
            if (std::find(before.begin(), before.end(), std::pair(node, watchdog)) == before.end())
            {
                visit(node, *watchdog);
            }
        }
    };
    visitNew(found.switches, m_found.switches);
    visitNew(found.nics, m_found.nics);
}

void
WatchdogStats::Write(const PfcWatchdog::Change& change, NodeId node)
{
    m_rows->Add(TimeStep(change.tick).GetNanoSeconds(),
                node,
                "switch",
                change.port,
                change.cls,
                ToText(change.from),
                ToText(change.to),
                change.dropped);
}

void
WatchdogStats::Write(const NicWatchdog::Change& change, NodeId node)
{
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (change.classes & (1U << cls))
        {
            m_rows->Add(TimeStep(change.tick).GetNanoSeconds(),
                        node,
                        "host",
                        change.port,
                        cls,
                        change.stopped ? "operational" : "stopped",
                        change.stopped ? "stopped" : "operational",
                        0);
        }
    }
}

void
WatchdogStats::Connect(PfcWatchdog& watchdog, NodeId node)
{
    const PfcWatchdog* source = &watchdog;
    watchdog.TraceConnectWithoutContext(
        "State",
        Callback<void, uint32_t, uint32_t, PfcQueueState, PfcQueueState>(
            m_guard.Wrap([this, source, node](uint32_t, uint32_t, PfcQueueState, PfcQueueState) {
                const PfcWatchdog::Change change = source->GetChanges().back();
                FabricSimulatorImpl::Serially(m_guard.Wrap([=] { Write(change, node); }));
            })));
}

void
WatchdogStats::Connect(NicWatchdog& watchdog, NodeId node)
{
    const NicWatchdog* source = &watchdog;
    watchdog.TraceConnectWithoutContext(
        "Stopped",
        Callback<void, uint32_t, uint8_t, bool>(
            m_guard.Wrap([this, source, node](uint32_t, uint8_t, bool) {
                const NicWatchdog::Change change = source->GetChanges().back();
                FabricSimulatorImpl::Serially(m_guard.Wrap([=] { Write(change, node); }));
            })));
}

WatchdogStats::Counts
WatchdogStats::Read() const
{
    Counts counts;
    const Found found = Find();
    for (const auto& [node, watchdog] : found.switches)
    {
        AddCounters(counts.switches, watchdog->GetTotals());
    }
    for (const auto& [node, watchdog] : found.nics)
    {
        counts.nics.nicsStopped += watchdog->GetStopCount();
    }
    return counts;
}

void
WatchdogStats::AddTotals(RunTotals& totals) const
{
    const Found found = Find();
    if (!found.switches.empty() || !found.nics.empty())
    {
        const Counts now = Read();
        totals.watchdogs = CountersSince(now.switches, m_before.switches);
        totals.nicWatchdogs = CountersSince(now.nics, m_before.nics);
    }
}

void
WatchdogStats::Print(std::ostream& os, const RunTotals& all) const
{
    if (!all.watchdogs)
    {
        return;
    }
    const PfcWatchdog::Counters& totals = *all.watchdogs;
    os << "Watchdogs: " << totals.storms << " storms, " << totals.restored << " restored, "
       << totals.disabled << " disabled; dropped " << totals.queueDrops << " frames of the queues, "
       << totals.ingressDrops << " received; " << all.nicWatchdogs->nicsStopped
       << " NICs stopped\n";
}

} // namespace ns3

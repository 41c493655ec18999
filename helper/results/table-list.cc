// SPDX-License-Identifier: GPL-2.0-only
#include "table-list.h"

#include "application-stats.h"
#include "config-monitor.h"
#include "deadlock-stats.h"
#include "fault-stats.h"
#include "fct-stats.h"
#include "finding-stats.h"
#include "flow-times.h"
#include "lost-stats.h"
#include "mrc-stats.h"
#include "pause-monitor.h"
#include "pause-tree.h"
#include "pfc-stats.h"
#include "ping-stats.h"
#include "queue-stats.h"
#include "setting-table.h"
#include "skippable-stats.h"
#include "throughput-stats.h"
#include "trim-stats.h"
#include "unfinished-flows.h"
#include "watchdog-stats.h"
#include "watermark-stats.h"

#include <algorithm>
#include <string_view>

namespace ns3
{
namespace
{

/// @return what libraries on top of this one have
std::vector<ListedResults>&
Listed()
{
    static std::vector<ListedResults> all;
    return all;
}

} // namespace

std::vector<TableSpec>
ListTables()
{
    std::vector<TableSpec> tables = {ApplicationStats::GetTable(),
                                     ConfigMonitor::GetTable(),
                                     DeadlockStats::GetTable(),
                                     FaultStats::GetTable(),
                                     FctStats::GetTable(),
                                     FindingStats::GetTable(),
                                     FlowTimes::GetTable(),
                                     LostStats::GetTable(),
                                     MrcStats::GetTable(),
                                     PauseMonitor::GetTable(),
                                     QueueStats::GetTable(),
                                     SettingTable::GetTable(),
                                     SkippableStats::GetTable(),
                                     ThroughputStats::GetTable(),
                                     TrimStats::GetTable(),
                                     UnfinishedStats::GetTable(),
                                     WatchdogStats::GetTable(),
                                     WatermarkStats::GetTable()};
    std::vector<std::vector<TableSpec>> lists = {LinkLoad::ListTables(),
                                                 PauseTree::ListTables(),
                                                 PfcStats::ListTables(),
                                                 PingStats::ListTables()};
    for (const ListedResults& more : Listed())
    {
        lists.push_back(more.tables());
    }
    for (const auto& several : lists)
    {
        tables.insert(tables.end(), several.begin(), several.end());
    }
    std::sort(tables.begin(), tables.end(), [](const TableSpec& one, const TableSpec& other) {
        return std::string_view(one.name) < other.name;
    });
    return tables;
}

std::vector<NamedTotal>
ListTotals()
{
    RunTotals totals;
    RunTotals::ForEachPart([&totals](auto member, const char*) { (totals.*member).emplace(); });
    totals.more = NamedTotal::OfEnd("", Time(0), 0);
    for (const ListedResults& more : Listed())
    {
        const std::vector<NamedTotal> list = more.totals();
        totals.more.insert(totals.more.end(), list.begin(), list.end());
    }
    return totals.List();
}

bool
ListResults(const ListedResults& results)
{
    Listed().push_back(results);
    return true;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "table-list.h"

#include "application-stats.h"
#include "config-monitor.h"
#include "deadlock-stats.h"
#include "fault-stats.h"
#include "fct-stats.h"
#include "flow-times.h"
#include "job-tables.h"
#include "link-load.h"
#include "pause-monitor.h"
#include "pause-tree.h"
#include "pfc-stats.h"
#include "ping-stats.h"
#include "queue-stats.h"
#include "skippable-stats.h"
#include "throughput-stats.h"
#include "unfinished-flows.h"
#include "watchdog-stats.h"
#include "watermark-stats.h"

#include <algorithm>
#include <string_view>

namespace ns3
{

std::vector<TableSpec>
ListTables()
{
    std::vector<TableSpec> tables = {ApplicationStats::GetTable(),
                                     ConfigMonitor::GetTable(),
                                     DeadlockStats::GetTable(),
                                     FaultStats::GetTable(),
                                     FctStats::GetTable(),
                                     FlowTimes::GetTable(),
                                     LinkLoad::GetTable(),
                                     PauseMonitor::GetTable(),
                                     QueueStats::GetTable(),
                                     SkippableStats::GetTable(),
                                     ThroughputStats::GetTable(),
                                     UnfinishedStats::GetTable(),
                                     WatchdogStats::GetTable(),
                                     WatermarkStats::GetTable()};
    for (const auto& several : {ListJobTables(),
                                PauseTree::ListTables(),
                                PfcStats::ListTables(),
                                PingStats::ListTables()})
    {
        tables.insert(tables.end(), several.begin(), several.end());
    }
    std::sort(tables.begin(), tables.end(), [](const TableSpec& one, const TableSpec& other) {
        return std::string_view(one.name) < other.name;
    });
    return tables;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COUNTER_STATS_H
#define LOSSLESS_COUNTER_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"

#include <memory>
#include <vector>

namespace ns3
{

// Reports that have totals and a line of the summary alone, from counters that there are anyway.
// What the counters have when a report is made is not of the run.

/// @ingroup lossless
/// @param fabric whose switches and hosts @return report of frames that were dropped, by class and
/// by reason, and of frames that were marked CE
std::unique_ptr<Report> MakeDropStats(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric whose hosts @return report of what their NICs have counted
std::unique_ptr<Report> MakeRdmaStats(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric whose switches @return a report for each kind of extension that counts: separators
/// of elephants, border policies, ends of VXLAN tunnels, trimming; empty where no switch has such
/// an extension
std::vector<std::unique_ptr<Report>> MakeExtensionStats(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_COUNTER_STATS_H

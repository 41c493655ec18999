// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXTENSION_STATS_H
#define LOSSLESS_EXTENSION_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Make a report for each kind of extension of switches that counts: separators of elephants, border
 * policies, ends of VXLAN tunnels. A report has the sums over all switches as totals, and a line of
 * the summary, where a switch has such an extension.
 * @param fabric whose switches; what they have counted so far is not of the run
 * @return the reports, in the order of the summary
 */
std::vector<std::unique_ptr<Report>> MakeExtensionStats(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_EXTENSION_STATS_H

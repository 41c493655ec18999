// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_JSON_H
#define LOSSLESS_TOPOLOGY_JSON_H

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <ostream>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Print what a run ran on, so that a folder of results can be drawn: nodes with names and tiers,
 * links with their ends, rates and delays as they are now, and when the run began and ended.
 * @param os where
 * @param fabric what ran
 * @param begin of the run
 * @param end of the run
 */
void PrintTopologyJson(std::ostream& os, const Fabric& fabric, Time begin, Time end);

} // namespace ns3

#endif // LOSSLESS_TOPOLOGY_JSON_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_DIVISION_H
#define LOSSLESS_RUN_DIVISION_H

#include "run-options.h"

#include "ns3/fabric.h"
#include "ns3/run-part.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @param fabric what runs @param options of the run @param parts of the run
/// @return what acts on several nodes at once; empty: nothing
std::string FindUndividable(const Fabric& fabric,
                            const RunOptions& options,
                            const std::vector<const RunPart*>& parts);

/**
 * @ingroup lossless
 *
 * Let as many threads run a fabric as RunOptions::threads says, before the run; no effect where
 * nobody has chosen threads. FabricError if so many cannot: what acts on several nodes at once, and
 * is no event of no node, needs one thread.
 * @param fabric what runs
 * @param options of the run
 * @param parts all that belongs to the run
 */
void DivideRun(const Fabric& fabric,
               const RunOptions& options,
               const std::vector<const RunPart*>& parts);

} // namespace ns3

#endif // LOSSLESS_RUN_DIVISION_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_DIVISION_H
#define LOSSLESS_RUN_DIVISION_H

#include "run-options.h"

#include "ns3/fabric.h"
#include "ns3/run-part.h"

#include <cstdint>
#include <optional>
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
 * Choose as many threads for a fabric as RunOptions::threads says, before the run, and canonical
 * order, so that their number changes no result. FabricError if so many threads cannot: what acts
 * on several nodes at once, and is no event of no node, needs one.
 * @param fabric what runs
 * @param options of the run
 * @param parts all that belongs to the run
 * @return into how many partitions DivideFabric() is to divide the fabric, 0: as many as suit it;
 * none where nobody has chosen threads, and the simulator is another, or the order of ns-3 was
 * chosen or has begun: nothing was done then
 */
std::optional<uint32_t> ChooseThreads(const Fabric& fabric,
                                      const RunOptions& options,
                                      const std::vector<const RunPart*>& parts);

} // namespace ns3

#endif // LOSSLESS_RUN_DIVISION_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_CHECK_H
#define LOSSLESS_PATH_CHECK_H

#include "ns3/ptr.h"

#include <vector>

namespace ns3
{

class FabricObjects;
class RdmaQueuePair;

/**
 * @ingroup lossless
 * A run begins: note what takes one path where switches have several, and look at queue pairs.
 * FabricError where the congestion control, the loss recovery or an extension of a switch cannot
 * work with packets that take several paths; a finding where its results are doubtful.
 * @param fabric that runs
 * @param allowsReordering whether what cannot work is a finding, too
 * @param planned queue pairs like those that flows will have, not connected
 */
void CheckPaths(const FabricObjects& fabric,
                bool allowsReordering,
                const std::vector<Ptr<RdmaQueuePair>>& planned);

/// @ingroup lossless
/// Do the same for a queue pair, by what was noted at the begin of the run. @param fabric where
/// @param end the sending end
void CheckPaths(const FabricObjects& fabric, const RdmaQueuePair& end);

/// @ingroup lossless
/// @param end a queue pair, connected or not @return whether the packets of a message may take
/// several paths because of this end: each has an entropy value
bool SpreadsPackets(const RdmaQueuePair& end);

} // namespace ns3

#endif // LOSSLESS_PATH_CHECK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_CHECK_H
#define LOSSLESS_PATH_CHECK_H

namespace ns3
{

class FabricObjects;
class RdmaQueuePair;

/**
 * @ingroup lossless
 * A run begins: note what takes one path where switches have several, and look at the queue pairs
 * that are connected. FabricError where the congestion control, the loss recovery or an extension
 * of a switch cannot work with packets that take several paths; a finding where its results are
 * doubtful.
 * @param fabric that runs @param allowsReordering whether what cannot work is a finding, too
 */
void CheckPaths(const FabricObjects& fabric, bool allowsReordering);

/// @ingroup lossless
/// A queue pair is connected: do the same for it, by what was noted. @param fabric where @param end
/// the sending end
void CheckPaths(const FabricObjects& fabric, const RdmaQueuePair& end);

} // namespace ns3

#endif // LOSSLESS_PATH_CHECK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OWN_QUEUE_PAIRS_H
#define LOSSLESS_OWN_QUEUE_PAIRS_H

#include "fabric.h"

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * Queue pairs that a script has connected itself, beside those of traffic of a run. Nobody awaits
 * what is posted to them.
 */

/// Keep a connection in mind. @param fabric where @param source,destination hosts of the ends
/// @param connection both ends
void NoteOwnQueuePairs(const Fabric& fabric,
                       HostId source,
                       HostId destination,
                       const Fabric::Connection& connection);

/// Name on one line how many requests have not completed, and on another one how many of them wait
/// for a receive that the peer has not posted. @param fabric whose run has ended
void WarnOfIncomplete(const Fabric& fabric);

/// Name on one line how many requests have failed without a callback that was told, since the last
/// call. @param fabric whose run has ended
void WarnOfFailed(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_OWN_QUEUE_PAIRS_H

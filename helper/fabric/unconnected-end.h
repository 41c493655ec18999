// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNCONNECTED_END_H
#define LOSSLESS_UNCONNECTED_END_H

#include "fabric.h"

#include "ns3/object-factory.h"
#include "ns3/rdma-queue-pair.h"

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * What a queue pair of a fabric would have, if it were connected now. Who asks has used no default.
 */

/// @param fabric a fabric @param options what is special about a queue pair
/// @return such a queue pair of host 0, never to be connected
Ptr<RdmaQueuePair> MakeUnconnected(const Fabric& fabric, const Fabric::QueuePairOptions& options);

/// @param end a queue pair, not connected @return what would make its congestion control
ObjectFactory CongestionOf(const RdmaQueuePair& end);

/// @param fabric a fabric @param options of queue pairs @return what makes their congestion control
ObjectFactory CongestionOf(const Fabric& fabric, const Fabric::QueuePairOptions& options);

} // namespace ns3

#endif // LOSSLESS_UNCONNECTED_END_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_STREAMS_H
#define LOSSLESS_FABRIC_STREAMS_H

#include "fabric.h"

#include <cstdint>

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * Random streams for what draws in a fabric, see Fabric::AssignStreams().
 */

/// Give streams to switches, receive buffers and error models, in this order. @param fabric with
/// them @param stream first stream to use @return number of streams used
int64_t GiveStreams(const Fabric& fabric, int64_t stream);

/// @param fabric a fabric @return streams for the ECN marker of each switch and for each receive
/// buffer: a run sets these aside, whatever else draws
int64_t CountUsualStreams(const Fabric& fabric);

/// Give streams, by their places, to what comes later at nodes, and to the congestion controls and
/// entropy policies of queue pairs. @param fabric with the nodes @param later its streams
void GiveLaterStreams(const Fabric& fabric, const LaterStreams& later);

/// @param later streams; none: the end keeps its own @param host a host @param end a queue pair of
/// it, which is connected
void GiveLaterStreams(const LaterStreams& later, HostId host, const RdmaQueuePair& end);

} // namespace ns3

#endif // LOSSLESS_FABRIC_STREAMS_H

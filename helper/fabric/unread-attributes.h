// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNREAD_ATTRIBUTES_H
#define LOSSLESS_UNREAD_ATTRIBUTES_H

#include "fabric.h"

#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @param congestion makes a congestion control @param fabric whose options count
/// @return attributes that the factory, an option of the program or a default of a script gives
/// another value than the usual one, and that the congestion control does not read because of
/// another attribute; one line each, such as "ns3::RdmaHpcc::PintBase has no effect; it needs
/// Telemetry Pint"
std::vector<std::string> FindUnread(const ObjectFactory& congestion, const Fabric& fabric);

/// @ingroup lossless
/// Name what FindUnread() finds, once for a fabric. @param congestion makes a congestion control
/// @param fabric that begins to run
void WarnOfUnread(const ObjectFactory& congestion, const Fabric& fabric);

/// @ingroup lossless
/// Name, once for a fabric, rates of a congestion control that nothing is paced by, or that are
/// above the links of the hosts that send by them. @param fabric a fabric @param options of queue
/// pairs @param senders hosts that send by them
void WarnOfRates(const Fabric& fabric,
                 const Fabric::QueuePairOptions& options,
                 const std::vector<HostId>& senders);

/// @ingroup lossless
/// @param options of queue pairs @return whether they name a congestion control, in place of that
/// of the fabric
bool HasOwnControl(const Fabric::QueuePairOptions& options);

/// @ingroup lossless
/// Name, once for a fabric, attributes that are set for certain queue pairs and that their loss
/// recovery or congestion control does not read. @param fabric a fabric @param options of queue
/// pairs
void WarnOfQueuePairs(const Fabric& fabric, const Fabric::QueuePairOptions& options);

/// @ingroup lossless
/// Name, once for a fabric, attributes of all its queue pairs that no queue pair reads.
/// @param fabric that begins to run @param flows options of the queue pairs of flows
void WarnOfUnreadByAll(const Fabric& fabric, const std::vector<Fabric::QueuePairOptions>& flows);

/// @ingroup lossless
/// A queue pair is connected: it takes what the fabric says of queue pairs, but for its options.
/// @param fabric it @param options of the queue pair
void NoteTaken(const Fabric& fabric, const Fabric::QueuePairOptions& options);

/// @ingroup lossless
/// Name, once for a fabric, attributes of queue pairs that no verb has used, and a congestion
/// control of the fabric that no queue pair has had. @param fabric that has run
/// @param isControlRead whether some flow is to have the congestion control of the fabric
void WarnOfUnreadAtEnd(const Fabric& fabric, bool isControlRead);

} // namespace ns3

#endif // LOSSLESS_UNREAD_ATTRIBUTES_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNREAD_STAMPS_H
#define LOSSLESS_UNREAD_STAMPS_H

namespace ns3
{

class Fabric;

/// @ingroup lossless
/// Name, once for a fabric, switches that stamp packets while no congestion control that a queue
/// pair has had reads stamps, and attributes of ns3::IntStamper for stamps that none of them reads.
/// @param fabric that has run
void WarnOfUnreadStampsAtEnd(const Fabric& fabric);

/// @ingroup lossless
/// Name no attributes of ns3::IntStamper of a fabric as unread, but those that an option says: a
/// replayed configuration has them in any case. @param fabric the fabric
void AllowUnreadStamps(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_UNREAD_STAMPS_H

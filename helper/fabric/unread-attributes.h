// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNREAD_ATTRIBUTES_H
#define LOSSLESS_UNREAD_ATTRIBUTES_H

#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3
{

class Fabric;

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

} // namespace ns3

#endif // LOSSLESS_UNREAD_ATTRIBUTES_H

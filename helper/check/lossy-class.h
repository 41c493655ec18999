// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSSY_CLASS_H
#define LOSSLESS_LOSSY_CLASS_H

#include "fabric-index.h"

#include <cstdint>

namespace ns3
{

class FabricObjects;

/// @ingroup lossless
/// Find, once for each class of a fabric that has PFC, RDMA data that PFC does not protect: it is
/// off for their class at the sender, or at what the sender is joined to, by its class map.
/// @param fabric where @param sender host of the data @param trafficClass their class
void AddIfLossy(const FabricObjects& fabric, HostId sender, uint8_t trafficClass);

/// @ingroup lossless
/// Note that the IP stack of a host sends in a class, and look at its map as AddIfLossy() does if
/// the class is lossless there; TCP and UDP may well be in a lossy one.
/// @param fabric where @param sender the host @param trafficClass the class
void NoteIpSender(const FabricObjects& fabric, HostId sender, uint8_t trafficClass);

/// @ingroup lossless
/// @param fabric a fabric @return mask of the classes that are lossless at some host
uint8_t LosslessAtHosts(const FabricObjects& fabric);

} // namespace ns3

#endif // LOSSLESS_LOSSY_CLASS_H

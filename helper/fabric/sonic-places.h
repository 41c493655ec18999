// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_PLACES_H
#define LOSSLESS_SONIC_PLACES_H

#include "fabric.h"

#include "ns3/fabric-places.h"
#include "ns3/sonic-config.h"
#include "ns3/sonic-switch.h"

#include <functional>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Put a configuration of SONiC onto all switches of some places. FabricError for what cannot be.
/// @param fabric with the switches @param places where @param config the configuration
/// @param part of the switches @param undos gets how to take back what was set, also where
/// FabricError is thrown
void ApplySonic(const Fabric& fabric,
                const FabricPlaces& places,
                const SonicConfig& config,
                SonicSwitch::Part part,
                std::vector<std::function<void()>>& undos);

} // namespace ns3

#endif // LOSSLESS_SONIC_PLACES_H

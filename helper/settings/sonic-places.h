// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_PLACES_H
#define LOSSLESS_SONIC_PLACES_H

#include "ns3/fabric-objects.h"
#include "ns3/fabric-places.h"
#include "ns3/sonic-config.h"
#include "ns3/sonic-switch.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Put a configuration of SONiC onto all switches of some places. FabricError for what cannot be.
/// @param fabric with the switches @param places where @param config the configuration
/// @param part of the switches @param done gets what can take it back, also where FabricError is
/// thrown
void ApplySonic(const FabricObjects& fabric,
                const FabricPlaces& places,
                const SonicConfig& config,
                SonicSwitch::Part part,
                std::vector<SonicSwitch>& done);

} // namespace ns3

#endif // LOSSLESS_SONIC_PLACES_H

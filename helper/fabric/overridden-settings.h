// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OVERRIDDEN_SETTINGS_H
#define LOSSLESS_OVERRIDDEN_SETTINGS_H

#include "fabric-recipe.h"

namespace ns3
{

class Fabric;
class PlacedSettings;

/// @ingroup lossless
/// Name what is set for a whole fabric or for some places, and for each narrower place there in
/// another way, on one line each.
/// @param fabric that is built @param recipe of it @param settings of places
void WarnOfOverridden(const Fabric& fabric,
                      const FabricRecipe& recipe,
                      const PlacedSettings& settings);

} // namespace ns3

#endif // LOSSLESS_OVERRIDDEN_SETTINGS_H

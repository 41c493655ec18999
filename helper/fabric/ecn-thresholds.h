// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_THRESHOLDS_H
#define LOSSLESS_ECN_THRESHOLDS_H

#include "fabric-recipe.h"

#include "ns3/fabric-switch.h"
#include "ns3/ptr.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Give the ports of switches the ECN thresholds of their speed. @param recipe that has them
/// @param switches of the fabric
void SetThresholds(const FabricRecipe& recipe, const std::vector<Ptr<FabricSwitch>>& switches);

} // namespace ns3

#endif // LOSSLESS_ECN_THRESHOLDS_H

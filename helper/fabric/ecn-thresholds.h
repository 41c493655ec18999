// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_THRESHOLDS_H
#define LOSSLESS_ECN_THRESHOLDS_H

#include "fabric-recipe.h"
#include "fabric.h"

#include "ns3/fabric-switch.h"
#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Give the ports of switches the ECN thresholds of their speed. @param recipe that has them
/// @param switches of the fabric
void SetThresholds(const FabricRecipe& recipe, const std::vector<Ptr<FabricSwitch>>& switches);

/// @ingroup lossless
/// Warn of ECN thresholds for a speed that no port of a switch has, or that nothing marks by, and
/// of the ECN marker where no switch has EcnEnabled.
/// @param recipe that has them @param fabric that is complete
void WarnOfThresholds(const FabricRecipe& recipe, const Fabric& fabric);

/// @ingroup lossless
/// @param fabricSwitch with ports @param name of an attribute of WredEcnMarker @return whether each
/// of its queues has ECN thresholds of its own in place of the attribute
bool IsIdleOfCurves(const FabricSwitch& fabricSwitch, const std::string& name);

/// @ingroup lossless
/// Name values of ECN markers that no queue uses, as all have ECN thresholds of their own, such as
/// those by speed.
/// @param fabric that begins to run
void WarnOfIdleCurves(const Fabric& fabric);

/// @ingroup lossless
/// Name ECN thresholds of ports and classes that nobody reads, and nobody has read so far: those of
/// classes that Classes of their marker leaves out, and those where EcnEnabled is false.
/// @param fabric that begins to run, or runs
void WarnOfIdleThresholds(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_ECN_THRESHOLDS_H

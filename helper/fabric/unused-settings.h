// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNUSED_SETTINGS_H
#define LOSSLESS_UNUSED_SETTINGS_H

#include "fabric-recipe.h"

namespace ns3
{

class Fabric;

/// @ingroup lossless
/// Name settings of lossless or of lossy classes on one line each, where no place has such a class.
/// @param fabric that has them @param settings of some of its places
void WarnOfUnused(const Fabric& fabric, const FabricSettings& settings);

/// @ingroup lossless
/// The same of what is set for a whole fabric. @param fabric that is built @param recipe of it
void WarnOfUnused(const Fabric& fabric, const FabricRecipe& recipe);

/// @ingroup lossless
/// Name watchdogs and a deadlock detector, each on one line, where no port has PFC. @param fabric
/// that begins to run
void WarnOfIdleWatchdogs(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return whether WarnOfIdleWatchdogs() has named something
bool HasIdleWatchdogs(const Fabric& fabric);

/// @ingroup lossless
/// Name service pools on one line, where they leave shared space to nobody. @param fabric that
/// begins to run
void WarnOfSpareSpace(const Fabric& fabric);

/// @ingroup lossless
/// Name the first service pool of each switch from which no class draws; of switches that are alike
/// those of the first. @param fabric that begins to run
void WarnOfIdlePools(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_UNUSED_SETTINGS_H

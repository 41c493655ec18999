// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ALPHA_BY_SPEED_H
#define LOSSLESS_ALPHA_BY_SPEED_H

#include "fabric-recipe.h"
#include "fabric.h"

namespace ns3
{

/// @ingroup lossless
/// Double the alpha of lossless classes at a port of a switch each time that its link is twice as
/// fast as the slowest of a host, up to 1 (FabricHelper::SetAlphaBySpeed()). Nothing where the
/// recipe does not ask for it. @param recipe of the fabric @param fabric whose ports and
/// classes are as they will be
void SetAlphaBySpeed(const FabricRecipe& recipe, const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_ALPHA_BY_SPEED_H

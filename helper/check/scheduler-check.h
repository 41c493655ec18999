// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SCHEDULER_CHECK_H
#define LOSSLESS_SCHEDULER_CHECK_H

namespace ns3
{

class FabricObjects;

/// @ingroup lossless
/// FabricError where a ShapedScheduler has a lowest rate of a class above its highest one.
/// @param fabric that begins to run
void CheckSchedulers(const FabricObjects& fabric);

} // namespace ns3

#endif // LOSSLESS_SCHEDULER_CHECK_H

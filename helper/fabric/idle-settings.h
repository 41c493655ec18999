// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IDLE_SETTINGS_H
#define LOSSLESS_IDLE_SETTINGS_H

namespace ns3
{

class Fabric;

/// @ingroup lossless
/// Name attributes that no object with that value reads, as another setting says so, on one line
/// each: ECN thresholds of switches that do not mark, class maps of a field that is not trusted,
/// LossyShare where lossless and lossy classes share no pool. @param fabric that begins to run
void WarnOfIdleAttributes(const Fabric& fabric);

/// @ingroup lossless
/// Name XON offsets that lossy classes have of their own, on one line. @param fabric that begins to
/// run
void WarnOfIdleXonOffsets(const Fabric& fabric);

/// @ingroup lossless
/// Name a load balancer that was chosen, if no switch has a choice of ways. @param fabric that
/// begins to run
void WarnOfIdleBalancers(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_IDLE_SETTINGS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SLOW_GUARDS_H
#define LOSSLESS_SLOW_GUARDS_H

#include "fabric.h"

#include "ns3/nstime.h"

namespace ns3
{

/// @ingroup lossless
/// Name, once for a fabric, an EcnTuner whose Interval is longer than a run. @param fabric that has
/// run @param length of the run
void WarnOfSlowTuners(const Fabric& fabric, Time length);

/// @ingroup lossless
/// Likewise, watchdogs of switches and NICs that take longer than a run to detect a storm, and a
/// deadlock detector that was told to. @param fabric that has run @param length of the run
void WarnOfSlowGuards(const Fabric& fabric, Time length);

} // namespace ns3

#endif // LOSSLESS_SLOW_GUARDS_H

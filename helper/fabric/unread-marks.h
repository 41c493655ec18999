// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNREAD_MARKS_H
#define LOSSLESS_UNREAD_MARKS_H

#include "fabric.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Name, once for a fabric, ECN thresholds and markers that somebody has set where neither the
/// congestion control of the fabric nor that of a flow reads ECN marks.
/// @param fabric that begins to run @param flows options of the queue pairs of flows
void WarnOfUnreadMarks(const Fabric& fabric, const std::vector<Fabric::QueuePairOptions>& flows);

/// @ingroup lossless
/// The same where no queue pair of the run had a congestion control that reads ECN marks.
/// @param fabric whose run has ended, and whose hosts have sent
void WarnOfUnreadMarksAtEnd(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return whether its switches may mark frames, or send CNPs themselves
bool MayMark(const Fabric& fabric);

/// @ingroup lossless
/// Name no ECN thresholds of a fabric as unread: a replayed configuration has them in any case.
/// @param fabric the fabric
void AllowUnreadMarks(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_UNREAD_MARKS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNUSED_BY_VERBS_H
#define LOSSLESS_UNUSED_BY_VERBS_H

#include "fabric.h"

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * Attributes of queue pairs that only some verbs use, such as RnrTimer, or that are for the answers
 * to them, such as AckClass.
 */

/// Keep in mind what is set for certain queue pairs: the end of the run says whether their verbs
/// have used it. @param fabric a fabric @param options of queue pairs
void NoteSetForVerbs(const Fabric& fabric, const Fabric::QueuePairOptions& options);

/// @param fabric a fabric @return whether some host has posted a request
bool HasPosted(const Fabric& fabric);

/// Name, once for a fabric, such attributes that have had no use. @param fabric that has run
void WarnOfUnusedByVerbs(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_UNUSED_BY_VERBS_H

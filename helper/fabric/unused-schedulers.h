// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNUSED_SCHEDULERS_H
#define LOSSLESS_UNUSED_SCHEDULERS_H

namespace ns3
{

class Fabric;

/// @ingroup lossless
/// Name, once for a fabric, what the egress schedulers of its ports are told and do not use, such
/// as weights where all classes are strict, and what cannot be: a lowest rate of a class above its
/// highest one. @param fabric that begins to run, or runs @param refuses whether the latter is a
/// FabricError; else it is named, too
void CheckSchedulers(const Fabric& fabric, bool refuses = true);

} // namespace ns3

#endif // LOSSLESS_UNUSED_SCHEDULERS_H

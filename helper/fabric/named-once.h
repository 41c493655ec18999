// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NAMED_ONCE_H
#define LOSSLESS_NAMED_ONCE_H

#include <string>

namespace ns3
{

class Fabric;

/**
 * @file
 * @ingroup lossless
 *
 * What a fabric has been told. Warnings of settings may come up with each flow and each run; the
 * user reads each once.
 */

/// @param fabric a fabric @param what something to keep in mind of it @return whether that is new
bool NoteOnce(const Fabric& fabric, const std::string& what);

/// @param fabric a fabric @param what something @return whether NoteOnce() was called with it
bool IsNoted(const Fabric& fabric, const std::string& what);

/// Print a warning unless the fabric was warned so before. @param fabric a fabric
/// @param wrong,right as PrintWarning()
void WarnOnce(const Fabric& fabric, const std::string& wrong, const std::string& right = "");

} // namespace ns3

#endif // LOSSLESS_NAMED_ONCE_H

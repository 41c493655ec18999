// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GLOBAL_VALUES_H
#define LOSSLESS_GLOBAL_VALUES_H

namespace ns3
{

/// @ingroup lossless
/// The environment variable NS_GLOBAL_VALUE, "Name=value;Name=value", which sets ns-3's GlobalValue
/// objects.
namespace GlobalValues
{

/// FabricError for what ns-3 leaves out of the variable in silence, for two values of one name, and
/// for a simulator or a scheduler that is none. Where a number is none, ns-3 has aborted before
/// main().
void Require();

} // namespace GlobalValues

} // namespace ns3

#endif // LOSSLESS_GLOBAL_VALUES_H

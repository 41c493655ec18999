// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ENVIRONMENT_VALUES_H
#define LOSSLESS_ENVIRONMENT_VALUES_H

namespace ns3
{

/// @ingroup lossless
/// The environment variables of ns-3 that set values: NS_GLOBAL_VALUE, "Name=value;Name=value", and
/// NS_ATTRIBUTE_DEFAULT, "ns3::Type::Attribute=value;...".
namespace EnvironmentValues
{

/// Check both variables, and make what NS_ATTRIBUTE_DEFAULT says the defaults of the attributes, as
/// an option of a program does; what is said later wins. Throws FabricError for what ns-3 leaves
/// out in silence, for two values of one name, and for a simulator or a scheduler that is none.
/// Where a global value must be a number and is none, ns-3 has aborted before main().
void Apply();

/// Make what NS_ATTRIBUTE_DEFAULT says the defaults again, after Config::Reset().
void ApplyDefaults();

} // namespace EnvironmentValues

} // namespace ns3

#endif // LOSSLESS_ENVIRONMENT_VALUES_H

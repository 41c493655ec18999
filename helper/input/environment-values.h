// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ENVIRONMENT_VALUES_H
#define LOSSLESS_ENVIRONMENT_VALUES_H

namespace ns3
{

/// @ingroup lossless
/// The environment variable NS_ATTRIBUTE_DEFAULT of ns-3, "ns3::Type::Attribute=value;...".
namespace EnvironmentValues
{

/// Make what the variable says the defaults of the attributes, as an option of a program does; what
/// is said later wins. FabricError for what ns-3 leaves out in silence.
void Apply();

/// Make what the variable says the defaults again, after Config::Reset().
void ApplyDefaults();

} // namespace EnvironmentValues

} // namespace ns3

#endif // LOSSLESS_ENVIRONMENT_VALUES_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_DIFFERENCES_H
#define LOSSLESS_FABRIC_DIFFERENCES_H

#include <string>
#include <vector>

namespace ns3
{

class Fabric;

/// @ingroup lossless
/// A setting of a fabric that is not its type's default.
struct SettingDifference
{
    std::string places;  //!< "all", or such as "leaf, spine 2"; ports as "leaf to spine"
    std::string name;    //!< of the attribute, such as "SwitchMmu.Alpha"
    std::string initial; //!< the default
    std::string value;   //!< what is in force

    /// @return "leaf: SwitchMmu.Alpha is 0.03125, by default 0.125"
    std::string ToText() const;
};

/**
 * @ingroup lossless
 *
 * What is in force now, read from the objects, whoever has set it: attributes of switches, of their
 * parts and ports, of the ports of hosts and of queue pairs to come; and what SwitchMmu and
 * WredEcnMarker have of their own for a port or class. Looks at every object once.
 * @param fabric a fabric; FabricError after Simulator::Destroy()
 * @return what differs from the defaults of the types
 */
std::vector<SettingDifference> FindDifferences(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_FABRIC_DIFFERENCES_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_UNSAID_H
#define LOSSLESS_SONIC_UNSAID_H

#include "ns3/fabric-switch.h"

#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Find what a switch has been told, and what a configuration of SONiC has no field for: attributes
 * of the switch, its buffer, ports, schedulers and watchdogs that are not the default, limits of
 * ports, and other extensions. SonicWriter writes the rest.
 * @param fabricSwitch the switch
 * @param unsaid gets "PortLimit of ns3::SwitchMmu"
 */
void FindUnsaid(const FabricSwitch& fabricSwitch, std::set<std::string>& unsaid);

} // namespace ns3

#endif // LOSSLESS_SONIC_UNSAID_H

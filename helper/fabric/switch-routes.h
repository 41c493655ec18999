// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_ROUTES_H
#define LOSSLESS_SWITCH_ROUTES_H

#include "fabric.h"

namespace ns3
{

/// @ingroup lossless
/// Gives a switch its routes: the entries of its forwarding table, made of the paths of its fabric.
class SwitchRoutes
{
  public:
    /// @param fabric that has the switch @param which the switch @param routes the paths
    SwitchRoutes(const Fabric& fabric, SwitchId which, const FabricRoutes& routes);

    /// Enter the hosts: by sites those behind other switches, by addresses its own.
    void InstallToHosts() const;

    /// Enter the addresses of the other switches, of those that can be reached.
    void InstallToSwitches() const;

  private:
    /// @param to another switch @return group of the next hops on the way, 0 if there is none
    ForwardingTable::GroupId AddGroup(NodeId to) const;

    const Fabric& m_fabric;
    const FabricTopology& m_topology;
    const FabricRoutes& m_routes;
    NodeId m_self; //!< the switch
    ForwardingTable& m_table;
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_ROUTES_H

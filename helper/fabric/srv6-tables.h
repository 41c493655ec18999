// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SRV6_TABLES_H
#define LOSSLESS_SRV6_TABLES_H

#include "fabric.h"

#include "ns3/mrc-paths.h"
#include "ns3/srv6-frame.h"
#include "ns3/srv6-switch.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The tables of SRv6 of planes with one or two tiers: numbers the leaves and the spines of each
 * plane in their order, and the ports of each leaf to hosts, and gives each switch its uSID and the
 * ports to its neighbours (MicroSid()).
 */
class Srv6Tables
{
  public:
    /// FabricError where a switch has no Srv6Switch or several, they differ in their locators, or
    /// uSIDs cannot number the topology. @param fabric whose switches have Srv6Switches
    /// @param tiers of its nodes
    Srv6Tables(const Fabric& fabric, const std::vector<uint32_t>& tiers);

    /// Fill the tables of the switches. @param paths gets the ports of hosts
    void Fill(MrcPaths& paths) const;

  private:
    /// Give each switch its uSID. @param planes of the nodes @param tiers of the nodes
    void Number(const std::vector<uint32_t>& planes, const std::vector<uint32_t>& tiers);
    /// Find the Srv6Switch of each switch.
    void FindSwitches();
    /// FabricError unless a leaf has one link to each spine of its plane. @param leaf its node
    void RequireSpines(NodeId leaf) const;

    const Fabric& m_fabric;
    std::vector<Ptr<Srv6Switch>> m_switches; //!< by node; null: a host
    std::vector<uint16_t> m_sids;            //!< by node, of switches
    std::vector<uint32_t> m_spines;          //!< by plane: how many
    uint32_t m_locator{0};                   //!< of all switches
};

} // namespace ns3

#endif // LOSSLESS_SRV6_TABLES_H

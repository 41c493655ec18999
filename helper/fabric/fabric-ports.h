// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_PORTS_H
#define LOSSLESS_FABRIC_PORTS_H

#include "ns3/fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A port of a fabric.
struct FabricPort
{
    uint32_t node;            //!< number in the topology
    uint32_t port;            //!< number at the node
    bool isSwitch;            //!< else a host
    Ptr<QbbNetDevice> device; //!< the port itself
};

/// @ingroup lossless
/// @param fabric a fabric @return all its ports, node by node
inline std::vector<FabricPort>
PortsOf(const Fabric& fabric)
{
    const FabricTopology& topology = fabric.GetTopology();
    std::vector<FabricPort> ports;
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            ports.push_back({node, port, topology.IsSwitch(node), fabric.GetDevice(node, port)});
        }
    }
    return ports;
}

} // namespace ns3

#endif // LOSSLESS_FABRIC_PORTS_H

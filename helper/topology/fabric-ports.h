// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_PORTS_H
#define LOSSLESS_FABRIC_PORTS_H

#include "fabric-objects.h"

#include "ns3/rdma-queue-pair.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A port of a fabric.
struct FabricPort
{
    NodeId node;              //!< the node that has the port
    uint32_t port;            //!< number at the node
    bool isSwitch;            //!< else a host
    Ptr<QbbNetDevice> device; //!< the port itself
};

/// @ingroup lossless
/// @param fabric a fabric @return all its ports, node by node
inline std::vector<FabricPort>
PortsOf(const FabricObjects& fabric)
{
    const FabricTopology& topology = fabric.GetTopology();
    std::vector<FabricPort> ports;
    for (const NodeId node : topology.Nodes())
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            ports.push_back({node, port, topology.IsSwitch(node), fabric.GetDevice(node, port)});
        }
    }
    return ports;
}

/// @ingroup lossless
/// @param fabric a fabric @param visit called as visit(HostId, RdmaQueuePair&) with each queue
/// pair, host by host, in the order of their numbers
template <typename Visit>
void
ForEachQueuePair(const FabricObjects& fabric, Visit&& visit)
{
    for (const HostId host : fabric.Hosts())
    {
        const auto rdma = fabric.GetRdma(host);
        uint32_t left = rdma->GetNQueuePairs();
        for (uint32_t number = 0; left > 0; ++number) // numbers have gaps, of those that are gone
        {
            if (const auto end = rdma->GetQueuePair(number))
            {
                --left;
                visit(host, *end);
            }
        }
    }
}

} // namespace ns3

#endif // LOSSLESS_FABRIC_PORTS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RING_FABRIC_H
#define LOSSLESS_RING_FABRIC_H

#include "ns3/fabric-helper.h"
#include "ns3/fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace tests
{

/// @param switches how many @param hosts of each @param ring links of the ring @param edge links of
/// the hosts @return switches 0.., joined in a ring, then their hosts, switch by switch
inline FabricTopology
MakeRing(uint32_t switches, uint32_t hosts, const FabricLinkSpec& ring, const FabricLinkSpec& edge)
{
    FabricTopology topology;
    for (uint32_t i = 0; i < switches; ++i)
    {
        topology.AddSwitch();
    }
    for (uint32_t i = 0; i < switches; ++i)
    {
        topology.AddLink(i, (i + 1) % switches, ring);
    }
    for (uint32_t i = 0; i < switches * hosts; ++i)
    {
        topology.AddLink(topology.AddHost(), i / hosts, edge);
    }
    return topology;
}

/// Let all frames for hosts of other switches go round the ring, upwards.
/// @param fabric made of MakeRing() @param switches how many @param hosts of each
inline void
RouteRound(const Fabric& fabric, uint32_t switches, uint32_t hosts)
{
    const FabricTopology& topology = fabric.GetTopology();
    for (uint32_t i = 0; i < switches; ++i)
    {
        const auto next = static_cast<uint16_t>(topology.GetPort(i, i)); // link i joins i and i + 1
        for (uint32_t host = 0; host < switches * hosts; ++host)
        {
            if (host / hosts != i)
            {
                fabric.GetSwitch(i)->AddRoute(fabric.GetAddress(host), {next});
            }
        }
    }
}

/// Stop all hosts: their switches pause them for ever; what they receive still arrives.
/// @param fabric the fabric
inline void
StopHosts(const Fabric& fabric)
{
    const FabricTopology& topology = fabric.GetTopology();
    for (const NodeId node : topology.GetHosts())
    {
        for (const LinkId link : topology.GetLinksOf(node))
        {
            const NodeId at = topology.GetLink(link).Peer(node);
            fabric.GetDevice(at, topology.GetPort(at, link))->OverridePause(0xff, 0);
        }
    }
}

/// @param fabric the fabric @return bytes of lossless classes that switches have sent
inline uint64_t
BytesSent(const Fabric& fabric)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
        {
            const auto device = fabric.GetSwitch(i)->GetPort(port);
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                // PFC frames count as class 0.
                bytes += cls > 0 ? device->GetCounters().txClassBytes[cls] : 0;
            }
        }
    }
    return bytes;
}

/// @param fabric the fabric @return cells in all buffers
inline uint64_t
CellsHeld(const Fabric& fabric)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        cells += fabric.GetSwitch(i)->GetMmu()->GetTotalUsed();
    }
    return cells;
}

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RING_FABRIC_H

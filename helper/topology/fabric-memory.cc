// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-memory.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace
{

// Measured as the memory of a process that grows while it builds.
constexpr uint64_t PORT_BYTES = 4500; //!< of a device: queues, PFC of all classes, half a cable
constexpr uint64_t SWITCH_PORT_BYTES = 2000; //!< of a port of a switch: its bookings in the buffer
constexpr uint64_t ROUTE_BYTES = 2;          //!< at a switch, to all hosts behind another one
constexpr uint64_t NODE_BYTES = 1000;        //!< of a node without ports
constexpr uint64_t DISTANCE_BYTES = 2;       //!< from a switch to a switch

} // namespace

uint64_t
EstimateMemory(const FabricTopology& topology)
{
    const uint64_t switches = topology.GetSwitches().size();
    const uint64_t ports = 2 * topology.GetLinks().size();
    uint64_t hostPorts = 0;
    for (const NodeId node : topology.GetHosts())
    {
        hostPorts += topology.GetLinksOf(node).size();
    }
    const uint64_t sites = std::min(switches, hostPorts);
    return NODE_BYTES * topology.GetNNodes() + PORT_BYTES * ports +
           SWITCH_PORT_BYTES * (ports - hostPorts) + ROUTE_BYTES * switches * sites +
           DISTANCE_BYTES * switches * switches;
}

std::string
DescribeFabric(const FabricTopology& topology)
{
    return "a fabric of " + std::to_string(topology.GetHosts().size()) + " hosts, " +
           std::to_string(topology.GetSwitches().size()) + " switches and " +
           std::to_string(topology.GetLinks().size()) + " links";
}

void
RequireMemory(const FabricTopology& topology, const MemoryLimit& available)
{
    RequireMemory(DescribeFabric(topology) + " takes",
                  EstimateMemory(topology),
                  available,
                  "take fewer hosts and switches");
}

void
RequireMemory(const std::string& what,
              uint64_t needed,
              const MemoryLimit& available,
              const std::string& right)
{
    if (needed > available.bytes)
    {
        throw FabricError(what + " about " + BytesForPeople(needed) + " of memory, and " +
                              available.what + " " + BytesForPeople(available.bytes),
                          right);
    }
}

} // namespace ns3

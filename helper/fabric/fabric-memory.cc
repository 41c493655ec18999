// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-memory.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
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

/// @param bytes how many @return them for people
std::string
ForPeople(uint64_t bytes)
{
    constexpr double terabyte = 1e12;
    const auto size = static_cast<double>(bytes);
    char text[32];
    std::snprintf(text,
                  sizeof(text),
                  size < terabyte ? "%.3g GB" : "%.3g TB",
                  size < terabyte ? size * 1e-9 : size / terabyte);
    return text;
}

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

uint64_t
AvailableMemory()
{
    std::ifstream file("/proc/meminfo");
    for (std::string name; file >> name;)
    {
        uint64_t kilobytes = 0;
        if (name == "MemAvailable:" && file >> kilobytes)
        {
            return kilobytes * 1024;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::numeric_limits<uint64_t>::max();
}

void
RequireMemory(const FabricTopology& topology, uint64_t available)
{
    RequireMemory("a fabric of " + std::to_string(topology.GetHosts().size()) + " hosts, " +
                      std::to_string(topology.GetSwitches().size()) + " switches and " +
                      std::to_string(topology.GetLinks().size()) + " links takes",
                  EstimateMemory(topology),
                  available,
                  "take fewer hosts and switches");
}

void
RequireMemory(const std::string& what,
              uint64_t needed,
              uint64_t available,
              const std::string& right)
{
    if (needed > available)
    {
        throw FabricError(what + " about " + ForPeople(needed) +
                              " of memory, and the machine has " + ForPeople(available),
                          right);
    }
}

} // namespace ns3

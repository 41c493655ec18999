// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-fabric.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

/// A machine (sheet on AI traffic, section 6).
struct Machine
{
    const char* name;
    uint32_t gpus;
    uint32_t nics;
    uint32_t linksPerNic;
    const char* intraRate; //!< of a GPU, one way
    const char* nicRate;   //!< of a link
    bool hasRails;
};

constexpr std::array<Machine, 8> MACHINES{{
    {"dgx1-v100", 8, 4, 1, "1200Gbps", "100Gbps", true},
    {"hgx-a100", 8, 8, 1, "2400Gbps", "200Gbps", true},
    {"hgx-h100", 8, 8, 1, "3600Gbps", "400Gbps", true},
    {"hgx-h200", 8, 8, 1, "3600Gbps", "400Gbps", true},
    {"hgx-b200", 8, 8, 1, "7200Gbps", "400Gbps", true},
    {"nvl72-gb200", 72, 72, 1, "7200Gbps", "400Gbps", true},
    {"hpn-h100", 8, 8, 2, "2880Gbps", "200Gbps", true},
    {"dcn-h100", 8, 8, 1, "2880Gbps", "400Gbps", false},
}};

/// Spines of presets at most, and hosts of a segment (Spectrum-X).
constexpr uint32_t PRESET_SPINES = 64;

} // namespace

FabricTopology
GpuFabric::Build() const
{
    if (hosts == 0 || gpus == 0 || nics == 0 || hostsPerSegment == 0)
    {
        throw FabricError("a cluster of " + std::to_string(hosts) + " hosts with " +
                              std::to_string(gpus) + " GPUs and " + std::to_string(nics) +
                              " NICs, " + std::to_string(hostsPerSegment) + " to a segment",
                          "1 or more of each");
    }
    if (linksPerNic < 1 || linksPerNic > 2)
    {
        throw FabricError("NICs with " + std::to_string(linksPerNic) + " links", "1 or 2");
    }
    if (planes == BY_SIDE && linksPerNic != 2)
    {
        throw FabricError("planes by side, and NICs with one link", "two links, one for each side");
    }
    FabricTopology topology;
    std::vector<NodeId> hostNodes;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        hostNodes.push_back(topology.AddHost());
    }
    const uint32_t segments = (hosts + hostsPerSegment - 1) / hostsPerSegment;
    const uint32_t rails = hasRails ? nics : 1;
    // By segment, rail, then side.
    std::vector<NodeId> leaves;
    for (uint32_t i = 0; i < segments * rails * linksPerNic; ++i)
    {
        leaves.push_back(topology.AddSwitch());
    }
    for (uint32_t host = 0; host < hosts; ++host)
    {
        for (uint32_t port = 0; port < nics * linksPerNic; ++port)
        {
            const uint32_t rail = hasRails ? port / linksPerNic : 0;
            const uint32_t leaf =
                (host / hostsPerSegment * rails + rail) * linksPerNic + port % linksPerNic;
            topology.AddLink(hostNodes[host], leaves[leaf], nicLink);
        }
    }
    const uint32_t count = planes == SHARED ? 1 : planes == BY_SIDE ? linksPerNic : rails;
    for (uint32_t plane = 0; plane < count; ++plane)
    {
        for (uint32_t spine = 0; spine < spines; ++spine)
        {
            const NodeId node = topology.AddSwitch();
            for (uint32_t leaf = 0; leaf < leaves.size(); ++leaf)
            {
                const uint32_t own =
                    planes == BY_SIDE ? leaf % linksPerNic : leaf / linksPerNic % rails;
                if (planes == SHARED || own == plane)
                {
                    topology.AddLink(leaves[leaf], node, uplink);
                }
            }
        }
    }
    return topology;
}

GpuFabric
GpuFabric::Preset(const std::string& text)
{
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const auto* machine = std::find_if(MACHINES.begin(),
                                       MACHINES.end(),
                                       [&name](const Machine& each) { return name == each.name; });
    if (machine == MACHINES.end() || colon == std::string::npos)
    {
        std::string names;
        for (const std::string& known : GetPresets())
        {
            names += (names.empty() ? "" : ", ") + known;
        }
        throw FabricError("there is no cluster \"" + text + "\"",
                          "a machine and a number of hosts, such as hgx-h100:16; machines are " +
                              names);
    }
    GpuFabric fabric;
    fabric.hosts = static_cast<uint32_t>(
        FabricText::ToUint(text.substr(colon + 1), "the number of hosts", 65536));
    fabric.gpus = machine->gpus;
    fabric.nics = machine->nics;
    fabric.linksPerNic = machine->linksPerNic;
    fabric.hasRails = machine->hasRails;
    fabric.intraRate = DataRate(machine->intraRate);
    fabric.nicLink.rate = DataRate(machine->nicRate);
    fabric.nicLink.delay = NanoSeconds(500);
    fabric.uplink = fabric.nicLink;
    fabric.uplink.rate = std::max(fabric.nicLink.rate, DataRate("400Gbps"));
    if (machine->linksPerNic == 1)
    {
        fabric.uplink.rate = fabric.nicLink.rate;
    }
    // As many links up as down, where a segment is full.
    fabric.spines = std::clamp(std::min(fabric.hosts, fabric.hostsPerSegment), 1U, PRESET_SPINES);
    if (!machine->hasRails)
    {
        fabric.hostsPerSegment = 64 / machine->nics;
        fabric.spines = PRESET_SPINES;
    }
    return fabric;
}

std::vector<std::string>
GpuFabric::GetPresets()
{
    std::vector<std::string> names;
    for (const Machine& machine : MACHINES)
    {
        names.emplace_back(machine.name);
    }
    return names;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPU_FABRIC_H
#define LOSSLESS_GPU_FABRIC_H

#include "ns3/data-rate.h"
#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A fabric of hosts with several GPUs and NICs, as clusters for training have it. Hosts come in
 * segments; NIC i of all hosts of a segment is joined to leaf i of the segment (a rail), or all
 * NICs of a host to one leaf. Each leaf has a link to each spine of its plane.
 */
struct GpuFabric
{
    /// Who shares spines.
    enum Spines : uint8_t
    {
        SHARED,  //!< all leaves
        BY_SIDE, //!< with two links for each NIC: the leaves of one of the two (dual plane)
        BY_RAIL  //!< the leaves of one rail: planes meet only within hosts
    };

    uint32_t hosts{1};            //!< how many
    uint32_t gpus{8};             //!< of each host
    uint32_t nics{8};             //!< of each host
    uint32_t linksPerNic{1};      //!< 2: each to a leaf of its own (dual ToR)
    uint32_t hostsPerSegment{64}; //!< that share leaves
    bool hasRails{true};          //!< else all NICs of a host are joined to one leaf, or two
    uint32_t spines{64};          //!< of each plane; 0: none, rails do not meet
    Spines planes{SHARED};        //!< who shares spines
    FabricLinkSpec nicLink{};     //!< from a NIC to its leaf
    FabricLinkSpec uplink{};      //!< from a leaf to a spine
    DataRate intraRate{3600000000000ULL}; //!< of a GPU within its host, one way
    Time intraLatency{NanoSeconds(936)};  //!< of a message within a host

    /// @return the graph; ports of a host are numbered by NIC, then by link of the NIC. FabricError
    /// for numbers that cannot be
    FabricTopology Build() const;

    /// A cluster by its name: a machine and a number of hosts, such as "hgx-h100:16". Numbers that
    /// vendors give for both directions are halved.
    /// @param text "NAME:HOSTS" @return it; FabricError if there is no such machine
    static GpuFabric Preset(const std::string& text);

    /// @return the names of Preset()
    static std::vector<std::string> GetPresets();
};

} // namespace ns3

#endif // LOSSLESS_GPU_FABRIC_H

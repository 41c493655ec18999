// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPU_CLUSTER_H
#define LOSSLESS_GPU_CLUSTER_H

#include "ns3/data-rate.h"
#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// The hosts of a job, what connects them, and what connects the GPUs of each.
struct GpuCluster
{
    FabricTopology topology{};            //!< ports of a host are numbered by GPU
    uint32_t gpus{1};                     //!< of each host
    DataRate intraRate{3600000000000ULL}; //!< of a GPU within its host, one way
    Time intraLatency{NanoSeconds(936)};  //!< of a message within a host
};

} // namespace ns3

#endif // LOSSLESS_GPU_CLUSTER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SIMAI_TOPOLOGY_READER_H
#define LOSSLESS_SIMAI_TOPOLOGY_READER_H

#include "gpu-cluster.h"

#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Reads topology files of SimAI, in which each GPU and each NVSwitch is a node (sheet on AI
 * traffic, section 6):
 *
 * @code
 * nodes gpus_per_server nv_switches switches links gpu_type
 * numbers of the NVSwitches, then of the switches
 * source destination rate latency error_rate      (a line a link)
 * @endcode
 *
 * The GPUs of a server become one host, with a port for each link of a GPU to a switch. Their links
 * to NVSwitches become what connects the GPUs of a host: the rates of a GPU add up, and a message
 * takes the latency of two links. The type of the GPU is not used.
 */
class SimAiTopologyReader
{
  public:
    /// @param path a file @return whether its first line is that of such a file, not of one of the
    /// HPCC simulator; FabricError when it cannot be read
    static bool Knows(const std::string& path);

    /// @param path a file @return what it says; FabricError with file and line if it is wrong
    static GpuCluster Read(const std::string& path);
};

} // namespace ns3

#endif // LOSSLESS_SIMAI_TOPOLOGY_READER_H

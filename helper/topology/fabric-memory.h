// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_MEMORY_H
#define LOSSLESS_FABRIC_MEMORY_H

#include "fabric-topology.h"

#include "ns3/process-memory.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// @param topology a graph @return memory that a fabric of the graph takes, bytes, within a quarter
/// (measured with stars, dumbbells, leaf-spines and fat-trees of 500 to 5,000 nodes)
uint64_t EstimateMemory(const FabricTopology& topology);

/// @ingroup lossless
/// FabricError if a fabric takes more memory than there is: the kernel would end the program, late
/// and without a word. @param topology its graph @param available how much there is
void RequireMemory(const FabricTopology& topology, const MemoryLimit& available);

/// @ingroup lossless
/// @param topology a graph @return how large it is, such as "a fabric of 8 hosts, 1 switches and 8
/// links"
std::string DescribeFabric(const FabricTopology& topology);

/// @ingroup lossless
/// FabricError if something takes more memory than there is. @param what takes it,
/// such as "a fabric takes" @param needed bytes, about @param available how much there is
/// @param right what would take less
void RequireMemory(const std::string& what,
                   uint64_t needed,
                   const MemoryLimit& available,
                   const std::string& right);

} // namespace ns3

#endif // LOSSLESS_FABRIC_MEMORY_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_MEMORY_H
#define LOSSLESS_FABRIC_MEMORY_H

#include "fabric-topology.h"

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
/// and without a word. @param topology its graph @param available bytes
void RequireMemory(const FabricTopology& topology, uint64_t available);

/// @ingroup lossless
/// FabricError if something takes more memory than there is. @param what takes it,
/// such as "a fabric takes" @param needed bytes, about @param available bytes @param right what
/// would take less
void RequireMemory(const std::string& what,
                   uint64_t needed,
                   uint64_t available,
                   const std::string& right);

/// @ingroup lossless
/// @return memory that the machine can give to programs, bytes; the largest number if it does not
/// say
uint64_t AvailableMemory();

} // namespace ns3

#endif // LOSSLESS_FABRIC_MEMORY_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_CHAIN_H
#define LOSSLESS_RANDOM_CHAIN_H

#include "random-fabric.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace tests
{

/**
 * Give each port of a fabric maps of its own between class, queue, priority group and PFC priority,
 * many to one, such that pauses reach the queues for which they are meant: no lossless class may
 * lose a frame, as without the maps.
 * @param dice decide
 * @param fabric the fabric, before its run
 * @param lossless its lossless classes, which are its PFC priorities
 */
void DrawClassChains(Dice& dice, const Fabric& fabric, const std::vector<uint32_t>& lossless);

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RANDOM_CHAIN_H

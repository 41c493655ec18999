// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_PARTITIONS_H
#define LOSSLESS_FABRIC_PARTITIONS_H

#include "fabric.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Divide the nodes of a topology into partitions for FabricSimulatorImpl: of about equal load, each
 * of nodes that lie close together. A host is with the first switch that it is linked to; the load
 * of a node is taken as its number of links. Switches that have hosts come in the order of the
 * topology, so that neighbours share a partition; every other switch joins the partition that it
 * has most links to and that has room ("linear deterministic greedy", Stanton and Kliot, KDD 2012).
 * @param topology the nodes
 * @param partitions how many, at least 1; no more than there are switches are made
 * @return by node: number of its partition, from 0 without gaps
 */
std::vector<uint32_t> FindPartitions(const FabricTopology& topology, uint32_t partitions);

/**
 * @ingroup lossless
 *
 * Divide the nodes of a topology among the ranks of FabricRanks, as FindPartitions() does: pods
 * stay together. FabricError where that cannot be: fewer parts than ranks, or a link between ranks
 * has no delay.
 * @param topology the nodes
 * @return by node: its rank
 */
std::vector<uint32_t> FindRanks(const FabricTopology& topology);

/// @ingroup lossless
/// @param fabric a fabric @return the shortest delay of its links
Time GetShortestDelay(const Fabric& fabric);

/**
 * Divide the nodes of a fabric for FabricSimulatorImpl with Order Canonical, before the run, and
 * initialise them. No effect with another simulator or order. FabricError where a link has no
 * delay, but for 1 partition.
 * @param fabric the nodes
 * @param partitions how many; 0: each node is one, which is fastest; one for all where most links
 * have more than four times the shortest delay
 */
void DivideFabric(const Fabric& fabric, uint32_t partitions = 0);

/// @ingroup lossless
/// FabricError where MPI runs, on however many ranks: a rank sees its own nodes alone.
/// @param what is asked for
void RequireOneRank(const std::string& what);

/// @ingroup lossless
/// FabricError while several threads run the simulation: it would act on several nodes at once. One
/// thread runs all nodes together from now on.
/// @param what is asked for
void RequireOneThread(const std::string& what);

} // namespace ns3

#endif // LOSSLESS_FABRIC_PARTITIONS_H

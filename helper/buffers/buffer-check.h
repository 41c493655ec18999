// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_CHECK_H
#define LOSSLESS_BUFFER_CHECK_H

#include "ns3/fabric.h"
#include "ns3/finding.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Check the buffers of a whole fabric, before a run (doc/buffers.rst has the formulas):
 *
 * - what Fabric::CheckLossless() finds: the parts of each buffer against its size (rule `buffer`),
 *   headroom of each lossless class (`headroom`), of receive buffers of NICs (`receive`) and of a
 *   shared pool (`pool`), PFC at both ends of each link (`pfc`), pauses that are refreshed
 *   (`refresh`), frame formats (`format`), and limits of egress queues that drop lossless frames
 *   (`egress`);
 * - that ECN acts before PFC, where a switch marks by thresholds: when the fewest ports that can
 *   congest an egress queue, by shortest paths, do so, the queue reaches Kmin before the ports
 *   reach their XOFF thresholds (`ecn`);
 * - that Kmin of such a queue is within the bandwidth-delay product of the port, the rate of the
 *   port times the largest base round-trip time between two hosts: else more than one product
 *   stands in the queue before a sender slows down (`kmin`; one finding for all queues of a rate
 *   and a Kmin, with the place of the first);
 * - that frames of each lossless class that a host may send are taken for the same class, with
 *   PFC, at every port where they may arrive (`map`, `pfc`). Where a ClassRewriter marks frames
 *   anew they are followed no further.
 *
 * Runs do not call this function.
 *
 * @param fabric the fabric
 * @return the findings, node by node; empty: none
 */
std::vector<Finding> CheckBuffers(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_BUFFER_CHECK_H

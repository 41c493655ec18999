// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_PATHS_H
#define LOSSLESS_HPCC_PATHS_H

#include "ns3/fabric-routes.h"
#include "ns3/fabric-topology.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Round trips and windows between hosts as the public HPCC simulator computes them, which differs
 * from IdealFct: one way of serialising a payload, and whole nanoseconds.
 */
class HpccPaths
{
  public:
    /// A path between two hosts.
    struct Path
    {
        uint64_t rttNs{0};            //!< twice the delay, and one way of serialising a payload
        uint64_t slowest{UINT64_MAX}; //!< rate, bit/s

        /// @return bandwidth-delay product, bytes
        uint64_t Window() const;
    };

    /// @param topology the graph @param routes its routes @param payload bytes of a data packet;
    /// topology and routes must outlive this
    HpccPaths(const FabricTopology& topology, const FabricRoutes& routes, uint64_t payload);

    /// @param from a host @param to another host @return the path between the first
    /// ports of both that have one; none: they have not
    std::optional<Path> Find(NodeId from, NodeId to) const;

    /// Compare the paths between all hosts. Two hosts with the same switch, rate and delay stand
    /// for all that have them.
    /// @param of what to compare, of a path @return the largest; 0: there is no path
    uint64_t Largest(const std::function<uint64_t(const Path&)>& of) const;

  private:
    const FabricTopology& m_topology;
    const FabricRoutes& m_routes;
    uint64_t m_payload;
};

} // namespace ns3

#endif // LOSSLESS_HPCC_PATHS_H

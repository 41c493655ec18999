// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_PATH_H
#define LOSSLESS_FLOW_PATH_H

#include "ns3/fabric.h"
#include "ns3/rdma-connection.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The egress ports that the data packets of a connection take now, as the routes and the load
 * balancers give them: one path, or all that they may take where a load balancer does not hold the
 * packets of a flow together. Asking changes nothing.
 */
class FlowPath
{
  public:
    /// FabricError unless the path of each flow can be asked for: a switch with a choice of ports
    /// has EcmpLoadBalancer. @param fabric a fabric
    static void RequireKnown(const Fabric& fabric);

    /// @param fabric a fabric @return whether some switch has several ways to another one
    static bool HasChoice(const Fabric& fabric);

    /**
     * @param fabric where
     * @param host that sends the data
     * @param port of the host, by which it sends
     * @param connection of the end that sends the data
     * @return the egress ports as Way::ports; empty: no way leads to a host
     */
    static std::vector<NodePort> Find(const Fabric& fabric,
                                      HostId host,
                                      uint32_t port,
                                      const RdmaConnection& connection);

    /// The way of a packet.
    struct Way
    {
        /// Egress ports that it takes, that of the host first, then by distance, each once; of one
        /// path one for each link.
        std::vector<NodePort> ports;
        bool arrives{false}; //!< at a host; else the last switch has no port for it
    };

    /// @param fabric where @param host that sends @param port of the host, by which it sends
    /// @param packet as it leaves the host @return its way
    static Way WayOf(const Fabric& fabric, HostId host, uint32_t port, const Frame& packet);
};

} // namespace ns3

#endif // LOSSLESS_FLOW_PATH_H

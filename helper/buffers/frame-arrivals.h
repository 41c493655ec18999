// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_ARRIVALS_H
#define LOSSLESS_FRAME_ARRIVALS_H

#include "ns3/fabric.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Finds out where frames of hosts can arrive with the marks that they left with: at ports on any of
 * their routes, up to the first switch that rewrites marks.
 */
class FrameArrivals
{
  public:
    /// @param fabric the fabric, which must outlive this object
    explicit FrameArrivals(const Fabric& fabric);

    /// @param senders ports of hosts @return the ports where their frames can arrive unchanged
    std::set<NodePort> Find(const std::vector<NodePort>& senders);

  private:
    /// @param node where frames come to @param link by which
    void Arrive(NodeId node, LinkId link);
    /// @param node a switch @return whether frames leave it with other marks than they came with
    bool Rewrites(NodeId node) const;
    /// All ways to the hosts of a switch. @param first switches to begin with @param last the
    /// switch @param senders nodes of the hosts that send
    void Follow(const std::set<NodeId>& first, NodeId last, const std::set<NodeId>& senders);

    const Fabric& m_fabric;
    const FabricTopology& m_topology;
    std::set<NodePort> m_found; //!< so far
};

} // namespace ns3

#endif // LOSSLESS_FRAME_ARRIVALS_H

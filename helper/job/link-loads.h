// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_LOADS_H
#define LOSSLESS_LINK_LOADS_H

#include "message-network.h"
#include "queue-pair-network.h"

#include "ns3/fabric.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What messages of ranks do at least to the first and the last link of their way, those of hosts
 * or those within a host. Never more than what they do, so that it gives bounds.
 */
class LinkLoads
{
  public:
    /// What a message does to a link.
    struct Load
    {
        uint64_t link{0};      //!< its number
        int64_t occupation{0}; //!< ticks for which its frames keep the link
        /// Ticks that it is elsewhere: of the first link, from its last bit there to its arrival;
        /// of the last one, from its posting to its first bit there, and the delay of the link.
        int64_t elsewhere{0};
    };

    /// What a message does to both.
    struct Loads
    {
        Load egress;        //!< of the link by which it leaves
        Load ingress;       //!< of the link by which it arrives
        uint64_t pieces{1}; //!< in which it goes
        /// Whether it is behind all earlier messages of its pair on the last link.
        bool isInOrder{true};
    };

    /// @param fabric where @param network whose messages; must outlive this
    LinkLoads(const Fabric& fabric, const QueuePairNetwork& network);

    /// @param pair that is connected @param bytes of a message @return what it does to links
    Loads Get(const MessageNetwork::Pair& pair, uint64_t bytes) const;

  private:
    /// @param pair of two hosts @param bytes of a message @return what it does to links
    Loads GetBetweenHosts(const MessageNetwork::Pair& pair, uint64_t bytes) const;
    /// @param host a host @param port of it @param leaves whether frames leave it there, else they
    /// arrive @return the link
    IdealHop GetLink(HostId host, uint32_t port, bool leaves) const;

    Fabric m_fabric;
    const QueuePairNetwork& m_network;
};

} // namespace ns3

#endif // LOSSLESS_LINK_LOADS_H

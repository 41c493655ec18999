// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_PACKET_H
#define LOSSLESS_INOF_PACKET_H

#include "inof-message.h"

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/// Destination address of datagrams to the other end of a link: a link-local multicast group that
/// no switch forwards (RFC 5771; experimental, RFC 4727).
constexpr uint32_t INOF_LINK_GROUP = 0xe00000fe; // 224.0.0.254

/// @ingroup lossless
/// Make an IPv4 packet with an iNOF datagram. @param datagram the datagram @param source source
/// address
/// @param destination destination address @param dscp DSCP @return the packet, with TTL 64, or 1 to
/// the link group
Ptr<Packet> MakeInofPacket(const InofDatagram& datagram,
                           Ipv4Address source,
                           Ipv4Address destination,
                           uint8_t dscp);

/// @ingroup lossless
/// @param packet an IPv4 packet, from its header on @return the iNOF datagram in it; empty if there
/// is none
std::optional<InofDatagram> ReadInofPacket(Ptr<const Packet> packet);

/// @param ps picoseconds from now @return the delay, rounded up to ticks
Time InofDelay(int64_t ps);

} // namespace ns3

#endif // LOSSLESS_INOF_PACKET_H

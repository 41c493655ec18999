// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IP_FRAME_H
#define LOSSLESS_IP_FRAME_H

#include "fabric-frame.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Wrap a packet of the stock IP stack for its way through the fabric. The frame keeps the packet
 * with its packet tags, and copies the fields that a switch reads: addresses, ports, DSCP, ECN,
 * TTL, protocol, IPv4 identification. The ports are 0 for fragments, so that all fragments take the
 * same path, and for protocols other than TCP and UDP. The frame has no 802.1Q tag.
 *
 * @param packet a packet that begins with its IP header
 * @param protocolNumber EtherType that the stack gave: 0x0800 or 0x86dd
 * @return the frame, max(64, 18 + packet size) bytes long, owned by the caller; null when the
 *         protocol is neither IPv4 nor IPv6 or the header is truncated or contradicts it
 */
Frame* FrameFromIpPacket(Ptr<Packet> packet, uint16_t protocolNumber);

/**
 * @ingroup lossless
 *
 * Take the packet out of a frame of kind IP, for the stock stack at its destination, with the TTL,
 * DSCP and ECN of the frame. The header is rewritten only if one of them has changed. An IPv4
 * checksum is recomputed if the header had one or ns-3's ChecksumEnabled is set, and stays zero
 * otherwise.
 *
 * @param frame the frame; Frame::packet is null afterwards
 * @return the packet; a copy if others hold references to it
 */
Ptr<Packet> TakeIpPacket(Frame& frame);

/// @param frame a frame with an IP header
/// @return its type-of-service or traffic-class octet: DSCP and ECN
inline uint8_t
TrafficClassOctet(const Frame& frame)
{
    return static_cast<uint8_t>(frame.dscp << 2 | static_cast<uint8_t>(frame.ecn));
}

} // namespace ns3

#endif // LOSSLESS_IP_FRAME_H

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
 * Wrap a packet of the stock IP stack for its way through the fabric. The frame keeps the packet,
 * tags and all, and copies what a switch looks at: addresses, ports (0 for fragments, so that all
 * fragments go one way, and for anything but TCP and UDP), DSCP, ECN, TTL, protocol, IPv4
 * identification. It is untagged.
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
 * DSCP and ECN that the frame has now. Nothing is rewritten when they are what they were. An IPv4
 * checksum is recomputed if the header had one or ns-3's ChecksumEnabled is set, and stays zero
 * otherwise.
 *
 * @param frame the frame; Frame::packet is null afterwards
 * @return the packet, which nobody else holds (a copy if somebody does)
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

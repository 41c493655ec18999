// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VXLAN_FRAME_H
#define LOSSLESS_VXLAN_FRAME_H

#include "fabric-frame.h"

#include <array>
#include <cstdint>

namespace ns3
{

/// UDP destination port of VXLAN (RFC 7348 section 5).
constexpr uint16_t VXLAN_UDP_PORT = 4789;

/// @ingroup lossless
/// What a tunnel puts around a frame (RFC 7348).
struct VxlanTunnel
{
    uint8_t ipVersion{4};                  //!< of the outer header, 4 or 6
    uint32_t vni{0};                       //!< VXLAN network identifier, 24 bit
    uint32_t source{0};                    //!< end point, IPv4 address or last 32 bits of IPv6
    uint32_t destination{0};               //!< the other end point, likewise
    std::array<uint32_t, 3> addressHigh{}; //!< first 96 bits of the IPv6 addresses of both
};

/// @ingroup lossless
/// @param ipVersion of the outer header, 4 or 6 @return bytes by which a tunnel makes a frame
/// longer: Ethernet, IP, UDP and VXLAN header. The outer FCS is in place of the inner one
constexpr uint32_t
VxlanAddedBytes(uint8_t ipVersion)
{
    return 14 + (ipVersion == 4 ? 20 : 40) + 8 + 8;
}

/**
 * @ingroup lossless
 * UDP source port of the outer header, from which load balancers tell flows apart: 0xc000 and 14
 * bits of a hash of addresses, ports and protocol of the frame (RFC 7348 section 5). Both
 * directions of a flow have the same port where the frames of both have the same pair of ports, so
 * that symmetric paths stay symmetric.
 * @param inner the frame
 * @return the port
 */
uint16_t VxlanSourcePort(const Frame& inner);

/**
 * @ingroup lossless
 * Put a frame into a tunnel, in place: DSCP and ECN are copied to the outer header, which has a TTL
 * of its own. An 802.1Q tag moves to the outer frame, whose class it gives there, and the inner
 * frame is untagged (RFC 7348 section 6.1).
 * @param frame a frame that is neither booked nor queued; the outer one afterwards
 * @param tunnel what to put around it
 */
void EnterTunnel(Frame& frame, const VxlanTunnel& tunnel);

/**
 * @ingroup lossless
 * Take a frame out of its tunnel, in place, with the ECN of LeaveTunnelEcn() and the tag that
 * EnterTunnel() moved.
 * @param frame the outer frame, neither booked nor queued; the inner one afterwards
 * @return whether it left the tunnel; else RFC 6040 says that it is to be dropped, and it is as it
 * was
 */
bool LeaveTunnel(Frame& frame);

} // namespace ns3

#endif // LOSSLESS_VXLAN_FRAME_H

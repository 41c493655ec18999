// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SRV6_FRAME_H
#define LOSSLESS_SRV6_FRAME_H

#include "fabric-frame.h"

#include <array>
#include <cstdint>

namespace ns3
{

/// Bytes by which SRv6 makes a frame longer: an outer IPv6 header (RFC 2473).
constexpr uint32_t SRV6_ADDED_BYTES = 40;

/// @ingroup lossless
/// An IPv6 address in words, the most significant one first. As the destination of an outer header
/// of micro-segments (RFC 9800, flavour NEXT-CSID, 32 bits of locator block, 16 of each uSID): the
/// locator, then up to six uSIDs, the next one first.
using Srv6Address = std::array<uint32_t, 4>;

/// @ingroup lossless
/// The part of a node in a uSID (this module's choice; sheet 16, section 7).
enum class Srv6Role : uint8_t
{
    HOST = 0,  //!< port of a leaf to a host
    LEAF = 1,  //!< switch of hosts
    SPINE = 2, //!< switch of the second tier
    CORE = 3   //!< switch of the third tier
};

/// Numbers of a uSID are below this.
constexpr uint32_t SRV6_PLANES = 16;
/// Numbers of a uSID are below this, in each plane and role.
constexpr uint32_t SRV6_NUMBERS = 1024;

/// @ingroup lossless
/// @param plane below SRV6_PLANES @param role of the node @param number below SRV6_NUMBERS
/// @return the uSID
constexpr uint16_t
MicroSid(uint32_t plane, Srv6Role role, uint32_t number)
{
    return static_cast<uint16_t>(plane << 12 | static_cast<uint32_t>(role) << 10 | number);
}

/// @ingroup lossless
/// @param frame a frame in SRv6 @return its next uSID
inline uint16_t
NextMicroSid(const Frame& frame)
{
    return static_cast<uint16_t>(frame.dstHigh[1] >> 16);
}

/// @ingroup lossless
/// The next uSID has been served: move the others up. @param frame a frame in SRv6
inline void
ShiftMicroSids(Frame& frame)
{
    frame.dstHigh[1] = frame.dstHigh[1] << 16 | frame.dstHigh[2] >> 16;
    frame.dstHigh[2] = frame.dstHigh[2] << 16 | frame.dst >> 16;
    frame.dst <<= 16;
}

/**
 * @ingroup lossless
 * Put a RoCE packet over IPv6 behind an outer IPv6 header, in place. The fields of the frame are
 * those of the outer header from then on, but for the transport's; DSCP and ECN are copied, and the
 * source is the same in both. The inner hop limit stays INITIAL_TTL.
 * @param frame neither booked nor queued, and not in SRv6
 * @param destination of the outer header
 */
void EnterSrv6(Frame& frame, const Srv6Address& destination);

/**
 * @ingroup lossless
 * Take a packet out of its outer header, with the ECN of LeaveTunnelEcn(). The hop limit stays that
 * of the outer header: hosts count hops by it.
 * @param frame a frame in SRv6, neither booked nor queued
 * @return whether it left; else RFC 6040 says that it is to be dropped, and it is as it was
 */
bool LeaveSrv6(Frame& frame);

} // namespace ns3

#endif // LOSSLESS_SRV6_FRAME_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_TRIM_H
#define LOSSLESS_FRAME_TRIM_H

#include "fabric-frame.h"

#include <cstdint>

namespace ns3
{

/// Least bytes of a trimmed packet behind its IP header: UDP 8, BTH 12, ICRC 4 (Ultra Ethernet 1.0
/// asks for the same number).
constexpr uint32_t LEAST_TRIM_BYTES = 24;

/// @ingroup lossless
/// @param frame a frame @return whether a switch may cut it: RoCE data that has payload and has not
/// been cut before; never an ACK, NAK, CNP or READ request
inline bool
IsTrimmable(const Frame& frame)
{
    return frame.kind == FrameKind::ROCE && CarriesData(frame.opcode) && frame.payloadBytes > 0 &&
           frame.trim == Trim::NONE;
}

/// @ingroup lossless
/// @param frame a frame @return whether a switch has cut it
inline bool
IsTrimmed(const Frame& frame)
{
    return frame.trim != Trim::NONE && frame.kind == FrameKind::ROCE && CarriesData(frame.opcode);
}

/**
 * @ingroup lossless
 * Cut the payload of a packet, as a switch does that has no room for all of it (packet trimming,
 * SAI proposal of 2024; Ultra Ethernet 1.0). The headers stay, extension headers and telemetry
 * among them, and so does the ICRC field; the length becomes what is left. Of MRC nothing stays
 * behind METH and TSETH, and the ICRC goes, too.
 * @param frame a packet that IsTrimmable(), neither booked nor queued
 * @param keptBytes length behind the IP header, LEAST_TRIM_BYTES or more: headers, ICRC, and as
 * many bytes of payload, in multiples of 4, as are left for it; has no effect on MRC
 * @param where which switch cuts it
 * @return whether that shortens the packet; else the packet has not changed
 */
bool TrimFrame(Frame& frame, uint32_t keptBytes, Trim where);

} // namespace ns3

#endif // LOSSLESS_FRAME_TRIM_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_LAYOUT_H
#define LOSSLESS_MRC_LAYOUT_H

#include "fabric-frame.h"

#include <cstddef>
#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup lossless
 * Bytes of the headers of MRC (doc/wire.rst), for FrameCodec and FrameParser alone. All numbers are
 * in network order.
 */

namespace ns3
{

/// @param frame a RoCEv2 frame
/// @return whether the frame is data of MRC that a switch has cut: METH and TSETH are the last
/// headers, and neither payload nor ICRC follow
inline bool
IsCutMrc(const Frame& frame)
{
    return IsMrcWrite(frame.opcode) && frame.trim != Trim::NONE;
}

/// @param frame a frame of MRC @return bytes of the headers of MRC, all of which begin right behind
/// the BTH
inline std::size_t
MrcBytes(const Frame& frame)
{
    return MrcHeaderBytes(frame.opcode) + frame.GetTelemetryBytes();
}

/// @param frame a frame of MRC @return octet 8 of the BTH, without AckReq
uint8_t MrcFlags(const Frame& frame);

/// @param frame a frame of MRC @param bytes zeros, MrcBytes() of them; become the headers
void WriteMrc(const Frame& frame, uint8_t* bytes);

/**
 * Take the flags of the BTH, which say how long the headers are.
 * @param frame in: opcode; out: kind of telemetry and MrcHeader, with the flags alone
 * @param octet octet 8 of the BTH
 * @return the error in one line, or ""
 */
std::string ReadMrcFlags(Frame& frame, uint8_t octet);

/**
 * Read what WriteMrc() wrote.
 * @param frame in: opcode, PSN and flags; out: MrcHeader
 * @param bytes where the headers begin, MrcBytes() of them
 * @return the error in one line, or ""
 */
std::string ReadMrc(Frame& frame, const uint8_t* bytes);

} // namespace ns3

#endif // LOSSLESS_MRC_LAYOUT_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TELEMETRY_LAYOUT_H
#define LOSSLESS_TELEMETRY_LAYOUT_H

#include "fabric-frame.h"

#include <cstddef>
#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup lossless
 * Bytes of telemetry (doc/wire.rst), for FrameCodec and FrameParser alone. All numbers are in
 * network order.
 */

namespace ns3
{

constexpr std::size_t CNP_BYTES = 16; //!< payload of a CNP

/// @param frame a RoCEv2 frame
/// @return whether its opcode can carry its kind of telemetry: opcodes of MRC carry MRC, a CNP
/// carries RATE or RECEIVER, any other opcode any other kind
bool TelemetryFits(const Frame& frame);

/// @param frame a RoCEv2 frame whose telemetry fits
/// @param bytes room for GetTelemetryBytes(); for RATE the payload of the CNP
void WriteTelemetry(const Frame& frame, uint8_t* bytes);

/**
 * Read what WriteTelemetry() wrote.
 * @param frame in: opcode and kind; out: telemetry
 * @param bytes where the telemetry begins; for RATE the 16 bytes of payload of the CNP
 * @param available number of bytes that may be read
 * @return the error in one line, or ""
 */
std::string ReadTelemetry(Frame& frame, const uint8_t* bytes, std::size_t available);

} // namespace ns3

#endif // LOSSLESS_TELEMETRY_LAYOUT_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_FORMAT_H
#define LOSSLESS_FRAME_FORMAT_H

#include "fabric-frame.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Whose headers give a RoCE packet its length. Fields and captures are the same in both, but for
/// ECN: switches of the HPCC simulator mark acknowledgements, too, which nobody reads.
enum FrameFormat : uint8_t
{
    FRAMES_STANDARD, //!< Ethernet with preamble and gap, IP, UDP, InfiniBand (annex A17)
    FRAMES_HPCC //!< the public HPCC simulator: 48 bytes and the payload, without preamble and gap
};

/**
 * @ingroup lossless
 * Length of a packet of the public HPCC simulator (alibaba-edu/High-Precision-Congestion-Control,
 * commit 9f4be2a): 14 bytes of link header, 20 of IP, and with data 8 of UDP and 6 of sequence
 * number and class, else 12 of acknowledgement; the latter has at least 60 bytes in all. A time
 * stamp takes 8 bytes, other telemetry as many as here.
 * @param op BTH opcode
 * @param payloadBytes payload length, not padded
 * @param kind telemetry
 * @param hops IntTelemetry::hops, for INT_GROWING
 * @return bytes, all of which pass the link
 */
constexpr uint32_t
HpccFrameBytes(RoceOpcode op, uint32_t payloadBytes, TelemetryKind kind, uint32_t hops = 0)
{
    constexpr uint32_t LINK_AND_IP = 14 + 20;
    constexpr uint32_t SHORTEST_ACK = 60;
    const uint32_t telemetry = kind == TelemetryKind::DELAY ? 8 : TelemetryBytes(kind, hops);
    return CarriesData(op) ? LINK_AND_IP + 8 + 6 + payloadBytes + telemetry
                           : std::max(SHORTEST_ACK, LINK_AND_IP + 12 + telemetry);
}

/// @ingroup lossless
/// @param format a format @return bytes on the wire beyond those of the frame
constexpr uint8_t
GapBytes(FrameFormat format)
{
    return format == FRAMES_HPCC ? 0 : ETHERNET_GAP_BYTES;
}

/// @ingroup lossless
/// @param format a format @return bytes of a PFC frame; in the HPCC simulator 14 of link header, 20
/// of IP and 9 of the pause
constexpr uint32_t
PfcFrameBytes(FrameFormat format)
{
    return format == FRAMES_HPCC ? 14 + 20 + 9 : ETHERNET_MIN_FRAME_BYTES;
}

/// @ingroup lossless
/// @param format a format @return the shortest frame: one of the smallest Ethernet frame, or a data
/// packet of HpccFrameBytes() without payload
constexpr uint32_t
ShortestFrameBytes(FrameFormat format)
{
    return format == FRAMES_HPCC ? HpccFrameBytes(RoceOpcode::WRITE_ONLY, 0, TelemetryKind::NONE)
                                 : ETHERNET_MIN_FRAME_BYTES;
}

} // namespace ns3

#endif // LOSSLESS_FRAME_FORMAT_H

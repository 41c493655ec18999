// SPDX-License-Identifier: GPL-2.0-only
#include "frame-trim.h"

#include "frame-format.h"
#include "ip-layout.h"
#include "srv6-frame.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @param frame a data packet @return its bytes behind the IP header beside the payload
uint32_t
BytesBesidePayload(const Frame& frame)
{
    constexpr uint32_t PAYLOAD = ETHERNET_MIN_FRAME_BYTES; // no padding of the Ethernet frame
    constexpr uint32_t BEFORE = ETHERNET_OVERHEAD_BYTES + IPV4_HEADER;
    return RoceFrameBytes(frame.opcode, PAYLOAD, 4, false, frame.GetTelemetryBytes()) - PAYLOAD -
           BEFORE;
}

/// @param frame a data packet @return its frame bytes, in the format of its sender
uint32_t
BytesOfTrimmed(const Frame& frame)
{
    if (IsMrcWrite(frame.opcode))
    {
        return RoceFrameBytes(RoceOpcode::SEND_ONLY, // no RETH
                              0,
                              frame.ipVersion,
                              frame.tagged,
                              MrcHeaderBytes(frame.opcode) + frame.GetTelemetryBytes() -
                                  ICRC_BYTES);
    }
    if (frame.gapBytes == GapBytes(FRAMES_HPCC))
    {
        const bool growing = frame.telemetryKind == TelemetryKind::INT_GROWING;
        return HpccFrameBytes(frame.opcode,
                              frame.payloadBytes,
                              frame.telemetryKind,
                              growing ? frame.telemetry.hops.hops : 0);
    }
    return RoceFrameBytes(frame.opcode,
                          frame.payloadBytes,
                          frame.ipVersion,
                          frame.tagged,
                          frame.GetTelemetryBytes());
}

} // namespace

bool
TrimFrame(Frame& frame, uint32_t keptBytes, Trim where)
{
    constexpr uint32_t PAD = 4;
    const uint32_t headers = BytesBesidePayload(frame);
    const bool keepsPayload = keptBytes > headers && !IsMrcWrite(frame.opcode);
    const uint32_t payload = keepsPayload ? (keptBytes - headers) / PAD * PAD : 0;
    if (payload >= frame.payloadBytes)
    {
        return false;
    }
    frame.payloadBytes = payload;
    frame.bytes =
        std::min(frame.bytes, BytesOfTrimmed(frame) + (frame.isSrv6 ? SRV6_ADDED_BYTES : 0));
    frame.trim = where;
    if (IsMrcWrite(frame.opcode)) // neither RETH nor immediate data are left
    {
        frame.remoteAddress = frame.dmaBytes = frame.remoteKey = frame.immediate = 0;
    }
    return true;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "telemetry-layout.h"

#include "ip-layout.h"

#include <algorithm>

namespace ns3
{

namespace
{

// Of an INT header: 4 bits of hop count, 12 bits of path identifier.
constexpr uint32_t PATH_BITS = 12;
constexpr uint16_t PATH_MASK = (1U << PATH_BITS) - 1;
constexpr std::size_t INT_HEADER_BYTES = 2;

// Of the payload of a CNP: flags in its first octet.
constexpr uint8_t CONGESTED = 1;
constexpr uint8_t REPORT = 2;
constexpr uint8_t NAMES_RECEIVER = 4;

/// Puts numbers in network order one behind the other.
class Putter
{
  public:
    explicit Putter(uint8_t* bytes)
        : m_next(bytes)
    {
    }

    template <typename T>
    void Put(T value)
    {
        for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8)
        {
            *m_next++ = static_cast<uint8_t>(static_cast<uint64_t>(value) >> shift);
        }
    }

  private:
    uint8_t* m_next;
};

uint64_t
ReadU64(const uint8_t* data)
{
    return static_cast<uint64_t>(ReadU32(data)) << 32 | ReadU32(data + 4);
}

/// @return records of an INT header that are on the wire
std::size_t
Records(TelemetryKind kind, uint8_t hops)
{
    return kind == TelemetryKind::INT ? IntTelemetry::MAX_HOPS
                                      : std::min<std::size_t>(hops, IntTelemetry::MAX_HOPS);
}

void
WriteInt(Putter& out, TelemetryKind kind, const IntTelemetry& hops)
{
    const uint8_t count = std::min(hops.hops, IntTelemetry::MOST_HOPS);
    out.Put(static_cast<uint16_t>(count << PATH_BITS | (hops.pathId & PATH_MASK)));
    for (std::size_t i = 0; i < Records(kind, hops.hops); ++i)
    {
        out.Put(hops.records[i]);
    }
}

/// @return the header of INT; the records follow
IntTelemetry
ReadInt(TelemetryKind kind, const uint8_t* bytes)
{
    const uint16_t header = ReadU16(bytes);
    IntTelemetry hops{static_cast<uint8_t>(header >> PATH_BITS),
                      static_cast<uint16_t>(header & PATH_MASK),
                      {}};
    for (std::size_t i = 0; i < Records(kind, hops.hops); ++i)
    {
        hops.records[i] = ReadU64(bytes + INT_HEADER_BYTES + 8 * i);
    }
    return hops;
}

void
WriteIcc(Putter& out, const IccTelemetry& icc)
{
    out.Put(icc.timeNs);
    out.Put(icc.queueBytes);
    out.Put(static_cast<uint32_t>(icc.queueRateMbps));
    out.Put(icc.utilisation);
    out.Put(icc.flows);
    out.Put(icc.capacityMbps);
    out.Put(icc.targetBytes);
    out.Put(icc.switchId);
    out.Put(icc.port);
}

IccTelemetry
ReadIcc(const uint8_t* bytes)
{
    return {ReadU32(bytes),
            ReadU32(bytes + 4),
            static_cast<int32_t>(ReadU32(bytes + 8)),
            ReadU16(bytes + 12),
            ReadU16(bytes + 14),
            ReadU32(bytes + 16),
            ReadU32(bytes + 20),
            ReadU16(bytes + 24),
            ReadU16(bytes + 26)};
}

} // namespace

bool
TelemetryFits(const Frame& frame)
{
    const TelemetryKind kind = frame.telemetryKind;
    if (kind == TelemetryKind::MRC || IsMrc(frame.opcode))
    {
        return kind == TelemetryKind::MRC && IsMrc(frame.opcode);
    }
    return kind == TelemetryKind::NONE || IsInCnp(kind) == (frame.opcode == RoceOpcode::CNP);
}

void
WriteTelemetry(const Frame& frame, uint8_t* bytes)
{
    const FrameTelemetry& telemetry = frame.telemetry;
    Putter out(bytes);
    switch (frame.telemetryKind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        out.Put(telemetry.delay.sentTick);
        out.Put(telemetry.delay.endpointDelayNs);
        out.Put(static_cast<uint32_t>(telemetry.delay.hops) << 24);
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        WriteInt(out, frame.telemetryKind, telemetry.hops);
        break;
    case TelemetryKind::PINT:
        out.Put(telemetry.pint.utilisation);
        break;
    case TelemetryKind::ICC:
        WriteIcc(out, telemetry.icc);
        break;
    case TelemetryKind::RATE:
        out.Put(static_cast<uint32_t>(REPORT | (telemetry.rate.congested ? CONGESTED : 0)) << 24);
        out.Put(telemetry.rate.rateMbps);
        break;
    case TelemetryKind::RECEIVER:
        out.Put(static_cast<uint32_t>(NAMES_RECEIVER) << 24 | telemetry.receiver.queuePair);
        break;
    case TelemetryKind::MRC: // headers of their own
        break;
    }
}

std::string
ReadTelemetry(Frame& frame, const uint8_t* bytes, std::size_t available)
{
    const TelemetryKind kind = frame.telemetryKind;
    if (!TelemetryFits(frame))
    {
        return "kind " + std::to_string(static_cast<int>(kind)) +
               (IsInCnp(kind) ? " outside of a CNP" : " in a CNP");
    }
    // How long a growing record is stands at its beginning.
    const uint32_t least = TelemetryBytes(kind);
    const bool growing = kind == TelemetryKind::INT_GROWING && available >= least;
    if (available < (growing ? TelemetryBytes(kind, bytes[0] >> 4) : least))
    {
        return "truncated";
    }
    FrameTelemetry& telemetry = frame.telemetry;
    switch (kind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        telemetry.delay = {static_cast<int64_t>(ReadU64(bytes)), ReadU32(bytes + 8), bytes[12]};
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        telemetry.hops = ReadInt(kind, bytes);
        break;
    case TelemetryKind::PINT:
        telemetry.pint = {ReadU16(bytes)};
        break;
    case TelemetryKind::ICC:
        telemetry.icc = ReadIcc(bytes);
        break;
    case TelemetryKind::RATE:
        if (!(bytes[0] & REPORT))
        {
            return "no report in the CNP";
        }
        telemetry.rate = {ReadU32(bytes + 4), (bytes[0] & CONGESTED) != 0};
        break;
    case TelemetryKind::RECEIVER:
        if (!(bytes[0] & NAMES_RECEIVER))
        {
            return "no queue pair in the CNP";
        }
        telemetry.receiver = {ReadU32(bytes) & 0xffffff};
        break;
    case TelemetryKind::MRC:
        break;
    }
    return "";
}

} // namespace ns3

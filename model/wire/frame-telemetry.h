// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_TELEMETRY_H
#define LOSSLESS_FRAME_TELEMETRY_H

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What in-band telemetry a frame carries. It stands between the extension headers and the payload;
 * the lower six of the reserved bits beside AckReq in the BTH carry this number. A receiver sends
 * what a data packet carries back in the ACK.
 */
enum class TelemetryKind : uint8_t
{
    NONE = 0,        //!< none
    DELAY = 1,       //!< DelayTelemetry (TIMELY, Swift)
    INT = 2,         //!< IntTelemetry, with room for IntTelemetry::MAX_HOPS from the start (HPCC)
    INT_GROWING = 3, //!< IntTelemetry, as long as the hops passed need
    PINT = 4,        //!< PintTelemetry (HPCC-PINT)
    ICC = 5,         //!< IccTelemetry
    RATE = 6         //!< RateTelemetry, in the payload that a CNP has anyway (PCN)
};

/// @ingroup lossless
/// Clocks of the ends. 16 bytes on the wire.
struct DelayTelemetry
{
    int64_t sentTick; //!< when the data packet left, by the sender's clock; only it reads it
    uint32_t endpointDelayNs; //!< from arrival of the data packet to departure of its ACK
    uint8_t hops;             //!< switches on the way of the data packet, filled in by the receiver
};

/**
 * @ingroup lossless
 *
 * In-band network telemetry of HPCC (SIGCOMM 2019): a compact record for each hop, see IntRecord,
 * and 4 bit of hop count and 12 bit of path identifier in 2 bytes.
 */
struct IntTelemetry
{
    /// Hops that there is room for.
    static constexpr uint32_t MAX_HOPS = 5;

    uint8_t hops;    //!< hops passed; more than MAX_HOPS: records are missing
    uint16_t pathId; //!< XOR of the 12-bit identifiers of the switches passed
    std::array<uint64_t, MAX_HOPS> records; //!< packed, in the order of the hops
};

/// @ingroup lossless
/// HPCC-PINT (SIGCOMM 2020): one number. 2 bytes on the wire.
struct PintTelemetry
{
    uint16_t utilisation; //!< largest utilisation on the way, on a logarithmic scale
};

/// @ingroup lossless
/// What an ICC switch tells about a congested egress queue. 28 bytes on the wire.
struct IccTelemetry
{
    uint32_t timeNs;       //!< when it was measured, nanoseconds mod 2^32
    uint32_t queueBytes;   //!< length of the queue
    int32_t queueRateMbps; //!< growth of the queue, Mb/s
    uint16_t utilisation;  //!< of the link, in 1/10000
    uint16_t flows;        //!< that share the queue
    uint32_t capacityMbps; //!< speed of the link
    uint32_t targetBytes;  //!< queue length that sources shall not exceed (Qd)
    uint16_t switchId;     //!< low bits of the identifier of the switch
    uint16_t port;         //!< its egress port
};

/// @ingroup lossless
/// What a PCN receiver tells in a CNP.
struct RateTelemetry
{
    uint32_t rateMbps; //!< rate at which data arrived, Mb/s
    bool congested;    //!< whether a port on the way is congested
};

/// @ingroup lossless
/// Telemetry of a frame: the member that its TelemetryKind names. Not initialised.
union FrameTelemetry {
    FrameTelemetry()
    {
    }

    DelayTelemetry delay; //!< DELAY
    IntTelemetry hops;    //!< INT, INT_GROWING
    PintTelemetry pint;   //!< PINT
    IccTelemetry icc;     //!< ICC
    RateTelemetry rate;   //!< RATE
};

/// @ingroup lossless
/// @param kind kind of telemetry
/// @param hops IntTelemetry::hops, for INT_GROWING
/// @return bytes that it adds to a frame
constexpr uint32_t
TelemetryBytes(TelemetryKind kind, uint32_t hops = 0)
{
    constexpr uint32_t INT_HEADER_BYTES = 2;
    constexpr uint32_t INT_RECORD_BYTES = 8;
    switch (kind)
    {
    case TelemetryKind::DELAY:
        return 16;
    case TelemetryKind::INT:
        return INT_HEADER_BYTES + IntTelemetry::MAX_HOPS * INT_RECORD_BYTES;
    case TelemetryKind::INT_GROWING:
        return INT_HEADER_BYTES +
               (hops < IntTelemetry::MAX_HOPS ? hops : IntTelemetry::MAX_HOPS) * INT_RECORD_BYTES;
    case TelemetryKind::PINT:
        return 2;
    case TelemetryKind::ICC:
        return 28;
    case TelemetryKind::NONE:
    case TelemetryKind::RATE:
        break;
    }
    return 0;
}

} // namespace ns3

#endif // LOSSLESS_FRAME_TELEMETRY_H

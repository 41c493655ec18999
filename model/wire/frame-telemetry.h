// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_TELEMETRY_H
#define LOSSLESS_FRAME_TELEMETRY_H

#include "mrc-header.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The kind of in-band telemetry that a frame carries, between the extension headers and the
 * payload. The lower six of the reserved bits next to AckReq in the BTH carry the number of the
 * kind. A receiver copies the telemetry of a data packet into the ACK.
 */
enum class TelemetryKind : uint8_t
{
    NONE = 0,        //!< none
    DELAY = 1,       //!< DelayTelemetry (TIMELY, Swift)
    INT = 2,         //!< IntTelemetry, with room for IntTelemetry::MAX_HOPS from the start (HPCC)
    INT_GROWING = 3, //!< IntTelemetry that grows by a record at each hop
    PINT = 4,        //!< PintTelemetry (HPCC-PINT)
    ICC = 5,         //!< IccTelemetry
    RATE = 6,        //!< RateTelemetry, in the 16 bytes of payload of a CNP (PCN)
    RECEIVER = 7,    //!< ReceiverTelemetry, in the 16 bytes of payload of a CNP of a switch
    MRC = 8          //!< MrcHeader: the packet is one of MRC, whose BTH has no number of a kind
};

/// @ingroup lossless
/// Time stamps of sender and receiver. 16 bytes on the wire.
struct DelayTelemetry
{
    int64_t sentTick;         //!< when the data packet left, in ticks of the sender's clock
    uint32_t endpointDelayNs; //!< from arrival of the data packet to departure of its ACK
    uint8_t hops;             //!< switches that the data packet passed; the receiver fills this in
};

/**
 * @ingroup lossless
 *
 * In-band network telemetry of HPCC (Li et al., SIGCOMM 2019): 2 bytes with 4 bits of hop count and
 * 12 bits of path identifier, and an IntRecord of 8 bytes for each hop.
 */
struct IntTelemetry
{
    /// Number of hops for which there are records.
    static constexpr uint32_t MAX_HOPS = 5;
    static constexpr uint8_t MOST_HOPS = 15; //!< that a header can count

    uint8_t hops;    //!< hops passed; above MAX_HOPS the later hops have no record
    uint16_t pathId; //!< XOR of the 12-bit identifiers of the switches passed
    std::array<uint64_t, MAX_HOPS> records; //!< IntRecord::Pack(), in the order of the hops
};

/// @ingroup lossless
/// Telemetry of HPCC-PINT (Ben Basat et al., SIGCOMM 2020): one number, 2 bytes on the wire.
struct PintTelemetry
{
    uint16_t utilisation; //!< PintCode of the highest utilisation on the path
};

/// @ingroup lossless
/// Report of an ICC switch on an egress queue (Wang et al., CMC 2023). 28 bytes on the wire.
struct IccTelemetry
{
    uint32_t timeNs;       //!< time of the measurement, nanoseconds mod 2^32
    uint32_t queueBytes;   //!< length of the queue, frame bytes
    int32_t queueRateMbps; //!< growth of the queue, Mb/s
    uint16_t utilisation;  //!< utilisation of the link, in 1/10000
    uint16_t flows;        //!< number of flows that share the queue
    uint32_t capacityMbps; //!< speed of the link
    uint32_t targetBytes;  //!< Qd, the queue length that sources must not exceed, bytes
    uint16_t switchId;     //!< low bits of the identifier of the switch
    uint16_t port;         //!< its egress port
};

/// @ingroup lossless
/// Report of a PCN receiver in a CNP (Cheng et al., NSDI 2020).
struct RateTelemetry
{
    uint32_t rateMbps; //!< rate at which data arrived, Mb/s
    bool congested;    //!< whether a port on the path is congested
};

/// @ingroup lossless
/// Whom a CNP of a switch means, if the switch does not know the queue pair of the sender
/// (SwitchCnpSender): the flow to this queue pair.
struct ReceiverTelemetry
{
    uint32_t queuePair; //!< queue pair of the receiver, 24 bit
};

/// @ingroup lossless
/// @param kind kind of telemetry @return whether CNPs carry it, and nothing else does
constexpr bool
IsInCnp(TelemetryKind kind)
{
    return kind == TelemetryKind::RATE || kind == TelemetryKind::RECEIVER;
}

/// @ingroup lossless
/// Telemetry of a frame: the member that its TelemetryKind names. Not initialised.
union FrameTelemetry {
    FrameTelemetry()
    {
    }

    DelayTelemetry delay;       //!< DELAY
    IntTelemetry hops;          //!< INT, INT_GROWING
    PintTelemetry pint;         //!< PINT
    IccTelemetry icc;           //!< ICC
    RateTelemetry rate;         //!< RATE
    ReceiverTelemetry receiver; //!< RECEIVER
    MrcHeader mrc;              //!< MRC
};

/// @ingroup lossless
/// @param kind kind of telemetry
/// @param hops IntTelemetry::hops, for INT_GROWING; for MRC 1: there is a time stamp
/// @return bytes that the telemetry adds to a frame
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
    case TelemetryKind::MRC:
        return hops ? 4 : 0;
    case TelemetryKind::NONE:
    case TelemetryKind::RATE:
    case TelemetryKind::RECEIVER:
        break;
    }
    return 0;
}

} // namespace ns3

#endif // LOSSLESS_FRAME_TELEMETRY_H

// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-layout.h"

#include "ip-layout.h"
#include "psn.h"

namespace ns3
{

namespace
{

// Octet 8 of the BTH.
constexpr uint8_t REPEATED = 0x20;
constexpr uint8_t STAMPED = 0x10;
constexpr uint8_t ACK_REQUEST = 0x80;

// TSETH, second half.
constexpr uint16_t COARSE = 0x8000;
constexpr uint16_t STAMP_TYPE = 1;

// SETH, second octet.
constexpr int MARK_SHIFT = 5;
constexpr uint8_t MARK_MASK = 3;
constexpr uint8_t ANSWERS_PROBE = 2;

// CC_STATE.
constexpr std::size_t STATE = 28; //!< begins behind the SETH; an EETH has its time there
constexpr uint8_t RESTORE = 0x80;
constexpr uint16_t OUT_OF_ORDER_MASK = 0x7fff;

constexpr uint8_t NACK_STATE = 0x20; //!< NETH, octet 16: a time stamp follows
constexpr int RESPONSE_SHIFT = 2;    //!< EETH, second octet: of the operation
constexpr uint8_t OPERATION_MASK = 3;

void
PutU16(uint8_t* bytes, uint32_t value)
{
    bytes[0] = static_cast<uint8_t>(value >> 8);
    bytes[1] = static_cast<uint8_t>(value);
}

void
PutU32(uint8_t* bytes, uint32_t value)
{
    PutU16(bytes, value >> 16);
    PutU16(bytes + 2, value);
}

void
PutTseth(uint8_t* bytes, const MrcHeader& header)
{
    PutU16(bytes, header.time);
    PutU16(bytes + 2, (header.coarse ? COARSE : 0) | STAMP_TYPE);
}

void
ReadTseth(MrcHeader& header, const uint8_t* bytes)
{
    header.time = ReadU16(bytes);
    header.coarse = ReadU16(bytes + 2) & COARSE;
}

void
PutContexts(uint8_t* bytes, const MrcHeader& header)
{
    PutU16(bytes + 8, header.sourceContext);
    PutU16(bytes + 10, header.destinationContext);
}

void
ReadContexts(MrcHeader& header, const uint8_t* bytes)
{
    header.sourceContext = ReadU16(bytes + 8);
    header.destinationContext = ReadU16(bytes + 10);
}

void
WriteSack(uint8_t* bytes, const MrcHeader& header, uint64_t psn)
{
    bytes[1] = static_cast<uint8_t>(static_cast<uint8_t>(header.mark) << MARK_SHIFT |
                                    (header.answersProbe ? ANSWERS_PROBE : 0));
    PutU16(bytes + 2, header.answersProbe ? header.probe : static_cast<uint16_t>(header.acked));
    PutU32(bytes + 4, header.ev);
    PutContexts(bytes, header);
    PutU32(bytes + 12, Psn::Truncate(psn));
    bytes[17] = header.window;
    PutU16(bytes + 18, static_cast<uint16_t>(header.base));
    PutU32(bytes + 20, static_cast<uint32_t>(header.bitmap >> 32));
    PutU32(bytes + 24, static_cast<uint32_t>(header.bitmap));
    uint8_t* const state = bytes + STATE;
    PutU16(state, header.time);
    PutU16(state + 2, header.outOfOrder & OUT_OF_ORDER_MASK);
    PutU32(state + 4,
           static_cast<uint32_t>((header.restore ? RESTORE : 0) | (header.penalty & ~RESTORE))
                   << 24 |
               (header.received & 0xffffff));
}

std::string
ReadSack(MrcHeader& header, const uint8_t* bytes)
{
    header.mark = static_cast<MrcMark>(bytes[1] >> MARK_SHIFT & MARK_MASK);
    if (header.mark > MrcMark::ALWAYS_SKIP)
    {
        return "unknown mark in a SACK";
    }
    header.answersProbe = bytes[1] & ANSWERS_PROBE;
    const uint16_t answered = ReadU16(bytes + 2);
    header.probe = header.answersProbe ? answered : 0;
    header.acked = static_cast<int16_t>(header.answersProbe ? 0 : answered);
    header.ev = ReadU32(bytes + 4);
    ReadContexts(header, bytes);
    header.window = bytes[17];
    header.base = static_cast<int16_t>(ReadU16(bytes + 18));
    header.bitmap = uint64_t{ReadU32(bytes + 20)} << 32 | ReadU32(bytes + 24);
    const uint8_t* const state = bytes + STATE;
    header.time = ReadU16(state);
    header.outOfOrder = ReadU16(state + 2) & OUT_OF_ORDER_MASK;
    header.restore = state[4] & RESTORE;
    header.penalty = state[4] & static_cast<uint8_t>(~RESTORE);
    header.received = ReadU32(state + 4) & 0xffffff;
    return "";
}

void
WriteNack(uint8_t* bytes, const MrcHeader& header, uint64_t psn)
{
    bytes[2] = static_cast<uint8_t>(header.reason);
    PutU32(bytes + 4, header.ev);
    PutContexts(bytes, header);
    PutU32(bytes + 12, Psn::Truncate(psn));
    bytes[16] = NACK_STATE;
    PutU16(bytes + 18, header.time);
}

void
ReadNack(MrcHeader& header, const uint8_t* bytes)
{
    header.reason = static_cast<MrcReason>(bytes[2]);
    header.ev = ReadU32(bytes + 4);
    ReadContexts(header, bytes);
    header.time = ReadU16(bytes + 18);
}

/// Of an endpoint request or response. @return the error in one line, or ""
std::string
ReadOperation(MrcHeader& header, uint8_t bits)
{
    header.operation = static_cast<MrcOperation>(bits & OPERATION_MASK);
    return header.operation > MrcOperation::EV_PROBE ? "unknown endpoint operation" : "";
}

} // namespace

uint8_t
MrcFlags(const Frame& frame)
{
    const MrcHeader& header = frame.telemetry.mrc;
    return (header.repeated ? REPEATED : 0) | (header.stamped ? STAMPED : 0);
}

void
WriteMrc(const Frame& frame, uint8_t* bytes)
{
    const MrcHeader& header = frame.telemetry.mrc;
    switch (frame.opcode)
    {
    case RoceOpcode::MRC_SACK:
        WriteSack(bytes, header, frame.psn);
        break;
    case RoceOpcode::MRC_NACK:
        WriteNack(bytes, header, frame.psn);
        break;
    case RoceOpcode::MRC_PROBE:
        PutU16(bytes + 4, header.probe);
        PutContexts(bytes, header);
        PutTseth(bytes + 12, header);
        break;
    case RoceOpcode::MRC_ENDPOINT_REQUEST:
        bytes[1] = static_cast<uint8_t>(header.operation);
        PutU32(bytes + 4, header.ports);
        PutTseth(bytes + 12, header);
        break;
    case RoceOpcode::MRC_ENDPOINT_RESPONSE:
        bytes[1] = static_cast<uint8_t>(static_cast<uint8_t>(header.operation) << RESPONSE_SHIFT);
        PutU16(bytes + STATE, header.time);
        break;
    case RoceOpcode::MRC_ACKNOWLEDGE:
        break;
    default:
        PutU16(bytes, header.rqMsn);
        PutU16(bytes + 2, header.msn);
        if (header.stamped)
        {
            PutTseth(bytes + 4, header);
        }
    }
}

std::string
ReadMrcFlags(Frame& frame, uint8_t octet)
{
    const uint8_t known = ACK_REQUEST | REPEATED | (IsMrcWrite(frame.opcode) ? STAMPED : 0);
    if (octet & ~known)
    {
        return "unknown flags " + std::to_string(octet);
    }
    frame.telemetryKind = TelemetryKind::MRC;
    frame.telemetry.mrc = {};
    frame.telemetry.mrc.repeated = octet & REPEATED;
    frame.telemetry.mrc.stamped = octet & STAMPED;
    return "";
}

std::string
ReadMrc(Frame& frame, const uint8_t* bytes)
{
    MrcHeader& header = frame.telemetry.mrc;
    switch (frame.opcode)
    {
    case RoceOpcode::MRC_SACK:
        return ReadSack(header, bytes);
    case RoceOpcode::MRC_NACK:
        ReadNack(header, bytes);
        break;
    case RoceOpcode::MRC_PROBE:
        header.probe = ReadU16(bytes + 4);
        ReadContexts(header, bytes);
        ReadTseth(header, bytes + 12);
        break;
    case RoceOpcode::MRC_ENDPOINT_REQUEST:
        header.ports = ReadU32(bytes + 4);
        ReadTseth(header, bytes + 12);
        return ReadOperation(header, bytes[1]);
    case RoceOpcode::MRC_ENDPOINT_RESPONSE:
        header.time = ReadU16(bytes + STATE);
        return ReadOperation(header, bytes[1] >> RESPONSE_SHIFT);
    case RoceOpcode::MRC_ACKNOWLEDGE:
        break;
    default:
        header.rqMsn = ReadU16(bytes);
        header.msn = ReadU16(bytes + 2);
        if (header.stamped)
        {
            ReadTseth(header, bytes + 4);
        }
    }
    return "";
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_OPCODE_H
#define LOSSLESS_ROCE_OPCODE_H

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 * BTH opcodes of the reliable connection service, and the congestion notification packet
 * (InfiniBand architecture 9.2, RoCEv2 annex A17); and those of MRC (OCP Multipath Reliable
 * Connection 1.0), whose WRITEs have the opcodes of the reliable connection + 0xc0.
 */
enum class RoceOpcode : uint8_t
{
    SEND_FIRST = 0x00,            //!< first packet of a SEND
    SEND_MIDDLE = 0x01,           //!< neither first nor last
    SEND_LAST = 0x02,             //!< last packet
    SEND_LAST_IMM = 0x03,         //!< last packet, with immediate data
    SEND_ONLY = 0x04,             //!< only packet
    SEND_ONLY_IMM = 0x05,         //!< only packet, with immediate data
    WRITE_FIRST = 0x06,           //!< first packet of an RDMA WRITE
    WRITE_MIDDLE = 0x07,          //!< neither first nor last
    WRITE_LAST = 0x08,            //!< last packet
    WRITE_LAST_IMM = 0x09,        //!< last packet, with immediate data
    WRITE_ONLY = 0x0a,            //!< only packet
    WRITE_ONLY_IMM = 0x0b,        //!< only packet, with immediate data
    READ_REQUEST = 0x0c,          //!< request of an RDMA READ
    READ_RESPONSE_FIRST = 0x0d,   //!< first packet of its data
    READ_RESPONSE_MIDDLE = 0x0e,  //!< neither first nor last
    READ_RESPONSE_LAST = 0x0f,    //!< last packet
    READ_RESPONSE_ONLY = 0x10,    //!< only packet
    ACKNOWLEDGE = 0x11,           //!< ACK or NAK
    CNP = 0x81,                   //!< congestion notification
    MRC_WRITE_FIRST = 0xc6,       //!< first packet of a WRITE
    MRC_WRITE_MIDDLE = 0xc7,      //!< neither first nor last
    MRC_WRITE_LAST = 0xc8,        //!< last packet
    MRC_WRITE_LAST_IMM = 0xc9,    //!< last packet, with immediate data
    MRC_WRITE_ONLY = 0xca,        //!< only packet
    MRC_WRITE_ONLY_IMM = 0xcb,    //!< only packet, with immediate data
    MRC_ACKNOWLEDGE = 0xd1,       //!< transport ACK
    MRC_ENDPOINT_REQUEST = 0xd8,  //!< from host to host: port status, or probe of an entropy value
    MRC_ENDPOINT_RESPONSE = 0xd9, //!< its answer
    MRC_SACK = 0xdc,              //!< which packets have arrived
    MRC_NACK = 0xdd,              //!< a packet that cannot be taken
    MRC_PROBE = 0xde,             //!< reliability probe: asks for a SACK
    READ_ACKNOWLEDGE = 0xe1,      //!< of this module, in the range for manufacturers: acknowledges
                                  //!< READ responses, laid out as ACKNOWLEDGE
    LEAF_NOTE = 0xe2              //!< likewise: from leaf to leaf, a ConWeaveShim and nothing else
};

/// @param op an opcode @return whether it is one of MRC
constexpr bool
IsMrc(RoceOpcode op)
{
    return op >= RoceOpcode::MRC_WRITE_FIRST && op <= RoceOpcode::MRC_PROBE;
}

/// @param op an opcode @return whether it is an endpoint operation of MRC: of no queue pair
constexpr bool
IsMrcEndpoint(RoceOpcode op)
{
    return op == RoceOpcode::MRC_ENDPOINT_REQUEST || op == RoceOpcode::MRC_ENDPOINT_RESPONSE;
}

/// @param op an opcode @return whether a packet with this opcode is one of a WRITE of MRC
constexpr bool
IsMrcWrite(RoceOpcode op)
{
    return op >= RoceOpcode::MRC_WRITE_FIRST && op <= RoceOpcode::MRC_WRITE_ONLY_IMM;
}

/// @param op the opcode of a packet of a WRITE of the reliable connection @return that of MRC
constexpr RoceOpcode
ToMrc(RoceOpcode op)
{
    return static_cast<RoceOpcode>(static_cast<uint8_t>(op) + 0xc0);
}

/// @param op an opcode
/// @return bytes of the headers of MRC behind the BTH, without a time stamp, RETH, AETH and
/// immediate data
constexpr uint32_t
MrcHeaderBytes(RoceOpcode op)
{
    if (!IsMrc(op))
    {
        return 0;
    }
    switch (op)
    {
    case RoceOpcode::MRC_SACK:
    case RoceOpcode::MRC_ENDPOINT_RESPONSE:
        return 36;
    case RoceOpcode::MRC_NACK:
        return 20;
    case RoceOpcode::MRC_PROBE:
    case RoceOpcode::MRC_ENDPOINT_REQUEST:
        return 16;
    default:
        return IsMrcWrite(op) ? 4 : 0;
    }
}

/// What a packet is by its opcode: bits of RoceTraits.
enum RoceTrait : uint8_t
{
    ROCE_RETH = 1,      //!< it carries a RETH (16 bytes)
    ROCE_AETH = 2,      //!< it carries an AETH (4 bytes)
    ROCE_IMMEDIATE = 4, //!< it carries immediate data (4 bytes)
    ROCE_DATA = 8,      //!< it carries payload of a message (SEND, WRITE or READ response)
    ROCE_FIRST = 16,    //!< it begins a message or a READ response
    ROCE_LAST = 32      //!< it ends a message or a READ response, or is no part of a longer one
};

/// Tables by opcode: each packet asks several times at each of its ends.
struct RoceTables
{
    std::array<uint8_t, 256> traits{};  //!< RoceTrait
    std::array<uint8_t, 256> headers{}; //!< bytes of extension headers, telemetry aside
};

/// @return the tables
constexpr RoceTables
MakeRoceTables()
{
    RoceTables tables;
    for (auto& traits : tables.traits)
    {
        traits = ROCE_LAST;
    }
    const auto set = [&tables](RoceOpcode op, uint8_t traits) {
        tables.traits[static_cast<uint8_t>(op)] = traits;
    };
    // FIRST, MIDDLE, LAST, LAST_IMM, ONLY, ONLY_IMM
    const uint8_t parts[] = {ROCE_FIRST,
                             0,
                             ROCE_LAST,
                             ROCE_LAST | ROCE_IMMEDIATE,
                             ROCE_FIRST | ROCE_LAST,
                             ROCE_FIRST | ROCE_LAST | ROCE_IMMEDIATE};
    for (uint8_t part = 0; part < 6; ++part)
    {
        const auto traits = static_cast<uint8_t>(parts[part] | ROCE_DATA);
        const bool isFirst = parts[part] & ROCE_FIRST;
        tables.traits[part] = traits;
        tables.traits[0x06 + part] = static_cast<uint8_t>(traits | (isFirst ? ROCE_RETH : 0));
        tables.traits[0xc6 + part] = static_cast<uint8_t>(traits | ROCE_RETH);
    }
    set(RoceOpcode::READ_REQUEST, ROCE_RETH | ROCE_FIRST | ROCE_LAST);
    set(RoceOpcode::READ_RESPONSE_FIRST, ROCE_DATA | ROCE_AETH | ROCE_FIRST);
    set(RoceOpcode::READ_RESPONSE_MIDDLE, ROCE_DATA);
    set(RoceOpcode::READ_RESPONSE_LAST, ROCE_DATA | ROCE_AETH | ROCE_LAST);
    set(RoceOpcode::READ_RESPONSE_ONLY, ROCE_DATA | ROCE_AETH | ROCE_FIRST | ROCE_LAST);
    for (const RoceOpcode op :
         {RoceOpcode::ACKNOWLEDGE, RoceOpcode::READ_ACKNOWLEDGE, RoceOpcode::MRC_ACKNOWLEDGE})
    {
        set(op, ROCE_AETH | ROCE_LAST);
    }
    for (uint32_t op = 0; op < 256; ++op)
    {
        tables.headers[op] = static_cast<uint8_t>((tables.traits[op] & ROCE_RETH ? 16 : 0) +
                                                  (tables.traits[op] & ROCE_AETH ? 4 : 0) +
                                                  (tables.traits[op] & ROCE_IMMEDIATE ? 4 : 0) +
                                                  MrcHeaderBytes(static_cast<RoceOpcode>(op)));
    }
    tables.headers[static_cast<uint8_t>(RoceOpcode::CNP)] = 16; // reserved bytes, as payload
    return tables;
}

/// MakeRoceTables()
inline constexpr RoceTables ROCE_TABLES = MakeRoceTables();

/// @param op an opcode @param trait a bit @return whether packets with the opcode have the trait
constexpr bool
HasTrait(RoceOpcode op, RoceTrait trait)
{
    return ROCE_TABLES.traits[static_cast<uint8_t>(op)] & trait;
}

/// @param op an opcode
/// @return whether a packet with this opcode carries a RETH (16 bytes)
constexpr bool
HasReth(RoceOpcode op)
{
    return HasTrait(op, ROCE_RETH);
}

/// @param op an opcode
/// @return whether a packet with this opcode carries an AETH (4 bytes)
constexpr bool
HasAeth(RoceOpcode op)
{
    return HasTrait(op, ROCE_AETH);
}

/// @param op an opcode
/// @return whether a packet with this opcode carries immediate data (4 bytes)
constexpr bool
HasImmediate(RoceOpcode op)
{
    return HasTrait(op, ROCE_IMMEDIATE);
}

/// @param op an opcode
/// @return whether this packet carries message payload (SEND, WRITE or READ response)
constexpr bool
CarriesData(RoceOpcode op)
{
    return HasTrait(op, ROCE_DATA);
}

/// @param op an opcode
/// @return whether this packet begins a message or a READ response
constexpr bool
IsFirst(RoceOpcode op)
{
    return HasTrait(op, ROCE_FIRST);
}

/// @param op an opcode
/// @return whether this packet ends a message or a READ response
constexpr bool
IsLast(RoceOpcode op)
{
    return HasTrait(op, ROCE_LAST);
}

/// @param op an opcode
/// @return whether this packet tells a sender of data what has arrived
constexpr bool
IsAcknowledge(RoceOpcode op)
{
    return op == RoceOpcode::ACKNOWLEDGE || op == RoceOpcode::READ_ACKNOWLEDGE;
}

/// @param op an opcode
/// @return whether this is a response to a READ
constexpr bool
IsReadResponse(RoceOpcode op)
{
    return op >= RoceOpcode::READ_RESPONSE_FIRST && op <= RoceOpcode::READ_RESPONSE_ONLY;
}

} // namespace ns3

#endif // LOSSLESS_ROCE_OPCODE_H

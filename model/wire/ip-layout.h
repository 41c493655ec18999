// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IP_LAYOUT_H
#define LOSSLESS_IP_LAYOUT_H

#include "ether-types.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup lossless
 * Layout of IP headers (RFC 791, RFC 8200), shared by the files of model/wire that read or write
 * bytes. Only files of model/wire include this header.
 */

namespace ns3
{

constexpr std::size_t FCS_BYTES = 4;  //!< frame check sequence
constexpr std::size_t ICRC_BYTES = 4; //!< invariant CRC of RoCEv2

constexpr uint8_t PROTOCOL_ICMP = 1;    //!< ICMP
constexpr uint8_t PROTOCOL_ICMPV6 = 58; //!< ICMPv6

constexpr std::size_t IPV4_HEADER = 20;     //!< bytes, without options
constexpr std::size_t IPV4_HEADER_MAX = 60; //!< bytes, with all options
constexpr std::size_t IPV6_HEADER = 40;     //!< bytes, without extension headers
constexpr std::size_t UDP_HEADER = 8;       //!< bytes

constexpr std::size_t VXLAN_HEADER = 8; //!< bytes (RFC 7348)
constexpr uint32_t VXLAN_FLAGS = 0x08;  //!< first octet of the VXLAN header: the VNI is valid

constexpr uint8_t SACK_FLAG =
    0x40; //!< bit of the reserved bits next to AckReq in the BTH: a SACK follows
constexpr uint8_t TRIM_MASK = 0x03;     //!< of the reserved bits next to BECN in the BTH: a Trim
constexpr uint8_t SACK_TRIMMED = 0x01;  //!< first octet of a SACK: the packet was trimmed,
constexpr uint8_t SACK_LAST_HOP = 0x80; //!< at the last hop

/// @param data bytes in network order @return 16-bit number
inline uint16_t
ReadU16(const uint8_t* data)
{
    return static_cast<uint16_t>(data[0] << 8 | data[1]);
}

/// @param data bytes in network order @return 32-bit number
inline uint32_t
ReadU32(const uint8_t* data)
{
    return static_cast<uint32_t>(ReadU16(data)) << 16 | ReadU16(data + 2);
}

/// @param packet an IP packet @return its version field: 4, 6, or another value
inline uint8_t
IpVersion(const uint8_t* packet)
{
    return packet[0] >> 4;
}

/// @param packet an IPv4 packet @return length of its header in bytes, options included
inline std::size_t
Ipv4HeaderBytes(const uint8_t* packet)
{
    return (packet[0] & 0x0fU) * 4;
}

/// @param packet an IPv4 packet @return whether it is a fragment, the first one included
inline bool
Ipv4IsFragment(const uint8_t* packet)
{
    return (ReadU16(packet + 6) & 0x3fff) != 0;
}

} // namespace ns3

#endif // LOSSLESS_IP_LAYOUT_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ETHER_TYPES_H
#define LOSSLESS_ETHER_TYPES_H

#include <cstdint>

/**
 * @file
 * @ingroup lossless
 * EtherTypes (IEEE 802) and IP protocols (IANA).
 */

namespace ns3
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;        //!< IPv4
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;        //!< IPv6
constexpr uint16_t ETHERTYPE_VLAN = 0x8100;        //!< 802.1Q tag
constexpr uint16_t ETHERTYPE_MAC_CONTROL = 0x8808; //!< PAUSE and PFC

constexpr uint8_t PROTOCOL_TCP = 6;   //!< TCP
constexpr uint8_t PROTOCOL_UDP = 17;  //!< UDP
constexpr uint8_t PROTOCOL_IPV6 = 41; //!< IPv6 in IP (RFC 2473)

} // namespace ns3

#endif // LOSSLESS_ETHER_TYPES_H

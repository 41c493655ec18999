// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICRC_H
#define LOSSLESS_ICRC_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The invariant CRC of a RoCEv2 packet (RoCEv2 annex A17.3.3): the Ethernet CRC-32 over eight
 * octets 0xff and the packet, in which all bits that a switch or router may change count as ones:
 * type of service, TTL and header checksum of IPv4; traffic class, flow label and hop limit of
 * IPv6; UDP checksum; the BTH octet of FECN and BECN.
 *
 * @param packet the IP packet, from its header to the pad bytes, without the ICRC
 * @param bytes its length; a packet too short for a BTH is masked as far as it goes
 * @return the ICRC; the wire carries its least significant byte first
 */
uint32_t Icrc(const uint8_t* packet, std::size_t bytes);

} // namespace ns3

#endif // LOSSLESS_ICRC_H

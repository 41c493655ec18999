// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IP_CHECKSUM_H
#define LOSSLESS_IP_CHECKSUM_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 * Internet checksum (RFC 1071).
 * @param data bytes @param bytes number of bytes
 * @param partial sum of what comes before, such as a pseudo header (not complemented)
 * @return the checksum in host order; 0 when the data include a correct checksum
 */
uint16_t InternetChecksum(const uint8_t* data, std::size_t bytes, uint32_t partial = 0);

/**
 * @ingroup lossless
 * Computes and sets the checksum field. @param header a complete IPv4 header with options
 */
void SetIpv4Checksum(uint8_t* header);

/**
 * @ingroup lossless
 * Checksum of the transport part of an IP packet, pseudo header included.
 * @param packet an IP packet, not a fragment, whose transport header follows the complete IP header
 * @param bytes its length
 * @return the checksum over the transport part with its checksum field: 0 when that field is
 * correct
 */
uint16_t TransportChecksum(const uint8_t* packet, std::size_t bytes);

/**
 * @ingroup lossless
 * Checksum offload of a NIC: compute the checksum of TCP, ICMP, or UDP over IPv6 where the stock
 * stack left zero (ns-3 does unless ChecksumEnabled is set). Zero is legal for UDP over IPv4 and
 * stays.
 * @param packet a complete IP packet @param bytes its length
 */
void FillTransportChecksum(uint8_t* packet, std::size_t bytes);

} // namespace ns3

#endif // LOSSLESS_IP_CHECKSUM_H

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
 * @param data bytes @param bytes how many
 * @param partial sum of what comes before, such as a pseudo header (not complemented)
 * @return the checksum in host order; 0 when the data hold their own right checksum
 */
uint16_t InternetChecksum(const uint8_t* data, std::size_t bytes, uint32_t partial = 0);

/**
 * @ingroup lossless
 * @param header an IPv4 header with options, whole; its checksum field is set right
 */
void SetIpv4Checksum(uint8_t* header);

/**
 * @ingroup lossless
 * Checksum of the transport part of an IP packet, pseudo header included.
 * @param packet an IP packet, not a fragment, transport header right behind a whole IP header
 * @param bytes its length
 * @return the checksum of the transport part as it stands: 0 when it holds a right one
 */
uint16_t TransportChecksum(const uint8_t* packet, std::size_t bytes);

/**
 * @ingroup lossless
 * What a NIC with checksum offload does: where the stock stack left the checksum of TCP, ICMP or
 * UDP over IPv6 at zero (ns-3 does unless ChecksumEnabled is set), put the right one. Zero is a
 * legal value for UDP over IPv4 and stays.
 * @param packet a whole IP packet @param bytes its length
 */
void FillTransportChecksum(uint8_t* packet, std::size_t bytes);

} // namespace ns3

#endif // LOSSLESS_IP_CHECKSUM_H

// SPDX-License-Identifier: GPL-2.0-only
#include "ip-checksum.h"

#include "ip-layout.h"

namespace ns3
{

namespace
{

/// @return plain sum of big-endian 16-bit words, an odd last byte padded with zero
uint32_t
SumWords(const uint8_t* data, std::size_t bytes, uint32_t sum)
{
    for (std::size_t i = 0; i + 1 < bytes; i += 2)
    {
        sum += static_cast<uint32_t>(data[i] << 8 | data[i + 1]);
    }
    return bytes % 2 ? sum + static_cast<uint32_t>(data[bytes - 1] << 8) : sum;
}

/// @return offset of the checksum in the transport header, or 0 where none may be filled in
std::size_t
ChecksumOffset(uint8_t protocol, bool v6)
{
    switch (protocol)
    {
    case PROTOCOL_ICMP:
        return v6 ? 0 : 2;
    case PROTOCOL_TCP:
        return 16;
    case PROTOCOL_UDP:
        return v6 ? 6 : 0;
    case PROTOCOL_ICMPV6:
        return v6 ? 2 : 0;
    default:
        return 0;
    }
}

} // namespace

uint16_t
InternetChecksum(const uint8_t* data, std::size_t bytes, uint32_t partial)
{
    // 64 KiB of words plus a pseudo header stay below 2^32.
    uint32_t sum = SumWords(data, bytes, partial);
    while (sum >> 16)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<uint16_t>(~sum);
}

void
SetIpv4Checksum(uint8_t* header)
{
    header[10] = header[11] = 0;
    uint16_t checksum = InternetChecksum(header, Ipv4HeaderBytes(header));
    header[10] = static_cast<uint8_t>(checksum >> 8);
    header[11] = static_cast<uint8_t>(checksum);
}

uint16_t
TransportChecksum(const uint8_t* packet, std::size_t bytes)
{
    bool v6 = IpVersion(packet) == 6;
    std::size_t header = v6 ? IPV6_HEADER : Ipv4HeaderBytes(packet);
    std::size_t size = bytes - header;
    uint8_t protocol = packet[v6 ? 6 : 9];
    if (protocol == PROTOCOL_ICMP)
    {
        return InternetChecksum(packet + header, size); // no pseudo header
    }
    uint32_t pseudo = static_cast<uint32_t>(size) + protocol;
    pseudo = v6 ? SumWords(packet + 8, 32, pseudo) : SumWords(packet + 12, 8, pseudo);
    return InternetChecksum(packet + header, size, pseudo);
}

void
FillTransportChecksum(uint8_t* packet, std::size_t bytes)
{
    bool v6 = IpVersion(packet) == 6;
    std::size_t header = v6 ? IPV6_HEADER : Ipv4HeaderBytes(packet);
    uint8_t protocol = packet[v6 ? 6 : 9];
    std::size_t offset = ChecksumOffset(protocol, v6);
    bool fragment = !v6 && Ipv4IsFragment(packet);
    if (offset == 0 || fragment || header + offset + 2 > bytes)
    {
        return;
    }
    uint8_t* field = packet + header + offset;
    if (field[0] == 0 && field[1] == 0)
    {
        uint16_t checksum = TransportChecksum(packet, bytes);
        if (checksum == 0 && protocol == PROTOCOL_UDP)
        {
            checksum = 0xffff; // zero means "none" (RFC 768)
        }
        field[0] = static_cast<uint8_t>(checksum >> 8);
        field[1] = static_cast<uint8_t>(checksum);
    }
}

} // namespace ns3

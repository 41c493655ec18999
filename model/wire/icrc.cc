// SPDX-License-Identifier: GPL-2.0-only
#include "icrc.h"

#include "ip-layout.h"

#include "ns3/crc32.h"

#include <vector>

namespace ns3
{

namespace
{

/// Stands for the local route header that RoCEv2 does not have.
constexpr std::size_t PREFIX_BYTES = 8;

} // namespace

uint32_t
Icrc(const uint8_t* packet, std::size_t bytes)
{
    std::vector<uint8_t> masked(PREFIX_BYTES, 0xff);
    masked.insert(masked.end(), packet, packet + bytes);
    auto mask = [&](std::size_t offset, uint8_t bits) {
        if (offset < bytes)
        {
            masked[PREFIX_BYTES + offset] |= bits;
        }
    };

    std::size_t udp = 0;
    if (bytes > 0 && IpVersion(packet) == 6)
    {
        udp = IPV6_HEADER;
        mask(0, 0x0f); // traffic class, high half
        mask(1, 0xff); // traffic class, low half, and flow label
        mask(2, 0xff);
        mask(3, 0xff);
        mask(7, 0xff); // hop limit
    }
    else if (bytes > 0)
    {
        udp = Ipv4HeaderBytes(packet);
        mask(1, 0xff); // type of service
        mask(8, 0xff); // TTL
        mask(10, 0xff);
        mask(11, 0xff); // header checksum
    }
    mask(udp + 6, 0xff); // UDP checksum
    mask(udp + 7, 0xff);
    mask(udp + UDP_HEADER + 4, 0xff); // FECN, BECN and reserved bits of the BTH

    return CRC32Calculate(masked.data(), static_cast<int>(masked.size()));
}

} // namespace ns3

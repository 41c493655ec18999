// SPDX-License-Identifier: GPL-2.0-only

// ICRC: a known vector, what it must and must not notice, and IPv6.

#include "icrc.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

std::vector<uint8_t>
FromHex(const std::string& hex)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

uint32_t
IcrcOf(const std::vector<uint8_t>& packet)
{
    return Icrc(packet.data(), packet.size());
}

/// An acknowledgement over IPv4.
const std::string IPV4_ACK = "45020030123440004011abcd0a0000010a000002"
                             "c00112b7001c0000"
                             "1140ffff00000012000000071f000001";

/// The same over IPv6, fd00::1 to fd00::2.
const std::string IPV6_ACK = "60200000001c1140"
                             "fd000000000000000000000000000001"
                             "fd000000000000000000000000000002"
                             "c00112b7001c0000"
                             "1140ffff00000012000000071f000001";

/// @return offsets at which flipping all bits of the octet leaves the ICRC as it was
std::vector<std::size_t>
IgnoredOctets(const std::vector<uint8_t>& packet)
{
    std::vector<std::size_t> ignored;
    for (std::size_t i = 0; i < packet.size(); ++i)
    {
        auto changed = packet;
        // The version and length decide the layout; only the other half of octet 0 is open.
        changed[i] ^= i == 0 ? 0x0f : 0xff;
        if (i == 0 && packet[0] >> 4 == 4)
        {
            continue;
        }
        if (IcrcOf(changed) == IcrcOf(packet))
        {
            ignored.push_back(i);
        }
    }
    return ignored;
}

} // namespace

TEST(Icrc, KnownVectors)
{
    EXPECT_EQ(IcrcOf(FromHex(IPV4_ACK)), 0x2EEA8505U);
}

TEST(Icrc, SurvivesWhatSwitchesChange)
{
    auto packet = FromHex(IPV4_ACK);
    packet[1] = 0x03; // CE
    packet[8] = 61;   // TTL
    packet[10] = 0;
    packet[11] = 1; // header checksum
    EXPECT_EQ(IcrcOf(packet), 0x2EEA8505U);
}

TEST(Icrc, NoticesEverythingElse)
{
    // Type of service, TTL, header checksum, UDP checksum, FECN and BECN.
    const std::vector<std::size_t> ipv4{1, 8, 10, 11, 26, 27, 32};
    EXPECT_EQ(IgnoredOctets(FromHex(IPV4_ACK)), ipv4);
    // Traffic class and flow label, hop limit, UDP checksum, FECN and BECN.
    const std::vector<std::size_t> ipv6{0, 1, 2, 3, 7, 46, 47, 52};
    EXPECT_EQ(IgnoredOctets(FromHex(IPV6_ACK)), ipv6);
}

TEST(Icrc, Ipv6Value)
{
    // Reference: binascii.crc32 of Python over the masked bytes.
    EXPECT_EQ(IcrcOf(FromHex(IPV6_ACK)), 0x4d10b8dcU);
}

TEST(Icrc, ShortInputIsReadAsFarAsItGoes)
{
    // Exactly sized buffers, so that a sanitizer sees a step too far.
    const auto packet = FromHex(IPV4_ACK);
    std::set<uint32_t> values;
    for (std::size_t size = 0; size <= packet.size(); ++size)
    {
        values.insert(IcrcOf({packet.begin(), packet.begin() + static_cast<long>(size)}));
    }
    EXPECT_EQ(values.size(), packet.size() + 1);
    EXPECT_EQ(Icrc(nullptr, 0), ~0xdebb20e3U); // of the eight octets alone
}

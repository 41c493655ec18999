// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_ADDRESSES_H
#define LOSSLESS_FABRIC_ADDRESSES_H

#include "fabric-topology.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The addresses of a fabric's hosts: 10.0.0.1 and up, by number of the host, for their first ports,
 * then those of all further ports, host by host; and fd00:: with the same lowest 32 bits.
 */
class FabricAddresses
{
  public:
    static constexpr uint32_t FIRST{0x0a000001};                       //!< 10.0.0.1
    static constexpr std::array<uint32_t, 3> PREFIX{0xfd000000, 0, 0}; //!< fd00::/96

    /// @param topology the fabric
    explicit FabricAddresses(const FabricTopology& topology);

    /// @return how many there are
    uint32_t Count() const
    {
        return m_count;
    }

    /// @param host a host @param port one of its ports @return number of the address, from 0
    uint32_t NumberOf(HostId host, uint32_t port) const
    {
        return port == 0 ? host.Value() : m_second[host.Value()] + port - 1;
    }

    /// @param number of an address @return the address
    static Ipv4Address At(uint32_t number)
    {
        return Ipv4Address(FIRST + number);
    }

    /// @param number of an address @return the IPv6 address of the same port
    static Ipv6Address Ipv6At(uint32_t number)
    {
        return Ipv6Of(At(number));
    }

    /// @param address an IPv4 address @return the IPv6 address with the same lowest 32 bits
    static Ipv6Address Ipv6Of(Ipv4Address address);

  private:
    std::vector<uint32_t> m_second; //!< by host: number of its second port's address
    uint32_t m_count;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_ADDRESSES_H

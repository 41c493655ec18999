// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_SITES_H
#define LOSSLESS_HOST_SITES_H

#include "ns3/fabric-frame.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The switch that each host address of a fabric lies behind, as a number: the site of the address.
 * All switches of a fabric share one such object, and the ForwardingTable of each has a route to a
 * site, not to an address: 27,648 hosts of a fat-tree have 1,152 sites.
 *
 * The addresses follow each other. A host has an IPv6 address, too, whose lowest 32 bits are those
 * of its IPv4 address.
 */
class HostSites
{
  public:
    /// Number of a site; 0 is none.
    using Site = uint16_t;

    /// @param first lowest IPv4 address @param prefix upper 96 bits of all IPv6 addresses, most
    /// significant first @param sites by address - first
    HostSites(uint32_t first, const std::array<uint32_t, 3>& prefix, std::vector<Site> sites)
        : m_first(first),
          m_prefix(prefix),
          m_sites(std::move(sites))
    {
        for (const Site site : m_sites)
        {
            m_nSites = std::max<uint32_t>(m_nSites, site);
        }
    }

    /// @param frame a frame @return the site of its destination, or 0
    Site Find(const Frame& frame) const
    {
        const bool isOurs = frame.ipVersion == 4 || frame.dstHigh == m_prefix;
        return isOurs ? Find(frame.dst) : 0;
    }

    /// @param address an IPv4 address @return whether it is one of a host
    bool Covers(uint32_t address) const
    {
        return address - m_first < m_sites.size();
    }

    /// @param address an IPv4 address @return its site, or 0
    Site Find(uint32_t address) const
    {
        return Covers(address) ? m_sites[address - m_first] : 0;
    }

    /// @return number of sites: the highest of their numbers
    uint32_t GetNSites() const
    {
        return m_nSites;
    }

    /// @return lowest IPv4 address
    uint32_t GetFirst() const
    {
        return m_first;
    }

    /// @return upper 96 bits of all IPv6 addresses, most significant first
    const std::array<uint32_t, 3>& GetPrefix() const
    {
        return m_prefix;
    }

    /// @return sites by address - first
    const std::vector<Site>& GetSites() const
    {
        return m_sites;
    }

  private:
    uint32_t m_first;
    std::array<uint32_t, 3> m_prefix;
    std::vector<Site> m_sites;
    uint32_t m_nSites{0};
};

} // namespace ns3

#endif // LOSSLESS_HOST_SITES_H

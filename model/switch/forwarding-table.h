// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FORWARDING_TABLE_H
#define LOSSLESS_FORWARDING_TABLE_H

#include "host-sites.h"
#include "next-hop-group.h"

#include "ns3/fabric-frame.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Destination address to next-hop group. Many destinations share a group (all hosts behind one
 * switch), so an entry is a 16-bit group number.
 *
 * The hosts of a fabric are looked up in two steps: the site of the address in HostSites, which all
 * switches share, then the group of the site. A route to one address goes before that. IPv4
 * addresses that lie close together are looked up in one array that is indexed by the address,
 * other IPv4 addresses and IPv6 addresses in sorted arrays.
 */
class ForwardingTable
{
  public:
    /// Number of a group; 0 is no group.
    using GroupId = uint16_t;

    ForwardingTable();

    /**
     * @param ports members in the order that the load balancer sees; symmetric paths need the same
     * order of neighbours at every switch. At least one, else std::invalid_argument.
     * @return number of the group; equal for equal members
     */
    GroupId AddGroup(const std::vector<uint16_t>& ports);

    /// @param group number of a group @return the group
    const NextHopGroup& GetGroup(GroupId group) const
    {
        return m_groups[group];
    }

    /// @return where the hosts of the fabric are; null: there are no routes to all of them
    std::shared_ptr<const HostSites> GetSites() const
    {
        return m_sites;
    }

    /// @return number of groups: they are 1 and so on
    GroupId GetNGroups() const
    {
        return static_cast<GroupId>(m_groups.size() - 1);
    }

    /// @return whether some group has several members, so that the switch needs its load balancer
    bool HasChoice() const;

    /// Set or replace the members of a group, for all its destinations at once.
    /// @param group number of a group @param ports its new members, in order
    void ReplaceGroup(GroupId group, const std::vector<uint16_t>& ports);

    /**
     * Set or replace the routes to all hosts of a fabric; routes that were set for single ones of
     * them are forgotten. std::invalid_argument if the groups do not fit.
     * @param sites where the hosts are
     * @param groups by number of a site, the first being that of no site; 0: no route
     */
    void SetSiteRoutes(std::shared_ptr<const HostSites> sites, const std::vector<GroupId>& groups);

    /// Set or replace a route. @param destination host address @param group its group
    void SetRoute(Ipv4Address destination, GroupId group);
    /// Set or replace a route. @param destination host address @param group its group
    void SetRoute(const Ipv6Address& destination, GroupId group);

    /// Remove a route. @param destination host address @return whether there was one
    bool RemoveRoute(Ipv4Address destination);
    /// Remove a route. @param destination host address @return whether there was one
    bool RemoveRoute(const Ipv6Address& destination);

    /**
     * The link of a port failed or came back: the port leaves or rejoins its groups. The other
     * members keep their order, so that flows are rehashed modulo the new number of members.
     * @param port index of the port
     * @param up the new state
     */
    void SetPortUp(uint16_t port, bool up);

    /// Whether frames name ports (LoadBalancer::NamesPorts()): no group has a `sole` member then.
    /// @param named whether they do
    void SetNamed(bool named);

    /// @param frame a frame @return the group of its destination, or null
    const NextHopGroup* Find(const Frame& frame) const
    {
        const bool isIpv4 = frame.ipVersion == 4;
        const uint32_t offset = frame.dst - m_base;
        GroupId group = 0;
        if (isIpv4 && offset < m_dense.size())
        {
            group = m_dense[offset];
        }
        if (group == 0)
        {
            group = (isIpv4 ? m_hasSparse : m_hasWide) ? FindSorted(frame) : FindSite(frame);
        }
        return group != 0 && group != NO_WAY ? &m_groups[group] : nullptr;
    }

    /// @return number of routes, to one address each
    uint32_t GetNRoutes() const;

    /// @return bytes of memory held by this table alone
    uint64_t GetMemory() const;

  private:
    /// A route to an address outside the dense range.
    struct Sparse
    {
        uint32_t address;
        GroupId group;
    };

    /// A route to an IPv6 address.
    struct Wide
    {
        std::array<uint32_t, 4> address;
        GroupId group;
    };

    /// A group that hides the route to the site of an address.
    static constexpr GroupId NO_WAY{0xffff};

    /// @param frame a frame @return group of the site of its destination, or 0
    GroupId FindSite(const Frame& frame) const
    {
        return m_sites ? m_groupOfSite[m_sites->Find(frame)] : 0;
    }

    /// Look up a destination outside the dense range.
    GroupId FindSorted(const Frame& frame) const;
    /// @param address an IPv4 address @return its own group, 0 if it has none
    GroupId FindOwn(uint32_t address) const;
    /// @param address an IPv6 address @return its own group, 0 if it has none
    GroupId FindOwn(const std::array<uint32_t, 4>& address) const;
    /// @param address an IPv4 address @return group of its site, or 0
    GroupId FindSite(uint32_t address) const;
    /// @param address an IPv6 address @return group of its site, or 0
    GroupId FindSite(const std::array<uint32_t, 4>& address) const;
    /// Set or replace an own route. @param address an IPv4 address @param group its group
    void Store(uint32_t address, GroupId group);
    /// Set or replace an own route. @param address an IPv6 address @param group its group
    void Store(const std::array<uint32_t, 4>& address, GroupId group);
    /// Forget an own route. @param address an IPv4 address
    void Forget(uint32_t address);
    /// Forget an own route. @param address an IPv6 address
    void Forget(const std::array<uint32_t, 4>& address);
    /// Remove a route. @param address an address @return whether there was one
    template <typename Address>
    bool Remove(const Address& address);
    /// Extend the dense range to an address if the memory is worth it. @return whether it was
    /// extended
    bool MakeDense(uint32_t address);
    /// Set the dense range, and move sparse routes into it. @param base lowest address @param size
    /// number of addresses
    void SetDenseRange(uint32_t base, uint32_t size);
    /// Throws std::invalid_argument unless the group exists.
    void CheckGroup(GroupId group) const;
    /// @param ports members @param group number of a group @return where m_inOrder has, or would
    /// have, a group of these members and this number
    std::vector<GroupId>::iterator FindPlace(const std::vector<uint16_t>& ports, GroupId group);
    /// Fill in the live members of a group.
    void Refresh(NextHopGroup& group) const;

    // What Find() reads of an IPv4 destination is one cache line.
    uint32_t m_base{0};                       //!< lowest address of the dense range
    bool m_hasSparse{false};                  //!< m_sparse is not empty
    bool m_hasWide{false};                    //!< m_wide is not empty
    std::vector<GroupId> m_dense;             //!< by address - m_base
    std::shared_ptr<const HostSites> m_sites; //!< SetSiteRoutes()
    std::unique_ptr<GroupId[]> m_groupOfSite; //!< by site
    std::vector<NextHopGroup> m_groups;

    std::vector<Sparse> m_sparse;   //!< sorted by address
    std::vector<Wide> m_wide;       //!< sorted by address
    std::vector<bool> m_down;       //!< by port: link is down
    bool m_isNamed{false};          //!< SetNamed()
    std::vector<GroupId> m_inOrder; //!< all groups but 0, sorted by members, then by number
    uint32_t m_nDense{0};           //!< entries of m_dense in use
};

} // namespace ns3

#endif // LOSSLESS_FORWARDING_TABLE_H

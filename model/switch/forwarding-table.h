// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FORWARDING_TABLE_H
#define LOSSLESS_FORWARDING_TABLE_H

#include "ns3/fabric-frame.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The ports that lead to a destination, in the order that the caller gives.
struct NextHopGroup
{
    static constexpr uint16_t NONE = 0xffff; //!< no port

    uint16_t sole{NONE};         //!< the member that is up, if exactly one is; else NONE
    std::vector<uint16_t> ports; //!< members whose link is up, in order
    std::vector<uint16_t> all;   //!< all members, in order
};

/**
 * @ingroup lossless
 *
 * Destination address to next-hop group. Many destinations share a group (all hosts behind one
 * switch), so an entry is a 16-bit group number.
 *
 * IPv4 addresses that lie close together, as those of a fabric do, are looked up in one array that
 * is indexed by the address. Other IPv4 addresses and IPv6 addresses are looked up in sorted
 * arrays.
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

    /// @return whether some group has several members, so that the switch needs its load balancer
    bool HasChoice() const;

    /// Set or replace the members of a group, for all its destinations at once.
    /// @param group number of a group @param ports its new members, in order
    void ReplaceGroup(GroupId group, const std::vector<uint16_t>& ports);

    /// Make room for a range of IPv4 addresses. @param first lowest address @param count number of
    /// addresses
    void Reserve(Ipv4Address first, uint32_t count);

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

    /// @param frame a frame @return the group of its destination, or null
    const NextHopGroup* Find(const Frame& frame) const
    {
        const uint32_t offset = frame.dst - m_base;
        GroupId group = 0;
        if (frame.ipVersion == 4 && offset < m_dense.size())
        {
            group = m_dense[offset];
        }
        else
        {
            group = FindSorted(frame);
        }
        return group ? &m_groups[group] : nullptr;
    }

    /// @return number of routes
    uint32_t GetNRoutes() const
    {
        return m_routes;
    }

    /// @return bytes of memory held
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

    /// Look up a destination outside the dense range.
    GroupId FindSorted(const Frame& frame) const;
    /// Extend the dense range to an address if the memory is worth it. @return whether it was
    /// extended
    bool MakeDense(uint32_t address);
    /// Set the dense range, and move sparse routes into it. @param base lowest address @param size
    /// number of addresses
    void SetDenseRange(uint32_t base, uint32_t size);
    /// Throws std::invalid_argument unless the group exists.
    void CheckGroup(GroupId group) const;
    /// Fill in the live members of a group.
    void Refresh(NextHopGroup& group) const;

    uint32_t m_base{0};           //!< lowest address of the dense range
    std::vector<GroupId> m_dense; //!< by address - m_base
    std::vector<NextHopGroup> m_groups;
    std::vector<Sparse> m_sparse; //!< sorted by address
    std::vector<Wide> m_wide;     //!< sorted by address
    std::vector<bool> m_down;     //!< by port: link is down
    uint32_t m_routes{0};
};

} // namespace ns3

#endif // LOSSLESS_FORWARDING_TABLE_H

// SPDX-License-Identifier: GPL-2.0-only
#include "forwarding-table.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ForwardingTable");

namespace
{

/// @return the address as four words, most significant first
std::array<uint32_t, 4>
Words(const Ipv6Address& address)
{
    uint8_t bytes[16];
    address.GetBytes(bytes);
    std::array<uint32_t, 4> words{};
    for (uint32_t i = 0; i < 16; ++i)
    {
        words[i / 4] = words[i / 4] << 8 | bytes[i];
    }
    return words;
}

/**
 * Entries of a sorted array, by address.
 * @return the first that is not below the address
 */
template <typename Entries, typename Address>
auto
LowerBound(Entries& entries, const Address& address)
{
    return std::lower_bound(entries.begin(),
                            entries.end(),
                            address,
                            [](const auto& entry, const Address& a) { return entry.address < a; });
}

/// @return the group of an address in a sorted array, 0 if it is not there
template <typename Entries, typename Address>
uint16_t
Lookup(const Entries& entries, const Address& address)
{
    const auto entry = LowerBound(entries, address);
    return entry != entries.end() && entry->address == address ? entry->group : 0;
}

/// Set or replace an entry of a sorted array. @return whether it is new
template <typename Entries, typename Address>
bool
Insert(Entries& entries, const Address& address, uint16_t group)
{
    const auto entry = LowerBound(entries, address);
    if (entry != entries.end() && entry->address == address)
    {
        entry->group = group;
        return false;
    }
    entries.insert(entry, {address, group});
    return true;
}

/// Remove an entry of a sorted array. @return whether it was there
template <typename Entries, typename Address>
bool
Erase(Entries& entries, const Address& address)
{
    const auto entry = LowerBound(entries, address);
    if (entry == entries.end() || entry->address != address)
    {
        return false;
    }
    entries.erase(entry);
    return true;
}

} // namespace

ForwardingTable::ForwardingTable()
    : m_groups(1)
{
}

ForwardingTable::GroupId
ForwardingTable::AddGroup(const std::vector<uint16_t>& ports)
{
    if (ports.empty())
    {
        throw std::invalid_argument("ForwardingTable: a next-hop group needs at least one port");
    }
    for (uint32_t id = 1; id < m_groups.size(); ++id)
    {
        if (m_groups[id].all == ports)
        {
            return id;
        }
    }
    if (m_groups.size() > std::numeric_limits<GroupId>::max())
    {
        throw std::invalid_argument(
            "ForwardingTable: there are 65535 next-hop groups already, the most possible");
    }
    m_groups.emplace_back();
    m_groups.back().all = ports;
    Refresh(m_groups.back());
    return m_groups.size() - 1;
}

bool
ForwardingTable::HasChoice() const
{
    return std::any_of(m_groups.begin(), m_groups.end(), [](const NextHopGroup& group) {
        return group.all.size() > 1;
    });
}

void
ForwardingTable::ReplaceGroup(GroupId group, const std::vector<uint16_t>& ports)
{
    if (group == 0 || group >= m_groups.size() || ports.empty())
    {
        throw std::invalid_argument("ForwardingTable: group " + std::to_string(group) + " with " +
                                    std::to_string(ports.size()) +
                                    " ports: need an existing group and at least one port");
    }
    m_groups[group].all = ports;
    Refresh(m_groups[group]);
}

void
ForwardingTable::Refresh(NextHopGroup& group) const
{
    group.ports.clear();
    for (auto port : group.all)
    {
        if (port >= m_down.size() || !m_down[port])
        {
            group.ports.push_back(port);
        }
    }
    group.sole = group.ports.size() == 1 ? group.ports[0] : NextHopGroup::NONE;
}

void
ForwardingTable::SetPortUp(uint16_t port, bool up)
{
    NS_LOG_FUNCTION(this << port << up);
    if (port >= m_down.size())
    {
        m_down.resize(port + 1);
    }
    m_down[port] = !up;
    for (auto& group : m_groups)
    {
        if (std::find(group.all.begin(), group.all.end(), port) != group.all.end())
        {
            Refresh(group);
        }
    }
}

void
ForwardingTable::Reserve(Ipv4Address first, uint32_t count)
{
    const uint64_t begin = first.Get();
    const uint64_t oldEnd = uint64_t{m_base} + m_dense.size();
    const uint64_t low = m_dense.empty() ? begin : std::min<uint64_t>(begin, m_base);
    const uint64_t high = m_dense.empty() ? begin + count : std::max(begin + count, oldEnd);
    SetDenseRange(low, high - low);
}

bool
ForwardingTable::MakeDense(uint32_t address)
{
    if (m_dense.empty())
    {
        SetDenseRange(address, 1);
        return true;
    }
    const uint64_t low = std::min(address, m_base);
    const uint64_t high =
        std::max<uint64_t>(uint64_t{address} + 1, uint64_t{m_base} + m_dense.size());
    // Worth up to 128 bytes a route, and small tables always.
    if (high - low > 4096 + uint64_t{64} * m_routes)
    {
        return false;
    }
    SetDenseRange(low, high - low);
    return true;
}

void
ForwardingTable::SetDenseRange(uint32_t base, uint32_t size)
{
    if (base == m_base)
    {
        m_dense.resize(size); // the usual way to grow: addresses are given out in ascending order
    }
    else
    {
        std::vector<GroupId> dense(size);
        std::copy(m_dense.begin(),
                  m_dense.end(),
                  dense.begin() + (m_dense.empty() ? 0 : m_base - base));
        m_dense = std::move(dense);
        m_base = base;
    }
    const auto inside = [this](const Sparse& entry) {
        return entry.address - m_base < m_dense.size();
    };
    for (const auto& entry : m_sparse)
    {
        if (inside(entry))
        {
            m_dense[entry.address - m_base] = entry.group;
        }
    }
    m_sparse.erase(std::remove_if(m_sparse.begin(), m_sparse.end(), inside), m_sparse.end());
}

void
ForwardingTable::SetRoute(Ipv4Address destination, GroupId group)
{
    CheckGroup(group);
    const uint32_t address = destination.Get();
    if (address - m_base < m_dense.size() || MakeDense(address))
    {
        GroupId& entry = m_dense[address - m_base];
        m_routes += entry == 0;
        entry = group;
    }
    else
    {
        m_routes += Insert(m_sparse, address, group);
    }
}

void
ForwardingTable::SetRoute(const Ipv6Address& destination, GroupId group)
{
    CheckGroup(group);
    m_routes += Insert(m_wide, Words(destination), group);
}

bool
ForwardingTable::RemoveRoute(Ipv4Address destination)
{
    const uint32_t address = destination.Get();
    bool found = false;
    if (address - m_base < m_dense.size())
    {
        found = m_dense[address - m_base] != 0;
        m_dense[address - m_base] = 0;
    }
    else
    {
        found = Erase(m_sparse, address);
    }
    m_routes -= found;
    return found;
}

bool
ForwardingTable::RemoveRoute(const Ipv6Address& destination)
{
    const bool found = Erase(m_wide, Words(destination));
    m_routes -= found;
    return found;
}

void
ForwardingTable::CheckGroup(GroupId group) const
{
    if (group == 0 || group >= m_groups.size())
    {
        throw std::invalid_argument("ForwardingTable: there is no next-hop group " +
                                    std::to_string(group) + "; add it first");
    }
}

ForwardingTable::GroupId
ForwardingTable::FindSorted(const Frame& frame) const
{
    if (frame.ipVersion == 4)
    {
        return Lookup(m_sparse, frame.dst);
    }
    const std::array<uint32_t, 4> address{frame.dstHigh[0],
                                          frame.dstHigh[1],
                                          frame.dstHigh[2],
                                          frame.dst};
    return Lookup(m_wide, address);
}

uint64_t
ForwardingTable::GetMemory() const
{
    uint64_t bytes = m_dense.capacity() * sizeof(GroupId) + m_sparse.capacity() * sizeof(Sparse) +
                     m_wide.capacity() * sizeof(Wide) + m_groups.capacity() * sizeof(NextHopGroup);
    for (const auto& group : m_groups)
    {
        bytes += (group.ports.capacity() + group.all.capacity()) * sizeof(uint16_t);
    }
    return bytes;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "forwarding-table.h"

#include "ns3/log.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

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

/// Set or replace an entry of a sorted array.
template <typename Entries, typename Address>
void
Insert(Entries& entries, const Address& address, uint16_t group)
{
    const auto entry = LowerBound(entries, address);
    if (entry != entries.end() && entry->address == address)
    {
        entry->group = group;
        return;
    }
    entries.insert(entry, {address, group});
}

/// Remove an entry of a sorted array, if it is there.
template <typename Entries, typename Address>
void
Erase(Entries& entries, const Address& address)
{
    const auto entry = LowerBound(entries, address);
    if (entry != entries.end() && entry->address == address)
    {
        entries.erase(entry);
    }
}

/// @return whether a host of the sites has an IPv4 address
bool
Covers(const HostSites& sites, uint32_t address)
{
    return sites.Covers(address);
}

/// @return whether a host of the sites has an IPv6 address
bool
Covers(const HostSites& sites, const std::array<uint32_t, 4>& address)
{
    const auto& prefix = sites.GetPrefix();
    return std::equal(prefix.begin(), prefix.end(), address.begin()) && sites.Covers(address[3]);
}

/// Remove the entries of a sorted array that are of hosts of the sites.
template <typename Entries>
void
EraseOf(Entries& entries, const HostSites& sites)
{
    const auto isOfThem = [&sites](const auto& entry) { return Covers(sites, entry.address); };
    entries.erase(std::remove_if(entries.begin(), entries.end(), isOfThem), entries.end());
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
    const auto place = FindPlace(ports, 0);
    if (place != m_inOrder.end() && m_groups[*place].all == ports)
    {
        return *place;
    }
    if (m_groups.size() == NO_WAY)
    {
        throw std::invalid_argument(
            "ForwardingTable: there are 65534 next-hop groups already, the most possible");
    }
    const auto group = static_cast<GroupId>(m_groups.size());
    m_inOrder.insert(place, group);
    m_groups.emplace_back();
    m_groups.back().number = group;
    m_groups.back().all = ports;
    Refresh(m_groups.back());
    return group;
}

std::vector<ForwardingTable::GroupId>::iterator
ForwardingTable::FindPlace(const std::vector<uint16_t>& ports, GroupId group)
{
    return std::lower_bound(m_inOrder.begin(),
                            m_inOrder.end(),
                            group,
                            [this, &ports](GroupId a, GroupId b) {
                                return std::tie(m_groups[a].all, a) < std::tie(ports, b);
                            });
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
    m_inOrder.erase(FindPlace(m_groups[group].all, group));
    m_groups[group].all = ports;
    m_inOrder.insert(FindPlace(ports, group), group);
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
    const bool isSole = group.ports.size() == 1 && !m_isNamed;
    group.sole = isSole ? group.ports[0] : NextHopGroup::NONE;
}

void
ForwardingTable::SetNamed(bool named)
{
    if (named != m_isNamed)
    {
        m_isNamed = named;
        std::for_each(m_groups.begin(), m_groups.end(), [this](auto& group) { Refresh(group); });
    }
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
    if (high - low > 4096 + uint64_t{64} * (m_nDense + m_sparse.size()))
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
            ++m_nDense;
        }
    }
    m_sparse.erase(std::remove_if(m_sparse.begin(), m_sparse.end(), inside), m_sparse.end());
    m_hasSparse = !m_sparse.empty();
}

// ---- routes to one address

ForwardingTable::GroupId
ForwardingTable::FindOwn(uint32_t address) const
{
    const uint32_t offset = address - m_base;
    return offset < m_dense.size() ? m_dense[offset] : Lookup(m_sparse, address);
}

ForwardingTable::GroupId
ForwardingTable::FindOwn(const std::array<uint32_t, 4>& address) const
{
    return Lookup(m_wide, address);
}

void
ForwardingTable::Store(uint32_t address, GroupId group)
{
    if (address - m_base < m_dense.size() || MakeDense(address))
    {
        GroupId& entry = m_dense[address - m_base];
        m_nDense += entry == 0;
        entry = group;
        return;
    }
    Insert(m_sparse, address, group);
    m_hasSparse = true;
}

void
ForwardingTable::Store(const std::array<uint32_t, 4>& address, GroupId group)
{
    Insert(m_wide, address, group);
    m_hasWide = true;
}

void
ForwardingTable::Forget(uint32_t address)
{
    const uint32_t offset = address - m_base;
    if (offset < m_dense.size())
    {
        m_nDense -= m_dense[offset] != 0;
        m_dense[offset] = 0;
        return;
    }
    Erase(m_sparse, address);
    m_hasSparse = !m_sparse.empty();
}

void
ForwardingTable::Forget(const std::array<uint32_t, 4>& address)
{
    Erase(m_wide, address);
    m_hasWide = !m_wide.empty();
}

void
ForwardingTable::SetRoute(Ipv4Address destination, GroupId group)
{
    CheckGroup(group);
    Store(destination.Get(), group);
}

void
ForwardingTable::SetRoute(const Ipv6Address& destination, GroupId group)
{
    CheckGroup(group);
    Store(Words(destination), group);
}

template <typename Address>
bool
ForwardingTable::Remove(const Address& address)
{
    const GroupId own = FindOwn(address);
    const bool isHidden = FindSite(address) != 0;
    if (isHidden)
    {
        Store(address, NO_WAY);
    }
    else
    {
        Forget(address);
    }
    return own == 0 ? isHidden : own != NO_WAY;
}

bool
ForwardingTable::RemoveRoute(Ipv4Address destination)
{
    return Remove(destination.Get());
}

bool
ForwardingTable::RemoveRoute(const Ipv6Address& destination)
{
    return Remove(Words(destination));
}

ForwardingTable::GroupId
ForwardingTable::FindSorted(const Frame& frame) const
{
    const GroupId own =
        frame.ipVersion == 4
            ? Lookup(m_sparse, frame.dst)
            : Lookup(m_wide,
                     std::array{frame.dstHigh[0], frame.dstHigh[1], frame.dstHigh[2], frame.dst});
    return own == 0 ? FindSite(frame) : own;
}

// ---- routes to sites

ForwardingTable::GroupId
ForwardingTable::FindSite(uint32_t address) const
{
    return m_sites ? m_groupOfSite[m_sites->Find(address)] : 0;
}

ForwardingTable::GroupId
ForwardingTable::FindSite(const std::array<uint32_t, 4>& address) const
{
    return m_sites && Covers(*m_sites, address) ? FindSite(address[3]) : 0;
}

void
ForwardingTable::SetSiteRoutes(std::shared_ptr<const HostSites> sites,
                               const std::vector<GroupId>& groups)
{
    NS_LOG_FUNCTION(this << groups.size());
    if (groups.size() != sites->GetNSites() + 1 || groups[0] != 0)
    {
        throw std::invalid_argument("ForwardingTable: " + std::to_string(groups.size()) +
                                    " groups for " + std::to_string(sites->GetNSites()) +
                                    " sites: need one for each site, after that of no site, 0");
    }
    for (const GroupId group : groups)
    {
        if (group != 0)
        {
            CheckGroup(group);
        }
    }
    for (uint32_t i = 0; i < m_dense.size(); ++i)
    {
        if (sites->Covers(m_base + i))
        {
            Forget(m_base + i);
        }
    }
    EraseOf(m_sparse, *sites);
    EraseOf(m_wide, *sites);
    m_hasSparse = !m_sparse.empty();
    m_hasWide = !m_wide.empty();
    m_groupOfSite = std::make_unique<GroupId[]>(groups.size());
    std::copy(groups.begin(), groups.end(), m_groupOfSite.get());
    m_sites = std::move(sites);
}

uint32_t
ForwardingTable::GetNRoutes() const
{
    const auto isWay = [](const auto& route) { return route.group != NO_WAY; };
    uint32_t count = std::count_if(m_sparse.begin(), m_sparse.end(), isWay) +
                     std::count_if(m_wide.begin(), m_wide.end(), isWay);
    for (const GroupId group : m_dense)
    {
        count += group != 0 && group != NO_WAY;
    }
    if (!m_sites)
    {
        return count;
    }
    const auto& prefix = m_sites->GetPrefix();
    for (uint32_t i = 0; i < m_sites->GetSites().size(); ++i)
    {
        const uint32_t address = m_sites->GetFirst() + i;
        if (FindSite(address) != 0)
        {
            count += FindOwn(address) == 0;
            count += FindOwn(std::array{prefix[0], prefix[1], prefix[2], address}) == 0;
        }
    }
    return count;
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

uint64_t
ForwardingTable::GetMemory() const
{
    uint64_t bytes = m_dense.capacity() * sizeof(GroupId) + m_sparse.capacity() * sizeof(Sparse) +
                     m_wide.capacity() * sizeof(Wide) + m_groups.capacity() * sizeof(NextHopGroup) +
                     m_inOrder.capacity() * sizeof(GroupId) +
                     (m_sites ? m_sites->GetNSites() + 1 : 0) * sizeof(GroupId);
    for (const auto& group : m_groups)
    {
        bytes += (group.ports.capacity() + group.all.capacity()) * sizeof(uint16_t);
    }
    return bytes;
}

} // namespace ns3

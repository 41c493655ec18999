// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-paths.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/// @param one,other two IPv6 addresses @return whether the first is lower
bool
IsLower(const RdmaAddress& one, const RdmaAddress& other)
{
    return std::tie(one.high, one.low) < std::tie(other.high, other.low);
}

} // namespace

MrcPaths::MrcPaths(std::vector<uint32_t> ways)
    : m_ways(std::move(ways))
{
    uint32_t first = 0;
    for (const uint32_t count : m_ways)
    {
        uint32_t bits = 0;
        while (uint64_t{1} << bits < count)
        {
            ++bits;
        }
        m_fields.push_back({first, bits});
        first += bits;
        m_count *= count;
        if (first > EV_BITS || count == 0)
        {
            throw std::invalid_argument("MrcPaths: " + std::to_string(count) +
                                        " ways up from a tier; there must be some, and an entropy "
                                        "value has 32 bits for the numbers of all tiers");
        }
    }
}

uint32_t
MrcPaths::GetStev(uint64_t number) const
{
    uint32_t value = 0;
    for (std::size_t tier = m_ways.size(); tier-- > 0;)
    {
        const uint32_t end = m_fields[tier].first + m_fields[tier].bits;
        // A field of no bits has the number 0, and may end where no bit is left to shift by.
        value |= static_cast<uint32_t>((number % m_ways[tier]) << (EV_BITS - end));
        number /= m_ways[tier];
    }
    return value;
}

void
MrcPaths::SetSrv6(uint32_t locator, std::vector<Srv6Port> ports)
{
    m_locator = locator;
    m_ports = std::move(ports);
    std::sort(m_ports.begin(), m_ports.end(), [](const Srv6Port& one, const Srv6Port& other) {
        return IsLower(one.address, other.address);
    });
}

const Srv6Port*
MrcPaths::FindPort(const RdmaAddress& address) const
{
    const auto found = std::lower_bound(m_ports.begin(),
                                        m_ports.end(),
                                        address,
                                        [](const Srv6Port& port, const RdmaAddress& wanted) {
                                            return IsLower(port.address, wanted);
                                        });
    return found != m_ports.end() && found->address == address ? &*found : nullptr;
}

std::optional<Srv6Way>
MrcPaths::FindWay(const RdmaAddress& from, const RdmaAddress& to) const
{
    constexpr uint32_t PLANE_SHIFT = 12; // in a uSID
    const Srv6Port* const source = FindPort(from);
    const Srv6Port* const destination = FindPort(to);
    if (!source || !destination || source->leaf >> PLANE_SHIFT != destination->leaf >> PLANE_SHIFT)
    {
        return std::nullopt;
    }
    const uint32_t leaf = uint32_t{source->leaf} << 16;
    if (source->leaf == destination->leaf)
    {
        return Srv6Way{{m_locator, leaf | destination->host, 0, 0}, 0};
    }
    const uint16_t spine = MicroSid(source->leaf >> PLANE_SHIFT, Srv6Role::SPINE, 0);
    return Srv6Way{
        {m_locator, leaf | spine, uint32_t{destination->leaf} << 16 | destination->host, 0},
        SRV6_NUMBERS - 1};
}

} // namespace ns3

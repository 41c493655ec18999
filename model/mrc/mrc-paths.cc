// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-paths.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

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

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-ev-fields.h"

#include <bitset>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

MrcEvFields::MrcEvFields(std::vector<MrcEvField> fields)
    : m_fields(std::move(fields))
{
    uint64_t all = 0;
    for (MrcEvField& field : m_fields)
    {
        field.room = field.room ? field.room : field.width;
        all += field.room;
        m_bits += std::bitset<EV_BITS>(field.mask).count();
        if (field.width > field.room || field.width > EV_BITS ||
            (uint64_t{field.init} | field.mask) >> field.width)
        {
            throw std::invalid_argument("MrcEvFields: a field of " + std::to_string(field.width) +
                                        " bits; init and mask must fit into it, and it into its " +
                                        std::to_string(field.room) + " bits of the value");
        }
    }
    if (all > EV_BITS)
    {
        throw std::invalid_argument("MrcEvFields: the fields have " + std::to_string(all) +
                                    " bits; an entropy value has 32");
    }
}

uint32_t
MrcEvFields::Expand(uint32_t number) const
{
    uint32_t left = m_bits;
    uint64_t value = 0;
    for (const MrcEvField& field : m_fields)
    {
        uint32_t bits = field.init & ~field.mask;
        for (uint32_t i = field.width; i-- > 0;)
        {
            if (field.mask >> i & 1)
            {
                bits |= (number >> --left & 1) << i;
            }
        }
        value = value << field.room | bits;
    }
    return static_cast<uint32_t>(value);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_LIST_H
#define LOSSLESS_CLASS_LIST_H

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// @param mask of traffic classes, queues, or priorities @param separator between two of them
/// @return their numbers, such as "3, 4"
inline std::string
ClassList(uint8_t mask, const std::string& separator = ", ")
{
    std::string list;
    for (uint32_t number = 0; number < 8; ++number)
    {
        if (mask & (1U << number))
        {
            list += (list.empty() ? "" : separator) + std::to_string(number);
        }
    }
    return list;
}

} // namespace ns3

#endif // LOSSLESS_CLASS_LIST_H

// SPDX-License-Identifier: GPL-2.0-only
#include "text-columns.h"

#include <algorithm>

namespace ns3
{

void
PrintColumns(std::ostream& stream, const std::vector<std::vector<std::string>>& lines)
{
    std::vector<std::size_t> widths;
    for (const auto& cells : lines)
    {
        widths.resize(std::max(widths.size(), cells.size()));
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            widths[i] = std::max(widths[i], cells[i].size());
        }
    }
    for (const auto& cells : lines)
    {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            line += std::string(i ? 2 : 0, ' ') + std::string(widths[i] - cells[i].size(), ' ') +
                    cells[i];
        }
        stream << line << '\n';
    }
}

std::string
WithCommas(uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3; place -= 3)
    {
        text.insert(place - 3, ",");
    }
    return text;
}

} // namespace ns3

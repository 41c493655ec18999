// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEXT_COLUMNS_H
#define LOSSLESS_TEXT_COLUMNS_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Print lines of cells in columns, each as wide as its widest cell, aligned to the right.
/// @param stream where to @param lines the cells; all lines have as many
void PrintColumns(std::ostream& stream, const std::vector<std::vector<std::string>>& lines);

/// @ingroup lossless
/// @param number a number @return its digits with commas between thousands
std::string WithCommas(uint64_t number);

} // namespace ns3

#endif // LOSSLESS_TEXT_COLUMNS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FORMAT_TEXT_H
#define LOSSLESS_FORMAT_TEXT_H

#include <cstddef>
#include <cstdio>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// @param format as of printf @param values of it @return the text
template <typename... Values>
std::string
FormatText(const char* format, Values... values)
{
    const int length = std::snprintf(nullptr, 0, format, values...);
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), format, values...);
    text.pop_back();
    return text;
}

} // namespace ns3

#endif // LOSSLESS_FORMAT_TEXT_H

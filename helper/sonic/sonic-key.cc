// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-key.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

/// @return the parts of a text between separators; an empty text has one, which is empty
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1)
    {
        end = text.find(separator, begin);
        parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    }
    return parts;
}

/// @return the end of the digits of a text, from a place on
std::size_t
EndOfDigits(const std::string& text, std::size_t begin)
{
    while (begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin])))
    {
        ++begin;
    }
    return begin;
}

} // namespace

SonicKey::Range
SonicKey::ReadRange(const std::string& text, const std::string& of)
{
    const auto parts = Split(text, '-');
    if (parts.size() > 2)
    {
        throw FabricError("\"" + text + "\" is no range", "such as 3 or 3-4");
    }
    Range range;
    range.first = static_cast<uint32_t>(FabricText::ToUint(parts.front(), "a " + of, MOST));
    range.last = static_cast<uint32_t>(FabricText::ToUint(parts.back(), "a " + of, MOST));
    if (range.last < range.first)
    {
        throw FabricError("the range \"" + text + "\" ends before it begins",
                          "write " + parts.back() + "-" + parts.front());
    }
    return range;
}

SonicKey
SonicKey::Read(const std::string& text, const std::string& of)
{
    const bool hasRange = !of.empty();
    const auto parts = Split(text, '|');
    if (parts.size() != (hasRange ? 2 : 1))
    {
        throw FabricError("the key is not of the form " +
                              std::string(hasRange ? "ports|range" : "ports"),
                          hasRange ? "such as Ethernet0,Ethernet4|3-4" : "such as Ethernet0");
    }
    SonicKey key;
    key.ports = Split(parts.front(), ',');
    for (const std::string& port : key.ports)
    {
        if (port.empty())
        {
            throw FabricError("a port of the key has no name", "such as Ethernet0,Ethernet4");
        }
        if (std::count(key.ports.begin(), key.ports.end(), port) > 1)
        {
            throw FabricError("the key names " + port + " twice", "name each port once");
        }
    }
    if (hasRange)
    {
        key.range = ReadRange(parts.back(), of);
    }
    return key;
}

std::string
SonicKey::NounOf(const std::string& table)
{
    return table == "BUFFER_PG" ? "priority group" : "queue";
}

std::string
SonicKey::Write(const std::string& port, const Range& range)
{
    const std::string last = range.last == range.first ? "" : "-" + std::to_string(range.last);
    return port + "|" + std::to_string(range.first) + last;
}

bool
SonicOrder::operator()(const std::string& one, const std::string& other) const
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < one.size() && j < other.size())
    {
        const std::size_t iEnd = EndOfDigits(one, i);
        const std::size_t jEnd = EndOfDigits(other, j);
        if (iEnd == i || jEnd == j)
        {
            if (one[i] != other[j])
            {
                return one[i] < other[j];
            }
            ++i;
            ++j;
            continue;
        }
        // Numbers of any length: without leading zeros the longer one is larger.
        const std::size_t iBegin = std::min(one.find_first_not_of('0', i), iEnd - 1);
        const std::size_t jBegin = std::min(other.find_first_not_of('0', j), jEnd - 1);
        if (iEnd - iBegin != jEnd - jBegin)
        {
            return iEnd - iBegin < jEnd - jBegin;
        }
        const int order = one.compare(iBegin, iEnd - iBegin, other, jBegin, jEnd - jBegin);
        if (order != 0)
        {
            return order < 0;
        }
        i = iEnd;
        j = jEnd;
    }
    const bool isEnd = i == one.size() && j == other.size();
    return isEnd ? one < other : i == one.size(); // 07 and 7 are two names
}

} // namespace ns3

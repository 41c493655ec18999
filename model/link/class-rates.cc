// SPDX-License-Identifier: GPL-2.0-only
#include "class-rates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

constexpr double MOST_BITS = 1e18; //!< a rate below which times can be computed, bit/s

/// @param name of an attribute @param text what it was given @param right what it takes
[[noreturn]] void
Refuse(const std::string& name, const std::string& text, const std::string& right)
{
    throw std::invalid_argument(name + " \"" + text + "\" cannot be read; " + right);
}

/// Not by ns-3's DataRate, which ends the program on what it cannot read.
/// @param text unit of a rate @return its bit/s; 0: it is none
double
UnitOf(const std::string& text)
{
    static const std::map<std::string, double> units{{"bps", 1},
                                                     {"b/s", 1},
                                                     {"kbps", 1e3},
                                                     {"Kbps", 1e3},
                                                     {"Mbps", 1e6},
                                                     {"Mb/s", 1e6},
                                                     {"Gbps", 1e9},
                                                     {"Gb/s", 1e9},
                                                     {"Tbps", 1e12}};
    const auto unit = units.find(text);
    return unit == units.end() ? 0 : unit->second;
}

} // namespace

uint64_t
LineShare::Of(uint64_t line) const
{
    if (percent == 0)
    {
        return bitsPerSecond;
    }
    return std::max<uint64_t>(static_cast<uint64_t>(percent / 100 * static_cast<double>(line)), 1);
}

std::string
LineShare::Text() const
{
    std::ostringstream text;
    if (percent > 0)
    {
        text << std::setprecision(15) << percent << "%";
    }
    else if (bitsPerSecond > 0)
    {
        text << bitsPerSecond << "bps";
    }
    return text.str();
}

LineShare
LineShare::Read(const std::string& text, const std::string& name)
{
    LineShare share;
    if (text.empty())
    {
        return share;
    }
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const double unit = UnitOf(end);
    const bool isNumber = text[0] >= '0' && text[0] <= '9';
    const bool isShare = std::string(end) == "%";
    if (!isNumber ||
        !(isShare ? number > 0 && number <= 100 : number * unit >= 1 && number * unit < MOST_BITS))
    {
        Refuse(name, text, "such as 5% of the line, above 0 and at most 100, or 10Gbps");
    }
    if (isShare)
    {
        share.percent = number;
    }
    else
    {
        share.bitsPerSecond = static_cast<uint64_t>(std::llround(number * unit));
    }
    return share;
}

ClassRates
ReadClassRates(const std::string& text, const std::string& name)
{
    ClassRates rates;
    std::istringstream entries(text);
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        entry.erase(0, std::min(entry.find_first_not_of(' '), entry.size()));
        if (entry.size() < 3 || entry[0] < '0' || entry[0] > '7' || entry[1] != ':')
        {
            Refuse(name, entry, "a class from 0 to 7 and its rate, such as 6:5% or 3:10Gbps");
        }
        LineShare& rate = rates[entry[0] - '0'];
        if (rate.percent > 0 || rate.bitsPerSecond > 0)
        {
            throw std::invalid_argument(name + ": class " + entry.substr(0, 1) +
                                        " is there twice; name it once");
        }
        rate = LineShare::Read(entry.substr(2), name);
    }
    return rates;
}

std::string
WriteClassRates(const ClassRates& rates)
{
    std::string text;
    for (std::size_t cls = 0; cls < rates.size(); ++cls)
    {
        const std::string rate = rates[cls].Text();
        if (!rate.empty())
        {
            text += (text.empty() ? "" : ",") + std::to_string(cls) + ":" + rate;
        }
    }
    return text;
}

} // namespace ns3

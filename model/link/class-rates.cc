// SPDX-License-Identifier: GPL-2.0-only
#include "class-rates.h"

#include "ns3/data-rate.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/// @param name of an attribute @param text what it was given @param right what it takes
[[noreturn]] void
Refuse(const std::string& name, const std::string& text, const std::string& right)
{
    throw std::invalid_argument(name + " \"" + text + "\" cannot be read; " + right);
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
        text << percent << "%";
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
    const std::string right = "such as 5% of the line, above 0 and at most 100, or 10Gbps";
    if (text.back() == '%')
    {
        char* end = nullptr;
        share.percent = std::strtod(text.c_str(), &end);
        const bool isNumber = (text[0] >= '0' && text[0] <= '9') || text[0] == '.';
        if (!isNumber || end != text.c_str() + text.size() - 1 || !(share.percent > 0) ||
            share.percent > 100)
        {
            Refuse(name, text, right);
        }
        return share;
    }
    DataRateValue rate;
    if (!rate.DeserializeFromString(text, MakeDataRateChecker()) || rate.Get().GetBitRate() == 0)
    {
        Refuse(name, text, right);
    }
    share.bitsPerSecond = rate.Get().GetBitRate();
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

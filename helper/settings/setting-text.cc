// SPDX-License-Identifier: GPL-2.0-only

// A setting as people read it.

#include "fabric-differences.h"

#include <algorithm>
#include <cstdlib>

namespace ns3
{

namespace
{

/// @param name of a setting, "RdmaDcqcn.Gain" @return what the attribute says of itself; empty: it
/// is none of a type
std::string
HelpOf(const std::string& name)
{
    TypeId type;
    TypeId::AttributeInformation info;
    const std::size_t dot = std::min(name.find('.'), name.size() - 1);
    const bool isThere = TypeId::LookupByNameFailSafe("ns3::" + name.substr(0, dot), &type) &&
                         type.LookupAttributeByName(name.substr(dot + 1), &info);
    return isThere ? info.help : "";
}

/// @param value of a setting @param help of the attribute @return the value as people write it:
/// "4MiB" of an attribute in bytes
std::string
WithUnit(const std::string& value, const std::string& help)
{
    constexpr uint64_t KI = 1024;
    const bool isNumber = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    if (!isNumber || value.size() > 15 || help.find("ytes") == help.npos)
    {
        return value.empty() ? "empty" : value;
    }
    const uint64_t bytes = std::stoull(value);
    const bool isMega = bytes >= KI * KI && bytes % (KI * KI) == 0;
    const bool isKilo = bytes >= KI && bytes % KI == 0;
    return isMega   ? std::to_string(bytes / (KI * KI)) + "MiB"
           : isKilo ? std::to_string(bytes / KI) + "KiB"
                    : value;
}

/// @param initial the default of an attribute @param help of the attribute, with "; 0: " before
/// what 0 stands for @return what the default is: "1/256 (Paper), 5/1024 (Nic)"
std::string
MeaningOf(const std::string& initial, const std::string& help)
{
    const bool isZero = initial[0] == '0' && std::strtod(initial.c_str(), nullptr) == 0;
    const std::string key = initial[0] == '-' ? "; negative: " : "; 0: ";
    const std::size_t begin = help.find(key);
    if (begin == help.npos || !(isZero || initial[0] == '-'))
    {
        return WithUnit(initial, help);
    }
    const std::string meaning = help.substr(begin + key.size());
    return meaning.substr(0, std::min(meaning.find("; "), meaning.find(". ")));
}

} // namespace

const char*
SettingDifference::GetState() const
{
    switch (state)
    {
    case SettingState::IN_FORCE:
        return "in-force";
    case SettingState::IDLE:
        return "idle";
    case SettingState::UNUSED:
        return "unused";
    case SettingState::NOWHERE:
        return "nowhere";
    case SettingState::OVERRIDDEN:
        return "overridden";
    }
    return "";
}

std::string
SettingDifference::ToText() const
{
    const std::string help = HelpOf(name);
    return places + ": " + name + " is " + WithUnit(value, help) + ", by default " +
           MeaningOf(initial, help);
}

} // namespace ns3

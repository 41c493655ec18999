// SPDX-License-Identifier: GPL-2.0-only

// A setting as people read it.

#include "fabric-differences.h"

#include "ns3/type-id.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @param name of a setting, "SwitchMmu.BufferSize" @return whether it is a number of bytes
bool
IsOfBytes(const std::string& name)
{
    TypeId type;
    TypeId::AttributeInformation info;
    const std::size_t dot = std::min(name.find('.'), name.size() - 1);
    return TypeId::LookupByNameFailSafe("ns3::" + name.substr(0, dot), &type) &&
           type.LookupAttributeByName(name.substr(dot + 1), &info) &&
           info.help.find("ytes") != info.help.npos;
}

/// @param value of bytes @return the value as people write it: "4MiB"
std::string
WithUnit(const std::string& value)
{
    const bool isNumber = value.find_first_not_of("0123456789") == value.npos;
    const uint64_t bytes = isNumber && value.size() < 16 ? std::stoull("0" + value) : 0;
    return bytes && bytes % (1 << 20) == 0   ? std::to_string(bytes >> 20) + "MiB"
           : bytes && bytes % (1 << 10) == 0 ? std::to_string(bytes >> 10) + "KiB"
                                             : value;
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
    const auto toText = [isOfBytes = IsOfBytes(name)](const std::string& one) {
        return isOfBytes ? WithUnit(one) : one;
    };
    const std::string text =
        places + ": " + name + " is " + (value.empty() ? "empty" : toText(value));
    // A default of 0 often stands for another value, which doc/attributes.rst says.
    const bool isMeant = initial.empty() || initial == "0" || initial[0] == '-';
    return text + (isMeant ? "" : ", by default " + toText(initial));
}

} // namespace ns3

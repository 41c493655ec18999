// SPDX-License-Identifier: GPL-2.0-only

// A setting as people read it.

#include "fabric-differences.h"

namespace ns3
{

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
    const std::string text = places + ": " + name + " is " + (value.empty() ? "empty" : value);
    // A default of 0 often stands for another value, which doc/attributes.rst says.
    const bool isMeant = initial.empty() || initial[0] == '0' || initial[0] == '-';
    return text + (isMeant ? "" : ", by default " + initial);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "gathered-settings.h"

#include <algorithm>

namespace ns3
{

void
GatheredSettings::Note(const std::string& name,
                       const SettingWhere& where,
                       const std::string& initial,
                       const std::string& value,
                       const char* need,
                       SettingState state)
{
    Setting& setting = At(name, initial);
    setting.groups.insert(where.group);
    if (value != initial)
    {
        Value& all = ValueOf(setting, value);
        all.isUsed = all.isUsed || !need;
        all.need = need ? need : all.need;
        all.state = state;
        auto& names = all.names[where.group];
        if (names.empty() || names.back() != where.name) // a switch may have two watchdogs
        {
            names.push_back(where.name);
        }
    }
}

std::vector<SettingDifference>
GatheredSettings::List() const
{
    std::vector<SettingDifference> list;
    for (const Setting& setting : m_settings)
    {
        for (const Value& value : setting.values)
        {
            list.push_back({PlacesOf(setting, value),
                            setting.name,
                            setting.initial,
                            value.text,
                            value.isUsed ? SettingState::IN_FORCE : value.state,
                            value.isUsed ? "" : value.need});
        }
    }
    return list;
}

GatheredSettings::Setting&
GatheredSettings::At(const std::string& name, const std::string& initial)
{
    const auto [found, isNew] = m_index.emplace(name, m_settings.size());
    if (isNew)
    {
        m_settings.push_back({name, initial, {}, {}});
    }
    return m_settings[found->second];
}

GatheredSettings::Value&
GatheredSettings::ValueOf(Setting& setting, const std::string& text)
{
    for (Value& value : setting.values)
    {
        if (value.text == text)
        {
            return value;
        }
    }
    setting.values.push_back({text, {}});
    return setting.values.back();
}

std::string
GatheredSettings::PlacesOf(const Setting& setting, const Value& value) const
{
    constexpr std::size_t most = 3; // names of a group
    std::string text;
    std::size_t wholes = 0;
    for (const auto& [group, names] : value.names)
    {
        const bool isWhole = names.size() == m_sizes.at(group);
        wholes += isWhole;
        const std::size_t shown = isWhole ? 0 : std::min(most, names.size());
        text += isWhole ? (text.empty() ? "" : ", ") + group : "";
        for (std::size_t i = 0; i < shown; ++i)
        {
            text += (text.empty() ? "" : ", ") + names[i];
        }
        if (!isWhole && shown < names.size())
        {
            text += " and " + std::to_string(names.size() - shown) + " more of " + group;
        }
    }
    return wholes > 1 && wholes == setting.groups.size() ? "all" : text;
}

} // namespace ns3

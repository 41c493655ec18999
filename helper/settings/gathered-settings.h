// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GATHERED_SETTINGS_H
#define LOSSLESS_GATHERED_SETTINGS_H

#include "fabric-differences.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Where something is: its own name, and that of the group of all that are like it.
struct SettingWhere
{
    std::string name;  //!< "leaf 2 port 3"
    std::string group; //!< "leaf to spine"
};

/// @ingroup lossless
/// Gathers values by setting and place, and says which differ.
class GatheredSettings
{
  public:
    /// Count a place of the fabric, whether it has a setting or not. @param where it
    void AddPlace(const SettingWhere& where)
    {
        ++m_sizes[where.group];
    }

    /**
     * Note a value.
     * @param name of the setting @param where it holds @param initial its default; it is the
     * same at all places @param value what it is @param need what it needs to be read there; null:
     * it is read @param state else
     */
    void Note(const std::string& name,
              const SettingWhere& where,
              const std::string& initial,
              const std::string& value,
              const char* need = nullptr,
              SettingState state = SettingState::UNUSED);

    /// @return what differs, in the order in which settings were first noted
    std::vector<SettingDifference> List() const;

  private:
    /// A value, and the names of the places that have it, by group.
    struct Value
    {
        std::string text;
        std::map<std::string, std::vector<std::string>> names;
        bool isUsed{false};   //!< at some place
        SettingState state{}; //!< at the others
        std::string need{};   //!< what it needs at a place where it is not
    };

    /// A setting.
    struct Setting
    {
        std::string name;
        std::string initial;
        std::set<std::string> groups; //!< in which some place has it
        std::vector<Value> values;    //!< that differ
    };

    /// @return a setting, which is new if it must be
    Setting& At(const std::string& name, const std::string& initial);
    /// @return a value of a setting, which is new if it must be
    static Value& ValueOf(Setting& setting, const std::string& text);
    /// @return "all", groups that have a value as a whole, and the first of other places
    std::string PlacesOf(const Setting& setting, const Value& value) const;

    std::vector<Setting> m_settings;
    std::map<std::string, std::size_t> m_index; //!< by name
    std::map<std::string, std::size_t> m_sizes; //!< places of a fabric, by group
};

} // namespace ns3

#endif // LOSSLESS_GATHERED_SETTINGS_H

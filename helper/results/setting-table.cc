// SPDX-License-Identifier: GPL-2.0-only
#include "setting-table.h"

namespace ns3
{

SettingTable::SettingTable(const std::optional<SettingReport>& settings)
    : TableReport("settings", {GetTable()}),
      m_settings(settings)
{
}

TableSpec
SettingTable::GetTable()
{
    using C = ColumnSpec;
    return {
        "settings",
        "a setting that is not the default of its type",
        {{"places", "", "where it is, such as leaf, spine 2", C::QUOTED},
         {"name", "", "the attribute, such as SwitchMmu.Alpha", C::TEXT},
         {"default", "", "the default of the type", C::QUOTED},
         {"value", "", "what is set", C::QUOTED},
         {"state",
          "",
          "in-force; unused: nothing that has it reads it; nowhere: a default of a type of "
          "which there is no object; idle: a part that has done nothing; overridden: of places "
          "where other settings win",
          C::TEXT},
         {"need", "", "what it needs to be used", C::QUOTED},
         {"source", "", "line of a file, or script, that says it, where it is known", C::QUOTED}}};
}

void
SettingTable::Close(Time)
{
    if (!m_rows || !m_settings)
    {
        return;
    }
    for (const auto* some :
         {&m_settings->differences, &m_settings->unused, &m_settings->overridden})
    {
        for (const SettingDifference& one : *some)
        {
            m_rows->Add(one.places,
                        one.name,
                        one.initial,
                        one.value,
                        one.GetState(),
                        one.need,
                        one.source);
        }
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "switch-settings-check.h"

#include <utility>

namespace ns3
{

TypeId
SwitchSettingsCheck::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SwitchSettingsCheck").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

void
SwitchSettingsCheck::Set(Check check)
{
    m_check = std::move(check);
}

void
SwitchSettingsCheck::Require(const SwitchExtension& changed) const
{
    if (m_check)
    {
        m_check(changed);
    }
}

void
SwitchSettingsCheck::OnChange(std::function<void()> listener)
{
    m_onChange = std::move(listener);
}

void
SwitchSettingsCheck::NoteChange() const
{
    if (m_onChange)
    {
        m_onChange();
    }
}

void
SwitchSettingsCheck::DoDispose()
{
    m_check = nullptr; // it may hold what holds the switch
    m_onChange = nullptr;
    Object::DoDispose();
}

} // namespace ns3

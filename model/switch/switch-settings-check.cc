// SPDX-License-Identifier: GPL-2.0-only
#include "switch-settings-check.h"

#include <atomic>
#include <utility>

namespace ns3
{
namespace
{

std::atomic<uint64_t> g_changes{0}; //!< of attributes of extensions

} // namespace

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

uint64_t
SwitchSettingsCheck::CountChanges()
{
    return g_changes;
}

void
SwitchSettingsCheck::NoteChange()
{
    ++g_changes;
}

void
SwitchSettingsCheck::DoDispose()
{
    m_check = nullptr; // it may hold what holds the switch
    Object::DoDispose();
}

} // namespace ns3

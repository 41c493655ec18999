// SPDX-License-Identifier: GPL-2.0-only
#include "object-batch.h"

#include "buffer-values.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <stdexcept>

namespace ns3
{

void
ObjectBatch::Set(const FabricSetting& setting)
{
    const auto same = [&](const FabricSetting* other) { return other->name == setting.name; };
    m_settings.erase(std::remove_if(m_settings.begin(), m_settings.end(), same), m_settings.end());
    m_settings.push_back(&setting);
}

SwitchMmu::Configs&
ObjectBatch::GetConfigs()
{
    if (!m_configs)
    {
        m_configs = DynamicCast<SwitchMmu>(m_object)->GetConfigs();
    }
    return *m_configs;
}

WredEcnMarker::Entry&
ObjectBatch::GetQueue(uint32_t index)
{
    if (!m_queues)
    {
        m_queues = dynamic_cast<WredEcnMarker&>(*m_object).GetEntries();
    }
    if (m_queues->size() <= index)
    {
        m_queues->resize((index / TRAFFIC_CLASSES + 1) * TRAFFIC_CLASSES);
    }
    return (*m_queues)[index];
}

void
ObjectBatch::Put(const FabricOptions& options, const std::string& place)
{
    // In an order that is not the user's.
    std::sort(m_settings.begin(), m_settings.end(), [](const auto* one, const auto* other) {
        return one->name < other->name;
    });
    // One value may need another one first: a detection time below the present poll interval.
    std::deque<const FabricSetting*> left(m_settings.begin(), m_settings.end());
    for (std::size_t refused = 0; !left.empty();)
    {
        const FabricSetting& setting = *left.front();
        left.pop_front();
        try
        {
            PutAttribute(options, setting);
            refused = 0;
        }
        catch (const std::exception& error)
        {
            left.push_back(&setting);
            if (++refused == left.size())
            {
                setting.Fail(place + ": " + setting.GetFullName() + ": " + error.what());
            }
        }
    }
    if (m_configs)
    {
        SwitchMmu& mmu = dynamic_cast<SwitchMmu&>(*m_object);
        m_configsBefore = mmu.GetConfigs();
        mmu.SetConfigs(*m_configs); // which its switch follows later
    }
    if (m_queues)
    {
        auto& marker = dynamic_cast<WredEcnMarker&>(*m_object);
        m_queuesBefore = marker.GetEntries();
        marker.SetEntries(*m_queues); // likewise
    }
}

void
ObjectBatch::PutAttribute(const FabricOptions& options, const FabricSetting& setting)
{
    const TypeId type = m_object->GetInstanceTypeId();
    const Ptr<AttributeValue> value = options.Check(type, setting.name, *setting.value);
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(setting.name, &info);
    const Ptr<AttributeValue> before = info.checker->Create();
    m_object->GetAttribute(setting.name, *before);
    if (!m_object->SetAttributeFailSafe(setting.name, *value))
    {
        throw FabricError("it cannot be set on an object", "it can be read");
    }
    m_valuesBefore.emplace_back(setting.name, before);
}

void
ObjectBatch::Restore() const
{
    for (auto value = m_valuesBefore.rbegin(); value != m_valuesBefore.rend(); ++value)
    {
        m_object->SetAttributeFailSafe(value->first, *value->second);
    }
    if (m_configsBefore)
    {
        dynamic_cast<SwitchMmu&>(*m_object).SetConfigs(*m_configsBefore);
    }
    if (m_queuesBefore)
    {
        dynamic_cast<WredEcnMarker&>(*m_object).SetEntries(*m_queuesBefore);
    }
}

} // namespace ns3

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

namespace
{

/// @param marker a marker @param queue one of its queues @param mine a curve @param own which
/// values of that hold @return it, with the marker's other values
WredEcnMarker::Curve
CurveOf(const WredEcnMarker& marker,
        const ObjectBatch::Queue& queue,
        const WredEcnMarker::Curve& mine,
        uint8_t own)
{
    WredEcnMarker::Curve curve = marker.GetCurveOf(queue.bitsPerSecond);
    curve.kmin = own & WredEcnMarker::KMIN ? mine.kmin : curve.kmin;
    curve.kmax = own & WredEcnMarker::KMAX ? mine.kmax : curve.kmax;
    curve.pmax = own & WredEcnMarker::PMAX ? mine.pmax : curve.pmax;
    return curve;
}

/// Give a queue a curve. @param own which of its values are the queue's own
void
SetCurve(WredEcnMarker& marker,
         const ObjectBatch::Queue& queue,
         const WredEcnMarker::Curve& curve,
         uint8_t own)
{
    if (own)
    {
        marker.SetThresholds(queue.port, queue.cls, curve.kmin, curve.kmax, curve.pmax);
    }
    marker.ClearThresholds(queue.port, queue.cls, WredEcnMarker::WHOLE_CURVE & ~own);
}

} // namespace

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

void
ObjectBatch::SetQueue(const Queue& queue, const FabricSetting& setting)
{
    QueueValues& values = m_queues[queue.port * TRAFFIC_CLASSES + queue.cls];
    values.queue = queue;
    values.sets.push_back(&setting);
}

void
ObjectBatch::ClearQueue(const Queue& queue, uint8_t values)
{
    QueueValues& all = m_queues[queue.port * TRAFFIC_CLASSES + queue.cls];
    all.queue = queue;
    all.cleared |= values;
}

void
ObjectBatch::Put(const FabricOptions& options, const std::string& place)
{
    // In an order that is not the user's.
    std::sort(m_settings.begin(), m_settings.end(), [](const auto* one, const auto* other) {
        return one->name < other->name;
    });
    const auto fail = [&place](const FabricSetting& setting, const std::exception& error) {
        setting.Fail(place + ": " + setting.GetFullName() + ": " + error.what());
    };
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
                fail(setting, error);
            }
        }
    }
    if (m_configs)
    {
        SwitchMmu& mmu = dynamic_cast<SwitchMmu&>(*m_object);
        m_configsBefore = mmu.GetConfigs();
        mmu.SetConfigs(*m_configs); // which its switch follows later
    }
    for (const auto& [index, values] : m_queues)
    {
        try
        {
            PutQueue(dynamic_cast<WredEcnMarker&>(*m_object), values);
        }
        catch (const std::invalid_argument& error)
        {
            fail(values.sets.empty() ? *m_settings.front() : *values.sets.front(), error);
        }
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
ObjectBatch::PutQueue(WredEcnMarker& marker, const QueueValues& values)
{
    const uint8_t before = marker.GetOwnValues(values.queue.port, values.queue.cls);
    WredEcnMarker::Curve curve; // before the switch has told the marker of its ports there is none
    curve = before ? marker.GetCurve(values.queue.port, values.queue.cls) : curve;
    m_queuesBefore.push_back({values.queue, curve, before});
    const uint8_t own = before & ~values.cleared;
    curve = CurveOf(marker, values.queue, curve, own);
    for (const FabricSetting* const set : values.sets)
    {
        if (set->name == "Pmax")
        {
            curve.pmax = RealOf(*set->value);
        }
        else
        {
            (set->name == "Kmin" ? curve.kmin : curve.kmax) = BytesOf(*set->value);
        }
    }
    const uint8_t after = values.sets.empty() ? own : uint8_t{WredEcnMarker::WHOLE_CURVE};
    SetCurve(marker, values.queue, curve, after);
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
    for (const QueueBefore& queue : m_queuesBefore)
    {
        auto& marker = dynamic_cast<WredEcnMarker&>(*m_object);
        const auto& [which, mine, own] = queue;
        SetCurve(marker, which, CurveOf(marker, which, mine, own), own);
    }
}

} // namespace ns3

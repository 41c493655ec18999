// SPDX-License-Identifier: GPL-2.0-only
#include "placed-settings.h"

#include "fabric.h"
#include "setting-objects.h"
#include "settings-file.h"
#include "type-relation.h"

#include "ns3/egress-scheduler.h"
#include "ns3/qbb-net-device.h"
#include "ns3/traffic-class-map.h"

#include <algorithm>
#include <functional>
#include <string>

namespace ns3
{

namespace
{

/// @param some settings of one kind @return whether they are of objects
bool
IsOfObjects(const FabricSettings& some)
{
    return !some.settings.empty() && IsObject(some.settings.front());
}

/// @param setting one @return whether it is of ports, their schedulers or class maps, which come
/// before buffers
bool
IsOfPorts(const FabricSetting& setting)
{
    const auto isA = [&setting](TypeId base) { return IsA(setting.type, base); };
    return isA(QbbNetDevice::GetTypeId()) || isA(EgressScheduler::GetTypeId()) ||
           isA(TrafficClassMap::GetTypeId());
}

/// @param settings of places @return the same, objects apart from what may be their attributes
std::vector<FabricSettings>
SplitObjects(const std::vector<FabricSettings>& settings)
{
    std::vector<FabricSettings> split;
    for (const FabricSettings& some : settings)
    {
        FabricSettings objects{some.places, {}, {}};
        FabricSettings rest{some.places, {}, some.extensions, some.sonic};
        for (const FabricSetting& setting : some.settings)
        {
            (IsObject(setting) ? objects : rest).settings.push_back(setting);
        }
        if (!objects.settings.empty())
        {
            split.push_back(objects);
        }
        if (objects.settings.empty() || !rest.settings.empty() || !rest.extensions.empty() ||
            !rest.sonic.empty())
        {
            split.push_back(rest);
        }
    }
    return split;
}

} // namespace

PlacedSettings::PlacedSettings(const FabricRecipe& recipe)
{
    std::vector<FabricSettings> settings = recipe.settings;
    if (!recipe.options.GetSettingsFile().empty())
    {
        const auto more = ReadSettingsFile(recipe.options.GetSettingsFile(), recipe.options);
        settings.insert(settings.end(), more.begin(), more.end());
    }
    m_settings = SplitObjects(settings);
    const auto order = [](const FabricSettings& some) {
        return 2 * some.places.GetRank() + (IsOfObjects(some) ? 0 : 1);
    };
    std::stable_sort(m_settings.begin(), m_settings.end(), [&](const auto& one, const auto& other) {
        return order(one) < order(other);
    });
}

void
PlacedSettings::Apply(const Fabric& fabric, bool ofPorts)
{
    constexpr auto rest = SonicSwitch::BUFFERS | SonicSwitch::WATCHDOGS;
    uint32_t next = 0; // rank of the places whose files come next
    for (const FabricSettings& some : m_settings)
    {
        // A file says which schedulers ports have, and which curves a marker: those of a script
        // replace the schedulers, and its marker is there for the curves.
        if (next <= some.places.GetRank() && (ofPorts || !IsOfObjects(some)))
        {
            next = some.places.GetRank() + 1;
            SetSonic(some.places.GetRank(),
                     fabric,
                     ofPorts ? SonicSwitch::PORTS : SonicSwitch::Part{rest});
        }
        FabricSettings now{some.places, {}, {}};
        for (const FabricSetting& setting : some.settings)
        {
            if (IsOfPorts(setting) == ofPorts)
            {
                now.settings.push_back(setting);
            }
        }
        if (!now.settings.empty() || some.settings.empty())
        {
            now.Apply(fabric);
        }
    }
}

void
PlacedSettings::CheckCables(const Fabric& fabric)
{
    for (const FabricSettings& some : m_settings)
    {
        SetSonic(some, fabric, SonicSwitch::CABLES);
    }
}

void
PlacedSettings::SetSonic(const FabricSettings& some, const Fabric& fabric, SonicSwitch::Part part)
{
    std::vector<std::function<void()>> undos; // without a fabric there is nothing to undo
    for (const std::string& path : some.sonic)
    {
        ApplySonic(fabric, some.places, SonicConfig::Read(path), part, undos);
    }
}

void
PlacedSettings::SetSonic(uint32_t rank, const Fabric& fabric, SonicSwitch::Part part)
{
    for (const FabricSettings& some : m_settings)
    {
        if (some.places.GetRank() == rank)
        {
            SetSonic(some, fabric, part);
        }
    }
}

} // namespace ns3

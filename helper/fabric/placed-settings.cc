// SPDX-License-Identifier: GPL-2.0-only
#include "placed-settings.h"

#include "fabric-objects.h"
#include "fabric.h"
#include "settings-file.h"
#include "type-relation.h"

#include "ns3/egress-scheduler.h"
#include "ns3/qbb-net-device.h"
#include "ns3/traffic-class-map.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

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
        const auto set = ApplySonic(fabric, some.places, SonicConfig::Read(path), part, undos);
        m_bySonic.insert(m_bySonic.end(), set.begin(), set.end());
        m_files.emplace_back(path + " at \"" + some.places.GetName() + "\"", set.size());
    }
}

std::vector<std::string>
PlacedSettings::FindReplacedFiles() const
{
    using Seat = std::tuple<NodeId, std::optional<uint32_t>, TypeId, std::string>;
    const auto seatOf = [](const PlacedSonicValue& one) {
        return Seat(one.node, one.value.port, one.value.type, one.value.name);
    };
    std::map<Seat, std::map<uint32_t, uint8_t>> said; // classes by rank
    for (const PlacedSonicValue& one : m_bySonic)
    {
        said[seatOf(one)][one.rank] |= one.value.classes;
    }
    std::map<std::string, bool> inForce; // by file and place
    std::size_t next = 0;
    for (const auto& [name, count] : m_files) // a file comes once for each part of the switches
    {
        for (const std::size_t end = next + count; next < end; ++next)
        {
            const PlacedSonicValue& one = m_bySonic[next];
            uint8_t left = one.value.classes;
            const auto& others = said.at(seatOf(one));
            for (auto other = others.upper_bound(one.rank); other != others.end(); ++other)
            {
                left &= ~other->second;
            }
            inForce[name] = inForce[name] || left;
        }
    }
    std::vector<std::string> replaced;
    for (const auto& [name, isInForce] : inForce)
    {
        if (!isInForce)
        {
            replaced.push_back(name);
        }
    }
    return replaced;
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

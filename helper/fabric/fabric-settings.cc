// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-settings.h"

#include "buffer-values.h"
#include "fabric-builder.h"
#include "fabric.h"
#include "loss-check.h"
#include "setting-objects.h"
#include "settings-changes.h"
#include "sonic-places.h"
#include "switch-presets.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSettings");

namespace
{

/// Throw an error of a setting, with the line of the file that says it.
[[noreturn]] void
Fail(const FabricSetting& setting, const std::string& what)
{
    if (setting.file.empty())
    {
        throw FabricError(what);
    }
    throw FabricError(setting.file, setting.line, what);
}

/// @return whether two settings are about one attribute, perhaps under two names
bool
IsSame(const FabricSetting& one, const FabricSetting& other)
{
    if (one.type != other.type && !one.type.IsChildOf(other.type) &&
        !other.type.IsChildOf(one.type))
    {
        return false; // a parent declares what both have
    }
    return SettingsChanges::IsAttribute(one) && SettingsChanges::IsAttribute(other)
               ? FabricAttributes::FullName(one.type, one.name) ==
                     FabricAttributes::FullName(other.type, other.name)
               : one.name == other.name;
}

/// FabricError where one thing is set twice, and one of the values would win in silence.
/// @param settings that are set together
void
RequireOneValueEach(const std::vector<FabricSetting>& settings)
{
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
        const FabricSetting& setting = settings[i];
        const ClassValue* const value = ClassValue::Find(setting);
        for (std::size_t j = 0; j < i; ++j)
        {
            const FabricSetting& before = settings[j];
            if (IsSame(setting, before))
            {
                Fail(setting,
                     SettingsChanges::FullName(setting) + " is set twice, also as " +
                         SettingsChanges::FullName(before) + "; set it once");
            }
            if (value && value->instead && ClassValue::Find(before) &&
                before.name == value->instead)
            {
                Fail(setting,
                     SettingsChanges::FullName(setting) + " and " +
                         SettingsChanges::FullName(before) +
                         " are set together, and only one can be in force; set one of them");
            }
        }
    }
}

/// FabricError for a switch that has a pool of headroom which it would refuse when it starts.
/// @param settings that were just made
void
RequireHeadroomPools(const Fabric& fabric, const std::vector<FabricSetting>& settings)
{
    const bool isOfPools = std::any_of(settings.begin(), settings.end(), [](const auto& one) {
        return one.name == "HeadroomOversubscription" || one.name == "SharedHeadroomPool";
    });
    if (isOfPools)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const auto names = FabricPlaces::NamesOf(topology);
        for (const SwitchId which : fabric.Switches())
        {
            RequireHeadroomPool(*fabric.GetSwitch(which)->GetMmu(),
                                names[topology.NodeOf(which).Value()]);
        }
    }
}

/**
 * Apply the objects among settings, or their other values, which may be of those objects.
 * @param undos gets how to take back what was made, also where FabricError is thrown
 */
void
ApplySome(const FabricSettings& some,
          const Fabric& fabric,
          bool objects,
          std::vector<SettingsChanges::Undo>& undos)
{
    SettingsChanges wanted(fabric, some.places);
    std::vector<const FabricSetting*> order; // whatever that of the user, with the same results
    for (const FabricSetting& setting : some.settings)
    {
        if (IsObject(setting) == objects)
        {
            order.push_back(&setting);
        }
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* one, const auto* other) {
        return SettingsChanges::FullName(*one) < SettingsChanges::FullName(*other);
    });
    for (const FabricSetting* const setting : order)
    {
        try
        {
            wanted.Add(*setting);
        }
        catch (const FabricError& error)
        {
            Fail(*setting, error.what());
        }
    }
    std::string wrong;
    if (const FabricSetting* const first = wanted.Make(undos, wrong))
    {
        Fail(*first, wrong);
    }
}

} // namespace

FabricSetting
FabricSetting::Read(const std::string& fullName,
                    const AttributeValue& value,
                    const FabricOptions& options)
{
    const std::size_t colons = fullName.rfind("::");
    const std::size_t dot = fullName.rfind('.');
    const bool isDotted = dot != std::string::npos;
    if (!isDotted && (colons == std::string::npos || colons == 0))
    {
        throw FabricError("\"" + fullName + "\" is no name of an attribute",
                          "such as ns3::SwitchMmu::Alpha");
    }
    std::string type = fullName.substr(0, isDotted ? dot : colons);
    type = type.compare(0, 5, "ns3::") == 0 ? type : "ns3::" + type;
    FabricSetting setting{FabricAttributes::FindType(type),
                          fullName.substr(isDotted ? dot + 1 : colons + 2),
                          nullptr,
                          {}};
    TypeId::AttributeInformation info;
    const auto* const text = dynamic_cast<const StringValue*>(&value);
    const bool isAttribute = setting.type.LookupAttributeByName(setting.name, &info);
    const auto* const pointer =
        isAttribute ? dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)) : nullptr;
    if (pointer && text)
    {
        options.ToFactory(text->Get(), pointer->GetPointeeTypeId());
        setting.value = value.Copy();
    }
    else if (!isAttribute && ClassValue::Find(setting))
    {
        const auto* const bytes = dynamic_cast<const UintegerValue*>(&value);
        if (setting.name == "ServicePool")
        {
            if (!text)
            {
                throw FabricError(SettingsChanges::FullName(setting) + " is no text",
                                  "it is the name of one of ServicePools");
            }
            setting.value = value.Copy();
            return setting;
        }
        if (!bytes && !text)
        {
            throw FabricError(SettingsChanges::FullName(setting) + " is no number of bytes",
                              "such as 64KiB");
        }
        setting.value = Create<UintegerValue>(
            bytes ? bytes->Get()
                  : FabricText::ToBytes(text->Get(), SettingsChanges::FullName(setting)));
    }
    else
    {
        setting.value = options.Check(setting.type, setting.name, value);
    }
    return setting;
}

void
FabricSettings::Apply(const Fabric& fabric) const
{
    NS_LOG_FUNCTION(this << places.GetName() << settings.size());
    if (fabric.IsDestroyed())
    {
        throw FabricError("a setting of a fabric after Simulator::Destroy()",
                          "make the fabric anew");
    }
    if (settings.empty())
    {
        places.In(fabric.GetTopology()); // a place that is nowhere is wrong even so
    }
    RequireOneValueEach(settings);
    const bool isBuilt = IsLossForbidden(fabric); // else the build looks at all settings together
    const auto before = isBuilt ? FindUnstartable(fabric) : std::vector<std::string>();
    std::vector<SettingsChanges::Undo> undos;
    try
    {
        for (const std::string& path : sonic)
        {
            ApplySonic(fabric, places, SonicConfig::Read(path), SonicSwitch::ALL, undos);
        }
        ApplySome(*this, fabric, true, undos);
        ApplySome(*this, fabric, false, undos);
        if (FabricBuilder::HasBuilt(fabric))
        {
            RequireHeadroomPools(fabric, settings); // also where loss is allowed, as the build does
        }
        const auto after = isBuilt ? FindUnstartable(fabric) : std::vector<std::string>();
        if (after.size() > before.size())
        {
            throw FabricError(FirstOf(after));
        }
    }
    catch (const FabricError&)
    {
        std::for_each(undos.rbegin(), undos.rend(), [](const auto& undo) { undo(); });
        if (isBuilt)
        {
            FindUnstartable(fabric); // what reads back is in force again
        }
        throw;
    }
    const bool isOfLinks = std::any_of(settings.begin(), settings.end(), [](const auto& one) {
        return one.name == "DataRate" || one.name == "Delay";
    });
    if (isOfLinks)
    {
        fabric.FollowLinks();
    }
}

FabricAt&
FabricAt::SetAll(const std::vector<FabricSetting>& settings)
{
    m_take({m_places, settings, {}});
    return *this;
}

FabricAt&
FabricAt::SetSwitchPreset(const std::string& preset)
{
    return SetAll(SwitchPreset::Find(preset).ToSettings(m_options));
}

void
FabricAt::RequireSwitches(const std::string& what, const std::string& all) const
{
    if (m_places.GetRank() >= FabricPlaces("all port 0").GetRank() || m_places.GetClasses())
    {
        throw FabricError(what + " at \"" + m_places.GetName() + "\"",
                          all + " are of whole switches: leave out port and class");
    }
    if (m_places.GetName().rfind("host", 0) == 0)
    {
        throw FabricError("\"" + m_places.GetName() + "\" has no switch",
                          what + " is of switches, such as leaf or switch 0");
    }
}

FabricAt&
FabricAt::SetSonicConfig(const std::string& path)
{
    RequireSwitches("a configuration of SONiC", "such configurations");
    SonicConfig::Read(path); // what is wrong with the file is said at once
    FabricSettings settings{m_places, {}, {}};
    settings.sonic.push_back(path);
    m_take(settings);
    return *this;
}

FabricAt&
FabricAt::AddSwitchExtension(const std::string& type)
{
    RequireSwitches("a switch extension", "extensions");
    FabricSettings settings{m_places, {}, {}};
    settings.extensions.push_back(
        m_options.ToFactory(type, TypeId::LookupByName("ns3::SwitchExtension")));
    m_take(settings);
    return *this;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-settings.h"

#include "buffer-values.h"
#include "fabric-claims.h"
#include "leave-out.h"
#include "switch-presets.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-objects.h"
#include "ns3/fabric-text.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/sonic-config.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <exception>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSettings");

namespace
{

/// @return whether two settings are about one attribute, perhaps under two names
bool
IsSame(const FabricSetting& one, const FabricSetting& other)
{
    if (one.type != other.type && !one.type.IsChildOf(other.type) &&
        !other.type.IsChildOf(one.type))
    {
        return false; // a parent declares what both have
    }
    return one.IsAttribute() && other.IsAttribute()
               ? FabricAttributes::FullName(one.type, one.name) ==
                     FabricAttributes::FullName(other.type, other.name)
               : one.name == other.name;
}

} // namespace

std::string
FabricSetting::GetFullName() const
{
    return type.GetName() + "::" + name;
}

std::string
FabricSetting::GetSource() const
{
    return file.empty() ? "script" : file + ":" + std::to_string(line);
}

std::string
FabricSetting::GetText() const
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    return ExactText(*value, info.checker); // numbers and text need no checker
}

bool
FabricSetting::IsAttribute() const
{
    TypeId::AttributeInformation ignored;
    return type.LookupAttributeByName(name, &ignored);
}

bool
FabricSetting::IsObject() const
{
    TypeId::AttributeInformation info;
    return type.LookupAttributeByName(name, &info) &&
           (dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)) ||
            dynamic_cast<const TypeIdChecker*>(PeekPointer(info.checker)));
}

void
FabricSetting::Fail(const std::string& what) const
{
    if (file.empty())
    {
        throw FabricError(what);
    }
    throw FabricError(file, line, what);
}

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
                throw FabricError(setting.GetFullName() + " is no text",
                                  "it is the name of one of ServicePools");
            }
            setting.value = value.Copy();
            return setting;
        }
        if (!bytes && !text)
        {
            throw FabricError(setting.GetFullName() + " is no number of bytes", "such as 64KiB");
        }
        setting.value = Create<UintegerValue>(
            bytes ? bytes->Get() : FabricText::ToBytes(text->Get(), setting.GetFullName()));
    }
    else
    {
        setting.value = options.Check(setting.type, setting.name, value);
    }
    return setting;
}

void
FabricSettings::Check()
{
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
        const FabricSetting& setting = settings[i];
        const ClassValue* const value = ClassValue::Find(setting);
        for (std::size_t j = 0; j < i; ++j)
        {
            const FabricSetting& before = settings[j];
            const std::string both = before.GetFullName();
            if (IsSame(setting, before))
            {
                setting.Fail(setting.GetFullName() + " is set twice, also as " + both +
                             "; set it once");
            }
            if (value && value->instead && ClassValue::Find(before) &&
                before.name == value->instead)
            {
                setting.Fail(setting.GetFullName() + " and " + both +
                             " are set together, and only one can be in force; set one of them");
            }
        }
    }
    const auto isLeftOut = [this](const FabricSetting& one) {
        return IsLeftOut("At " + places.GetName() + " " + one.GetFullName());
    };
    settings.erase(std::remove_if(settings.begin(), settings.end(), isLeftOut), settings.end());
}

void
FabricSettings::Apply(const FabricObjects& fabric) const
{
    NS_LOG_FUNCTION(this << places.GetName() << settings.size());
    if (fabric.IsDestroyed())
    {
        throw FabricError("a setting of a fabric after Simulator::Destroy()",
                          "make the fabric anew");
    }
    FabricClaims claims(fabric, {*this});
    try
    {
        claims.Put(FabricClaims::PORTS);
        claims.Put(FabricClaims::REST);
        claims.Finish();
    }
    catch (const std::exception&)
    {
        claims.Undo();
        throw;
    }
}

FabricAt&
FabricAt::Take(FabricSettings settings)
{
    settings.Check();
    m_take(settings);
    return *this;
}

FabricAt&
FabricAt::SetAll(const std::vector<FabricSetting>& settings)
{
    return Take({m_places, settings, {}});
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
    return Take(settings);
}

FabricAt&
FabricAt::AddSwitchExtension(const std::string& type)
{
    RequireSwitches("a switch extension", "extensions");
    FabricSettings settings{m_places, {}, {}};
    settings.extensions.push_back(
        m_options.ToFactory(type, TypeId::LookupByName("ns3::SwitchExtension")));
    return Take(settings);
}

} // namespace ns3

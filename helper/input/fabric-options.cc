// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-options.h"

#include "fabric-attributes.h"
#include "leave-out.h"

#include "ns3/string.h"

namespace ns3
{

FabricOptions::FabricOptions()
    : m_said(std::make_shared<Said>())
{
}

void
FabricOptions::Add(const std::string& fullName, const std::string& text) const
{
    if (IsLeftOut("--" + fullName + "=" + text))
    {
        return;
    }
    const std::string name = FabricAttributes::SetDefault(fullName, StringValue(text));
    m_said->texts[name] = text;
}

void
FabricOptions::SetSettingsFile(const std::string& path) const
{
    m_said->settingsFile = path;
    m_said->isSettingsFileIdle = !path.empty();
}

const std::string&
FabricOptions::GetSettingsFile() const
{
    m_said->isSettingsFileIdle = false;
    return m_said->settingsFile;
}

bool
FabricOptions::IsSettingsFileIdle() const
{
    return m_said->isSettingsFileIdle;
}

bool
FabricOptions::IsEmpty() const
{
    return m_said->texts.empty() && m_said->settingsFile.empty();
}

std::string
FabricOptions::Get(TypeId type, const std::string& attribute) const
{
    const auto option = m_said->texts.find(FabricAttributes::FullName(type, attribute));
    if (option == m_said->texts.end())
    {
        return "";
    }
    return option->second;
}

bool
FabricOptions::Has(TypeId type, const std::string& attribute) const
{
    return m_said->texts.count(FabricAttributes::FullName(type, attribute)) != 0;
}

bool
FabricOptions::IsOfProgram(const std::string& fullName) const
{
    return m_said->ofPrograms.count(fullName) != 0;
}

void
FabricOptions::Apply() const
{
    for (const auto& [name, text] : m_said->texts)
    {
        FabricAttributes::SetDefault(name, StringValue(text));
    }
}

void
FabricOptions::SetDefault(const std::string& fullName, const std::string& text) const
{
    const std::string name = FabricAttributes::SetDefault(fullName, StringValue(text));
    const auto option = m_said->texts.find(name);
    if (option == m_said->texts.end())
    {
        m_said->ofPrograms.insert(name);
    }
    if (option != m_said->texts.end())
    {
        FabricAttributes::SetDefault(option->first, StringValue(option->second));
    }
}

void
FabricOptions::Set(ObjectFactory& factory,
                   const std::string& attribute,
                   const AttributeValue& value) const
{
    const TypeId type = factory.GetTypeId();
    const Ptr<AttributeValue> checked = Check(type, attribute, value);
    if (!Has(type, attribute))
    {
        FabricAttributes::Set(factory, attribute, *checked);
    }
}

Ptr<AttributeValue>
FabricOptions::Check(TypeId type, const std::string& attribute, const AttributeValue& value) const
{
    return FabricAttributes::Check(type, attribute, value, this);
}

ObjectFactory
FabricOptions::ToFactory(const std::string& text, TypeId base) const
{
    return FabricAttributes::ToFactory(text, base, this);
}

} // namespace ns3

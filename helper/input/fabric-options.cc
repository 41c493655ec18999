// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-options.h"

#include "fabric-attributes.h"

namespace ns3
{

FabricOptions::FabricOptions()
    : m_texts(std::make_shared<std::map<std::string, std::string>>())
{
}

void
FabricOptions::Add(const std::string& fullName, const std::string& text) const
{
    (*m_texts)[FabricAttributes::SetDefault(fullName, text)] = text;
}

bool
FabricOptions::IsEmpty() const
{
    return m_texts->empty();
}

std::string
FabricOptions::Get(TypeId type, const std::string& attribute) const
{
    const auto option = m_texts->find(FabricAttributes::FullName(type, attribute));
    return option == m_texts->end() ? "" : option->second;
}

bool
FabricOptions::Has(TypeId type, const std::string& attribute) const
{
    return m_texts->count(FabricAttributes::FullName(type, attribute)) != 0;
}

void
FabricOptions::Apply() const
{
    for (const auto& [name, text] : *m_texts)
    {
        FabricAttributes::SetDefault(name, text);
    }
}

void
FabricOptions::SetDefault(const std::string& fullName, const std::string& text) const
{
    const auto option = m_texts->find(FabricAttributes::SetDefault(fullName, text));
    if (option != m_texts->end())
    {
        FabricAttributes::SetDefault(option->first, option->second);
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

// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-attributes.h"

#include "attribute-words.h"
#include "fabric-error.h"
#include "fabric-options.h"
#include "fabric-text.h"
#include "type-relation.h"
#include "value-text.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{
namespace FabricAttributes
{
namespace
{

/// ns-3 ends the program at a number below -1, which its checker allows.
constexpr const char* RANDOM_STREAM = "ns3::RandomVariableStream::Stream";

/// @param text with parts @param separator between them, outside of brackets @return the parts
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::string part;
    int depth = 0;
    for (const char c : text)
    {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == separator && depth == 0)
        {
            parts.push_back(std::exchange(part, ""));
        }
        else
        {
            part += c;
        }
    }
    if (!part.empty())
    {
        parts.push_back(part);
    }
    return parts;
}

bool
StartsWith(const std::string& text, const std::string& start)
{
    return text.compare(0, start.size(), start) == 0;
}

/// The attribute of that name in a type or its parents; the owner is where it is declared.
TypeId::AttributeInformation
FindAttribute(TypeId type, const std::string& name, TypeId& owner)
{
    std::vector<std::string> known;
    for (owner = type;; owner = owner.GetParent())
    {
        for (std::size_t i = 0; i < owner.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = owner.GetAttribute(i);
            if (info.name == name)
            {
                return info;
            }
            known.push_back(info.name);
        }
        if (!owner.HasParent())
        {
            break;
        }
    }
    throw FabricError(type.GetName() + " has no attribute " + name,
                      FabricText::DidYouMean(name, known));
}

/// What an attribute's types or objects must derive from: an ancestor of its default that the
/// attribute is named after, as EcnMarkerType is after ns3::EcnMarker; else the eldest ancestor
/// that is not yet any Object. A default-constructed TypeId: it does not say.
TypeId
BaseOf(const TypeId::AttributeInformation& info)
{
    if (const auto* checker = dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
    {
        return checker->GetPointeeTypeId();
    }
    const AttributeValue* initial = PeekPointer(info.originalInitialValue);
    TypeId type;
    if (const auto* factory = dynamic_cast<const ObjectFactoryValue*>(initial))
    {
        type = factory->Get().GetTypeId();
    }
    else if (const auto* id = dynamic_cast<const TypeIdValue*>(initial))
    {
        type = id->Get();
    }
    while (type != TypeId() && "ns3::" + info.name != type.GetName() + "Type" && type.HasParent() &&
           type.GetParent() != Object::GetTypeId() && type.GetParent() != ObjectBase::GetTypeId())
    {
        type = type.GetParent();
    }
    return type;
}

/// @return the types that can be made and are a base or derive from it; without a base all types
std::vector<std::string>
TypesOf(TypeId base)
{
    std::set<std::string> names; // in the order of types the linker decides
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (base == TypeId() || (type.HasConstructor() && IsA(type, base)))
        {
            names.insert(type.GetName());
        }
    }
    return {names.begin(), names.end()};
}

/// Check that objects of a type can be made, and be used as a base. @param what for the message
void
CheckPart(TypeId type, TypeId base, const std::string& what)
{
    // Headers have types, too, and are no objects.
    const TypeId root = base == TypeId() ? Object::GetTypeId() : base;
    const bool derives = IsA(type, root);
    if (derives && type.HasConstructor())
    {
        return;
    }
    std::string known;
    for (const std::string& name : base == TypeId() ? std::vector<std::string>() : TypesOf(base))
    {
        known += (known.empty() ? "one of: " : ", ") + name;
    }
    throw FabricError(what + " is " + type.GetName() + ", which is " +
                          (derives ? "abstract" : "no " + root.GetName()),
                      known.empty() ? "name a type that can be made" : known);
}

/// Check a type that an attribute names. @param owner declares it @param what for the message
void
CheckTypeId(TypeId type,
            const TypeId::AttributeInformation& info,
            TypeId owner,
            const std::string& what)
{
    if (owner.GetName() + "::" + info.name == "ns3::TcpL4Protocol::SocketType")
    {
        // Congestion controls. TcpCubic of ns-3.37 gives a wrong parent, so that one is made.
        const bool isMade = type.HasConstructor() && type.IsChildOf(Object::GetTypeId());
        if (!isMade ||
            !DynamicCast<TcpCongestionOps>(ObjectFactory(type.GetName()).Create<Object>()))
        {
            throw FabricError(what + " is " + type.GetName() + ", which is no congestion control",
                              "name one such as ns3::TcpDctcp");
        }
        return;
    }
    const TypeId base = BaseOf(info);
    const bool isName = TypesOf(base).empty(); // such as ns3::UdpSocketFactory, which nobody makes
    if (!isName || !IsA(type, base))
    {
        CheckPart(type, base, what);
    }
}

/// Text for an object, "ns3::Type" or "ns3::Type[Attribute=value|...]", to what makes it.
ObjectFactory
ReadObject(const std::string& text,
           TypeId base,
           const std::string& what,
           const FabricOptions* options)
{
    const std::size_t open = text.find('[');
    if (text.empty() || open == 0)
    {
        throw FabricError(what + " is \"" + text + "\", without the name of a type",
                          "expected ns3::Type or ns3::Type[Attribute=value|Attribute=value]");
    }
    const TypeId type = FindType(text.substr(0, open), base);
    CheckPart(type, base, what);
    ObjectFactory factory(type.GetName());
    if (open == std::string::npos)
    {
        return factory;
    }
    if (text.back() != ']')
    {
        throw FabricError(what + " is \"" + text + "\"",
                          "expected ns3::Type[Attribute=value|Attribute=value]");
    }
    std::set<std::string> said;
    for (const std::string& setting : Split(text.substr(open + 1, text.size() - open - 2), '|'))
    {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
        {
            throw FabricError(what + " has \"" + setting + "\"", "expected Attribute=value");
        }
        const std::string name = setting.substr(0, equals);
        if (!said.insert(name).second)
        {
            throw FabricError(what + " says " + name + " twice", "say it once");
        }
        const Ptr<AttributeValue> value =
            Check(type, name, StringValue(setting.substr(equals + 1)), options);
        if (!options || !options->Has(type, name))
        {
            Set(factory, name, *value);
        }
    }
    return factory;
}

/// @return whether a text is a whole number below 0
bool
IsNegative(const std::string& text)
{
    return text.size() > 1 && text[0] == '-' &&
           text.find_first_not_of("0123456789", 1) == std::string::npos &&
           text.find_first_not_of('0', 1) != std::string::npos;
}

/// @param text of a whole number, which may be a size in bytes @param info of the attribute
/// @param what for the message @return the number
uint64_t
ToWhole(const std::string& text, const TypeId::AttributeInformation& info, const std::string& what)
{
    const bool isPlain = text.find_first_not_of("0123456789") == std::string::npos;
    try
    {
        return isPlain && AttributeWords::IsNoSize(info) // such as a mask of 64 bits
                   ? FabricText::ToUint(text, what, std::numeric_limits<uint64_t>::max(), 0)
                   : FabricText::ToBytes(text, what);
    }
    catch (const FabricError&)
    {
        if (AttributeWords::IsNoSize(info))
        {
            throw FabricError(what + " is \"" + text + "\"",
                              "it must be " + AttributeWords::Describe(info));
        }
        throw;
    }
}

/// Text to a value of the attribute's type; null: leave it to the checker.
Ptr<AttributeValue>
FromText(const std::string& text,
         const TypeId::AttributeInformation& info,
         const std::string& what,
         const FabricOptions* options)
{
    const AttributeChecker& checker = *info.checker;
    const std::string type = AttributeWords::ValueType(checker);
    if (type == "ns3::TimeValue")
    {
        // Some attributes give negative times a meaning; the checker knows which.
        const bool minus = !text.empty() && text[0] == '-';
        const Time time = FabricText::ToTime(text.substr(minus ? 1 : 0), what);
        return Create<TimeValue>(minus ? Time(0) - time : time);
    }
    if (type == "ns3::DataRateValue")
    {
        return Create<DataRateValue>(FabricText::ToRate(text, what, 0));
    }
    if (type == "ns3::UintegerValue")
    {
        if (IsNegative(text))
        {
            return Create<IntegerValue>(-1); // the checker says what its range is
        }
        return Create<UintegerValue>(ToWhole(text, info, what));
    }
    if (type == "ns3::BooleanValue")
    {
        return Create<BooleanValue>(FabricText::ToBool(text, what));
    }
    if (type == "ns3::DoubleValue")
    {
        return Create<DoubleValue>(FabricText::ToReal(text, what));
    }
    if (type == "ns3::IntegerValue")
    {
        const bool minus = !text.empty() && text[0] == '-';
        const auto size =
            static_cast<int64_t>(FabricText::ToUint(text.substr(minus ? 1 : 0), what, INT64_MAX));
        return Create<IntegerValue>(minus ? -size : size);
    }
    if (type == "ns3::EnumValue")
    {
        const auto names = Split(checker.GetUnderlyingTypeInformation(), '|');
        if (std::find(names.begin(), names.end(), text) == names.end())
        {
            throw FabricError(what + " is \"" + text + "\"",
                              "it must be " + AttributeWords::Describe(checker));
        }
    }
    else if (type == "ns3::TypeIdValue")
    {
        return Create<TypeIdValue>(FindType(text, BaseOf(info)));
    }
    else if (type == "ns3::ObjectFactoryValue")
    {
        return Create<ObjectFactoryValue>(ReadObject(text, BaseOf(info), what, options));
    }
    else if (StartsWith(type, "ns3::PointerValue"))
    {
        return Create<PointerValue>(ReadObject(text, BaseOf(info), what, options).Create<Object>());
    }
    else if (type.find("PtrContainerValue") != std::string::npos)
    {
        throw FabricError(what + " is a list of objects", "it cannot be set from text");
    }
    else if (const std::string right = ValueText::Expected(type, text); !right.empty())
    {
        throw FabricError(what + " is \"" + text + "\"", right);
    }
    return nullptr;
}

} // namespace

TypeId
FindType(const std::string& name, TypeId base)
{
    TypeId type;
    if (TypeId::LookupByNameFailSafe(name, &type))
    {
        return type;
    }
    throw FabricError("there is no type " + name, FabricText::DidYouMean(name, TypesOf(base)));
}

Ptr<AttributeValue>
Check(TypeId type,
      const std::string& attribute,
      const AttributeValue& value,
      const FabricOptions* options)
{
    TypeId owner;
    const TypeId::AttributeInformation info = FindAttribute(type, attribute, owner);
    const std::string what = type.GetName() + "::" + attribute;
    const auto* text = dynamic_cast<const StringValue*>(&value);
    Ptr<AttributeValue> converted;
    if (text)
    {
        converted = FromText(text->Get(), info, what, options);
    }
    Ptr<AttributeValue> valid = info.checker->CreateValidValue(converted ? *converted : value);
    if (!valid)
    {
        throw FabricError(what + (text ? " is \"" + text->Get() + "\""
                                       : AttributeWords::Wrong(value, info.checker)),
                          "it must be " + AttributeWords::Describe(info));
    }
    const auto* number = dynamic_cast<const IntegerValue*>(PeekPointer(valid));
    if (number && number->Get() < -1 && owner.GetName() + "::" + attribute == RANDOM_STREAM)
    {
        throw FabricError(what + " is " + std::to_string(number->Get()),
                          "it must be 0 or more, or -1: the next free one");
    }
    if (const auto* factory = dynamic_cast<const ObjectFactoryValue*>(PeekPointer(valid)))
    {
        CheckPart(factory->Get().GetTypeId(), BaseOf(info), what);
    }
    else if (const auto* id = dynamic_cast<const TypeIdValue*>(PeekPointer(valid)))
    {
        CheckTypeId(id->Get(), info, owner, what);
    }
    return valid;
}

void
Set(ObjectFactory& factory, const std::string& attribute, const AttributeValue& value)
{
    const TypeId type = factory.GetTypeId();
    const Ptr<AttributeValue> valid = Check(type, attribute, value);
    TypeId owner;
    if (!(FindAttribute(type, attribute, owner).flags & TypeId::ATTR_CONSTRUCT))
    {
        throw FabricError(type.GetName() + "::" + attribute + " cannot be set when it is made",
                          "it can be read");
    }
    factory.Set(attribute, *ExactValue(*valid));
}

std::string
FullName(TypeId type, const std::string& attribute)
{
    TypeId owner;
    FindAttribute(type, attribute, owner);
    return owner.GetName() + "::" + attribute;
}

std::string
SetDefault(const std::string& fullName, const AttributeValue& given)
{
    const std::size_t colons = fullName.rfind("::");
    if (colons == std::string::npos || colons < 3)
    {
        throw FabricError("\"" + fullName + "\" is no attribute", "expected ns3::Type::Attribute");
    }
    TypeId whole;
    if (TypeId::LookupByNameFailSafe(fullName, &whole))
    {
        throw FabricError(fullName + " is a type", "expected " + fullName + "::Attribute=value");
    }
    const std::string attribute = fullName.substr(colons + 2);
    const TypeId type = FindType(fullName.substr(0, colons));
    const Ptr<AttributeValue> value = Check(type, attribute, given);
    TypeId owner;
    const auto info = FindAttribute(type, attribute, owner);
    if (!(info.flags & TypeId::ATTR_CONSTRUCT))
    {
        throw FabricError(fullName + " has no default", "it is set on objects that exist");
    }
    // A default belongs to the type that declares the attribute, and holds for all its children.
    const std::string name = owner.GetName() + "::" + attribute;
    if (name == "ns3::Application::StartTime" || name == "ns3::Application::StopTime")
    {
        throw FabricError(fullName + " would be the default of all applications, those of TCP and "
                                     "UDP flows among them",
                          "give each its start and its stop");
    }
    if (!Config::SetDefaultFailSafe(name, *value))
    {
        throw FabricError(fullName + " cannot be set to \"" + ExactText(*value, info.checker) +
                              "\"",
                          "see the attribute's documentation");
    }
    return name;
}

bool
DefaultChanged(TypeId type, const std::string& attribute)
{
    TypeId owner;
    const auto info = FindAttribute(type, attribute, owner);
    return ExactText(*info.initialValue, info.checker) !=
           ExactText(*info.originalInitialValue, info.checker);
}

ObjectFactory
ToFactory(const std::string& text, TypeId base, const FabricOptions* options)
{
    return ReadObject(text, base, "the object", options);
}

} // namespace FabricAttributes
} // namespace ns3

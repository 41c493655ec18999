// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"

#include "loss-check.h"
#include "python-part.h"

#include "ns3/application.h"
#include "ns3/apply-or-undo.h"
#include "ns3/attribute-words.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-text.h"
#include "ns3/integer.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/string.h"
#include "ns3/switch-mmu.h"
#include "ns3/traffic-class-map.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <map>
#include <optional>
#include <sstream>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return a name without what tells snake case from ns-3's spelling
std::string
Plain(const std::string& name)
{
    std::string plain;
    for (const char c : name)
    {
        if (c != '_')
        {
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return plain;
}

/// @return the checker of an attribute
Ptr<const AttributeChecker>
CheckerOf(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    return info.checker;
}

/// @return the text of an attribute's value in ns-3's spelling: "Nic" for "nic" of an enumeration,
/// "ns3::RdmaDcqcn" for "RdmaDcqcn" of a type; else the text
std::string
Spell(const AttributeChecker& checker, const std::string& text)
{
    const std::string kind = AttributeWords::ValueType(checker);
    const bool isType = kind == "ns3::TypeIdValue" || kind == "ns3::ObjectFactoryValue" ||
                        dynamic_cast<const PointerChecker*>(&checker);
    if (isType && !text.empty() && text.substr(0, text.find('[')).find("::") == std::string::npos)
    {
        return "ns3::" + text;
    }
    if (kind != "ns3::EnumValue")
    {
        return text;
    }
    std::istringstream names(checker.GetUnderlyingTypeInformation());
    for (std::string name; std::getline(names, name, '|');)
    {
        if (Plain(name) == Plain(text))
        {
            return name;
        }
    }
    return text;
}

/// @param what an attribute that is a type @param text of a Part @return its type; ValueError if
/// the Part has attributes
std::string
PlainType(const std::string& what, const std::string& text)
{
    const std::size_t open = text.find('[');
    if (open + 2 != text.size())
    {
        throw py::value_error(what + " is a type without attributes, not " + text);
    }
    return text.substr(0, open);
}

/// @param type that has an attribute @param name of it, a text @param values a list or a tuple
/// @return the text of its items, as the attribute takes them: with spaces between them if its
/// default has these alone, else with commas
std::string
ListText(TypeId type, const std::string& name, const py::handle& values)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    const std::string usual = info.originalInitialValue->SerializeToString(info.checker);
    const bool hasSpaces =
        usual.find(' ') != std::string::npos && usual.find(',') == std::string::npos;
    std::string text;
    for (const py::handle value : values)
    {
        text += (text.empty() ? "" : hasSpaces ? " " : ",") + ToText(value);
    }
    return text;
}

/// @return an attribute's value as Python has it, if it is a Value
template <typename Value>
bool
Convert(const Ptr<AttributeValue>& value, py::object& result)
{
    if (const auto exact = DynamicCast<Value>(value))
    {
        result = py::cast(exact->Get());
        return true;
    }
    return false;
}

/// A new value of an attribute, checked.
struct Change
{
    Ptr<Object> object;
    std::string name;           //!< of the attribute
    Ptr<AttributeValue> value;  //!< new
    Ptr<AttributeValue> before; //!< value in force until then; null: it cannot be read

    /// Set the new value; ValueError if the object refuses it.
    void Make() const
    {
        if (!object->SetAttributeFailSafe(name, *value))
        {
            const TypeId type = object->GetInstanceTypeId();
            throw py::value_error(type.GetName() + "::" + name + " cannot be " +
                                  value->SerializeToString(CheckerOf(type, name)));
        }
    }

    /// Set the value again that was in force.
    void Undo() const
    {
        if (before)
        {
            object->SetAttributeFailSafe(name, *before);
        }
    }
};

/// Make those of some changes that objects take. @param waiting changes; those that were refused
/// stay @param made gets the others @return the first refusal; null: there was none
std::exception_ptr
MakeSome(std::vector<const Change*>& waiting, std::vector<const Change*>& made)
{
    std::exception_ptr refusal;
    std::vector<const Change*> refused;
    for (const Change* change : waiting)
    {
        try
        {
            change->Make();
            made.push_back(change);
        }
        catch (...)
        {
            refusal = refusal ? refusal : std::current_exception();
            refused.push_back(change);
        }
    }
    waiting = refused;
    return refusal;
}

/// Make all changes or none. An object may take a value only after another, such as two limits that
/// both grow: the order in which the script writes them does not matter. Throws what the first
/// change throws that cannot be made. @param changes to make
void
MakeAll(const std::vector<Change>& changes)
{
    std::vector<const Change*> waiting;
    for (const Change& change : changes)
    {
        waiting.push_back(&change);
    }
    std::vector<const Change*> made;
    ApplyOrUndo(
        [&] {
            while (!waiting.empty())
            {
                const std::size_t before = waiting.size();
                const std::exception_ptr refusal = MakeSome(waiting, made);
                if (waiting.size() == before)
                {
                    std::rethrow_exception(refusal);
                }
            }
        },
        [&] {
            for (; !made.empty(); made.pop_back())
            {
                made.back()->Undo();
            }
        });
}

/// @param object any @param name of an attribute of it @param value new, of the attribute's type
/// @return the change; AttributeError or ValueError for one that objects never take
Change
ToChange(const Ptr<Object>& object, const std::string& name, const Ptr<AttributeValue>& value)
{
    const TypeId type = object->GetInstanceTypeId();
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    if (!(info.flags & TypeId::ATTR_SET) || !info.accessor->HasSetter())
    {
        throw py::attribute_error(type.GetName() + "::" + name + " cannot be set on an object");
    }
    const auto time = DynamicCast<TimeValue>(value);
    if (time && time->Get().IsStrictlyNegative() && (name == "StartTime" || name == "StopTime"))
    {
        // Of applications: ns-3 would schedule it in the past, and end the program.
        throw py::value_error(type.GetName() + "::" + name + " is " + ExactText(time->Get()) +
                              "; it must be 0 or more");
    }
    const auto application = DynamicCast<Application>(object);
    if (application && application->IsInitialized() && (name == "StartTime" || name == "StopTime"))
    {
        throw py::value_error(type.GetName() + "::" + name +
                              " is fixed since the application is installed and the run has begun; "
                              "say start and stop where it is added");
    }
    const Ptr<AttributeValue> before = info.checker->Create();
    const bool isRead = (info.flags & TypeId::ATTR_GET) && info.accessor->HasGetter() &&
                        info.accessor->Get(PeekPointer(object), *before);
    return {object, name, value, isRead ? before : nullptr};
}

/// @return whether attributes of an object may make a lossless class lose frames
bool
MayLoseFrames(const Ptr<Object>& object)
{
    return DynamicCast<QbbNetDevice>(object) || DynamicCast<TrafficClassMap>(object) ||
           DynamicCast<QbbChannel>(object) || DynamicCast<SwitchMmu>(object) ||
           DynamicCast<NicReceiveBuffer>(object);
}

} // namespace

std::vector<std::string>
ListAttributes(TypeId type)
{
    std::vector<std::string> names;
    while (true)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names.push_back(type.GetAttribute(i).name);
        }
        if (!type.HasParent() || type.GetParent() == type)
        {
            return names;
        }
        type = type.GetParent();
    }
}

std::vector<AttributeOfType>
ConstructorAttributes(TypeId type)
{
    std::vector<AttributeOfType> attributes;
    for (const auto& name : ListAttributes(type))
    {
        TypeId::AttributeInformation info;
        type.LookupAttributeByName(name, &info);
        if (info.flags & TypeId::ATTR_CONSTRUCT)
        {
            attributes.push_back({name,
                                  AttributeWords::ValueType(*info.checker),
                                  info.originalInitialValue->SerializeToString(info.checker),
                                  info.help});
        }
    }
    return attributes;
}

bool
SamePlain(const std::string& known, const std::string& name)
{
    return Plain(known) == Plain(name);
}

std::string
SnakeCase(const std::string& name)
{
    const auto isUpper = [&name](std::size_t i) {
        return i < name.size() && std::isupper(static_cast<unsigned char>(name[i]));
    };
    std::string snake;
    for (std::size_t i = 0; i < name.size(); ++i)
    {
        const bool ends =
            i > 0 && std::isalnum(static_cast<unsigned char>(name[i - 1])) &&
            (!isUpper(i - 1) ||
             (i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1]))));
        snake += isUpper(i) && ends ? "_" : "";
        snake += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return snake;
}

std::string
FindAttributeName(TypeId type, const std::string& name)
{
    const auto names = ListAttributes(type);
    for (const auto& known : names)
    {
        if (SamePlain(known, name))
        {
            return known;
        }
    }
    const std::string hint = FabricText::DidYouMean(name, names);
    throw py::attribute_error(type.GetName() + " has no attribute \"" + name + "\"" +
                              (hint.empty() ? "" : "; " + hint));
}

TypeId
FindType(const std::string& name)
{
    return FabricAttributes::FindType(name.find("::") == std::string::npos ? "ns3::" + name : name);
}

std::string
ToText(const py::handle& value)
{
    if (py::isinstance<py::bool_>(value))
    {
        return value.cast<bool>() ? "true" : "false";
    }
    if (py::isinstance<Time>(value))
    {
        return std::to_string(value.cast<Time>().GetPicoSeconds()) + "ps";
    }
    if (py::isinstance<DataRate>(value))
    {
        return std::to_string(value.cast<DataRate>().GetBitRate()) + "bps";
    }
    if (py::isinstance<Part>(value))
    {
        return value.cast<const Part&>().GetText();
    }
    return py::str(value);
}

Ptr<AttributeValue>
ToAttribute(TypeId type, const std::string& name, const py::handle& value)
{
    const std::string what = type.GetName() + "::" + name;
    if (value.is_none())
    {
        throw py::value_error(what + " cannot be None");
    }
    if (py::isinstance<Object>(value))
    {
        return FabricAttributes::Check(type, name, PointerValue(value.cast<Ptr<Object>>()));
    }
    const auto checker = CheckerOf(type, name);
    std::string text = ToText(value);
    if (py::isinstance<py::str>(value))
    {
        text = Spell(*checker, text);
    }
    else if (py::isinstance<Part>(value) &&
             AttributeWords::ValueType(*checker) == "ns3::TypeIdValue")
    {
        text = PlainType(what, text);
    }
    else if ((py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) &&
             AttributeWords::ValueType(*checker) == "ns3::StringValue")
    {
        text = ListText(type, name, value);
    }
    return FabricAttributes::Check(type, name, StringValue(text));
}

std::vector<std::pair<std::string, Ptr<AttributeValue>>>
CheckAttributes(TypeId type, const py::kwargs& values)
{
    std::vector<std::pair<std::string, Ptr<AttributeValue>>> checked;
    std::map<std::string, std::string> given; // as written, by name
    for (const auto& [key, value] : values)
    {
        const auto written = key.cast<std::string>();
        const std::string name = FindAttributeName(type, written);
        const auto [before, isFirst] = given.emplace(name, written);
        if (!isFirst)
        {
            throw py::value_error(before->second + " and " + written +
                                  " say the same; give one of them");
        }
        checked.emplace_back(name, ToAttribute(type, name, value));
    }
    return checked;
}

void
SetAttributes(const std::vector<Ptr<Object>>& objects, const py::kwargs& values)
{
    std::vector<Change> changes;
    for (const auto& object : objects)
    {
        for (const auto& [name, value] : CheckAttributes(object->GetInstanceTypeId(), values))
        {
            changes.push_back(ToChange(object, name, value));
        }
    }
    MakeAll(changes);
    if (std::any_of(objects.begin(), objects.end(), &MayLoseFrames))
    {
        RunOfFabric::Changed();
    }
}

py::object
GetAttribute(const Object& object, const std::string& name)
{
    const TypeId type = object.GetInstanceTypeId();
    const std::string exact = FindAttributeName(type, name);
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(exact, &info);
    if (!(info.flags & TypeId::ATTR_GET) || !info.accessor->HasGetter())
    {
        throw py::attribute_error(type.GetName() + "::" + exact + " cannot be read");
    }
    const Ptr<AttributeValue> value = info.checker->Create();
    if (!info.accessor->Get(&object, *value))
    {
        // Where an attribute of ns-3 has a checker for another type, GetAttribute() does not
        // return.
        throw py::attribute_error(type.GetName() + "::" + exact + " cannot be read");
    }
    py::object result;
    if (Convert<UintegerValue>(value, result) || Convert<IntegerValue>(value, result) ||
        Convert<DoubleValue>(value, result) || Convert<BooleanValue>(value, result) ||
        Convert<TimeValue>(value, result) || Convert<DataRateValue>(value, result))
    {
        return result;
    }
    const auto factory = DynamicCast<ObjectFactoryValue>(value);
    if (factory && !factory->Get().IsTypeIdSet())
    {
        return py::none(); // which ns-3 cannot write as text
    }
    if (const auto pointer = DynamicCast<PointerValue>(value))
    {
        return Wrap(pointer->Get<Object>());
    }
    if (const auto container = DynamicCast<ObjectPtrContainerValue>(value))
    {
        py::list list;
        for (auto item = container->Begin(); item != container->End(); ++item)
        {
            list.append(Wrap(item->second));
        }
        return list;
    }
    return py::cast(value->SerializeToString(info.checker));
}

} // namespace lossless_python

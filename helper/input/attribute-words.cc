// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-words.h"

#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <limits>
#include <map>
#include <typeinfo>

namespace ns3
{
namespace AttributeWords
{
namespace
{

bool
StartsWith(const std::string& text, const std::string& start)
{
    return text.compare(0, start.size(), start) == 0;
}

/// @param info of an attribute @return "class" or "port" where it is a mask of these, else ""
std::string
BitsOf(const TypeId::AttributeInformation& info)
{
    for (const std::string noun : {"class", "port"})
    {
        const std::string letter(1, noun[0]);
        if (info.help.find("it " + letter + " stands for ") != std::string::npos)
        {
            return noun;
        }
    }
    return "";
}

/// @param time a bound, or a time out of bounds @return it as people write it
std::string
TimeBound(const Time& time)
{
    return time.IsZero() ? "0" : ExactText(time);
}

} // namespace

std::string
ValueType(const AttributeChecker& checker)
{
    std::string name = checker.GetValueTypeName();
    name = name.substr(0, name.find('<'));
    return StartsWith(name, "ns3::") ? name : "ns3::" + name;
}

std::string
Describe(const AttributeChecker& checker)
{
    static const std::map<std::string, std::string> nouns{{"ns3::UintegerValue", "a whole number"},
                                                          {"ns3::IntegerValue", "a whole number"},
                                                          {"ns3::DoubleValue", "a number"},
                                                          {"ns3::TimeValue", "a time"},
                                                          {"ns3::BooleanValue", "true or false"},
                                                          {"ns3::DataRateValue", "a rate"},
                                                          {"ns3::StringValue", "a text"},
                                                          {"ns3::TypeIdValue", "a type"}};
    const std::string type = ValueType(checker);
    const std::string about =
        checker.HasUnderlyingTypeInformation() ? checker.GetUnderlyingTypeInformation() : "";
    if (type == "ns3::EnumValue")
    {
        std::string names;
        for (const char c : about)
        {
            names += c == '|' ? std::string(", ") : std::string(1, c);
        }
        return "one of " + names;
    }
    const auto noun = nouns.find(type);
    if (noun == nouns.end())
    {
        return StartsWith(type, "ns3::PointerValue") ? "an object" : "a " + type.substr(5);
    }
    // "name least:most"
    const std::size_t colon = about.rfind(':');
    const std::size_t space = about.rfind(' ', colon);
    if (colon == std::string::npos || space == std::string::npos)
    {
        return noun->second;
    }
    std::string least = about.substr(space + 1, colon - space - 1);
    std::string most = about.substr(colon + 1);
    bool bounded = most.find("e+308") == std::string::npos &&
                   most != std::to_string(std::numeric_limits<uint64_t>::max()) &&
                   most != std::to_string(std::numeric_limits<int64_t>::max());
    bool fromBelow = least.find("e+308") == std::string::npos &&
                     least != std::to_string(std::numeric_limits<int64_t>::min());
    if (type == "ns3::TimeValue")
    {
        fromBelow = Time(least) > Time::Min() / 2;
        bounded = Time(most) < Time::Max() / 2;
        least = TimeBound(Time(least));
        most = TimeBound(Time(most));
    }
    return noun->second + (!fromBelow ? bounded ? ", at most " + most : ""
                           : bounded  ? " from " + least + " to " + most
                                      : ", " + least + " or more");
}

std::string
Describe(const TypeId::AttributeInformation& info)
{
    const std::string text = Describe(*info.checker);
    const std::string one = BitsOf(info);
    if (one.empty() || ValueType(*info.checker) != "ns3::UintegerValue")
    {
        return text;
    }
    const std::string several = one == "port" ? "ports" : "classes";
    return text + ", one bit for each " + one + ", such as 8 for " + one + " 3, or 24 for " +
           several + " 3 and 4";
}

bool
IsNoSize(const TypeId::AttributeInformation& info)
{
    constexpr uint64_t most = std::numeric_limits<uint16_t>::max();
    return !BitsOf(info).empty() || !info.checker->Check(UintegerValue(most + 1));
}

std::string
Wrong(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    const std::string type = ValueType(*checker);
    const auto* time = dynamic_cast<const TimeValue*>(&value);
    if (type == "ns3::TimeValue" && time)
    {
        return " is " + TimeBound(time->Get());
    }
    const bool same =
        (type == "ns3::UintegerValue" && dynamic_cast<const UintegerValue*>(&value)) ||
        (type == "ns3::IntegerValue" && dynamic_cast<const IntegerValue*>(&value)) ||
        (type == "ns3::DoubleValue" && dynamic_cast<const DoubleValue*>(&value));
    if (same)
    {
        return " is " + ExactText(value, checker);
    }
    const Ptr<AttributeValue> made = checker->Create();
    const AttributeValue& model = *made;
    const bool isEnum = type == "ns3::EnumValue" && typeid(model) == typeid(value);
    return isEnum ? " is no value of its enumeration" : " has another type";
}

} // namespace AttributeWords
} // namespace ns3

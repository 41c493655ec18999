// SPDX-License-Identifier: GPL-2.0-only
#include "option-text.h"

#include "fabric-error.h"
#include "fabric-text.h"

#include <limits>

namespace ns3
{
namespace OptionText
{

std::string
Of(const Time& value)
{
    return Of(value.As(Time::US));
}

std::string
Of(const std::vector<std::string>& value)
{
    std::string text;
    for (const std::string& one : value)
    {
        text += (text.empty() ? "" : ",") + one;
    }
    return text;
}

void
Read(const std::string& text, const std::string&, std::string& value)
{
    value = text;
}

void
Read(const std::string& text, const std::string& what, uint32_t& value)
{
    value =
        static_cast<uint32_t>(FabricText::ToUint(text, what, std::numeric_limits<uint32_t>::max()));
}

void
Read(const std::string& text, const std::string& what, uint64_t& value)
{
    value = FabricText::ToUint(text, what);
}

void
Read(const std::string& text, const std::string& what, double& value)
{
    value = FabricText::ToReal(text, what);
}

void
Read(const std::string& text, const std::string& what, bool& value)
{
    value = FabricText::ToBool(text, what);
}

void
Read(const std::string& text, const std::string& what, Time& value)
{
    value = FabricText::ToTime(text, what);
}

void
Read(const std::string& text, const std::string& what, DataRate& value)
{
    value = FabricText::ToRate(text, what);
}

void
Read(const std::string& text, const std::string&, std::vector<std::string>& value)
{
    value.clear();
    std::istringstream names(text);
    for (std::string one; std::getline(names, one, ',');)
    {
        value.push_back(one);
    }
}

void
Refuse(const std::string& name, const std::string& text, const ProgramOption& field)
{
    throw FabricError(name + " is " + text, std::string("it must be ") + field.kind);
}

} // namespace OptionText
} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "on-off-times.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/onoff-application.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace
{

/// @param variable a random variable @param name of an attribute that is a number @return it
double
NumberOf(const RandomVariableStream& variable, const std::string& name)
{
    DoubleValue value;
    variable.GetAttribute(name, value);
    return value.Get();
}

/// @param number any @return it for people
std::string
Text(double number)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%g", number);
    return text;
}

/// @return what a random variable does not go below; of those whose values a C++ program gives, and
/// of counts, 0
double
LowestOf(const RandomVariableStream& variable)
{
    // These never go below the least of some attributes, or below 0 unless one of them is.
    static const std::map<std::string, std::vector<std::string>> bounds{
        {"ns3::ConstantRandomVariable", {"Constant"}},
        {"ns3::UniformRandomVariable", {"Min", "Max"}},
        {"ns3::SequentialRandomVariable", {"Min", "Max"}},
        {"ns3::TriangularRandomVariable", {"Min", "Max"}},
        {"ns3::ExponentialRandomVariable", {"Mean"}},
        {"ns3::ParetoRandomVariable", {"Scale"}},
        {"ns3::WeibullRandomVariable", {"Scale"}},
        {"ns3::GammaRandomVariable", {"Beta"}},
        {"ns3::ErlangRandomVariable", {"Lambda"}}};
    constexpr double NONE = std::numeric_limits<double>::infinity();
    const std::string type = variable.GetInstanceTypeId().GetName();
    if (type == "ns3::NormalRandomVariable")
    {
        const double mean = NumberOf(variable, "Mean");
        return NumberOf(variable, "Variance") == 0 ? mean : mean - NumberOf(variable, "Bound");
    }
    if (type == "ns3::LaplacianRandomVariable")
    {
        const double bound = NumberOf(variable, "Bound"); // 0: none
        return bound == 0 ? -NONE : NumberOf(variable, "Location") - bound;
    }
    if (type == "ns3::LargestExtremeValueRandomVariable")
    {
        return -NONE;
    }
    const auto found = bounds.find(type);
    double lowest = found == bounds.end() ? 0 : NONE;
    for (const std::string& name :
         found == bounds.end() ? std::vector<std::string>() : found->second)
    {
        lowest = std::min(lowest, NumberOf(variable, name));
    }
    return lowest;
}

} // namespace

void
RequireTimesFromZero(const Application& application)
{
    if (!dynamic_cast<const OnOffApplication*>(&application))
    {
        return;
    }
    for (const char* name : {"OnTime", "OffTime"})
    {
        PointerValue pointer;
        application.GetAttribute(name, pointer);
        const auto variable = pointer.Get<RandomVariableStream>();
        if (!variable || LowestOf(*variable) >= 0)
        {
            continue;
        }
        const std::string type = variable->GetInstanceTypeId().GetName();
        const std::string what = std::string("the ") + name + " of ns3::OnOffApplication is ";
        if (type == "ns3::ConstantRandomVariable")
        {
            throw FabricError(what + Text(LowestOf(*variable)) + " s", "it must be 0 or more");
        }
        throw FabricError(what + "a " + type + " whose values may be below 0",
                          type == "ns3::NormalRandomVariable"
                              ? "choose its Bound, at most the Mean, or another type"
                              : "choose one whose values are 0 or more");
    }
}

} // namespace ns3

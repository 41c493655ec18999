// SPDX-License-Identifier: GPL-2.0-only

// Lists every type of the module with its attributes and trace sources, one a line, fields parted
// by tabs; utils/list-attributes makes the tables of the chapter "attributes" from it:
//
//   type       name  parent  yes (has a constructor) or no
//   attribute  name  default  kind of value  values allowed  access  help
//   trace      name  callback  help

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A time with the largest unit that needs no fraction.
std::string
TimeText(const Time& time)
{
    const Time::Unit units[] = {Time::S, Time::MS, Time::US, Time::NS, Time::PS};
    const char* names[] = {"s", "ms", "us", "ns", "ps"};
    for (std::size_t i = 0; i < std::size(units); ++i)
    {
        const int64_t whole = time.ToInteger(units[i]);
        if (Time::FromInteger(whole, units[i]) == time)
        {
            return std::to_string(whole) + (whole == 0 ? "" : names[i]);
        }
    }
    return std::to_string(time.GetTimeStep()) + " ticks";
}

/// A rate with the largest unit that needs no fraction.
std::string
RateText(const DataRate& rate)
{
    uint64_t bits = rate.GetBitRate();
    const char* names[] = {"bps", "kbps", "Mbps", "Gbps"};
    std::size_t unit = 0;
    while (bits != 0 && bits % 1000 == 0 && unit + 1 < std::size(names))
    {
        bits /= 1000;
        ++unit;
    }
    return bits == 0 ? "0" : std::to_string(bits) + names[unit];
}

std::string
DefaultText(const TypeId::AttributeInformation& info)
{
    if (auto time = DynamicCast<const TimeValue>(info.originalInitialValue))
    {
        return TimeText(time->Get());
    }
    if (auto rate = DynamicCast<const DataRateValue>(info.originalInitialValue))
    {
        return RateText(rate->Get());
    }
    if (DynamicCast<const PointerValue>(info.originalInitialValue))
    {
        return "";
    }
    return info.originalInitialValue->SerializeToString(info.checker);
}

void
Print(TypeId type)
{
    std::cout << "type\t" << type.GetName() << '\t' << type.GetParent().GetName() << '\t'
              << (type.HasConstructor() ? "yes" : "no") << '\n';
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        const auto* const used = FindAccessor<UsedAccessor>(PeekPointer(info.accessor));
        const bool settable = (info.flags & (TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT)) != 0 &&
                              info.accessor->HasSetter();
        std::cout << "attribute\t" << info.name << '\t' << DefaultText(info) << '\t'
                  << info.checker->GetValueTypeName() << '\t'
                  << (info.checker->HasUnderlyingTypeInformation()
                          ? info.checker->GetUnderlyingTypeInformation()
                          : "")
                  << '\t' << (settable ? "set" : "get") << '\t' << info.help
                  << (used ? std::string(". Needs ") + used->GetNeed() : "") << '\n';
    }
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const TypeId::TraceSourceInformation info = type.GetTraceSource(i);
        std::cout << "trace\t" << info.name << '\t' << info.callback << '\t' << info.help << '\n';
    }
}

} // namespace

int
main()
{
    Time::SetResolution(Time::PS);
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName().rfind("Lossless", 0) == 0)
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](TypeId a, TypeId b) {
        return a.GetName() < b.GetName();
    });
    for (const TypeId& type : types)
    {
        Print(type);
    }
    return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "exact-text.h"

#include "ns3/double.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// A number that writes all of its digits, wherever ns-3 asks for its text.
class ExactDouble : public DoubleValue
{
  public:
    using DoubleValue::DoubleValue;

    Ptr<AttributeValue> Copy() const override
    {
        return Create<ExactDouble>(Get());
    }

    std::string SerializeToString(Ptr<const AttributeChecker> /* checker */) const override
    {
        return ExactText(Get());
    }
};

} // namespace

Ptr<AttributeValue>
ExactValue(const AttributeValue& value)
{
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return Create<ExactDouble>(number->Get());
    }
    return value.Copy();
}

std::string
ExactText(const Time& time)
{
    for (const auto& [unit, name] : {std::pair{Time::S, "s"},
                                     std::pair{Time::MS, "ms"},
                                     std::pair{Time::US, "us"},
                                     std::pair{Time::NS, "ns"}})
    {
        const int64_t count = time.ToInteger(unit);
        const Time whole = Time::FromInteger(static_cast<uint64_t>(std::abs(count)), unit);
        if ((count < 0 ? Time(0) - whole : whole) == time)
        {
            return std::to_string(count) + name;
        }
    }
    return std::to_string(time.GetPicoSeconds()) + "ps";
}

std::string
ExactText(const DataRate& rate)
{
    uint64_t count = rate.GetBitRate();
    std::size_t unit = 0;
    constexpr const char* units[] = {"bps", "kbps", "Mbps", "Gbps"};
    for (; count && count % 1000 == 0 && unit + 1 < std::size(units); ++unit)
    {
        count /= 1000;
    }
    return std::to_string(count) + units[unit];
}

std::string
ExactText(double number)
{
    char text[32];
    int digits = 6; // those of ns-3
    do
    {
        std::snprintf(text, sizeof(text), "%.*g", digits++, number);
    } while (digits <= std::numeric_limits<double>::max_digits10 &&
             std::strtod(text, nullptr) != number);
    return text;
}

std::string
ExactText(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return ExactText(time->Get());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return ExactText(rate->Get());
    }
    const auto* number = dynamic_cast<const DoubleValue*>(&value);
    return number ? ExactText(number->Get()) : value.SerializeToString(checker);
}

} // namespace ns3

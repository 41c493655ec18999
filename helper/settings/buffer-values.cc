// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-values.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/switch-mmu.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

using Config = MmuClassConfig;
constexpr auto ALPHA = &Config::alpha;
constexpr auto STATIC = &Config::staticBytes;
constexpr auto EGRESS_ALPHA = &Config::egressAlpha;
constexpr auto EGRESS_STATIC = &Config::egressStaticBytes;

const ClassValue CLASS_VALUES[] = {
    {"Alpha", ClassValue::LOSSLESS, true, ALPHA, STATIC, "StaticThreshold"},
    {"LossyAlpha", ClassValue::LOSSY, true, ALPHA, STATIC},
    {"EgressAlpha", ClassValue::QUEUES, true, EGRESS_ALPHA, EGRESS_STATIC, "EgressStaticThreshold"},
    {"XonOffset", ClassValue::LOSSLESS, true, nullptr, &Config::xonOffsetBytes},
    {"GuaranteedBytes", ClassValue::ALL, true, nullptr, &Config::guaranteedBytes},
    {"EgressGuaranteedBytes", ClassValue::QUEUES, true, nullptr, &Config::egressGuaranteedBytes},
    // No attributes: the switch computes the headroom, and thresholds are dynamic.
    {"Headroom", ClassValue::LOSSLESS, false, nullptr, nullptr},
    {"StaticThreshold", ClassValue::LOSSLESS, false, ALPHA, STATIC, "Alpha"},
    {"EgressStaticThreshold",
     ClassValue::QUEUES,
     false,
     EGRESS_ALPHA,
     EGRESS_STATIC,
     "EgressAlpha"},
    {"ServicePool", ClassValue::ALL, false, nullptr, nullptr},
};

const PortValue PORT_VALUES[] = {
    {"PortLimit", &MmuPortConfig::limitBytes},
    {"EgressPortLimit", &MmuPortConfig::egressLimitBytes},
};

/// @param values a table @return the one that a setting is about; null: none
template <typename Table>
auto
FindIn(const Table& values, const FabricSetting& setting)
{
    const auto found = std::find_if(std::begin(values), std::end(values), [&](const auto& value) {
        return value.name == setting.name;
    });
    const bool isMmu = setting.type == SwitchMmu::GetTypeId();
    return isMmu && found != std::end(values) ? found : nullptr;
}

} // namespace

uint64_t
BytesOf(const AttributeValue& value)
{
    return dynamic_cast<const UintegerValue&>(value).Get();
}

double
RealOf(const AttributeValue& value)
{
    return dynamic_cast<const DoubleValue&>(value).Get();
}

void
ClassValue::Set(MmuClassConfig& config, const AttributeValue& value) const
{
    Clear(config);
    if (const auto* const text = dynamic_cast<const StringValue*>(&value))
    {
        config.pool = SwitchMmu::NameOf(text->Get());
    }
    else if (const auto* const share = dynamic_cast<const DoubleValue*>(&value))
    {
        config.*alpha = share->Get();
    }
    else if (bytes)
    {
        config.*bytes = BytesOf(value);
    }
    else
    {
        config.kind = MmuClassConfig::LOSSLESS;
        config.headroomBytes = BytesOf(value);
    }
}

void
ClassValue::Clear(MmuClassConfig& config) const
{
    if (alpha)
    {
        (config.*alpha).reset();
    }
    if (bytes)
    {
        (config.*bytes).reset();
    }
}

const ClassValue*
ClassValue::Find(const FabricSetting& setting)
{
    return FindIn(CLASS_VALUES, setting);
}

const PortValue*
PortValue::Find(const FabricSetting& setting)
{
    return FindIn(PORT_VALUES, setting);
}

} // namespace ns3

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

/// Take a threshold: an alpha, or bytes in its place. @tparam IN its member @tparam OUT that of the
/// other one @tparam READ the value
template <auto IN, auto OUT, auto READ>
void
SetThreshold(MmuClassConfig& config, const AttributeValue& value)
{
    config.*IN = READ(value);
    (config.*OUT).reset();
}

/// Take the threshold of the switch again. @tparam ALPHA, BYTES its members
template <auto ALPHA, auto BYTES>
void
ClearThreshold(MmuClassConfig& config)
{
    (config.*ALPHA).reset();
    (config.*BYTES).reset();
}

/// Take a number of bytes. @tparam BYTES its member
template <auto BYTES>
void
SetBytes(MmuClassConfig& config, const AttributeValue& value)
{
    config.*BYTES = BytesOf(value);
}

/// Take the number of bytes of the switch again. @tparam BYTES its member
template <auto BYTES>
void
ClearBytes(MmuClassConfig& config)
{
    (config.*BYTES).reset();
}

using Config = MmuClassConfig;
constexpr auto ALPHA = &Config::alpha;
constexpr auto STATIC = &Config::staticBytes;
constexpr auto EGRESS_ALPHA = &Config::egressAlpha;
constexpr auto EGRESS_STATIC = &Config::egressStaticBytes;
constexpr auto XON_OFFSET = &Config::xonOffsetBytes;
constexpr auto GUARANTEED = &Config::guaranteedBytes;
constexpr auto EGRESS_GUARANTEED = &Config::egressGuaranteedBytes;

const ClassValue CLASS_VALUES[] = {
    {"Alpha",
     ClassValue::LOSSLESS,
     SetThreshold<ALPHA, STATIC, RealOf>,
     ClearThreshold<ALPHA, STATIC>,
     "StaticThreshold"},
    {"LossyAlpha",
     ClassValue::LOSSY,
     SetThreshold<ALPHA, STATIC, RealOf>,
     ClearThreshold<ALPHA, STATIC>},
    {"EgressAlpha",
     ClassValue::LOSSY,
     SetThreshold<EGRESS_ALPHA, EGRESS_STATIC, RealOf>,
     ClearThreshold<EGRESS_ALPHA, EGRESS_STATIC>,
     "EgressStaticThreshold"},
    {"XonOffset", ClassValue::LOSSLESS, SetBytes<XON_OFFSET>, ClearBytes<XON_OFFSET>},
    {"GuaranteedBytes", ClassValue::ALL, SetBytes<GUARANTEED>, ClearBytes<GUARANTEED>},
    {"EgressGuaranteedBytes",
     ClassValue::LOSSY,
     SetBytes<EGRESS_GUARANTEED>,
     ClearBytes<EGRESS_GUARANTEED>},
    // No attributes: the switch computes the headroom, and thresholds are dynamic.
    {"Headroom",
     ClassValue::LOSSLESS,
     [](Config& config, const AttributeValue& value) {
         config.kind = Config::LOSSLESS;
         config.headroomBytes = BytesOf(value);
     },
     nullptr},
    {"StaticThreshold",
     ClassValue::LOSSLESS,
     SetThreshold<STATIC, ALPHA, BytesOf>,
     nullptr,
     "Alpha"},
    {"EgressStaticThreshold",
     ClassValue::LOSSY,
     SetThreshold<EGRESS_STATIC, EGRESS_ALPHA, BytesOf>,
     nullptr,
     "EgressAlpha"},
    {"ServicePool",
     ClassValue::ALL,
     [](Config& config, const AttributeValue& value) {
         config.pool = SwitchMmu::NameOf(dynamic_cast<const StringValue&>(value).Get());
     },
     nullptr},
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

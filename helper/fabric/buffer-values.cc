// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-values.h"

#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

std::string
Text(const AttributeValue& value)
{
    return dynamic_cast<const StringValue&>(value).Get();
}

/// For ClassValue::set: a setter of SwitchMmu, and what reads its value.
template <auto SETTER, auto READ>
void
SetClassValue(SwitchMmu& mmu, uint32_t port, uint32_t cls, const AttributeValue& value)
{
    (mmu.*SETTER)(port, cls, READ(value));
}

const ClassValue CLASS_VALUES[] = {
    {"Alpha",
     ClassValue::LOSSLESS,
     SetClassValue<&SwitchMmu::SetAlpha, RealOf>,
     [](MmuClassConfig& c) {
         c.alpha.reset();
         c.staticBytes.reset();
     },
     "StaticThreshold"},
    {"LossyAlpha",
     ClassValue::LOSSY,
     SetClassValue<&SwitchMmu::SetAlpha, RealOf>,
     [](MmuClassConfig& c) {
         c.alpha.reset();
         c.staticBytes.reset();
     }},
    {"EgressAlpha",
     ClassValue::LOSSY,
     SetClassValue<&SwitchMmu::SetEgressAlpha, RealOf>,
     [](MmuClassConfig& c) {
         c.egressAlpha.reset();
         c.egressStaticBytes.reset();
     },
     "EgressStaticThreshold"},
    {"XonOffset",
     ClassValue::LOSSLESS,
     SetClassValue<&SwitchMmu::SetXonOffset, BytesOf>,
     [](MmuClassConfig& c) { c.xonOffsetBytes.reset(); }},
    {"GuaranteedBytes",
     ClassValue::ALL,
     SetClassValue<&SwitchMmu::SetGuaranteed, BytesOf>,
     [](MmuClassConfig& c) { c.guaranteedBytes.reset(); }},
    {"EgressGuaranteedBytes",
     ClassValue::LOSSY,
     SetClassValue<&SwitchMmu::SetEgressGuaranteed, BytesOf>,
     [](MmuClassConfig& c) { c.egressGuaranteedBytes.reset(); }},
    // No attributes: the switch computes the headroom, and thresholds are dynamic.
    {"Headroom", ClassValue::LOSSLESS, SetClassValue<&SwitchMmu::SetLossless, BytesOf>, nullptr},
    {"StaticThreshold",
     ClassValue::LOSSLESS,
     SetClassValue<&SwitchMmu::SetStaticThreshold, BytesOf>,
     nullptr,
     "Alpha"},
    {"EgressStaticThreshold",
     ClassValue::LOSSY,
     SetClassValue<&SwitchMmu::SetEgressStaticThreshold, BytesOf>,
     nullptr,
     "EgressAlpha"},
    {"ServicePool", ClassValue::ALL, SetClassValue<&SwitchMmu::SetServicePool, Text>, nullptr},
};

/// For PortValue::set: a setter of SwitchMmu.
template <auto SETTER>
void
SetPortValue(SwitchMmu& mmu, uint32_t port, uint64_t bytes)
{
    (mmu.*SETTER)(port, bytes);
}

const PortValue PORT_VALUES[] = {
    {"PortLimit",
     SetPortValue<&SwitchMmu::SetPortLimit>,
     [](MmuPortConfig& c) { c.limitBytes.reset(); }},
    {"EgressPortLimit",
     SetPortValue<&SwitchMmu::SetEgressPortLimit>,
     [](MmuPortConfig& c) { c.egressLimitBytes.reset(); }},
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

void
RequireHeadroomPool(const SwitchMmu& mmu, const std::string& name)
{
    DoubleValue ratio;
    mmu.GetAttribute("HeadroomOversubscription", ratio);
    UintegerValue pool;
    mmu.GetAttribute("SharedHeadroomPool", pool);
    if (ratio.Get() != 0 && !(ratio.Get() >= 1))
    {
        throw FabricError("HeadroomOversubscription of " + name + " is " +
                              ExactText(ratio, MakeDoubleChecker<double>()),
                          "it must be 0, or 1 and more");
    }
    if (ratio.Get() != 0 && pool.Get() > 0)
    {
        throw FabricError("both HeadroomOversubscription and SharedHeadroomPool of " + name +
                              " are set",
                          "set one of them");
    }
}

} // namespace ns3

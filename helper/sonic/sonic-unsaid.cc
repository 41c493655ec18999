// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-unsaid.h"

#include "ns3/exact-text.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/pointer.h"
#include "ns3/switch-mmu.h"

namespace ns3
{

namespace
{

/// Name limits that ports have of their own. @param mmu buffer of a switch @param unsaid gets them
void
FindLimits(const SwitchMmu& mmu, std::set<std::string>& unsaid)
{
    for (uint32_t port = 0; port < mmu.GetPortCount(); ++port)
    {
        const MmuPortConfig& config = mmu.GetPortConfig(port);
        if (config.limitBytes.value_or(0) > 0)
        {
            unsaid.insert("PortLimit of ns3::SwitchMmu");
        }
        if (config.egressLimitBytes.value_or(0) > 0)
        {
            unsaid.insert("EgressPortLimit of ns3::SwitchMmu");
        }
    }
}

/// Find attributes of an object that were set, and that no field says.
/// @param object a part of a switch @param said attributes for which there are fields
/// @param unsaid gets the others
void
FindAttributes(const Object& object,
               const std::set<std::string>& said,
               std::set<std::string>& unsaid)
{
    for (TypeId type = object.GetInstanceTypeId(); type.GetGroupName() == "Lossless";
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const auto both = TypeId::ATTR_GET | TypeId::ATTR_SET;
            const bool isObject = dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)) ||
                                  dynamic_cast<const TypeIdChecker*>(PeekPointer(info.checker));
            if (isObject || (info.flags & both) != both || said.count(info.name))
            {
                continue;
            }
            const Ptr<AttributeValue> value = info.checker->Create();
            object.GetAttribute(info.name, *value);
            if (ExactText(*value, info.checker) !=
                ExactText(*info.originalInitialValue, info.checker))
            {
                unsaid.insert(info.name + " of " + type.GetName());
            }
        }
    }
}

} // namespace

void
FindUnsaid(const FabricSwitch& fabricSwitch, std::set<std::string>& unsaid)
{
    FindLimits(*fabricSwitch.GetMmu(), unsaid);
    FindAttributes(*fabricSwitch.GetMmu(),
                   {"BufferSize",
                    "Alpha",
                    "LossyAlpha",
                    "LossyShare",
                    "EgressAlpha",
                    "XonOffset",
                    "GuaranteedBytes",
                    "EgressGuaranteedBytes",
                    "SharedHeadroomPool",
                    "HeadroomOversubscription",
                    "ServicePools"},
                   unsaid);
    FindAttributes(fabricSwitch, {"EcnEnabled", "DropNonEct"}, unsaid);
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        const auto extension = fabricSwitch.GetExtension(i);
        if (DynamicCast<PfcWatchdog>(extension))
        {
            FindAttributes(*extension,
                           {"Action",
                            "BigRedSwitch",
                            "Classes",
                            "DetectionTime",
                            "PollInterval",
                            "Ports",
                            "RestorationTime",
                            "TimeScale"},
                           unsaid);
        }
        else if (extension != fabricSwitch.GetEcnMarker())
        {
            unsaid.insert("the extension " + extension->GetInstanceTypeId().GetName());
        }
    }
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        const auto device = fabricSwitch.GetPort(port);
        FindAttributes(*device, {"Address", "DataRate", "Mtu", "PfcClasses", "PfcEnabled"}, unsaid);
        FindAttributes(*device->GetScheduler(),
                       {"Burst",
                        "MaxRates",
                        "MinRates",
                        "PortRate",
                        "RoundUnit",
                        "StrictClasses",
                        "StrictRate",
                        "Weights"},
                       unsaid);
    }
}

} // namespace ns3

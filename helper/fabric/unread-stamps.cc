// SPDX-License-Identifier: GPL-2.0-only
#include "unread-stamps.h"

#include "fabric.h"
#include "named-once.h"
#include "switch-extensions.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-switch.h"
#include "ns3/int-stamper.h"

#include <string>

namespace ns3
{

namespace
{

/// What NoteOnce() keeps of a fabric of AllowUnreadStamps().
constexpr const char* STAMPS_ALLOWED = "stamps may be unread";

/// An attribute of ns3::IntStamper that is for stamps of some kinds alone. Those that must be equal
/// at both ends are named with the congestion control.
struct StampReading
{
    const char* name;  //!< of the attribute
    bool isOfPint;     //!< for PINT; else for records of hops
    const char* right; //!< what reads it, for people
};

const StampReading STAMP_READINGS[] = {
    {"MaxRtt", true, "it needs a congestion control with Telemetry Pint"},
    {"SwitchId", false, "it needs a congestion control with Telemetry Fixed or Growing"},
};

/// @return whether an attribute of an object is not what it is by default
bool
IsSet(const Object& object, const std::string& name)
{
    TypeId::AttributeInformation info;
    object.GetInstanceTypeId().LookupAttributeByName(name, &info);
    const auto value = info.checker->Create();
    object.GetAttribute(name, *value);
    return ExactText(*value, info.checker) != ExactText(*info.originalInitialValue, info.checker);
}

} // namespace

void
WarnOfUnreadStampsAtEnd(const Fabric& fabric)
{
    const bool hasHops =
        fabric.HasCarried(TelemetryKind::INT) || fabric.HasCarried(TelemetryKind::INT_GROWING);
    const bool hasPint = fabric.HasCarried(TelemetryKind::PINT);
    for (const SwitchId which : fabric.Switches())
    {
        for (const auto& stamper : ExtensionsOf<IntStamper>(*fabric.GetSwitch(which)))
        {
            if (!hasHops && !hasPint)
            {
                WarnOnce(fabric,
                         "ns3::IntStamper of switches has no effect",
                         "no congestion control reads INT");
                return;
            }
            for (const StampReading& reading : STAMP_READINGS)
            {
                const bool isSaid =
                    IsSet(*stamper, reading.name) &&
                    (!IsNoted(fabric, STAMPS_ALLOWED) ||
                     fabric.GetOptions().Has(IntStamper::GetTypeId(), reading.name));
                if (isSaid && !(reading.isOfPint ? hasPint : hasHops))
                {
                    WarnOnce(fabric,
                             "ns3::IntStamper::" + std::string(reading.name) +
                                 " of switches has no effect",
                             reading.right);
                }
            }
        }
    }
}

void
AllowUnreadStamps(const Fabric& fabric)
{
    NoteOnce(fabric, STAMPS_ALLOWED);
}

} // namespace ns3

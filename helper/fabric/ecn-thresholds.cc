// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-thresholds.h"

#include "class-list.h"
#include "fabric-places.h"
#include "named-once.h"

#include "ns3/boolean.h"
#include "ns3/ecn-marker.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-warning.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace ns3
{

namespace
{

/// What NoteOnce() keeps of a fabric with ECN thresholds by speed.
constexpr const char* THRESHOLDS = "ECN thresholds by the speed of a port";

/// @return whether a switch marks by ECN thresholds
bool
UsesCurve(const FabricSwitch& fabricSwitch)
{
    return fabricSwitch.IsEcnEnabled() && DynamicCast<WredEcnMarker>(fabricSwitch.GetEcnMarker());
}

/// @return whether an attribute of an object has another value than its type gives it
bool
IsSaid(const Object& object, const std::string& name)
{
    TypeId::AttributeInformation info;
    object.GetInstanceTypeId().LookupAttributeByName(name, &info);
    const auto value = info.checker->Create();
    object.GetAttribute(name, *value);
    return ExactText(*value, info.checker) != ExactText(*info.originalInitialValue, info.checker);
}

/// What no queue of a switch reads of its marker: the curve at its own speed says it.
struct IdleAttribute
{
    const char* name; //!< of the attribute
    uint8_t values;   //!< those of WredEcnMarker::CurveValue that it is for
};

const IdleAttribute IDLE_ATTRIBUTES[] = {
    {"Kmin", WredEcnMarker::KMIN},
    {"Kmax", WredEcnMarker::KMAX},
    {"Pmax", WredEcnMarker::PMAX},
    {"ReferenceRate", WredEcnMarker::KMIN | WredEcnMarker::KMAX},
};

/// @param marker of a switch @param ports how many it has @return values of its attributes that no
/// queue uses, mask of WredEcnMarker::CurveValue
uint8_t
IdleValues(const WredEcnMarker& marker, uint32_t ports)
{
    uint8_t idle = WredEcnMarker::WHOLE_CURVE;
    for (uint32_t port = 0; port < ports; ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            idle &= marker.GetOwnValues(port, cls);
        }
    }
    return idle;
}

/// @param marker of a switch @param port of it @return mask of the classes that have thresholds of
/// their own beyond those that all classes of the port have
uint8_t
ClassesOfOwn(const WredEcnMarker& marker, uint32_t port)
{
    uint8_t common = WredEcnMarker::WHOLE_CURVE;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        common &= marker.GetOwnValues(port, cls);
    }
    uint8_t classes = 0;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        classes |= marker.GetOwnValues(port, cls) & ~common ? 1U << cls : 0;
    }
    return classes;
}

/// Name thresholds of exactly a class that Classes of their marker leaves out.
/// @param fabric that has the switch @param which the switch
/// @return whether there are some
bool
WarnOfUnmarkedClasses(const Fabric& fabric, SwitchId which)
{
    const auto fabricSwitch = fabric.GetSwitch(which);
    const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker());
    UintegerValue mask;
    marker->GetAttribute("Classes", mask);
    const NodeId node = fabric.GetTopology().NodeOf(which);
    uint8_t marked = 0; // now or before
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const std::string note = "class " + std::to_string(cls) + " is marked at " + node.Name();
        if (mask.Get() & (1U << cls))
        {
            NoteOnce(fabric, note);
        }
        marked |= IsNoted(fabric, note) ? 1U << cls : 0;
    }
    for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
    {
        const uint8_t idle = ClassesOfOwn(*marker, port) & ~marked;
        if (idle)
        {
            WarnOnce(fabric,
                     "the ECN thresholds of class " + ClassList(idle) + " of " +
                         FabricPlaces::NameOf(fabric.GetTopology(), node) + " have no effect",
                     "Classes of its ns3::WredEcnMarker leaves the class out");
            return true;
        }
    }
    return false;
}

/// @return whether some queue of a switch has thresholds of its own
bool
HasOwnCurves(const FabricSwitch& fabricSwitch, const WredEcnMarker& marker)
{
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (marker.HasOwnCurve(port, cls))
            {
                return true;
            }
        }
    }
    return false;
}

} // namespace

bool
IsIdleOfCurves(const FabricSwitch& fabricSwitch, const std::string& name)
{
    const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch.GetEcnMarker());
    const uint8_t idle = marker ? IdleValues(*marker, fabricSwitch.GetNPorts()) : uint8_t{0};
    return std::any_of(std::begin(IDLE_ATTRIBUTES),
                       std::end(IDLE_ATTRIBUTES),
                       [&](const IdleAttribute& one) {
                           return one.name == name && (idle & one.values) == one.values;
                       });
}

void
SetThresholds(const FabricRecipe& recipe, const std::vector<Ptr<FabricSwitch>>& switches)
{
    uint8_t values = 0; // for which there are options, which win
    for (const std::string name : {"Kmin", "Kmax", "Pmax"})
    {
        const bool isOption = recipe.options.Has(WredEcnMarker::GetTypeId(), name);
        values |= isOption ? WredEcnMarker::CurveValueOf(name) : 0;
    }
    for (const auto& fabricSwitch : switches)
    {
        const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker());
        for (uint32_t port = 0; marker && port < fabricSwitch->GetNPorts(); ++port)
        {
            const uint64_t rate = fabricSwitch->GetPort(port)->GetDataRate().GetBitRate();
            for (const FabricRecipe::EcnThresholds& thresholds : recipe.thresholds)
            {
                if (thresholds.bitsPerSecond != rate)
                {
                    continue;
                }
                marker->SetThresholds(port, thresholds.kmin, thresholds.kmax, thresholds.pmax);
                for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
                {
                    marker->ClearThresholds(port, cls, values);
                }
            }
        }
    }
}

void
WarnOfThresholds(const FabricRecipe& recipe, const Fabric& fabric)
{
    std::vector<Ptr<FabricSwitch>> switches;
    for (const SwitchId which : fabric.Switches())
    {
        switches.push_back(fabric.GetSwitch(which));
    }
    if (!recipe.thresholds.empty())
    {
        NoteOnce(fabric, THRESHOLDS);
    }
    const bool isEnabled = std::any_of(switches.begin(), switches.end(), [](const auto& one) {
        return one->IsEcnEnabled();
    });
    if (recipe.ecn.IsTypeIdSet() && !isEnabled)
    {
        PrintWarning("the ECN marker " + recipe.ecn.GetTypeId().GetName() + " has no effect",
                     "no switch has EcnEnabled");
    }
    for (const FabricRecipe::EcnThresholds& thresholds : recipe.thresholds)
    {
        bool isUsed = false;
        for (const auto& fabricSwitch : switches)
        {
            const bool uses = UsesCurve(*fabricSwitch);
            for (uint32_t port = 0; uses && port < fabricSwitch->GetNPorts(); ++port)
            {
                isUsed = isUsed || fabricSwitch->GetPort(port)->GetDataRate().GetBitRate() ==
                                       thresholds.bitsPerSecond;
            }
        }
        if (!isUsed)
        {
            PrintWarning("the ECN thresholds for " + std::to_string(thresholds.bitsPerSecond) +
                             " bit/s have no effect",
                         "no port of a switch has that speed, a WredEcnMarker and EcnEnabled");
        }
    }
}

void
WarnOfIdleCurves(const Fabric& fabric)
{
    const std::string right = IsNoted(fabric, THRESHOLDS)
                                  ? "the ECN thresholds for the speeds of its ports say what it is"
                                  : "each of its queues has ECN thresholds of its own";
    for (const IdleAttribute& one : IDLE_ATTRIBUTES)
    {
        for (const SwitchId which : fabric.Switches())
        {
            const auto fabricSwitch = fabric.GetSwitch(which);
            if (UsesCurve(*fabricSwitch) && IsSaid(*fabricSwitch->GetEcnMarker(), one.name) &&
                IsIdleOfCurves(*fabricSwitch, one.name))
            {
                const NodeId node = fabric.GetTopology().NodeOf(which);
                WarnOnce(fabric,
                         std::string("ns3::WredEcnMarker::") + one.name + " of " +
                             FabricPlaces::NameOf(fabric.GetTopology(), node) + " has no effect",
                         right);
                break; // one line says it of all
            }
        }
    }
}

void
WarnOfIdleThresholds(const Fabric& fabric)
{
    bool isRead = false; // thresholds of places, where some switch that has them marks
    bool isNamed = false;
    std::string idle;
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker());
        const NodeId node = fabric.GetTopology().NodeOf(which);
        const std::string note = node.Name() + " marks";
        if (fabricSwitch->IsEcnEnabled())
        {
            NoteOnce(fabric, note); // a later change may leave its thresholds without an effect
        }
        if (!marker || !HasOwnCurves(*fabricSwitch, *marker))
        {
            continue;
        }
        if (fabricSwitch->IsEcnEnabled())
        {
            isRead = true;
            // One line says it of all.
            isNamed = isNamed || WarnOfUnmarkedClasses(fabric, which);
        }
        else if (idle.empty() && !IsNoted(fabric, note))
        {
            idle = FabricPlaces::NameOf(fabric.GetTopology(), node);
        }
    }
    // Another line names thresholds by speed that nobody reads.
    if (!idle.empty() && !isRead && !IsNoted(fabric, THRESHOLDS))
    {
        WarnOnce(fabric,
                 "the ECN thresholds of ports and classes of " + idle + " have no effect",
                 "EcnEnabled is false there");
    }
}

} // namespace ns3

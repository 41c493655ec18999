// SPDX-License-Identifier: GPL-2.0-only
#include "slow-parts.h"

#include "fabric-places.h"
#include "named-once.h"
#include "switch-extensions.h"
#include "type-relation.h"
#include "unused-settings.h"

#include "ns3/boolean.h"
#include "ns3/deadlock-detector.h"
#include "ns3/ecn-marker.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-switch.h"
#include "ns3/nic-watchdog.h"
#include "ns3/node.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/switch-extension.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

namespace
{

// Kinds of parts.
const std::string WATCHDOGS = "watchdogs";
const std::string DETECTOR = "detector";

/// How long a part takes for what it does.
struct Slow
{
    std::string kind;                //!< one line says it of all of a kind
    NodeId node;                     //!< where the part is
    Time time;                       //!< how long it takes
    bool isNamed;                    //!< whether it is named if that is too long
    std::string what;                //!< what came of it then
    std::string why;                 //!< and why
    std::optional<uint64_t> looks{}; //!< how often the part has looked; none: it does not count
};

/// A type of parts of switches that look at intervals.
struct Poll
{
    const char* type;      //!< of the part
    const char* attribute; //!< its interval
    const char* lacks;     //!< what came of it where the interval is too long
    bool byDefault;        //!< named where the interval is the usual one, too
    bool needsEcn;         //!< without EcnEnabled it has no effect anyway
};

const Poll POLLS[] = {
    {"ns3::EcnTuner", "Interval", " has changed nothing", true, true},
    {"ns3::SwitchCnpSender", "Interval", " has sent no CNP", false, false},
    {"ns3::PolledWredMarker", "PollInterval", " has marked nothing", false, true},
};

/// @return value of an attribute of an object
Time
TimeOf(const Object& object, const std::string& attribute)
{
    TimeValue value;
    object.GetAttribute(attribute, value);
    return value.Get();
}

/// @return whether an attribute of an object has another value than it has by default
bool
IsUnusual(const Object& object, const std::string& attribute)
{
    TypeId::AttributeInformation info;
    return object.GetInstanceTypeId().LookupAttributeByName(attribute, &info) &&
           DynamicCast<const TimeValue>(info.originalInitialValue)->Get() !=
               TimeOf(object, attribute);
}

/// @param parts gets those of a switch that look at intervals
void
AddPolls(const Fabric& fabric, SwitchId which, std::vector<Slow>& parts)
{
    const auto fabricSwitch = fabric.GetSwitch(which);
    const NodeId node = fabric.GetTopology().NodeOf(which);
    const Ptr<const SwitchExtension> marker = fabricSwitch->GetEcnMarker();
    std::vector<Ptr<const SwitchExtension>> all(marker ? 1 : 0, marker);
    BooleanValue hasEcn;
    fabricSwitch->GetAttribute("EcnEnabled", hasEcn);
    for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
    {
        all.emplace_back(fabricSwitch->GetExtension(i)); // the marker once more changes nothing
    }
    for (const Poll& poll : POLLS)
    {
        const TypeId type = TypeId::LookupByName(poll.type);
        for (const auto& part : all)
        {
            const TypeId its = part->GetInstanceTypeId();
            if (IsA(its, type) && (hasEcn.Get() || !poll.needsEcn))
            {
                parts.push_back({poll.type,
                                 node,
                                 TimeOf(*part, poll.attribute),
                                 poll.byDefault || IsUnusual(*part, poll.attribute),
                                 its.GetName() + " of " +
                                     FabricPlaces::NameOf(fabric.GetTopology(), node) + poll.lacks,
                                 "its " + std::string(poll.attribute) + " is longer than the run",
                                 part->CountLooks()});
            }
        }
    }
}

/// @param parts gets the watchdog of a node that takes longest to detect a storm, if there is one
/// and its times are known
void
AddWatchdog(const Fabric& fabric, NodeId node, std::vector<Slow>& parts)
{
    std::string type;
    Time slowest(0);
    const auto look = [&](const Object& watchdog, Time detection) {
        if (detection > slowest)
        {
            type = watchdog.GetInstanceTypeId().GetName();
            slowest = detection;
        }
    };
    if (const auto nic = fabric.GetNode(node)->GetObject<NicWatchdog>())
    {
        look(*nic, nic->GetDetectionTime());
    }
    const SwitchId which = fabric.GetTopology().SwitchAt(node);
    if (!which.IsNone())
    {
        for (const auto& watchdog : ExtensionsOf<PfcWatchdog>(*fabric.GetSwitch(which)))
        {
            look(*watchdog, TimeStep(watchdog->GetTimes().detection));
        }
    }
    if (!slowest.IsZero())
    {
        parts.push_back({WATCHDOGS,
                         node,
                         slowest,
                         true,
                         type + " of " + FabricPlaces::NameOf(fabric.GetTopology(), node) +
                             " could find no storm",
                         "it detects one after " + ExactText(slowest) +
                             ", longer than the run; see its DetectionTime and TimeScale"});
    }
}

/// @return all parts that take some time, by node
std::vector<Slow>
FindParts(const Fabric& fabric)
{
    std::vector<Slow> parts;
    for (const SwitchId which : fabric.Switches())
    {
        AddPolls(fabric, which, parts);
    }
    if (const auto detector = fabric.GetDeadlockDetector())
    {
        parts.push_back({DETECTOR,
                         NodeId(0),
                         2 * TimeOf(*detector, "Period"),
                         IsUnusual(*detector, "Period"),
                         "the deadlock detector could find nothing",
                         "two of its Periods are longer than the run"});
    }
    for (const NodeId node : fabric.GetTopology().Nodes())
    {
        AddWatchdog(fabric, node, parts);
    }
    return parts;
}

} // namespace

SlowParts::SlowParts(const Fabric& fabric)
    : m_fabric(fabric)
{
    for (const Slow& part : FindParts(fabric))
    {
        Before& before = m_before[{part.kind, part.node}];
        before.longest = std::max(before.longest, part.time);
        before.looks = std::max(before.looks, part.looks.value_or(0));
    }
}

void
SlowParts::Warn(Time length) const
{
    std::set<std::string> named; // kinds
    if (HasIdleWatchdogs(m_fabric))
    {
        named = {WATCHDOGS, DETECTOR}; // that is why, and has a line
    }
    for (const Slow& part : FindParts(m_fabric))
    {
        const auto before = m_before.find({part.kind, part.node});
        const bool isNew = before == m_before.end();
        const bool wasSlow = part.looks ? *part.looks == (isNew ? 0 : before->second.looks)
                                        : isNew || before->second.longest > length;
        if (part.isNamed && part.time > length && wasSlow && named.insert(part.kind).second)
        {
            WarnOnce(m_fabric, part.what, part.why);
        }
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "slow-guards.h"

#include "fabric-places.h"
#include "named-once.h"
#include "switch-extensions.h"
#include "unused-settings.h"

#include "ns3/deadlock-detector.h"
#include "ns3/ecn-tuner.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-switch.h"
#include "ns3/nic-watchdog.h"
#include "ns3/node.h"
#include "ns3/pfc-watchdog.h"

#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// @param object an object @param name of an attribute that is a time @return whether it has
/// another value than objects that nobody has set
bool
IsSet(const ObjectBase& object, const std::string& name)
{
    TypeId::AttributeInformation info;
    TimeValue now;
    return object.GetInstanceTypeId().LookupAttributeByName(name, &info) &&
           object.GetAttributeFailSafe(name, now) &&
           now.Get() != DynamicCast<const TimeValue>(info.originalInitialValue)->Get();
}

/// @return the watchdog of a node that takes longest to detect a storm, and how long; 0: there is
/// none
std::pair<std::string, Time>
GuardOf(const Fabric& fabric, NodeId node)
{
    std::pair<std::string, Time> slowest;
    const SwitchId which = fabric.GetTopology().SwitchAt(node);
    const auto nic = fabric.GetNode(node)->GetObject<NicWatchdog>();
    if (nic)
    {
        slowest = {nic->GetInstanceTypeId().GetName(), nic->GetDetectionTime()};
    }
    if (!which.IsNone())
    {
        for (const auto& watchdog : ExtensionsOf<PfcWatchdog>(*fabric.GetSwitch(which)))
        {
            const Time detection = TimeStep(watchdog->GetTimes().detection);
            if (detection > slowest.second)
            {
                slowest = {watchdog->GetInstanceTypeId().GetName(), detection};
            }
        }
    }
    return slowest;
}

} // namespace

void
WarnOfSlowTuners(const Fabric& fabric, Time length)
{
    for (const SwitchId which : fabric.Switches())
    {
        for (const auto& tuner : ExtensionsOf<EcnTuner>(*fabric.GetSwitch(which)))
        {
            TimeValue interval;
            tuner->GetAttribute("Interval", interval);
            if (interval.Get() > length)
            {
                WarnOnce(fabric,
                         "ns3::EcnTuner of " +
                             FabricPlaces::NameOf(fabric.GetTopology(),
                                                  fabric.GetTopology().NodeOf(which)) +
                             " has changed nothing",
                         "its Interval is longer than the run");
                return; // one line says it of all
            }
        }
    }
}

void
WarnOfSlowGuards(const Fabric& fabric, Time length)
{
    if (HasIdleWatchdogs(fabric))
    {
        return; // that is why
    }
    if (const auto detector = fabric.GetDeadlockDetector())
    {
        TimeValue period;
        detector->GetAttribute("Period", period);
        if (IsSet(*detector, "Period") && period.Get() > length)
        {
            WarnOnce(fabric,
                     "the deadlock detector could find nothing",
                     "its Period is longer than the run");
        }
    }
    for (const NodeId node : fabric.GetTopology().Nodes())
    {
        const auto [type, detection] = GuardOf(fabric, node);
        if (detection > length)
        {
            WarnOnce(fabric,
                     type + " of " + FabricPlaces::NameOf(fabric.GetTopology(), node) +
                         " could find no storm",
                     "it detects one after " + ExactText(detection) +
                         ", longer than the run; see its DetectionTime and TimeScale");
            return; // one line says it of all
        }
    }
}

} // namespace ns3

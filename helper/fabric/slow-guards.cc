// SPDX-License-Identifier: GPL-2.0-only
#include "slow-guards.h"

#include "fabric-places.h"
#include "named-once.h"
#include "switch-extensions.h"
#include "unused-settings.h"

#include "ns3/deadlock-detector.h"
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

/// @return Period of the deadlock detector of a fabric, if somebody has set it; else 0
Time
PeriodOf(const Fabric& fabric)
{
    const auto detector = fabric.GetDeadlockDetector();
    TypeId::AttributeInformation info;
    TimeValue period;
    if (!detector || !detector->GetInstanceTypeId().LookupAttributeByName("Period", &info) ||
        !detector->GetAttributeFailSafe("Period", period) ||
        period.Get() == DynamicCast<const TimeValue>(info.originalInitialValue)->Get())
    {
        return Time(0);
    }
    return period.Get();
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

SlowGuards::SlowGuards(const Fabric& fabric)
    : m_fabric(fabric),
      m_period(PeriodOf(fabric))
{
    for (const NodeId node : fabric.GetTopology().Nodes())
    {
        m_detections.push_back(GuardOf(fabric, node).second);
    }
}

void
SlowGuards::Warn(Time length) const
{
    if (HasIdleWatchdogs(m_fabric))
    {
        return; // that is why
    }
    const auto isSlow = [length](Time before, Time now) {
        return (before.IsZero() || before > length) && now > length;
    };
    if (isSlow(m_period, PeriodOf(m_fabric)))
    {
        WarnOnce(m_fabric,
                 "the deadlock detector could find nothing",
                 "its Period is longer than the run");
    }
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const NodeId node : topology.Nodes())
    {
        const auto [type, detection] = GuardOf(m_fabric, node);
        if (isSlow(m_detections[node.Value()], detection))
        {
            WarnOnce(m_fabric,
                     type + " of " + FabricPlaces::NameOf(topology, node) + " could find no storm",
                     "it detects one after " + ExactText(detection) +
                         ", longer than the run; see its DetectionTime and TimeScale");
            return; // one line says it of all
        }
    }
}

} // namespace ns3

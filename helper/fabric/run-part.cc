// SPDX-License-Identifier: GPL-2.0-only
#include "run-part.h"

#include "fabric.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// A part that has planned something.
struct Planning
{
    RunPart* part;
    const FabricTopology* fabric; //!< of the fabric that it belongs to: handles share it
    uint64_t number;              //!< of its last plan
};

/// The parts that have planned something. A process has one simulation, and parts such as monitors
/// may be of no run: a run finds those of its fabric here.
std::vector<Planning>&
Plans()
{
    static std::vector<Planning> plans;
    return plans;
}

/// @return how many plans there were
uint64_t&
PlanCount()
{
    static uint64_t count = 0;
    return count;
}

} // namespace

RunPart::~RunPart()
{
    auto& plans = Plans();
    plans.erase(std::remove_if(plans.begin(),
                               plans.end(),
                               [this](const Planning& each) { return each.part == this; }),
                plans.end());
}

std::vector<const RunPart*>
RunPart::Planned(const Fabric& fabric)
{
    std::vector<const RunPart*> parts;
    for (const Planning& each : Plans())
    {
        if (each.fabric == &fabric.GetTopology())
        {
            parts.push_back(each.part);
        }
    }
    return parts;
}

void
RunPart::Plan(const Fabric& fabric)
{
    auto& plans = Plans();
    if (plans.empty())
    {
        Simulator::ScheduleDestroy([] { Plans().clear(); }); // nothing of them will begin
    }
    const uint64_t number = ++PlanCount();
    const auto own = std::find_if(plans.begin(), plans.end(), [this](const Planning& each) {
        return each.part == this;
    });
    if (own == plans.end())
    {
        plans.push_back({this, &fabric.GetTopology(), number});
    }
    else
    {
        own->number = number;
    }
}

uint64_t
RunPart::GetLastPlan()
{
    return PlanCount();
}

void
RunPart::StopPlanned(const Fabric& fabric, uint64_t last)
{
    const std::vector<Planning> plans = Plans();
    for (const Planning& each : plans)
    {
        if (each.fabric == &fabric.GetTopology() && each.number <= last)
        {
            each.part->Stop();
        }
    }
}

} // namespace ns3

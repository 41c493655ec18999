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
    const RunPart* part;
    const FabricTopology* fabric; //!< of the fabric that it belongs to: handles share it
};

/// The parts that have planned something. A process has one simulation, and parts such as monitors
/// may be of no run: a run finds those of its fabric here.
std::vector<Planning>&
Plans()
{
    static std::vector<Planning> plans;
    return plans;
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
    if (std::none_of(plans.begin(), plans.end(), [this](const Planning& each) {
            return each.part == this;
        }))
    {
        plans.push_back({this, &fabric.GetTopology()});
    }
}

} // namespace ns3

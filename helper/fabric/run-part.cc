// SPDX-License-Identifier: GPL-2.0-only
#include "run-part.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// The parts that have planned something. A process has one simulation, and parts such as monitors
/// may be of no run: a run finds them here.
std::vector<const RunPart*>&
Plans()
{
    static std::vector<const RunPart*> plans;
    return plans;
}

} // namespace

RunPart::~RunPart()
{
    auto& plans = Plans();
    plans.erase(std::remove(plans.begin(), plans.end(), this), plans.end());
}

const std::vector<const RunPart*>&
RunPart::Planned()
{
    return Plans();
}

void
RunPart::Plan()
{
    auto& plans = Plans();
    if (plans.empty())
    {
        Simulator::ScheduleDestroy([] { Plans().clear(); }); // nothing of them will begin
    }
    if (std::find(plans.begin(), plans.end(), this) == plans.end())
    {
        plans.push_back(this);
    }
}

} // namespace ns3

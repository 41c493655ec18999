// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-places.h"

#include <algorithm>
#include <string>

namespace ns3
{

void
ApplySonic(const FabricObjects& fabric,
           const FabricPlaces& places,
           const SonicConfig& config,
           SonicSwitch::Part part,
           std::vector<SonicSwitch>& done)
{
    const FabricTopology& topology = fabric.GetTopology();
    const auto names = FabricPlaces::NamesOf(topology);
    const std::size_t first = done.size();
    for (const SwitchId which : places.SwitchesIn(topology))
    {
        done.emplace_back(fabric.GetSwitch(which),
                          names[topology.NodeOf(which).Value()],
                          fabric.GetOptions());
    }
    // Watchdogs stay: they come when all else is set everywhere.
    for (const auto each :
         {SonicSwitch::PORTS, SonicSwitch::BUFFERS, SonicSwitch::WATCHDOGS, SonicSwitch::CABLES})
    {
        for (std::size_t i = first; part & each && i < done.size(); ++i)
        {
            done[i].Apply(config, each);
        }
    }
    Findings& findings = fabric.GetFindings();
    if (part & SonicSwitch::PORTS)
    {
        const auto unused = config.GetUnused();
        std::for_each(unused.begin(), unused.end(), [&](auto& one) { findings.Add(one); });
    }
    for (std::size_t i = first; i < done.size(); ++i)
    {
        const auto& found = done[i].GetFindings();
        std::for_each(found.begin(), found.end(), [&](auto& one) { findings.Add(one); });
    }
}

} // namespace ns3

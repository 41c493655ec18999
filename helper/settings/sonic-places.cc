// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-places.h"

#include "ns3/fabric-warning.h"

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
    std::vector<std::string> said; // once, though it is so at several switches
    const auto say = [&said](const std::vector<std::string>& lines) {
        for (const std::string& line : lines)
        {
            if (std::find(said.begin(), said.end(), line) == said.end())
            {
                said.push_back(line);
                PrintWarning(line);
            }
        }
    };
    if (part & SonicSwitch::PORTS)
    {
        say(config.GetUnused());
    }
    for (std::size_t i = first; i < done.size(); ++i)
    {
        say(done[i].GetWarnings());
    }
}

} // namespace ns3

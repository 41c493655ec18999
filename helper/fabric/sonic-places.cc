// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-places.h"

#include "ns3/fabric-warning.h"

#include <algorithm>
#include <memory>
#include <string>

namespace ns3
{

void
ApplySonic(const Fabric& fabric,
           const FabricPlaces& places,
           const SonicConfig& config,
           SonicSwitch::Part part,
           std::vector<std::function<void()>>& undos)
{
    const FabricTopology& topology = fabric.GetTopology();
    std::vector<std::shared_ptr<SonicSwitch>> switches;
    const auto names = FabricPlaces::NamesOf(topology);
    for (const SwitchId which : places.SwitchesIn(topology))
    {
        switches.push_back(std::make_shared<SonicSwitch>(fabric.GetSwitch(which),
                                                         names[topology.NodeOf(which).Value()],
                                                         fabric.GetOptions()));
        undos.emplace_back([one = switches.back()] { one->Undo(); });
    }
    // Watchdogs stay: they come when all else is set everywhere.
    for (const auto each :
         {SonicSwitch::PORTS, SonicSwitch::BUFFERS, SonicSwitch::WATCHDOGS, SonicSwitch::CABLES})
    {
        for (const auto& one : switches)
        {
            if (part & each)
            {
                one->Apply(config, each);
            }
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
    for (const auto& one : switches)
    {
        say(one->GetWarnings());
    }
}

} // namespace ns3

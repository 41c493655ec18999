// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-check.h"

#include "class-map-check.h"
#include "late-marks.h"
#include "loss-check.h"

#include "ns3/fabric-places.h"
#include "ns3/fabric-switch.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/// That the class maps of two ends of a link differ is left out where a finding says at one of the
/// ends which class is wrong, and what would be right.
/// @param fabric the fabric @param names of its nodes @param findings of the fabric
void
LeaveOutPlainMaps(const Fabric& fabric,
                  const std::vector<std::string>& names,
                  std::vector<Finding>& findings)
{
    std::set<std::string> named;
    for (const Finding& finding : findings)
    {
        if (finding.rule == "map" && finding.cls)
        {
            named.insert(finding.place);
        }
    }
    const FabricTopology& topology = fabric.GetTopology();
    std::set<std::string> ends; // of links with such a place
    for (const LinkId link : named.empty() ? FabricIndexRange<LinkId>(0) : topology.Links())
    {
        const FabricTopology::Link& cable = topology.GetLink(link);
        const auto placeOf = [&](NodeId node) {
            return names[node.Value()] + " port " + std::to_string(topology.GetPort(node, link));
        };
        const std::string a = placeOf(cable.a);
        const std::string b = placeOf(cable.b);
        if (named.count(a) || named.count(b))
        {
            ends.insert({a, b});
        }
    }
    const auto isPlain = [&ends](const Finding& finding) {
        return finding.rule == "map" && !finding.cls && ends.count(finding.place);
    };
    findings.erase(std::remove_if(findings.begin(), findings.end(), isPlain), findings.end());
}

/// Of the queues for which one value of Kmin is too high, name the first, and how many there are.
/// @param findings of the fabric
void
NameKminOnce(std::vector<Finding>& findings)
{
    std::map<std::string, uint32_t> queues; // by what is wrong
    const auto isKnown = [&queues](const Finding& finding) {
        return finding.rule == "kmin" && ++queues[finding.what] > 1;
    };
    findings.erase(std::remove_if(findings.begin(), findings.end(), isKnown), findings.end());
    for (Finding& finding : findings)
    {
        if (finding.rule == "kmin" && queues[finding.what] > 1)
        {
            finding.what += ", as at " + std::to_string(queues[finding.what] - 1) + " more queues";
        }
    }
}

} // namespace

std::vector<Finding>
CheckBuffers(const Fabric& fabric)
{
    std::vector<Finding> findings;
    const FabricTopology& topology = fabric.GetTopology();
    const std::vector<std::string> names = FabricPlaces::NamesOf(topology);
    const Time baseRtt = LongestBaseRtt(fabric);
    for (const SwitchId which : fabric.Switches())
    {
        const std::string& name = names[topology.NodeOf(which).Value()];
        if (FindMistakes(fabric, which, name, findings))
        {
            FindLateMarks(fabric, which, name, baseRtt, findings);
        }
    }
    for (const HostId host : fabric.Hosts())
    {
        FindHostMistakes(fabric, host, names[topology.NodeOf(host).Value()], findings);
    }
    FindOtherClasses(fabric, names, findings);
    LeaveOutPlainMaps(fabric, names, findings);
    NameKminOnce(findings);
    return findings;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-check.h"

#include "class-map-check.h"
#include "ecn-before-pfc.h"

#include "ns3/double.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-switch.h"
#include "ns3/lossless-link.h"
#include "ns3/rdma-hw.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>

namespace ns3
{

namespace
{

/// @param mistake of a node @param name of the node @return the finding
BufferFinding
ToFinding(const LosslessMistake& mistake, const std::string& name)
{
    return {mistake.rule,
            name + (mistake.port ? " port " + std::to_string(*mistake.port) : ""),
            mistake.trafficClass,
            mistake.what,
            mistake.right};
}

/// @param fabricSwitch a switch whose buffer is too small @return the smallest that holds
/// guaranteed space and headroom, bytes
uint64_t
NeededBuffer(const FabricSwitch& fabricSwitch)
{
    const SwitchMmu& mmu = *fabricSwitch.GetMmu();
    UintegerValue cellBytes;
    UintegerValue guaranteed;
    UintegerValue pool;
    DoubleValue ratio;
    mmu.GetAttribute("CellBytes", cellBytes);
    mmu.GetAttribute("GuaranteedBytes", guaranteed);
    mmu.GetAttribute("SharedHeadroomPool", pool);
    mmu.GetAttribute("HeadroomOversubscription", ratio);
    const CellSize cell(cellBytes.Get());
    uint64_t cells = cell.RoundUp(pool.Get());
    uint64_t headrooms = 0;
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        const QbbNetDevice& device = *fabricSwitch.GetPort(port);
        const uint64_t ofLink = HeadroomBytes(GetHeadroomLink(device), cell.Bytes());
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const MmuClassConfig& config = mmu.GetConfig(port, cls);
            const bool isLink =
                (device.GetPausingGroups() & (1U << cls)) && config.kind != MmuClassConfig::LOSSY;
            const uint64_t headroom = std::max(config.headroomBytes, isLink ? ofLink : 0);
            cells += cell.RoundUp(config.guaranteedBytes.value_or(guaranteed.Get()));
            headrooms += pool.Get() ? 0 : cell.RoundUp(headroom);
        }
    }
    cells += static_cast<uint64_t>(
        std::ceil(static_cast<double>(headrooms) / std::max(ratio.Get(), 1.0)));
    return cells * cell.Bytes();
}

/// @param fabricSwitch a switch that does not start @param name its name @param why the message
/// @return the finding
BufferFinding
FromStart(const FabricSwitch& fabricSwitch, const std::string& name, const std::string& why)
{
    const std::size_t half = std::min(why.find("; "), why.size());
    BufferFinding finding{"start",
                          name,
                          {},
                          why.substr(0, half),
                          why.substr(std::min(half + 2, why.size()))};
    if (finding.right.empty() && why.find(" bytes short of ") != std::string::npos)
    {
        finding.rule = "buffer";
        finding.right =
            "set BufferSize to " + std::to_string(NeededBuffer(fabricSwitch)) + " at least";
    }
    return finding;
}

/// That the class maps of two ends of a link differ is left out where a finding says at one of the
/// ends which class is wrong, and what would be right.
/// @param fabric the fabric @param names of its nodes @param findings of the fabric
void
LeaveOutPlainMaps(const Fabric& fabric,
                  const std::vector<std::string>& names,
                  std::vector<BufferFinding>& findings)
{
    std::set<std::string> named;
    for (const BufferFinding& finding : findings)
    {
        if (finding.rule == "map" && finding.trafficClass)
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
    const auto isPlain = [&ends](const BufferFinding& finding) {
        return finding.rule == "map" && !finding.trafficClass && ends.count(finding.place);
    };
    findings.erase(std::remove_if(findings.begin(), findings.end(), isPlain), findings.end());
}

} // namespace

std::string
BufferFinding::ToLine() const
{
    return place + (trafficClass ? " class " + std::to_string(*trafficClass) : "") + ": " + what +
           (right.empty() ? "" : "; " + right);
}

std::vector<BufferFinding>
CheckBuffers(const Fabric& fabric)
{
    std::vector<BufferFinding> findings;
    const FabricTopology& topology = fabric.GetTopology();
    const std::vector<std::string> names = FabricPlaces::NamesOf(topology);
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        const std::string& name = names[topology.NodeOf(which).Value()];
        try
        {
            fabricSwitch->Start();
        }
        catch (const std::exception& error)
        {
            findings.push_back(FromStart(*fabricSwitch, name, error.what()));
            continue;
        }
        for (const LosslessMistake& mistake : fabricSwitch->FindMistakes())
        {
            findings.push_back(ToFinding(mistake, name));
        }
        FindLateMarks(fabric, which, name, findings);
    }
    for (const HostId host : fabric.Hosts())
    {
        for (const LosslessMistake& mistake : fabric.GetRdma(host)->FindMistakes())
        {
            findings.push_back(ToFinding(mistake, names[topology.NodeOf(host).Value()]));
        }
    }
    FindOtherClasses(fabric, names, findings);
    LeaveOutPlainMaps(fabric, names, findings);
    return findings;
}

} // namespace ns3

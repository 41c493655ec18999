// SPDX-License-Identifier: GPL-2.0-only
#include "drop-stats.h"

#include "counters-at-rest.h"
#include "fabric-ports.h"

#include <numeric>

namespace ns3
{

DropStats::DropStats(const Fabric& fabric)
    : m_fabric(fabric),
      m_before(Read())
{
    m_before.devices = {};
    for (const FabricCounters::Port& port : CountersAtRest::Get(fabric).ports)
    {
        AddCounters(m_before.devices, port.device);
    }
}

std::string
DropStats::GetName() const
{
    return "drops";
}

DropStats::Counts
DropStats::Read() const
{
    Counts counts;
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        counts.lossless += fabricSwitch->GetLosslessDrops();
        counts.losslessOfLinks += fabricSwitch->GetLosslessDropsOfLinks();
        counts.lossy += fabricSwitch->GetLossyDrops();
        // Simulator::Destroy() takes the ports of a switch, not its counters.
        const NodeId node = topology.NodeOf(which);
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            AddCounters(counts.egress, fabricSwitch->GetCounters(port));
        }
    }
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        AddCounters(counts.devices, device->GetCounters());
    }
    return counts;
}

void
DropStats::AddTotals(RunTotals& totals) const
{
    const Counts now = Read();
    const auto egress = CountersSince(now.egress, m_before.egress);
    totals.losslessDrops = now.lossless - m_before.lossless;
    totals.losslessDropsOfLinks = now.losslessOfLinks - m_before.losslessOfLinks;
    totals.lossyDrops = now.lossy - m_before.lossy;
    totals.drops = CountersSince(now.devices, m_before.devices).drops;
    totals.ecnMarks = std::accumulate(egress.ecnMarks.begin(), egress.ecnMarks.end(), uint64_t{0});
}

void
DropStats::Print(std::ostream& os, const RunTotals& totals) const
{
    // A cut link loses frames whatever PFC does: that is no loss of a lossless class.
    os << "Drops: " << totals.losslessDrops - totals.losslessDropsOfLinks
       << " in lossless classes, " << totals.lossyDrops << " in lossy classes";
    if (totals.losslessDropsOfLinks)
    {
        os << ", " << totals.losslessDropsOfLinks << " of lossless classes at links that were down";
    }
    for (std::size_t reason = 0; reason < totals.drops.size(); ++reason)
    {
        if (totals.drops[reason])
        {
            os << "; " << static_cast<DropReason>(reason) << " " << totals.drops[reason];
        }
    }
    os << '\n';
    const auto dropsOf = [&totals](DropReason reason) {
        return totals.drops[static_cast<std::size_t>(reason)];
    };
    if (dropsOf(DropReason::HEADROOM_FULL) && dropsOf(DropReason::CORRUPTED))
    {
        os << "  Links have destroyed frames: where an XOFF was among them, its peer sent on, and "
              "the "
              "headroom overflowed (headroom-full)\n";
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "tunnel-stats.h"

#include "run-totals.h"

namespace ns3
{

TunnelStats::TunnelStats(const Fabric& fabric)
    : m_counts(fabric)
{
}

std::string
TunnelStats::GetName() const
{
    return "tunnels";
}

void
TunnelStats::Begin()
{
    m_counts.Find();
}

void
TunnelStats::AddTotals(RunTotals& totals) const
{
    totals.hasTunnels = m_counts.HasSome();
    totals.tunnels = m_counts.Get();
}

void
TunnelStats::Print(std::ostream& os, const RunTotals& totals) const
{
    if (totals.hasTunnels)
    {
        const VxlanEndpoint::Counters& all = totals.tunnels;
        os << "VXLAN tunnels of switches: " << all.encapsulated << " frames in, "
           << all.decapsulated << " out, " << all.copiedMarks << " marks copied, " << all.ecnDrops
           << " dropped by ECN and " << all.vniDrops << " by VNI\n";
    }
}

} // namespace ns3

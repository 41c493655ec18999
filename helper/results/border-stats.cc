// SPDX-License-Identifier: GPL-2.0-only
#include "border-stats.h"

#include "run-totals.h"

namespace ns3
{

BorderStats::BorderStats(const Fabric& fabric)
    : m_counts(fabric)
{
}

std::string
BorderStats::GetName() const
{
    return "borders";
}

void
BorderStats::Begin()
{
    m_counts.Find();
}

void
BorderStats::AddTotals(RunTotals& totals) const
{
    totals.hasBorders = m_counts.HasSome();
    totals.borders = m_counts.Get();
}

void
BorderStats::Print(std::ostream& os, const RunTotals& totals) const
{
    if (totals.hasBorders)
    {
        const BorderPolicy::Counters& all = totals.borders;
        os << "Border policies: " << all.permitted << " frames permitted, " << all.marked
           << " given a DSCP, " << all.untagged << " untagged, " << all.dropped << " dropped\n";
    }
}

} // namespace ns3

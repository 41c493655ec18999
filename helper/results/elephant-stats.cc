// SPDX-License-Identifier: GPL-2.0-only
#include "elephant-stats.h"

#include "run-totals.h"

namespace ns3
{

ElephantStats::ElephantStats(const Fabric& fabric)
    : m_counts(fabric)
{
}

std::string
ElephantStats::GetName() const
{
    return "elephants";
}

void
ElephantStats::Begin()
{
    m_counts.Find();
}

void
ElephantStats::AddTotals(RunTotals& totals) const
{
    totals.hasSeparators = m_counts.HasSome();
    totals.elephants = m_counts.Get();
}

void
ElephantStats::Print(std::ostream& os, const RunTotals& totals) const
{
    if (!totals.hasSeparators)
    {
        return;
    }
    const ElephantSeparator::Counters& all = totals.elephants;
    os << "Elephants at switches: " << all.found << " found, " << all.demoted << " demoted, "
       << all.moves << " moved with " << all.movedFrames << " frames, " << all.reorderings
       << " reorderings\n";
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "elephant-stats.h"

#include "run-totals.h"

#include "ns3/fabric-switch.h"

namespace ns3
{

ElephantStats::ElephantStats(const Fabric& fabric)
    : m_fabric(fabric)
{
    Find();
    m_before = Read();
}

std::string
ElephantStats::GetName() const
{
    return "elephants";
}

void
ElephantStats::Begin()
{
    Find();
}

void
ElephantStats::Find()
{
    m_separators.clear();
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            if (auto separator = DynamicCast<ElephantSeparator>(fabricSwitch->GetExtension(i)))
            {
                m_separators.push_back(separator);
            }
        }
    }
}

ElephantSeparator::Counters
ElephantStats::Read() const
{
    ElephantSeparator::Counters sum;
    for (const auto& separator : m_separators)
    {
        AddCounters(sum, separator->GetCounters());
    }
    return sum;
}

void
ElephantStats::AddTotals(RunTotals& totals) const
{
    totals.hasSeparators = !m_separators.empty();
    totals.elephants = CountersSince(Read(), m_before);
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

// SPDX-License-Identifier: GPL-2.0-only
#include "finding-stats.h"

#include "run-totals.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace
{

/// @param text of a finding @return it, as a cell in quotes may have it
std::string
WithoutQuotes(std::string text)
{
    std::replace(text.begin(), text.end(), '"', '\'');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

void
AddFindingRows(RowSink& sink, const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings)
    {
        sink.Add(finding.rule,
                 finding.place,
                 finding.cls ? static_cast<double>(*finding.cls)
                             : std::numeric_limits<double>::quiet_NaN(),
                 WithoutQuotes(finding.what),
                 WithoutQuotes(finding.right),
                 ToString(finding.level));
    }
}

void
WriteFindings(const std::string& path, const std::vector<Finding>& findings)
{
    RowSink sink(FindingStats::GetTable(), path);
    AddFindingRows(sink, findings);
    sink.Commit();
}

FindingStats::FindingStats(const Fabric& fabric)
    : TableReport("findings", {GetTable()}),
      m_fabric(fabric)
{
}

TableSpec
FindingStats::GetTable()
{
    using C = ColumnSpec;
    return {"findings",
            "something that was found out about a fabric or its run",
            {{"rule", "", "which rule has found it", C::TEXT},
             {"place", "", "switch or host, and port; empty: nowhere", C::TEXT},
             {"class", "", "the class; empty: all of the place", C::REAL, "%.0f"},
             {"what", "", "what is wrong", C::QUOTED},
             {"right", "", "what would be right", C::QUOTED},
             {"level", "", "refused, loss, unused or info", C::TEXT}},
            false};
}

void
FindingStats::Close(Time)
{
    if (m_rows)
    {
        AddFindingRows(*m_rows, m_fabric.GetFindings().Get());
    }
}

void
FindingStats::AddTotals(RunTotals& totals) const
{
    for (const Finding& finding : m_fabric.GetFindings().Get())
    {
        ++totals.findings[finding.rule];
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "fault-stats.h"

namespace ns3
{

FaultStats::FaultStats(const FaultHelper& faults)
    : m_faults(faults)
{
}

TableSpec
FaultStats::GetTable()
{
    using C = ColumnSpec;
    return {"faults",
            "a fault that began or ended",
            {{"time_ns", "ns", "when"},
             {"event", "", "begin or end", C::TEXT},
             {"what", "", "which fault", C::TEXT},
             {"where", "", "link, switch, host or port", C::TEXT}}};
}

std::string
FaultStats::GetName() const
{
    return "faults";
}

std::vector<TableSpec>
FaultStats::GetTables() const
{
    return {GetTable()};
}

void
FaultStats::Open(const std::vector<RowSink*>& rows)
{
    m_rows = rows.at(0);
}

void
FaultStats::Close(Time)
{
    if (!m_rows)
    {
        return;
    }
    for (const FaultHelper::Event& event : m_faults.GetLog())
    {
        m_rows->Add(event.time.GetNanoSeconds(),
                    event.begins ? "begin" : "end",
                    event.what,
                    event.where);
    }
}

void
FaultStats::WriteTo(const std::string& path)
{
    m_files = std::make_unique<ReportFiles>(*this, std::vector<std::string>{path});
}

void
FaultStats::Commit()
{
    if (m_files)
    {
        m_files->Commit();
        m_files.reset();
        m_rows = nullptr;
    }
}

} // namespace ns3

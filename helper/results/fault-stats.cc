// SPDX-License-Identifier: GPL-2.0-only
#include "fault-stats.h"

namespace ns3
{

FaultStats::FaultStats(const FaultHelper& faults)
    : TableReport("faults", {GetTable()}),
      m_faults(faults)
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

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "fct-stats.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace ns3
{
namespace
{

/// Nanoseconds, rounded.
long long
ToNs(const Time& time)
{
    return std::llround(static_cast<long double>(time.GetTimeStep()) /
                        static_cast<long double>(NanoSeconds(1).GetTimeStep()));
}

} // namespace

FctStats::FctStats()
    : TableReport("fct", {GetTable()}),
      m_bins{{{"<= 1 KB", 1000, {}},
              {"<= 10 KB", 10000, {}},
              {"<= 100 KB", 100000, {}},
              {"<= 1 MB", 1000000, {}},
              {"<= 10 MB", 10000000, {}},
              {"> 10 MB", std::numeric_limits<uint64_t>::max(), {}},
              {"all", std::numeric_limits<uint64_t>::max(), {}}}}
{
}

TableSpec
FctStats::GetTable()
{
    using C = ColumnSpec;
    return {"fct",
            "an RDMA flow that completed, in the order of completion",
            {{"flow", "", "number of the flow"},
             {"src", "", "node that has posted it"},
             {"dst", "", "the other node"},
             {"class", "", "traffic class of its data"},
             {"bytes", "bytes", "length of its message"},
             {"start_ns", "ns", "when it was posted"},
             {"fct_ns", "ns", "from posting to completion"},
             {"ideal_fct_ns", "ns", "the same with the fabric for itself"},
             {"slowdown", "", "fct over ideal_fct", C::REAL, "%.6f"}}};
}

void
FctStats::Add(const RdmaFlowResult& result)
{
    if (result.status != RdmaStatus::SUCCESS)
    {
        return;
    }
    const double slowdown = static_cast<double>(result.fct.GetTimeStep()) /
                            static_cast<double>(result.ideal.GetTimeStep());
    std::size_t bin = 0;
    while (result.flow.bytes > m_bins[bin].maxBytes)
    {
        ++bin;
    }
    m_bins[bin].slowdown.Add(slowdown);
    m_bins[BINS].slowdown.Add(slowdown);
    if (m_rows)
    {
        m_rows->Add(result.index,
                    result.sourceNode,
                    result.destinationNode,
                    result.flow.trafficClass,
                    result.flow.bytes,
                    ToNs(result.flow.start),
                    ToNs(result.fct),
                    ToNs(result.ideal),
                    slowdown);
    }
}

void
FctStats::Print(std::ostream& os, const RunTotals&) const
{
    if (m_bins[BINS].slowdown.Count() == 0)
    {
        return; // a table of nothing
    }
    char line[160];
    std::snprintf(line,
                  sizeof(line),
                  "%-12s %10s %9s %9s %9s %9s %9s\n",
                  "flow size",
                  "flows",
                  "mean",
                  "p50",
                  "p95",
                  "p99",
                  "max");
    os << "FCT slowdown (1 = alone in the fabric)\n" << line;
    for (const Bin& bin : m_bins)
    {
        const LogHistogram& values = bin.slowdown;
        if (values.Count() == 0)
        {
            continue;
        }
        std::snprintf(line,
                      sizeof(line),
                      "%-12s %10llu %9.2f %9.2f %9.2f %9.2f %9.2f\n",
                      bin.name.c_str(),
                      static_cast<unsigned long long>(values.Count()),
                      values.Mean(),
                      values.Quantile(0.50),
                      values.Quantile(0.95),
                      values.Quantile(0.99),
                      values.Max());
        os << line;
    }
    os << '\n';
}

} // namespace ns3

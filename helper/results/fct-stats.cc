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
    : m_bins{{{"<= 1 KB", 1000, {}},
              {"<= 10 KB", 10000, {}},
              {"<= 100 KB", 100000, {}},
              {"<= 1 MB", 1000000, {}},
              {"<= 10 MB", 10000000, {}},
              {"> 10 MB", std::numeric_limits<uint64_t>::max(), {}},
              {"all", std::numeric_limits<uint64_t>::max(), {}}}}
{
}

void
FctStats::WriteTo(const std::string& path)
{
    m_file = std::make_unique<ResultFile>(path);
    m_file->Stream() << "flow,src,dst,class,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown\n";
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
    if (m_file)
    {
        char line[256];
        std::snprintf(line,
                      sizeof(line),
                      "%llu,%u,%u,%u,%llu,%lld,%lld,%lld,%.6f\n",
                      static_cast<unsigned long long>(result.index),
                      result.sourceNode,
                      result.destinationNode,
                      result.flow.trafficClass,
                      static_cast<unsigned long long>(result.flow.bytes),
                      ToNs(result.flow.start),
                      ToNs(result.fct),
                      ToNs(result.ideal),
                      slowdown);
        m_file->Stream() << line;
    }
}

void
FctStats::Commit()
{
    if (m_file)
    {
        m_file->Commit();
    }
}

void
FctStats::Print(std::ostream& os) const
{
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
}

} // namespace ns3

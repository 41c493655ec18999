// SPDX-License-Identifier: GPL-2.0-only
#include "fct-stats.h"

#include "run-totals.h"

#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>

namespace ns3
{
namespace
{

constexpr double MICRO = 1e6;  //!< microseconds in a second
constexpr int NAME_WIDTH = 12; //!< of a line's name

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
             {"src", "", "node that has posted it; of a READ it receives the data"},
             {"dst", "", "the other node"},
             {"class", "", "traffic class of its data"},
             {"bytes", "bytes", "length of its message"},
             {"start_ns", "ns", "when it was posted"},
             {"fct_ns", "ns", "from posting to completion"},
             {"ideal_fct_ns", "ns", "the same with the fabric for itself"},
             {"slowdown", "", "fct over ideal_fct", C::REAL, "%.6f"},
             {"verb", "", "what was posted, such as WRITE, SEND or READ", C::TEXT},
             {"data_src", "", "node that has sent the data: of a READ dst, else src"},
             {"data_dst", "", "node that has received the data"},
             {"label", "", "of its workload; empty: it has none", C::TEXT}}};
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
    if (!result.flow.label.empty())
    {
        m_fctUs[result.flow.label].Add(result.fct.GetSeconds() * MICRO);
    }
    const bool isRead = result.flow.verb == RdmaVerb::READ;
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
                    slowdown,
                    ToString(result.flow.verb),
                    isRead ? result.destinationNode : result.sourceNode,
                    isRead ? result.sourceNode : result.destinationNode,
                    result.flow.label);
    }
}

void
FctStats::AddTotals(RunTotals& totals) const
{
    for (const auto& [label, fct] : m_fctUs)
    {
        const std::string of = " of completed RDMA flows with the label " + label;
        totals.more.push_back({"fct_count_" + label, "flows", "number" + of, fct.Count()});
        const auto add = [&, &label = label](const std::string& name, double us) {
            totals.more.push_back({"fct_us_" + name + '_' + label, "us", name + " FCT" + of, us});
        };
        add("mean", fct.Mean());
        add("p50", fct.Quantile(0.50));
        add("p95", fct.Quantile(0.95));
        add("p99", fct.Quantile(0.99));
        add("max", fct.Max());
    }
}

void
FctStats::Print(std::ostream& os, const RunTotals&) const
{
    const auto print = [&os](const std::string& name, const LogHistogram& values) {
        char line[160];
        std::snprintf(line,
                      sizeof(line),
                      " %10llu %9.2f %9.2f %9.2f %9.2f %9.2f\n",
                      static_cast<unsigned long long>(values.Count()),
                      values.Mean(),
                      values.Quantile(0.50),
                      values.Quantile(0.95),
                      values.Quantile(0.99),
                      values.Max());
        os << std::left << std::setw(NAME_WIDTH) << name << std::right << line;
    };
    const std::string columns = "      flows      mean       p50       p95       p99       max\n";
    if (m_bins[BINS].slowdown.Count() > 0) // no table of nothing
    {
        os << "FCT slowdown (1 = alone in the fabric)\nflow size   " << columns;
        for (const Bin& bin : m_bins)
        {
            if (bin.slowdown.Count() > 0)
            {
                print(bin.name, bin.slowdown);
            }
        }
        os << '\n';
    }
    if (!m_fctUs.empty())
    {
        os << "FCT by label (us)\nlabel       " << columns;
        for (const auto& [label, fct] : m_fctUs)
        {
            print(label, fct);
        }
        os << '\n';
    }
}

} // namespace ns3

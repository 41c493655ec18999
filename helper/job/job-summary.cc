// SPDX-License-Identifier: GPL-2.0-only
#include "job-summary.h"

#include "format-text.h"
#include "job-tables.h"

#include "ns3/table-list.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace
{

[[maybe_unused]] const bool IS_LISTED = ListResults({&ListJobTables, &JobSummary::ListTotals});

} // namespace

JobSummary::JobSummary(const Job& job)
    : m_job(job),
      m_ranks(job.GetGraph().GetNRanks())
{
}

double
JobSummary::BusFactor(CollectiveType type, std::size_t ranks)
{
    const auto p = static_cast<double>(ranks);
    switch (type)
    {
    case CollectiveType::ALL_REDUCE:
        return 2 * (p - 1) / p;
    case CollectiveType::REDUCE_SCATTER:
    case CollectiveType::ALL_GATHER:
    case CollectiveType::ALL_TO_ALL:
    case CollectiveType::GATHER:
    case CollectiveType::SCATTER:
        return (p - 1) / p;
    case CollectiveType::BROADCAST:
    case CollectiveType::REDUCE:
    case CollectiveType::BARRIER:
        break;
    }
    return 1;
}

// ---- what happened

void
JobSummary::Add(const OfIteration& iteration, const CriticalPath& path)
{
    m_iterations.push_back(iteration);
    if (iteration.iteration.isWarmUp)
    {
        return;
    }
    m_times.push_back(iteration.ns);
    m_ns += iteration.ns;
    m_exposedNs += iteration.iteration.exposedNs;
    for (std::size_t part = 0; part < CriticalPath::PARTS; ++part)
    {
        m_parts[part] += iteration.parts[part];
    }
    OfRank& straggler = m_ranks[iteration.straggler];
    ++straggler.straggler;
    straggler.keptNs += static_cast<double>(path.GetStragglerTime()) /
                        static_cast<double>(NanoSeconds(1).GetTimeStep());
}

void
JobSummary::AddRank(uint32_t rank, const OfRank& what)
{
    OfRank& sums = m_ranks[rank];
    sums.calcNs += what.calcNs;
    sums.exposedNs += what.exposedNs;
    sums.idleNs += what.idleNs;
    sums.lateNs += what.lateNs;
    sums.pauseNs += what.pauseNs;
}

void
JobSummary::AddCollective(CollectiveType type,
                          uint64_t bytes,
                          double ns,
                          std::size_t ranks,
                          double idealNs)
{
    OfType& sums = m_types[type];
    ++sums.count;
    sums.bytes += static_cast<double>(bytes);
    sums.ns += ns;
    sums.idealNs += idealNs;
    if (ns > 0)
    {
        const auto size = static_cast<double>(bytes);
        sums.weightedBus += size * size / ns * BusFactor(type, ranks);
    }
    if (idealNs > 0)
    {
        sums.worstSlowdown = std::max(sums.worstSlowdown, ns / idealNs);
    }
}

// ---- what came of it

double
JobSummary::GetMean() const
{
    return m_times.empty() ? 0 : m_ns / static_cast<double>(m_times.size());
}

double
JobSummary::GetQuantile(double fraction) const
{
    if (m_times.empty())
    {
        return 0;
    }
    std::vector<double> times = m_times;
    std::sort(times.begin(), times.end());
    const double rank = std::ceil(fraction * static_cast<double>(times.size()));
    const auto place = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return times[std::min(place, times.size() - 1)];
}

double
JobSummary::GetExposedShare() const
{
    return m_ns > 0 ? m_exposedNs / m_ns : 0;
}

double
JobSummary::GetShare(CriticalPath::Part part) const
{
    int64_t sum = 0;
    for (const int64_t ticks : m_parts)
    {
        sum += ticks;
    }
    return sum ? static_cast<double>(m_parts[part]) / static_cast<double>(sum) : 0;
}

double
JobSummary::GetBusBandwidth(CollectiveType type) const
{
    const auto sums = m_types.find(type);
    return sums == m_types.end() || sums->second.bytes == 0
               ? 0
               : sums->second.weightedBus / sums->second.bytes;
}

uint32_t
JobSummary::GetStraggler() const
{
    const auto most =
        std::max_element(m_ranks.begin(), m_ranks.end(), [](const auto& one, const auto& other) {
            return one.straggler < other.straggler;
        });
    return static_cast<uint32_t>(most - m_ranks.begin());
}

void
JobSummary::AddTotals(RunTotals& totals) const
{
    JobTotals mine;
    mine.iterations = GetCount();
    mine.meanNs = GetMean();
    mine.p50Ns = GetQuantile(0.5);
    mine.p99Ns = GetQuantile(0.99);
    mine.mostNs = GetQuantile(1);
    mine.exposedShare = GetExposedShare();
    mine.pauseShare = GetShare(CriticalPath::PAUSE);
    for (const auto& [type, sums] : m_types)
    {
        if (sums.bytes > 0)
        {
            mine.busBandwidths.emplace_back(ToString(type), GetBusBandwidth(type));
        }
    }
    const std::vector<NamedTotal> list = mine.List(m_job.GetOptions().name);
    totals.more.insert(totals.more.end(), list.begin(), list.end());
}

std::vector<NamedTotal>
JobSummary::ListTotals()
{
    JobTotals all;
    for (uint32_t type = 0; type < COLLECTIVE_TYPES; ++type)
    {
        if (static_cast<CollectiveType>(type) != CollectiveType::BARRIER)
        {
            all.busBandwidths.emplace_back(ToString(static_cast<CollectiveType>(type)), 0);
        }
    }
    return all.List("job");
}

void
JobSummary::Print(std::ostream& os) const
{
    const JobOptions& options = m_job.GetOptions();
    const std::string error = m_job.GetError();
    os << "Job " << options.name << (error.empty() ? ": " : " did not end well: ")
       << m_iterations.size() << " of " << options.iterations << " iterations";
    if (options.warmUp)
    {
        os << ", " << m_iterations.size() - m_times.size() << " to warm up";
    }
    if (!m_times.empty())
    {
        os << FormatText("; %.3f us in the mean, p50 %.3f, p99 %.3f, at most %.3f; %.1f %% exposed "
                         "communication",
                         GetMean() / 1e3,
                         GetQuantile(0.5) / 1e3,
                         GetQuantile(0.99) / 1e3,
                         GetQuantile(1) / 1e3,
                         100 * GetExposedShare());
    }
    os << '\n' << (error.empty() ? "" : "  Error: " + error + "\n");
    if (!m_times.empty())
    {
        PrintCollectives(os);
        PrintPath(os);
    }
}

void
JobSummary::PrintCollectives(std::ostream& os) const
{
    for (const auto& [type, sums] : m_types)
    {
        os << "  " << ToString(type) << ": " << sums.count
           << FormatText(" of %.6g MiB in all", sums.bytes / (1 << 20));
        if (const double bandwidth = GetBusBandwidth(type); bandwidth > 0)
        {
            os << FormatText(", bus bandwidth %.4g GB/s (%.5g Gb/s)", bandwidth, 8 * bandwidth);
        }
        if (sums.idealNs > 0)
        {
            os << FormatText(", %.3f times the ideal time", sums.ns / sums.idealNs);
        }
        os << '\n';
    }
}

void
JobSummary::PrintPath(std::ostream& os) const
{
    os << "  Critical path:";
    for (std::size_t part = 0; part < CriticalPath::PARTS; ++part)
    {
        os << (part ? ", " : " ") << CriticalPath::NameOf(part)
           << FormatText(" %.1f %%", 100 * GetShare(static_cast<CriticalPath::Part>(part)));
    }
    const uint32_t straggler = GetStraggler();
    os << "\n  Straggler: rank " << straggler << " in " << m_ranks[straggler].straggler << " of "
       << m_times.size() << " iterations, for "
       << FormatText("%.3f us", m_ranks[straggler].keptNs / 1e3)
       << " in all; the longest iteration: " << m_lastWait << '\n';
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "job-report.h"

#include "format-text.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace ns3
{
namespace
{

/// Of the time of the critical path: a share of pauses below this is no cause.
constexpr double LITTLE = 0.01;

/// @param text that may have names of operations @return it, such that Markdown has it on one line
std::string
OnOneLine(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](unsigned char each) { return std::iscntrl(each); },
        ' ');
    return text;
}

/// @param count how many there are @return numbers of them, those first where a value is largest
template <typename ValueOf>
std::vector<std::size_t>
Largest(std::size_t count, ValueOf&& valueOf)
{
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::size_t one, std::size_t other) {
        return valueOf(one) > valueOf(other);
    });
    numbers.resize(std::min(count, JobReport::MOST_ROWS));
    return numbers;
}

void
WriteCause(std::ostream& os, const JobSummary& summary)
{
    uint64_t xoffs = 0;
    for (const JobSummary::OfIteration& iteration : summary.GetIterations())
    {
        xoffs += iteration.xoffFrames;
    }
    const double pause = summary.GetShare(CriticalPath::PAUSE);
    os << "\n## Was PFC the cause?\n\n"
       << (pause >= LITTLE ? FormatText("Yes, of %.1f %% of the time: so much of the critical path "
                                        "stood behind paused ports.",
                                        100 * pause)
           : xoffs ? FormatText("Hardly: %.2f %% of the critical path stood behind paused ports.",
                                100 * pause)
                   : std::string("No: the ports of the job were never paused by PFC."))
       << " XOFF frames to the ports of the job: " << xoffs << ".\n";
}

void
WritePath(std::ostream& os, const JobSummary& summary)
{
    os << "\n## Where the time went\n\nThe critical path, from what ended an iteration back to its "
          "begin:\n\n| part | share |\n| --- | ---: |\n";
    for (std::size_t part = 0; part < CriticalPath::PARTS; ++part)
    {
        os << "| " << CriticalPath::NameOf(part)
           << FormatText(" | %.2f %% |\n",
                         100 * summary.GetShare(static_cast<CriticalPath::Part>(part)));
    }
    const uint32_t straggler = summary.GetStraggler();
    const JobSummary::OfRank& rank = summary.GetRanks()[straggler];
    os << "\nStraggler: rank " << straggler << ", in " << rank.straggler << " of "
       << summary.GetCount() << " iterations; it kept the path for "
       << FormatText("%.3f us in all.", rank.keptNs / 1e3)
       << " The longest iteration: " << OnOneLine(summary.GetLastWait()) << ".\n";
}

void
WriteIterations(std::ostream& os, const JobSummary& summary)
{
    const auto& iterations = summary.GetIterations();
    const auto longest =
        Largest(iterations.size(), [&](std::size_t number) { return iterations[number].ns; });
    os << "\n## Iterations\n\n"
       << (longest.size() < iterations.size() ? "The longest:\n\n" : "")
       << "| iteration | us | calc us | exposed us | straggler | bytes | XOFF frames | paused us "
          "|\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (const std::size_t number : longest)
    {
        const JobSummary::OfIteration& each = iterations[number];
        os << "| " << each.iteration.number << (each.iteration.isWarmUp ? " (warm-up)" : "")
           << FormatText(" | %.3f | %.3f | %.3f | %u | %llu | %llu | %.3f |\n",
                         each.ns / 1e3,
                         each.iteration.calcNs / 1e3,
                         each.iteration.exposedNs / 1e3,
                         each.straggler,
                         static_cast<unsigned long long>(each.iteration.bytes),
                         static_cast<unsigned long long>(each.xoffFrames),
                         each.pauseNs / 1e3);
    }
}

void
WriteCollectives(std::ostream& os, const JobSummary& summary)
{
    if (summary.GetTypes().empty())
    {
        return;
    }
    os << "\n## Collectives\n\n| type | how many | MiB in all | us in all | bus bandwidth GB/s | "
          "times the ideal | at worst |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (const auto& [type, sums] : summary.GetTypes())
    {
        // Of nothing there is no bandwidth, and no time to compare with.
        const auto orNone = [](const char* format, double value) {
            return value > 0 ? FormatText(format, value) : std::string("-");
        };
        os << "| " << ToString(type)
           << FormatText(" | %llu | %.6g | %.3f | ",
                         static_cast<unsigned long long>(sums.count),
                         sums.bytes / (1 << 20),
                         sums.ns / 1e3)
           << orNone("%.4g", summary.GetBusBandwidth(type)) << " | "
           << orNone("%.3f", sums.idealNs > 0 ? sums.ns / sums.idealNs : 0) << " | "
           << orNone("%.3f", sums.worstSlowdown) << " |\n";
    }
}

void
WriteRanks(std::ostream& os, const JobSummary& summary)
{
    const auto& ranks = summary.GetRanks();
    const auto worst = Largest(ranks.size(), [&](std::size_t rank) {
        return std::make_pair(ranks[rank].keptNs, ranks[rank].lateNs);
    });
    const auto count = static_cast<double>(std::max<uint64_t>(summary.GetCount(), 1));
    os << "\n## Ranks\n\n"
       << (worst.size() < ranks.size() ? "Those that kept the others longest, m" : "M")
       << "eans over the iterations:\n\n| rank | host | calc us | exposed us | idle us | late us | "
          "ports paused us | straggler in | kept the path us |\n"
          "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (const std::size_t rank : worst)
    {
        const JobSummary::OfRank& sums = ranks[rank];
        os << FormatText("| %zu | %u | %.3f | %.3f | %.3f | %.3f | %.3f | %llu | %.3f |\n",
                         rank,
                         summary.GetJob().GetPlaces()[rank].host.Value(),
                         sums.calcNs / count / 1e3,
                         sums.exposedNs / count / 1e3,
                         sums.idleNs / count / 1e3,
                         sums.lateNs / count / 1e3,
                         sums.pauseNs / count / 1e3,
                         static_cast<unsigned long long>(sums.straggler),
                         sums.keptNs / count / 1e3);
    }
}

} // namespace

void
JobReport::Write(std::ostream& os, const JobSummary& summary, const std::string& picture)
{
    os << "# Job " << summary.GetJob().GetOptions().name << "\n\n";
    if (const std::string error = summary.GetJob().GetError(); !error.empty())
    {
        os << "**" << OnOneLine(error) << "**\n\n";
    }
    if (summary.GetCount() == 0)
    {
        os << "No iteration that counts was done by all ranks.\n\n";
        return;
    }
    os << summary.GetCount() << (summary.GetCount() == 1 ? " iteration of " : " iterations of ")
       << FormatText(
              "%.3f us in the mean (p50 %.3f, p99 %.3f, at most %.3f); %.1f %% of it is exposed "
              "communication.\n",
              summary.GetMean() / 1e3,
              summary.GetQuantile(0.5) / 1e3,
              summary.GetQuantile(0.99) / 1e3,
              summary.GetQuantile(1) / 1e3,
              100 * summary.GetExposedShare());
    if (!picture.empty())
    {
        os << "\n![The longest iteration](" << picture << ")\n";
    }
    WriteCause(os, summary);
    WritePath(os, summary);
    WriteIterations(os, summary);
    WriteCollectives(os, summary);
    WriteRanks(os, summary);
    os << '\n';
}

} // namespace ns3

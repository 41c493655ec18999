// SPDX-License-Identifier: GPL-2.0-only

// Jobs of a run, and what comes of them.

#include "python-job.h"
#include "python-support.h"

#include "ns3/critical-path.h"
#include "ns3/fabric-error.h"
#include "ns3/input-files.h"
#include "ns3/job-stats.h"
#include "ns3/job-summary.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// Columns of what the time of an iteration went to, by CriticalPath::Part.
constexpr std::array<const char*, CriticalPath::PARTS> PARTS{"calc_ns",
                                                             "serialisation_ns",
                                                             "propagation_ns",
                                                             "queueing_ns",
                                                             "pause_ns",
                                                             "recovery_ns",
                                                             "waiting_ns",
                                                             "before_ns"};

/// ValueError if a file cannot be written, or is another one than before. @param option whose
/// @param wanted the file; empty: none @param before of another job of the run; empty: none
void
RequireFile(const char* option, const std::string& wanted, const std::string& before)
{
    if (!wanted.empty() && !before.empty() && wanted != before)
    {
        throw py::value_error(std::string(option) + " is \"" + wanted + "\", and \"" + before +
                              "\" of another job; one file tells of all jobs of a run");
    }
    if (!wanted.empty() && before.empty())
    {
        InputFiles::RequireOther(wanted);
        const ResultFile trial(wanted);
    }
}

} // namespace

Job&
RunJobs::Add(FabricRun& run,
             const JobGraph& graph,
             const std::vector<HostRef>& hosts,
             const std::vector<uint32_t>& gpus,
             const JobOptions& options,
             const JobFiles& files)
{
    const bool isKnown = std::any_of(m_jobs.begin(), m_jobs.end(), [&options](const Job* job) {
        return job->GetOptions().name == options.name;
    });
    if (isKnown)
    {
        throw py::value_error("there is a job with the name \"" + options.name +
                              "\"; give each job of a run a name of its own");
    }
    RequireFile("report", files.report, m_files.report);
    RequireFile("timeline", files.timeline, m_files.timeline);
    Job& job = AddJob(run, graph, hosts, gpus, options);
    m_jobs.push_back(&job);
    if (!m_stats)
    {
        m_stats = &run.Add<JobStats>();
    }
    m_stats->Watch(job);
    if (!files.report.empty() && m_files.report.empty())
    {
        m_files.report = files.report;
        m_stats->WriteReport(files.report);
    }
    if (!files.timeline.empty() && m_files.timeline.empty())
    {
        m_files.timeline = files.timeline;
        m_stats->WriteTimeline(files.timeline);
    }
    m_files.messages |= files.messages;
    m_stats->WriteMessages(m_files.messages);
    return job;
}

void
RunJobs::Took(py::object graph, const Job& job)
{
    const uint64_t size = graph.cast<const JobGraph&>().GetSize();
    m_taken.push_back({std::move(graph), size, &job});
}

void
RunJobs::RequireWhole() const
{
    for (const Taken& taken : m_taken)
    {
        if (taken.graph.cast<const JobGraph&>().GetSize() != taken.size)
        {
            throw py::value_error("job " + taken.job->GetOptions().name +
                                  ": its graph was changed after the job was made, which has no "
                                  "effect; change it before, or make another run");
        }
    }
}

py::dict
RunJobs::GetPaths() const
{
    py::list names;
    py::list numbers;
    py::list times;
    py::list stragglers;
    std::array<py::list, CriticalPath::PARTS> parts;
    const auto ns = [](int64_t ticks) {
        return static_cast<double>(ticks) / static_cast<double>(NanoSeconds(1).GetTimeStep());
    };
    for (const Job* job : m_jobs)
    {
        for (const JobSummary::OfIteration& each : m_stats->GetSummary(*job).GetIterations())
        {
            names.append(job->GetOptions().name);
            numbers.append(each.iteration.number);
            times.append(each.ns);
            stragglers.append(each.straggler);
            for (std::size_t part = 0; part < parts.size(); ++part)
            {
                parts[part].append(ns(each.parts[part]));
            }
        }
    }
    py::dict columns;
    columns["job"] = names;
    columns["iteration"] = numbers;
    columns["iteration_ns"] = times;
    columns["straggler_rank"] = stragglers;
    for (std::size_t part = 0; part < parts.size(); ++part)
    {
        columns[PARTS[part]] = parts[part];
    }
    return columns;
}

} // namespace lossless_python

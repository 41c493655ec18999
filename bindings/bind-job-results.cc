// SPDX-License-Identifier: GPL-2.0-only

// Jobs of a run, and what comes of them.

#include "python-job.h"
#include "python-places.h"
#include "python-run.h"
#include "python-support.h"

#include "ns3/critical-path.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-run.h"
#include "ns3/input-files.h"
#include "ns3/job-stats.h"
#include "ns3/job-summary.h"
#include "ns3/job.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// Files of the results of jobs, besides the tables.
struct JobFiles
{
    std::string report;   //!< the page; empty: none
    std::string timeline; //!< what ranks did; empty: nobody wants to know
    bool messages{false}; //!< whether there is a table of messages
};

/// The jobs of a run, and what comes of them.
class RunJobs
{
  public:
    /// Add a job: all of it or nothing. @param run that gets it @param graph Python's JobGraph, of
    /// what its ranks do: what is added to it from now on is refused at the begin of the run
    /// @param hosts by rank @param gpus by rank: of the hosts @param options how it runs
    /// @param files that are wanted @return the job
    Job& Add(FabricRun& run,
             const py::object& graph,
             const std::vector<HostRef>& hosts,
             const std::vector<uint32_t>& gpus,
             const JobOptions& options,
             const JobFiles& files);

    /// ValueError if a graph was changed after a job has taken it
    void RequireWhole() const;

    /// @return the jobs, in the order of adding; they live as long as the run
    const std::vector<Job*>& Get() const
    {
        return m_jobs;
    }

    /// @return whether there is a table of messages
    bool HasMessages() const
    {
        return m_files.messages;
    }

    /// @return what the time of each iteration went to, by column
    py::dict GetPaths() const;

  private:
    /// A graph that a job has taken.
    struct Taken
    {
        py::object graph; //!< Python's
        uint64_t size;    //!< what it had then
        const Job* job;   //!< which
    };

    std::vector<Taken> m_taken;
    std::vector<Job*> m_jobs;
    JobStats* m_stats{nullptr}; //!< null: there are no jobs
    JobFiles m_files;
};

Job&
RunJobs::Add(FabricRun& run,
             const py::object& graph,
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
    std::vector<RankPlace> places;
    for (std::size_t rank = 0; rank < hosts.size() && rank < gpus.size(); ++rank)
    {
        RequireWithin("a GPU", gpus[rank], 0, QueuePairNetwork::MOST_GPUS - 1);
        places.push_back({hosts[rank].In(run.GetFabric()), gpus[rank]});
    }
    const auto& whole = graph.cast<const JobGraph&>();
    Job& job = run.Add<Job>(whole, std::move(places), options);
    m_jobs.push_back(&job);
    m_taken.push_back({graph, whole.GetSize(), &job});
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

/// @param run Python's Run @return its jobs
RunJobs&
JobsOf(const py::object& run)
{
    std::shared_ptr<void>& jobs = PartsOfRun(run).jobs;
    if (!jobs)
    {
        jobs = std::make_shared<RunJobs>();
    }
    return *static_cast<RunJobs*>(jobs.get());
}

} // namespace

void
BindJobResults(py::module_& m)
{
    m.def(
        "add_job",
        [](const py::object& run,
           const py::object& graph,
           const std::vector<HostRef>& hosts,
           const std::vector<uint32_t>& gpus,
           const JobOptions& options,
           const std::string& report,
           const std::string& timeline,
           bool messages) -> Job& {
            return JobsOf(run).Add(PartsOfRun(run).run,
                                   graph,
                                   hosts,
                                   gpus,
                                   options,
                                   {report, timeline, messages});
        },
        py::return_value_policy::reference,
        py::keep_alive<0, 1>(),
        py::arg("run"),
        py::arg("graph"),
        py::arg("hosts"),
        py::arg("gpus"),
        py::arg("options"),
        py::arg("report") = "",
        py::arg("timeline") = "",
        py::arg("messages") = false,
        "A job of several ranks; see lossless.Run.job().");
    m.def(
        "jobs",
        [](const py::object& run) {
            return py::cast(JobsOf(run).Get(), py::return_value_policy::reference_internal, run);
        },
        py::arg("run"),
        "Jobs of a run, in the order of adding.");
    m.def(
        "has_messages",
        [](const py::object& run) { return JobsOf(run).HasMessages(); },
        py::arg("run"),
        "Whether there is a table of messages of jobs.");
    m.def(
        "critical_paths",
        [](const py::object& run) { return JobsOf(run).GetPaths(); },
        py::arg("run"),
        "What the time of each iteration of jobs went to, by column.");
    m.def(
        "require_whole",
        [](const py::object& run) { JobsOf(run).RequireWhole(); },
        py::arg("run"),
        "ValueError if a graph was changed after a job has taken it.");
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_JOB_H
#define LOSSLESS_PYTHON_JOB_H

#include "python-places.h"
#include "python-support.h"

#include "ns3/fabric-run.h"
#include "ns3/job-stats.h"
#include "ns3/job.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lossless_python
{

inline constexpr uint32_t MOST_CHANNELS = 256; //!< of a collective

/// @param name of how a send is done: "completed" or "posted" @return whether it is the latter;
/// ValueError for others
bool IsPosted(const std::string& name);

/// ValueError unless a message may have a tag. @param tag of a message
void RequireTag(uint64_t tag);

/// @param run that gets a job @param graph what its ranks do @param hosts by rank
/// @param gpus by rank: of the hosts @param options how it runs @return the job
ns3::Job& AddJob(ns3::FabricRun& run,
                 const ns3::JobGraph& graph,
                 const std::vector<HostRef>& hosts,
                 const std::vector<uint32_t>& gpus,
                 const ns3::JobOptions& options);

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
    /// Add a job: all of it or nothing. @param run that gets it @param graph what its ranks do
    /// @param hosts by rank @param gpus by rank: of the hosts @param options how it runs
    /// @param files that are wanted @return the job
    ns3::Job& Add(ns3::FabricRun& run,
                  const ns3::JobGraph& graph,
                  const std::vector<HostRef>& hosts,
                  const std::vector<uint32_t>& gpus,
                  const ns3::JobOptions& options,
                  const JobFiles& files);

    /// A graph was given to a job: what is added to it from now on is refused at the begin of the
    /// run. @param graph Python's JobGraph @param job it
    void Took(py::object graph, const ns3::Job& job);

    /// ValueError if a graph was changed after a job has taken it
    void RequireWhole() const;

    /// @return the jobs, in the order of adding; they live as long as the run
    const std::vector<ns3::Job*>& Get() const
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
        py::object graph;    //!< Python's
        uint64_t size;       //!< what it had then
        const ns3::Job* job; //!< which
    };

    std::vector<Taken> m_taken;
    std::vector<ns3::Job*> m_jobs;
    ns3::JobStats* m_stats{nullptr}; //!< null: there are no jobs
    JobFiles m_files;
};

/// ValueError unless a number is within a range. @param name of the option @param value its
/// @param least that is right @param most that is right
void RequireWithin(const char* name, uint64_t value, uint64_t least, uint64_t most);

void BindJobs(py::module_& m);       //!< graphs of jobs, and jobs
void BindJobOptions(py::module_& m); //!< how jobs run
/// Files of graphs, and models. @param graph Python's JobGraph
void BindJobFiles(py::class_<ns3::JobGraph>& graph);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_JOB_H

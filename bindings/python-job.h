// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_JOB_H
#define LOSSLESS_PYTHON_JOB_H

#include "python-places.h"
#include "python-support.h"

#include "ns3/fabric-run.h"
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

void BindJobs(py::module_& m);       //!< graphs of jobs, and jobs
void BindJobOptions(py::module_& m); //!< how jobs run

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_JOB_H

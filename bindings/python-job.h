// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_JOB_H
#define LOSSLESS_PYTHON_JOB_H

#include "python-support.h"

#include "ns3/job.h"

#include <cstdint>
#include <string>

namespace lossless_python
{

inline constexpr uint32_t MOST_CHANNELS = 256; //!< of a collective

/// @param name of how a send is done: "completed" or "posted" @return whether it is the latter;
/// ValueError for others
bool IsPosted(const std::string& name);

/// ValueError unless a message may have a tag. @param tag of a message
void RequireTag(uint64_t tag);

/// ValueError unless a number is within a range. @param name of the option @param value its
/// @param least that is right @param most that is right
void RequireWithin(const char* name, uint64_t value, uint64_t least, uint64_t most);

void BindJobs(py::module_& m);       //!< graphs of jobs, and jobs
void BindJobResults(py::module_& m); //!< jobs of runs, and what comes of them
void BindJobOptions(py::module_& m); //!< how jobs run
/// Files of graphs, and models. @param graph Python's JobGraph
void BindJobFiles(py::class_<ns3::JobGraph>& graph);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_JOB_H

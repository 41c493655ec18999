// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_RUN_H
#define LOSSLESS_PYTHON_RUN_H

#include "python-support.h"

#include "ns3/fabric-run.h"

#include <functional>
#include <memory>

namespace lossless_python
{

/**
 * Let the simulation run, without the interpreter's lock. Ctrl-C stops it, and so does an exception
 * of a callable; either is raised here. RuntimeError if the simulation runs already.
 * @param simulate lets it run, such as Simulator::Run(); what it throws comes after that
 */
void RunSimulation(const std::function<void()>& simulate);

/// What other modules of the package need of Python's Run.
struct RunParts
{
    ns3::FabricRun& run;         //!< it
    std::shared_ptr<void>& jobs; //!< what the module of jobs keeps with it; null: there are none
};

/// @param run Python's Run @return its parts, which live as long
LOSSLESS_FOR_MODULES RunParts PartsOfRun(const py::object& run);

/// RuntimeError if a simulation runs. @param why the message
void RequireIdle(const char* why);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_RUN_H

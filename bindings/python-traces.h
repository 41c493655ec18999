// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TRACES_H
#define LOSSLESS_PYTHON_TRACES_H

#include "python-support.h"

#include "ns3/object.h"

#include <string>
#include <vector>

namespace lossless_python
{

/**
 * Call a Python callable whenever a trace source fires.
 * @param object whose trace source
 * @param name of the trace source, as ns-3 writes it or in snake case
 * @param function takes what the source's signature says
 */
void Connect(ns3::Object& object, const std::string& name, const py::function& function);

/// End what Connect() began. @param object whose trace source @param name of the trace source
/// @param function that was connected
void Disconnect(ns3::Object& object, const std::string& name, const py::function& function);

/// @param type a type @return names of its trace sources and of those of its parents
std::vector<std::string> ListTraceSources(ns3::TypeId type);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TRACES_H

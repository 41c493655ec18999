// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TRACES_H
#define LOSSLESS_PYTHON_TRACES_H

#include "python-support.h"

#include "ns3/object.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace lossless_python
{

/**
 * Call a Python callable whenever a trace source fires.
 * @param object whose trace source
 * @param name of the trace source, as ns-3 writes it or in snake case
 * @param function takes what the source's signature says
 * @param context first argument of each call, such as the path; null: none
 */
void Connect(ns3::Object& object,
             const std::string& name,
             const py::function& function,
             const py::object& context = py::object());

/// End what Connect() began. @param object whose trace source @param name of the trace source
/// @param function that was connected @param context with which it was
/// @return whether it was connected there
bool Disconnect(ns3::Object& object,
                const std::string& name,
                const py::function& function,
                const py::object& context = py::object());

/// ValueError if a function that was to be disconnected was not connected. @param isConnected
/// whether it was @param where trace source, or path of some @param function which
void RequireConnected(bool isConnected, const std::string& where, const py::function& function);

/// @param type a type @param name as ns-3 writes it, or in snake case @return the trace source's
/// name in ns-3; AttributeError, which says what there is, if there is none
std::string FindTraceSourceName(ns3::TypeId type, const std::string& name);

/// @param type a type @param name of one of its trace sources @return whether Connect() knows its
/// signature
bool KnowsTraceSource(ns3::TypeId type, const std::string& name);

/// @param type a type @return names of its trace sources and of those of its parents
std::vector<std::string> ListTraceSources(ns3::TypeId type);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TRACES_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_SIGNATURES_H
#define LOSSLESS_PYTHON_SIGNATURES_H

#include "python-callable.h"

#include "ns3/callback.h"

#include <map>
#include <string>

namespace lossless_python
{

/// Makes the callback for trace sources of one signature.
using SinkMaker = ns3::CallbackBase (*)(const PythonCallable&);

/// Called by a trace source.
template <typename... Args>
void
CallPython(const PythonCallable& function, Args... args)
{
    function(args...);
}

/// @param function a callable @return a callback for a trace source with these arguments
template <typename... Args>
ns3::CallbackBase
MakeSink(const PythonCallable& function)
{
    return ns3::MakeBoundCallback(&CallPython<Args...>, function);
}

/// What makes a callback, by the name of the signature that trace sources document; or by the name
/// of a trace source, "ns3::Type::Source", where that is not the true one.
using SinkTable = std::map<std::string, SinkMaker>;

/// @return signatures of lossless, and of values and packets
const SinkTable& LosslessSinks();

/// @return signatures of the stock IP stack and its applications
const SinkTable& StockSinks();

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_SIGNATURES_H

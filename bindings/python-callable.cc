// SPDX-License-Identifier: GPL-2.0-only
#include "python-callable.h"

#include "ns3/simulator.h"

#include <exception>

namespace lossless_python
{

namespace
{

/// What a callable has raised. ns-3 has one simulator a process, and so has this.
std::exception_ptr g_failure;

} // namespace

PythonCallable::PythonCallable(py::function function)
    : m_function(new py::function(std::move(function)), [](py::function* f) {
          if (Py_IsInitialized())
          {
              py::gil_scoped_acquire lock;
              delete f;
          } // else the interpreter is gone, and its objects with it
      })
{
}

bool
PythonCallable::operator==(const PythonCallable& other) const
{
    py::gil_scoped_acquire lock;
    return m_function->equal(*other.m_function);
}

bool
PythonCallable::HasFailed()
{
    return g_failure != nullptr;
}

void
PythonCallable::Failed()
{
    g_failure = std::current_exception();
    ns3::Simulator::Stop();
}

void
PythonCallable::RaiseFailure()
{
    if (g_failure)
    {
        std::rethrow_exception(std::exchange(g_failure, nullptr));
    }
}

void
PythonCallable::ForgetFailure()
{
    g_failure = nullptr;
}

} // namespace lossless_python

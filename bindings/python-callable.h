// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_CALLABLE_H
#define LOSSLESS_PYTHON_CALLABLE_H

#include "python-support.h"

#include <memory>
#include <utility>

namespace lossless_python
{

/**
 * A Python callable that C++ may keep, copy, call and destroy without holding the interpreter's
 * lock. An exception that it raises stops the simulation and is raised by Simulator.run(); until
 * then no callable is called any more.
 */
class PythonCallable
{
  public:
    /// @param function what is called
    explicit PythonCallable(py::function function);

    /// @param args converted to Python
    template <typename... Args>
    void operator()(Args&&... args) const
    {
        if (HasFailed())
        {
            return;
        }
        py::gil_scoped_acquire lock;
        try
        {
            (*m_function)(std::forward<Args>(args)...);
        }
        catch (py::error_already_set&)
        {
            Failed(); // an exception must not cross the frames of ns-3
        }
        catch (py::cast_error&)
        {
            Failed();
        }
    }

    /// @param other another one @return whether Python finds the callables equal
    bool operator==(const PythonCallable& other) const;

    /// @param other another one @return whether Python finds the callables unequal
    bool operator!=(const PythonCallable& other) const
    {
        return !(*this == other);
    }

    /// Raise what a callable has raised since the last time, if one has.
    static void RaiseFailure();
    /// Forget what a callable has raised.
    static void ForgetFailure();

  private:
    static bool HasFailed();
    /// Keep the exception being handled, and stop the simulation.
    static void Failed();

    std::shared_ptr<py::function> m_function;
};

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_CALLABLE_H

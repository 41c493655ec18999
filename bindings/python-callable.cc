// SPDX-License-Identifier: GPL-2.0-only
#include "python-callable.h"

#include "ns3/simulator.h"

#include <utility>
#include <vector>

namespace lossless_python
{

namespace
{

/// What a callable has raised: type, value and traceback, owned.
struct Failure
{
    PyObject* type{nullptr};
    PyObject* value{nullptr};
    PyObject* traceback{nullptr};

    /// Forget it.
    void Free() const
    {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
};

/// ns-3 has one simulator a process, and so has this.
Failure g_failure;

/// @param callable a function, a method, a partial or an object that can be called @return the
/// function that runs, if it is one of Python
py::object
BareFunction(py::object callable)
{
    for (int depth = 0; depth < 8 && !PyFunction_Check(callable.ptr()); ++depth)
    {
        if (PyMethod_Check(callable.ptr()))
        {
            callable = py::reinterpret_borrow<py::object>(PyMethod_GET_FUNCTION(callable.ptr()));
        }
        else if (py::isinstance(callable, py::module_::import("functools").attr("partial")))
        {
            callable = callable.attr("func");
        }
        else if (!PyType_Check(callable.ptr()) && !PyCFunction_Check(callable.ptr()))
        {
            callable = py::getattr(py::type::of(callable), "__call__", py::none());
        }
        else
        {
            break;
        }
    }
    return callable;
}

/// TypeError for what returns a generator or a coroutine, of which nothing would ever run.
void
RequirePlain(const py::object& function)
{
    const py::object bare = BareFunction(function);
    if (!PyFunction_Check(bare.ptr()))
    {
        return;
    }
    const auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GetCode(bare.ptr()));
    const char* kind = code->co_flags & CO_ASYNC_GENERATOR ? "an asynchronous generator"
                       : code->co_flags & CO_COROUTINE     ? "asynchronous"
                       : code->co_flags & CO_GENERATOR     ? "a generator"
                                                           : nullptr;
    if (kind)
    {
        throw py::type_error(std::string(py::str(bare.attr("__name__"))) + "() is " + kind +
                             ": its body would never run; give a plain function");
    }
}

} // namespace

PythonCallable::Target::Target(const py::object& function, Source source)
    : function(function),
      source(std::move(source)),
      next(std::exchange(s_first, this))
{
    if (next)
    {
        next->previous = this;
    }
}

PythonCallable::Target::~Target()
{
    (previous ? previous->next : s_first) = next;
    if (next)
    {
        next->previous = previous;
    }
    if (!Py_IsInitialized())
    {
        function.release(); // the interpreter is gone, and its objects with it
        source.context.release();
        return;
    }
    py::gil_scoped_acquire lock;
    function = py::object();
    source.context = py::object();
}

bool
PythonCallable::IsAnySink()
{
    for (const Target* target = Target::s_first; target; target = target->next)
    {
        if (target->function.ptr() && !target->source.name.empty())
        {
            return true;
        }
    }
    return false;
}

PythonCallable::PythonCallable(const py::object& function)
    : PythonCallable(function, Source())
{
}

PythonCallable::PythonCallable(const py::object& function, Source source)
    : m_target(new Target(function, std::move(source)), false)
{
    if (!PyCallable_Check(function.ptr()))
    {
        throw py::type_error("callable is " + std::string(py::repr(function)) +
                             "; it must be a function, or anything that can be called");
    }
    RequirePlain(function);
}

bool
PythonCallable::operator==(const PythonCallable& other) const
{
    py::gil_scoped_acquire lock;
    const py::object& mine = m_target->source.context;
    const py::object& others = other.m_target->source.context;
    if (!IsCallable() || !other.IsCallable() || bool(mine) != bool(others))
    {
        return m_target == other.m_target;
    }
    try
    {
        return m_target->function.equal(other.m_target->function) && (!mine || mine.equal(others));
    }
    catch (py::error_already_set& error)
    {
        error.discard_as_unraisable("comparing callables");
        return false;
    }
}

std::vector<ns3::Ptr<PythonCallable::Target>>
PythonCallable::FindAlike(const PythonCallable& like)
{
    const Source& source = like.m_target->source;
    std::vector<ns3::Ptr<Target>> same;
    for (Target* target = Target::s_first; target; target = target->next)
    {
        PythonCallable other(like);
        other.m_target = target;
        const bool isThere = target->source.object == source.object &&
                             target->source.name == source.name && !source.name.empty() &&
                             target != ns3::PeekPointer(like.m_target);
        if (isThere && other == like)
        {
            same.emplace_back(target);
        }
    }
    return same;
}

bool
PythonCallable::IsConnected(const PythonCallable& like)
{
    return !FindAlike(like).empty();
}

void
PythonCallable::CutAll(const PythonCallable& like)
{
    for (const auto& target : FindAlike(like))
    {
        const py::object last = std::exchange(target->function, py::object());
    }
}

void
PythonCallable::ForgetAll()
{
    py::gil_scoped_acquire lock;
    // What is freed may run code, which may make and free callables.
    std::vector<py::object> all;
    for (Target* target = Target::s_first; target; target = target->next)
    {
        all.push_back(std::exchange(target->function, py::object()));
    }
}

void
PythonCallable::Invoke(PyObject** stack, std::size_t count) const
{
    const ns3::Ptr<Target> hold = m_target; // it may be disconnected meanwhile
    const py::object function = hold->function;
    PyObject* result = nullptr;
    bool isComplete = bool(function);
    for (std::size_t i = 1; i <= count; ++i)
    {
        isComplete = isComplete && stack[i];
    }
    ++s_depth;
    if (isComplete && hold->source.context)
    {
        stack[0] = hold->source.context.ptr();
        result = PyObject_Vectorcall(function.ptr(), stack, count + 1, nullptr);
    }
    else if (isComplete)
    {
        result = PyObject_Vectorcall(function.ptr(),
                                     stack + 1,
                                     count | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                     nullptr);
    }
    --s_depth;
    if (!result && PyErr_Occurred())
    {
        Failed(count + (hold->source.context ? 1 : 0));
    }
    Py_XDECREF(result);
}

void
PythonCallable::Failed(std::size_t count) const
{
    Failure failure;
    PyErr_Fetch(&failure.type, &failure.value, &failure.traceback);
    const std::string& name = m_target->source.name;
    if (!failure.traceback && !name.empty() && failure.value)
    {
        // No line of Python was reached: most likely the callable takes other arguments.
        const std::string text = py::str(failure.value);
        PyErr_Format(failure.type,
                     "%s (trace source %s calls it with %zu arguments)",
                     text.c_str(),
                     name.c_str(),
                     count);
        failure.Free();
        PyErr_Fetch(&failure.type, &failure.value, &failure.traceback);
    }
    PyErr_Restore(failure.type, failure.value, failure.traceback);
    Keep(m_target->function.ptr());
}

void
PythonCallable::Keep(PyObject* source)
{
    if (!s_running)
    {
        PyErr_WriteUnraisable(source);
        return;
    }
    Failure failure;
    PyErr_Fetch(&failure.type, &failure.value, &failure.traceback);
    std::swap(g_failure, failure);
    failure.Free();
    s_failed = true;
    ns3::Simulator::Stop();
}

void
PythonCallable::BeginRun()
{
    std::exchange(g_failure, Failure()).Free();
    s_failed = false;
    s_running = true;
    KeepWrappers(true);
}

void
PythonCallable::EndRun()
{
    s_running = false;
    KeepWrappers(false);
    if (std::exchange(s_failed, false))
    {
        const Failure failure = std::exchange(g_failure, Failure());
        PyErr_Restore(failure.type, failure.value, failure.traceback);
        throw py::error_already_set();
    }
}

} // namespace lossless_python

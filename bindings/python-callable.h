// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_CALLABLE_H
#define LOSSLESS_PYTHON_CALLABLE_H

#include "python-arguments.h"
#include "python-support.h"

#include "ns3/simple-ref-count.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace lossless_python
{

/**
 * A Python callable that C++ may keep, copy, call and destroy without holding the interpreter's
 * lock. An exception that it raises stops the simulation and is raised by Simulator.run(); until
 * then no callable is called any more. Simulator.destroy() forgets all callables, so that one that
 * holds the fabric which holds it goes away.
 */
class PythonCallable
{
  public:
    /// @param function what is called
    explicit PythonCallable(const py::object& function);

    /// Where a callable is connected.
    struct Source
    {
        const ns3::Object* object{nullptr}; //!< whose trace source
        std::string name;                   //!< of the trace source; empty: it is none
        py::object context;                 //!< first argument of each call; null: none
    };

    /// A callable of a trace source. @param function what is called @param source where
    PythonCallable(const py::object& function, Source source);

    /// @param args converted to Python
    template <typename... Args>
    void operator()(const Args&... args) const
    {
        if (s_failed || !IsCallable())
        {
            return;
        }
        const PyGILState_STATE lock = PyGILState_Ensure();
        // Vectorcall may write to the place before the first argument.
        std::array<PyObject*, sizeof...(Args) + 1> stack{nullptr, ToPython(args)...};
        Invoke(stack.data(), sizeof...(Args));
        std::size_t i = 1;
        (GiveBack<Args>(stack[i++]), ...);
        PyGILState_Release(lock);
    }

    /// @param other another one @return whether Python finds the callables equal
    bool operator==(const PythonCallable& other) const;

    /// @param other another one @return whether Python finds the callables unequal
    bool operator!=(const PythonCallable& other) const
    {
        return !(*this == other);
    }

    /// @return whether a callable is being called: lists of callbacks are then being read
    static bool IsAnyActive()
    {
        return s_depth > 0;
    }

    /// @return whether a callable of this run has raised: none is called any more
    static bool HasFailed()
    {
        return s_failed;
    }

    /// @return whether a run has begun and not ended
    static bool IsRunning()
    {
        return s_running;
    }

    /// Python has an error set: stop the simulation, and raise the error when the run has ended;
    /// without a run, print it. The interpreter's lock is held. @param source what has raised it
    static void Keep(PyObject* source);

    /// @param like a callable of a trace source @return whether an equal one is connected there
    static bool IsConnected(const PythonCallable& like);

    /// Never call any equal callable of the same trace source again. @param like which
    static void CutAll(const PythonCallable& like);

    /// @return whether a trace source has a callable
    static bool IsAnySink();

    /// Forget all callables that there are.
    static void ForgetAll();
    /// A run begins: what a callable raises is kept from now on.
    static void BeginRun();
    /// The run has ended: raise what a callable has raised, if one has.
    static void EndRun();

  private:
    /// The function, shared by the copies of a PythonCallable. All are in a list, for ForgetAll().
    struct Target : public ns3::SimpleRefCount<Target>
    {
        Target(const py::object& function, Source source);
        ~Target();

        Target(const Target&) = delete;
        Target& operator=(const Target&) = delete;

        py::object function; //!< what is called; null: nothing any more
        Source source;       //!< where it is connected
        Target* next;        //!< in the list
        Target* previous{nullptr};

        inline static Target* s_first = nullptr; //!< begin of the list
    };

    /// @param like a callable of a trace source @return the functions of equal ones there
    static std::vector<ns3::Ptr<Target>> FindAlike(const PythonCallable& like);

    bool IsCallable() const
    {
        return m_target->function.ptr() != nullptr;
    }

    /// Call the function; the interpreter's lock is held. @param stack one free place, then the
    /// arguments @param count of the arguments
    void Invoke(PyObject** stack, std::size_t count) const;
    /// Keep the exception that Python has set, and stop the simulation. @param count of arguments
    void Failed(std::size_t count) const;

    inline static bool s_running = false; //!< between BeginRun() and EndRun()
    inline static bool s_failed = false;  //!< a callable has raised
    inline static int s_depth = 0;        //!< callables being called

    ns3::Ptr<Target> m_target;
};

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_CALLABLE_H

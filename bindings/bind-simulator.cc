// SPDX-License-Identifier: GPL-2.0-only
#include "python-callable.h"
#include "python-run.h"

#include "ns3/environment-values.h"
#include "ns3/event-id.h"
#include "ns3/fabric-run.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/simulator.h"

#include <csignal>
#include <exception>
#include <stdexcept>
#include <string>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// The static methods of ns3::Simulator.
struct SimulatorFunctions
{
};

/// Ctrl-C during a run.
extern "C" void
Interrupt(int /* number */)
{
    FabricRun::Interrupt(SIGINT); // stops the simulation: plain stores
    PyErr_SetInterrupt();         // a callable, or else RunSimulation(), raises it
}

/// Ctrl-C stops the run, and is Python's again afterwards.
class InterruptGuard
{
  public:
    InterruptGuard()
    {
        sigaction(SIGINT, nullptr, &m_before);
        m_isOurs = m_before.sa_handler != SIG_DFL && m_before.sa_handler != SIG_IGN;
        if (m_isOurs)
        {
            struct sigaction action = {};
            action.sa_handler = &Interrupt;
            sigemptyset(&action.sa_mask);
            sigaction(SIGINT, &action, nullptr);
        }
    }

    ~InterruptGuard()
    {
        if (m_isOurs)
        {
            sigaction(SIGINT, &m_before, nullptr);
        }
    }

    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    struct sigaction m_before;
    bool m_isOurs; //!< unless the script wants the signal to end it, or nothing to happen
};

bool g_running = false;     //!< in RunSimulation()
uint64_t g_simulations = 0; //!< that have been destroyed

/// An event, as Python has it. It may outlive its simulation, which ns-3's must not be asked for.
class PythonEvent
{
  public:
    /// @param id of the event
    explicit PythonEvent(const EventId& id)
        : m_id(id)
    {
    }

    /// @return whether it is still to come
    bool IsPending() const
    {
        return m_simulation == g_simulations && !m_id.IsExpired();
    }

    /// It shall not happen.
    void Cancel()
    {
        if (IsPending())
        {
            m_id.Cancel();
        }
    }

  private:
    EventId m_id;
    uint64_t m_simulation{g_simulations}; //!< to which it belongs
};

} // namespace

void
RequireIdle(const char* why)
{
    if (g_running)
    {
        throw std::runtime_error(why);
    }
}

void
RunSimulation(const std::function<void()>& simulate)
{
    RequireIdle("the simulation runs already");
    std::exception_ptr thrown;
    {
        InterruptGuard guard;
        g_running = true;
        PythonCallable::BeginRun();
        py::gil_scoped_release release;
        try
        {
            simulate();
        }
        catch (...)
        {
            thrown = std::current_exception();
        }
        g_running = false;
    }
    PythonCallable::EndRun();
    if (thrown)
    {
        std::rethrow_exception(thrown);
    }
    if (PyErr_CheckSignals() != 0)
    {
        throw py::error_already_set();
    }
}

namespace
{

/// @param delay from now, 0 or more
void
RequireFuture(const Time& delay)
{
    if (delay.IsStrictlyNegative())
    {
        throw py::value_error("a time in the past cannot be scheduled; the delay counts from now");
    }
}

void
Destroy()
{
    RequireIdle("the simulation runs; stop() it, and destroy it after run()");
    EndWrappers();
    {
        py::gil_scoped_release release;
        Simulator::Destroy();
    }
    ++g_simulations;
    PythonCallable::ForgetAll();
}

PythonEvent
Schedule(const Time& delay, const py::object& function, const py::args& args)
{
    RequireFuture(delay);
    const py::object bound =
        args.empty() ? function : py::module_::import("functools").attr("partial")(function, *args);
    const EventId id = Simulator::Schedule(delay, [call = PythonCallable(bound)] { call(); });
    return PythonEvent(id);
}

} // namespace

void
BindSimulator(py::module_& m)
{
    FabricSimulatorImpl::UseByDefault();
    Class<PythonEvent>(m, "EventId", "An event that is to come; Simulator.schedule() makes it.")
        .def("cancel", &PythonEvent::Cancel, "It shall not happen.")
        .def_property_readonly("is_pending", &PythonEvent::IsPending, "Whether it is to come.")
        .def("__repr__", [](const PythonEvent& event) {
            return std::string("<lossless.EventId, ") + (event.IsPending() ? "to come>" : "over>");
        });

    Class<SimulatorFunctions>(m, "Simulator", "ns-3's simulator: one in a process.")
        .def_static("now", &Simulator::Now, "Simulated time.")
        .def_static(
            "schedule",
            &Schedule,
            py::arg("delay"),
            py::arg("callable"),
            "Call a callable, with the arguments that follow, after a delay. Returns an EventId.")
        .def_static(
            "schedule_now",
            [](const py::object& function, const py::args& args) {
                return Schedule(Time(0), function, args);
            },
            py::arg("callable"),
            "Call a callable, with the arguments that follow, after the present event. Returns an "
            "EventId.")
        .def_static(
            "run",
            [] { RunSimulation(&Simulator::Run); },
            "Run until nothing is left to happen, or stop(). An exception in a callable "
            "stops the run and is raised here; so does Ctrl-C.")
        .def_static(
            "stop",
            [] { Simulator::Stop(); },
            "End the run after the present event.")
        .def_static(
            "stop",
            [](const Time& delay) {
                RequireFuture(delay);
                Simulator::Stop(delay);
            },
            py::arg("delay"),
            "End the run after a delay from now.")
        .def_static("destroy", &Destroy, "Forget all events and nodes, for another simulation.")
        .def_static("is_finished",
                    &Simulator::IsFinished,
                    "Whether nothing is left to happen, or the run was stopped.")
        .def_static("event_count", &Simulator::GetEventCount, "Events executed so far.");
    m.def("apply_environment",
          &EnvironmentValues::Apply,
          "Take the environment variables NS_GLOBAL_VALUE and NS_ATTRIBUTE_DEFAULT, or raise "
          "ValueError for what ns-3 would leave out.");
}

} // namespace lossless_python

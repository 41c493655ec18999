// SPDX-License-Identifier: GPL-2.0-only
#include "python-callable.h"

#include "ns3/event-id.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/wheel-scheduler.h"

#include <csignal>
#include <stdexcept>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// The static methods of ns3::Simulator.
struct SimulatorFunctions
{
};

volatile std::sig_atomic_t g_interrupted = 0; //!< Ctrl-C was pressed in a run

/// Ctrl-C during a run.
extern "C" void
Interrupt(int /* number */)
{
    g_interrupted = 1;
    Simulator::Stop(); // a plain store in ns-3's simulators
}

/// Ctrl-C stops the run, and is Python's again afterwards.
class InterruptGuard
{
  public:
    InterruptGuard()
    {
        g_interrupted = 0;
        struct sigaction action = {};
        action.sa_handler = &Interrupt;
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, &m_before);
    }

    ~InterruptGuard()
    {
        sigaction(SIGINT, &m_before, nullptr);
    }

    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    struct sigaction m_before;
};

bool g_running = false; //!< in Run()

void
Run()
{
    if (g_running)
    {
        throw std::runtime_error("the simulation runs already");
    }
    PythonCallable::ForgetFailure();
    g_running = true;
    {
        InterruptGuard guard;
        py::gil_scoped_release release;
        Simulator::Run();
    }
    g_running = false;
    PythonCallable::RaiseFailure();
    if (g_interrupted)
    {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }
}

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
    if (g_running)
    {
        throw std::runtime_error("the simulation runs; stop() it, and destroy it after run()");
    }
    py::gil_scoped_release release;
    Simulator::Destroy();
}

} // namespace

void
BindSimulator(py::module_& m)
{
    // The fast event set, for this simulation and those after a destroy().
    GlobalValue::Bind("SchedulerType", TypeIdValue(WheelScheduler::GetTypeId()));
    Class<EventId>(m, "EventId", "An event that is to come.")
        .def("cancel", &EventId::Cancel, "It shall not happen.")
        .def_property_readonly(
            "is_pending",
            [](const EventId& id) { return !id.IsExpired(); },
            "Whether it is still to come.");

    Class<SimulatorFunctions>(m, "Simulator", "ns-3's simulator: one in a process.")
        .def_static("now", &Simulator::Now, "Simulated time.")
        .def_static(
            "schedule",
            [](const Time& delay, const py::function& function, const py::args& args) {
                RequireFuture(delay);
                const py::object bound =
                    args.empty()
                        ? py::object(function)
                        : py::module_::import("functools").attr("partial")(function, *args);
                return Simulator::Schedule(delay, [call = PythonCallable(bound)] { call(); });
            },
            py::arg("delay"),
            py::arg("callable"),
            "Call a callable, with the arguments that follow, after a delay. Returns an EventId.")
        .def_static("run",
                    &Run,
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
        .def_static("get_event_count", &Simulator::GetEventCount, "Events executed so far.");
}

} // namespace lossless_python

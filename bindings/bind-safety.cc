// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-callable.h"
#include "python-deadlock.h"
#include "python-flows.h"
#include "python-part.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/deadlock-detector.h"
#include "ns3/deadlock-helper.h"
#include "ns3/fault-helper.h"
#include "ns3/frame-loss.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/watchdog-helper.h"

#include <memory>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// A method of FaultHelper as Python's Faults has it.
template <typename... Args>
auto
Fault(void (FaultHelper::*method)(Args...))
{
    return [method](FaultHelper& faults, Args... args) { (faults.*method)(args...); };
}

/// Install a watchdog in some switches. @return them
std::vector<Ptr<PfcWatchdog>>
WatchSwitches(const Fabric& fabric, const py::object& which, const py::kwargs& attributes)
{
    const Part part("PfcWatchdog", attributes);
    std::vector<uint32_t> switches;
    for (uint32_t i = 0; which.is_none() && i < fabric.GetNSwitches(); ++i)
    {
        switches.push_back(i);
    }
    if (!which.is_none())
    {
        switches = which.cast<std::vector<uint32_t>>();
    }
    std::vector<Ptr<PfcWatchdog>> made;
    for (const uint32_t i : switches)
    {
        const auto watchdog = part.GetFactory().Create<PfcWatchdog>();
        fabric.GetSwitch(i)->AddExtension(watchdog);
        made.push_back(watchdog);
    }
    fabric.RequireLossless();
    return made;
}

/// Watch a fabric for deadlocks. @return the detector
Ptr<DeadlockDetector>
Detect(const Fabric& fabric, const py::kwargs& attributes)
{
    const auto detector = DeadlockHelper(fabric).InstallDetector();
    for (const auto& [name, value] : attributes)
    {
        SetAttribute(*detector, name.cast<std::string>(), value);
    }
    return detector;
}

/// @return the deadlocks that were found, as dictionaries
py::list
DeadlocksOf(const DeadlockDetector& detector)
{
    py::list all;
    for (const Deadlock& deadlock : detector.GetDeadlocks())
    {
        all.append(DeadlockToDict(deadlock));
    }
    return all;
}

void
BindWatchers(py::module_& m)
{
    py::enum_<PfcQueueState>(m, "PfcQueueState", py::module_local())
        .value("OPERATIONAL", PfcQueueState::OPERATIONAL)
        .value("STORMED", PfcQueueState::STORMED)
        .value("DISABLED", PfcQueueState::DISABLED);
    KnownClass<PfcWatchdog, SwitchExtension>(m, "PfcWatchdog", "The PFC watchdog of a switch.")
        .def("state", &PfcWatchdog::GetState, py::arg("port"), py::arg("traffic_class"))
        .def("restore",
             &PfcWatchdog::Restore,
             py::arg("port"),
             py::arg("traffic_class"),
             "Declare a queue operational.")
        .def_property_readonly("totals", [](const PfcWatchdog& w) {
            const auto totals = w.GetTotals();
            py::dict all;
            all["storms"] = totals.storms;
            all["restored"] = totals.restored;
            all["disabled"] = totals.disabled;
            all["queue_drops"] = totals.queueDrops;
            all["ingress_drops"] = totals.ingressDrops;
            return all;
        });
    KnownClass<NicWatchdog, Object>(m, "NicWatchdog", "The watchdog of a NIC against itself.");
    KnownClass<FrameLoss, Object>(m, "FrameLoss", "Which frames a fault destroys.");
    KnownClass<DeadlockDetector, Object>(m, "DeadlockDetector", "Finds deadlocks during a run.")
        .def_property_readonly("deadlocks",
                               &DeadlocksOf,
                               "Those found so far: time, end, cycle of (switch, port, class), "
                               "flows of (source, destination, frames), frames.");
    m.def("watch_switches", &WatchSwitches, py::arg("fabric"), py::arg("switches") = py::none());
    m.def(
        "watch_nics",
        [](const Fabric& fabric, const py::kwargs& attributes) {
            const Part part("NicWatchdog", attributes);
            WatchdogHelper(fabric).InstallNics();
            for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
            {
                const auto watchdog = fabric.GetHost(host)->GetObject<NicWatchdog>();
                for (const auto& [name, value] : attributes)
                {
                    SetAttribute(*watchdog, name.cast<std::string>(), value);
                }
            }
        },
        py::arg("fabric"));
    m.def("detect_deadlocks", &Detect, py::arg("fabric"));
    m.def(
        "prevent_deadlocks",
        [](const Fabric& fabric, const std::string& how, const std::vector<uint32_t>& classes) {
            DeadlockHelper helper(fabric);
            if (how == "tagger")
            {
                helper.InstallTagger(classes);
            }
            else if (how == "port_groups")
            {
                helper.InstallUplinkGroups(classes);
            }
            else
            {
                throw py::value_error("how is \"" + how +
                                      "\"; it must be \"tagger\" or \"port_groups\"");
            }
        },
        py::arg("fabric"),
        py::arg("how"),
        py::arg("classes"));
}

void
BindGraph(py::module_& m)
{
    Class<BufferDependencyGraph>(m, "DependencyGraph", "Which buffers may wait for which.")
        .def_static("from_routes", &BufferDependencyGraph::FromRoutes, py::arg("fabric"))
        .def_property_readonly("has_cycle", &BufferDependencyGraph::HasCycle)
        .def("describe",
             &BufferDependencyGraph::Describe,
             "One line for each edge of a circle, with its flows.")
        .def("write_dot",
             &BufferDependencyGraph::WriteDot,
             py::arg("path"),
             py::arg("all") = true,
             "For Graphviz.");
}

void
BindFaults(py::module_& m)
{
    const Time forGood(0);
    Class<FaultHelper>(m, "Faults", "Faults by time; a duration of 0 is for good.")
        .def(py::init([](const Fabric& fabric, Flows& flows) {
                 return std::make_unique<FaultHelper>(fabric, flows.helper);
             }),
             py::keep_alive<1, 3>())
        .def("cut_link",
             Fault(&FaultHelper::CutLink),
             py::arg("link"),
             py::arg("at"),
             py::arg("duration") = forGood)
        .def("flap_link",
             Fault(&FaultHelper::FlapLink),
             py::arg("link"),
             py::arg("at"),
             py::arg("down"),
             py::arg("period"),
             py::arg("count"))
        .def("reboot_switch",
             Fault(&FaultHelper::RebootSwitch),
             py::arg("switch"),
             py::arg("at"),
             py::arg("duration"))
        .def("kill_host",
             Fault(&FaultHelper::KillHost),
             py::arg("host"),
             py::arg("at"),
             py::arg("duration") = forGood)
        .def("silence_port",
             Fault(&FaultHelper::SilencePort),
             py::arg("node"),
             py::arg("port"),
             py::arg("at"),
             py::arg("duration") = forGood)
        .def("stick_xoff",
             Fault(&FaultHelper::StickXoff),
             py::arg("node"),
             py::arg("port"),
             py::arg("classes"),
             py::arg("at"),
             py::arg("duration") = forGood,
             "A port pauses its peer; classes: mask.")
        .def("storm_host",
             Fault(&FaultHelper::StormHost),
             py::arg("host"),
             py::arg("at"),
             py::arg("duration") = forGood,
             "A NIC sends PAUSE for ever.")
        .def("lose_xon",
             Fault(&FaultHelper::LoseXon),
             py::arg("node"),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("count"),
             py::arg("at"))
        .def(
            "lose_frames",
            [](FaultHelper& faults,
               uint32_t node,
               uint32_t port,
               const Part& loss,
               const Time& at,
               const Time& duration) {
                const auto made = loss.GetFactory().Create<FrameLoss>();
                if (!made)
                {
                    throw py::value_error(loss.GetTypeId().GetName() + " is no FrameLoss");
                }
                faults.LoseFrames(node, port, made, at, duration);
            },
            py::arg("node"),
            py::arg("port"),
            py::arg("loss"),
            py::arg("at"),
            py::arg("duration") = forGood,
            "loss: a Part such as Part(\"RandomFrameLoss\").")
        .def(
            "slow_receiver",
            [](FaultHelper& faults,
               uint32_t host,
               const Time& at,
               const Time& duration,
               const py::kwargs& attributes) {
                faults.SlowReceiver(host,
                                    Part("NicReceiveBuffer", attributes).GetFactory(),
                                    at,
                                    duration);
            },
            py::arg("host"),
            py::arg("at"),
            py::arg("duration") = forGood,
            "Further keywords: attributes of NicReceiveBuffer.")
        .def("stop_receiver",
             Fault(&FaultHelper::StopReceiver),
             py::arg("host"),
             py::arg("at"),
             py::arg("duration") = forGood)
        .def(
            "converge_uniformly",
            [](FaultHelper& f, const Time& delay) { f.GetConvergence().SetUniform(delay); },
            py::arg("delay"),
            "All switches get new routes so long after a link has changed.")
        .def(
            "converge_by_distance",
            [](FaultHelper& f, const Time& first, const Time& perHop) {
                f.GetConvergence().SetByDistance(first, perHop);
            },
            py::arg("first"),
            py::arg("per_hop"))
        .def(
            "set_patience",
            [](FaultHelper& f, const Time& patience) { f.GetWatch().SetPatience(patience); },
            py::arg("patience"),
            "Without progress for so long a run is stuck, and ends; 20 ms.")
        .def_property_readonly("is_stuck", [](FaultHelper& f) { return f.GetWatch().IsStuck(); })
        .def("lift_all", &FaultHelper::LiftAll)
        .def("assign_streams", &FaultHelper::AssignStreams, py::arg("stream"))
        .def_property_readonly("log", [](const FaultHelper& f) {
            py::list log;
            for (const auto& event : f.GetLog())
            {
                log.append(py::make_tuple(event.time, event.what, event.where, event.begins));
            }
            return log;
        });
}

} // namespace

py::dict
DeadlockToDict(const Deadlock& deadlock)
{
    py::dict one;
    py::list cycle;
    for (const BufferVertex& vertex : deadlock.cycle)
    {
        cycle.append(py::make_tuple(vertex.switchIndex, vertex.port, vertex.trafficClass));
    }
    py::list flows;
    for (const DeadlockFlow& flow : deadlock.flows)
    {
        flows.append(py::make_tuple(flow.source, flow.destination, flow.frames));
    }
    one["time"] = deadlock.time;
    one["end"] = deadlock.IsOver() ? py::cast(deadlock.end) : py::object(py::none());
    one["cycle"] = cycle;
    one["flows"] = flows;
    one["frames"] = deadlock.frames;
    one["flushed_frames"] = deadlock.flushedFrames;
    return one;
}

void
BindSafety(py::module_& m)
{
    BindWatchers(m);
    BindGraph(m);
    BindFaults(m);
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#include "python-callable.h"
#include "python-part.h"
#include "python-places.h"

#include "ns3/fault-helper.h"
#include "ns3/frame-loss.h"
#include "ns3/mrc-controller.h"

namespace lossless_python
{

using namespace ns3;

namespace
{

/// Python's Faults.
using FaultsClass = py::class_<FaultHelper>;

/// Links, switches and hosts that fail.
void
BindLinksAndNodes(FaultsClass& faults)
{
    faults
        .def("cut_link",
             At<PlaceKind::LINK>(&FaultHelper::CutLink),
             py::arg("link"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "Cut a link.")
        .def("flap_link",
             At<PlaceKind::LINK>(&FaultHelper::FlapLink),
             py::arg("link"),
             py::arg("at"),
             py::arg("down"),
             py::arg("period"),
             py::arg("count"),
             "Cut a link again and again.")
        .def("cut_plane",
             &FaultHelper::CutPlane,
             py::arg("plane"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "Cut all links of the switches to which the ports of this number of the hosts lead.")
        .def("reboot_switch",
             At<PlaceKind::SWITCH>(&FaultHelper::RebootSwitch),
             py::arg("switch"),
             py::arg("at"),
             py::arg("duration"),
             "Restart a switch: its links go down, its buffer is empty.")
        .def("kill_host",
             At<PlaceKind::HOST>(&FaultHelper::KillHost),
             py::arg("host"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "A host dies: its links stay up, and nothing comes from it or gets to it.")
        .def("silence_port",
             At<PlaceKind::NODE>(&FaultHelper::SilencePort),
             py::arg("node"),
             py::arg("port"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "A port sends into the void: its link is up, and nothing of it arrives.");
}

/// Pauses that should not be.
void
BindPauses(FaultsClass& faults)
{
    faults
        .def("stick_xoff",
             At<PlaceKind::NODE>(&FaultHelper::StickXoff),
             py::arg("node"),
             py::arg("port"),
             py::arg("classes"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "A port pauses its peer; classes: mask.")
        .def("storm_host",
             At<PlaceKind::HOST>(&FaultHelper::StormHost),
             py::arg("host"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "A NIC sends PAUSE for ever.")
        .def("lose_xon",
             At<PlaceKind::NODE>(&FaultHelper::LoseXon),
             py::arg("node"),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("count"),
             py::arg("at"),
             "The next XON frames for a class that come to a port are lost.");
}

/// Frames that are lost, and slow receivers.
void
BindLosses(FaultsClass& faults)
{
    faults
        .def("lose_randomly",
             At<PlaceKind::NODE>(&FaultHelper::LoseRandomly),
             py::arg("node"),
             py::arg("port"),
             py::arg("rate"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "Each frame that arrives at a port is lost with a probability, PFC included.")
        .def("lose_ip_ids",
             At<PlaceKind::NODE>(&FaultHelper::LoseIpIds),
             py::arg("node"),
             py::arg("port"),
             py::arg("mask"),
             py::arg("value"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "IPv4 frames whose identification has a value in the bits of a mask are lost.")
        .def(
            "lose_frames",
            [](FaultHelper& faults,
               const NodeRef& node,
               uint32_t port,
               const Part& loss,
               const Time& at,
               const Time& duration) {
                if (!loss.GetTypeId().IsChildOf(FrameLoss::GetTypeId()))
                {
                    throw py::value_error(loss.GetTypeId().GetName() + " is no FrameLoss");
                }
                faults.LoseFrames(node.In(faults.GetFabric()), port, loss.GetText(), at, duration);
            },
            py::arg("node"),
            py::arg("port"),
            py::arg("loss"),
            py::arg("at"),
            py::arg("duration") = Time(0),
            "loss: a Part such as Part(\"RandomFrameLoss\").");
}

/// Receivers that are slow, or stop.
void
BindReceivers(FaultsClass& faults)
{
    faults
        .def(
            "slow_receiver",
            [](FaultHelper& faults,
               const HostRef& host,
               const Time& at,
               const Time& duration,
               const py::kwargs& attributes) {
                faults.SlowReceiver(host.In(faults.GetFabric()),
                                    Part("NicReceiveBuffer", attributes).GetFactory(),
                                    at,
                                    duration);
            },
            py::arg("host"),
            py::arg("at"),
            py::arg("duration") = Time(0),
            "Further keywords: attributes of NicReceiveBuffer.")
        .def("stop_receiver",
             At<PlaceKind::HOST>(&FaultHelper::StopReceiver),
             py::arg("host"),
             py::arg("at"),
             py::arg("duration") = Time(0),
             "The receive pipeline of a host stops: its buffer fills, and it pauses for ever.");
}

/// How routes follow.
void
BindConvergence(FaultsClass& faults)
{
    faults
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
            py::arg("per_hop"),
            "Switches at a changed link get new routes after the first delay, each further one so "
            "much later for each hop.")
        .def(
            "converge_randomly",
            [](FaultHelper& f, const Time& low, const Time& high) {
                f.GetConvergence().SetRandom(low, high);
            },
            py::arg("low"),
            py::arg("high"),
            "Each switch draws its delay, for each change anew.")
        .def(
            "converge_by_switch",
            [](FaultHelper& f, const std::vector<Time>& delays) {
                f.GetConvergence().SetDelays(delays);
            },
            py::arg("delays"),
            "One delay for each switch, in their order.");
}

/// The faults there are, and the log.
void
BindLog(FaultsClass& faults)
{
    faults
        .def(
            "on_fault",
            [](FaultHelper& f, const py::function& function) {
                f.OnFault([call = PythonCallable(function)](const FaultHelper::Event& event) {
                    call(event.time, event.what, event.where, event.begins);
                });
            },
            py::arg("callable"),
            "Call a callable with (time, what, where, begins) of each fault that begins or ends.")
        .def("lift_all",
             &FaultHelper::LiftAll,
             "End all faults that last, and forget those to come.")
        .def_property_readonly("n_active", &FaultHelper::GetNActive, "How many faults last now.")
        .def_property_readonly("is_any_due",
                               &FaultHelper::IsAnyDue,
                               "Whether a fault is to begin or to end.")
        .def("__repr__",
             Repr<FaultHelper>("Faults",
                               [](const FaultHelper& f) {
                                   return ": " + std::to_string(f.GetNActive()) + " last now";
                               }))
        .def_property_readonly(
            "log",
            [](const FaultHelper& f) {
                py::list log;
                for (const auto& event : f.GetLog())
                {
                    log.append(py::make_tuple(event.time, event.what, event.where, event.begins));
                }
                return log;
            },
            "(time, what, where, begins) of each fault that began or ended.");
}

/// What the controller of hosts with MRC knows of bad links.
void
BindController(py::module_& m)
{
    const auto at = [](void (MrcController::*call)(LinkId)) {
        return [call](MrcController& controller, const LinkRef& link) {
            (controller.*call)(link.In(controller.GetFabric()));
        };
    };
    Class<MrcController>(m,
                         "MrcController",
                         "The controller of hosts with MRC: denies the entropy values whose data "
                         "packets would cross a bad link, on all queue pairs. Keep it while the "
                         "simulation runs.")
        .def(py::init<const Fabric&>(), py::arg("fabric"))
        .def("deny",
             at(&MrcController::Deny),
             py::arg("link"),
             "No data packet takes a link any more from now on.")
        .def("allow",
             at(&MrcController::Allow),
             py::arg("link"),
             "A link may be used again from now on.")
        .def("deny_known",
             &MrcController::DenyKnown,
             "Deny what is down as well: now, and whenever a queue pair draws its values, that is "
             "at its first request.")
        .def("__repr__", Repr<MrcController>("MrcController", [](const MrcController& controller) {
                 return ": " + std::to_string(controller.GetNDenied()) + " links denied";
             }));
}

} // namespace

void
BindFaults(py::module_& m)
{
    KnownClass<FrameLoss, Object>(m, "FrameLoss", "Which frames a fault destroys.");
    auto faults = Class<FaultHelper>(m, "Faults", "Faults by time; a duration of 0 is for good.");
    BindLinksAndNodes(faults);
    BindPauses(faults);
    BindLosses(faults);
    BindReceivers(faults);
    BindConvergence(faults);
    BindLog(faults);
    BindController(m);
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-counters.h"
#include "python-deadlock.h"
#include "python-part.h"
#include "python-places.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/deadlock-detector.h"
#include "ns3/deadlock-helper.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/result-file.h"
#include "ns3/watchdog-helper.h"

#include <optional>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @param fabric the fabric @param which places of it, or None for all @param all what that is
/// @param what name of the argument @return their numbers @tparam KIND what they are
template <PlaceKind KIND>
std::vector<PlaceIndex<KIND>>
NumbersOf(const Fabric& fabric,
          const py::object& which,
          const std::vector<PlaceIndex<KIND>>& all,
          const std::string& what)
{
    try
    {
        return which.is_none() ? all
                               : AllIn(py::list(which).cast<std::vector<PlaceRef<KIND>>>(), fabric);
    }
    catch (const py::cast_error&)
    {
    }
    catch (const py::error_already_set&) // nothing to go through
    {
    }
    throw py::type_error(
        what + " is " + std::string(py::repr(which)) +
        "; it must be a list of numbers or names, such as [0, 1], or None for all");
}

/// @param given an argument that names places @param numbers of them; ValueError if it names none
/// @param what name of the argument
void
RequireSome(const py::object& given, std::size_t numbers, const std::string& what)
{
    if (!given.is_none() && numbers == 0)
    {
        throw py::value_error(what + " is empty; leave it out to watch all");
    }
}

/// Install a watchdog in some switches. @return them
std::vector<Ptr<PfcWatchdog>>
WatchSwitches(const Fabric& fabric, const py::object& which, const py::kwargs& attributes)
{
    const WatchdogHelper helper(fabric);
    const auto switches =
        NumbersOf<PlaceKind::SWITCH>(fabric, which, helper.AllSwitches(), "switches");
    RequireSome(which, switches.size(), "switches");
    helper.AddToSwitches(switches, Part("PfcWatchdog", attributes).GetFactory());
    std::vector<Ptr<PfcWatchdog>> made;
    for (const SwitchId i : switches)
    {
        made.push_back(WatchdogHelper::GetWatchdogs(fabric, i).back());
    }
    return made;
}

/// Install a watchdog in the NICs of some hosts. @return them
std::vector<Ptr<NicWatchdog>>
WatchNics(const Fabric& fabric, const py::object& which, const py::kwargs& attributes)
{
    const WatchdogHelper helper(fabric);
    const auto hosts = NumbersOf<PlaceKind::HOST>(fabric, which, helper.AllHosts(), "hosts");
    RequireSome(which, hosts.size(), "hosts");
    helper.AddToHosts(hosts, Part("NicWatchdog", attributes).GetFactory());
    std::vector<Ptr<NicWatchdog>> made;
    for (const HostId host : hosts)
    {
        made.push_back(fabric.GetHost(host)->GetObject<NicWatchdog>());
    }
    return made;
}

/// Watch a fabric for deadlocks. @return the detector
Ptr<DeadlockDetector>
Detect(const Fabric& fabric, const py::kwargs& attributes)
{
    const Part part("DeadlockDetector", attributes);
    const auto detector = part.GetFactory().Create<DeadlockDetector>();
    DeadlockHelper(fabric).AddDetector(detector);
    return detector;
}

/// Prevent deadlocks. @param how "tagger", "port_groups" or "ttl"
void
Prevent(const Fabric& fabric,
        const std::string& how,
        const std::vector<uint32_t>& classes,
        std::optional<uint32_t> lossyClass,
        std::optional<uint32_t> limit)
{
    DeadlockHelper helper(fabric);
    if (how == "tagger" || how == "port_groups")
    {
        if (limit)
        {
            throw py::value_error("limit would have no effect with \"" + how +
                                  "\"; it is the TTL of \"ttl\"");
        }
        how == "tagger" ? helper.InstallTagger(classes, lossyClass.value_or(0))
                        : helper.InstallUplinkGroups(classes, lossyClass.value_or(0));
    }
    else if (how == "ttl")
    {
        if (lossyClass)
        {
            throw py::value_error("lossy_class would have no effect with \"ttl\", which drops "
                                  "frames; it is for \"tagger\" and \"port_groups\"");
        }
        if (limit.value_or(0) == 0 || *limit > 255)
        {
            throw py::value_error("limit is " + (limit ? std::to_string(*limit) : "missing") +
                                  "; a TTL is 1 to 255");
        }
        for (const uint32_t cls : classes)
        {
            if (cls >= TRAFFIC_CLASSES)
            {
                throw py::value_error("class " + std::to_string(cls) + "; classes are 0 to 7");
            }
            helper.InstallTtlLimit(cls, *limit);
        }
    }
    else
    {
        throw py::value_error("how is \"" + how +
                              "\"; it must be \"tagger\", \"port_groups\" or \"ttl\"");
    }
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
    py::enum_<PfcQueueState>(m, "PfcQueueState")
        .value("OPERATIONAL", PfcQueueState::OPERATIONAL)
        .value("STORMED", PfcQueueState::STORMED)
        .value("DISABLED", PfcQueueState::DISABLED);
    KnownClass<PfcWatchdog, SwitchExtension>(m, "PfcWatchdog", "The PFC watchdog of a switch.")
        .def("state",
             &PfcWatchdog::GetState,
             py::arg("port"),
             py::arg("traffic_class"),
             "PfcQueueState of a class of a port.")
        .def("restore",
             &PfcWatchdog::Restore,
             py::arg("port"),
             py::arg("traffic_class"),
             "Declare a queue operational.")
        .def_property_readonly(
            "totals",
            [](const PfcWatchdog& w) { return ToDict(w.GetTotals()); },
            "Storms, restored and disabled queues, and frames dropped, by name.");
    KnownClass<NicWatchdog, Object>(m, "NicWatchdog", "The watchdog of a NIC against itself.")
        .def_property_readonly("times_stopped",
                               &NicWatchdog::GetStopCount,
                               "How often it has kept its ports from pausing.");
    KnownClass<DeadlockDetector, Object>(m, "DeadlockDetector", "Finds deadlocks during a run.")
        .def_property_readonly("deadlocks",
                               &DeadlocksOf,
                               "Those found so far: time, end, cycle of (switch, port, class), "
                               "flows of (source, destination, frames), frames.");
}

/// What installs them.
void
BindInstallers(py::module_& m)
{
    m.def("watch_switches",
          &WatchSwitches,
          py::arg("fabric"),
          py::arg("switches") = py::none(),
          "Give switches a PfcWatchdog; see Fabric.watch_switches().");
    m.def("watch_nics",
          &WatchNics,
          py::arg("fabric"),
          py::arg("hosts") = py::none(),
          "Give NICs a NicWatchdog; see Fabric.watch_nics().");
    m.def("detect_deadlocks",
          &Detect,
          py::arg("fabric"),
          "Look for deadlocks; see Fabric.detect_deadlocks().");
    m.def("prevent_deadlocks",
          &Prevent,
          py::arg("fabric"),
          py::arg("how"),
          py::arg("classes"),
          py::arg("lossy_class") = py::none(),
          py::arg("limit") = py::none(),
          "Prevent deadlocks; see Fabric.prevent_deadlocks().");
    m.def(
        "prevent_at_port_group",
        [](const Fabric& fabric,
           const NodeRef& node,
           const std::vector<uint32_t>& ports,
           const std::vector<uint32_t>& classes,
           uint32_t lossyClass) {
            DeadlockHelper(fabric).InstallPortGroup(node.In(fabric), ports, classes, lossyClass);
        },
        py::arg("fabric"),
        py::arg("node"),
        py::arg("ports"),
        py::arg("classes"),
        py::arg("lossy_class") = 0,
        "A port group at one switch; see Fabric.prevent_at_port_group().");
    m.def(
        "tor_switches",
        [](const Fabric& fabric) { return WatchdogHelper(fabric).GetTors(); },
        py::arg("fabric"),
        "Numbers of the switches that have hosts.");
}

void
BindGraph(py::module_& m)
{
    Class<BufferDependencyGraph>(m, "DependencyGraph", "Which buffers may wait for which.")
        .def_static("from_routes",
                    &BufferDependencyGraph::FromRoutes,
                    py::arg("fabric"),
                    "What may wait by the routes, whatever is sent.")
        .def_static("from_flows",
                    py::overload_cast<const RdmaFlowHelper&>(&BufferDependencyGraph::FromFlows),
                    py::arg("flows"),
                    "What may wait with the flows that have been added.")
        .def_static("from_active_flows",
                    &BufferDependencyGraph::FromActiveFlows,
                    py::arg("flows"),
                    "What may wait with the flows that run now.")
        .def_property_readonly("has_cycle",
                               &BufferDependencyGraph::HasCycle,
                               "Whether buffers may wait for each other in a circle.")
        .def_property_readonly(
            "n_vertices",
            [](const BufferDependencyGraph& g) { return g.GetVertices().size(); },
            "Number of buffers (switch, port, class).")
        .def_property_readonly(
            "n_edges",
            [](const BufferDependencyGraph& g) { return g.GetEdges().size(); },
            "Number of pairs of which one may wait for the other.")
        .def_property_readonly(
            "n_components",
            [](const BufferDependencyGraph& g) { return g.GetComponents().size(); },
            "Number of sets of buffers that may all wait for each other.")
        .def("__repr__",
             [](const BufferDependencyGraph& g) {
                 return "<lossless.DependencyGraph of " + std::to_string(g.GetVertices().size()) +
                        " buffers, " + std::to_string(g.GetComponents().size()) + " with circles>";
             })
        .def("describe",
             &BufferDependencyGraph::Describe,
             "One line for each edge of a circle, with its flows.")
        .def(
            "write_dot",
            [](const BufferDependencyGraph& g, const std::string& path, bool all) {
                ResultFile::Make(path, [&](std::ostream& to) { g.PrintDot(to, all); });
            },
            py::arg("path"),
            py::arg("all") = true,
            "For Graphviz.");
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
    BindInstallers(m);
    BindGraph(m);
}

} // namespace lossless_python

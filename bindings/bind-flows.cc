// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-callable.h"
#include "python-columns.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"

#include "ns3/fabric-text.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/unfinished-flows.h"

#include <cmath>
#include <optional>

namespace lossless_python
{

using namespace ns3;

uint64_t
ToBytes(const py::object& size, const std::string& what)
{
    if (py::isinstance<py::bool_>(size) || py::isinstance<py::float_>(size))
    {
        const double real = size.cast<double>();
        if (py::isinstance<py::bool_>(size) || real < 0 || real > 1e18 || real != std::floor(real))
        {
            throw py::value_error(
                what + " is " + std::string(py::str(size)) +
                "; it must be a whole number of bytes, or text such as \"64KiB\"");
        }
        return static_cast<uint64_t>(real);
    }
    return FabricText::ToBytes(py::str(size), what);
}

namespace
{

/// @return the flow that keywords describe
RdmaFlow
MakeFlow(const RdmaFlowHelper& flows,
         const HostRef& source,
         const HostRef& destination,
         const py::object& size,
         const Time& start,
         const std::optional<uint8_t>& trafficClass,
         const py::object& verb,
         const py::object& window,
         uint16_t udpPort,
         const py::object& port,
         const std::optional<std::string>& label)
{
    RdmaFlow flow;
    flow.source = source.In(flows.GetFabric());
    flow.destination = destination.In(flows.GetFabric());
    flow.bytes = ToBytes(size, "size");
    flow.start = start;
    flow.trafficClass = trafficClass.value_or(flows.GetSaid().flow.trafficClass);
    flow.verb = verb.is_none() ? flows.GetSaid().flow.verb : ToVerb(verb);
    flow.window = ToBytes(window, "window");
    flow.sourcePort = udpPort;
    flow.label = label.value_or(flows.GetSaid().flow.label);
    flow.way = WayOf(flows.GetFabric(), flow.source, flow.destination, port);
    return flow;
}

/// A method of Flows that takes a flow by its keywords. @param act what is done with the flow
template <typename Act>
void
DefineOfFlow(py::class_<RdmaFlowHelper>& flows, const char* name, Act act, const char* doc)
{
    flows.def(
        name,
        [act](RdmaFlowHelper& self,
              const HostRef& source,
              const HostRef& destination,
              const py::object& size,
              const Time& start,
              const std::optional<uint8_t>& trafficClass,
              const py::object& verb,
              const py::object& window,
              uint16_t udpPort,
              const py::object& port,
              const std::optional<std::string>& label) {
            return act(self,
                       MakeFlow(self,
                                source,
                                destination,
                                size,
                                start,
                                trafficClass,
                                verb,
                                window,
                                udpPort,
                                port,
                                label));
        },
        py::arg("source"),
        py::arg("destination"),
        py::arg("size"),
        py::arg("start") = Time(0),
        py::arg("traffic_class") = py::none(),
        py::arg("verb") = py::none(),
        py::arg("window") = 0,
        py::arg("udp_port") = 0,
        py::arg("port") = py::none(),
        py::arg("label") = py::none(),
        doc);
}

/// Flows that have ended, or have not.
void
BindResults(py::module_& m)
{
    Class<RdmaFlowResult>(m, "FlowResult", "The end of a flow.")
        .def_readonly("index", &RdmaFlowResult::index, "Number of the flow.")
        .def_property_readonly(
            "source",
            [](const RdmaFlowResult& r) { return r.flow.source; },
            "Number of the host that posted it.")
        .def_property_readonly(
            "destination",
            [](const RdmaFlowResult& r) { return r.flow.destination; },
            "Number of the other host.")
        .def_property_readonly(
            "label",
            [](const RdmaFlowResult& r) { return r.flow.label; },
            "Label of its workload; empty: none.")
        .def_property_readonly(
            "bytes",
            [](const RdmaFlowResult& r) { return r.flow.bytes; },
            "Length of its message.")
        .def_property_readonly(
            "traffic_class",
            [](const RdmaFlowResult& r) { return r.flow.trafficClass; },
            "Class of its data.")
        .def_property_readonly(
            "start",
            [](const RdmaFlowResult& r) { return r.flow.start; },
            "When it was posted.")
        .def_readonly("status", &RdmaFlowResult::status, "How it ended.")
        .def_readonly("fct", &RdmaFlowResult::fct, "From posting to completion.")
        .def_readonly("ideal", &RdmaFlowResult::ideal, "The same with the fabric for itself.")
        .def("__repr__", [](const RdmaFlowResult& r) {
            return "<FlowResult " + std::to_string(r.index) + ": " +
                   std::to_string(r.flow.source.Value()) + " -> " +
                   std::to_string(r.flow.destination.Value()) + ", " +
                   std::to_string(r.flow.bytes) + " bytes in " +
                   std::string(py::str(py::cast(r.fct))) + ", " + ToString(r.status) + ">";
        });
}

/// @return what Python sees of a flow, for pickle
py::tuple
StateOf(const UnfinishedFlow& u)
{
    const RdmaFlow& flow = u.flow.flow;
    return py::make_tuple(u.flow.index,
                          flow.source,
                          flow.destination,
                          flow.bytes,
                          flow.start.GetTimeStep(),
                          static_cast<int>(u.state),
                          u.reason);
}

/// @param state of StateOf() @return the flow
UnfinishedFlow
FromState(const py::tuple& state)
{
    UnfinishedFlow u;
    u.flow.index = state[0].cast<uint64_t>();
    u.flow.flow.source = state[1].cast<uint32_t>();
    u.flow.flow.destination = state[2].cast<uint32_t>();
    u.flow.flow.bytes = state[3].cast<uint64_t>();
    u.flow.flow.start = Time(state[4].cast<int64_t>());
    u.state = static_cast<UnfinishedFlow::State>(state[5].cast<int>());
    u.reason = state[6].cast<std::string>();
    return u;
}

void
BindUnfinished(py::module_& m)
{
    Class<UnfinishedFlow>(m, "UnfinishedFlow", "A flow that has not completed, and why.")
        .def_property_readonly(
            "index",
            [](const UnfinishedFlow& u) { return u.flow.index; },
            "Number of the flow.")
        .def_property_readonly(
            "source",
            [](const UnfinishedFlow& u) { return u.flow.flow.source; },
            "Number of the host that posts it.")
        .def_property_readonly(
            "destination",
            [](const UnfinishedFlow& u) { return u.flow.flow.destination; },
            "Number of the other host.")
        .def_property_readonly(
            "bytes",
            [](const UnfinishedFlow& u) { return u.flow.flow.bytes; },
            "Length of its message.")
        .def_property_readonly(
            "start",
            [](const UnfinishedFlow& u) { return u.flow.flow.start; },
            "When it is posted.")
        .def_property_readonly(
            "state",
            [](const UnfinishedFlow& u) { return UnfinishedFlows::NameOf(u.state); },
            "How far it came, in a word.")
        .def_readonly("reason", &UnfinishedFlow::reason, "What stops it, on one line.")
        .def(py::pickle(&StateOf, &FromState))
        .def("__repr__", [](const UnfinishedFlow& u) {
            return "<UnfinishedFlow " + std::to_string(u.flow.index) + ": " +
                   std::to_string(u.flow.flow.source.Value()) + " -> " +
                   std::to_string(u.flow.flow.destination.Value()) + ", " +
                   std::to_string(u.flow.flow.bytes) + " bytes, " +
                   UnfinishedFlows::NameOf(u.state) + ": " + u.reason + ">";
        });
}

/// Python's Flows.
using FlowsClass = py::class_<RdmaFlowHelper>;

/// Workloads.
void
BindLoads(FlowsClass& flows)
{
    flows
        .def(
            "poisson",
            [](RdmaFlowHelper& f,
               const py::object& workload,
               double load,
               const Time& duration,
               const Time& start) {
                if (const FlowSizeDistribution* const sizes = SizesOf(workload))
                {
                    f.Poisson(*sizes, load, duration, start);
                    return;
                }
                if (!py::isinstance<py::str>(workload) && !py::hasattr(workload, "__fspath__"))
                {
                    throw py::type_error("workload is " + std::string(py::repr(workload)) +
                                         "; it must be the name of a workload, a file of sizes or "
                                         "FlowSizes");
                }
                f.Poisson(std::string(py::str(workload)), load, duration, start);
            },
            py::arg("workload"),
            py::arg("load"),
            py::arg("duration"),
            py::arg("start") = Time(0),
            "Poisson arrivals; see Fabric.poisson().")
        .def(
            "incast",
            [](RdmaFlowHelper& f,
               uint32_t senders,
               const HostRef& receiver,
               const py::object& size,
               const Time& start,
               uint32_t repeats,
               const Time& interval) {
                if (repeats == 1 && interval.IsStrictlyPositive())
                {
                    throw py::value_error("interval would have no effect with one incast; repeats "
                                          "must be above 1");
                }
                f.Incast(senders,
                         receiver.In(f.GetFabric()),
                         ToBytes(size, "size"),
                         start,
                         repeats,
                         interval);
            },
            py::arg("senders"),
            py::arg("receiver"),
            py::arg("size"),
            py::arg("start") = Time(0),
            py::arg("repeats") = 1,
            py::arg("interval") = Time(0),
            "Many to one; see Fabric.incast().")
        .def(
            "permutation",
            [](RdmaFlowHelper& f, const py::object& size, const Time& start) {
                f.Permutation(ToBytes(size, "size"), start);
            },
            py::arg("size"),
            py::arg("start") = Time(0),
            "Each to one other; see Fabric.permutation().")
        .def(
            "all_to_all",
            [](RdmaFlowHelper& f, const py::object& size, const Time& start) {
                f.AllToAll(ToBytes(size, "size"), start);
            },
            py::arg("size"),
            py::arg("start") = Time(0),
            "Each to every other; see Fabric.all_to_all().");
}

/// What became of the flows so far.
void
BindState(FlowsClass& flows)
{
    flows
        .def_property_readonly(
            "n_flows",
            [](const RdmaFlowHelper& f) { return f.GetNFlows(); },
            "Flows added; of Poisson workloads those that have arrived.")
        .def("__repr__",
             Repr<RdmaFlowHelper>("Flows",
                                  [](const RdmaFlowHelper& f) {
                                      return ": " + std::to_string(f.GetNCompleted()) + " of " +
                                             std::to_string(f.GetNFlows()) + " completed";
                                  }))
        .def_property_readonly(
            "n_completed",
            [](const RdmaFlowHelper& f) { return f.GetNCompleted(); },
            "Flows completed with success.")
        .def_property_readonly(
            "n_failed",
            [](const RdmaFlowHelper& f) { return f.GetNFailed(); },
            "Flows that ended otherwise.")
        .def_property_readonly(
            "is_done",
            [](const RdmaFlowHelper& f) { return f.IsDone(); },
            "Whether all flows have ended and none will arrive.")
        .def(
            "on_end",
            [](RdmaFlowHelper& f, const py::function& function) {
                f.OnEnd([call = PythonCallable(function)](const RdmaFlowResult& result) {
                    call(result);
                });
            },
            py::arg("callable"),
            "Call a callable with the FlowResult of each flow that ends.")
        .def(
            "on_start",
            [](RdmaFlowHelper& f, const py::function& function) {
                f.OnStart([call = PythonCallable(function)] { call(); });
            },
            py::arg("callable"),
            "Call a callable when a flow starts.");
}

/// The flows that run, or have not completed.
void
BindOpen(FlowsClass& flows)
{
    flows
        .def_property_readonly(
            "active",
            [](const RdmaFlowHelper& f) {
                py::list all;
                for (const auto& [flow, ends] : f.GetActive())
                {
                    all.append(py::make_tuple(flow.source,
                                              flow.destination,
                                              Wrap(ends.source),
                                              Wrap(ends.destination)));
                }
                return all;
            },
            "(source, destination, queue pair there, queue pair here) of the flows that run now.")
        .def(
            "unfinished",
            [](const RdmaFlowHelper& f) { return UnfinishedFlows(f).Get(); },
            "The flows that have not completed, each with its reason.");
}

} // namespace

void
BindFlows(py::module_& m)
{
    BindResults(m);
    BindUnfinished(m);
    BindColumn<uint64_t>(m, "LongColumn");
    BindColumn<double>(m, "RealColumn");
    Class<RdmaFlowHelper::Said>(m, "FlowSettings", "What holds for flows; see Flows.said.")
        .def("__repr__", [](const RdmaFlowHelper::Said&) { return "<lossless.FlowSettings>"; });
    auto flows = Class<RdmaFlowHelper>(m, "Flows", "Flows and workloads of a fabric; see Fabric.");
    flows
        .def(
            "set_class",
            [](RdmaFlowHelper& f, uint32_t cls) { f.SetClass(cls); },
            py::arg("traffic_class"),
            "Class of the flows and workloads added from now on that do not say theirs.")
        .def(
            "set_verb",
            [](RdmaFlowHelper& f, const py::object& verb) { f.SetVerb(ToVerb(verb)); },
            py::arg("verb"),
            "Verb of the flows and workloads added from now on that do not say theirs.")
        .def(
            "set_label",
            [](RdmaFlowHelper& f, const std::string& label) { f.SetLabel(label); },
            py::arg("label"),
            "Label of the flows and workloads added from now on that do not say theirs, such as "
            "\"burst\"; \"\": none.")
        .def(
            "set_queue_pair",
            [](RdmaFlowHelper& f, const py::kwargs& values) {
                const auto checked = CheckAttributes(RdmaQueuePair::GetTypeId(), values);
                f.ResetQueuePair();
                for (const auto& [name, value] : checked)
                {
                    f.SetQueuePair(name, *value);
                }
            },
            "Attributes of the queue pairs of flows added from now on, in place of those set "
            "before; none: as the fabric's. What a flow or workload says of its own wins.")
        .def(
            "add_queue_pair",
            [](RdmaFlowHelper& f, const py::kwargs& values) {
                for (const auto& [name, value] :
                     CheckAttributes(RdmaQueuePair::GetTypeId(), values))
                {
                    f.SetQueuePair(name, *value);
                }
            },
            "Attributes of the queue pairs of flows added from now on, beside those set before.")
        .def_property(
            "said",
            [](const RdmaFlowHelper& f) { return f.GetSaid(); },
            [](RdmaFlowHelper& f, const RdmaFlowHelper::Said& said) { f.Restore(said); },
            "What holds for flows added from now on; set it to let hold again what held before.")
        .def(
            "set_congestion_control",
            [](RdmaFlowHelper& f, const py::object& part) {
                f.SetCongestionControl(part.is_none() ? ObjectFactory()
                                                      : part.cast<const Part&>().GetFactory());
            },
            py::arg("part"),
            "A Part for flows added from now on; None: that of the fabric.");
    DefineOfFlow(
        flows,
        "add",
        [](RdmaFlowHelper& self, const RdmaFlow& flow) { return self.Add(flow); },
        "One message; see Fabric.flow(). Returns its number.");
    DefineOfFlow(
        flows,
        "check",
        [](RdmaFlowHelper& self, const RdmaFlow& flow) { self.Check(flow); },
        "Whatever add() would refuse is refused, and nothing is added.");
    BindLoads(flows);
    BindState(flows);
    BindOpen(flows);
}

} // namespace lossless_python

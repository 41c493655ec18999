// SPDX-License-Identifier: GPL-2.0-only

// TCP, UDP and other applications of the stock IP stack.

#include "python-attributes.h"
#include "python-callable.h"
#include "python-columns.h"
#include "python-counters.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"

#include "ns3/address.h"
#include "ns3/application-stats.h"
#include "ns3/application.h"
#include "ns3/fabric-attributes.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/socket-flow-helper.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"
#include "ns3/vxlan-helper.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @param fabric the fabric @param host a host as all calls take it, or an address as text
/// @return the address
Ipv4Address
HostAddress(const Fabric& fabric, const py::handle& host)
{
    const bool isText = py::isinstance<py::str>(host);
    const bool isName = isText && std::string(py::str(host)).find(' ') != std::string::npos;
    if (MayBePlace(host) && (!isText || isName))
    {
        return fabric.GetAddress(HostRef(py::reinterpret_borrow<py::object>(host)).In(fabric));
    }
    return ToAddress(py::str(host));
}

/// @param value (host, port), or a host alone: a number or an IPv4 address @return the address
Address
ToSocketAddress(const Fabric& fabric, const std::string& what, const py::handle& value)
{
    if (!py::isinstance<py::tuple>(value) && !py::isinstance<py::list>(value))
    {
        return HostAddress(fabric, value);
    }
    const auto pair = py::reinterpret_borrow<py::sequence>(value);
    const bool isPair = py::len(pair) == 2 && py::isinstance<py::int_>(pair[1]);
    const int64_t port = isPair ? pair[1].cast<int64_t>() : -1;
    if (port < 0 || port > std::numeric_limits<uint16_t>::max())
    {
        throw py::value_error(what + " is " + std::string(py::str(value)) +
                              "; it must be (host, port), the port 0 to 65535");
    }
    return InetSocketAddress(HostAddress(fabric, pair[0]), static_cast<uint16_t>(port));
}

/// @return an attribute's value; addresses and types are read here, as ns-3 would end the program
Ptr<AttributeValue>
ToValue(const Fabric& fabric, TypeId type, const std::string& name, const py::handle& value)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    const Ptr<AttributeValue> kind = info.checker->Create();
    const std::string what = type.GetName() + "::" + name;
    if (DynamicCast<AddressValue>(kind))
    {
        return Create<AddressValue>(ToSocketAddress(fabric, what, value));
    }
    if (DynamicCast<Ipv4AddressValue>(kind))
    {
        return Create<Ipv4AddressValue>(HostAddress(fabric, value));
    }
    if (DynamicCast<TypeIdValue>(kind))
    {
        return Create<TypeIdValue>(FindType(py::str(value)));
    }
    return ToAttribute(type, name, value);
}

/// @param type whose attributes the keywords are @param given attributes that arguments of the call
/// say, and those arguments @return the keywords by ns-3's names
SocketFlowHelper::Attributes
ToAttributes(const Fabric& fabric,
             TypeId type,
             const py::kwargs& values,
             std::map<std::string, std::string> given = {})
{
    SocketFlowHelper::Attributes all;
    for (const auto& [key, value] : values)
    {
        const auto written = key.cast<std::string>();
        const std::string name = FindAttributeName(type, written);
        const auto [before, isFirst] = given.emplace(name, written);
        if (!isFirst)
        {
            throw py::value_error(before->second + " and " + written + " say the same; give " +
                                  before->second);
        }
        all.emplace_back(name, ToValue(fabric, type, name, value));
    }
    return all;
}

/// ValueError for a stop at 0, which stands for none. @param said a time, or None @param stop it
void
RequireStop(const py::object& said, const Time& stop)
{
    if (!said.is_none() && stop.IsZero())
    {
        throw py::value_error("stop is 0s; it must be after the start, or None for no end");
    }
}

SocketFlow::Plan
MakePlan(HostId source,
         HostId destination,
         const py::object& size,
         const Time& start,
         const py::object& stop,
         uint8_t trafficClass)
{
    SocketFlow::Plan plan;
    plan.source = source;
    plan.destination = destination;
    plan.bytes = size.is_none() ? 0 : ToBytes(size, "size");
    plan.start = start;
    plan.stop = stop.is_none() ? Time(0) : stop.cast<Time>();
    plan.trafficClass = trafficClass;
    if (!size.is_none() && plan.bytes == 0)
    {
        throw py::value_error("size is 0; it must be above 0, or None for no end");
    }
    RequireStop(stop, plan.stop);
    return plan;
}

/// @return what a flow is and did, in words
std::string
DescribeSocketFlow(const SocketFlow& flow)
{
    const SocketFlow::Plan& plan = flow.GetPlan();
    char text[160];
    std::snprintf(text,
                  sizeof(text),
                  "<lossless.SocketFlow %s %u -> %u, class %u: %s, %llu of %s bytes arrived, "
                  "%.3f Gb/s>",
                  plan.isTcp ? "TCP" : "UDP",
                  plan.source.Value(),
                  plan.destination.Value(),
                  plan.trafficClass,
                  SocketFlow::NameOf(flow.GetState()),
                  static_cast<unsigned long long>(flow.GetBytesReceived()),
                  plan.bytes ? std::to_string(plan.bytes).c_str() : "endless",
                  flow.GetThroughput() * 1e-9);
    return text;
}

/// @return the flows, by column
py::dict
ColumnsOf(const SocketFlowHelper& sockets)
{
    RowSink rows(ApplicationStats::GetTable());
    ApplicationStats::AddRows(rows, sockets);
    return ToColumns(rows);
}

/// @return names of the columns
std::vector<std::string>
ColumnNames()
{
    std::vector<std::string> names;
    for (const ColumnSpec& column : ApplicationStats::GetTable().columns)
    {
        names.push_back(column.name);
    }
    return names;
}

/// Fabric.tcp().
std::shared_ptr<SocketFlow>
AddTcp(SocketFlowHelper& sockets,
       const HostRef& source,
       const HostRef& destination,
       const py::object& size,
       const Time& start,
       const py::object& stop,
       uint8_t trafficClass,
       const py::object& congestion,
       const py::kwargs& attributes)
{
    return sockets.AddTcp(MakePlan(source.In(sockets.GetFabric()),
                                   destination.In(sockets.GetFabric()),
                                   size,
                                   start,
                                   stop,
                                   trafficClass),
                          congestion.is_none() ? "" : FindType(py::str(congestion)).GetName(),
                          ToAttributes(sockets.GetFabric(), FindType("TcpSocketBase"), attributes));
}

/// Fabric.udp().
std::shared_ptr<SocketFlow>
AddUdp(SocketFlowHelper& sockets,
       const HostRef& source,
       const HostRef& destination,
       const DataRate& rate,
       const py::object& size,
       const Time& start,
       const py::object& stop,
       uint8_t trafficClass,
       uint32_t packetSize,
       const py::kwargs& attributes)
{
    return sockets.AddUdp(MakePlan(source.In(sockets.GetFabric()),
                                   destination.In(sockets.GetFabric()),
                                   size,
                                   start,
                                   stop,
                                   trafficClass),
                          rate,
                          packetSize,
                          ToAttributes(sockets.GetFabric(),
                                       FindType("OnOffApplication"),
                                       attributes,
                                       {{"DataRate", "rate"},
                                        {"MaxBytes", "size"},
                                        {"PacketSize", "packet_size"},
                                        {"Remote", "destination"},
                                        {"StartTime", "start"},
                                        {"StopTime", "stop"},
                                        {"Tos", "traffic_class"}}));
}

/// Fabric.application().
py::object
AddApplication(SocketFlowHelper& sockets,
               const HostRef& host,
               const std::string& type,
               const Time& start,
               const py::object& stop,
               const py::kwargs& attributes)
{
    const TypeId id = FindType(type);
    if (!id.HasConstructor() || !id.IsChildOf(Application::GetTypeId()))
    {
        throw py::value_error(id.GetName() + " is no application; name one such as PacketSink");
    }
    ObjectFactory factory(id.GetName());
    for (const auto& [name, value] : ToAttributes(sockets.GetFabric(),
                                                  id,
                                                  attributes,
                                                  {{"StartTime", "start"}, {"StopTime", "stop"}}))
    {
        factory.Set(name, *value);
    }
    const Time end = stop.is_none() ? Time(0) : stop.cast<Time>();
    RequireStop(stop, end);
    return Wrap(sockets.AddApplication(host.In(sockets.GetFabric()), factory, start, end));
}

/// ns-3's applications and sockets.
void
BindStock(py::module_& m)
{
    KnownClass<Application, Object>(m, "Application", "A stock application of ns-3.")
        .def_property_readonly("node", &Application::GetNode, "The node that it runs on.");
    KnownClass<PacketSink, Application>(m, "PacketSink", "Receives what comes to a port.")
        .def_property_readonly("bytes_received", &PacketSink::GetTotalRx, "Payload bytes.");
    KnownClass<Socket, Object>(m, "Socket", "A socket of the stock IP stack.");
}

/// Python's SocketFlow.
using FlowClass = py::class_<SocketFlow, std::shared_ptr<SocketFlow>>;

/// What became of a flow.
void
BindProgress(FlowClass& flow)
{
    flow.def_property_readonly(
            "completed",
            [](const SocketFlow& f) {
                return f.GetState() == SocketFlow::COMPLETED ? py::cast(f.GetCompleted())
                                                             : py::object(py::none());
            },
            "When the last of all its bytes arrived; None: they have not, or there is no last.")
        .def_property_readonly(
            "state",
            [](const SocketFlow& f) { return SocketFlow::NameOf(f.GetState()); },
            "\"not-started\", \"running\", \"completed\", \"stopped\" or \"failed\".")
        .def_property_readonly("reason",
                               &SocketFlow::GetReason,
                               "Why it failed or was stopped; else empty.")
        .def_property_readonly("bytes_sent",
                               &SocketFlow::GetBytesSent,
                               "Payload bytes that the stack has taken.")
        .def_property_readonly("bytes_received",
                               &SocketFlow::GetBytesReceived,
                               "Payload bytes that have arrived at the destination.")
        .def_property_readonly("throughput",
                               &SocketFlow::GetThroughput,
                               "Payload that has arrived, from the start to the last byte, bit/s.")
        .def_property_readonly(
            "application",
            [](const SocketFlow& f) { return Wrap(f.GetSource()); },
            "The application that sends.")
        .def_property_readonly("sink", &SocketFlow::GetSink, "The application that receives.")
        .def_property_readonly(
            "socket",
            [](const SocketFlow& f) { return Wrap(f.GetSocket()); },
            "The sending socket, with trace sources such as CongestionWindow; None before the "
            "start, see on_start().")
        .def(
            "on_start",
            [](SocketFlow& f, const py::function& function) {
                if (f.GetState() != SocketFlow::NOT_STARTED && f.GetSocket())
                {
                    throw py::value_error("the flow has started; use its socket");
                }
                f.OnStart([call = PythonCallable(function)] { call(); });
            },
            py::arg("callable"),
            "Call a callable without arguments at the start, when the socket is there and no "
            "packet has left. The last one that is given counts.")
        .def("__repr__", &DescribeSocketFlow);
}

void
BindSocketFlow(py::module_& m)
{
    FlowClass flow(
        m,
        "SocketFlow",
        "A TCP or UDP flow, and what became of it so far; see Fabric.tcp() and Fabric.udp().");
    flow.def_property_readonly(
            "protocol",
            [](const SocketFlow& f) { return f.GetPlan().isTcp ? "tcp" : "udp"; },
            "\"tcp\" or \"udp\".")
        .def_property_readonly(
            "source_host",
            [](const SocketFlow& f) { return f.GetPlan().source; },
            "Number of the host that sends.")
        .def_property_readonly(
            "destination_host",
            [](const SocketFlow& f) { return f.GetPlan().destination; },
            "Number of the host that receives.")
        .def_property_readonly(
            "size",
            [](const SocketFlow& f) {
                const uint64_t bytes = f.GetPlan().bytes;
                return bytes ? py::object(py::int_(bytes)) : py::object(py::none());
            },
            "Bytes to be sent; None: no end.")
        .def_property_readonly(
            "traffic_class",
            [](const SocketFlow& f) { return f.GetPlan().trafficClass; },
            "Class of its packets.")
        .def_property_readonly(
            "start",
            [](const SocketFlow& f) { return f.GetPlan().start; },
            "When it starts.");
    BindProgress(flow);
}

/// VXLAN net devices of hosts.
void
BindOverlay(py::module_& m)
{
    Class<VxlanHelper>(m, "Overlay", "VXLAN between the IP stacks of hosts; see Fabric.overlay().")
        .def(py::init<const Fabric&>(), py::arg("fabric"))
        .def(
            "set_device",
            [](VxlanHelper& overlay, const py::kwargs& values) {
                const TypeId type = VxlanNetDevice::GetTypeId();
                for (const auto& [name, value] : CheckAttributes(type, values))
                {
                    overlay.SetDevice(name, *value);
                }
            },
            "Attributes of VxlanNetDevice, before install().")
        .def(
            "install",
            [](VxlanHelper& overlay, const std::vector<HostRef>& hosts, uint8_t ipVersion) {
                overlay.Install(AllIn(hosts, overlay.GetFabric()), ipVersion);
            },
            py::arg("hosts") = py::tuple(),
            py::arg("ip_version") = 4,
            "Put a device on each of these hosts, without hosts on all.")
        .def(
            "address",
            [](const VxlanHelper& overlay, const HostRef& host) {
                std::ostringstream text;
                text << overlay.GetAddress(host.In(overlay.GetFabric()));
                return text.str();
            },
            py::arg("host"),
            "Address of a host in the overlay.")
        .def(
            "mtu",
            [](const VxlanHelper& overlay, const HostRef& host) {
                return overlay.GetDevice(host.In(overlay.GetFabric()))->GetMtu();
            },
            py::arg("host"),
            "Longest IP packet of the device of a host, bytes.")
        .def(
            "counters",
            [](const VxlanHelper& overlay, const HostRef& host) {
                return ToDict(overlay.GetDevice(host.In(overlay.GetFabric()))->GetCounters());
            },
            py::arg("host"),
            "What the device of a host has done, by name.")
        .def("__repr__", [](const VxlanHelper&) { return "<Overlay>"; });
}

} // namespace

void
BindSockets(py::module_& m)
{
    BindOverlay(m);
    BindStock(m);
    BindSocketFlow(m);
    Class<SocketFlowHelper>(m, "Sockets", "TCP and UDP beside RDMA; see Fabric.tcp().")
        .def("tcp",
             &AddTcp,
             py::arg("source"),
             py::arg("destination"),
             py::arg("size") = py::none(),
             py::arg("start") = Time(0),
             py::arg("stop") = py::none(),
             py::arg("traffic_class") = 0,
             py::arg("congestion_control") = py::none(),
             "A TCP connection; see Fabric.tcp().")
        .def("udp",
             &AddUdp,
             py::arg("source"),
             py::arg("destination"),
             py::arg("rate"),
             py::arg("size") = py::none(),
             py::arg("start") = Time(0),
             py::arg("stop") = py::none(),
             py::arg("traffic_class") = 0,
             py::arg("packet_size") = 1000,
             "Datagrams at a rate; see Fabric.udp().")
        .def("application",
             &AddApplication,
             py::arg("host"),
             py::arg("type"),
             py::arg("start") = Time(0),
             py::arg("stop") = py::none(),
             "Any application; see Fabric.application().")
        .def("columns", &ColumnsOf, "What became of the flows, by column.")
        .def_static("column_names", &ColumnNames, "Names of the columns.")
        .def_property_readonly(
            "flows",
            [](const SocketFlowHelper& s) { return s.GetFlows(); },
            "The flows, in the order of adding.")
        .def("__repr__", Repr<SocketFlowHelper>("Sockets", [](const SocketFlowHelper& s) {
                 return " of " + std::to_string(s.GetFlows().size()) + " flows";
             }));
}

} // namespace lossless_python

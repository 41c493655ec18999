// SPDX-License-Identifier: GPL-2.0-only
#include "counters-at-rest.h"
#include "fabric-ports.h"
#include "python-attributes.h"
#include "python-columns.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"
#include "python-settings.h"
#include "python-stream.h"

#include "ns3/buffer-check.h"
#include "ns3/double.h"
#include "ns3/fabric-differences.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-text.h"
#include "ns3/fabric.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-presets.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @param name format of entropy values @return it; ValueError for another name
RdmaMrc::Format
ToEvFormat(const std::string& name)
{
    for (const auto& [known, format] : {std::pair{"udp", RdmaMrc::UDP},
                                        std::pair{"stev", RdmaMrc::STEV},
                                        std::pair{"srv6", RdmaMrc::SRV6}})
    {
        if (SamePlain(known, name))
        {
            return format;
        }
    }
    throw py::value_error("ev_format is \"" + name + "\"; it must be udp, stev or srv6");
}

// ---- topologies

FabricLinkSpec
MakeSpec(const DataRate& rate, const Time& delay, double errorRate)
{
    FabricLinkSpec spec;
    spec.rate = rate;
    spec.delay = delay;
    spec.errorRate = errorRate;
    return spec;
}

void
BindTopology(py::module_& m)
{
    Class<FabricLinkSpec>(m, "LinkSpec", "What a cable is like, in both directions.")
        .def(py::init(&MakeSpec),
             py::arg("rate") = DataRate(100000000000ULL),
             py::arg("delay") = MicroSeconds(1),
             py::arg("error_rate") = 0.0)
        .def_readonly("rate", &FabricLinkSpec::rate, "Rate of both directions.")
        .def_readonly("delay", &FabricLinkSpec::delay, "Propagation, one way.")
        .def_readonly("error_rate", &FabricLinkSpec::errorRate, "Probability of loss, 0 to 1.")
        .def("__repr__", [](const FabricLinkSpec& s) {
            return "lossless.LinkSpec(rate='" + std::string(py::str(py::cast(s.rate))) +
                   "', delay='" + std::string(py::str(py::cast(s.delay))) + "')";
        });
    Class<FabricTopology>(m, "Topology", "A graph of hosts, switches and links.")
        .def(py::init<>())
        .def("add_host", &FabricTopology::AddHost, "Returns the number of the node.")
        .def("add_switch", &FabricTopology::AddSwitch, "Returns the number of the node.")
        .def(
            "add_link",
            [](FabricTopology& t,
               const NodeRef& a,
               const NodeRef& b,
               const DataRate& rate,
               const Time& delay,
               double errorRate) {
                return t.AddLink(NodeIn(t, a), NodeIn(t, b), MakeSpec(rate, delay, errorRate));
            },
            py::arg("a"),
            py::arg("b"),
            py::arg("rate") = DataRate(100000000000ULL),
            py::arg("delay") = MicroSeconds(1),
            py::arg("error_rate") = 0.0,
            "Join two nodes. Returns the number of the link.")
        .def_property_readonly("n_nodes",
                               &FabricTopology::GetNNodes,
                               "Number of hosts and switches.")
        .def_property_readonly("hosts", &FabricTopology::GetHosts, "Numbers of the nodes.")
        .def_property_readonly("switches", &FabricTopology::GetSwitches, "Numbers of the nodes.")
        .def_property_readonly(
            "links",
            [](const FabricTopology& t) {
                py::list links;
                for (const auto& link : t.GetLinks())
                {
                    links.append(py::make_tuple(link.a, link.b, link.spec));
                }
                return links;
            },
            "(node, node, LinkSpec) of each link.")
        .def(
            "find_link",
            [](const FabricTopology& t, const NodeRef& a, const NodeRef& b) -> py::object {
                return py::cast(t.FindLink(NodeIn(t, a), NodeIn(t, b))); // None: there is none
            },
            py::arg("a"),
            py::arg("b"),
            "The first link between two nodes, or None.")
        .def_property_readonly("names",
                               &FabricPlaces::NamesOf,
                               "What each node is called, by its number: \"host 4\", \"leaf 2\".")
        .def("__repr__", [](const FabricTopology& t) {
            return "<lossless.Topology of " + std::to_string(t.GetHosts().size()) + " hosts, " +
                   std::to_string(t.GetSwitches().size()) + " switches, " +
                   std::to_string(t.GetLinks().size()) + " links>";
        });
}

// ---- FabricHelper

/// Call a setter of FabricHelper with each keyword. @param type whose attributes they are
void
ForEach(TypeId type,
        const py::kwargs& values,
        const std::function<void(const std::string&, const AttributeValue&)>& set)
{
    for (const auto& [name, value] : CheckAttributes(type, values))
    {
        set(name, *value);
    }
}

void
SetLink(FabricHelper& helper, const py::kwargs& values)
{
    for (const auto& [key, value] : values)
    {
        const std::string name = key.cast<std::string>();
        if (SamePlain("ErrorRate", name))
        {
            helper.SetLink("ErrorRate", StringValue(ToText(value)));
            continue;
        }
        const bool isDelay = SamePlain("Delay", name);
        const TypeId type = isDelay ? QbbChannel::GetTypeId() : QbbNetDevice::GetTypeId();
        const std::string exact = FindAttributeName(type, name);
        helper.SetLink(exact, *ToAttribute(type, exact, value));
    }
}

/// Python's FabricHelper.
using HelperClass = py::class_<FabricHelper>;

/// What its parts are like.
void
BindAttributes(HelperClass& helper)
{
    helper
        .def("set_link", &SetLink, "data_rate, delay, error_rate, and attributes of QbbNetDevice.")
        .def(
            "set_buffer",
            [](FabricHelper& h, const py::kwargs& values) {
                ForEach(SwitchMmu::GetTypeId(),
                        values,
                        [&](const std::string& name, const AttributeValue& value) {
                            h.SetSwitch("ns3::SwitchMmu", name, value);
                        });
            },
            "Attributes of SwitchMmu.")
        .def("set_switch_preset",
             &FabricHelper::SetSwitchPreset,
             py::arg("preset"),
             "The buffer of all switches as that of a published one.")
        .def(
            "set_switch",
            [](FabricHelper& h, const py::kwargs& values) {
                ForEach(FabricSwitch::GetTypeId(),
                        values,
                        [&](const std::string& name, const AttributeValue& value) {
                            h.SetSwitch("ns3::FabricSwitch", name, value);
                        });
            },
            "Attributes of FabricSwitch.")
        .def(
            "set_host",
            [](FabricHelper& h, const py::kwargs& values) {
                ForEach(RdmaHw::GetTypeId(),
                        values,
                        [&](const std::string& name, const AttributeValue& value) {
                            h.SetHost(name, value);
                        });
            },
            "Attributes of RdmaHw.")
        .def(
            "set_queue_pair",
            [](FabricHelper& h, const py::kwargs& values) {
                ForEach(RdmaQueuePair::GetTypeId(),
                        values,
                        [&](const std::string& name, const AttributeValue& value) {
                            h.SetQueuePair(name, value);
                        });
            },
            "Attributes of RdmaQueuePair.");
}

/// Which parts it has.
void
BindChoices(HelperClass& helper)
{
    helper
        .def(
            "set_congestion_control",
            [](FabricHelper& h, const Part& part) { h.SetCongestionControl(part.GetText()); },
            py::arg("part"))
        .def(
            "set_congestion_control",
            [](FabricHelper& h, const std::string& type) {
                h.SetCongestionControl(type == "none" ? type : FindType(type).GetName());
            },
            py::arg("type"),
            "A Part, the name of a type, or \"none\".")
        .def(
            "set_ecn",
            [](FabricHelper& h, const Part& part) { h.SetEcn(part.GetText()); },
            py::arg("part"),
            "The ECN marker of all switches.")
        .def(
            "set_load_balancer",
            [](FabricHelper& h, const Part& part) { h.SetLoadBalancer(part.GetText()); },
            py::arg("part"),
            "The load balancer of all switches.")
        .def(
            "set_scheduler",
            [](FabricHelper& h, const Part& part) { h.SetScheduler(part.GetText()); },
            py::arg("part"),
            "The scheduler of all ports.")
        .def(
            "add_switch_extension",
            [](FabricHelper& h, const Part& part) { h.AddSwitchExtension(part.GetText()); },
            py::arg("part"),
            "Give every switch an extension.");
}

/// Rules for all of it.
void
BindRules(HelperClass& helper)
{
    helper
        .def(
            "set_ecn_thresholds",
            [](FabricHelper& h,
               const DataRate& rate,
               const py::object& kmin,
               const py::object& kmax,
               double pmax) {
                h.SetEcnThresholds(rate, ToBytes(kmin, "kmin"), ToBytes(kmax, "kmax"), pmax);
            },
            py::arg("rate"),
            py::arg("kmin"),
            py::arg("kmax"),
            py::arg("pmax"),
            "ECN thresholds, bytes, of the ports of one speed.")
        .def(
            "set_alpha_by_speed",
            &FabricHelper::SetAlphaBySpeed,
            py::arg("enable"),
            "Whether faster ports get a larger alpha, doubled with each doubling of the speed over "
            "that of the slowest host link, up to 1. Default: yes.")
        .def("set_lossless_classes",
             &FabricHelper::SetLosslessClasses,
             py::arg("classes"),
             "Classes with PFC; none: no PFC.")
        .def(
            "set_at",
            [](FabricHelper& h, const py::object& places, const py::dict& values) {
                h.At(ToPlaces(places)).SetAll(ToSettings(values, h.GetOptions()));
            },
            py::arg("places"),
            py::arg("values"),
            "Attributes at some places: {\"SwitchMmu.alpha\": 1 / 32}.")
        .def(
            "set_sonic_at",
            [](FabricHelper& h, const py::object& places, const py::object& path) {
                h.At(ToPlaces(places))
                    .SetSonicConfig(py::str(py::module_::import("os").attr("fspath")(path)));
            },
            py::arg("places"),
            py::arg("path"),
            "A config_db.json of SONiC for the switches of some places.")
        .def(
            "add_switch_extension_at",
            [](FabricHelper& h, const py::object& places, const Part& part) {
                h.At(ToPlaces(places)).AddSwitchExtension(part.GetText());
            },
            py::arg("places"),
            py::arg("part"),
            "Give switches of some places an extension.")
        .def(
            "read_settings",
            [](FabricHelper& h, const py::object& path) {
                h.ReadSettings(py::str(py::module_::import("os").attr("fspath")(path)));
            },
            py::arg("path"),
            "Attributes at some places, from a file in TOML.")
        .def("set_ip_version",
             &FabricHelper::SetIpVersion,
             py::arg("version"),
             "IP version of the frames of queue pairs, 4 or 6.")
        .def("set_cbfc",
             &FabricHelper::SetCbfc,
             py::arg("classes"),
             "Credits (CBFC) in place of PFC for the classes, on all links; set_lossless_classes() "
             "behind it gives other classes PFC.")
        .def(
            "set_mrc",
            [](FabricHelper& h, Time baseRtt, const std::string& format) {
                h.SetMrc(baseRtt, ToEvFormat(format));
            },
            py::arg("base_rtt"),
            py::arg("ev_format") = "udp",
            "MRC in place of RoCE with PFC, and what MRC needs: IPv6, packets of 4 KiB, no PFC, "
            "NSCC, ECN marks, trimming and a scheduler; base_rtt: the longest round trip of the "
            "empty fabric; ev_format: how entropy values choose paths, udp, stev or srv6. Later "
            "calls of "
            "other methods change parts of that.")
        .def("allow_lossy",
             &FabricHelper::AllowLossy,
             py::arg("allow") = true,
             "Build even what cannot be lossless.");
}

/// The graphs that it builds.
void
BindShapes(HelperClass& helper)
{
    helper.def("star", &FabricHelper::Star, py::arg("hosts"), "Hosts around one switch.")
        .def("dumbbell",
             &FabricHelper::Dumbbell,
             py::arg("left"),
             py::arg("right"),
             py::arg("bottleneck"),
             "Two switches with hosts, and a link between them.")
        .def("leaf_spine",
             &FabricHelper::LeafSpine,
             py::arg("leaves"),
             py::arg("spines"),
             py::arg("hosts_per_leaf"),
             py::arg("oversubscription") = 1.0,
             "Two tiers, every leaf joined to every spine.")
        .def("multi_plane",
             &FabricHelper::MultiPlane,
             py::arg("planes"),
             py::arg("leaves"),
             py::arg("spines"),
             py::arg("hosts_per_leaf"),
             py::arg("oversubscription") = 1.0,
             "Planes of two tiers that share no switch: port i of each host leads to plane i.")
        .def("fat_tree",
             &FabricHelper::FatTree,
             py::arg("k"),
             "Three tiers of switches with k ports.")
        .def("from_topology", &FabricHelper::FromTopology, py::arg("topology"), "Any graph.");
}

void
BindHelper(py::module_& m)
{
    auto helper =
        Class<FabricHelper>(m, "FabricHelper", "Builds fabrics; every default is usable.");
    helper.def(py::init<>()).def("__repr__", [](const FabricHelper&) {
        return "<lossless.FabricHelper>";
    });
    BindAttributes(helper);
    BindChoices(helper);
    BindRules(helper);
    BindShapes(helper);
}

// ---- Fabric

/// @return attributes of queue pairs by keyword, as Fabric takes them
Fabric::QueuePairOptions
MakeOptions(const py::object& congestion, const py::kwargs& attributes)
{
    Fabric::QueuePairOptions options;
    if (!congestion.is_none())
    {
        options.congestion = ToPart(congestion).GetFactory();
    }
    options.attributes = CheckAttributes(RdmaQueuePair::GetTypeId(), attributes);
    return options;
}

/// Fabric.connect().
std::pair<Ptr<RdmaQueuePair>, Ptr<RdmaQueuePair>>
ConnectHosts(const Fabric& fabric,
             const HostRef& from,
             const HostRef& to,
             const py::object& congestion,
             const py::object& port,
             const py::kwargs& attributes)
{
    const HostId source = from.In(fabric);
    const HostId destination = to.In(fabric);
    auto options = MakeOptions(congestion, attributes);
    options.choice = WayOf(fabric, source, destination, port).value_or(0);
    const auto made = fabric.Connect(source, destination, options);
    return {made.source, made.destination};
}

/// @return the objects of a fabric in order
template <typename Id, typename T>
std::vector<Ptr<T>>
ListOf(const Fabric& fabric, FabricIndexRange<Id> all, Ptr<T> (FabricObjects::*get)(Id) const)
{
    std::vector<Ptr<T>> list;
    for (const Id id : all)
    {
        list.push_back((fabric.*get)(id));
    }
    return list;
}

/// A getter of any fabric, even of one that Simulator.destroy() has taken apart.
template <typename Result>
auto
OfAny(Result (FabricObjects::*get)() const)
{
    return [get](const py::object& self) -> std::decay_t<Result> {
        py::detail::type_caster_base<Fabric> fabric;
        fabric.load(self, false);
        return (static_cast<const Fabric&>(fabric).*get)();
    };
}

/// Python's BuiltFabric.
using FabricClass = py::class_<Fabric>;

/// What it is made of.
void
BindMembers(FabricClass& fabric)
{
    fabric.def_property_readonly("topology", OfAny(&Fabric::GetTopology), "Its graph.")
        .def_property_readonly(
            "names",
            [](const py::object& self) {
                py::detail::type_caster_base<Fabric> fabric; // even of one that is destroyed
                fabric.load(self, false);
                return FabricPlaces::NamesOf(static_cast<const Fabric&>(fabric).GetTopology());
            },
            "What each node is called, by its number in the topology: \"host 4\", \"leaf 2\".")
        .def_property_readonly("n_hosts", OfAny(&Fabric::GetNHosts), "Number of hosts.")
        .def_property_readonly("n_switches", OfAny(&Fabric::GetNSwitches), "Number of switches.")
        .def_property_readonly(
            "hosts",
            [](const Fabric& f) { return ListOf(f, f.Hosts(), &Fabric::GetRdma); },
            "The RDMA side of each host.")
        .def_property_readonly(
            "switches",
            [](const Fabric& f) { return ListOf(f, f.Switches(), &Fabric::GetSwitch); },
            "The switches.")
        .def_property_readonly(
            "nodes",
            [](const Fabric& f) { return ListOf(f, f.GetTopology().Nodes(), &Fabric::GetNode); },
            "The nodes, by number in the topology.")
        .def(
            "device",
            [](const Fabric& f, const NodeRef& which, int64_t port) {
                const NodeId node = which.In(f);
                return f.GetDevice(node,
                                   ToIndex("port", port, f.GetTopology().GetLinksOf(node).size()));
            },
            py::arg("node"),
            py::arg("port") = 0,
            "The port of a node of the topology.")
        .def(
            "channel",
            [](const Fabric& f, const LinkRef& link) { return f.GetChannel(link.In(f)); },
            py::arg("link"),
            "The cable of a link.");
}

/// Addresses, and what is between two hosts.
void
BindWays(FabricClass& fabric)
{
    fabric
        .def(
            "address",
            [](const Fabric& f, const HostRef& host, uint32_t port) {
                std::ostringstream text;
                text << f.GetAddress(host.In(f), port);
                return text.str();
            },
            py::arg("host"),
            py::arg("port") = 0,
            "IPv4 address of a host, as text.")
        .def(
            "ipv6_address",
            [](const Fabric& f, const HostRef& host, uint32_t port) {
                std::ostringstream text;
                text << f.GetIpv6Address(host.In(f), port);
                return text.str();
            },
            py::arg("host"),
            py::arg("port") = 0,
            "IPv6 address of a host, as text.")
        .def(
            "port_pairs",
            [](const Fabric& f, const HostRef& source, const HostRef& destination) {
                py::list pairs;
                for (const auto& ports : f.GetPortPairs(source.In(f), destination.In(f)))
                {
                    pairs.append(py::make_tuple(ports.source, ports.destination));
                }
                return pairs;
            },
            py::arg("source"),
            py::arg("destination"),
            "(port of the source, port of the destination) of each way between two hosts.")
        .def(
            "connect",
            &ConnectHosts,
            py::arg("source"),
            py::arg("destination"),
            py::arg("congestion_control") = py::none(),
            py::arg("port") = py::none(),
            "Two connected queue pairs, at the source and at the destination. port: of the source, "
            "where it has several, or (port of the source, port of the destination); None: the "
            "first way; further keywords are attributes of RdmaQueuePair.");
}

/// What each cable has carried since the fabric was built, by column. End a is the first node of
/// the link in the topology. @param fabric the fabric @param atRest what they had carried when the
/// run that waits began to count
py::dict
LinkColumns(const Fabric& fabric, bool atRest)
{
    const FabricTopology& topology = fabric.GetTopology();
    const std::size_t count = topology.GetLinks().size();
    std::vector<uint64_t> links(count);
    std::vector<uint64_t> rates(count);
    std::array<std::vector<uint64_t>, 2> nodes;
    std::array<std::vector<uint64_t>, 2> ports;
    std::array<std::vector<uint64_t>, 2> sent;
    std::array<std::vector<double>, 2> paused;
    const int64_t now = Simulator::Now().GetTimeStep();
    std::map<NodePort, uint64_t> before; // by port: bytes
    if (atRest)
    {
        const FabricCounters counters = CountersAtRest::Get(fabric);
        for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
        {
            const auto& counted = counters.ports[before.size()].device;
            before[{node, port}] = counted.txWireBytes;
        }
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto& link = topology.GetLinks()[i];
        links[i] = i;
        rates[i] = std::numeric_limits<uint64_t>::max();
        for (const std::size_t end : {0, 1})
        {
            const NodeId node = end ? link.b : link.a;
            const uint32_t port = topology.GetPort(node, i);
            const auto device = fabric.GetDevice(node, port);
            rates[i] = std::min(rates[i], device->GetDataRate().GetBitRate());
            int64_t ticks = 0;
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                ticks = std::max(ticks, device->GetObeyer().PausedTicks(cls, now));
            }
            nodes[end].push_back(node.Value());
            ports[end].push_back(port);
            sent[end].push_back(atRest ? before.at({node, port})
                                       : device->GetCounters().txWireBytes);
            paused[end].push_back(static_cast<double>(TimeStep(ticks).GetPicoSeconds()) / 1e12);
        }
    }
    py::dict columns;
    columns["link"] = Column<uint64_t>(std::move(links));
    columns["rate_bps"] = Column<uint64_t>(std::move(rates));
    for (const std::size_t end : {0, 1})
    {
        const std::string name = end ? "b" : "a";
        columns[py::str(name + "_node")] = Column<uint64_t>(std::move(nodes[end]));
        columns[py::str(name + "_port")] = Column<uint64_t>(std::move(ports[end]));
        columns[py::str(name + "_sent_bytes")] = Column<uint64_t>(std::move(sent[end]));
        columns[py::str(name + "_paused_s")] = Column<double>(std::move(paused[end]));
    }
    return columns;
}

/// @return the links of the way that frames take between two hosts, by their first ports
std::vector<LinkId>
PathOf(const Fabric& fabric, const HostRef& from, const HostRef& to)
{
    const FabricTopology& topology = fabric.GetTopology();
    const HostId source = from.In(fabric);
    const HostId destination = to.In(fabric);
    const auto ports = fabric.GetPortPairs(source, destination).front();
    const NodeId nodes[] = {topology.NodeOf(source), topology.NodeOf(destination)};
    return fabric.GetRoutes().GetPath(nodes[0],
                                      topology.GetLinksOf(nodes[0])[ports.source],
                                      nodes[1],
                                      topology.GetLinksOf(nodes[1])[ports.destination]);
}

/// Links that are cut and mended.
void
BindCables(FabricClass& fabric)
{
    fabric
        .def(
            "set_link_up",
            [](const Fabric& f, const LinkRef& link, bool up) { f.SetLinkUp(link.In(f), up); },
            py::arg("link"),
            py::arg("up"),
            "Cut or mend a link now, with new routes.")
        .def("link_columns",
             &LinkColumns,
             py::arg("at_rest") = false,
             "What each cable has carried, by column; see Results.links. at_rest: until the last "
             "run "
             "ended, if nothing has happened since.")
        .def("path",
             &PathOf,
             py::arg("source"),
             py::arg("destination"),
             "Links of a shortest way between two hosts, in order; [] if there is none.")
        .def(
            "is_link_up",
            [](const Fabric& f, const LinkRef& link) { return f.IsLinkUp(link.In(f)); },
            py::arg("link"),
            "Whether a link is whole.");
}

void
BindBuilt(py::module_& m)
{
    auto fabric = Class<Fabric>(m, "Fabric", "A fabric of ns-3's objects; see lossless.Fabric.");
    fabric.def(py::init<const Fabric&>(), py::arg("fabric"), "The same fabric.")
        .def("check_lossless",
             &Fabric::CheckLossless,
             "What could make a lossless class drop, one line a finding.")
        .def(
            "check_buffers",
            &CheckBuffers,
            "What makes a lossless class drop, or PFC act before ECN: sizes, PFC and class maps of "
            "the whole fabric. Each Finding has place and right value; str() is its line.")
        .def(
            "set_at",
            [](const Fabric& f, const py::object& places, const py::dict& values) {
                f.At(ToPlaces(places)).SetAll(ToSettings(values, f.GetOptions()));
            },
            py::arg("places"),
            py::arg("values"),
            "Set attributes at some places now; see lossless.Fabric.at.")
        .def(
            "set_sonic_at",
            [](const Fabric& f, const py::object& places, const py::object& path) {
                f.At(ToPlaces(places))
                    .SetSonicConfig(py::str(py::module_::import("os").attr("fspath")(path)));
            },
            py::arg("places"),
            py::arg("path"),
            "Set what a config_db.json of SONiC says, before the run; see lossless.Fabric.at.")
        .def(
            "differences",
            [](const Fabric& f) {
                py::list all;
                for (const SettingDifference& each : FindDifferences(f))
                {
                    all.append(py::make_tuple(each.places, each.name, each.initial, each.value));
                }
                return all;
            },
            "Settings that are not the defaults; see lossless.Fabric.settings.")
        .def("install_internet", &Fabric::InstallInternet, "The stock IP stack on all hosts.")
        .def(
            "enable_pcap",
            [](const Fabric& f,
               const py::object& prefix,
               const std::optional<std::vector<NodeRef>>& nodes) {
                if (nodes && nodes->empty())
                {
                    throw py::value_error("nodes is empty; leave it out to capture at all nodes");
                }
                f.EnablePcap(py::str(py::module_::import("os").attr("fspath")(prefix)),
                             AllIn(nodes.value_or(std::vector<NodeRef>()), f));
            },
            py::arg("prefix"),
            py::arg("nodes") = py::none(),
            "Capture frames as prefix-node-port.pcap, at some nodes or at all.")
        .def(
            "assign_streams",
            [](const Fabric& f, int64_t stream) {
                RequireStream("stream", stream);
                return f.AssignStreams(stream);
            },
            py::arg("stream"),
            "Fix the random streams from this one on. Returns how many were used.")
        .def("__repr__", [](const py::object& self) {
            return "<lossless.Fabric of " + std::string(py::str(self.attr("n_hosts"))) +
                   " hosts and " + std::string(py::str(self.attr("n_switches"))) + " switches>";
        });
    BindMembers(fabric);
    BindWays(fabric);
    BindCables(fabric);
}

} // namespace

void
BindFabric(py::module_& m)
{
    BindTopology(m);
    BindBuilt(m);
    BindHelper(m);
    m.def(
        "switch_preset",
        [](const std::string& name) {
            const SwitchPreset& preset = SwitchPreset::Find(name);
            std::map<std::string, uint64_t> values = {{"buffer_size", preset.bufferBytes}};
            if (preset.cellBytes > 0)
            {
                values["cell_bytes"] = preset.cellBytes;
            }
            return values;
        },
        py::arg("name"),
        "Attributes of SwitchMmu of a published switch, by name.");
}

} // namespace lossless_python

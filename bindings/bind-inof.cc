// SPDX-License-Identifier: GPL-2.0-only

// iNOF, and storage that relies on it.

#include "python-attributes.h"
#include "python-callable.h"
#include "python-counters.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"

#include "ns3/inof-helper.h"
#include "ns3/inof-host-agent.h"
#include "ns3/inof-host.h"
#include "ns3/inof-switch-agent.h"
#include "ns3/simulator.h"
#include "ns3/storage-initiator.h"

#include <cstdio>
#include <memory>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// Set attributes of agents by keyword. @param type of the agents
void
SetAgents(InofHelper& inof,
          void (InofHelper::*set)(const std::string&, const AttributeValue&),
          TypeId type,
          const py::kwargs& values)
{
    for (const auto& [name, value] : CheckAttributes(type, values))
    {
        (inof.*set)(name, *value);
    }
}

/// @return identifiers of the hosts that a host knows
std::vector<uint32_t>
PeersOf(const InofHostAgent& agent)
{
    std::vector<uint32_t> peers;
    if (const InofHost* machine = agent.GetMachine())
    {
        for (const auto& peer : machine->GetPeers())
        {
            peers.push_back(peer.first);
        }
    }
    return peers;
}

/// Python's Inof.
using InofClass = py::class_<InofHelper>;

/// Zones and look-up.
void
BindZones(InofClass& inof)
{
    inof.def(
            "add_zone",
            [](InofHelper& inof, const std::string& name, const std::vector<HostRef>& hosts) {
                inof.AddZone(name, AllIn(hosts, inof.GetFabric()));
            },
            py::arg("name"),
            py::arg("hosts") = py::tuple(),
            "A zone, with all ports of these hosts. Before the run or within it.")
        .def("delete_zone", &InofHelper::DeleteZone, py::arg("name"), "A zone goes.")
        .def(
            "add_member",
            [](InofHelper& inof, const std::string& name, const HostRef& host, uint32_t port) {
                inof.AddMember(name, host.In(inof.GetFabric()), port);
            },
            py::arg("name"),
            py::arg("host"),
            py::arg("port") = 0,
            "A port of a host joins a zone.")
        .def(
            "remove_member",
            [](InofHelper& inof, const std::string& name, const HostRef& host, uint32_t port) {
                inof.RemoveMember(name, host.In(inof.GetFabric()), port);
            },
            py::arg("name"),
            py::arg("host"),
            py::arg("port") = 0,
            "A port of a host leaves a zone.")
        .def("set_auto_join",
             &InofHelper::SetAutoJoin,
             py::arg("auto_join"),
             "Whether hosts of no zone are in the default zone.")
        .def("id",
             At<PlaceKind::HOST>(&InofHelper::GetId),
             py::arg("host"),
             py::arg("port") = 0,
             "Identifier of a port of a host in iNOF.")
        .def("host_agent",
             At<PlaceKind::HOST>(&InofHelper::GetHostAgent),
             py::arg("host"),
             py::arg("port") = 0,
             "The agent at a port of a host.")
        .def("switch_agent",
             At<PlaceKind::SWITCH>(&InofHelper::GetSwitchAgent),
             py::arg("switch"),
             "The agent in a switch.")
        .def_property_readonly(
            "totals",
            [](const InofHelper& inof) { return ToDict(inof.GetTotals()); },
            "Messages of all switches, by name.")
        .def("__repr__", Repr<InofHelper>("Inof", [](const InofHelper& inof) {
                 const auto totals = inof.GetTotals();
                 return ": " + std::to_string(totals.hellos) + " HELLOs, " +
                        std::to_string(totals.notifications) + " notifications";
             }));
}

void
BindAgents(py::module_& m)
{
    KnownClass<InofHostAgent, Application>(
        m,
        "InofHostAgent",
        "iNOF at a port of a host. Trace sources: PeerUp, PeerDown.")
        .def_property_readonly("id", &InofHostAgent::GetId, "Identifier in iNOF.")
        .def_property_readonly("peers", &PeersOf, "Identifiers of the hosts that it knows.")
        .def("crash", &InofHostAgent::Crash, "Go silent without a word.");
    KnownClass<InofSwitchAgent, SwitchExtension>(
        m,
        "InofSwitchAgent",
        "iNOF in a switch. Trace sources: Notify, Session.")
        .def_property_readonly("malformed",
                               &InofSwitchAgent::GetMalformed,
                               "Messages that could not be read.");
}

void
BindInofHelper(py::module_& m)
{
    auto inof = Class<InofHelper>(m, "Inof", "iNOF on a fabric; see Fabric.inof().");
    inof.def(py::init<const Fabric&>(), py::arg("fabric"))
        .def(
            "set_switch",
            [](InofHelper& inof, const py::kwargs& values) {
                SetAgents(inof, &InofHelper::SetSwitch, InofSwitchAgent::GetTypeId(), values);
            },
            "Attributes of InofSwitchAgent, before install().")
        .def(
            "set_host",
            [](InofHelper& inof, const py::kwargs& values) {
                SetAgents(inof, &InofHelper::SetHost, InofHostAgent::GetTypeId(), values);
            },
            "Attributes of InofHostAgent, before install().")
        .def("set_keep_alive",
             &InofHelper::SetKeepAlive,
             py::arg("interval"),
             py::arg("misses"),
             "Time between HELLOs, and how many of them a host may miss. Before install().")
        .def(
            "set_reflectors",
            [](InofHelper& inof, const std::vector<SwitchRef>& switches) {
                inof.SetReflectors(AllIn(switches, inof.GetFabric()));
            },
            py::arg("switches"),
            "Cross-switch mode: all other switches are clients of these. Before install().")
        .def("set_disk",
             At<PlaceKind::HOST>(&InofHelper::SetDisk),
             py::arg("host"),
             "A host that offers storage.")
        .def("install", &InofHelper::Install, "Put the agents in place, once, before the run.")
        .def("follow_watchdogs",
             &InofHelper::FollowWatchdogs,
             "Hosts whose port a watchdog has given up are gone for their zones.");
    BindZones(inof);
}

/// @return what the I/Os of a server are like
StorageInitiator::Options
MakeOptions(const py::object& ioSize,
            uint32_t depth,
            const py::object& verb,
            const Time& retryInterval,
            const py::object& congestion,
            const py::kwargs& attributes)
{
    StorageInitiator::Options options;
    options.ioBytes = ToBytes(ioSize, "io_size");
    options.depth = depth;
    options.verb = ToVerb(verb);
    options.retryInterval = retryInterval;
    if (!congestion.is_none())
    {
        options.queuePair.congestion = congestion.cast<const Part&>().GetFactory();
    }
    options.queuePair.attributes = CheckAttributes(RdmaQueuePair::GetTypeId(), attributes);
    return options;
}

/// @return what a server did, in words
std::string
DescribeStorageServer(const StorageInitiator& server)
{
    char text[160];
    std::snprintf(text,
                  sizeof(text),
                  ": %llu I/Os completed, %zu changes of the path, longest interruption %.3f ms",
                  static_cast<unsigned long long>(server.GetCompleted()),
                  server.GetFailovers().size(),
                  server.GetLongestGap().GetSeconds() * 1e3);
    return text;
}

void
BindFailover(py::module_& m)
{
    Class<StorageInitiator::Failover>(m, "Failover", "A change of the path of a storage server.")
        .def_readonly("when", &StorageInitiator::Failover::when, "When I/Os went the new way.")
        .def_property_readonly(
            "from_path",
            [](const StorageInitiator::Failover& f) {
                return f.from == StorageInitiator::NONE ? py::object(py::none())
                                                        : py::object(py::int_(f.from));
            },
            "Number of the path before; None: there was none.")
        .def_property_readonly(
            "to_path",
            [](const StorageInitiator::Failover& f) {
                return f.to == StorageInitiator::NONE ? py::object(py::none())
                                                      : py::object(py::int_(f.to));
            },
            "Number of the path after; None: there is none.")
        .def_readonly("why",
                      &StorageInitiator::Failover::why,
                      "Status of the queue pair, or reason of iNOF.")
        .def("__repr__", [](const StorageInitiator::Failover& f) {
            const auto name = [](uint32_t path) {
                return path == StorageInitiator::NONE ? "none" : std::to_string(path);
            };
            return "<Failover at " + std::string(py::str(py::cast(f.when))) + " from path " +
                   name(f.from) + " to " + name(f.to) + ": " + f.why + ">";
        });
}

void
BindStorage(py::module_& m)
{
    Class<StorageInitiator>(m, "StorageServer", "A server that uses storage.")
        .def(py::init([](const Fabric& fabric,
                         const HostRef& host,
                         const py::object& ioSize,
                         uint32_t depth,
                         const py::object& verb,
                         const Time& retryInterval,
                         const py::object& congestion,
                         const py::kwargs& attributes) {
                 return std::make_unique<StorageInitiator>(
                     fabric,
                     host.In(fabric),
                     MakeOptions(ioSize, depth, verb, retryInterval, congestion, attributes));
             }),
             py::arg("fabric"),
             py::arg("host"),
             py::arg("io_size") = 4096,
             py::arg("depth") = 8,
             py::arg("verb") = "write",
             py::arg("retry_interval") = MilliSeconds(1),
             py::arg("congestion_control") = py::none(),
             "See Fabric.storage_server().")
        .def("add_path",
             At<PlaceKind::HOST>(&StorageInitiator::AddPath),
             py::arg("target"),
             py::arg("choice") = 0,
             "A way to a target host, the choice-th between their ports. Returns its number; the "
             "lower, the better.")
        .def("use_inof",
             &StorageInitiator::UseInof,
             py::arg("inof"),
             "Do as iNOF says, and use the disks that it names after the paths of add_path().")
        .def(
            "on_completion",
            [](StorageInitiator& server, const py::function& function) {
                server.OnCompletion(
                    [call = PythonCallable(function)](uint32_t path) { call(path); });
            },
            py::arg("callable"),
            "Call a callable with the number of the path at the end of each I/O.")
        .def("run",
             &StorageInitiator::Run,
             py::arg("begin"),
             py::arg("end"),
             "I/Os are issued from one time to the other.")
        .def_property_readonly("completed", &StorageInitiator::GetCompleted, "I/Os completed.")
        .def_property_readonly("reissued",
                               &StorageInitiator::GetReissued,
                               "I/Os issued again because their path failed.")
        .def_property_readonly("longest_gap",
                               &StorageInitiator::GetLongestGap,
                               "Longest time between two completions: the interruption of service.")
        .def_property_readonly("longest_gap_begin",
                               &StorageInitiator::GetLongestGapBegin,
                               "When that began.")
        .def_property_readonly("failovers",
                               &StorageInitiator::GetFailovers,
                               "Changes of the path; the first is from None.")
        .def_property_readonly("n_open_paths",
                               &StorageInitiator::GetNOpenPaths,
                               "How many paths have queue pairs now.")
        .def(
            "target",
            [](const StorageInitiator& server, uint32_t path) {
                return server.GetTarget(path).Value();
            },
            py::arg("path"),
            "Number of the host to which a path leads.")
        .def("__repr__", Repr<StorageInitiator>("StorageServer", &DescribeStorageServer));
}

} // namespace

void
BindInof(py::module_& m)
{
    BindAgents(m);
    BindInofHelper(m);
    BindFailover(m);
    BindStorage(m);
}

} // namespace lossless_python

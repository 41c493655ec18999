// SPDX-License-Identifier: GPL-2.0-only
#include "loss-check.h"
#include "python-counters.h"
#include "python-part.h"
#include "python-rdma.h"

#include "ns3/border-policy.h"
#include "ns3/conweave-switch.h"
#include "ns3/egress-scheduler.h"
#include "ns3/elephant-separator.h"
#include "ns3/fabric-switch.h"
#include "ns3/sonic-file.h"
#include "ns3/sonic-show.h"
#include "ns3/sonic-switch.h"
#include "ns3/switch-mmu.h"
#include "ns3/traffic-class-map.h"
#include "ns3/trim-switch.h"
#include "ns3/vlan-ports.h"
#include "ns3/vxlan-endpoint.h"

#include <map>
#include <sstream>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @param port a port @param cls a class; IndexError unless the switch has both
void
RequireClass(const SwitchMmu& mmu, uint32_t port, uint32_t cls)
{
    if (port >= mmu.GetPortCount() || cls >= TRAFFIC_CLASSES)
    {
        throw py::index_error("port " + std::to_string(port) + " class " + std::to_string(cls) +
                              "; the switch has " + std::to_string(mmu.GetPortCount()) +
                              " ports of 8 classes");
    }
}

/// @param port a port; IndexError unless the switch has it
void
RequirePort(const FabricSwitch& fabricSwitch, uint32_t port)
{
    if (port >= fabricSwitch.GetNPorts())
    {
        throw py::index_error("port " + std::to_string(port) + "; the switch has " +
                              std::to_string(fabricSwitch.GetNPorts()));
    }
}

/// A setter of SwitchMmu for one (port, class).
template <typename Value>
auto
Setter(void (MmuSettings::*set)(uint32_t, uint32_t, Value))
{
    return [set](SwitchMmu& mmu, uint32_t port, uint32_t cls, Value value) {
        RequireClass(mmu, port, cls);
        (mmu.*set)(port, cls, value);
        RunOfFabric::Changed();
    };
}

/// SwitchMmu.in_force().
py::dict
InForce(const SwitchMmu& mmu, uint32_t port, uint32_t cls)
{
    using namespace py::literals;
    RequireClass(mmu, port, cls);
    const uint64_t cell = mmu.GetCellSize().Bytes();
    const MmuIngress& in = mmu.GetIngress(port, cls);
    const uint32_t alpha = in.threshold.alphaFixed;
    const double one = 1U << MmuThreshold::ALPHA_SHIFT;
    return py::dict("alpha"_a = alpha ? py::object(py::float_(alpha / one)) : py::none(),
                    "headroom"_a = in.headroom * cell,
                    "guaranteed"_a = in.guaranteed * cell,
                    "xon_offset"_a = in.xonOffset * cell,
                    "threshold"_a = mmu.GetThreshold(port, cls) * cell);
}

/// @param table of SONiC, in short @return the view
WatermarkView
ToView(const std::string& table)
{
    static const std::map<std::string, WatermarkView> VIEWS = {
        {"user", WatermarkView::USER},
        {"persistent", WatermarkView::PERSISTENT},
        {"periodic", WatermarkView::PERIODIC}};
    const auto found = VIEWS.find(table);
    if (found == VIEWS.end())
    {
        throw py::value_error("there is no table of watermarks \"" + table +
                              "\"; there are user, persistent and periodic");
    }
    return found->second;
}

/// SwitchMmu.watermarks().
py::dict
Watermarks(const SwitchMmu& mmu, const std::string& table)
{
    py::dict all;
    for (const auto statistic : {WatermarkStatistic::INGRESS_SHARED,
                                 WatermarkStatistic::INGRESS_HEADROOM,
                                 WatermarkStatistic::QUEUE_SHARED,
                                 WatermarkStatistic::POOL,
                                 WatermarkStatistic::POOL_HEADROOM})
    {
        all[Watermark::NameOf(statistic)] = py::dict();
    }
    for (const Watermark& mark : mmu.GetWatermarks(ToView(table)))
    {
        py::object key = py::make_tuple(mark.port, mark.cls);
        if (mark.port < 0)
        {
            key = py::str(mark.pool);
        }
        all[Watermark::NameOf(mark.statistic)][key] = mark.bytes;
    }
    return all;
}

void
BindMmu(py::module_& m)
{
    KnownClass<SwitchMmu, Object>(m, "SwitchMmu", "The shared buffer of a switch.")
        .def_property_readonly(
            "size",
            [](const SwitchMmu& mmu) {
                const uint64_t cell = mmu.GetCellSize().Bytes();
                return mmu.GetBufferSize() / cell * cell;
            },
            "Bytes of its cells: what is in force of buffer_size.")
        .def("in_force",
             &InForce,
             py::arg("port"),
             py::arg("traffic_class"),
             "What a class of a port has, in bytes of whole cells: a dictionary with headroom, "
             "guaranteed, xon_offset and threshold, which is that of now; and alpha, None where "
             "the threshold is static.")
        .def_property_readonly("n_ports", &SwitchMmu::GetPortCount, "Number of ports.")
        .def_property_readonly("is_idle",
                               &SwitchMmu::IsIdle,
                               "Whether nothing is stored and nobody paused.")
        .def_property_readonly(
            "used_bytes",
            [](const SwitchMmu& mmu) {
                return uint64_t{mmu.GetTotalUsed()} * mmu.GetCellSize().Bytes();
            },
            "Bytes of all frames stored, in cells.")
        .def(
            "threshold",
            [](const SwitchMmu& mmu, uint32_t port, uint32_t cls) {
                RequireClass(mmu, port, cls);
                return mmu.GetThreshold(port, cls) * mmu.GetCellSize().Bytes();
            },
            py::arg("port"),
            py::arg("traffic_class"),
            "Bytes of shared space at which the class of the port is paused now.")
        .def(
            "explain",
            [](const SwitchMmu& mmu, uint32_t port, uint32_t cls) {
                RequireClass(mmu, port, cls);
                return mmu.Explain(port, cls);
            },
            py::arg("port"),
            py::arg("traffic_class"),
            "Why PFC did, or did not, act: one line.")
        .def("watermarks",
             &Watermarks,
             py::arg("table"),
             "The most bytes in use since the table was cleared: \"user\", \"persistent\" or "
             "\"periodic\". A dictionary by the names of SAI, each a dictionary by (port, class), "
             "or by "
             "pool, \"shared\" or \"headroom\"; what is not there is 0.")
        .def(
            "clear_watermarks",
            [](SwitchMmu& mmu, const std::string& table) {
                const WatermarkView view = ToView(table);
                if (view == WatermarkView::PERIODIC)
                {
                    throw py::value_error("periodic watermarks are cleared by a run with "
                                          "watermarks=INTERVAL; clear user or persistent");
                }
                mmu.ClearWatermarks(view);
            },
            py::arg("table"),
            "Let the watermarks of a table begin anew: \"user\" or \"persistent\".")
        .def("check", &SwitchMmu::CheckInvariants, "The first broken invariant; empty: none.")
        .def("set_lossless",
             Setter(&SwitchMmu::SetLossless),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("headroom_bytes"),
             "Give a class PFC, with headroom at a port.")
        .def(
            "set_service_pool",
            [](SwitchMmu& mmu, uint32_t port, uint32_t cls, const std::string& pool) {
                RequireClass(mmu, port, cls);
                mmu.SetServicePool(port, cls, pool);
            },
            py::arg("port"),
            py::arg("traffic_class"),
            py::arg("pool"),
            "The pool of service_pools from which a class draws.")
        .def("set_port_limit",
             &SwitchMmu::SetPortLimit,
             py::arg("port"),
             py::arg("bytes"),
             "Shared space that all classes of an ingress port may hold together; 0: no limit.")
        .def("set_egress_port_limit",
             &SwitchMmu::SetEgressPortLimit,
             py::arg("port"),
             py::arg("bytes"),
             "What all queues of an egress port may hold before lossy frames are dropped; 0: no "
             "limit.")
        .def("set_alpha",
             Setter(&SwitchMmu::SetAlpha),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("alpha"),
             "Share of the free space that a class may take.")
        .def("set_static_threshold",
             Setter(&SwitchMmu::SetStaticThreshold),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("bytes"),
             "A fixed threshold in place of alpha.")
        .def("set_guaranteed",
             Setter(&SwitchMmu::SetGuaranteed),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("bytes"),
             "Space that a class has for itself.")
        .def("set_xon_offset",
             Setter(&SwitchMmu::SetXonOffset),
             py::arg("port"),
             py::arg("traffic_class"),
             py::arg("bytes"),
             "How far below the threshold a pause ends.");
}

} // namespace

void
BindSwitch(py::module_& m)
{
    BindMmu(m);
    KnownClass<LoadBalancer, Object>(m, "LoadBalancer", "Chooses among equal ways.");
    KnownClass<EgressScheduler, Object>(m, "EgressScheduler", "Chooses the class that sends.");
    KnownClass<TrafficClassMap, Object>(m, "TrafficClassMap", "Priorities to classes.");
    KnownClass<SwitchExtension, Object>(m, "SwitchExtension", "What a switch does beside.");
    KnownClass<BorderPolicy, SwitchExtension>(m,
                                              "BorderPolicy",
                                              "Rules for what comes in at ports.")
        .def_property_readonly("matches",
                               &BorderPolicy::GetMatches,
                               "Frames that each rule has matched, in the order of the rules.");
    KnownClass<VxlanEndpoint, SwitchExtension>(m,
                                               "VxlanEndpoint",
                                               "Where VXLAN tunnels of a switch begin and end.")
        .def_property_readonly(
            "address",
            [](const VxlanEndpoint& endpoint) {
                std::ostringstream text;
                text << endpoint.GetAddress();
                return text.str();
            },
            "Its address; 0.0.0.0 at a switch without hosts, where it has nothing to do.")
        .def_property_readonly(
            "counters",
            [](const VxlanEndpoint& endpoint) { return ToDict(endpoint.GetCounters()); },
            "What it has done, by name of the counter.");
    KnownClass<ElephantSeparator, SwitchExtension>(m,
                                                   "ElephantSeparator",
                                                   "Another class or colour for elephants.")
        .def_property_readonly(
            "counters",
            [](const ElephantSeparator& s) { return ToDict(s.GetCounters()); },
            "Elephants, moves, frames and reorderings, by name.");
    KnownClass<VlanPorts, SwitchExtension>(m, "VlanPorts", "Trunk and access ports of a VLAN.")
        .def_property_readonly(
            "counters",
            [](const VlanPorts& ports) { return ToDict(ports.GetCounters()); },
            "Frames dropped, tagged and untagged, by name.");
    KnownClass<TrimSwitch, SwitchExtension>(
        m,
        "TrimSwitch",
        "Cuts the payload of packets for which there is no room.")
        .def_property_readonly(
            "counters",
            [](const TrimSwitch& trim) { return ToDict(trim.GetCounters()); },
            "Packets trimmed, sent and dropped, by name.")
        .def(
            "port_counters",
            [](const TrimSwitch& trim, uint32_t port) { return ToDict(trim.GetCounters(port)); },
            py::arg("port"),
            "The counters of an egress port, by name.");
    KnownClass<ConWeaveSwitch, SwitchExtension>(m,
                                                "ConWeaveSwitch",
                                                "Reroutes flows, and keeps them in order.")
        .def_property_readonly(
            "counters",
            [](const ConWeaveSwitch& leaf) { return ToDict(leaf.GetCounters()); },
            "Reroutes, frames held, flushes, replies and notes, by name.");
    KnownClass<EcnMarker, SwitchExtension>(m, "EcnMarker", "Decides about ECN marks.");
    KnownClass<FabricSwitch, Object>(m, "FabricSwitch", "A shared-buffer switch.")
        .def(py::init([] { return CreateObject<FabricSwitch>(); }))
        .def(
            "add_port",
            [](FabricSwitch& s, const Ptr<QbbNetDevice>& device) { return s.AddPort(device); },
            py::arg("device"),
            "Feed a port of the node from now on. Returns its index.")
        .def(
            "add_route",
            [](FabricSwitch& s, const std::string& address, const std::vector<uint16_t>& ports) {
                s.AddRoute(ToAddress(address), ports);
            },
            py::arg("destination"),
            py::arg("ports"),
            "The ports towards a host, by its IPv4 address.")
        .def(
            "add_extension",
            [](FabricSwitch& s, const Ptr<SwitchExtension>& extension) {
                s.AddExtension(extension);
                RunOfFabric::Changed();
            },
            py::arg("extension"),
            "Give it an extension, such as a PfcWatchdog.")
        .def_property_readonly("n_ports", &FabricSwitch::GetNPorts, "Number of ports.")
        .def_property_readonly(
            "ports",
            [](const FabricSwitch& s) {
                std::vector<Ptr<QbbNetDevice>> ports;
                for (uint32_t i = 0; i < s.GetNPorts(); ++i)
                {
                    ports.push_back(s.GetPort(i));
                }
                return ports;
            },
            "Its ports, by index.")
        .def_property_readonly("mmu", &FabricSwitch::GetMmu, "The buffer.")
        .def_property_readonly(
            "extensions",
            [](const FabricSwitch& s) {
                py::list extensions;
                for (uint32_t i = 0; i < s.GetNExtensions(); ++i)
                {
                    extensions.append(Wrap(s.GetExtension(i)));
                }
                return extensions;
            },
            "Its extensions, in the order in which they act.")
        .def(
            "queue_bytes",
            [](const FabricSwitch& s, uint32_t port) {
                RequirePort(s, port);
                return s.GetQueueBytes(port);
            },
            py::arg("port"),
            "Frame bytes queued at a port.")
        .def(
            "counters",
            [](const FabricSwitch& s, uint32_t port) {
                RequirePort(s, port);
                return ToDict(s.GetCounters(port));
            },
            py::arg("port"),
            "Frames dropped at ingress, by reason, and frames marked CE at egress, by class.")
        .def("check_lossless",
             &FabricSwitch::CheckLossless,
             "What could make a lossless class drop, one line a finding.")
        .def_property_readonly("lossless_drops",
                               &FabricSwitch::GetLosslessDrops,
                               "Frames of lossless classes dropped.")
        .def_property_readonly("lossy_drops",
                               &FabricSwitch::GetLossyDrops,
                               "Frames of lossy classes dropped.")
        .def(
            "sonic_config",
            [](const Ptr<FabricSwitch>& s) {
                return py::module_::import("json").attr("loads")(SonicConfigOf(s).ToText());
            },
            "Its settings in force as SONiC has them: a dictionary of tables, each of entries, "
            "each "
            "of fields.")
        .def(
            "write_sonic_config",
            [](const Ptr<FabricSwitch>& s, const py::object& path) {
                const std::string file = py::str(py::module_::import("os").attr("fspath")(path));
                WriteSonicConfig(file, SonicConfigOf(s));
            },
            py::arg("path"),
            "Write its settings in force as a config_db.json of SONiC.")
        .def(
            "sonic_show",
            [](const Ptr<FabricSwitch>& s) { return SonicShow(s).All(); },
            "Its watermarks, PFC frames and storms as tables, such as `show` of SONiC prints "
            "them.");
}

} // namespace lossless_python

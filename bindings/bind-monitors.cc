// SPDX-License-Identifier: GPL-2.0-only

// What operators watch: the ping mesh, pauses, the configuration.

#include "python-attributes.h"
#include "python-callable.h"
#include "python-columns.h"
#include "python-part.h"
#include "python-rdma.h"
#include "python-stream.h"

#include "ns3/config-monitor.h"
#include "ns3/pause-monitor.h"
#include "ns3/ping-stats.h"
#include "ns3/rdma-ping-mesh.h"
#include "ns3/rdma-queue-pair.h"

#include <algorithm>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return how many probes ended how, by name
py::dict
ResultsOf(const std::array<uint64_t, RdmaPingMesh::RESULTS>& results)
{
    py::dict all;
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        all[RdmaPingMesh::ToString(static_cast<RdmaPingMesh::Result>(i))] = results[i];
    }
    return all;
}

/// A mesh, and its statistics.
class PingMesh : public RdmaPingMesh
{
  public:
    using RdmaPingMesh::RdmaPingMesh;

    PingStats stats{*this}; //!< percentiles and files
};

/// @return the windows, by column
py::dict
WindowsOf(const PingStats& stats)
{
    std::vector<double> begin;
    std::vector<uint64_t> answered;
    std::vector<uint64_t> failed;
    std::vector<double> p50;
    std::vector<double> p99;
    std::vector<double> p999;
    std::vector<double> max;
    for (const PingStats::Window& window : stats.GetWindows())
    {
        begin.push_back(window.begin.GetSeconds());
        answered.push_back(window.results[RdmaPingMesh::OK]);
        uint64_t other = 0;
        for (std::size_t i = RdmaPingMesh::OK + 1; i < window.results.size(); ++i)
        {
            other += window.results[i];
        }
        failed.push_back(other);
        p50.push_back(window.p50Us);
        p99.push_back(window.p99Us);
        p999.push_back(window.p999Us);
        max.push_back(window.maxUs);
    }
    py::dict columns;
    columns["begin_s"] = py::cast(Column<double>(begin));
    columns["answered"] = py::cast(Column<uint64_t>(answered));
    columns["failed"] = py::cast(Column<uint64_t>(failed));
    columns["p50_us"] = py::cast(Column<double>(p50));
    columns["p99_us"] = py::cast(Column<double>(p99));
    columns["p999_us"] = py::cast(Column<double>(p999));
    columns["max_us"] = py::cast(Column<double>(max));
    return columns;
}

/// The run of a mesh, and what it has seen.
void
BindProbes(py::class_<PingMesh>& mesh)
{
    mesh.def("run",
             &RdmaPingMesh::Run,
             py::arg("begin"),
             py::arg("end"),
             "Probes are posted from one time to the other.")
        .def(
            "finish",
            [](PingMesh& mesh) { mesh.stats.Finish(); },
            "Close the last window and the files.")
        .def(
            "summary",
            [](const PingMesh& mesh) { return mesh.stats.Summary(); },
            "One line: probes, percentiles, failures.")
        .def_property_readonly(
            "totals",
            [](const PingMesh& mesh) { return ResultsOf(mesh.GetTotals()); },
            "How many probes ended how.")
        .def(
            "window_columns",
            [](const PingMesh& mesh) { return WindowsOf(mesh.stats); },
            "The windows that are over, by column; us.")
        .def(
            "quantile_us",
            [](const PingMesh& mesh, double fraction) {
                if (!(fraction >= 0 && fraction <= 1))
                {
                    throw py::value_error("fraction is " + std::to_string(fraction) +
                                          "; it must be 0 to 1");
                }
                return mesh.stats.GetRoundTrips().Quantile(fraction);
            },
            py::arg("fraction"),
            "The round trip, us, that this fraction of the answered probes does not exceed.")
        .def_property_readonly(
            "unreachable",
            [](const PingMesh& mesh) {
                py::list pairs;
                for (const RdmaPingMesh::Pair& pair : mesh.GetUnreachable())
                {
                    pairs.append(py::make_tuple(pair.source, pair.destination));
                }
                return pairs;
            },
            "(source, destination) of pairs whose last probe failed, or waits for long.")
        .def("__repr__", Repr<PingMesh>("PingMesh", [](const PingMesh& mesh) {
                 return ": " + mesh.stats.Summary();
             }));
}

void
BindMesh(py::module_& m)
{
    auto mesh = Class<PingMesh>(m, "PingMesh", "RDMA pings between hosts; see Fabric.ping_mesh().");
    mesh.def(py::init<const Fabric&>(), py::arg("fabric"))
        .def(
            "set_size",
            [](PingMesh& mesh, const py::object& size) { mesh.SetBytes(ToBytes(size, "size")); },
            py::arg("size"),
            "Bytes of a message, 512 by default.")
        .def("set_interval",
             &RdmaPingMesh::SetInterval,
             py::arg("interval"),
             "Time between two probes of a pair, 100 us by default.")
        .def(
            "set_window",
            [](PingMesh& mesh, const Time& window) { mesh.stats.SetWindow(window); },
            py::arg("window"),
            "Time over which percentiles are taken, 1 ms by default.")
        .def(
            "set_queue_pair",
            [](PingMesh& mesh, const py::kwargs& values) {
                for (const auto& [name, value] :
                     CheckAttributes(RdmaQueuePair::GetTypeId(), values))
                {
                    mesh.SetQueuePair(name, *value);
                }
            },
            "Attributes of the queue pairs, such as retransmit_timeout.")
        .def(
            "set_sample",
            [](PingMesh& mesh, uint32_t targets, int64_t stream) {
                RequireStream("stream", stream);
                mesh.SetSample(targets, stream);
            },
            py::arg("targets"),
            py::arg("stream"),
            "Each host probes so many others only, drawn once from a random stream.")
        .def(
            "write_to",
            [](PingMesh& mesh, const std::string& probes, const std::string& windows) {
                mesh.stats.WriteTo(probes, windows);
            },
            py::arg("probes"),
            py::arg("windows"),
            "CSV files, one line a probe and one a window.");
    BindProbes(mesh);
}

/// @param name of a metric @return it
PauseMonitor::Metric
ToMetric(const std::string& name)
{
    for (const auto metric :
         {PauseMonitor::XOFF_SENT, PauseMonitor::XOFF_RECEIVED, PauseMonitor::PAUSED_SHARE})
    {
        std::string known = PauseMonitor::ToString(metric);
        std::replace(known.begin(), known.end(), '-', '_');
        if (SamePlain(known, name))
        {
            return metric;
        }
    }
    throw py::value_error("metric is \"" + name +
                          "\"; it must be xoff_sent, xoff_received or paused_share");
}

void
BindPauses(py::module_& m)
{
    Class<PauseMonitor::Alert>(m, "PauseAlert", "A threshold of a PauseMonitor was reached.")
        .def_readonly("when", &PauseMonitor::Alert::when, "End of the interval.")
        .def_readonly("node", &PauseMonitor::Alert::node, "Number in the topology.")
        .def_readonly("is_switch", &PauseMonitor::Alert::isSwitch, "Else a server.")
        .def_readonly("port", &PauseMonitor::Alert::port, "Port of the node.")
        .def_readonly("traffic_class", &PauseMonitor::Alert::cls, "Class.")
        .def_property_readonly(
            "metric",
            [](const PauseMonitor::Alert& a) { return PauseMonitor::ToString(a.metric); },
            "What was measured.")
        .def_readonly("value", &PauseMonitor::Alert::value, "How much it was.")
        .def_readonly("threshold", &PauseMonitor::Alert::threshold, "From which on it is an alert.")
        .def("__repr__", [](const PauseMonitor::Alert& a) {
            return "<PauseAlert " + PauseMonitor::ToLine(a) + ">";
        });
    Class<PauseMonitor>(m, "PauseMonitor", "Watches PFC at all ports; see Fabric.pause_monitor().")
        .def(py::init<const Fabric&>(), py::arg("fabric"))
        .def("set_interval",
             &PauseMonitor::SetInterval,
             py::arg("interval"),
             "Time between readings of the counters, 100 us by default.")
        .def(
            "set_threshold",
            [](PauseMonitor& monitor, const std::string& metric, double threshold) {
                monitor.SetThreshold(ToMetric(metric), threshold);
            },
            py::arg("metric"),
            py::arg("threshold"),
            "Alert from this value on: xoff_sent or xoff_received (frames in an interval), or "
            "paused_share (0 to 1).")
        .def(
            "on_alert",
            [](PauseMonitor& monitor, const py::function& function) {
                monitor.OnAlert([call = PythonCallable(function)](
                                    const PauseMonitor::Alert& alert) { call(alert); });
            },
            py::arg("callable"),
            "Call a callable with each PauseAlert.")
        .def("write_to",
             static_cast<void (PauseMonitor::*)(const std::string&)>(&PauseMonitor::WriteTo),
             py::arg("path"),
             "A CSV file, one line each (port, class) and interval with something to tell.")
        .def("run",
             &PauseMonitor::Run,
             py::arg("begin"),
             py::arg("end"),
             "Read from one time to the other.")
        .def("commit", &PauseMonitor::Commit, "The file is complete.")
        .def_property_readonly("alerts", &PauseMonitor::GetAlerts, "The alerts so far.")
        .def("__repr__", Repr<PauseMonitor>("PauseMonitor", [](const PauseMonitor& monitor) {
                 return ": " + std::to_string(monitor.GetAlerts().size()) + " alerts";
             }));
}

void
BindConfiguration(py::module_& m)
{
    Class<ConfigMonitor::Finding>(m, "Drift", "A value that is not what was intended.")
        .def_readonly("when", &ConfigMonitor::Finding::when, "When it was seen first.")
        .def_readonly("where",
                      &ConfigMonitor::Finding::where,
                      "Such as \"switch 5 port 2 class 3\".")
        .def_readonly("what", &ConfigMonitor::Finding::what, "Such as \"Alpha\".")
        .def_readonly("intended", &ConfigMonitor::Finding::intended, "What it should be.")
        .def_readonly("actual", &ConfigMonitor::Finding::actual, "What it is.")
        .def("__repr__", [](const ConfigMonitor::Finding& f) {
            return "<Drift " + ConfigMonitor::ToLine(f) + ">";
        });
    Class<ConfigMonitor>(m,
                         "ConfigMonitor",
                         "Compares what runs with what is intended; see Fabric.config_monitor().")
        .def(py::init<const Fabric&>(), py::arg("fabric"))
        .def("take", &ConfigMonitor::Take, "What runs now is intended from now on.")
        .def(
            "intend",
            [](ConfigMonitor& monitor, const std::string& what, const py::object& value) {
                monitor.Intend(what, ToText(value));
            },
            py::arg("what"),
            py::arg("value"),
            "A value that is intended wherever there is one of this name, such as \"Alpha\".")
        .def("check", &ConfigMonitor::Check, "All differences now.")
        .def("check_every",
             &ConfigMonitor::CheckEvery,
             py::arg("interval"),
             py::arg("end"),
             "Check at an interval, to an end.")
        .def_property_readonly("findings",
                               &ConfigMonitor::GetFindings,
                               "What check_every() has found, each difference once.")
        .def_static("write",
                    &ConfigMonitor::Write,
                    py::arg("path"),
                    py::arg("findings"),
                    "Write differences as CSV.")
        .def("__repr__", Repr<ConfigMonitor>("ConfigMonitor", [](const ConfigMonitor& monitor) {
                 return ": " + std::to_string(monitor.GetFindings().size()) +
                        " values have drifted";
             }));
}

} // namespace

void
BindMonitors(py::module_& m)
{
    BindMesh(m);
    BindPauses(m);
    BindConfiguration(m);
}

} // namespace lossless_python

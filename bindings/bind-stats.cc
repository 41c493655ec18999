// SPDX-License-Identifier: GPL-2.0-only
#include "python-rdma.h"
#include "python-time.h"

#include "ns3/fabric-stats.h"

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return the totals of a run, by name
py::dict
TotalsOf(const FabricStats& stats)
{
    const FabricStats::Totals totals = stats.GetTotals();
    py::dict drops;
    for (std::size_t i = 0; i < totals.drops.size(); ++i)
    {
        drops[ToString(static_cast<DropReason>(i))] = totals.drops[i];
    }
    py::dict pfc;
    pfc["xoff_frames"] = totals.pfc.xoffFrames;
    pfc["refreshes"] = totals.pfc.refreshes;
    pfc["xon_frames"] = totals.pfc.xonFrames;
    pfc["pauses"] = totals.pfc.pauses;
    pfc["expired"] = totals.pfc.expired;
    pfc["paused_s"] = Seconds(TimeStep(totals.pfc.pausedTicks));
    pfc["paused_ports"] = totals.pfc.pausedPorts;
    pfc["longest_s"] = Seconds(TimeStep(totals.pfc.longestTicks));
    py::dict watchdogs;
    watchdogs["storms"] = totals.watchdogs.storms;
    watchdogs["restored"] = totals.watchdogs.restored;
    watchdogs["disabled"] = totals.watchdogs.disabled;
    watchdogs["queue_drops"] = totals.watchdogs.queueDrops;
    watchdogs["ingress_drops"] = totals.watchdogs.ingressDrops;
    watchdogs["nics_stopped"] = totals.watchdogs.nicsStopped;
    py::dict all;
    all["watchdogs"] = watchdogs;
    all["flows_total"] = totals.flowsTotal;
    all["flows_completed"] = totals.flowsCompleted;
    all["lossless_drops"] = totals.losslessDrops;
    all["lossy_drops"] = totals.lossyDrops;
    all["drops"] = drops;
    all["ecn_marks"] = totals.ecnMarks;
    all["rdma"] = CountersOf(totals.rdma);
    all["pfc"] = pfc;
    all["simulated_s"] = Seconds(totals.simulated);
    all["active_s"] = Seconds(totals.active);
    all["events"] = totals.events;
    return all;
}

} // namespace

void
BindStats(py::module_& m)
{
    Class<FabricStats>(m, "Stats", "Statistics of a run; see Results.")
        .def("write_to",
             &FabricStats::WriteTo,
             py::arg("folder"),
             py::arg("files") = std::vector<std::string>(),
             "Write CSV files: fct, pfc, queue, throughput, watchdog, or all of them.")
        .def("set_sample_interval",
             &FabricStats::SetSampleInterval,
             py::arg("interval"),
             "Time between samples of queues and rates.")
        .def("finish", &FabricStats::Finish, "The files are complete.")
        .def("__repr__",
             Repr<FabricStats>("Stats",
                               [](const FabricStats& stats) {
                                   const auto totals = stats.GetTotals();
                                   return ": " + std::to_string(totals.flowsCompleted) + " of " +
                                          std::to_string(totals.flowsTotal) + " flows completed";
                               }))
        .def("summary", &FabricStats::Summary, "A table for people.")
        .def("totals", &TotalsOf, "The totals, by name; times, _s, in seconds.");
}

} // namespace lossless_python

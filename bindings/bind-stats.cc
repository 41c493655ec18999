// SPDX-License-Identifier: GPL-2.0-only
#include "python-rdma.h"
#include "python-time.h"

#include "ns3/fabric-stats.h"

#include <variant>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return the totals of a run, by name
py::dict
TotalsOf(const FabricStats& stats)
{
    py::dict all;
    for (const NamedTotal& total : stats.GetTotals().List())
    {
        all[py::str(total.name)] =
            std::visit([](const auto value) { return py::cast(value); }, total.value);
    }
    return all;
}

/// @return unit and meaning of all totals that there may be, by name
py::dict
DescribeTotals()
{
    RunTotals totals;
    totals.hasWatchdogs = true;
    totals.hasDetector = true;
    py::dict all;
    for (const NamedTotal& total : totals.List())
    {
        all[py::str(total.name)] = py::make_tuple(total.unit, total.help);
    }
    return all;
}

} // namespace

void
BindStats(py::module_& m)
{
    m.def(
        "describe_totals",
        &DescribeTotals,
        "Unit and meaning of each total of a run, by name; those of watchdogs and of the deadlock "
        "detector are there only where these are installed.");
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
        .def("abandon", &FabricStats::Abandon, "The run has failed: its files are removed.")
        .def("__repr__",
             Repr<FabricStats>("Stats",
                               [](const FabricStats& stats) {
                                   const auto totals = stats.GetTotals();
                                   return ": " + std::to_string(totals.flowsCompleted) + " of " +
                                          std::to_string(totals.flowsTotal) + " flows completed";
                               }))
        .def("summary", &FabricStats::Summary, "A table for people.")
        .def("totals",
             &TotalsOf,
             "The totals, by name, as in summary.json; see describe_totals().");
}

} // namespace lossless_python

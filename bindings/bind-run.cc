// SPDX-License-Identifier: GPL-2.0-only
#include "python-callable.h"
#include "python-columns.h"
#include "python-congestion.h"
#include "python-options.h"
#include "python-run.h"
#include "python-stream.h"
#include "python-time.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-run.h"
#include "ns3/finding-stats.h"
#include "ns3/table-list.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return the table of RDMA flows that have ended, in the units of Python
TableSpec
FlowTable()
{
    using C = ColumnSpec;
    return {"flows",
            "an RDMA flow that ended",
            {{"index", "", "number of the flow"},
             {"source", "", "number of the host that has posted it"},
             {"destination", "", "number of the other host"},
             {"bytes", "bytes", "length of its message"},
             {"traffic_class", "", "class of its data"},
             {"status", "", "how it ended; 0: with success"},
             {"start_s", "s", "when it was posted", C::REAL},
             {"fct_s", "s", "from posting to completion", C::REAL},
             {"ideal_s", "s", "the same with the fabric for itself", C::REAL},
             {"slowdown", "", "fct over ideal", C::REAL},
             {"verb", "", "what was posted, such as WRITE, SEND or READ", C::TEXT},
             {"data_source", "", "number of the host that sent the data: of a READ destination"},
             {"data_destination", "", "number of the host that received the data"},
             {"label", "", "of its workload; empty: none", C::TEXT}}};
}

/// A run of a fabric, and the RDMA flows of it that have ended.
struct Run
{
    /// @param fabric what runs
    explicit Run(const Fabric& fabric)
        : run(fabric),
          flows(FlowTable())
    {
        run.Rdma().OnEnd([this](const RdmaFlowResult& result) { Add(result); });
        run.OnStop([] {
            if (PythonCallable::HasFailed())
            {
                throw std::runtime_error("a callable has failed"); // RunSimulation() says how
            }
        });
    }

    /// @param result the end of a flow
    void Add(const RdmaFlowResult& result)
    {
        flows.Add(result.index,
                  result.flow.source,
                  result.flow.destination,
                  result.flow.bytes,
                  result.flow.trafficClass,
                  static_cast<int>(result.status),
                  Seconds(result.flow.start),
                  Seconds(result.fct),
                  Seconds(result.ideal),
                  result.ideal.IsZero() ? 1
                                        : static_cast<double>(result.fct.GetTimeStep()) /
                                              static_cast<double>(result.ideal.GetTimeStep()),
                  ToString(result.flow.verb),
                  result.flow.DataSource(),
                  result.flow.DataDestination(),
                  result.flow.label);
    }

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return run.GetFabric();
    }

    FabricRun run;              //!< it
    RowSink flows;              //!< in memory
    bool hasSockets{false};     //!< they were asked for, and are there
    bool hasFaults{false};      //!< they were asked for, and are there
    std::shared_ptr<void> jobs; //!< see RunParts
};

/// A signal has ended a run, and its files are complete. @param interrupt which
void
Raise(const FabricInterrupt& interrupt)
{
    struct sigaction action = {};
    if (sigaction(interrupt.GetSignal(), nullptr, &action) == 0 && action.sa_handler != SIG_DFL)
    {
        return; // Python's, which raises what it likes
    }
    py::print(interrupt.what(), py::arg("file") = py::module_::import("sys").attr("stderr"));
    PyErr_SetObject(PyExc_SystemExit, py::int_(128 + interrupt.GetSignal()).ptr());
    throw py::error_already_set();
}

/// Run.execute().
void
Execute(Run& self)
{
    RunOptions options = self.run.GetOptions();
    const std::string undivided =
        PythonCallable::IsAnySink() ? "a Python function of a trace source" : "";
    if (!self.run.HasEnded() && options.undivided != undivided)
    {
        options.undivided = undivided; // or no more, after a try that was refused
        self.run.Choose(options);
    }
    std::unique_ptr<FabricInterrupt> interrupted;
    RunSimulation([&] {
        try
        {
            self.run.Execute();
        }
        catch (const FabricInterrupt& interrupt)
        {
            interrupted = std::make_unique<FabricInterrupt>(interrupt);
        }
    });
    WarnOfIdleMethods(self.GetFabric());
    if (interrupted)
    {
        Raise(*interrupted);
    }
}

/// @return the totals of a run, by name
py::dict
TotalsOf(const Run& self)
{
    py::dict all;
    for (const NamedTotal& total : self.run.GetTotals().List())
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
    py::dict all;
    for (const NamedTotal& total : ListTotals())
    {
        all[py::str(total.name)] = py::make_tuple(total.unit, total.help);
    }
    return all;
}

/// RunOptions, field by field.
void
BindOptions(py::module_& m)
{
    using O = RunOptions;
    auto options = Class<O>(m, "RunOptions", "What is chosen for a run; see lossless.Run.");
    DefineOptions(options);
    options
        .def_property(
            "keeps_ns3_order",
            [](const O& options) { return options.order == O::EventOrder::NS3; },
            [](O& options, bool keeps) {
                options.order = keeps ? O::EventOrder::NS3 : O::EventOrder::CANONICAL;
            },
            "Whether events of one time leave in ns-3's order, if threads is None.")
        .def(
            "show_progress",
            [](O& options, const py::function& show) {
                options.showProgress = [call = PythonCallable(show)](const std::string& line) {
                    call(line);
                };
            },
            py::arg("show"),
            "Call a callable with that line, wherever there is no terminal, too.")
        .def("__repr__", [](const O&) { return "<lossless.RunOptions>"; });
}

/// Python's Run.
using RunClass = py::class_<Run>;

/// What it carries.
void
BindContents(RunClass& run)
{
    constexpr auto INSIDE = py::return_value_policy::reference_internal;
    run.def_property_readonly("fabric", &Run::GetFabric, "What runs.")
        .def_property_readonly(
            "rdma",
            [](Run& self) -> RdmaFlowHelper& { return self.run.Rdma(); },
            INSIDE,
            "RDMA flows and workloads.")
        .def_property_readonly(
            "sockets",
            [](Run& self) -> SocketFlowHelper& {
                SocketFlowHelper& sockets = self.run.Sockets();
                self.hasSockets = true; // unless they were refused
                return sockets;
            },
            INSIDE,
            "TCP, UDP and stock applications; made at first use.")
        .def_property_readonly(
            "faults",
            [](Run& self) -> FaultHelper& {
                FaultHelper& faults = self.run.Faults();
                self.hasFaults = true; // unless they were refused
                return faults;
            },
            INSIDE,
            "Faults; made at first use.")
        .def_property_readonly(
            "has_jobs",
            [](const Run& self) { return self.jobs != nullptr; },
            "Whether there are jobs.")
        .def_readonly("has_sockets", &Run::hasSockets, "Whether there are sockets.")
        .def_readonly("has_faults", &Run::hasFaults, "Whether there are faults.")
        .def_property_readonly(
            "begin",
            [](const Run& self) { return self.run.GetBegin(); },
            "Time of the simulation from which the times of the run count.")
        .def_property_readonly(
            "has_ended",
            [](const Run& self) { return self.run.HasEnded(); },
            "Whether it was executed, to its end or to an error.")
        .def_property_readonly(
            "has_failed",
            [](const Run& self) { return self.run.HasFailed(); },
            "Whether an error has ended it: there are no results.")
        .def_property_readonly(
            "is_over",
            [](const Run& self) { return !self.run.GetTraffic().IsAwaited(); },
            "Whether all traffic that is waited for has ended.");
}

/// What comes of it.
void
BindOutcome(RunClass& run)
{
    run.def("execute", &Execute, "Run, once, to the end.")
        .def(
            "end_now",
            [](Run& self, const std::string& why) { self.run.EndNow(why); },
            py::arg("why"),
            "End the run after the present event.")
        .def(
            "flow_columns",
            [](const Run& self) { return ToColumns(self.flows); },
            "RDMA flows that have ended so far, by column.")
        .def(
            "finding_columns",
            [](const Run& self) {
                RowSink rows(FindingStats::GetTable());
                AddFindingRows(rows, self.run.GetFindings());
                return ToColumns(rows);
            },
            "What was found out about the fabric and the run so far, by column.")
        .def(
            "columns",
            [](const Run& self, const std::string& table) {
                return ToColumns(self.run.GetTable(table));
            },
            py::arg("table"),
            "A table that the options keep in memory, by column.")
        .def_property_readonly("totals",
                               &TotalsOf,
                               "The totals up to now, by name, as in summary.json; see "
                               "describe_totals().")
        .def_property_readonly(
            "end",
            [](const Run& self) { return RunResults::NameOf(self.run.GetResults().end); },
            "How it has ended: \"done\", \"stopped\", \"stuck\", \"interrupted\", \"deadlock\" or "
            "\"ended-by-part\".")
        .def_property_readonly(
            "why",
            [](const Run& self) { return self.run.GetResults().why; },
            "The same for people, on one line.")
        .def(
            "summary",
            [](const Run& self) { return self.run.GetResults().Summary(); },
            "A table for people.")
        .def("__repr__", Repr<Run>("Run", [](const Run& self) {
                 const auto totals = self.run.GetTotals();
                 return ": " + std::to_string(totals.flowsCompleted) + " of " +
                        std::to_string(totals.flowsTotal) + " flows completed";
             }));
}

} // namespace

RunParts
PartsOfRun(const py::object& run)
{
    auto& self = run.cast<Run&>();
    return {self.run, self.jobs};
}

void
BindRun(py::module_& m)
{
    m.def("describe_totals",
          &DescribeTotals,
          "Unit and meaning of each total of a run, by name; those of watchdogs, of the "
          "deadlock detector and of steady states are there only where there are such, that of a "
          "signal if one came.");
    BindOptions(m);
    auto run = Class<Run>(m, "Run", "One run of a fabric; see lossless.Run.");
    run.def(py::init<const Fabric&>(), py::arg("fabric"))
        .def(
            "choose",
            [](Run& self, const RunOptions& options) { self.run.Choose(options); },
            py::arg("options"),
            "Choose anew, before execute().")
        .def_property_readonly(
            "options",
            [](const Run& self) { return self.run.GetOptions(); },
            "A copy of what is chosen; see choose().");
    BindContents(run);
    BindOutcome(run);
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#include "python-buffers.h"
#include "python-columns.h"
#include "python-rdma.h"

#include "ns3/buffer-check.h"
#include "ns3/buffer-tables.h"
#include "ns3/headroom-table.h"
#include "ns3/switch-budget.h"

#include <sstream>
#include <tuple>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// A group of ports as Python has it: number, rate, metres.
using PortsTuple = std::tuple<uint32_t, DataRate, uint32_t>;

/// @return the columns of the table of these links, and their units
py::tuple
HeadroomColumns(const std::vector<DataRate>& rates,
                const std::vector<uint32_t>& metres,
                const std::vector<uint32_t>& mtus,
                const std::vector<Time>& reactions,
                const std::vector<uint32_t>& cells)
{
    const TableSpec spec = HeadroomTableSpec();
    RowSink rows(spec);
    AddHeadroomRows(rows, MakeHeadroomTable({rates, metres, mtus, reactions, cells}));
    py::dict units;
    for (const ColumnSpec& column : spec.columns)
    {
        units[column.name] = column.unit;
    }
    return py::make_tuple(ToColumns(rows), units);
}

/// @return the budget of a switch
SwitchBudget
MakeBudget(const std::vector<PortsTuple>& ports,
           const py::object& buffer,
           uint32_t classes,
           const py::object& guaranteed,
           double alpha,
           uint32_t mtu,
           const Time& reaction,
           uint32_t cell)
{
    BudgetCase input;
    for (const auto& [count, rate, metres] : ports)
    {
        input.ports.push_back({count, rate, metres});
    }
    input.bufferBytes = ToBytes(buffer, "buffer");
    input.losslessClasses = classes;
    input.guaranteedBytes = ToBytes(guaranteed, "guaranteed");
    input.alpha = alpha;
    input.link.mtuBytes = mtu;
    input.link.reaction = reaction;
    input.link.cellBytes = cell;
    return SwitchBudget(input);
}

/// @param budget of a switch @return shared space beside 0, 1, ... lossless classes, as many as fit
std::vector<uint64_t>
SharedByClasses(const SwitchBudget& budget)
{
    std::vector<uint64_t> shared;
    for (uint32_t classes = 0; classes <= TRAFFIC_CLASSES && budget.Fits(classes); ++classes)
    {
        shared.push_back(budget.GetShared(classes));
    }
    return shared;
}

} // namespace

void
BindFinding(py::module_& m)
{
    Class<Finding>(m, "Finding", "Something that was found out about a fabric or its run.")
        .def_property_readonly(
            "level",
            [](const Finding& finding) { return ToString(finding.level); },
            "\"refused\", \"loss\", \"unused\" or \"info\".")
        .def_readonly("rule", &Finding::rule, "What has found it, such as \"headroom\".")
        .def_readonly("place", &Finding::place, "As at() takes it: \"leaf 2 port 3\".")
        .def_readonly("traffic_class", &Finding::cls, "The class; None: all of the place.")
        .def_readonly("what", &Finding::what, "What is wrong.")
        .def_readonly("right", &Finding::right, "What would be right, with the value.")
        .def("__str__", &Finding::ToLine)
        .def("__repr__",
             [](const Finding& finding) { return "<lossless.Finding " + finding.ToLine() + ">"; });
}

void
BindBuffers(py::module_& m)
{
    Class<SwitchBudget>(m,
                        "BufferBudget",
                        "How the buffer of a switch is divided, in bytes; see buffer_budget().")
        .def(py::init(&MakeBudget),
             py::arg("ports"),
             py::arg("buffer"),
             py::arg("classes"),
             py::arg("guaranteed"),
             py::arg("alpha"),
             py::arg("mtu"),
             py::arg("reaction"),
             py::arg("cell"),
             "See buffer_budget().")
        .def_property_readonly("headroom",
                               &SwitchBudget::GetHeadroom,
                               "Headroom of all lossless classes at all ports.")
        .def_property_readonly(
            "headrooms",
            [](const SwitchBudget& budget) {
                std::vector<uint64_t> each;
                for (std::size_t i = 0; i < budget.GetInput().ports.size(); ++i)
                {
                    each.push_back(budget.GetHeadroomOf(i));
                }
                return each;
            },
            "Headroom of a lossless class at a port, of each group of ports.")
        .def_property_readonly("guaranteed",
                               &SwitchBudget::GetGuaranteed,
                               "Guaranteed to all classes at all ports.")
        .def_property_readonly(
            "shared",
            [](const SwitchBudget& budget) { return budget.GetShared(); },
            "Shared space that is left; 0 if the buffer is too small.")
        .def_property_readonly(
            "fits",
            [](const SwitchBudget& budget) { return budget.Fits(); },
            "Whether the buffer holds guaranteed space and headroom.")
        .def_property_readonly("missing",
                               &SwitchBudget::GetMissing,
                               "Bytes by which the buffer is short; 0 if it fits.")
        .def_property_readonly("most_classes",
                               &SwitchBudget::GetMostClasses,
                               "The most lossless classes that fit.")
        .def_property_readonly("shared_by_classes",
                               &SharedByClasses,
                               "Shared space beside 0, 1, ... lossless classes, as many as fit.")
        .def(
            "threshold",
            [](const SwitchBudget& budget, uint64_t pairs) {
                if (pairs == 0)
                {
                    throw py::value_error("pairs is 0; it must be 1 or more");
                }
                return budget.GetThreshold(pairs);
            },
            py::arg("pairs"),
            "PFC threshold when so many (port, class) pairs are congested alike, bytes.")
        .def("__str__",
             [](const SwitchBudget& budget) {
                 std::ostringstream text;
                 budget.Print(text);
                 return text.str();
             })
        .def("__repr__", [](const SwitchBudget& budget) {
            return "<lossless.BufferBudget: " + std::to_string(budget.GetShared()) +
                   " bytes shared, " + std::to_string(budget.GetMissing()) + " missing>";
        });
    m.def("headroom_columns",
          &HeadroomColumns,
          py::arg("rates"),
          py::arg("metres"),
          py::arg("mtus"),
          py::arg("reactions"),
          py::arg("cells"),
          "Columns of headroom_table() and their units.");
    m.def(
        "ports_of_text",
        [](const std::string& text) {
            std::vector<PortsTuple> ports;
            for (const BudgetPorts& group : SwitchBudget::ToPorts(text))
            {
                ports.emplace_back(group.count, group.rate, group.metres);
            }
            return ports;
        },
        py::arg("text"),
        "Groups of ports from text such as \"32x100Gbps:100,8x400Gbps:300\".");
}

} // namespace lossless_python

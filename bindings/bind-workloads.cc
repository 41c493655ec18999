// SPDX-License-Identifier: GPL-2.0-only

// Flow sizes, ideal times, and scenarios of the HPCC simulator.

#include "python-columns.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"

#include "ns3/flow-size-distribution.h"
#include "ns3/hpcc-scenario.h"
#include "ns3/ideal-fct.h"
#include "ns3/random-variable-stream.h"

#include <memory>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// A distribution and the random numbers that it is drawn with.
struct FlowSizes
{
    /// @param sizes the distribution
    explicit FlowSizes(FlowSizeDistribution sizes)
        : distribution(std::move(sizes)),
          uniform(CreateObject<UniformRandomVariable>())
    {
    }

    FlowSizeDistribution distribution;  //!< of bytes
    Ptr<UniformRandomVariable> uniform; //!< what is drawn
};

/// @param source a name, a file, a size, or points (bytes, percent) @return the distribution
FlowSizes
MakeSizes(const py::object& source)
{
    if (py::isinstance<py::str>(source))
    {
        return FlowSizes(FlowSizeDistribution::Load(py::str(source)));
    }
    if (py::isinstance<py::int_>(source))
    {
        return FlowSizes(FlowSizeDistribution::Constant(ToBytes(source, "size")));
    }
    std::vector<FlowSizeDistribution::Point> points;
    for (const auto& [bytes, percent] : source.cast<std::vector<std::pair<double, double>>>())
    {
        points.push_back({bytes, percent});
    }
    return FlowSizes(FlowSizeDistribution(points));
}

} // namespace

const FlowSizeDistribution*
SizesOf(const py::object& sizes)
{
    return py::isinstance<FlowSizes>(sizes) ? &sizes.cast<const FlowSizes&>().distribution
                                            : nullptr;
}

namespace
{

void
BindSizes(py::module_& m)
{
    Class<FlowSizes>(m,
                     "FlowSizes",
                     "How long flows are: FlowSizes(\"websearch\"), a file, one size in bytes, or "
                     "points (bytes, percent of the flows that are not longer).")
        .def(py::init(&MakeSizes), py::arg("source"))
        .def_static("names", &FlowSizeDistribution::Names, "Those shipped with the package.")
        .def_property_readonly(
            "mean",
            [](const FlowSizes& s) { return s.distribution.GetMean(); },
            "Mean size, bytes.")
        .def(
            "quantile",
            [](const FlowSizes& s, double fraction) {
                if (!(fraction >= 0 && fraction <= 1))
                {
                    throw py::value_error("fraction is " + std::to_string(fraction) +
                                          "; it must be 0 to 1");
                }
                return s.distribution.GetQuantile(fraction);
            },
            py::arg("fraction"),
            "The size, bytes, that this fraction of flows does not exceed.")
        .def(
            "sample",
            [](FlowSizes& s, uint64_t count) {
                std::vector<uint64_t> sizes(count);
                for (uint64_t& size : sizes)
                {
                    size = s.distribution.Draw(s.uniform);
                }
                return Column<uint64_t>(std::move(sizes));
            },
            py::arg("count") = 1,
            "Sizes drawn at random, bytes, by set_seed() and the stream.")
        .def(
            "set_stream",
            [](FlowSizes& s, int64_t stream) { s.uniform->SetStream(stream); },
            py::arg("stream"),
            "Which random stream sample() draws from.")
        .def_property_readonly(
            "points",
            [](const FlowSizes& s) {
                py::list points;
                for (const auto& point : s.distribution.GetPoints())
                {
                    points.append(py::make_tuple(point.bytes, point.percent));
                }
                return points;
            },
            "(bytes, percent) of each point.")
        .def(py::pickle(
            [](const FlowSizes& s) {
                py::list points;
                for (const auto& point : s.distribution.GetPoints())
                {
                    points.append(py::make_tuple(point.bytes, point.percent));
                }
                return py::make_tuple(points, s.uniform->GetStream());
            },
            [](const py::tuple& state) {
                FlowSizes sizes = MakeSizes(state[0]);
                sizes.uniform->SetStream(state[1].cast<int64_t>());
                return sizes;
            }))
        .def("__repr__", [](const FlowSizes& s) {
            return "<lossless.FlowSizes of " + std::to_string(s.distribution.GetPoints().size()) +
                   " points, mean " +
                   std::to_string(static_cast<uint64_t>(s.distribution.GetMean())) + " bytes>";
        });
}

void
BindHpcc(py::module_& m)
{
    Class<HpccScenario>(
        m,
        "HpccScenario",
        "A configuration of the public HPCC simulator with the files that it names; "
        "see Fabric.from_hpcc().")
        .def(py::init([](const std::string& path, bool allowUnknown) {
                 return std::make_unique<HpccScenario>(path, FabricOptions(), allowUnknown);
             }),
             py::arg("path"),
             py::arg("allow_unknown") = false)
        .def("build",
             &HpccScenario::Build,
             py::arg("allow_lossy") = false,
             "Make the configuration the defaults of attributes, and build the fabric.")
        .def("add_flows",
             &HpccScenario::AddFlows,
             py::arg("flows"),
             "Add the flows of the file to those of a run.")
        .def("add_faults",
             &HpccScenario::AddFaults,
             py::arg("faults"),
             "Add the cut of LINK_DOWN, if there is one, to the faults of a run.")
        .def_property_readonly(
            "has_link_down",
            [](const HpccScenario& s) { return !s.GetConfig().GetLinkDownTime().IsZero(); },
            "Whether LINK_DOWN cuts a link.")
        .def(
            "add_findings",
            [](const HpccScenario& s, const Fabric& fabric) {
                s.GetConfig().AddFindings(fabric.GetFindings());
            },
            py::arg("fabric"),
            "Tell the fabric what is probably not meant, and which keys are not known or have no "
            "effect.")
        .def_property_readonly(
            "stop",
            [](const HpccScenario& s) { return s.GetConfig().GetStop(); },
            "SIMULATOR_STOP_TIME; 0: never.")
        .def_property_readonly("topology", &HpccScenario::GetTopology, "The graph.")
        .def("__repr__", [](const HpccScenario& s) {
            return "<lossless.HpccScenario " + s.GetConfig().GetPath() + ">";
        });
}

void
BindHpccOutput(py::module_& m)
{
    Class<HpccOutput>(m, "HpccOutput", "Files as the public HPCC simulator writes them.")
        .def(py::init([](const Fabric& fabric, RdmaFlowHelper& flows) {
                 return std::make_unique<HpccOutput>(fabric, flows);
             }),
             py::keep_alive<1, 3>(),
             py::arg("fabric"),
             py::arg("flows"))
        .def("write_fct",
             &HpccOutput::WriteFct,
             py::arg("path"),
             "Flow completion times, one line a flow.")
        .def("write_pfc", &HpccOutput::WritePfc, py::arg("path"), "PFC frames that arrive.")
        .def("write_queues",
             &HpccOutput::WriteQueues,
             py::arg("path"),
             py::arg("start"),
             py::arg("end"),
             "Queue lengths, sampled each 100 ns from one time to the other.")
        .def("commit", &HpccOutput::Commit, "The run is over: the files are complete.")
        .def("__repr__",
             Repr<HpccOutput>("HpccOutput", [](const HpccOutput&) { return std::string(); }));
}

} // namespace

void
BindWorkloads(py::module_& m)
{
    BindHpccOutput(m);
    BindSizes(m);
    BindHpcc(m);
    m.def(
        "ideal_fct",
        [](const Fabric& fabric,
           const HostRef& from,
           const HostRef& to,
           const py::object& size,
           const py::object& verb,
           uint32_t mtu,
           uint32_t ackInterval) {
            const HostId source = from.In(fabric);
            const HostId destination = to.In(fabric);
            if (ackInterval == 0)
            {
                throw py::value_error("ack_interval is 0; it must be 1 or more");
            }
            IdealFct::Framing framing = fabric.GetFraming(source, destination);
            framing.mtu = mtu ? mtu : framing.mtu;
            framing.ackInterval = ackInterval;
            const auto ports = fabric.GetPortPairs(source, destination).front();
            const IdealFct ideal = fabric.GetIdeal(source, destination, ports, framing);
            return TimeStep(ideal.Completion(ToVerb(verb), ToBytes(size, "size")));
        },
        py::arg("fabric"),
        py::arg("source"),
        py::arg("destination"),
        py::arg("size"),
        py::arg("verb") = "write",
        py::arg("mtu") = 0,
        py::arg("ack_interval") = 1,
        "How long a message takes when it has the fabric for itself; see Fabric.ideal_fct().");
}

} // namespace lossless_python

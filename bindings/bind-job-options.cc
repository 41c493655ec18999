// SPDX-License-Identifier: GPL-2.0-only

// How jobs run, option by option.

#include "python-attributes.h"
#include "python-job.h"
#include "python-options.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"

#include "ns3/job-options.h"
#include "ns3/rdma-queue-pair.h"

#include <array>
#include <string>

namespace lossless_python
{

using namespace ns3;

namespace
{

using O = JobOptions;
constexpr std::array<const char*, 3> NIC_CHOICES{"rail", "channel", "hash"}; //!< by NicChoice

/// @param option keyword @param given its value @param right what it must be @return it as text
std::string
ToName(const char* option, const py::object& given, const char* right)
{
    if (!py::isinstance<py::str>(given))
    {
        throw py::type_error(std::string(option) + " is " + std::string(py::repr(given)) +
                             "; it must be " + right);
    }
    return given.cast<std::string>();
}

/// @param name of a choice of ports @return it
QueuePairNetwork::NicChoice
ToNicChoice(const std::string& name)
{
    for (std::size_t i = 0; i < NIC_CHOICES.size(); ++i)
    {
        if (name == NIC_CHOICES[i])
        {
            return static_cast<QueuePairNetwork::NicChoice>(i);
        }
    }
    throw py::value_error("nic is \"" + name + "\"; it must be \"rail\", \"channel\" or \"hash\"");
}

/// Options whose values in Python are not those in C++.
void
DefineOthers(py::class_<O>& options)
{
    options
        .def_property(
            "send_done",
            [](const O& o) { return o.sendIsDoneWhenPosted ? "posted" : "completed"; },
            [](O& o, const py::object& name) {
                o.sendIsDoneWhenPosted =
                    IsPosted(ToName("send_done", name, "\"completed\" or \"posted\""));
            },
            "When a send has ended.")
        .def_property(
            "verb",
            [](const O& o) { return o.network.verb; },
            [](O& o, const py::object& verb) {
                const RdmaVerb chosen = ToVerb(verb);
                if (chosen == RdmaVerb::READ)
                {
                    throw py::value_error("verb is \"read\"; messages of ranks go by \"write\", "
                                          "\"write_imm\" or \"send\"");
                }
                o.network.verb = chosen;
            },
            "Of messages.")
        .def(
            "set_congestion_control",
            [](O& o, const py::object& part) {
                o.network.queuePair.congestion = part.cast<const Part&>().GetFactory();
            },
            py::arg("part"),
            "A Part for its queue pairs, in place of the fabric's.")
        .def(
            "set_queue_pair",
            [](O& o, const py::kwargs& values) {
                o.network.queuePair.attributes =
                    CheckAttributes(RdmaQueuePair::GetTypeId(), values);
            },
            "Attributes of its queue pairs.")
        .def_property(
            "nic",
            [](const O& o) { return NIC_CHOICES.at(static_cast<std::size_t>(o.network.nic)); },
            [](O& o, const py::object& name) {
                o.network.nic =
                    ToNicChoice(ToName("nic", name, "\"rail\", \"channel\" or \"hash\""));
            },
            "Ports of hosts with several.");
}

} // namespace

void
RequireWithin(const char* name, uint64_t value, uint64_t least, uint64_t most)
{
    if (value < least || value > most)
    {
        throw py::value_error(std::string(name) + " is " + std::to_string(value) + "; it must be " +
                              std::to_string(least) + " to " + std::to_string(most));
    }
}

bool
IsPosted(const std::string& name)
{
    if (name != "completed" && name != "posted")
    {
        throw py::value_error("send_done is \"" + name +
                              "\"; it must be \"completed\" or \"posted\"");
    }
    return name == "posted";
}

void
BindJobOptions(py::module_& m)
{
    m.def(
        "host_number",
        [](const Fabric& fabric, const HostRef& host) { return host.In(fabric); },
        py::arg("fabric"),
        py::arg("host"),
        "Number of a host.");
    auto options = Class<O>(m, "JobOptions", "How a job runs; see Run.job().");
    options.def(py::init<>(), "The defaults.");
    DefineOptions(options);
    DefineOthers(options);
    options.def("__repr__", [](const O& o) { return "<lossless.JobOptions of " + o.name + ">"; });
}

} // namespace lossless_python

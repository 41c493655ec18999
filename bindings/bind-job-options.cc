// SPDX-License-Identifier: GPL-2.0-only

// How jobs run, option by option.

#include "python-attributes.h"
#include "python-job.h"
#include "python-part.h"
#include "python-places.h"
#include "python-rdma.h"

#include "ns3/job-options.h"
#include "ns3/rdma-queue-pair.h"

#include <array>
#include <cstdio>
#include <string>

namespace lossless_python
{

using namespace ns3;

namespace
{

using O = JobOptions;
using Network = QueuePairNetwork::Options;

constexpr std::array<const char*, 3> NIC_CHOICES{"rail", "channel", "hash"}; //!< by NicChoice
constexpr uint32_t MOST_QUEUE_PAIRS = 1024;                                  //!< of a connection
constexpr uint32_t MOST_GPUS = QueuePairNetwork::MOST_GPUS;

/// A number, checked. @param options class @param name of the option @param field of it
/// @param least that is right @param most that is right @param doc what it is
template <typename Get>
void
DefineNumber(py::class_<O>& options,
             const char* name,
             Get field,
             uint32_t least,
             uint32_t most,
             const char* doc)
{
    options.def_property(
        name,
        [field](O& o) { return field(o); },
        [field, name, least, most](O& o, uint32_t value) {
            RequireWithin(name, value, least, most);
            field(o) = value;
        },
        doc);
}

/// A rate, which is above 0. @param name of the option @param rate its @return it
DataRate
RequireRate(const char* name, const DataRate& rate)
{
    if (rate.GetBitRate() == 0)
    {
        throw py::value_error(std::string(name) + " is 0bps; it must be above 0, such as "
                                                  "\"3600Gb/s\"");
    }
    return rate;
}

/// A time, which is not before 0. @param name of the option @param time its @return it
Time
RequireTime(const char* name, const Time& time)
{
    if (time.IsStrictlyNegative())
    {
        throw py::value_error(std::string(name) + " is " + std::string(py::str(py::cast(time))) +
                              "; it must be 0s or more");
    }
    return time;
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

/// What a job does, and how often.
void
BindWhole(py::class_<O>& options)
{
    options
        .def_property(
            "name",
            [](const O& o) { return o.name; },
            [](O& o, const std::string& name) {
                if (!O::IsRightName(name))
                {
                    throw py::value_error("name is " + std::string(py::repr(py::str(name))) +
                                          "; it must be " + O::RIGHT_NAME);
                }
                o.name = name;
            },
            "What messages and files call it.")
        .def_property(
            "start",
            [](const O& o) { return o.start; },
            [](O& o, const Time& start) { o.start = RequireTime("start", start); },
            "When it begins, from the begin of the run.");
    DefineNumber(
        options,
        "iterations",
        [](O& o) -> uint32_t& { return o.iterations; },
        1,
        O::MOST_ITERATIONS,
        "How often the graph runs.");
    DefineNumber(
        options,
        "warm_up",
        [](O& o) -> uint32_t& { return o.warmUp; },
        0,
        O::MOST_ITERATIONS - 1,
        "Of these, so many first ones that means leave out.");
}

/// What holds for collectives and messages.
void
BindOperations(py::class_<O>& options)
{
    options
        .def_readwrite("algorithm", &O::algorithm, "Of collectives that name none; empty: by type.")
        .def_property(
            "send_done",
            [](const O& o) { return o.sendIsDoneWhenPosted ? "posted" : "completed"; },
            [](O& o, const std::string& name) { o.sendIsDoneWhenPosted = IsPosted(name); },
            "When a send has ended.")
        .def_property(
            "reduce_rate",
            [](const O& o) { return o.reduceRate; },
            [](O& o, const DataRate& rate) { o.reduceRate = RequireRate("reduce_rate", rate); },
            "At which a rank adds what it receives; 0: takes no time.")
        .def_property(
            "wire_factor",
            [](const O& o) { return o.wireFactor; },
            [](O& o, double factor) {
                if (!(factor >= 1 && factor <= 16))
                {
                    char text[64];
                    std::snprintf(text, sizeof(text), "wire_factor is %g; ", factor);
                    throw py::value_error(std::string(text) + "it must be 1 to 16");
                }
                o.wireFactor = factor;
            },
            "Bytes on the wire for each one of a collective.")
        .def_readwrite("rendezvous", &O::rendezvous, "Whether messages wait for their receive.")
        .def_property(
            "ready_size",
            [](const O& o) { return o.readyBytes; },
            [](O& o, const py::object& size) {
                const uint64_t bytes = ToBytes(size, "ready_size");
                RequireWithin("ready_size", bytes, 1, uint64_t{1} << 40);
                o.readyBytes = bytes;
            },
            "Bytes of the message that says that a receive is posted.");
    DefineNumber(
        options,
        "channels",
        [](O& o) -> uint32_t& { return o.channels; },
        1,
        MOST_CHANNELS,
        "Of collectives that name none.");
}

/// How messages are carried.
void
BindCarrier(py::class_<O>& options)
{
    options
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
            "split_data",
            [](const O& o) { return o.network.splitData; },
            [](O& o, bool split) { o.network.splitData = split; },
            "Whether a message is split over the queue pairs of its connection.")
        .def_property(
            "both_ways",
            [](const O& o) { return o.network.bothWays; },
            [](O& o, bool bothWays) { o.network.bothWays = bothWays; },
            "Whether a queue pair carries both directions of two ranks.")
        .def_property(
            "nic",
            [](const O& o) { return NIC_CHOICES.at(static_cast<std::size_t>(o.network.nic)); },
            [](O& o, const std::string& name) { o.network.nic = ToNicChoice(name); },
            "Ports of hosts with several.")
        .def_property(
            "pxn",
            [](const O& o) { return o.network.pxn; },
            [](O& o, bool pxn) { o.network.pxn = pxn; },
            "Whether messages change rails within the host that sends.")
        .def_property(
            "pxn_size",
            [](const O& o) { return o.network.pxnBytes; },
            [](O& o, const py::object& size) {
                const uint64_t bytes = ToBytes(size, "pxn_size");
                RequireWithin("pxn_size", bytes, 1, uint64_t{1} << 40);
                o.network.pxnBytes = bytes;
            },
            "Bytes of the pieces in which they do so.")
        .def_property(
            "intra_rate",
            [](const O& o) { return o.network.intraRate; },
            [](O& o, const DataRate& rate) {
                o.network.intraRate = RequireRate("intra_rate", rate);
            },
            "Of a GPU within its host, one way.")
        .def_property(
            "intra_latency",
            [](const O& o) { return o.network.intraLatency; },
            [](O& o, const Time& latency) {
                o.network.intraLatency = RequireTime("intra_latency", latency);
            },
            "Of a message within a host.");
    DefineNumber(
        options,
        "queue_pairs_per_connection",
        [](O& o) -> uint32_t& { return o.network.queuePairsPerConnection; },
        1,
        MOST_QUEUE_PAIRS,
        "For each pair of ranks and channel.");
    DefineNumber(
        options,
        "gpus_per_host",
        [](O& o) -> uint32_t& { return o.network.gpusPerHost; },
        1,
        MOST_GPUS,
        "0, which it is at first: as many as the places name.");
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
    m.def(
        "host_ports",
        [](const Fabric& fabric, uint32_t host) {
            const FabricTopology& topology = fabric.GetTopology();
            return topology.GetLinksOf(topology.NodeOf(HostId(host))).size();
        },
        py::arg("fabric"),
        py::arg("host"),
        "How many ports a host has, by its number.");
    auto options = Class<O>(m, "JobOptions", "How a job runs; see Run.job().");
    options.def(py::init<>(), "The defaults.");
    BindWhole(options);
    BindOperations(options);
    BindCarrier(options);
    options.def("__repr__", [](const O& o) { return "<lossless.JobOptions of " + o.name + ">"; });
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only

// Jobs of several ranks: their graphs, and what became of them. bind-run.cc adds them to runs.

#include "python-job.h"
#include "python-rdma.h"
#include "python-support.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-run.h"
#include "ns3/job-graph.h"
#include "ns3/job.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// What an operation waits for: numbers of other operations of its rank.
using Numbers = std::vector<uint32_t>;

/// @param graph a graph @param name of a group, or none: all ranks @return its number
uint32_t
GroupOf(const JobGraph& graph, const std::optional<std::string>& name)
{
    if (!name)
    {
        return 0;
    }
    if (const auto group = graph.FindGroup(*name))
    {
        return *group;
    }
    std::string known;
    for (const JobGraph::Group& group : graph.GetGroups())
    {
        known += (known.empty() ? "" : ", ") + group.name;
    }
    throw py::value_error("there is no group " + *name + "; there are: " + known);
}

/// @param name of a type of collectives @return the type
CollectiveType
TypeOf(const std::string& name)
{
    if (const auto type = ToCollectiveType(name))
    {
        return *type;
    }
    std::string known;
    for (uint32_t type = 0; type < COLLECTIVE_TYPES; ++type)
    {
        known += (type ? ", " : "") + std::string(ToString(static_cast<CollectiveType>(type)));
    }
    throw py::value_error("type is \"" + name + "\"; it must be one of " + known);
}

/// @param duration of a calculation @return nanoseconds
uint64_t
ToNanoseconds(const Time& duration)
{
    const int64_t ps = duration.GetPicoSeconds();
    const auto most = static_cast<int64_t>(JobGraph::MOST_NS / 1000000000);
    if (ps < 0 || ps % 1000 != 0 || duration > Seconds(static_cast<double>(most)))
    {
        throw py::value_error("duration is " + std::string(py::str(py::cast(duration))) +
                              "; it must be a whole number of nanoseconds, 0s to " +
                              std::to_string(most) + "s");
    }
    return static_cast<uint64_t>(ps / 1000);
}

/// @param name of an argument @param list of numbers, as Python has it @return them
Numbers
ToNumbers(const char* name, const py::object& list)
{
    const auto wrong = [&] {
        return std::string(name) + " is " + std::string(py::repr(list)) +
               "; it must be a list of whole numbers, 0 or more";
    };
    if (!py::isinstance<py::iterable>(list) || py::isinstance<py::str>(list))
    {
        throw py::type_error(wrong());
    }
    Numbers numbers;
    for (const py::handle each : list)
    {
        if (py::isinstance<py::bool_>(each) || !PyIndex_Check(each.ptr()))
        {
            throw py::type_error(wrong());
        }
        const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(each.ptr()));
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
        if (overflow || number < 0 || number > std::numeric_limits<uint32_t>::max())
        {
            throw py::value_error(wrong());
        }
        numbers.push_back(static_cast<uint32_t>(number));
    }
    return numbers;
}

/// Add an operation, and what it waits for: all of it or nothing. @param graph to which
/// @param rank whose @param operation what @param name of it @param after operations that end first
/// @param afterStart operations that start first @return its number
uint32_t
AddOperation(JobGraph& graph,
             uint32_t rank,
             JobOperation operation,
             const std::string& name,
             const py::object& after,
             const py::object& afterStart)
{
    const std::size_t count = graph.GetRank(rank).operations.size();
    const Numbers ends = ToNumbers("after", after);
    const Numbers starts = ToNumbers("after_start", afterStart);
    for (const Numbers* numbers : {&ends, &starts})
    {
        const auto wrong = std::find_if(numbers->begin(), numbers->end(), [count](uint32_t number) {
            return number >= count;
        });
        if (wrong != numbers->end())
        {
            throw py::value_error("rank " + std::to_string(rank) + " has no operation " +
                                  std::to_string(*wrong) + " yet; it has " + std::to_string(count) +
                                  ", from 0");
        }
    }
    operation.name = graph.AddText(name);
    const uint32_t added = graph.Add(rank, operation);
    for (const uint32_t before : ends)
    {
        graph.After(rank, added, before);
    }
    for (const uint32_t before : starts)
    {
        graph.AfterStart(rank, added, before);
    }
    return added;
}

/// @param bytes of a message or collective, as Python names them @return them
uint64_t
ToPayload(const py::object& bytes)
{
    const uint64_t payload = ToBytes(bytes, "size");
    if (payload > JobGraph::MOST_BYTES)
    {
        throw py::value_error("size is " + std::string(py::str(bytes)) + "; it must be 0 to 2^60");
    }
    return payload;
}

/// @param number of a port, if one is named @return as operations have it
uint16_t
ToNic(const std::optional<uint32_t>& number)
{
    if (number && *number >= JobOperation::ANY_NIC)
    {
        throw py::value_error("nic is " + std::to_string(*number) + "; it must be 0 to 65534");
    }
    return number ? static_cast<uint16_t>(*number) : JobOperation::ANY_NIC;
}

/// @param name how a send is done, if that is said @return as operations have it
JobOperation::SendDone
ToSendDone(const std::optional<std::string>& name)
{
    if (!name)
    {
        return JobOperation::AS_THE_JOB;
    }
    return IsPosted(*name) ? JobOperation::POSTED : JobOperation::COMPLETED;
}

/// Python's JobGraph.
using GraphClass = py::class_<JobGraph>;

/// Calculations and messages.
void
BindMessages(GraphClass& graph)
{
    graph
        .def(
            "calc",
            [](JobGraph& graph,
               uint32_t rank,
               const Time& duration,
               uint32_t stream,
               const py::object& after,
               const py::object& afterStart,
               const std::string& name) {
                const JobOperation operation = JobGraph::Calc(ToNanoseconds(duration), stream);
                return AddOperation(graph, rank, operation, name, after, afterStart);
            },
            py::arg("rank"),
            py::arg("duration"),
            py::arg("stream") = 0,
            py::arg("after") = py::tuple(),
            py::arg("after_start") = py::tuple(),
            py::arg("name") = "",
            "A rank computes. duration: whole nanoseconds; stream: calculations of one stream run "
            "one after another. Returns the number of the operation, as all of these do; after, "
            "after_start: numbers of operations of this rank that must have ended, or started, "
            "before it starts; name: what messages and files call it.")
        .def(
            "send",
            [](JobGraph& graph,
               uint32_t rank,
               uint32_t destination,
               const py::object& size,
               uint64_t tag,
               const std::optional<std::string>& sendDone,
               const std::optional<uint32_t>& nic,
               const py::object& after,
               const py::object& afterStart,
               const std::string& name) {
                RequireTag(tag);
                JobOperation operation = JobGraph::Send(destination, ToPayload(size), tag);
                operation.sendDone = ToSendDone(sendDone);
                operation.nic = ToNic(nic);
                return AddOperation(graph, rank, operation, name, after, afterStart);
            },
            py::arg("rank"),
            py::arg("destination"),
            py::arg("size"),
            py::arg("tag") = 0,
            py::arg("send_done") = py::none(),
            py::arg("nic") = py::none(),
            py::arg("after") = py::tuple(),
            py::arg("after_start") = py::tuple(),
            py::arg("name") = "",
            "A rank sends a message of a size, bytes, to another rank. send_done: when it has "
            "ended, "
            "\"completed\" or \"posted\", None: as of the job; nic: port of the host, None: as of "
            "the job; for the others see calc().")
        .def(
            "recv",
            [](JobGraph& graph,
               uint32_t rank,
               const std::optional<uint32_t>& source,
               const py::object& size,
               const std::optional<uint64_t>& tag,
               const py::object& after,
               const py::object& afterStart,
               const std::string& name) {
                RequireTag(tag.value_or(0));
                if (source && *source == JobOperation::ANY)
                {
                    throw py::value_error("source is 2^32 - 1; it must be a rank, or None: any");
                }
                const JobOperation operation = JobGraph::Recv(source.value_or(JobOperation::ANY),
                                                              ToPayload(size),
                                                              tag.value_or(JobOperation::ANY_TAG));
                return AddOperation(graph, rank, operation, name, after, afterStart);
            },
            py::arg("rank"),
            py::arg("source"),
            py::arg("size"),
            py::arg("tag") = 0,
            py::arg("after") = py::tuple(),
            py::arg("after_start") = py::tuple(),
            py::arg("name") = "",
            "A rank receives the message of a size, bytes, that a rank, None: any, sends with a "
            "tag, None: any; for the others see calc().");
}

/// Collectives, and the groups that do them.
void
BindCollectives(GraphClass& graph)
{
    graph
        .def(
            "collective",
            [](JobGraph& graph,
               uint32_t rank,
               const std::string& type,
               const py::object& size,
               const std::optional<std::string>& group,
               uint32_t root,
               const std::string& algorithm,
               const std::optional<uint32_t>& channels,
               const std::optional<uint32_t>& stream,
               const py::object& after,
               const py::object& afterStart,
               const std::string& name) {
                JobOperation operation =
                    JobGraph::Collective(TypeOf(type), ToPayload(size), GroupOf(graph, group));
                if (channels && (*channels == 0 || *channels > MOST_CHANNELS))
                {
                    throw py::value_error("channels is " + std::to_string(*channels) +
                                          "; it must be 1 to " + std::to_string(MOST_CHANNELS));
                }
                operation.peer = root;
                operation.channels = static_cast<uint16_t>(channels.value_or(0));
                operation.algorithm = graph.AddText(algorithm);
                operation.stream = stream.value_or(JobOperation::OWN_STREAM);
                return AddOperation(graph, rank, operation, name, after, afterStart);
            },
            py::arg("rank"),
            py::arg("type"),
            py::arg("size"),
            py::arg("group") = py::none(),
            py::arg("root") = 0,
            py::arg("algorithm") = "",
            py::arg("channels") = py::none(),
            py::arg("stream") = py::none(),
            py::arg("after") = py::tuple(),
            py::arg("after_start") = py::tuple(),
            py::arg("name") = "",
            "A rank takes part in a collective of a group, None: of all ranks; each rank of it "
            "must "
            "say so. type: \"all-reduce\", \"reduce-scatter\", \"all-gather\", \"all-to-all\", "
            "\"broadcast\", \"reduce\", \"gather\", \"scatter\" or \"barrier\"; size: bytes of the "
            "whole buffer of a rank, of an all-gather the total output; root: position in the "
            "group; algorithm: such as \"ring\", \"\": as of the job; channels: 1 to 256, None: as "
            "of the job; stream: None: one of the group; for the others see calc().")
        .def(
            "add_group",
            [](JobGraph& graph, const std::string& name, const py::object& ranks) {
                graph.AddGroup(name, ToNumbers("ranks", ranks));
            },
            py::arg("name"),
            py::arg("ranks"),
            "Name ranks that take part in the same collectives, in the order of a ring.")
        .def_property_readonly(
            "groups",
            [](const JobGraph& graph) {
                py::dict groups;
                for (const JobGraph::Group& group : graph.GetGroups())
                {
                    groups[py::str(group.name)] = group.ranks;
                }
                return groups;
            },
            "Ranks of the groups, by name; the first has all ranks.");
}

/// @param graph a graph @param kind of operations @return how many of them it has
uint64_t
Count(const JobGraph& graph, JobOperation::Kind kind)
{
    uint64_t count = 0;
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        const auto& operations = graph.GetRank(rank).operations;
        count += static_cast<uint64_t>(
            std::count_if(operations.begin(), operations.end(), [kind](const JobOperation& each) {
                return each.kind == kind;
            }));
    }
    return count;
}

void
BindGraph(py::module_& m)
{
    auto graph =
        Class<JobGraph>(m,
                        "JobGraph",
                        "What the ranks of a job do: operations of each rank, and which of "
                        "them wait for which; see Run.job().");
    graph.def(py::init([](const py::int_& ranks, const std::string& source) {
                  int overflow = 0;
                  const long long number = PyLong_AsLongLongAndOverflow(ranks.ptr(), &overflow);
                  if (overflow || number < 1 || number > JobGraph::MOST_RANKS)
                  {
                      throw py::value_error("ranks is " + std::string(py::str(py::handle(ranks))) +
                                            "; it must be 1 to " +
                                            std::to_string(JobGraph::MOST_RANKS));
                  }
                  return std::make_unique<JobGraph>(static_cast<uint32_t>(number), source);
              }),
              py::arg("ranks"),
              py::arg("source") = "job",
              "A graph without operations. ranks: how many; source: what messages call it.");
    BindMessages(graph);
    BindCollectives(graph);
    BindJobFiles(graph);
    graph
        .def("after",
             &JobGraph::After,
             py::arg("rank"),
             py::arg("operation"),
             py::arg("before"),
             "An operation of a rank starts when another one of it has ended.")
        .def("after_start",
             &JobGraph::AfterStart,
             py::arg("rank"),
             py::arg("operation"),
             py::arg("before"),
             "An operation of a rank starts when another one of it has started.")
        .def("allow_short_messages",
             &JobGraph::AllowShortMessages,
             "Messages may be shorter than the operation that receives them.")
        .def("check",
             &JobGraph::Check,
             "ValueError unless the collectives of all ranks agree and no operations wait for each "
             "other.")
        .def_property_readonly("n_ranks", &JobGraph::GetNRanks, "How many ranks there are.")
        .def_property_readonly("n_operations",
                               &JobGraph::GetNOperations,
                               "Operations of all ranks.")
        .def_property_readonly(
            "n_collectives",
            [](const JobGraph& graph) { return Count(graph, JobOperation::COLLECTIVE); },
            "Parts of collectives of all ranks.")
        .def_property_readonly(
            "n_sends",
            [](const JobGraph& graph) { return Count(graph, JobOperation::SEND); },
            "Sends of all ranks, without those of collectives.")
        .def("__repr__", [](const JobGraph& graph) {
            return "<lossless.JobGraph " + graph.GetSource() + ": " +
                   std::to_string(graph.GetNRanks()) + " ranks, " +
                   std::to_string(graph.GetNOperations()) + " operations>";
        });
}

/// @param ticks of the simulation @return nanoseconds
double
Ns(int64_t ticks)
{
    return static_cast<double>(ticks) / static_cast<double>(NanoSeconds(1).GetTimeStep());
}

void
BindIterations(py::module_& m)
{
    using I = JobIteration;
    Class<I>(m, "JobIteration", "An iteration of a job that all ranks have done; nanoseconds.")
        .def_readonly("number", &I::number, "From 0.")
        .def_readonly("is_warm_up", &I::isWarmUp, "Whether means leave it out.")
        .def_property_readonly(
            "start_ns",
            [](const I& i) { return Ns(i.start); },
            "When the first rank began it, of the simulation.")
        .def_property_readonly(
            "end_ns",
            [](const I& i) { return Ns(i.end); },
            "When the last rank ended it, of the simulation.")
        .def_property_readonly(
            "time_ns",
            [](const I& i) { return Ns(i.end - i.start); },
            "From the one to the other.")
        .def_readonly("calc_ns", &I::calcNs, "Time in which a rank computes, mean.")
        .def_readonly("exposed_ns",
                      &I::exposedNs,
                      "Time in which a rank communicates and does not compute, mean.")
        .def_readonly("exposed_most_ns", &I::exposedMostNs, "The most of a rank.")
        .def_readonly("straggler", &I::straggler, "The rank that ended last.")
        .def_readonly("bytes", &I::bytes, "Payload that ranks posted.")
        .def_readonly("messages", &I::messages, "Messages that ranks posted.")
        .def("__repr__", [](const I& i) {
            return "<lossless.JobIteration " + std::to_string(i.number) + ": " +
                   std::to_string(Ns(i.end - i.start)) + " ns>";
        });
    using C = QueuePairNetwork::Carried;
    Class<C>(m, "JobCarried", "What a rank of a job has sent.")
        .def_readonly("messages", &C::messages, "Over the fabric.")
        .def_readonly("bytes", &C::bytes, "Payload over the fabric.")
        .def_readonly("intra_messages", &C::intraMessages, "Within its host.")
        .def_readonly("intra_bytes", &C::intraBytes, "Payload within its host.")
        .def("__repr__", [](const C& c) {
            return "<lossless.JobCarried: " + std::to_string(c.bytes) + " bytes by the fabric, " +
                   std::to_string(c.intraBytes) + " within the host>";
        });
}

/// @return numbers of hosts and GPUs, by rank
std::vector<std::pair<uint32_t, uint32_t>>
PlacesOf(const Job& job)
{
    std::vector<std::pair<uint32_t, uint32_t>> places;
    for (const RankPlace& place : job.GetPlaces())
    {
        places.emplace_back(place.host.Value(), place.gpu);
    }
    return places;
}

void
BindJob(py::module_& m)
{
    Class<Job>(m, "Job", "A job of several ranks on a fabric; see Run.job().")
        .def_property_readonly(
            "name",
            [](const Job& job) { return job.GetOptions().name; },
            "What messages and files call it.")
        .def_property_readonly(
            "n_ranks",
            [](const Job& job) { return job.GetGraph().GetNRanks(); },
            "How many ranks it has.")
        .def_property_readonly("places", &PlacesOf, "(host, GPU) by rank.")
        .def_property_readonly("iterations",
                               &Job::GetIterations,
                               "Those that all ranks have done so far.")
        .def_property_readonly("is_done",
                               &Job::IsDone,
                               "Whether all iterations are done, and each message was received.")
        .def_property_readonly("error",
                               &Job::GetError,
                               "Why it did not end well, one line; empty: it has, or may still.")
        .def_property_readonly(
            "carried",
            [](const Job& job) {
                std::vector<QueuePairNetwork::Carried> carried;
                for (uint32_t rank = 0; rank < job.GetGraph().GetNRanks(); ++rank)
                {
                    carried.push_back(job.GetCarrier().GetCarried(rank));
                }
                return carried;
            },
            "What each rank has sent so far: a JobCarried by rank.")
        .def("__repr__", Repr<Job>("Job", [](const Job& job) {
                 return " " + job.GetOptions().name + ": " +
                        std::to_string(job.GetIterations().size()) + " of " +
                        std::to_string(job.GetOptions().iterations) + " iterations" +
                        (job.GetError().empty() ? "" : ", " + job.GetError());
             }));
}

} // namespace

void
RequireTag(uint64_t tag)
{
    if (tag == JobOperation::ANY_TAG)
    {
        throw py::value_error("tag is 2^64 - 1; it must be 0 to 2^64 - 2");
    }
}

void
BindJobs(py::module_& m)
{
    BindGraph(m);
    BindIterations(m);
    BindJob(m);
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only

// Where graphs of jobs come from: files of traces, and models that are trained.

#include "python-job.h"
#include "python-support.h"

#include "ns3/chakra-files.h"
#include "ns3/chakra-reader.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/fabric-warning.h"
#include "ns3/goal-reader.h"
#include "ns3/goal-writer.h"
#include "ns3/job-graph.h"
#include "ns3/json-lines-reader.h"
#include "ns3/json-lines-writer.h"
#include "ns3/result-file.h"
#include "ns3/simai-reader.h"
#include "ns3/training-job.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lossless_python
{

using namespace ns3;

namespace
{

constexpr double MOST_SPEED = 1e21; //!< operations/s or bytes/s of a GPU

/// Options of a reader, by name.
class ReaderOptions
{
  public:
    /// @param format of the files @param given the options
    ReaderOptions(std::string format, py::kwargs given)
        : m_format(std::move(format)),
          m_given(std::move(given))
    {
    }

    /// @param name of an option @param value its default; result
    void Take(const char* name, bool& value)
    {
        if (const py::object given = Find(name))
        {
            if (!py::isinstance<py::bool_>(given))
            {
                throw Wrong(name, given, "True or False");
            }
            value = given.cast<bool>();
        }
    }

    /// @param name of an option @param value its default; result @param least that is right
    /// @param most that is right
    template <typename Number>
    void Take(const char* name, Number& value, uint64_t least, uint64_t most)
    {
        if (const py::object given = Find(name))
        {
            const std::string right =
                "a whole number, " + std::to_string(least) + " to " + std::to_string(most);
            if (!py::isinstance<py::int_>(given) || py::isinstance<py::bool_>(given))
            {
                throw Wrong(name, given, right);
            }
            int overflow = 0;
            const long long number = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
            if (overflow || number < 0 || static_cast<uint64_t>(number) < least ||
                static_cast<uint64_t>(number) > most)
            {
                throw py::value_error(std::string(name) + " is " + std::string(py::str(given)) +
                                      "; it must be " + right);
            }
            value = static_cast<Number>(number);
        }
    }

    /// @param name of an option @param value its default; result, above 0
    void TakeSpeed(const char* name, double& value)
    {
        if (const py::object given = Find(name))
        {
            if (!py::isinstance<py::float_>(given) && !py::isinstance<py::int_>(given))
            {
                throw Wrong(name, given, "a number, above 0");
            }
            value = given.cast<double>();
            RequireAbove0(name, value, MOST_SPEED);
        }
    }

    /// @param name of an option that is a file @param path result
    void TakePath(const char* name, std::string& path)
    {
        if (const py::object given = Find(name))
        {
            path = py::str(py::module_::import("os").attr("fspath")(given));
        }
    }

    /// ValueError if an option was given that the reader does not have.
    void RequireKnown() const
    {
        for (const auto& [name, value] : m_given)
        {
            const std::string given = py::str(name);
            if (!m_known.count(given))
            {
                const std::vector<std::string> known(m_known.begin(), m_known.end());
                throw py::value_error("format \"" + m_format + "\" has no option " + given + "; " +
                                      FabricText::DidYouMean(given, known));
            }
        }
    }

    /// ValueError unless a number is right. @param name of it @param value its @param most of it
    static void RequireAbove0(const char* name, double value, double most)
    {
        if (!(value > 0 && value <= most))
        {
            throw py::value_error(
                std::string(name) + " is " + std::string(py::str(py::float_(value))) +
                "; it must be above 0, and at most " + std::string(py::str(py::float_(most))));
        }
    }

  private:
    /// @param name of an option that there is @return its value; none: it was not given
    py::object Find(const char* name)
    {
        m_known.insert(name);
        return m_given.contains(name) && !m_given[name].is_none() ? py::object(m_given[name])
                                                                  : py::object();
    }

    /// @param name of an option @param given its value @param right what it must be @return an
    /// error
    static py::type_error Wrong(const char* name, const py::object& given, const std::string& right)
    {
        return py::type_error(std::string(name) + " is " + std::string(py::repr(given)) +
                              "; it must be " + right);
    }

    std::string m_format;
    py::kwargs m_given;
    std::set<std::string> m_known;
};

/// Warn of what a file has, or what a format does not have. @param path of the file
/// @param lines one for each
void
Warn(const std::string& path, const std::set<std::string>& lines)
{
    for (const std::string& line : lines)
    {
        PrintWarning(path + ": " + line);
    }
}

/// @param path of a file @param options of Python @return its graph
JobGraph
ReadGoal(const std::string& path, ReaderOptions& options)
{
    GoalOptions goal;
    options.Take("eager_size", goal.eagerBytes, 0, JobGraph::MOST_BYTES);
    options.Take("loose_sizes", goal.looseSizes);
    options.Take("send_overhead", goal.sendOverhead, 0, JobGraph::MOST_NS);
    options.Take("serial_sends", goal.serialSends);
    options.RequireKnown();
    return GoalReader(goal).Read(path);
}

/// @param prefix of the files @param options of Python @return their graph
JobGraph
ReadChakra(const std::string& prefix, ReaderOptions& options)
{
    ChakraOptions chakra;
    options.Take("control_dependencies", chakra.controlDependencies);
    options.Take("skip_unknown", chakra.skipUnknown);
    options.Take("use_streams", chakra.useStreams);
    options.Take("serial_comm", chakra.serialComm);
    options.TakePath("groups_file", chakra.groupsFile);
    options.TakeSpeed("peak_flops", chakra.peakFlops);
    options.TakeSpeed("memory_bandwidth", chakra.memoryBandwidth);
    options.TakeSpeed("remote_memory_bandwidth", chakra.remoteMemoryBandwidth);
    options.Take("remote_memory_latency", chakra.remoteMemoryLatency, 0, JobGraph::MOST_NS);
    options.RequireKnown();
    ChakraReader reader(chakra);
    JobGraph graph = reader.Read(prefix);
    Warn(prefix, reader.GetWarnings());
    return graph;
}

/// @param path of a file @param options of Python @return its graph
JobGraph
ReadSimAi(const std::string& path, ReaderOptions& options)
{
    SimAiOptions simai;
    options.Take("passes", simai.passes, 1, 1 << 20);
    options.Take("ranks", simai.ranks, 1, JobGraph::MOST_RANKS);
    options.RequireKnown();
    SimAiReader reader(simai);
    JobGraph graph = reader.Read(path);
    Warn(path, reader.GetWarnings());
    return graph;
}

/// @param name of a path, as Python has it @return it
std::string
ToPath(const py::object& name)
{
    return py::str(py::module_::import("os").attr("fspath")(name));
}

/// @param text any @param end such as ".goal" @return whether it ends so, compressed or not
bool
EndsWith(std::string text, const std::string& end)
{
    const auto ends = [&text](const std::string& what) {
        return text.size() > what.size() &&
               text.compare(text.size() - what.size(), what.size(), what) == 0;
    };
    if (ends(".gz"))
    {
        text.resize(text.size() - 3);
    }
    return ends(end);
}

/// @param format that was given, if it was @param path of a file @param right what formats there
/// are
/// @return the format
std::string
FormatOf(const std::optional<std::string>& format, const std::string& path, const char* right)
{
    const bool isGoal = EndsWith(path, ".goal");
    if (!format && !isGoal && !EndsWith(path, ".jsonl"))
    {
        throw py::value_error("the name " + path + " tells no format; give format=, which is " +
                              right);
    }
    return format ? *format : isGoal ? "goal" : "json";
}

/// JobGraph.read().
JobGraph
Read(const py::object& name, const std::optional<std::string>& given, const py::kwargs& options)
{
    const char* const right = "\"json\", \"goal\", \"chakra\" or \"simai\"";
    const std::string path = ToPath(name);
    const std::string format = FormatOf(given, path, right);
    ReaderOptions readers(format, options);
    if (format == "json")
    {
        JsonLinesOptions json;
        readers.Take("most_operations", json.mostOperations, 1, uint64_t{1} << 40);
        readers.RequireKnown();
        return JsonLinesReader(json).Read(path);
    }
    if (format == "goal")
    {
        return ReadGoal(path, readers);
    }
    if (format == "chakra")
    {
        return ReadChakra(path, readers);
    }
    if (format == "simai")
    {
        return ReadSimAi(path, readers);
    }
    throw py::value_error("format is \"" + format + "\"; it must be " + right);
}

/// JobGraph.write().
void
Write(const JobGraph& graph, const py::object& name, const std::optional<std::string>& given)
{
    const char* const right = "\"json\", \"goal\" or \"chakra\"";
    const std::string path = ToPath(name);
    const std::string format = FormatOf(given, path, right);
    if (format == "json")
    {
        ResultFile::Make(path, [&](std::ostream& to) { JsonLinesWriter(graph).Write(to); });
    }
    else if (format == "goal")
    {
        GoalWriter writer(graph);
        ResultFile::Make(path, [&](std::ostream& to) { writer.Write(to); });
        Warn(path, writer.GetUnsaid());
    }
    else if (format == "chakra")
    {
        Warn(path, ChakraFiles::Write(graph, path));
    }
    else
    {
        throw py::value_error("format is \"" + format + "\"; it must be " + right);
    }
}

/// A number of an option, checked. @param name of it @param value its @param most that is right
/// @return it
template <typename Number>
Number
ToNumber(const char* name, uint64_t value, uint64_t most)
{
    RequireWithin(name, value, 1, most);
    return static_cast<Number>(value);
}

/// ValueError for what has no effect. @param options of a training @param isSkewed whether a skew
/// is named
void
RequireEffect(const TrainingOptions& options, bool isSkewed)
{
    if (options.sequenceParallel && options.tensor == 1)
    {
        throw py::value_error("sequence_parallel would have no effect without tp above 1");
    }
    if (options.dataParallel != DataParallel::ALL_REDUCE && options.data == 1 &&
        options.context == 1)
    {
        throw py::value_error("data_parallel would have no effect without dp or cp above 1");
    }
    if (isSkewed && options.model.experts == 1)
    {
        throw py::value_error("expert_skew would have no effect on " + options.model.name +
                              ", which has no experts");
    }
    if (isSkewed && options.expert == 1)
    {
        throw py::value_error("expert_skew would have no effect without ep above 1");
    }
}

/// JobGraph.training().
JobGraph
Train(const std::string& model,
      uint64_t tp,
      uint64_t pp,
      uint64_t vp,
      uint64_t dp,
      uint64_t ep,
      uint64_t cp,
      uint64_t microBatches,
      uint64_t microBatch,
      const std::optional<uint64_t>& sequence,
      bool sequenceParallel,
      const std::string& dataParallel,
      double peakFlops,
      double efficiency,
      const std::optional<double>& expertSkew)
{
    TrainingOptions options;
    options.model = TrainingModel::Preset(model);
    options.tensor = ToNumber<uint32_t>("tp", tp, JobGraph::MOST_RANKS);
    options.pipeline = ToNumber<uint32_t>("pp", pp, JobGraph::MOST_RANKS);
    options.virtualStages = ToNumber<uint32_t>("vp", vp, JobGraph::MOST_RANKS);
    options.data = ToNumber<uint32_t>("dp", dp, JobGraph::MOST_RANKS);
    options.expert = ToNumber<uint32_t>("ep", ep, JobGraph::MOST_RANKS);
    options.context = ToNumber<uint32_t>("cp", cp, JobGraph::MOST_RANKS);
    options.microBatches = ToNumber<uint32_t>("micro_batches", microBatches, 1 << 20);
    options.microBatch = ToNumber<uint64_t>("micro_batch", microBatch, 1 << 16);
    options.sequence = sequence ? ToNumber<uint64_t>("sequence", *sequence, 1 << 24) : 0;
    options.sequenceParallel = sequenceParallel;
    options.dataParallel = TrainingJob::ToDataParallel(dataParallel, "data_parallel");
    ReaderOptions::RequireAbove0("peak_flops", peakFlops, MOST_SPEED);
    options.peakFlops = peakFlops;
    ReaderOptions::RequireAbove0("efficiency", efficiency, 1);
    options.efficiency = efficiency;
    options.expertSkew = expertSkew.value_or(0);
    if (!(options.expertSkew >= 0) || std::isinf(options.expertSkew))
    {
        throw py::value_error("expert_skew is " + std::string(py::str(py::float_(*expertSkew))) +
                              "; it must be 0 or more");
    }
    RequireEffect(options, expertSkew.has_value());
    return TrainingJob(options).Make();
}

} // namespace

void
BindJobFiles(py::class_<JobGraph>& graph)
{
    const TrainingOptions usual;
    graph
        .def_static(
            "read",
            &Read,
            py::arg("path"),
            py::arg("format") = py::none(),
            "The graph of a file. format: \"json\" (lines, of lossless), \"goal\", \"chakra\" "
            "(path "
            "is the prefix of PREFIX.0.et, PREFIX.1.et, ...) or \"simai\"; None: as names that end "
            "with .jsonl and .goal tell. Further keywords: options of the reader, such as ranks=8 "
            "of simai. ValueError, one line with the place, for what makes no sense; a warning for "
            "what has no effect.")
        .def("write",
             &Write,
             py::arg("path"),
             py::arg("format") = py::none(),
             "Write the graph. format: \"json\", \"goal\" or \"chakra\" (path is the prefix of the "
             "files, as read() has it, and there is PREFIX.groups.json); None: as the name tells. "
             "ValueError for what the format cannot say and a run needs; a warning for what is "
             "left out.")
        .def_static(
            "training",
            &Train,
            py::arg("model"),
            py::kw_only(),
            py::arg("tp") = 1,
            py::arg("pp") = 1,
            py::arg("vp") = 1,
            py::arg("dp") = 1,
            py::arg("ep") = 1,
            py::arg("cp") = 1,
            py::arg("micro_batches") = 1,
            py::arg("micro_batch") = 1,
            py::arg("sequence") = py::none(),
            py::arg("sequence_parallel") = false,
            py::arg("data_parallel") = "all-reduce",
            py::arg("peak_flops") = usual.peakFlops,
            py::arg("efficiency") = usual.efficiency,
            py::arg("expert_skew") = py::none(),
            "The graph of an iteration of training, with tp * pp * dp * cp ranks. model: such as "
            "\"llama-2-70b\"; tp, pp, vp, dp, ep, cp: tensor parallel ranks, stages of the "
            "pipeline, pieces of a stage that take turns (interleaved 1F1B), "
            "copies, expert parallel ranks of the copies, context parallel ranks; micro_batches: "
            "of "
            "an iteration and a copy, each of micro_batch sequences; sequence: tokens, None: the "
            "model's; sequence_parallel: all-gather and reduce-scatter in place of all-reduce; "
            "data_parallel: \"all-reduce\", \"sharded-optimiser\" or \"fully-sharded\"; "
            "peak_flops: "
            "operations/s of a GPU, of which calculations reach the share efficiency; expert_skew: "
            "of tokens over experts, 0 or more.");
}

} // namespace lossless_python

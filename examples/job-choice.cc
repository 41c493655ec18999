// SPDX-License-Identifier: GPL-2.0-only
#include "job-choice.h"

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

using namespace ns3;

namespace
{

/// @param text of --ranks; empty: not given @param room GPUs of the cluster @param right what ranks
/// take @return how many ranks
std::optional<uint32_t>
ToRanks(const std::string& text, uint32_t room, const std::string& right)
{
    if (text.empty())
    {
        return std::nullopt;
    }
    const bool isNumber = text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
    const uint64_t ranks = isNumber ? FabricText::ToUint(text, "--ranks") : 0;
    if (ranks == 0 || ranks > room)
    {
        throw FabricError("--ranks is \"" + text + "\"",
                          "it must be a whole number from 1 to " + std::to_string(room) + ", " +
                              right);
    }
    return static_cast<uint32_t>(ranks);
}

/// @param name of --nic @return it
QueuePairNetwork::NicChoice
ToNicChoice(const std::string& name)
{
    if (name == "rail")
    {
        return QueuePairNetwork::NicChoice::RAIL;
    }
    if (name == "channel")
    {
        return QueuePairNetwork::NicChoice::CHANNEL;
    }
    if (name == "hash")
    {
        return QueuePairNetwork::NicChoice::HASH;
    }
    throw FabricError("--nic=" + name, "rail, channel or hash");
}

} // namespace

// ---- options

void
JobChoice::AddTo(FabricProgram& program)
{
    AddTraces(program);
    program.AddName("goal", "a schedule in GOAL", m_goal);
    program.AddName("simai", "a workload of SimAI or AICB", m_simai);
    program.AddName("graph", "a graph as JSON lines", m_graph);
    program.AddName("collective",
                    "one collective of all ranks, TYPE:SIZE; all-reduce:1MiB if no job is given",
                    m_collective);
    AddTraining(program);
    program.AddName("ranks",
                    "of --collective and --simai; all GPUs, or what the file says",
                    m_ranksText);
    program.AddName("placement",
                    "packed, round-robin, spread, rail, random, or list:0,1,...",
                    m_placement);
    AddRun(program);
}

void
JobChoice::AddRun(FabricProgram& program)
{
    m_job.ForEachOption([&program](auto& value, const ProgramOption& field, const auto& check) {
        if (field.name)
        {
            program.AddOption(field, value, check);
        }
    });
    program.AddName("nic", "port of a message: rail, channel or hash", m_nic);
}

void
JobChoice::AddTraining(FabricProgram& program)
{
    program.AddName("model", "a model to train, such as llama-2-7b", m_model);
    program.AddNumber("tp", "tensor parallel ranks", m_training.tensor, 1, JobGraph::MOST_RANKS);
    program.AddNumber("pp", "stages of the pipeline", m_training.pipeline, 1, JobGraph::MOST_RANKS);
    program.AddNumber("vp",
                      "pieces of a stage that take turns: interleaved 1F1B",
                      m_training.virtualStages,
                      1,
                      JobGraph::MOST_RANKS);
    program.AddNumber("dp", "data parallel copies", m_training.data, 1, JobGraph::MOST_RANKS);
    program.AddNumber("ep", "expert parallel ranks", m_training.expert, 1, JobGraph::MOST_RANKS);
    program.AddNumber("cp", "context parallel ranks", m_training.context, 1, JobGraph::MOST_RANKS);
    program.AddNumber("microBatches",
                      "of an iteration and a copy",
                      m_training.microBatches,
                      1,
                      TrainingOptions::MOST_MICRO_BATCHES);
    program.AddNumber("microBatch",
                      "sequences of a micro-batch",
                      m_training.microBatch,
                      1,
                      TrainingOptions::MOST_SEQUENCES);
    program.AddNumber("sequence",
                      "tokens of a sequence, 1 to 16777216; 0: the model's",
                      m_training.sequence,
                      0,
                      TrainingOptions::MOST_TOKENS);
    program.AddOption("sequenceParallel",
                      "all-gather and reduce-scatter in place of all-reduce",
                      m_training.sequenceParallel);
    program.AddName("dataParallel",
                    "all-reduce, sharded-optimiser or fully-sharded",
                    m_dataParallel);
    program.AddName("peakFlops",
                    "operations/s of a GPU: 989e12 of --model; of calculations with "
                    "--memoryBandwidth",
                    m_peakFlops);
    program.AddOption("efficiency", "share of them that calculations reach", m_training.efficiency);
    program.AddOption("expertSkew", "of tokens over experts: 0 for none", m_training.expertSkew);
    program.AddName("writeGraph", "write the job as JSON lines", m_writeGraph);
    program.AddName("writeGoal", "write the job in GOAL", m_writeGoal);
    program.AddName("writeChakra", "write the job as PREFIX.0.et ...", m_writeChakra);
}

void
JobChoice::AddTraces(FabricProgram& program)
{
    program.AddName("chakra", "prefix of Chakra's execution traces, PREFIX.0.et ...", m_chakra);
    program.AddOption("controlDependencies",
                      "nodes of --chakra wait for their ctrl_deps, too",
                      m_traces.controlDependencies);
    program.AddOption("skipUnknown",
                      "nodes of unknown types take their duration",
                      m_traces.skipUnknown);
    program.AddOption("useStreams", "nodes of a stream run one after another", m_traces.useStreams);
    program.AddOption("serialComm",
                      "sends and collectives of a rank run one after another",
                      m_traces.serialComm);
    program.AddName("groupsFile",
                    "groups of --chakra in JSON, such as {\"1\": [0, 1]}",
                    m_traces.groupsFile);
    program.AddOption("memoryBandwidth",
                      "bytes/s of the memory of a GPU; with --peakFlops",
                      m_traces.memoryBandwidth);
    program.AddOption("remoteMemoryBandwidth",
                      "bytes/s of loads and stores; 0: they take --remoteMemoryLatency",
                      m_traces.remoteMemoryBandwidth);
    program.AddNumber("remoteMemoryLatency",
                      "ns of each load and store",
                      m_traces.remoteMemoryLatency,
                      0,
                      JobGraph::MOST_NS);
}

// ---- names

std::set<std::string>
JobChoice::GetNames()
{
    FabricProgram program("A job.");
    const std::vector<std::string> ofAll = program.GetNames();
    JobChoice choice;
    choice.AddTo(program);
    const std::vector<std::string> names = program.GetNames();
    return {names.begin() + static_cast<std::ptrdiff_t>(ofAll.size()), names.end()};
}

// ---- a file of options

std::string
JobChoice::WithoutDashes(const std::string& text)
{
    static const std::set<std::string> names = GetNames();
    std::string plain;
    for (std::size_t i = 0; i < text.size();)
    {
        std::size_t end = i + 2;
        while (text.compare(i, 2, "--") == 0 && end < text.size() &&
               std::isalpha(static_cast<unsigned char>(text[end])))
        {
            ++end;
        }
        const bool isOption = names.count(text.substr(std::min(i + 2, text.size()), end - i - 2));
        plain += isOption ? "" : text.substr(i, 1);
        i += isOption ? 2 : 1;
    }
    return plain;
}

bool
JobChoice::Says(const std::string& name) const
{
    return m_given.count(name) || (name == "name" && !m_path.empty());
}

FabricError
JobChoice::InWordsOfFile(const FabricError& error) const
{
    const std::string text = error.what();
    if (m_path.empty())
    {
        return error;
    }
    for (const auto& [name, line] : m_given)
    {
        const std::size_t end = name.size() + 2;
        if (text.compare(0, end, "--" + name) == 0 && text.size() > end &&
            !std::isalpha(static_cast<unsigned char>(text[end])))
        {
            return FabricError(m_path, line, WithoutDashes(text));
        }
    }
    return FabricError(m_path, 0, text);
}

void
JobChoice::Read(const std::string& path, const std::vector<std::string>& ofProgram)
{
    if (!m_writeGraph.empty() || !m_writeGoal.empty() || !m_writeChakra.empty())
    {
        throw FabricError("--jobs and one of --writeGraph, --writeGoal and --writeChakra",
                          "the file of a job says where the job is written");
    }
    if (path.empty())
    {
        throw FabricError("--jobs has an empty name", "files with one comma between two of them");
    }
    m_path = path;
    m_job.name = std::filesystem::path(path).stem().string();
    FabricProgram options("A job.");
    AddTo(options);
    std::istringstream file(InputFiles::ReadText(path));
    uint64_t number = 0;
    for (std::string line; std::getline(file, line);)
    {
        ++number;
        line.erase(std::min(line.find('#'), line.size()));
        try
        {
            ReadLine(boost::trim_copy(line), number, options, ofProgram);
        }
        catch (const FabricError& error)
        {
            throw FabricError(path, number, WithoutDashes(error.what()));
        }
    }
    if (m_given.empty())
    {
        throw FabricError(path,
                          0,
                          "there is no option in it; write one on each line, such as "
                          "collective=all-reduce:1MiB");
    }
}

void
JobChoice::ReadLine(const std::string& line,
                    uint64_t number,
                    FabricProgram& options,
                    const std::vector<std::string>& ofProgram)
{
    if (line.empty())
    {
        return;
    }
    if (line[0] == '-')
    {
        throw FabricError("the options of a job have no dashes in front",
                          line.substr(std::min(line.find_first_not_of('-'), line.size())));
    }
    const std::string name = boost::trim_copy(line.substr(0, line.find('=')));
    const std::string example = "such as collective=all-reduce:1MiB";
    if (name.empty())
    {
        throw FabricError("\"" + line + "\" names no option", example);
    }
    if (name.compare(0, 5, "ns3::") == 0 ||
        std::find(ofProgram.begin(), ofProgram.end(), name) != ofProgram.end())
    {
        throw FabricError("\"" + name + "\" is no option of a job",
                          "--" + name + " of lossless-job itself sets it for the run");
    }
    const std::set<std::string> names = GetNames();
    if (!names.count(name))
    {
        throw FabricError("\"" + name + "\" is no option of a job",
                          FabricText::DidYouMean(name, {names.begin(), names.end()}));
    }
    if (!m_given.emplace(name, number).second)
    {
        throw FabricError(name + " is there twice", "say it once");
    }
    const std::size_t equals = line.find('=');
    options.Parse({"--" + name +
                   (equals < line.size() ? "=" + boost::trim_copy(line.substr(equals + 1)) : "")});
}

// ---- the graph

std::vector<std::string>
JobChoice::SplitAtColons(const std::string& text)
{
    std::vector<std::string> fields;
    std::istringstream stream(text);
    for (std::string field; std::getline(stream, field, ':');)
    {
        fields.push_back(field);
    }
    return fields;
}

JobGraph
JobChoice::MakeCollective(uint32_t room) const
{
    const std::string text = m_collective.empty() ? "all-reduce:1MiB" : m_collective;
    const std::vector<std::string> fields = SplitAtColons(text);
    const auto type = ToCollectiveType(fields.empty() ? "" : fields[0]);
    const bool hasSize = type != CollectiveType::BARRIER;
    if (!type || fields.size() != (hasSize ? 2U : 1U))
    {
        throw FabricError("--collective=" + text,
                          "a type and a size, such as all-reduce:1MiB; types are all-reduce, "
                          "reduce-scatter, all-gather, all-to-all, broadcast, reduce, gather and "
                          "scatter; barrier has no size");
    }
    JobGraph graph(m_ranks.value_or(room), "--collective");
    const uint64_t bytes = hasSize ? FabricText::ToBytes(fields[1], "the size of --collective") : 0;
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        graph.Add(rank, JobGraph::Collective(*type, bytes));
    }
    return graph;
}

JobGraph
JobChoice::MakeTraining(uint32_t room)
{
    TrainingOptions options = m_training;
    options.model = TrainingModel::Preset(m_model);
    options.dataParallel = TrainingJob::ToDataParallel(m_dataParallel, "--dataParallel");
    if (!m_peakFlops.empty())
    {
        options.peakFlops = FabricText::ToReal(m_peakFlops, "--peakFlops");
    }
    const TrainingJob job(options);
    if (job.GetNRanks() > room)
    {
        throw FabricError(std::to_string(job.GetNRanks()) +
                              " ranks of --model, and the fabric has " + std::to_string(room) +
                              " GPUs that are free",
                          "a GPU for each rank");
    }
    return job.Make();
}

JobGraph
JobChoice::ReadChakra()
{
    ChakraOptions traces = m_traces;
    if (!m_peakFlops.empty())
    {
        traces.peakFlops = FabricText::ToReal(m_peakFlops, "--peakFlops");
    }
    ChakraReader reader(traces);
    JobGraph graph = reader.Read(m_chakra);
    for (const std::string& warning : reader.GetWarnings())
    {
        std::cerr << "warning: " << warning << "\n";
    }
    return graph;
}

void
JobChoice::WriteGraph(const JobGraph& graph) const
{
    if (!m_writeGraph.empty())
    {
        ResultFile::Make(m_writeGraph, [&](std::ostream& to) { JsonLinesWriter(graph).Write(to); });
    }
    if (!m_writeGoal.empty())
    {
        GoalWriter goal(graph);
        ResultFile::Make(m_writeGoal, [&](std::ostream& to) { goal.Write(to); });
        for (const std::string& unsaid : goal.GetUnsaid())
        {
            std::cerr << "warning: --writeGoal: " << unsaid << "\n";
        }
    }
    if (m_writeChakra.empty())
    {
        return;
    }
    for (const std::string& unsaid : ChakraFiles::Write(graph, m_writeChakra))
    {
        std::cerr << "warning: --writeChakra: " << unsaid << "\n";
    }
}

JobChoice::Files
JobChoice::GetOutputs() const
{
    return {{"--writeGraph", m_writeGraph},
            {"--writeGoal", m_writeGoal},
            {"--writeChakra", m_writeChakra.empty() ? "" : m_writeChakra + ".0.et"},
            {"--writeChakra", m_writeChakra.empty() ? "" : m_writeChakra + ".groups.json"}};
}

void
JobChoice::RequireOneSource() const
{
    const std::vector<std::pair<const char*, const std::string*>> sources{
        {"--chakra", &m_chakra},
        {"--goal", &m_goal},
        {"--simai", &m_simai},
        {"--graph", &m_graph},
        {"--model", &m_model},
        {"--collective", &m_collective}};
    const char* given = nullptr;
    for (const auto& [name, value] : sources)
    {
        if (!value->empty() && given)
        {
            throw FabricError(std::string(given) + " and " + name, "one source of the job");
        }
        given = value->empty() ? given : name;
    }
}

JobGraph
JobChoice::ReadGraph(uint32_t room)
{
    if (!m_chakra.empty())
    {
        return ReadChakra();
    }
    if (!m_goal.empty())
    {
        GoalOptions options;
        options.room = room;
        return GoalReader(options).Read(m_goal);
    }
    if (!m_simai.empty())
    {
        SimAiOptions options;
        options.ranks = m_ranks.value_or(0);
        options.room = room;
        SimAiReader reader(options);
        JobGraph graph = reader.Read(m_simai);
        for (const std::string& warning : reader.GetWarnings())
        {
            std::cerr << "warning: " << warning << "\n";
        }
        return graph;
    }
    if (!m_model.empty())
    {
        return MakeTraining(room);
    }
    return m_graph.empty() ? MakeCollective(room) : JsonLinesReader().Read(m_graph);
}

JobGraph
JobChoice::MakeGraph(uint32_t room)
{
    if (room == 0)
    {
        throw FabricError("no GPU is free", "a GPU for each rank: fewer ranks of the jobs before");
    }
    RequireOneSource();
    m_ranks =
        ToRanks(m_ranksText,
                room,
                m_path.empty() ? "a GPU for each" : "a GPU for each, which no job before it has");
    const MemoryUse use("the graph of job " + m_job.name, "fewer ranks or operations");
    return ReadGraph(room);
}

// ---- the run

std::vector<RankPlace>
JobChoice::Place(const GpuCluster& cluster,
                 const RankPlacement& placement,
                 uint32_t ranks,
                 const Ptr<UniformRandomVariable>& draw)
{
    std::vector<RankPlace> places;
    try
    {
        places = placement.Place(m_placement, ranks, draw);
    }
    catch (const FabricError& error)
    {
        const bool isOfAll = !m_path.empty() && !Says("placement");
        throw isOfAll ? FabricError("--placement=" + m_placement +
                                    ", of all jobs that say none: " + error.what())
                      : error;
    }
    return places;
}

JobOptions
JobChoice::MakeOptions(const GpuCluster& cluster) const
{
    JobOptions options = m_job;
    options.network.nic = ToNicChoice(m_nic);
    options.network.gpusPerHost = cluster.gpus;
    options.network.intraRate = cluster.intraRate;
    options.network.intraLatency = cluster.intraLatency;
    return options;
}

// SPDX-License-Identifier: GPL-2.0-only

// Runs a job of several ranks, such as the training of a model, on a fabric, and says how long an
// iteration takes, what of it was exposed communication, who was late, and whether PFC was why.
//
//   lossless-job                                        an all-reduce of 1 MiB of 8 ranks on a star
//   lossless-job --collective=all-to-all:64MiB --ranks=64 --fabric=leaf-spine:4:4:16
//   lossless-job --chakra=traces/resnet --fabric=star:8       traces/resnet.0.et, .1.et, ...
//   lossless-job --goal=allreduce.goal --fabric=fat-tree:4 --outDir=results
//   lossless-job --simai=gpt.txt --preset=hgx-h100:16 --placement=packed
//   lossless-job --graph=job.jsonl --topology=topology.txt --cc=hpcc
//   lossless-job --model=llama-2-7b --tp=8 --dp=2 --preset=hgx-h100:2 --nic=channel --channels=8

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// What the user says of the job and of its fabric.
struct Choice
{
    std::string chakra;
    std::string goal;
    std::string simai;
    std::string graph;
    std::string collective{"all-reduce:1MiB"};
    bool hasCollective{false};
    std::string model;
    std::string dataParallel{"all-reduce"};
    TrainingOptions training;
    std::string writeGraph;
    std::string writeGoal;
    std::string writeChakra;
    bool messages{false};
    std::string timeline;
    std::string report;
    std::optional<uint32_t> ranks;
    std::string topology;
    std::string fabric{"star:8"};
    std::string preset;
    std::string placement{"packed"};
    std::optional<uint32_t> gpus;
    std::string intraRate;
    std::optional<Time> intraLatency;
};

/// @param text fields with colons between @return the fields
std::vector<std::string>
SplitAtColons(const std::string& text)
{
    std::vector<std::string> fields;
    std::istringstream stream(text);
    for (std::string field; std::getline(stream, field, ':');)
    {
        fields.push_back(field);
    }
    return fields;
}

/// @param text such as "leaf-spine:4:2:8" @param link all links @return the graph
FabricTopology
MakeTopology(const std::string& text, const FabricLinkSpec& link)
{
    const std::vector<std::string> fields = SplitAtColons(text);
    const auto number = [&fields](std::size_t i) {
        return static_cast<uint32_t>(
            FabricText::ToUint(fields.at(i), "a number of --fabric", 1 << 20));
    };
    if (fields.size() == 2 && fields[0] == "star")
    {
        return FabricTopology::Star(number(1), link);
    }
    if (fields.size() == 4 && fields[0] == "leaf-spine")
    {
        return FabricTopology::LeafSpine(number(1), number(2), number(3), link, link);
    }
    if (fields.size() == 2 && fields[0] == "fat-tree")
    {
        return FabricTopology::FatTree(number(1), link);
    }
    throw FabricError("--fabric=" + text,
                      "star:HOSTS, leaf-spine:LEAVES:SPINES:HOSTS_OF_A_LEAF or fat-tree:K");
}

/// @param choice of the user @param link all links @return the cluster
GpuCluster
MakeCluster(const Choice& choice, const FabricLinkSpec& link)
{
    GpuCluster cluster;
    if (!choice.preset.empty())
    {
        const GpuFabric preset = GpuFabric::Preset(choice.preset);
        cluster.topology = preset.Build();
        cluster.gpus = preset.gpus;
        cluster.intraRate = preset.intraRate;
        cluster.intraLatency = preset.intraLatency;
    }
    else if (!choice.topology.empty() && SimAiTopologyReader::Knows(choice.topology))
    {
        cluster = SimAiTopologyReader::Read(choice.topology);
        if (choice.gpus)
        {
            throw FabricError(
                "--gpus=" + std::to_string(*choice.gpus) + " and " + choice.topology,
                "the file of SimAI says how many GPUs a server has; leave --gpus out");
        }
    }
    else
    {
        cluster.topology = choice.topology.empty() ? MakeTopology(choice.fabric, link)
                                                   : HpccFiles::ReadTopology(choice.topology);
        cluster.gpus = choice.gpus.value_or(1);
        if (cluster.gpus == 0 || cluster.gpus > QueuePairNetwork::MOST_GPUS)
        {
            throw FabricError("--gpus=" + std::to_string(cluster.gpus),
                              "1 to " + std::to_string(QueuePairNetwork::MOST_GPUS));
        }
    }
    if (!choice.intraRate.empty())
    {
        cluster.intraRate = FabricText::ToRate(choice.intraRate, "--intraRate");
    }
    cluster.intraLatency = choice.intraLatency.value_or(cluster.intraLatency);
    return cluster;
}

/// @param text of --ranks; empty: not given @param room GPUs of the cluster @return how many ranks
std::optional<uint32_t>
ToRanks(const std::string& text, uint32_t room)
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
                          "it must be a whole number from 1 to " + std::to_string(room) +
                              ", a GPU for each");
    }
    return static_cast<uint32_t>(ranks);
}

/// @param choice of the user @param room GPUs of the cluster @return a job of one collective
JobGraph
MakeCollective(const Choice& choice, uint32_t room)
{
    const std::vector<std::string> fields = SplitAtColons(choice.collective);
    const auto type = ToCollectiveType(fields.empty() ? "" : fields[0]);
    const bool hasSize = type != CollectiveType::BARRIER;
    if (!type || fields.size() != (hasSize ? 2U : 1U))
    {
        throw FabricError("--collective=" + choice.collective,
                          "a type and a size, such as all-reduce:1MiB; types are all-reduce, "
                          "reduce-scatter, all-gather, all-to-all, broadcast, reduce, gather and "
                          "scatter; barrier has no size");
    }
    JobGraph graph(choice.ranks.value_or(room), "--collective");
    const uint64_t bytes = hasSize ? FabricText::ToBytes(fields[1], "the size of --collective") : 0;
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        graph.Add(rank, JobGraph::Collective(*type, bytes));
    }
    return graph;
}

/// @param choice of the user @return an iteration of training
JobGraph
MakeTraining(const Choice& choice)
{
    TrainingOptions options = choice.training;
    options.model = TrainingModel::Preset(choice.model);
    const std::map<std::string, DataParallel> ways{
        {"all-reduce", DataParallel::ALL_REDUCE},
        {"sharded-optimiser", DataParallel::SHARDED_OPTIMISER},
        {"fully-sharded", DataParallel::FULLY_SHARDED}};
    const auto way = ways.find(choice.dataParallel);
    if (way == ways.end())
    {
        throw FabricError("--dataParallel=" + choice.dataParallel,
                          "all-reduce, sharded-optimiser or fully-sharded");
    }
    options.dataParallel = way->second;
    return TrainingJob(options).Make();
}

/// @param path a file @param write writes its content
template <typename F>
void
WriteFile(const std::string& path, F write)
{
    if (!path.empty())
    {
        ResultFile file(path);
        write(file.Stream());
        file.Commit();
    }
}

/// Write the graph where the user wants it. @param choice of the user @param graph it
void
WriteGraph(const Choice& choice, const JobGraph& graph)
{
    WriteFile(choice.writeGraph, [&](std::ostream& to) { JsonLinesWriter(graph).Write(to); });
    GoalWriter goal(graph);
    WriteFile(choice.writeGoal, [&](std::ostream& to) { goal.Write(to); });
    for (const std::string& unsaid : goal.GetUnsaid())
    {
        std::cerr << "warning: --writeGoal: " << unsaid << "\n";
    }
    if (choice.writeChakra.empty())
    {
        return;
    }
    ChakraWriter writer(graph);
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        WriteFile(choice.writeChakra + "." + std::to_string(rank) + ".et",
                  [&](std::ostream& to) { writer.Write(rank, to); });
    }
    WriteFile(choice.writeChakra + ".groups.json",
              [&](std::ostream& to) { writer.WriteGroups(to); });
    for (const std::string& unsaid : writer.GetUnsaid())
    {
        std::cerr << "warning: --writeChakra: " << unsaid << "\n";
    }
}

/// @param choice of the user @param room GPUs of the cluster @return what the ranks do
JobGraph
MakeGraph(const Choice& choice, uint32_t room)
{
    const std::vector<std::pair<const char*, const std::string*>> sources{
        {"--chakra", &choice.chakra},
        {"--goal", &choice.goal},
        {"--simai", &choice.simai},
        {"--graph", &choice.graph},
        {"--model", &choice.model}};
    const char* given = choice.hasCollective ? "--collective" : nullptr;
    for (const auto& [name, value] : sources)
    {
        if (!value->empty() && given)
        {
            throw FabricError(std::string(given) + " and " + name, "one source of the job");
        }
        given = value->empty() ? given : name;
    }
    if (!choice.chakra.empty())
    {
        ChakraReader reader;
        JobGraph graph = reader.Read(choice.chakra);
        for (const std::string& warning : reader.GetWarnings())
        {
            std::cerr << "warning: " << warning << "\n";
        }
        return graph;
    }
    if (!choice.goal.empty())
    {
        return GoalReader().Read(choice.goal);
    }
    if (!choice.simai.empty())
    {
        SimAiOptions options;
        options.ranks = choice.ranks.value_or(0);
        SimAiReader reader(options);
        JobGraph graph = reader.Read(choice.simai);
        for (const std::string& warning : reader.GetWarnings())
        {
            std::cerr << "warning: " << warning << "\n";
        }
        return graph;
    }
    if (!choice.model.empty())
    {
        return MakeTraining(choice);
    }
    return choice.graph.empty() ? MakeCollective(choice, room)
                                : JsonLinesReader().Read(choice.graph);
}

/// @param graph of a job @return whether a rank of it has a collective
bool
HasCollectives(const JobGraph& graph)
{
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        const auto& operations = graph.GetRank(rank).operations;
        if (std::any_of(operations.begin(), operations.end(), [](const JobOperation& each) {
                return each.kind == JobOperation::COLLECTIVE;
            }))
        {
            return true;
        }
    }
    return false;
}

/// @param places of ranks @param others of the same ranks @return whether they differ
bool
AreOther(const std::vector<RankPlace>& places, const std::vector<RankPlace>& others)
{
    return !std::equal(places.begin(),
                       places.end(),
                       others.begin(),
                       others.end(),
                       [](const RankPlace& one, const RankPlace& other) {
                           return one.host == other.host && one.gpu == other.gpu;
                       });
}

/// @param name "dcqcn", "none", or the name of a type @return what FabricHelper takes
std::string
ToCongestionControl(const std::string& name)
{
    if (name.empty() || name == "none" || name.find(':') != std::string::npos)
    {
        return name;
    }
    static const std::vector<std::string> names{"dcqcn",
                                                "dctcp",
                                                "fixedRate",
                                                "fixedWindow",
                                                "hpcc",
                                                "icc",
                                                "patchedTimely",
                                                "pcn",
                                                "swift",
                                                "timely"};
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        throw FabricError("--cc is \"" + name + "\"", FabricText::DidYouMean(name, names));
    }
    std::string type = "ns3::Rdma" + name;
    type[9] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[9])));
    return type;
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

/// Make the options of training. @param program gets them @param choice gets their values
void
AddTraining(FabricProgram& program, Choice& choice)
{
    TrainingOptions& training = choice.training;
    program.AddOption("model", "a model to train, such as llama-2-7b", choice.model);
    program.AddOption("tp", "tensor parallel ranks", training.tensor);
    program.AddOption("pp", "stages of the pipeline", training.pipeline);
    program.AddOption("vp",
                      "pieces of a stage that take turns: interleaved 1F1B",
                      training.virtualStages);
    program.AddOption("dp", "data parallel copies", training.data);
    program.AddOption("ep", "expert parallel ranks", training.expert);
    program.AddOption("cp", "context parallel ranks", training.context);
    program.AddOption("microBatches", "of an iteration and a copy", training.microBatches);
    program.AddOption("microBatch", "sequences of a micro-batch", training.microBatch);
    program.AddOption("sequence",
                      "tokens of a sequence, 1 to 16777216; 0: the model's",
                      training.sequence);
    program.AddOption("sequenceParallel",
                      "all-gather and reduce-scatter in place of all-reduce",
                      training.sequenceParallel);
    program.AddOption("dataParallel",
                      "all-reduce, sharded-optimiser or fully-sharded",
                      choice.dataParallel);
    program.AddOption("peakFlops", "operations/s of a GPU", training.peakFlops);
    program.AddOption("efficiency", "share of them that calculations reach", training.efficiency);
    program.AddOption("expertSkew", "of tokens over experts: 0 for none", training.expertSkew);
    program.Needs(
        {"tp",
         "pp",
         "vp",
         "dp",
         "ep",
         "cp",
         "microBatches",
         "microBatch",
         "sequence",
         "sequenceParallel",
         "dataParallel",
         "peakFlops",
         "efficiency",
         "expertSkew"},
        [&choice] { return !choice.model.empty(); },
        "--model");
    program.Needs(
        {"sequenceParallel"},
        [&choice, &training] { return choice.model.empty() || training.tensor > 1; },
        "--tp above 1");
    program.Needs(
        {"dataParallel"},
        [&choice, &training] {
            return choice.model.empty() || training.data > 1 || training.context > 1;
        },
        "--dp or --cp above 1");
    program.Needs(
        {"expertSkew"},
        [&choice] {
            return choice.model.empty() || TrainingModel::Preset(choice.model).experts > 1;
        },
        "a model with experts");
    program.AddOption("writeGraph", "write the job as JSON lines", choice.writeGraph);
    program.AddOption("writeGoal", "write the job in GOAL", choice.writeGoal);
    program.AddOption("writeChakra", "write the job as PREFIX.0.et ...", choice.writeChakra);
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Runs a job of several ranks, such as training, on a fabric.");
    Choice choice;
    JobOptions job;
    RunOptions options;
    FabricLinkSpec link;
    std::string congestion = "dcqcn";
    std::string nic = "rail";
    std::optional<uint32_t> mtu;
    std::optional<uint32_t> ackInterval;
    program.AddOption("chakra",
                      "prefix of Chakra's execution traces, PREFIX.0.et ...",
                      choice.chakra);
    program.AddOption("goal", "a schedule in GOAL", choice.goal);
    program.AddOption("simai", "a workload of SimAI or AICB", choice.simai);
    program.AddOption("graph", "a graph as JSON lines", choice.graph);
    std::string collective;
    program.AddOption("collective",
                      "one collective of all ranks, TYPE:SIZE; all-reduce:1MiB if no job is given",
                      collective);
    AddTraining(program, choice);
    std::string ranks;
    program.AddOption("ranks",
                      "of --collective and --simai; all GPUs, or what the file says",
                      ranks);
    program.AddOption("topology",
                      "a topology file of the HPCC simulator or of SimAI",
                      choice.topology);
    program.AddOption("fabric", "star:8, leaf-spine:4:2:8 or fat-tree:8", choice.fabric);
    program.AddOption("preset", "a cluster, such as hgx-h100:16", choice.preset);
    program.AddOption("gpus", "of each host, without --preset", choice.gpus);
    program.AddOption("placement",
                      "packed, round-robin, spread, rail, random, or list:0,1,...",
                      choice.placement);
    program.AddOption("intraRate", "of a GPU within its host, one way", choice.intraRate);
    program.AddOption("intraLatency", "of a message within a host", choice.intraLatency);
    program.AddLinks(link.rate, link.delay);
    program.AddOption("mtu", "payload of a packet, bytes", mtu);
    program.StandsFor("mtu", {"ns3::RdmaQueuePair::Mtu"});
    program.AddOption("ackInterval", "packets for each ACK", ackInterval);
    program.StandsFor("ackInterval", {"ns3::RdmaQueuePair::AckInterval"});
    program.AddOption("cc",
                      "congestion control: dcqcn, hpcc, icc, swift, timely, ..., a type, or none",
                      congestion);
    program.StandsFor("cc", {"ns3::RdmaQueuePair::CongestionControl"});
    program.AddOption("algorithm",
                      "of collectives that name none; by their type if empty",
                      job.algorithm);
    program.AddOption("channels", "of collectives that name no number", job.channels);
    program.AddOption("queuePairs", "of each connection", job.network.queuePairsPerConnection);
    program.AddOption("splitData", "whether messages are split over these", job.network.splitData);
    program.AddOption("bothWays",
                      "whether a queue pair carries both directions of two ranks",
                      job.network.bothWays);
    program.AddOption("nic", "port of a message: rail, channel or hash", nic);
    program.AddOption("pxn",
                      "whether messages to other rails leave by the GPU of that rail",
                      job.network.pxn);
    program.AddOption("rendezvous", "whether messages wait for their receives", job.rendezvous);
    program.AddOption("iterations", "how often the job runs, 1 to 1000000", job.iterations);
    program.AddOption("warmUp", "of these, so many first ones that means leave out", job.warmUp);
    program.AddOption("messages", "write messages.csv, a line for each message", choice.messages);
    program.AddOption("timeline", "write what ranks did, for ui.perfetto.dev", choice.timeline);
    program.AddOption("report", "write a page in Markdown, with a picture", choice.report);
    options.AddTo(program);
    bool sharesHost = false;
    bool hasNics = false;
    bool hasCollectives = false;
    bool isPlaced = false;
    program.Needs(
        {"splitData"},
        [&] { return job.network.queuePairsPerConnection > 1; },
        "--queuePairs above 1");
    program.Needs({"channels"}, [&] { return hasCollectives; }, "a graph with collectives");
    program.Needs(
        {"placement"},
        [&] { return isPlaced || choice.placement == "packed"; },
        "hosts on which it places ranks otherwise than packed");
    program.Needs({"nic"}, [&] { return hasNics; }, "hosts with several ports");
    program.Needs(
        {"intraRate", "intraLatency"},
        [&] { return sharesHost || job.network.pxn; },
        "ranks that share a host, or --pxn");
    program.Needs({"messages"}, [&] { return !options.outDir.empty(); }, "--outDir");
    program.Needs(
        {"fabric", "rate", "delay"},
        [&] { return choice.preset.empty() && choice.topology.empty(); },
        "neither --preset nor --topology");
    program.Needs(
        {"ranks"},
        [&] {
            return choice.chakra.empty() && choice.goal.empty() && choice.graph.empty() &&
                   choice.model.empty();
        },
        "--collective or --simai");
    program.Needs({"gpus"}, [&] { return choice.preset.empty(); }, "no --preset");

    return program.Run(argc, argv, [&] {
        choice.hasCollective = !collective.empty();
        choice.collective = collective.empty() ? choice.collective : collective;
        if (!choice.preset.empty() && !choice.topology.empty())
        {
            throw FabricError("--preset and --topology", "one of them says what the fabric is");
        }
        const GpuCluster cluster = MakeCluster(choice, link);
        const auto hosts = static_cast<uint32_t>(cluster.topology.GetHosts().size());
        choice.ranks = ToRanks(ranks, hosts * cluster.gpus);
        JobGraph graph = MakeGraph(choice, hosts * cluster.gpus);
        WriteGraph(choice, graph);
        FabricHelper helper(program.GetOptions());
        if (mtu)
        {
            helper.SetQueuePair("Mtu", UintegerValue(*mtu));
        }
        if (ackInterval)
        {
            helper.SetQueuePair("AckInterval", UintegerValue(*ackInterval));
        }
        helper.SetCongestionControl(ToCongestionControl(congestion));
        const Fabric fabric = helper.FromTopology(cluster.topology);
        job.network.nic = ToNicChoice(nic);
        job.network.gpusPerHost = cluster.gpus;
        job.network.intraRate = cluster.intraRate;
        job.network.intraLatency = cluster.intraLatency;
        const auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(options.firstStream);
        const RankPlacement placement(cluster.topology, cluster.gpus);
        const std::vector<RankPlace> places =
            placement.Place(choice.placement, graph.GetNRanks(), draw);
        isPlaced = choice.placement == "random" || choice.placement.rfind("list:", 0) == 0 ||
                   AreOther(places, placement.Place("packed", graph.GetNRanks(), nullptr));
        hasCollectives = HasCollectives(graph);
        std::set<HostId> used;
        for (const RankPlace& place : places)
        {
            sharesHost |= !used.insert(place.host).second;
            hasNics |= cluster.topology.GetLinksOf(cluster.topology.NodeOf(place.host)).size() > 1;
        }
        FabricRun run(fabric, options);
        Job& running = run.Add<Job>(std::move(graph), places, job);
        JobStats& stats = run.Add<JobStats>();
        stats.Watch(running);
        stats.WriteMessages(choice.messages);
        if (!choice.timeline.empty())
        {
            stats.WriteTimeline(choice.timeline);
        }
        if (!choice.report.empty())
        {
            stats.WriteReport(choice.report);
        }
        std::cout << run.Execute().Summary();
        std::cout << "ranks      " << RankPlacement::Describe(places) << "\n";
        // A user who has set --stop knows why it has not ended.
        if (!running.IsDone() && run.GetResults().end != RunResults::End::STOPPED)
        {
            throw FabricError(running.GetError());
        }
    });
}

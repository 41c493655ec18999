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
//   lossless-job --jobs=training.job,serving.job --fabric=leaf-spine:2:1:4    two at a time
//   lossless-job --model=llama-2-7b --tp=8 --dp=2 --preset=hgx-h100:2 --nic=channel --channels=8

#include "job-choice.h"

#include "ns3/core-module.h"
#include "ns3/lossless-jobs-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// What the user says.
struct Choice
{
    std::string files; //!< of jobs, with commas between them; empty: there is one job
    JobChoice job;     //!< that one, or what holds for all
    RunOptions run;
    bool messages{false};
    std::string timeline;
    std::string report;
    std::string topology;
    std::string fabric{"star:8"};
    std::string preset;
    std::optional<uint32_t> gpus;
    std::string intraRate;
    std::optional<Time> intraLatency;
    FabricLinkSpec link;
    std::string mtu;         //!< empty: that of queue pairs
    std::string ackInterval; //!< empty: that of queue pairs
    std::string congestion{"dcqcn"};
};

/// Jobs of the files, or the one of the command line.
using Jobs = std::vector<std::unique_ptr<JobChoice>>;

/// @param text such as "leaf-spine:4:2:8" @param link all links @return the graph
FabricTopology
MakeTopology(const std::string& text, const FabricLinkSpec& link)
{
    const std::vector<std::string> fields = JobChoice::SplitAtColons(text);
    const auto number = [&fields](std::size_t i) {
        return static_cast<uint32_t>(
            FabricText::ToUint(fields.at(i), "a number of --fabric", 1 << 20, 1));
    };
    if (fields.size() == 2 && fields[0] == "star")
    {
        return FabricTopology::Star(number(1), link);
    }
    if (fields.size() == 4 && fields[0] == "leaf-spine")
    {
        return FabricTopology::LeafSpine(number(1), number(2), number(3), link, link);
    }
    if (fields.size() == 5 && fields[0] == "multi-plane")
    {
        return FabricTopology::MultiPlane(number(1), number(2), number(3), number(4), link, link);
    }
    if (fields.size() == 2 && fields[0] == "fat-tree")
    {
        return FabricTopology::FatTree(number(1), link);
    }
    throw FabricError("--fabric=" + text,
                      "star:HOSTS, leaf-spine:LEAVES:SPINES:HOSTS_OF_A_LEAF, "
                      "multi-plane:PLANES:LEAVES:SPINES:HOSTS_OF_A_LEAF or fat-tree:K");
}

/// Set the links within hosts as the user wants them. @param choice of the user @param cluster
/// gets them
void
SetIntra(const Choice& choice, GpuCluster& cluster)
{
    // Below this a unit is wrong, and a job would take years; above 1000 Tb/s there is no rate.
    const DataRate least("1Mbps");
    if (!choice.intraRate.empty())
    {
        cluster.intraRate = FabricText::ToRate(choice.intraRate, "--intraRate");
        if (cluster.intraRate < least)
        {
            throw FabricError("--intraRate is \"" + choice.intraRate + "\"",
                              "it must be 1 Mb/s to 1000 Tb/s");
        }
    }
    cluster.intraLatency = choice.intraLatency.value_or(cluster.intraLatency);
    if (cluster.intraLatency > Seconds(1))
    {
        throw FabricError("--intraLatency is " +
                              std::to_string(cluster.intraLatency.GetNanoSeconds()) + " ns",
                          "it must be 0 to 1 s");
    }
}

/// @param choice of the user @return the cluster
GpuCluster
MakeCluster(const Choice& choice)
{
    GpuCluster cluster;
    if (!choice.preset.empty() && !choice.topology.empty())
    {
        throw FabricError("--preset and --topology", "one of them says what the fabric is");
    }
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
        cluster.topology = choice.topology.empty() ? MakeTopology(choice.fabric, choice.link)
                                                   : HpccFiles::ReadTopology(choice.topology);
        cluster.gpus = choice.gpus.value_or(1);
    }
    SetIntra(choice, cluster);
    return cluster;
}

/// @return short names of all congestion controls and their types: "dcqcn" is ns3::RdmaDcqcn
std::map<std::string, std::string>
GetCongestionControls()
{
    const std::string begin = "ns3::Rdma";
    std::map<std::string, std::string> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const std::string name = type.GetName();
        if (type.IsChildOf(RdmaCongestionOps::GetTypeId()) && type.HasConstructor() &&
            name.compare(0, begin.size(), begin) == 0)
        {
            std::string shortName = name.substr(begin.size());
            shortName[0] =
                static_cast<char>(std::tolower(static_cast<unsigned char>(shortName[0])));
            types.emplace(shortName, name);
        }
    }
    return types;
}

/// @return help of --cc
std::string
DescribeCongestionControls()
{
    std::string text = "congestion control, of all jobs: ";
    for (const auto& [name, type] : GetCongestionControls())
    {
        text += name + ", ";
    }
    return text + "a type, or none";
}

/// @param name "dcqcn", "none", or the name of a type @return what FabricHelper takes
std::string
ToCongestionControl(const std::string& name)
{
    if (name.empty() || name == "none" || name.find(':') != std::string::npos)
    {
        return name;
    }
    std::vector<std::string> names;
    for (const auto& [known, type] : GetCongestionControls())
    {
        if (known == name)
        {
            return type;
        }
        names.push_back(known);
    }
    throw FabricError("--cc is \"" + name + "\"", FabricText::DidYouMean(name, names));
}

/// @param choice of the user @param options names of those of the program @return the jobs
Jobs
ReadJobs(const Choice& choice, const std::vector<std::string>& options)
{
    const std::set<std::string> ofJobs = JobChoice::GetNames();
    std::vector<std::string> others;
    std::copy_if(options.begin(),
                 options.end(),
                 std::back_inserter(others),
                 [&ofJobs](const std::string& name) { return !ofJobs.count(name); });
    Jobs jobs;
    if (choice.files.empty())
    {
        jobs.push_back(std::make_unique<JobChoice>(choice.job));
    }
    std::istringstream paths(choice.files);
    for (std::string path; std::getline(paths, path, ',');)
    {
        jobs.push_back(std::make_unique<JobChoice>(choice.job));
        jobs.back()->Read(path, others);
    }
    return jobs;
}

/// FabricError where an output would replace an input, another output, or a result of the run.
/// @param choice of the user @param jobs of it, which have read their inputs
void
RequireOwnFiles(const Choice& choice, const Jobs& jobs)
{
    JobChoice::Files outputs{{"--timeline", choice.timeline}, {"--report", choice.report}};
    for (const auto& job : jobs)
    {
        const JobChoice::Files more = job->GetOutputs();
        outputs.insert(outputs.end(), more.begin(), more.end());
    }
    std::map<std::string, std::string> taken; // by file: the option that names it
    for (const std::string& result : ResultFolder::ListFiles(choice.run.outDir))
    {
        taken.emplace(ResultFile::Target(result), "--outDir");
    }
    for (const auto& [option, path] : outputs)
    {
        const std::string target = path.empty() ? "" : ResultFile::Target(path);
        if (target.empty())
        {
            continue; // not given, or a device
        }
        InputFiles::RequireOther(path);
        const auto [other, isNew] = taken.emplace(target, option);
        if (!isNew)
        {
            throw FabricError(option + "=" + path + " would replace the file of " + other->second,
                              "give each output its own file");
        }
    }
}

/// Make a job and put it on GPUs that are free. @param run gets it @param choice what it is
/// @param cluster where it runs @param placement knows what is free @param draw of random places
/// @return the job
Job&
AddJob(FabricRun& run,
       JobChoice& choice,
       const GpuCluster& cluster,
       RankPlacement& placement,
       const Ptr<UniformRandomVariable>& draw)
{
    try
    {
        JobGraph graph = choice.MakeGraph(placement.CountFree());
        const std::vector<RankPlace> places =
            choice.Place(cluster, placement, graph.GetNRanks(), draw);
        placement.Take(places);
        Job& job = run.Add<Job>(std::move(graph), places, choice.MakeOptions(cluster));
        return job;
    }
    catch (const FabricError& error)
    {
        throw choice.InWordsOfFile(error);
    }
}

/// Make the options. @param program gets them @param choice gets what the user says
void
AddOptions(FabricProgram& program, Choice& choice)
{
    program.AddName("jobs",
                    "several jobs: files with options of a job, a line for each",
                    choice.files);
    choice.job.AddTo(program);
    program.AddName("topology",
                    "a topology file of the HPCC simulator or of SimAI",
                    choice.topology);
    program.AddName("fabric",
                    "star:8, leaf-spine:4:2:8, multi-plane:8:4:4:16 or fat-tree:8",
                    choice.fabric);
    program.AddName("preset", "a cluster, such as hgx-h100:16", choice.preset);
    program.AddNumber("gpus",
                      "of each host, without --preset",
                      choice.gpus,
                      1,
                      QueuePairNetwork::MOST_GPUS);
    program.AddName("intraRate", "of a GPU within its host, one way", choice.intraRate);
    program.AddOption("intraLatency", "of a message within a host", choice.intraLatency);
    program.AddLinks(choice.link.rate, choice.link.delay);
    program.AddName("mtu", "payload of a packet, bytes, 256 to 9000", choice.mtu);
    program.StandsFor("mtu", {"ns3::RdmaQueuePair::Mtu"});
    program.AddName("ackInterval", "packets for each ACK, 1 to 65535", choice.ackInterval);
    program.StandsFor("ackInterval", {"ns3::RdmaQueuePair::AckInterval"});
    program.AddOption("cc", DescribeCongestionControls(), choice.congestion);
    program.StandsFor("cc", {"ns3::RdmaQueuePair::CongestionControl"});
    program.AddOption("messages", "write messages.csv, a line for each message", choice.messages);
    program.AddName("timeline", "write what ranks did, for ui.perfetto.dev", choice.timeline);
    program.AddName("report", "write a page in Markdown, with a picture", choice.report);
    choice.run.hasFlows = false;
    choice.run.AddTo(program);
}

/// @param program with attributes of the user @param choice of the user @param topology a graph
/// @return the fabric
Fabric
MakeFabric(FabricProgram& program, const Choice& choice, const FabricTopology& topology)
{
    FabricHelper helper(program.GetOptions());
    if (!choice.mtu.empty())
    {
        helper.SetQueuePair("Mtu", StringValue(choice.mtu));
    }
    if (!choice.ackInterval.empty())
    {
        helper.SetQueuePair("AckInterval", StringValue(choice.ackInterval));
    }
    helper.SetCongestionControl(ToCongestionControl(choice.congestion));
    return helper.FromTopology(topology);
}

/// Print what came of a run. FabricError if a job failed. @param run that is over
/// @param summary of it @param jobs of it @param hasNames whether jobs are told apart
void
PrintResults(const FabricRun& run,
             const std::string& summary,
             const std::vector<Job*>& jobs,
             bool hasNames)
{
    // A user who has set --stop knows why a job has not ended.
    const bool isStopped = run.GetResults().end == RunResults::End::STOPPED;
    const auto failed = std::find_if(jobs.begin(), jobs.end(), [&](const Job* job) {
        return !job->IsDone() && !isStopped;
    });
    if (failed != jobs.end())
    {
        std::cout << "Failed: " << (*failed)->GetError() << "\n";
    }
    std::cout << summary;
    for (const Job* job : jobs)
    {
        std::cout << "ranks      " << (hasNames ? job->GetOptions().name + ": " : "")
                  << RankPlacement::Describe(job->GetPlaces()) << "\n";
    }
    for (const Job* job : jobs)
    {
        std::cout << "pairs      " << (hasNames ? job->GetOptions().name + ": " : "")
                  << job->GetCarrier().GetNQueuePairs() << " queue pairs\n";
    }
    if (failed != jobs.end())
    {
        throw FabricError((*failed)->GetError());
    }
}

/// Run the jobs. @param program with attributes of the user @param choice of the user
/// @param jobs gets them
void
RunJobs(FabricProgram& program, const Choice& choice, Jobs& jobs)
{
    const GpuCluster cluster = MakeCluster(choice);
    const Fabric fabric = MakeFabric(program, choice, cluster.topology);
    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(choice.run.firstStream);
    jobs = ReadJobs(choice, program.GetNames());
    FabricRun run(fabric, choice.run);
    JobStats& stats = run.Add<JobStats>();
    RankPlacement placement(cluster.topology, cluster.gpus);
    std::vector<Job*> running;
    for (const auto& each : jobs)
    {
        running.push_back(&AddJob(run, *each, cluster, placement, draw));
        stats.Watch(*running.back());
    }
    RequireOwnFiles(choice, jobs);
    stats.WriteMessages(choice.messages);
    if (!choice.timeline.empty())
    {
        stats.WriteTimeline(choice.timeline);
    }
    if (!choice.report.empty())
    {
        stats.WriteReport(choice.report);
    }
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        jobs[i]->WriteGraph(running[i]->GetGraph());
    }
    const MemoryUse use("the run", "fewer ranks, messages or iterations");
    const std::string summary = run.Execute().Summary();
    PrintResults(run, summary, running, !choice.files.empty());
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Runs a job of several ranks, such as training, on a fabric.");
    Choice choice;
    Jobs jobs;
    AddOptions(program, choice);
    return program.Run(argc, argv, [&] { RunJobs(program, choice, jobs); });
}

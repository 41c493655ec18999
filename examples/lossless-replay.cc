// SPDX-License-Identifier: GPL-2.0-only

// Runs the files of users of the public HPCC simulator, unchanged: configuration, topology and
// flows. Writes that simulator's outputs where the configuration says; with --outDir=DIR below that
// folder, beside CSV files and summary.json. The run ends with the last flow or at
// SIMULATOR_STOP_TIME.
//
//   lossless-replay --config=config.txt --outDir=results
//   lossless-replay --config=config.txt --ns3::SwitchMmu::Alpha=0.0625
//   lossless-replay --config=config.txt --cc=ns3::RdmaSwift

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What the command line says.
struct Options
{
    std::string config;
    std::string cc;
    std::string outDir;
    std::string pcap;
    std::string wire{"standard"};
    std::optional<uint32_t> threads;
    bool allowLossy{false};
    bool allowUnknown{false};
    bool quiet{false};
};

/// Take the congestion control of --cc, in place of that of CC_MODE.
void
ChooseCongestionControl(const std::string& cc, const FabricOptions& options)
{
    if (cc.empty())
    {
        return;
    }
    try
    {
        options.Add("ns3::RdmaQueuePair::CongestionControl",
                    cc == "none" ? "ns3::RdmaFixedRate" : cc);
    }
    catch (const FabricError& error)
    {
        throw FabricError(std::string("--cc: ") + error.what());
    }
}

/// Take the frames of --wire.
void
ChooseWire(const std::string& wire, const FabricOptions& options)
{
    if (wire == "hpcc")
    {
        options.Add("ns3::RdmaQueuePair::FrameFormat", "Hpcc");
        options.Add("ns3::QbbNetDevice::SerialisationUnit", "1ns");
        // Where no option says otherwise.
        options.SetDefault("ns3::QbbNetDevice::Transmitter", "Hpcc");
        options.SetDefault("ns3::QbbNetDevice::PfcDialect", "EndlessXoff");
        options.SetDefault("ns3::SwitchMmu::ResumeTest", "Departing");
    }
    else if (wire != "standard")
    {
        throw FabricError("--wire is \"" + wire + "\"", "it must be standard or hpcc");
    }
}

/// @param topology a graph @return whether some switch has several next hops
bool
HasChoice(const FabricTopology& topology)
{
    const FabricRoutes routes(topology);
    for (const NodeId from : topology.GetSwitches())
    {
        for (const NodeId to : topology.GetSwitches())
        {
            if (routes.GetNextHops(from, to).size() > 1)
            {
                return true;
            }
        }
    }
    return false;
}

/// Open the outputs that the configuration names.
void
OpenOutputs(const HpccConfig& config, const std::string& outDir, HpccOutput& output)
{
    // The run takes the folder when it begins: files of a run that writes there must stay.
    const auto lock = outDir.empty() ? nullptr : std::make_unique<FolderLock>(outDir);
    const std::string fct = config.GetOutput("FCT_OUTPUT_FILE", outDir);
    const std::string pfc = config.GetOutput("PFC_OUTPUT_FILE", outDir);
    const std::string queues = config.GetOutput("QLEN_MON_FILE", outDir);
    if (!fct.empty())
    {
        output.WriteFct(fct);
    }
    if (!pfc.empty())
    {
        output.WritePfc(pfc);
    }
    if (!queues.empty())
    {
        const auto nanoseconds = [&](const char* key, double otherwise) {
            return NanoSeconds(static_cast<uint64_t>(config.GetNumber(key, otherwise)));
        };
        output.WriteQueues(queues,
                           nanoseconds("QLEN_MON_START", 2e9),
                           nanoseconds("QLEN_MON_END", 2.1e9));
    }
}

void
Replay(const Options& options, const FabricOptions& attributes)
{
    if (options.config.empty())
    {
        throw FabricError("--config is missing", "name a configuration: --config=config.txt");
    }
    ChooseCongestionControl(options.cc, attributes);
    ChooseWire(options.wire, attributes);
    const HpccScenario scenario(options.config, attributes, options.allowUnknown);
    const HpccConfig& config = scenario.GetConfig();
    const FabricTopology& topology = scenario.GetTopology();
    if (options.wire == "hpcc" && HasChoice(topology))
    {
        attributes.SetDefault("ns3::FabricSwitch::LoadBalancerType", "ns3::HpccLoadBalancer");
    }

    const Fabric fabric = scenario.Build(options.allowLossy);
    config.CheckOutputs(options.outDir);
    RunOptions runOptions;
    runOptions.outDir = options.outDir;
    runOptions.stop = config.GetStop();
    runOptions.threads = options.threads;
    // Without threads that of the simulator which is replayed.
    runOptions.order = RunOptions::EventOrder::NS3;
    if (options.wire == "hpcc" && !options.threads)
    {
        scenario.ShareDraws(fabric);
    }
    FabricRun run(fabric, runOptions);
    scenario.AddFlows(run.Rdma());
    FaultHelper faults(fabric); // not run.Faults(), which would end a run that is stuck
    scenario.AddFaults(faults);
    if (!options.pcap.empty())
    {
        fabric.EnablePcap(options.pcap,
                          HpccFiles::ReadTraceNodes(config.GetInput("TRACE_FILE"), topology));
    }

    OpenOutputs(config, options.outDir, run.Add<HpccOutput>(run.Rdma()));
    config.AddFindings(fabric.GetFindings(), !options.pcap.empty());
    if (run.Rdma().IsDone())
    {
        run.EndNow("there are no flows");
    }
    const RunResults& results = run.Execute();
    if (!options.quiet)
    {
        std::cout << results.Summary();
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Runs the files of the public HPCC simulator.");
    Options options;
    program.AddOption("config", "configuration file", options.config);
    program.AddOption("cc", "congestion control, in place of CC_MODE: a type, or none", options.cc);
    program.AddOption("outDir", "folder for CSV files; empty: none", options.outDir);
    program.AddOption("pcap", "prefix of captures of the nodes in TRACE_FILE", options.pcap);
    program.AddOption("wire",
                      "lengths of packets: standard, or hpcc (48 B and payload)",
                      options.wire);
    program.AddOption("threads",
                      "threads, with the same results whatever their number; 0: as many as cores",
                      options.threads);
    program.AddOption("allowLossy", "run even what cannot be lossless", options.allowLossy);
    program.AddOption("allowUnknown",
                      "pass over keys of the configuration that are not known here",
                      options.allowUnknown);
    program.AddOption("quiet", "print no table", options.quiet);
    program.StandsFor("threads", {"ns3::FabricSimulatorImpl::Threads"});
    program.StandsFor("cc", {"ns3::RdmaQueuePair::CongestionControl"});
    program.StandsFor("wire",
                      {"ns3::RdmaQueuePair::FrameFormat", "ns3::QbbNetDevice::SerialisationUnit"});
    return program.Run(argc, argv, [&] { Replay(options, program.GetOptions()); });
}

// SPDX-License-Identifier: GPL-2.0-only

// Runs the files of users of the public HPCC simulator, unchanged: configuration, topology and
// flows. Writes that simulator's outputs where the configuration says; with --outDir=DIR also CSV
// files and summary.json. The run ends with the last flow or at SIMULATOR_STOP_TIME.
//
//   lossless-replay --config=config.txt --outDir=results
//   lossless-replay --config=config.txt --ns3::SwitchMmu::Alpha=0.0625
//   lossless-replay --config=config.txt --cc=ns3::RdmaSwift

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <set>
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
    bool allowLossy{false};
    bool quiet{false};
};

/// Name the keys without effect on one line.
void
WarnOfIgnoredKeys(const HpccConfig& config, bool captures)
{
    std::string keys;
    for (const std::string& key : config.GetIgnored())
    {
        if (!(captures && (key == "TRACE_FILE" || key == "ENABLE_TRACE")))
        {
            keys += (keys.empty() ? "" : ", ") + key;
        }
    }
    if (!keys.empty())
    {
        std::cerr << "lossless-replay: warning: " << config.GetPath()
                  << ": keys without effect here: " << keys << std::endl;
    }
}

/// Take the congestion control of --cc, in place of that of CC_MODE.
void
ChooseCongestionControl(const std::string& cc)
{
    const std::string attribute = "CongestionControl";
    if (cc.empty())
    {
        return;
    }
    if (!FabricAttributes::GetOption(RdmaQueuePair::GetTypeId(), attribute).empty())
    {
        throw FabricError("--cc and --ns3::RdmaQueuePair::" + attribute + " say the same",
                          "give one of them");
    }
    try
    {
        FabricAttributes::SetOption("ns3::RdmaQueuePair::" + attribute,
                                    cc == "none" ? "ns3::RdmaFixedRate" : cc);
    }
    catch (const FabricError& error)
    {
        throw FabricError(std::string("--cc: ") + error.what());
    }
}

/// Refuse an option that the files leave no room for.
void
RefuseOption(const std::string& type, const std::string& attribute)
{
    if (!FabricAttributes::GetOption(TypeId::LookupByName(type), attribute).empty())
    {
        throw FabricError("--" + type + "::" + attribute + " has no effect",
                          "the topology file says it for each link");
    }
}

/// Build the fabric. The classes of the flows are the lossless ones.
Fabric
BuildFabric(const HpccConfig& config,
            const FabricTopology& topology,
            const std::vector<HpccFiles::Flow>& flows,
            bool allowLossy)
{
    std::set<uint32_t> classes;
    for (const auto& entry : flows)
    {
        classes.insert(entry.flow.trafficClass);
    }
    uint32_t mask = 0;
    for (const uint32_t cls : classes)
    {
        mask |= 1U << cls;
    }
    if (mask)
    {
        FabricAttributes::SetDefault("ns3::QbbNetDevice::PfcClasses", std::to_string(mask));
    }
    config.SetDefaults();
    config.SetRoundTrip(topology);
    // The topology has the rates and delays of all links.
    RefuseOption("ns3::QbbNetDevice", "DataRate");
    RefuseOption("ns3::QbbChannel", "Delay");
    FabricHelper helper;
    helper.AllowLossy(allowLossy);
    config.Configure(helper, topology);
    try
    {
        return helper.FromTopology(topology);
    }
    catch (const FabricError& error)
    {
        // HPCC knows some speeds of links only; all else is a matter of space.
        const std::string what = error.what();
        const char* key = what.find("IntStamper") == std::string::npos ? "BUFFER_SIZE" : "CC_MODE";
        throw FabricError(config.GetPath(), config.GetLine(key), what);
    }
}

/// Add the flows of the file.
void
AddFlows(const HpccConfig& config,
         const std::string& path,
         const std::vector<HpccFiles::Flow>& flows,
         RdmaFlowHelper& helper)
{
    const bool hasWindow = config.GetNumber("HAS_WIN", 1) > 0 && !config.HasOwnWindow();
    const bool isGlobal = config.GetNumber("GLOBAL_T", 1) > 0;
    const uint64_t global = hasWindow && isGlobal ? config.GetGlobalWindow(helper.GetFabric()) : 0;
    for (const auto& entry : flows)
    {
        RdmaFlow flow = entry.flow;
        try
        {
            if (hasWindow)
            {
                flow.window =
                    isGlobal ? global
                             : config.GetWindow(helper.GetFabric(), flow.source, flow.destination);
            }
            helper.Add(flow);
        }
        catch (const FabricError& error)
        {
            throw FabricError(path, entry.line, error.what());
        }
    }
}

/// Check that the outputs replace neither each other nor an input.
void
CheckOutputs(const HpccConfig& config, const std::string& outDir)
{
    std::vector<std::string> files;
    if (!outDir.empty())
    {
        for (const char* name :
             {"fct.csv", "pfc.csv", "pause.csv", "queue.csv", "throughput.csv", "summary.json"})
        {
            files.push_back(outDir + "/" + name);
        }
    }
    config.CheckOutputs(files);
}

/// Open the outputs that the configuration names.
void
OpenOutputs(const HpccConfig& config, HpccOutput& output)
{
    const std::string fct = config.GetOutput("FCT_OUTPUT_FILE");
    const std::string pfc = config.GetOutput("PFC_OUTPUT_FILE");
    const std::string queues = config.GetOutput("QLEN_MON_FILE");
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
Replay(const Options& options)
{
    if (options.config.empty())
    {
        throw FabricError("--config is missing", "name a configuration: --config=config.txt");
    }
    ChooseCongestionControl(options.cc);
    const HpccConfig config(options.config);
    const FabricTopology topology =
        HpccFiles::ReadTopology(config.GetInput("TOPOLOGY_FILE"),
                                config.GetNumber("ERROR_RATE_PER_LINK", 0));
    const std::string flowPath = config.GetInput("FLOW_FILE");
    const auto flowLines = HpccFiles::ReadFlows(flowPath, topology);
    const Time linkDown = config.GetLinkDownTime();
    const uint32_t link = linkDown.IsZero() ? 0 : config.GetLinkDown(topology);

    const Fabric fabric = BuildFabric(config, topology, flowLines, options.allowLossy);
    fabric.AssignStreams(1000);
    CheckOutputs(config, options.outDir);
    RdmaFlowHelper flows(fabric);
    AddFlows(config, flowPath, flowLines, flows);
    flows.StopWhenDone();
    if (!linkDown.IsZero())
    {
        fabric.ScheduleLink(link, false, linkDown);
    }
    if (!options.pcap.empty())
    {
        fabric.EnablePcap(options.pcap,
                          HpccFiles::ReadTraceNodes(config.GetInput("TRACE_FILE"), topology));
    }

    FabricStats stats(fabric, flows);
    HpccOutput output(fabric, flows);
    OpenOutputs(config, output);
    if (!options.outDir.empty())
    {
        stats.WriteTo(options.outDir);
    }
    // Only now: an error is one line, and no warning stands before it.
    WarnOfIgnoredKeys(config, !options.pcap.empty());
    RunProgress progress(flows, config.GetStop());
    if (!flows.IsDone())
    {
        Simulator::Stop(config.GetStop());
        Simulator::Run();
    }
    progress.Finish();
    stats.IgnoreEvents(progress.GetEvents());
    if (!options.quiet)
    {
        std::cout << stats.Summary();
    }
    output.Commit();
    stats.Finish();
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
    program.AddOption("allowLossy", "run even what cannot be lossless", options.allowLossy);
    program.AddOption("quiet", "print no table", options.quiet);
    return program.Run(argc, argv, [&] { Replay(options); });
}

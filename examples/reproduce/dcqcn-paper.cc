// SPDX-License-Identifier: GPL-2.0-only

// Scenarios of DCQCN (Zhu et al., SIGCOMM 2015), all links 40 Gb/s:
//   unfairness  H1..H3, in another pod, and H4, at its switch, send to R (figures 3 and 8)
//   victim      H11..H14 and up to two of H31, H32 send to R; VS sends to VR (figures 4 and 9)
//   pair        two hosts send to a third, the second begins 10 ms later (figures 11 and 12)
//   incast      N hosts send to one (figure 13)
// Flows do not end: --stop does. throughput.csv has the rates.
//
//   dcqcn-paper --scenario=unfairness --first=3 --congestion=none --stop=10ms --outDir=results

#include "chosen-paths.h"
#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

/// The testbed: four ToRs, four leaves in two pods, two spines; without hosts.
NamedTopology
MakeClos(const FabricLinkSpec& link)
{
    NamedTopology clos;
    for (const std::string name : {"T1", "T2", "T3", "T4", "L1", "L2", "L3", "L4", "S1", "S2"})
    {
        clos.AddSwitch(name);
    }
    const std::string pods[2][2][2] = {{{"T1", "T2"}, {"L1", "L2"}}, {{"T3", "T4"}, {"L3", "L4"}}};
    for (const auto& pod : pods)
    {
        for (const std::string& leaf : pod[1])
        {
            clos.AddLink(pod[0][0], leaf, link);
            clos.AddLink(pod[0][1], leaf, link);
            clos.AddLink(leaf, "S1", link);
            clos.AddLink(leaf, "S2", link);
        }
    }
    return clos;
}

/// Who sends to whom, from when on.
struct Pair
{
    std::string from;
    std::string to;
    Time start;
};

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Unfairness, victim flow, two flows and incast at 40 Gb/s.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(20);
    runOptions.sample = MicroSeconds(100);
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    std::string scenario = "unfairness";
    uint32_t first = 3;
    uint32_t extra = 0;
    uint32_t draw = 1;
    uint32_t senders = 2;
    Time phase;
    uint64_t bytes = 4000000000;
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(1), 0};
    program.AddOption("scenario", "unfairness, victim, pair or incast", scenario);
    program.AddOption("first", "unfairness: how many of H1..H3 share the first uplink", first);
    program.AddOption("extra", "victim: how many of H31, H32 send", extra);
    program.AddOption("draw", "victim: which draw of ECMP's hash", draw);
    program.AddOption("senders", "incast: how many", senders);
    program.AddOption("phase", "how much later than the sender before it each one begins", phase);
    program.AddSize("bytes", "bytes that each sends, if --stop does not come before", bytes);
    program.AddLinks(link.rate, link.delay);

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl(congestion);
        NamedTopology topology;
        std::vector<Pair> pairs;
        if (first > 3 || extra > 2)
        {
            throw first > 3
                ? FabricError("--first is " + std::to_string(first), "it must be 0 to 3")
                : FabricError("--extra is " + std::to_string(extra), "it must be 0 to 2");
        }
        if (scenario == "unfairness")
        {
            topology = MakeClos(link);
            for (const std::string name : {"H1", "H2", "H3"})
            {
                topology.AddHostAt(name, "T1", link);
                pairs.push_back({name, "R", Time(0)});
            }
            topology.AddHostAt("H4", "T4", link);
            pairs.push_back({"H4", "R", Time(0)});
            topology.AddHostAt("R", "T4", link);
            helper.SetLoadBalancer("ChosenPaths", "First", UintegerValue(first));
        }
        else if (scenario == "victim")
        {
            topology = MakeClos(link);
            for (uint32_t i = 0; i < 4 + extra; ++i)
            {
                const std::string name =
                    i < 4 ? "H1" + std::to_string(i + 1) : "H3" + std::to_string(i - 3);
                topology.AddHostAt(name, i < 4 ? "T1" : "T3", link);
                pairs.push_back({name, "R", Time(0)});
            }
            topology.AddHostAt("VS", "T1", link);
            topology.AddHostAt("VR", "T2", link);
            topology.AddHostAt("R", "T4", link);
            pairs.push_back({"VS", "VR", Time(0)});
            helper.SetLoadBalancer("ChosenPaths", "Draw", UintegerValue(draw));
        }
        else if (scenario == "pair" || scenario == "incast")
        {
            topology.AddSwitch("T1");
            topology.AddHostAt("R", "T1", link);
            const bool pair = scenario == "pair";
            if (!pair && senders == 0)
            {
                throw FabricError("--senders is 0", "it must be 1 or more");
            }
            for (uint32_t i = 1; i <= (pair ? 2 : senders); ++i)
            {
                const std::string name = "H" + std::to_string(i);
                topology.AddHostAt(name, "T1", link);
                pairs.push_back({name, "R", MilliSeconds(pair ? 10 * (i - 1) : 0)});
            }
        }
        else
        {
            throw FabricError("--scenario is \"" + scenario + "\"",
                              "it must be unfairness, victim, pair or incast");
        }
        Fabric fabric = helper.FromTopology(topology.Get());
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        Time later;
        for (const Pair& pair : pairs)
        {
            flows.Add({topology.GetHost(pair.from),
                       topology.GetHost(pair.to),
                       bytes,
                       pair.start + later});
            later += phase;
        }
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

// SPDX-License-Identifier: GPL-2.0-only

// The ring of H3C's white paper on lossless networks: leaves L0 to L3 and spines S0, S1, of which
// the links L2-S1 and L3-S0 have failed. Traffic between L2 and L3 comes down to L0 or L1 and goes
// up again; with the traffic between L0 and L1 it closes a ring of buffers, L0 S1 L1 S0. Detection,
// what switches do about it, and prevention by port groups or tags.
//
//   ring-deadlock --prevention=groups --outDir=results
//   ring-deadlock --extension='ns3::PfcWatchdog[Dialect=H3c]'

#include "deadlock-run.h"
#include "ecmp-draw.h"
#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

NamedTopology
MakeFabric(uint32_t hosts, const FabricLinkSpec& link)
{
    NamedTopology topology;
    for (const std::string name : {"L0", "L1", "L2", "L3", "S0", "S1"})
    {
        topology.AddSwitch(name);
    }
    for (const auto& [leaf, spine] : {std::pair("L0", "S0"),
                                      {"L0", "S1"},
                                      {"L1", "S0"},
                                      {"L1", "S1"},
                                      {"L2", "S0"},
                                      {"L3", "S1"}})
    {
        topology.AddLink(leaf, spine, link);
    }
    for (const std::string leaf : {"0", "1", "2", "3"})
    {
        for (uint32_t i = 0; i < hosts; ++i)
        {
            topology.AddHostAt("H" + leaf + "." + std::to_string(i), "L" + leaf, link);
        }
    }
    return topology;
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("A ring of buffers in a leaf-spine fabric with two failed links.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(40);
    runOptions.sample = MicroSeconds(100);
    runOptions.AddTo(program);
    std::string congestion = "none";
    program.AddCongestion(congestion);
    DeadlockRun deadlock(program, runOptions);
    std::string prevention = "none";
    uint32_t hosts = 4;
    uint64_t bytes = 20000000;
    FabricLinkSpec link{DataRate("100Gbps"), MicroSeconds(1), 0};
    program.AddOption("prevention", "none, groups or tagger", prevention);
    program.AddOption("hosts", "at each leaf", hosts);
    program.AddSize("bytes", "bytes that each of them sends", bytes);
    program.AddLinks(link.rate, link.delay);
    EcmpDraw ecmp(program);

    return program.Run(argc, argv, [&] {
        const NamedTopology topology = MakeFabric(hosts, link);
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl(congestion);
        helper.SetLosslessClasses({3, 4});
        helper.SetQueuePair("RetryLimit", UintegerValue(254));
        deadlock.Prepare(helper);
        Fabric fabric = helper.FromTopology(topology.Get());
        ecmp.Install(fabric);
        DeadlockHelper deadlocks(fabric);
        if (prevention == "groups")
        {
            deadlocks.InstallUplinkGroups({3, 4});
        }
        else if (prevention == "tagger")
        {
            deadlocks.InstallTagger({3, 4});
        }
        else if (prevention != "none")
        {
            throw FabricError("--prevention is \"" + prevention + "\"",
                              "it must be none, groups or tagger");
        }
        deadlock.Install(deadlocks);

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        for (uint32_t i = 0; i < hosts; ++i)
        {
            const std::string number = "." + std::to_string(i);
            for (const auto& [from, to] :
                 {std::pair("H0", "H1"), {"H1", "H0"}, {"H2", "H3"}, {"H3", "H2"}})
            {
                topology.AddFlow(flows, from + number, to + number, bytes, Time(0));
            }
        }
        const auto graph = BufferDependencyGraph::FromFlows(flows);
        std::cout << graph.Describe().size() << " dependencies in circles\n";
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

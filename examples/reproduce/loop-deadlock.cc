// SPDX-License-Identifier: GPL-2.0-only

// A routing loop of n switches and one flow of a fixed rate into it (Hu et al., Deadlocks in
// Datacenter Networks: Why Do They Form, and How to Avoid Them, HotNets 2016): a deadlock forms if
// the rate exceeds n B / TTL.
//
//   loop-deadlock --inject=5.5Gbps --outDir=results

#include "deadlock-run.h"
#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A routing loop, and a flow into it.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(50);
    runOptions.sample = MicroSeconds(100);
    runOptions.AddTo(program);
    DeadlockRun deadlock(program, runOptions);
    deadlock.action = "Stop";
    uint32_t switches = 2;
    uint32_t ttl = 16;
    DataRate inject("5.5Gbps");
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(1), 0};
    program.AddOption("switches", "in the loop", switches);
    program.AddOption("ttl", "TTL of packets as they are sent", ttl);
    program.AddOption("inject", "rate of the flow, wire bytes", inject);
    program.AddLinks(link.rate, link.delay);
    program.StandsFor("ttl", {"ns3::RdmaQueuePair::InitialTtl"});
    program.StandsFor("inject",
                      {"ns3::RdmaFixedRate::Rate", "ns3::RdmaQueuePair::CongestionControl"});

    return program.Run(argc, argv, [&] {
        if (switches < 2)
        {
            throw FabricError("--switches is " + std::to_string(switches), "it must be 2 or more");
        }
        NamedTopology topology;
        const auto name = [](uint32_t i) { return "S" + std::to_string(i); };
        for (uint32_t i = 0; i < switches; ++i)
        {
            topology.AddSwitch(name(i));
        }
        for (uint32_t i = 0; i < switches && (i == 0 || switches > 2); ++i)
        {
            topology.AddLink(name(i), name((i + 1) % switches), link);
        }
        topology.AddHostAt("H", "S0", link);
        topology.AddHostAt("D", "S0", link);
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", DataRateValue(inject));
        helper.SetQueuePair("InitialTtl",
                            UintegerValue(ttl),
                            "RetransmitTimeout",
                            TimeValue(Time(0)));
        deadlock.Prepare(helper);
        Fabric fabric = helper.FromTopology(topology.Get());
        // D is at S0, but nobody knows.
        const HostId receiver = topology.GetHost("D");
        for (uint32_t i = 0; i < switches; ++i)
        {
            const uint32_t next = (i + 1) % switches;
            const LinkId out = fabric.GetTopology().FindLink(i, next);
            fabric.GetSwitch(i)->AddRoute(
                fabric.GetAddress(receiver),
                {static_cast<uint16_t>(fabric.GetTopology().GetPort(i, out))});
        }
        DeadlockHelper deadlocks(fabric);
        deadlock.Install(deadlocks);

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        topology.AddFlow(flows, "H", "D", 1000000000000, Time(0));
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

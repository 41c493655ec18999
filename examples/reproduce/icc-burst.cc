// SPDX-License-Identifier: GPL-2.0-only

// The burst scenario of ICC (Wang et al., CMC 2023), figures 4, 5, 9, 10 and 11: a long flow F1
// from H1 to R0 shares the port P0 of S0 with 60 short flows to R1, while Hb sends R1 another 60.
//
//   icc-burst --congestion=ns3::RdmaDcqcn --ns3::RdmaDcqcn::Dialect=Paper --outDir=results
//
// Flow 0 of fct.csv is F1; then come the flows from H2..Hn, then those from Hb, then F0.

#include "byte-buffer.h"
#include "icc-fabric.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A long flow, and a burst through the same port to another host.");
    RunOptions runOptions;
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    std::string kind = "2sw";
    std::string f0 = "none";
    uint32_t hosts = 16;
    uint32_t remote = 60;
    uint32_t local = 60;
    uint64_t burstBytes = 64 * 1024;
    uint64_t longBytes = 100000000;
    uint64_t buffer = 5000000;
    Time burst = MilliSeconds(1);
    FabricLinkSpec link{DataRate("100Gbps"), MicroSeconds(5), 0};
    program.AddOption("topology", "2sw: receivers at S1; 3sw: behind it, at S2", kind);
    program.AddOption("hosts", "n: H2..Hn send bursts", hosts);
    program.AddOption("remote", "flows of the burst from H2..Hn together", remote);
    program.AddOption("local", "flows of the burst from Hb", local);
    program.AddSize("burstBytes", "bytes of each of them", burstBytes);
    program.AddOption("burst", "when the burst begins", burst);
    program.AddSize("longBytes", "bytes of F1", longBytes);
    program.AddOption("f0", "where H0 sends as much as F1: R0, R2 or none", f0);
    program.AddLinks(link.rate, link.delay);
    program.AddBuffer(buffer);

    return program.Run(argc, argv, [&] {
        const NamedTopology topology = MakeIccTopology(kind, hosts, link);
        if (f0 != "none" && f0 != "R0" && f0 != "R2")
        {
            throw FabricError("--f0 is \"" + f0 + "\"", "it must be R0, R2 or none");
        }
        FabricHelper helper(program.GetOptions());
        SetByteBuffer(helper, buffer);
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.FromTopology(topology.Get());

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        topology.AddFlow(flows, "H1", "R0", longBytes, Time(0));
        for (uint32_t i = 0; i < remote; ++i)
        {
            topology.AddFlow(flows,
                             "H" + std::to_string(2 + i % (hosts - 1)),
                             "R1",
                             burstBytes,
                             burst);
        }
        for (uint32_t i = 0; i < local; ++i)
        {
            topology.AddFlow(flows, "Hb", "R1", burstBytes, burst);
        }
        if (f0 != "none")
        {
            topology.AddFlow(flows, "H0", f0, longBytes, Time(0));
        }
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

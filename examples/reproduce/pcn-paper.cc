// SPDX-License-Identifier: GPL-2.0-only

// The burst scenario of PCN (Cheng et al., NSDI 2020) at 40 Gb/s: F0 from H0 to R0 and F1 from H1
// to R1 share the port P0 from S0 to S1; hosts at S1 send R1 a burst. F0 is the victim: only PFC
// makes its port look congested.
//
//   pcn-paper --congestion=ns3::RdmaPcn --outDir=results
//
// Flow 0 of fct.csv is F0, flow 1 is F1, then comes the burst.

#include "byte-buffer.h"
#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Two long flows through one port, and a burst to one of the receivers.");
    RunOptions runOptions;
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    uint32_t hosts = 15;
    uint32_t flowsPerHost = 16;
    uint64_t burstBytes = 64 * 1024;
    uint64_t longBytes = 40000000;
    uint64_t buffer = 5000000;
    Time burst = MilliSeconds(1);
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(5), 0};
    program.AddOption("hosts", "hosts that send the burst", hosts);
    program.AddOption("flowsPerHost", "flows of the burst from each of them", flowsPerHost);
    program.AddSize("burstBytes", "bytes of each of them", burstBytes);
    program.AddOption("burst", "when the burst begins", burst);
    program.AddSize("longBytes", "bytes of F0 and of F1", longBytes);
    program.AddLinks(link.rate, link.delay);
    program.AddBuffer(buffer);

    return program.Run(argc, argv, [&] {
        NamedTopology topology;
        topology.AddSwitch("S0");
        topology.AddSwitch("S1");
        topology.AddLink("S0", "S1", link);
        for (const std::string name : {"H0", "H1"})
        {
            topology.AddHostAt(name, "S0", link);
        }
        for (const std::string name : {"R0", "R1"})
        {
            topology.AddHostAt(name, "S1", link);
        }
        for (uint32_t i = 0; i < hosts; ++i)
        {
            topology.AddHostAt("H" + std::to_string(2 + i), "S1", link);
        }
        FabricHelper helper(program.GetOptions());
        SetByteBuffer(helper, buffer);
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.FromTopology(topology.Get());

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        topology.AddFlow(flows, "H0", "R0", longBytes, Time(0));
        topology.AddFlow(flows, "H1", "R1", longBytes, Time(0));
        for (uint64_t i = 0; i < uint64_t{hosts} * flowsPerHost; ++i)
        {
            topology.AddFlow(flows, "H" + std::to_string(2 + i % hosts), "R1", burstBytes, burst);
        }
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

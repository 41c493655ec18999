// SPDX-License-Identifier: GPL-2.0-only

// A leaf-spine fabric of 32 hosts at 100 Gb/s under the Facebook Hadoop workload at half load, with
// a 16:1 incast on top, DCQCN and PFC: what ./utils/quickstart runs. Prints a table; --outDir=DIR
// writes CSV files, which utils/plot.py draws.
//
//   leaf-spine-incast --outDir=results
//   leaf-spine-incast --congestion=none --load=0.8

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A leaf-spine fabric under a workload, with an incast on top.");
    uint32_t leaves = 4;
    uint32_t spines = 2;
    uint32_t hosts = 8;
    double oversubscription = 1;
    std::string workload = "fb-hadoop";
    double load = 0.5;
    Time duration = MilliSeconds(5);
    uint32_t senders = 16;
    uint64_t bytes = 500000;
    std::string congestion = "ns3::RdmaDcqcn";
    RunOptions options;
    program.AddOption("leaves", "leaf switches", leaves);
    program.AddOption("spines", "spine switches", spines);
    program.AddOption("hosts", "hosts at each leaf", hosts);
    program.AddOption("oversubscription", "rate to the hosts over rate up", oversubscription);
    program.AddOption("workload", "flow sizes: a name or a file", workload);
    program.AddOption("load", "share of the hosts' links", load);
    program.AddOption("duration", "time during which flows arrive", duration);
    program.AddOption("senders", "senders of the incast; 0: no incast", senders);
    program.AddSize("bytes", "bytes that each of them sends", bytes);
    program.AddCongestion(congestion);
    options.AddTo(program);

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.LeafSpine(leaves, spines, hosts, oversubscription);

        FabricRun run(fabric, options);
        run.Rdma().Poisson(workload, load, duration);
        if (senders > 0)
        {
            run.Rdma().Incast(senders, 0, bytes, duration / 5);
        }
        std::cout << run.Execute().Summary();
    });
}

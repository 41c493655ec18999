// SPDX-License-Identifier: GPL-2.0-only

// The incident of the wrong alpha (C. Guo et al., RDMA over commodity Ethernet at scale, SIGCOMM
// 2016, section 6.2): a new kind of ToR came with alpha 1/64 where 1/16 was intended, and paused
// its servers under incasts that the others absorbed.
//
//   guo16-alpha --alpha=0.015625 --outDir=results
//
// Servers at leaves answer one of them at the same time, again and again.

#include "ecmp-draw.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Repeated incasts in a leaf-spine fabric, with an alpha.");
    RunOptions runOptions;
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    uint32_t leaves = 4;
    uint32_t hostsPerLeaf = 8;
    uint32_t senders = 16;
    uint32_t repeats = 10;
    uint64_t bytes = 64 * 1024;
    Time interval = MilliSeconds(1);
    double alpha = 1.0 / 16;
    uint64_t buffer = 12 * 1024 * 1024;
    DataRate rate("40Gbps");
    program.AddOption("leaves", "ToR switches", leaves);
    program.AddOption("hostsPerLeaf", "servers at each of them", hostsPerLeaf);
    program.AddOption("senders", "servers that answer at a time", senders);
    program.AddOption("repeats", "how often", repeats);
    program.AddOption("interval", "time from one to the next", interval);
    program.AddSize("bytes", "bytes of an answer", bytes);
    program.AddOption("alpha", "of all switches and ports", alpha);
    program.AddBuffer(buffer);
    program.AddOption("rate", "rate of the links", rate);
    EcmpDraw ecmp(program);
    program.StandsFor("alpha", {"ns3::SwitchMmu::Alpha"});
    program.StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetAlphaBySpeed(false); // one alpha, as in the paper
        helper.SetLink("DataRate", DataRateValue(rate));
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         UintegerValue(buffer),
                         "Alpha",
                         DoubleValue(alpha));
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.LeafSpine(leaves, 2, hostsPerLeaf);
        ecmp.Install(fabric);
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        flows.Incast(senders, 0, bytes, MicroSeconds(10), repeats, interval);
        std::cout << run.Execute().Summary();
    });
}

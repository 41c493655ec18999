// SPDX-License-Identifier: GPL-2.0-only

// One congestion control on a fat-tree under N:1 incast or a permutation. The comparison of all of
// them, `utils/reproduce comparison`, runs this once for each.
//
//   congestion-comparison --pattern=incast --senders=16 --outDir=results

#include "ecmp-draw.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Incast or permutation on a fat-tree.");
    RunOptions runOptions;
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    std::string pattern = "incast";
    uint32_t k = 8;
    uint32_t senders = 16;
    uint64_t bytes = 40000000;
    program.AddOption("pattern", "incast or permutation", pattern);
    program.AddOption("k", "ports of each switch; k^3/4 hosts", k);
    program.AddOption("senders", "senders of the incast", senders);
    program.AddSize("bytes", "incast: bytes of all together; permutation: of each host", bytes);
    EcmpDraw ecmp(program);

    return program.Run(argc, argv, [&] {
        if (pattern != "incast" && pattern != "permutation")
        {
            throw FabricError("--pattern is \"" + pattern + "\"",
                              "it must be incast or permutation");
        }
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.FatTree(k);
        ecmp.Install(fabric);
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        if (pattern == "incast")
        {
            flows.Incast(senders, 0, bytes / std::max(senders, 1U), Time(0));
        }
        else
        {
            flows.Permutation(bytes, Time(0));
        }
        std::cout << run.Execute().Summary();
    });
}

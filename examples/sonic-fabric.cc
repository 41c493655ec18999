// SPDX-License-Identifier: GPL-2.0-only

// Two leaves and two spines with the configurations of switches that run SONiC, as files of
// examples/sonic. Seven hosts write to the eighth; tables like those of SONiC's `show` follow.
//
//   sonic-fabric --leaf=examples/sonic/leaf.json --spine=examples/sonic/spine.json
//   sonic-fabric ... --write=written        # what is in force, as SONiC has it: written/leaf0.json

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A fabric of switches that run SONiC.");
    std::string leaf = "examples/sonic/leaf.json";
    std::string spine = "examples/sonic/spine.json";
    std::string write;
    uint64_t bytes = 2000000;
    RunOptions options;
    program.AddOption("leaf", "config_db.json of both leaves", leaf);
    program.AddOption("spine", "config_db.json of both spines", spine);
    program.AddOption("write", "folder for what is in force, as SONiC has it; empty: none", write);
    program.AddSize("bytes", "bytes that each of seven hosts writes to host 0", bytes);
    options.AddTo(program);

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        // Cables of 5 m to hosts, and of 40 m to spines, as the files say.
        helper.SetLink("Delay", StringValue("25ns"));
        helper.At("leaf to spine").Set("ns3::QbbChannel::Delay", StringValue("200ns"));
        // NICs are no part of the files: PFC for 3 and 4, and the same map of DSCPs.
        helper.SetLosslessClasses({3, 4});
        std::string dscp;
        for (const auto& [from, to] : SonicConfig::Read(leaf).GetMap("DSCP_TO_TC_MAP", "AZURE"))
        {
            dscp += (dscp.empty() ? "" : ",") + std::to_string(from) + ":" + std::to_string(to);
        }
        helper.At("hosts").Set("ns3::QbbNetDevice::TrafficClassMap",
                               StringValue("ns3::TrafficClassMap[Dscp=" + dscp + "]"));
        helper.At("leaf").SetSonicConfig(leaf);
        helper.At("spine").SetSonicConfig(spine);
        const Fabric fabric = helper.LeafSpine(2, 2, 4, 2);
        for (const Finding& finding : CheckBuffers(fabric))
        {
            std::cout << finding.ToLine() << "\n";
        }

        FabricRun run(fabric, options);
        run.Rdma().Incast(7, HostId(0), bytes, MicroSeconds(10));
        std::cout << run.Execute().Summary() << "\nleaf 0\n\n"
                  << SonicShow(fabric.GetSwitch(SwitchId(0))).All();
        if (!write.empty())
        {
            WriteSonicConfig(write + "/leaf0.json", SonicConfigOf(fabric.GetSwitch(SwitchId(0))));
            WriteSonicConfig(write + "/spine0.json", SonicConfigOf(fabric.GetSwitch(SwitchId(2))));
        }
    });
}

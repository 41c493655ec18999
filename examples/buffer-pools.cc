// SPDX-License-Identifier: GPL-2.0-only

// RDMA (class 3, lossless) and UDP (class 0, lossy) meet in the buffer of one switch: hosts 1 and 2
// write to host 0, hosts 3 and 4 flood it. What may the flood take from RDMA, and who pauses or
// drops?
//
//   buffer-pools                                              # one pool; LossyShare bounds the
//   flood buffer-pools --pools="roce lossless 80%; bulk lossy 20%"  # each has its own buffer-pools
//   --portLimit=100KB                            # of the shared space, for each ingress port

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Lossless and lossy classes in one buffer: pools, limits, watermarks.");
    std::string pools;
    uint64_t portLimit = 0;
    RunOptions options;
    options.stop = MilliSeconds(1);
    program.AddOption("pools", "service pools of the switch", pools);
    program.AddSize("portLimit", "shared space of an ingress port, bytes; 0: no limit", portLimit);
    options.AddTo(program);
    program.StandsFor("pools", {"ns3::SwitchMmu::ServicePools"});
    program.StandsFor("portLimit", {"ns3::SwitchMmu::PortLimit"});

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         StringValue("4MiB"),
                         "ServicePools",
                         StringValue(pools),
                         "PortLimit",
                         UintegerValue(portLimit));
        helper.SetScheduler("ns3::DwrrScheduler");
        helper.SetCongestionControl("none"); // PFC alone
        Fabric fabric = helper.Star(5);

        FabricRun run(fabric, options);
        run.Rdma().Add({1, 0, 50000000});
        run.Rdma().Add({2, 0, 50000000});
        for (const uint32_t host : {3, 4})
        {
            SocketFlow::Plan flood;
            flood.source = HostId(host);
            flood.destination = HostId(0);
            run.Sockets().AddUdp(flood, DataRate("60Gbps"), 1400);
        }
        run.Execute();

        const SwitchMmu& mmu = *fabric.GetSwitch(0)->GetMmu();
        std::cout << "the most that was in use, as SONiC calls it (user watermarks):\n";
        for (const Watermark& mark : mmu.GetWatermarks(WatermarkView::USER))
        {
            std::cout << "  " << Watermark::NameOf(mark.statistic) << " ";
            mark.port < 0 ? std::cout << mark.pool
                          : std::cout << "port " << mark.port << " class " << mark.cls;
            std::cout << ": " << mark.bytes << "\n";
        }
        for (const uint32_t port : {1, 3})
        {
            std::cout << mmu.Explain(port, port == 1 ? 3 : 0) << std::endl;
        }
    });
}

// SPDX-License-Identifier: GPL-2.0-only

// The workload scenario of ICC (Wang et al., CMC 2023), figures 12 and 13: H1..Hn and Hb start
// flows at exponential intervals, each to one of R0..R2.
//
//   icc-workload --workload=fb-hadoop --load=0.5 --flows=50000 --outDir=results
//
// The load is the share of the bottleneck that n of the n + 1 senders have in common, P0 of S0. As
// a share of the links of R0..R2, which --loadOf=receivers takes, P0 would be overloaded from a
// load of 0.35 on, and no completion time would mean anything.

#include "byte-buffer.h"
#include "icc-fabric.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Poisson flows through one port to three receivers.");
    RunOptions runOptions;
    runOptions.sample = MicroSeconds(100);
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    std::string kind = "2sw";
    std::string workload = "fb-hadoop";
    std::string loadOf = "uplink";
    double load = 0.5;
    uint32_t hosts = 16;
    uint32_t count = 50000;
    uint64_t buffer = 5000000;
    FabricLinkSpec link{DataRate("100Gbps"), NanoSeconds(5400), 0};
    program.AddOption("topology", "2sw: receivers at S1; 3sw: behind it, at S2", kind);
    program.AddOption("hosts", "n: H1..Hn and Hb send", hosts);
    program.AddOption("workload", "flow sizes: a name or a file", workload);
    program.AddOption("load", "load, 0..1", load);
    program.AddOption("loadOf", "whose share the load is: uplink or receivers", loadOf);
    program.AddOption("flows", "how many flows", count);
    program.AddLinks(link.rate, link.delay);
    program.AddBuffer(buffer);

    return program.Run(argc, argv, [&] {
        const NamedTopology topology = MakeIccTopology(kind, hosts, link);
        if (loadOf != "uplink" && loadOf != "receivers")
        {
            throw FabricError("--loadOf is \"" + loadOf + "\"", "it must be uplink or receivers");
        }
        if (load <= 0 || load > 10)
        {
            throw FabricError("--load is " + ExactText(load), "it must be above 0 and at most 10");
        }
        FabricHelper helper(program.GetOptions());
        SetByteBuffer(helper, buffer);
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.FromTopology(topology.Get());

        const FlowSizeDistribution sizes = FlowSizeDistribution::Load(workload);
        const double senders = hosts + 1;
        const double bitsPerSecond = load * static_cast<double>(link.rate.GetBitRate()) *
                                     (loadOf == "uplink" ? senders / hosts : 3);
        auto gap = CreateObject<ExponentialRandomVariable>();
        auto draw = CreateObject<UniformRandomVariable>();
        gap->SetAttribute("Mean", DoubleValue(8 * sizes.GetMean() / bitsPerSecond));
        gap->SetStream(1);
        draw->SetStream(2);
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        double seconds = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            seconds += gap->GetValue();
            if (seconds > Time::Max().GetSeconds() / 2)
            {
                throw FabricError("flows start after the last time that there is",
                                  "--load must be higher, or --flows lower");
            }
            const uint32_t from = draw->GetInteger(1, hosts + 1);
            RdmaFlow flow;
            flow.source = topology.GetHost(from <= hosts ? "H" + std::to_string(from) : "Hb");
            flow.destination = topology.GetHost("R" + std::to_string(draw->GetInteger(0, 2)));
            flow.bytes = sizes.Draw(draw);
            flow.start = Seconds(seconds);
            flows.Add(flow);
        }
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

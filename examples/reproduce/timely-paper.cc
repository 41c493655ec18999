// SPDX-License-Identifier: GPL-2.0-only

// TIMELY and its patch (Zhu et al., "ECN or Delay", CoNEXT 2016): two flows begin at 7 and 3 Gb/s
// and share a port of 10 Gb/s. TIMELY has no unique fixed point, its patch has: 5 and 5 Gb/s.
//
//   timely-paper --congestion=ns3::RdmaTimely --outDir=results

#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Two flows of TIMELY that begin at different rates.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(200);
    runOptions.sample = MicroSeconds(100);
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaTimely";
    program.AddCongestion(congestion);
    DataRate one("7Gbps");
    DataRate two("3Gbps");
    Time phase;
    uint64_t bytes = 4000000000;
    FabricLinkSpec link{DataRate("10Gbps"), MicroSeconds(4), 0};
    program.AddOption("one", "rate at which the first flow begins", one);
    program.AddOption("two", "rate at which the second flow begins", two);
    program.AddOption("phase", "how much later than the first the second flow begins", phase);
    program.AddSize("bytes", "bytes of each, if --stop does not come before", bytes);
    program.AddLinks(link.rate, link.delay);
    program.StandsFor("one",
                      {"ns3::RdmaTimely::InitialRate", "ns3::RdmaQueuePair::CongestionControl"});
    program.StandsFor("two",
                      {"ns3::RdmaTimely::InitialRate", "ns3::RdmaQueuePair::CongestionControl"});

    return program.Run(argc, argv, [&] {
        NamedTopology topology;
        topology.AddSwitch("S0");
        for (const std::string name : {"H1", "H2", "R"})
        {
            topology.AddHostAt(name, "S0", link);
        }
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.FromTopology(topology.Get());

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        for (uint32_t i = 0; i < 2; ++i)
        {
            ObjectFactory factory =
                program.GetOptions().ToFactory(congestion, RdmaTimely::GetTypeId());
            program.GetOptions().Set(factory, "InitialRate", DataRateValue(i == 0 ? one : two));
            flows.SetCongestionControl(factory);
            flows.Add({i, topology.GetHost("R"), bytes, i * phase});
        }
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

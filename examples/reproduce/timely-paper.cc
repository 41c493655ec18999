// SPDX-License-Identifier: GPL-2.0-only

// TIMELY and its patch (Zhu et al., "ECN or Delay", CoNEXT 2016): two flows begin at 7 and 3 Gb/s
// and share a port of 10 Gb/s. TIMELY has no unique fixed point, its patch has: 5 and 5 Gb/s.
//
//   timely-paper --congestion=ns3::RdmaTimely --outDir=results

#include "named-topology.h"
#include "reproduction.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Two flows of TIMELY that begin at different rates.");
    Reproduction run(program);
    run.congestion = "ns3::RdmaTimely";
    run.stop = MilliSeconds(200);
    run.sample = MicroSeconds(100);
    DataRate one("7Gbps");
    DataRate two("3Gbps");
    uint64_t bytes = 4000000000;
    FabricLinkSpec link{DataRate("10Gbps"), MicroSeconds(4), 0};
    program.AddOption("one", "rate at which the first flow begins", one);
    program.AddOption("two", "rate at which the second flow begins", two);
    program.AddSize("bytes", "bytes of each, if --stop does not come before", bytes);
    program.AddOption("rate", "rate of all links", link.rate);
    program.AddOption("delay", "delay of all links", link.delay);

    return program.Run(argc, argv, [&] {
        NamedTopology topology;
        topology.AddSwitch("S0");
        for (const std::string name : {"H1", "H2", "R"})
        {
            topology.AddHostAt(name, "S0", link);
        }
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl(run.congestion);
        Fabric fabric = helper.FromTopology(topology.Get());

        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < 2; ++i)
        {
            ObjectFactory congestion(run.congestion);
            FabricAttributes::Set(congestion, "InitialRate", DataRateValue(i == 0 ? one : two));
            flows.SetCongestionControl(congestion);
            RdmaFlow flow;
            flow.source = i;
            flow.destination = topology.GetHost("R");
            flow.bytes = bytes;
            flows.Add(flow);
        }
        topology.WriteTo(run.outDir);
        run.Run(fabric, flows);
    });
}

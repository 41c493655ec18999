// SPDX-License-Identifier: GPL-2.0-only

// A leaf-spine fabric in which a link flaps, a host dies, and a NIC pauses for ever. Routes follow
// the link after a delay that grows with the distance, so that switches disagree for a while.
//
//   link-failure --perHop=50us --outDir=results
//
// The run ends although the NIC never stops pausing: the summary lists the flows that did not
// complete, each with its reason; unfinished.csv and faults.csv have all of it.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("Faults in a leaf-spine fabric.");
    Time perHop = MicroSeconds(50);
    uint32_t flaps = 4;
    RunOptions options;
    program.AddOption("perHop", "convergence: delay for each link from the failure", perHop);
    program.AddOption("flaps", "how often the link fails, 0: never", flaps);
    options.AddTo(program);

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(500)));
        const Fabric fabric = helper.LeafSpine(3, 2, 4);
        FabricRun run(fabric, options);
        run.Rdma().Permutation(5000000, Time(0));
        run.Rdma().Incast(4, 0, 1000000, MicroSeconds(100));

        FaultHelper& faults = run.Faults();
        const FabricTopology& topology = fabric.GetTopology();
        const NodeId leaf = topology.GetSwitches()[0];
        const NodeId spine = topology.GetSwitches()[3];
        if (flaps > 0)
        {
            faults.GetConvergence().SetByDistance(MicroSeconds(20), perHop);
            faults.FlapLink(topology.FindLink(leaf, spine),
                            MicroSeconds(100),
                            MicroSeconds(100),
                            MicroSeconds(300),
                            flaps);
        }
        faults.KillHost(5, MicroSeconds(150));
        faults.StormHost(9, MicroSeconds(200));
        const RunResults& results = run.Execute();
        std::cout << "Faults:\n";
        for (const FaultHelper::Event& event : faults.GetLog())
        {
            std::cout << "  " << event.time.As(Time::US) << (event.begins ? " begins " : " ends ")
                      << event.what << " of " << event.where << '\n';
        }
        std::cout << '\n' << results.Summary();
    });
}

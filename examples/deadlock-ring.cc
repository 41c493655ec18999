// SPDX-License-Identifier: GPL-2.0-only

// Four leaf-spine flows on a ring of buffers: links to two other leaves have failed, so that their
// traffic comes down to a leaf and goes up again. Finds the circle before the run, draws it, and
// reports, stops at, or breaks the deadlock.
//
//   deadlock-ring --action=Drain
//   deadlock-ring --dot=ring.dot && dot -Tpng -o ring.png ring.dot
//   deadlock-ring --tagger

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A ring of buffers in a leaf-spine fabric with two failed links.");
    std::string action = "Stop";
    std::string dot;
    bool tagger = false;
    uint64_t bytes = 10000000;
    RunOptions options;
    options.stop = MilliSeconds(50);
    program.AddOption("action", "about a deadlock: Report, Stop or Drain", action);
    program.AddOption("dot", "file for the graph of the circles; empty: none", dot);
    program.AddOption("tagger", "prevent it: bounced frames get another class", tagger);
    program.AddSize("bytes", "bytes of each flow", bytes);
    options.AddTo(program);
    program.StandsFor("action", {"ns3::DeadlockDetector::Action"});

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        helper.SetLosslessClasses({3, 4});
        helper.SetCongestionControl("none");
        helper.SetLoadBalancer("ns3::EcmpLoadBalancer", "Seed", IntegerValue(7));
        Fabric fabric = helper.LeafSpine(4, 2, 8);
        // Leaves are the nodes 32 to 35, spines 36 and 37: leaf 2 loses spine 1, leaf 3 spine 0.
        const FabricTopology& topology = fabric.GetTopology();
        fabric.SetLinkUp(topology.FindLink(34, 37), false);
        fabric.SetLinkUp(topology.FindLink(35, 36), false);

        DeadlockHelper deadlocks(fabric);
        deadlocks.InstallDetector("Action", StringValue(action));
        if (tagger)
        {
            deadlocks.InstallTagger({3, 4});
        }
        const auto graph = BufferDependencyGraph::FromRoutes(fabric);
        std::cout << graph.GetComponents().size()
                  << " sets of buffers that can wait for each other in a circle, by the routes\n";
        for (const std::string& line : graph.Describe())
        {
            std::cout << "  " << line << '\n';
        }
        if (!dot.empty())
        {
            ResultFile::Make(dot, [&graph](std::ostream& to) { graph.PrintDot(to, false); });
        }

        FabricRun run(fabric, options);
        for (uint32_t i = 0; i < 8; ++i)
        {
            // Leaf 0 and leaf 1 with each other, and leaf 2 and leaf 3 through them.
            for (const auto& [from, to] : {std::pair(0, 8), {8, 0}, {16, 24}, {24, 16}})
            {
                RdmaFlow flow;
                flow.source = from + i;
                flow.destination = to + i;
                flow.bytes = bytes;
                run.Rdma().Add(flow);
            }
        }
        std::cout << '\n' << run.Execute().Summary();
    });
}

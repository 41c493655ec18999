// SPDX-License-Identifier: GPL-2.0-only

// Every host of a fat-tree sends to another one, at 100 Gb/s under DCQCN and PFC: the same work for
// any number of processes, which a build with MPI has (doc/ranks.rst).
//
//   fat-tree-permutation --k=8 --bytes=1MB
//   mpirun -np 2 fat-tree-permutation --mpi --k=16

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A permutation of messages in a fat-tree.");
    uint32_t k = 8;
    uint64_t bytes = 1000000;
    uint64_t buffer = 16 << 20;
    uint32_t rounds = 1;
    bool ties = true;
    bool read = false;
    double errorRate = 0;
    std::string congestion = "ns3::RdmaDcqcn";
    RunOptions options;
    program.AddOption("k", "ports of a switch: k^3 / 4 hosts", k);
    program.AddSize("bytes", "bytes that each host sends", bytes);
    program.AddOption("rounds", "permutations, one after the other at 10 us", rounds);
    program.AddOption("ties", "false: cables differ by picoseconds, and events rarely tie", ties);
    program.AddOption("read", "hosts fetch by READ what others would WRITE to them", read);
    program.AddOption("errorRate", "share of frames that a cable loses", errorRate);
    program.AddBuffer(buffer);
    program.AddCongestion(congestion);
    options.AddTo(program);

    return program.Run(argc, argv, [&] {
        constexpr uint32_t mostRounds = 1000;
        if (rounds == 0 || rounds > mostRounds)
        {
            throw FabricError("--rounds is " + std::to_string(rounds),
                              "it must be 1 to " + std::to_string(mostRounds));
        }
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", UintegerValue(buffer));
        helper.SetLink("ErrorRate", DoubleValue(errorRate));
        helper.AllowLossy(errorRate > 0);
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.FatTree(k);
        for (const LinkId link : fabric.GetTopology().Links())
        {
            if (!ties)
            {
                constexpr uint32_t prime = 7919;
                constexpr uint32_t most = 10007; // ps
                fabric.GetChannel(link)->SetDelay(MicroSeconds(1) -
                                                  PicoSeconds(link.Value() * prime % most));
            }
        }
        FabricRun run(fabric, options);
        run.Rdma().SetVerb(read ? RdmaVerb::READ : RdmaVerb::WRITE);
        for (uint32_t round = 0; round < rounds; ++round)
        {
            run.Rdma().Permutation(bytes, round * MicroSeconds(10));
        }
        std::cout << run.Execute().Summary();
    });
}

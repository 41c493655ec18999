// SPDX-License-Identifier: GPL-2.0-only

// The evaluation of HPCC (Li et al., SIGCOMM 2019), scaled down to 32 hosts: two ToRs of 16 hosts
// at 100 Gb/s, two spines, no oversubscription; a workload at 30 or 50 % load, and an incast with 2
// % of the capacity on top.
//
//   hpcc-paper --workload=websearch --load=0.3 --outDir=results

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A workload with incast on two ToRs of 16 hosts.");
    RunOptions runOptions;
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    std::string workload = "fb-hadoop";
    double load = 0.5;
    Time duration = MilliSeconds(5);
    uint32_t senders = 16;
    uint64_t bytes = 500000;
    double incastShare = 0.02;
    uint32_t hostsPerTor = 16;
    uint64_t buffer = 32000000;
    program.AddOption("workload", "flow sizes: a name or a file", workload);
    program.AddOption("load", "share of the hosts' links", load);
    program.AddOption("duration", "time during which flows arrive", duration);
    program.AddOption("senders", "senders of the incast; 0: no incast", senders);
    program.AddSize("bytes", "bytes that each of them sends", bytes);
    program.AddOption("incastShare", "incast as a share of the capacity", incastShare);
    program.AddOption("hosts", "hosts at each ToR", hostsPerTor);
    program.AddBuffer(buffer);

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", UintegerValue(buffer));
        helper.SetCongestionControl(congestion);
        Fabric fabric = helper.LeafSpine(2, 2, hostsPerTor);

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        flows.Poisson(workload, load, duration);
        if (senders > 0)
        {
            if (incastShare <= 0 || incastShare > 1)
            {
                throw FabricError("--incastShare is " + ExactText(incastShare),
                                  "it must be more than 0 and at most 1; --senders=0: none");
            }
            const double capacity = 100e9 * fabric.GetNHosts();
            const double seconds =
                8.0 * senders * static_cast<double>(bytes) / (incastShare * capacity);
            if (seconds <= 0 || seconds > Time::Max().GetSeconds() / 2)
            {
                throw FabricError("incasts of --bytes at --incastShare are " + ExactText(seconds) +
                                      " s apart",
                                  "it must be a time above 0 that fits into the clock");
            }
            const Time period = Seconds(seconds);
            const auto repeats = static_cast<uint32_t>(duration.GetSeconds() / period.GetSeconds());
            flows.Incast(senders, 0, bytes, period / 2, std::max(repeats, 1U), period);
        }
        std::cout << run.Execute().Summary();
    });
}

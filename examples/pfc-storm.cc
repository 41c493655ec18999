// SPDX-License-Identifier: GPL-2.0-only

// A NIC that sends PAUSE for ever stops a whole fabric; watchdogs keep the damage to its host.
//
//   pfc-storm                         # no watchdog: nobody receives anything
//   pfc-storm --watchdog=tor          # in the ToR switches
//   pfc-storm --watchdog=nic          # in the NICs
//
// Real watchdogs wait for 100 ms and more. Here all their times are multiplied by --scale.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    FabricProgram program("A pause storm, and watchdogs against it.");
    std::string watchdog = "none";
    std::string dialect = "ns3::Guo16Storm";
    double scale = 0.01;
    RunOptions options;
    options.stop = MilliSeconds(40);
    program.AddOption("watchdog", "none, nic or tor", watchdog);
    program.AddOption("dialect", "what switches take for a storm", dialect);
    program.AddOption("scale", "factor of the times of watchdogs", scale);
    options.AddTo(program);
    program.StandsFor("dialect", {"ns3::PfcWatchdog::Dialect"});
    program.StandsFor("scale", {"ns3::PfcWatchdog::TimeScale", "ns3::NicWatchdog::TimeScale"});

    return program.Run(argc, argv, [&] {
        if (options.stop.IsZero())
        {
            throw FabricError("--stop is 0, and the storm does not end", "it must be above 0");
        }
        // Wrong values are errors whether this run uses them or not.
        FabricAttributes::Check(PfcWatchdog::GetTypeId(), "Dialect", StringValue(dialect));
        FabricAttributes::Check(PfcWatchdog::GetTypeId(), "TimeScale", DoubleValue(scale));
        FabricHelper helper(program.GetOptions());
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        Fabric fabric = helper.LeafSpine(2, 2, 4);

        WatchdogHelper watchdogs(fabric);
        if (watchdog == "tor")
        {
            watchdogs.InstallSwitchesAt(watchdogs.GetTors(),
                                        "Dialect",
                                        StringValue(dialect),
                                        "TimeScale",
                                        DoubleValue(scale));
        }
        else if (watchdog == "nic")
        {
            watchdogs.InstallNics("TimeScale", DoubleValue(scale));
        }
        else if (watchdog != "none")
        {
            throw FabricError("--watchdog is \"" + watchdog + "\"", "it must be none, nic or tor");
        }

        // Everyone sends to host 0 and to a neighbour.
        FabricRun run(fabric, options);
        run.Rdma().Incast(7, 0, 20000000, MicroSeconds(10));
        run.Rdma().Permutation(40000000, MicroSeconds(10));

        // After 1 ms the receive pipeline of host 0 dies.
        const auto nic = fabric.GetRdma(0)->GetDevice(0);
        Simulator::Schedule(MilliSeconds(1), [nic] { nic->OverridePause(1U << 3, 0); });

        std::cout << run.Execute().Summary();
    });
}

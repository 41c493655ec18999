// SPDX-License-Identifier: GPL-2.0-only

// The pause storm of Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, figures 5 and
// 9: in a Clos network the receive pipeline of host 0 dies, and its NIC sends PAUSE for ever.
//
//   guo16-storm --watchdog=tor --dialect=ns3::Guo16Storm --outDir=results
//
// Every host sends to host 0, and to one other host of its own: the victims. Flows have fixed
// rates, for which --congestion is not asked, and never end, so that fct.csv is empty; --stop ends
// the run. The times of the watchdogs are scaled by --scale.

#include "ecmp-draw.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A flow for ever.
void
AddFlow(RdmaFlowHelper& flows, uint32_t source, uint32_t destination)
{
    flows.Add({source, destination, uint64_t{1} << 40});
}

/// @return a congestion control that keeps to a rate
ObjectFactory
AtRate(double bitsPerSecond)
{
    ObjectFactory factory("ns3::RdmaFixedRate");
    factory.Set("Rate", DataRateValue(DataRate(static_cast<uint64_t>(bitsPerSecond))));
    return factory;
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("A NIC that pauses its switch for ever, and watchdogs against it.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(12);
    runOptions.AddTo(program);
    std::string watchdog = "none";
    std::string dialect = "ns3::Guo16Storm";
    std::string action = "Drop";
    bool allPorts = false;
    double scale = 0.01;
    uint32_t k = 4;
    uint64_t buffer = 2000000;
    Time storm = MilliSeconds(1);
    Time end = Time(0);
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(1), 0};
    program.AddOption("watchdog", "none, nic (in all NICs) or tor (in all ToR switches)", watchdog);
    program.AddOption("dialect", "what ToR switches take for a storm", dialect);
    program.AddOption("action", "what they do: Drop, Forward or Alert", action);
    program.AddOption("allPorts",
                      "watch all ports of all switches, and not those to hosts",
                      allPorts);
    program.AddOption("scale", "factor of the times of all watchdogs", scale);
    program.AddOption("k", "ports of the switches of the Clos network", k);
    program.AddBuffer(buffer);
    program.AddOption("storm", "when the storm begins", storm);
    program.AddOption("end", "when the storm ends; 0: never", end);
    program.AddOption("rate", "rate of all links", link.rate);
    EcmpDraw ecmp(program);
    program.StandsFor("dialect", {"ns3::PfcWatchdog::Dialect"});
    program.StandsFor("action", {"ns3::PfcWatchdog::Action"});
    program.StandsFor("allPorts", {"ns3::PfcWatchdog::ServerPortsOnly"});
    program.StandsFor("scale", {"ns3::PfcWatchdog::TimeScale", "ns3::NicWatchdog::TimeScale"});
    program.StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});

    return program.Run(argc, argv, [&] {
        if (runOptions.stop.IsZero())
        {
            throw FabricError("--stop is 0, and the flows do not end", "it must be above 0");
        }
        if (k < 4)
        {
            throw FabricError("--k is " + std::to_string(k), "it must be 4 or more: 16 hosts");
        }
        if (!end.IsZero() && end <= storm)
        {
            throw FabricError("the storm ends before it begins", "--end must be after --storm");
        }
        FabricHelper helper(program.GetOptions());
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", UintegerValue(buffer));
        Fabric fabric = helper.FromTopology(FabricTopology::FatTree(k, link));
        ecmp.Install(fabric);
        WatchdogHelper watchdogs(fabric);
        if (watchdog == "nic")
        {
            watchdogs.InstallNics("TimeScale", DoubleValue(scale));
        }
        else if (watchdog == "tor")
        {
            watchdogs.InstallSwitchesAt(allPorts ? watchdogs.AllSwitches() : watchdogs.GetTors(),
                                        "Dialect",
                                        StringValue(dialect),
                                        "Action",
                                        StringValue(action),
                                        "TimeScale",
                                        DoubleValue(scale),
                                        "ServerPortsOnly",
                                        BooleanValue(!allPorts));
        }
        else if (watchdog != "none")
        {
            throw FabricError("--watchdog is \"" + watchdog + "\"", "it must be none, nic or tor");
        }

        // Host 0 is offered 75 % of its link, and each victim 15 %; ECMP may put four on one link.
        const uint32_t hosts = fabric.GetNHosts();
        const auto bitsPerSecond = static_cast<double>(link.rate.GetBitRate());
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        flows.SetCongestionControl(AtRate(0.75 * bitsPerSecond / (hosts - 1)));
        for (uint32_t host = 1; host < hosts; ++host)
        {
            AddFlow(flows, host, 0);
        }
        flows.SetCongestionControl(AtRate(0.15 * bitsPerSecond));
        for (uint32_t host = 1; host < hosts; ++host)
        {
            AddFlow(flows, host, 1 + (host - 1 + hosts / 2) % (hosts - 1));
        }
        const auto nic = fabric.GetRdma(0)->GetDevice(0);
        Simulator::Schedule(storm, [nic] { nic->OverridePause(nic->GetActivePfcClasses(), 0); });
        if (!end.IsZero())
        {
            Simulator::Schedule(end, [nic] { nic->OverridePause(0, nic->GetIssuer().Muted()); });
        }
        std::cout << run.Execute().Summary();
    });
}

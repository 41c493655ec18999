// SPDX-License-Identifier: GPL-2.0-only

// A micro-loop while routing converges after a link failure (UCloud's account of deadlocks in its
// lossless network). Switches A B C E D form a ring; hosts of A send to hosts of D. When the link
// A-D fails, A learns after some time to go by B, and B, which has gone by A so far, to go by C: in
// the time between, packets for D go back and forth between A and B.
//
//   microloop-deadlock --delayA=1ms --delayB=2ms --outDir=results

#include "deadlock-run.h"
#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

/// Let a switch go another way to a host, at a time.
void
ScheduleRoute(const Fabric& fabric, uint32_t from, uint32_t to, HostId host, Time when)
{
    const FabricTopology& topology = fabric.GetTopology();
    const auto port = static_cast<uint16_t>(topology.GetPort(from, topology.FindLink(from, to)));
    const auto at = fabric.GetSwitch(from); // nodes 0 to 4 are the switches
    Simulator::Schedule(when,
                        [at, port, host = fabric.GetAddress(host)] { at->AddRoute(host, {port}); });
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("A micro-loop after a link failure.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(30);
    runOptions.sample = MicroSeconds(100);
    runOptions.AddTo(program);
    std::string congestion = "none";
    program.AddCongestion(congestion);
    DeadlockRun deadlock(program, runOptions);
    Time failure = MilliSeconds(1);
    Time delayA = MicroSeconds(200);
    Time delayB = MilliSeconds(2);
    uint32_t ttl = 64;
    uint32_t senders = 2;
    uint64_t bytes = 10000000;
    DataRate inject("10Gbps");
    FabricLinkSpec link{DataRate("100Gbps"), MicroSeconds(1), 0};
    program.AddOption("failure", "when the link A-D fails", failure);
    program.AddOption("delayA", "time from then until A goes by B", delayA);
    program.AddOption("delayB", "time from then until B goes by C", delayB);
    program.AddOption("ttl", "TTL of packets as they are sent", ttl);
    program.AddOption("senders", "hosts at A, each sends to one at D", senders);
    program.AddSize("bytes", "that each of them sends", bytes);
    program.AddOption("inject", "rate of each of them without congestion control", inject);
    program.AddLinks(link.rate, link.delay);
    program.StandsFor("ttl", {"ns3::RdmaQueuePair::InitialTtl"});
    program.StandsFor("inject",
                      {"ns3::RdmaFixedRate::Rate", "ns3::RdmaQueuePair::CongestionControl"});

    return program.Run(argc, argv, [&] {
        NamedTopology topology;
        const std::string names[] = {"A", "B", "C", "E", "D"};
        for (const std::string& name : names)
        {
            topology.AddSwitch(name);
        }
        for (uint32_t i = 0; i < 5; ++i)
        {
            topology.AddLink(names[i], names[(i + 1) % 5], link);
        }
        for (uint32_t i = 0; i < senders; ++i)
        {
            topology.AddHostAt("HA" + std::to_string(i), "A", link);
            topology.AddHostAt("HD" + std::to_string(i), "D", link);
        }
        topology.AddHostAt("VA", "A", link);
        topology.AddHostAt("VB", "B", link);
        FabricHelper helper(program.GetOptions());
        if (congestion == "none")
        {
            helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", DataRateValue(inject));
        }
        else
        {
            helper.SetCongestionControl(congestion);
        }
        helper.SetQueuePair("InitialTtl", UintegerValue(ttl), "RetryLimit", UintegerValue(254));
        deadlock.Prepare(helper);
        Fabric fabric = helper.FromTopology(topology.Get());
        DeadlockHelper deadlocks(fabric);
        deadlock.Install(deadlocks);

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        for (uint32_t i = 0; i < senders; ++i)
        {
            const std::string number = std::to_string(i);
            topology.AddFlow(flows, "HA" + number, "HD" + number, bytes, Time(0));
            const HostId host = topology.GetHost("HD" + number);
            ScheduleRoute(fabric, 0, 1, host, failure + delayA);
            ScheduleRoute(fabric, 1, 2, host, failure + delayB);
            // D answers the other way.
            const HostId sender = topology.GetHost("HA" + number);
            ScheduleRoute(fabric, 4, 3, sender, failure);
            ScheduleRoute(fabric, 3, 2, sender, failure);
        }
        topology.AddFlow(flows, "VA", "VB", 2 * bytes, Time(0)); // has nothing to do with D
        const auto cable = fabric.GetChannel(fabric.GetTopology().FindLink(0, 4));
        Simulator::Schedule(failure, [cable] { cable->SetUp(false); });
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
    });
}

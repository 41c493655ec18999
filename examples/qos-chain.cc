// SPDX-License-Identifier: GPL-2.0-only

// Which number does a frame have where? Hosts mark RDMA as PCP 3 and DSCP 24; the hop over the
// spine is routed, and the 802.1Q tag ends there. Ports that trust the tag lose the class, ports
// that trust the DSCP keep it. Then class, queue, priority group and PFC priority get numbers of
// their own, and one wrong map makes the pauses of a link stop another queue.
//
//   qos-chain --bytes=3MB

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

/// Class 3 waits in queue 5 and is booked in priority group 1, whose pauses name PFC priority 4.
const char* const CHAIN =
    "|Queue=3:5,5:3|PriorityGroup=1:3,3:1|PfcPriority=1:4,4:1|PfcQueue=4:5,5:4";

/**
 * Hosts 1 to 3 send to host 0 of leaf 0.
 * @param program has options @param name of the case @param map text of all class maps
 * @param pfc the PFC priority @param wrong PfcQueue of the spine's port to leaf 0; empty:
 * as in the map @param bytes that each sends
 */
void
RunCase(FabricProgram& program,
        const std::string& name,
        const std::string& map,
        uint32_t pfc,
        const std::string& wrong,
        uint64_t bytes)
{
    FabricHelper helper(program.GetOptions());
    helper.AllowLossy(); // to see what is lost
    helper.SetCongestionControl("none");
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1500KB"));
    helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
    helper.SetLosslessClasses({pfc});
    helper.At("all").Set("ns3::QbbNetDevice::TrafficClassMap", StringValue(map));
    helper.At("leaf").AddSwitchExtension("ns3::BorderPolicy[Rules=any untag|Ports=2]");
    const Fabric fabric = helper.LeafSpine(2, 1, 2);
    if (!wrong.empty())
    {
        fabric.At("spine 0 port 0").Set("ns3::TrafficClassMap::PfcQueue", StringValue(wrong));
    }
    std::cout << name << '\n';
    for (const Finding& finding : CheckBuffers(fabric))
    {
        std::cout << "  check: " << finding.ToLine() << '\n';
    }
    RunOptions options;
    options.stop = MilliSeconds(5); // what is lost is sent again and again
    FabricRun run(fabric, options);
    run.Rdma().Incast(3, 0, bytes, Time(0));
    const RunResults& results = run.Execute();
    const QbbNetDevice& toHost = *fabric.GetSwitch(0)->GetPort(0);
    std::cout << "  queues of leaf 0 to host 0:";
    for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
    {
        const uint64_t sent = toHost.GetCounters().txClassBytes[queue];
        std::cout << (sent > bytes ? " " + std::to_string(queue) : "");
    }
    const RunTotals& totals = results.totals;
    std::cout << "; XOFF frames: " << totals.pfc.xoffFrames
              << "; frames lost: " << totals.losslessDrops + totals.lossyDrops << "\n\n";
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Class, queue, priority group and PFC priority on one path.");
    uint64_t bytes = 3000000;
    program.AddSize("bytes", "bytes that each of three hosts sends", bytes);
    return program.Run(argc, argv, [&] {
        const std::string chain = std::string("ns3::TrafficClassMap[Trust=Dscp") + CHAIN + "]";
        RunCase(program, "Trust in PCP", "ns3::TrafficClassMap[Trust=Dot1p]", 3, "", bytes);
        RunCase(program, "Trust in DSCP", "ns3::TrafficClassMap[Trust=Dscp]", 3, "", bytes);
        RunCase(program, "Numbers of their own", chain, 4, "", bytes);
        RunCase(program, "A PFC priority that stops another queue", chain, 4, "4:4", bytes);
    });
}

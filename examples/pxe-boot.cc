// SPDX-License-Identifier: GPL-2.0-only

// Why DSCP-based PFC (Guo et al., SIGCOMM 2016, section 3)? The priority of PFC is a field of the
// 802.1Q tag, so that ports to servers are trunk ports. A server that boots over the network has no
// VLAN yet: it sends and receives untagged frames, and trunk ports carry none. With access ports it
// boots, and RDMA loses its tag and its lossless class. By the DSCP both work.
//
//   pxe-boot --bytes=2MB

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lossless-module.h"

#include <iomanip>
#include <iostream>

using namespace ns3;

namespace
{

constexpr uint32_t SENDERS = 5;          ///< servers 1 to 5 send RDMA to server 0
constexpr uint32_t BOOTING = 6;          ///< a server that boots
constexpr uint32_t SERVICE = 7;          ///< of which it asks its image
constexpr uint32_t DATAGRAMS = 50;       ///< so many parts
constexpr uint16_t BOOT_PORT = 69;       ///< TFTP
constexpr uint32_t DATAGRAM_BYTES = 512; ///< of a part

/// How the ports of the switch are set up.
struct Case
{
    const char* name;
    const char* ports;   ///< of VlanPorts
    const char* servers; ///< Trust of the class maps of servers: how they mark RDMA
    const char* fabric;  ///< and of the switch
};

/// The last port is that of the service, which has no tags either.
const Case CASES[] = {
    {"trunk ports, PCP", "Trunk=0-6|Access=7", "Dot1p", "Dot1p"},
    {"access ports, PCP", "Access=0-7", "Dscp", "Dot1p"},
    {"access ports, DSCP", "Access=0-7", "Dscp", "Dscp"},
};

/// @param program has options @param one the case @param bytes that each server sends
void
RunCase(FabricProgram& program, const Case& one, uint64_t bytes)
{
    FabricHelper helper(program.GetOptions());
    if (one.servers != std::string(one.fabric))
    {
        helper.AllowLossy(); // the switch takes untagged frames for class 0, which has no PFC
    }
    helper.SetCongestionControl("none");
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1500KB"));
    helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
    helper.At("hosts").Set("ns3::TrafficClassMap::Trust", StringValue(one.servers));
    helper.At("switches").Set("ns3::TrafficClassMap::Trust", StringValue(one.fabric));
    helper.At("switches").AddSwitchExtension(std::string("ns3::VlanPorts[") + one.ports + "]");
    const Fabric fabric = helper.Star(SERVICE + 1);
    fabric.InstallInternet();

    UdpEchoServerHelper(BOOT_PORT).Install(fabric.GetHost(SERVICE)).Start(Time(0));
    UdpEchoClientHelper client(fabric.GetAddress(SERVICE), BOOT_PORT);
    client.SetAttribute("MaxPackets", UintegerValue(DATAGRAMS));
    client.SetAttribute("Interval", TimeValue(MicroSeconds(20)));
    client.SetAttribute("PacketSize", UintegerValue(DATAGRAM_BYTES));
    ApplicationContainer boot = client.Install(fabric.GetHost(BOOTING));
    boot.Start(Time(0));
    uint32_t parts = 0;
    boot.Get(0)->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>>([&parts](Ptr<const Packet>) { ++parts; }));

    RunOptions options;
    options.stop = MilliSeconds(20);
    options.stopWhenDone = false;
    FabricRun run(fabric, options);
    run.Rdma().Incast(SENDERS, 0, bytes, Time(0));
    Time last;
    run.Rdma().OnEnd([&last](const RdmaFlowResult&) { last = Simulator::Now(); });
    const RunTotals& totals = run.Execute().totals;
    const auto refused = totals.drops[static_cast<std::size_t>(DropReason::VLAN)];
    const auto goodput = static_cast<double>(8 * bytes * run.Rdma().GetNCompleted()) / 1e9;
    std::cout << std::left << std::setw(20) << one.name << std::right << std::setw(9) << parts
              << " of " << DATAGRAMS << std::setw(10) << std::fixed << std::setprecision(1)
              << (last.IsZero() ? 0 : goodput / last.GetSeconds()) << std::setw(8)
              << totals.pfc.xoffFrames << std::setw(13)
              << totals.losslessDrops + totals.lossyDrops - refused << std::setw(10) << refused
              << '\n';
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program(
        "Trunk and access ports: a server that boots over the network, and RDMA.");
    uint64_t bytes = 2000000;
    program.AddSize("bytes", "bytes that each of five servers sends", bytes);
    return program.Run(argc, argv, [&] {
        std::cout << "                     boot parts   goodput    XOFF  lost in the   refused\n"
                     "                    that arrive      Gb/s  frames       buffer  at ports\n";
        for (const Case& one : CASES)
        {
            RunCase(program, one, bytes);
        }
    });
}

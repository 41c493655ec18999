// SPDX-License-Identifier: GPL-2.0-only
#include "stock-chain.h"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-helper.h"

using namespace ns3;

BenchResult
RunStockChain(uint64_t packets, const std::string& scheduler)
{
    BenchResult result;
    result.scenario = "stock-chain";
    result.hosts = 2;
    UseEvents(scheduler);
    const double begin = CpuSeconds();
    NodeContainer nodes(4);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    link.SetChannelAttribute("Delay", StringValue("1us"));
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    Ipv4Address destination;
    for (uint32_t i = 0; i < 3; ++i)
    {
        auto devices = link.Install(nodes.Get(i), nodes.Get(i + 1));
        destination = addresses.Assign(devices).GetAddress(1);
        addresses.NewNetwork();
        TrafficControlHelper().Uninstall(devices);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    auto server = UdpServerHelper(9).Install(nodes.Get(3)).Get(0);
    UdpClientHelper client(destination, 9);
    client.SetAttribute("MaxPackets", UintegerValue(packets));
    client.SetAttribute("Interval", TimeValue(NanoSeconds(84)));
    client.SetAttribute("PacketSize", UintegerValue(1000));
    client.Install(nodes.Get(0)).Start(MicroSeconds(10));
    Simulator::Stop(MicroSeconds(100) + NanoSeconds(84) * packets);
    result.setupSeconds = CpuSeconds() - begin;

    const double start = CpuSeconds();
    Simulator::Run();
    result.cpuSeconds = CpuSeconds() - start;
    result.events = Simulator::GetEventCount();
    result.simSeconds = Simulator::Now().GetSeconds();
    result.flows = packets;
    result.flowsCompleted = DynamicCast<UdpServer>(server)->GetReceived();
    result.packetHops = 3 * result.flowsCompleted; // no packet is lost: flowsCompleted says so
    Simulator::Destroy();
    return result;
}

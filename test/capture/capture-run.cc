// SPDX-License-Identifier: GPL-2.0-only

// Captures of real runs, taken as a user takes them: stock TCP, UDP and ICMP over both IP versions
// on a cable, all RDMA verbs with PFC and CNPs through a switch, VXLAN tunnels. Beside each, what
// must be found in it.
//
//   capture-run FOLDER      writes stock-offload, stock-checksums, fabric-1-0, tunnel4-4-0,
//                           tunnel6-4-0; .pcap and .filters

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/qbb-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

constexpr uint16_t OPEN_PORT = 9;
constexpr uint16_t CLOSED_PORT = 10;
constexpr uint16_t TCP_PORT = 5001;

/// Writes NAME.filters.
void
Expect(const std::string& path, const std::string& lines)
{
    std::ofstream(path + ".filters") << lines;
}

QbbHelper
MakeHelper()
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    helper.SetDeviceAttribute("ComputeIcrc", BooleanValue(true));
    helper.SetChannelAttribute("Delay", StringValue("1us"));
    return helper;
}

/// Three packets, one a millisecond.
void
Echo(Ptr<Node> node, const Address& address)
{
    UdpEchoClientHelper client(address);
    client.SetAttribute("MaxPackets", UintegerValue(3));
    client.SetAttribute("Interval", StringValue("1ms"));
    client.SetAttribute("PacketSize", UintegerValue(301));
    client.Install(node).Start(Seconds(2)); // after IPv6's duplicate address detection
}

void
Bulk(Ptr<Node> node, const Address& address)
{
    BulkSendHelper bulk("ns3::TcpSocketFactory", address);
    bulk.SetAttribute("MaxBytes", UintegerValue(20000));
    bulk.Install(node).Start(Seconds(2));
}

/**
 * Stock applications between two hosts.
 * @param path of the capture, without ".pcap"
 * @param checksums ns-3's ChecksumEnabled. Without, the capture shows what a NIC with checksum
 *        offload sends; ICMP errors are left out then, as they quote a packet before the offload
 */
void
RunStock(const std::string& path, bool checksums)
{
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(checksums));
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    QbbHelper link = MakeHelper();
    NetDeviceContainer ports = link.Install(nodes);
    link.EnablePcap(path + ".pcap", ports.Get(0), true, true);

    Ipv4AddressHelper ipv4(checksums ? "10.0.1.0" : "10.0.0.0", "255.255.255.0");
    const auto addresses4 = ipv4.Assign(ports);
    Ipv6AddressHelper ipv6(checksums ? "fd00:1::" : "fd00::", 64);
    const auto addresses6 = ipv6.Assign(ports);
    const Ipv4Address peer4 = addresses4.GetAddress(1);
    const Ipv6Address peer6 = addresses6.GetAddress(1, 1);

    UdpEchoServerHelper(OPEN_PORT).Install(nodes.Get(1));
    for (const Address& any : {Address(InetSocketAddress(Ipv4Address::GetAny(), TCP_PORT)),
                               Address(Inet6SocketAddress(Ipv6Address::GetAny(), TCP_PORT))})
    {
        PacketSinkHelper("ns3::TcpSocketFactory", any).Install(nodes.Get(1));
    }
    for (uint16_t port : {OPEN_PORT, checksums ? CLOSED_PORT : OPEN_PORT})
    {
        Echo(nodes.Get(0), InetSocketAddress(peer4, port));
        Echo(nodes.Get(0), Inet6SocketAddress(peer6, port));
    }
    Bulk(nodes.Get(0), InetSocketAddress(peer4, TCP_PORT));
    Bulk(nodes.Get(0), Inet6SocketAddress(peer6, TCP_PORT));
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    Simulator::Destroy();

    const std::string echoes = checksums ? "6" : "12";
    const std::string errors = checksums ? "3" : "0";
    Expect(path,
           echoes + " ip && udp.port == 9 && !icmp\n" +             //
               echoes + " ipv6 && udp.port == 9 && !icmpv6\n" +     //
               errors + " ip && udp.dstport == 10 && !icmp\n" +     //
               errors + " ipv6 && udp.dstport == 10 && !icmpv6\n" + //
               errors + " icmp.type == 3 && icmp.code == 3\n" +     //
               errors +
               " icmpv6.type == 1\n"
               "+ icmpv6.type == 133\n"
               "1 ip && tcp.dstport == 5001 && tcp.flags.syn == 1\n"
               "1 ip && tcp.srcport == 5001 && tcp.flags.fin == 1\n"
               "1 ipv6 && tcp.dstport == 5001 && tcp.flags.syn == 1\n"
               "1 ipv6 && tcp.srcport == 5001 && tcp.flags.fin == 1\n"
               "+ tcp.len > 500\n"
               "0 tcp.analysis.flags && !tcp.analysis.window_update\n"
               "0 infiniband || macc\n");
}

/// All verbs through a switch, short of buffer and eager to mark, so that PFC and CNPs come too.
void
RunFabric(const std::string& path)
{
    FabricHelper helper;
    helper.SetLink("ComputeIcrc", BooleanValue(true));
    helper.SetSwitch("ns3::SwitchMmu",
                     "BufferSize",
                     StringValue("2MiB"),
                     "Alpha",
                     DoubleValue(1.0 / 128));
    helper.SetAlphaBySpeed(false);
    helper.SetEcnThresholds(DataRate("100Gbps"), 5000, 20000, 0.5);
    helper.SetQueuePair("AckInterval", UintegerValue(4));
    const Fabric fabric = helper.Star(4);
    fabric.EnablePcap(path, {fabric.GetTopology().GetHosts()[1]});

    const auto first = fabric.Connect(1, 0);
    first.destination->PostReceive(3);
    first.source->Post({RdmaVerb::WRITE, 300001});
    first.source->Post({RdmaVerb::WRITE_IMM, 1024});
    first.source->Post({RdmaVerb::SEND, 2500});
    first.source->Post({RdmaVerb::SEND_IMM, 100});
    first.source->Post({RdmaVerb::READ, 5000});
    for (uint32_t host : {2, 3})
    {
        fabric.Connect(host, 0).source->Post({RdmaVerb::WRITE, 300000});
    }
    Simulator::Run();
    Simulator::Destroy();

    // 300,001 bytes are 293 packets of at most 1024 bytes, the last of one byte and three of pad.
    Expect(path + "-1-0",
           "1 infiniband.bth.opcode == 6 && infiniband.reth.dmalen == 300001\n"
           "291 infiniband.bth.opcode == 7\n"
           "1 infiniband.bth.opcode == 8 && infiniband.bth.padcnt == 3\n"
           "1 infiniband.bth.opcode == 11\n"
           "1 infiniband.bth.opcode == 0\n"
           "1 infiniband.bth.opcode == 1\n"
           "1 infiniband.bth.opcode == 2\n"
           "1 infiniband.bth.opcode == 5\n"
           "1 infiniband.bth.opcode == 12 && infiniband.reth.dmalen == 5000\n"
           "1 infiniband.bth.opcode == 13\n"
           "3 infiniband.bth.opcode == 14\n"
           "1 infiniband.bth.opcode == 15\n"
           "+ infiniband.bth.opcode == 17 && infiniband.aeth.syndrome == 31\n"
           "0 infiniband.bth.opcode == 17 && infiniband.aeth.syndrome != 31\n"
           "+ infiniband.bth.opcode == 129 && ip.src == 10.0.0.1\n"
           "+ macc.cbfc.enbv == 8 && macc.cbfc.pause_time.c3 == 65535\n"
           "+ macc.cbfc.enbv == 8 && macc.cbfc.pause_time.c3 == 0\n"
           "0 ip.ttl != 64 && ip.src == 10.0.0.2\n"
           "0 ip.ttl != 63 && ip.src == 10.0.0.1\n"
           "0 tcp || ipv6\n");
}

/// A WRITE through a tunnel, captured at the spine's port to the first leaf.
/// @param path of the capture, without the number of node and port @param outerIp of the tunnel
/// @param source of the tunnel, as a filter names it
void
RunTunnel(const std::string& path, const std::string& outerIp, const std::string& source)
{
    FabricHelper helper;
    helper.SetLink("ComputeIcrc", BooleanValue(true));
    helper.At("leaf").AddSwitchExtension("ns3::VxlanEndpoint[Vni=4096|OuterIp=" + outerIp + "]");
    const Fabric fabric = helper.LeafSpine(2, 1, 1);
    fabric.EnablePcap(path, {fabric.GetTopology().GetSwitches()[2]});
    fabric.Connect(0, 1).source->Post({RdmaVerb::WRITE, 300001});
    Simulator::Run();
    Simulator::Destroy();
    const std::string other = outerIp == "Ipv4" ? "ipv6" : "ip.src == 172.16.0.1";
    Expect(path + "-4-0",
           "293 udp.dstport == 4789 && vxlan.vni == 4096 && infiniband.bth.opcode < 17\n"
           "291 vxlan && infiniband.bth.opcode == 7\n"
           "+ vxlan && infiniband.bth.opcode == 17\n"
           "293 " +
               source +
               " && ip.src == 10.0.0.1 && ip.dst == 10.0.0.2\n"
               "293 vxlan && eth.src == 02:00:0a:00:00:01 && eth.dst == 02:00:0a:00:00:02\n"
               "0 vxlan.flag_i == 0\n"
               "0 udp.srcport < 49152\n"
               "0 !vxlan && !macc\n"
               "0 " +
               other + "\n");
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "capture-run: one argument, the folder to write to\n";
        return 2;
    }
    const std::string folder = argv[1];
    RunStock(folder + "/stock-offload", false);
    RunStock(folder + "/stock-checksums", true);
    RunFabric(folder + "/fabric");
    RunTunnel(folder + "/tunnel4", "Ipv4", "ip.src == 172.16.0.1");
    RunTunnel(folder + "/tunnel6", "Ipv6", "ipv6.src == fd00::ac10:1");
    return 0;
}

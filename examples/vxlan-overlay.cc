// SPDX-License-Identifier: GPL-2.0-only

// RDMA under DCQCN through VXLAN tunnels: each leaf is a tunnel end point, and a mark that a tunnel
// gets on its way reaches the sender all the same (RFC 6040). The same traffic runs without
// tunnels, and with congestion where the tunnels begin, between their ends, and behind them.
//
//   vxlan-overlay --bytes=4MB --pcap=vxlan

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Who sends to whom, and how much slower the uplinks of a leaf are than its hosts.
struct Place
{
    const char* name;
    uint32_t leaves;
    uint32_t hostsPerLeaf;
    double oversubscription;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
};

/// Run the traffic of a place. @param program has options @param place where the congestion is
/// @param tunnels whether leaves are end points @param bytes of each flow @param pcap prefix
void
RunCase(FabricProgram& program,
        const Place& place,
        bool tunnels,
        uint64_t bytes,
        const std::string& pcap)
{
    FabricHelper helper(program.GetOptions());
    if (tunnels)
    {
        helper.At("leaf").AddSwitchExtension("ns3::VxlanEndpoint[Vni=4096]");
    }
    const Fabric fabric =
        helper.LeafSpine(place.leaves, 1, place.hostsPerLeaf, place.oversubscription);
    if (tunnels && !pcap.empty())
    {
        fabric.EnablePcap(pcap, {fabric.GetTopology().NodeOf(SwitchId(0))});
    }
    FabricRun run(fabric);
    for (const auto& [source, destination] : place.pairs)
    {
        RdmaFlow flow;
        flow.source = source;
        flow.destination = destination;
        flow.bytes = bytes;
        run.Rdma().Add(flow);
    }
    const RunTotals& totals = run.Execute().totals;
    VxlanEndpoint::Counters sum;
    for (const SwitchId which : fabric.Switches())
    {
        for (const auto& endpoint : ExtensionsOf<VxlanEndpoint>(*fabric.GetSwitch(which)))
        {
            AddCounters(sum, endpoint->GetCounters());
        }
    }
    std::cout << place.name << (tunnels ? ", tunnels" : ", none") << ": in tunnels "
              << sum.encapsulated << ", marked inside at the begin " << sum.innerMarks
              << ", copied at the end " << sum.copiedMarks << ", CNPs " << totals.rdma.cnpsReceived
              << ", lost " << totals.losslessDrops << '\n';
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("RDMA through VXLAN tunnels, with congestion at three places.");
    uint64_t bytes = 4000000;
    std::string pcap;
    program.AddSize("bytes", "bytes of each flow", bytes);
    program.AddOption("pcap", "captures of leaf 0, PREFIX-node-port.pcap", pcap);
    return program.Run(argc, argv, [&] {
        const Place places[] = {{"Begin", 2, 4, 4, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
                                {"Between", 4, 3, 1.5, {{0, 9}, {3, 10}, {6, 11}}},
                                {"Behind", 2, 3, 0.5, {{0, 3}, {1, 3}, {2, 3}}}};
        for (const Place& place : places)
        {
            RunCase(program, place, false, bytes, "");
            RunCase(program, place, true, bytes, pcap.empty() ? "" : pcap + place.name);
        }
    });
}

// SPDX-License-Identifier: GPL-2.0-only

// MRC against what its paper and uet-htsim have published (arXiv 2605.04333 through readers' notes;
// sheet 16, section 11): what a lost uplink costs a full rack, what an incast costs a neighbour of
// its receiver, and how long a permutation takes.
//
//   mrc-paper --lines=uplink-32,victim
//
// Prints a line for each, and writes mrc-paper.csv.

#include "ecmp-draw.h"
#include "line-table.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <array>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 4096;
const char* const RTT = "12us"; // longest round trip of the empty fabric

/// What a line needs to run.
struct Bench
{
    FabricProgram& program;
    const EcmpDraw& draw;

    /// @param topology a fabric @param helper with its settings @return the fabric
    Fabric Build(const FabricTopology& topology, const FabricHelper& helper) const
    {
        const Fabric fabric = helper.FromTopology(topology);
        draw.Install(fabric);
        return fabric;
    }
};

/// A line of the table.
struct Line
{
    const char* name;
    const char* unit;
    double (*measure)(const Bench& bench);
};

/// @param rate bit/s @param ns delay @return a link
FabricLinkSpec
LinkOf(uint64_t rate, int64_t ns)
{
    return {DataRate(rate), NanoSeconds(ns), 0};
}

/// @param bench has attributes of the user @param transport of RdmaMrc, with attributes @return a
/// helper of MRC
FabricHelper
MakeMrc(const Bench& bench, const std::string& transport = "ns3::RdmaMrc[BaseRtt=12us]")
{
    FabricHelper helper(bench.program.GetOptions());
    helper.SetMrc(Time(RTT));
    helper.SetQueuePair("Transport", StringValue(transport));
    return helper;
}

/// A flow. @param from its source @param to its destination @param bytes of it @return it
RdmaFlow
FlowOf(uint32_t from, uint32_t to, uint64_t bytes)
{
    return {HostId(from), HostId(to), bytes};
}

/// @param fabric a fabric @param first,end hosts @return payload that they have received, bytes
double
Received(const Fabric& fabric, uint32_t first, uint32_t end)
{
    uint64_t bytes = 0;
    for (uint32_t host = first; host < end; ++host)
    {
        bytes += fabric.GetRdma(HostId(host))->GetCounters().payloadDelivered;
    }
    return static_cast<double>(bytes);
}

/// A full rack of 100 Gb/s hosts sends to another one; a link from a spine to the second rack is
/// cut, and routing is off. @param bench it @param uplinks of a leaf, and its hosts @return percent
/// of the goodput that the rack loses
double
LoseUplink(const Bench& bench, uint32_t uplinks)
{
    constexpr int64_t CUT_US = 500;
    constexpr int64_t SETTLED_US = 800;
    constexpr int64_t LOOK_US = 200;
    const FabricLinkSpec link = LinkOf(100000000000, 500);
    const auto topology = FabricTopology::LeafSpine(2, uplinks, uplinks, link, link);
    const Fabric fabric = bench.Build(topology, MakeMrc(bench));
    FabricRun run(fabric);
    for (uint32_t host = 0; host < uplinks; ++host)
    {
        run.Rdma().Add(FlowOf(host, uplinks + host, 1ULL << 31)); // longer than the run
    }
    const NodeId leaf = FabricPlaces("leaf 1").In(fabric.GetTopology())[0].node;
    const NodeId spine = FabricPlaces("spine 0").In(fabric.GetTopology())[0].node;
    run.Faults().GetConvergence().SetUniform(Seconds(1));
    run.Faults().CutLink(fabric.GetTopology().FindLink(leaf, spine), MicroSeconds(CUT_US));
    std::vector<double> received;
    for (const int64_t us : {CUT_US - LOOK_US, CUT_US, SETTLED_US, SETTLED_US + LOOK_US})
    {
        Simulator::Schedule(MicroSeconds(us), [&received, &fabric, uplinks] {
            received.push_back(Received(fabric, uplinks, 2 * uplinks));
        });
    }
    Simulator::Stop(MicroSeconds(SETTLED_US + LOOK_US + 1));
    Simulator::Run();
    return 100 * (1 - (received[3] - received[2]) / (received[1] - received[0]));
}

/// Seven hosts of 400 Gb/s send to one host of another rack, and an eighth to its neighbour: figure
/// 18 of the paper. @param bench it @param helper of the fabric @param queuePairs of each sender
/// @return Gb/s of the eighth
double
Victim(const Bench& bench, FabricHelper helper, uint32_t queuePairs)
{
    constexpr uint32_t HOSTS = 9; // of a rack
    constexpr int64_t FROM_US = 1000;
    constexpr int64_t UNTIL_US = 3000;
    const FabricLinkSpec link = LinkOf(400000000000, 500);
    const auto topology = FabricTopology::LeafSpine(2, HOSTS, HOSTS, link, link);
    const Fabric fabric = bench.Build(topology, helper);
    FabricRun run(fabric);
    for (uint32_t sender = 0; sender < 8; ++sender)
    {
        for (uint32_t pair = 0; pair < queuePairs; ++pair)
        {
            run.Rdma().Add(FlowOf(sender, sender < 7 ? HOSTS : HOSTS + 1, 1ULL << 31));
        }
    }
    std::vector<double> received;
    for (const int64_t us : {FROM_US, UNTIL_US})
    {
        Simulator::Schedule(MicroSeconds(us), [&received, &fabric] {
            received.push_back(Received(fabric, HOSTS + 1, HOSTS + 2));
        });
    }
    Simulator::Stop(MicroSeconds(UNTIL_US + 1));
    Simulator::Run();
    return (received[1] - received[0]) * 8 / (1e3 * (UNTIL_US - FROM_US));
}

/// The same with RoCE, PFC and DCQCN. @param bench it @param queuePairs of each sender
/// @return Gb/s of the eighth
double
RoceVictim(const Bench& bench, uint32_t queuePairs)
{
    FabricHelper helper(bench.program.GetOptions());
    helper.SetCongestionControl("ns3::RdmaDcqcn");
    helper.SetQueuePair("Mtu", UintegerValue(MTU));
    return Victim(bench, helper, queuePairs);
}

/// A permutation of 1024 hosts, 2 MB each, over the fat-tree of uet-htsim's runs. @param bench it
/// @param transport of RdmaMrc @return completion of the last message, us
double
Permute(const Bench& bench, const std::string& transport)
{
    const auto topology = FabricTopology::FatTree(16, LinkOf(100000000000, 1000));
    FabricHelper helper(bench.program.GetOptions());
    helper.SetMrc(NanoSeconds(14180));
    helper.SetQueuePair("Transport", StringValue(transport));
    const Fabric fabric = bench.Build(topology, helper);
    FabricRun run(fabric);
    run.Rdma().Permutation(2000000, Time(0));
    run.Execute();
    return run.Rdma().GetLastEnd().GetSeconds() * 1e6;
}

const std::array LINES{
    Line{"uplink-32", "% lost", [](const Bench& bench) { return LoseUplink(bench, 32); }},
    Line{"uplink-256", "% lost", [](const Bench& bench) { return LoseUplink(bench, 256); }},
    Line{"victim", "Gb/s", [](const Bench& bench) { return Victim(bench, MakeMrc(bench), 1); }},
    Line{"victim-roce-1", "Gb/s", [](const Bench& bench) { return RoceVictim(bench, 1); }},
    Line{"victim-roce-8", "Gb/s", [](const Bench& bench) { return RoceVictim(bench, 8); }},
    Line{"permutation-1024",
         "us",
         [](const Bench& bench) { return Permute(bench, "ns3::RdmaMrc[BaseRtt=14180ns]"); }},
    Line{"permutation-1024-path", "us", [](const Bench& bench) {
             return Permute(bench, "ns3::RdmaMrc[BaseRtt=14180ns|Evs=1|Active=1]");
         }}};

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("MRC against what is published of it.");
    std::string outDir;
    std::vector<std::string> names{"uplink-32", "victim", "victim-roce-1", "victim-roce-8"};
    program.AddOption("outDir", "folder of mrc-paper.csv; empty: none", outDir);
    program.AddOption("lines", "of the table, as in uplink-32,victim", names);
    const EcmpDraw draw(program);
    return program.Run(argc, argv, [&] {
        const auto toRow = [&](const Line& line) {
            Simulator::Destroy();
            std::ostringstream row;
            row << line.name << ',' << std::fixed << std::setprecision(3)
                << line.measure({program, draw}) << ',' << line.unit << '\n';
            return row.str();
        };
        PrintLines(LINES, names, "line,measured,unit\n", toRow, outDir, "mrc-paper.csv");
    });
}

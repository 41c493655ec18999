// SPDX-License-Identifier: GPL-2.0-only

// NSCC and many paths, as the simulator of the Ultra Ethernet consortium has them (uet-htsim, its
// stored regression outputs): messages of 2 MB in fat-trees and leaf-spine fabrics of 100 Gb/s,
// links of 1 us, no PFC, queues of one bandwidth-delay product.
//
//   uet-paths --lines=permutation-16,incast-15 --dialect=Htsim
//
// Prints a line for each, and writes uet-paths.csv.

#include "byte-buffer.h"
#include "ecmp-draw.h"
#include "line-table.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t DATA_CLASS = 3;
constexpr uint32_t CONTROL_CLASS = 6; // of ACKs and NAKs, before all data
constexpr uint32_t TRIM_CLASS = 5;
constexpr uint32_t MTU = 4096;
constexpr uint64_t BYTES = 2000000;    // of each message
constexpr uint32_t MOST_RETRIES = 254; // no sender gives up
constexpr double PS_PER_US = 1e6;
constexpr uint32_t PACKETS_PER_ACK = 4; // an ACK for 16 KiB
constexpr uint64_t RATE = 100000000000; // of a link, bit/s
constexpr int64_t DELAY_NS = 1000;      // of a link

/// Who sends to whom.
enum class Traffic
{
    ONE,         //!< the first host to the last
    PERMUTATION, //!< each host to another one
    INCAST       //!< all hosts to the first
};

/// A line of the table: what uet-htsim stores of a run.
struct Line
{
    const char* name;
    Traffic traffic;
    uint32_t ports;     //!< of a switch of the fat-tree; 0: 32 leaves of 32 hosts
    uint32_t spines;    //!< of the leaves
    uint32_t slow;      //!< slow links between aggregation and core
    const char* policy; //!< of entropy values
    uint32_t paths;     //!< how many entropy values
    uint32_t perAck;    //!< packets for each ACK
    double published;   //!< completion of the last message, us
    uint64_t again;     //!< packets that were sent again
};

constexpr const char* OBLIVIOUS = "Oblivious";
constexpr const char* BITMAP = "Bitmap";
constexpr const char* REPS = "Reps";
constexpr const char* MIXED = "Mixed";
constexpr auto ONE = Traffic::ONE;
constexpr auto PERMUTATION = Traffic::PERMUTATION;
constexpr auto INCAST = Traffic::INCAST;
constexpr uint32_t ACK4 = PACKETS_PER_ACK;

constexpr std::array LINES{
    Line{"one", ONE, 4, 0, 0, MIXED, 64, ACK4, 176.2, 0},
    Line{"permutation-16", PERMUTATION, 4, 0, 0, MIXED, 128, ACK4, 194.022, 0},
    Line{"permutation-16-slow", PERMUTATION, 4, 0, 1, MIXED, 128, ACK4, 238.218, 99},
    Line{"permutation-16-path", PERMUTATION, 4, 0, 0, MIXED, 1, ACK4, 527.755, 279},
    Line{"incast-15", INCAST, 4, 0, 0, MIXED, 64, ACK4, 2478.53, 811},
    Line{"incast-127", INCAST, 8, 0, 0, MIXED, 64, ACK4, 21029.3, 72623},
    Line{"permutation-1024", PERMUTATION, 16, 0, 0, MIXED, 128, ACK4, 200.507, 0},
    Line{"permutation-1024-slow", PERMUTATION, 16, 0, 1, MIXED, 128, ACK4, 202.266, 77},
    Line{"permutation-1024-path", PERMUTATION, 16, 0, 0, MIXED, 1, ACK4, 889.92, 25621},
    Line{"oblivious", PERMUTATION, 16, 0, 0, OBLIVIOUS, 128, ACK4, 212.794, 628},
    Line{"bitmap", PERMUTATION, 16, 0, 0, BITMAP, 128, ACK4, 200.507, 1},
    Line{"reps", PERMUTATION, 16, 0, 0, REPS, 128, 1, 198.246, 0},
    Line{"reps-16k", PERMUTATION, 16, 0, 0, REPS, 128, ACK4, 208.239, 44},
    Line{"mixed", PERMUTATION, 16, 0, 0, MIXED, 128, 1, 193.184, 0},
    Line{"slow-oblivious", PERMUTATION, 16, 0, 8, OBLIVIOUS, 128, ACK4, 280.775, 2958},
    Line{"slow-bitmap", PERMUTATION, 16, 0, 8, BITMAP, 128, ACK4, 220.269, 656},
    Line{"slow-reps", PERMUTATION, 16, 0, 8, REPS, 128, 1, 206.684, 298},
    Line{"slow-reps-16k", PERMUTATION, 16, 0, 8, REPS, 128, ACK4, 245.821, 1696},
    Line{"slow-mixed", PERMUTATION, 16, 0, 8, MIXED, 128, 1, 211.821, 246},
    Line{"slow-mixed-16k", PERMUTATION, 16, 0, 8, MIXED, 128, ACK4, 219.554, 598},
    Line{"leaf-spine-4-1", PERMUTATION, 0, 8, 0, MIXED, 128, ACK4, 785.774, 31934},
    Line{"leaf-spine-8-1", PERMUTATION, 0, 4, 0, MIXED, 128, ACK4, 1443.43, 39531},
};

/// The permutation of 16 hosts that the stored runs have.
constexpr std::array<uint32_t, 16> PARTNERS{8, 4, 13, 10, 12, 15, 0, 9, 14, 7, 5, 3, 11, 6, 2, 1};

/// What the options say.
struct Options
{
    std::string outDir;
    std::vector<std::string> lines{"one", "permutation-16", "permutation-16-path", "incast-15"};
    std::string dialect{"Htsim"};
    bool spray{true};
    bool trim{true};
    double slowShare{0.25};
};

/// What a run has measured.
struct Measured
{
    double first;   //!< completion of the first message, us
    double last;    //!< completion of the last message, us
    uint64_t again; //!< packets that were sent again
    uint64_t lost;  //!< frames that switches have dropped
};

/// @return the hops of the longest path of a line
uint32_t
HopsOf(const Line& line)
{
    return line.ports ? 6 : 4;
}

/// @param line of the table @return R, the longest round trip of the empty fabric: a packet of an
/// MTU with its telemetry, and its ACK, each stored and forwarded
Time
BaseRttOf(const Line& line)
{
    const auto telemetry = TelemetryBytes(TelemetryKind::DELAY, 0);
    const auto onWire = [=](RoceOpcode opcode, uint32_t payload) {
        return RoceFrameBytes(opcode, payload, 4, false, telemetry) + ETHERNET_GAP_BYTES;
    };
    const uint32_t bytes =
        onWire(RoceOpcode::WRITE_MIDDLE, MTU) + onWire(RoceOpcode::ACKNOWLEDGE, 0);
    return HopsOf(line) * (NanoSeconds(2 * DELAY_NS) + DataRate(RATE).CalculateBytesTxTime(bytes));
}

/// @param line of the table @return bandwidth-delay product, bytes
uint64_t
ProductOf(const Line& line)
{
    return RATE / 8.0 * BaseRttOf(line).GetSeconds();
}

/// @param line of the table @param share of its rate that a slow link has @return the fabric
FabricTopology
MakeTopology(const Line& line, double share)
{
    const FabricLinkSpec link{DataRate(RATE), NanoSeconds(DELAY_NS), 0};
    if (!line.ports)
    {
        return FabricTopology::LeafSpine(32, line.spines, 32, link, link);
    }
    FabricTopology topology = FabricTopology::FatTree(line.ports, link);
    const uint32_t hosts = topology.GetHosts().size();
    const DataRate rate(static_cast<uint64_t>(share * RATE));
    for (uint32_t i = 0; i < line.slow; ++i)
    {
        // As many links are at hosts, and between edge and aggregation; those to the core follow.
        topology.SetLink(2 * hosts + i, rate, link.delay);
    }
    return topology;
}

/// Queues for data drop beyond so many bandwidth-delay products of their port; those that trim do
/// before. @param fabric it @param line of the table @param products of them
void
LimitQueues(const Fabric& fabric, const Line& line, double products)
{
    for (const SwitchId which : fabric.Switches())
    {
        SwitchMmu& mmu = *fabric.GetSwitch(which)->GetMmu();
        const NodeId node = fabric.GetTopology().NodeOf(which);
        for (uint32_t port = 0; port < mmu.GetPortCount(); ++port)
        {
            const double rate = fabric.GetDevice(node, port)->GetDataRate().GetBitRate();
            const double share = rate / RATE;
            mmu.SetEgressStaticThreshold(port, DATA_CLASS, products * share * ProductOf(line));
            mmu.SetStaticThreshold(port, DATA_CLASS, mmu.GetPortCount() * ProductOf(line));
        }
    }
}

/// @param line of the table @param options what is chosen @return loss recovery, with attributes
std::string
RecoveryOf(const Line& line, const Options& options)
{
    const bool reorders = options.spray && line.paths > 1;
    // The window of NSCC limits what is in flight.
    return std::string("ns3::RdmaIrn[BdpCap=1024|") +
           (reorders ? "ReorderThreshold=-1]" : "CountSacked=false]");
}

/// Let switches trim: as uet-htsim does, or as Ultra Ethernet has it, with a higher threshold at
/// the last hop and a quarter of the line for trimmed packets. @param line of the table
/// @param options what is chosen @param helper gets that
void
AddTrimming(const Line& line, const Options& options, FabricHelper& helper)
{
    const bool htsim = options.dialect == "Htsim";
    helper.AddSwitchExtension("ns3::TrimSwitch",
                              "BaseRtt",
                              TimeValue(BaseRttOf(line)),
                              "TrimClass",
                              UintegerValue(TRIM_CLASS),
                              "ThresholdLastHop",
                              DoubleValue(htsim ? 1 : 1.5),
                              "TrimLimit",
                              DoubleValue(htsim ? 2 : 1));
    helper.SetScheduler("ns3::DwrrScheduler",
                        "StrictClasses",
                        UintegerValue(1U << CONTROL_CLASS | (htsim ? 1U << TRIM_CLASS : 0)),
                        "Weights",
                        StringValue("1 1 1 3 1 1 1 1"));
}

/// @param line of the table @param options what is chosen @param program has attributes of the user
/// @return the fabric
Fabric
MakeFabric(const Line& line, const Options& options, FabricProgram& program)
{
    FabricHelper helper(program.GetOptions());
    helper.SetCongestionControl("ns3::RdmaNscc",
                                "Dialect",
                                StringValue(options.dialect),
                                "Trimming",
                                BooleanValue(options.trim),
                                "BaseRtt",
                                TimeValue(BaseRttOf(line)));
    helper.SetQueuePair("Mtu",
                        UintegerValue(MTU),
                        "AckInterval",
                        UintegerValue(line.perAck),
                        "AckClass",
                        IntegerValue(CONTROL_CLASS),
                        "RetryLimit",
                        UintegerValue(MOST_RETRIES),
                        "LossRecovery",
                        StringValue(RecoveryOf(line, options)));
    if (options.spray && line.paths > 1)
    {
        helper.SetQueuePair("Entropy",
                            StringValue(std::string("ns3::RdmaEntropy") + line.policy +
                                        "[Paths=" + std::to_string(line.paths) + "]"));
    }
    helper.SetLosslessClasses({});
    helper.SetScheduler("ns3::DwrrScheduler", "StrictClasses", UintegerValue(1U << CONTROL_CLASS));
    if (options.trim)
    {
        AddTrimming(line, options, helper);
    }
    for (const double share : {1.0, options.slowShare})
    {
        helper.SetEcnThresholds(DataRate(static_cast<uint64_t>(share * RATE)),
                                0.2 * share * ProductOf(line),
                                0.8 * share * ProductOf(line),
                                1);
    }
    SetByteBuffer(helper, 1U << 30); // LimitQueues() says what queues hold
    Fabric fabric = helper.FromTopology(MakeTopology(line, options.slowShare));
    LimitQueues(fabric, line, options.trim ? 2 : 1);
    return fabric;
}

/// Add the messages of a line. @param line of the table @param flows takes them
/// @param hosts how many there are
void
AddMessages(const Line& line, RdmaFlowHelper& flows, uint32_t hosts)
{
    const auto add = [&flows](uint32_t from, uint32_t to) {
        flows.Add({from, to, BYTES, Time(0), DATA_CLASS});
    };
    if (line.traffic == Traffic::INCAST)
    {
        flows.Incast(hosts - 1, 0, BYTES, Time(0));
    }
    else if (line.traffic == Traffic::ONE)
    {
        add(0, hosts - 1);
    }
    else if (hosts == PARTNERS.size())
    {
        for (uint32_t host = 0; host < hosts; ++host)
        {
            add(host, PARTNERS[host]);
        }
    }
    else
    {
        flows.Permutation(BYTES, Time(0));
    }
}

/// @param line of the table @param options what is chosen @param program has attributes of the user
/// @param draw of ECMP @return what its run measures
Measured
Measure(const Line& line, const Options& options, FabricProgram& program, const EcmpDraw& draw)
{
    const Fabric fabric = MakeFabric(line, options, program);
    draw.Install(fabric);
    FabricRun run(fabric);
    AddMessages(line, run.Rdma(), fabric.GetNHosts());
    std::vector<double> times;
    run.Rdma().OnEnd([&times](const RdmaFlowResult& flow) {
        times.push_back(flow.fct.GetPicoSeconds() / PS_PER_US);
    });
    const RunTotals& totals = run.Execute().totals;
    if (times.size() < run.Rdma().GetNFlows() || totals.flowsFailed > 0)
    {
        throw FabricError(std::string(line.name) + " has not completed", run.GetResults().why);
    }
    uint64_t again = 0;
    for (const HostId host : fabric.Hosts())
    {
        again += fabric.GetRdma(host)->GetCounters().retransmitted;
    }
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    return {*first, *last, again, totals.lossyDrops};
}

/// @param line of the table @param options what is chosen @param program has attributes of the user
/// @param draw of ECMP @return the line with what is published and what its run measures
std::string
ToRow(const Line& line, const Options& options, FabricProgram& program, const EcmpDraw& draw)
{
    const Measured ours = Measure(line, options, program, draw);
    std::ostringstream row;
    row << std::fixed << std::setprecision(1) << line.name << ',' << options.dialect << ','
        << line.published << ',' << ours.last << ',' << std::setprecision(3)
        << ours.last / line.published << ',' << std::setprecision(1) << ours.first << ','
        << line.again << ',' << ours.again << ',' << ours.lost << '\n';
    return row.str();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("NSCC on many paths, against stored outputs of uet-htsim.");
    Options options;
    program.AddOption("outDir", "folder of uet-paths.csv; empty: none", options.outDir);
    program.AddOption("lines", "of the table, as in one,incast-15", options.lines);
    program.AddOption("dialect", "rules of NSCC: Htsim or Ue", options.dialect);
    program.AddOption("spray", "entropy values by packet; false: one path of ECMP", options.spray);
    program.AddOption("trim", "switches trim; false: they drop", options.trim);
    program.AddOption("slow", "share of its rate that a slow link has", options.slowShare);
    EcmpDraw draw(program);
    program.StandsFor("dialect", {"ns3::RdmaNscc::Dialect"});
    program.StandsFor("trim", {"ns3::RdmaNscc::Trimming"});
    return program.Run(argc, argv, [&] {
        PrintLines(
            LINES,
            options.lines,
            "line,dialect,published_us,ours_us,ratio,first_us,published_again,again,dropped\n",
            [&](const Line& line) { return ToRow(line, options, program, draw); },
            options.outDir,
            "uet-paths.csv");
    });
}

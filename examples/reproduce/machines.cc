// SPDX-License-Identifier: GPL-2.0-only

// What people have measured on machines, measured on a fabric; doc/reproductions.rst has the
// sources, and `utils/reproduce machines` compares:
//   bandwidth   messages back to back on queue pairs of two hosts, as ib_write_bw
//   latency     a message to and fro, half the round trip, as ib_write_lat
//   ecmp        a Clos of 48 ToRs, 8 leaves and 64 spines whose ToRs send in pairs
//   all-reduce  a ring over the GPUs of hosts, a channel for each NIC, as nccl-tests
//   all-to-all  between the GPUs of hosts, as nccl-tests
//
//   machines --test=bandwidth --rate=400Gbps --bytes=131072 --queuePairs=1
//   machines --test=latency --machine=mrc-b --switches=3 --bytes=2
//
// Prints the numbers, and writes machines.csv: name,value,unit.

#include "ecmp-draw.h"

#include "ns3/core-module.h"
#include "ns3/lossless-jobs-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr double BITS = 8;

/// Delays of a machine. NicTx + NicRx and the delay of a switch with its cable are the two unknowns
/// of two published latencies, over one switch and over three; how they are split is ours.
struct Machine
{
    const char* name;
    const char* txDelay;     //!< from posting to the first bit
    const char* rxDelay;     //!< from the last bit to the completion
    const char* switchDelay; //!< of each switch
    const char* cable;       //!< of each cable
};

constexpr std::array<Machine, 4> MACHINES{{
    {"mrc-b", "2170ns", "2170ns", "700ns", "25ns"},             // 4.365 us, 0.725 us
    {"deepseek-roce", "1287.5ns", "1287.5ns", "975ns", "25ns"}, // 2.600 us, 1.000 us
    {"deepseek-ib", "1162.5ns", "1162.5ns", "425ns", "25ns"},   // 2.350 us, 0.450 us
    {"hpcc-testbed", "950ns", "950ns", "750ns", "25ns"},        // 1.925 us, 0.775 us
}};

/// What the options say.
struct Options
{
    std::string outDir;
    std::string test{"bandwidth"};
    std::string machine;
    std::string congestion{"none"};
    std::string ackInterval;
    FabricLinkSpec link{DataRate("400Gbps"), NanoSeconds(25), 0};
    Time messageGap;
    uint32_t mtu{4096};
    uint64_t bytes{128 * 1024};
    uint32_t queuePairs{1};
    uint32_t ahead{16};
    uint32_t ports{1};
    uint32_t switches{1};
    Time stop{MilliSeconds(10)};
    uint32_t hosts{2};
    uint32_t gpus{1};
    uint32_t nics{1};
    uint32_t segment{64};
    uint32_t spines{0};
    bool planes{false};
    DataRate intraRate{"2400Gbps"};
};

/// A number that was measured.
struct Value
{
    std::string name;
    double value;
    std::string unit;
};

/// What a test measures.
using Values = std::vector<Value>;

/// @param name of a machine @return the machine
const Machine&
FindMachine(const std::string& name)
{
    std::vector<std::string> names;
    for (const Machine& machine : MACHINES)
    {
        if (name == machine.name)
        {
            return machine;
        }
        names.emplace_back(machine.name);
    }
    throw FabricError("--machine is \"" + name + "\"", FabricText::DidYouMean(name, names));
}

/// @param options what is chosen @param program has attributes of the user @return what builds
FabricHelper
MakeHelper(const Options& options, FabricProgram& program)
{
    FabricHelper helper(program.GetOptions());
    helper.SetCongestionControl(options.congestion);
    helper.SetQueuePair("Mtu", UintegerValue(options.mtu));
    helper.SetLink("Mtu", UintegerValue(9000));
    if (!options.ackInterval.empty())
    {
        helper.SetQueuePair("AckInterval", StringValue(options.ackInterval));
    }
    if (options.messageGap.IsStrictlyPositive())
    {
        helper.SetQueuePair("MessageGap", TimeValue(options.messageGap));
    }
    if (!options.machine.empty())
    {
        const Machine& machine = FindMachine(options.machine);
        helper.SetQueuePair("TxDelay",
                            StringValue(machine.txDelay),
                            "RxDelay",
                            StringValue(machine.rxDelay));
        helper.SetSwitch("ns3::FabricSwitch", "SwitchDelay", StringValue(machine.switchDelay));
    }
    return helper;
}

/// @param stop end of a run @return options of a run that goes on to its end
RunOptions
UntilStop(Time stop)
{
    RunOptions options;
    options.stop = stop;
    options.stopWhenDone = false;
    return options;
}

/// Two hosts; with several ports each port has a switch of its own.
class Bandwidth
{
  public:
    explicit Bandwidth(const Options& options, FabricProgram& program)
        : m_options(options),
          m_fabric(Build(options, program))
    {
        for (uint32_t i = 0; i < options.queuePairs; ++i)
        {
            Fabric::QueuePairOptions choice;
            choice.choice = i;
            const auto sender = m_fabric.Connect(0, 1, choice).source;
            sender->SetCompletionCallback(
                Callback<void, const RdmaCompletion&>([this, sender](const RdmaCompletion&) {
                    sender->Post({RdmaVerb::WRITE, m_options.bytes});
                }));
            m_senders.push_back(sender);
        }
    }

    /// @return the rate of the payload that arrives, from a tenth of the run on
    Values Measure()
    {
        for (uint32_t i = 0; i < m_options.ahead; ++i)
        {
            for (const auto& sender : m_senders)
            {
                sender->Post({RdmaVerb::WRITE, m_options.bytes});
            }
        }
        const Time begin = m_options.stop / 10;
        uint64_t before = 0;
        Simulator::Schedule(begin, [&] { before = Delivered(); });
        FabricRun(m_fabric, UntilStop(m_options.stop)).Execute();
        const double seconds = (m_options.stop - begin).GetSeconds();
        return {{"goodput", (Delivered() - before) * BITS / seconds * 1e-9, "Gb/s"}};
    }

  private:
    static Fabric Build(const Options& options, FabricProgram& program)
    {
        FabricTopology topology;
        const std::array<NodeId, 2> hosts{topology.AddHost(), topology.AddHost()};
        for (uint32_t port = 0; port < options.ports; ++port)
        {
            const NodeId node = topology.AddSwitch();
            topology.AddLink(hosts[0], node, options.link);
            topology.AddLink(hosts[1], node, options.link);
        }
        return MakeHelper(options, program).FromTopology(topology);
    }

    uint64_t Delivered() const
    {
        return m_fabric.GetRdma(1)->GetCounters().payloadDelivered;
    }

    const Options& m_options;
    Fabric m_fabric;
    std::vector<Ptr<RdmaQueuePair>> m_senders;
};

/// Two hosts with a chain of switches between them: each answers when a message has come.
class Latency
{
  public:
    Latency(const Options& options, FabricProgram& program)
        : m_options(options),
          m_fabric(Build(options, program)),
          m_connection(m_fabric.Connect(0, 1))
    {
        m_connection.destination->SetReceiveCallback(
            Callback<void, const RdmaCompletion&>([this](const RdmaCompletion&) {
                m_connection.destination->Post({RdmaVerb::WRITE, m_options.bytes});
            }));
        m_connection.source->SetReceiveCallback(
            Callback<void, const RdmaCompletion&>([this](const RdmaCompletion&) {
                ++m_answers;
                m_last = Simulator::Now();
                Send();
            }));
    }

    /// @return half the round trip
    Values Measure()
    {
        Simulator::ScheduleNow([this] { Send(); });
        FabricRun(m_fabric, UntilStop(m_options.stop)).Execute();
        return {{"one way", m_last.GetSeconds() * 1e6 / (2 * m_answers), "us"}};
    }

  private:
    static Fabric Build(const Options& options, FabricProgram& program)
    {
        FabricTopology topology;
        const NodeId first = topology.AddHost();
        const NodeId last = topology.AddHost();
        NodeId at = first;
        for (uint32_t i = 0; i < options.switches; ++i)
        {
            const NodeId next = topology.AddSwitch();
            topology.AddLink(at, next, options.link);
            at = next;
        }
        topology.AddLink(at, last, options.link);
        return MakeHelper(options, program).FromTopology(topology);
    }

    void Send()
    {
        m_connection.source->Post({RdmaVerb::WRITE, m_options.bytes});
    }

    const Options& m_options;
    Fabric m_fabric;
    Fabric::Connection m_connection;
    uint64_t m_answers{0};
    Time m_last;
};

/// Two podsets of 24 ToRs and 4 leaves, joined by 64 spines (Guo et al., SIGCOMM 2016, section
/// 5.4): each ToR has a partner in the other podset, and 8 servers of both send to each other on 8
/// connections. Leaves have 16 links to spines, 128 in all.
class EcmpClos
{
  public:
    /// @param options what is chosen @param program has attributes of the user @param draw of ECMP
    EcmpClos(const Options& options, FabricProgram& program, const EcmpDraw& draw)
        : m_options(options),
          m_fabric(MakeHelper(options, program).FromTopology(Build(options.link)))
    {
        draw.Install(m_fabric);
    }

    /// @return payload that arrives, and its share of the 128 links, in the second half of the run
    Values Measure()
    {
        FabricRun run(m_fabric, UntilStop(m_options.stop));
        std::vector<uint32_t> partners(TORS);
        std::iota(partners.begin(), partners.end(), TORS);
        const auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(1);
        for (uint32_t i = 0; i + 1 < TORS; ++i)
        {
            std::swap(partners[i], partners[draw->GetInteger(i, TORS - 1)]);
        }
        for (uint32_t tor = 0; tor < TORS; ++tor)
        {
            for (uint32_t i = 0; i < SERVERS * CONNECTIONS; ++i)
            {
                RdmaFlow flow;
                flow.source = tor * SERVERS + i % SERVERS;
                flow.destination = partners[tor] * SERVERS + i % SERVERS;
                flow.bytes = uint64_t{1} << 32; // --stop comes before
                run.Rdma().Add(flow);
                std::swap(flow.source, flow.destination);
                run.Rdma().Add(flow);
            }
        }
        uint64_t before = 0;
        Simulator::Schedule(m_options.stop / 2, [&] { before = Delivered(); });
        const RunTotals& totals = run.Execute().totals;
        const double seconds = (m_options.stop / 2).GetSeconds();
        const double rate = (Delivered() - before) * BITS / seconds;
        const double all = 2.0 * TIER * m_options.link.rate.GetBitRate();
        return {{"goodput", rate * 1e-12, "Tb/s"},
                {"utilisation", 100 * rate / all, "%"},
                {"lossless drops", static_cast<double>(totals.losslessDrops), "frames"}};
    }

  private:
    static constexpr uint32_t TORS = 24;       //!< of each podset
    static constexpr uint32_t LEAVES = 4;      //!< of each podset
    static constexpr uint32_t TIER = 64;       //!< spines, each with a link to each podset
    static constexpr uint32_t SERVERS = 8;     //!< of each ToR
    static constexpr uint32_t CONNECTIONS = 8; //!< of each server, to one other

    static FabricTopology Build(const FabricLinkSpec& link)
    {
        FabricTopology topology;
        std::vector<NodeId> hosts;
        for (uint32_t i = 0; i < 2 * TORS * SERVERS; ++i)
        {
            hosts.push_back(topology.AddHost());
        }
        std::vector<NodeId> spines;
        for (uint32_t i = 0; i < TIER; ++i)
        {
            spines.push_back(topology.AddSwitch());
        }
        for (uint32_t podset = 0; podset < 2; ++podset)
        {
            std::vector<NodeId> leaves;
            for (uint32_t i = 0; i < LEAVES; ++i)
            {
                leaves.push_back(topology.AddSwitch());
            }
            for (uint32_t spine = 0; spine < TIER; ++spine)
            {
                topology.AddLink(leaves[spine % LEAVES], spines[spine], link);
            }
            for (uint32_t i = 0; i < TORS; ++i)
            {
                const NodeId tor = topology.AddSwitch();
                for (const NodeId leaf : leaves)
                {
                    topology.AddLink(tor, leaf, link);
                }
                for (uint32_t server = 0; server < SERVERS; ++server)
                {
                    topology.AddLink(hosts[(podset * TORS + i) * SERVERS + server], tor, link);
                }
            }
        }
        return topology;
    }

    uint64_t Delivered() const
    {
        uint64_t bytes = 0;
        for (const HostId host : m_fabric.Hosts())
        {
            bytes += m_fabric.GetRdma(host)->GetCounters().payloadDelivered;
        }
        return bytes;
    }

    const Options& m_options;
    Fabric m_fabric;
};

/// A collective over the GPUs of hosts. @param options what is chosen @param program has attributes
/// of the user @param type of the collective @return its time, and the bandwidths of nccl-tests
Values
Collect(const Options& options, FabricProgram& program, CollectiveType type)
{
    const bool isReduce = type == CollectiveType::ALL_REDUCE;
    GpuFabric cluster;
    cluster.hosts = options.hosts;
    cluster.gpus = options.gpus;
    cluster.nics = options.nics;
    cluster.hostsPerSegment = options.segment;
    cluster.spines = options.spines;
    cluster.planes = options.planes ? GpuFabric::BY_RAIL : GpuFabric::SHARED;
    cluster.nicLink = options.link;
    cluster.uplink = options.link;
    const FabricTopology topology = cluster.Build();
    const Fabric fabric = MakeHelper(options, program).FromTopology(topology);

    const uint32_t ranks = options.hosts * options.gpus;
    JobGraph graph(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        graph.Add(rank, JobGraph::Collective(type, options.bytes));
    }
    JobOptions jobOptions;
    jobOptions.channels = isReduce ? options.nics : 1;
    jobOptions.network.nic =
        isReduce ? QueuePairNetwork::NicChoice::CHANNEL : QueuePairNetwork::NicChoice::RAIL;
    jobOptions.network.pxn = !isReduce;
    jobOptions.network.gpusPerHost = options.gpus;
    jobOptions.network.intraRate = options.intraRate;
    FabricRun run(fabric);
    const Job& job = run.Add<Job>(graph,
                                  RankPlacement(topology, options.gpus).Place("packed", ranks),
                                  jobOptions);
    run.Execute();
    if (!job.IsDone())
    {
        throw FabricError(job.GetError());
    }
    const JobIteration& done = job.GetIterations().front();
    const double seconds = TimeStep(done.end - done.start).GetSeconds();
    const double share = (isReduce ? 2.0 : 1.0) * (ranks - 1) / ranks;
    return {{"time", seconds * 1e6, "us"},
            {"busbw", share * static_cast<double>(options.bytes) / seconds * 1e-9, "GB/s"}};
}

/// @param options what is chosen @param program has attributes of the user @param draw of ECMP
/// @return what the test measures
Values
Measure(const Options& options, FabricProgram& program, const EcmpDraw& draw)
{
    if (options.test == "bandwidth")
    {
        return Bandwidth(options, program).Measure();
    }
    if (options.test == "latency")
    {
        return Latency(options, program).Measure();
    }
    if (options.test == "ecmp")
    {
        return EcmpClos(options, program, draw).Measure();
    }
    if (options.test == "all-reduce" || options.test == "all-to-all")
    {
        return Collect(options,
                       program,
                       options.test == "all-reduce" ? CollectiveType::ALL_REDUCE
                                                    : CollectiveType::ALL_TO_ALL);
    }
    throw FabricError("--test is \"" + options.test + "\"",
                      "it is bandwidth, latency, ecmp, all-reduce or all-to-all");
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("What was measured on machines, on a fabric.");
    Options options;
    program.AddOption("outDir", "folder for CSV files; empty: none", options.outDir);
    program.AddOption("test", "bandwidth, latency, ecmp, all-reduce or all-to-all", options.test);
    program.AddOption("machine",
                      "delays: mrc-b, deepseek-roce, deepseek-ib or hpcc-testbed; empty: none",
                      options.machine);
    program.AddCongestion(options.congestion);
    program.AddLinks(options.link.rate, options.link.delay);
    program.AddOption("mtu", "payload of a packet, bytes", options.mtu);
    program.AddName("ackInterval", "packets for each ACK, 1 to 65535", options.ackInterval);
    program.AddOption("messageGap", "time of a queue pair for each message", options.messageGap);
    program.AddSize("bytes", "bytes of a message or, of a rank, of a collective", options.bytes);
    program.AddOption("queuePairs", "bandwidth: how many", options.queuePairs);
    program.AddOption("ahead", "bandwidth: messages posted at a time, of each", options.ahead);
    program.AddOption("ports",
                      "bandwidth: of each host, each to a switch of its own",
                      options.ports);
    program.AddOption("switches", "latency: how many, one behind the other", options.switches);
    program.AddOption("stop", "bandwidth, latency, ecmp: end of the run", options.stop);
    program.AddOption("hosts", "collectives: how many", options.hosts);
    program.AddOption("gpus", "collectives: of each host", options.gpus);
    program.AddOption("nics", "collectives: of each host", options.nics);
    program.AddOption("segment", "collectives: hosts that share leaves", options.segment);
    program.AddOption("spines", "collectives: joined to each leaf", options.spines);
    program.AddOption("planes", "collectives: each rail has spines of its own", options.planes);
    program.AddOption("intraRate",
                      "collectives: of a GPU within its host, one way",
                      options.intraRate);
    EcmpDraw draw(program);
    program.StandsFor("mtu", {"ns3::RdmaQueuePair::Mtu"});
    program.StandsFor("ackInterval", {"ns3::RdmaQueuePair::AckInterval"});
    return program.Run(argc, argv, [&] {
        std::optional<FolderLock> folder; // refused before the run, not after it
        if (!options.outDir.empty())
        {
            folder.emplace(options.outDir);
        }
        if (!options.machine.empty())
        {
            options.link.delay = Time(FindMachine(options.machine).cable);
        }
        const Values values = Measure(options, program, draw);
        for (const Value& value : values)
        {
            std::cout << value.name << ": " << value.value << ' ' << value.unit << "\n";
        }
        if (options.outDir.empty())
        {
            return;
        }
        ResultFile file(options.outDir + "/machines.csv");
        file.Stream() << "name,value,unit\n";
        file.Stream().precision(9);
        for (const Value& value : values)
        {
            file.Stream() << value.name << ',' << value.value << ',' << value.unit << '\n';
        }
        file.Commit();
    });
}

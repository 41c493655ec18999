// SPDX-License-Identifier: GPL-2.0-only

// The latencies of TCP and of RDMA (C. Guo et al., RDMA over commodity Ethernet at scale, SIGCOMM
// 2016, figure 6): a service whose servers answer one of them at the same time, half of the
// bytes by TCP and half by RDMA, with links that are nearly idle on average; probes of both kinds.
//
//   guo16-latency --kernel=50us --outDir=results
//
// Writes latency.csv, a line for each probe: the time in the network, and that in kernels.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t BITS = 8;
constexpr uint32_t RDMA_CLASS = 3; //!< of flows and probes, lossless

/// What the options say.
struct Options
{
    std::string outDir;
    std::string congestion{"ns3::RdmaDcqcn"};
    uint32_t tors{4};
    uint32_t spines{4};
    uint32_t hostsPerTor{16};
    uint32_t senders{48};
    uint64_t bytes{16 * 1024};
    uint64_t buffer{12 * 1024 * 1024};
    double alpha{1.0 / 16};
    DataRate rate{"40Gbps"};
    DataRate load{"350Mbps"};
    uint32_t targets{4};
    uint64_t probeBytes{512};
    Time interval{MilliSeconds(5)};
    Time kernel;
    Time stop{MilliSeconds(200)};
};

/// TCP connections of hosts, which are opened at the begin and stay open.
class TcpConnections
{
  public:
    /// An end has received. @param bytes how many
    using Listener = std::function<void(uint32_t bytes)>;

    /// @param fabric where
    explicit TcpConnections(const Fabric& fabric)
        : m_fabric(fabric),
          m_listening(fabric.GetNHosts())
    {
        m_fabric.InstallInternet();
    }

    /// @param client a host @param server another host @return number of a new connection
    uint32_t Open(HostId client, HostId server)
    {
        Listen(server);
        const auto index = static_cast<uint32_t>(m_ends.size());
        const Ptr<Node> node = m_fabric.GetHost(client);
        const auto socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
        socket->Bind(
            InetSocketAddress(m_fabric.GetAddress(client), static_cast<uint16_t>(FIRST + index)));
        m_ends.emplace_back();
        SetSocket({index, false}, socket);
        // One after the other, so that they are no incast.
        Simulator::ScheduleWithContext(
            node->GetId(),
            index * MicroSeconds(1),
            [socket, address = InetSocketAddress(m_fabric.GetAddress(server), PORT)] {
                socket->Connect(address);
            });
        return index;
    }

    /// Send to the other end. @param connection its number @param fromServer who sends
    /// @param bytes how many
    void Send(uint32_t connection, bool fromServer, uint64_t bytes)
    {
        const Ptr<Socket>& socket = m_ends[connection][fromServer].socket;
        if (!socket || socket->Send(Create<Packet>(static_cast<uint32_t>(bytes))) < 0)
        {
            throw FabricError("a TCP connection takes no more bytes",
                              "a lower --load, or more of ns3::TcpSocket::SndBufSize");
        }
    }

    /// @param connection its number @param atServer which end @param listener called when the end
    /// has received
    void OnReceive(uint32_t connection, bool atServer, Listener listener)
    {
        m_ends[connection][atServer].listener = std::move(listener);
    }

  private:
    static constexpr uint16_t PORT = 5001;   //!< of servers
    static constexpr uint32_t FIRST = 10000; //!< port of the client of the first connection

    /// An end of a connection.
    struct End
    {
        Ptr<Socket> socket; //!< null: no connection yet
        Listener listener;  //!< none: nobody asks
    };

    /// Accept connections. @param server a host
    void Listen(HostId server)
    {
        Ptr<Socket>& listening = m_listening[server.Value()];
        if (listening)
        {
            return;
        }
        listening = Socket::CreateSocket(m_fabric.GetHost(server), TcpSocketFactory::GetTypeId());
        listening->Bind(InetSocketAddress(m_fabric.GetAddress(server), PORT));
        listening->Listen();
        listening->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                     Callback<void, Ptr<Socket>, const Address&>(
                                         [this](const Ptr<Socket>& socket, const Address& client) {
                                             const uint32_t port =
                                                 InetSocketAddress::ConvertFrom(client).GetPort();
                                             SetSocket({port - FIRST, true}, socket);
                                         }));
    }

    /// @param end number of a connection, and whether at the server @param socket of that end
    void SetSocket(std::pair<uint32_t, bool> end, const Ptr<Socket>& socket)
    {
        m_ends[end.first][end.second].socket = socket;
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>([this, end](const Ptr<Socket>& from) {
            while (const Ptr<Packet> packet = from->Recv())
            {
                if (const Listener& listener = m_ends[end.first][end.second].listener)
                {
                    listener(packet->GetSize());
                }
            }
        }));
    }

    Fabric m_fabric;
    std::vector<Ptr<Socket>> m_listening;   //!< by host
    std::vector<std::array<End, 2>> m_ends; //!< by connection: client, server
};

/// Probes of both kinds, between the same hosts.
class Probes
{
  public:
    /// @param options what is chosen @param connections of the hosts @param mesh probes by RDMA,
    /// which has drawn its pairs
    Probes(const Options& options, TcpConnections& connections, RdmaPingMesh& mesh, Time begin)
        : m_options(options),
          m_connections(connections),
          m_kernel(CreateObject<ExponentialRandomVariable>())
    {
        m_kernel->SetAttribute("Mean", DoubleValue(options.kernel.GetSeconds()));
        m_kernel->SetStream(3);
        mesh.OnProbe([this](const RdmaPingMesh::Outcome& probe) {
            if (probe.result == RdmaPingMesh::OK)
            {
                m_done.push_back({"RDMA", probe.posted, probe.ended - probe.posted, Time(0)});
            }
        });
        const auto& pairs = mesh.GetPairs();
        m_probes.resize(pairs.size());
        for (uint32_t i = 0; i < pairs.size(); ++i)
        {
            Probe& probe = m_probes[i];
            probe.connection = connections.Open(pairs[i].source, pairs[i].destination);
            connections.OnReceive(probe.connection, true, [this, i](uint32_t bytes) {
                // Up through the kernel of the server, and down again.
                Arrived(i, bytes, [this, i] { InKernel(i, [this, i] { Send(i, true); }); });
            });
            connections.OnReceive(probe.connection, false, [this, i](uint32_t bytes) {
                Arrived(i, bytes, [this, i] { End(i); });
            });
            // Spread over the interval, so that the probes are no incast.
            Simulator::Schedule(begin + options.interval * i / static_cast<int64_t>(pairs.size()),
                                &Probes::Begin,
                                this,
                                i);
        }
    }

    /// Print percentiles, and write the probes.
    void Report()
    {
        for (const std::string kind : {"TCP", "RDMA"})
        {
            std::vector<double> network;
            std::vector<double> all;
            for (const Done& probe : m_done)
            {
                if (kind == probe.kind)
                {
                    network.push_back(probe.network.GetSeconds() * 1e6);
                    all.push_back((probe.network + probe.kernel).GetSeconds() * 1e6);
                }
            }
            std::cout << kind << ": " << network.size() << " probes; network " << Text(network)
                      << "; with kernels " << Text(all) << "\n";
        }
        if (m_options.outDir.empty())
        {
            return;
        }
        ResultFile file(m_options.outDir + "/latency.csv");
        file.Stream() << "kind,sent_ns,network_ns,kernel_ns\n";
        for (const Done& probe : m_done)
        {
            file.Stream() << probe.kind << ',' << probe.sent.GetNanoSeconds() << ','
                          << probe.network.GetNanoSeconds() << ',' << probe.kernel.GetNanoSeconds()
                          << '\n';
        }
        file.Commit();
    }

  private:
    /// The probe of a pair by TCP that is under way.
    struct Probe
    {
        uint32_t connection{0};
        bool isWaiting{false};
        Time sent;
        Time kernel;       //!< so far
        uint64_t bytes{0}; //!< of the message that is on its way: those that have arrived
    };

    /// A probe that was answered.
    struct Done
    {
        std::string kind;
        Time sent;
        Time network;
        Time kernel;
    };

    /// @return percentiles of times, us
    static std::string Text(std::vector<double> times)
    {
        std::sort(times.begin(), times.end());
        std::string text;
        for (const double share : {0.5, 0.99, 0.999})
        {
            const auto place = static_cast<std::size_t>(share * static_cast<double>(times.size()));
            text += (text.empty() ? "" : ", ") +
                    (times.empty() ? "none" : std::to_string(times[place]));
        }
        return text + " us (median, 99 %, 99.9 %)";
    }

    /// A probe is due, unless the last one is still under way. @param index of the pair
    void Begin(uint32_t index)
    {
        Simulator::Schedule(m_options.interval, &Probes::Begin, this, index);
        Probe& probe = m_probes[index];
        if (probe.isWaiting)
        {
            return;
        }
        probe.isWaiting = true;
        probe.sent = Simulator::Now();
        probe.kernel = Time(0);
        InKernel(index, [this, index] { Send(index, false); });
    }

    /// Spend time in a kernel. @param index of the pair @param next what comes then
    void InKernel(uint32_t index, std::function<void()> next)
    {
        const Time time = Seconds(m_options.kernel.IsZero() ? 0 : m_kernel->GetValue());
        m_probes[index].kernel += time;
        Simulator::Schedule(time, std::move(next));
    }

    /// @param index of the pair @param fromServer who sends
    void Send(uint32_t index, bool fromServer)
    {
        m_probes[index].bytes = 0;
        m_connections.Send(m_probes[index].connection, fromServer, m_options.probeBytes);
    }

    /// @param index of the pair @param bytes that have arrived @param next what comes after the
    /// last of a message, when the kernel has it
    void Arrived(uint32_t index, uint32_t bytes, std::function<void()> next)
    {
        m_probes[index].bytes += bytes;
        if (m_probes[index].bytes == m_options.probeBytes)
        {
            InKernel(index, std::move(next));
        }
    }

    /// @param index of the pair whose answer is there
    void End(uint32_t index)
    {
        Probe& probe = m_probes[index];
        probe.isWaiting = false;
        const Time all = Simulator::Now() - probe.sent;
        m_done.push_back({"TCP", probe.sent, all - probe.kernel, probe.kernel});
    }

    const Options& m_options;
    TcpConnections& m_connections;
    Ptr<ExponentialRandomVariable> m_kernel;
    std::vector<Probe> m_probes; //!< by pair
    std::vector<Done> m_done;
};

/// When servers answer, and which.
class Bursts
{
  public:
    /// Called with each burst. @param at when @param receiver gets the answers
    /// @param senders answer
    using Visit =
        std::function<void(Time at, HostId receiver, const std::vector<uint32_t>& senders)>;

    /// Draw bursts of half the load of the servers. @param options what is chosen @param begin of
    /// the first @param stream random stream @param visit called with each
    static void Draw(const Options& options, Time begin, int64_t stream, const Visit& visit)
    {
        const uint32_t hosts = options.tors * options.hostsPerTor;
        const double bits = static_cast<double>(options.senders) * options.bytes * BITS;
        const auto gap = CreateObject<ExponentialRandomVariable>();
        gap->SetAttribute("Mean", DoubleValue(bits / (hosts * options.load.GetBitRate() / 2.0)));
        gap->SetStream(stream);
        const auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(stream + 1);
        std::vector<uint32_t> order(hosts);
        std::iota(order.begin(), order.end(), 0);
        for (Time at = begin + Seconds(gap->GetValue()); at < options.stop;
             at += Seconds(gap->GetValue()))
        {
            for (uint32_t i = 0; i <= options.senders; ++i)
            {
                std::swap(order[i], order[draw->GetInteger(i, hosts - 1)]);
            }
            visit(at, order[0], {order.begin() + 1, order.begin() + 1 + options.senders});
        }
    }
};

/// @param options what is chosen @param program has attributes of the user
void
Run(const Options& options, FabricProgram& program)
{
    FabricHelper helper(program.GetOptions());
    helper.SetAlphaBySpeed(false); // one alpha, as in the paper
    helper.SetLink("DataRate", DataRateValue(options.rate));
    helper.SetSwitch("ns3::SwitchMmu",
                     "BufferSize",
                     UintegerValue(options.buffer),
                     "Alpha",
                     DoubleValue(options.alpha),
                     "EgressAlpha",
                     DoubleValue(options.alpha));
    helper.SetScheduler("ns3::DwrrScheduler");
    helper.SetCongestionControl(options.congestion);
    // All links of one rate, and TCP without marks, which would drop its frames by chance.
    helper.SetEcn("ns3::WredEcnMarker", "Classes", UintegerValue(1U << RDMA_CLASS));
    const double oversubscription = static_cast<double>(options.hostsPerTor) / options.spines;
    const Fabric fabric =
        helper.LeafSpine(options.tors, options.spines, options.hostsPerTor, oversubscription);

    const Time begin = MilliSeconds(10); // connections are open then
    RunOptions runOptions;
    runOptions.outDir = options.outDir;
    runOptions.files = {"fct"};
    runOptions.stop = options.stop;
    runOptions.stopWhenDone = false;
    runOptions.undivided = "TCP connections of several hosts";
    if (options.outDir.empty())
    {
        runOptions.files.clear();
    }
    FabricRun run(fabric, runOptions);
    TcpConnections connections(fabric);
    RdmaPingMesh& mesh = run.Add<RdmaPingMesh>();
    mesh.SetBytes(options.probeBytes);
    mesh.SetInterval(options.interval);
    mesh.SetSample(options.targets, 2);
    mesh.Run(begin, options.stop);
    Probes probes(options, connections, mesh, begin);

    Bursts::Draw(options, begin, 10, [&](Time at, HostId receiver, const auto& senders) {
        for (const uint32_t sender : senders)
        {
            run.Rdma().Add({sender, receiver, options.bytes, at});
        }
    });
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> pairs; // hosts: number of their connection
    Bursts::Draw(options, begin, 20, [&](Time at, HostId receiver, const auto& senders) {
        for (const uint32_t sender : senders)
        {
            const auto [pair, isNew] = pairs.emplace(std::pair(sender, receiver.Value()), 0);
            if (isNew)
            {
                pair->second = connections.Open(sender, receiver);
            }
            Simulator::ScheduleWithContext(fabric.GetHost(sender)->GetId(),
                                           at,
                                           [&connections, &options, index = pair->second] {
                                               connections.Send(index, false, options.bytes);
                                           });
        }
    });
    std::cout << run.Execute().Summary();
    probes.Report();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Probes of TCP and of RDMA beside incasts of both.");
    // ns-3's segments of 536 bytes, timeout of a second and buffers of 128 KiB are far from what
    // servers have; 10 ms is the least timeout of the DCTCP paper.
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    Options options;
    program.AddOption("outDir", "folder for CSV files; empty: none", options.outDir);
    program.AddCongestion(options.congestion);
    program.AddOption("tors", "ToR switches", options.tors);
    program.AddOption("spines", "switches that join them", options.spines);
    program.AddOption("hostsPerTor", "servers at each ToR", options.hostsPerTor);
    program.AddOption("senders", "servers that answer at a time", options.senders);
    program.AddSize("bytes", "bytes of an answer", options.bytes);
    program.AddBuffer(options.buffer);
    program.AddOption("alpha", "of all switches and ports, PFC and drops", options.alpha);
    program.AddOption("rate", "rate of the links", options.rate);
    program.AddOption("load", "mean of a server, TCP and RDMA together", options.load);
    program.AddOption("targets", "servers that each server probes", options.targets);
    program.AddSize("probeBytes", "bytes of a probe", options.probeBytes);
    program.AddOption("interval", "time between two probes of a pair", options.interval);
    program.AddOption("kernel",
                      "mean time that a message by TCP spends in the kernel of an end, exponential",
                      options.kernel);
    program.AddOption("stop", "end of the run; the traffic begins at 10 ms", options.stop);
    program.StandsFor("alpha", {"ns3::SwitchMmu::Alpha", "ns3::SwitchMmu::EgressAlpha"});
    program.StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});
    return program.Run(argc, argv, [&] {
        if (options.senders == 0 || options.senders >= options.tors * options.hostsPerTor)
        {
            throw FabricError("--senders is " + std::to_string(options.senders),
                              "it must be 1 or more, and one server receives");
        }
        Run(options, program);
    });
}

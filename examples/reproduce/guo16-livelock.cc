// SPDX-License-Identifier: GPL-2.0-only

// The live-lock of go-back-0 (Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016,
// section 4.1): A - W - B at 40 Gb/s, messages of 4 MB one behind the other, and a switch W that
// drops every packet whose IP identification ends with 0xff, one in 256.
//
//   guo16-livelock --verb=SEND --recovery=ns3::RdmaGoBack0 --outDir=results
//
// Writes livelock.csv, a line with what came of it, and goodput.csv, payload over time.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <optional>
#include <string>

using namespace ns3;

namespace
{

constexpr double BITS = 8;

/// What the options say.
struct Options
{
    std::string verb{"WRITE"};
    std::string recovery{"ns3::RdmaGoBackN"};
    std::string outDir;
    DataRate rate{"40Gbps"};
    Time rtt{MicroSeconds(4)};
    Time stop{MilliSeconds(50)};
    Time sample{MicroSeconds(500)};
    uint64_t bytes{4096 * 1024};
    double random{0};
    bool loss{true};
    bool dataAlone{false};

    /// @return the verb of that name; FabricError if there is none
    RdmaVerb Verb() const
    {
        for (const auto one : {RdmaVerb::SEND, RdmaVerb::WRITE, RdmaVerb::READ})
        {
            if (verb == ToString(one))
            {
                return one;
            }
        }
        throw FabricError("--verb is \"" + verb + "\"", "it is SEND, WRITE or READ");
    }

    /// @return delay of each link, so that a NAK comes an rtt after its packet has left: packet
    /// and NAK are serialised twice
    Time Delay() const
    {
        constexpr uint32_t PACKET = 1106;
        constexpr uint32_t NAK = 86;
        const double serialised = 2 * (PACKET + NAK) * BITS / rate.GetBitRate();
        if (rtt.GetSeconds() < serialised)
        {
            throw FabricError("--rtt is less than the packets last on the links",
                              "at least " + std::to_string(serialised * 1e6) + " us");
        }
        return Seconds((rtt.GetSeconds() - serialised) / 4);
    }
};

/// The path, and what is posted and counted on it.
class LivelockRun
{
  public:
    /// @param options what is chosen @param attributes options of the program
    LivelockRun(const Options& options, const FabricOptions& attributes)
        : m_options(options),
          m_verb(options.Verb()),
          m_fabric(Build(options, attributes))
    {
        m_fabric.AssignStreams(1);
        LosePackets(attributes);
        m_connection = m_fabric.Connect(0, 1);
        m_connection.destination->PostReceive(1000000);
        m_connection.source->SetCompletionCallback(MakeCallback(&LivelockRun::Completed, this));
    }

    /// Run, print and write.
    void Run()
    {
        constexpr int AHEAD = 4; // messages posted: the link never waits for one
        for (int i = 0; i < AHEAD; ++i)
        {
            m_connection.source->Post({m_verb, m_options.bytes});
        }
        Simulator::Schedule(m_options.sample, &LivelockRun::Sample, this);
        RunOptions options;
        options.stop = m_options.stop;
        options.firstStream = -1; // the constructor has fixed them
        FabricRun(m_fabric, options).Execute();
        Report();
    }

  private:
    static Fabric Build(const Options& options, const FabricOptions& attributes)
    {
        FabricHelper helper(attributes);
        helper.SetCongestionControl("none");
        helper.SetQueuePair("LossRecovery", StringValue(options.recovery));
        helper.SetLink("DataRate",
                       DataRateValue(options.rate),
                       "Delay",
                       TimeValue(options.Delay()));
        return helper.Star(2);
    }

    /// W loses packets that come from A, from B, or from both. @param attributes of the program
    void LosePackets(const FabricOptions& attributes) const
    {
        const auto ipIds = CreateObject<IpIdLoss>(); // low byte 0xff
        ObjectFactory factory("ns3::RandomFrameLoss");
        attributes.Set(factory, "Rate", DoubleValue(m_options.random));
        attributes.Set(factory, "LosesPfc", BooleanValue(false));
        const auto random = factory.Create<RandomFrameLoss>();
        random->AssignStreams(2); // 1 is that of the ECN marker of W
        for (uint32_t port = 0; port < 2; ++port)
        {
            const bool data = port == (m_verb == RdmaVerb::READ ? 1 : 0);
            const auto device = m_fabric.GetSwitch(0)->GetPort(port);
            if (m_options.loss && (data || !m_options.dataAlone))
            {
                device->AddReceiveLoss(ipIds);
            }
            if (m_options.random > 0 && (data || !m_options.dataAlone))
            {
                device->AddReceiveLoss(random);
            }
        }
    }

    void Completed(const RdmaCompletion& completion)
    {
        m_failed += completion.status != RdmaStatus::SUCCESS;
        if (completion.status == RdmaStatus::SUCCESS)
        {
            m_connection.source->Post({m_verb, m_options.bytes});
        }
    }

    /// @param data whether of the host that the data comes from @return its counters
    const RdmaCounters& Counters(bool data) const
    {
        return m_fabric.GetRdma(data == (m_verb == RdmaVerb::READ) ? 1 : 0)->GetCounters();
    }

    void Sample()
    {
        const uint64_t delivered = Counters(false).payloadDelivered;
        m_samples.emplace_back(Simulator::Now(), delivered);
        Simulator::Schedule(m_options.sample, &LivelockRun::Sample, this);
    }

    void Report() const
    {
        const double seconds = m_options.stop.GetSeconds();
        const uint64_t messages = m_fabric.GetRdma(0)->GetCounters().messagesCompleted;
        const RdmaCounters& source = Counters(true);
        const double goodput = messages * m_options.bytes * BITS / seconds * 1e-9;
        const double delivered = Counters(false).payloadDelivered * BITS / seconds * 1e-9;
        const double busy =
            source.dataPackets * 1106 * BITS / seconds / m_options.rate.GetBitRate();
        uint64_t dropped = 0;
        for (uint32_t port = 0; port < 2; ++port)
        {
            const auto& drops = m_fabric.GetSwitch(0)->GetPort(port)->GetCounters().drops;
            dropped += drops[static_cast<std::size_t>(DropReason::INJECTED)];
        }
        std::cout << m_options.verb << " with " << m_options.recovery << ": " << messages
                  << " messages, " << goodput << " Gb/s of whole messages, " << delivered
                  << " Gb/s delivered, link " << 100 * busy << " % busy, " << dropped
                  << " packets dropped, " << source.retransmitted << " sent again\n";
        if (m_options.outDir.empty())
        {
            return;
        }
        ResultFile file(m_options.outDir + "/livelock.csv");
        file.Stream() << "verb,recovery,messages,failed,goodput_gbps,delivered_gbps,busy,dropped,"
                         "data_packets,retransmitted,timeouts\n"
                      << m_options.verb << ',' << m_options.recovery << ',' << messages << ','
                      << m_failed << ',' << goodput << ',' << delivered << ',' << busy << ','
                      << dropped << ',' << source.dataPackets << ',' << source.retransmitted << ','
                      << m_fabric.GetRdma(0)->GetCounters().timeouts << '\n';
        file.Commit();
        ResultFile samples(m_options.outDir + "/goodput.csv");
        samples.Stream() << "time_ns,delivered_bytes\n";
        for (const auto& [time, bytes] : m_samples)
        {
            samples.Stream() << time.GetNanoSeconds() << ',' << bytes << '\n';
        }
        samples.Commit();
    }

    Options m_options;
    RdmaVerb m_verb;
    Fabric m_fabric;
    Fabric::Connection m_connection;
    uint64_t m_failed{0};
    std::vector<std::pair<Time, uint64_t>> m_samples;
};

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Go-back-0, go-back-N and IRN where one packet in 256 is lost.");
    Options options;
    program.AddOption("verb", "SEND, WRITE or READ", options.verb);
    program.AddOption("recovery", "loss recovery, a type", options.recovery);
    program.AddOption("outDir", "folder for CSV files; empty: none", options.outDir);
    program.AddOption("rate", "rate of both links", options.rate);
    program.AddOption("rtt", "from a packet's end to that of its NAK", options.rtt);
    program.AddOption("stop", "end of the run", options.stop);
    program.AddOption("sample", "time between samples of the goodput", options.sample);
    program.AddSize("bytes", "bytes of a message", options.bytes);
    program.AddOption("loss", "drop packets whose IP identification ends with 0xff", options.loss);
    program.AddOption("dataAlone", "spare ACKs, NAKs and READ requests", options.dataAlone);
    program.AddOption("random", "and others with this probability", options.random);
    program.StandsFor("recovery", {"ns3::RdmaQueuePair::LossRecovery"});
    program.StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});
    program.StandsFor("rtt", {"ns3::QbbChannel::Delay"});
    program.StandsFor("random", {"ns3::RandomFrameLoss::Rate"});
    return program.Run(argc, argv, [&] {
        if (options.stop.IsZero() || options.sample.IsZero())
        {
            throw FabricError(std::string(options.stop.IsZero() ? "--stop" : "--sample") + " is 0",
                              "it must be above 0");
        }
        std::optional<FolderLock> folder; // refused before the run, not after it
        if (!options.outDir.empty())
        {
            folder.emplace(options.outDir);
        }
        LivelockRun(options, program.GetOptions()).Run();
    });
}

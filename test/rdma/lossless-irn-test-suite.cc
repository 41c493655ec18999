// SPDX-License-Identifier: GPL-2.0-only

// Loss recovery in time: two hosts and a switch that loses one packet in 256 (Guo et al., SIGCOMM
// 2016, section 4.1), and IRN (Mittal et al., SIGCOMM 2018) in fabrics without PFC.

#include "fabric-test-case.h"
#include "fault-watch.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-loss.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/rdma-go-back-0.h"
#include "ns3/rdma-irn.h"
#include "ns3/rdma-verbs.h"

#include <string>

using namespace ns3;

namespace
{

constexpr double BITS = 8;
/// Share of the payload in the wire bytes of a packet of 1024 bytes.
constexpr double PAYLOAD_SHARE = 1024.0 / 1106.0;

/// Frames that arrive at a port are lost. @param port which @param rate their share @param stream
/// of random numbers
void
LoseAtRandom(const Ptr<QbbNetDevice>& port, double rate, int64_t stream)
{
    const auto loss = CreateObjectWithAttributes<RandomFrameLoss>("Rate",
                                                                  DoubleValue(rate),
                                                                  "LosesPfc",
                                                                  BooleanValue(false));
    loss->AssignStreams(stream);
    port->AddReceiveLoss(loss);
}

/// @param port which @return frames that LoseAtRandom() and other losses took there
uint64_t
LostAt(const Ptr<QbbNetDevice>& port)
{
    return port->GetCounters().drops[static_cast<std::size_t>(DropReason::INJECTED)];
}

/// A - W - B: messages of 4 MB, one behind the other, and a switch that loses packets.
struct LossyPath
{
    DataRate rate{"40Gbps"};        //!< of both links
    Time rtt{MicroSeconds(4)};      //!< from the end of a packet to that of its NAK
    std::string recovery;           //!< LossRecovery
    RdmaVerb verb{RdmaVerb::WRITE}; //!< of the messages
    bool lossy{true};               //!< whether the switch drops IP-ID low byte 0xff
    double random{0};               //!< and this share of the data, by chance
    Time duration{MilliSeconds(8)}; //!< of the run
    RdmaCounters sender{};          //!< out: of A
    RdmaCounters receiver{};        //!< out: of B
    uint64_t completed{0};          //!< out: messages
    uint64_t dropped{0};            //!< out: by the switch

    /// Run. @return goodput at the host that the data goes to, Gb/s; bytes that went back to be
    /// sent again do not count
    double Run()
    {
        const bool read = verb == RdmaVerb::READ;
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetQueuePair("LossRecovery", StringValue(recovery));
        // Store and forward: the packet and its NAK are serialised twice each.
        const double serialised = 2 * (1106 + 86) * BITS / rate.GetBitRate();
        const Time delay = Seconds((rtt.GetSeconds() - serialised) / 4);
        helper.SetLink("DataRate", DataRateValue(rate), "Delay", TimeValue(delay));
        const Fabric fabric = helper.Star(2);
        fabric.AssignStreams(100);
        const auto port = fabric.GetSwitch(0)->GetPort(read ? 1 : 0); // data alone
        if (lossy)
        {
            port->AddReceiveLoss(CreateObject<IpIdLoss>()); // low byte 0xff
        }
        LoseAtRandom(port, random, 100);
        const auto connection = fabric.Connect(0, 1);
        connection.destination->PostReceive(100000);
        constexpr uint64_t MESSAGE = 4096 * 1024;
        auto post = [connection, verb = verb] { connection.source->Post({verb, MESSAGE}); };
        connection.source->SetCompletionCallback(
            Callback<void, const RdmaCompletion&>([post](const RdmaCompletion&) { post(); }));
        for (int i = 0; i < 4; ++i)
        {
            post();
        }
        Simulator::Stop(duration);
        Simulator::Run();
        sender = fabric.GetRdma(0)->GetCounters();
        receiver = fabric.GetRdma(1)->GetCounters();
        completed = sender.messagesCompleted;
        dropped = LostAt(port);
        connection.source->SetCompletionCallback({});
        const auto& sink = read ? sender : receiver;
        const double bytes = sink.payloadDelivered;
        Simulator::Destroy();
        return bytes * BITS / duration.GetSeconds() * 1e-9;
    }
};

/// Go-back-N at the loss of the experiment: the numbers of the packet-level reference.
class GoBackNGoodputTest : public FabricTestCase
{
  public:
    /// @param rate of the links @param rtt round trip @param expected Gb/s @param waste packets
    /// sent between a loss and its NAK
    GoBackNGoodputTest(const std::string& rate, Time rtt, double expected, double waste)
        : FabricTestCase("Go-back-N at one in 256, " + rate + ", round trip of " +
                         std::to_string(rtt.GetMicroSeconds()) + " us"),
          m_expected(expected),
          m_waste(waste)
    {
        m_path.rate = DataRate(rate);
        m_path.rtt = rtt;
        m_path.recovery = "ns3::RdmaGoBackN";
        m_path.duration = MilliSeconds(20);
    }

  private:
    void DoRun() override
    {
        const double goodput = m_path.Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(goodput, m_expected, 0.01 * m_expected, "reference");
        const double closed =
            m_path.rate.GetBitRate() * 1e-9 * PAYLOAD_SHARE * (255 - m_waste) / 256;
        NS_TEST_EXPECT_MSG_EQ_TOL(goodput, closed, 0.015 * closed, "closed form");
        NS_TEST_EXPECT_MSG_GT(m_path.dropped, 50, "it did lose");
        NS_TEST_EXPECT_MSG_EQ(m_path.sender.timeouts, 0, "NAKs made it good");
    }

    LossyPath m_path;
    double m_expected;
    double m_waste;
};

/// Live-lock: go-back-0 completes nothing; go-back-N and IRN go on.
class LiveLockTest : public FabricTestCase
{
  public:
    explicit LiveLockTest(RdmaVerb verb)
        : FabricTestCase(std::string("Live-lock at one in 256 with ") + ToString(verb)),
          m_verb(verb)
    {
    }

  private:
    double Run(const std::string& recovery, bool lossy, LossyPath& path)
    {
        path = LossyPath();
        path.verb = m_verb;
        path.recovery = recovery;
        path.lossy = lossy;
        return path.Run();
    }

    void DoRun() override
    {
        LossyPath path;
        Run("ns3::RdmaGoBack0", true, path);
        NS_TEST_EXPECT_MSG_EQ(path.completed, 0, "go-back-0 completes no message");
        const auto& source = m_verb == RdmaVerb::READ ? path.receiver : path.sender;
        // The link is busy all the same: 40 Gb/s for 8 ms are 36166 packets of 1106 bytes.
        NS_TEST_EXPECT_MSG_GT(source.dataPackets, 35000, "the link is full");
        Run("ns3::RdmaGoBack0", false, path);
        NS_TEST_EXPECT_MSG_GT(path.completed, 6, "go-back-0 without loss");

        const double goBackN = Run("ns3::RdmaGoBackN", true, path);
        NS_TEST_EXPECT_MSG_EQ_TOL(goBackN, 34.0, 0.6, "go-back-N");
        const double clean = Run("ns3::RdmaIrn", false, path);
        NS_TEST_EXPECT_MSG_EQ(path.dropped, 0, "no loss");
        NS_TEST_EXPECT_MSG_GT(clean, 36.5, "IRN fills the link: 37.03 Gb/s are payload");
        const double irn = Run("ns3::RdmaIrn[CountSacked=false]", true, path);
        NS_TEST_EXPECT_MSG_GT(path.dropped, 100, "it did lose");
        NS_TEST_EXPECT_MSG_GT(irn, 0.99 * clean, "IRN keeps 0.99 of the goodput without loss");
        NS_TEST_EXPECT_MSG_EQ(path.sender.timeouts, 0, "no timeout");
        NS_TEST_EXPECT_MSG_EQ(path.sender.messagesFailed, 0, "nothing fails");
    }

    RdmaVerb m_verb;
};

/// BDP-FC as in the paper counts what was SACKed: each loss stops the sender for a round trip.
class PaperCapTest : public FabricTestCase
{
  public:
    PaperCapTest()
        : FabricTestCase("IRN at one in 256 where SACKed packets count as in flight")
    {
    }

  private:
    void DoRun() override
    {
        LossyPath path;
        path.recovery = "ns3::RdmaIrn";
        const double goodput = path.Run();
        // A loss is known a round trip after it, and made good another later: 2 RTT of 20 packets
        // for 256, in which about one RTT's worth is sent.
        NS_TEST_EXPECT_MSG_LT(goodput, 0.97 * 37.03, "it costs");
        NS_TEST_EXPECT_MSG_GT(goodput, 0.88 * 37.03, "about a round trip a loss");
    }
};

/// Random loss on a path: IRN resends what was lost and no more.
class RandomLossTest : public FabricTestCase
{
  public:
    RandomLossTest()
        : FabricTestCase("IRN resends what random loss took, and little more")
    {
    }

  private:
    void DoRun() override
    {
        LossyPath path;
        path.recovery = "ns3::RdmaIrn";
        path.lossy = false;
        path.random = 0.01;
        path.duration = MilliSeconds(20);
        const double goodput = path.Run();
        NS_TEST_EXPECT_MSG_GT(path.dropped, 400, "1 % of data");
        NS_TEST_EXPECT_MSG_GT(goodput, 20, "it goes on");
        NS_TEST_EXPECT_MSG_LT(path.sender.retransmitted, 1.05 * path.dropped, "selective");
        NS_TEST_EXPECT_MSG_GT(path.sender.retransmitted, 0.95 * path.dropped, "all of it");
        NS_TEST_EXPECT_MSG_EQ(path.sender.messagesFailed, 0, "nothing fails");
    }
};

/// The timeouts in time, with the last packet lost.
class TimeoutsTest : public FabricTestCase
{
  public:
    TimeoutsTest()
        : FabricTestCase(
              "IRN: the short timeout where few packets are in flight, else the long one")
    {
    }

  private:
    void DoRun() override
    {
        // One packet to a host that drops all: the first timeout comes 100 us after it was sent. Of
        // three packets, 320 us.
        for (const uint64_t packets : {1, 2, 3, 10})
        {
            FabricHelper helper;
            helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[BdpCap=100]"));
            helper.SetQueuePair("RetryLimit", UintegerValue(1));
            const Fabric fabric = helper.Star(2);
            LoseAtRandom(fabric.GetSwitch(0)->GetPort(0), 1, 1);
            const auto connection = fabric.Connect(0, 1);
            Time ended;
            connection.source->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
                [&ended](const RdmaCompletion& completion) { ended = completion.completed; }));
            connection.source->Post({RdmaVerb::WRITE, packets * 1024});
            Simulator::Run();
            const Time first = packets < 3 ? MicroSeconds(100) : MicroSeconds(320);
            NS_TEST_EXPECT_MSG_EQ(ended, first + 2 * first, packets << " packets"); // it doubles
            Simulator::Destroy();
        }
    }
};

/// A fabric without PFC: one line, and nothing counts as lost in a lossless class.
class WithoutPfcTest : public FabricTestCase
{
  public:
    WithoutPfcTest()
        : FabricTestCase("IRN in a fabric without PFC")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
        helper.SetLosslessClasses({}); // no PFC
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("200KB"));
        Fabric fabric = helper.Star(9);
        FabricRun run(fabric);
        run.Rdma().Incast(8, 0, 500000, Time(0));
        const RunTotals& totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, 8, "all complete");
        NS_TEST_EXPECT_MSG_GT(totals.lossyDrops, 100, "the buffer was too small");
        NS_TEST_EXPECT_MSG_EQ(totals.losslessDrops, 0, "no class is lossless");
        NS_TEST_EXPECT_MSG_EQ(totals.pfc.xoffFrames, 0, "nor paused");
        uint64_t delivered = fabric.GetRdma(0)->GetCounters().payloadDelivered;
        NS_TEST_EXPECT_MSG_EQ(delivered, 8 * 500000, "every byte once");
        ExpectClean(fabric);
    }
};

/// IRN with every verb under every congestion control: what telemetry there is in NAKs confuses
/// none.
class WithControlsTest : public FabricTestCase
{
  public:
    explicit WithControlsTest(const std::string& congestion)
        : FabricTestCase("IRN at random loss with " + congestion),
          m_congestion(congestion)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl(m_congestion);
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
        Fabric fabric = helper.LeafSpine(2, 2, 2);
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
            {
                LoseAtRandom(fabric.GetSwitch(i)->GetPort(port), 0.005, 1000 + 10 * i + port);
            }
        }
        RdmaFlowHelper flows(fabric);
        for (const auto verb :
             {RdmaVerb::WRITE, RdmaVerb::SEND, RdmaVerb::READ, RdmaVerb::WRITE_IMM})
        {
            flows.SetVerb(verb);
            flows.AllToAll(100000, MicroSeconds(1));
        }
        fabric.AssignStreams(flows.AssignStreams(1));
        TestTraffic all(flows);
        all.StopWhenDone();
        Simulator::Stop(MilliSeconds(500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 4 * 12, "all complete");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFailed(), 0, "none fails");
        uint64_t delivered = 0;
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            delivered += fabric.GetRdma(host)->GetCounters().payloadDelivered;
        }
        NS_TEST_EXPECT_MSG_EQ(delivered, uint64_t{4 * 12 * 100000}, "every byte once");
        NS_TEST_EXPECT_MSG_GT(LostAt(fabric.GetSwitch(0)->GetPort(0)), 0, "loss");
    }

    std::string m_congestion;
};

/// What is wrong is said in one line.
class ErrorsTest : public FabricTestCase
{
  public:
    ErrorsTest()
        : FabricTestCase("IRN without a base round trip")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
        const Fabric fabric = helper.Star(2);
        const auto one = fabric.GetRdma(0)->CreateQueuePair(0);
        const auto other = fabric.GetRdma(1)->CreateQueuePair(0);
        ExpectRefusal([&] { RdmaHw::Connect(one, other); }, "BdpCap");
        RdmaHw::Connect(one, other, MicroSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(one->GetState(), RdmaQueuePair::READY, "connected");
    }
};

/// Which frames are lost by identification, and how many.
class IpIdLossTest : public FabricTestCase
{
  public:
    IpIdLossTest()
        : FabricTestCase("Loss by identification: every 256th frame of a sender")
    {
    }

  private:
    void DoRun() override
    {
        LossyPath path;
        path.recovery = "ns3::RdmaIrn";
        path.duration = MilliSeconds(2);
        path.Run();
        const uint64_t sent = path.sender.dataPackets; // a few have not arrived yet
        NS_TEST_EXPECT_MSG_EQ(path.dropped, (sent - 10) / 256, "every 256th that A has sent");
    }
};

class IrnTestSuite : public TestSuite
{
  public:
    IrnTestSuite()
        : TestSuite("lossless-irn", Type::SYSTEM)
    {
        AddTestCase(new GoBackNGoodputTest("40Gbps", MicroSeconds(4), 33.998, 19));
        AddTestCase(new GoBackNGoodputTest("40Gbps", MicroSeconds(10), 30.094, 46));
        AddTestCase(new GoBackNGoodputTest("100Gbps", MicroSeconds(10), 50.646, 114));
        for (const auto verb : {RdmaVerb::SEND, RdmaVerb::WRITE, RdmaVerb::READ})
        {
            AddTestCase(new LiveLockTest(verb));
        }
        AddTestCase(new PaperCapTest);
        AddTestCase(new RandomLossTest);
        AddTestCase(new TimeoutsTest);
        AddTestCase(new WithoutPfcTest);
        for (const std::string name : {"RdmaDcqcn",
                                       "RdmaTimely",
                                       "RdmaSwift",
                                       "RdmaHpcc",
                                       "RdmaDctcp",
                                       "RdmaPcn",
                                       "RdmaNscc"})
        {
            AddTestCase(new WithControlsTest("ns3::" + name));
        }
        AddTestCase(new ErrorsTest);
        AddTestCase(new IpIdLossTest);
    }
};

IrnTestSuite g_irnTestSuite; //!< registers the suite

} // namespace

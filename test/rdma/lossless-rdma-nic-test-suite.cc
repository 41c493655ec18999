// SPDX-License-Identifier: GPL-2.0-only

// The NIC around the transport: congestion notification, pacing, sharing, life of a queue pair.

#include "fabric-test-case.h"
#include "rdma-hosts.h"

#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/qbb-port-owner.h"
#include "ns3/rdma-dcqcn.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace ns3;

namespace
{

/// A box between two hosts that passes everything on, and marks data while it is told to.
struct MarkingRelay : public QbbPortOwner
{
    /// @param hosts two hosts without a cable @param rate of the cables
    explicit MarkingRelay(Hosts& hosts, const std::string& rate = "100Gbps")
    {
        for (uint32_t h = 0; h < 2; ++h)
        {
            auto channel = CreateObject<QbbChannel>();
            channel->SetDelay(MicroSeconds(1));
            auto port = Hosts::MakePort(hosts.node[h], channel, rate);
            hosts.hw[h]->AddPort(port, Ipv4Address(0x0a000001 + h));
            ports[h] = Hosts::MakePort(node, channel, rate);
            ports[h]->SetOwner(this, h);
        }
    }

    void FrameArrived(QbbNetDevice& port, Frame* frame) override
    {
        if (frame->opcode == RoceOpcode::CNP)
        {
            cnps.push_back(Simulator::Now());
            cnpsRight &= frame->bytes == 78 && frame->becn && frame->trafficClass == 6 &&
                         frame->ecn == Ecn::NOT_ECT && frame->psn == 0;
        }
        if (Simulator::Now() >= from && Simulator::Now() < until && frame->ecn == Ecn::ECT0)
        {
            frame->ecn = Ecn::CE;
        }
        auto& out = ports[1 - port.GetPortIndex()];
        out->Queues().Push(frame);
        out->Kick();
    }

    Frame* NextFrame(QbbNetDevice& port) override
    {
        return port.PopQueues();
    }

    bool HasNext(const QbbNetDevice& port) const override
    {
        return port.HasSendable();
    }

    Ptr<Node> node{CreateObject<Node>()};
    std::array<Ptr<QbbNetDevice>, 2> ports;
    Time from;               //!< data is marked from then on
    Time until{Time::Max()}; //!< and no more then
    std::vector<Time> cnps;  //!< when CNPs passed
    bool cnpsRight{true};    //!< whether they looked as they should (InfiniBand annex A17)
};

/// CNPs are packets of their own, at most one an interval.
class CnpTest : public PortTestCase
{
  public:
    /// @param control CongestionControl @param interval of its CNPs; 0: one a packet
    /// @param verb what is sent
    CnpTest(const std::string& control, Time interval, RdmaVerb verb)
        : PortTestCase("Pitfall 16: CNPs of " + control + " for " + ToString(verb)),
          m_control(control),
          m_interval(interval),
          m_verb(verb)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("100Gbps", Time(0), 0);
        MarkingRelay relay(hosts);
        hosts.Set("CongestionControl", m_control);
        hosts.Join();
        hosts.Post(0, m_verb, 2000000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "completes");
        uint32_t receiver = m_verb == RdmaVerb::READ ? 0 : 1;
        const auto& counters = hosts.hw[receiver]->GetCounters();
        NS_TEST_EXPECT_MSG_GT(counters.markedReceived, 1900, "all data was marked");
        NS_TEST_EXPECT_MSG_EQ(counters.cnpsSent, relay.cnps.size(), "counted");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[1 - receiver]->GetCounters().cnpsReceived,
                              relay.cnps.size(),
                              "received");
        NS_TEST_EXPECT_MSG_EQ(relay.cnpsRight, true, "class 6, BECN, 78 bytes, not ECT");
        NS_TEST_EXPECT_MSG_GT(relay.cnps.size(), 3, "several");
        for (size_t i = 1; i < relay.cnps.size(); ++i)
        {
            // They queue behind at most one frame on their way.
            Time gap = relay.cnps[i] - relay.cnps[i - 1] + PicoSeconds(1122 * 80);
            NS_TEST_EXPECT_MSG_EQ((gap >= m_interval), true, "not more often than the interval");
        }
        if (m_interval.IsZero())
        {
            NS_TEST_EXPECT_MSG_EQ(relay.cnps.size(), counters.markedReceived, "one for each");
        }
        double rate = hosts.qp[1 - receiver]->GetFlowState().rate;
        NS_TEST_EXPECT_MSG_LT(rate, 60e9, "the sender slowed down");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[1 - receiver]->GetCounters().retransmitted, 0, "no loss");
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "pitfall 5: no event is left");
    }

    std::string m_control;
    Time m_interval;
    RdmaVerb m_verb;
};

/// A finished queue pair whose last packets brought CNPs has no events, and has recovered by the
/// next message all the same.
class IdleTest : public PortTestCase
{
  public:
    IdleTest()
        : PortTestCase("Pitfall 5: no events of a finished queue pair; its rate recovers by time")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("100Gbps", Time(0), 0);
        MarkingRelay relay(hosts);
        hosts.Set("CongestionControl", "ns3::RdmaDcqcn[Dialect=Paper]");
        hosts.Join();
        hosts.Post(0, RdmaVerb::WRITE, 100000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "completes");
        NS_TEST_EXPECT_MSG_LT(hosts.completed[0].completed, MicroSeconds(100), "and soon");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(100), "nothing ran afterwards");
        double slow = hosts.qp[0]->GetFlowState().rate;
        NS_TEST_EXPECT_MSG_LT(slow, 51e9, "left with a low rate");
        relay.until = Time(0);
        uint64_t events = Simulator::GetEventCount();
        Simulator::Schedule(MilliSeconds(50), [&]() { hosts.Post(0, RdmaVerb::WRITE, 100000); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 2, "completes");
        NS_TEST_EXPECT_MSG_EQ(hosts.qp[0]->GetFlowState().rate, 100e9, "recovered meanwhile");
        Time took = hosts.completed[1].completed - hosts.completed[1].posted;
        // 97 packets of 1106, the first with a RETH, and one of 754, behind the first packet's
        // second hop; an ACK of two hops; four cables.
        Time ideal = PicoSeconds((1122 + 97 * 1106 + 16 + 754 + 2 * 86) * 80) + MicroSeconds(4);
        NS_TEST_EXPECT_MSG_EQ(took, ideal, "at line rate from its first packet");
        NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount() - events, 1000, "few events");
    }
};

/// A congestion control of a user: one rate, and from some time on another.
class StepRate : public RdmaCongestionOps
{
  public:
    /// @param first rate, bit/s @param second rate, bit/s @param at when, picoseconds
    StepRate(double first, double second, int64_t at)
        : m_first(first),
          m_second(second),
          m_at(at)
    {
    }

    std::string GetName() const override
    {
        return "step";
    }

    void Init(RdmaFlowState& state, int64_t) override
    {
        state.rate = m_first;
    }

    int64_t NextTimer() const override
    {
        return m_at;
    }

    void OnTimer(RdmaFlowState& state, int64_t) override
    {
        state.rate = m_second;
        m_at = NEVER;
    }

  private:
    double m_first;
    double m_second;
    int64_t m_at;
};

/// A congestion control that notes what the ACKs say.
class AckNotes : public RdmaCongestionOps
{
  public:
    std::string GetName() const override
    {
        return "notes";
    }

    void OnAck(RdmaFlowState&, const RdmaAckEvent& ack) override
    {
        events.push_back(ack);
    }

    std::vector<RdmaAckEvent> events;
};

/// The first packet is lost: the NAK acknowledges nothing, and says so.
class FirstLostTest : public PortTestCase
{
  public:
    FirstLostTest()
        : PortTestCase("A NAK of the first packet leaves sequence number 0 unacknowledged")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        const auto first = CreateObject<ReceiveListErrorModel>();
        first->SetList({0});
        hosts.node[1]->GetDevice(0)->SetAttribute("ReceiveErrorModel", PointerValue(first));
        const auto notes = CreateObject<AckNotes>();
        for (uint32_t h = 0; h < 2; ++h)
        {
            hosts.qp[h] = hosts.hw[h]->CreateQueuePair(0);
            hosts.qp[h]->SetCongestionControl(h == 0 ? notes : CreateObject<AckNotes>());
            hosts.qp[h]->SetCompletionCallback(MakeCallback(&Hosts::Completed, &hosts));
        }
        RdmaHw::Connect(hosts.qp[0], hosts.qp[1]);
        hosts.Post(0, RdmaVerb::WRITE, 4096);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "completes");
        NS_TEST_ASSERT_MSG_GT(notes->events.size(), 1, "a NAK and ACKs");
        NS_TEST_EXPECT_MSG_EQ(notes->events.front().nak, true, "the first is missed");
        NS_TEST_EXPECT_MSG_EQ(notes->events.front().unackedPsn, 0, "nothing is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(notes->events.front().ackedBytes, 0, "nothing is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(notes->events.back().unackedPsn, 4, "all four packets are");
    }
};

/// A packet that is planned moves when the rate changes:
/// nextSend += txTime(new rate) - txTime(old rate), never earlier than now.
class ReplanTest : public PortTestCase
{
  public:
    /// @param first rate, bit/s @param second rate, bit/s, from 2 us on
    /// @param startPs when the second packet must start (an integer: a Time made before main() has
    /// whole nanoseconds)
    ReplanTest(double first, double second, int64_t startPs)
        : PortTestCase("A planned packet moves when the rate changes"),
          m_first(first),
          m_second(second),
          m_startPs(startPs)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        for (uint32_t h = 0; h < 2; ++h)
        {
            hosts.qp[h] = hosts.hw[h]->CreateQueuePair(0);
            hosts.qp[h]->SetCongestionControl(CreateObject<StepRate>(m_first, m_second, 2000000));
            hosts.qp[h]->SetReceiveCallback(MakeCallback(&Hosts::Received, &hosts));
            hosts.qp[h]->SetCompletionCallback(MakeCallback(&Hosts::Completed, &hosts));
        }
        RdmaHw::Connect(hosts.qp[0], hosts.qp[1]);
        hosts.Post(0, RdmaVerb::WRITE, 2048); // 1122 and 1106 bytes on the wire
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.received.size(), 1, "completes");
        Time expected = PicoSeconds(m_startPs + 1106 * 80) + MicroSeconds(1);
        NS_TEST_EXPECT_MSG_EQ(hosts.received[0].completed, expected, "second packet");
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "no event is left");
    }

    double m_first;
    double m_second;
    int64_t m_startPs;
};

/// A queue pair that waits for its window, and another one whose gap ends meanwhile.
class HeldTest : public PortTestCase
{
  public:
    /// @param transmitter attribute Transmitter of the port @param sent packets that the other one
    /// sends before an acknowledgement comes
    HeldTest(const std::string& transmitter, uint64_t sent)
        : PortTestCase("A window that is closed and the gaps of others: " + transmitter),
          m_transmitter(transmitter),
          m_sent(sent)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.node[0]->GetDevice(0)->SetAttribute("Transmitter", StringValue(m_transmitter));
        std::array<Ptr<RdmaQueuePair>, 2> senders;
        for (uint32_t i = 0; i < 2; ++i)
        {
            senders[i] = hosts.hw[0]->CreateQueuePair(0);
            senders[i]->SetAttribute("Window", UintegerValue(i == 0 ? 1 : 0));
            senders[i]->SetCongestionControl(CreateObject<StepRate>(50e9, 50e9, 2000000));
            RdmaHw::Connect(senders[i], hosts.hw[1]->CreateQueuePair(0));
        }
        RdmaWorkRequest request;
        request.verb = RdmaVerb::WRITE;
        request.bytes = 20480;
        for (const auto& sender : senders)
        {
            sender->Post(request);
        }
        Simulator::Stop(MicroSeconds(2)); // one way takes 1 us
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().dataPackets, 1 + m_sent, "sent");
        Simulator::Run();
        for (const auto& sender : senders)
        {
            NS_TEST_EXPECT_MSG_EQ(sender->IsIdle(), true, "completes");
        }
    }

    std::string m_transmitter;
    uint64_t m_sent;
};

/// Callbacks may do anything.
class LifeTest : public PortTestCase
{
  public:
    LifeTest()
        : PortTestCase("A queue pair may be closed, destroyed and replaced in its own callbacks")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        m_hosts = &hosts;
        hosts.Join();
        hosts.qp[0]->SetCompletionCallback(MakeCallback(&LifeTest::Next, this));
        hosts.qp[1]->SetReceiveCallback(MakeCallback(&LifeTest::Arrived, this));
        hosts.Post(0, RdmaVerb::WRITE, 5000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_rounds, 100, "all rounds");
        NS_TEST_EXPECT_MSG_EQ(m_arrived, 100, "all messages");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetNQueuePairs(), 1, "one is left");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[1]->GetNQueuePairs(), 1, "one is left");
        NS_TEST_EXPECT_MSG_LT(hosts.qp[0]->GetNumber(), 60, "numbers are used again");
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "no event is left");
    }

    void Arrived(const RdmaCompletion&)
    {
        ++m_arrived;
    }

    void Next(const RdmaCompletion& completion)
    {
        NS_TEST_EXPECT_MSG_EQ(completion.status, RdmaStatus::SUCCESS, "each round");
        m_hosts->Completed(completion);
        if (++m_rounds == 100)
        {
            return;
        }
        for (uint32_t h = 0; h < 2; ++h)
        {
            auto old = m_hosts->qp[h];
            m_hosts->hw[h]->DestroyQueuePair(old);
        }
        m_hosts->Join();
        m_hosts->qp[0]->SetCompletionCallback(MakeCallback(&LifeTest::Next, this));
        m_hosts->qp[1]->SetReceiveCallback(MakeCallback(&LifeTest::Arrived, this));
        m_hosts->Post(0, RdmaVerb::WRITE, 5000);
    }

    Hosts* m_hosts{nullptr};
    uint32_t m_rounds{0};
    uint32_t m_arrived{0};
};

/// Closing one end in the middle.
class CloseTest : public PortTestCase
{
  public:
    CloseTest()
        : PortTestCase("Close flushes what is posted and leaves no event")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Join();
        hosts.Post(0, RdmaVerb::WRITE, 1000000);
        hosts.Post(0, RdmaVerb::READ, 1000000);
        hosts.Post(1, RdmaVerb::WRITE, 100);
        Simulator::Schedule(MicroSeconds(20), &RdmaQueuePair::Close, hosts.qp[0]);
        hosts.Set("CongestionControl", "ns3::RdmaFixedRate[Rate=1Mbps]"); // 9 ms a packet
        hosts.Join();
        hosts.Post(0, RdmaVerb::WRITE, 100);
        hosts.Post(0, RdmaVerb::WRITE, 100);
        Simulator::Schedule(MicroSeconds(20), &RdmaQueuePair::Close, hosts.qp[0]);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 5, "all end");
        uint32_t flushed = 0;
        for (const auto& completion : hosts.completed)
        {
            if (completion.status == RdmaStatus::FLUSHED)
            {
                ++flushed;
                NS_TEST_EXPECT_MSG_EQ(completion.completed, MicroSeconds(20), "at once");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(flushed, 3, "WRITE, READ and the second slow WRITE");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(30), "nothing ran on");
    }
};

/// Memory of idle queue pairs.
class MemoryTest : public PortTestCase
{
  public:
    MemoryTest()
        : PortTestCase("An idle queue pair takes at most 2 KB")
    {
    }

  private:
    void DoRun() override
    {
#ifdef __GLIBC__
        constexpr uint32_t COUNT = 2000;
        Hosts hosts;
        hosts.Join();
        auto before = mallinfo2().uordblks;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            RdmaHw::Connect(hosts.hw[0]->CreateQueuePair(0), hosts.hw[1]->CreateQueuePair(0));
        }
        double bytes = static_cast<double>(mallinfo2().uordblks - before) / (2 * COUNT);
        NS_TEST_EXPECT_MSG_LT(bytes, 2048, "congestion control included");
#endif
    }
};

/// A paced queue pair is woken in time although another one of its NIC waits for its window.
class WakeUpTest : public FabricTestCase
{
  public:
    WakeUpTest()
        : FabricTestCase("Pitfall 7: a paced sender keeps its pace beside one that waits")
    {
    }

  private:
    /// @param beside whether there is another queue pair @return completion of the paced message
    Time Run(bool beside)
    {
        FabricHelper helper;
        helper.SetLink("Delay", StringValue("20us"));
        helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", StringValue("1Gbps"));
        const Fabric fabric = helper.Star(3);
        Time completed;
        const auto paced = fabric.Connect(0, 1);
        paced.source->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
            [&completed](const RdmaCompletion& completion) { completed = completion.completed; }));
        RdmaWorkRequest request;
        request.bytes = 100 * 1024;
        paced.source->Post(request);
        Fabric::QueuePairOptions options;
        options.congestion = ObjectFactory("ns3::RdmaFixedRate");
        options.attributes.emplace_back("Window", Create<UintegerValue>(1024));
        const auto waits = fabric.Connect(0, 2, options);
        if (beside)
        {
            waits.source->Post(request); // a packet a round trip, blocked in between
        }
        Simulator::Run();
        Simulator::Destroy();
        return completed;
    }

    void DoRun() override
    {
        const Time alone = Run(false);
        const Time beside = Run(true);
        // 99 gaps of 1106 bytes at 1 Gb/s lie before the last packet.
        NS_TEST_EXPECT_MSG_GT(alone, NanoSeconds(99 * 1106 * 8), "it is paced");
        // A packet of the other may stand in the way of the last one, and its ACK too.
        NS_TEST_EXPECT_MSG_LT(beside - alone, NanoSeconds(2 * 1122 * 8 / 100), "no later");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(beside, alone, "nor earlier");
    }
};

/// The suite.
class RdmaNicTestSuite : public TestSuite
{
  public:
    RdmaNicTestSuite()
        : TestSuite("lossless-rdma-nic", Type::UNIT)
    {
        Time none;
        AddTestCase(
            new CnpTest("ns3::RdmaDcqcn[Dialect=Paper]", MicroSeconds(50), RdmaVerb::WRITE));
        AddTestCase(new FirstLostTest);
        AddTestCase(new CnpTest("ns3::RdmaDcqcn[Dialect=Nic]", MicroSeconds(4), RdmaVerb::WRITE));
        AddTestCase(new CnpTest("ns3::RdmaDcqcn[Dialect=Nic]", MicroSeconds(4), RdmaVerb::READ));
        AddTestCase(new CnpTest("ns3::RdmaDcqcn[CnpInterval=0s]", none, RdmaVerb::WRITE));
        AddTestCase(new IdleTest);
        AddTestCase(new ReplanTest(1e6, 100e9, 2000000)); // at once
        AddTestCase(new ReplanTest(1e9, 2e9, 4488000));   // earlier, not 8976 ns
        AddTestCase(new ReplanTest(1e9, 1e8, 89760000));  // later
        AddTestCase(new ReplanTest(100e9, 1e9, 89760));   // it had gone
        AddTestCase(new HeldTest("Prompt", 11));          // a packet takes 90 ns, a gap two
        AddTestCase(new HeldTest("Hpcc", 1));
        AddTestCase(new LifeTest);
        AddTestCase(new CloseTest);
        AddTestCase(new MemoryTest);
        AddTestCase(new WakeUpTest);
    }
};

RdmaNicTestSuite g_rdmaNicTestSuite;

} // namespace

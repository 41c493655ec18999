// SPDX-License-Identifier: GPL-2.0-only

// Link-level retry: goodput with bit errors, order, what passes a replay, giving up, cuts, and
// flows that need no retransmission end to end.

#include "fabric-test-case.h"
#include "port-test-case.h"
#include "refusal-of.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fault-loss.h"
#include "ns3/llr-link.h"
#include "ns3/string.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint8_t CLS = 3;
constexpr uint32_t FRAME = 1086;    //!< bytes
constexpr int64_t FRAME_PS = 22120; //!< of its 1106 wire bytes at 400 Gb/s

/// Notes which frames arrive, and when.
class Receiver : public QueuePortOwner
{
  public:
    void FrameArrived(QbbNetDevice&, Frame* frame) override
    {
        numbers.push_back(frame->immediate);
        last = Simulator::Now();
        frame->Release();
    }

    std::vector<uint32_t> numbers; //!< that Send() has given them
    Time last;                     //!< when the last has arrived
};

/// Two ports of 400 Gb/s, 1 us apart, with retry: 0 sends to 1.
struct RetryingLink : PortPair<Receiver>
{
    /// @param attribute of both ports, set to @param value; empty: none
    explicit RetryingLink(const std::string& attribute = "", const std::string& value = "")
        : PortPair("400Gbps", MicroSeconds(1))
    {
        for (const auto& each : port)
        {
            each->SetAttribute("LlrEnabled", BooleanValue(true));
            if (!attribute.empty())
            {
                each->SetAttribute(attribute, StringValue(value));
            }
        }
    }

    void Send(uint32_t count)
    {
        PortPair::Send(CLS, count, FRAME);
    }

    /// Let a port lose frames at random. @param end the port @param rate of them @param all whether
    /// ordered sets and PFC frames are lost, too
    void Lose(uint32_t end, double rate, bool all = true)
    {
        const auto loss = CreateObject<RandomFrameLoss>();
        loss->SetAttribute("LosesPfc", BooleanValue(all));
        loss->SetAttribute("Rate", DoubleValue(rate));
        loss->AssignStreams(11 + end);
        port[end]->AddReceiveLoss(loss);
    }

    /// @return whether all frames sent have arrived once, in order
    bool IsComplete() const
    {
        bool isInOrder = owner[1].numbers.size() == sent;
        for (uint32_t i = 0; isInOrder && i < sent; ++i)
        {
            isInOrder = owner[1].numbers[i] == i;
        }
        return isInOrder;
    }
};

/// Goodput with losses, against the formula of go-back-N.
class GoodputTest : public PortTestCase
{
  public:
    GoodputTest()
        : PortTestCase("Goodput of a link with bit errors")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t FRAMES = 200000;
        const double loop = 2100000.0 / FRAME_PS; // frames
        for (const auto& [rate, tolerance] :
             {std::pair<double, double>{0, 1e-5}, {1e-4, 0.004}, {1e-3, 0.012}})
        {
            RetryingLink link;
            link.Lose(1, rate);
            Simulator::Schedule(Time(0), [&link] { link.Send(FRAMES); });
            Simulator::Run(); // it ends: an idle link has no events
            NS_TEST_EXPECT_MSG_EQ(link.IsComplete(), true, rate);
            const double time = (link.owner[1].last - MicroSeconds(1)).ToDouble(Time::PS);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(FRAMES) * FRAME_PS / time,
                                      GoBackNShare(rate, loop),
                                      tolerance,
                                      rate);
            NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetLlr()->Outstanding(), 0, "at the end");
            NS_TEST_EXPECT_MSG_EQ((link.port[0]->GetLlr()->Get().replays > 0), (rate > 0), rate);
            Simulator::Destroy();
        }
    }
};

/// With many losses of frames and ordered sets in both directions, all frames arrive in order.
class OrderTest : public PortTestCase
{
  public:
    OrderTest()
        : PortTestCase("All frames arrive once and in order, whatever is lost")
    {
    }

  private:
    void DoRun() override
    {
        for (const double rate : {0.05, 0.2})
        {
            RetryingLink link("LlrReplayCount", "1000");
            link.Lose(0, rate);
            link.Lose(1, rate);
            Simulator::Schedule(Time(0), [&link] { link.Send(3000); });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(link.IsComplete(), true, rate);
            const PortLlr::Counters& counters = link.port[0]->GetLlr()->Get();
            NS_TEST_EXPECT_MSG_GT(counters.timeouts, 0, "the last NACKs are lost");
            NS_TEST_EXPECT_MSG_EQ(counters.flushes, 0, rate);
            Simulator::Destroy();
        }
    }
};

/// A PFC frame passes a replay, and while the replay buffer is full.
class PfcTest : public PortTestCase
{
  public:
    PfcTest()
        : PortTestCase("A pause leaves during a replay")
    {
    }

  private:
    void DoRun() override
    {
        RetryingLink link("LlrReplayBytes", "5000");
        link.Lose(1, 0.05, false);
        Simulator::Schedule(Time(0), [&link] { link.Send(2000); });
        // The buffer of four frames is full nearly all the time.
        const Time asked = MicroSeconds(20) + NanoSeconds(500);
        Simulator::Schedule(asked, [&link] { link.port[0]->RequestPause(CLS, true); });
        Time heard;
        link.port[1]->TraceConnectWithoutContext(
            "PfcRx",
            Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                [&heard](const QbbNetDevice&, uint32_t, uint16_t) {
                    heard = heard.IsZero() ? Simulator::Now() : heard;
                }));
        Simulator::Schedule(MicroSeconds(40), [&link] { link.port[0]->RequestPause(CLS, false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.IsComplete(), true, "all arrive");
        NS_TEST_EXPECT_MSG_GT(heard, asked + MicroSeconds(1), "it is heard");
        NS_TEST_EXPECT_MSG_LT(heard, asked + MicroSeconds(1) + NanoSeconds(60), "at once");
    }
};

/// What becomes of frames after the port has given up.
class FlushTest : public PortTestCase
{
  public:
    FlushTest()
        : PortTestCase("Giving up: best effort, discard, block, or anew")
    {
    }

  private:
    /// @param action attribute LlrFlushAction @param anew attribute LlrReInitOnFlush
    /// @param expected frames of the second ten that arrive
    void Expect(const std::string& action, bool anew, std::size_t expected)
    {
        RetryingLink link("LlrFlushAction", action);
        for (const auto& port : link.port)
        {
            port->SetAttribute("LlrReInitOnFlush", BooleanValue(anew));
        }
        const auto loss = CreateObject<SilentLoss>();
        link.port[1]->AddReceiveLoss(loss);
        Simulator::Schedule(Time(0), [&link] { link.Send(10); });
        // Three replays, and 5.1 us or so for each.
        Simulator::Schedule(MicroSeconds(30), [&] { link.port[1]->RemoveReceiveLoss(loss); });
        Simulator::Schedule(MicroSeconds(50), [&link] { link.Send(10); });
        Simulator::Run();
        const std::string text = action + (anew ? ", anew" : "");
        const PortLlr::Counters& counters = link.port[0]->GetLlr()->Get();
        NS_TEST_EXPECT_MSG_GT(counters.flushes, 0, text);
        NS_TEST_EXPECT_MSG_EQ(counters.flushed, 10, text);
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].numbers.size(), expected, text);
        const auto drops = link.port[0]->GetCounters().drops;
        NS_TEST_EXPECT_MSG_EQ(drops[static_cast<std::size_t>(DropReason::LINK_DOWN)],
                              (action == "Discard" && !anew ? 10U : 0U),
                              text);
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->Queues().Frames(CLS),
                              (action == "Block" && !anew ? 10U : 0U),
                              text);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Expect("BestEffort", false, 10);
        Expect("Discard", false, 0);
        Expect("Block", false, 0);
        Expect("Block", true, 10);
    }
};

/// After a cut both ends begin anew, with a handshake of one round trip.
class CutTest : public PortTestCase
{
  public:
    CutTest()
        : PortTestCase("A mended cable retries again")
    {
    }

  private:
    void DoRun() override
    {
        RetryingLink link;
        link.Lose(1, 0.01);
        Simulator::Schedule(Time(0), [&link] { link.Send(100); });
        Simulator::Schedule(MicroSeconds(1), [&link] { link.channel->SetUp(false); });
        std::size_t before = 0;
        Simulator::Schedule(MicroSeconds(20), [&] {
            before = link.owner[1].numbers.size();
            link.channel->SetUp(true);
            link.Send(500);
        });
        Simulator::Run();
        const auto& numbers = link.owner[1].numbers;
        NS_TEST_ASSERT_MSG_EQ(numbers.size(), before + 500, "all behind the cut");
        for (uint32_t i = 0; i < 500; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(numbers[before + i], 100 + i, "in order");
        }
    }
};

/// What cannot be is refused.
class RefusalTest : public PortTestCase
{
  public:
    RefusalTest()
        : PortTestCase("Retry that cannot be is refused")
    {
    }

  private:
    void Expect(const std::string& attribute, const std::string& value, const std::string& text)
    {
        RetryingLink link;
        link.port[1]->SetAttribute(attribute, StringValue(value));
        const std::string message =
            tests::RefusalOf<std::invalid_argument>([&link] { RequireLlr(*link.port[1]); });
        NS_TEST_EXPECT_MSG_NE(message.find(text), std::string::npos, "says: " << message);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Expect("LlrEnabled", "false", "set LlrEnabled alike at both ends");
        Expect("Transmitter", "Hpcc", "set it to Prompt");
        Expect("LlrReplayBytes", "1541", "set it to 1542 or more, or to 0");
        Expect("LlrReplayBytes", "1542", "");
    }
};

/// A flow of a whole fabric over a link with bit errors: without retry go-back-N sends again end to
/// end, with retry never.
class FlowTest : public FabricTestCase
{
  public:
    FlowTest()
        : FabricTestCase("A WRITE of 100 MB over a link with errors of 1e-4")
    {
    }

  private:
    /// What a flow did.
    struct Outcome
    {
        uint64_t retransmitted{0}; //!< packets, end to end
        uint64_t lostCredits{0};   //!< that CC_Updates found
    };

    /// @param fabric a dumbbell @return the port of its second switch towards the first
    static Ptr<QbbNetDevice> MiddlePort(const Fabric& fabric)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const NodeId node = topology.NodeOf(SwitchId(1));
        for (const LinkId link : topology.GetLinksOf(node))
        {
            if (topology.IsSwitch(topology.GetLink(link).Peer(node)))
            {
                return fabric.GetDevice(node, topology.GetPort(node, link));
            }
        }
        return nullptr;
    }

    /// @param retry LlrEnabled @param rate of errors @param credits in place of PFC
    Time Run(bool retry, double rate, bool credits, Outcome& outcome)
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetLink("LlrEnabled", BooleanValue(retry));
        if (credits)
        {
            helper.SetCbfc({3});
        }
        FabricLinkSpec edge;
        edge.rate = DataRate("400Gbps");
        edge.delay = NanoSeconds(2450);
        FabricLinkSpec middle = edge;
        middle.delay = MicroSeconds(1);
        const Fabric fabric =
            helper.FromTopology(FabricTopology::Dumbbell(1, 1, edge, middle)); // RTT 12 us
        const auto loss = CreateObject<RandomFrameLoss>();
        loss->SetAttribute("Rate", DoubleValue(rate));
        loss->AssignStreams(5);
        const auto port = MiddlePort(fabric);
        port->AddReceiveLoss(loss);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 100000000});
        Time fct;
        flows.OnEnd([&fct](const RdmaFlowResult& result) { fct = result.fct; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "it completes");
        outcome.retransmitted = fabric.GetRdma(0)->GetCounters().retransmitted;
        if (credits)
        {
            outcome.lostCredits = port->GetCbfc()->Get(3).lostCredits;
        }
        Simulator::Destroy();
        return fct;
    }

    void DoRun() override
    {
        Outcome clean;
        Outcome with;
        Outcome without;
        const double time = Run(false, 0, false, clean).GetSeconds();
        // Ordered sets that acknowledge frames of the other direction take 8 bytes of 2048.
        const double cost = Run(true, 0, false, clean).GetSeconds() / time;
        NS_TEST_EXPECT_MSG_EQ((cost > 1 && cost < 1 + 8.0 / 2048), true, "costs " << cost);
        const double retried = time / Run(true, 1e-4, false, with).GetSeconds();
        const double repeated = time / Run(false, 1e-4, false, without).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(retried, 0.99, 0.004, "with retry");
        NS_TEST_EXPECT_MSG_EQ_TOL(repeated, 0.95, 0.02, "without");
        NS_TEST_EXPECT_MSG_EQ(with.retransmitted, 0, "end to end");
        NS_TEST_EXPECT_MSG_GT(without.retransmitted, 1000, "end to end");
        Outcome credits;
        const double line = Run(true, 0, true, clean).GetSeconds(); // of which updates take a part
        const double credited = line / Run(true, 1e-4, true, credits).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(credited, 0.99, 0.004, "with credits");
        NS_TEST_EXPECT_MSG_EQ(credits.retransmitted, 0, "end to end");
        NS_TEST_EXPECT_MSG_EQ(credits.lostCredits, 0, "a frame sent again takes credits once");
    }
};

class LlrTestSuite : public TestSuite
{
  public:
    LlrTestSuite()
        : TestSuite("lossless-llr", Type::SYSTEM)
    {
        AddTestCase(new GoodputTest);
        AddTestCase(new OrderTest);
        AddTestCase(new PfcTest);
        AddTestCase(new FlushTest);
        AddTestCase(new CutTest);
        AddTestCase(new RefusalTest);
        AddTestCase(new FlowTest);
    }
};

LlrTestSuite g_llrTestSuite; //!< registers the suite

} // namespace

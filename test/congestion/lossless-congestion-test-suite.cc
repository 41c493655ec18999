// SPDX-License-Identifier: GPL-2.0-only

// Which congestion control a queue pair of a fabric has, however the queue pair was made; that the
// congestion control controls READ responses as it controls requests; windows that follow the rate.

#include "fabric-test-case.h"
#include "refusal-of.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-run.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// Two queue pairs of a fabric that were made without its Connect().
struct ByHand
{
    explicit ByHand(const Fabric& fabric)
        : one(fabric.GetRdma(0)->CreateQueuePair(0)),
          other(fabric.GetRdma(1)->CreateQueuePair(0))
    {
    }

    /// @return type of the congestion control in use after Connect()
    std::string Connect() const
    {
        RdmaHw::Connect(one, other, MicroSeconds(10));
        return one->GetCongestionControl()->GetInstanceTypeId().GetName();
    }

    /// @param queuePair a queue pair @return its attribute CongestionControl
    static ObjectFactory Factory(const Ptr<RdmaQueuePair>& queuePair)
    {
        ObjectFactoryValue factory;
        queuePair->GetAttribute("CongestionControl", factory);
        return factory.Get();
    }

    /// @param queuePair a queue pair @return the type that its attribute CongestionControl names
    static std::string Attribute(const Ptr<RdmaQueuePair>& queuePair)
    {
        return Factory(queuePair).GetTypeId().GetName();
    }

    Ptr<RdmaQueuePair> one;
    Ptr<RdmaQueuePair> other;
};

/// The congestion control of the fabric reaches every queue pair.
class EveryQueuePairTest : public FabricTestCase
{
  public:
    EveryQueuePairTest()
        : FabricTestCase("Every queue pair has the congestion control of the fabric")
    {
    }

  private:
    void DoRun() override
    {
        CheckHelper();
        CheckAttribute();
        CheckNeeds();
        CheckLate();
    }

    /// Expect HPCC with three stages in the attribute of a queue pair.
    void ExpectStages(const Ptr<RdmaQueuePair>& queuePair, const std::string& when)
    {
        const auto made = ByHand::Factory(queuePair).Create<Object>();
        NS_TEST_EXPECT_MSG_EQ(made->GetInstanceTypeId().GetName(), "ns3::RdmaHpcc", when);
        UintegerValue stages;
        NS_TEST_EXPECT_MSG_EQ(made->GetAttributeFailSafe("MaxStage", stages), true, when);
        NS_TEST_EXPECT_MSG_EQ(stages.Get(), 3, when);
    }

    /// What SetCongestionControl() of the helper says.
    void CheckHelper()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc", "MaxStage", UintegerValue(3));
        const Fabric fabric = helper.Star(2);
        const ByHand hpcc(fabric);
        ExpectStages(hpcc.one, "new");
        const std::string used = hpcc.Connect();
        NS_TEST_EXPECT_MSG_EQ(used, "ns3::RdmaHpcc", "by hand");
        ExpectStages(hpcc.one, "in use");
        FabricHelper none;
        none.SetCongestionControl("none");
        const Fabric free = none.Star(2);
        NS_TEST_EXPECT_MSG_EQ(ByHand(free).Connect(), "ns3::RdmaFixedRate", "none");
        NS_TEST_EXPECT_MSG_EQ(ByHand(FabricHelper().Star(2)).Connect(), "ns3::RdmaDcqcn", "unset");
    }

    /// The attribute of queue pairs is another way to say the same.
    void CheckAttribute()
    {
        FabricHelper helper;
        helper.SetQueuePair("CongestionControl", StringValue("ns3::RdmaHpcc"));
        const Fabric fabric = helper.Star(2);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetNExtensions(), 1, "what HPCC needs");
        const auto connection = fabric.Connect(0, 1);
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(connection.source), "ns3::RdmaHpcc", "Connect()");
        Fabric::QueuePairOptions options;
        options.attributes.emplace_back(
            "CongestionControl",
            Create<ObjectFactoryValue>(ObjectFactory("ns3::RdmaFixedRate")));
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(fabric.Connect(0, 1, options).source),
                              "ns3::RdmaFixedRate",
                              "an attribute of one connection");
        options.congestion = ObjectFactory("ns3::RdmaDcqcn");
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(fabric.Connect(0, 1, options).source),
                              "ns3::RdmaDcqcn",
                              "the congestion control of one connection");
        fabric.GetRdma(0)->SetQueuePairAttribute("CongestionControl",
                                                 StringValue("ns3::RdmaFixedRate"));
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(fabric.Connect(0, 1).source),
                              "ns3::RdmaFixedRate",
                              "of one host");

        RdmaFlowHelper flows(fabric);
        flows.SetQueuePair("CongestionControl", StringValue("ns3::RdmaDcqcn"));
        RdmaFlow flow;
        flow.source = 1;
        flow.destination = 0;
        flow.bytes = 100000;
        flows.Add(flow);
        RunUntil(MicroSeconds(5));
        std::string used;
        for (uint32_t number = 0; number < 64 && used.empty(); ++number)
        {
            const auto queuePair = fabric.GetRdma(1)->GetQueuePair(number);
            used =
                queuePair && queuePair->GetRequester().IsBusy() ? ByHand::Attribute(queuePair) : "";
        }
        NS_TEST_EXPECT_MSG_EQ(used, "ns3::RdmaDcqcn", "of a flow");
        FabricHelper wrong;
        ExpectError([&] { wrong.SetQueuePair("CongestionControl", StringValue("ns3::RdmaHw")); },
                    "ns3::RdmaHw, which is no ns3::RdmaCongestionOps");
    }

    /// Switches must do what the congestion control of any queue pair needs.
    void CheckNeeds()
    {
        const Fabric fabric = FabricHelper().Star(2);
        const std::string missing = "ns3::RdmaHpcc needs ns3::IntStamper in all switches";
        ByHand byAttribute(fabric);
        byAttribute.one->SetAttribute("CongestionControl", StringValue("ns3::RdmaHpcc"));
        std::string said = RefusalOf<std::exception>([&] { byAttribute.Connect(); });
        NS_TEST_EXPECT_MSG_NE(said.find(missing), std::string::npos, "says " << said);
        std::string used;
        said = RefusalOf<std::exception>([&] {
            byAttribute.one->SetAttribute("CongestionControl", StringValue("ns3::RdmaDcqcn"));
            used = byAttribute.Connect();
        });
        NS_TEST_EXPECT_MSG_EQ(used, "ns3::RdmaDcqcn", "another try says " << said);
        ByHand byObject(fabric);
        byObject.one->SetCongestionControl(CreateObject<RdmaHpcc>());
        said = RefusalOf<std::exception>([&] { byObject.Connect(); });
        NS_TEST_EXPECT_MSG_NE(said.find(missing), std::string::npos, "says " << said);
        RdmaFlowHelper flows(fabric);
        ExpectError([&] { flows.SetQueuePair("CongestionControl", StringValue("ns3::RdmaHpcc")); },
                    missing);
    }

    /// What would have no effect is refused.
    void CheckLate()
    {
        const Fabric fabric = FabricHelper().Star(2);
        const ByHand pair(fabric);
        pair.Connect();
        const std::string said = RefusalOf<std::exception>(
            [&] { pair.one->SetCongestionControl(CreateObject<RdmaFixedRate>()); });
        NS_TEST_EXPECT_MSG_NE(said.find("is connected already"), std::string::npos, said);
        NS_TEST_EXPECT_MSG_NE(RefusalOf<std::exception>([&] {
                                  pair.one->SetAttribute("LossRecovery",
                                                         StringValue("ns3::RdmaIrn"));
                              }).find("fixed since"),
                              std::string::npos,
                              "loss recovery");
    }
};

/// 16 hosts whose data one host gets, by WRITE or by READ.
class IncastTest : public FabricTestCase
{
  public:
    /// @param control congestion control @param value attributes "Name=value|..."
    /// @param queues how many times the queue of WRITE the queue of READ may be
    explicit IncastTest(const std::string& control, double queues = 1.2)
        : FabricTestCase("16:1 READ is controlled as WRITE is, " + Words(control)),
          m_control(control),
          m_queues(queues)
    {
    }

  private:
    /// @return a text as ns-3 allows it in names of tests
    static std::string Words(std::string text)
    {
        std::replace(text.begin(), text.end(), '|', ' ');
        return text;
    }

    RunTotals Run(RdmaVerb verb) const
    {
        FabricHelper helper;
        helper.SetCongestionControl(m_control);
        const Fabric fabric = helper.Star(17);
        RunOptions options;
        options.progress = false;
        FabricRun run(fabric, options);
        for (uint32_t host = 1; host <= 16; ++host)
        {
            RdmaFlow flow;
            flow.verb = verb;
            flow.source = verb == RdmaVerb::READ ? 0 : host;
            flow.destination = verb == RdmaVerb::READ ? host : 0;
            flow.bytes = 2000000;
            flow.start = NanoSeconds(100 * host);
            run.Rdma().Add(flow);
        }
        const RunTotals totals = run.Execute().totals;
        Simulator::Destroy();
        return totals;
    }

    void DoRun() override
    {
        const RunTotals write = Run(RdmaVerb::WRITE);
        const RunTotals read = Run(RdmaVerb::READ);
        std::cout << m_control << ": queue " << write.queuePeakBytes << " and "
                  << read.queuePeakBytes << " B, XOFF " << write.pfc.xoffFrames << " and "
                  << read.pfc.xoffFrames << "\n";
        NS_TEST_EXPECT_MSG_EQ(read.flowsCompleted, 16, "completed");
        NS_TEST_EXPECT_MSG_EQ(read.losslessDrops, 0, "drops");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(read.queuePeakBytes,
                                    m_queues * write.queuePeakBytes,
                                    "queue of READ and of WRITE");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(read.pfc.xoffFrames,
                                    m_queues * write.pfc.xoffFrames + 16,
                                    "XOFF of READ and of WRITE");
        // Where WRITE fills its queue, too, READ at line rate has fewer XOFF frames than WRITE.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_queues * read.pfc.xoffFrames + 16,
                                    write.pfc.xoffFrames,
                                    "XOFF of READ and of WRITE");
    }

    std::string m_control;
    double m_queues;
};

/// READ under a congestion control that needs acknowledgements, on links that lose frames.
class LossyReadTest : public FabricTestCase
{
  public:
    LossyReadTest(const std::string& control, const std::string& recovery)
        : FabricTestCase("READ with losses, " + control + ", " + recovery),
          m_control(control),
          m_recovery(recovery)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl(m_control);
        helper.SetQueuePair("LossRecovery", StringValue(m_recovery));
        helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(200)));
        helper.SetQueuePair("NackInterval", TimeValue(MicroSeconds(20)));
        helper.SetLink("ErrorRate", DoubleValue(0.003)); // data, READ requests and ACKs
        helper.AllowLossy();
        const Fabric fabric = helper.Star(3);
        fabric.AssignStreams(7);
        RunOptions options;
        options.progress = false;
        FabricRun run(fabric, options);
        for (uint32_t i = 0; i < 20; ++i)
        {
            RdmaFlow flow;
            flow.verb = i % 5 == 4 ? RdmaVerb::WRITE : RdmaVerb::READ;
            flow.source = i % 3;
            flow.destination = (i + 1) % 3;
            flow.bytes = 300123;
            flow.start = MicroSeconds(20 * i);
            run.Rdma().Add(flow);
        }
        const RunTotals totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, 20, "completed");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.payloadDelivered, 20 * 300123, "each byte once");
        NS_TEST_EXPECT_MSG_GT(totals.rdma.retransmitted, 0, "losses");
    }

    std::string m_control;
    std::string m_recovery;
};

/// What READ ACKs there are, and what is refused without them.
class ReadAcksTest : public FabricTestCase
{
  public:
    ReadAcksTest()
        : FabricTestCase("READ ACKs where they are needed; without them READ is refused")
    {
    }

  private:
    /// @return READ ACKs of a READ of 10 packets
    uint64_t Acks(const std::string& control, const std::string& name, const AttributeValue& value)
    {
        FabricHelper helper;
        helper.SetCongestionControl(control);
        helper.SetQueuePair(name, value);
        const Fabric fabric = helper.Star(2);
        const auto pair = fabric.Connect(0, 1);
        pair.source->Post({RdmaVerb::READ, 10 * 1024});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().messagesCompleted, 1, control);
        NS_TEST_EXPECT_MSG_EQ(pair.destination->GetResponder().GetFlight()->Bytes(), 0, control);
        const uint64_t acks = fabric.GetRdma(0)->GetCounters().acksSent;
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(1)->GetCounters().acksReceived, acks, control);
        Simulator::Destroy();
        return acks;
    }

    void DoRun() override
    {
        const UintegerValue one(1);
        NS_TEST_EXPECT_MSG_EQ(Acks("ns3::RdmaDcqcn", "AckInterval", one), 0, "CNPs drive it");
        NS_TEST_EXPECT_MSG_EQ(Acks("ns3::RdmaPcn", "AckInterval", one), 0, "CNPs drive it");
        NS_TEST_EXPECT_MSG_EQ(Acks("ns3::RdmaSwift", "AckInterval", one), 10, "each packet");
        NS_TEST_EXPECT_MSG_EQ(Acks("ns3::RdmaHpcc", "AckInterval", UintegerValue(4)),
                              3,
                              "each 4th");
        NS_TEST_EXPECT_MSG_EQ(Acks("ns3::RdmaDcqcn", "Window", UintegerValue(3000)), 10, "window");
        NS_TEST_EXPECT_MSG_EQ(Acks("ns3::RdmaFixedWindow", "AckInterval", one), 10, "window");
        for (const char* control : {"ns3::RdmaDcqcn", "ns3::RdmaPcn", "ns3::RdmaFixedRate"})
        {
            NS_TEST_EXPECT_MSG_EQ(Acks(control, "VariableWindow", BooleanValue(true)),
                                  10,
                                  "a window of the base round trip, " << control);
        }

        const std::string said = "nothing would control the responses of";
        for (const char* control :
             {"ns3::RdmaHpcc", "ns3::RdmaTimely", "ns3::RdmaSwift", "ns3::RdmaDctcp"})
        {
            FabricHelper helper;
            helper.SetCongestionControl(control);
            helper.SetQueuePair("ReadAcks", BooleanValue(false));
            const Fabric fabric = helper.Star(2);
            RdmaFlowHelper flows(fabric);
            RdmaFlow flow;
            flow.destination = 1;
            flow.bytes = 10;
            flows.Add(flow);
            flow.verb = RdmaVerb::READ;
            ExpectError([&] { flows.Add(flow); }, said);
            flows.SetCongestionControl(ObjectFactory("ns3::RdmaDcqcn"));
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { flows.Add(flow); }), "", "CNPs drive it");
            flow.window = 5000;
            ExpectError([&] { flows.Add(flow); }, said);
            const auto pair = fabric.Connect(0, 1);
            std::string text =
                RefusalOf<std::exception>([&] { pair.source->Post({RdmaVerb::READ, 10}); });
            NS_TEST_EXPECT_MSG_NE(text.find(said), std::string::npos, "says " << text);
            NS_TEST_EXPECT_MSG_EQ(pair.source->IsIdle(), true, "nothing posted");
            const ByHand early(fabric);
            early.one->Post({RdmaVerb::READ, 10});
            text = RefusalOf<std::exception>([&] { early.Connect(); });
            NS_TEST_EXPECT_MSG_NE(text.find(said), std::string::npos, "says " << text);
            Simulator::Destroy();
        }
        RefuseAtTheFarEnd();
    }

    /// An end that cannot control its responses executes no READ.
    void RefuseAtTheFarEnd()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc");
        const Fabric fabric = helper.Star(2);
        const ByHand pair(fabric);
        pair.other->SetAttribute("ReadAcks", BooleanValue(false));
        pair.Connect();
        RdmaStatus status = RdmaStatus::SUCCESS;
        pair.one->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
            [&status](const RdmaCompletion& completion) { status = completion.status; }));
        pair.one->Post({RdmaVerb::READ, 100000});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(status, RdmaStatus::REMOTE_INVALID, "refused");
        Simulator::Destroy();
    }
};

/// Rates in turn, and what is in flight when a packet leaves.
class TurningRate : public RdmaFixedRate
{
  public:
    uint32_t GetHooks() const override
    {
        return ON_ACK | ON_SENT;
    }

    void Init(RdmaFlowState& state, int64_t nowPs) override
    {
        state.rate = state.lineRate;
    }

    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override
    {
        static const std::array<double, 5> RATES{100e9, 25e9, 1e9, 33.333e9, 5e9};
        if (++m_acks % 40 == 0)
        {
            m_step = (m_step + 1) % RATES.size();
            state.rate = RATES[m_step];
        }
    }

    void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override
    {
        const uint64_t before = queuePair->GetRequester().BytesInFlight() - state.mtuBytes;
        exceeded += before >= state.window;
        windows.push_back(state.window);
        closest = std::max(closest, static_cast<double>(before) / state.window);
    }

    RdmaQueuePair* queuePair{nullptr};
    uint64_t exceeded{0}; //!< packets that left although the window was closed
    double closest{0};    //!< how near to the window it came
    std::vector<uint64_t> windows;

  private:
    uint32_t m_acks{0};
    std::size_t m_step{0};
};

/// The window follows the rate.
class VariableWindowTest : public FabricTestCase
{
  public:
    VariableWindowTest()
        : FabricTestCase("A window that follows the rate is never exceeded")
    {
    }

  private:
    void DoRun() override
    {
        CheckBound();
        CheckBaselines("ns3::RdmaDcqcn");
        CheckBaselines("ns3::RdmaTimely");
        CheckRefusals();
    }

    /// @return the windows with which packets have left, each once
    std::vector<uint64_t> WindowsOf(uint64_t window, Time baseRtt)
    {
        const Fabric fabric = FabricHelper().Star(2);
        const ByHand pair(fabric);
        const auto control = CreateObject<TurningRate>();
        control->queuePair = PeekPointer(pair.one);
        pair.one->SetCongestionControl(control);
        pair.one->SetAttribute("Window", UintegerValue(window));
        pair.one->SetAttribute("VariableWindow", BooleanValue(true));
        RdmaHw::Connect(pair.one, pair.other, baseRtt);
        pair.one->Post({RdmaVerb::WRITE, 400 * 1024});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().messagesCompleted, 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(control->exceeded, 0, "in flight");
        NS_TEST_EXPECT_MSG_GT(control->closest, 0.8, "the window is what limits");
        std::vector<uint64_t> windows = control->windows;
        std::sort(windows.begin(), windows.end());
        windows.erase(std::unique(windows.begin(), windows.end()), windows.end());
        Simulator::Destroy();
        return windows;
    }

    void CheckBound()
    {
        // Of 20001 bytes at 100 Gb/s: 1, 5, 25, 33.333 and 100 hundredths, rounded down.
        const std::vector<uint64_t> expected{200, 1000, 5000, 6666, 20001};
        const auto windows = WindowsOf(20001, MicroSeconds(4));
        NS_TEST_EXPECT_MSG_EQ((windows == expected), true, "rate / line rate of the window");
        // 100 Gb/s for 1.6 us: 20000 bytes.
        const std::vector<uint64_t> product{200, 1000, 5000, 6666, 20000};
        NS_TEST_EXPECT_MSG_EQ((WindowsOf(0, NanoSeconds(1600)) == product),
                              true,
                              "line rate * RTT");
    }

    /// DCQCN+win and TIMELY+win of the HPCC paper, 8 flows into one host.
    void CheckBaselines(const std::string& control)
    {
        Time ends[2];
        for (const bool variable : {false, true})
        {
            FabricHelper helper;
            helper.SetLink("Delay", StringValue("5us"));
            helper.SetCongestionControl(control);
            helper.SetQueuePair("Window", UintegerValue(260000));
            helper.SetQueuePair("VariableWindow", BooleanValue(variable));
            const Fabric fabric = helper.Star(9);
            RunOptions options;
            options.progress = false;
            FabricRun run(fabric, options);
            run.Rdma().Incast(8, 0, 5000000, Time(0));
            const RunTotals totals = run.Execute().totals;
            NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, 8, "completed");
            ends[variable] = Simulator::Now();
            std::cout << control << (variable ? ", variable" : ", fixed") << " window: queue "
                      << totals.queuePeakBytes << " B, " << Simulator::Now().GetMicroSeconds()
                      << " us\n";
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_NE(ends[0], ends[1], "the window has an effect");
    }

    void CheckRefusals()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc"); // the switches suit it, and all others
        const Fabric fabric = helper.Star(2);
        const auto refuse =
            [&](const std::string& control, uint64_t window, Time baseRtt, bool isVariable = true) {
                const ByHand pair(fabric);
                pair.one->SetAttribute("CongestionControl", StringValue(control));
                pair.one->SetAttribute("Window", UintegerValue(window));
                pair.one->SetAttribute("VariableWindow", BooleanValue(isVariable));
                return RefusalOf<std::exception>(
                    [&] { RdmaHw::Connect(pair.one, pair.other, baseRtt); });
            };
        std::string said = refuse("ns3::RdmaSwift", 0, MicroSeconds(4));
        NS_TEST_EXPECT_MSG_NE(said.find("sets the window itself"), std::string::npos, said);
        said = refuse("ns3::RdmaFixedWindow", 10000, MicroSeconds(4));
        NS_TEST_EXPECT_MSG_NE(said.find("sets the window itself"), std::string::npos, said);
        said = refuse("ns3::RdmaDcqcn", 0, Time(0));
        NS_TEST_EXPECT_MSG_NE(said.find("set Window, or give"), std::string::npos, said);
        NS_TEST_EXPECT_MSG_EQ(refuse("ns3::RdmaDcqcn", 0, MicroSeconds(4)), "", "fine");
        for (const std::string control :
             {"ns3::RdmaHpcc", "ns3::RdmaSwift", "ns3::RdmaDctcp", "ns3::RdmaFixedWindow"})
        {
            const std::string right =
                "Window is set, and " + control + " sets the window itself; set Window to 0";
            said = refuse(control, 10000, MicroSeconds(4), false);
            NS_TEST_EXPECT_MSG_NE(said.find(right), std::string::npos, said);
            NS_TEST_EXPECT_MSG_EQ(refuse(control, 0, MicroSeconds(4), false), "", control);
            ExpectFlowsRefused(control, right);
        }
        Simulator::Destroy();
    }

    /// Before a run begins, and whoever has set the window: the fabric, or one of the flows.
    void ExpectFlowsRefused(const std::string& control, const std::string& right)
    {
        for (const bool isOfFlow : {false, true})
        {
            FabricHelper helper;
            helper.SetCongestionControl(control);
            helper.SetQueuePair("Window", UintegerValue(isOfFlow ? 0 : 10000));
            const Fabric fabric = helper.Star(2);
            FabricRun run(fabric);
            RdmaFlow flow;
            flow.destination = 1;
            flow.bytes = 1000;
            run.Rdma().Add(flow);
            flow.window = isOfFlow ? 10000 : 0;
            run.Rdma().Add(flow);
            ExpectError([&] { run.Execute(); }, right);
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now().IsZero(), true, "before the run");
        }
    }
};

/// Every packet is marked, so that the only ACK of a message comes with its first CNP; the queue
/// pairs stay. Whatever the CNP sets off must not go on.
class IdleTimersTest : public FabricTestCase
{
  public:
    /// @param dialect of DCQCN
    explicit IdleTimersTest(const std::string& dialect)
        : FabricTestCase("Pitfall 5: a CNP for a queue pair that is done starts no timer, " +
                         dialect),
          m_dialect(dialect)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue(m_dialect));
        helper.SetSwitch("ns3::FabricSwitch", "MarkAt", StringValue("Enqueue"));
        helper.SetEcn("ns3::WredEcnMarker", "Kmin", UintegerValue(0), "Kmax", UintegerValue(0));
        const Fabric fabric = helper.Star(2);
        const auto ends = fabric.Connect(0, 1);
        RdmaWorkRequest request;
        request.bytes = 500;
        ends.source->Post(request);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().cnpsReceived, 1, "the CNP came");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().messagesCompleted, 1, "it is done");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(10), "nothing goes on");
        // And the pair still works.
        ends.source->Post(request);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().messagesCompleted, 2, "again");
    }

    std::string m_dialect;
};

/// Flows under different congestion controls share a port.
class MixedAlgorithmsTest : public FabricTestCase
{
  public:
    MixedAlgorithmsTest()
        : FabricTestCase("Pitfall 11: two flows of a run use different algorithms")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        RdmaFlowHelper flows(fabric);
        Time fixed;
        flows.OnEnd([&fixed](const RdmaFlowResult& result) {
            fixed = result.flow.source == 1 ? result.fct : fixed;
        });
        RdmaFlow flow;
        flow.destination = 0;
        flow.bytes = 1024 * 1000;
        flow.source = 2;
        flows.Add(flow); // DCQCN
        ObjectFactory rate("ns3::RdmaFixedRate");
        rate.Set("Rate", StringValue("10Gbps"));
        flows.SetCongestionControl(rate);
        flow.source = 1;
        flows.Add(flow);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 2, "both complete");
        // 1106 bytes a packet at 10 Gb/s, and what the other leaves in its way.
        NS_TEST_EXPECT_MSG_EQ_TOL(fixed,
                                  NanoSeconds(1000 * 1106 * 8 / 10),
                                  MicroSeconds(60),
                                  "paced");
    }
};

class CongestionTestSuite : public TestSuite
{
  public:
    CongestionTestSuite()
        : TestSuite("lossless-congestion", Type::SYSTEM)
    {
        AddTestCase(new EveryQueuePairTest);
        AddTestCase(new ReadAcksTest);
        for (const char* control : {"ns3::RdmaDcqcn",
                                    "ns3::RdmaDctcp",
                                    "ns3::RdmaHpcc",
                                    "ns3::RdmaHpcc[Telemetry=Pint]",
                                    "ns3::RdmaNscc",
                                    "ns3::RdmaPatchedTimely",
                                    "ns3::RdmaPcn",
                                    "ns3::RdmaSwift",
                                    "ns3::RdmaTimely"})
        {
            AddTestCase(new IncastTest(control));
        }
        // A sender at MinRate must not be forgotten (FlowWindow).
        AddTestCase(new IncastTest("ns3::RdmaIcc", 2));
        AddTestCase(new IncastTest("ns3::RdmaIcc[Feedback=ReceiverEcho]", 2));
        for (const char* recovery : {"ns3::RdmaGoBackN", "ns3::RdmaGoBack0", "ns3::RdmaIrn"})
        {
            for (const char* control : {"ns3::RdmaHpcc",
                                        "ns3::RdmaNscc",
                                        "ns3::RdmaSwift",
                                        "ns3::RdmaDctcp",
                                        "ns3::RdmaFixedWindow"})
            {
                AddTestCase(new LossyReadTest(control, recovery));
            }
        }
        AddTestCase(new VariableWindowTest);
        AddTestCase(new IdleTimersTest("Nic"));
        AddTestCase(new IdleTimersTest("Paper"));
        AddTestCase(new MixedAlgorithmsTest);
    }
};

CongestionTestSuite g_congestionTestSuite; //!< registers the suite

} // namespace

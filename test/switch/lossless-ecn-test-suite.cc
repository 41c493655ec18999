// SPDX-License-Identifier: GPL-2.0-only

// ECN beyond the WRED curve on the length of the moment: a polled and averaged length.

#include "fabric-test-case.h"
#include "switch-test-star.h"

#include "ns3/boolean.h"
#include "ns3/ecn-tuner.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/polled-wred-marker.h"
#include "ns3/string.h"
#include "ns3/switch-cnp-sender.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t CELL = 208; //!< bytes

/// Long flows into one host, marked on a polled and averaged length. The queue overshoots at first;
/// the alarm is cleared when the flows have settled.
struct PolledScenario
{
    /// @param interval between polls; negative: the marker of the switch @param exponent of the
    /// weight @param kmin cells
    PolledScenario(Time interval, uint32_t exponent, uint64_t kmin)
    {
        constexpr uint64_t KMAX = 1400;
        constexpr uint32_t SENDERS = 2;
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.SetEcnThresholds(DataRate("25Gbps"), kmin * CELL, KMAX * CELL, 0.01);
        const bool polled = interval >= Time(0);
        if (polled)
        {
            helper.AddSwitchExtension("ns3::PolledWredMarker",
                                      "PollInterval",
                                      TimeValue(interval),
                                      "WeightExponent",
                                      UintegerValue(exponent));
        }
        const Fabric fabric = helper.Star(SENDERS + 1);
        fabric.AssignStreams(1);
        const auto fabricSwitch = fabric.GetSwitch(0);
        Ptr<PolledWredMarker> marker;
        if (polled)
        {
            marker = DynamicCast<PolledWredMarker>(fabricSwitch->GetExtension(0));
            Watch(fabricSwitch, marker);
        }
        RdmaFlowHelper flows(fabric);
        flows.Incast(SENDERS, 0, 20000000, Time(0));
        Simulator::Run(); // it ends: polls are no events
        marks = fabricSwitch->GetCounters(0).ecnMarks[3];
        drops = fabricSwitch->GetLosslessDrops();
        ended = Simulator::Now();
        if (polled)
        {
            alarms = marker->GetAlarmCount();
            latched = marker->GetAlarm(0, 3);
        }
        Simulator::Destroy();
    }

    /// Note what happens at port 0. @param fabricSwitch the switch @param marker its marker
    void Watch(Ptr<FabricSwitch> fabricSwitch, Ptr<PolledWredMarker> marker)
    {
        fabricSwitch->TraceConnectWithoutContext(
            "Dequeue",
            Callback<void, uint32_t, uint32_t, uint64_t>(
                [this, marker](uint32_t port, uint32_t cls, uint64_t bytes) {
                    if (port == 0 && cls == 3)
                    {
                        averages.insert(marker->GetAverage(port, cls));
                        ++departures;
                        longest = std::max(longest, bytes);
                    }
                }));
        Simulator::Schedule(MilliSeconds(10), [this, marker] {
            marker->ClearAlarm(0, 3);
            longest = 0;
        });
    }

    std::set<double> averages; //!< values that decided
    uint64_t departures{0};    //!< frames that left
    uint64_t longest{0};       //!< bytes behind a frame that left, most, once settled
    uint64_t alarms{0};        //!< raised
    uint64_t marks{0};         //!< set
    uint64_t drops{0};         //!< frames
    bool latched{false};       //!< the alarm, at the end
    Time ended;                //!< the last event
};

/// What averaging does.
class PolledTest : public FabricTestCase
{
  public:
    PolledTest()
        : FabricTestCase("WRED on a polled and averaged length")
    {
    }

  private:
    /// Run and print. @param us microseconds between polls @param exponent of the weight
    /// @param kmin cells @return what happened
    static PolledScenario Run(int64_t us, uint32_t exponent, uint64_t kmin)
    {
        PolledScenario one(MicroSeconds(us), exponent, kmin);
        std::cout << "poll every " << us << " us, k " << exponent << ", Kmin " << kmin
                  << " cells: longest " << one.longest << " B, " << one.averages.size()
                  << " lengths decide about " << one.departures << " frames, " << one.marks
                  << " marks, " << one.alarms << " alarms\n";
        return one;
    }

    void DoRun() override
    {
        // Overshoot: the later and the smoother the length, the farther beyond Kmax.
        const PolledScenario runs[] = {Run(0, 0, 800),
                                       Run(10, 0, 800),
                                       Run(10, 2, 800),
                                       Run(10, 4, 800)};
        for (std::size_t i = 0; i + 1 < std::size(runs); ++i)
        {
            NS_TEST_EXPECT_MSG_LT(runs[i].longest, runs[i + 1].longest, "run " << i);
            NS_TEST_EXPECT_MSG_EQ(runs[i].drops, 0, "run " << i);
        }
        // A staircase: no more lengths than polls.
        const auto coarse = Run(50, 0, 800);
        const auto polls = static_cast<uint64_t>(coarse.ended.GetMicroSeconds() / 50) + 1;
        NS_TEST_EXPECT_MSG_LT(coarse.averages.size(), polls, "held between polls");
        NS_TEST_EXPECT_MSG_GT(coarse.departures, 100 * coarse.averages.size(), "frames share one");
        // The alarm, once the flows have settled: with a long ramp none, with a short one again.
        const auto low = Run(10, 2, 1);
        NS_TEST_EXPECT_MSG_EQ(low.alarms, 1, "at first");
        NS_TEST_EXPECT_MSG_EQ(low.latched, false, "cleared, and not again");
        NS_TEST_EXPECT_MSG_EQ(runs[2].alarms, 2, "latched, cleared, latched");
        NS_TEST_EXPECT_MSG_EQ(runs[2].latched, true, "the second one");
        // Without interval it is the marker itself.
        const PolledScenario plain(Time(-1), 0, 800);
        NS_TEST_EXPECT_MSG_EQ(plain.marks, runs[0].marks, "the same marks");
        NS_TEST_EXPECT_MSG_EQ(plain.ended, runs[0].ended, "the same end");
    }
};

/// A tuned port settles at a higher Kmin the more of its bytes are of long flows.
class TunerTest : public FabricTestCase
{
  public:
    TunerTest()
        : FabricTestCase("EcnTuner: long flows raise Kmin, short ones lower it")
    {
    }

  private:
    /// Four hosts send to one, for 10 ms. @param longHosts how many of them send one long message;
    /// the others send messages of 20 KB @return Kmin of the port to the receiver at the end
    uint64_t Kmin(uint32_t longHosts)
    {
        constexpr uint32_t SENDERS = 4;
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.AddSwitchExtension("ns3::EcnTuner");
        const Fabric fabric = helper.Star(SENDERS + 1);
        fabric.AssignStreams(1);
        const auto fabricSwitch = fabric.GetSwitch(0);
        uint32_t changes = 0;
        fabricSwitch->GetExtension(0)->TraceConnectWithoutContext(
            "Kmin",
            Callback<void, uint32_t, double>([&](uint32_t port, double) { changes += port == 0; }));
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 1; host <= SENDERS; ++host)
        {
            const bool isLong = host <= longHosts;
            RdmaFlow flow;
            flow.source = host;
            flow.bytes = isLong ? uint64_t{1} << 40 : 20000;
            for (int64_t us = 0; us < (isLong ? 1 : 10000); us += 30)
            {
                flow.start = MicroSeconds(us);
                flows.Add(flow);
            }
        }
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker());
        const auto curve = marker->GetCurve(0, 3);
        std::cout << longHosts << " long flows: Kmin " << curve.kmin << " B, " << changes
                  << " changes\n";
        NS_TEST_EXPECT_MSG_EQ(curve.kmax, 400000, "Kmax stays");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(changes, 8, "every millisecond");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(changes, 10, "and no more");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetLosslessDrops(), 0, "no drop");
        Simulator::Destroy();
        return curve.kmin;
    }

    void DoRun() override
    {
        const uint64_t kmin[] = {Kmin(0), Kmin(1), Kmin(4)};
        NS_TEST_EXPECT_MSG_LT(kmin[0], kmin[1], "a long flow raises it");
        NS_TEST_EXPECT_MSG_LT(kmin[1], kmin[2], "more of them raise it more");
        NS_TEST_EXPECT_MSG_LT(kmin[0], 100000, "short ones lower it");
        NS_TEST_EXPECT_MSG_GT(kmin[2], 100000, "beyond the beginning");
    }
};

/// A table decides where a model is near, and a rule where none is.
class UnknownTrafficTest : public FabricTestCase
{
  public:
    UnknownTrafficTest()
        : FabricTestCase("TableEcnAdvisor: Kmin of unknown traffic is adapted")
    {
    }

  private:
    /// Five hosts send messages of 20 KB to one, for 10 ms. @param advisor of the tuner
    /// @return Kmin of the port to the receiver after each interval
    std::vector<double> Kmins(const std::string& advisor)
    {
        constexpr uint32_t SENDERS = 5;
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.AddSwitchExtension("ns3::EcnTuner", "AdvisorType", StringValue(advisor));
        const Fabric fabric = helper.Star(SENDERS + 1);
        fabric.AssignStreams(1);
        const auto tuner = fabric.GetSwitch(0)->GetExtension(0);
        std::vector<double> kmins;
        tuner->TraceConnectWithoutContext(
            "Kmin",
            Callback<void, uint32_t, double>(
                [&kmins](uint32_t /* port */, double kmin) { kmins.push_back(kmin); }));
        PointerValue inUse;
        tuner->GetAttribute("Advisor", inUse);
        m_known = 0;
        m_unknown = 0;
        inUse.Get<EcnThresholdAdvisor>()->TraceConnectWithoutContext(
            "Lookup",
            Callback<void, double, bool>([this](double /* distance */, bool isKnown) {
                ++(isKnown ? m_known : m_unknown);
            }));
        RdmaFlowHelper flows(fabric);
        for (int64_t us = 0; us < 10000; us += 35)
        {
            flows.Incast(SENDERS, 0, 20000, MicroSeconds(us));
        }
        RunUntil(MilliSeconds(10));
        Simulator::Destroy();
        return kmins;
    }

    void DoRun() override
    {
        const auto rule = Kmins("ns3::RuleEcnThresholdAdvisor");
        NS_TEST_ASSERT_MSG_GT(rule.size(), 5, "intervals");
        NS_TEST_EXPECT_MSG_LT(rule.back(), rule.front(), "and Kmin moves");
        // 5 senders are half a doubling from 4 and from 8.
        const bool isFar = Kmins("ns3::TableEcnAdvisor[MaxDistance=0.01]") == rule;
        NS_TEST_EXPECT_MSG_EQ(isFar, true, "as the rule alone");
        NS_TEST_EXPECT_MSG_EQ(m_unknown, rule.size(), "no model is near");
        NS_TEST_EXPECT_MSG_EQ(m_known, 0, "none");
        const auto table = Kmins("ns3::TableEcnAdvisor");
        NS_TEST_EXPECT_MSG_EQ(m_known, table.size(), "a model is near");
        NS_TEST_EXPECT_MSG_EQ(m_unknown, 0, "always");
        NS_TEST_EXPECT_MSG_EQ(table.front(), table.back(), "its Kmin counts at once");
        NS_TEST_EXPECT_MSG_NE(table.back(), rule.back(), "and is another one");
    }

    uint64_t m_known{0};   //!< lookups of traffic that is near a model
    uint64_t m_unknown{0}; //!< of other traffic
};

/// An incast under DCQCN with or without CNPs of the switch; nothing is marked.
struct CnpScenario
{
    /// @param bySwitch whether the switch sends CNPs @param markCe whether it also marks
    CnpScenario(bool bySwitch, bool markCe)
    {
        constexpr uint32_t SENDERS = 8;
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue("Paper"));
        if (bySwitch)
        {
            helper.AddSwitchExtension("ns3::SwitchCnpSender", "MarkCe", BooleanValue(markCe));
        }
        else
        {
            helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(markCe));
        }
        const Fabric fabric = helper.Star(SENDERS + 1);
        fabric.AssignStreams(1);
        const auto fabricSwitch = fabric.GetSwitch(0);
        fabricSwitch->TraceConnectWithoutContext(
            "Enqueue",
            Callback<void, uint32_t, uint32_t, uint64_t>(
                [this](uint32_t port, uint32_t, uint64_t bytes) {
                    const bool settled = Simulator::Now() > MilliSeconds(1);
                    longest = port == 0 && settled ? std::max(longest, bytes) : longest;
                }));
        RdmaFlowHelper flows(fabric);
        flows.Incast(SENDERS, 0, 4000000, Time(0));
        flows.OnEnd([this](const RdmaFlowResult& result) { last = result.fct; });
        Simulator::Run();
        ranOn = Simulator::Now() - last;
        completed = flows.GetNCompleted();
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            received += fabric.GetRdma(host)->GetCounters().cnpsReceived;
            sentByNic += fabric.GetRdma(host)->GetCounters().cnpsSent;
            dropped += fabric.GetDevice(host, 0)
                           ->GetCounters()
                           .drops[static_cast<std::size_t>(DropReason::NO_QUEUE_PAIR)];
        }
        if (bySwitch)
        {
            const auto sender = DynamicCast<SwitchCnpSender>(fabricSwitch->GetExtension(0));
            sent = sender->GetCnpCount();
            flagged = sender->GetFlaggedCount();
            unknown = sender->GetUnknownCount();
        }
        marks = fabricSwitch->GetCounters(0).ecnMarks[3];
        drops = fabricSwitch->GetLosslessDrops() + fabricSwitch->GetLossyDrops();
        idle = fabricSwitch->GetMmu()->IsIdle();
        Simulator::Destroy();
    }

    /// @return what to print
    std::string Report() const
    {
        std::ostringstream os;
        os << "longest " << longest << " B after 1 ms, last flow after " << last.As(Time::US)
           << ", CNPs of the switch " << sent << " (sender not known: " << flagged << "), of NICs "
           << sentByNic << ", received " << received << ", marks " << marks;
        return os.str();
    }

    uint64_t longest{0};   //!< queue, bytes
    uint64_t completed{0}; //!< flows
    uint64_t received{0};  //!< CNPs, by NICs
    uint64_t sentByNic{0}; //!< CNPs
    uint64_t sent{0};      //!< CNPs, by the switch
    uint64_t flagged{0};   //!< of those that the switch has sent: they name the receiver
    uint64_t unknown{0};   //!< not sent
    uint64_t dropped{0};   //!< by NICs, for want of a queue pair
    uint64_t marks{0};     //!< CE
    uint64_t drops{0};     //!< of the switch
    bool idle{false};      //!< the buffer
    Time last;             //!< end of the last flow
    Time ranOn;            //!< how long the simulation ran on after it
};

/// The switch alone keeps the queue short.
class CnpTest : public FabricTestCase
{
  public:
    CnpTest()
        : FabricTestCase("CNPs of the switch")
    {
    }

  private:
    void DoRun() override
    {
        const CnpScenario none(false, false);
        const CnpScenario alone(true, false);
        const CnpScenario again(true, false);
        const CnpScenario both(true, true);
        std::cout << "nobody: " << none.Report() << "\nswitch: " << alone.Report()
                  << "\nswitch and marks: " << both.Report() << "\n";
        NS_TEST_EXPECT_MSG_EQ(none.received, 0, "no CNPs");
        NS_TEST_EXPECT_MSG_GT(alone.sent, 0, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(alone.sentByNic, 0, "of the switch alone");
        NS_TEST_EXPECT_MSG_EQ(alone.marks, 0, "which does not mark");
        NS_TEST_EXPECT_MSG_GT(both.marks, 0, "unless it is told to");
        NS_TEST_EXPECT_MSG_GT(both.sentByNic, 0, "then NICs send some, too");
        NS_TEST_EXPECT_MSG_LT(2 * alone.longest, none.longest, "a shorter queue");
        NS_TEST_EXPECT_MSG_LT(alone.last, 1.1 * none.last, "and the line stays full");
        for (const auto* one : {&none, &alone, &both})
        {
            NS_TEST_EXPECT_MSG_EQ(one->completed, 8, "all");
            NS_TEST_EXPECT_MSG_EQ(one->drops, 0, "no drop");
            NS_TEST_EXPECT_MSG_EQ(one->idle, true, "no buffer left");
            NS_TEST_EXPECT_MSG_EQ(one->received + one->dropped,
                                  one->sent + one->sentByNic,
                                  "NICs take CNPs, but those for flows that have ended");
            NS_TEST_EXPECT_MSG_LT(one->ranOn, MicroSeconds(110), "no event without end");
        }
        NS_TEST_EXPECT_MSG_EQ(again.Report(), alone.Report(), "the same again");
    }
};

/// Who gets the CNPs of a switch, and what they look like.
class RecipientTest : public SwitchTestCase
{
  public:
    RecipientTest()
        : SwitchTestCase("CNPs of the switch: recipients, ageing, addressing")
    {
    }

  private:
    /// Frames of flow i, from host i to host 0. @param i which @param count how many
    static void Data(Star& star, uint32_t i, uint32_t count)
    {
        for (; count > 0; --count)
        {
            Frame* frame = Star::MakeFrame(i, 0, 3, 1000);
            frame->srcPort = 100 + i;
            frame->dstPort = ROCE_UDP_PORT;
            frame->destQp = 7;
            star.Send(i, frame);
        }
    }

    /// Host 0 answers to flow i. @param i which
    static void Ack(Star& star, uint32_t i)
    {
        Frame* frame = Star::MakeFrame(0, i, 3, 64);
        frame->opcode = RoceOpcode::ACKNOWLEDGE;
        frame->srcPort = 100 + i;
        frame->destQp = 50 + i;
        star.Send(0, frame);
    }

    /// Host 0 pauses class 3, for 335 us.
    static void Pause(Star& star)
    {
        auto frame = new Frame;
        frame->kind = FrameKind::PFC;
        frame->bytes = ETHERNET_MIN_FRAME_BYTES;
        frame->pfcEnable = 1U << 3;
        frame->pfcQuanta[3] = 0xffff;
        star.Send(0, frame);
    }

    /// @param star the network @param limitBytes at 100 Gb/s @return the extension, added
    Ptr<SwitchCnpSender> AddSender(Star& star, uint64_t limitBytes)
    {
        auto sender = CreateObjectWithAttributes<SwitchCnpSender>("LimitBytes",
                                                                  UintegerValue(limitBytes / 4),
                                                                  "FlagUnknown",
                                                                  BooleanValue(false));
        star.fabricSwitch->AddExtension(sender);
        star.fabricSwitch->Start();
        m_log = "";
        sender->TraceConnectWithoutContext(
            "Cnp",
            Callback<void, uint32_t, uint32_t, uint32_t>(
                [this](uint32_t port, uint32_t host, uint32_t queuePair) {
                    m_log += std::to_string(port) + ":" + std::to_string(host - Star::Address(0)) +
                             ":" + std::to_string(queuePair) + " ";
                }));
        return sender;
    }

    /// By bytes, and only those whose queue pair is known; old knowledge is none.
    void TestOrder()
    {
        Star star(4);
        const auto sender = AddSender(star, 46668);
        star.nic[2]->TraceConnectWithoutContext(
            "FrameRx",
            Callback<void, const QbbNetDevice&, const Frame&>(
                [this](const QbbNetDevice&, const Frame& frame) {
                    if (frame.opcode == RoceOpcode::CNP)
                    {
                        ++m_cnps;
                        NS_TEST_EXPECT_MSG_EQ(frame.src, Star::Address(0), "as of the receiver");
                        NS_TEST_EXPECT_MSG_EQ(frame.dst, Star::Address(2), "to the sender");
                        NS_TEST_EXPECT_MSG_EQ(frame.destQp, 52, "its queue pair, not 7");
                        NS_TEST_EXPECT_MSG_EQ(frame.srcPort, 102, "by which NICs check");
                        NS_TEST_EXPECT_MSG_EQ(+frame.trafficClass, 6, "attribute CnpClass");
                        NS_TEST_EXPECT_MSG_EQ(frame.becn, true, "BECN");
                    }
                }));
        Ack(star, 1);
        Ack(star, 2);
        Pause(star);
        Data(star, 1, 10);
        Data(star, 2, 20);
        Data(star, 3, 5); // 35000 B: three are due
        Simulator::Schedule(MicroSeconds(130), [&] {
            NS_TEST_EXPECT_MSG_EQ(m_log, "0:2:52 0:1:51 ", "most bytes first; none without data");
            NS_TEST_EXPECT_MSG_EQ(sender->GetUnknownCount(), 1, "host 3 has had no ACK");
        });
        Simulator::Schedule(MilliSeconds(15), [&] {
            Pause(star);
            Data(star, 2, 30);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sender->GetCnpCount(), 2, "forgotten after 10 ms");
        NS_TEST_EXPECT_MSG_GT(sender->GetUnknownCount(), 1, "so no CNP was made");
        NS_TEST_EXPECT_MSG_EQ(m_cnps, 1, "arrived");
        ExpectIdle(star);
        Simulator::Destroy();
    }

    /// Equal flows in turn.
    void TestTurns()
    {
        Star star(3);
        AddSender(star, 4000000);
        Ack(star, 1);
        Ack(star, 2);
        Pause(star);
        for (int64_t us = 1; us < 200; us += 50)
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                Data(star, 1, 2);
                Data(star, 2, 2);
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log, "0:1:51 0:2:52 0:1:51 0:2:52 ", "one at a time, in turn");
        ExpectIdle(star);
        Simulator::Destroy();
    }

    /// A poll is planned when the first frame comes, at 1 us, and the interval changes at 20 us.
    /// @param before interval, us @param after interval, us @param quietUntil no CNP until then, us
    /// @param by there are CNPs then, us
    void TestInterval(int64_t before, int64_t after, int64_t quietUntil, int64_t by)
    {
        Star star(2);
        const auto sender = AddSender(star, 46668);
        const auto setInterval = [&sender](int64_t us) {
            sender->SetAttribute("Interval", TimeValue(MicroSeconds(us)));
        };
        setInterval(before);
        Ack(star, 1);
        Pause(star);
        Data(star, 1, 35);
        for (int64_t us = 20; us < std::min<int64_t>(quietUntil, 40); us += 5)
        {
            Simulator::Schedule(MicroSeconds(us), [&] { setInterval(after); });
        }
        Simulator::Schedule(MicroSeconds(20), [&] { setInterval(after); });
        Simulator::Schedule(MicroSeconds(quietUntil), [&] {
            NS_TEST_EXPECT_MSG_EQ(m_log, "", before << " us, then " << after << ": too early");
        });
        Simulator::Schedule(MicroSeconds(by), [&] {
            NS_TEST_EXPECT_MSG_NE(m_log, "", before << " us, then " << after << ": too late");
        });
        Simulator::Run();
        ExpectIdle(star);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        TestOrder();
        TestTurns();
        TestInterval(1000000, 10, 19, 22);
        TestInterval(50, 200, 199, 205);
        TestInterval(1000, 100, 99, 105); // set again and again, it comes no later
    }

    std::string m_log;  //!< of each CNP: port, host, queue pair
    uint32_t m_cnps{0}; //!< at host 2
};

/// CNPs to senders whose queue pairs the switch does not know.
class UnknownSenderTest : public FabricTestCase
{
  public:
    UnknownSenderTest()
        : FabricTestCase("CNPs of the switch that name the receiver")
    {
    }

  private:
    /// What came of an incast over spines, each of which makes CNPs but sees ACKs of few flows.
    struct Outcome
    {
        uint64_t flagged{0};  //!< CNPs that name the receiver
        uint64_t unknown{0};  //!< CNPs that were not made
        uint64_t made{0};     //!< CNPs that were
        uint64_t received{0}; //!< CNPs, by NICs
        uint64_t refused{0};  //!< frames that meet no queue pair
    };

    /// @param isFlagged attribute FlagUnknown
    Outcome Run(bool isFlagged)
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue("Paper"));
        helper.AddSwitchExtension("ns3::SwitchCnpSender",
                                  "MarkCe",
                                  BooleanValue(false),
                                  "LimitBytes",
                                  UintegerValue(100000),
                                  "FlagUnknown",
                                  BooleanValue(isFlagged));
        const Fabric fabric = helper.LeafSpine(3, 4, 8);
        fabric.AssignStreams(1);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 8; host < 24; ++host)
        {
            // Those of two leaves that share a spine fill its queue.
            flows.Add({host, host % 8, 4000000});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 16, "all");
        Outcome outcome;
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const auto sender = DynamicCast<SwitchCnpSender>(fabric.GetSwitch(i)->GetExtension(0));
            outcome.flagged += sender->GetFlaggedCount();
            outcome.unknown += sender->GetUnknownCount();
            outcome.made += sender->GetCnpCount();
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            outcome.received += fabric.GetRdma(host)->GetCounters().cnpsReceived;
            outcome.refused += fabric.GetDevice(host, 0)
                                   ->GetCounters()
                                   .drops[static_cast<std::size_t>(DropReason::NO_QUEUE_PAIR)];
        }
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome with = Run(true);
        const Outcome without = Run(false);
        std::cout << "CNPs made " << with.made << ", of which " << with.flagged
                  << " name the receiver; without the flag " << without.made << ", and "
                  << without.unknown << " not made\n";
        NS_TEST_EXPECT_MSG_GT(without.unknown, 0, "a return path over another switch");
        NS_TEST_EXPECT_MSG_EQ(without.flagged, 0, "as it is told");
        NS_TEST_EXPECT_MSG_GT(with.flagged, 0, "the same, with the flag");
        NS_TEST_EXPECT_MSG_EQ(with.unknown, 0, "all are made");
        NS_TEST_EXPECT_MSG_EQ(with.received + with.refused, with.made, "none is lost");
        NS_TEST_EXPECT_MSG_LT(with.refused, 16, "but those of flows that have ended");
    }
};

/// Queue pairs that are not ECN-capable.
class NotCapableTest : public FabricTestCase
{
  public:
    NotCapableTest()
        : FabricTestCase("Data that are not ECN-capable get no marks, and lossy classes drop them")
    {
    }

  private:
    /// What a run shows.
    struct Result
    {
        std::set<Ecn> sent;   //!< code points of data and READ requests, at the hosts
        uint64_t marks{0};    //!< CE
        uint64_t wred{0};     //!< frames dropped by WRED
        uint64_t cnps{0};     //!< received
        uint64_t finished{0}; //!< flows
    };

    /// Four hosts write to one, and one reads from it. @param isCapable attribute EcnCapable
    /// @param cls class of the data; 3 is lossless @return what comes of it
    Result Run(bool isCapable, uint8_t cls)
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetQueuePair("EcnCapable", BooleanValue(isCapable));
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[BdpCap=1000]"));
        const Fabric fabric = helper.Star(6);
        fabric.AssignStreams(1);
        Result result;
        for (uint32_t host = 0; host < 6; ++host)
        {
            fabric.GetDevice(host, 0)->TraceConnectWithoutContext(
                "FrameTx",
                Callback<void, const QbbNetDevice&, const Frame&>(
                    [&result](const QbbNetDevice&, const Frame& frame) {
                        if (frame.kind == FrameKind::ROCE &&
                            (CarriesData(frame.opcode) || frame.opcode == RoceOpcode::READ_REQUEST))
                        {
                            result.sent.insert(frame.ecn);
                        }
                    }));
        }
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 1; host < 6; ++host)
        {
            RdmaFlow flow;
            flow.source = host;
            flow.bytes = 2000000;
            flow.trafficClass = cls;
            flow.verb = host == 5 ? RdmaVerb::READ : RdmaVerb::WRITE;
            flows.Add(flow);
        }
        RunUntil(MilliSeconds(20));
        result.finished = flows.GetNCompleted();
        const auto fabricSwitch = fabric.GetSwitch(0);
        for (uint32_t host = 0; host < 6; ++host)
        {
            result.marks += fabricSwitch->GetCounters(host).ecnMarks[cls];
            result.cnps += fabric.GetRdma(host)->GetCounters().cnpsReceived;
        }
        result.wred = fabricSwitch->GetDropCount(DropReason::WRED);
        Simulator::Destroy();
        return result;
    }

    void DoRun() override
    {
        for (const uint8_t cls : {1, 3})
        {
            const Result capable = Run(true, cls);
            NS_TEST_EXPECT_MSG_EQ((capable.sent == std::set<Ecn>{Ecn::ECT0}), true, "ECT(0)");
            NS_TEST_EXPECT_MSG_GT(capable.marks, 0, "class " << +cls << ": marked");
            NS_TEST_EXPECT_MSG_GT(capable.cnps, 0, "class " << +cls << ": DCQCN hears of it");
            NS_TEST_EXPECT_MSG_EQ(capable.wred, 0, "class " << +cls << ": and not dropped");
            NS_TEST_EXPECT_MSG_EQ(capable.finished, 5, "all");

            const Result other = Run(false, cls);
            NS_TEST_EXPECT_MSG_EQ((other.sent == std::set<Ecn>{Ecn::NOT_ECT}), true, "Not-ECT");
            NS_TEST_EXPECT_MSG_EQ(other.marks, 0, "class " << +cls << ": no marks");
            NS_TEST_EXPECT_MSG_EQ(other.cnps, 0, "class " << +cls << ": DCQCN hears nothing");
            NS_TEST_EXPECT_MSG_EQ((other.wred > 0), (cls == 1), "dropped in the lossy class alone");
            NS_TEST_EXPECT_MSG_EQ(other.finished, 5, "all");
        }
    }
};

/// A rule of a user: one CNP for each flow of a queue that is longer than Bytes.
class EachFlowRule : public SwitchCnpRule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::EachFlowRule")
                                .SetParent<SwitchCnpRule>()
                                .AddConstructor<EachFlowRule>()
                                .AddAttribute("Bytes",
                                              "longest queue without CNPs",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&EachFlowRule::m_bytes),
                                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    uint32_t Count(const QueueState& queue) override
    {
        g_asked.push_back(queue);
        return queue.bytes > m_bytes ? queue.flows + 7 : 0; // one for each flow is sent
    }

    static std::vector<QueueState> g_asked; //!< what it was asked so far

  private:
    uint64_t m_bytes{0};
};

std::vector<SwitchCnpRule::QueueState> EachFlowRule::g_asked;

NS_OBJECT_ENSURE_REGISTERED(EachFlowRule);

/// Ports of a switch with different settings, and one without CNPs.
class CnpPortsTest : public FabricTestCase
{
  public:
    CnpPortsTest()
        : FabricTestCase("CNPs of the switch: settings and rules by port")
    {
    }

  private:
    void DoRun() override
    {
        const std::string type = "ns3::SwitchCnpSender";
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue("Paper"));
        helper.AddSwitchExtension(type,
                                  "Ports",
                                  StringValue("0,7-8"),
                                  "MarkCe",
                                  BooleanValue(false));
        helper.AddSwitchExtension(type,
                                  "Ports",
                                  StringValue("1"),
                                  "Interval",
                                  StringValue("100us"),
                                  "Rule",
                                  StringValue("ns3::EachFlowRule[Bytes=50000]"));
        const Fabric fabric = helper.Star(15);
        fabric.AssignStreams(1);
        const auto fabricSwitch = fabric.GetSwitch(0);
        std::vector<std::vector<uint32_t>> cnps(2, std::vector<uint32_t>(15)); // by part, port
        std::vector<Time> times;                                               // of the second
        for (uint32_t i = 0; i < 2; ++i)
        {
            fabricSwitch->GetExtension(i)->TraceConnectWithoutContext(
                "Cnp",
                Callback<void, uint32_t, uint32_t, uint32_t>(
                    [&cnps, &times, i](uint32_t port, uint32_t, uint32_t) {
                        ++cnps[i][port];
                        if (i == 1)
                        {
                            times.push_back(Simulator::Now());
                        }
                    }));
        }
        EachFlowRule::g_asked.clear();
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 3; host < 15; ++host)
        {
            flows.Add({host, host % 3, 1000000}); // four to each of hosts 0, 1 and 2
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 12, "all");
        for (uint32_t port = 0; port < 15; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ((cnps[0][port] > 0), (port == 0), "first sender, " << port);
            NS_TEST_EXPECT_MSG_EQ((cnps[1][port] > 0), (port == 1), "second sender, " << port);
        }
        const auto marks = [&fabricSwitch](uint32_t port) {
            return fabricSwitch->GetCounters(port).ecnMarks[3];
        };
        NS_TEST_EXPECT_MSG_EQ(marks(0), 0, "MarkCe is false there");
        NS_TEST_EXPECT_MSG_GT(marks(1), 0, "and true there");
        NS_TEST_EXPECT_MSG_GT(marks(2), 0, "nobody holds marks there");

        NS_TEST_ASSERT_MSG_EQ(EachFlowRule::g_asked.empty(), false, "the rule was asked");
        uint64_t due = 0;
        uint64_t before = 0;
        uint32_t remembered = 0;
        for (const auto& queue : EachFlowRule::g_asked)
        {
            NS_TEST_EXPECT_MSG_EQ(queue.port, 1, "of its port");
            NS_TEST_EXPECT_MSG_EQ(queue.cls, 3, "of the class with data");
            NS_TEST_EXPECT_MSG_EQ(queue.limitBytes, 400000, "LimitBytes at 25 Gb/s");
            // Nobody asks about an empty queue: the length before is 0 after one.
            NS_TEST_EXPECT_MSG_EQ((queue.beforeBytes == before || queue.beforeBytes == 0),
                                  true,
                                  queue.beforeBytes << ", not " << before);
            remembered += queue.beforeBytes > 0;
            before = queue.bytes;
            due += queue.bytes > 50000 ? queue.flows : 0;
        }
        NS_TEST_EXPECT_MSG_GT(remembered, 1, "lengths at the poll before");
        NS_TEST_EXPECT_MSG_EQ(cnps[1][1], due, "one for each flow");
        NS_TEST_EXPECT_MSG_EQ(EachFlowRule::g_asked.front().flows, 4, "the flows of the incast");
        times.erase(std::unique(times.begin(), times.end()), times.end());
        NS_TEST_ASSERT_MSG_GT(times.size(), 1, "several polls");
        NS_TEST_EXPECT_MSG_EQ(times[1] - times[0], MicroSeconds(100), "its Interval");
        ExpectClean(fabric);
        Simulator::Destroy();

        FabricHelper wrong;
        wrong.AddSwitchExtension(type, "Ports", StringValue("0-9"));
        ExpectError([&] { wrong.Star(3); },
                    "SwitchCnpSender: Ports names port 9: the switch has 3");
        const auto sender = CreateObject<SwitchCnpSender>();
        ExpectRefusal([&] { sender->SetAttribute("Ports", StringValue("one")); },
                      "SwitchCnpSender: Ports \"one\" cannot be read");
        ExpectRefusal([&] { sender->SetAttribute("Rule", StringValue("ns3::RdmaIrn")); },
                      "SwitchCnpSender: ns3::RdmaIrn is not an ns3::SwitchCnpRule");
    }
};

class EcnTestSuite : public TestSuite
{
  public:
    EcnTestSuite()
        : TestSuite("lossless-ecn", Type::SYSTEM)
    {
        AddTestCase(new PolledTest);
        AddTestCase(new TunerTest);
        AddTestCase(new UnknownTrafficTest);
        AddTestCase(new NotCapableTest);
        AddTestCase(new CnpTest);
        AddTestCase(new CnpPortsTest);
        AddTestCase(new RecipientTest);
        AddTestCase(new UnknownSenderTest);
    }
};

EcnTestSuite g_ecnTestSuite; //!< registers the suite

} // namespace

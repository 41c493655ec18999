// SPDX-License-Identifier: GPL-2.0-only

// Elephants get another class or colour at a switch: when they move, what that reorders, who is
// dropped first, that nothing lossless is lost, and which switches are refused.

#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/coloured-wred-marker.h"
#include "ns3/elephant-separator.h"
#include "ns3/socket-flow-helper.h"

#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t FRAME_BYTES = 1000; //!< of each frame of these tests

/// Single frames from hosts 1 and 2 of a star to host 0, whose flows are those of the host.
class FrameTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// A change of queue that the separator told of.
    struct Change
    {
        uint8_t dscp;      //!< of the frame
        bool isOvertaking; //!< whether older frames wait
    };

    /// Build the star. @param attributes of the separator @param marker type of the ECN marker
    void Build(const std::string& attributes, const std::string& marker = "")
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetLosslessClasses({3, 4});
        if (!marker.empty())
        {
            helper.SetEcn(marker);
        }
        helper.AddSwitchExtension("ns3::ElephantSeparator[" + attributes + "]");
        m_fabric.emplace(helper.Star(3));
        m_separator = DynamicCast<ElephantSeparator>(m_fabric->GetSwitch(0)->GetExtension(0));
        m_separator->TraceConnectWithoutContext(
            "QueueChange",
            Callback<void, const Frame&, uint32_t, bool>(
                [this](const Frame& frame, uint32_t /* port */, bool isOvertaking) {
                    m_changes.push_back({frame.dscp, isOvertaking});
                }));
        m_separator->TraceConnectWithoutContext(
            "Elephant",
            Callback<void, uint32_t, uint32_t, uint32_t, uint32_t, bool>(
                [this](uint32_t, uint32_t, uint32_t, uint32_t queuePair, bool isElephant) {
                    m_told.emplace_back(queuePair, isElephant);
                }));
    }

    /// @param host 0 to 2 @return its port
    Ptr<QbbNetDevice> PortOf(uint32_t host) const
    {
        return m_fabric->GetDevice(m_fabric->GetTopology().NodeOf(HostId(host)), 0);
    }

    /// Send frames back to back. @param at when @param host 1 or 2 @param count how many
    /// @param dscp of the frames
    void Send(Time at, uint32_t host, uint32_t count, uint8_t dscp = 24)
    {
        Simulator::Schedule(at - Simulator::Now(), [=] {
            for (uint32_t i = 0; i < count; ++i)
            {
                auto* frame = new Frame;
                frame->src = m_fabric->GetAddress(HostId(host)).Get();
                frame->dst = m_fabric->GetAddress(HostId(0)).Get();
                frame->dstPort = ROCE_UDP_PORT;
                frame->destQp = host;
                frame->bytes = FRAME_BYTES;
                frame->dscp = dscp;
                frame->trafficClass = dscp >> 3;
                PortOf(host)->Queues().Push(frame);
            }
            PortOf(host)->Kick();
        });
    }

    /// Host 0 pauses or resumes class 3 at the switch. @param at when @param xoff whether to pause
    void Pause(Time at, bool xoff)
    {
        Simulator::Schedule(at - Simulator::Now(), [=] { PortOf(0)->RequestPause(3, xoff); });
    }

    /// @param cls a class @return frames of it that the switch has sent to host 0
    uint64_t SentToHost(uint32_t cls) const
    {
        return m_fabric->GetSwitch(0)->GetPort(0)->GetCounters().txClassBytes[cls] / FRAME_BYTES;
    }

    std::optional<Fabric> m_fabric;                //!< the star
    Ptr<ElephantSeparator> m_separator;            //!< of its switch
    std::vector<Change> m_changes;                 //!< in their order
    std::vector<std::pair<uint32_t, bool>> m_told; //!< queue pair, whether it is an elephant
};

/// A flow whose frames do not wait moves with the frame that makes it an elephant; an idle one
/// comes back.
class MoveAndDemoteTest : public FrameTestCase
{
  public:
    MoveAndDemoteTest()
        : FrameTestCase("An elephant moves when none of its frames waits, and comes back when idle")
    {
    }

  private:
    void DoRun() override
    {
        Build("Condition=Bytes|ElephantBytes=10000|IdleTime=100us");
        for (int i = 0; i < 12; ++i)
        {
            Send(MicroSeconds(1 + i), 1, 1);
        }
        Send(MicroSeconds(20), 2, 1); // a mouse
        RunUntil(MicroSeconds(50));
        const ElephantSeparator::Counters& counters = m_separator->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.found, 1, "10,000 bytes are enough");
        NS_TEST_EXPECT_MSG_EQ(counters.moves, 1, "at once");
        NS_TEST_EXPECT_MSG_EQ(counters.movedFrames, 3, "the tenth to the twelfth");
        NS_TEST_EXPECT_MSG_EQ(counters.reorderings, 0, "nothing waited");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(4), 3, "they leave in class 4");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(3), 10, "nine, and that of the mouse, in class 3");
        NS_TEST_ASSERT_MSG_EQ(m_changes.size(), 1, "one change of queue");
        NS_TEST_EXPECT_MSG_EQ(+m_changes[0].dscp, 32, "the next hop sees class 4");

        Send(MicroSeconds(112), 1, 1); // the gap is 100 us: not longer
        Send(MicroSeconds(213), 1, 9);
        Send(MicroSeconds(230), 1, 1);
        RunUntil(MicroSeconds(250));
        NS_TEST_EXPECT_MSG_EQ(counters.demoted, 1, "a gap of 101 us");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(3), 19, "nine as a mouse");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(4), 5, "one before, and the tenth");
        NS_TEST_EXPECT_MSG_EQ(counters.found, 2, "twice");
        const std::vector<std::pair<uint32_t, bool>> told{{1, true}, {1, false}, {1, true}};
        NS_TEST_EXPECT_MSG_EQ((m_told == told), true, "the trace tells of each");
        NS_TEST_EXPECT_MSG_EQ(counters.reorderings, 0, "in gaps");

        m_fabric->GetSwitch(0)->Restart();
        Send(MicroSeconds(260), 1, 1);
        RunUntil(MicroSeconds(300));
        NS_TEST_EXPECT_MSG_EQ(SentToHost(3), 20, "a switch that restarts has forgotten");
        NS_TEST_EXPECT_MSG_EQ(counters.found, 2, "but counts on");
        ExpectClean(*m_fabric);
    }
};

/// Frames wait in the old queue: the flow stays there, until a gap.
class GapTest : public FrameTestCase
{
  public:
    GapTest()
        : FrameTestCase("An elephant with waiting frames moves behind a gap alone")
    {
    }

  private:
    void DoRun() override
    {
        Build("Condition=Bytes|ElephantBytes=10000");
        Pause(MicroSeconds(0), true);
        Send(MicroSeconds(2), 1, 12);
        Send(MicroSeconds(52), 1, 1); // less than 50 us behind the last one
        RunUntil(MicroSeconds(60));
        const ElephantSeparator::Counters& counters = m_separator->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.found, 1, "an elephant");
        NS_TEST_EXPECT_MSG_EQ(counters.moves, 0, "that stays");
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetSwitch(0)->GetQueueFrames(0, 3), 13, "all wait");
        Send(MicroSeconds(103), 1, 2);
        RunUntil(MicroSeconds(110));
        NS_TEST_EXPECT_MSG_EQ(counters.moves, 1, "a gap of 51 us");
        NS_TEST_EXPECT_MSG_EQ(counters.movedFrames, 2, "both frames behind it");
        NS_TEST_EXPECT_MSG_EQ(counters.reorderings, 1, "once: the queue is not empty yet");
        NS_TEST_ASSERT_MSG_EQ(m_changes.size(), 1, "one change");
        NS_TEST_EXPECT_MSG_EQ(m_changes[0].isOvertaking, true, "which overtakes");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(4), 2, "the pause is of class 3");
        Pause(MicroSeconds(111), false);
        RunUntil(MicroSeconds(200));
        NS_TEST_EXPECT_MSG_EQ(SentToHost(3), 13, "no frame is lost");
        ExpectClean(*m_fabric);
    }
};

/// The flow of another switch comes in the class of elephants already.
class SeparatedBeforeTest : public FrameTestCase
{
  public:
    SeparatedBeforeTest()
        : FrameTestCase("Frames that an earlier switch moved are counted, and reorder")
    {
    }

  private:
    void DoRun() override
    {
        Build("Condition=Bytes|ElephantBytes=100000");
        Pause(MicroSeconds(0), true);
        Send(MicroSeconds(2), 1, 3);
        Send(MicroSeconds(5), 1, 3, 32); // the first switch has found the elephant
        RunUntil(MicroSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(m_separator->GetCounters().movedFrames, 0, "not by this switch");
        NS_TEST_EXPECT_MSG_EQ(m_separator->GetCounters().reorderings, 1, "three wait in class 3");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(4), 3, "three overtake");
        Pause(MicroSeconds(21), false);
        Send(MicroSeconds(30), 1, 1, 48); // a CNP, or what else has another class
        RunUntil(MicroSeconds(50));
        NS_TEST_EXPECT_MSG_EQ(m_changes.size(), 1, "other classes are not looked at");
        ExpectClean(*m_fabric);
    }
};

/// Yellow frames of elephants are dropped before green ones of mice, which share their queue.
class ColourTest : public FrameTestCase
{
  public:
    ColourTest()
        : FrameTestCase("A lossy queue drops yellow elephants before green mice")
    {
    }

  private:
    void DoRun() override
    {
        Build("Condition=Bytes|ElephantBytes=30000|MouseClass=1|ElephantClass=1|"
              "ElephantColour=Yellow",
              "ns3::ColouredWredMarker[ReferenceRate=0bps|Kmin=60000|Kmax=60000|YellowKmin=20000|"
              "YellowKmax=20000]");
        Send(MicroSeconds(0), 1, 120, 8);
        Send(MicroSeconds(4), 2, 29, 8); // when the first is an elephant
        const auto fabricSwitch = m_fabric->GetSwitch(0);
        RunUntil(MicroSeconds(100));
        const auto wred = static_cast<std::size_t>(DropReason::WRED);
        const uint64_t ofElephant = fabricSwitch->GetCounters(1).drops[wred];
        NS_TEST_EXPECT_MSG_GT(ofElephant, 0, "what comes while more than 20,000 bytes wait");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetCounters(2).drops[wred], 0, "mice are green");
        NS_TEST_EXPECT_MSG_EQ(m_separator->GetCounters().moves, 1, "one flow changed its colour");
        NS_TEST_EXPECT_MSG_EQ(m_separator->GetCounters().movedFrames, 91, "from its 30th frame on");
        NS_TEST_EXPECT_MSG_EQ(SentToHost(1), 149 - ofElephant, "all others arrive in class 1");
        NS_TEST_EXPECT_MSG_EQ(m_separator->GetCounters().reorderings, 0, "in one queue");
        ExpectClean(*m_fabric);
    }
};

/// Two elephants and mice share a lossy queue. Who is dropped, and who is marked?
class MixTest : public FabricTestCase
{
  public:
    MixTest()
        : FabricTestCase("A lossy class drops or marks elephants first: TCP, UDP and RoCE")
    {
    }

  private:
    static constexpr uint32_t ELEPHANTS = 2; //!< hosts 1 and 2; the mice are of hosts 3 to 6
    static constexpr uint32_t HOSTS = 7;

    /// What is sent.
    enum Traffic
    {
        TCP,     //!< without ECN
        UDP,     //!< elephants; the mice are of TCP
        NOT_ECT, //!< RoCE that is not ECN-capable
        ECT      //!< RoCE that is
    };

    /// Frames, of elephants and of mice.
    struct Frames
    {
        uint64_t elephants{0};
        uint64_t mice{0};
    };

    /// What became of them.
    struct Result
    {
        Frames dropped;
        Frames marked;
        uint64_t found{0}; //!< elephants
    };

    /// TCP and UDP: two elephants of 10 MB, a mouse of 20 KB of each other host every 100 us.
    static void AddSockets(SocketFlowHelper& sockets, bool isUdp)
    {
        SocketFlow::Plan plan;
        plan.trafficClass = 1;
        plan.bytes = 10000000;
        for (uint32_t host = 1; host <= ELEPHANTS; ++host)
        {
            plan.source = host;
            isUdp ? sockets.AddUdp(plan, DataRate("70Gbps")) : sockets.AddTcp(plan);
        }
        plan.bytes = 20000;
        for (uint32_t i = 0; i < 40; ++i)
        {
            plan.source = ELEPHANTS + 1 + i % (HOSTS - ELEPHANTS - 1);
            plan.start = MicroSeconds(200 + 25 * i);
            sockets.AddTcp(plan);
        }
    }

    /// The same of RoCE.
    static void AddQueuePairs(RdmaFlowHelper& flows)
    {
        RdmaFlow flow;
        flow.trafficClass = 1;
        flow.bytes = 10000000;
        for (uint32_t host = 1; host <= ELEPHANTS; ++host)
        {
            flow.source = host;
            flows.Add(flow);
        }
        flow.bytes = 20000;
        for (uint32_t i = 0; i < 40; ++i)
        {
            flow.source = ELEPHANTS + 1 + i % (HOSTS - ELEPHANTS - 1);
            flow.start = MicroSeconds(200 + 25 * i);
            flows.Add(flow);
        }
    }

    /// Run a mix. @param traffic what is sent @param separates whether elephants are yellow
    /// @param marker attributes of the marker @return what became of the frames
    Result Run(Traffic traffic, bool separates, const std::string& marker = "")
    {
        const bool isRoce = traffic == NOT_ECT || traffic == ECT;
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MB"));
        helper.SetEcn("ns3::ColouredWredMarker[ReferenceRate=0bps|Kmin=400000|Kmax=400000|"
                      "YellowKmin=100000|YellowKmax=100000" +
                      marker + "]");
        helper.SetCongestionControl("none");
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[BdpCap=1000]"));
        helper.SetQueuePair("EcnCapable", BooleanValue(traffic != NOT_ECT));
        if (separates)
        {
            helper.AddSwitchExtension("ns3::ElephantSeparator[Condition=Bytes|MouseClass=1|"
                                      "ElephantClass=1|ElephantColour=Yellow|"
                                      "ElephantBytes=50000]");
        }
        const Fabric fabric = helper.Star(HOSTS);
        const auto fabricSwitch = fabric.GetSwitch(0);
        Result result;
        fabricSwitch->TraceConnectWithoutContext(
            "Drop",
            Callback<void, uint32_t, uint32_t, uint32_t, DropReason>(
                [&result](uint32_t port, uint32_t, uint32_t, DropReason reason) {
                    (port <= ELEPHANTS ? result.dropped.elephants : result.dropped.mice) +=
                        reason != DropReason::LINK_LOCAL; // no loss: the IPv6 of ns-3's stack
                }));
        fabricSwitch->GetPort(0)->TraceConnectWithoutContext(
            "FrameTx",
            Callback<void, const QbbNetDevice&, const Frame&>([&result](const QbbNetDevice&,
                                                                        const Frame& frame) {
                const bool isElephant = frame.inPort <= ELEPHANTS;
                (isElephant ? result.marked.elephants : result.marked.mice) += frame.ecn == Ecn::CE;
            }));
        if (separates)
        {
            const uint32_t receiver = fabric.GetAddress(HostId(0)).Get(); // of data, not of ACKs
            fabricSwitch->GetExtension(0)->TraceConnectWithoutContext(
                "Elephant",
                Callback<void, uint32_t, uint32_t, uint32_t, uint32_t, bool>(
                    [&result, receiver](uint32_t, uint32_t to, uint32_t, uint32_t, bool) {
                        result.found += to == receiver;
                    }));
        }
        SocketFlowHelper sockets(fabric);
        RdmaFlowHelper flows(fabric);
        isRoce ? AddQueuePairs(flows) : AddSockets(sockets, traffic == UDP);
        RunUntil(MilliSeconds(2));
        static const char* const NAMES[] = {"TCP", "UDP", "RoCE, not ECN-capable", "RoCE"};
        std::cout << NAMES[traffic] << (separates ? ", coloured" : "") << marker << ": dropped "
                  << result.dropped.elephants << " of elephants, " << result.dropped.mice
                  << " of mice; marked " << result.marked.elephants << " and " << result.marked.mice
                  << "\n";
        Simulator::Destroy();
        return result;
    }

    void DoRun() override
    {
        for (const Traffic traffic : {TCP, UDP, NOT_ECT})
        {
            const Result equal = Run(traffic, false);
            NS_TEST_EXPECT_MSG_GT(equal.dropped.mice,
                                  0,
                                  traffic << ": mice, too, if all are green");
            const Result coloured = Run(traffic, true);
            NS_TEST_EXPECT_MSG_EQ(coloured.found, 2, traffic << ": by queue pair or five-tuple");
            NS_TEST_EXPECT_MSG_GT(coloured.dropped.elephants, 0, traffic << ": yellow first");
            NS_TEST_EXPECT_MSG_EQ(coloured.dropped.mice, 0, traffic << ": and green not at all");
            NS_TEST_EXPECT_MSG_EQ(coloured.marked.elephants, 0, traffic << ": nobody is capable");
        }

        // ECN-capable elephants are marked where others are dropped. These do not listen: where the
        // buffer fills up, they are dropped first.
        const Result marked = Run(ECT, true);
        NS_TEST_EXPECT_MSG_GT(marked.marked.elephants, 0, "yellow first");
        NS_TEST_EXPECT_MSG_GT(marked.dropped.elephants, 0, "beyond their share of the buffer");
        NS_TEST_EXPECT_MSG_EQ(marked.dropped.mice, 0, "green have the rest");
        const Result whole = Run(ECT, true, "|YellowShare=1");
        NS_TEST_EXPECT_MSG_GT(whole.dropped.mice, 0, "nothing is left for them");
    }
};

/// Long flows of real queue pairs, moved at once or when they may.
class QueuePairTest : public FabricTestCase
{
  public:
    QueuePairTest()
        : FabricTestCase(
              "An immediate move is answered by NAKs, a move without waiting frames is not")
    {
    }

  private:
    /// What a run shows.
    struct Result
    {
        ElephantSeparator::Counters counters; //!< of all switches
        uint64_t naks{0};                     //!< received
        uint64_t lastBytes{0};                //!< of class 4 that the star, or the spine, sent
    };

    /// Seven hosts send to one, one flow after the other. @param move attribute Move
    /// @param isStar one switch; else two leaves and a spine @return what it shows
    Result Run(const std::string& move, bool isStar)
    {
        FabricHelper helper;
        helper.SetLosslessClasses({3, 4});
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("3MB"));
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        helper.AddSwitchExtension("ns3::ElephantSeparator[ElephantBytes=200000|Move=" + move + "]");
        const Fabric fabric = isStar ? helper.Star(8) : helper.LeafSpine(2, 1, 4);
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < 8; ++i)
        {
            flows.Add({HostId(1 + i % 7), HostId(0), 1000000, MicroSeconds(20 * i)});
        }
        RunUntil(MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 8, move << ": all arrive");
        ExpectClean(fabric);
        ExpectSettled(fabric, move);
        Result result;
        for (const SwitchId which : fabric.Switches())
        {
            const auto separator =
                DynamicCast<ElephantSeparator>(fabric.GetSwitch(which)->GetExtension(0));
            AddCounters(result.counters, separator->GetCounters());
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            result.naks += fabric.GetRdma(host)->GetCounters().naksReceived;
        }
        const SwitchId last(fabric.GetNSwitches() - 1);
        result.lastBytes = fabric.GetSwitch(last)->GetPort(0)->GetCounters().txClassBytes[4];
        Simulator::Destroy();
        return result;
    }

    void DoRun() override
    {
        // A gap alone is no proof: a sender that is paused has gaps, while its frames wait.
        const Result gap = Run("AtFlowletGap|FlowletGap=1s", true);
        NS_TEST_EXPECT_MSG_GT(gap.counters.moves, 0, "some move");
        NS_TEST_EXPECT_MSG_EQ(gap.counters.reorderings, 0, "when nothing waits");
        NS_TEST_EXPECT_MSG_EQ(gap.naks, 0, "in order");
        const Result immediate = Run("Immediate", true);
        NS_TEST_EXPECT_MSG_EQ(immediate.counters.moves, 8, "all move");
        NS_TEST_EXPECT_MSG_GT(immediate.counters.reorderings, 0, "some overtake themselves");
        NS_TEST_EXPECT_MSG_GT(immediate.naks, 0, "which the receiver sees");

        // Behind the switch that moved a flow its older frames may still wait.
        const Result spine = Run("AtFlowletGap", false);
        NS_TEST_EXPECT_MSG_GT(spine.lastBytes, 100000, "the spine sees the class");
        NS_TEST_EXPECT_MSG_EQ((spine.counters.reorderings > 0),
                              (spine.naks > 0),
                              "a switch counts what the receiver sees");
    }
};

/// What a switch cannot do is refused with what would be right.
class RefusalTest : public FabricTestCase
{
  public:
    RefusalTest()
        : FabricTestCase("Separators that would lose frames or change nothing are refused")
    {
    }

  private:
    /// Build a star. @param attributes of the separator @param lossless classes @param configure
    /// more
    static void Build(const std::string& attributes,
                      const std::vector<uint32_t>& lossless,
                      const std::function<void(FabricHelper&)>& configure = nullptr)
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetLosslessClasses(lossless);
        helper.AddSwitchExtension("ns3::ElephantSeparator[" + attributes + "]");
        if (configure)
        {
            configure(helper);
        }
        helper.Star(2);
        Simulator::Destroy();
    }

    /// @param name of an attribute of the class maps @param value its value @return what sets it
    static std::function<void(FabricHelper&)> WithMap(const std::string& name,
                                                      const std::string& value)
    {
        return [=](FabricHelper& helper) {
            helper.At("all").Set("ns3::TrafficClassMap::" + name, StringValue(value));
        };
    }

    void DoRun() override
    {
        const auto coloured = [](FabricHelper& helper) {
            helper.SetEcn("ns3::ColouredWredMarker");
        };
        ExpectError([] { Build("Move=Immediate", {3}); },
                    "ElephantSeparator: port 0: MouseClass 3 is lossless and ElephantClass 4 is "
                    "not; give both PFC, or choose a lossless ElephantClass");
        ExpectError([&] { Build("Move=Immediate", {3, 4}, WithMap("PriorityGroup", "4:3")); },
                    "port 0 books MouseClass 3 and ElephantClass 4 in one priority group; give "
                    "each its own with TrafficClassMap::PriorityGroup");
        ExpectError([&] { Build("Move=Immediate", {3, 4}, WithMap("Queue", "4:3")); },
                    "port 0 has one queue for MouseClass 3 and ElephantClass 4; give each its own "
                    "with TrafficClassMap::Queue");
        ExpectError([&] { Build("Move=Immediate", {3, 4}, WithMap("Trust", "Dot1p")); },
                    "port 0 does not classify by DSCP, which is what is rewritten");
        ExpectError([] { Build("ElephantClass=3", {3}); },
                    "MouseClass and ElephantClass are both 3, and ElephantColour is Green: "
                    "elephants would be treated as mice; choose another class or another colour");
        ExpectError([] { Build("ElephantClass=3|ElephantColour=Yellow", {3}); },
                    "ElephantColour changes nothing at this switch; give it an "
                    "ns3::ColouredWredMarker as its ECN marker, or choose Green");
        ExpectError([&] { Build("ElephantClass=5|ElephantColour=Red", {3, 5}, coloured); },
                    "no DSCP of Assured Forwarding has class 5; for an ElephantColour other than "
                    "Green choose an ElephantClass from 1 to 4");
        ExpectError(
            [&] {
                Build("ElephantColour=Yellow", {3, 4}, [&](FabricHelper& helper) {
                    coloured(helper);
                    WithMap("Dscp", "36:5")(helper);
                });
            },
            "port 0 maps DSCP 36 of elephants to class 5; map it to ElephantClass 4 with "
            "TrafficClassMap::Dscp");

        // Places are looked at as they are in the end, and lossy mice may become lossy elephants.
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([] {
                                  Build("Move=Immediate", {3}, [](FabricHelper& helper) {
                                      helper.At("all").Set("ns3::QbbNetDevice::PfcClasses",
                                                           UintegerValue(0x18));
                                  });
                              }),
                              "",
                              "a place makes class 4 lossless");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([] { Build("MouseClass=1|ElephantClass=2", {3}); }),
                              "",
                              "both are lossy");
        RefusedDuringRun();
    }

    /// What the classes need stays there.
    void RefusedDuringRun()
    {
        FabricHelper helper;
        helper.SetLosslessClasses({3, 4});
        helper.AddSwitchExtension("ns3::ElephantSeparator");
        const Fabric fabric = helper.Star(2);
        RunUntil(MicroSeconds(1));
        const auto separator = fabric.GetSwitch(0)->GetExtension(0);
        ExpectRefusal([&] { separator->SetAttribute("ElephantClass", UintegerValue(5)); },
                      "ElephantClass 5 is not; ");
        UintegerValue now;
        separator->GetAttribute("ElephantClass", now);
        NS_TEST_EXPECT_MSG_EQ(now.Get(), 4, "and stays");
    }
};

/// The suite of elephants and mice.
class ElephantsTestSuite : public TestSuite
{
  public:
    ElephantsTestSuite()
        : TestSuite("lossless-elephants", Type::UNIT)
    {
        AddTestCase(new MoveAndDemoteTest);
        AddTestCase(new GapTest);
        AddTestCase(new SeparatedBeforeTest);
        AddTestCase(new ColourTest);
        AddTestCase(new MixTest);
        AddTestCase(new QueuePairTest);
        AddTestCase(new RefusalTest);
    }
};

ElephantsTestSuite g_elephantsTestSuite; //!< the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// PCN in a fabric: a flow that only waits behind a pause keeps its rate, one that is congested
// drops to what it gets; beside DCQCN, and with the details that only a whole fabric shows.

#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "switch-test-star.h"

#include "ns3/boolean.h"
#include "ns3/pcn-marker.h"
#include "ns3/rdma-pcn.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double G = 1e9;

// ---- the burst scenario of the paper (NSDI 2020)

/// A flow without end, and its rate after the bursts have begun.
struct LongFlow
{
    /// @param fabric where @param source a host @param destination another @param since when the
    /// window begins
    LongFlow(const Fabric& fabric, uint32_t source, uint32_t destination, Time since)
        : m_since(since)
    {
        m_receiver = fabric.GetDevice(fabric.GetTopology().GetHosts()[destination], 0);
        m_sender = fabric.Connect(source, destination).source;
        m_sender->TraceConnectWithoutContext("Rate", MakeCallback(&LongFlow::RateChanged, this));
        baseRtt = PicoSeconds(m_sender->GetFlowState().baseRttPs);
        RdmaWorkRequest request;
        request.bytes = uint64_t{1} << 40;
        m_sender->Post(request);
        Simulator::Schedule(since, [this] {
            m_before = m_receiver->GetCounters().rxWireBytes;
            lowest = m_sender->GetFlowState().rate / G;
        });
    }

    /// @param rate new rate, bit/s
    void RateChanged(double rate)
    {
        log << Simulator::Now().GetPicoSeconds() << " " << rate << "\n";
        const Time after = Simulator::Now() - m_since;
        if (after <= Time(0))
        {
            return;
        }
        lowest = std::min(lowest, rate / G);
        if (cutAfter == Time(0) && rate < 5 * G)
        {
            cutAfter = after;
        }
    }

    /// @return Gb/s that the receiver got since the window has begun; not only of this flow
    double Received() const
    {
        const uint64_t bytes = m_receiver->GetCounters().rxWireBytes - m_before;
        return 8e-9 * static_cast<double>(bytes) / (Simulator::Now() - m_since).GetSeconds();
    }

    double lowest{0};       //!< rate in the window, Gb/s
    Time cutAfter;          //!< how far into the window its rate fell below 5 Gb/s
    Time baseRtt;           //!< of the empty path
    std::ostringstream log; //!< every rate

  private:
    Time m_since;
    Ptr<RdmaQueuePair> m_sender;
    Ptr<QbbNetDevice> m_receiver;
    uint64_t m_before{0};
};

/**
 * F0 and F1 share a link between two switches; hosts at the second one send bursts to the receiver
 * of F1, so that the shared link is paused for what F1 has queued there.
 */
struct BurstScenario
{
    /// Run it. @param congestion congestion control @param shared rate of the shared link
    /// @param begin of the bursts @param window how long to run on after it
    BurstScenario(const std::string& congestion,
                  const std::string& shared,
                  Time begin = MilliSeconds(2),
                  Time window = MilliSeconds(4))
    {
        constexpr uint32_t BURST_HOSTS = 15;
        constexpr uint32_t BURSTS = 16; // of each host; all of them last 3.1 ms
        constexpr uint64_t BURST_BYTES = 65536;
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("40Gbps"));
        helper.SetCongestionControl(congestion);
        const Fabric fabric = helper.Dumbbell(2, 2 + BURST_HOSTS, DataRate(shared));
        fabric.AssignStreams(1);
        PauseEarly(fabric);
        LongFlow victim(fabric, 0, 2, begin);
        LongFlow congested(fabric, 1, 3, begin);
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < BURST_HOSTS * BURSTS; ++i)
        {
            flows.Add({4 + i % BURST_HOSTS, 3, BURST_BYTES, begin});
        }
        flows.OnEnd([this](const RdmaFlowResult& result) { lastBurst = result.fct; });
        Simulator::Stop(begin + window);
        Simulator::Run();
        victimReceived = victim.Received();
        victimLowest = victim.lowest;
        congestedLowest = congested.lowest;
        cutAfter = congested.cutAfter;
        baseRtt = congested.baseRtt;
        log = victim.log.str() + congested.log.str();
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            drops += fabric.GetSwitch(i)->GetLosslessDrops() + fabric.GetSwitch(i)->GetLossyDrops();
        }
        CountPauses(fabric);
        Simulator::Destroy();
    }

    /// PFC as in the paper: a fixed threshold of 64 packets. @param fabric the fabric
    static void PauseEarly(const Fabric& fabric)
    {
        constexpr uint64_t THRESHOLD_BYTES = 64 * 1020;
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const auto fabricSwitch = fabric.GetSwitch(i);
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                fabricSwitch->GetMmu()->SetStaticThreshold(port, 3, THRESHOLD_BYTES);
            }
        }
    }

    /// Sum up over all ports. @param fabric the fabric
    void CountPauses(const Fabric& fabric)
    {
        for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
        {
            const auto& obeyer = device->GetObeyer();
            const bool isShared = node == fabric.GetTopology().GetSwitches()[0] && port == 2;
            pauses += obeyer.Get(3).pauses;
            sharedPauses += isShared ? obeyer.Get(3).pauses : 0;
            const int64_t now = Simulator::Now().GetTimeStep();
            pausedUs += static_cast<double>(obeyer.PausedTicks(3, now)) / 1e6;
        }
    }

    /// @return what to print
    std::string Report() const
    {
        std::ostringstream os;
        os << "F0 received " << victimReceived << " Gb/s, its rate never below " << victimLowest
           << "; F1 down to " << congestedLowest << ", below 5 after " << cutAfter.As(Time::US)
           << " (base RTT " << baseRtt.As(Time::US) << ")"
           << "; pauses " << pauses << " (" << sharedPauses << " of the shared link), " << pausedUs
           << " us; bursts end after " << lastBurst.As(Time::US);
        return os.str();
    }

    double victimReceived{0};  //!< Gb/s
    double victimLowest{0};    //!< Gb/s
    double congestedLowest{0}; //!< Gb/s
    Time cutAfter;             //!< of the congested flow
    Time baseRtt;              //!< of the congested flow
    Time lastBurst;            //!< from the beginning
    uint64_t drops{0};         //!< all switches
    uint64_t pauses{0};        //!< times that a port was paused
    uint64_t sharedPauses{0};  //!< of these: the shared link
    double pausedUs{0};        //!< time that ports were paused
    std::string log;           //!< every rate of the long flows
};

/// PCN beside DCQCN.
class BurstTest : public FabricTestCase
{
  public:
    /// @param shared rate of the shared link
    explicit BurstTest(const std::string& shared)
        : FabricTestCase("A victim and a congested flow, shared link of " + shared),
          m_shared(shared)
    {
    }

  private:
    void DoRun() override
    {
        const BurstScenario pcn("ns3::RdmaPcn", m_shared);
        const BurstScenario dcqcn("ns3::RdmaDcqcn", m_shared);
        std::cout << GetName() << "\nPCN: " << pcn.Report() << "\nDCQCN: " << dcqcn.Report()
                  << "\n";
        NS_TEST_EXPECT_MSG_GT(pcn.sharedPauses, 5, "the victim does wait behind pauses");
        NS_TEST_EXPECT_MSG_GT(pcn.victimReceived, 0.8 * 40, "and gets nearly all");
        NS_TEST_EXPECT_MSG_GT(pcn.victimReceived, 2.5 * dcqcn.victimReceived, "unlike DCQCN's");
        if (m_shared == "100Gbps") // else it is congested itself
        {
            NS_TEST_EXPECT_MSG_GT(pcn.victimLowest, 0.95 * 40, "it is not throttled");
        }
        ExpectFastCut(pcn);
        NS_TEST_EXPECT_MSG_LT(3 * pcn.pauses, dcqcn.pauses, "fewer pauses");
        NS_TEST_EXPECT_MSG_LT(3 * pcn.pausedUs, dcqcn.pausedUs, "shorter pauses");
        NS_TEST_EXPECT_MSG_EQ(pcn.drops + dcqcn.drops, 0, "no drop");
        NS_TEST_EXPECT_MSG_GT(pcn.lastBurst, Time(0), "the bursts end");
        const BurstScenario again("ns3::RdmaPcn", m_shared);
        NS_TEST_EXPECT_MSG_EQ((again.log == pcn.log), true, "the same again");
        NS_TEST_EXPECT_MSG_GT(pcn.log.size(), 1000, "of something");
    }

    /// The congested flow drops when an interval that lies in the congestion has ended, and its
    /// report has come: one to two intervals after the bursts. @param first a run
    void ExpectFastCut(const BurstScenario& first)
    {
        const Time interval = MicroSeconds(50);
        std::vector<Time> after{first.cutAfter};
        for (const int64_t us : {2010, 2020, 2030, 2040})
        {
            const BurstScenario other("ns3::RdmaPcn",
                                      m_shared,
                                      MicroSeconds(us),
                                      MicroSeconds(150));
            after.push_back(other.cutAfter);
        }
        std::cout << "F1 below 5 Gb/s after";
        for (const Time& one : after)
        {
            std::cout << " " << one.As(Time::US);
            NS_TEST_EXPECT_MSG_GT(one, Time(0), "it is cut");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(one, 2 * interval + first.baseRtt, "soon");
        }
        std::cout << "\n";
    }

    std::string m_shared;
};

// ---- reports

/// Two hosts at a switch, and the CNPs that the first of them gets.
class ReportCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// Connect and post. @param fabric of two hosts @param bytes of the message
    void Post(const Fabric& fabric, uint64_t bytes)
    {
        connection = fabric.Connect(0, 1);
        fabric.GetDevice(fabric.GetTopology().GetHosts()[0], 0)
            ->TraceConnectWithoutContext("FrameRx", MakeCallback(&ReportCase::Arrived, this));
        RdmaWorkRequest request;
        request.bytes = bytes;
        connection.source->Post(request);
    }

    /// @param port the port @param frame what has arrived
    void Arrived(const QbbNetDevice& port, const Frame& frame)
    {
        if (frame.kind == FrameKind::ROCE && frame.opcode == RoceOpcode::CNP)
        {
            NS_TEST_EXPECT_MSG_EQ((frame.telemetryKind == TelemetryKind::RATE), true, "a report");
            at.push_back(Simulator::Now());
            rates.push_back(frame.telemetry.rate.rateMbps);
            congested += frame.telemetry.rate.congested;
        }
    }

    Fabric::Connection connection; //!< both ends
    std::vector<Time> at;          //!< when CNPs came
    std::vector<uint32_t> rates;   //!< what they tell, Mb/s
    uint32_t congested{0};         //!< those that tell of congestion
};

/// One CNP an interval, congested or not, with a rate that does not fit into 16 bit.
class FastReportTest : public ReportCase
{
  public:
    FastReportTest()
        : ReportCase("A report every interval, with 100 Gb per second")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaPcn");
        const Fabric fabric = helper.Star(2);
        Post(fabric, 5000000); // 430 us
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(rates.size(), 9, "every 50 us, the last one of a part");
        for (std::size_t i = 0; i + 1 < rates.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT(rates[i], 99000, "report " << i);
            NS_TEST_EXPECT_MSG_LT(rates[i], 100300, "report " << i);
        }
        for (std::size_t i = 1; i < at.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(at[i] - at[i - 1],
                                      MicroSeconds(50),
                                      NanoSeconds(100),
                                      "report " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(congested, 0, "an empty path is not congested");
        NS_TEST_EXPECT_MSG_EQ(connection.source->GetFlowState().rate, 100 * G, "line rate");
        // The receiving end sends nothing, and its timer ran; it ends after one empty interval.
        const Time ranOn = Simulator::Now() - at.back();
        NS_TEST_EXPECT_MSG_LT(ranOn, MicroSeconds(50), "an idle fabric has no events");
    }
};

/// The end that reports closes in the middle of an interval.
class ClosedReportTest : public ReportCase
{
  public:
    /// @param both whether both ends close
    explicit ClosedReportTest(bool both)
        : ReportCase(both ? "No report of a closed connection"
                          : "No report of a closed queue pair, whose peer fails"),
          m_both(both)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaPcn");
        const Fabric fabric = helper.Star(2);
        Post(fabric, 100000000);
        Simulator::Schedule(MicroSeconds(120), [this] {
            connection.destination->Close();
            if (m_both)
            {
                connection.source->Close();
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rates.size(), 2, "at 50 and 100 us");
        NS_TEST_EXPECT_MSG_EQ(+connection.source->GetState(), +RdmaQueuePair::ERROR, "has failed");
        if (m_both)
        {
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(130), "at once");
        }
    }

    bool m_both;
};

// ---- the marker in a switch

/// What counts as the end of a pause.
class MarkerTest : public SwitchTestCase
{
  public:
    MarkerTest()
        : SwitchTestCase("NP-ECN: expiry ends a pause, a refresh does not; a cut cable")
    {
    }

  private:
    /// Host 1 sends a PFC frame for class 3, which arrives 1.007 us later. @param star the network
    /// @param quanta pause time
    static void Pause(Star& star, uint16_t quanta)
    {
        auto frame = new Frame;
        frame->kind = FrameKind::PFC;
        frame->bytes = ETHERNET_MIN_FRAME_BYTES;
        frame->pfcEnable = 1U << 3;
        frame->pfcQuanta[3] = quanta;
        star.Send(1, frame);
    }

    /// @param star the network @param from index of an arrival at host 1 @return 1 for each frame
    /// from there on with CE, else 0
    static std::string Marks(const Star& star, std::size_t from)
    {
        std::string text;
        for (; from < star.host[1].arrivals.size(); ++from)
        {
            text += star.host[1].arrivals[from].ecn == Ecn::CE ? '1' : '0';
        }
        return text;
    }

    void DoRun() override
    {
        for (const bool added : {true, false})
        {
            RunWith(added);
        }
    }

    /// @param added whether the marker is added as an extension, else set as the ECN marker
    void RunWith(bool added)
    {
        Star star(2);
        auto marker = CreateObject<PcnMarker>();
        if (added)
        {
            star.fabricSwitch->AddExtension(marker);
        }
        else
        {
            star.fabricSwitch->SetEcnMarker(marker);
        }
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetEcnMarker(), marker, "it has the slot");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetNExtensions(), added, "and was added or not");
        star.fabricSwitch->Start();
        const auto paused = [&] { return marker->GetPaused(1, 3); };
        const auto at = [](int64_t ns, auto call) { Simulator::Schedule(NanoSeconds(ns), call); };
        Pause(star, 1000); // 5.12 us at 100 Gb/s
        star.Send(0, 1, 3, 4, 1000);
        at(4000, [&] { Pause(star, 1000); }); // a refresh: until 10.127 us
        at(6200, [&] {
            NS_TEST_EXPECT_MSG_EQ(paused(), 0, "a refresh is not the end");
            NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetQueueFrames(1, 3), 4, "they wait");
        });
        at(9000, [&] { star.Send(0, 1, 3, 4, 1000); }); // the first one comes at 10.082 us
        at(10128, [&] { NS_TEST_EXPECT_MSG_EQ(paused(), 4, "expired: five, and one is leaving"); });
        at(20000, [&] {
            NS_TEST_EXPECT_MSG_EQ(Marks(star, 0),
                                  "00000110",
                                  "five that waited, three that met them");
            Pause(star, 1000);
            star.Send(0, 1, 3, 3, 1000);
        });
        at(23000, [&] { Pause(star, 0); });
        at(24010, [&] {
            NS_TEST_EXPECT_MSG_EQ(paused(), 2, "XON: three, and one is leaving");
            star.channel[1]->SetUp(false);
            NS_TEST_EXPECT_MSG_EQ(paused(), 0, "the queue is gone");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetCounters(1).ecnMarks[3], 2, "counted");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetQueueFrames(1, 3), 0, "empty");
    }
};

/// EcnEnabled of a switch holds for each of its markers.
class EcnOffTest : public FabricTestCase
{
  public:
    EcnOffTest()
        : FabricTestCase("NP-ECN: EcnEnabled of the switch stops the marks, and lets them go on")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaPcn");
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        const Fabric fabric = helper.Star(9);
        const auto fabricSwitch = fabric.GetSwitch(0);
        const auto marks = [&] { return fabricSwitch->GetCounters(0).ecnMarks[3]; };
        RdmaFlowHelper flows(fabric);
        flows.Incast(8, 0, 10000000, Time(0));
        RunUntil(MicroSeconds(100));
        NS_TEST_EXPECT_MSG_GT(fabricSwitch->GetQueueFrames(0, 3), 0, "a queue");
        NS_TEST_EXPECT_MSG_EQ(marks(), 0, "off");
        fabricSwitch->SetAttribute("EcnEnabled", BooleanValue(true));
        RunUntil(MicroSeconds(200));
        NS_TEST_EXPECT_MSG_GT(marks(), 0, "on");
    }
};

class PcnTestSuite : public TestSuite
{
  public:
    PcnTestSuite()
        : TestSuite("lossless-pcn", Type::SYSTEM)
    {
        AddTestCase(new BurstTest("100Gbps"));
        AddTestCase(new BurstTest("40Gbps"));
        AddTestCase(new FastReportTest);
        AddTestCase(new ClosedReportTest(false));
        AddTestCase(new ClosedReportTest(true));
        AddTestCase(new MarkerTest);
        AddTestCase(new EcnOffTest);
    }
};

PcnTestSuite g_pcnTestSuite; //!< registers the suite

} // namespace

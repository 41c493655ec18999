// SPDX-License-Identifier: GPL-2.0-only

// ICC from end to end: what a queue does under an incast of long flows, and the ways of feedback.
// --verbose prints the figures of doc/congestion.rst.

#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/icc-switch.h"
#include "ns3/integer.h"
#include "ns3/rdma-icc.h"

#include <algorithm>
#include <iostream>
#include <memory>

using namespace ns3;

namespace
{

constexpr double LINE_RATE = 100e9;
constexpr double BITS = 8;
constexpr uint32_t CLASS = 3;
const std::string DERIVED = "ns3::RdmaIcc[Variant=Derived]";

/// @return the ICC part of a switch
Ptr<IccSwitch>
IccOf(const Fabric& fabric, uint32_t i)
{
    return DynamicCast<IccSwitch>(fabric.GetSwitch(i)->GetExtension(0));
}

/// @return a helper for links of 100 Gb/s and 5 us, and a buffer of 5 MB, as in the paper
FabricHelper
PaperHelper()
{
    FabricHelper helper;
    helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("5us"));
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("5MB"));
    helper.SetQueuePair("AckClass", IntegerValue(5)); // not paused with the data
    return helper;
}

/// Long flows to host 0 of a fabric, and what the last queue on their way does.
class LongFlows
{
  public:
    /// @param fabric where @param senders the sending hosts @param switchIndex which switch has the
    /// queue @param port its port
    LongFlows(const Fabric& fabric,
              const std::vector<uint32_t>& senders,
              uint32_t switchIndex,
              uint32_t port)
        : m_fabric(fabric),
          m_switch(fabric.GetSwitch(switchIndex)),
          m_port(port)
    {
        const Callback<void, uint32_t, uint32_t, uint64_t> changed(
            [this](uint32_t p, uint32_t cls, uint64_t bytes) {
                if (p == m_port && cls == CLASS)
                {
                    QueueChanged(bytes);
                }
            });
        m_switch->TraceConnectWithoutContext("Enqueue", changed);
        m_switch->TraceConnectWithoutContext("Dequeue", changed);
        for (const uint32_t sender : senders)
        {
            auto ends = fabric.Connect(sender, 0);
            ends.source->TraceConnectWithoutContext("Rate",
                                                    Callback<void, double>([this](double rate) {
                                                        if (rate < LINE_RATE && m_firstCutPs == 0)
                                                        {
                                                            m_firstCutPs =
                                                                Simulator::Now().GetPicoSeconds();
                                                        }
                                                    }));
            ends.source->Post({RdmaVerb::WRITE, 1000000000});
            sources.push_back(ends.source);
        }
    }

    /// Run for a time, split into a transient and the rest by when the queue is first below Q_d
    /// again.
    void Run(Time steadyFrom, Time end)
    {
        m_steadyPs = steadyFrom.GetPicoSeconds();
        Simulator::Schedule(steadyFrom, [this] { m_sentBefore = Sent(); });
        Simulator::Stop(end);
        Simulator::Run();
        QueueChanged(m_queue);
        const double seconds = (end - steadyFrom).GetSeconds();
        utilisation = static_cast<double>(Sent() - m_sentBefore) * BITS / seconds / LINE_RATE;
        meanQueue = m_area / static_cast<double>((end - steadyFrom).GetPicoSeconds());
        for (const auto& source : sources)
        {
            source->Close();
        }
        for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
        {
            drops += m_fabric.GetSwitch(i)->GetLosslessDrops();
            for (uint32_t p = 0; p < m_fabric.GetSwitch(i)->GetNPorts(); ++p)
            {
                pauses += m_fabric.GetSwitch(i)->GetPort(p)->GetIssuer().Get(CLASS).txXoff;
            }
        }
    }

    /// @param delay from a source to the queue @return from the first data until the first cut is
    /// felt at the queue, seconds; 0: no cut
    double Loop(Time delay) const
    {
        const auto cut = static_cast<double>(m_firstCutPs - m_firstDataPs) * 1e-12;
        return m_firstCutPs > 0 ? cut + delay.GetSeconds() : 0;
    }

    std::vector<Ptr<RdmaQueuePair>> sources;
    uint64_t firstPeak{0};  //!< until the queue was empty for the first time, bytes
    uint64_t laterPeak{0};  //!< afterwards
    double meanQueue{0};    //!< by time, from steadyFrom on, bytes
    uint64_t steadyPeak{0}; //!< from steadyFrom on, bytes
    double utilisation{0};  //!< of the last link, from steadyFrom on, wire bytes
    uint64_t drops{0};
    uint64_t pauses{0};

  private:
    uint64_t Sent() const
    {
        return m_switch->GetPort(m_port)->GetCounters().txWireBytes;
    }

    void QueueChanged(uint64_t bytes)
    {
        const int64_t now = Simulator::Now().GetPicoSeconds();
        if (m_firstDataPs == 0)
        {
            m_firstDataPs = now;
        }
        if (now > m_steadyPs)
        {
            m_area += static_cast<double>(m_queue) *
                      static_cast<double>(now - std::max(m_lastPs, m_steadyPs));
            steadyPeak = std::max(steadyPeak, bytes);
        }
        m_lastPs = now;
        m_queue = bytes;
        m_transient = m_transient && !(m_firstCutPs > 0 && bytes == 0);
        uint64_t& peak = m_transient ? firstPeak : laterPeak;
        peak = std::max(peak, bytes);
    }

    Fabric m_fabric;
    Ptr<FabricSwitch> m_switch;
    uint32_t m_port;
    int64_t m_firstCutPs{0};
    int64_t m_firstDataPs{0};
    int64_t m_steadyPs{0};
    int64_t m_lastPs{0};
    uint64_t m_queue{0};
    uint64_t m_sentBefore{0};
    double m_area{0};
    bool m_transient{true};
};

/// A long incast of 2:1 at one switch, with the parameters of the paper.
class IncastCase : public FabricTestCase
{
  public:
    /// @param name of the case
    explicit IncastCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    /// Run the incast. @param what it is called in the output
    void RunIncast(const FabricHelper& helper, const std::string& what)
    {
        const Fabric fabric = helper.Star(3);
        flows = std::make_unique<LongFlows>(fabric, std::vector<uint32_t>{1, 2}, 0, 0);
        flows->Run(MilliSeconds(1), MilliSeconds(5));
        const auto icc = IccOf(fabric, 0);
        counters = icc->GetCounters();
        report = icc->GetReport(0, CLASS);
        records = 0;
        for (const auto& source : flows->sources)
        {
            const auto control = DynamicCast<RdmaIcc>(source->GetCongestionControl());
            records += control->GetRecords();
            NS_TEST_EXPECT_MSG_EQ(control->GetDuplicates(), 0, "a flow is told once");
        }
        NS_TEST_EXPECT_MSG_EQ(flows->drops, 0, what);
        loop = flows->Loop(linkDelay);
        std::cout << what << ": first loop " << loop * 1e6 << " us, Qd " << report.targetBytes
                  << " B, first peak " << flows->firstPeak << " B, later peak " << flows->laterPeak
                  << " B, from 1 ms on peak " << flows->steadyPeak << " B and mean "
                  << flows->meanQueue << " B, utilisation " << flows->utilisation << ", pauses "
                  << flows->pauses << "\n";
    }

    /// Forget the run.
    void Finish()
    {
        flows.reset();
        Simulator::Destroy();
    }

    /// Bounds that hold whatever T is: nobody can react before the first loop is over, and later
    /// the queue grows past Q_d for no more than a report period.
    void ExpectBounds()
    {
        const double excess = LINE_RATE / BITS; // of two senders at line rate, bytes/s
        const double first = excess * loop + TARGET;
        const double later = excess * REPORT_PERIOD + TARGET;
        NS_TEST_EXPECT_MSG_GT(loop, 0, "the sources were told");
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(flows->firstPeak), first, "first loop");
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(flows->laterPeak), later, "later");
        NS_TEST_EXPECT_MSG_EQ(flows->pauses, 0, "pauses");
    }

    static constexpr double REPORT_PERIOD = 15e-6;
    static constexpr double TARGET = 2 * (1024 + 62 + 20); //!< Qd: a frame of each flow

    std::unique_ptr<LongFlows> flows;
    IccSwitch::Counters counters;
    IccTelemetry report{};
    uint64_t records{0};
    double loop{0};
    Time linkDelay{MicroSeconds(5)};
};

/// ICC (derived) keeps the queue below its bounds.
class DerivedTest : public IncastCase
{
  public:
    DerivedTest()
        : IncastCase("2:1 of long flows, ICC (derived)")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = PaperHelper();
        helper.SetCongestionControl(DERIVED);
        RunIncast(helper, "ICC (derived)");
        ExpectBounds();
        NS_TEST_EXPECT_MSG_EQ(report.flows, 2, "flows that share the queue");
        NS_TEST_EXPECT_MSG_LT(flows->meanQueue, TARGET, "no queue stands");
        NS_TEST_EXPECT_MSG_GT(flows->utilisation, 0.99, "the link is full");
        Finish();

        helper.SetCongestionControl(DERIVED, "RoundTrip", StringValue("20us"));
        RunIncast(helper, "ICC (derived), T = 20 us, base RTT");
        ExpectBounds();
        Finish();
    }
};

/// ICC, as printed.
class PublishedTest : public IncastCase
{
  public:
    PublishedTest()
        : IncastCase("2:1 of long flows, ICC")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = PaperHelper();
        helper.SetCongestionControl("ns3::RdmaIcc");
        RunIncast(helper, "ICC");
        NS_TEST_EXPECT_MSG_GT(report.targetBytes, 100000, "Qd: half of the PFC threshold");
        NS_TEST_EXPECT_MSG_GT(flows->utilisation, 0.99, "the link is full");
        Finish();
        helper.AddSwitchExtension("ns3::IccSwitch", "TargetBytes", UintegerValue(60000));
        RunIncast(helper, "ICC, Qd 60 KB");
        NS_TEST_EXPECT_MSG_EQ(report.targetBytes, 60000, "attribute of the switch");
        Finish();
    }
};

/// The ways of feedback.
class FeedbackTest : public IncastCase
{
  public:
    FeedbackTest()
        : IncastCase("Feedback in ACKs, by ACKs and by echo")
    {
    }

  private:
    void RunMode(const std::string& mode)
    {
        FabricHelper helper = PaperHelper();
        helper.SetCongestionControl(DERIVED, "Feedback", StringValue(mode));
        RunIncast(helper, mode);
        ExpectBounds();
        NS_TEST_EXPECT_MSG_GT(records, 100, mode);
        NS_TEST_EXPECT_MSG_EQ(counters.outranked, 0, "there is one switch");
        // What was put into a frame comes to a source, but for the last round trip.
        const uint64_t told = counters.inserted + counters.switchAcks;
        NS_TEST_EXPECT_MSG_GT(records + 10, told, mode);
        NS_TEST_EXPECT_MSG_LT(records, told + 1, mode);
        Finish();
    }

    void DoRun() override
    {
        RunMode("Piggyback");
        NS_TEST_EXPECT_MSG_EQ(counters.switchAcks, 0, "no frames are made");
        RunMode("SwitchAck");
        NS_TEST_EXPECT_MSG_LT(counters.inserted, 10, "until a first ACK has passed");
        RunMode("ReceiverEcho");
        NS_TEST_EXPECT_MSG_EQ(counters.acksSeen, 0, "the switch does not look at ACKs");
    }
};

/// Headroom counts what the switch puts into frames before it books them.
class HeadroomTest : public FabricTestCase
{
  public:
    HeadroomTest()
        : FabricTestCase("Headroom counts the reports in ACKs")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string mode : {"Piggyback", "SwitchAck", "ReceiverEcho"})
        {
            FabricHelper helper = PaperHelper();
            helper.SetCongestionControl(DERIVED, "Feedback", StringValue(mode));
            const Fabric fabric = helper.Star(2);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetHeadroomLink(0).addedBytes,
                                  (mode == "ReceiverEcho" ? 0 : TelemetryBytes(TelemetryKind::ICC)),
                                  mode);
        }
    }
};

/// Without the number of flows every source takes the whole link.
class FlowCountTest : public IncastCase
{
  public:
    FlowCountTest()
        : IncastCase("Ablation: no flow count")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = PaperHelper();
        helper.SetCongestionControl(DERIVED);
        RunIncast(helper, "flows counted");
        const uint64_t counted = flows->steadyPeak;
        Finish();
        helper.AddSwitchExtension("ns3::IccSwitch", "FlowCount", UintegerValue(1));
        RunIncast(helper, "FlowCount 1");
        NS_TEST_EXPECT_MSG_EQ(report.flows, 1, "what sources are told");
        NS_TEST_EXPECT_MSG_GT(flows->steadyPeak, counted, "the queue is longer");
        Finish();
    }
};

/// Short links: a rate acts for longer than the round trip of the path, and a slow source hears
/// little.
class ShortLinksTest : public IncastCase
{
  public:
    ShortLinksTest()
        : IncastCase("2:1 of long flows, links of 1 us")
    {
    }

  private:
    /// @return utilisation with an attribute of RdmaIcc
    double UtilisationWith(const std::string& name, const std::string& value)
    {
        FabricHelper helper = PaperHelper();
        linkDelay = MicroSeconds(1);
        helper.SetLink("Delay", TimeValue(linkDelay));
        helper.SetCongestionControl(DERIVED, name, StringValue(value));
        RunIncast(helper, "links of 1 us, " + name + " " + value);
        const double utilisation = flows->utilisation;
        NS_TEST_EXPECT_MSG_EQ(flows->pauses, 0, name);
        Finish();
        return utilisation;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_GT(UtilisationWith("RoundTrip", "0s"), 0.99, "derived");
        UtilisationWith("RoundTrip", "4us");
        UtilisationWith("MinRate", "100Mbps");
    }
};

/// A queue at the last of three switches, with records of all of them: the idle ones hold the rate
/// up if every record is applied as it comes.
class HopsTest : public FabricTestCase
{
  public:
    HopsTest()
        : FabricTestCase("2:1 of long flows over a leaf-spine fabric")
    {
    }

  private:
    /// @param holdRoundTrips attribute
    void RunWith(double holdRoundTrips)
    {
        FabricHelper helper = PaperHelper();
        helper.SetCongestionControl(DERIVED, "HoldRoundTrips", DoubleValue(holdRoundTrips));
        const Fabric fabric = helper.LeafSpine(3, 2, 2);
        LongFlows flows(fabric, {2, 4}, 0, 0);
        flows.Run(MilliSeconds(1), MilliSeconds(5));
        std::cout << "three switches, HoldRoundTrips " << holdRoundTrips << ": first peak "
                  << flows.firstPeak << " B, later peak " << flows.laterPeak << " B, mean "
                  << flows.meanQueue << " B, utilisation " << flows.utilisation << ", pauses "
                  << flows.pauses << "\n";
        NS_TEST_EXPECT_MSG_EQ(flows.drops, 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(flows.pauses, 0, "pauses");
        heldBack = 0;
        for (const auto& source : flows.sources)
        {
            heldBack += DynamicCast<RdmaIcc>(source->GetCongestionControl())->GetHeldBack();
        }
        meanQueue = flows.meanQueue;
        utilisation = flows.utilisation;
        Simulator::Destroy();
    }

    void DoRun() override
    {
        RunWith(0);
        NS_TEST_EXPECT_MSG_EQ(heldBack, 0, "as they come");
        const double asTheyCome = meanQueue;
        NS_TEST_EXPECT_MSG_EQ_TOL(utilisation, 1, 0.01, "as they come");
        RunWith(1);
        NS_TEST_EXPECT_MSG_GT(heldBack, 100, "of idle switches");
        // As with one switch: see DerivedTest.
        NS_TEST_EXPECT_MSG_LT(meanQueue, 2 * 1086, "held");
        NS_TEST_EXPECT_MSG_LT(meanQueue, asTheyCome / 2, "shorter");
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.99, "held");
    }

    uint64_t heldBack{0};
    double meanQueue{0};
    double utilisation{0};
};

/// A sender that a burst has driven to its least rate finds out that the path is free again.
class RecoveryTest : public FabricTestCase
{
  public:
    RecoveryTest()
        : FabricTestCase("A sender at its least rate recovers")
    {
    }

  private:
    /// @param minRate attribute, 0: derived @return the time from the end of a burst of 31 flows
    /// until the flow that goes on has 95 % of the line
    Time RecoveryWith(const std::string& minRate)
    {
        constexpr uint32_t SENDERS = 32;
        FabricHelper helper = PaperHelper();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("32MB"));
        helper.SetCongestionControl(DERIVED, "MinRate", StringValue(minRate));
        const Fabric fabric = helper.Star(SENDERS + 1);
        std::vector<Ptr<RdmaQueuePair>> sources;
        Time burstEnds;
        uint32_t left = SENDERS - 1;
        for (uint32_t i = 1; i <= SENDERS; ++i)
        {
            sources.push_back(fabric.Connect(i, 0).source);
            sources.back()->Post({RdmaVerb::WRITE, i == 1 ? uint64_t{10000000000} : 200000});
            if (i > 1)
            {
                sources.back()->SetCompletionCallback(
                    Callback<void, const RdmaCompletion&>([&](const RdmaCompletion&) {
                        burstEnds = Simulator::Now();
                        --left;
                    }));
            }
        }
        double lowest = LINE_RATE;
        Time fastAgain;
        sources[0]->TraceConnectWithoutContext("Rate", Callback<void, double>([&](double rate) {
                                                   lowest = std::min(lowest, rate);
                                                   fastAgain =
                                                       rate < 0.95 * LINE_RATE
                                                           ? Time::Max()
                                                           : std::min(fastAgain, Simulator::Now());
                                               }));
        RunUntil(MilliSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(left, 0, "flows of the burst that have not ended");
        const double least = static_cast<double>(DataRate(minRate).GetBitRate());
        const double floor = least > 0 ? least * 1.01 : LINE_RATE / 100;
        NS_TEST_EXPECT_MSG_LT(lowest, floor, "driven down");
        for (const auto& source : sources)
        {
            source->Close();
        }
        Simulator::Destroy();
        std::cout << "MinRate " << minRate << ": the burst ends after " << burstEnds.As(Time::US)
                  << ", the sender has its rate again at " << fastAgain.As(Time::US) << std::endl;
        return fastAgain > burstEnds ? fastAgain - burstEnds : Time(0);
    }

    void DoRun() override
    {
        // T is 35 us. The other flows do not count any more after 30 us and the rest of the queue;
        // then each T leaves a third of what is missing, in steps of 15 us.
        NS_TEST_EXPECT_MSG_LT(RecoveryWith("0bps"), MicroSeconds(30 + 5 * 35), "derived");
        // A packet takes 8.85 ms at 1 Mb/s. The ACK of the next one brings a new record.
        NS_TEST_EXPECT_MSG_LT(RecoveryWith("1Mbps"),
                              MicroSeconds(2 * 8850 + 30 + 5 * 35),
                              "two packets at the least rate");
    }
};

/// The suite.
class IccTestSuite : public TestSuite
{
  public:
    IccTestSuite()
        : TestSuite("lossless-icc", Type::SYSTEM)
    {
        AddTestCase(new DerivedTest);
        AddTestCase(new PublishedTest);
        AddTestCase(new HeadroomTest);
        AddTestCase(new FeedbackTest);
        AddTestCase(new FlowCountTest);
        AddTestCase(new ShortLinksTest);
        AddTestCase(new HopsTest);
        AddTestCase(new RecoveryTest);
    }
};

IccTestSuite g_iccTestSuite; //!< registers the suite

} // namespace

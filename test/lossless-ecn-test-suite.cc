// SPDX-License-Identifier: GPL-2.0-only

// ECN beyond the WRED curve on the length of the moment: a polled and averaged length.

#include "fabric-test-case.h"

#include "ns3/polled-wred-marker.h"

#include <algorithm>
#include <iostream>
#include <set>
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
        const bool polled = !interval.IsNegative();
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

class EcnTestSuite : public TestSuite
{
  public:
    EcnTestSuite()
        : TestSuite("lossless-ecn", Type::SYSTEM)
    {
        AddTestCase(new PolledTest);
    }
};

EcnTestSuite g_ecnTestSuite; //!< registers the suite

} // namespace

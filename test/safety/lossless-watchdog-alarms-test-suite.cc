// SPDX-License-Identifier: GPL-2.0-only

// No false alarm: in up to 200 random fabrics, with traffic that pauses and nothing at fault, no
// watchdog sees a storm whose detection time is more than 10 times the longest legitimate pause.
// All five dialects watch all ports of the same run, as alerts, which changes nothing in it. That
// the test could fail is shown by a third run, with a detection time below the longest pause.

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"

#include "ns3/simulator.h"
#include "ns3/watchdog-helper.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 100; // of each of two suites
constexpr uint32_t ENOUGH = 25; // cases to tell of what the cases have in them
const std::array<std::string, 5> DIALECTS = {"SonicBrcmStorm",
                                             "SonicMlnxOldStorm",
                                             "SonicMlnxNewStorm",
                                             "Guo16Storm[ServerPortsOnly=false]",
                                             "H3cStorm"};

/// The longest time for which a queue of a switch was paused without a break.
class LongestPause
{
  public:
    /// @param fabric whose switches
    explicit LongestPause(const Fabric& fabric)
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
            {
                fabric.GetSwitch(i)->GetPort(port)->TraceConnectWithoutContext(
                    "PauseState",
                    MakeCallback(&LongestPause::Changed, this));
            }
        }
    }

    /// @return the time
    Time Get() const
    {
        return m_longest;
    }

  private:
    /// Trace sink.
    void Changed(const QbbNetDevice& port, uint32_t cls, bool paused)
    {
        const auto queue = std::pair(&port, cls); // looked up, never iterated
        if (paused)
        {
            m_since[queue] = Simulator::Now();
        }
        else
        {
            m_longest = std::max(m_longest, Simulator::Now() - m_since[queue]);
        }
    }

    std::map<std::pair<const QbbNetDevice*, uint32_t>, Time> m_since;
    Time m_longest;
};

/// What a run of a fabric showed.
struct Outcome
{
    Time longest;                     //!< pause
    std::string flows;                //!< ends of all flows
    std::array<uint64_t, 5> storms{}; //!< by dialect
    uint64_t samples{0};              //!< of all watchdogs
    uint64_t drops{0};                //!< in lossless classes
};

/// @param index of the fabric @param detection time of the watchdogs; 0: none @return what it
/// showed
Outcome
RunFabric(uint32_t index, Time detection)
{
    Simulator::Destroy();
    RandomFabric random(index);
    const Fabric fabric = random.Build();
    WatchdogHelper helper(fabric);
    for (const auto& dialect : DIALECTS)
    {
        if (detection.IsStrictlyPositive())
        {
            helper.InstallSwitches(
                "Dialect",
                StringValue("ns3::" + dialect),
                "Action",
                StringValue("Alert"),
                "DetectionTime",
                TimeValue(detection),
                "PollInterval",
                TimeValue(dialect == "H3cStorm" ? Time(0) : std::max(detection / 10, Time(1))));
        }
    }
    RdmaFlowHelper flows(fabric);
    random.AddFlows(flows);
    std::ostringstream ends;
    flows.OnEnd([&ends](const RdmaFlowResult& result) {
        ends << result.index << ' ' << result.fct.GetPicoSeconds() << '\n';
    });
    LongestPause pauses(fabric);
    Simulator::Run();
    Outcome outcome;
    outcome.longest = pauses.Get();
    outcome.flows = ends.str();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const auto watchdogs = WatchdogHelper::GetWatchdogs(fabric, i);
        for (std::size_t each = 0; each < watchdogs.size(); ++each)
        {
            outcome.storms[each] += watchdogs[each]->GetTotals().storms;
            outcome.samples += watchdogs[each]->GetSampleCount();
        }
        outcome.drops += fabric.GetSwitch(i)->GetLosslessDrops();
    }
    return outcome;
}

/// What the cases had in them, together.
struct Coverage
{
    uint32_t cases{0};                 //!< fabrics that ran
    uint32_t paused{0};                //!< fabrics in which a queue of a switch was paused
    uint64_t samples{0};               //!< with the long detection time
    std::array<uint64_t, 5> alarms{};  //!< with the short one, by dialect
    std::array<uint32_t, 5> fabrics{}; //!< with alarms with the short one, by dialect
    Time longest;                      //!< pause of all
};

Coverage g_coverage;

class NoFalseAlarmTest : public FabricTestCase
{
  public:
    explicit NoFalseAlarmTest(uint32_t index)
        : FabricTestCase("No false alarm, random fabric " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        const Outcome alone = RunFabric(m_index, Time(0));
        // Where nobody pauses, a microsecond is long enough.
        const Time longest = std::max(alone.longest, MicroSeconds(1));
        const Outcome watched = RunFabric(m_index, longest * 10 + NanoSeconds(1));
        for (std::size_t i = 0; i < DIALECTS.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(watched.storms[i], 0, DIALECTS[i] << ", fabric " << m_index);
        }
        NS_TEST_EXPECT_MSG_EQ(watched.flows, alone.flows, "alerts change nothing " << m_index);
        NS_TEST_EXPECT_MSG_EQ(watched.drops, 0, "drops, fabric " << m_index);
        ++g_coverage.cases;
        g_coverage.paused += alone.longest.IsStrictlyPositive();
        g_coverage.longest = std::max(g_coverage.longest, alone.longest);
        g_coverage.samples += watched.samples;
        if (m_index % 2 == 0 && alone.longest > MicroSeconds(1))
        {
            const Outcome hasty = RunFabric(m_index, alone.longest / 5);
            NS_TEST_EXPECT_MSG_EQ(hasty.flows, alone.flows, "alerts change nothing " << m_index);
            for (std::size_t i = 0; i < DIALECTS.size(); ++i)
            {
                g_coverage.alarms[i] += hasty.storms[i];
                g_coverage.fabrics[i] += hasty.storms[i] > 0;
            }
        }
    }

    uint32_t m_index;
};

/// The fabrics paused, and a watchdog that is too hasty alarms in them.
class AlarmCoverageTest : public FabricTestCase
{
  public:
    AlarmCoverageTest()
        : FabricTestCase("The random fabrics pause, and hasty watchdogs alarm")
    {
    }

  private:
    void DoRun() override
    {
        const Coverage coverage = g_coverage;
        g_coverage = Coverage(); // both suites may run in one program
        std::cout << "no false alarm: " << coverage.cases << " fabrics of " << CASES
                  << ", pauses at switches in " << coverage.paused << " fabrics, the longest "
                  << coverage.longest.GetMicroSeconds() << " us, " << coverage.samples
                  << " samples; with a fifth of the longest pause";
        for (std::size_t i = 0; i < DIALECTS.size(); ++i)
        {
            std::cout << (i ? ", " : ": ") << DIALECTS[i] << ' ' << coverage.alarms[i] << " in "
                      << coverage.fabrics[i];
        }
        std::cout << '\n';
        NS_TEST_EXPECT_MSG_GT(coverage.cases, 0, "no case has run");
        if (coverage.cases < ENOUGH)
        {
            return;
        }
        NS_TEST_EXPECT_MSG_GT(coverage.paused,
                              coverage.cases / 4,
                              "fabrics with pauses at switches");
        NS_TEST_EXPECT_MSG_GT(coverage.samples, 1000, "samples");
        for (std::size_t i = 0; i < DIALECTS.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((coverage.alarms[i] > 0), true, "hasty " << DIALECTS[i]);
        }
    }
};

/// Half of the fabrics.
class AlarmsTestSuite : public PropertyTestSuite
{
  public:
    /// @param name of the suite @param first number of its first fabric
    AlarmsTestSuite(const std::string& name, uint32_t first)
        : PropertyTestSuite(name)
    {
        AddCases(CASES, [first](uint32_t index) { return new NoFalseAlarmTest(first + index); });
        AddTestCase(new AlarmCoverageTest);
    }
};

class FirstAlarmsTestSuite : public AlarmsTestSuite
{
  public:
    FirstAlarmsTestSuite()
        : AlarmsTestSuite("lossless-watchdog-alarms-1", 0)
    {
    }
};

class SecondAlarmsTestSuite : public AlarmsTestSuite
{
  public:
    SecondAlarmsTestSuite()
        : AlarmsTestSuite("lossless-watchdog-alarms-2", CASES)
    {
    }
};

FirstAlarmsTestSuite g_firstAlarmsTestSuite;   //!< registers the suite
SecondAlarmsTestSuite g_secondAlarmsTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// Faults of all kinds in random schedules on random fabrics: every flow completes or is listed with
// its reason, and when the faults are lifted nothing is booked, queued or paused any more.
//
// A case that fails names its number, and runs alone with
//   LOSSLESS_BUDGET=1 NS_GLOBAL_VALUE="FaultsCase=17" lossless-test-runner
//     --suite=lossless-faults-random --fullness=EXTENSIVE

#include "fault-test-case.h"
#include "fault-watch.h"
#include "property-test-suite.h"
#include "random-faults.h"

#include "ns3/global-value.h"
#include "ns3/integer.h"

#include <cstddef>
#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 100;
constexpr uint32_t ENOUGH = 50; //!< cases to tell of what the cases have in them

/// One of the cases alone.
GlobalValue g_case("FaultsCase",
                   "Run only this case of lossless-faults-random; -1: all",
                   IntegerValue(-1),
                   MakeIntegerChecker<int32_t>(-1));

/// What the cases had in them, together.
struct Coverage
{
    uint32_t cases{0};
    uint32_t stuck{0};            //!< runs that ended with nothing that moves
    uint32_t reset{0};            //!< of those, runs that went on only when the links were reset
    uint64_t completed{0};        //!< flows
    uint64_t failed{0};           //!< flows
    uint64_t listed{0};           //!< flows that ran when their run was stuck
    uint64_t lost{0};             //!< frames lost
    RandomFaults::Kinds faults{}; //!< planned, by kind
};

Coverage g_coverage;

class RandomFaultsTest : public FaultTestCase
{
  public:
    explicit RandomFaultsTest(uint32_t index)
        : FaultTestCase("Random faults " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        IntegerValue only;
        g_case.GetValue(only);
        if (only.Get() >= 0 && only.Get() != m_index)
        {
            return;
        }
        const std::string once = RunOnce(true);
        if (m_index % 20 == 0 || only.Get() >= 0)
        {
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ(RunOnce(false), once, "a repetition");
        }
    }

    /// @param count whether it counts @return all that happened
    std::string RunOnce(bool count)
    {
        const Coverage before = g_coverage;
        RandomFaults random(m_index);
        SetSimulator(random.UsesEngine() ? FabricSimulatorImpl::GetTypeId()
                                         : DefaultSimulatorImpl::GetTypeId());
        const Fabric fabric = random.Build();
        RdmaFlowHelper flows(fabric);
        random.AddFlows(flows);
        FaultHelper faults(fabric);
        FaultWatch watch(fabric, flows, faults);
        watch.SetPatience(MilliSeconds(5));
        random.AddFaults(faults, fabric);
        for (std::size_t kind = 0; kind < RandomFaults::KINDS; ++kind)
        {
            g_coverage.faults[kind] += random.GetKinds()[kind];
        }
        m_text = "case " + std::to_string(m_index) + ": " + random.Describe();
        std::ostringstream said;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            said << result.index << ' ' << ToString(result.status) << ' ' << result.fct << '\n';
        });
        faults.OnFault([&](const FaultHelper::Event& event) {
            said << event.time << ' ' << event.what << ' ' << event.where << '\n';
            ExpectInvariants(fabric, m_text);
        });
        Simulator::Run();
        ExpectListed(flows, m_text);
        UnfinishedFlows(flows).Print(said, 1000);
        g_coverage.stuck += watch.IsStuck();
        g_coverage.listed += UnfinishedFlows(flows).Get().size() - flows.GetNFailed();
        NS_TEST_EXPECT_MSG_EQ((watch.IsStuck() || flows.IsDone()), true, m_text);
        faults.LiftAll();
        Finish(fabric, flows, faults, watch);
        said << Simulator::Now() << ' ' << Simulator::GetEventCount() << '\n';
        ++g_coverage.cases;
        g_coverage.completed += flows.GetNCompleted();
        g_coverage.failed += flows.GetNFailed();
        for (const FabricPort& each : PortsOf(fabric))
        {
            const auto& drops = each.device->GetCounters().drops;
            g_coverage.lost += drops[static_cast<std::size_t>(DropReason::INJECTED)] +
                               drops[static_cast<std::size_t>(DropReason::LINK_DOWN)];
        }
        g_coverage = count ? g_coverage : before;
        return said.str();
    }

    /// The faults are lifted: go on until all flows have ended and nothing is left.
    void Finish(const Fabric& fabric, RdmaFlowHelper& flows, FaultHelper& faults, FaultWatch& watch)
    {
        watch.Resume();
        Simulator::Run();
        if (watch.IsStuck())
        {
            // A circle of pauses, or a lost XON where no quanta end a pause: what an operator does.
            const std::string reason = FirstReason(flows);
            const bool known = reason.find("deadlock") != std::string::npos ||
                               reason.find("XON") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(known, true, reason << ", " << m_text);
            ++g_coverage.reset;
            for (uint32_t link = 0; link < fabric.GetTopology().GetLinks().size(); ++link)
            {
                faults.CutLink(link, Simulator::Now(), MicroSeconds(10));
            }
            watch.Resume();
            Simulator::Run();
        }
        NS_TEST_EXPECT_MSG_EQ(faults.GetNActive(), 0, m_text);
        NS_TEST_EXPECT_MSG_EQ(flows.IsDone(), true, FirstReason(flows) << ", " << m_text);
        ExpectListed(flows, m_text);
        ExpectSettled(fabric, m_text);
    }

    uint32_t m_index;
    std::string m_text;
};

/// The random faults did something.
class CoverageTest : public FaultTestCase
{
  public:
    CoverageTest()
        : FaultTestCase("The random faults are of all kinds, and do harm")
    {
    }

  private:
    void DoRun() override
    {
        const Coverage& c = g_coverage;
        std::cout << "random faults: " << c.cases << " cases of " << CASES << ", " << c.completed
                  << " flows completed, " << c.failed << " failed, " << c.listed << " listed in "
                  << c.stuck << " stuck runs, of which " << c.reset << " needed a reset; " << c.lost
                  << " frames lost; faults by kind:";
        for (const uint32_t count : c.faults)
        {
            std::cout << ' ' << count;
        }
        std::cout << '\n';
        NS_TEST_EXPECT_MSG_GT(c.cases, 0, "no case has run");
        if (c.cases < ENOUGH)
        {
            return; // one case, or few, were asked for
        }
        for (const uint32_t count : c.faults)
        {
            NS_TEST_EXPECT_MSG_GT(count, c.cases / 10, "faults of a kind");
        }
        NS_TEST_EXPECT_MSG_GT(c.stuck, 0, "stuck runs");
        NS_TEST_EXPECT_MSG_GT(c.failed, 0, "failed flows");
        NS_TEST_EXPECT_MSG_GT(c.lost, 10 * c.cases, "lost frames");
    }
};

class FaultsRandomTestSuite : public PropertyTestSuite
{
  public:
    FaultsRandomTestSuite()
        : PropertyTestSuite("lossless-faults-random")
    {
        AddCases(CASES, [](uint32_t index) { return new RandomFaultsTest(index); });
        AddTestCase(new CoverageTest);
    }
};

FaultsRandomTestSuite g_faultsRandomTestSuite; //!< registers the suite

} // namespace

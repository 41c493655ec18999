// SPDX-License-Identifier: GPL-2.0-only

// Convergence: switches learn of a failure one after the other. Micro-loops, and what they leave.

#include "fault-test-case.h"

#include "ns3/fault-stats.h"

#include <fstream>
#include <string>

using namespace ns3;

namespace
{

const FabricLinkSpec LINK{DataRate("100Gbps"), MicroSeconds(1), 0};

/// A ring of five switches with a host each; host 0 sends to host 1, and the link between their
/// switches is cut. The way round is s0, s4, s3, s2, s1: while s4 does not know, its way is back.
class MicroLoopTest : public FaultTestCase
{
  public:
    MicroLoopTest(const std::string& name, bool nearFirst, const std::string& rate)
        : FaultTestCase("Convergence, " + name),
          m_nearFirst(nearFirst),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology ring;
        for (uint32_t i = 0; i < 5; ++i)
        {
            ring.AddSwitch();
        }
        for (uint32_t i = 0; i < 5; ++i)
        {
            ring.AddLink(i, (i + 1) % 5, LINK);
            ring.AddLink(ring.AddHost(), i, LINK);
        }
        FaultRun run(ring);
        ObjectFactory fixed("ns3::RdmaFixedRate");
        fixed.Set("Rate", StringValue(m_rate));
        run.flows->SetCongestionControl(fixed);
        run.Flow(0, 1, 500000);
        Convergence& convergence = run.faults->GetConvergence();
        if (m_nearFirst)
        {
            convergence.SetByDistance(MicroSeconds(10), MicroSeconds(400));
        }
        else
        {
            convergence.SetDelays({MicroSeconds(810),
                                   MicroSeconds(810),
                                   MicroSeconds(10),
                                   MicroSeconds(10),
                                   MicroSeconds(410)});
        }
        run.faults->CutLink(0, MicroSeconds(20));
        Simulator::Schedule(MicroSeconds(25), [&] {
            NS_TEST_EXPECT_MSG_EQ(convergence.IsUnderWay(), true, "convergence");
        });
        Simulator::Run();
        const uint64_t expired = run.Drops(DropReason::TTL_EXPIRED);
        const bool fast = m_rate == "100Gbps";
        NS_TEST_EXPECT_MSG_EQ((expired > 0), m_nearFirst && !fast, expired << " TTLs expired");
        NS_TEST_EXPECT_MSG_EQ(run.watch->IsStuck(), m_nearFirst && fast, "deadlock");
        if (m_nearFirst && fast)
        {
            ExpectReason(*run.flows, "a circle of pauses through switch");
            ExpectInvariants(*run.fabric, "deadlock");
            // What was queued before the routes changed is what the circle is made of.
            run.faults->RebootSwitch(4, Simulator::Now(), MicroSeconds(100));
            run.watch->Resume();
            Simulator::Run();
        }
        NS_TEST_EXPECT_MSG_EQ(convergence.IsUnderWay(), false, "convergence");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
    }

    bool m_nearFirst;
    std::string m_rate;
};

/// Faults overlap, a link flaps, and the log says so.
class FlapTest : public FaultTestCase
{
  public:
    FlapTest()
        : FaultTestCase("Flapping and overlapping cuts of a link")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::LeafSpine(2, 2, 2, LINK, LINK));
        const NodeId leaf = run.fabric->GetTopology().GetSwitches()[0];
        const NodeId spine = run.fabric->GetTopology().GetSwitches()[2];
        const LinkId link = run.fabric->GetTopology().FindLink(leaf, spine);
        run.Flow(0, 2, 3000000);
        run.Flow(1, 3, 3000000);
        run.Flow(3, 0, 3000000);
        run.faults->GetConvergence().SetRandom(MicroSeconds(5), MicroSeconds(60));
        run.faults->AssignStreams(7);
        run.faults->FlapLink(link, MicroSeconds(30), MicroSeconds(20), MicroSeconds(50), 4);
        run.faults->CutLink(link, MicroSeconds(185), MicroSeconds(30)); // over the end of the last
        const std::string path = CreateTempDirFilename("faults.csv");
        FaultStats log(*run.faults);
        log.WriteTo(path);
        uint32_t told = 0;
        run.faults->OnFault([&told](const FaultHelper::Event&) { ++told; });
        for (const auto& [us, up] : {std::pair(29, true),
                                     {31, false},
                                     {51, true},
                                     {195, false},
                                     {201, false},
                                     {216, true}})
        {
            Simulator::Schedule(MicroSeconds(us), [this, &run, link, us = us, up = up] {
                NS_TEST_EXPECT_MSG_EQ(run.fabric->IsLinkUp(link), up, "at " << us << " us");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 3, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
        NS_TEST_EXPECT_MSG_EQ(told, 10, "events");
        log.Commit();
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        NS_TEST_EXPECT_MSG_EQ(line, "time_ns,event,what,where", "head");
        std::getline(file, line);
        NS_TEST_EXPECT_MSG_EQ(line, "30000,begin,link-down," + link.Name(), "first line");
    }
};

class ConvergenceTestSuite : public TestSuite
{
  public:
    ConvergenceTestSuite()
        : TestSuite("lossless-convergence", Type::SYSTEM)
    {
        AddTestCase(new MicroLoopTest("near first: a micro-loop, TTLs expire", true, "1Gbps"));
        AddTestCase(new MicroLoopTest("far first: none", false, "1Gbps"));
        AddTestCase(new MicroLoopTest("near first at line rate: deadlock", true, "100Gbps"));
        AddTestCase(new FlapTest);
    }
};

ConvergenceTestSuite g_convergenceTestSuite; //!< registers the suite

} // namespace

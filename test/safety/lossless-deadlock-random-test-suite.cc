// SPDX-License-Identifier: GPL-2.0-only

// The detector against an oracle that knows nothing of graphs: stop all hosts, wait 10 ms, and see
// whether buffers still hold frames that do not move. In rings drawn at random it must find every
// deadlock and nothing else; in up to 200 random fabrics without circles, nothing.

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"
#include "ring-fabric.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/deadlock-helper.h"
#include "ns3/double.h"

#include <iostream>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t PLANTED = 50;
constexpr uint32_t ACYCLIC = 200;
constexpr uint32_t ENOUGH = 50; //!< random fabrics, to tell of what the cases have in them

/// What the rings had in them, together.
struct Coverage
{
    uint32_t planted{0};   //!< rings with a deadlock planted
    uint32_t deadlocks{0}; //!< that the oracle saw
    uint32_t found{0};     //!< of them, found by the detector
    uint32_t others{0};    //!< rings without a deadlock, by the oracle
    uint32_t false_{0};    //!< of them, with a report
    uint32_t acyclic{0};   //!< random fabrics
    uint64_t polls{0};     //!< looks in random fabrics
    uint32_t paused{0};    //!< random fabrics in which the detector has looked
};

Coverage g_coverage;

/// A ring drawn at random, with routes that all go round it.
class RingCase : public FabricTestCase
{
  public:
    /// @param index number of the case @param heavy whether every host sends as much as it can
    RingCase(uint32_t index, bool heavy)
        : FabricTestCase((heavy ? "planted " : "light ring ") + std::to_string(index)),
          m_index(index),
          m_heavy(heavy)
    {
    }

  private:
    Fabric Draw(Dice& dice)
    {
        m_switches = static_cast<uint32_t>(dice.Between(3, 7));
        m_hosts = static_cast<uint32_t>(dice.Between(2, 3));
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetQueuePair("RetransmitTimeout",
                            TimeValue(Time(0)),
                            "Mtu",
                            UintegerValue(dice.Pick<uint64_t>({1024, 4096})));
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         UintegerValue(dice.Between(1000000, 3000000)),
                         "Alpha",
                         DoubleValue(1.0 / static_cast<double>(1U << dice.Below(5))),
                         "CellBytes",
                         UintegerValue(dice.Pick<uint64_t>({1, 208, 256})),
                         "XonOffset",
                         UintegerValue(dice.Pick<uint64_t>({0, 3072})));
        helper.SetSwitch("ns3::FabricSwitch",
                         "ReleaseAt",
                         StringValue(dice.Chance(50) ? "LastBit" : "DequeueStart"));
        helper.SetLink("PfcDialect", StringValue(dice.Chance(25) ? "EndlessXoff" : "Standard"));
        FabricLinkSpec link;
        link.rate = DataRate(dice.Pick<uint64_t>({10, 25, 40}) * 1000000000);
        link.delay = NanoSeconds(dice.Between(0, 3000));
        const Fabric fabric = helper.FromTopology(MakeRing(m_switches, m_hosts, link, link));
        RouteRound(fabric, m_switches, m_hosts);
        m_longest = link.rate.GetBitRate() / 8 / 500; // what a link takes in 2 ms
        return fabric;
    }

    void AddFlows(Dice& dice, RdmaFlowHelper& flows)
    {
        const uint32_t all = m_switches * m_hosts;
        for (uint32_t host = 0; host < all; ++host)
        {
            if (!m_heavy && dice.Chance(40))
            {
                continue;
            }
            RdmaFlow flow;
            // At least two links of the ring, or sometimes one.
            const uint64_t hops =
                m_heavy ? dice.Between(2, m_switches - 1) : dice.Between(1, m_switches - 1);
            flow.source = host;
            const uint64_t to = (host + hops * m_hosts + dice.Below(m_hosts)) % all;
            flow.destination = to / m_hosts == host / m_hosts ? (host + m_hosts) % all : to;
            flow.bytes = m_heavy ? 4 * m_longest : dice.Below(m_longest);
            flow.start = NanoSeconds(dice.Below(20000));
            flows.Add(flow);
        }
    }

    void DoRun() override
    {
        Dice dice(m_index + (m_heavy ? 0 : 1000));
        if (dice.Chance(50))
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
        }
        const Fabric fabric = Draw(dice);
        const auto period = dice.Pick<uint64_t>({20, 100, 1000});
        DeadlockHelper helper(fabric);
        const auto detector = helper.InstallDetector("Period", TimeValue(MicroSeconds(period)));
        RdmaFlowHelper flows(fabric);
        AddFlows(dice, flows);
        Simulator::Stop(MilliSeconds(9));
        Simulator::Run();
        const std::size_t before = detector->GetDeadlocks().size();
        StopHosts(fabric);
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        const uint64_t sent = BytesSent(fabric);
        const uint64_t held = CellsHeld(fabric);
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        const bool deadlock = held > 0 && CellsHeld(fabric) == held && BytesSent(fabric) == sent;
        NS_TEST_EXPECT_MSG_EQ((held > 0), deadlock, "moves, but is not empty: no oracle");
        NS_TEST_EXPECT_MSG_EQ((before > 0), deadlock, "detector (left) and oracle (right)");
        for (const Deadlock& found : detector->GetDeadlocks())
        {
            NS_TEST_EXPECT_MSG_EQ(found.IsOver(), false, "reported, and then it went away");
        }
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromRoutes(fabric).HasCycle(), true, "routes");
        if (deadlock)
        {
            ++g_coverage.deadlocks;
            g_coverage.found += before > 0;
        }
        else
        {
            ++g_coverage.others;
            g_coverage.false_ += before > 0;
        }
        g_coverage.planted += m_heavy;
        NS_TEST_EXPECT_MSG_EQ((deadlock || !m_heavy), true, "nothing was planted");
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetLosslessDrops(), 0, "drops");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetMmu()->CheckInvariants(), "", "books");
        }
    }

    uint32_t m_index;
    bool m_heavy;
    uint32_t m_switches{0};
    uint32_t m_hosts{0};
    uint64_t m_longest{0};
};

/// One of the random fabrics of lossless-losslessness, which have no circle.
class AcyclicCase : public FabricTestCase
{
  public:
    explicit AcyclicCase(uint32_t index)
        : FabricTestCase("random fabric " + std::to_string(index) + " has no deadlock"),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        RandomFabric random(m_index);
        if (random.UsesEngine())
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
        }
        const Fabric fabric = random.Build();
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromRoutes(fabric).HasCycle(),
                              false,
                              random.Describe());
        DeadlockHelper helper(fabric);
        // Shorter than many pauses: whatever stands still for a while is looked at.
        const auto detector = helper.InstallDetector("Period", StringValue("2us"));
        RdmaFlowHelper flows(fabric);
        random.AddFlows(flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, random.Describe());
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), random.Describe());
        ++g_coverage.acyclic;
        g_coverage.polls += detector->GetPolls();
        g_coverage.paused += detector->GetPolls() > 0;
    }

    uint32_t m_index;
};

/// The cases were hard enough.
class CoverageCase : public FabricTestCase
{
  public:
    CoverageCase()
        : FabricTestCase("What the cases had in them")
    {
    }

  private:
    void DoRun() override
    {
        const Coverage& c = g_coverage;
        std::cout << "rings: " << c.planted << " planted of " << PLANTED << ", " << c.deadlocks
                  << " deadlocks, " << c.found << " found; " << c.others << " without, " << c.false_
                  << " false reports; " << c.acyclic << " random fabrics of " << ACYCLIC << ", "
                  << c.paused << " with looks, " << c.polls << " looks\n";
        NS_TEST_EXPECT_MSG_GT(c.planted, 0, "no case has run");
        NS_TEST_EXPECT_MSG_GT(c.acyclic, 0, "no random fabric has run");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(c.deadlocks, c.planted, "deadlocks");
        NS_TEST_EXPECT_MSG_EQ(c.found, c.deadlocks, "found");
        NS_TEST_EXPECT_MSG_EQ(c.false_, 0, "false reports");
        if (c.acyclic < ENOUGH)
        {
            return;
        }
        NS_TEST_EXPECT_MSG_GT(c.others, c.planted / 5, "rings without a deadlock");
        NS_TEST_EXPECT_MSG_GT(c.paused, c.acyclic / 2, "random fabrics with looks");
    }
};

class DeadlockRandomTestSuite : public PropertyTestSuite
{
  public:
    DeadlockRandomTestSuite()
        : PropertyTestSuite("lossless-deadlock-random")
    {
        AddCases(PLANTED, [](uint32_t index) { return new RingCase(index, true); });
        AddCases(PLANTED, [](uint32_t index) { return new RingCase(index, false); });
        AddCases(ACYCLIC, [](uint32_t index) { return new AcyclicCase(index); });
        AddTestCase(new CoverageCase);
    }
};

DeadlockRandomTestSuite g_deadlockRandomTestSuite; //!< registers the suite

} // namespace

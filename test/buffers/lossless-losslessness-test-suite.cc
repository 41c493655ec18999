// SPDX-License-Identifier: GPL-2.0-only

// The promise of the module: nothing in a lossless class is lost, whatever the fabric, as long as
// the headroom follows the rule of doc/link.rst. That less headroom loses something is shown
// in lossless-headroom-test-suite.cc.
//
// A case of the 200 random fabrics that fails names its number, and runs alone with
//   LOSSLESS_BUDGET=1 NS_GLOBAL_VALUE="LosslessnessCase=17" lossless-test-runner
//     --suite=lossless-losslessness --fullness=EXTENSIVE

#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-chain.h"
#include "random-fabric.h"

#include "ns3/buffer-check.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/global-value.h"
#include "ns3/integer.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/simulator.h"
#include "ns3/switch-extensions.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/vxlan-endpoint.h"

#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 200;
constexpr uint64_t CHAIN_SEED = 1000000;  //!< of the class chains
constexpr uint64_t TUNNEL_SEED = 2000000; //!< of the VXLAN end points
constexpr uint64_t DELAY_SEED = 3000000;  //!< of the times that switches and hosts need
constexpr uint32_t ENOUGH = 50;           //!< cases to tell of what the cases have in them

/// For longer runs than the 200.
GlobalValue g_first("LosslessnessFirst",
                    "Number of the first of the random fabrics of lossless-losslessness",
                    UintegerValue(0),
                    MakeUintegerChecker<uint32_t>());

/// One of the random fabrics alone.
GlobalValue g_case("LosslessnessCase",
                   "Run only this one of the random fabrics of lossless-losslessness; -1: all",
                   IntegerValue(-1),
                   MakeIntegerChecker<int32_t>(-1));

// ---- 200 random fabrics

/// What the cases had in them, together: that nothing was dropped says little if nobody paused.
struct Coverage
{
    uint32_t cases{0};    //!< that ran
    uint32_t chains{0};   //!< cases whose ports have maps of their own
    uint32_t tunnels{0};  //!< cases with frames in tunnels
    uint32_t delays{0};   //!< cases whose switches and hosts need time
    uint32_t paused{0};   //!< cases with pauses
    uint32_t headroom{0}; //!< cases that used headroom
    uint32_t tight{0};    //!< cases that filled more than 80 % of some headroom
    uint32_t marked{0};   //!< cases with CE marks
    uint64_t frames{0};   //!< data packets sent
};

Coverage g_coverage;

class RandomFabricTest : public FabricTestCase
{
  public:
    explicit RandomFabricTest(uint32_t index)
        : FabricTestCase("Pitfall 1: random fabric " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        IntegerValue only;
        g_case.GetValue(only);
        UintegerValue first;
        g_first.GetValue(first);
        m_index += first.Get();
        if (only.Get() >= 0 && only.Get() != m_index)
        {
            return;
        }
        RandomFabric random(m_index);
        if (random.UsesEngine())
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
        }
        Dice tunnels(TUNNEL_SEED + m_index); // not those of the fabric, which stays as it was
        if (tunnels.Chance(40))
        {
            random.AddTunnels(tunnels);
        }
        Dice delays(DELAY_SEED + m_index); // likewise
        if (delays.Chance(40))
        {
            random.AddDelays(delays);
            ++g_coverage.delays;
        }
        const Fabric fabric = random.Build();
        m_text = "case " + std::to_string(m_index) + ": " + random.Describe();
        Dice chains(CHAIN_SEED + m_index); // likewise
        if (chains.Chance(40))
        {
            DrawClassChains(chains, fabric, random.GetClasses());
            CheckChains(fabric);
            m_text += ", class chains";
        }
        RdmaFlowHelper flows(fabric);
        random.AddFlows(flows);
        Time last;
        uint64_t events = 0;
        flows.OnEnd([&](const RdmaFlowResult&) {
            last = Simulator::Now();
            if (flows.IsDone()) // what is on its way still arrives, over six links at most
            {
                Simulator::Schedule(MicroSeconds(200),
                                    [&events] { events = Simulator::GetEventCount(); });
            }
        });
        Simulator::Run();
        CheckHosts(fabric, flows, random.GetBytes());
        CheckSwitches(fabric);
        CheckPorts(fabric);
        // What follows is the end of a pause, or the wake-up of a port for a packet that was
        // planned at the lowest rate and left earlier; nothing repeats itself.
        const double pause = 65535.0 * 512 / static_cast<double>(random.GetSlowestRate());
        const Time bound = Seconds(pause) + MilliSeconds(40);
        const uint64_t links = fabric.GetTopology().GetLinks().size();
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, m_text);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Simulator::Now(), last + bound, "late event, " << m_text);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Simulator::GetEventCount() - events, 4 * links, m_text);
        Count(fabric);
    }

    /// The check of a configuration finds nothing against the maps.
    void CheckChains(const Fabric& fabric)
    {
        ++g_coverage.chains;
        for (const Finding& finding : CheckBuffers(fabric))
        {
            NS_TEST_EXPECT_MSG_EQ((finding.rule == "map" || finding.rule == "pfc"),
                                  false,
                                  finding.ToLine() << ", " << m_text);
        }
    }

    /// All messages arrive, each byte once, and nothing was sent twice.
    void CheckHosts(const Fabric& fabric, const RdmaFlowHelper& flows, uint64_t bytes)
    {
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), m_text);
        uint64_t delivered = 0;
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            const RdmaCounters& counters = fabric.GetRdma(host)->GetCounters();
            delivered += counters.payloadDelivered;
            g_coverage.frames += counters.dataPackets;
            NS_TEST_EXPECT_MSG_EQ(counters.retransmitted, 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(counters.outOfOrder + counters.duplicates, 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(counters.naksSent + counters.rnrNaksSent, 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(host)->GetNQueuePairs(), 0, m_text);
        }
        NS_TEST_EXPECT_MSG_EQ(delivered, bytes, m_text);
    }

    /// No drop, and the books are empty (invariants I1 to I7 of doc/switch.rst).
    void CheckSwitches(const Fabric& fabric)
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const FabricSwitch& fabricSwitch = *fabric.GetSwitch(i);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLosslessDrops(), 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetMmu()->IsIdle(), true, m_text);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetMmu()->CheckInvariants(), "", m_text);
        }
    }

    /// Nothing is queued, nobody is paused or should be, nothing was dropped.
    void CheckPorts(const Fabric& fabric)
    {
        for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
        {
            NS_TEST_EXPECT_MSG_EQ(+device->Queues().NonEmpty(), 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(+device->PausedMask(), 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(+device->GetIssuer().Wanted(), 0, m_text);
            NS_TEST_EXPECT_MSG_EQ(+device->GetIssuer().Pending(), 0, m_text);
            const auto& drops = device->GetCounters().drops;
            for (std::size_t reason = 0; reason < drops.size(); ++reason)
            {
                const auto why = static_cast<DropReason>(reason);
                // A CNP may come when its queue pair is gone; a switch may drop CNPs in their
                // lossy class.
                const bool legal =
                    isSwitch ? why == DropReason::INGRESS_LIMIT || why == DropReason::EGRESS_LIMIT
                             : why == DropReason::NO_QUEUE_PAIR;
                NS_TEST_EXPECT_MSG_EQ((legal ? 0 : drops[reason]),
                                      0,
                                      why << " at node " << node << ", " << m_text);
            }
        }
    }

    /// Add to the coverage.
    void Count(const Fabric& fabric)
    {
        bool paused = false;
        bool headroom = false;
        bool tight = false;
        bool marked = false;
        bool tunnels = false;
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const FabricSwitch& fabricSwitch = *fabric.GetSwitch(i);
            for (const auto& endpoint : ExtensionsOf<VxlanEndpoint>(fabricSwitch))
            {
                const VxlanEndpoint::Counters& counters = endpoint->GetCounters();
                tunnels |= counters.decapsulated > 0;
                NS_TEST_EXPECT_MSG_EQ(counters.ecnDrops + counters.vniDrops, 0, m_text);
            }
            for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
            {
                for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
                {
                    const MmuIngress& in = fabricSwitch.GetMmu()->GetIngress(port, cls);
                    paused |= in.xoffCount > 0;
                    headroom |= in.headroomPeak > 0;
                    tight |= in.headroom > 0 && in.headroomPeak > 0.8 * in.headroom;
                    marked |= fabricSwitch.GetCounters(port).ecnMarks[cls] > 0;
                }
            }
        }
        ++g_coverage.cases;
        g_coverage.tunnels += tunnels;
        g_coverage.paused += paused;
        g_coverage.headroom += headroom;
        g_coverage.tight += tight;
        g_coverage.marked += marked;
    }

    uint32_t m_index;
    std::string m_text;
};

/// The random fabrics were hard enough.
class CoverageTest : public FabricTestCase
{
  public:
    CoverageTest()
        : FabricTestCase("The random fabrics pause, use headroom and mark")
    {
    }

  private:
    void DoRun() override
    {
        const Coverage& c = g_coverage;
        std::cout << "random fabrics: " << c.cases << " of " << CASES << ", with pauses "
                  << c.paused << ", with headroom in use " << c.headroom << ", above 80 % of one "
                  << c.tight << ", with marks " << c.marked << ", with class chains " << c.chains
                  << ", with tunnels " << c.tunnels << ", with delays " << c.delays << "; "
                  << c.frames << " data packets\n";
        NS_TEST_EXPECT_MSG_GT(c.cases, 0, "no case has run");
        if (c.cases < ENOUGH)
        {
            return; // one case, or few, were asked for
        }
        NS_TEST_EXPECT_MSG_GT(c.paused, c.cases / 2, "pauses");
        NS_TEST_EXPECT_MSG_GT(c.headroom, c.cases / 2, "headroom");
        NS_TEST_EXPECT_MSG_GT(c.tight, c.cases / 20, "headroom nearly full");
        NS_TEST_EXPECT_MSG_GT(c.marked, c.cases / 20, "marks");
        NS_TEST_EXPECT_MSG_GT(c.chains, c.cases / 5, "class chains");
        NS_TEST_EXPECT_MSG_GT(c.tunnels, c.cases / 10, "tunnels");
        NS_TEST_EXPECT_MSG_GT(c.delays, c.cases / 5, "delays");
    }
};

/// ACKs that wait in a queue of their own leave in spite of the pauses of their class. The check
/// finds exactly those that overflow headroom when the way of the ACKs is blocked.
class AckQueueTest : public FabricTestCase
{
  public:
    AckQueueTest()
        : FabricTestCase("ACKs that no pause holds are found, and overflow headroom")
    {
    }

  private:
    void DoRun() override
    {
        Expect(-1, -1, false);
        Expect(3, 3, false);
        Expect(6, 6, false);
        Expect(-1, 6, true);
        Expect(3, 6, true);
        Expect(4, 3, true); // 4 is lossless, too
        ExpectOfOneFlow();
    }

    /// @param ackClass @param ackQueue @return a fabric of three hosts
    static FabricHelper Helper(int8_t ackClass, int8_t ackQueue)
    {
        FabricHelper helper;
        helper.SetLosslessClasses({3, 4});
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(1.0 / 128));
        helper.SetQueuePair("AckClass", IntegerValue(ackClass), "AckQueue", IntegerValue(ackQueue));
        return helper;
    }

    void Expect(int8_t ackClass, int8_t ackQueue, bool isLoose)
    {
        const std::string text = std::to_string(ackClass) + ", " + std::to_string(ackQueue);
        ExpectError([&] { Helper(ackClass, ackQueue).Star(3); },
                    isLoose ? ": no pause of the class stops them" : "");
        Simulator::Destroy();
        FabricHelper helper = Helper(ackClass, ackQueue);
        helper.AllowLossy();
        const Fabric fabric = helper.Star(3);
        NS_TEST_EXPECT_MSG_EQ(!fabric.CheckLossless().empty(), isLoose, text);
        bool isFound = false;
        for (const auto& finding : CheckBuffers(fabric))
        {
            const std::string what = finding.rule + " " + finding.place.substr(0, 5);
            isFound = isFound || what == "map host ";
            NS_TEST_EXPECT_MSG_EQ((what == "map host " || finding.rule == "kmin"),
                                  true,
                                  finding.ToLine());
        }
        NS_TEST_EXPECT_MSG_EQ(isFound, isLoose, text);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 10000000});
        // The source takes no ACK: they wait at the switch.
        Simulator::ScheduleNow([&fabric] {
            fabric.GetDevice(fabric.GetHosts().Get(0)->GetId(), 0)
                ->OverridePause(1U << 3 | 1U << 4, 0);
        });
        RunUntil(MicroSeconds(500));
        NS_TEST_EXPECT_MSG_EQ((fabric.GetSwitch(0)->GetLosslessDrops() > 0), isLoose, text);
        Simulator::Destroy();
    }

    /// A flow of its own settings is found when it is there.
    void ExpectOfOneFlow()
    {
        const Fabric fabric = FabricHelper().Star(3);
        Fabric::QueuePairOptions options;
        options.attributes.emplace_back("AckQueue", Create<IntegerValue>(6));
        fabric.Connect(0, 1, options);
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckLossless().size(), 2, "at either end");
    }
};

class LosslessnessTestSuite : public PropertyTestSuite
{
  public:
    LosslessnessTestSuite()
        : PropertyTestSuite("lossless-losslessness")
    {
        AddCases(CASES, [](uint32_t index) { return new RandomFabricTest(index); });
        AddTestCase(new CoverageTest);
        AddTestCase(new AckQueueTest);
    }
};

LosslessnessTestSuite g_losslessnessTestSuite; //!< registers the suite

} // namespace

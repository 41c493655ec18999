// SPDX-License-Identifier: GPL-2.0-only

// Credits (CBFC) in place of PFC in fabrics: nothing is lost, whatever the fabric; what a distance
// costs; deadlocks; and the same bytes with any number of threads.

#include "deadlock-test-case.h"
#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"

#include "ns3/boolean.h"
#include "ns3/credit-link.h"
#include "ns3/deadlock-helper.h"
#include "ns3/double.h"
#include "ns3/fault-loss.h"
#include "ns3/nic-receive-buffer.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 100;
constexpr uint64_t CREDIT_SEED = 4000000; //!< of the credits
constexpr uint64_t DELAY_SEED = 3000000;  //!< of the times that switches and hosts need

/// Each port loses frames, updates of credits among them.
void
AddLosses(const Fabric& fabric)
{
    int64_t stream = 100;
    for (const FabricPort& each : PortsOf(fabric))
    {
        const auto loss = CreateObject<RandomFrameLoss>();
        loss->SetAttribute("Rate", DoubleValue(0.001));
        stream += loss->AssignStreams(stream);
        each.device->AddReceiveLoss(loss);
    }
}

/// Nothing in a class with credits is dropped but by errors of a line, and all books are empty in
/// the end.
class RandomCreditsTest : public FabricTestCase
{
  public:
    explicit RandomCreditsTest(uint32_t index)
        : FabricTestCase("Random fabric with credits " + std::to_string(index)),
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
        Dice dice(CREDIT_SEED + m_index); // not those of the fabric, which stays as it was
        random.AddCredits(dice);
        const bool loses = dice.Chance(40);
        const bool retries = dice.Chance(40);
        if (loses && !retries)
        {
            random.SendAgain();
        }
        if (retries)
        {
            random.AddRetry();
        }
        Dice delays(DELAY_SEED + m_index);
        if (delays.Chance(40))
        {
            random.AddDelays(delays);
        }
        const Fabric fabric = random.Build();
        const std::string text = "case " + std::to_string(m_index) + ": " + random.Describe() +
                                 (loses ? ", with losses" : "") + (retries ? ", with retry" : "");
        if (loses)
        {
            AddLosses(fabric);
        }
        RdmaFlowHelper flows(fabric);
        random.AddFlows(flows);
        Simulator::Run(); // it ends: idle links have no events
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), text);
        NS_TEST_EXPECT_MSG_EQ(FindUnsettled(fabric), "", text);
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetLosslessDrops(), 0, text);
        }
        uint64_t repeats = 0;
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            repeats += fabric.GetRdma(host)->GetCounters().retransmitted;
        }
        NS_TEST_EXPECT_MSG_EQ((loses && !retries ? 0 : repeats), 0, text);
        ExpectWithinGrants(fabric, text);
    }

    void ExpectWithinGrants(const Fabric& fabric, const std::string& text)
    {
        for (const auto& [node, number, isSwitch, port] : PortsOf(fabric))
        {
            const uint32_t granted = GetGrantedCredits(*port);
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(port->GetCbfc()->Get(cls).peakStored, granted, text);
                NS_TEST_EXPECT_MSG_EQ(port->GetIssuer().Get(cls).txXoff, 0, "PFC, " << text);
            }
        }
    }

    uint32_t m_index;
};

/// A run with credits does not depend on partitions and threads.
class ThreadsTest : public FabricTestCase
{
  public:
    ThreadsTest()
        : FabricTestCase("Credits with any number of threads and partitions")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t index = 0; index < GetCases(8); ++index)
        {
            const auto expected = Run(index, 1, 1);
            NS_TEST_EXPECT_MSG_GT(expected.size(), 10, "fabric " << index);
            for (uint32_t threads = 2; threads <= 7; ++threads)
            {
                NS_TEST_EXPECT_MSG_EQ((Run(index, 100, threads) == expected),
                                      true,
                                      "fabric " << index << ", " << threads << " threads");
            }
        }
    }

    static std::vector<uint64_t> Run(uint32_t index, uint32_t partitions, uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RandomFabric random(index);
        Dice dice(CREDIT_SEED + index);
        random.AddCredits(dice);
        if (index % 2)
        {
            random.AddRetry();
        }
        const Fabric fabric = random.Build();
        if (index % 4 == 1)
        {
            AddLosses(fabric);
        }
        return RunDivided(random, fabric, partitions, threads);
    }
};

/// One long link among short ones, and a buffer of 200 KB a port: too small for the headroom of
/// PFC. Credits fill the line with less than 180 KB, and lose nothing with 2 KB.
class LongLinkTest : public FabricTestCase
{
  public:
    LongLinkTest()
        : FabricTestCase("What a link of 5 us costs")
    {
    }

  private:
    static constexpr uint64_t BYTES = 10000000;
    static constexpr uint32_t CELL = 256;

    /// @return host, switch, long link, switch, host
    static FabricTopology Graph()
    {
        FabricLinkSpec shortLink;
        shortLink.delay = NanoSeconds(100);
        FabricLinkSpec longLink;
        longLink.delay = MicroSeconds(5);
        return FabricTopology::Dumbbell(1, 1, shortLink, longLink);
    }

    static FabricHelper MakeHelper()
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         UintegerValue(400000),
                         "CellBytes",
                         UintegerValue(CELL));
        helper.SetCongestionControl("none");
        return helper;
    }

    /// @param credits 0: automatic @return time of a flow
    Time Run(uint32_t credits, uint64_t& guaranteed)
    {
        FabricHelper helper = MakeHelper();
        helper.SetCbfc({3});
        helper.SetLink("CbfcCredits", UintegerValue(credits));
        const Fabric fabric = helper.FromTopology(Graph());
        guaranteed = 0;
        for (uint32_t port = 0; port < 2; ++port)
        {
            guaranteed = std::max(
                guaranteed,
                uint64_t{CELL} * fabric.GetSwitch(1)->GetMmu()->GetIngress(port, 3).guaranteed);
        }
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, BYTES});
        Time fct;
        flows.OnEnd([&fct](const RdmaFlowResult& result) { fct = result.fct; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, credits << " credits");
        NS_TEST_EXPECT_MSG_EQ(FindUnsettled(fabric), "", credits << " credits");
        ExpectClean(fabric);
        Simulator::Destroy();
        return fct;
    }

    void DoRun() override
    {
        ExpectError([] { MakeHelper().FromTopology(Graph()); },
                    "bytes short of the guaranteed space and headroom of 2 ports");
        Simulator::Destroy();
        uint64_t ample = 0;
        uint64_t usual = 0;
        uint64_t least = 0;
        const Time full = Run(700, ample);
        const Time automatic = Run(0, usual);
        const Time slow = Run(8, least);
        NS_TEST_EXPECT_MSG_EQ(automatic, full, "credits for the full rate");
        NS_TEST_EXPECT_MSG_EQ(usual, 684 * CELL, "134492 wire bytes in frames of 769");
        NS_TEST_EXPECT_MSG_EQ(least, 8 * CELL, "memory of 8 credits");
        // Frames of 1086 bytes take 5 credits of 8: one in a round trip.
        const double roundTrips = slow.GetSeconds() / (BYTES / 1000.0) / 10.1e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(roundTrips, 1, 0.12, "one frame in a round trip");
    }
};

/// Eight hosts send to one, beside a flow that goes elsewhere: credits hold back where pauses do,
/// earlier where they are few.
class IncastTest : public FabricTestCase
{
  public:
    IncastTest()
        : FabricTestCase("Incast: earlier back-pressure, the same head-of-line blocking")
    {
    }

  private:
    /// What an incast did.
    struct Outcome
    {
        uint64_t peakCells{0}; //!< most cells of one ingress port
        Time firstPause;       //!< of a sender
        Time victim;           //!< time of the flow that goes elsewhere
    };

    Outcome Run(bool credits)
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("16MiB"));
        helper.SetCongestionControl("none");
        if (credits)
        {
            helper.SetCbfc({3});
        }
        const Fabric fabric = helper.Star(10);
        RdmaFlowHelper flows(fabric);
        for (uint32_t source = 0; source < 9; ++source)
        {
            // Host 0 sends to 8, as the others, and to 9, the victim.
            flows.Add({source % 8, source < 8 ? 8 : 9, 4000000});
        }
        Outcome outcome;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            outcome.victim = result.index == 8 ? result.fct : outcome.victim;
        });
        fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(1)), 0)
            ->TraceConnectWithoutContext("PauseState",
                                         Callback<void, const QbbNetDevice&, uint32_t, bool>(
                                             [&outcome](const QbbNetDevice&, uint32_t, bool) {
                                                 outcome.firstPause = outcome.firstPause.IsZero()
                                                                          ? Simulator::Now()
                                                                          : outcome.firstPause;
                                             }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 9, credits);
        ExpectClean(fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        for (uint32_t port = 0; port < 10; ++port)
        {
            const auto peaks = mmu->GetPeaks(port, 3);
            outcome.peakCells = std::max<uint64_t>(
                outcome.peakCells,
                credits ? fabric.GetSwitch(0)->GetPort(port)->GetCbfc()->Get(3).peakStored
                        : peaks.shared / mmu->GetCellSize().Bytes());
        }
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome pfc = Run(false);
        const Outcome cbfc = Run(true);
        NS_TEST_EXPECT_MSG_GT(pfc.peakCells, 10 * cbfc.peakCells, "PFC absorbs more in one port");
        NS_TEST_EXPECT_MSG_LT(cbfc.firstPause, pfc.firstPause, "credits hold back earlier");
        NS_TEST_EXPECT_MSG_GT(cbfc.firstPause.GetNanoSeconds(), 0, "they do");
        // The victim shares the queue of its host with a flow that gets an eighth of a line.
        NS_TEST_EXPECT_MSG_EQ_TOL(cbfc.victim.GetSeconds(),
                                  pfc.victim.GetSeconds(),
                                  0.25 * pfc.victim.GetSeconds(),
                                  "head-of-line blocking");
    }
};

/// Credits wait for each other in a ring just as pauses do: found, in order, and it stays.
class RingTest : public DeadlockTest
{
  public:
    RingTest()
        : DeadlockTest("A ring of queues without credits is found")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        helper.SetCbfc({3});
        const Fabric fabric = BuildRing(helper);
        const auto detector = DeadlockHelper(fabric).InstallDetector();
        RdmaFlowHelper flows(fabric);
        FillRing(flows);
        RunUntil(MilliSeconds(6));
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
        const Deadlock& deadlock = detector->GetDeadlocks()[0];
        NS_TEST_ASSERT_MSG_EQ(deadlock.cycle.size(), SWITCHES, "vertices");
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            const FabricTopology& topology = fabric.GetTopology();
            const uint32_t before = (i + SWITCHES - 1) % SWITCHES;
            NS_TEST_EXPECT_MSG_EQ(deadlock.cycle[i].switchIndex, i, "order");
            NS_TEST_EXPECT_MSG_EQ(deadlock.cycle[i].port, topology.GetPort(i, before), "port");
            NS_TEST_EXPECT_MSG_EQ(deadlock.cycle[i].trafficClass, 3, "class");
        }
        const uint64_t sent = BytesSent(fabric);
        NS_TEST_EXPECT_MSG_GT(CellsHeld(fabric), 0, "buffers hold frames");
        RunUntil(MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(BytesSent(fabric), sent, "nothing moves");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].IsOver(), false, "still there");
    }
};

/// Throwing frames away gives their credits back: the ring moves again.
class DrainTest : public DeadlockTest
{
  public:
    DrainTest()
        : DeadlockTest("A drained ring without credits moves on")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeRetryingHelper();
        helper.SetCbfc({3});
        const Fabric fabric = BuildRing(helper);
        const auto detector = DeadlockHelper(fabric).InstallDetector("Action",
                                                                     StringValue("Drain"),
                                                                     "Period",
                                                                     StringValue("100us"));
        RdmaFlowHelper flows(fabric);
        FillRing(flows, 500000);
        RunUntil(Seconds(2));
        NS_TEST_EXPECT_MSG_GT(detector->GetDeadlocks().size(), 0, "found");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "all complete");
        NS_TEST_EXPECT_MSG_EQ(FindUnsettled(fabric), "", "in the end");
    }
};

/// A NIC that writes slowly holds the credits of what waits.
class SlowReceiverTest : public FabricTestCase
{
  public:
    SlowReceiverTest()
        : FabricTestCase("A slow receiver holds its credits, and loses nothing")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetCbfc({3});
        const Fabric fabric = helper.Star(2);
        const auto buffer = CreateObject<NicReceiveBuffer>();
        buffer->SetAttribute("PcieRate", StringValue("20Gbps"));
        buffer->SetAttribute("TranslationEntries", UintegerValue(1U << 20));
        buffer->SetAttribute("MissTime", TimeValue(Time(0)));
        buffer->SetAttribute("BufferBytes", UintegerValue(60000));
        fabric.GetRdma(1)->SetReceiveBuffer(0, buffer);
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckLossless().size(), 0, "60000 bytes are enough");
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 2000000});
        Time fct;
        flows.OnEnd([&fct](const RdmaFlowResult& result) { fct = result.fct; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "it completes");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetCounters().dropped, 0, "drops");
        NS_TEST_EXPECT_MSG_GT(buffer->GetCounters().peakBytes, 20000, "it fills");
        NS_TEST_EXPECT_MSG_EQ_TOL(fct.GetSeconds(), 800e-6, 20e-6, "20 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(FindUnsettled(fabric), "", "in the end");
        buffer->SetAttribute("BufferBytes", UintegerValue(10000));
        bool isFound = false;
        for (const std::string& line : fabric.CheckLossless())
        {
            isFound = isFound || line.find("credits stand for") != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(isFound, true, "10000 are not");
    }
};

/// What a fabric cannot have is refused where it is built.
class RefusalTest : public FabricTestCase
{
  public:
    RefusalTest()
        : FabricTestCase("Fabrics whose credits cannot be are refused")
    {
    }

  private:
    void DoRun() override
    {
        const auto build = [](const std::string& buffer, const std::vector<uint32_t>& pfc) {
            FabricHelper helper;
            helper.SetCbfc({3});
            helper.SetLosslessClasses(pfc);
            helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue(buffer));
            helper.Star(8);
            Simulator::Destroy();
        };
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { build("16MiB", {4}); }), "", "PFC for another class");
        ExpectError([&] { build("400KiB", {}); }, "credits (CBFC) included; set BufferSize to ");
        ExpectError([&] { build("16MiB", {3}); }, "take it out of PfcClasses or of CbfcClasses");
        ExpectError(
            [] {
                FabricHelper helper;
                helper.SetCbfc({8});
            },
            "classes are 0 to 7");
        ExpectError(
            [] {
                FabricHelper helper;
                helper.SetCbfc({3});
                helper.At("host 0").Set("ns3::QbbNetDevice::CbfcClasses", UintegerValue(0));
                helper.Star(4);
            },
            "set CbfcClasses alike at both ends");
        FabricHelper helper;
        helper.SetCbfc({3, 4});
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("32MiB"));
        const Fabric fabric = helper.LeafSpine(2, 2, 2);
        ExpectError([&] { DeadlockHelper(fabric).InstallTagger({3, 4}); }, "use PFC for it");
    }
};

class CbfcTestSuite : public PropertyTestSuite
{
  public:
    CbfcTestSuite()
        : PropertyTestSuite("lossless-cbfc")
    {
        AddCases(CASES, [](uint32_t index) { return new RandomCreditsTest(index); });
        AddTestCase(new ThreadsTest);
        AddTestCase(new LongLinkTest);
        AddTestCase(new IncastTest);
        AddTestCase(new RingTest);
        AddTestCase(new DrainTest);
        AddTestCase(new SlowReceiverTest);
        AddTestCase(new RefusalTest);
    }
};

CbfcTestSuite g_cbfcTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// ConWeave in leaf-spine fabrics: flows leave congested paths, and stay in order.

#include "case-budget.h"
#include "fabric-test-case.h"
#include "random-fabric.h"

#include "ns3/boolean.h"
#include "ns3/conweave-switch.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/frame-loss.h"

#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

using namespace ns3;
using ns3::tests::Dice;

namespace
{

/// What a load balancer has made of flows.
struct Outcome
{
    uint64_t outOfOrder{0};
    ConWeaveSwitch::Counters leaves; //!< of all
};

/// @param fabric a fabric @param leaf of it @return what its leaf has of ConWeave
Ptr<ConWeaveSwitch>
LeafOf(const Fabric& fabric, uint32_t leaf)
{
    return DynamicCast<ConWeaveSwitch>(fabric.GetSwitch(leaf)->GetExtension(0));
}

/// @param fabric a fabric after its run @return what has become of its flows
Outcome
OutcomeOf(const Fabric& fabric)
{
    Outcome outcome;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        outcome.outOfOrder += fabric.GetRdma(host)->GetCounters().outOfOrder;
    }
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        if (fabric.GetSwitch(i)->GetNExtensions() > 0)
        {
            AddCounters(outcome.leaves, LeafOf(fabric, i)->GetCounters());
        }
    }
    return outcome;
}

/// @param extension with attributes @return what builds fabrics with ConWeave
FabricHelper
ConWeaveHelper(const std::string& extension = "ConWeaveSwitch")
{
    FabricHelper helper;
    helper.SetLoadBalancer("ns3::ConWeaveLoadBalancer");
    helper.AddSwitchExtension("ns3::" + extension);
    return helper;
}

/// The way over spine 0 to leaf 1 has a quarter of the rate.
void
SlowDown(FabricHelper& helper)
{
    helper.SetCongestionControl("ns3::RdmaFixedRate[Rate=60Gbps]");
    for (const char* place : {"spine 0 to leaf 1", "leaf 1 to spine 0"})
    {
        helper.At(place).Set("ns3::QbbNetDevice::DataRate", StringValue("25Gbps"));
    }
}

/// Flows leave the way that is slow, and receivers see nothing of it.
class InOrderTest : public FabricTestCase
{
  public:
    InOrderTest()
        : FabricTestCase("Flows that are rerouted stay in order, with others they do not")
    {
    }

  private:
    /// @param helper builds the fabric @param stream first random stream
    /// @return what became of a flow of 0.5 ms, then of two
    Outcome Run(FabricHelper helper, int64_t stream)
    {
        SlowDown(helper);
        const Fabric fabric = helper.LeafSpine(2, 2, 4);
        RdmaFlowHelper flows(fabric);
        fabric.AssignStreams(flows.AssignStreams(stream) + stream);
        flows.Add({0, 4, 4000000});
        flows.Add({1, 5, 2000000, MicroSeconds(600)});
        flows.Add({2, 6, 2000000, MicroSeconds(610)});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no events are left");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 3, "flows");
        ExpectClean(fabric);
        const Outcome outcome = OutcomeOf(fabric);
        Simulator::Destroy();
        return outcome;
    }

    /// @param helper builds the fabric @return what became of several draws
    Outcome RunAll(const FabricHelper& helper)
    {
        Outcome sum;
        for (int64_t stream = 1; stream < 600; stream += 100)
        {
            const Outcome outcome = Run(helper, stream);
            sum.outOfOrder += outcome.outOfOrder;
            AddCounters(sum.leaves, outcome.leaves);
        }
        return sum;
    }

    /// @param helper builds the fabric @param what it is
    void ExpectOrder(const FabricHelper& helper, const std::string& what)
    {
        const Outcome outcome = RunAll(helper);
        NS_TEST_EXPECT_MSG_EQ(outcome.outOfOrder, 0, what);
        NS_TEST_EXPECT_MSG_GT(outcome.leaves.reroutes, 6, what);
        NS_TEST_EXPECT_MSG_GT(outcome.leaves.held, 100, what);
        NS_TEST_EXPECT_MSG_GT(outcome.leaves.flushesByTail, 3, what);
        NS_TEST_EXPECT_MSG_EQ(outcome.leaves.flushesByTimer, 0, what);
    }

    void DoRun() override
    {
        ExpectOrder(ConWeaveHelper(), "as it is");
        ExpectOrder(ConWeaveHelper("ConWeaveSwitch[ShimBytes=36]"), "with the bytes of a header");
        FabricHelper slow = ConWeaveHelper();
        slow.SetSwitch("ns3::FabricSwitch",
                       "SwitchDelay",
                       StringValue("700ns"),
                       "CutThrough",
                       BooleanValue(true));
        ExpectOrder(slow, "cut-through switches that need time");
        FabricHelper six = ConWeaveHelper();
        six.SetIpVersion(6);
        ExpectOrder(six, "IPv6");

        FabricHelper others;
        others.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
        others.SetLoadBalancer("ns3::LetFlowLoadBalancer", "FlowletTimeout", StringValue("100ns"));
        NS_TEST_EXPECT_MSG_GT(RunAll(others).outOfOrder, 100, "flowlets");
        others.SetLoadBalancer("ns3::SprayLoadBalancer");
        NS_TEST_EXPECT_MSG_GT(RunAll(others).outOfOrder, 1000, "packets");
    }
};

/// Loses the TAILs that come to a port.
class TailLoss : public FrameLoss
{
  public:
    bool IsLost(const Frame& frame) override
    {
        const bool isTail =
            frame.shimKind == ShimKind::CONWEAVE && frame.conWeaveShim.kind == ConWeaveShim::TAIL;
        lost += isTail;
        return isTail;
    }

    uint32_t lost{0};
};

/// What is held goes on although no TAIL comes.
class LostTailTest : public FabricTestCase
{
  public:
    LostTailTest()
        : FabricTestCase("Frames that are held go on when the TAIL is lost")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t flushes = 0;
        uint32_t lost = 0;
        for (int64_t stream = 1; stream < 600; stream += 100)
        {
            FabricHelper helper = ConWeaveHelper();
            SlowDown(helper);
            helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
            const Fabric fabric = helper.LeafSpine(2, 2, 4);
            const auto loss = CreateObject<TailLoss>();
            for (uint32_t port = 0; port < fabric.GetSwitch(1)->GetNPorts(); ++port)
            {
                fabric.GetSwitch(1)->GetPort(port)->AddReceiveLoss(loss);
            }
            RdmaFlowHelper flows(fabric);
            fabric.AssignStreams(flows.AssignStreams(stream) + stream);
            flows.Add({0, 4, 4000000});
            Simulator::Run();
            const Outcome outcome = OutcomeOf(fabric);
            NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "flows");
            NS_TEST_EXPECT_MSG_EQ(outcome.leaves.flushesByTail, 0, "no TAIL");
            NS_TEST_EXPECT_MSG_EQ((outcome.leaves.held > 0),
                                  (outcome.leaves.flushesByTimer > 0),
                                  "");
            flushes += outcome.leaves.flushesByTimer;
            lost += loss->lost;
            ExpectClean(fabric);
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(lost, 0, "TAILs");
        NS_TEST_EXPECT_MSG_GT(flushes, 0, "by the timer");
    }
};

/// Held frames are in the books, and what happens to the leaf happens to them.
class HeldFramesTest : public FabricTestCase
{
  public:
    HeldFramesTest()
        : FabricTestCase("Frames that are held are booked, and lost with their leaf or link")
    {
    }

  private:
    /// @param helper builds a fabric @return the fabric, in which a flow from host 0 to 4 has left
    /// the slow way, so that its leaf holds frames back
    Fabric Hold(FabricHelper helper)
    {
        SlowDown(helper);
        helper.SetQueuePair("RetransmitTimeout", StringValue("200us"));
        for (int64_t stream = 1;; stream += 100) // whatever way it draws first
        {
            Simulator::Destroy();
            const Fabric fabric = helper.LeafSpine(2, 2, 4);
            fabric.AssignStreams(stream);
            m_flows = std::make_unique<RdmaFlowHelper>(fabric);
            m_flows->Add({0, 4, 4000000});
            for (int64_t us = 1; us < 100; ++us)
            {
                RunUntil(MicroSeconds(us));
                if (LeafOf(fabric, 1)->GetNHeld() >= 50)
                {
                    return fabric;
                }
            }
        }
    }

    /// @param hit what happens while frames are held, and the time now
    /// @param helper builds the fabric @return the fabric after its run
    Fabric Run(const std::function<void(FaultHelper&, Time)>& hit, const FabricHelper& helper)
    {
        const Fabric fabric = Hold(helper);
        const auto leaf = fabric.GetSwitch(1);
        const auto extension = LeafOf(fabric, 1);
        uint64_t queued = 0;
        for (uint32_t port = 0; port < leaf->GetNPorts(); ++port)
        {
            queued += leaf->GetQueueBytes(port);
        }
        UintegerValue cell;
        leaf->GetMmu()->GetAttribute("CellBytes", cell);
        const uint64_t booked = leaf->GetMmu()->GetTotalUsed() * cell.Get();
        NS_TEST_EXPECT_MSG_GT(booked, queued + extension->GetNHeld() * 1024, "booked");
        NS_TEST_EXPECT_MSG_EQ(leaf->GetMmu()->CheckInvariants(), "", "");
        FaultHelper faults(fabric);
        hit(faults, Simulator::Now());
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_flows->GetNCompleted(), 1, "flows");
        NS_TEST_EXPECT_MSG_EQ(extension->GetNHeld(), 0, "held");
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const auto mmu = fabric.GetSwitch(i)->GetMmu();
            NS_TEST_EXPECT_MSG_EQ(mmu->IsIdle(), true, "buffer of " << i);
            NS_TEST_EXPECT_MSG_EQ(mmu->CheckInvariants(), "", "buffer of " << i);
            const auto drops = [&](DropReason why) {
                return fabric.GetSwitch(i)->GetDropCount(why);
            };
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetLosslessDrops(),
                                  drops(DropReason::LINK_DOWN) + drops(DropReason::NO_ROUTE),
                                  "no other drops at " << i);
        }
        return fabric;
    }

    void DoRun() override
    {
        Run([](FaultHelper&, Time) {}, ConWeaveHelper());
        Simulator::Destroy();
        // The leaf restarts: what was held is lost, and for a reason.
        Fabric fabric = Run(
            [](FaultHelper& faults, Time now) {
                faults.RebootSwitch(SwitchId(1), now + NanoSeconds(1), MicroSeconds(20));
            },
            ConWeaveHelper());
        NS_TEST_EXPECT_MSG_GT(fabric.GetSwitch(1)->GetDropCount(DropReason::LINK_DOWN), 49, "");
        Simulator::Destroy();
        // The port of the host is down when the frames would go on.
        fabric = Run(
            [](FaultHelper& faults, Time now) {
                faults.CutLink(LinkId(4), now + NanoSeconds(1), MicroSeconds(500));
            },
            ConWeaveHelper("ConWeaveSwitch[FlushExtra=100us]"));
        NS_TEST_EXPECT_MSG_GT(fabric.GetSwitch(1)->GetDropCount(DropReason::LINK_DOWN), 49, "");
        Simulator::Destroy();
        // The old way is cut, with the TAIL on it.
        fabric = Run(
            [](FaultHelper& faults, Time now) {
                const auto& topology = faults.GetFabric().GetTopology();
                faults.CutLink(
                    topology.FindLink(topology.NodeOf(SwitchId(1)), topology.NodeOf(SwitchId(2))),
                    now + NanoSeconds(1),
                    MicroSeconds(100));
            },
            ConWeaveHelper());
        NS_TEST_EXPECT_MSG_EQ(LeafOf(fabric, 1)->GetCounters().flushesByTimer, 1, "");
        Simulator::Destroy();
        Hold(ConWeaveHelper()); // and then the run ends: their memory goes with the fabric
    }

    std::unique_ptr<RdmaFlowHelper> m_flows;
};

/// Random leaf-spine fabrics.
class RandomLeavesTest : public FabricTestCase
{
  public:
    RandomLeavesTest()
        : FabricTestCase("Random fabrics drop nothing, and any number of threads does the same")
    {
    }

  private:
    /// @param index of the case @param threads how many @return the files of its run
    std::string Run(uint32_t index, uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RngSeedManager::SetRun(index + 1);
        Dice dice(index);
        FabricHelper helper = ConWeaveHelper(
            dice.Pick({"ConWeaveSwitch", "ConWeaveSwitch[FlushExtra=2us|DefaultWait=5us]"}));
        const bool isLossless = dice.Chance(60);
        if (!isLossless)
        {
            helper.SetLosslessClasses({});
            helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
            helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("300000"));
        }
        helper.SetCongestionControl(dice.Pick({"ns3::RdmaDcqcn", "ns3::RdmaFixedRate"}));
        RunOptions options;
        options.progress = false;
        options.threads = threads;
        options.outDir = CreateTempDirFilename("conweave-run");
        const auto leaves = static_cast<uint32_t>(dice.Between(2, 4));
        const auto spines = static_cast<uint32_t>(dice.Between(2, 4));
        const auto hosts = static_cast<uint32_t>(dice.Between(2, 4));
        FabricRun run(helper.LeafSpine(leaves, spines, hosts), options);
        if (dice.Chance(50))
        {
            run.Rdma().Incast(leaves * hosts - 1, 0, dice.Between(10000, 300000), Time(0));
        }
        run.Rdma().Poisson("fb-hadoop", 0.8, MicroSeconds(dice.Between(50, 150)));
        const RunResults& results = run.Execute();
        const std::string name = "case " + std::to_string(index);
        NS_TEST_EXPECT_MSG_GT(results.totals.flowsTotal, 5, name);
        NS_TEST_EXPECT_MSG_EQ(results.totals.flowsCompleted, results.totals.flowsTotal, name);
        NS_TEST_EXPECT_MSG_EQ(results.totals.losslessDrops, 0, name);
        NS_TEST_EXPECT_MSG_EQ(results.totals.conweave.has_value(), true, name);
        ExpectSettled(run.GetFabric(), name);
        m_all.held += results.totals.conweave->held;
        m_all.flushesByTimer += results.totals.conweave->flushesByTimer;
        m_all.notifies += results.totals.conweave->notifies;
        m_lossyDrops += results.totals.lossyDrops;
        std::ostringstream files;
        for (const char* file : {"fct.csv", "pfc.csv"})
        {
            files << std::ifstream(options.outDir + "/" + file).rdbuf();
        }
        const ConWeaveSwitch::Counters counters = *results.totals.conweave;
        files << counters.reroutes << ' ' << counters.held << ' ' << counters.replies;
        return files.str();
    }

    void DoRun() override
    {
        const uint32_t cases = tests::GetCases(20);
        for (uint32_t index = 0; index < cases; ++index)
        {
            const std::string one = Run(index, 1);
            NS_TEST_EXPECT_MSG_GT(one.size(), 500, "files");
            for (const uint32_t threads : {2, 3, 7})
            {
                NS_TEST_EXPECT_MSG_EQ((Run(index, threads) == one),
                                      true,
                                      threads << " threads, case " << index);
            }
        }
        if (cases == 20) // some do each
        {
            NS_TEST_EXPECT_MSG_GT(m_all.held, 0, "frames");
            NS_TEST_EXPECT_MSG_GT(m_all.notifies, 0, "marks");
            NS_TEST_EXPECT_MSG_GT(m_all.flushesByTimer, 0, "by the timer");
            NS_TEST_EXPECT_MSG_GT(m_lossyDrops, 0, "with IRN");
        }
    }

    ConWeaveSwitch::Counters m_all;
    uint64_t m_lossyDrops{0};
};

/// What cannot be is refused.
class ConWeaveRefusalsTest : public FabricTestCase
{
  public:
    ConWeaveRefusalsTest()
        : FabricTestCase("ConWeave needs two tiers, its load balancer, and all leaves")
    {
    }

  private:
    void DoRun() override
    {
        ExpectError([] { ConWeaveHelper().FatTree(4); }, "two tiers");
        FabricHelper icc = ConWeaveHelper();
        icc.SetCongestionControl("ns3::RdmaIcc");
        ExpectError([&] { icc.LeafSpine(2, 2, 2); }, "not symmetric");
        FabricHelper sender = ConWeaveHelper();
        sender.AddSwitchExtension("ns3::SwitchCnpSender");
        FabricRun run(sender.LeafSpine(2, 2, 2));
        run.Rdma().Add({0, 2, 1000});
        ExpectError([&] { run.Execute(); }, "ns3::SwitchCnpSender needs one");
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::ConWeaveSwitch");
        ExpectError([&] { helper.LeafSpine(2, 2, 2); }, "use ns3::ConWeaveLoadBalancer");
        helper.Star(3); // no choice
        FabricHelper one;
        one.SetLoadBalancer("ns3::ConWeaveLoadBalancer");
        one.At("leaf 0").AddSwitchExtension("ns3::ConWeaveSwitch");
        ExpectError([&] { one.LeafSpine(2, 2, 2); }, "another leaf has none");
        one.At("leaf").AddSwitchExtension("ns3::ConWeaveSwitch");
        one.LeafSpine(2, 2, 2);
        ConWeaveHelper().LeafSpine(2, 1, 2);
        const Fabric near = ConWeaveHelper().LeafSpine(2, 2, 2);
        near.GetSwitch(0)->Start();
        NS_TEST_EXPECT_MSG_EQ(LeafOf(near, 0)->GetBaseRtt(), MicroSeconds(4).GetTimeStep(), "");
    }
};

/// The suite.
class ConWeaveTestSuite : public TestSuite
{
  public:
    ConWeaveTestSuite()
        : TestSuite("lossless-conweave", Type::SYSTEM)
    {
        AddTestCase(new InOrderTest);
        AddTestCase(new LostTailTest);
        AddTestCase(new HeldFramesTest);
        AddTestCase(new RandomLeavesTest);
        AddTestCase(new ConWeaveRefusalsTest);
    }
};

ConWeaveTestSuite g_conWeaveTestSuite; //!< registers the suite

} // namespace

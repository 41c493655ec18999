// SPDX-License-Identifier: GPL-2.0-only

// Faults that overlap, that listeners lift and plan, and that come when all flows have ended; and
// what RunWatch makes of them.

#include "fault-test-case.h"
#include "fault-watch.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-loss.h"
#include "ns3/object-factory.h"
#include "ns3/watchdog-helper.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

const FabricLinkSpec LINK{DataRate("100Gbps"), MicroSeconds(1), 0};

/// @return a pipeline of a rate
ObjectFactory
Pipeline(const std::string& rate)
{
    ObjectFactory factory("ns3::NicReceiveBuffer");
    factory.Set("PcieRate", StringValue(rate));
    factory.Set("MissTime", TimeValue(Time(0)));
    return factory;
}

/// Receiver faults of host 0 that overlap: the goodput of a flow to it in each millisecond.
class ReceiverOverlapTest : public FaultTestCase
{
  public:
    using Inject = std::function<void(FaultHelper&)>;

    /// @param gbps by millisecond from 0 on; the first tenth of each is left out
    ReceiverOverlapTest(const std::string& name, Inject inject, std::vector<double> gbps)
        : FaultTestCase("Receiver faults: " + name),
          m_inject(std::move(inject)),
          m_gbps(std::move(gbps))
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(2, LINK));
        run.Flow(1, 0, 1000000000);
        m_inject(*run.faults);
        const auto& counters = run.fabric->GetRdma(0)->GetCounters();
        uint64_t before = 0;
        for (std::size_t i = 0; i < m_gbps.size(); ++i)
        {
            const Time begin = MilliSeconds(i);
            Simulator::Schedule(begin + MicroSeconds(100),
                                [&] { before = counters.payloadDelivered; });
            Simulator::Schedule(begin + MicroSeconds(999), [&, i] {
                const double bits = static_cast<double>(counters.payloadDelivered - before) * 8;
                NS_TEST_EXPECT_MSG_EQ_TOL(bits / 899e3,
                                          m_gbps[i],
                                          0.02 * m_gbps[i] + 0.001,
                                          "Gb/s in millisecond " << i);
            });
        }
        Simulator::Stop(MilliSeconds(m_gbps.size()));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.faults->GetNActive(), 0, "faults");
        NS_TEST_EXPECT_MSG_EQ(bool(run.fabric->GetRdma(0)->GetReceiveBuffer(0)),
                              false,
                              "a buffer is left");
        ExpectInvariants(*run.fabric, "at the end");
    }

    Inject m_inject;
    std::vector<double> m_gbps;
};

/// A pipeline that a host has of its own comes back, and goes on.
class OwnBufferTest : public FaultTestCase
{
  public:
    OwnBufferTest()
        : FaultTestCase("Receiver faults: the pipeline of the host comes back")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(2, LINK));
        const auto own = Pipeline("200Gbps").Create<NicReceiveBuffer>();
        run.fabric->GetRdma(0)->SetReceiveBuffer(0, own);
        run.Flow(1, 0, 50000000);
        run.faults->SlowReceiver(0, Pipeline("1Gbps"), MicroSeconds(100), MicroSeconds(200));
        run.faults->StopReceiver(0, MicroSeconds(200), MicroSeconds(200));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetRdma(0)->GetReceiveBuffer(0), own, "its own");
        NS_TEST_EXPECT_MSG_EQ(own->IsDead(), false, "stopped");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
    }
};

/// Listeners may plan, lift and listen while they are told.
class ListenerTest : public FaultTestCase
{
  public:
    ListenerTest()
        : FaultTestCase("Listeners plan and lift faults")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(4, LINK));
        FaultHelper& faults = *run.faults;
        uint32_t planned = 0;
        faults.OnFault([&](const FaultHelper::Event& event) {
            if (!event.begins && event.what == "silent-port")
            {
                for (uint32_t i = 0; i < 100; ++i, ++planned) // more than a vector has room for
                {
                    faults.CutLink(1, Simulator::Now() + MicroSeconds(10), MicroSeconds(1));
                }
                faults.OnFault([](const FaultHelper::Event&) {});
            }
            if (event.begins && event.what == "host-dead")
            {
                faults.LiftAll(); // before it has lasted
            }
        });
        faults.SilencePort(0, 0, MicroSeconds(1));
        faults.SilencePort(2, 0, MicroSeconds(1));
        faults.CutLink(3, MicroSeconds(100)); // forgotten
        faults.FlapLink(2, MicroSeconds(3), MicroSeconds(1), MicroSeconds(2), 5);
        Simulator::Schedule(MicroSeconds(2), [&] { faults.LiftAll(); });
        faults.OnFault([&](const FaultHelper::Event& event) {
            NS_TEST_EXPECT_MSG_NE(event.where, "link 3", "was forgotten");
        });
        Simulator::Schedule(MicroSeconds(20),
                            [&] { faults.KillHost(1, MicroSeconds(30), MicroSeconds(5)); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(planned, 200, "planned by the listener");
        NS_TEST_EXPECT_MSG_EQ(faults.GetLog().size(), 4 + 2 * 200 + 2, "begins and ends");
        NS_TEST_EXPECT_MSG_EQ(faults.GetNActive(), 0, "last");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetDevice(1, 0)->GetReceiveLosses().size(), 0, "dead");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->IsLinkUp(1), true, "link 1");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->IsLinkUp(2), true, "link 2");
    }
};

/// Flaps are planned one after the other.
class FlapTest : public FaultTestCase
{
  public:
    FlapTest()
        : FaultTestCase("4e9 flaps of a link")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(2, LINK));
        run.faults->FlapLink(0,
                             MicroSeconds(10),
                             MicroSeconds(1),
                             MicroSeconds(4),
                             std::numeric_limits<uint32_t>::max());
        Simulator::Schedule(MicroSeconds(31) + NanoSeconds(500), [&] { run.faults->LiftAll(); });
        Simulator::Run();
        const auto& log = run.faults->GetLog();
        NS_TEST_ASSERT_MSG_EQ(log.size(), 12, "6 cuts");
        for (uint32_t i = 0; i < log.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(log[i].time, MicroSeconds(10 + i / 2 * 4 + i % 2), "time " << i);
            NS_TEST_EXPECT_MSG_EQ(log[i].begins, (i % 2 == 0), "event " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(),
                              MicroSeconds(31) + NanoSeconds(500),
                              "nothing is to come");
    }
};

/// What can be known to be impossible is refused when it is planned.
class PlanningTest : public FaultTestCase
{
  public:
    PlanningTest()
        : FaultTestCase("Impossible attributes are refused when a fault is planned")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(2, LINK));
        FaultHelper& f = *run.faults;
        const Time t = MicroSeconds(1);
        ExpectError([&] { f.SlowReceiver(0, Pipeline("0bps"), t); }, "PcieRate is 0");
        ObjectFactory swapped("ns3::NicReceiveBuffer");
        swapped.Set("XonShare", DoubleValue(0.9));
        ExpectError([&] { f.SlowReceiver(0, swapped, t); }, "XonShare exceeds XoffShare");
        ObjectFactory large("ns3::NicReceiveBuffer");
        large.Set("RegionBytes", UintegerValue(uint64_t{1} << 52));
        ExpectError([&] { f.SlowReceiver(0, large, t); }, "at most 2^30");
        ExpectError([&] { f.FlapLink(0, t, Seconds(1), Seconds(4000000), 5); },
                    "it can flap 3 times");
        ExpectError([&] { f.CutLink(0, Seconds(1), Time::Max()); }, "ends after the last time");
        const auto loss = CreateObject<SilentLoss>();
        f.LoseFrames(0, 0, loss, t, t);
        f.LoseFrames(0, 0, loss, t + t / 2, t);
        ExpectError([&] { f.LoseFrames(1, 0, loss, t); }, "one object serves one port");
        Simulator::Schedule(MicroSeconds(2) + NanoSeconds(200), [&] {
            const auto& losses = run.fabric->GetDevice(0, 0)->GetReceiveLosses();
            NS_TEST_EXPECT_MSG_EQ(losses.size(), 1, "the second fault lasts");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(f.GetLog().size(), 4, "two faults");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetDevice(0, 0)->GetReceiveLosses().size(), 0, "over");
    }
};

/// What is still due keeps a run from being stuck.
class DueTest : public FaultTestCase
{
  public:
    DueTest()
        : FaultTestCase("The end of a fault is something to come")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(4, LINK));
        run.Flow(1, 0, 10000000);
        run.faults->StormHost(0, MicroSeconds(100), MilliSeconds(50)); // the patience is 2 ms
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.watch->IsStuck(), false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
    }
};

/// The default patience lets watchdogs act.
class WatchdogPatienceTest : public FaultTestCase
{
  public:
    WatchdogPatienceTest()
        : FaultTestCase("A NIC watchdog of 100 ms acts before the run is stuck")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(4, LINK));
        FaultHelper faults(*run.fabric); // with the default patience
        FaultWatch watch(*run.fabric, *run.flows, faults);
        WatchdogHelper(*run.fabric).InstallNics();
        run.watch->StopWhenStuck(false);
        run.Flow(1, 0, 10000000);
        faults.StormHost(0, MicroSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(watch.IsStuck(), false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, FirstReason(*run.flows));
        NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(100), "the watchdog took its time");
    }
};

/// IRN has timeouts of its own, in place of RetransmitTimeout.
class IrnTimeoutTest : public FaultTestCase
{
  public:
    IrnTimeoutTest()
        : FaultTestCase("Timeouts of IRN are to come")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetLosslessClasses({});
        helper.SetQueuePair("RetransmitTimeout", TimeValue(Time(0)));
        helper.SetQueuePair("LossRecovery",
                            StringValue("ns3::RdmaIrn[TimeoutLow=10ms|TimeoutHigh=10ms]"));
        const Fabric fabric = helper.FromTopology(FabricTopology::Star(2, LINK));
        RdmaFlowHelper flows(fabric);
        FaultHelper faults(fabric);
        FaultWatch watch(fabric, flows, faults);
        watch.SetPatience(MilliSeconds(2));
        flows.Add({1, 0, 10000000});
        faults.KillHost(0, MicroSeconds(100), MicroSeconds(100));
        std::string reason;
        Simulator::Schedule(MilliSeconds(5), [&] { reason = FirstReason(flows); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(watch.IsStuck(), false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, FirstReason(flows));
        NS_TEST_EXPECT_MSG_EQ(reason.find("no retransmission timeout"), std::string::npos, reason);
    }
};

/// A fault when all flows have ended, and one of flows that are added later.
class LateFaultTest : public FaultTestCase
{
  public:
    explicit LateFaultTest(bool flow)
        : FaultTestCase(std::string("A storm after the last flow") + (flow ? ", and a flow" : "")),
          m_flow(flow)
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(4, LINK));
        run.Flow(1, 0, 1000000); // 0.1 ms
        if (m_flow)
        {
            // Stuck without FaultHelper knowing: the flow itself begins the watch.
            Simulator::Schedule(MilliSeconds(30), [&] {
                run.fabric->GetDevice(2, 0)->OverridePause(8, 0);
                run.Flow(3, 2, 1000000, MilliSeconds(30) + MicroSeconds(1));
            });
        }
        else
        {
            run.faults->StormHost(2, MilliSeconds(30));
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.watch->IsStuck(), true, "stuck");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(34), "ends in time");
    }

    bool m_flow;
};

/// A run ends with its last flow, and rates are over its flows.
class IdleEndTest : public FaultTestCase
{
  public:
    IdleEndTest()
        : FaultTestCase("What is idle after the last flow dilutes no rate")
    {
    }

  private:
    void DoRun() override
    {
        RunOptions options;
        options.stopWhenDone = false;
        FabricRun run(FabricHelper().FromTopology(FabricTopology::Star(2, LINK)), options);
        run.Faults(); // with the default patience
        run.Rdma().Add({1, 0, 10000000});
        Time idle;
        run.Rdma().OnEnd([&](const RdmaFlowResult&) {
            idle = Simulator::Now() + MilliSeconds(100);
            Simulator::Schedule(MilliSeconds(100), [] {});
        });
        const RunTotals totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), idle, "nothing else prolongs the run");
        NS_TEST_EXPECT_MSG_EQ(totals.active, run.Rdma().GetLastEnd(), "time of the flows");
        NS_TEST_EXPECT_MSG_EQ(totals.simulated, idle, "simulated");
        Simulator::Destroy();
    }
};

/// What has killed a flow is told.
class DropReasonTest : public FaultTestCase
{
  public:
    explicit DropReasonTest(bool stopped)
        : FaultTestCase(std::string("The reason of a flow killed by ") +
                        (stopped ? "a stopped receiver" : "a watchdog")),
          m_stopped(stopped)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(200)));
        if (m_stopped)
        {
            helper.SetLosslessClasses({}); // no pause: its buffer overflows
        }
        const Fabric fabric = helper.FromTopology(FabricTopology::Star(2, LINK));
        RdmaFlowHelper flows(fabric);
        FaultHelper faults(fabric);
        FaultWatch watch(fabric, flows, faults);
        WatchdogHelper(fabric).InstallSwitches("TimeScale", DoubleValue(0.001));
        flows.Add({1, 0, 100000000});
        m_stopped ? faults.StopReceiver(0, MicroSeconds(100))
                  : faults.StormHost(0, MicroSeconds(100));
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFailed(), 1, "failed");
        ExpectReason(flows, "RETRY_EXCEEDED; ");
        ExpectReason(flows,
                     m_stopped
                         ? "host 0 port 0 does not take what arrives: its receive pipeline is "
                           "stopped"
                         : " frames for a watchdog");
        ExpectListed(flows);
    }

    bool m_stopped;
};

class FaultsOverlapTestSuite : public TestSuite
{
  public:
    FaultsOverlapTestSuite()
        : TestSuite("lossless-faults-overlap", Type::SYSTEM)
    {
        AddReceivers();
        AddTestCase(new OwnBufferTest);
        AddTestCase(new ListenerTest);
        AddTestCase(new FlapTest);
        AddTestCase(new PlanningTest);
        AddTestCase(new DueTest);
        AddTestCase(new WatchdogPatienceTest);
        AddTestCase(new IrnTimeoutTest);
        AddTestCase(new LateFaultTest(false));
        AddTestCase(new LateFaultTest(true));
        AddTestCase(new IdleEndTest);
        AddTestCase(new DropReasonTest(false));
        AddTestCase(new DropReasonTest(true));
    }

  private:
    void AddReceivers()
    {
        constexpr double FULL = 92.6; // payload of 100 Gb/s in packets of 1024 bytes
        const auto ms = [](int64_t count) { return MilliSeconds(count); };
        AddTestCase(new ReceiverOverlapTest("two stops",
                                            [=](FaultHelper& f) {
                                                f.StopReceiver(0, ms(1), ms(2));
                                                f.StopReceiver(0, ms(2), ms(2));
                                            },
                                            {FULL, 0, 0, 0, FULL}));
        AddTestCase(new ReceiverOverlapTest("a slow pipeline in a stop",
                                            [=](FaultHelper& f) {
                                                f.StopReceiver(0, ms(1), ms(3));
                                                f.SlowReceiver(0, Pipeline("20Gbps"), ms(2), ms(1));
                                            },
                                            {FULL, 0, 0, 0, FULL}));
        AddTestCase(new ReceiverOverlapTest("a stop in a slow pipeline",
                                            [=](FaultHelper& f) {
                                                f.SlowReceiver(0, Pipeline("20Gbps"), ms(1), ms(3));
                                                f.StopReceiver(0, ms(2), ms(1));
                                            },
                                            {FULL, 20, 0, 20, FULL}));
        AddTestCase(new ReceiverOverlapTest("two slow pipelines",
                                            [=](FaultHelper& f) {
                                                f.SlowReceiver(0, Pipeline("20Gbps"), ms(1), ms(2));
                                                f.SlowReceiver(0, Pipeline("10Gbps"), ms(2), ms(2));
                                            },
                                            {FULL, 20, 10, 10, FULL}));
        AddTestCase(new ReceiverOverlapTest("a slower pipeline within a slow one",
                                            [=](FaultHelper& f) {
                                                f.SlowReceiver(0, Pipeline("20Gbps"), ms(1), ms(3));
                                                f.SlowReceiver(0, Pipeline("10Gbps"), ms(2), ms(1));
                                            },
                                            {FULL, 20, 10, 20, FULL}));
    }
};

FaultsOverlapTestSuite g_faultsOverlapTestSuite; //!< registers the suite

} // namespace

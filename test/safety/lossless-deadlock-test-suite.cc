// SPDX-License-Identifier: GPL-2.0-only

// Deadlocks: found, reported, broken; and what only looks like one.

#include "deadlock-test-case.h"
#include "run-scene.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/fabric-run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>

using namespace ns3;
using namespace ns3::tests;

namespace
{

/// The deadlock is found, in order, with its flows, and is one: it outlives its sources.
class RingTest : public DeadlockTest
{
  public:
    RingTest()
        : DeadlockTest("A ring of paused buffers is found and stays")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = BuildRing(MakeHelper());
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromRoutes(fabric).HasCycle(), true, "routes");
        const auto detector = DeadlockHelper(fabric).InstallDetector();
        uint32_t traced = 0;
        detector->TraceConnectWithoutContext(
            "Deadlock",
            Callback<void, const Deadlock&>([&traced](const Deadlock&) { ++traced; }));
        RdmaFlowHelper flows(fabric);
        FillRing(flows);
        RunUntil(MilliSeconds(6));
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
        NS_TEST_EXPECT_MSG_EQ(traced, 1, "traced");
        const Deadlock& deadlock = detector->GetDeadlocks()[0];
        NS_TEST_EXPECT_MSG_LT_OR_EQ(deadlock.time, MilliSeconds(5), "found late");
        NS_TEST_ASSERT_MSG_EQ(deadlock.cycle.size(), SWITCHES, "vertices");
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            // The ingress of each switch from the one before it; port 0 of switch 0 leads on.
            const BufferVertex& vertex = deadlock.cycle[i];
            const FabricTopology& topology = fabric.GetTopology();
            const uint32_t before = (i + SWITCHES - 1) % SWITCHES;
            NS_TEST_EXPECT_MSG_EQ(vertex.switchIndex, i, "order");
            NS_TEST_EXPECT_MSG_EQ(vertex.port, topology.GetPort(i, before), "port of " << i);
            NS_TEST_EXPECT_MSG_EQ(vertex.trafficClass, 3, "class of " << i);
        }
        std::set<std::string> sources;
        for (const DeadlockFlow& flow : deadlock.flows)
        {
            sources.insert(flow.source);
            NS_TEST_EXPECT_MSG_GT(flow.frames, 0, flow.source);
            NS_TEST_EXPECT_MSG_GT(flow.destinationQp, 0, flow.source);
        }
        NS_TEST_EXPECT_MSG_EQ(sources.size(), SWITCHES * HOSTS, "all flows are stuck");
        NS_TEST_EXPECT_MSG_EQ(sources.count("10.0.0.1"), 1, "by address");

        StopHosts(fabric);
        RunUntil(MilliSeconds(16));
        const uint64_t sent = BytesSent(fabric);
        NS_TEST_EXPECT_MSG_GT(CellsHeld(fabric), 0, "buffers hold frames");
        RunUntil(MilliSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(BytesSent(fabric), sent, "nothing moves");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 1, "still the same");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].IsOver(), false, "still there");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(detector->GetPolls(), 8, "it looked on at what does not move");
    }
};

/// Frames of another class that are thrown away are no movement of this one.
class OtherClassTest : public DeadlockTest
{
  public:
    OtherClassTest()
        : DeadlockTest("Drops of one class do not hide that another is still")
    {
    }

  private:
    void DropOne(const Fabric& fabric, uint8_t cls)
    {
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
            {
                auto* frame = new Frame;
                frame->trafficClass = cls;
                frame->bytes = 64;
                fabric.GetSwitch(i)->GetPort(port)->Drop(frame, DropReason::WATCHDOG);
            }
        }
        Simulator::Schedule(MicroSeconds(500), [this, fabric, cls] { DropOne(fabric, cls); });
    }

    /// @param cls class of which frames are thrown away all the time @return deadlocks found
    std::size_t CountDeadlocks(uint8_t cls)
    {
        const Fabric fabric = BuildRing(MakeHelper({3, 4}));
        const auto detector = DeadlockHelper(fabric).InstallDetector();
        RdmaFlowHelper flows(fabric);
        FillRing(flows);
        DropOne(fabric, cls);
        RunUntil(MilliSeconds(8));
        const std::size_t found = detector->GetDeadlocks().size();
        Simulator::Destroy();
        return found;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountDeadlocks(4), 1, "class 3 is still");
        NS_TEST_EXPECT_MSG_EQ(CountDeadlocks(3), 0, "class 3 moves");
    }
};

/// Action Stop ends the run with the second look without movement.
class StopTest : public DeadlockTest
{
  public:
    StopTest()
        : DeadlockTest("Action Stop ends the run")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = BuildRing(MakeHelper());
        DeadlockHelper deadlocks(fabric);
        const auto detector =
            deadlocks.InstallDetector("Action", StringValue("Stop"), "Period", StringValue("50us"));
        RdmaFlowHelper flows(fabric);
        FillRing(flows);
        RunUntil(MilliSeconds(10));
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "found");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), detector->GetDeadlocks()[0].time, "stopped then");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(2), "late");
    }
};

/// Attributes that change when a deadlock is there act on it.
class LateChangeTest : public DeadlockTest
{
  public:
    LateChangeTest()
        : DeadlockTest("Action acts on a deadlock that is known, and Period moves the poll")
    {
    }

  private:
    /// @return the detector of a ring that runs @param period attribute Period
    Ptr<DeadlockDetector> Begin(const char* period)
    {
        m_fabric = BuildRing(MakeRetryingHelper());
        const auto detector =
            DeadlockHelper(*m_fabric).InstallDetector("Period", StringValue(period));
        m_flows = std::make_unique<RdmaFlowHelper>(*m_fabric);
        FillRing(*m_flows, 2000000);
        return detector;
    }

    void End()
    {
        m_flows.reset();
        m_fabric.reset();
        Simulator::Destroy();
    }

    /// @param during whether the action changes in an event, else between two runs
    void TestDrain(bool during)
    {
        const auto detector = Begin("100us");
        const auto setAction = [&detector] {
            detector->SetAttribute("Action", StringValue("Drain"));
        };
        const Time at = MilliSeconds(5);
        RunUntil(at);
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].IsOver(), false, "and stays");
        if (during)
        {
            Simulator::Schedule(Time(0), setAction);
        }
        else
        {
            setAction();
        }
        RunUntil(MilliSeconds(6));
        const Deadlock& broken = detector->GetDeadlocks()[0];
        NS_TEST_EXPECT_MSG_EQ(broken.end, at, "broken at once");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(broken.flushedQueues, 1, "by throwing away queues");
        NS_TEST_EXPECT_MSG_GT(broken.flushedFrames, 0, "of frames");
        RunUntil(MilliSeconds(400));
        NS_TEST_EXPECT_MSG_EQ(m_flows->GetNCompleted(), SWITCHES * HOSTS, "all flows complete");
        for (const Deadlock& deadlock : detector->GetDeadlocks())
        {
            NS_TEST_EXPECT_MSG_EQ(deadlock.IsOver(), true, "the next ones are broken, too");
        }
        End();
    }

    void TestStop()
    {
        const auto detector = Begin("100us");
        Simulator::Schedule(MilliSeconds(5),
                            [&detector] { detector->SetAttribute("Action", StringValue("Stop")); });
        RunUntil(MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(5), "stopped at once");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].IsOver(), false, "and stays");
        End();
    }

    /// A deadlock that links going down have broken is not one to act on.
    void TestBroken()
    {
        const auto detector = Begin("3ms");
        RunUntil(MilliSeconds(10));
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
        for (const BufferVertex& vertex : detector->GetDeadlocks()[0].cycle)
        {
            const auto fabricSwitch = m_fabric->GetSwitch(vertex.switchIndex);
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                fabricSwitch->GetPort(port)->FlushClass(3, DropReason::LINK_DOWN);
            }
        }
        detector->SetAttribute("Action", StringValue("Stop"));
        RunUntil(MilliSeconds(11));
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(11), "nothing to stop for");
        const Deadlock& broken = detector->GetDeadlocks()[0];
        NS_TEST_EXPECT_MSG_EQ(broken.end, MilliSeconds(10), "seen broken");
        NS_TEST_EXPECT_MSG_EQ(broken.flushedFrames, 0, "not by the detector");
        End();
    }

    /// The first poll is planned with the first pause, far away, and comes nearer.
    void TestPeriod()
    {
        const auto detector = Begin("1s");
        for (int64_t us = 4000; us < 6000; us += 10)
        {
            Simulator::Schedule(MicroSeconds(us), [&detector] {
                detector->SetAttribute("Period", TimeValue(MicroSeconds(100)));
            });
        }
        RunUntil(MilliSeconds(4) - NanoSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(detector->GetPolls(), 0, "far away");
        RunUntil(MilliSeconds(6));
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].time,
                              MicroSeconds(4200),
                              "two periods after the poll that was due");
        End();
    }

    void DoRun() override
    {
        TestDrain(true);
        TestDrain(false);
        TestStop();
        TestBroken();
        TestPeriod();
    }

    std::optional<Fabric> m_fabric;
    std::unique_ptr<RdmaFlowHelper> m_flows;
};

/// Action Drain breaks it as often as it takes, and loss recovery repairs what was thrown away.
class DrainTest : public DeadlockTest
{
  public:
    DrainTest()
        : DeadlockTest("Action Drain breaks it, and all flows complete")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = BuildRing(MakeRetryingHelper());
        DeadlockHelper deadlocks(fabric);
        const auto detector = deadlocks.InstallDetector("Action",
                                                        StringValue("Drain"),
                                                        "Period",
                                                        StringValue("100us"));
        RdmaFlowHelper flows(fabric);
        FillRing(flows, 2000000);
        RunUntil(MilliSeconds(400));
        uint64_t flushed = 0;
        for (const Deadlock& deadlock : detector->GetDeadlocks())
        {
            flushed += deadlock.flushedFrames;
            NS_TEST_EXPECT_MSG_EQ(deadlock.IsOver(), true, "broken");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(deadlock.flushedQueues, 1, "something was thrown away");
        }
        uint64_t drops = 0;
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            drops += fabric.GetSwitch(i)->GetDropCount(DropReason::DEADLOCK);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetMmu()->IsIdle(), true, "buffer " << i);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetMmu()->CheckInvariants(), "", i);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetLosslessDrops(),
                                  fabric.GetSwitch(i)->GetDropCount(DropReason::DEADLOCK),
                                  "other drops at " << i);
        }
        NS_TEST_EXPECT_MSG_GT(flushed, 0, "deadlocks");
        NS_TEST_EXPECT_MSG_EQ(drops, flushed, "counted");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "flows");
    }
};

/// A host that pauses for ever stops everything behind it: a storm. It ends with its cause.
class StormTest : public DeadlockTest
{
  public:
    explicit StormTest(bool ring)
        : DeadlockTest(ring ? "A storm in a ring is no deadlock, and ends with its cause"
                            : "A storm in a leaf-spine fabric is no deadlock"),
          m_ring(ring)
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = m_ring ? BuildRing(MakeHelper()) : MakeHelper().LeafSpine(2, 2, 4);
        DeadlockHelper deadlocks(fabric);
        const auto detector = deadlocks.InstallDetector("Period", StringValue("20us"));
        RdmaFlowHelper flows(fabric);
        if (m_ring)
        {
            // Round the ring, but only so much that the ring itself is not full: everything goes to
            // the one host that pauses, from one switch before it and from three.
            AddFlow(flows, 0, 2, 4000000);
            AddFlow(flows, 4, 2, 4000000);
        }
        else
        {
            for (uint32_t host = 1; host < 8; ++host)
            {
                AddFlow(flows, host, 0, 4000000);
                AddFlow(flows, host, 1 + host % 7, 1000000);
            }
        }
        // The NIC of the receiver pauses its switch.
        const uint32_t receiver = m_ring ? 2 : 0;
        const auto nic = fabric.GetDevice(fabric.GetTopology().GetHosts()[receiver], 0);
        Simulator::Schedule(MicroSeconds(50), [nic] { nic->OverridePause(1 << 3, 0); });
        RunUntil(MilliSeconds(5));
        const uint64_t sent = BytesSent(fabric);
        RunUntil(MilliSeconds(6));
        NS_TEST_EXPECT_MSG_EQ(BytesSent(fabric), sent, "the storm has not stopped everything");
        NS_TEST_EXPECT_MSG_GT(CellsHeld(fabric), 0, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "a false report");
        nic->OverridePause(0, 0);
        RunUntil(MilliSeconds(60));
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "a false report");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "flows after the storm");
        ExpectClean(fabric);
    }

    bool m_ring;
};

/// A circle of waiting buffers that a storm keeps full is no deadlock: they resume with its end.
/// Each ingress of the ring holds much for a host that pauses, and a little for the next switch,
/// which waits for the next ingress.
class CircleBehindStormTest : public DeadlockTest
{
  public:
    CircleBehindStormTest()
        : DeadlockTest("Buffers in a circle that a stuck host fills are no deadlock")
    {
    }

  private:
    /// @return whether the ring's ingress of a switch is paused and has frames that wait for the
    /// next
    static bool Waits(const Fabric& fabric, uint32_t i)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const uint32_t in = topology.GetPort(i, (i + SWITCHES - 1) % SWITCHES);
        const auto egress = fabric.GetDevice(i, topology.GetPort(i, i));
        bool holds = false;
        for (const Frame* frame = egress->Queues().Head(3); frame; frame = frame->next)
        {
            holds = holds || frame->inPort == in;
        }
        return holds && (egress->PausedMask() & 8) &&
               fabric.GetSwitch(i)->GetMmu()->GetIngress(in, 3).paused;
    }

    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        const Fabric fabric = BuildRing(helper);
        DeadlockHelper deadlocks(fabric);
        const auto detector = deadlocks.InstallDetector("Period", StringValue("20us"));
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            AddFlow(flows, i * HOSTS, (i + 1) % SWITCHES * HOSTS, 3000000);
            const auto nic = fabric.GetDevice(fabric.GetTopology().GetHosts()[i * HOSTS], 0);
            nic->OverridePause(1 << 3, 0);
            Simulator::Schedule(MilliSeconds(3), [nic] { nic->OverridePause(0, 0); });
        }
        ObjectFactory slow("ns3::RdmaFixedRate");
        slow.Set("Rate", StringValue("8Gbps"));
        flows.SetCongestionControl(slow);
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            // Less than a threshold: it alone closes no circle.
            AddFlow(flows, i * HOSTS + 1, (i + 2) % SWITCHES * HOSTS + 1, 100000);
        }
        RunUntil(MilliSeconds(3) - NanoSeconds(1));
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Waits(fabric, i), true, "no circle at " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "a false report");
        RunUntil(MilliSeconds(30));
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "a false report");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "flows after the storm");
    }
};

/// The detector costs nothing without pauses, and keeps no simulation alive.
class QuietTest : public DeadlockTest
{
  public:
    explicit QuietTest(bool pauses)
        : DeadlockTest(pauses ? "With pauses the detector ends with them"
                              : "Without pauses the detector has no event"),
          m_pauses(pauses)
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeHelper().Dumbbell(4, 4, DataRate("400Gbps"));
        const auto detector = DeadlockHelper(fabric).InstallDetector();
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 0; host < (m_pauses ? 4 : 1); ++host)
        {
            AddFlow(flows,
                    host,
                    4,
                    m_pauses ? 8000000 : 100000); // an incast pauses the first switch
        }
        Time last;
        flows.OnEnd([&last](const RdmaFlowResult&) { last = Simulator::Now(); });
        Simulator::Run(); // to the end of all events
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "flows");
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "deadlocks");
        if (m_pauses)
        {
            NS_TEST_EXPECT_MSG_GT(detector->GetPolls(), 2, "it has looked");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(detector->GetPolls(),
                                        1 + static_cast<uint64_t>(last.GetMicroSeconds()) / 1000,
                                        "once a period at most");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(detector->GetPolls(), 0, "looked at nothing");
        }
    }

    bool m_pauses;
};

/// A run reports deadlocks where there is a detector, and says nothing where there is none.
class StatsTest : public DeadlockTest
{
  public:
    explicit StatsTest(bool installed)
        : DeadlockTest(installed ? "Statistics list the deadlock"
                                 : "Statistics without a detector"),
          m_installed(installed)
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = BuildRing(MakeHelper());
        if (m_installed)
        {
            DeadlockHelper(fabric).InstallDetector("Period", StringValue("50us"));
        }
        const std::filesystem::path folder = CreateTempDirFilename("deadlock-stats");
        RunOptions options;
        options.outDir = folder.string();
        options.stop = MilliSeconds(2);
        FabricRun run(fabric, options);
        RdmaFlowHelper& flows = run.Rdma();
        FillRing(flows);
        const std::string summary = run.Execute().Summary();
        const std::string json = tests::ContentOf(folder / "summary.json");
        const std::string csv = tests::ContentOf(folder / "deadlock.csv");
        const auto has = [](const std::string& text, const std::string& part) {
            return text.find(part) != std::string::npos;
        };
        NS_TEST_EXPECT_MSG_EQ(has(summary, "Deadlocks: 1\n"), m_installed, summary);
        // Data and answers of each are stuck.
        NS_TEST_EXPECT_MSG_EQ(
            has(summary, " frames of " + std::to_string(flows.GetNFlows()) + " flows: "),
            m_installed,
            summary);
        NS_TEST_EXPECT_MSG_EQ(has(json, "\"deadlocks\": 1"), m_installed, json);
        NS_TEST_EXPECT_MSG_EQ(has(json, "\"deadlocks_open\": 1"), m_installed, json);
        NS_TEST_EXPECT_MSG_EQ(csv.empty(), !m_installed, "deadlock.csv");
        if (m_installed)
        {
            NS_TEST_EXPECT_MSG_EQ(has(csv, ",4,0:1:3 1:0:3 2:0:3 3:0:3,"), true, csv);
            NS_TEST_EXPECT_MSG_EQ(has(csv, "10.0.0.1>10.0.0.5/"), true, csv);
        }
    }

    bool m_installed;
};

class DeadlockTestSuite : public TestSuite
{
  public:
    DeadlockTestSuite()
        : TestSuite("lossless-deadlock", Type::SYSTEM)
    {
        AddTestCase(new RingTest);
        AddTestCase(new OtherClassTest);
        AddTestCase(new StopTest);
        AddTestCase(new LateChangeTest);
        AddTestCase(new DrainTest);
        AddTestCase(new StormTest(false));
        AddTestCase(new StormTest(true));
        AddTestCase(new CircleBehindStormTest);
        AddTestCase(new QuietTest(false));
        AddTestCase(new QuietTest(true));
        AddTestCase(new StatsTest(true));
        AddTestCase(new StatsTest(false));
    }
};

DeadlockTestSuite g_deadlockTestSuite; //!< registers the suite

} // namespace

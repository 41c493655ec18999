// SPDX-License-Identifier: GPL-2.0-only

// PFC watchdogs in a fabric: when they see a storm, what they do about it, and that nothing of it
// stays when the storm is over. The conditions and the transitions, without a simulator, are in
// pfc-storm-unit.cc and h3c-storm-unit.cc; that nothing else alarms is in
// lossless-watchdog-alarms-test-suite.cc; NICs and the helper have suites of their own.

#include "fault-watch.h"
#include "storm-scene.h"

#include "ns3/boolean.h"
#include "ns3/fault-helper.h"

using namespace ns3;

namespace
{

/// Swallows PFC frames: pauses then end by their quanta.
class PfcLoss : public FrameLoss
{
  public:
    bool IsLost(const Frame& frame) override
    {
        return frame.kind == FrameKind::PFC;
    }
};

/// A dialect that polls, and an action: the times, the effect, and that nothing stays.
class PolledStormTest : public WatchdogTestCase
{
  public:
    PolledStormTest(const std::string& dialect, const std::string& action)
        : WatchdogTestCase(dialect + ", " + action),
          m_dialect(dialect),
          m_action(action)
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::" + m_dialect, m_action);
        StormScene::At(MicroSeconds(1590), [&] { Before(scene); });
        StormScene::At(MicroSeconds(1700), [&] { During(scene); });
        StormScene::At(MicroSeconds(4900), [&] { During(scene); });
        StormScene::At(MicroSeconds(5500), [&] { After(scene); });
        // A short pause after all that is honoured, and no storm.
        StormScene::At(MicroSeconds(5600), [&] { scene.nic->OverridePause(BIT, 0); });
        StormScene::At(MicroSeconds(5650), [&] {
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), BIT, "PFC is honoured again");
            scene.nic->OverridePause(0, 0);
        });
        Simulator::Run();
        // Paused at 1.001 ms: the polls at 1.4 and 1.6 ms agree. The last PAUSE came at 4.86 ms:
        // the polls at 5.2 and 5.4 ms saw none; an alert ends at the first poll that disagrees.
        ExpectEvent(scene, 0, MicroSeconds(1600), OPERATIONAL, STORMED);
        const Time restored = MicroSeconds(m_action == "Alert" ? 5200 : 5400);
        ExpectEvent(scene, 1, restored, STORMED, OPERATIONAL);
        NS_TEST_EXPECT_MSG_EQ(scene.events.size(), 2, "no other storm");
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().storms, 1, "storms");
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().restored, 1, "restored");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete in the end");
        ExpectSettled(scene.fabric);
        ExpectDrops(scene);
    }

    /// Just before the storm is detected.
    void Before(const StormScene& scene)
    {
        NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), BIT, "the storm is obeyed");
        const auto host = scene.fabric.GetRdma(1)->GetDevice(0);
        NS_TEST_EXPECT_MSG_EQ(+host->PausedMask(), BIT, "and has spread to host 1");
        m_sent = scene.port->GetCounters().txClassBytes[CLASS];
    }

    /// Well within the storm.
    void During(const StormScene& scene)
    {
        const uint64_t sent = scene.port->GetCounters().txClassBytes[CLASS] - m_sent;
        const auto victim = scene.fabric.GetRdma(1)->GetDevice(0);
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), STORMED, "state");
        const bool alert = m_action == "Alert";
        NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), (alert ? BIT : 0), "pause at the port");
        NS_TEST_EXPECT_MSG_EQ(+victim->PausedMask(), (alert ? BIT : 0), "pause at host 1");
        if (m_action == "Forward")
        {
            NS_TEST_EXPECT_MSG_GT(sent, 1000000, "the queue is sent");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(sent, 0, "nothing is sent");
        }
        if (m_action == "Drop")
        {
            NS_TEST_EXPECT_MSG_EQ(scene.port->Queues().Frames(CLASS), 0, "the queue is flushed");
        }
        const auto mmu = scene.fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu->CheckInvariants(), "", "the books agree");
    }

    /// After the restoration.
    void After(const StormScene& scene)
    {
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), OPERATIONAL, "state");
        NS_TEST_EXPECT_MSG_EQ(+scene.port->GetObeyer().Ignored(), 0, "PFC is honoured");
        NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), 0, "and nothing is paused");
    }

    /// Drops are those of the action, and the books of the watchdog are those of the switch.
    void ExpectDrops(const StormScene& scene)
    {
        const PfcWatchdog::Counters& counters = scene.watchdog->GetCounters(0, CLASS);
        const uint64_t all = scene.fabric.GetSwitch(0)->GetDropCount(DropReason::WATCHDOG);
        NS_TEST_EXPECT_MSG_EQ(counters.queueDrops + counters.ingressDrops, all, "drops");
        NS_TEST_EXPECT_MSG_EQ(scene.fabric.GetSwitch(0)->GetLosslessDrops(), all, "no other drop");
        if (m_action == "Drop")
        {
            NS_TEST_EXPECT_MSG_GT(counters.queueDrops, 100, "flushed and refused");
            NS_TEST_EXPECT_MSG_GT(counters.ingressDrops, 100, "of host 0");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(all, 0, "nothing is dropped");
        }
    }

    std::string m_dialect;
    std::string m_action;
    uint64_t m_sent{0};
};

/// H3C: timers, automatic clearing, and detection once more.
class H3cStormTest : public WatchdogTestCase
{
  public:
    H3cStormTest()
        : WatchdogTestCase("H3cStorm, clearing for a time, then detection anew")
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::H3cStorm", "Drop");
        Simulator::Run();
        // XOFF takes effect 1.007 us after it was sent, and is sent again every 167.77 us.
        const Time first = NanoSeconds(1001007);
        const Time refresh = NanoSeconds(REFRESH_NS);
        ExpectEvent(scene, 0, first + MicroSeconds(400), OPERATIONAL, STORMED);
        ExpectEvent(scene, 1, first + MicroSeconds(800), STORMED, OPERATIONAL);
        // The first refresh after clearing: the fifth.
        const Time second = first + 5 * refresh;
        ExpectEvent(scene, 2, second + MicroSeconds(400), OPERATIONAL, STORMED);
        ExpectEvent(scene, 3, second + MicroSeconds(800), STORMED, OPERATIONAL);
        NS_TEST_EXPECT_MSG_EQ(scene.events.size() % 2, 0, "each storm ends");
        NS_TEST_EXPECT_MSG_EQ(scene.events.back().to, OPERATIONAL, "the last state");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete in the end");
        ExpectSettled(scene.fabric);
    }
};

/// H3C: the limit disables PFC, the administrator restores it.
class H3cLimitTest : public WatchdogTestCase
{
  public:
    H3cLimitTest()
        : WatchdogTestCase("H3cStorm, limit, forced disable and Restore()")
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::H3cStorm", "Drop", 2);
        StormScene::At(MicroSeconds(2300), [&] {
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), DISABLED, "at the limit");
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), 0, "PFC is off");
            m_sent = scene.port->GetCounters().txClassBytes[CLASS];
        });
        StormScene::At(MilliSeconds(7), [&] {
            const uint64_t sent = scene.port->GetCounters().txClassBytes[CLASS] - m_sent;
            NS_TEST_EXPECT_MSG_GT(sent, 0, "frames pass");
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS),
                                  DISABLED,
                                  "by itself: no end");
            scene.watchdog->Restore(0, CLASS);
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), OPERATIONAL, "restored");
        });
        StormScene::At(MicroSeconds(7100), [&] { scene.nic->OverridePause(BIT, 0); });
        StormScene::At(MicroSeconds(7200), [&] {
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), BIT, "PFC is honoured again");
        });
        // From 7.101 ms; the count has begun anew, so that this storm is cleared and not the
        // limit.
        StormScene::At(MicroSeconds(7600), [&] {
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), STORMED, "first of two");
            scene.nic->OverridePause(0, 0);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().storms, 3, "storms");
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().disabled, 1, "disabled once");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete in the end");
        ExpectSettled(scene.fabric);
    }

    uint64_t m_sent{0};
};

/// Restoration does not meet a pause that was ignored, and whose time is not over.
class StaleExpiryTest : public WatchdogTestCase
{
  public:
    StaleExpiryTest()
        : WatchdogTestCase("Restoration before the ignored pause would expire")
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::SonicBrcmStorm", "Drop");
        // From the refresh at 2.007 ms on PFC is lost, as in a NIC that dies at last. The watchdog
        // is restored by hand 93 us later; that pause would expire at 2.343 ms.
        StormScene::At(MicroSeconds(2010),
                       [&] { scene.port->AddReceiveLoss(CreateObject<PfcLoss>()); });
        uint32_t changes = 0;
        StormScene::At(MicroSeconds(2100), [&] {
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), STORMED, "state");
            scene.watchdog->Restore(0, CLASS);
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), 0, "open at once");
            NS_TEST_EXPECT_MSG_EQ(+scene.port->GetObeyer().Ignored(), 0, "PFC is honoured");
            m_sent = scene.port->GetCounters().txClassBytes[CLASS];
            scene.port->TraceConnectWithoutContext(
                "PauseState",
                Callback<void, const QbbNetDevice&, uint32_t, bool>(
                    [&changes](const QbbNetDevice&, uint32_t, bool) { ++changes; }));
        });
        StormScene::At(MicroSeconds(4990), [&] {
            NS_TEST_EXPECT_MSG_EQ(changes, 0, "no pause begins or ends by what was ignored");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(scene.port->GetCounters().txClassBytes[CLASS], m_sent, "it sends");
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().storms, 1, "storms");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete");
        ExpectSettled(scene.fabric);
    }

    uint64_t m_sent{0};
};

/// A watchdog looks at the PAUSE that a port receives: what it sends is no storm.
class SentPauseTest : public WatchdogTestCase
{
  public:
    explicit SentPauseTest(const std::string& dialect)
        : WatchdogTestCase(dialect + " ignores PAUSE that the port sends"),
          m_dialect(dialect)
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::" + m_dialect, "Drop");
        scene.nic = scene.fabric.GetSwitch(0)->GetPort(1); // pauses host 1, and not host 0 others
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(scene.nic->GetIssuer().Get(CLASS).txRefresh, 20, "PAUSE was sent");
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().storms, 0, "no storm");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete");
        ExpectSettled(scene.fabric);
    }

    std::string m_dialect;
};

/// The big red switch: drops everything that is watched, until it is off.
class BigRedSwitchTest : public WatchdogTestCase
{
  public:
    BigRedSwitchTest()
        : WatchdogTestCase("Big red switch")
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::SonicBrcmStorm", "Alert");
        StormScene::At(MicroSeconds(500), [&] {
            scene.watchdog->SetAttribute("BigRedSwitch", BooleanValue(true));
            m_received = Received(scene);
        });
        StormScene::At(MicroSeconds(2000), [&] {
            // What was on the line at the moment still arrives.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(Received(scene) - m_received, 3 * 30000, "all is dropped");
            for (uint32_t port = 0; port < 3; ++port)
            {
                const auto device = scene.fabric.GetSwitch(0)->GetPort(port);
                NS_TEST_EXPECT_MSG_EQ(device->Queues().Frames(CLASS), 0, "queue " << port);
                NS_TEST_EXPECT_MSG_EQ(+device->GetObeyer().Ignored(), BIT, "port " << port);
            }
            NS_TEST_EXPECT_MSG_EQ(scene.events.size(), 0, "nothing is detected");
            scene.watchdog->SetBigRedSwitch(false);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(scene.watchdog->GetTotals().queueDrops, 1000, "drops");
        NS_TEST_EXPECT_MSG_EQ(scene.events.size(), 2, "then the storm is seen: an alert, its end");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete in the end");
        ExpectSettled(scene.fabric);
    }

    /// @return frame bytes that the switch has sent in the class
    static uint64_t Received(const StormScene& scene)
    {
        uint64_t bytes = 0;
        for (uint32_t port = 0; port < 3; ++port)
        {
            const auto device = scene.fabric.GetSwitch(0)->GetPort(port);
            bytes += device->GetCounters().txClassBytes[CLASS];
        }
        return bytes;
    }

    uint64_t m_received{0};
};

/// An alert beside a watchdog that acts changes nothing, whichever came first.
class AlertBesideTest : public WatchdogTestCase
{
  public:
    AlertBesideTest()
        : WatchdogTestCase("An alert beside a watchdog that acts")
    {
    }

  private:
    /// Run. @param action of the watchdog that acts @param alert dialect of the alert; empty: there
    /// is none @return what the watchdog that acts saw, and the ends of the flows
    std::string Run(const std::string& action, const std::string& alert)
    {
        Simulator::Destroy();
        StormScene scene("ns3::SonicBrcmStorm", action);
        Ptr<PfcWatchdog> other;
        if (!alert.empty()) // which detects before the other one acts
        {
            WatchdogHelper(scene.fabric)
                .InstallSwitches("Dialect",
                                 StringValue("ns3::" + alert),
                                 "Action",
                                 StringValue("Alert"),
                                 "DetectionTime",
                                 StringValue("340us"),
                                 "PollInterval",
                                 StringValue(alert == "H3cStorm" ? "0us" : "170us"));
            other = WatchdogHelper::GetWatchdogs(scene.fabric, 0).at(1);
        }
        scene.flows.OnEnd([&scene](const RdmaFlowResult& result) {
            scene.log << result.index << ' ' << result.fct.GetPicoSeconds() << '\n';
        });
        StormScene::At(MicroSeconds(3000), [&] {
            if (other && action == "Drop")
            {
                other->SetBigRedSwitch(true);
                other->SetBigRedSwitch(false);
            }
            NS_TEST_EXPECT_MSG_EQ(+scene.port->GetObeyer().Ignored(), BIT, action << alert);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(+scene.port->GetObeyer().Ignored(), 0, "nothing stays");
        if (other)
        {
            NS_TEST_EXPECT_MSG_GT(other->GetTotals().storms, 0, "the alert has seen it");
            NS_TEST_EXPECT_MSG_EQ(other->GetTotals().restored, other->GetTotals().storms, alert);
        }
        return scene.log.str();
    }

    void DoRun() override
    {
        const std::string forward = Run("Forward", "");
        NS_TEST_EXPECT_MSG_GT(forward.size(), 100, "there is something to compare");
        for (const std::string alert : {"SonicBrcmStorm", "H3cStorm"})
        {
            NS_TEST_EXPECT_MSG_EQ(Run("Forward", alert), forward, alert);
            Run("Drop", alert);
        }
        Simulator::Destroy();
        StormScene scene("ns3::SonicBrcmStorm", "Forward");
        ExpectError([&] { WatchdogHelper(scene.fabric).InstallSwitches(); },
                    "another one acts on port 0 class 3 already");
    }
};

/// A switch restarts in a storm: its watchdog knows of none, and finds it again.
class RestartedSwitchTest : public WatchdogTestCase
{
  public:
    RestartedSwitchTest()
        : WatchdogTestCase("A restart of the switch resets its watchdog")
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::H3cStorm", "Drop", 1); // the first storm disables
        FaultHelper faults(scene.fabric);
        FaultWatch watch(scene.fabric, scene.flows, faults);
        faults.RebootSwitch(0, MilliSeconds(2), MicroSeconds(250));
        StormScene::At(MicroSeconds(2249), [&] {
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), DISABLED, "before");
            NS_TEST_EXPECT_MSG_EQ(+scene.port->GetObeyer().Ignored(), BIT, "before");
        });
        StormScene::At(MicroSeconds(2300), [&] {
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetState(0, CLASS), OPERATIONAL, "after");
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), BIT, "PFC is obeyed");
            scene.nic->OverridePause(0, 0);
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(scene.events.size(), 2, "events");
        ExpectEvent(scene, 0, MicroSeconds(1401), OPERATIONAL, DISABLED);
        ExpectEvent(scene, 1, MicroSeconds(2250), DISABLED, OPERATIONAL);
        NS_TEST_EXPECT_MSG_EQ(scene.watchdog->GetTotals().storms, 1, "counters stay");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete");
        ExpectSettled(scene.fabric);
    }
};

/// Guo16 watches ports to servers alone, and acts on all classes of the port.
class Guo16PortsTest : public WatchdogTestCase
{
  public:
    Guo16PortsTest()
        : WatchdogTestCase("Guo16Storm: server ports, all classes of the port")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetLosslessClasses({3, 4});
        const Fabric fabric = helper.LeafSpine(2, 1, 2);
        WatchdogHelper watchdogs(fabric);
        watchdogs.InstallSwitches("Dialect",
                                  StringValue("ns3::Guo16Storm"),
                                  "TimeScale",
                                  DoubleValue(0.01));
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const auto watchdog = WatchdogHelper::GetWatchdogs(fabric, i).at(0);
            for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
            {
                const auto peer = fabric.GetSwitch(i)->GetPort(port)->GetPeer()->GetNode();
                const bool server = !peer->GetObject<FabricSwitch>();
                NS_TEST_EXPECT_MSG_EQ(+watchdog->GetWatchedClasses(port),
                                      (server ? 0x18 : 0),
                                      "switch " << i << " port " << port);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(watchdogs.GetTors().size(), 2, "ToRs");
        RdmaFlowHelper flows(fabric);
        for (const uint8_t cls : {3, 4})
        {
            flows.Add({2, 0, 40000000, Time(0), cls});
        }
        const auto nic = fabric.GetRdma(0)->GetDevice(0);
        const auto port = nic->GetPeer();
        StormScene::At(MilliSeconds(1), [&] { nic->OverridePause(BIT, 0); });
        // Class 4 goes first, so that frames of class 3 wait from 3.3 ms on: detected at 4.5 ms.
        StormScene::At(MilliSeconds(4), [&] {
            NS_TEST_EXPECT_MSG_EQ(+port->GetObeyer().Ignored(), 0, "nothing waits: no storm yet");
        });
        StormScene::At(MilliSeconds(5), [&] {
            NS_TEST_EXPECT_MSG_EQ(+port->GetObeyer().Ignored(), 0x18, "both classes");
            nic->OverridePause(0, 0);
        });
        Simulator::Stop(MilliSeconds(200));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 2, "all flows complete in the end");
        ExpectSettled(fabric);
    }
};

/// A watchdog that sees nothing costs no event and changes nothing.
class IdleTest : public WatchdogTestCase
{
  public:
    IdleTest()
        : WatchdogTestCase("An idle watchdog is not to be seen")
    {
    }

  private:
    /// Run an incast. @param dialect of the watchdogs; empty: none @param hosts of the incast
    /// @param events how many there were @return the times of all flows
    static std::string Run(const std::string& dialect, uint32_t hosts, uint64_t& events)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        const Fabric fabric = helper.Star(9);
        WatchdogHelper watchdogs(fabric);
        if (!dialect.empty())
        {
            watchdogs.InstallSwitches("Dialect", StringValue(dialect));
            watchdogs.InstallNics();
        }
        RdmaFlowHelper flows(fabric);
        flows.AssignStreams(1000 + fabric.AssignStreams(1000));
        flows.Incast(hosts, 0, 300000, MicroSeconds(1));
        std::ostringstream text;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            text << result.index << ' ' << result.fct.GetPicoSeconds() << '\n';
        });
        Simulator::Run();
        events = Simulator::GetEventCount();
        return text.str();
    }

    void DoRun() override
    {
        for (const std::string dialect : {"SonicBrcmStorm", "SonicMlnxOldStorm", "H3cStorm"})
        {
            uint64_t without = 0;
            uint64_t with = 0;
            std::string expected = Run("", 1, without);
            NS_TEST_EXPECT_MSG_EQ(Run("ns3::" + dialect, 1, with), expected, "no pause");
            NS_TEST_EXPECT_MSG_EQ(with, without, "events without a pause, " << dialect);
            expected = Run("", 8, without);
            NS_TEST_EXPECT_MSG_EQ(Run("ns3::" + dialect, 8, with), expected, "pauses");
            // One wake-up that was posted at the first pause finds nothing.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(with, without + 1, "events with pauses, " << dialect);
        }
    }
};

class WatchdogTestSuite : public TestSuite
{
  public:
    WatchdogTestSuite()
        : TestSuite("lossless-watchdog", Type::SYSTEM)
    {
        const std::vector<std::string> dialects = {"SonicBrcmStorm",
                                                   "SonicMlnxOldStorm",
                                                   "SonicMlnxNewStorm",
                                                   "Guo16Storm"};
        for (const auto& dialect : dialects)
        {
            for (const std::string action : {"Drop", "Forward", "Alert"})
            {
                AddTestCase(new PolledStormTest(dialect, action));
            }
            AddTestCase(new SentPauseTest(dialect));
        }
        AddTestCase(new SentPauseTest("H3cStorm"));
        AddTestCase(new H3cStormTest);
        AddTestCase(new H3cLimitTest);
        AddTestCase(new StaleExpiryTest);
        AddTestCase(new BigRedSwitchTest);
        AddTestCase(new AlertBesideTest);
        AddTestCase(new RestartedSwitchTest);
        AddTestCase(new Guo16PortsTest);
        AddTestCase(new IdleTest);
    }
};

WatchdogTestSuite g_watchdogTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// Which ports are watched, what watchdogs cost, and a switch that restarts.

#include "fault-watch.h"
#include "storm-scene.h"

#include "ns3/fault-helper.h"
#include "ns3/wheel-scheduler.h"

using namespace ns3;

namespace
{

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
            RdmaFlow flow;
            flow.source = 2;
            flow.destination = 0;
            flow.bytes = 40000000;
            flow.trafficClass = cls;
            flows.Add(flow);
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

class WatchdogUseTestSuite : public TestSuite
{
  public:
    WatchdogUseTestSuite()
        : TestSuite("lossless-watchdog-use", Type::SYSTEM)
    {
        AddTestCase(new RestartedSwitchTest);
        AddTestCase(new Guo16PortsTest);
        AddTestCase(new IdleTest);
    }
};

WatchdogUseTestSuite g_watchdogUseTestSuite; //!< registers the suite

} // namespace

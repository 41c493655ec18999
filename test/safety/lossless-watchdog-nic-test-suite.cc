// SPDX-License-Identifier: GPL-2.0-only

// The watchdog of NICs.

#include "fault-watch.h"
#include "storm-scene.h"

#include "ns3/fault-helper.h"
#include "ns3/nic-receive-buffer.h"

#include <array>

using namespace ns3;

namespace
{

/// The NIC's own watchdog: no more PAUSE, until the NIC is reset.
class NicWatchdogTest : public WatchdogTestCase
{
  public:
    NicWatchdogTest()
        : WatchdogTestCase("NIC watchdog")
    {
    }

  private:
    void DoRun() override
    {
        StormScene scene("ns3::SonicBrcmStorm", "Alert");
        WatchdogHelper helper(scene.fabric);
        helper.InstallNics("TimeScale", DoubleValue(0.005)); // 500 us, polls every 50 us
        const auto watchdog = scene.fabric.GetHost(0)->GetObject<NicWatchdog>();
        std::vector<Time> stops;
        watchdog->TraceConnectWithoutContext(
            "Stopped",
            Callback<void, uint32_t, uint8_t, bool>([&](uint32_t, uint8_t classes, bool) {
                stops.push_back(Simulator::Now());
                m_classes = classes;
            }));
        StormScene::At(MicroSeconds(1540),
                       [&] { NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), BIT, "not yet"); });
        StormScene::At(MicroSeconds(1650), [&] {
            NS_TEST_EXPECT_MSG_EQ(watchdog->IsStopped(0), true, "stopped");
            NS_TEST_EXPECT_MSG_EQ(+m_classes, BIT, "the classes that it paused");
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), 0, "the switch may send");
            m_sent = scene.port->GetCounters().txClassBytes[CLASS];
            m_xoffs = scene.nic->GetIssuer().Get(CLASS).txXoff;
        });
        StormScene::At(MicroSeconds(4900), [&] {
            const uint64_t sent = scene.port->GetCounters().txClassBytes[CLASS] - m_sent;
            NS_TEST_EXPECT_MSG_GT(sent, 1000000, "host 0 receives");
            const uint64_t xoffs = scene.nic->GetIssuer().Get(CLASS).txXoff;
            NS_TEST_EXPECT_MSG_EQ(xoffs, m_xoffs, "and sends no PAUSE");
            watchdog->Reset(0); // while the pipeline is still dead
            NS_TEST_EXPECT_MSG_EQ(watchdog->IsStopped(0), false, "reset");
        });
        StormScene::At(MicroSeconds(4950), [&] {
            NS_TEST_EXPECT_MSG_EQ(+scene.port->PausedMask(), BIT, "PAUSE comes again");
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(stops.size(), 2, "stop and reset");
        // The first look at 1.05 ms, the one that finds 500 us without progress at 1.55 ms. A frame
        // on its way at 1 ms may arrive after that, but not after the first look.
        NS_TEST_EXPECT_MSG_EQ(stops[0], MicroSeconds(1550), "detection time");
        NS_TEST_EXPECT_MSG_EQ(watchdog->GetStopCount(), 1, "stops");
        NS_TEST_EXPECT_MSG_EQ(scene.flows.GetNCompleted(), 3, "all flows complete in the end");
        ExpectSettled(scene.fabric);
    }

    uint8_t m_classes{0};
    uint64_t m_sent{0};
    uint64_t m_xoffs{0};
};

/// A receive pipeline stops: a storm, which stalls others, until the watchdog of the NIC ends it.
class DeadPipelineTest : public WatchdogTestCase
{
  public:
    DeadPipelineTest()
        : WatchdogTestCase("NIC watchdog: a receive pipeline that stops")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool watched : {false, true})
        {
            Simulator::Destroy();
            FabricHelper helper;
            helper.SetCongestionControl("none");
            helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
            helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(200)));
            const Fabric fabric = helper.Star(3);
            RdmaFlowHelper flows(fabric);
            for (const auto& [source, destination] : {std::pair{1, 0}, {1, 2}, {2, 1}})
            {
                flows.Add({source, destination, 20000000}); // 3.4 ms for what host 1 sends
            }
            FaultHelper faults(fabric);
            FaultWatch watch(fabric, flows, faults);
            faults.StopReceiver(0, MilliSeconds(1));
            if (watched)
            {
                WatchdogHelper(fabric).InstallNics("TimeScale", DoubleValue(0.005));
            }
            CheckRun(fabric, flows, watched);
        }
    }

    /// Run. @param fabric a star @param flows to host 0, which stops, and past it @param watched
    /// whether there are watchdogs: 500 us, polls every 50 us
    void CheckRun(const Fabric& fabric, const RdmaFlowHelper& flows, bool watched)
    {
        const auto watchdog = fabric.GetHost(0)->GetObject<NicWatchdog>();
        const auto nic = fabric.GetDevice(0, 0);
        Time paused;
        nic->TraceConnectWithoutContext("PfcTx",
                                        Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                                            [&](const QbbNetDevice&, uint32_t, uint16_t quanta) {
                                                paused = quanta > 0 && paused.IsZero()
                                                             ? Simulator::Now()
                                                             : paused;
                                            }));
        Time stopped;
        if (watched)
        {
            watchdog->TraceConnectWithoutContext(
                "Stopped",
                Callback<void, uint32_t, uint8_t, bool>(
                    [&](uint32_t, uint8_t, bool) { stopped = Simulator::Now(); }));
        }
        StormScene::At(MicroSeconds(1600), [&] {
            NS_TEST_EXPECT_MSG_EQ(+fabric.GetDevice(1, 0)->PausedMask(), BIT, "it has spread");
        });
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        // Without a watchdog the flow from host 2 fails, whose ACKs wait at host 1, and two are
        // stuck.
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), (watched ? 2 : 0), "flows past host 0");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFailed(), 1, "the flow to host 0");
        const auto full = static_cast<std::size_t>(DropReason::RECEIVE_FULL);
        NS_TEST_EXPECT_MSG_EQ((nic->GetCounters().drops[full] > 0), watched, "it overflows");
        if (watched)
        {
            NS_TEST_EXPECT_MSG_EQ(watchdog->GetStopCount(), 1, "once");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(stopped - paused, MicroSeconds(500), "detection time");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(stopped - paused, MicroSeconds(600), "and two polls");
            ExpectSettled(fabric);
        }
    }
};

/// @return two hosts with two links of 100 Gb/s each to one switch
Fabric
TwoPorts()
{
    const FabricLinkSpec link{DataRate("100Gbps"), MicroSeconds(1), 0};
    FabricTopology topology;
    const std::vector<NodeId> hosts{topology.AddHost(), topology.AddHost()};
    const NodeId centre = topology.AddSwitch();
    for (const NodeId host : {hosts[0], hosts[0], hosts[1], hosts[1]})
    {
        topology.AddLink(host, centre, link);
    }
    FabricHelper helper;
    helper.SetCongestionControl("none");
    return helper.FromTopology(topology);
}

/// A host whose first port is dead and whose second is slow: only the first is stopped.
class TwoPipelinesTest : public WatchdogTestCase
{
  public:
    TwoPipelinesTest()
        : WatchdogTestCase("NIC watchdog: each port has a pipeline of its own")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = TwoPorts();
        WatchdogHelper(fabric).InstallNics("TimeScale", DoubleValue(0.005));
        std::array<Ptr<NicReceiveBuffer>, 2> buffers;
        for (uint32_t port = 0; port < 2; ++port)
        {
            buffers[port] = CreateObjectWithAttributes<NicReceiveBuffer>(
                "RegionBytes",
                UintegerValue(uint64_t{1} << 30)); // 7.3 Gb/s
            fabric.GetRdma(0)->SetReceiveBuffer(port, buffers[port]);
            Fabric::QueuePairOptions options;
            options.choice = port;
            fabric.Connect(1, 0, options).source->Post({RdmaVerb::WRITE, 50000000});
        }
        fabric.AssignStreams(1);
        StormScene::At(MilliSeconds(1), [&] { buffers[0]->SetDead(true); });
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        const auto watchdog = fabric.GetHost(0)->GetObject<NicWatchdog>();
        NS_TEST_EXPECT_MSG_EQ(watchdog->IsStopped(0), true, "the dead one");
        NS_TEST_EXPECT_MSG_EQ(watchdog->IsStopped(1), false, "the slow one");
        NS_TEST_EXPECT_MSG_EQ(buffers[1]->IsPausing() || buffers[1]->GetCounters().xoffs > 0,
                              true,
                              "which pauses, too");
    }
};

/// The same without receive buffers: data that one port receives is no progress of the other.
class TwoPortsTest : public WatchdogTestCase
{
  public:
    TwoPortsTest()
        : WatchdogTestCase("NIC watchdog: progress is that of the port")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = TwoPorts();
        WatchdogHelper(fabric).InstallNics("TimeScale", DoubleValue(0.005));
        for (uint32_t port = 0; port < 2; ++port)
        {
            Fabric::QueuePairOptions options;
            options.choice = port;
            fabric.Connect(1, 0, options).source->Post({RdmaVerb::WRITE, 50000000});
        }
        const auto rdma = fabric.GetRdma(0);
        uint64_t before = 0;
        StormScene::At(MicroSeconds(1000), [&] { rdma->GetDevice(0)->OverridePause(BIT, 0); });
        StormScene::At(MicroSeconds(1050), [&] { before = rdma->GetDataReceived(1); });
        StormScene::At(MicroSeconds(1700), [&] {
            NS_TEST_EXPECT_MSG_GT(rdma->GetDataReceived(1), before + 1000, "the other receives");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetHost(0)->GetObject<NicWatchdog>()->IsStopped(0),
                                  true,
                                  "the one that pauses for ever");
        });
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        const auto watchdog = fabric.GetHost(0)->GetObject<NicWatchdog>();
        NS_TEST_EXPECT_MSG_EQ(watchdog->IsStopped(1), false, "the other one");
    }
};

class WatchdogNicTestSuite : public TestSuite
{
  public:
    WatchdogNicTestSuite()
        : TestSuite("lossless-watchdog-nic", Type::SYSTEM)
    {
        AddTestCase(new NicWatchdogTest);
        AddTestCase(new DeadPipelineTest);
        AddTestCase(new TwoPipelinesTest);
        AddTestCase(new TwoPortsTest);
    }
};

WatchdogNicTestSuite g_watchdogNicTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// What operators watch: pause frames and the configuration; and what is wrong in calls.

#include "fabric-test-case.h"
#include "run-scene.h"

#include "ns3/config-monitor.h"
#include "ns3/double.h"
#include "ns3/pause-monitor.h"
#include "ns3/pfc-stats.h"
#include "ns3/ping-stats.h"
#include "ns3/rdma-ping-mesh.h"
#include "ns3/watchdog-helper.h"
#include "ns3/watchdog-stats.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

using namespace ns3;

namespace
{

/// Sums over intervals are the counters; thresholds are crossed once.
class PauseMonitorTest : public FabricTestCase
{
  public:
    PauseMonitorTest()
        : FabricTestCase("Pause monitor: intervals add up, alerts name the port")
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("pause");
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        const Fabric fabric = helper.Star(9);
        PauseMonitor monitor(fabric);
        monitor.SetInterval(MicroSeconds(50));
        monitor.SetThreshold(PauseMonitor::PAUSED_SHARE, 0.5);
        monitor.WriteTo(folder + "/monitor.csv");
        monitor.Run(Time(0), MilliSeconds(2));
        RdmaFlowHelper flows(fabric);
        flows.Incast(8, 0, 1000000, MicroSeconds(100)); // 0.7 ms
        Simulator::Run();
        monitor.Commit();

        uint64_t sent = 0;
        uint64_t received = 0;
        int64_t paused = 0;
        for (auto& row : tests::RowsOf(folder + "/monitor.csv"))
        {
            const int64_t pausedNs = std::stoll(row["paused_ns"]);
            NS_TEST_EXPECT_MSG_EQ(row["class"], "3", "the lossless class");
            NS_TEST_EXPECT_MSG_EQ((pausedNs <= 50000), true, "no longer than the interval");
            sent += std::stoull(row["xoff_sent"]);
            received += std::stoull(row["xoff_received"]);
            paused += pausedNs;
        }
        uint64_t xoffs = 0;
        uint64_t rx = 0;
        int64_t ticks = 0;
        for (uint32_t host = 0; host < 9; ++host)
        {
            xoffs += fabric.GetSwitch(0)->GetPort(host)->GetIssuer().Get(3).txXoff;
            const auto& obeyer = fabric.GetRdma(host)->GetDevice(0)->GetObeyer();
            rx += obeyer.Get(3).rxXoff;
            ticks += obeyer.PausedTicks(3, Simulator::Now().GetTimeStep());
        }
        NS_TEST_EXPECT_MSG_GT(xoffs, 8, "there were pauses");
        NS_TEST_EXPECT_MSG_EQ(sent, xoffs, "sent by the switch");
        NS_TEST_EXPECT_MSG_EQ(received, rx, "received by hosts");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(paused), ticks / 1e3, 1000.0, "ns paused");
        std::set<NodeId> nodes;
        for (const auto& alert : monitor.GetAlerts())
        {
            nodes.insert(alert.node);
            NS_TEST_EXPECT_MSG_EQ(alert.isSwitch, false, "hosts are paused");
            NS_TEST_EXPECT_MSG_EQ((alert.value >= 0.5), true, "above the threshold");
        }
        NS_TEST_EXPECT_MSG_EQ(nodes.size(), 8, "each sender");
        NS_TEST_EXPECT_MSG_EQ((monitor.GetAlerts().size() < 8 * 10), true, "not at each interval");
    }
};

/// A NIC that pauses without end is named.
class StuckNicTest : public FabricTestCase
{
  public:
    StuckNicTest()
        : FabricTestCase("Pause monitor: a NIC that pauses without end, and one alert for it")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("PfcQuanta", UintegerValue(1000));
        const Fabric fabric = helper.Star(3);
        PauseMonitor monitor(fabric);
        monitor.SetThreshold(PauseMonitor::XOFF_SENT, 10);
        uint32_t calls = 0;
        monitor.OnAlert([&](const PauseMonitor::Alert&) { ++calls; });
        monitor.Run(Time(0), MilliSeconds(2));
        Simulator::Schedule(MicroSeconds(500),
                            [&] { fabric.GetRdma(1)->GetDevice(0)->OverridePause(1U << 3, 0); });
        RunUntil(MilliSeconds(3));
        NS_TEST_ASSERT_MSG_EQ(monitor.GetAlerts().size(), 1, "one alert while it lasts");
        NS_TEST_EXPECT_MSG_EQ(calls, 1, "and one call");
        // A pause of 1000 quanta lasts 5.12 us and is refreshed at half of that: 39 times
        // in 100 us; the first falls into the interval before.
        NS_TEST_EXPECT_MSG_EQ(PauseMonitor::ToLine(monitor.GetAlerts()[0]),
                              "0.600 ms: host 1 port 0 class 3: xoff-sent 39, threshold 10",
                              "one line");
        const auto& issuer = fabric.GetRdma(1)->GetDevice(0)->GetIssuer();
        NS_TEST_EXPECT_MSG_GT(issuer.Get(3).txXoff, 500, "it lasts");
    }
};

/// The classic: a switch with another alpha.
class AlphaDriftTest : public FabricTestCase
{
  public:
    AlphaDriftTest()
        : FabricTestCase("Configuration monitor: alpha of one 64th where one 16th was intended")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(1.0 / 16));
        helper.SetAlphaBySpeed(false);
        const Fabric fabric = helper.LeafSpine(2, 1, 2);
        ConfigMonitor monitor(fabric);
        RdmaFlowHelper flows(fabric);
        flows.AllToAll(100000, MicroSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(monitor.Check().size(), 0, "traffic is no drift");

        const auto mmu = fabric.GetSwitch(1)->GetMmu(); // node 5, three ports
        for (uint32_t port = 0; port < 3; ++port)
        {
            mmu->SetAlpha(port, 3, 1.0 / 64);
        }
        fabric.GetSwitch(1)->Start();
        const auto findings = monitor.Check();
        NS_TEST_ASSERT_MSG_EQ(findings.size(), 3, "one line a port");
        NS_TEST_EXPECT_MSG_EQ(ConfigMonitor::ToLine(findings[1]),
                              "leaf 1 port 1 class 3: Alpha is 0.015625, intended 0.0625",
                              "where, what, actual, intended");
        // The same, against what is known to be right instead of what was running.
        ConfigMonitor late(fabric);
        NS_TEST_EXPECT_MSG_EQ(late.Check().size(), 0, "it has seen nothing else");
        late.Intend("Alpha", "0.0625");
        NS_TEST_EXPECT_MSG_EQ(late.Check().size(), 3, "but knows better");
        late.Take();
        NS_TEST_EXPECT_MSG_EQ(late.Check().size(), 3, "what was given stays");
    }
};

/// Values are compared, not how they are written.
class UnitsTest : public FabricTestCase
{
  public:
    UnitsTest()
        : FabricTestCase("Configuration monitor: 32MiB and 100Gbps are what they are")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("32MiB"));
        helper.SetLink("DataRate", StringValue("100Gbps"));
        const Fabric fabric = helper.Star(3);
        ConfigMonitor monitor(fabric);
        monitor.Intend("ns3::SwitchMmu::BufferSize", "32MiB");
        monitor.Intend("ns3::QbbNetDevice::DataRate", "100Gbps");
        monitor.Intend("ns3::RdmaQueuePair::RetransmitTimeout", "4ms");
        monitor.Intend("Kmin", "400KB");
        monitor.Intend("Kind", "lossless");
        std::set<std::string> what;
        for (const auto& finding : monitor.Check())
        {
            what.insert(finding.what);
        }
        NS_TEST_EXPECT_MSG_EQ(what.count("Kmin"), 0, "Kmin");
        what.erase("Kind"); // of the other classes
        NS_TEST_EXPECT_MSG_EQ(what.size(), 0, "first " << (what.empty() ? "" : *what.begin()));
        monitor.Intend("ns3::SwitchMmu::BufferSize", "16MiB");
        monitor.Intend("ns3::QbbNetDevice::DataRate", "40Gbps");
        std::map<std::string, uint32_t> count;
        for (const auto& finding : monitor.Check())
        {
            ++count[finding.what];
        }
        NS_TEST_EXPECT_MSG_EQ(count["ns3::SwitchMmu::BufferSize"], 1, "the switch");
        NS_TEST_EXPECT_MSG_EQ(count["ns3::QbbNetDevice::DataRate"], 6, "all ports");
    }
};

/// Each kind of drift is one finding.
class DriftTest : public FabricTestCase
{
  public:
    DriftTest()
        : FabricTestCase("Configuration monitor: buffer, ECN, PFC, class maps, NICs")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        ConfigMonitor monitor(fabric);
        monitor.CheckEvery(MilliSeconds(1), MilliSeconds(9));
        const auto at = [](uint32_t ms, std::function<void()> change) {
            Simulator::Schedule(MicroSeconds(1000 * ms + 500), change);
        };
        const auto device = fabric.GetSwitch(0)->GetPort(1);
        at(1, [&] { device->SetPfcClasses(0x18); });
        at(2, [&] { device->SetPfcClasses(0x08); });
        at(3, [&] { device->GetTrafficClassMap()->SetDscp(26, 4); });
        at(4, [&] {
            const auto wred = DynamicCast<WredEcnMarker>(fabric.GetSwitch(0)->GetEcnMarker());
            wred->SetThresholds(2, 3, 1000, 2000, 0.5);
        });
        at(5, [&] {
            fabric.GetRdma(2)->SetQueuePairAttribute("RetransmitTimeout", StringValue("9ms"));
        });
        at(6, [&] { fabric.GetRdma(0)->GetDevice(0)->SetMtu(9000); });
        Simulator::Run();
        std::vector<std::string> lines;
        for (const auto& finding : monitor.GetFindings())
        {
            lines.push_back(std::to_string(finding.when.GetMilliSeconds()) + " " +
                            ConfigMonitor::ToLine(finding));
        }
        const std::vector<std::string> expected{
            "2 leaf 0 port 1 class 4: Alpha is 0.125, intended absent",
            "2 leaf 0 port 1 class 4: HeadroomBytes is 69888, intended 0",
            "2 leaf 0 port 1 class 4: Kind is lossless, intended lossy",
            "2 leaf 0 port 1 class 4: LossyAlpha is absent, intended 1",
            "2 leaf 0 port 1: PfcClasses in force is 24, intended 8",
            "2 leaf 0 port 1: ns3::QbbNetDevice::PfcClasses is 24, intended 8",
            "4 leaf 0 port 1: ns3::TrafficClassMap::Dscp is 26:4, intended empty",
            "5 leaf 0 port 2 class 3: Kmax is 2000, intended 1600000",
            "5 leaf 0 port 2 class 3: Kmin is 1000, intended 400000",
            "5 leaf 0 port 2 class 3: Pmax is 0.5, intended 0.2",
            "6 host 2: ns3::RdmaQueuePair::RetransmitTimeout is +9e+09ps, intended +4e+09ps",
            "7 host 0 port 0: ns3::QbbNetDevice::Mtu is 9000, intended 1500",
            "7 leaf 0 port 0 class 3: HeadroomBytes is 88400, intended 69888"};
        for (std::size_t i = 0; i < std::max(lines.size(), expected.size()); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((i < lines.size() ? lines[i] : ""),
                                  (i < expected.size() ? expected[i] : ""),
                                  "finding " << i);
        }
    }
};

/// What is gone is not called any more.
class LifeTest : public FabricTestCase
{
  public:
    LifeTest()
        : FabricTestCase(
              "Monitors that are destroyed before or within the run leave nothing behind")
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("life");
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        WatchdogHelper(fabric).InstallSwitches("TimeScale", DoubleValue(0.01));
        auto mesh = std::make_unique<RdmaPingMesh>(fabric);
        mesh->Run(MicroSeconds(1), MilliSeconds(1));
        {
            RdmaPingMesh other(fabric);
            other.Run(Time(0), MilliSeconds(50));
            PauseMonitor pauses(fabric);
            pauses.Run(Time(0), MilliSeconds(50));
            ConfigMonitor configuration(fabric);
            configuration.CheckEvery(MilliSeconds(1), MilliSeconds(50));
            WatchdogStats watchdogs(fabric);
            const ReportFiles watchdogFiles(watchdogs, {folder + "/watchdog.csv"});
            PfcStats pfc(fabric);
            const ReportFiles pfcFiles(pfc, {folder + "/pfc.csv", folder + "/pauses.csv"});
        }
        RunUntil(MicroSeconds(2));
        NS_TEST_EXPECT_MSG_EQ(mesh->GetPairs()[0].waiting, true, "a probe is under way");
        mesh.reset();
        const auto nic = fabric.GetRdma(1)->GetDevice(0);
        Simulator::Schedule(MicroSeconds(10), [nic] { nic->OverridePause(1U << 3, 0); });
        Simulator::Schedule(MilliSeconds(20), [nic] { nic->OverridePause(0, 0); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((Simulator::Now() < MilliSeconds(45)), true, "nobody looks on");
    }
};

/// Wrong calls are one line.
class ErrorTest : public FabricTestCase
{
  public:
    ErrorTest()
        : FabricTestCase("Mistakes are one line")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        RdmaPingMesh mesh(fabric);
        ExpectError([&] { mesh.SetInterval(Time(0)); }, "must be more than 0");
        ExpectError([&] { PingStats(mesh).SetWindow(Time(0)); }, "must be more than 0");
        ExpectError([&] { mesh.SetSample(3, 0); }, "1 to 2 are possible");
        ExpectError([&] { mesh.SetQueuePair("Retries", UintegerValue(1)); }, "Retries");
        ExpectError([&] { mesh.Run(Seconds(1), Seconds(1)); }, "the end after it");
        mesh.Run(Time(0), MicroSeconds(1));
        ExpectError([&] { mesh.Run(Time(0), MicroSeconds(1)); }, "runs already");
        PauseMonitor pauses(fabric);
        ExpectError([&] { pauses.SetInterval(Time(0)); }, "must be more than 0");
        ExpectError([&] { pauses.SetThreshold(PauseMonitor::PAUSED_SHARE, 2); }, "at most 1");
        ExpectError([&] { pauses.SetThreshold(PauseMonitor::XOFF_SENT, 0); }, "more than 0");
        ExpectError([&] { pauses.Run(Seconds(2), Seconds(1)); }, "the end after it");
        pauses.Run(Time(0), Seconds(1));
        ExpectError([&] { pauses.Run(Time(0), Seconds(1)); }, "runs already");
        ConfigMonitor config(fabric);
        ExpectError([&] { config.Intend("ns3::QbbNetDevice::DataRate", "fast"); }, "fast");
        ExpectError([&] { config.Intend("Kind", "abc"); }, "abc");
        NS_TEST_EXPECT_MSG_EQ(config.Check().size(), 0, "what is refused is not intended");
        ExpectError([&] { config.Intend("Alfa", "1"); }, "nothing in the fabric has a \"Alfa\"");
        ExpectError([&] { config.CheckEvery(Time(0), Seconds(1)); }, "must be more than 0");
        config.CheckEvery(Seconds(1), Seconds(1));
        ExpectError([&] { config.CheckEvery(Seconds(1), Seconds(1)); }, "already");
    }
};

/// The suite.
class MonitorsSuite : public TestSuite
{
  public:
    MonitorsSuite()
        : TestSuite("lossless-monitors", Type::UNIT)
    {
        AddTestCase(new PauseMonitorTest);
        AddTestCase(new StuckNicTest);
        AddTestCase(new AlphaDriftTest);
        AddTestCase(new UnitsTest);
        AddTestCase(new DriftTest);
        AddTestCase(new LifeTest);
        AddTestCase(new ErrorTest);
    }
};

MonitorsSuite g_monitorsSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// The helper and the statistics of watchdogs, and what they refuse.

#include "run-scene.h"
#include "storm-scene.h"

#include "ns3/fabric-run.h"

using namespace ns3;

namespace
{

/// What the helper and the statistics say.
class HelperTest : public WatchdogTestCase
{
  public:
    HelperTest()
        : WatchdogTestCase("Helper, events, totals, errors")
    {
    }

  private:
    /// Watchdogs after WriteTo(), and a NIC that is stopped and reset.
    void CheckLate()
    {
        const std::string folder = CreateTempDirFilename("late");
        const Fabric fabric = StormScene::Build();
        FabricRun run(fabric);
        run.Rdma().Add({1, 0, 20000000});
        run.WriteTo(folder);
        WatchdogHelper helper(fabric);
        helper.InstallSwitches("TimeScale", DoubleValue(0.002), "Action", StringValue("Alert"));
        helper.InstallNics("TimeScale", DoubleValue(0.005));
        const auto watchdog = fabric.GetHost(0)->GetObject<NicWatchdog>();
        const auto nic = fabric.GetDevice(0, 0);
        StormScene::At(MilliSeconds(1), [&] { nic->OverridePause(BIT, 0); });
        StormScene::At(MilliSeconds(2), [&] {
            nic->OverridePause(0, 0xff); // the pipeline works again
            watchdog->Reset(0);
        });
        const RunTotals totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.nicWatchdogs->nicsStopped, 1, "totals");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(tests::ContentOf(folder + "/watchdog.csv"),
                              "time_ns,node,node_type,port,class,from,to,dropped\n"
                              "1550000,0,host,0,3,operational,stopped,0\n"
                              "2000000,0,host,0,3,stopped,operational,0\n",
                              "the file of events");
    }

    void DoRun() override
    {
        CheckLate();
        Simulator::Destroy();
        const std::string folder = CreateTempDirFilename("watchdog");
        {
            StormScene scene("ns3::SonicBrcmStorm", "Drop");
            WatchdogHelper(scene.fabric).InstallNicsAt({1, 2});
            FabricRun run(scene.fabric);
            run.WriteTo(folder);
            const RunResults& results = run.Execute();
            const auto totals = *results.totals.watchdogs;
            NS_TEST_EXPECT_MSG_EQ(totals.storms, 1, "storms");
            NS_TEST_EXPECT_MSG_EQ(totals.queueDrops, scene.watchdog->GetTotals().queueDrops, "");
            NS_TEST_EXPECT_MSG_NE(results.Summary().find("Watchdogs: 1 storms, 1 restored"),
                                  std::string::npos,
                                  "summary");
            const std::string events = tests::ContentOf(folder + "/watchdog.csv");
            const std::string begin = "time_ns,node,node_type,port,class,from,to,dropped\n1600000,";
            NS_TEST_EXPECT_MSG_EQ(events.substr(0, begin.size()), begin, "events");
            NS_TEST_EXPECT_MSG_NE(events.find("\n5400000,"), std::string::npos, "restoration");
            const std::string json = tests::ContentOf(folder + "/summary.json");
            NS_TEST_EXPECT_MSG_NE(json.find("\"watchdog_storms\": 1"), std::string::npos, "json");
        }
        Simulator::Destroy();
        const Fabric fabric = StormScene::Build();
        NS_TEST_EXPECT_MSG_EQ(FabricRun(fabric).GetTotals().watchdogs.has_value(), false, "none");
        WatchdogHelper helper(fabric);
        ExpectError([&] { helper.InstallSwitches("Dialect", StringValue("ns3::H3cStrom")); },
                    "ns3::H3cStorm");
        ExpectError([&] { helper.InstallSwitches("Action", StringValue("drop")); }, "Drop");
        ExpectError([&] { helper.InstallSwitches("TimeScale", DoubleValue(0)); }, "TimeScale");
        ExpectError([&] { helper.InstallSwitches("Tiemscale", DoubleValue(1)); }, "TimeScale");
        ExpectError([&] { helper.InstallSwitchesAt({1}); }, "there is no switch 1");
        ExpectError([&] { helper.InstallNicsAt({3}); }, "there is no host 3");
        helper.InstallNics();
        ExpectError([&] { helper.InstallNicsAt({0}); }, "already");
        FabricHelper builder;
        builder.AddSwitchExtension("ns3::PfcWatchdog", "Dialect", StringValue("ns3::H3cStorm"));
        NS_TEST_EXPECT_MSG_EQ(WatchdogHelper::GetWatchdogs(builder.Star(2), 0).size(), 1, "one");
        CheckChoice(fabric);
    }

    /// What is watched, and a dialect that is none. @param fabric a star of three
    void CheckChoice(const Fabric& fabric)
    {
        const auto fabricSwitch = fabric.GetSwitch(0);
        WatchdogHelper helper(fabric);
        helper.InstallSwitches("Ports", UintegerValue(5));
        helper.InstallSwitches("Ports", UintegerValue(3), "Action", StringValue("Alert"));
        const auto watchdogs = WatchdogHelper::GetWatchdogs(fabric, 0);
        for (uint32_t port = 0; port < 3; ++port)
        {
            const uint8_t expected = port == 1 ? 0 : BIT;
            NS_TEST_EXPECT_MSG_EQ(+watchdogs[0]->GetWatchedClasses(port), +expected, port);
            const uint8_t others = port == 2 ? 0 : BIT;
            NS_TEST_EXPECT_MSG_EQ(+watchdogs[1]->GetWatchedClasses(port), +others, port);
        }
        ExpectRefusal([&] { watchdogs[0]->GetState(3, 0); }, "there is no port 3");
        ExpectRefusal([&] { watchdogs[0]->Restore(0, 8); }, "there is no class 8");
        const auto wrong = CreateObject<PfcWatchdog>();
        wrong->SetAttribute("Dialect", StringValue("ns3::IntStamper"));
        fabricSwitch->AddExtension(wrong);
        ExpectRefusal([&] { fabricSwitch->Start(); }, "is not an ns3::PfcStormRule");
    }
};

/// What cannot work is refused in one line, and leaves nothing behind.
class RefusalTest : public WatchdogTestCase
{
  public:
    RefusalTest()
        : WatchdogTestCase("What cannot work is refused")
    {
    }

  private:
    /// A watchdog of switches, as an alert, is refused; then one that is right is not.
    template <typename... Args>
    void ExpectRefused(const std::string& part, Args&&... args)
    {
        WatchdogHelper helper(StormScene::Build());
        ExpectError([&] { helper.InstallSwitches(std::forward<Args>(args)...); }, part);
    }

    /// A watchdog of NICs is refused.
    template <typename... Args>
    void ExpectNicRefused(const std::string& part, Args&&... args)
    {
        WatchdogHelper helper(StormScene::Build());
        ExpectError([&] { helper.InstallNics(std::forward<Args>(args)...); }, part);
    }

    void DoRun() override
    {
        Times();
        Choices();
        Polls();
        Leftovers();
    }

    /// An error in the middle leaves no watchdog anywhere.
    void Leftovers()
    {
        FabricHelper builder;
        const Fabric fabric = builder.LeafSpine(2, 1, 2);
        WatchdogHelper helper(fabric);
        const auto expectNone = [&](const std::string& when) {
            for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
            {
                const auto watchdogs = WatchdogHelper::GetWatchdogs(fabric, i);
                NS_TEST_EXPECT_MSG_EQ(watchdogs.size(), 0, when << ", switch " << i);
            }
            for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
            {
                const auto watchdog = fabric.GetHost(host)->GetObject<NicWatchdog>();
                NS_TEST_EXPECT_MSG_EQ((watchdog == nullptr), true, when << ", host " << host);
            }
        };
        ExpectError([&] { helper.InstallSwitchesAt({0, 1, 7}); }, "there is no switch 7");
        ExpectError([&] { helper.InstallSwitchesAt({0, 1, 0}); }, "switch 0 is named twice");
        ExpectError([&] { helper.InstallNicsAt({0, 9}); }, "there is no host 9");
        ExpectError([&] { helper.InstallNicsAt({1, 1}); }, "host 1 is named twice");
        const ObjectFactory other("ns3::Node");
        ExpectError([&] { helper.AddToHosts({0}, other); }, "name ns3::NicWatchdog");
        ExpectError([&] { helper.AddToSwitches({0}, other); }, "name ns3::PfcWatchdog");
        ExpectError([&] { helper.AddToSwitches({0}, ObjectFactory()); }, "name ns3::PfcWatchdog");
        // The leaves have three ports, the spine has two.
        ExpectError([&] { helper.InstallSwitches("Ports", UintegerValue(4)); }, "has 2 ports");
        expectNone("errors");
        helper.InstallSwitches(); // and all is well
        NS_TEST_EXPECT_MSG_EQ(WatchdogHelper::GetWatchdogs(fabric, 0).size(), 1, "one");
    }

    /// Attributes that a dialect does not use, nothing to watch, and no dialect.
    void Choices()
    {
        const StringValue h3c("ns3::H3cStorm");
        const StringValue time("100ms");
        for (const std::string name : {"PollInterval", "RestorationTime"})
        {
            ExpectRefused("ns3::H3cStorm does not use " + name, "Dialect", h3c, name, time);
        }
        for (const std::string name : {"ClearTime", "QuietPeriod"})
        {
            ExpectRefused("ns3::SonicBrcmStorm does not use " + name, name, time);
        }
        ExpectRefused("ns3::SonicBrcmStorm does not use Limit", "Limit", UintegerValue(1));
        ExpectRefused("Classes 0xf7 leave nothing to watch; the switch has 3 ports, with PFC for "
                      "classes 0x8",
                      "Classes",
                      UintegerValue(0xf7));
        ExpectRefused("Ports 0x8 and Classes 0xff leave nothing", "Ports", UintegerValue(8));
        ExpectRefused("Dialect is \"\", without the name of a type", "Dialect", StringValue(""));
    }

    /// Detection below the polls, and polls below the refresh of PAUSE.
    void Polls()
    {
        ExpectRefused(
            "DetectionTime is 199000 us; it must not be below the PollInterval, 200000 us",
            "DetectionTime",
            StringValue("199ms"));
        ExpectNicRefused("it must not be below PollInterval", "DetectionTime", StringValue("9ms"));
        // The refresh is after 167.77 us.
        const std::string refused =
            "PollInterval is 167.6 us, and no storm is ever seen: it must be longer than the "
            "167.7696 us after which the peer of port 0";
        ExpectRefused(refused, "TimeScale", DoubleValue(0.000838));
        WatchdogHelper helper(StormScene::Build());
        helper.InstallSwitches("TimeScale", DoubleValue(0.000839));
        helper.InstallSwitches("Dialect",
                               StringValue("ns3::H3cStorm"), // no polls
                               "Action",
                               StringValue("Alert"),
                               "TimeScale",
                               DoubleValue(0.0001));
    }

    /// Products of times that do not fit.
    void Times()
    {
        const DoubleValue thousand(1000);
        const DoubleValue tiny(1e-9);
        const StringValue day("86400s");
        const StringValue least("1ns");
        ExpectRefused("DetectionTime", "DetectionTime", day, "TimeScale", thousand);
        ExpectRefused("RestorationTime", "RestorationTime", day, "TimeScale", thousand);
        ExpectRefused("it must be at least", "PollInterval", least, "TimeScale", tiny);
        ExpectNicRefused("DetectionTime", "DetectionTime", day, "TimeScale", thousand);
        ExpectNicRefused("it must be at least", "PollInterval", least, "TimeScale", tiny);
    }
};

/// The suite.
class WatchdogHelperSuite : public TestSuite
{
  public:
    WatchdogHelperSuite()
        : TestSuite("lossless-watchdog-helper", Type::UNIT)
    {
        AddTestCase(new HelperTest);
        AddTestCase(new RefusalTest);
    }
};

WatchdogHelperSuite g_watchdogHelperSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// iNOF with the rest of the module: storage that relies on it, watchdogs that it follows, and
// switches that restart.

#include "fault-watch.h"
#include "inof-test-case.h"
#include "wire-digest.h"

#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fault-helper.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/storage-initiator.h"
#include "ns3/watchdog-helper.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint8_t BIT = 1U << 3;

/// A server with a port at each of two switches, and a disk at each.
class StorageTest : public InofTestCase
{
  public:
    StorageTest()
        : InofTestCase("A storage server fails over by iNOF, or when its retries are exhausted")
    {
    }

  private:
    /// @param useInof else the server is on its own @return its longest interruption
    Time Interruption(bool useInof)
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(3);
        InofHelper inof(fabric);
        inof.Install();
        StorageInitiator::Options options;
        options.ioBytes = 8192;
        options.depth = 2;
        StorageInitiator server(fabric, 0, options);
        server.AddPath(1);
        server.AddPath(2);
        if (useInof)
        {
            server.UseInof(inof);
        }
        server.Run(MilliSeconds(2), MilliSeconds(60));
        FaultHelper faults(fabric);
        faults.CutLink(LinkOf(fabric, 1), MilliSeconds(10));
        RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), (useInof ? 2 : 1), "open ahead of time");
        RunUntil(MilliSeconds(80));
        const auto& failovers = server.GetFailovers();
        NS_TEST_EXPECT_MSG_EQ(failovers.size(), 2, "one failover after the begin");
        if (failovers.size() != 2)
        {
            return Time(0);
        }
        NS_TEST_EXPECT_MSG_EQ(failovers[1].why,
                              (useInof ? "linkDown" : "RETRY_EXCEEDED"),
                              "why it moved");
        NS_TEST_EXPECT_MSG_EQ(failovers[1].to, 1, "where it moved");
        NS_TEST_EXPECT_MSG_EQ(server.GetReissued(), 2, "what was outstanding");
        NS_TEST_EXPECT_MSG_GT(server.GetCompleted(), 1000, "it worked before and after");
        const Time gap = server.GetLongestGap();
        Simulator::Destroy();
        return gap;
    }

    void DoRun() override
    {
        const double with = Interruption(true).GetSeconds() * 1e6;
        const double without = Interruption(false).GetSeconds() * 1e6;
        // Link event and notice of 10 us each, cable and I/O some more.
        NS_TEST_EXPECT_MSG_EQ_TOL(with, 30.0, 4.0, "us");
        // 8 timeouts of 4 ms.
        NS_TEST_EXPECT_MSG_EQ_TOL(without, 32000.0, 50.0, "us");
    }
};

/// Each option of a storage server changes what is sent.
class StorageOptionsTest : public InofTestCase
{
  public:
    StorageOptionsTest()
        : InofTestCase("A storage server does what its options say")
    {
    }

  private:
    /// @param change of the options @return what the ports send, with a cut of the only path
    static uint64_t Digest(const std::function<void(StorageInitiator::Options&)>& change)
    {
        const Fabric fabric = FabricHelper().Star(2);
        const tests::WireDigest digest(fabric);
        StorageInitiator::Options options;
        SetQueuePair(options, "RetransmitTimeout", "50us");
        SetQueuePair(options, "RetryLimit", "1");
        change(options);
        StorageInitiator server(fabric, 0, options);
        server.AddPath(1);
        server.Run(Time(0), MicroSeconds(2000));
        FaultHelper faults(fabric);
        faults.CutLink(LinkOf(fabric, 1), MicroSeconds(50), MicroSeconds(300));
        RunUntil(MicroSeconds(2500));
        const uint64_t sum = digest.Get();
        Simulator::Destroy();
        return sum;
    }

    /// Set an attribute of the queue pairs. @param options of a server @param name of the attribute
    /// @param value as text
    static void SetQueuePair(StorageInitiator::Options& options,
                             const std::string& name,
                             const std::string& value)
    {
        options.queuePair.attributes.emplace_back(
            name,
            FabricAttributes::Check(RdmaQueuePair::GetTypeId(), name, StringValue(value)));
    }

    void DoRun() override
    {
        using Options = StorageInitiator::Options;
        const uint64_t unset = Digest([](Options&) {});
        NS_TEST_EXPECT_MSG_EQ(Digest([](Options&) {}), unset, "the same again");
        const std::map<std::string, std::function<void(Options&)>> changes{
            {"ioBytes", [](Options& options) { options.ioBytes = 12000; }},
            {"depth", [](Options& options) { options.depth += 3; }},
            {"verb", [](Options& options) { options.verb = RdmaVerb::SEND; }},
            {"retryInterval", [](Options& options) { options.retryInterval = MicroSeconds(150); }},
            {"queuePair", [](Options& options) { SetQueuePair(options, "InitialTtl", "9"); }},
        };
        for (const auto& [name, change] : changes)
        {
            NS_TEST_EXPECT_MSG_NE(Digest(change), unset, name);
        }
    }
};

/// The only way goes, and comes back, or does not.
class NoWayTest : public InofTestCase
{
  public:
    NoWayTest()
        : InofTestCase("A storage server without any way tries again, and its outage counts on")
    {
    }

  private:
    /// @param useInof else the server is on its own @param back whether the link comes back
    void Interrupt(bool useInof, bool back)
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(3);
        InofHelper inof(fabric);
        inof.Install();
        StorageInitiator::Options options;
        for (const auto& [name, value] :
             {std::pair("RetransmitTimeout", "100us"), std::pair("RetryLimit", "2")})
        {
            options.queuePair.attributes.emplace_back(
                name,
                FabricAttributes::Check(RdmaQueuePair::GetTypeId(), name, StringValue(value)));
        }
        StorageInitiator server(fabric, 0, options);
        server.AddPath(1);
        server.AddPath(2);
        if (useInof)
        {
            server.UseInof(inof);
        }
        server.Run(MilliSeconds(2), MilliSeconds(60));
        FaultHelper faults(fabric);
        faults.CutLink(LinkOf(fabric, 0), MilliSeconds(10), MilliSeconds(back ? 20 : 0));
        RunUntil(MilliSeconds(25));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 0, "no way");
        NS_TEST_EXPECT_MSG_EQ_TOL(server.GetLongestGap().GetSeconds(), 0.015, 1e-4, "up to now");
        NS_TEST_EXPECT_MSG_EQ_TOL(server.GetLongestGapBegin().GetSeconds(), 0.01, 1e-4, "begin");
        const uint64_t before = server.GetCompleted();
        RunUntil(MilliSeconds(80));
        const double outage = server.GetLongestGap().GetSeconds();
        if (back)
        {
            NS_TEST_EXPECT_MSG_GT(server.GetCompleted(), before + 1000, "it goes on");
            NS_TEST_EXPECT_MSG_EQ((outage > 0.019 && outage < 0.0215), true, "gap " << outage);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(server.GetCompleted(), before, "nothing more");
            NS_TEST_EXPECT_MSG_EQ_TOL(outage, 0.05, 1e-4, "to the end of I/Os");
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        for (const bool useInof : {false, true})
        {
            Interrupt(useInof, true);
            Interrupt(useInof, false);
        }
    }
};

/// A server that knows no disk uses those of its zone, whichever are there.
class FoundDisksTest : public InofTestCase
{
  public:
    FoundDisksTest()
        : InofTestCase("A storage server finds the disks of its zone by iNOF, and no others")
    {
    }

  private:
    /// @param server a storage server @return the hosts that it has gone to, in order
    static std::vector<uint32_t> TargetsOf(const StorageInitiator& server)
    {
        std::vector<uint32_t> targets;
        for (const auto& move : server.GetFailovers())
        {
            targets.push_back(move.to == StorageInitiator::NONE
                                  ? StorageInitiator::NONE
                                  : server.GetTarget(move.to).Value());
        }
        return targets;
    }

    /// Disks 4, 1 and 3 of the zone of server 0, disk 2 of another, server 5 in both.
    void FindInZone()
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(7);
        InofHelper inof(fabric);
        for (const uint32_t disk : {1, 2, 3, 4, 6})
        {
            inof.SetDisk(disk);
        }
        inof.Install();
        inof.AddZone("mine", {0, 4, 1, 3, 5});
        inof.AddZone("other", {2, 5});
        StorageInitiator server(fabric, 0, {});
        server.UseInof(inof);
        std::map<uint32_t, uint64_t> used;
        server.OnCompletion([&](uint32_t path) { ++used[server.GetTarget(path).Value()]; });
        server.Run(MilliSeconds(2), MilliSeconds(60));
        FaultHelper faults(fabric);
        for (const auto& [disk, cut] : {std::pair(1, 10), std::pair(3, 20), std::pair(4, 30)})
        {
            faults.CutLink(LinkOf(fabric, disk), MilliSeconds(cut), MilliSeconds(45 - cut));
        }
        RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 3, "ahead of time");
        RunUntil(MilliSeconds(29));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 1, "the last of the zone");
        // Link event and notice of 10 us each, cable and I/O some more; retries take 32 ms.
        NS_TEST_EXPECT_MSG_LT(server.GetLongestGap(), MicroSeconds(40), "the next at once");
        RunUntil(MilliSeconds(40));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 0, "all have gone");
        inof.AddMember("mine", 6); // it was of the default zone
        RunUntil(MilliSeconds(44));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 1, "it joins the zone");
        NS_TEST_EXPECT_MSG_LT(server.GetLongestGap(), MicroSeconds(10050), "and is used at once");
        RunUntil(MilliSeconds(50));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 4, "all are back");
        inof.RemoveMember("mine", 6);
        RunUntil(MilliSeconds(80));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 3, "it has left the zone");
        const std::vector<uint32_t> wanted{1, 3, 4, StorageInitiator::NONE, 6, 1};
        NS_TEST_EXPECT_MSG_EQ((TargetsOf(server) == wanted), true, "by identifier");
        for (const uint32_t disk : {1, 3, 4, 6})
        {
            NS_TEST_EXPECT_MSG_GT(used[disk], 100, "disk " << disk);
        }
        NS_TEST_EXPECT_MSG_EQ(used.size(), 4, "and no other");
        Simulator::Destroy();
    }

    /// A configured path is better; the begin comes after the disks.
    void FindBeside()
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(4);
        InofHelper inof(fabric);
        inof.SetDisk(1);
        inof.SetDisk(2);
        inof.Install();
        RunUntil(MilliSeconds(5)); // the server is there before it listens
        StorageInitiator server(fabric, 0, {});
        server.AddPath(3); // which is no disk of iNOF
        server.UseInof(inof);
        server.Run(MilliSeconds(6), MilliSeconds(30));
        FaultHelper faults(fabric);
        faults.CutLink(LinkOf(fabric, 3), MilliSeconds(10));
        RunUntil(MilliSeconds(40));
        NS_TEST_EXPECT_MSG_EQ((TargetsOf(server) == std::vector<uint32_t>{3, 1}), true, "in order");
        NS_TEST_EXPECT_MSG_LT(server.GetLongestGap(), MicroSeconds(40), "at once");
        Simulator::Destroy();
    }

    /// A server with two ports hears of a disk with two ports by both.
    void FindByBothPorts()
    {
        FabricTopology topology;
        const NodeId hosts[] = {topology.AddHost(), topology.AddHost()};
        const NodeId switches[] = {topology.AddSwitch(), topology.AddSwitch()};
        for (const NodeId host : hosts)
        {
            for (const NodeId node : switches)
            {
                topology.AddLink(host, node, {});
            }
        }
        FabricHelper helper;
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.FromTopology(topology);
        InofHelper inof(fabric);
        inof.SetDisk(1);
        inof.Install();
        StorageInitiator server(fabric, 0, {});
        server.UseInof(inof);
        server.Run(MilliSeconds(2), MilliSeconds(30));
        FaultHelper faults(fabric);
        faults.CutLink(LinkOf(fabric, 0), MilliSeconds(10)); // the first port of the server
        RunUntil(MilliSeconds(9));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 2, "one by each switch");
        RunUntil(MilliSeconds(40));
        NS_TEST_EXPECT_MSG_EQ(server.GetNOpenPaths(), 1, "that of the second port");
        NS_TEST_EXPECT_MSG_EQ((TargetsOf(server) == std::vector<uint32_t>{1, 1}), true, "one disk");
        NS_TEST_EXPECT_MSG_LT(server.GetLongestGap(), MicroSeconds(40), "at once");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FindInZone();
        FindBeside();
        FindByBothPorts();
    }
};

/// A watchdog of the switch gives up a port: the zone is told, and when it is back.
class StormedPortTest : public InofTestCase
{
  public:
    StormedPortTest()
        : InofTestCase("A port that its watchdog has given up is gone for its zone")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(4);
        InofHelper inof(fabric);
        StorageInitiator::Options wrong;
        wrong.queuePair.congestion = ObjectFactory("ns3::RdmaHpcc");
        ExpectError([&] { StorageInitiator(fabric, 0, wrong); }, "ns3::RdmaHpcc");
        ExpectError([&] { inof.FollowWatchdogs(); }, "install it first");
        inof.Install();
        inof.AddZone("storage", {0, 2});
        ExpectError([&] { inof.FollowWatchdogs(); }, "install them first");
        WatchdogHelper watchdogs(fabric); // detection and clearing take 1 ms
        watchdogs.InstallSwitches("Dialect",
                                  StringValue("ns3::H3cStorm"),
                                  "Limit",
                                  UintegerValue(2),
                                  "TimeScale",
                                  DoubleValue(0.01));
        const auto loose = CreateObject<QbbNetDevice>();
        fabric.GetSwitch(0)->AddPort(loose); // without a cable there is nobody to tell of
        inof.FollowWatchdogs();
        Listen(inof, 0);
        Listen(inof, 1);
        RunUntil(MilliSeconds(5));
        ExpectHeard(0, "+2", "its zone");
        ExpectHeard(1, "+3", "the default zone");
        fabric.GetDevice(2, 0)->OverridePause(BIT, 0);
        RunUntil(MicroSeconds(5990));
        ExpectHeard(0, "", "not yet");
        RunUntil(MicroSeconds(6500));
        ExpectHeard(0, "-2 portFault", "a storm");
        RunUntil(MicroSeconds(7500));
        ExpectHeard(0, "+2", "cleared after 1 ms");
        RunUntil(MicroSeconds(8500));
        ExpectHeard(0, "-2 pfcDisabled", "the second storm disables PFC there");
        fabric.GetDevice(2, 0)->OverridePause(0, 0);
        RunUntil(MilliSeconds(20));
        ExpectHeard(0, "", "for good");
        WatchdogHelper::GetWatchdogs(fabric, 0).at(0)->Restore(2, 3);
        RunUntil(MilliSeconds(25));
        ExpectHeard(0, "+2", "restored");
        ExpectHeard(1, "", "another zone");
    }
};

/// The watchdog of a NIC stops it: its zone is told, until it is reset.
class StoppedNicTest : public InofTestCase
{
  public:
    StoppedNicTest()
        : InofTestCase("A NIC that its watchdog has stopped is gone for its zone")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        InofHelper inof(fabric);
        inof.Install();
        WatchdogHelper(fabric).InstallNics("TimeScale", DoubleValue(0.01));
        inof.FollowWatchdogs();
        Listen(inof, 0);
        RunUntil(MilliSeconds(5));
        ExpectHeard(0, "+1, +2", "all");
        fabric.GetDevice(2, 0)->OverridePause(BIT, 0);
        RunUntil(MilliSeconds(7));
        ExpectHeard(0, "-2 pfcDisabled", "stopped after 1 ms");
        fabric.GetDevice(2, 0)->OverridePause(0, 0xff);
        fabric.GetHost(2)->GetObject<NicWatchdog>()->Reset(0);
        RunUntil(MilliSeconds(10));
        ExpectHeard(0, "+2", "reset");
    }
};

/// A reflector restarts: its sessions begin anew, and leaves know all hosts again.
class RestartedSwitchTest : public InofTestCase
{
  public:
    RestartedSwitchTest()
        : InofTestCase("A switch that restarts forgets sessions and hosts, and learns them again")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 1, 1);
        InofHelper inof(fabric);
        inof.SetReflectors({2});
        inof.Install();
        RdmaFlowHelper flows(fabric);
        FaultHelper faults(fabric);
        FaultWatch watch(fabric, flows, faults);
        watch.SetPatience(Seconds(10));
        // Shorter than the silence that a session endures, 20 to 31 ms.
        faults.RebootSwitch(2, MilliSeconds(50), MicroSeconds(300));
        Listen(inof, 0);
        RunUntil(MilliSeconds(49));
        ExpectHeard(0, "+1", "before");
        NS_TEST_EXPECT_MSG_EQ(inof.GetTotals().sessionsLost, 0, "before");
        RunUntil(MilliSeconds(51));
        NS_TEST_EXPECT_MSG_EQ(inof.GetSwitchAgent(2)->GetMachine()->IsSessionUp(0), false, "new");
        RunUntil(MilliSeconds(150));
        NS_TEST_EXPECT_MSG_EQ(inof.GetSwitchAgent(2)->GetMachine()->IsSessionUp(0), true, "up");
        NS_TEST_EXPECT_MSG_GT(inof.GetTotals().sessionsLost, 0, "the leaves notice");
        NS_TEST_EXPECT_MSG_EQ(inof.GetHostAgent(0)->GetMachine()->GetPeers().size(), 1, "after");
    }
};

/// A switch without a cable has no part in iNOF: one line says so.
class UnlinkedSwitchTest : public InofTestCase
{
  public:
    UnlinkedSwitchTest()
        : InofTestCase("iNOF names a switch without ports")
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology topology;
        const NodeId host = topology.AddHost();
        const NodeId linked = topology.AddSwitch();
        topology.AddSwitch();
        topology.AddLink(host, linked, {});
        FabricHelper helper;
        const Fabric fabric = helper.FromTopology(topology);
        InofHelper inof(fabric);
        std::string said;
        try
        {
            inof.Install();
        }
        catch (const FabricError& error)
        {
            said = error.what();
        }
        const std::string wanted = "leaf 1: InofSwitchAgent: the switch has no ports";
        NS_TEST_EXPECT_MSG_EQ(said.compare(0, wanted.size(), wanted), 0, said);
        Simulator::Destroy();
    }
};

/// The suite.
class InofFailoverSuite : public TestSuite
{
  public:
    InofFailoverSuite()
        : TestSuite("lossless-inof-failover", Type::UNIT)
    {
        AddTestCase(new StorageTest);
        AddTestCase(new StorageOptionsTest);
        AddTestCase(new NoWayTest);
        AddTestCase(new FoundDisksTest);
        AddTestCase(new StormedPortTest);
        AddTestCase(new StoppedNicTest);
        AddTestCase(new RestartedSwitchTest);
        AddTestCase(new UnlinkedSwitchTest);
    }
};

InofFailoverSuite g_inofFailoverSuite; //!< registers itself

} // namespace

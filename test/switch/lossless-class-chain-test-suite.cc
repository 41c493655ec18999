// SPDX-License-Identifier: GPL-2.0-only

// Class, queue, priority group and PFC priority of different numbers: frames are booked, queued and
// paused by the maps of the ports, and the check of a configuration finds maps that do not fit, for
// which a run loses frames.

#include "deadlock-test-case.h"
#include "fabric-test-case.h"
#include "refusal-of.h"

#include "ns3/boolean.h"
#include "ns3/border-policy.h"
#include "ns3/buffer-check.h"
#include "ns3/buffer-dependency-graph.h"
#include "ns3/double.h"
#include "ns3/flow-diagnosis.h"
#include "ns3/traffic-class-map.h"
#include "ns3/watchdog-helper.h"

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

/// Attributes of class maps and ports at places: place, attribute, value.
using Values = std::vector<std::tuple<std::string, std::string, std::string>>;

/// Class 3 leaves by queue 5 and is booked in priority group 1, whose pauses name PFC priority 4.
const Values SOUND{{"all", "TrafficClassMap::Queue", "3:5,5:3"},
                   {"all", "TrafficClassMap::PriorityGroup", "1:3,3:1"},
                   {"all", "TrafficClassMap::PfcPriority", "1:4,4:1"},
                   {"all", "TrafficClassMap::PfcQueue", "4:5,5:4"}};

/// @param fabric a fabric @param values what to set
void
SetAll(const Fabric& fabric, const Values& values)
{
    for (const auto& [place, name, value] : values)
    {
        fabric.At(place).Set("ns3::" + name, StringValue(value));
    }
}

/// @param findings some @return the lines of all but those of Kmin
std::string
LinesOf(const std::vector<Finding>& findings)
{
    std::string lines;
    for (const Finding& finding : findings)
    {
        lines += finding.rule == "kmin" ? "" : "\n" + finding.ToLine();
    }
    return lines;
}

/// @param fabric a fabric @return frames that its switches have dropped
uint64_t
DropsOf(const Fabric& fabric)
{
    uint64_t drops = 0;
    for (const SwitchId which : fabric.Switches())
    {
        drops += fabric.GetSwitch(which)->GetLosslessDrops();
        drops += fabric.GetSwitch(which)->GetLossyDrops();
    }
    return drops;
}

/// @param fabric a fabric @param host a host @return its port
Ptr<QbbNetDevice>
PortOf(const Fabric& fabric, uint32_t host)
{
    return fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(host)), 0);
}

/// Two leaves, one spine, hosts 0 and 1 at leaf 0, 2 and 3 at leaf 1: hosts 1 to 3 send to host 0.
class ChainTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// @param lossless PFC priorities @return the fabric
    static Fabric Build(const std::vector<uint32_t>& lossless)
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetLosslessClasses(lossless);
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", UintegerValue(1500000));
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        return helper.LeafSpine(2, 1, 2);
    }

    /// Send to host 0. @param fabric the fabric @param classes of hosts 1, 2 and 3
    /// @return whether all of it arrives
    static bool Run(const Fabric& fabric, const std::vector<uint8_t>& classes)
    {
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < classes.size(); ++i)
        {
            flows.Add({HostId(i + 1), HostId(0), 3000000, Time(0), classes[i]});
        }
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        return flows.GetNCompleted() == classes.size();
    }
};

/// All four numbers of a class differ.
class ChainTest : public ChainTestCase
{
  public:
    ChainTest()
        : ChainTestCase("Class 3 waits in queue 5, is booked in group 1, and is paused by priority "
                        "4")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build({4});
        SetAll(fabric, SOUND);
        NS_TEST_EXPECT_MSG_EQ(LinesOf(CheckBuffers(fabric)), "", "the maps fit");
        NS_TEST_EXPECT_MSG_EQ(Run(fabric, {3, 3, 3}), true, "all arrives");
        NS_TEST_EXPECT_MSG_EQ(DropsOf(fabric), 0, "and nothing is lost");
        ExpectSettled(fabric);

        const SwitchMmu& mmu = *fabric.GetSwitch(0)->GetMmu(); // of leaf 0, port 2 to the spine
        NS_TEST_EXPECT_MSG_GT(mmu.GetIngress(2, 1).xoffCount, 0, "group 1 pauses");
        NS_TEST_EXPECT_MSG_EQ(mmu.GetIngress(2, 3).xoffCount, 0, "group 3 has no frames");
        const QbbNetDevice& receiver = *fabric.GetSwitch(0)->GetPort(2);
        NS_TEST_EXPECT_MSG_GT(receiver.GetIssuer().Get(4).txXoff, 0, "by priority 4");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetIssuer().Get(1).txXoff, 0, "and no other");
        const QbbNetDevice& sender = *receiver.GetPeer();
        NS_TEST_EXPECT_MSG_GT(sender.GetObeyer().Get(4).rxXoff, 0, "which the spine receives");
        NS_TEST_EXPECT_MSG_GT(sender.GetObeyer().Get(5).pauses, 0, "and pauses queue 5 for");
        NS_TEST_EXPECT_MSG_EQ(sender.GetObeyer().Get(4).pauses, 0, "and no other queue");
        const QbbNetDevice& host = *PortOf(fabric, 2);
        for (const auto* port : {&sender, &host})
        {
            NS_TEST_EXPECT_MSG_GT(port->GetCounters().txClassBytes[5], 3000000, "queue 5");
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().txClassBytes[3], 0, "queue 3");
        }
    }
};

/// Several numbers lead to one.
class ManyToOneTest : public ChainTestCase
{
  public:
    /// @param name of the case @param values of the maps
    ManyToOneTest(const std::string& name, Values values)
        : ChainTestCase(name),
          m_values(std::move(values))
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build({3});
        SetAll(fabric, m_values);
        NS_TEST_EXPECT_MSG_EQ(LinesOf(CheckBuffers(fabric)), "", "the maps fit");
        NS_TEST_EXPECT_MSG_EQ(Run(fabric, {3, 4, 3}), true, "all arrives");
        NS_TEST_EXPECT_MSG_EQ(DropsOf(fabric), 0, "and nothing is lost");
        const PfcObeyer& spine = fabric.GetSwitch(0)->GetPort(2)->GetPeer()->GetObeyer();
        NS_TEST_EXPECT_MSG_GT(spine.Get(3).rxXoff, 0, "the spine hears of priority 3");
        NS_TEST_EXPECT_MSG_EQ(spine.Get(4).rxXoff, 0, "and of no other");
        const auto map =
            fabric.GetDevice(fabric.GetTopology().GetSwitches()[2], 0)->GetTrafficClassMap();
        NS_TEST_EXPECT_MSG_GT(spine.Get(map->QueueOf(3)).pauses, 0, "class 3 waits");
        NS_TEST_EXPECT_MSG_GT(spine.Get(map->QueueOf(4)).pauses, 0, "class 4 waits");
        ExpectSettled(fabric);
    }

    Values m_values;
};

/// Maps change while ports are paused by the old ones.
class LiveTest : public ChainTestCase
{
  public:
    LiveTest()
        : ChainTestCase("Maps that change during the run leave no port paused for ever")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build({3, 4});
        const Values away{{"all", "TrafficClassMap::PfcQueue", "3:3,4:3,4:4"},
                          {"all", "TrafficClassMap::PfcPriority", "3:4"},
                          {"all", "TrafficClassMap::PriorityGroup", "3:4"},
                          {"all", "TrafficClassMap::Queue", "4:3"}};
        const Values back{{"all", "TrafficClassMap::Queue", ""},
                          {"all", "TrafficClassMap::PriorityGroup", ""},
                          {"all", "TrafficClassMap::PfcPriority", ""},
                          {"all", "TrafficClassMap::PfcQueue", ""}};
        for (uint32_t i = 0; i < 8; ++i)
        {
            Simulator::Schedule(MicroSeconds(50 + 47 * i),
                                [=] { SetAll(fabric, i % 2 ? back : away); });
        }
        NS_TEST_EXPECT_MSG_EQ(Run(fabric, {3, 4, 3}), true, "all arrives");
        ExpectSettled(fabric);
    }
};

/// A mistake in a map, or in the PFC of a link, is found; a run loses frames by it, and none once
/// it is mended as the finding says.
class ChainMistakeTest : public ChainTestCase
{
  public:
    /// @param mistake what is set wrong @param line the finding @param mend what it says
    ChainMistakeTest(Values mistake, const std::string& line, Values mend)
        : ChainTestCase(line),
          m_mistake(std::move(mistake)),
          m_line(line),
          m_mend(std::move(mend))
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isMended : {false, true})
        {
            const Fabric fabric = Build({4});
            SetAll(fabric, SOUND);
            SetAll(fabric, m_mistake);
            SetAll(fabric, isMended ? m_mend : Values());
            const std::string lines = LinesOf(CheckBuffers(fabric));
            // Where a link has no PFC, the other end has the same finding.
            NS_TEST_EXPECT_MSG_EQ((isMended ? lines.empty() : lines.rfind("\n" + m_line, 0) == 0),
                                  true,
                                  "found:" << lines);
            Run(fabric, {3, 3, 3});
            NS_TEST_EXPECT_MSG_EQ((DropsOf(fabric) == 0), isMended, DropsOf(fabric) << " drops");
            Simulator::Destroy();
        }
    }

    Values m_mistake;
    std::string m_line;
    Values m_mend;
};

// ---- who looks at pauses

/// The graph of the routes, the detector and the diagnosis of flows follow the maps.
class ChainDeadlockTest : public DeadlockTest
{
  public:
    ChainDeadlockTest()
        : DeadlockTest("A deadlock of queue 5, group 1 and priority 4 is foreseen and found")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = BuildRing(MakeHelper({4}));
        SetAll(fabric, SOUND);
        const auto detector = DeadlockHelper(fabric).InstallDetector();
        NS_TEST_EXPECT_MSG_EQ(BufferDependencyGraph::FromRoutes(fabric).HasCycle(), true, "routes");
        RdmaFlowHelper flows(fabric);
        FillRing(flows);
        RunUntil(MilliSeconds(6));
        NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
        const Deadlock& deadlock = detector->GetDeadlocks()[0];
        NS_TEST_EXPECT_MSG_EQ(deadlock.cycle.size(), SWITCHES, "vertices");
        for (const BufferVertex& vertex : deadlock.cycle)
        {
            NS_TEST_EXPECT_MSG_EQ(vertex.trafficClass, 1, "a priority group");
        }
        std::set<std::string> sources;
        for (const DeadlockFlow& flow : deadlock.flows)
        {
            sources.insert(flow.source);
        }
        NS_TEST_EXPECT_MSG_EQ(sources.size(), SWITCHES * HOSTS, "all flows are stuck");
        const auto [active, connection] = flows.GetActive().at(0);
        const std::string reason = FlowDiagnosis(fabric).GetReason(active.verb, connection);
        NS_TEST_EXPECT_MSG_NE(reason.find("class 5 is paused"), std::string::npos, reason);
        NS_TEST_EXPECT_MSG_NE(reason.find("(deadlock)"), std::string::npos, reason);
    }
};

/// A watchdog watches queues, whatever PFC priority stops them.
class ChainWatchdogTest : public ChainTestCase
{
  public:
    ChainWatchdogTest()
        : ChainTestCase("A watchdog finds the storm of a queue that another priority stops")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build({4});
        SetAll(fabric, SOUND);
        WatchdogHelper watchdogs(fabric);
        watchdogs.InstallSwitches("TimeScale", DoubleValue(0.005));
        const auto watchdog = WatchdogHelper::GetWatchdogs(fabric, SwitchId(0)).at(0);
        const auto nic = PortOf(fabric, 0);
        Simulator::Schedule(MicroSeconds(100), [nic] { nic->OverridePause(1U << 4, 0); });
        Simulator::Schedule(MilliSeconds(3), [nic] { nic->OverridePause(0, 0); });
        Run(fabric, {3, 3, 3});
        NS_TEST_EXPECT_MSG_GT(watchdog->GetCounters(0, 5).storms, 0, "queue 5");
        NS_TEST_EXPECT_MSG_GT(watchdog->GetCounters(0, 5).queueDrops, 0, "is flushed");
        NS_TEST_EXPECT_MSG_EQ(watchdog->GetTotals().storms,
                              watchdog->GetCounters(0, 5).storms,
                              "and no other");
    }
};

// ---- the border policy

/// The rules of a border policy decide about frames, in their order.
class BorderTest : public ChainTestCase
{
  public:
    BorderTest()
        : ChainTestCase("A border policy marks anew, lets pass and drops, at its ports alone")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(4);
        const auto policy = CreateObjectWithAttributes<BorderPolicy>(
            "Rules",
            StringValue("udp 4791 dscp 24 from 10.0.0.0/8 permit; tcp drop; any set dscp 0"),
            "Ports",
            StringValue("1-2"));
        fabric.GetSwitch(0)->AddExtension(policy);
        std::vector<std::pair<uint32_t, uint8_t>> matches;
        policy->TraceConnectWithoutContext(
            "Match",
            Callback<void, uint32_t, const Frame&>([&](uint32_t rule, const Frame& frame) {
                matches.emplace_back(rule, frame.dscp);
            }));
        RdmaFlowHelper flows(fabric);
        for (const auto& [host, cls] : {std::pair(1, 3), std::pair(2, 5), std::pair(3, 5)})
        {
            flows.Add({HostId(host), HostId(0), 100000, Time(0), static_cast<uint8_t>(cls)});
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 3, "all arrive");
        const auto sent = fabric.GetSwitch(0)->GetPort(0)->GetCounters().txClassBytes;
        NS_TEST_EXPECT_MSG_GT(sent[3], 100000, "host 1 keeps its class");
        NS_TEST_EXPECT_MSG_GT(sent[0], 100000, "host 2 gets class 0");
        NS_TEST_EXPECT_MSG_GT(sent[5], 100000, "host 3 is at another port");
        const std::vector<uint64_t>& counts = policy->GetMatches();
        NS_TEST_ASSERT_MSG_EQ(counts.size(), 3, "one a rule");
        NS_TEST_EXPECT_MSG_EQ(counts[0], fabric.GetRdma(HostId(1))->GetCounters().dataPackets, "");
        NS_TEST_EXPECT_MSG_EQ(counts[1], 0, "no TCP");
        NS_TEST_EXPECT_MSG_EQ(counts[2], fabric.GetRdma(HostId(2))->GetCounters().dataPackets, "");
        NS_TEST_EXPECT_MSG_EQ(matches.size(), counts[0] + counts[2], "one call a frame");
        for (const auto& [rule, dscp] : matches)
        {
            NS_TEST_EXPECT_MSG_EQ(+dscp, (rule == 0 ? 24 : 0), "the new DSCP");
        }
    }
};

/// What a border policy drops has a reason of its own.
class BorderDropTest : public ChainTestCase
{
  public:
    BorderDropTest()
        : ChainTestCase("A border policy drops, and its rules change at any time")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.AllowLossy();
        const Fabric fabric = helper.Star(2);
        const auto policy = CreateObject<BorderPolicy>();
        fabric.GetSwitch(0)->AddExtension(policy);
        policy->SetAttribute("Rules", StringValue("from 10.0.0.0/8 to 10.0.0.0/8 dscp 0-23 drop;"));
        const auto sender = [&](Time at, uint8_t cls) {
            Simulator::Schedule(at, [&fabric, cls] {
                auto* frame = new Frame;
                frame->src = fabric.GetAddress(HostId(0)).Get();
                frame->dst = fabric.GetAddress(HostId(1)).Get();
                frame->kind = FrameKind::ROCE;
                frame->dstPort = 4791;
                frame->bytes = 1000;
                frame->dscp = cls << 3;
                frame->trafficClass = cls;
                PortOf(fabric, 0)->Queues().Push(frame);
                PortOf(fabric, 0)->Kick();
            });
        };
        sender(MicroSeconds(1), 2);
        sender(MicroSeconds(2), 4);
        Simulator::Schedule(MicroSeconds(10),
                            [policy] { policy->SetAttribute("Rules", StringValue("any drop")); });
        sender(MicroSeconds(11), 4);
        sender(MicroSeconds(12), 4);
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetDropCount(DropReason::BORDER_POLICY),
                              3,
                              "one, then two");
        NS_TEST_EXPECT_MSG_EQ(policy->GetMatches().at(0), 2, "of the new rules");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetMmu()->IsIdle(), true, "nothing was booked");
    }
};

/// Rules that cannot be read are refused, with what would be right.
class BorderTextTest : public ChainTestCase
{
  public:
    BorderTextTest()
        : ChainTestCase("Rules of a border policy that cannot be read are refused")
    {
    }

  private:
    /// @param name of an attribute @param value its text @return what is said against it
    static std::string Say(const std::string& name, const std::string& value)
    {
        return RefusalOf(
            [&] { CreateObject<BorderPolicy>()->SetAttribute(name, StringValue(value)); });
    }

    void DoRun() override
    {
        for (const char* text : {"any permit",
                                 "",
                                 "udp permit; tcp 80 set dscp 8; protocol 1 drop",
                                 "from 2001:db8::/32 to ::1 permit",
                                 "udp 4791 dscp 46,48-50 permit;",
                                 "from :: to 1:: drop",
                                 "from 1:2:3:4:5:6:7:8 to ::8 drop",
                                 "udp 4791 permit; udp drop",
                                 "udp permit; tcp 4791 drop",
                                 "dscp 0-7 permit; dscp 7,8 drop",
                                 "dscp 0-7 permit; any drop",
                                 "from 10.1.0.0/16 permit; from 10.0.0.0/8 drop",
                                 "from 10.1.0.0/16 permit; to 10.1.0.0/16 drop",
                                 "from 0.0.0.0/0 permit; from ::/0 drop"})
        {
            NS_TEST_EXPECT_MSG_EQ(Say("Rules", text), "", text);
        }
        // Words that cannot be read, and rules that no frame reaches.
        for (const char* text : {"udp",
                                 "udp any drop",
                                 "dscp 64 drop",
                                 "any set dscp 64",
                                 "any set ttl 1",
                                 "any drop dscp 1",
                                 "from 10.0.0/8 drop",
                                 "from 10.0.0. drop",
                                 "from 1:2:3:4:5:6:7:8: drop",
                                 "to 1::2::3 drop",
                                 "udp 4791 tcp drop",
                                 "udp protocol 17 drop",
                                 "dscp 24 dscp 10 drop",
                                 "from 10.0.0.0/8 from 10.0.1.0/24 drop",
                                 "to ::1 to ::2 drop",
                                 "from fd00::/8 to 10.0.0.1 drop",
                                 "any permit; udp drop",
                                 "udp permit; udp 4791 drop",
                                 "protocol 17 permit; udp drop",
                                 "dscp 0-7 permit; dscp 1,3 tcp drop",
                                 "from 10.0.0.0/8 permit; from 10.1.0.0/16 to 10.2.0.0/16 drop",
                                 "to fd00::/8 permit; to fd00:1::/32 drop",
                                 "dscp 0-63 permit; any drop"})
        {
            const std::string rule = std::string(text).find("; ") == std::string::npos ? "1" : "2";
            NS_TEST_EXPECT_MSG_EQ(Say("Rules", text).rfind("BorderPolicy: rule " + rule, 0),
                                  0,
                                  text);
        }
        NS_TEST_EXPECT_MSG_NE(Say("Ports", "3-1"), "", "ports that run back");
        const Fabric fabric = FabricHelper().Star(2);
        const auto policy = CreateObjectWithAttributes<BorderPolicy>("Ports", StringValue("0,2"));
        ExpectRefusal([&] { policy->Check(*fabric.GetSwitch(0)); }, "Ports names port 2");
    }
};

/// The suite of the maps between class, queue, priority group and PFC priority.
class ClassChainTestSuite : public TestSuite
{
  public:
    ClassChainTestSuite()
        : TestSuite("lossless-class-chain", Type::UNIT)
    {
        AddTestCase(new ChainTest);
        AddTestCase(new ManyToOneTest("Two classes of one priority group wait in two queues",
                                      {{"all", "TrafficClassMap::PriorityGroup", "4:3"},
                                       {"all", "TrafficClassMap::PfcQueue", "3:3,3:4"}}));
        AddTestCase(new ManyToOneTest("Two priority groups share a PFC priority",
                                      {{"all", "TrafficClassMap::PfcPriority", "4:3"},
                                       {"all", "TrafficClassMap::PfcQueue", "3:3,3:4"}}));
        AddTestCase(new ManyToOneTest("Two priority groups share a PFC priority and a queue",
                                      {{"all", "TrafficClassMap::PfcPriority", "4:3"},
                                       {"all", "TrafficClassMap::Queue", "4:3"}}));
        AddTestCase(new LiveTest);
        AddTestCase(new ChainDeadlockTest);
        AddTestCase(new ChainWatchdogTest);
        AddMistakes();
        AddTestCase(new BorderTest);
        AddTestCase(new BorderDropTest);
        AddTestCase(new BorderTextTest);
    }

  private:
    /// One case for each way to be wrong.
    void AddMistakes()
    {
        AddTestCase(new ChainMistakeTest(
            {{"leaf 0 port 2", "TrafficClassMap::PriorityGroup", ""}},
            "leaf 0 port 2 class 3: frames of class 3, lossless at hosts, are booked in priority "
            "group 3",
            {{"leaf 0 port 2", "TrafficClassMap::PriorityGroup", "3:1"}}));
        AddTestCase(new ChainMistakeTest(
            {{"leaf 0 port 2", "TrafficClassMap::PfcPriority", ""}},
            "leaf 0 port 2 class 3: frames of class 3, lossless at hosts, are booked in priority "
            "group 1, whose PFC priority 1",
            {{"leaf 0 port 2", "TrafficClassMap::PriorityGroup", "3:4"}}));
        AddTestCase(new ChainMistakeTest(
            {{"spine 0 port 0", "TrafficClassMap::Queue", ""}},
            "leaf 0 port 2 class 3: frames of class 3 wait in queue 3 of spine 0 port 0",
            {{"spine 0 port 0", "TrafficClassMap::PfcQueue", "4:3"}}));
        AddTestCase(new ChainMistakeTest(
            {{"spine 0 port 0", "TrafficClassMap::PfcQueue", ""}},
            "leaf 0 port 2 class 3: frames of class 3 wait in queue 5 of spine 0 port 0",
            {{"spine 0 port 0", "TrafficClassMap::PfcQueue", "4:5"}}));
        AddTestCase(new ChainMistakeTest(
            {{"leaf 0 port 2", "QbbNetDevice::PfcClasses", "0"},
             {"spine 0 port 0", "QbbNetDevice::PfcClasses", "0"}},
            "leaf 0 port 2 class 3: frames of class 3, lossless at hosts, are booked in priority "
            "group 1, whose PFC priority 4",
            {{"leaf 0 port 2", "QbbNetDevice::PfcClasses", "16"},
             {"spine 0 port 0", "QbbNetDevice::PfcClasses", "16"}}));
    }
};

ClassChainTestSuite g_classChainTestSuite; //!< the suite

} // namespace

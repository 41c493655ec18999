// SPDX-License-Identifier: GPL-2.0-only

// L2Tables: what a switch does with frames for a host whose MAC address it has forgotten, and that
// the buffer keeps its books when one frame becomes several.

#include "fault-test-case.h"
#include "fault-watch.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/l2-tables.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/watchdog-helper.h"

#include <memory>
#include <string>

using namespace ns3;

namespace
{

const FabricLinkSpec LINK{DataRate("100Gbps"), MicroSeconds(1), 0};

/// A fabric whose switches have L2Tables.
struct FloodRun
{
    FloodRun(const FabricTopology& topology, const std::string& policy, const std::string& mac)
    {
        helper.SetCongestionControl("none");
        helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(100)));
        helper.AddSwitchExtension("ns3::L2Tables",
                                  "UnknownMac",
                                  StringValue(policy),
                                  "MacTimeout",
                                  StringValue(mac),
                                  "Groups",
                                  StringValue("Lossy"));
        fabric = std::make_unique<Fabric>(helper.FromTopology(topology));
        flows = std::make_unique<RdmaFlowHelper>(*fabric);
        faults = std::make_unique<FaultHelper>(*fabric);
        watch = std::make_unique<FaultWatch>(*fabric, *flows, *faults);
    }

    Ptr<L2Tables> Tables(uint32_t i) const
    {
        const auto fabricSwitch = fabric->GetSwitch(i);
        return DynamicCast<L2Tables>(
            fabricSwitch->GetExtension(fabricSwitch->GetNExtensions() - 1));
    }

    void Flow(uint32_t from, uint32_t to, uint64_t bytes, uint32_t cls = 3)
    {
        flows->Add({from, to, bytes, MicroSeconds(1), static_cast<uint8_t>(cls)});
    }

    uint64_t Drops(NodeId node, DropReason reason) const
    {
        uint64_t sum = 0;
        for (uint32_t port = 0; port < fabric->GetTopology().GetLinksOf(node).size(); ++port)
        {
            const auto& drops = fabric->GetDevice(node, port)->GetCounters().drops;
            sum += drops[static_cast<std::size_t>(reason)];
        }
        return sum;
    }

    FabricHelper helper;
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<RdmaFlowHelper> flows;
    std::unique_ptr<FaultHelper> faults;
    std::unique_ptr<FaultWatch> watch;
};

/// A host dies and its MAC entry goes: its frames are flooded, each copy with a booking of its own.
class FloodTest : public FaultTestCase
{
  public:
    FloodTest(const std::string& policy, uint32_t cls, bool floods)
        : FaultTestCase("A dead host, UnknownMac " + policy + ", class " + std::to_string(cls)),
          m_policy(policy),
          m_class(cls),
          m_floods(floods)
    {
    }

  private:
    void DoRun() override
    {
        // Host 3 at leaf 1 dies; its leaf has ports to hosts 2 and 3 and to two spines.
        FloodRun run(FabricTopology::LeafSpine(2, 2, 2, LINK, LINK), m_policy, "5min");
        run.Flow(0, 3, 20000, m_class);
        run.Flow(1, 2, 20000);
        run.faults->KillHost(3, Time(0));
        Simulator::Schedule(NanoSeconds(1),
                            [&] { run.Tables(1)->Forget(run.fabric->GetAddress(3)); });
        for (uint32_t us = 2; us < 100; us += 2)
        {
            Simulator::Schedule(MicroSeconds(us),
                                [this, &run] { ExpectInvariants(*run.fabric, "flood"); });
        }
        Simulator::Run();
        const auto counters = run.Tables(1)->GetCounters();
        const NodeId leaf = run.fabric->GetTopology().GetSwitches()[1];
        NS_TEST_EXPECT_MSG_EQ((counters.flooded > 0), m_floods, "floods");
        NS_TEST_EXPECT_MSG_EQ(counters.copies, 3 * counters.flooded, "to all ports but one");
        // A frame came by one spine: the other one, and both hosts, get a copy each.
        NS_TEST_EXPECT_MSG_EQ(run.Drops(2, DropReason::NOT_FOR_US), counters.flooded, "host 2");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(leaf.Value() + 1, DropReason::NOT_FOR_US) +
                                  run.Drops(leaf.Value() + 2, DropReason::NOT_FOR_US),
                              counters.flooded,
                              "spines");
        NS_TEST_EXPECT_MSG_EQ((run.Drops(leaf, DropReason::UNKNOWN_MAC) > 0), !m_floods, "drops");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(leaf, DropReason::UNKNOWN_MAC),
                              counters.unknownMac,
                              "drops");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, "the other flow");
        ExpectReason(*run.flows, "a silent NIC");
        ExpectListed(*run.flows);
        ExpectSettled(*run.fabric);
    }

    std::string m_policy;
    uint32_t m_class;
    bool m_floods;
};

/// A living host is found again by the flood.
class RelearnTest : public FaultTestCase
{
  public:
    RelearnTest()
        : FaultTestCase("A host that answers is learnt again")
    {
    }

  private:
    void DoRun() override
    {
        FloodRun run(FabricTopology::Star(4, LINK), "Flood", "5min");
        run.Flow(0, 3, 200000);
        const Ipv4Address host = run.fabric->GetAddress(3);
        const auto tables = run.Tables(0);
        Simulator::Schedule(NanoSeconds(1), [&] {
            NS_TEST_EXPECT_MSG_EQ(tables->Forget(host), true, "a host of the switch");
            NS_TEST_EXPECT_MSG_EQ(tables->Forget(Ipv4Address("10.1.0.1")), false, "no host");
            NS_TEST_EXPECT_MSG_EQ(tables->KnowsMac(host), false, "MAC");
            NS_TEST_EXPECT_MSG_EQ(tables->KnowsArp(host), true, "ARP");
        });
        Simulator::Run();
        const auto& counters = tables->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(tables->KnowsMac(host), true, "MAC");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, FirstReason(*run.flows));
        NS_TEST_EXPECT_MSG_GT(counters.flooded, 0, "flooded");
        NS_TEST_EXPECT_MSG_LT(counters.flooded, 100, "of 200 frames; a round trip is 4 us");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetRdma(3)->GetCounters().duplicates, 0, "once each");
        ExpectSettled(*run.fabric);
    }
};

/// The two timeouts, and the fix of a MAC timeout above the ARP timeout.
class AgeTest : public FaultTestCase
{
  public:
    explicit AgeTest(const std::string& mac)
        : FaultTestCase("Ages with a MAC timeout of " + mac),
          m_mac(mac)
    {
    }

  private:
    void DoRun() override
    {
        FloodRun run(FabricTopology::Star(4, LINK), "Flood", m_mac);
        const bool fixed = m_mac == "5h";
        const Ipv4Address host = run.fabric->GetAddress(3);
        const auto tables = run.Tables(0);
        run.faults->KillHost(3, Time(0));
        run.Flow(0, 3, 5000);
        Simulator::Schedule(NanoSeconds(1), [&] {
            tables->Age(host, Minutes(4));
            NS_TEST_EXPECT_MSG_EQ(tables->KnowsMac(host), true, "4 min");
            tables->Age(host, Minutes(6));
            NS_TEST_EXPECT_MSG_EQ(tables->KnowsMac(host), fixed, "10 min");
            NS_TEST_EXPECT_MSG_EQ(tables->KnowsArp(host), true, "10 min");
        });
        Simulator::Schedule(MicroSeconds(50), [&] {
            NS_TEST_EXPECT_MSG_EQ((tables->GetCounters().flooded > 0), !fixed, "floods");
            tables->Age(host, Hours(4));
            NS_TEST_EXPECT_MSG_EQ(tables->KnowsArp(host), false, "4 h");
        });
        Simulator::Run();
        // The retransmissions find no ARP entry.
        NS_TEST_EXPECT_MSG_GT(tables->GetCounters().unknownArp, 0, "ARP");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(4, DropReason::UNKNOWN_MAC),
                              tables->GetCounters().unknownArp,
                              "drops");
        ExpectSettled(*run.fabric);
    }

    std::string m_mac;
};

/// Broadcast: flooded in lossy classes, never in lossless ones.
class GroupTest : public FaultTestCase
{
  public:
    GroupTest()
        : FaultTestCase("Broadcast stays out of lossless classes")
    {
    }

  private:
    void DoRun() override
    {
        FloodRun run(FabricTopology::Star(4, LINK), "DropLossless", "5min");
        for (const uint8_t cls : {0, 3})
        {
            auto frame = new Frame;
            frame->kind = FrameKind::ROCE;
            frame->bytes = 1000;
            frame->src = run.fabric->GetAddress(0).Get();
            frame->dst = 0xffffffff;
            frame->trafficClass = cls;
            RdmaMarking marking =
                RdmaMarking::FromMap(*run.fabric->GetDevice(0, 0)->GetTrafficClassMap(), cls);
            frame->dscp = marking.dscp;
            frame->pcp = marking.pcp;
            frame->tagged = marking.tagged;
            run.fabric->GetDevice(0, 0)->Queues().Push(frame);
        }
        run.fabric->GetDevice(0, 0)->Kick();
        Simulator::Run();
        const auto& counters = run.Tables(0)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.flooded, 1, "class 0");
        NS_TEST_EXPECT_MSG_EQ(counters.copies, 3, "copies");
        NS_TEST_EXPECT_MSG_EQ(counters.groupsDropped, 1, "class 3");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(4, DropReason::LINK_LOCAL), 1, "class 3");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(1, DropReason::NOT_FOR_US), 1, "arrived");
        ExpectSettled(*run.fabric);
    }
};

/// Packets of the IP stack for another host end in the NIC, and are not routed on by the stack.
class StackTest : public FaultTestCase
{
  public:
    StackTest()
        : FaultTestCase("A flooded packet of the IP stack")
    {
    }

  private:
    void DoRun() override
    {
        FloodRun run(FabricTopology::Star(4, LINK), "Flood", "5min");
        run.Tables(0)->SetAttribute("Groups", StringValue("Drop")); // IPv6 looks for routers
        run.fabric->InstallInternet();
        run.faults->KillHost(3, Time(0));
        auto socket = Socket::CreateSocket(run.fabric->GetHost(0), UdpSocketFactory::GetTypeId());
        Simulator::Schedule(MicroSeconds(1), [&] {
            run.Tables(0)->Forget(run.fabric->GetAddress(3));
            socket->SendTo(Create<Packet>(500),
                           0,
                           InetSocketAddress(run.fabric->GetAddress(3), 4000));
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.Tables(0)->GetCounters().flooded,
                              1,
                              "a packet routed on would be flooded again");
        for (uint32_t host = 1; host < 3; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(run.Drops(host, DropReason::NOT_FOR_US), 1, "host " << host);
        }
        ExpectSettled(*run.fabric);
    }
};

/// A watchdog drops a queue: no copy of a flooded frame enters it.
class DroppedQueueTest : public FaultTestCase
{
  public:
    DroppedQueueTest()
        : FaultTestCase("A watchdog drops copies of flooded frames as it drops other frames")
    {
    }

  private:
    void DoRun() override
    {
        FloodRun run(FabricTopology::Star(4, LINK), "Flood", "5min");
        const auto tables = run.Tables(0);
        WatchdogHelper(*run.fabric)
            .InstallSwitches("Ports", UintegerValue(1), "BigRedSwitch", BooleanValue(true));
        run.Flow(1, 3, 20000);
        Simulator::Schedule(NanoSeconds(1), [&] { tables->Forget(run.fabric->GetAddress(3)); });
        Simulator::Run();
        const uint64_t flooded = tables->GetCounters().flooded;
        NS_TEST_EXPECT_MSG_GT(flooded, 0, "floods");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(2, DropReason::NOT_FOR_US), flooded, "another host");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(0, DropReason::NOT_FOR_US), 0, "the port of the watchdog");
        const auto watchdog = WatchdogHelper::GetWatchdogs(*run.fabric, 0).at(0);
        NS_TEST_EXPECT_MSG_EQ(watchdog->GetCounters(0, 3).queueDrops, flooded, "counted");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetSwitch(0)->GetDropCount(DropReason::WATCHDOG),
                              flooded,
                              "and by the switch");
        watchdog->SetBigRedSwitch(false);
        ExpectSettled(*run.fabric);
    }
};

/// A switch has one table at most.
class TwiceTest : public FaultTestCase
{
  public:
    TwiceTest()
        : FaultTestCase("L2Tables twice in a switch are refused; disposed, they know nobody")
    {
    }

  private:
    void DoRun() override
    {
        FloodRun run(FabricTopology::Star(2, LINK), "Flood", "5min");
        const auto fabricSwitch = run.fabric->GetSwitch(0);
        const auto first = run.Tables(0);
        fabricSwitch->Start();
        NS_TEST_EXPECT_MSG_EQ(first->KnowsMac(run.fabric->GetAddress(1)), true, "known");
        fabricSwitch->AddExtension(CreateObject<L2Tables>());
        ExpectRefusal([&] { fabricSwitch->Start(); }, "add only one");
        first->Dispose();
        NS_TEST_EXPECT_MSG_EQ(first->KnowsMac(run.fabric->GetAddress(1)), false, "disposed");
    }
};

class FloodingTestSuite : public TestSuite
{
  public:
    FloodingTestSuite()
        : TestSuite("lossless-flooding", Type::SYSTEM)
    {
        AddTestCase(new FloodTest("Flood", 3, true));
        AddTestCase(new FloodTest("Flood", 0, true));
        AddTestCase(new FloodTest("DropLossless", 3, false));
        AddTestCase(new FloodTest("DropLossless", 0, true));
        AddTestCase(new FloodTest("Drop", 0, false));
        AddTestCase(new RelearnTest);
        AddTestCase(new AgeTest("5min"));
        AddTestCase(new AgeTest("5h"));
        AddTestCase(new GroupTest);
        AddTestCase(new StackTest);
        AddTestCase(new DroppedQueueTest);
        AddTestCase(new TwiceTest);
    }
};

FloodingTestSuite g_floodingTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// iNOF on the simulated fabric: what its messages cost and what becomes of them. What relies on it:
// lossless-inof-failover-test-suite.cc. The state machines have unit tests.

#include "inof-test-case.h"

#include "ns3/double.h"
#include "ns3/qbb-net-device.h"

#include <numeric>
#include <string>

using namespace ns3;

namespace
{

/// A host is plugged in: the others of its zone learn of it after two messages.
class PlugTest : public InofTestCase
{
  public:
    PlugTest()
        : InofTestCase("A host that is plugged in is known after two hops, to its zone only")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(4);
        InofHelper inof(fabric);
        inof.Install();
        inof.AddZone("storage", {0, 1});
        for (uint32_t host = 0; host < 4; ++host)
        {
            Listen(inof, host);
        }
        fabric.SetLinkUp(LinkOf(fabric, 1), false);
        RunUntil(MilliSeconds(5));
        ExpectHeard(0, "", "alone in its zone");
        ExpectHeard(2, "+3", "the default zone");
        fabric.SetLinkUp(LinkOf(fabric, 1), true);
        RunUntil(MilliSeconds(10));
        ExpectHeard(0, "+1", "plugged in");
        ExpectHeard(1, "+0", "and is told");
        ExpectHeard(2, "", "of another zone");
        // HELLO of 34 octets and notice of 37: 28 of UDP and IP, 18 of Ethernet, 20 of gap; 1 us of
        // cable and 10 us of processor each.
        const int64_t wire = (34 + 28 + 18 + 20) * 80 + (37 + 28 + 18 + 20) * 80;
        NS_TEST_EXPECT_MSG_EQ((HeardAt(0) - MilliSeconds(5)).GetPicoSeconds(),
                              wire + 2 * (1000000 + 10000000),
                              "two messages");
        const auto port = fabric.GetSwitch(0)->GetPort(0);
        NS_TEST_EXPECT_MSG_GT(port->GetCounters().txClassBytes[7], 0, "in a class of their own");
        const auto& classes = port->GetCounters().txClassBytes;
        NS_TEST_EXPECT_MSG_EQ(std::accumulate(classes.begin(), classes.end() - 1, uint64_t{0}),
                              0,
                              "and in no other");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetDropCount(DropReason::LINK_LOCAL),
                              0,
                              "the switch takes them");
    }
};

/// Hosts at other switches, over reflectors.
class CrossSwitchTest : public InofTestCase
{
  public:
    CrossSwitchTest()
        : InofTestCase("Events cross the fabric by reflectors; one of two may die, not both")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(3, 2, 1);
        InofHelper inof(fabric);
        inof.SetReflectors({3, 4}); // the spines
        inof.Install();
        Listen(inof, 0);
        Listen(inof, 2);
        RunUntil(MilliSeconds(50));
        ExpectHeard(0, "+1, +2", "all leaves know of all hosts");

        fabric.SetLinkUp(LinkOf(fabric, 2), false);
        RunUntil(MilliSeconds(60));
        ExpectHeard(0, "-2 linkDown", "cut");
        ExpectHeard(2, "+0, +1, -0 linkDown, -1 linkDown", "cut off");
        // Link event 10 us, reflector 1 ms, leaf 1 ms, host 10 us, and three cables of 1 us.
        const int64_t took = (HeardAt(0) - MilliSeconds(50)).GetPicoSeconds();
        NS_TEST_EXPECT_MSG_GT(took, 2023000000, "two sessions");
        NS_TEST_EXPECT_MSG_LT(took, 2024000000, "two sessions");

        inof.GetSwitchAgent(3)->Stop();
        RunUntil(MilliSeconds(100));
        inof.AddZone("late", {2});
        RunUntil(MilliSeconds(150));
        NS_TEST_EXPECT_MSG_EQ(inof.GetSwitchAgent(0)->GetMachine()->GetZones().GetZones().size(),
                              2,
                              "the other one configures");
        ExpectHeard(0, "", "one reflector dies: the other has all");
        const auto* leaf = inof.GetSwitchAgent(0)->GetMachine();
        NS_TEST_EXPECT_MSG_EQ(leaf->IsSessionUp(3), false, "noticed");
        NS_TEST_EXPECT_MSG_EQ(leaf->IsSessionUp(4), true, "noticed");
        inof.GetSwitchAgent(4)->Stop();
        RunUntil(MilliSeconds(250));
        ExpectHeard(0, "-1 timeout", "both die");
        const double ms = (HeardAt(0) - MilliSeconds(150)).GetSeconds() * 1000;
        NS_TEST_EXPECT_MSG_EQ_TOL(ms, 26.0, 5.1, "after 20 to 31 ms of silence");
        inof.GetSwitchAgent(4)->Restart(Time(0));
        RunUntil(MilliSeconds(300));
        ExpectHeard(0, "+1", "one is back");
    }
};

/// A cut link takes the session with it.
class CutTest : public InofTestCase
{
  public:
    CutTest()
        : InofTestCase("A cut between switches loses the session, and mending brings it back")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Dumbbell(2, 1, DataRate("100Gbps"));
        const FabricTopology& topology = fabric.GetTopology();
        const LinkId link = topology.FindLink(topology.GetSwitches()[0], topology.GetSwitches()[1]);
        InofHelper inof(fabric);
        inof.SetReflectors({0});
        inof.Install();
        Listen(inof, 0);
        Listen(inof, 2);
        RunUntil(MilliSeconds(50));
        ExpectHeard(0, "+1, +2", "whole");
        ExpectHeard(2, "+0, +1", "whole");
        fabric.SetLinkUp(link, false);
        RunUntil(MilliSeconds(69));
        ExpectHeard(0, "", "silence is not noticed at once");
        RunUntil(MilliSeconds(100));
        ExpectHeard(0, "-2 timeout", "cut");
        ExpectHeard(2, "-0 timeout, -1 timeout", "cut");
        fabric.SetLinkUp(link, true);
        RunUntil(MilliSeconds(150));
        ExpectHeard(0, "+2", "mended");
        ExpectHeard(2, "+0, +1", "mended");
    }
};

/// Every tenth message is lost: sessions repeat them.
class LossTest : public InofTestCase
{
  public:
    LossTest()
        : InofTestCase("Lost messages come again: 10 % loss on all links")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("ErrorRate", DoubleValue(0.1));
        helper.AllowLossy();
        const Fabric fabric = helper.LeafSpine(3, 2, 3);
        InofHelper inof(fabric);
        inof.SetReflectors({3, 4});
        // Three hops of 10 % each way: silence of three intervals happens, of ten does not.
        inof.SetSwitch("SessionMisses", UintegerValue(10));
        inof.Install();
        fabric.AssignStreams(1);
        RunUntil(Seconds(1));
        for (uint32_t host = 0; host < 9; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(inof.GetHostAgent(host)->GetMachine()->GetPeers().size(),
                                  8,
                                  "host " << host);
        }
        fabric.SetLinkUp(LinkOf(fabric, 8), false);
        RunUntil(Seconds(2));
        for (uint32_t host = 0; host < 8; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(inof.GetHostAgent(host)->GetMachine()->GetPeers().size(),
                                  7,
                                  "host " << host);
        }
        const auto totals = inof.GetTotals();
        NS_TEST_EXPECT_MSG_GT(totals.retransmitted, 20, "not by luck");
        NS_TEST_EXPECT_MSG_EQ(totals.sessionsLost, 0, "no session was lost");
    }
};

/// A fabric full of RDMA leaves the sessions alone.
class BusyTest : public InofTestCase
{
  public:
    BusyTest()
        : InofTestCase("Sessions outlive 60 ms of a full fabric; nothing lossless is dropped")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("10Gbps"));
        const Fabric fabric = helper.LeafSpine(2, 1, 3);
        InofHelper inof(fabric);
        inof.SetReflectors({2});
        inof.Install();
        Listen(inof, 0);
        RdmaFlowHelper flows(fabric);
        for (uint32_t source = 0; source < 3; ++source)
        {
            flows.Add({source, 3, 25000000, MilliSeconds(50)}); // 20 ms each at 10 Gb/s
        }
        RunUntil(MilliSeconds(45));
        ExpectHeard(0, "+1, +2, +3, +4, +5", "before");
        RunUntil(MilliSeconds(130));
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 3, "the load");
        ExpectHeard(0, "", "under load");
        NS_TEST_EXPECT_MSG_EQ(inof.GetTotals().sessionsLost, 0, "sessions");
        ExpectClean(fabric);
    }
};

/// What a switch finds wrong at a port, and what a host does not say.
class ReasonTest : public InofTestCase
{
  public:
    ReasonTest()
        : InofTestCase("PFC switched off, a port at fault, and a host that falls silent")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        InofHelper inof(fabric);
        inof.SetKeepAlive(MilliSeconds(10), 3);
        inof.Install();
        Listen(inof, 0);
        RunUntil(MilliSeconds(25));
        ExpectHeard(0, "+1, +2", "all");
        fabric.GetSwitch(0)->GetPort(1)->SetPfcEnabled(false);
        RunUntil(MilliSeconds(40));
        ExpectHeard(0, "-1 pfcDisabled", "at the switch");
        fabric.GetSwitch(0)->GetPort(1)->SetPfcEnabled(true);
        RunUntil(MilliSeconds(55));
        ExpectHeard(0, "+1", "on again");
        fabric.GetRdma(1)->GetDevice(0)->SetPfcEnabled(false);
        RunUntil(MilliSeconds(70));
        ExpectHeard(0, "-1 pfcDisabled", "at the host");
        fabric.GetRdma(1)->GetDevice(0)->SetPfcEnabled(true);
        RunUntil(MilliSeconds(85));
        ExpectHeard(0, "+1", "on again");
        inof.GetSwitchAgent(0)->SetFault(2, InofReason::PFC_DISABLED);
        RunUntil(MilliSeconds(105));
        ExpectHeard(0, "-2 pfcDisabled", "on behalf of a watchdog, and it stays");
        inof.GetHostAgent(1)->Crash();
        const Time crash = Simulator::Now();
        RunUntil(MilliSeconds(160));
        ExpectHeard(0, "-1 timeout", "silent");
        NS_TEST_EXPECT_MSG_GT(HeardAt(0) - crash, MilliSeconds(20), "three intervals");
        NS_TEST_EXPECT_MSG_LT(HeardAt(0) - crash, MilliSeconds(31), "three intervals");
    }
};

/// What is wrong with a port before the switch has booted.
class EarlyFaultTest : public InofTestCase
{
  public:
    EarlyFaultTest()
        : InofTestCase("A fault that is found before the switch boots counts from its boot on")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        InofHelper inof(fabric);
        inof.SetKeepAlive(MilliSeconds(10), 3);
        inof.Install();
        Listen(inof, 0);
        const auto agent = inof.GetSwitchAgent(0);
        agent->SetFault(1, InofReason::PORT_FAULT);
        agent->SetFault(1, InofReason::NONE);
        agent->SetFault(2, InofReason::PORT_FAULT);
        RunUntil(MilliSeconds(25));
        ExpectHeard(0, "+1", "host 2 is behind the port at fault");
        agent->SetFault(2, InofReason::NONE);
        RunUntil(MilliSeconds(45));
        ExpectHeard(0, "+2", "the port works again");
    }
};

/// The control plane of a leaf restarts.
class RestartTest : public InofTestCase
{
  public:
    RestartTest()
        : InofTestCase("Graceful restart: nobody notices; without it hosts flap")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isGraceful : {false, true})
        {
            FabricHelper helper;
            const Fabric fabric = helper.LeafSpine(2, 1, 2);
            InofHelper inof(fabric);
            inof.SetReflectors({2});
            inof.SetSwitch("GracefulRestart", TimeValue(isGraceful ? Seconds(1) : Seconds(0)));
            inof.Install();
            Listen(inof, 0);
            RunUntil(MilliSeconds(50));
            ExpectHeard(0, "+1, +2, +3", "before");
            inof.GetSwitchAgent(1)->Restart(MilliSeconds(300));
            RunUntil(MilliSeconds(800));
            ExpectHeard(0,
                        isGraceful ? "" : "-2 timeout, -3 timeout, +2, +3",
                        isGraceful ? "graceful" : "plain");
            Simulator::Destroy();
        }
    }
};

/// Sends nothing.
class SilentSink : public InofSwitchSink
{
  public:
    void SendToHost(uint32_t, const InofDatagram&) override
    {
    }

    void SendToPeer(uint32_t, const InofDatagram&) override
    {
    }

    void Notified(uint32_t, const InofMessage&) override
    {
    }

    void SessionChanged(uint32_t, bool) override
    {
    }
};

/// Zones at run time, by the helper; and wrong calls.
class HelperTest : public InofTestCase
{
  public:
    HelperTest()
        : InofTestCase("Zones change while it runs; mistakes are one line")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 1, 2);
        InofHelper inof(fabric);
        ExpectError([&] { inof.AddZone("early"); }, "install it first");
        ExpectError([&] { inof.SetReflectors({9}); }, "there is no switch 9");
        ExpectError([&] { inof.SetReflectors({2, 2}); }, "given twice");
        ExpectError([&] { inof.SetSwitch("Helo", UintegerValue(1)); }, "Helo");
        inof.SetReflectors({2});
        inof.Install();
        ExpectError([&] { inof.Install(); }, "installed already");
        ExpectError([&] { inof.SetReflectors({1}); }, "set it before");
        ExpectError([&] { inof.SetDisk(1); }, "set it before");
        ExpectError([&] { inof.SetKeepAlive(Seconds(1), 3); }, "set it before");
        ExpectError([&] { inof.SetHost("Dscp", UintegerValue(8)); }, "set it before");
        const auto agent = inof.GetSwitchAgent(0);
        ExpectRefusal([&] { agent->Restart(Seconds(-1)); }, "must not be negative");
        ExpectRefusal([&] { agent->SetIdentity(9, Ipv4Address("172.16.0.9"), 0); }, "no effect");
        ExpectRefusal([&] { agent->AddHostPort(0); }, "no effect");
        ExpectRefusal([&] { agent->AddSession(1, Ipv4Address("172.16.0.2"), InofSwitch::CLIENT); },
                      "no effect");
        ExpectRefusal([&] { agent->SetFault(99, InofReason::PORT_FAULT); }, "no port 99");
        const uint32_t late = fabric.GetSwitch(0)->AddPort(CreateObject<QbbNetDevice>());
        ExpectRefusal([&] { agent->SetFault(late, InofReason::PORT_FAULT); }, "was added after");
        InofHelper other(fabric);
        ExpectError([&] { other.SetKeepAlive(Hours(2), 3); }, "HelloInterval");
        const Fabric third = FabricHelper().Star(2);
        InofHelper lossless(third);
        lossless.SetHost("Dscp", UintegerValue(26)); // of class 3
        ExpectError([&] { lossless.Install(); }, "needs a lossy class");
        InofSwitch::Config config;
        config.helloIntervalPs = int64_t{1} << 60;
        config.helloMisses = 255;
        SilentSink sink;
        ExpectRefusal([&] { InofSwitch machine(sink, config); }, "more than can be counted");
        ExpectError([&] { inof.DeleteZone("default"); }, "cannot be deleted");
        ExpectError([&] { inof.AddMember("gold", 1); }, "no zone \"gold\"");
        ExpectError([&] { inof.GetHostAgent(4); }, "there is no host 4");
        Listen(inof, 0);
        RunUntil(MilliSeconds(50));
        ExpectHeard(0, "+1, +2, +3", "autoJoin");
        const auto hostAgent = inof.GetHostAgent(0);
        ExpectRefusal([&] { hostAgent->SetRole(InofRole::DISK); }, "no effect");
        ExpectRefusal([&] { hostAgent->SetPort(fabric.GetDevice(0, 0), 7, Ipv4Address()); },
                      "no effect");
        inof.AddZone("gold", {0, 3});
        RunUntil(MilliSeconds(60));
        ExpectHeard(0, "-1 removed, -2 removed", "gold");
        inof.AddMember("gold", 2);
        RunUntil(MilliSeconds(70));
        ExpectHeard(0, "+2", "gold");
        inof.RemoveMember("gold", 2);
        RunUntil(MilliSeconds(75));
        ExpectHeard(0, "-2 removed", "no more");
        inof.DeleteZone("gold");
        RunUntil(MilliSeconds(80));
        ExpectHeard(0, "+1, +2", "all free");
        inof.SetAutoJoin(false);
        RunUntil(MilliSeconds(90));
        ExpectHeard(0, "-1 removed, -2 removed, -3 removed", "nobody joins");
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(inof.GetSwitchAgent(i)->GetMachine()->GetZones().GetVersion(),
                                  inof.GetSwitchAgent(2)->GetMachine()->GetZones().GetVersion(),
                                  "version at " << i);
        }
    }
};

/// iNOF must not travel where it could be paused.
class ClassTest : public InofTestCase
{
  public:
    ClassTest()
        : InofTestCase("A lossless class is refused")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(2);
        InofHelper inof(fabric);
        inof.SetSwitch("Dscp", UintegerValue(24));
        ExpectError([&] { inof.Install(); }, "iNOF needs a lossy class");
    }
};

/// A port that the switch does not have.
class NoPortTest : public InofTestCase
{
  public:
    NoPortTest()
        : InofTestCase("A host at a port that is not there is refused")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        const auto agent = CreateObject<InofSwitchAgent>();
        agent->AddHostPort(99);
        fabric.GetSwitch(0)->AddExtension(agent);
        ExpectRefusal([&] { fabric.GetSwitch(0)->Start(); }, "no port 99");
    }
};

/// The suite.
class InofSuite : public TestSuite
{
  public:
    InofSuite()
        : TestSuite("lossless-inof", Type::UNIT)
    {
        AddTestCase(new PlugTest);
        AddTestCase(new CrossSwitchTest);
        AddTestCase(new CutTest);
        AddTestCase(new LossTest);
        AddTestCase(new BusyTest);
        AddTestCase(new EarlyFaultTest);
        AddTestCase(new ReasonTest);
        AddTestCase(new RestartTest);
        AddTestCase(new HelperTest);
        AddTestCase(new ClassTest);
        AddTestCase(new NoPortTest);
    }
};

InofSuite g_inofSuite; //!< registers itself

} // namespace

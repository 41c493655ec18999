// SPDX-License-Identifier: GPL-2.0-only

// Each fault of FaultHelper alone: what it does, and that the fabric is as before when it is over.

#include "fault-test-case.h"

#include "ns3/fault-loss.h"
#include "ns3/l2-tables.h"

#include <fstream>
#include <functional>
#include <sstream>

using namespace ns3;

namespace
{

const FabricLinkSpec LINK{DataRate("100Gbps"), MicroSeconds(1), 0};

/// A fault in the middle of an incast of 3 to host 0 of a star, which is lifted: all flows
/// complete, and the fabric settles.
class RecoveryTest : public FaultTestCase
{
  public:
    using Inject = std::function<void(FaultHelper&)>;
    using Look = std::function<bool(FaultRun&)>;

    RecoveryTest(const std::string& name, Inject inject, Look during, Look after)
        : FaultTestCase("Recovers from " + name),
          m_inject(std::move(inject)),
          m_during(std::move(during)),
          m_after(std::move(after))
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(4, LINK));
        for (uint32_t host = 1; host < 4; ++host)
        {
            run.Flow(host, 0, 2000000); // 500 us in all
        }
        m_inject(*run.faults);
        Simulator::Schedule(MicroSeconds(280), [&] {
            NS_TEST_EXPECT_MSG_GT(run.faults->GetNActive(), 0, "the fault lasts");
            NS_TEST_EXPECT_MSG_EQ(m_during(run), true, "effect of the fault");
            ExpectInvariants(*run.fabric, "during the fault");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 3, FirstReason(*run.flows));
        NS_TEST_EXPECT_MSG_EQ(run.faults->GetWatch().IsStuck(), false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(m_after(run), true, "what the fault leaves");
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "events are left");
        ExpectSettled(*run.fabric);
        ExpectListed(*run.flows);
    }

    Inject m_inject;
    Look m_during;
    Look m_after;
};

/// A fault for good: the run ends, and flow 0 is listed with its reason.
class ReasonTest : public FaultTestCase
{
  public:
    using Inject = std::function<void(FaultHelper&)>;

    ReasonTest(const std::string& name,
               Inject inject,
               const std::string& reason,
               bool stuck,
               const std::string& dialect = "Standard")
        : FaultTestCase("Says what stops flows: " + name),
          m_inject(std::move(inject)),
          m_reason(reason),
          m_stuck(stuck),
          m_dialect(dialect)
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(4, LINK), m_dialect);
        run.Flow(1, 0, 20000000);
        run.Flow(2, 0, 20000000);
        run.Flow(3, 2, 1000000);
        run.Flow(2, 1, 1000, Seconds(3));
        m_inject(*run.faults);
        Simulator::Stop(Seconds(1)); // a second in which the run should have ended
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.faults->GetWatch().IsStuck(), m_stuck, "stuck");
        if (m_stuck)
        {
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(20), "ends in time");
        }
        ExpectReason(*run.flows, m_reason);
        ExpectListed(*run.flows);
        const auto unfinished = UnfinishedFlows(*run.flows).Get();
        NS_TEST_EXPECT_MSG_EQ(unfinished.back().flow.index, 3, "the last flow");
        NS_TEST_EXPECT_MSG_EQ(unfinished.back().reason, "starts at 3000.000000 ms", "its reason");
        std::ostringstream os;
        UnfinishedFlows(*run.flows).Print(os);
        NS_TEST_EXPECT_MSG_NE(os.str().find(m_reason), std::string::npos, os.str());
        ExpectInvariants(*run.fabric, "at the end");
    }

    Inject m_inject;
    std::string m_reason;
    bool m_stuck;
    std::string m_dialect;
};

/// A ring of five switches with a host each; host 0 sends to host 1, and the link between their
/// switches is cut. The way round is s0, s4, s3, s2, s1: while s4 does not know, its way is back.
class MicroLoopTest : public FaultTestCase
{
  public:
    MicroLoopTest(const std::string& name, bool nearFirst, const std::string& rate)
        : FaultTestCase("Convergence, " + name),
          m_nearFirst(nearFirst),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology ring;
        for (uint32_t i = 0; i < 5; ++i)
        {
            ring.AddSwitch();
        }
        for (uint32_t i = 0; i < 5; ++i)
        {
            ring.AddLink(i, (i + 1) % 5, LINK);
            ring.AddLink(ring.AddHost(), i, LINK);
        }
        FaultRun run(ring);
        ObjectFactory fixed("ns3::RdmaFixedRate");
        fixed.Set("Rate", StringValue(m_rate));
        run.flows->SetCongestionControl(fixed);
        run.Flow(0, 1, 500000);
        Convergence& convergence = run.faults->GetConvergence();
        if (m_nearFirst)
        {
            convergence.SetByDistance(MicroSeconds(10), MicroSeconds(400));
        }
        else
        {
            convergence.SetDelays({MicroSeconds(810),
                                   MicroSeconds(810),
                                   MicroSeconds(10),
                                   MicroSeconds(10),
                                   MicroSeconds(410)});
        }
        run.faults->CutLink(0, MicroSeconds(20));
        Simulator::Schedule(MicroSeconds(25), [&] {
            NS_TEST_EXPECT_MSG_EQ(convergence.IsUnderWay(), true, "convergence");
        });
        Simulator::Run();
        const uint64_t expired = run.Drops(DropReason::TTL_EXPIRED);
        const bool fast = m_rate == "100Gbps";
        NS_TEST_EXPECT_MSG_EQ((expired > 0), m_nearFirst && !fast, expired << " TTLs expired");
        NS_TEST_EXPECT_MSG_EQ(run.faults->GetWatch().IsStuck(), m_nearFirst && fast, "deadlock");
        if (m_nearFirst && fast)
        {
            ExpectReason(*run.flows, "a circle of pauses through switch");
            ExpectInvariants(*run.fabric, "deadlock");
            // What was queued before the routes changed is what the circle is made of.
            run.faults->RebootSwitch(4, Simulator::Now(), MicroSeconds(100));
            run.faults->GetWatch().Resume();
            Simulator::Run();
        }
        NS_TEST_EXPECT_MSG_EQ(convergence.IsUnderWay(), false, "convergence");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 1, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
    }

    bool m_nearFirst;
    std::string m_rate;
};

/// Faults overlap, a link flaps, and the log says so.
class FlapTest : public FaultTestCase
{
  public:
    FlapTest()
        : FaultTestCase("Flapping and overlapping cuts of a link")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::LeafSpine(2, 2, 2, LINK, LINK));
        const uint32_t leaf = run.fabric->GetTopology().GetSwitches()[0];
        const uint32_t spine = run.fabric->GetTopology().GetSwitches()[2];
        const uint32_t link = run.fabric->GetTopology().FindLink(leaf, spine);
        run.Flow(0, 2, 3000000);
        run.Flow(1, 3, 3000000);
        run.Flow(3, 0, 3000000);
        run.faults->GetConvergence().SetRandom(MicroSeconds(5), MicroSeconds(60));
        run.faults->AssignStreams(7);
        run.faults->FlapLink(link, MicroSeconds(30), MicroSeconds(20), MicroSeconds(50), 4);
        run.faults->CutLink(link, MicroSeconds(185), MicroSeconds(30)); // over the end of the last
        const std::string path = CreateTempDirFilename("faults.csv");
        run.faults->WriteTo(path);
        uint32_t told = 0;
        run.faults->OnFault([&told](const FaultHelper::Event&) { ++told; });
        for (const auto& [us, up] : {std::pair(29, true),
                                     {31, false},
                                     {51, true},
                                     {195, false},
                                     {201, false},
                                     {216, true}})
        {
            Simulator::Schedule(MicroSeconds(us), [this, &run, link, us = us, up = up] {
                NS_TEST_EXPECT_MSG_EQ(run.fabric->IsLinkUp(link), up, "at " << us << " us");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 3, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
        NS_TEST_EXPECT_MSG_EQ(told, 10, "events");
        run.faults.reset();
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        NS_TEST_EXPECT_MSG_EQ(line, "time_ns,event,what,where", "head");
        std::getline(file, line);
        NS_TEST_EXPECT_MSG_EQ(line,
                              "30000,begin,link-down,link " + std::to_string(link),
                              "first line");
    }
};

/// Extensions count their starts.
class StartCounter : public SwitchExtension
{
  public:
    uint32_t GetHooks() const override
    {
        return 0;
    }

    void Start(FabricSwitch& /* owner */) override
    {
        ++starts;
    }

    uint32_t starts{0};
};

/// A switch restarts: its buffer is empty, its extensions begin anew, other ways are taken.
class RebootTest : public FaultTestCase
{
  public:
    RebootTest()
        : FaultTestCase("Reboot of a spine and of a leaf")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::LeafSpine(2, 2, 2, LINK, LINK));
        auto counter = CreateObject<StartCounter>();
        run.fabric->GetSwitch(2)->AddExtension(counter);
        run.Flow(0, 2, 5000000);
        run.Flow(1, 2, 5000000);
        run.Flow(3, 0, 5000000);
        run.faults->GetConvergence().SetUniform(MicroSeconds(20));
        run.faults->RebootSwitch(2, MicroSeconds(50), MicroSeconds(300));
        run.faults->RebootSwitch(0, MicroSeconds(500), MicroSeconds(300));
        uint32_t starts = 0;
        Simulator::Schedule(MicroSeconds(49), [&] { starts = counter->starts; });
        for (const auto& [us, index] : {std::pair(100, 2), {700, 0}})
        {
            Simulator::Schedule(MicroSeconds(us), [this, &run, index = index] {
                NS_TEST_EXPECT_MSG_EQ(run.fabric->GetSwitch(index)->GetMmu()->IsIdle(),
                                      true,
                                      "buffer of " << index);
                ExpectInvariants(*run.fabric, "reboot");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(starts, 1, "starts");
        NS_TEST_EXPECT_MSG_EQ(counter->starts, 2, "starts, with the second");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 3, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
    }
};

/// What cannot be is refused in one line.
class RefusalTest : public FaultTestCase
{
  public:
    RefusalTest()
        : FaultTestCase("Impossible faults are refused")
    {
    }

  private:
    void DoRun() override
    {
        FaultRun run(FabricTopology::Star(2, LINK));
        FaultHelper& f = *run.faults;
        const Time t = MicroSeconds(1);
        ExpectError([&] { f.CutLink(2, t); }, "there is no link 2; links are 0 to 1");
        ExpectError([&] { f.CutLink(0, Time(0) - t); }, "before the time now");
        ExpectError([&] { f.CutLink(0, t, Time(0) - t); }, "for a negative time");
        ExpectError([&] { f.FlapLink(0, t, t, t, 2); }, "the time down must be");
        ExpectError([&] { f.FlapLink(0, t, t, t + t, 0); }, "flaps 0 times");
        ExpectError([&] { f.RebootSwitch(1, t, t); }, "there is no switch 1");
        ExpectError([&] { f.RebootSwitch(0, t, Time(0)); }, "in no time");
        ExpectError([&] { f.KillHost(2, t); }, "there is no host 2");
        ExpectError([&] { f.SilencePort(9, 0, t); }, "there is no node 9");
        ExpectError([&] { f.SilencePort(2, 2, t); }, "there is no port 2");
        ExpectError([&] { f.StickXoff(0, 0, 1, t); }, "classes with PFC there are those of mask 8");
        ExpectError([&] { f.StickXoff(0, 0, 0, t); }, "classes with PFC");
        ExpectError([&] { f.StormHost(5, t); }, "there is no host 5");
        ExpectError([&] { f.LoseXon(2, 0, 4, 1, t); }, "has no PFC");
        ExpectError([&] { f.LoseXon(2, 0, 3, 0, t); }, "lose 1 or more");
        ExpectError([&] { f.LoseFrames(2, 0, nullptr, t); }, "without a FrameLoss");
        ExpectError([&] { f.SlowReceiver(0, ObjectFactory(), t); }, "ns3::NicReceiveBuffer");
        ExpectError([&] { f.StopReceiver(2, t); }, "there is no host 2");
        ExpectError([&] { f.GetConvergence().SetDelays({t, t}); }, "the fabric has 1 switches");
        ExpectError([&] { f.GetConvergence().SetUniform(Time(0) - t); }, "0 or more");
        ExpectError([&] { f.GetConvergence().SetRandom(t, Time(0)); }, "below the least");
        ExpectError([&] { f.GetWatch().SetPatience(Time(0)); }, "above 0");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(f.GetLog().size(), 0, "nothing happened");
    }
};

class FaultsTestSuite : public TestSuite
{
  public:
    FaultsTestSuite()
        : TestSuite("lossless-faults", Type::SYSTEM)
    {
        AddRecoveries();
        AddReasons();
        AddTestCase(new MicroLoopTest("near first: a micro-loop, TTLs expire", true, "1Gbps"));
        AddTestCase(new MicroLoopTest("far first: none", false, "1Gbps"));
        AddTestCase(new MicroLoopTest("near first at line rate: deadlock", true, "100Gbps"));
        AddTestCase(new FlapTest);
        AddTestCase(new RebootTest);
        AddTestCase(new RefusalTest);
    }

  private:
    static constexpr uint32_t SWITCH = 4; //!< node of the star's switch

    void AddRecoveries()
    {
        const Time at = MicroSeconds(100);
        const Time lasts = MicroSeconds(200);
        const auto any = [](FaultRun&) { return true; };
        const auto retransmitted = [](FaultRun& run) {
            return run.fabric->GetRdma(1)->GetCounters().retransmitted > 0;
        };
        const auto silent = [](FaultRun& run) { return run.Drops(DropReason::INJECTED) > 0; };
        AddTestCase(new RecoveryTest(
            "a cut link",
            [=](FaultHelper& f) { f.CutLink(1, at, lasts); },
            [](FaultRun& run) { return !run.fabric->GetDevice(1, 0)->IsLinkUp(); },
            retransmitted));
        AddTestCase(new RecoveryTest(
            "a silent port of the switch",
            [=](FaultHelper& f) { f.SilencePort(SWITCH, 0, at, lasts); },
            silent,
            retransmitted));
        AddTestCase(new RecoveryTest(
            "a dead host",
            [=](FaultHelper& f) { f.KillHost(0, at, lasts); },
            silent,
            retransmitted));
        AddTestCase(new RecoveryTest(
            "lost frames",
            [=](FaultHelper& f) { f.LoseFrames(0, 0, CreateObject<SilentLoss>(), at, lasts); },
            silent,
            retransmitted));
        AddTestCase(new RecoveryTest(
            "a NIC that pauses",
            [=](FaultHelper& f) { f.StormHost(0, at, lasts); },
            [](FaultRun& run) {
                return run.fabric->GetDevice(SWITCH, 0)->PausedMask() == 8 &&
                       run.fabric->GetDevice(1, 0)->PausedMask() == 8; // and on to the senders
            },
            [](FaultRun& run) { return run.Drops(DropReason::INJECTED) == 0; }));
        AddTestCase(new RecoveryTest(
            "a stuck XOFF of the switch",
            [=](FaultHelper& f) {
                f.StickXoff(SWITCH, 2, 8, at, lasts);
                f.StickXoff(SWITCH, 2, 8, at + lasts / 2, lasts); // they overlap
            },
            [](FaultRun& run) { return run.fabric->GetDevice(2, 0)->PausedMask() == 8; },
            [](FaultRun& run) {
                return run.fabric->GetDevice(SWITCH, 2)->GetIssuer().Stuck() == 0;
            }));
        AddTestCase(new RecoveryTest(
            "a lost XON",
            [=](FaultHelper& f) { f.LoseXon(1, 0, 3, 1, at); },
            any,
            [](FaultRun& run) {
                return run.fabric->GetDevice(1, 0)->GetObeyer().Get(3).expired > 0 &&
                       run.Drops(DropReason::INJECTED) == 1;
            }));
        AddTestCase(new RecoveryTest(
            "a slow receiver",
            [=](FaultHelper& f) {
                ObjectFactory slow("ns3::NicReceiveBuffer");
                slow.Set("BufferBytes", UintegerValue(200000));
                f.SlowReceiver(0, slow, at, lasts);
            },
            [](FaultRun& run) {
                return run.fabric->GetRdma(0)->GetReceiveBuffer(0)->GetCounters().misses > 0 &&
                       run.fabric->GetDevice(0, 0)->GetIssuer().Get(3).txXoff > 0;
            },
            [](FaultRun& run) {
                return run.Drops(DropReason::RECEIVE_FULL) == 0 &&
                       !run.fabric->GetRdma(0)->GetReceiveBuffer(0);
            }));
        AddTestCase(new RecoveryTest(
            "a receiver that stops",
            [=](FaultHelper& f) { f.StopReceiver(0, at, lasts); },
            [](FaultRun& run) { return run.fabric->GetRdma(0)->GetReceiveBuffer(0)->IsPausing(); },
            [](FaultRun& run) { return run.Drops(DropReason::RECEIVE_FULL) == 0; }));
        AddTestCase(new RecoveryTest(
            "a reboot of the switch",
            [=](FaultHelper& f) { f.RebootSwitch(0, at, lasts); },
            [](FaultRun& run) { return run.fabric->GetSwitch(0)->GetMmu()->IsIdle(); },
            retransmitted));
    }

    void AddReasons()
    {
        const Time at = MicroSeconds(100);
        AddTestCase(new ReasonTest(
            "a cut link",
            [=](FaultHelper& f) { f.CutLink(1, at); },
            "RETRY_EXCEEDED; link down at host 1 port 0",
            false));
        AddTestCase(new ReasonTest(
            "a dead host",
            [=](FaultHelper& f) { f.KillHost(0, at); },
            "RETRY_EXCEEDED; nothing arrives at host 0 port 0: a silent NIC",
            false));
        AddTestCase(new ReasonTest(
            "a silent port",
            [=](FaultHelper& f) { f.SilencePort(1, 0, at); },
            "RETRY_EXCEEDED; nothing arrives at switch 4 port 1: a silent port",
            false));
        AddTestCase(new ReasonTest(
            "a NIC that pauses",
            [=](FaultHelper& f) { f.StormHost(0, at); },
            ": its XOFF at host 0 port 0 is stuck",
            true));
        AddTestCase(new ReasonTest(
            "a stuck XOFF",
            [=](FaultHelper& f) { f.StickXoff(SWITCH, 1, 8, at); },
            "host 1 port 0 class 3 is paused for",
            true));
        AddTestCase(new ReasonTest(
            "a receiver that stops",
            [=](FaultHelper& f) { f.StopReceiver(0, at); },
            "host 0 port 0 does not take what arrives",
            true));
        AddTestCase(new ReasonTest(
            "a lost XON that no quanta end",
            [=](FaultHelper& f) { f.LoseXon(1, 0, 3, 1, at); },
            "wants no pause: an XON is on its way or was lost",
            true,
            "EndlessXoff"));
    }
};

FaultsTestSuite g_faultsTestSuite; //!< registers the suite

} // namespace

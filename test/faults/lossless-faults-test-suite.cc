// SPDX-License-Identifier: GPL-2.0-only

// Each fault of FaultHelper alone: what it does, and that the fabric is as before when it is over.

#include "fabric-test-case.h"
#include "fault-test-case.h"
#include "findings-of.h"

#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/fault-loss.h"
#include "ns3/l2-tables.h"

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
        NS_TEST_EXPECT_MSG_EQ(run.watch->IsStuck(), false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(m_after(run), true, "what the fault leaves");
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "events are left");
        ExpectSettled(*run.fabric);
        ExpectListed(*run.flows);
    }

    Inject m_inject;
    Look m_during;
    Look m_after;
};

/// Frames that a cut link loses are no drops of a lossless class.
class CutDropsTest : public FaultTestCase
{
  public:
    CutDropsTest()
        : FaultTestCase("Frames of a link that was cut are counted apart")
    {
    }

  private:
    void DoRun() override
    {
        RunOptions options;
        options.stop = MicroSeconds(200);
        FabricRun run(FabricHelper().Star(4), options);
        run.Rdma().Incast(3, 0, 1000000, Time(0));
        run.Faults().CutLink(0, MicroSeconds(50));
        const RunResults& results = run.Execute();
        const RunTotals& totals = results.totals;
        NS_TEST_EXPECT_MSG_GT(totals.losslessDropsOfLinks, 0, "what was queued is lost");
        NS_TEST_EXPECT_MSG_EQ(totals.losslessDrops, totals.losslessDropsOfLinks, "nothing else");
        const std::string line = "Drops: 0 in lossless classes, 0 in lossy classes, " +
                                 std::to_string(totals.losslessDropsOfLinks) +
                                 " of lossless classes at links that were down";
        NS_TEST_EXPECT_MSG_NE(results.Summary().find(line), std::string::npos, results.Summary());
    }
};

/// RDMA data that has no way to its host is named at the end of a run, with its number and place.
class UnreachedDataTest : public FaultTestCase
{
  public:
    UnreachedDataTest()
        : FaultTestCase("Data without a route is found, and not what a link that is cut loses")
    {
    }

  private:
    /// Run an incast of 3 to host 0 of a star. @param change of the run, before it
    /// @param reason why its switch drops frames @param dropped gets how many
    /// @return what was found to be lost
    static std::string Run(const std::function<void(FabricRun&, const Fabric&)>& change,
                           DropReason reason,
                           uint64_t& dropped)
    {
        Simulator::Destroy();
        RunOptions options;
        options.stop = MicroSeconds(200);
        const Fabric fabric = FabricHelper().Star(4);
        FabricRun run(fabric, options);
        run.Rdma().Incast(3, 0, 1000000, Time(0));
        change(run, fabric);
        run.Execute();
        dropped = fabric.GetSwitch(0)->GetDropCount(reason);
        return FindingsOf(run.GetFindings(), "lost");
    }

    void DoRun() override
    {
        uint64_t dropped = 0;
        const std::string cut =
            Run([](FabricRun& run, const Fabric&) { run.Faults().CutLink(0, MicroSeconds(50)); },
                DropReason::LINK_DOWN,
                dropped);
        // Those in flight to host 0 are dropped there; ACKs of the other hosts are no data.
        NS_TEST_EXPECT_MSG_GT(dropped, 10, cut);
        NS_TEST_EXPECT_MSG_EQ(cut, "", "a cut is meant to lose frames");
        const std::string unrouted = Run(
            [](FabricRun&, const Fabric& fabric) {
                Simulator::Schedule(MicroSeconds(50), [fabric] {
                    fabric.GetSwitch(0)->GetForwardingTable().RemoveRoute(fabric.GetAddress(0));
                });
            },
            DropReason::NO_ROUTE,
            dropped);
        NS_TEST_EXPECT_MSG_GT(dropped, 10, unrouted);
        const std::string number = std::to_string(dropped);
        NS_TEST_EXPECT_MSG_EQ(unrouted,
                              "[lost] " + number + " frames lost: no-route " + number +
                                  "; lost.csv says where\n",
                              "all of them");
        NS_TEST_EXPECT_MSG_EQ(Run([](FabricRun&, const Fabric&) {}, DropReason::LINK_DOWN, dropped),
                              "",
                              "nothing is lost");
    }
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
        NS_TEST_EXPECT_MSG_EQ(run.watch->IsStuck(), m_stuck, "stuck");
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

/// LoseXon() loses the frames of its class, and as many as it says.
class LostXonTest : public FaultTestCase
{
  public:
    LostXonTest()
        : FaultTestCase("Three lost XON frames of class 3")
    {
    }

  private:
    void DoRun() override
    {
        // A short pause: many XON frames, each of them lost ends by the quanta after 5 us.
        FaultRun run(FabricTopology::Star(4, LINK), "ShortQuanta");
        for (uint32_t host = 1; host < 4; ++host)
        {
            run.Flow(host, 0, 4000000);
        }
        run.faults->LoseXon(1, 0, 3, 3, MicroSeconds(1));
        Simulator::Run();
        const auto& issuer = run.fabric->GetDevice(SWITCH_NODE, 1)->GetIssuer().Get(3);
        NS_TEST_EXPECT_MSG_GT(issuer.txXon, 3, "XON frames to host 1");
        NS_TEST_EXPECT_MSG_EQ(run.Drops(DropReason::INJECTED), 3, "lost");
        NS_TEST_EXPECT_MSG_EQ(run.flows->GetNCompleted(), 3, FirstReason(*run.flows));
        ExpectSettled(*run.fabric);
    }

    static constexpr uint32_t SWITCH_NODE = 4;
};

/// A plane is cut: flows of the other one do not notice, those of the plane wait until it is back.
class CutPlaneTest : public FaultTestCase
{
  public:
    CutPlaneTest()
        : FaultTestCase("A cut plane stops its own flows alone, and gives its links back")
    {
    }

  private:
    /// Four flows from leaf to leaf, two in each plane. @param cut whether plane 1 is
    /// @return when they end, by flow: 0 and 1 in plane 0, 2 and 3 in plane 1
    std::vector<Time> Run(bool cut)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetCongestionControl("none"); // which draws nothing
        const Fabric fabric = helper.MultiPlane(2, 2, 2, 2);
        RdmaFlowHelper flows(fabric);
        for (const uint32_t plane : {0, 1})
        {
            for (const uint32_t host : {0, 1})
            {
                RdmaFlow flow{host, host + 2, 1000000};
                flow.way = plane;
                flows.Add(flow);
            }
        }
        std::vector<Time> ends(4);
        flows.OnEnd([&](const RdmaFlowResult& result) { ends[result.index] = result.fct; });
        FaultHelper faults(fabric);
        if (cut)
        {
            faults.CutPlane(1, MicroSeconds(20), MicroSeconds(300));
            const auto expect = [&, planes = fabric.GetTopology().GetPlanes()](bool up) {
                for (const LinkId link : fabric.GetTopology().Links())
                {
                    const auto& ends = fabric.GetTopology().GetLink(link);
                    const bool isOfPlane = planes[ends.b.Value()] == 1U; // a switch
                    NS_TEST_EXPECT_MSG_EQ(fabric.IsLinkUp(link), (up || !isOfPlane), link.Name());
                }
            };
            Simulator::Schedule(MicroSeconds(200), [expect] { expect(false); });
            Simulator::Schedule(MicroSeconds(321), [expect] { expect(true); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 4, FirstReason(flows));
        if (cut)
        {
            NS_TEST_EXPECT_MSG_EQ(faults.GetLog().size(), 2, "one fault");
            NS_TEST_EXPECT_MSG_EQ(faults.GetLog().front().where, "plane 1", "its place");
        }
        ExpectSettled(fabric);
        return ends;
    }

    void DoRun() override
    {
        const std::vector<Time> whole = Run(false);
        const std::vector<Time> cut = Run(true);
        for (const std::size_t flow : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(cut[flow], whole[flow], "in plane 0");
            NS_TEST_EXPECT_MSG_GT(cut[flow + 2], MicroSeconds(320), "in plane 1");
        }
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
        ExpectError([&] { f.CutPlane(1, t); }, "\"plane 1\" is nowhere");
        ExpectError([&] { f.RebootSwitch(1, t, t); }, "there is no switch 1");
        ExpectError([&] { f.RebootSwitch(0, t, Time(0)); }, "in no time");
        ExpectError([&] { f.KillHost(2, t); }, "there is no host 2");
        ExpectError([&] { f.SilencePort(9, 0, t); }, "there is no node 9");
        ExpectError([&] { f.SilencePort(2, 2, t); }, "there is no port 2");
        ExpectError([&] { f.StickXoff(0, 0, 1, t); }, "classes with PFC there are those of mask 8");
        ExpectError([&] { f.StickXoff(0, 0, 0, t); }, "classes with PFC");
        ExpectError([&] { f.StormHost(5, t); }, "there is no host 5");
        ExpectError([&] { f.LoseXon(2, 0, 4, 1, t); }, "has no PFC");
        ExpectError([&] { f.LoseXon(2, 0, 3, 0, t); },
                    "0 lost XON frames at leaf 0 port 0; lose 1");
        ExpectError([&] { f.RebootSwitch(0, Time(0) - t, t); },
                    "reboot of leaf 0 at -1 us, before");
        ExpectError([&] { f.LoseFrames(2, 0, Ptr<FrameLoss>(), t); }, "without a FrameLoss");
        ExpectError([&] { f.LoseRandomly(2, 0, 1.5, t); }, "it must be 0 to 1");
        ExpectError([&] { f.LoseIpIds(2, 0, 0xf0, 0xff, t); }, "within the mask");
        ExpectError([&] { f.LoseIpIds(2, 2, 0xff, 0xff, t); }, "there is no port 2");
        // The first mistake is the node, which the message of the second would name.
        ExpectError([&] { f.LoseIpIds(0x7fffffff, 0, 0, 1, t); }, "there is no node 2147483647");
        ExpectError([&] { f.LoseRandomly(0x7fffffff, 0, 2, t); }, "there is no node 2147483647");
        ExpectError([&] { f.SlowReceiver(0, ObjectFactory(), t); }, "ns3::NicReceiveBuffer");
        ExpectError([&] { f.StopReceiver(2, t); }, "there is no host 2");
        ExpectError([&] { f.GetConvergence().SetDelays({t, t}); }, "the fabric has 1 switches");
        ExpectError([&] { f.GetConvergence().SetUniform(Time(0) - t); }, "0 or more");
        ExpectError([&] { f.GetConvergence().SetRandom(t, Time(0)); }, "below the least");
        ExpectError([&] { run.watch->SetPatience(Time(0)); }, "above 0");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(f.GetLog().size(), 0, "nothing happened");
    }
};

/// CutLink() counts from the start of the simulation, whenever it is called.
class CutLinkTest : public FabricTestCase
{
  public:
    CutLinkTest()
        : FabricTestCase("The time of a link's change counts from the start of the simulation")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        FaultHelper faults(fabric);
        const auto device = fabric.GetDevice(0, 0);
        Simulator::Schedule(MicroSeconds(10), [&] {
            faults.CutLink(0, MicroSeconds(15));
            ExpectError([&] { faults.CutLink(0, MicroSeconds(9)); }, "before the time now");
        });
        Simulator::Schedule(MicroSeconds(14),
                            [&] { NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), true, "too early"); });
        Simulator::Schedule(MicroSeconds(16),
                            [&] { NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "too late"); });
        ExpectError([&] { faults.CutLink(0, Seconds(-1)); }, "before the time now");
        Simulator::Run();
    }
};

/// A sender whose own link is cut fails like one whose receiver is gone, or goes on in time.
class OwnLinkTest : public FabricTestCase
{
  public:
    OwnLinkTest()
        : FabricTestCase("A queue pair whose port has no link runs into its retry limit")
    {
    }

  private:
    /// A flow of host 0, whose link is cut at some time and maybe mended.
    RdmaFlowResult Run(const std::string& control, RdmaVerb verb, Time cut, Time mended = Time(0))
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetCongestionControl(control);
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        flows.SetVerb(verb);
        flows.Incast(1, 1, 1000000, Time(0)); // of host 2
        RdmaFlow flow{0, 2, 1000000};
        flow.verb = verb;
        flows.Add(flow);
        FaultHelper faults(fabric);
        faults.CutLink(0, cut, mended.IsZero() ? Time(0) : mended - cut);
        RdmaFlowResult last{};
        flows.OnEnd([&](const RdmaFlowResult& result) { last = result; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.IsDone(), true, control << ": the flow has ended");
        NS_TEST_EXPECT_MSG_EQ(last.flow.source, 0, "the flow of the cut host is last");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now() - last.fct, MicroSeconds(5), "events are left");
        return last;
    }

    void DoRun() override
    {
        for (const std::string control : {"ns3::RdmaDcqcn", "none"})
        {
            for (const RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::READ})
            {
                // Before the first packet, and in the middle.
                for (const Time& cut : {NanoSeconds(1), MicroSeconds(40)})
                {
                    const RdmaFlowResult failed = Run(control, verb, cut);
                    NS_TEST_EXPECT_MSG_EQ((failed.status == RdmaStatus::RETRY_EXCEEDED),
                                          true,
                                          control << ", cut at " << cut);
                    // Seven retries of 4 ms each, and the time until the first.
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(failed.fct, MilliSeconds(32), "fails early");
                    NS_TEST_EXPECT_MSG_LT(failed.fct, MilliSeconds(33), "fails late");
                    const RdmaFlowResult good = Run(control, verb, cut, MilliSeconds(20));
                    NS_TEST_EXPECT_MSG_EQ((good.status == RdmaStatus::SUCCESS), true, "mended");
                }
            }
        }
        PostLater();
    }

    /// Requests posted while there is no link, at a queue pair that was idle.
    void PostLater()
    {
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().Star(2);
        const auto ends = fabric.Connect(0, 1);
        std::vector<Time> failed;
        ends.source->TraceConnectWithoutContext(
            "RequestCompleted",
            Callback<void, const RdmaCompletion&>([&](const RdmaCompletion& completion) {
                NS_TEST_EXPECT_MSG_NE((completion.status == RdmaStatus::SUCCESS), true, "fails");
                failed.push_back(completion.completed);
            }));
        FaultHelper faults(fabric);
        faults.CutLink(0, MilliSeconds(1));
        for (const int ms : {50, 53})
        {
            Simulator::Schedule(MilliSeconds(ms), [&] {
                RdmaWorkRequest request;
                request.bytes = 5000;
                ends.source->Post(request);
            });
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(failed.size(), 2, "both end");
        NS_TEST_EXPECT_MSG_EQ(failed[0], MilliSeconds(50 + 8 * 4), "from the first post on");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), failed[1], "events are left");
    }
};

class FaultsTestSuite : public TestSuite
{
  public:
    FaultsTestSuite()
        : TestSuite("lossless-faults", Type::SYSTEM)
    {
        AddRecoveries();
        AddRecoveriesFromPauses();
        AddReasons();
        AddTestCase(new RebootTest);
        AddTestCase(new LostXonTest);
        AddTestCase(new CutDropsTest);
        AddTestCase(new CutPlaneTest);
        AddTestCase(new UnreachedDataTest);
        AddTestCase(new RefusalTest);
    }

  private:
    static constexpr uint32_t SWITCH = 4; //!< node of the star's switch

    void AddRecoveries()
    {
        const Time at = MicroSeconds(100);
        const Time lasts = MicroSeconds(200);
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
            "frames lost by chance",
            [=](FaultHelper& f) { f.LoseRandomly(SWITCH, 1, 0.1, at, lasts); },
            silent,
            retransmitted));
        AddTestCase(new RecoveryTest(
            "frames lost by their identification",
            [=](FaultHelper& f) { f.LoseIpIds(SWITCH, 1, 0xff, 0xff, at, lasts); },
            silent,
            retransmitted));
        AddTestCase(new RecoveryTest(
            "a reboot of the switch",
            [=](FaultHelper& f) { f.RebootSwitch(0, at, lasts); },
            [](FaultRun& run) { return run.fabric->GetSwitch(0)->GetMmu()->IsIdle(); },
            retransmitted));
    }

    void AddRecoveriesFromPauses()
    {
        const Time at = MicroSeconds(100);
        const Time lasts = MicroSeconds(200);
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
            [](FaultRun&) { return true; },
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
        AddTestCase(new CutLinkTest);
        AddTestCase(new OwnLinkTest);
    }
};

FaultsTestSuite g_faultsTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// What helpers refuse, and what ends although a port is dead.

#include "fabric-test-case.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fault-helper.h"

#include <cmath>

using namespace ns3;

namespace
{

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

/// Workloads and fabrics that would never begin or end are refused.
class DegenerateTest : public FabricTestCase
{
  public:
    DegenerateTest()
        : FabricTestCase("Degenerate loads, sizes and topologies are refused or end")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        RdmaFlowHelper flows(fabric);
        const auto sizes = FlowSizeDistribution::Constant(1000);
        for (const double load : {0.0, -1.0, 10.1, 1e300, std::nan("")})
        {
            ExpectError([&] { flows.Poisson(sizes, load, Seconds(1)); }, "at most 10");
        }
        ExpectError([&] { flows.Poisson(sizes, 1, Time::Max(), Seconds(1)); }, "last time");
        ExpectError([] { FlowSizeDistribution::Constant(0); },
                    "100 percent of the flows have no bytes");
        for (const double load : {1e-20, 1e-300})
        {
            flows.Poisson(sizes, load, Seconds(1));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFlows(), 0, "arrivals beyond the run");
        NS_TEST_EXPECT_MSG_EQ(flows.IsDone(), true, "ends");

        FabricTopology lonely = FabricTopology::Star(2, {});
        lonely.AddHost();
        ExpectError([&] { FabricHelper().FromTopology(lonely); },
                    "host 2 (node 3) has no link; give each host a link");
        ExpectError([&] { PoissonArrivals(sizes, 1, lonely, Time(0), Seconds(1)); },
                    "node 3, a host, has no link");

        const FabricHelper helper;
        const uint32_t many = 4000000000;
        ExpectError([&] { helper.Star(many); }, "it has at most 16777214");
        ExpectError([&] { helper.Dumbbell(many, many, DataRate("1Gbps")); }, "8000000002 nodes");
        ExpectError([&] { helper.LeafSpine(many, 2, 2); }, "8000000000 hosts");
        ExpectError([&] { helper.LeafSpine(many, many, many); }, "hosts");
        ExpectError([&] { helper.LeafSpine(1, many, 1); }, "nodes");
        ExpectError([&] { helper.LeafSpine(5000, 5000, 1); }, "25000000 links");
        ExpectError([&] { helper.LeafSpine(2, 2, 2, 1e-300); }, "oversubscription");
        ExpectError([&] { helper.LeafSpine(2, 2, 2, 1e300); }, "oversubscription");
    }
};

/// What is set for flows is checked when they are added, not in the run.
class FlowOptionsTest : public FabricTestCase
{
  public:
    FlowOptionsTest()
        : FabricTestCase("Congestion controls and MTUs that cannot be are refused early")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper stamped;
        stamped.AddSwitchExtension("ns3::IntStamper");
        const Fabric fabric = stamped.Star(2);
        RdmaFlowHelper flows(fabric);
        ExpectError([&] { flows.SetCongestionControl(ObjectFactory("ns3::SwitchMmu")); },
                    "ns3::SwitchMmu is no ns3::RdmaCongestionOps");
        Fabric::QueuePairOptions wrong;
        wrong.congestion = ObjectFactory("ns3::SwitchMmu");
        ExpectError([&] { fabric.Connect(0, 1, wrong); },
                    "ns3::SwitchMmu is no ns3::RdmaCongestionOps");
        ObjectFactory abstract;
        abstract.SetTypeId(RdmaCongestionOps::GetTypeId());
        ExpectError([&] { flows.SetCongestionControl(abstract); },
                    "ns3::RdmaCongestionOps is abstract");
        FabricHelper named;
        ExpectError([&] { named.SetCongestionControl("nonsense"); },
                    "there is no type nonsense; known: ns3::Rdma");
        ExpectError([&] { named.SetCongestionControl("ns3::RdmaFixedRate[Rat=1Gbps]"); }, "Rate?");
        named.SetCongestionControl("ns3::RdmaFixedRate[Rate=1Gbps]");
        DataRateValue rate;
        const auto ends = named.Star(2).Connect(0, 1);
        ends.source->GetCongestionControl()->GetAttribute("Rate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), DataRate("1Gbps"), "attributes in the name of the type");
        flows.SetCongestionControl(ObjectFactory("ns3::RdmaFixedRate"));
        flows.SetCongestionControl(ObjectFactory());
        flows.SetQueuePair("Mtu", UintegerValue(4096));
        const auto add = [&] { flows.Add({0, 1, 1000}); };
        ExpectError(add, "queue pairs of Mtu 4096 need IP packets of");
        ExpectError([&] { flows.Poisson("fb-hadoop", 0.5, MilliSeconds(1)); }, "Mtu 4096");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFlows(), 0, "flows added by mistake");
        flows.SetQueuePair("Mtu", UintegerValue(512));
        add();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "the flow");

        // Links of 1500 bytes hold 1400 with DCQCN, and not with 42 of telemetry.
        const auto addNow = [](RdmaFlowHelper& to) { to.Add({0, 1, 1000, Simulator::Now()}); };
        const std::string tooLong =
            "queue pairs of Mtu 1400 with 42 bytes of telemetry need IP packets of 1506";
        flows.SetQueuePair("Mtu", UintegerValue(1400));
        addNow(flows);
        flows.SetCongestionControl(ObjectFactory("ns3::RdmaHpcc"));
        ExpectError([&] { addNow(flows); }, tooLong);
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::IntStamper");
        helper.SetQueuePair("Mtu", UintegerValue(1400));
        RdmaFlowHelper others(helper.Star(2));
        addNow(others);
        others.SetCongestionControl(ObjectFactory("ns3::RdmaHpcc"));
        ExpectError([&] { addNow(others); }, tooLong);

        Config::SetDefault("ns3::QbbNetDevice::Mtu", UintegerValue(100));
        ExpectError([] { FabricHelper().Star(2); }, "their packets need 1108 bytes");
        Config::Reset();
    }
};

/// Alpha doubles with each doubling of the speed, unless the user says what it is.
class AlphaTest : public FabricTestCase
{
  public:
    AlphaTest()
        : FabricTestCase("Alpha of faster ports")
    {
    }

  private:
    /// @return alpha of the port to a switch, whose hosts have 100G
    static double Alpha(const FabricHelper& helper, const char* rate)
    {
        const Fabric fabric = helper.Dumbbell(1, 1, DataRate(rate));
        const auto& threshold = fabric.GetSwitch(0)->GetMmu()->GetIngress(1, 3).threshold;
        return static_cast<double>(threshold.alphaFixed) / (1 << 24);
    }

    void DoRun() override
    {
        FabricHelper helper;
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "100Gbps"), 0.125, "as fast");
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "120Gbps"), 0.125, "not twice as fast");
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "200Gbps"), 0.25, "twice");
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "400Gbps"), 0.5, "four times");
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(0.125));
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "400Gbps"), 0.5, "the default, written out");
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(0.0625));
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "400Gbps"), 0.25, "of another base");
        helper.SetAlphaBySpeed(false);
        NS_TEST_EXPECT_MSG_EQ(Alpha(helper, "400Gbps"), 0.0625, "not by speed");
    }
};

/// The suite.
class LimitsTestSuite : public TestSuite
{
  public:
    LimitsTestSuite()
        : TestSuite("lossless-limits", Type::UNIT)
    {
        AddTestCase(new CutLinkTest);
        AddTestCase(new OwnLinkTest);
        AddTestCase(new DegenerateTest);
        AddTestCase(new FlowOptionsTest);
        AddTestCase(new AlphaTest);
    }
};

LimitsTestSuite g_limitsTestSuite;

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// Fabrics as FabricHelper builds them: what they are made of, and that flows take exactly the ideal
// time when alone.

#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/fabric-program.h"
#include "ns3/pointer.h"
#include "ns3/wred-ecn-marker.h"

#include <cmath>

using namespace ns3;

namespace
{

constexpr uint64_t G = 1000000000;

/// One flow alone takes the ideal time, to the picosecond.
class AloneTest : public FabricTestCase
{
  public:
    AloneTest(const std::string& name, FabricTopology topology)
        : FabricTestCase("A flow alone takes the ideal time: " + name),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        for (const RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::SEND, RdmaVerb::READ})
        {
            for (const uint64_t bytes : {0, 1, 1000, 1001, 5000, 65536, 1000000})
            {
                for (const uint32_t interval : {1, 4})
                {
                    RunOne(verb, bytes, interval);
                }
            }
        }
    }

    void RunOne(RdmaVerb verb, uint64_t bytes, uint32_t interval)
    {
        Simulator::Destroy();
        FabricHelper helper;
        // A bottleneck behind a faster link marks even a flow that is alone: keep it from slowing.
        helper.SetCongestionControl("none");
        helper.SetQueuePair("Mtu", UintegerValue(1000), "AckInterval", UintegerValue(interval));
        const Fabric fabric = helper.FromTopology(m_topology);
        RdmaFlowHelper flows(fabric);
        flows.SetVerb(verb);
        RdmaFlow flow;
        flow.source = 0;
        flow.destination = fabric.GetNHosts() - 1;
        flow.bytes = bytes;
        flow.verb = verb;
        flow.start = NanoSeconds(12345);
        flows.Add(flow);
        std::vector<RdmaFlowResult> results;
        flows.OnEnd([&](const RdmaFlowResult& result) { results.push_back(result); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(results.size(), 1, "one flow");
        NS_TEST_EXPECT_MSG_EQ(results[0].fct.GetPicoSeconds(),
                              results[0].ideal.GetPicoSeconds(),
                              verb << " of " << bytes << " bytes, ACK every " << interval);
        // Pitfall 5: nothing is left to happen after the last flow.
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "events are left");
        ExpectClean(fabric);
    }

    FabricTopology m_topology;
};

/// Thresholds, headroom, addresses and routes follow from the links.
class DefaultsTest : public FabricTestCase
{
  public:
    DefaultsTest()
        : FabricTestCase("Defaults follow from the links")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 2, 8); // uplinks of 400G
        NS_TEST_EXPECT_MSG_EQ(fabric.GetAddress(0), Ipv4Address("10.0.0.1"), "first address");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetAddress(15), Ipv4Address("10.0.0.16"), "last address");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetIpv6Address(15), Ipv6Address("fd00::a00:10"), "IPv6");
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckLossless().size(), 0, "findings");
        const auto leaf = fabric.GetSwitch(0);
        const auto mmu = leaf->GetMmu();
        // As in the HPCC simulator: alpha 1/8, doubled per doubling of the speed over that of the
        // hosts.
        NS_TEST_EXPECT_MSG_EQ(mmu->GetIngress(0, 3).threshold.alphaFixed, (1 << 24) / 8, "100G");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetIngress(8, 3).threshold.alphaFixed, (1 << 24) / 2, "400G");
        NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(0, 3), true, "class 3");
        NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(0, 0), false, "class 0");
        const uint64_t headroom =
            uint64_t{mmu->GetIngress(8, 3).headroom} * mmu->GetCellSize().Bytes();
        NS_TEST_EXPECT_MSG_EQ(headroom,
                              HeadroomBytes(leaf->GetHeadroomLink(8), mmu->GetCellSize().Bytes()),
                              "headroom by the rule");
        // As in the HPCC simulator: 100 KB and 400 KB at 25G, linear in the speed.
        const auto marker = DynamicCast<WredEcnMarker>(leaf->GetEcnMarker());
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).kmin, 400000, "Kmin at 100G");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(8, 3).kmax, 6400000, "Kmax at 400G");
    }
};

/// What cannot be lossless is refused, with the place and the missing bytes.
class RefusalTest : public FabricTestCase
{
  public:
    RefusalTest()
        : FabricTestCase("What cannot be lossless is refused before the run")
    {
    }

  private:
    void DoRun() override
    {
        // Pitfall 2: headroom larger than the buffer.
        FabricHelper small;
        small.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("64KiB"));
        ExpectError([&] { small.Star(4); }, "bytes short");
        small.AllowLossy();
        NS_TEST_EXPECT_MSG_EQ(small.Star(4).CheckLossless().size(), 1, "findings");

        FabricHelper helper;
        Fabric fabric = helper.Star(3);
        // Pitfall 1: headroom below what the link needs.
        fabric.GetSwitch(0)->GetMmu()->SetLossless(1, 3, 10000);
        ExpectError([&] { fabric.RequireLossless(); }, "port 1 class 3: headroom of ");

        fabric = helper.Star(3);
        fabric.GetDevice(2, 0)->SetAttribute("PfcEnabled", BooleanValue(false));
        ExpectError([&] { fabric.RequireLossless(); },
                    "port 2 class 3: PFC is on at one end of the link only");

        fabric = helper.Star(3);
        fabric.GetDevice(0, 0)->GetTrafficClassMap()->SetDscp(3, 5);
        ExpectError([&] { fabric.RequireLossless(); }, "port 0: the class maps");
    }
};

/// Wrong arguments are errors, not aborts.
class ArgumentsTest : public FabricTestCase
{
  public:
    ArgumentsTest()
        : FabricTestCase("Wrong arguments of helpers are errors")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        ExpectError([&] { helper.SetSwitch("ns3::Switch", "Alpha", DoubleValue(1)); },
                    "no part of a switch");
        ExpectError([&] { helper.SetHost("Mtu", UintegerValue(1000)); }, "Mtu");
        ExpectError([&] { helper.SetEcnThresholds(DataRate("1Gbps"), 2, 1, 0.1); }, "Kmin 2");
        ExpectError([&] { helper.SetEcnThresholds(DataRate("1Gbps"), 1, 2, 1.1); }, "Pmax");
        FabricHelper twice;
        twice.SetEcnThresholds(DataRate("1Gbps"), 1000, 2000, 0.1);
        twice.SetEcnThresholds(DataRate("2Gbps"), 1000, 2000, 0.1);
        ExpectError([&] { twice.SetEcnThresholds(DataRate("1Gbps"), 1000, 3000, 0.1); },
                    "the ECN thresholds for 1000000000 bit/s are set twice; set them once");
        ExpectError([&] { helper.SetLosslessClasses({8}); }, "class 8");

        FabricHelper narrow;
        narrow.SetLink("Mtu", UintegerValue(1000));
        narrow.SetQueuePair("Mtu", UintegerValue(4096));
        ExpectError([&] { narrow.Star(2); }, "too small for the queue pairs");

        FabricHelper kminAboveKmax;
        kminAboveKmax.SetEcn("ns3::WredEcnMarker",
                             "Kmin",
                             UintegerValue(500000),
                             "Kmax",
                             UintegerValue(400000));
        ExpectError([&] { kminAboveKmax.Star(2); }, "Kmin");

        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        ExpectError([&] { flows.SetClass(8); }, "class 8");
        ExpectError([&] { flows.Add({0, 3, 1}); }, "there is no host 3; hosts are 0 to 2");
        ExpectError([&] { flows.Add({1, 1, 1}); }, "sends to itself");
        ExpectError([&] { flows.Add({0, 1, (uint64_t{1} << 40) + 1}); }, "2^40");
        ExpectError([&] { flows.Add({0, 1, 1, NanoSeconds(-1)}); }, "before the time now");
        ExpectError([&] { flows.Incast(3, 0, 1, Time(0)); }, "there can be 1 to 2");
        ExpectError([&] { flows.Poisson("fb-hadoop", 0, Seconds(1)); }, "load is 0");
        ExpectError([&] { flows.Poisson("fb-hadop", 1, Seconds(1)); }, "did you mean fb-hadoop?");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFlows(), 0, "flows added by mistake");
    }
};

/// Options --ns3::Type::Attribute=value of a program win over what it says to helpers.
class OptionsTest : public FabricTestCase
{
  public:
    OptionsTest()
        : FabricTestCase("Options of the command line win over setters of helpers")
    {
    }

  private:
    void DoRun() override
    {
        FabricProgram program("A test.");
        program.Parse({"--ns3::SwitchMmu::BufferSize=8MiB",
                       "--ns3::QbbNetDevice::DataRate=25Gbps",
                       "--ns3::QbbNetDevice::PfcClasses=16",
                       "--ns3::QbbNetDevice::EgressScheduler=ns3::DwrrScheduler",
                       "--ns3::QbbChannel::Delay=3us",
                       "--ns3::WredEcnMarker::Kmin=7000",
                       "--ns3::RdmaQueuePair::Mtu=2048",
                       "--ns3::RdmaQueuePair::TrafficClass=4",
                       "--ns3::RdmaQueuePair::CongestionControl=ns3::RdmaFixedRate[Rate=5Gbps]"});
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        helper.SetLosslessClasses({3});
        helper.SetScheduler("ns3::StrictPriorityScheduler");
        helper.SetEcn("ns3::WredEcnMarker", "Kmin", UintegerValue(9000));
        helper.SetEcnThresholds(DataRate("25Gbps"), 9000, 10000, 0.1);
        helper.SetQueuePair("Mtu", UintegerValue(1024));
        helper.SetCongestionControl("ns3::RdmaDcqcn");
        ExpectError([&] { helper.SetQueuePair("Mtu", UintegerValue(10)); }, "Mtu");
        const Fabric fabric = helper.Star(3);
        const auto device = fabric.GetDevice(0, 0);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        UintegerValue size;
        mmu->GetAttribute("BufferSize", size);
        NS_TEST_EXPECT_MSG_EQ(size.Get(), 8U << 20, "buffer");
        NS_TEST_EXPECT_MSG_EQ(device->GetDataRate().GetBitRate(), 25000000000U, "rate");
        NS_TEST_EXPECT_MSG_EQ(+device->GetPfcClasses(), 16, "classes");
        PointerValue scheduler;
        device->GetAttribute("EgressScheduler", scheduler);
        NS_TEST_EXPECT_MSG_NE(scheduler.Get<DwrrScheduler>(), nullptr, "scheduler");
        TimeValue delay;
        fabric.GetChannel(0)->GetAttribute("Delay", delay);
        NS_TEST_EXPECT_MSG_EQ(delay.Get(), MicroSeconds(3), "delay");
        const auto marker = DynamicCast<WredEcnMarker>(fabric.GetSwitch(0)->GetEcnMarker());
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).kmin, 7000, "Kmin of the option");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).kmax, 10000, "Kmax by speed");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).pmax, 0.1, "Pmax by speed");
        RdmaFlowHelper flows(fabric);
        flows.SetQueuePair("Mtu", UintegerValue(512));
        flows.SetClass(3);
        flows.Incast(1, 0, 1000000, Time(0));
        Time fct;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            fct = result.fct;
            NS_TEST_EXPECT_MSG_EQ(+result.flow.trafficClass, 4, "class");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(fct, MicroSeconds(1600), "5 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(1)->GetCounters().dataPackets,
                              489,
                              "2048-byte packets");
        ExpectError([&] { program.Parse({"--ns3::FabricSwitch::EcnMarker=ns3::WredEcnMarker"}); },
                    "has no default");
        Config::Reset();
    }
};

/// What is set for queue pairs holds until it is taken back.
class ResetTest : public FabricTestCase
{
  public:
    ResetTest()
        : FabricTestCase("Attributes of queue pairs can be taken back")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        RdmaFlowHelper flows(fabric);
        flows.SetQueuePair("Mtu", UintegerValue(512));
        flows.Add({0, 3, 64000});
        flows.Add({1, 3, 64000});
        flows.ResetQueuePair();
        flows.Add({2, 3, 64000});
        Simulator::Run();
        const uint64_t mtu = fabric.GetPacketSize({}).mtu;
        const auto packets = [&](uint32_t host) {
            return fabric.GetRdma(host)->GetCounters().dataPackets;
        };
        NS_TEST_EXPECT_MSG_NE(mtu, 512, "the fabric's");
        NS_TEST_EXPECT_MSG_EQ(packets(0), 125, "512 bytes");
        NS_TEST_EXPECT_MSG_EQ(packets(1), 125, "still 512 bytes");
        NS_TEST_EXPECT_MSG_EQ(packets(2), (64000 + mtu - 1) / mtu, "as the fabric's");
    }
};

/// A larger path MTU raises the MTU of links that nobody has set.
class MtuTest : public FabricTestCase
{
  public:
    MtuTest()
        : FabricTestCase("A path MTU of 4096 works without being told the MTU of the links")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetQueuePair("Mtu", UintegerValue(4096));
        const Fabric fabric = helper.Star(2);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 1000000});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "flow");
        ExpectClean(fabric);
    }
};

FabricTopology
HostsJoinedDirectly()
{
    FabricTopology topology;
    topology.AddHost();
    topology.AddHost();
    topology.AddLink(0, 1, {});
    return topology;
}

/// Links of different speeds and delays, in a row.
FabricTopology
Chain()
{
    FabricTopology topology;
    const NodeId first = topology.AddHost();
    const NodeId a = topology.AddSwitch();
    const NodeId b = topology.AddSwitch();
    const NodeId c = topology.AddSwitch();
    const NodeId last = topology.AddHost();
    topology.AddLink(first, a, {DataRate(100 * G), NanoSeconds(500), 0});
    topology.AddLink(a, b, {DataRate(25 * G), NanoSeconds(3), 0});
    topology.AddLink(b, c, {DataRate(400 * G), MicroSeconds(20), 0});
    topology.AddLink(c, last, {DataRate(40 * G), NanoSeconds(700), 0});
    return topology;
}

/// The suite.
/// What the ports and cables have is what counts, however it came there.
class FollowLinksTest : public FabricTestCase
{
  public:
    FollowLinksTest()
        : FabricTestCase("ideal FCTs and the graph follow the rate and the delay in force")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        const auto device = fabric.GetDevice(0, 0);
        device->SetDataRate(DataRate("25Gbps"));
        fabric.GetChannel(1)->SetDelay(MicroSeconds(7));
        // 1,000 bytes have 1,098 on the wire: two links and an ACK of 86 the other way.
        const auto ideal = fabric.GetIdeal(0, 1, {0, 0}, {});
        const int64_t delays = 2 * (MicroSeconds(1) + MicroSeconds(7)).GetPicoSeconds();
        NS_TEST_EXPECT_MSG_EQ(ideal.Completion(RdmaVerb::WRITE, 1000),
                              delays + 1098 * (320 + 80) + 86 * (80 + 80),
                              "data at 25 and 100 Gb/s; the ACK comes back at 100 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetTopology().GetLink(0).spec.rate,
                              DataRate("100Gbps"),
                              "not yet");
        fabric.FollowLinks();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetTopology().GetLink(0).spec.rate,
                              DataRate("25Gbps"),
                              "the slower end");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetTopology().GetLink(1).spec.delay,
                              MicroSeconds(7),
                              "the cable");
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
        for (const double load : {1e-20, 1e-300})
        {
            flows.Poisson(sizes, load, Seconds(1));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFlows(), 0, "arrivals beyond the run");
        NS_TEST_EXPECT_MSG_EQ(flows.IsDone(), true, "ends");

        FabricTopology lonely = FabricTopology::Star(2, {});
        lonely.AddHost();
        ExpectError([&] { FabricHelper().FromTopology(lonely); }, "host 2 (node 3)");

        const FabricHelper helper;
        const uint32_t many = 4000000000;
        ExpectError([&] { helper.Star(many); }, "it has at most 16777214");
        ExpectError([&] { helper.Dumbbell(many, many, DataRate("1Gbps")); }, "8000000002 nodes");
        ExpectError([&] { helper.LeafSpine(many, 2, 2); }, "8000000000 hosts");
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
        Fabric::QueuePairOptions wrong;
        wrong.congestion = ObjectFactory("ns3::SwitchMmu");
        const std::string other = "ns3::SwitchMmu is no ns3::RdmaCongestionOps";
        ExpectError([&] { flows.SetCongestionControl(wrong.congestion); }, other);
        ExpectError([&] { fabric.Connect(0, 1, wrong); }, other);
        FabricHelper named;
        named.SetCongestionControl("ns3::RdmaFixedRate[Rate=1Gbps]");
        DataRateValue rate;
        const auto ends = named.Star(2).Connect(0, 1);
        ends.source->GetCongestionControl()->GetAttribute("Rate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), DataRate("1Gbps"), "attributes in the name of the type");
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

/// What does not happen draws no random number.
class NoDrawTest : public FabricTestCase
{
  public:
    NoDrawTest()
        : FabricTestCase("Pitfall 13: no error model where nothing is destroyed")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("ErrorRate", DoubleValue(0));
        const Fabric fabric = helper.Star(2);
        for (uint32_t port = 0; port < 2; ++port)
        {
            PointerValue model;
            fabric.GetDevice(2, port)->GetAttribute("ReceiveErrorModel", model);
            NS_TEST_EXPECT_MSG_EQ((model.GetObject() == nullptr), true, "nothing to ask");
        }
    }
};

class FabricTestSuite : public TestSuite
{
  public:
    FabricTestSuite()
        : TestSuite("lossless-fabric", Type::UNIT)
    {
        AddTestCase(new AloneTest("hosts joined directly", HostsJoinedDirectly()));
        AddTestCase(new AloneTest("star", FabricTopology::Star(4, {})));
        AddTestCase(new AloneTest("fat-tree", FabricTopology::FatTree(4, {})));
        AddTestCase(new AloneTest("chain of different links", Chain()));
        AddTestCase(new DefaultsTest);
        AddTestCase(new RefusalTest);
        AddTestCase(new ArgumentsTest);
        AddTestCase(new OptionsTest);
        AddTestCase(new ResetTest);
        AddTestCase(new MtuTest);
        AddTestCase(new FollowLinksTest);
        AddTestCase(new AlphaTest);
        AddTestCase(new DegenerateTest);
        AddTestCase(new FlowOptionsTest);
        AddTestCase(new NoDrawTest);
    }
};

FabricTestSuite g_fabricTestSuite;

} // namespace

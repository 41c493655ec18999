// SPDX-License-Identifier: GPL-2.0-only

// Workloads, their random numbers, links that fail, and unusual wiring.

#include "fabric-test-case.h"
#include "run-scene.h"

#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/rdma-dcqcn.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

/// Poisson arrivals have the rate and the sizes that the load asks for.
class PoissonTest : public FabricTestCase
{
  public:
    PoissonTest()
        : FabricTestCase("Poisson arrivals: rate, sizes, sources and destinations")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(8);
        RdmaFlowHelper flows(fabric);
        // 100-byte flows at 1 % load: 8 hosts * 0.01 * 100e9 / 800 = 10 million a second.
        flows.Poisson(FlowSizeDistribution::Constant(100), 0.01, MilliSeconds(2), MilliSeconds(1));
        flows.AssignStreams(7);
        std::map<HostId, uint32_t> bySource;
        std::map<HostId, uint32_t> byDestination;
        double gaps = 0;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            ++bySource[result.flow.source];
            ++byDestination[result.flow.destination];
            gaps = std::max(gaps, result.flow.start.GetSeconds());
            NS_TEST_EXPECT_MSG_EQ(result.flow.bytes, 100, "size");
            NS_TEST_EXPECT_MSG_NE(result.flow.source, result.flow.destination, "to itself");
        });
        Simulator::Run();
        const double expected = 20000;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows.GetNFlows()),
                                  expected,
                                  4 * std::sqrt(expected),
                                  "number of flows");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "completed");
        NS_TEST_EXPECT_MSG_LT(gaps, 0.003, "an arrival after the end");
        for (uint32_t host = 0; host < 8; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(double{1.0 * bySource[host]}, 2500.0, 200.0, "source");
            NS_TEST_EXPECT_MSG_EQ_TOL(double{1.0 * byDestination[host]}, 2500.0, 200.0, "to");
        }
        ExpectClean(fabric);
    }
};

/// Incast, permutation and all-to-all: who sends to whom.
class PatternsTest : public FabricTestCase
{
  public:
    PatternsTest()
        : FabricTestCase("Incast, permutation and all-to-all")
    {
    }

  private:
    using Pairs = std::set<std::pair<HostId, HostId>>;

    template <typename F>
    Pairs Run(F add)
    {
        Simulator::Destroy();
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 2, 4);
        RdmaFlowHelper flows(fabric);
        add(flows);
        Pairs pairs;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            pairs.emplace(result.flow.source, result.flow.destination);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), "completed");
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), flows.GetNFlows(), "different pairs");
        ExpectClean(fabric);
        return pairs;
    }

    void DoRun() override
    {
        const Pairs incast =
            Run([](RdmaFlowHelper& flows) { flows.Incast(4, 2, 100000, MicroSeconds(5)); });
        NS_TEST_EXPECT_MSG_EQ((incast == Pairs{{3, 2}, {4, 2}, {6, 2}, {0, 2}}), true, "spread");
        const Pairs full =
            Run([](RdmaFlowHelper& flows) { flows.Incast(7, 0, 100000, MicroSeconds(5)); });
        NS_TEST_EXPECT_MSG_EQ(full.size(), 7, "all others");
        const Pairs read = Run([](RdmaFlowHelper& flows) {
            flows.SetVerb(RdmaVerb::READ);
            flows.Incast(4, 2, 100000, MicroSeconds(5));
        });
        NS_TEST_EXPECT_MSG_EQ((read == Pairs{{2, 3}, {2, 4}, {2, 6}, {2, 0}}), true, "one asks");
        std::set<HostId> to;
        for (const auto& pair :
             Run([](RdmaFlowHelper& flows) { flows.Permutation(5000, Time(0)); }))
        {
            NS_TEST_EXPECT_MSG_NE(pair.first, pair.second, "to itself");
            to.insert(pair.second);
        }
        NS_TEST_EXPECT_MSG_EQ(to.size(), 8, "everybody receives");
        const Pairs all = Run([](RdmaFlowHelper& flows) { flows.AllToAll(5000, Time(0)); });
        NS_TEST_EXPECT_MSG_EQ(all.size(), 56, "all pairs");
    }
};

/// The same seed gives the same run, another run number another one.
class SeedTest : public FabricTestCase
{
  public:
    SeedTest()
        : FabricTestCase("The same seed gives the same results")
    {
    }

  private:
    std::string Run(uint64_t run)
    {
        Simulator::Destroy();
        RngSeedManager::SetRun(run);
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 2, 4);
        RdmaFlowHelper flows(fabric);
        flows.Poisson("fb-hadoop", 0.6, MicroSeconds(200));
        flows.Incast(7, 0, 100000, MicroSeconds(50));
        flows.AssignStreams(1000 + fabric.AssignStreams(1000));
        std::ostringstream results;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            results << result.index << ' ' << result.fct.GetPicoSeconds() << '\n';
        });
        Simulator::Run();
        ExpectClean(fabric);
        return results.str();
    }

    void DoRun() override
    {
        const std::string one = Run(1);
        NS_TEST_EXPECT_MSG_EQ((one == Run(1)), true, "same run");
        NS_TEST_EXPECT_MSG_EQ((one == Run(2)), false, "another run");
    }
};

/// AssignStreams() may come before, between or after the workloads.
class StreamsTest : public FabricTestCase
{
  public:
    StreamsTest()
        : FabricTestCase("One call of AssignStreams fixes all workloads, whatever the order")
    {
    }

  private:
    std::string Run(int before)
    {
        Simulator::Destroy();
        CreateObject<UniformRandomVariable>(); // shifts the streams that nobody has fixed
        FabricHelper helper;
        const Fabric fabric = helper.Star(8);
        RdmaFlowHelper flows(fabric);
        const auto assign = [&](int place) {
            if (place == before)
            {
                NS_TEST_EXPECT_MSG_EQ(flows.AssignStreams(7),
                                      1000 + (1LL << 32),
                                      "streams set aside");
            }
        };
        assign(0);
        flows.Permutation(1000, MicroSeconds(1));
        flows.Permutation(2000, MicroSeconds(2));
        assign(1);
        flows.Poisson("fb-hadoop", 0.3, MicroSeconds(20));
        assign(2);
        flows.Poisson("websearch", 0.3, MicroSeconds(20));
        flows.Permutation(3000, MicroSeconds(3));
        assign(3);
        std::ostringstream results;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            results << result.flow.source << ' ' << result.flow.destination << ' '
                    << result.fct.GetPicoSeconds() << '\n';
        });
        Simulator::Run();
        ExpectError([&] { flows.AssignStreams(7); }, "assign them before the simulation runs");
        ExpectClean(fabric);
        return results.str();
    }

    void DoRun() override
    {
        const std::string first = Run(0);
        for (int place = 1; place < 4; ++place)
        {
            NS_TEST_EXPECT_MSG_EQ((first == Run(place)), true, "called at " << place);
        }
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().Star(2);
        RdmaFlowHelper flows(fabric);
        flows.AssignStreams(0);
        const auto add = [&] { flows.Poisson(FlowSizeDistribution::Constant(1), 0.1, Time(0)); };
        for (int i = 0; i < 249; ++i)
        {
            add();
        }
        ExpectError(add, "no random streams are left");
    }
};

/// Pitfall 20: many flows per host, several NICs, parallel links, hosts without a switch.
class WiringTest : public FabricTestCase
{
  public:
    WiringTest()
        : FabricTestCase("Pitfall 20: many flows, several NICs, parallel links, no switch")
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology topology;
        const NodeId a = topology.AddHost();
        const NodeId b = topology.AddHost();
        const NodeId c = topology.AddHost();
        const NodeId left = topology.AddSwitch();
        const NodeId right = topology.AddSwitch();
        topology.AddLink(a, b, {}); // hosts joined directly, twice
        topology.AddLink(a, b, {});
        topology.AddLink(a, left, {});
        topology.AddLink(a, right, {});
        topology.AddLink(b, left, {});
        topology.AddLink(c, right, {});
        topology.AddLink(left, right, {}); // parallel links
        topology.AddLink(left, right, {});
        FabricHelper helper;
        const Fabric fabric = helper.FromTopology(topology);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetAddress(0, 1), Ipv4Address("10.0.0.4"), "second NIC");
        // By the two cables, and by each of a's two other ports to b's third.
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPortPairs(0, 1).size(), 4, "ways from a to b");
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < 300; ++i)
        {
            flows.Add({i % 3, (i + 1 + i / 3 % 2) % 3, 20000, NanoSeconds(i)});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 300, "completed");
        for (const LinkId link : topology.Links())
        {
            const NodeId node = topology.GetLink(link).a;
            const auto device = fabric.GetDevice(node, topology.GetPort(node, link));
            NS_TEST_EXPECT_MSG_GT(device->GetCounters().rxFrames, 0, "link " << link << " unused");
        }
        ExpectClean(fabric);
    }
};

/// Results say which flow is of which workload, and which way its data went.
class LabelTest : public FabricTestCase
{
  public:
    LabelTest()
        : FabricTestCase("Labels, verbs and the direction of data in results")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        FabricRun run(fabric);
        const std::string folder = CreateTempDirFilename("labels");
        run.WriteTo(folder);
        RdmaFlowHelper& flows = run.Rdma();
        flows.SetLabel("burst");
        flows.Incast(2, 0, 10000, Time(0)); // of hosts 1 and 2
        flows.SetLabel("");
        flows.SetVerb(RdmaVerb::READ);
        flows.Incast(1, 0, 10000, MicroSeconds(50)); // host 0 reads
        RdmaFlow late{3, 0, 10000, MicroSeconds(100)};
        late.label = "late";
        flows.Add(late);
        ExpectError([&] { flows.SetLabel("a,b"); }, "the label \"a,b\" of flows; a label has");
        late.label = "\"";
        ExpectError([&] { flows.Add(late); }, "a label has letters");
        const RunResults& results = run.Execute();
        const std::string content = tests::ContentOf(folder + "/fct.csv");
        NS_TEST_EXPECT_MSG_EQ(Count(content, ",WRITE,2,0,burst\n"), 1, content);
        NS_TEST_EXPECT_MSG_EQ(Count(content, ",WRITE,1,0,burst\n"), 1, content);
        NS_TEST_EXPECT_MSG_EQ(Count(content, "\n2,0,1,3,"), 1, "posted by host 0");
        NS_TEST_EXPECT_MSG_EQ(Count(content, ",READ,1,0,\n"), 1, "data of host 1");
        NS_TEST_EXPECT_MSG_EQ(Count(content, ",WRITE,3,0,late\n"), 1, content);
        std::ostringstream json;
        results.totals.PrintJson(json);
        for (const std::string name : {"\"fct_count_burst\": 2", "\"fct_us_p99_late\": "})
        {
            NS_TEST_EXPECT_MSG_EQ(Count(json.str(), name), 1, name << " in " << json.str());
        }
        NS_TEST_EXPECT_MSG_EQ(Count(results.Summary(), "FCT by label (us)\nlabel"), 1, "a table");
    }

    /// @return how often a text has a part
    static uint32_t Count(const std::string& text, const std::string& part)
    {
        uint32_t count = 0;
        for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        {
            ++count;
        }
        return count;
    }
};

/// A link fails: flows go over another one, and complete.
class LinkFailureTest : public FabricTestCase
{
  public:
    LinkFailureTest()
        : FabricTestCase("A link fails and comes back")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 2, 2);
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < 40; ++i)
        {
            flows.Add({i % 2, 2 + i / 2 % 2, 500000, MicroSeconds(i)});
        }
        const LinkId toFirst = fabric.GetTopology().FindLink(4, 6);
        const LinkId toSecond = fabric.GetTopology().FindLink(4, 7);
        FaultHelper faults(fabric);
        faults.CutLink(toFirst, MicroSeconds(100), MicroSeconds(49900));
        uint64_t whileDown = 0;
        const auto upDevice = fabric.GetDevice(4, fabric.GetTopology().GetPort(4, toFirst));
        Simulator::Schedule(MicroSeconds(101), [&] {
            whileDown = upDevice->GetCounters().txFrames;
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRoutes().GetNextHops(4, 5).size(), 1, "one way left");
        });
        Simulator::Schedule(MilliSeconds(49), [&] {
            NS_TEST_EXPECT_MSG_EQ(upDevice->GetCounters().txFrames, whileDown, "sent while down");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(whileDown, 0, "the link was in use");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 40, "completed");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRoutes().GetNextHops(4, 5).size(), 2, "both ways again");
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            // Pitfall 15: what a link takes down with it gives its buffer back.
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetMmu()->IsIdle(), true, "switch " << i);
        }
        // Without any way left a new flow is refused, and a planned one fails; none hangs.
        fabric.SetLinkUp(toFirst, false);
        fabric.SetLinkUp(toSecond, false);
        ExpectError([&] { flows.Add({0, 2, 1, Simulator::Now()}); }, "cannot be reached");
    }
};

/// Statistics: files, bounded samples, totals.
class StatsTest : public FabricTestCase
{
  public:
    StatsTest()
        : FabricTestCase("Statistics of an incast")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(9);
        FabricRun run(fabric);
        run.Rdma().Incast(8, 0, 1000000, MilliSeconds(3));
        const RunResults& results = run.Execute();
        const RunTotals& totals = results.totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, 8, "flows");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.dataPackets, 8 * 977, "packets of 1024");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.dataHops, 2 * 8 * 977, "links crossed");
        NS_TEST_EXPECT_MSG_GT(totals.pfc.xoffFrames, 0, "XOFF");
        NS_TEST_EXPECT_MSG_GT(totals.pfc.xonFrames, 0, "XON");
        NS_TEST_EXPECT_MSG_GT(totals.pfc.paused, Time(0), "time paused");
        NS_TEST_EXPECT_MSG_EQ(totals.losslessDrops, 0, "drops");
        const auto& all = results.slowdown.back().slowdown;
        NS_TEST_EXPECT_MSG_EQ(all.Count(), 8, "flows");
        // Eight share one link: the last ends after eight times its own time.
        NS_TEST_EXPECT_MSG_EQ_TOL(all.Max(), 8.0, 0.5, "largest slowdown");
        const std::string& summary = results.Summary();
        for (const char* text : {"8 of 8 flows completed", "Why PFC fired", "Drops: 0 in lossless"})
        {
            NS_TEST_EXPECT_MSG_NE(summary.find(text), std::string::npos, "no \"" << text << "\"");
        }
        CheckSecondRun(fabric, totals);
    }

    /// A second run of the fabric counts from its begin. @param first totals of the first one
    void CheckSecondRun(const Fabric& fabric, const RunTotals& first)
    {
        const Time begin = Simulator::Now();
        FabricRun run(fabric);
        run.Rdma().Incast(4, 0, 1000000, MicroSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(run.GetTotals().rdma.dataPackets, 0, "nothing has happened");
        const RunTotals& totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, 4, "flows");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.dataPackets, 4 * 977, "packets of 1024");
        NS_TEST_EXPECT_MSG_EQ(totals.simulated, Simulator::Now() - begin, "time");
        uint64_t xoff = 0;
        for (uint32_t port = 0; port < fabric.GetSwitch(0)->GetNPorts(); ++port)
        {
            xoff += fabric.GetSwitch(0)->GetPort(port)->GetIssuer().Get(3).txXoff;
        }
        NS_TEST_EXPECT_MSG_GT(totals.pfc.xoffFrames, 0, "XOFF of the second run");
        NS_TEST_EXPECT_MSG_EQ(first.pfc.xoffFrames + totals.pfc.xoffFrames, xoff, "XOFF of both");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(totals.pfc.pausedPorts, 4, "ports that send nothing now");
        NS_TEST_EXPECT_MSG_LT(totals.pfc.longest, first.pfc.longest, "half as long");
    }
};

/// Two algorithms in one run.
class MixedTest : public FabricTestCase
{
  public:
    MixedTest()
        : FabricTestCase("Flows of one run use different congestion controls")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        flows.SetCongestionControl(ObjectFactory("ns3::RdmaFixedRate"));
        flows.Add({0, 2, 2000000});
        flows.SetCongestionControl(ObjectFactory());
        flows.Add({1, 2, 2000000});
        std::map<HostId, Time> fct;
        flows.OnEnd([&](const RdmaFlowResult& result) { fct[result.flow.source] = result.fct; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 2, "flows");
        NS_TEST_EXPECT_MSG_LT(fct[0], fct[1], "DCQCN gives way to a fixed rate");
        ExpectClean(fabric);
    }
};

/// ECMP and the ways between hosts, as flows ask for them.
class WayTest : public FabricTestCase
{
  public:
    WayTest()
        : FabricTestCase("The source port and the way of a flow take effect or are refused")
    {
    }

  private:
    /// @param ports source ports of flows from leaf 0 to leaf 1 @return spines that carry data
    static std::size_t SpinesOf(const std::vector<uint16_t>& ports)
    {
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().LeafSpine(2, 4, 2);
        RdmaFlowHelper flows(fabric);
        for (const uint16_t port : ports)
        {
            RdmaFlow flow;
            flow.destination = 2;
            flow.bytes = 100000;
            flow.sourcePort = port;
            flows.Add(flow);
        }
        Simulator::Run();
        std::size_t used = 0;
        const FabricTopology& topology = fabric.GetTopology();
        for (uint32_t spine = 2; spine < 6; ++spine)
        {
            const NodeId node = topology.GetSwitches()[spine];
            const uint64_t bytes = fabric.GetDevice(node, 1)->GetCounters().txWireBytes;
            used += bytes > 100000 ? 1 : 0;
        }
        return used;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SpinesOf(std::vector<uint16_t>(16, 50000)), 1, "one path for all");
        std::vector<uint16_t> many;
        for (uint16_t port = 1000; port < 1016; ++port)
        {
            many.push_back(port);
        }
        NS_TEST_EXPECT_MSG_GT(SpinesOf(many), 2, "spread");
        Simulator::Destroy();
        FabricTopology topology;
        const NodeId host = topology.AddHost();
        const NodeId other = topology.AddHost();
        const NodeId node = topology.AddSwitch();
        topology.AddLink(host, node, {});
        topology.AddLink(host, node, {});
        topology.AddLink(other, node, {});
        const Fabric fabric = FabricHelper().FromTopology(topology);
        RdmaFlowHelper flows(fabric);
        RdmaFlow flow;
        flow.destination = 1;
        flow.bytes = 100000;
        flow.way = 1;
        flows.Add(flow);
        flows.Add(flow);
        flow.way = 2;
        ExpectError([&] { flows.Add(flow); }, "a flow takes way 2; its hosts have 0 to 1");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetDevice(host, 0)->GetCounters().txFrames, 0, "unused");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetDevice(host, 1)->GetCounters().txFrames, 196, "both");
    }
};

/// The suite.
class FlowsTestSuite : public TestSuite
{
  public:
    FlowsTestSuite()
        : TestSuite("lossless-flows", Type::UNIT)
    {
        AddTestCase(new PoissonTest);
        AddTestCase(new PatternsTest);
        AddTestCase(new SeedTest);
        AddTestCase(new StreamsTest);
        AddTestCase(new WiringTest);
        AddTestCase(new LabelTest);
        AddTestCase(new LinkFailureTest);
        AddTestCase(new StatsTest);
        AddTestCase(new WayTest);
        AddTestCase(new MixedTest);
    }
};

FlowsTestSuite g_flowsTestSuite;

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// Load balancers in fabrics: how evenly they use the links, which path a flow takes and what
// reports say of it, and the same bytes with any number of threads.

#include "fabric-test-case.h"
#include "wire-digest.h"

#include "ns3/buffer-dependency-graph.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/flow-diagnosis.h"
#include "ns3/flow-path.h"
#include "ns3/let-flow-load-balancer.h"
#include "ns3/rdma-mrc.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @param balancer a load balancer, with attributes @return what builds fabrics with it
FabricHelper
HelperWith(const std::string& balancer)
{
    FabricHelper helper;
    helper.SetLoadBalancer("ns3::" + balancer);
    helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
    return helper;
}

/// Counts the data frames that each port of a switch sends.
class DataCounts
{
  public:
    /// @param fabric whose switches
    explicit DataCounts(const Fabric& fabric)
    {
        for (const SwitchId which : fabric.Switches())
        {
            const auto fabricSwitch = fabric.GetSwitch(which);
            m_frames.emplace_back(fabricSwitch->GetNPorts());
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                fabricSwitch->GetPort(port)->TraceConnectWithoutContext(
                    "FrameTx",
                    Callback<void, const QbbNetDevice&, const Frame&>(
                        [this, which, port](const QbbNetDevice&, const Frame& frame) {
                            m_frames[which.Value()][port] +=
                                frame.kind == FrameKind::ROCE && CarriesData(frame.opcode);
                        }));
            }
        }
    }

    /// @param fabric the fabric @return of the worst next-hop group, most less fewest frames
    uint64_t GetSpread(const Fabric& fabric) const
    {
        uint64_t spread = 0;
        for (const SwitchId which : fabric.Switches())
        {
            const auto& sent = m_frames[which.Value()];
            const auto isLess = [&sent](uint16_t a, uint16_t b) { return sent[a] < sent[b]; };
            const ForwardingTable& table = fabric.GetSwitch(which)->GetForwardingTable();
            for (uint16_t number = 1; number <= table.GetNGroups(); ++number)
            {
                const auto& ports = table.GetGroup(number).all;
                const auto [least, most] = std::minmax_element(ports.begin(), ports.end(), isLess);
                spread = std::max(spread, sent[*most] - sent[*least]);
            }
        }
        return spread;
    }

  private:
    std::vector<std::vector<uint64_t>> m_frames; //!< by switch, port
};

/// A permutation on a fat tree of 16 hosts.
struct Permutation
{
    uint64_t spread{0}; //!< DataCounts::GetSpread()
    Time end;           //!< when the last flow has ended
    uint64_t digest{0}; //!< of all that was sent
};

/// @param balancer as for HelperWith() @param check called with the fabric at the end
/// @return what came of it
template <typename Check>
Permutation
RunPermutation(const std::string& balancer, Check check)
{
    const Fabric fabric = HelperWith(balancer).FatTree(4);
    tests::WireDigest digest(fabric);
    DataCounts counts(fabric);
    RdmaFlowHelper flows(fabric);
    fabric.AssignStreams(flows.AssignStreams(1000) + 1000);
    for (uint32_t host = 0; host < 16; ++host)
    {
        flows.Add({host, (host + 5) % 16, 300000}); // each to another edge switch
    }
    Simulator::Run();
    check(fabric);
    const Permutation result{counts.GetSpread(fabric), flows.GetLastEnd(), digest.Get()};
    Simulator::Destroy();
    return result;
}

/// Spraying uses all links of a group alike; ECMP does not.
class PermutationTest : public FabricTestCase
{
  public:
    PermutationTest()
        : FabricTestCase("Spraying uses the links of a group alike")
    {
    }

  private:
    void DoRun() override
    {
        const auto check = [this](const Fabric& fabric) { ExpectClean(fabric); };
        const Permutation ecmp = RunPermutation("EcmpLoadBalancer", check);
        NS_TEST_EXPECT_MSG_GT(ecmp.spread, 280, "a flow has one path: 293 frames");
        const Permutation spray = RunPermutation("SprayLoadBalancer", check);
        NS_TEST_EXPECT_MSG_LT(spray.spread, 3, "frames: rounds that are not complete");
        NS_TEST_EXPECT_MSG_LT(spray.end, ecmp.end, "no link is shared");
        NS_TEST_EXPECT_MSG_EQ(RunPermutation("SprayLoadBalancer", check).digest,
                              spray.digest,
                              "the same again");
        for (const char* other : {"SprayLoadBalancer[Mode=Random]",
                                  "SprayLoadBalancer[Mode=ShortestQueue]",
                                  "DrillLoadBalancer",
                                  "AdaptiveLoadBalancer"})
        {
            const Permutation result = RunPermutation(other, check);
            NS_TEST_EXPECT_MSG_LT(result.spread, ecmp.spread, other);
            NS_TEST_EXPECT_MSG_LT(result.end, ecmp.end, other);
        }
    }
};

/// A flow that is paced has no gaps, so that it has one flowlet at each switch.
class FlowletTest : public FabricTestCase
{
  public:
    FlowletTest()
        : FabricTestCase("A long flow of 50 Gbps has one flowlet")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = HelperWith("LetFlowLoadBalancer");
        helper.SetCongestionControl("ns3::RdmaFixedRate[Rate=50Gbps]");
        const Fabric fabric = helper.LeafSpine(2, 4, 1);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 20000000});
        Simulator::Run();
        const auto balancer =
            DynamicCast<LetFlowLoadBalancer>(fabric.GetSwitch(0)->GetLoadBalancer());
        NS_TEST_EXPECT_MSG_EQ(balancer->GetNFlowlets(), 1, "of 3.2 ms");
        NS_TEST_EXPECT_MSG_EQ(balancer->GetNFlows(), 1, "flows");
        ExpectClean(fabric);
    }
};

/// What asks for paths finds all that a packet may take, and changes nothing by that.
class WaysTest : public FabricTestCase
{
  public:
    WaysTest()
        : FabricTestCase("Paths of flows are all that their packets may take")
    {
    }

  private:
    /// @param balancer as for HelperWith() @param isAsked whether somebody asks during the run
    /// @param ports that data may take @param spines that data or ACKs may pass
    /// @return digest of the run
    uint64_t Run(const std::string& balancer, bool isAsked, std::size_t ports, std::size_t spines)
    {
        const Fabric fabric = HelperWith(balancer).LeafSpine(2, 4, 2);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 2, 200000});
        tests::WireDigest digest(fabric);
        fabric.AssignStreams(flows.AssignStreams(1000) + 1000);
        Simulator::Schedule(MicroSeconds(5), [&, isAsked] {
            if (!isAsked)
            {
                return;
            }
            const Fabric::Connection ends = flows.GetActive().front().second;
            const auto path =
                FlowPath::Find(fabric, 0, ends.ports.source, ends.source->GetConnection());
            NS_TEST_EXPECT_MSG_EQ(path.size(), ports, balancer);
            NS_TEST_EXPECT_MSG_EQ(std::set<NodePort>(path.begin(), path.end()).size(),
                                  ports,
                                  "each once");
            std::set<NodeId> switches;
            const auto graph = BufferDependencyGraph::FromActiveFlows(flows);
            for (const auto& vertex : graph.GetVertices())
            {
                switches.insert(vertex.node);
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(switches.size(), 2 + spines, balancer);
            NS_TEST_EXPECT_MSG_EQ((switches.size() == 6),
                                  (spines == 4),
                                  "all spines: " << balancer);
        });
        Simulator::Run();
        Simulator::Destroy();
        return digest.Get();
    }

    void DoRun() override
    {
        const auto expect = [this](const char* balancer, std::size_t ports, std::size_t spines) {
            NS_TEST_EXPECT_MSG_EQ(Run(balancer, true, ports, spines),
                                  Run(balancer, false, ports, spines),
                                  "asking changes nothing: " << balancer);
        };
        expect("EcmpLoadBalancer", 4, 2);   // host, leaf, spine, leaf; ACKs may pass another spine
        expect("SprayLoadBalancer", 10, 4); // host, 4 of a leaf, 4 spines, leaf
        expect("LetFlowLoadBalancer", 10, 4);
        expect("DrillLoadBalancer", 10, 4);
    }
};

/// Uplinks that are slower than the links of hosts: a message alone takes its ideal time, as it has
/// all of them, and no message takes less.
class IdealTest : public FabricTestCase
{
  public:
    IdealTest()
        : FabricTestCase("No flow that is spread over slow uplinks is faster than its ideal")
    {
    }

  private:
    /// @param fabric a fabric of 8 hosts @param name of what spreads @param most slowdown of the
    /// flow that is alone
    void Run(const Fabric& fabric, const std::string& name, double most)
    {
        RdmaFlowHelper flows(fabric);
        fabric.AssignStreams(flows.AssignStreams(1000) + 1000);
        for (uint32_t i = 0; i < 40; ++i) // alone, then two at once
        {
            flows.Add({i % 2, 4 + i % 3, 1 + i * i * 997, MicroSeconds(i < 20 ? i * 200 : 4000)});
        }
        double slowest = 0;
        uint32_t faster = 0;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            faster += result.fct < result.ideal;
            const bool isAlone = result.flow.start < MicroSeconds(4000) && result.flow.bytes > 1e5;
            slowest =
                std::max(slowest, isAlone ? result.fct.GetDouble() / result.ideal.GetDouble() : 0);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 40U, name);
        NS_TEST_EXPECT_MSG_EQ(faster, 0U, "no slowdown below 1: " << name);
        NS_TEST_EXPECT_MSG_EQ((slowest >= 1 && slowest < most), true, name << ' ' << slowest);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FabricLinkSpec edge;
        edge.rate = DataRate("100Gbps");
        FabricLinkSpec uplink = edge;
        uplink.rate = DataRate("25Gbps");
        const auto topology = FabricTopology::LeafSpine(2, 4, 4, edge, uplink);
        const auto control = "ns3::RdmaFixedRate";
        for (const char* balancer : {"SprayLoadBalancer", "DrillLoadBalancer"})
        {
            FabricHelper helper = HelperWith(balancer);
            helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
            helper.SetCongestionControl(control);
            Run(helper.FromTopology(topology), balancer, 1.05);
        }
        FabricHelper entropy = HelperWith("EcmpLoadBalancer");
        entropy.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
        entropy.SetQueuePair("Entropy", StringValue("ns3::RdmaEntropyOblivious"));
        entropy.SetCongestionControl(control);
        Run(entropy.FromTopology(topology), "entropy values", 1.5); // drawn, not in turn
        FabricHelper mrc;
        mrc.SetMrc(MicroSeconds(12), RdmaMrc::SRV6);
        Run(mrc.FromTopology(FabricTopology::MultiPlane(2, 2, 4, 4, edge, uplink)), "MRC", 1.3);
    }
};

/// Why a flow does not go on: something on one of its paths.
class DiagnosisTest : public FabricTestCase
{
  public:
    DiagnosisTest()
        : FabricTestCase("A diagnosis looks at all paths, and says that there are several")
    {
    }

  private:
    /// @param balancer as for HelperWith() @param silent place of a spine that loses all that leaf
    /// 0 sends @return why the flow does not go on
    std::string Run(const std::string& balancer, uint32_t silent)
    {
        const Fabric fabric = HelperWith(balancer).LeafSpine(2, 4, 1);
        FaultHelper faults(fabric);
        const NodeId leaf = fabric.GetTopology().NodeOf(SwitchId(0));
        faults.SilencePort(leaf, 1 + silent, Time(0)); // port 0 leads to its host
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 1000000});
        std::string reason;
        Simulator::Schedule(MicroSeconds(5), [&] {
            const auto [flow, ends] = flows.GetActive().front();
            reason = FlowDiagnosis(fabric).GetReason(flow.verb, ends);
            Simulator::Stop();
        });
        Simulator::Run();
        Simulator::Destroy();
        return reason;
    }

    void DoRun() override
    {
        uint32_t ecmp = 0;
        for (uint32_t spine = 0; spine < 4; ++spine)
        {
            const std::string silent =
                "nothing arrives at switch " + std::to_string(4 + spine) + " port 0: a silent port";
            NS_TEST_EXPECT_MSG_EQ(Run("SprayLoadBalancer", spine),
                                  "on one of several paths: " + silent,
                                  "all paths");
            ecmp += Run("EcmpLoadBalancer", spine) == silent;
        }
        NS_TEST_EXPECT_MSG_EQ(ecmp, 1, "one path");
    }
};

/// A run with files.
class ThreadsTest : public FabricTestCase
{
  public:
    ThreadsTest()
        : FabricTestCase("Load balancers write the same bytes with 1 and 2 threads")
    {
    }

  private:
    /// @param balancer as for HelperWith() @param threads how many @return files of the run
    std::string Run(const std::string& balancer, uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.progress = false;
        options.threads = threads;
        options.linkLoad = true;
        options.outDir = CreateTempDirFilename("paths-run");
        FabricRun run(HelperWith(balancer).FatTree(4), options);
        for (uint32_t host = 0; host < 16; ++host)
        {
            run.Rdma().Add({host, (host + 5) % 16, 300000});
        }
        run.Execute();
        std::ostringstream files;
        for (const char* name : {"fct.csv", "pfc.csv", "link-load.csv", "balance.csv"})
        {
            files << std::ifstream(options.outDir + "/" + name).rdbuf();
        }
        return files.str();
    }

    void DoRun() override
    {
        for (const char* balancer : {"SprayLoadBalancer",
                                     "SprayLoadBalancer[Mode=ShortestQueue]",
                                     "DrillLoadBalancer",
                                     "LetFlowLoadBalancer"})
        {
            const std::string one = Run(balancer, 1);
            NS_TEST_EXPECT_MSG_GT(one.size(), 5000, "files");
            NS_TEST_EXPECT_MSG_EQ((Run(balancer, 2) == one), true, balancer);
        }
    }
};

/// balance.csv
class BalanceTest : public FabricTestCase
{
  public:
    BalanceTest()
        : FabricTestCase("balance.csv: how evenly the ports of a group are used")
    {
    }

  private:
    /// @param balancer as for HelperWith() @return imbalance of the uplinks of leaf 0
    double Run(const std::string& balancer)
    {
        RunOptions options;
        options.progress = false;
        options.linkLoad = true;
        options.keep = {"balance"};
        const Fabric fabric = HelperWith(balancer).LeafSpine(2, 4, 1);
        FabricRun run(fabric, options);
        run.Rdma().Add({0, 1, 1024000});
        run.Execute();
        const auto& columns = run.GetTable("balance").GetColumns();
        const auto& nodes = std::get<std::vector<int64_t>>(columns[0]);
        const auto& ports = std::get<std::vector<int64_t>>(columns[2]);
        const auto& bytes = std::get<std::vector<int64_t>>(columns[3]);
        const auto& imbalances = std::get<std::vector<double>>(columns[4]);
        NS_TEST_EXPECT_MSG_EQ(nodes.size(), 8, "two leaves with a group of 4; spines have none");
        for (std::size_t row = 0; row < nodes.size(); ++row)
        {
            const auto device = fabric.GetDevice(NodeId(nodes[row]), ports[row]);
            const auto sent = static_cast<int64_t>(device->GetCounters().txWireBytes);
            NS_TEST_EXPECT_MSG_EQ(bytes[row], sent, "row " << row);
        }
        Simulator::Destroy();
        return imbalances.front();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Run("EcmpLoadBalancer"), 4, "all less none, by a quarter of all");
        NS_TEST_EXPECT_MSG_LT(Run("SprayLoadBalancer"), 0.005, "1000 frames: 250 each");
    }
};

/// What a queue pair needs of paths, and what a fabric gives, are compared before a run.
class NeedTest : public FabricTestCase
{
  public:
    NeedTest()
        : FabricTestCase("policies that need one path are refused where packets take several")
    {
    }

  private:
    /// What a run does.
    enum Outcome
    {
        REFUSED,  //!< it does not begin
        DOUBTFUL, //!< it runs, with a finding
        FINE      //!< it runs
    };

    /// @param balancer of the switches @param recovery of the queue pairs @param control their
    /// congestion control @param allow RunOptions::allowReordering @param entropy of queue pairs
    /// @param spines of the fabric
    Outcome Try(const std::string& balancer,
                const std::string& recovery,
                const std::string& control = "RdmaDcqcn",
                bool allow = false,
                const std::string& entropy = "RdmaEntropyNone",
                uint32_t spines = 2)
    {
        FabricHelper helper;
        helper.SetLoadBalancer("ns3::" + balancer);
        if (balancer == "ConWeaveLoadBalancer")
        {
            helper.AddSwitchExtension("ns3::ConWeaveSwitch");
        }
        helper.SetQueuePair("CongestionControl",
                            StringValue("ns3::" + control),
                            "LossRecovery",
                            StringValue("ns3::" + recovery),
                            "Entropy",
                            StringValue("ns3::" + entropy));
        RunOptions options;
        options.progress = false;
        options.allowReordering = allow;
        FabricRun run(helper.LeafSpine(2, spines, 1), options);
        run.Rdma().Add({0, 1, 10000});
        auto outcome = FINE;
        try
        {
            run.Execute();
            for (const Finding& finding : run.GetFindings())
            {
                outcome = finding.rule == "paths" ? DOUBTFUL : outcome;
            }
        }
        catch (const FabricError&)
        {
            outcome = REFUSED;
        }
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const std::string tolerant = "RdmaIrn[ReorderThreshold=-1]";
        const std::string spray = "SprayLoadBalancer";
        const std::string flowlets = "LetFlowLoadBalancer";
        NS_TEST_EXPECT_MSG_EQ(Try("EcmpLoadBalancer", "RdmaGoBackN"), FINE, "one path");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, "RdmaGoBackN"), REFUSED, "");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, "RdmaGoBackN", "RdmaDcqcn", true), DOUBTFUL, "allowed");
        NS_TEST_EXPECT_MSG_EQ(Try(flowlets, "RdmaGoBackN"), DOUBTFUL, "");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, "RdmaIrn"), DOUBTFUL, "gaps are losses");
        NS_TEST_EXPECT_MSG_EQ(Try(flowlets, "RdmaIrn"), FINE, "");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, tolerant), FINE, "");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, tolerant, "RdmaHpcc"), REFUSED, "INT of one path");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, tolerant, "RdmaHpcc[Telemetry=Pint]"), FINE, "");
        NS_TEST_EXPECT_MSG_EQ(Try(flowlets, tolerant, "RdmaHpcc"), DOUBTFUL, "");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, tolerant, "RdmaTimely"), DOUBTFUL, "gradients");
        NS_TEST_EXPECT_MSG_EQ(Try(flowlets, tolerant, "RdmaTimely"), DOUBTFUL, "gradients");
        NS_TEST_EXPECT_MSG_EQ(Try(flowlets, tolerant, "RdmaPcn"), FINE, "");
        const std::string rerouted = "ConWeaveLoadBalancer";
        NS_TEST_EXPECT_MSG_EQ(Try(rerouted, "RdmaGoBackN"), FINE, "in order");
        NS_TEST_EXPECT_MSG_EQ(Try(rerouted, "RdmaIrn"), FINE, "in order");
        NS_TEST_EXPECT_MSG_EQ(Try(rerouted, "RdmaGoBackN", "RdmaPcn"), FINE, "");
        NS_TEST_EXPECT_MSG_EQ(Try(rerouted, "RdmaGoBackN", "RdmaTimely"), DOUBTFUL, "gradients");
        NS_TEST_EXPECT_MSG_EQ(Try(rerouted, "RdmaGoBackN", "RdmaHpcc"), DOUBTFUL, "");
        NS_TEST_EXPECT_MSG_EQ(Try(spray, tolerant, "RdmaSwift"), FINE, "");
        const std::string ecmp = "EcmpLoadBalancer";
        const std::string mixed = "RdmaEntropyMixed";
        NS_TEST_EXPECT_MSG_EQ(Try(ecmp, "RdmaGoBackN", "RdmaDcqcn", false, mixed), REFUSED, "EVs");
        NS_TEST_EXPECT_MSG_EQ(Try(ecmp, tolerant, "RdmaDcqcn", false, mixed), FINE, "");
        NS_TEST_EXPECT_MSG_EQ(Try(ecmp, "RdmaGoBackN", "RdmaDcqcn", false, mixed, 1),
                              FINE,
                              "one spine: nothing to choose");
    }
};

/// The suite.
class PathsTestSuite : public TestSuite
{
  public:
    PathsTestSuite()
        : TestSuite("lossless-paths", Type::SYSTEM)
    {
        AddTestCase(new PermutationTest);
        AddTestCase(new FlowletTest);
        AddTestCase(new WaysTest);
        AddTestCase(new IdealTest);
        AddTestCase(new DiagnosisTest);
        AddTestCase(new ThreadsTest);
        AddTestCase(new BalanceTest);
        AddTestCase(new NeedTest);
    }
};

PathsTestSuite g_pathsTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// The share of a run in steady states (SkippableStats): exact where it can be counted by hand, and
// no effect on anything else.

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"
#include "run-scene.h"

#include "ns3/ecmp-load-balancer.h"
#include "ns3/fabric-run.h"
#include "ns3/flow-path.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-verbs.h"

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using tests::ContentOf;
using tests::RandomFabric;

/// A line of skippable.csv, by column.
using Line = std::map<std::string, int64_t>;

/// @param path of skippable.csv @return its lines, by number of the flow
std::map<int64_t, Line>
LinesOf(const std::string& path)
{
    std::map<int64_t, Line> lines;
    for (const auto& row : tests::RowsOf(path))
    {
        Line line;
        for (const auto& [name, cell] : row)
        {
            line[name] = std::stoll(cell);
        }
        lines[line["flow"]] = line;
    }
    return lines;
}

/// A run of a fabric with flows, watched for steady states.
class SkippableTestCase : public FabricTestCase
{
  protected:
    explicit SkippableTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

    /// @param hosts of the star @return a star in which each flow sends at 40 of 100 Gb/s
    static Fabric FixedRateStar(uint32_t hosts)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", StringValue("40Gbps"));
        return helper.Star(hosts);
    }

    /// Run, and read the lines. @param fabric what runs @param add adds what it carries
    std::map<int64_t, Line> Watch(const Fabric& fabric, const std::function<void(FabricRun&)>& add)
    {
        RunOptions options;
        options.skippable = true;
        options.steady = m_rule;
        options.outDir = CreateTempDirFilename("watched");
        FabricRun run(fabric, options);
        add(run);
        m_results = run.Execute();
        const auto lines = LinesOf(options.outDir + "/skippable.csv");
        ExpectSums(lines, fabric.GetNHosts());
        return lines;
    }

    /// No more is skippable than there is, and the totals are the sums.
    void ExpectSums(const std::map<int64_t, Line>& lines, uint64_t what)
    {
        SkippableTotals sums;
        for (const auto& [flow, line] : lines)
        {
            const auto at = [&line = line](const char* name) { return line.at(name); };
            NS_TEST_EXPECT_MSG_LT_OR_EQ(at("skippable_hops"), at("hops"), what << ": " << flow);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(at("component_hops"), at("skippable_hops"), what);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(at("steady_windows"), at("windows"), what);
            NS_TEST_EXPECT_MSG_EQ((at("steady_states") > 0), (at("first_state_ns") >= 0), what);
            sums.hops += at("hops");
            sums.skippableHops += at("skippable_hops");
            sums.componentHops += at("component_hops");
            sums.windows += at("windows");
            sums.steadyWindows += at("steady_windows");
            sums.states += at("steady_states");
            sums.steadyFlows += at("steady_states") > 0;
        }
        const SkippableTotals& totals = m_results.totals.skippable.value();
        NS_TEST_EXPECT_MSG_EQ(totals.flows, lines.size(), what);
        NS_TEST_EXPECT_MSG_EQ(totals.hops, sums.hops, what);
        NS_TEST_EXPECT_MSG_EQ(totals.skippableHops, sums.skippableHops, what);
        NS_TEST_EXPECT_MSG_EQ(totals.componentHops, sums.componentHops, what);
        NS_TEST_EXPECT_MSG_EQ(totals.windows, sums.windows, what);
        NS_TEST_EXPECT_MSG_EQ(totals.steadyWindows, sums.steadyWindows, what);
        NS_TEST_EXPECT_MSG_EQ(totals.states, sums.states, what);
        NS_TEST_EXPECT_MSG_EQ(totals.steadyFlows, sums.steadyFlows, what);
        const auto share = [&](uint64_t part) {
            return sums.hops ? static_cast<double>(part) / static_cast<double>(sums.hops) : 0;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(totals.share, share(sums.skippableHops), 1e-12, what);
        NS_TEST_EXPECT_MSG_EQ_TOL(totals.componentShare, share(sums.componentHops), 1e-12, what);
    }

    SteadyRule m_rule;    //!< of Watch()
    RunResults m_results; //!< of Watch()
};

/// Two flows that share nothing, at a fixed rate: the packets of windows can be counted.
class ClosedFormTest : public SkippableTestCase
{
  public:
    /// @param rounds before windows are skippable @param verb of the flows
    ClosedFormTest(uint32_t rounds, RdmaVerb verb)
        : SkippableTestCase("Two flows apart: skippable from window " + std::to_string(rounds + 1) +
                            (verb == RdmaVerb::READ ? " on, READ" : " on")),
          m_rounds(rounds),
          m_verb(verb)
    {
    }

  private:
    static constexpr uint64_t PACKETS = 3000;

    /// @param time ticks from the begin @return packets that have begun to leave before it
    static uint64_t SentBefore(double time)
    {
        // 1024 + 62 bytes of headers and checks, 20 of gap and preamble: 16 more in the first one.
        constexpr double NEXT = (1024 + 58 + 24) * 8 / 40.0 * 1000;
        constexpr double FIRST = NEXT + 16 * 8 / 40.0 * 1000;
        const double sent =
            time <= 0 ? 0 : 1 + std::floor(std::max(0.0, time - FIRST + NEXT) / NEXT);
        return std::min(PACKETS, static_cast<uint64_t>(sent));
    }

    void DoRun() override
    {
        const Fabric fabric = FixedRateStar(4);
        m_rule.rounds = static_cast<uint32_t>(m_rounds);
        Time fct;
        const auto lines = Watch(fabric, [&](FabricRun& run) {
            for (const uint32_t source : {0U, 2U})
            {
                RdmaFlow flow{source, source + 1, PACKETS * 1024};
                flow.verb = m_verb;
                run.Rdma().Add(flow);
            }
            run.Rdma().OnEnd([&](const RdmaFlowResult& result) { fct = result.fct; });
        });
        const SkippableTotals& totals = *m_results.totals.skippable;
        NS_TEST_EXPECT_MSG_EQ(totals.hops, 2 * 2 * PACKETS, "two links each");
        NS_TEST_EXPECT_MSG_EQ(totals.hops, m_results.totals.rdma.dataHops, "all of the run");
        NS_TEST_EXPECT_MSG_EQ(totals.share, totals.componentShare, "each is alone");
        const auto window = static_cast<double>(totals.window.GetTimeStep());
        const auto whole =
            static_cast<int64_t>(std::floor(static_cast<double>(fct.GetTimeStep()) / window));
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("windows"), whole, "windows before the end");
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("hops"), lines.at(1).at("hops"), "alike");
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("skippable_hops"),
                              lines.at(1).at("skippable_hops"),
                              "alike");
        if (m_verb == RdmaVerb::READ) // arrives later: in all but the first and the last windows
        {
            NS_TEST_EXPECT_MSG_GT(totals.share, 0.9, "nearly all");
            return;
        }
        const auto sentIn = [&](int64_t index) {
            return SentBefore(static_cast<double>(index + 1) * window) -
                   SentBefore(static_cast<double>(index) * window);
        };
        uint64_t skippable = 0;
        int64_t steady = 0;
        int64_t states = 0;
        int64_t first = 1; // of the row: the flow begins in window 0
        for (int64_t i = 1; i < whole && sentIn(i) > 0; ++i)
        {
            const auto packets = static_cast<double>(sentIn(first));
            const bool isEqual =
                std::abs(static_cast<double>(sentIn(i)) - packets) <= std::max(1.0, 0.05 * packets);
            first = isEqual ? first : i;
            steady += i > first;
            states += i == first + m_rounds - 1;
            skippable += i >= first + m_rounds ? sentIn(i) : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("steady_states"), states, "by hand");
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("steady_windows"), steady, "by hand");
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("skippable_hops"),
                              static_cast<int64_t>(2 * skippable),
                              "by hand");
        NS_TEST_EXPECT_MSG_EQ(
            lines.at(0).at("first_state_ns"),
            TimeStep(static_cast<uint64_t>(m_rounds + 1) * totals.window.GetTimeStep())
                .GetNanoSeconds(),
            "the end of the last round");
        NS_TEST_EXPECT_MSG_GT(totals.share, 0.9, "nearly all");
    }

    int64_t m_rounds;
    RdmaVerb m_verb;
};

/// A third flow shares a link with one of two.
class JoinTest : public SkippableTestCase
{
  public:
    JoinTest()
        : SkippableTestCase(
              "A flow that joins ends the states of those with which it shares a link")
    {
    }

  private:
    void DoRun() override
    {
        const auto lines = Watch(FixedRateStar(5), [](FabricRun& run) {
            run.Rdma().Add({0, 1, 2000000});
            run.Rdma().Add({2, 3, 2000000});
            run.Rdma().Add({4, 1, 500000, MicroSeconds(100)});
        });
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("steady_states"), 3, "before, with, and after it");
        NS_TEST_EXPECT_MSG_EQ(lines.at(1).at("steady_states"), 1, "shares nothing");
        NS_TEST_EXPECT_MSG_EQ(lines.at(2).at("steady_states"), 1, "it");
        NS_TEST_EXPECT_MSG_LT(lines.at(0).at("skippable_hops"),
                              lines.at(1).at("skippable_hops"),
                              "what the disturbance costs");
        NS_TEST_EXPECT_MSG_EQ(lines.at(1).at("component_hops"),
                              lines.at(1).at("skippable_hops"),
                              "alone");
    }
};

/// A chain of flows, of which each shares a link with the next.
class ComponentTest : public SkippableTestCase
{
  public:
    ComponentTest()
        : SkippableTestCase("A component is in a steady state while all of its flows are")
    {
    }

  private:
    void DoRun() override
    {
        const auto lines = Watch(FixedRateStar(6), [](FabricRun& run) {
            run.Rdma().Add({0, 1, 2000000});
            run.Rdma().Add({2, 1, 2000000});
            run.Rdma().Add({2, 3, 2000000});
            run.Rdma().Add({4, 3, 500000, MicroSeconds(100)});
        });
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("steady_states"), 1, "shares no link with the last");
        NS_TEST_EXPECT_MSG_EQ(lines.at(1).at("steady_states"), 1, "neither");
        NS_TEST_EXPECT_MSG_EQ(lines.at(2).at("steady_states"), 3, "before, with, and after it");
        for (const int64_t flow : {0, 1})
        {
            NS_TEST_EXPECT_MSG_GT(lines.at(flow).at("component_hops"), 0, "some windows");
            NS_TEST_EXPECT_MSG_LT(lines.at(flow).at("component_hops"),
                                  lines.at(flow).at("skippable_hops"),
                                  "the third flow is disturbed");
        }
        NS_TEST_EXPECT_MSG_LT(m_results.totals.skippable->componentShare,
                              m_results.totals.skippable->share,
                              "of the run, too");
    }
};

/// The port of a flow is paused for a while.
class PauseTest : public SkippableTestCase
{
  public:
    PauseTest()
        : SkippableTestCase("A pause ends a state, and the state of no other flow")
    {
    }

  private:
    void DoRun() override
    {
        // The shorter one delays less than a packet: the counter of pauses alone shows it.
        for (const Time& length : {MicroSeconds(30), NanoSeconds(100)})
        {
            Simulator::Destroy();
            const Fabric fabric = FixedRateStar(4);
            const auto lines = Watch(fabric, [&](FabricRun& run) {
                run.Rdma().Add({0, 1, 2000000});
                run.Rdma().Add({2, 3, 2000000});
                for (const bool isPaused : {true, false})
                {
                    const Time at = MicroSeconds(100) + (isPaused ? Time(0) : length);
                    Simulator::Schedule(at, [fabric, isPaused] {
                        fabric.GetSwitch(0)->GetPort(0)->RequestPause(3, isPaused);
                    });
                }
            });
            NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("steady_states"), 2, "before and after");
            NS_TEST_EXPECT_MSG_EQ(lines.at(1).at("steady_states"), 1, "not paused");
        }
    }
};

/// What is never steady, or not always.
class UnsteadyTest : public SkippableTestCase
{
  public:
    UnsteadyTest()
        : SkippableTestCase("One packet is never skippable, an incast under DCQCN not always")
    {
    }

  private:
    void DoRun() override
    {
        const auto one = Watch(FixedRateStar(2), [](FabricRun& run) {
            run.Rdma().Add({0, 1, 1000});
            run.Rdma().Add({0, 1, 0, MicroSeconds(20)});
        });
        NS_TEST_EXPECT_MSG_EQ(one.at(0).at("hops"), 2, "two links");
        NS_TEST_EXPECT_MSG_EQ(one.at(1).at("hops"), 2, "a message without bytes has a packet");
        NS_TEST_EXPECT_MSG_EQ(m_results.totals.skippable->share, 0, "never");
        std::string before;
        for (uint32_t time = 0; time < 2; ++time)
        {
            Simulator::Destroy();
            const auto lines = Watch(FabricHelper().Star(9), [](FabricRun& run) {
                run.Rdma().Incast(8, 0, 1000000, Time(0));
            });
            const SkippableTotals& totals = *m_results.totals.skippable;
            NS_TEST_EXPECT_MSG_EQ(totals.hops, m_results.totals.rdma.dataHops, "all");
            NS_TEST_EXPECT_MSG_LT(totals.share, 1, "saw-teeth");
            const std::string now = ContentOf(m_results.folder + "/skippable.csv");
            NS_TEST_EXPECT_MSG_EQ((time > 0 && now != before), false, "the same in each run");
            before = now;
        }
    }
};

/// Nobody is kept alive.
class EndTest : public SkippableTestCase
{
  public:
    EndTest()
        : SkippableTestCase("Looking for steady states keeps no run alive")
    {
    }

  private:
    /// @param isWatched with steady states @return when a run ends that waits for nothing
    Time EndOf(bool isWatched)
    {
        Simulator::Destroy();
        RunOptions options;
        options.skippable = isWatched;
        options.stopWhenDone = false;
        FabricRun run(FixedRateStar(3), options);
        run.Rdma().Add({0, 1, 100000});
        run.Rdma().Add({0, 2, 100000, MicroSeconds(200)});
        const Time finish = run.Execute().finish;
        NS_TEST_EXPECT_MSG_EQ(run.GetResults().totals.skippable.has_value(), isWatched, "as asked");
        return finish;
    }

    void DoRun() override
    {
        const Time without = EndOf(false);
        NS_TEST_EXPECT_MSG_EQ(EndOf(true), without, "the same end");
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetQueuePair("RetransmitTimeout", StringValue("0s"));
        RunOptions options;
        options.skippable = true;
        options.patience = Time(0);
        FabricRun run(helper.Star(2), options);
        run.Rdma().Add({0, 1, 1000000});
        run.Faults().CutLink(1, MicroSeconds(20));
        run.Execute(); // comes back: the flow waits for ever, and no event is left
        NS_TEST_EXPECT_MSG_EQ(run.GetResults().unfinished.size(), 1, "the flow");
        {
            Simulator::Destroy();
            SetSimulator(FabricSimulatorImpl::GetTypeId());
            options.stop = MicroSeconds(50);
            FabricRun cut(FixedRateStar(2), options);
            cut.Rdma().Add({0, 1, 1000000});
            const SkippableTotals& totals = *cut.Execute().totals.skippable;
            NS_TEST_EXPECT_MSG_GT(totals.skippableHops, 0, "of a flow under way, too");
            NS_TEST_EXPECT_MSG_LT(totals.hops, 2000, "what it has sent");
            Simulator::Destroy(); // the window that was to end is gone before the run
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now().IsZero(), true, "another simulation");
        }
    }
};

/// A load balancer that cannot be asked.
class FirstPortBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FirstPortBalancer")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<FirstPortBalancer>();
        return tid;
    }

    uint16_t Pick(const Frame&, uint16_t, const NextHopGroup& group, const SwitchPorts&) override
    {
        return group.ports[0];
    }
};

/// What is refused.
class RefusalTest : public SkippableTestCase
{
  public:
    RefusalTest()
        : SkippableTestCase("Rules, threads and load balancers that cannot be are refused")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        const Fabric star = FabricHelper().Star(3);
        const auto refused = [&](const std::string& text, const SteadyRule& rule) {
            RunOptions options;
            options.skippable = true;
            options.steady = rule;
            ExpectError([&] { FabricRun run(star, options); }, text);
        };
        refused("steadyTolerance is 1; it must be a share, at least 0 and below 1", {1});
        refused("steadySlope is 1.5; it must", {0.05, 1.5});
        refused("steadyRounds is 0; it must be a whole number, 1 or more", {0.05, 0.05, 0});
        RunOptions options;
        options.skippable = true;
        options.threads = 2;
        {
            FabricRun run(star, options);
            run.Rdma().Add({0, 1, 100000});
            ExpectError([&] { run.Execute(); }, "several threads cannot run skippable");
            options.skippable = false; // the next try is without
            options.threads = 1;
            run.Choose(options);
            NS_TEST_EXPECT_MSG_EQ(run.Execute().totals.skippable.has_value(),
                                  false,
                                  "not asked for");
        }
        Simulator::Destroy();
        options = RunOptions();
        options.skippable = true;
        FabricHelper helper;
        helper.SetLoadBalancer(FirstPortBalancer::GetTypeId().GetName());
        FabricRun run(helper.LeafSpine(2, 2, 1), options);
        ExpectError([&] { run.Execute(); },
                    "paths of flows cannot be known beforehand: leaf 0 has ns3::FirstPortBalancer; "
                    "ns3::EcmpLoadBalancer can be asked");
    }
};

/// A flow whose path changes; and that paths are those that packets take.
class PathTest : public SkippableTestCase
{
  public:
    PathTest()
        : SkippableTestCase("Paths are those of the packets; a new one ends a state")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", StringValue("40Gbps"));
        const Fabric fabric = helper.FatTree(4);
        const auto connection = fabric.Connect(0, 15);
        const auto path =
            FlowPath::Find(fabric, 0, connection.ports.source, connection.source->GetConnection());
        NS_TEST_ASSERT_MSG_EQ(path.size(), 6, "edge, aggregation, core and down again");
        RdmaWorkRequest request;
        request.bytes = 50000;
        connection.destination->PostReceive();
        connection.source->Post(request);
        Simulator::Run();
        for (const auto& [node, port] : path)
        {
            NS_TEST_EXPECT_MSG_GT(fabric.GetDevice(node, port)->GetCounters().txWireBytes,
                                  50000,
                                  "node " << node.Value());
        }
        Simulator::Destroy();
        const Fabric leaves = helper.LeafSpine(2, 2, 1);
        const auto lines = Watch(leaves, [&](FabricRun& run) {
            run.Rdma().Add({0, 1, 3000000});
            // Of the two ways one is cut: that of the flow, or the other one.
            const LinkId link = leaves.GetTopology().FindLink(2, 4);
            run.Faults().CutLink(link, MicroSeconds(100), MicroSeconds(100));
            const LinkId other = leaves.GetTopology().FindLink(2, 5);
            run.Faults().CutLink(other, MicroSeconds(300), MicroSeconds(100));
        });
        NS_TEST_EXPECT_MSG_EQ(lines.at(0).at("links"), 4, "by a spine");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(lines.at(0).at("steady_states"), 2, "before and after");
    }
};

/// Any fabric and traffic.
class RandomSkippableTest : public SkippableTestCase
{
  public:
    /// @param index of the case
    explicit RandomSkippableTest(uint32_t index)
        : SkippableTestCase("Steady states of random fabric " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        RunOptions options;
        options.outDir = CreateTempDirFilename("plain");
        std::string plain;
        Time finish;
        {
            RandomFabric random(tests::Dice(m_index), RandomFabric::SMALL);
            FabricRun run(random.Build(), options);
            random.AddFlows(run.Rdma());
            finish = run.Execute().finish;
        }
        Simulator::Destroy();
        RandomFabric random(tests::Dice(m_index), RandomFabric::SMALL);
        const Fabric fabric = random.Build();
        const auto lines = Watch(fabric, [&](FabricRun& run) { random.AddFlows(run.Rdma()); });
        const std::string text = std::to_string(m_index) + ": " + random.Describe();
        NS_TEST_EXPECT_MSG_EQ(m_results.finish, finish, text);
        for (const char* file : {"/fct.csv", "/pfc.csv", "/pause.csv", "/queue.csv"})
        {
            NS_TEST_EXPECT_MSG_EQ(
                (ContentOf(options.outDir + file) == ContentOf(m_results.folder + file)),
                true,
                file << ", " << text);
        }
        NS_TEST_EXPECT_MSG_EQ(m_results.totals.skippable->hops,
                              m_results.totals.rdma.dataHops,
                              text);
    }

    uint32_t m_index;
};

class LosslessSkippableTestSuite : public tests::PropertyTestSuite
{
  public:
    LosslessSkippableTestSuite()
        : PropertyTestSuite("lossless-skippable")
    {
        AddTestCase(new ClosedFormTest(3, RdmaVerb::WRITE));
        AddTestCase(new ClosedFormTest(1, RdmaVerb::WRITE));
        AddTestCase(new ClosedFormTest(7, RdmaVerb::WRITE));
        AddTestCase(new ClosedFormTest(3, RdmaVerb::READ));
        AddTestCase(new JoinTest);
        AddTestCase(new ComponentTest);
        AddTestCase(new PauseTest);
        AddTestCase(new UnsteadyTest);
        AddTestCase(new EndTest);
        AddTestCase(new RefusalTest);
        AddTestCase(new PathTest);
        AddCases(40, [](uint32_t index) { return new RandomSkippableTest(index); });
    }
};

LosslessSkippableTestSuite g_skippable;

} // namespace

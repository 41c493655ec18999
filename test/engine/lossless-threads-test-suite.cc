// SPDX-License-Identifier: GPL-2.0-only

// FabricSimulatorImpl in canonical order: the same run with any number of partitions and threads,
// for random programs of events and for fabrics.

#include "case-budget.h"
#include "fabric-test-case.h"
#include "random-fabric.h"

#include "ns3/config.h"
#include "ns3/deadlock-helper.h"
#include "ns3/enum.h"
#include "ns3/event-id.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-run.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t LOOKAHEAD = 1000; // ticks

/// How a simulation is divided.
struct Division
{
    uint32_t partitions;
    uint32_t threads;
};

/// The divisions that must do the same.
const std::vector<Division> DIVISIONS{{1, 1}, {2, 1}, {7, 1}, {20, 1}, {2, 2}, {7, 3}, {20, 4}};

/// Make the simulator anew. @param division of its nodes @param nodes how many
/// @return the simulator
Ptr<FabricSimulatorImpl>
MakeSimulator(const Division& division, uint32_t nodes)
{
    Simulator::Destroy();
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::FabricSimulatorImpl"));
    auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    simulator->SetAttribute("Order", EnumValue(FabricSimulatorImpl::CANONICAL));
    simulator->SetAttribute("Threads", UintegerValue(division.threads));
    std::vector<uint32_t> partitions;
    for (uint32_t node = 0; node < nodes; ++node)
    {
        partitions.push_back(node * division.partitions / nodes);
    }
    simulator->SetPartitions(partitions, TimeStep(LOOKAHEAD));
    return simulator;
}

/**
 * A random program of nodes: an event of a node draws from the stream of this node what it does:
 * post on itself or, no sooner than the lookahead, on another; take back or ask about an event of
 * its own; do something for all nodes, or stop.
 */
class NodeScript
{
  public:
    static constexpr uint32_t NODES = 20;

    /// @param seed of its streams @param ticks whether there are events of no node that do nothing
    explicit NodeScript(uint32_t seed, bool ticks = false)
        : m_ticks(ticks)
    {
        for (uint32_t node = 0; node < NODES; ++node)
        {
            m_nodes.emplace_back();
            m_nodes.back().rng.seed(seed * NODES + node);
        }
    }

    /// @return what has happened, by node, then for all
    std::vector<uint64_t> Run()
    {
        for (uint32_t node = 0; node < NODES; ++node)
        {
            Simulator::ScheduleWithContext(node, TimeStep(node % 3), [this, node] {
                Happen(node);
            });
        }
        Simulator::Schedule(TimeStep(7 * LOOKAHEAD), [this] { HappenForAll(); });
        if (m_ticks)
        {
            Tick();
        }
        for (int run = 0; run < 20; ++run)
        {
            Simulator::Run();
            if (!m_ticks)
            {
                m_ends.push_back(Simulator::Now().GetTimeStep());
                m_ends.push_back(Simulator::GetEventCount());
            }
        }
        std::vector<uint64_t> log;
        for (const Node& node : m_nodes)
        {
            log.insert(log.end(), node.log.begin(), node.log.end());
        }
        log.insert(log.end(), m_ofAll.begin(), m_ofAll.end());
        Simulator::Destroy();
        return log;
    }

    /// @return when the runs have ended, and how many events they had by then
    const std::vector<uint64_t>& GetEnds() const
    {
        return m_ends;
    }

  private:
    /// What one node knows.
    struct Node
    {
        std::mt19937_64 rng;
        std::vector<EventId> ids;
        std::vector<uint64_t> log;
        uint32_t events{0};
    };

    static constexpr uint32_t EVENTS = 500; //!< of a node that post more

    /// An event. @param number of its node
    void Happen(uint32_t number)
    {
        Node& node = m_nodes[number];
        node.log.push_back(Simulator::Now().GetTimeStep());
        node.log.push_back(Simulator::GetContext());
        if (++node.events > EVENTS)
        {
            return;
        }
        for (auto more = 1 + node.rng() % 3 / 2; more > 0; --more)
        {
            Post(number);
        }
        Ask(node);
        if (node.rng() % 8 == 0)
        {
            const uint64_t drawn = node.rng();
            FabricSimulatorImpl::Serially([this, number, drawn] { DoForAll(number, drawn); });
        }
        if (node.rng() % 200 == 0)
        {
            Simulator::Stop();
        }
    }

    /// Post one more event. @param from the node that posts
    void Post(uint32_t from)
    {
        Node& node = m_nodes[from];
        static constexpr int64_t SPREAD[] = {1, 10, LOOKAHEAD, 5 * LOOKAHEAD, 1000 * LOOKAHEAD};
        const int64_t delay = node.rng() % SPREAD[node.rng() % 5];
        const uint32_t to = node.rng() % NODES;
        switch (node.rng() % 4)
        {
        case 0:
            Simulator::ScheduleWithContext(to,
                                           TimeStep(delay + (to == from ? 0 : LOOKAHEAD)),
                                           [this, to] { Happen(to); });
            break;
        case 1:
            Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, TimeStep(delay), [this] {
                HappenForAll();
            });
            [[fallthrough]];
        default:
            node.ids.push_back(
                Simulator::Schedule(TimeStep(delay), [this, from] { Happen(from); }));
        }
    }

    /// Ask about an event of a node, and take it back or not.
    void Ask(Node& node)
    {
        if (node.ids.empty())
        {
            return;
        }
        const EventId id =
            node.ids[node.ids.size() - 1 - node.rng() % std::min<std::size_t>(node.ids.size(), 9)];
        node.log.push_back(Simulator::IsExpired(id) ? 1 : 0);
        node.log.push_back(Simulator::GetDelayLeft(id).GetTimeStep());
        switch (node.rng() % 4)
        {
        case 0:
            Simulator::Remove(id);
            break;
        case 1:
            Simulator::Cancel(id);
            break;
        default:
            return;
        }
        node.log.push_back(id.IsExpired() ? 1 : 0);
    }

    /// What an event of a node has asked to be done between two windows.
    /// @param number of the node @param drawn a random number
    void DoForAll(uint32_t number, uint64_t drawn)
    {
        m_ofAll.push_back(Simulator::Now().GetTimeStep());
        m_ofAll.push_back(number);
        const uint32_t to = drawn % NODES;
        Simulator::ScheduleWithContext(to, TimeStep(drawn % 50), [this, to] { Happen(to); });
    }

    /// An event of no node.
    void HappenForAll()
    {
        m_ofAll.push_back(Simulator::Now().GetTimeStep());
        uint64_t sum = 0;
        for (const Node& node : m_nodes)
        {
            sum = sum * 31 + node.log.size();
        }
        m_ofAll.push_back(sum); // all nodes have got equally far, however they are divided
    }

    /// Do nothing, every now and then: it cuts windows.
    void Tick()
    {
        constexpr int64_t INTERVAL = 1371;
        constexpr int64_t LAST = 2000 * LOOKAHEAD;
        if (Simulator::Now().GetTimeStep() < LAST)
        {
            Simulator::Schedule(TimeStep(INTERVAL), [this] { Tick(); });
        }
    }

    bool m_ticks;
    std::vector<Node> m_nodes;
    std::vector<uint64_t> m_ofAll;
    std::vector<uint64_t> m_ends;
};

/// Random programs, divided in many ways.
class ThreadsOracleTest : public FabricTestCase
{
  public:
    ThreadsOracleTest()
        : FabricTestCase("random programs of nodes do the same however they are divided")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SCRIPTS = 20;
        for (uint32_t seed = 1; seed <= tests::GetCases(SCRIPTS); ++seed)
        {
            const Log expected = Run(seed, DIVISIONS.front(), false);
            NS_TEST_ASSERT_MSG_GT(expected.nodes.size(), 10000, "the script ran");
            // Each division in turn has ticks that do nothing.
            for (std::size_t i = 0; i < DIVISIONS.size(); ++i)
            {
                const Division& division = DIVISIONS[i];
                const bool ticks = seed % DIVISIONS.size() == i;
                const Log log = Run(seed, division, ticks);
                std::ostringstream what;
                what << "script " << seed << " with " << division.partitions << " partitions and "
                     << division.threads << " threads" << (ticks ? ", with ticks" : "");
                NS_TEST_ASSERT_MSG_EQ((log.nodes == expected.nodes), true, what.str());
                NS_TEST_ASSERT_MSG_EQ((ticks || log.ends == expected.ends),
                                      true,
                                      what.str() << ": ends");
            }
        }
    }

    /// What a script has done.
    struct Log
    {
        std::vector<uint64_t> nodes;
        std::vector<uint64_t> ends;
    };

    /// @param seed of a script @param division of its nodes @param ticks see NodeScript
    /// @return its log
    static Log Run(uint32_t seed, const Division& division, bool ticks)
    {
        MakeSimulator(division, NodeScript::NODES);
        NodeScript script(seed, ticks);
        Log log;
        log.nodes = script.Run();
        log.ends = script.GetEnds();
        return log;
    }
};

/// What is left to the end of a window may ask for events of no node that have run in it, later
/// than the event that left it.
class ThreadsExpiryTest : public FabricTestCase
{
  public:
    ThreadsExpiryTest()
        : FabricTestCase("events of no node that have run have expired at the end of the window")
    {
    }

  private:
    void DoRun() override
    {
        for (const Division& division : DIVISIONS)
        {
            if (division.partitions == 1)
            {
                continue; // what is left is done at once there
            }
            MakeSimulator(division, 20);
            const EventId run = Simulator::Schedule(TimeStep(700), [] {});
            const EventId toCome = Simulator::Schedule(TimeStep(LOOKAHEAD + 700), [] {});
            std::vector<bool> isExpired;
            Simulator::ScheduleWithContext(3, TimeStep(300), [&] {
                FabricSimulatorImpl::Serially([&] {
                    isExpired = {run.IsExpired(), toCome.IsExpired()};
                    Simulator::Remove(run);
                    Simulator::Remove(toCome);
                    isExpired.push_back(toCome.IsExpired());
                });
            });
            Simulator::ScheduleWithContext(5, TimeStep(900), [] {});
            Simulator::Run();
            const std::vector<bool> right{true, false, true};
            NS_TEST_EXPECT_MSG_EQ((isExpired == right), true, "expiry");
            Simulator::Destroy();
        }
    }
};

/// Mistakes of scripts are refused, whatever the partitions, and at any thread.
class ThreadsRefusalTest : public FabricTestCase
{
  public:
    ThreadsRefusalTest()
        : FabricTestCase("what cannot be divided is refused in one line")
    {
    }

  private:
    void DoRun() override
    {
        for (const Division& division : DIVISIONS)
        {
            if (division.partitions == 1)
            {
                continue; // one that acts on all nodes is no mistake
            }
            MakeSimulator(division, 20);
            Simulator::ScheduleWithContext(19, TimeStep(5), [] {
                Simulator::ScheduleWithContext(3, TimeStep(LOOKAHEAD - 1), [] {});
            });
            NS_TEST_EXPECT_MSG_NE(tests::RefusalOf<std::runtime_error>(Simulator::Run)
                                      .find("node 19 acts on node 3 after 999 ticks"),
                                  std::string::npos,
                                  "too soon");
        }
        const auto simulator = MakeSimulator({1, 1}, 2);
        ExpectRefusal([&] { simulator->SetPartitions({0, 1}, Time(0)); }, "must be above 0");
        Simulator::ScheduleNow([] {});
        Simulator::Run();
        ExpectRefusal(
            [&] { simulator->SetAttribute("Order", EnumValue(FabricSimulatorImpl::UID)); },
            "cannot change in a simulation that has run");
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        const auto alone = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
        ExpectRefusal([&] { alone->SetPartitions({0, 1}, TimeStep(1)); }, "need Order Canonical");
        alone->SetAttribute("Threads", UintegerValue(4));
        ExpectRefusal([] { Simulator::Run(); }, "4 threads need Order Canonical");
    }
};

/// The order may be chosen when events are there already.
class ThreadsOrderTest : public FabricTestCase
{
  public:
    ThreadsOrderTest()
        : FabricTestCase("events that were there before keep their order and their EventIds")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        std::vector<int> order;
        const EventId removed = Simulator::Schedule(TimeStep(5), [&] { order.push_back(0); });
        for (int i = 1; i < 100; ++i)
        {
            Simulator::ScheduleWithContext(i % 3, TimeStep(i % 2), [&, i] { order.push_back(i); });
        }
        const EventId kept = Simulator::Schedule(TimeStep(6), [&] { order.push_back(100); });
        const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
        simulator->SetAttribute("Order", EnumValue(FabricSimulatorImpl::CANONICAL));
        NS_TEST_EXPECT_MSG_EQ(removed.IsExpired(), false, "moved");
        Simulator::Remove(removed);
        Simulator::Run();
        std::vector<int> expected;
        for (int i : {2, 1})
        {
            for (; i < 100; i += 2)
            {
                expected.push_back(i);
            }
        }
        expected.push_back(100);
        NS_TEST_EXPECT_MSG_EQ((order == expected), true, "by time, then as they were posted");
        NS_TEST_EXPECT_MSG_EQ(kept.IsExpired(), true, "over");
    }
};

/// What a node does to itself is an event of the node, wherever it was begun.
class ThreadsOwnEventsTest : public FabricTestCase
{
  public:
    ThreadsOwnEventsTest()
        : FabricTestCase("timers of nodes that were posted from outside")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto order : {FabricSimulatorImpl::UID, FabricSimulatorImpl::CANONICAL})
        {
            Simulator::Destroy();
            SetSimulator(FabricSimulatorImpl::GetTypeId());
            Simulator::GetImplementation()->SetAttribute("Order", EnumValue(order));
            const Fabric fabric = FabricHelper().Star(2);
            DivideFabric(fabric, 0);
            const auto ends = fabric.Connect(0, 1);
            uint32_t context = 0;
            ends.source->SetCompletionCallback(
                Callback<void, const RdmaCompletion&>([&context](const RdmaCompletion& completion) {
                    context = completion.status == RdmaStatus::RETRY_EXCEEDED
                                  ? Simulator::GetContext()
                                  : Simulator::NO_CONTEXT;
                }));
            ends.source->Post({RdmaVerb::WRITE, 1000}); // by no node
            fabric.SetLinkUp(1, false);                 // no ACK comes: the timer ends it
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(context, fabric.GetNode(0)->GetId(), "an event of the host");
        }
        TakingBack();
    }

    /// Events of others cannot be taken back while they may run.
    void TakingBack()
    {
        for (const Division& division : {Division{2, 1}, Division{2, 2}})
        {
            for (const bool removes : {false, true})
            {
                MakeSimulator(division, 2);
                const EventId ofNone = Simulator::Schedule(TimeStep(9 * LOOKAHEAD), [] {});
                Simulator::ScheduleWithContext(1, TimeStep(5), [ofNone, removes] {
                    removes ? Simulator::Remove(ofNone) : Simulator::Cancel(ofNone);
                });
                NS_TEST_EXPECT_MSG_NE(tests::RefusalOf<std::runtime_error>(Simulator::Run)
                                          .find("node 1 takes back an event of no node"),
                                      std::string::npos,
                                      "not its own");
            }
        }
    }
};

/// How many events run one after another with a core for each partition.
class ThreadsCriticalPathTest : public FabricTestCase
{
  public:
    ThreadsCriticalPathTest()
        : FabricTestCase("the events of the partition that has most to do")
    {
    }

  private:
    void DoRun() override
    {
        // In the first window node 0 has more to do, in the second node 1.
        NS_TEST_EXPECT_MSG_EQ(Count({1, 1}), 30 + 20 + 10 + 40, "one partition has them all");
        NS_TEST_EXPECT_MSG_EQ(Count({2, 1}), 30 + 40, "two partitions");
        NS_TEST_EXPECT_MSG_EQ(Count({2, 2}), 30 + 40, "threads make no difference");
    }

    /// @param division of two nodes @return the count
    static uint64_t Count(const Division& division)
    {
        const auto simulator = MakeSimulator(division, 2);
        const auto post = [](uint32_t node, uint32_t window, int events) {
            for (; events > 0; --events)
            {
                Simulator::ScheduleWithContext(node, TimeStep(window * LOOKAHEAD + events), [] {});
            }
        };
        post(0, 0, 30);
        post(1, 0, 20);
        post(0, 1, 10);
        post(1, 1, 40);
        Simulator::Run();
        return simulator->GetCriticalCount();
    }
};

/// Runs of fabrics, with files.
class ThreadsRunTest : public FabricTestCase
{
  public:
    ThreadsRunTest()
        : FabricTestCase("a run writes the same bytes with any number of threads and partitions")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> controls{"ns3::RdmaDcqcn",
                                                "ns3::RdmaHpcc",
                                                "ns3::RdmaTimely"};
        for (std::size_t i = 0; i < tests::GetCases(controls.size()); ++i)
        {
            const std::string expected = Run(controls[i], Threads(1));
            NS_TEST_EXPECT_MSG_GT(expected.size(), 10000, "files");
            RunOptions options;
            NS_TEST_EXPECT_MSG_EQ((Run(controls[i], options) == expected), true, "not chosen");
            options.undivided = "a thing of mine";
            NS_TEST_EXPECT_MSG_EQ((Run(controls[i], options) == expected), true, "undivided");
            options.undivided.clear();
            options.order = RunOptions::EventOrder::NS3;
            NS_TEST_EXPECT_MSG_EQ((Run(controls[i], options) == expected),
                                  false,
                                  "in the order of ns-3");
            for (const uint32_t threads : {1, 2, 3, 5})
            {
                NS_TEST_EXPECT_MSG_EQ((Run(controls[i], Threads(threads)) == expected),
                                      true,
                                      controls[i] << " with " << threads << " threads");
            }
        }
        for (uint32_t index = 0; index < tests::GetCases(20); ++index)
        {
            const std::vector<uint64_t> expected = Raw(index, 1, 1);
            NS_TEST_EXPECT_MSG_GT(expected.size(), 10, "fabric " << index << ": flows");
            for (const auto& [partitions, threads] :
                 std::vector<std::pair<uint32_t, uint32_t>>{{2, 1}, {3, 2}, {100, 1}, {100, 4}})
            {
                NS_TEST_EXPECT_MSG_EQ((Raw(index, partitions, threads) == expected),
                                      true,
                                      "fabric " << index << " in " << partitions
                                                << " partitions on " << threads << " threads");
            }
        }
    }

    /// @param threads how many @return options that choose them
    static RunOptions Threads(uint32_t threads)
    {
        RunOptions options;
        options.threads = threads;
        return options;
    }

    /// @param congestion a congestion control @param options of the run
    /// @return the files of the run, one after the other
    std::string Run(const std::string& congestion, RunOptions options)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        FabricHelper helper;
        helper.SetCongestionControl(congestion);
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        options.progress = false;
        options.outDir = CreateTempDirFilename("threads-run");
        FabricRun run(helper.LeafSpine(3, 2, 4), options);
        run.Rdma().Poisson("fb-hadoop", 0.5, MicroSeconds(100));
        run.Rdma().Incast(8, 0, 200000, MicroSeconds(20));
        run.Faults().GetConvergence().SetByDistance(MicroSeconds(5), MicroSeconds(5));
        run.Faults().FlapLink(LinkId(13), MicroSeconds(40), MicroSeconds(30), MicroSeconds(60), 2);
        run.Faults().LoseRandomly(run.GetFabric().GetTopology().NodeOf(SwitchId(0)),
                                  0,
                                  0.01,
                                  MicroSeconds(10),
                                  MicroSeconds(50));
        run.Execute();
        std::ostringstream files;
        for (const char* name : {"fct.csv",
                                 "pfc.csv",
                                 "pause.csv",
                                 "queue.csv",
                                 "throughput.csv",
                                 "faults.csv",
                                 "unfinished.csv",
                                 "summary.json"})
        {
            std::ifstream file(options.outDir + "/" + name);
            for (std::string line; std::getline(file, line);)
            {
                const bool isOfMachine = line.find("wall_seconds") != std::string::npos ||
                                         line.find("cpu_seconds") != std::string::npos ||
                                         line.find("peak_rss_bytes") != std::string::npos;
                files << (isOfMachine ? "" : line) << '\n';
            }
        }
        return files.str();
    }

    /// @param index of a random fabric @param partitions of it @param threads that run it
    /// @return what is seen of it
    std::vector<uint64_t> Raw(uint32_t index, uint32_t partitions, uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        tests::RandomFabric random(index);
        const Fabric fabric = random.Build();
        return tests::RunDivided(random, fabric, partitions, threads);
    }
};

/// What several threads cannot run is refused, or run by one.
class ThreadsPartsTest : public FabricTestCase
{
  public:
    ThreadsPartsTest()
        : FabricTestCase("parts that act on several nodes at once need one thread")
    {
    }

  private:
    void DoRun() override
    {
        const std::string sockets = "several threads cannot run sockets";
        Expect(sockets, 2, [](FabricRun& run) { run.Sockets(); });
        Expect(sockets, 0, [](FabricRun& run) { run.Sockets(); });
        m_undivided = "a thing of mine";
        Expect("several threads cannot run a thing of mine", 2, [](FabricRun&) {});
        Expect("", 1, [](FabricRun&) {});
        m_undivided.clear();
        Expect("", 1, [](FabricRun& run) { run.Sockets(); });
        Expect("", 2, [](FabricRun& run) {
            run.Faults().CutLink(0, MicroSeconds(5), MicroSeconds(5));
        });
        Expect("1025 threads; choose 1024 or fewer, or 0", 1025, [](FabricRun&) {});
        RefusedFirst();
        ShorterLink();
        WithinRun("the first TCP or UDP flow", [](FabricRun& run) { run.Sockets(); });
        WithinRun("a deadlock detector",
                  [](FabricRun& run) { DeadlockHelper(run.GetFabric()).InstallDetector(); });
        Config::SetDefault("ns3::FabricSimulatorImpl::Threads", UintegerValue(4));
        Expect("give one of them", 2, [](FabricRun&) {});
        Config::SetDefault("ns3::FabricSimulatorImpl::Threads", UintegerValue(1));
        Simulator::Destroy();
        SetSimulator(DefaultSimulatorImpl::GetTypeId());
        RunOptions options;
        options.threads = 2;
        options.progress = false;
        const Fabric fabric = FabricHelper().Star(3);
        FabricRun run(fabric, options);
        run.Rdma().Incast(2, 0, 20000, Time(0));
        ExpectError([&] { run.Execute(); }, "threads need ns3::FabricSimulatorImpl");
        SetSimulator(FabricSimulatorImpl::GetTypeId());
    }

    /// A run that was refused is as it was, and runs with another number of threads.
    void RefusedFirst()
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.threads = 2;
        options.progress = false;
        options.outDir = CreateTempDirFilename("refused");
        FabricRun run(FabricHelper().Star(3), options);
        run.Rdma().Incast(2, 0, 20000, Time(0));
        run.Sockets();
        ExpectError([&] { run.Execute(); }, "several threads cannot run sockets");
        options.threads = 1;
        run.Choose(options);
        NS_TEST_EXPECT_MSG_EQ(run.Execute().totals.flowsCompleted, 2, "it runs");
    }

    /// What cannot begin while several threads run the fabric. @param what it is @param call it
    template <typename Call>
    void WithinRun(const std::string& what, const Call& call)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.threads = 2;
        options.progress = false;
        FabricRun run(FabricHelper().FatTree(4), options);
        run.Rdma().Incast(8, 0, 20000, Time(0));
        std::string error;
        Simulator::Schedule(MicroSeconds(5), [&] { error = ErrorOf([&] { call(run); }); });
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(error.rfind(what + " while several threads", 0), 0, error);
    }

    /// A run is divided by its shortest link: a delay may become longer in it, and no shorter.
    void ShorterLink()
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.threads = 2;
        options.progress = false;
        const Fabric fabric = FabricHelper().FatTree(4);
        FabricRun run(fabric, options);
        run.Rdma().Incast(8, 0, 200000, Time(0));
        const auto channel = fabric.GetChannel(LinkId(0));
        Simulator::Schedule(MicroSeconds(5), [&] {
            channel->SetDelay(MicroSeconds(2));
            channel->SetDelay(MicroSeconds(1));
            ExpectRefusal([&] { channel->SetDelay(NanoSeconds(500)); }, "stays 1us");
        });
        NS_TEST_EXPECT_MSG_EQ(run.Execute().totals.flowsCompleted, 8, "it runs");
        NS_TEST_EXPECT_MSG_EQ(channel->GetDelay(), MicroSeconds(1), "as before");
        channel->SetDelay(NanoSeconds(500)); // the next run is divided anew
        FabricRun next(fabric, options);
        next.Rdma().Incast(8, 0, 200000, Time(0));
        NS_TEST_EXPECT_MSG_EQ(next.Execute().totals.flowsCompleted, 8, "it runs");
        const uint64_t expected = EventsWithShorterLink("a thing of mine");
        NS_TEST_EXPECT_MSG_EQ(EventsWithShorterLink(""), expected, "undivided from then on");
    }

    /// @param undivided RunOptions::undivided @return events of a run of one thread, one of whose
    /// links becomes shorter than the shortest; and a hash of what each node has had
    uint64_t EventsWithShorterLink(const std::string& undivided)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.undivided = undivided;
        options.progress = false;
        const Fabric fabric = FabricHelper().FatTree(4);
        FabricRun run(fabric, options);
        run.Rdma().Incast(8, 0, 200000, Time(0));
        uint64_t hash = 0;
        run.Rdma().OnEnd([&hash](const RdmaFlowResult& result) {
            constexpr uint64_t ODD = 1000003;
            hash = hash * ODD + result.fct.GetTimeStep();
        });
        Simulator::Schedule(NanoSeconds(5300), [&] {
            for (const LinkId link : fabric.GetTopology().Links())
            {
                fabric.GetChannel(link)->SetDelay(NanoSeconds(100));
            }
        });
        NS_TEST_EXPECT_MSG_EQ(run.Execute().totals.flowsCompleted, 8, "it runs");
        return hash + Simulator::GetEventCount();
    }

    /// @param error that Execute() throws; empty: none @param threads how many
    /// @param add adds parts to a run
    template <typename Add>
    void Expect(const std::string& error, uint32_t threads, const Add& add)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.threads = threads;
        options.progress = false;
        options.undivided = m_undivided;
        FabricRun run(FabricHelper().Star(3), options);
        run.Rdma().Incast(2, 0, 20000, Time(0));
        add(run);
        if (error.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { run.Execute(); }), "", "it runs");
        }
        else
        {
            ExpectError([&] { run.Execute(); }, error);
        }
    }

    std::string m_undivided; //!< RunOptions::undivided
};

class ThreadsTestSuite : public TestSuite
{
  public:
    ThreadsTestSuite()
        : TestSuite("lossless-threads", Type::SYSTEM)
    {
        AddTestCase(new ThreadsOracleTest);
        AddTestCase(new ThreadsExpiryTest);
        AddTestCase(new ThreadsRefusalTest);
        AddTestCase(new ThreadsOrderTest);
        AddTestCase(new ThreadsOwnEventsTest);
        AddTestCase(new ThreadsCriticalPathTest);
        AddTestCase(new ThreadsRunTest);
        AddTestCase(new ThreadsPartsTest);
    }
};

ThreadsTestSuite g_threadsTestSuite; //!< registers the suite

} // namespace

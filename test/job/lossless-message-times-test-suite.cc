// SPDX-License-Identifier: GPL-2.0-only
//
// Ideal times of messages between ranks, and what they lose by loss and by cut links.
#include "case-budget.h"
#include "fabric-test-case.h"
#include "job-on-star.h"

#include "ns3/critical-path.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/gpu-fabric.h"
#include "ns3/job-graph.h"
#include "ns3/job-stats.h"
#include "ns3/job.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A message that was received, ticks.
struct Timed
{
    uint64_t bytes{0};     //!< its length
    int64_t measured{0};   //!< from posting to arrival
    int64_t delivery{0};   //!< QueuePairNetwork::Ideal
    int64_t completion{0}; //!< likewise
};

/// Notes what messages of a job took.
class Clock : public JobListener
{
  public:
    std::vector<Timed> messages; //!< that were received
    std::vector<Timed> answered; //!< that their senders know of: `measured` until then

  private:
    void IterationEnded(const Job& job,
                        const JobIteration&,
                        const std::vector<std::shared_ptr<const RankTrace>>& traces) override
    {
        for (const auto& trace : traces)
        {
            trace->messages.ForEach([&](const TakenMessage& one) {
                messages.push_back(TimesOf(job, one.message, one.message.arrived));
            });
        }
    }

    bool WantsMessages() const override
    {
        return true;
    }

    void MessageCompleted(const Job& job, const RankMessage& message, int64_t completed) override
    {
        answered.push_back(TimesOf(job, message, completed));
    }

    static Timed TimesOf(const Job& job, const RankMessage& message, int64_t end)
    {
        const auto ideal = job.GetCarrier().GetIdeal(
            {message.source, message.destination, message.channel, message.nic},
            message.bytes);
        return {message.bytes, end - message.posted, ideal.delivery, ideal.completion};
    }
};

/// @param sizes of messages from rank 0 to rank 1, each posted when the one before is answered
/// @return the graph
JobGraph
OneByOne(const std::vector<uint64_t>& sizes)
{
    JobGraph graph(2);
    for (uint32_t i = 0; i < sizes.size(); ++i)
    {
        graph.Add(0, JobGraph::Send(1, sizes[i], i));
        graph.Add(1, JobGraph::Recv(0, sizes[i], i));
        if (i > 0)
        {
            graph.After(0, i, i - 1);
        }
    }
    return graph;
}

/// Messages that are alone on a fabric.
class MessagesAlone : public FabricTestCase
{
  public:
    explicit MessagesAlone(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    /// Send messages one by one. @param topology of the fabric @param places of both ranks
    /// @param sizes of the messages @param options of the job @param what it is
    /// @param mayTake ticks by which a message of some bytes may be slower than ideal; -1: any
    void Check(const FabricTopology& topology,
               const std::vector<RankPlace>& places,
               const std::vector<uint64_t>& sizes,
               JobOptions options,
               const std::string& what,
               const std::function<int64_t(uint64_t)>& mayTake)
    {
        {
            FabricHelper helper;
            for (const auto& [name, value] : options.network.queuePair.attributes)
            {
                helper.SetQueuePair(name, *value); // so that ports take the MTU
            }
            options.network.queuePair.attributes.clear();
            const Fabric fabric = helper.FromTopology(topology);
            FabricRun run(fabric);
            Job& job = run.Add<Job>(OneByOne(sizes), places, options);
            Clock clock;
            job.AddListener(clock);
            run.Execute();
            job.RemoveListener(clock);
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", what);
            NS_TEST_EXPECT_MSG_EQ(clock.messages.size(), sizes.size(), what);
            for (const Timed& each : clock.messages)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(each.measured,
                                            each.delivery,
                                            what << ": " << each.bytes << " B");
                const int64_t may = mayTake(each.bytes);
                if (may >= 0)
                {
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(each.measured,
                                                each.delivery + may,
                                                what << ": " << each.bytes << " B");
                }
            }
            for (const Timed& each : clock.answered)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(each.measured,
                                            each.completion,
                                            what << ": " << each.bytes << " B, answered");
            }
        }
        Simulator::Destroy();
    }

    /// @param draw of options @param os gets them in words @return options of a job
    static JobOptions Draw(std::mt19937& draw, std::ostream& os)
    {
        const auto below = [&draw](uint32_t count) {
            return static_cast<uint32_t>(draw() % count);
        };
        const RdmaVerb verbs[] = {RdmaVerb::WRITE, RdmaVerb::WRITE_IMM, RdmaVerb::SEND};
        const uint32_t mtus[] = {256, 1000, 1024, 4096};
        const uint32_t intervals[] = {1, 4, 64, 65535};
        JobOptions options;
        options.network.queuePair.congestion.SetTypeId("ns3::RdmaFixedRate");
        const uint32_t mtu = mtus[below(4)];
        const uint32_t interval = intervals[below(4)];
        options.network.queuePair.attributes.emplace_back("Mtu", Create<UintegerValue>(mtu));
        options.network.queuePair.attributes.emplace_back("AckInterval",
                                                          Create<UintegerValue>(interval));
        options.network.verb = verbs[below(3)];
        options.network.queuePairsPerConnection = 1 + below(4);
        options.network.splitData = options.network.queuePairsPerConnection > 1 && below(3) > 0;
        options.rendezvous = below(4) == 0;
        os << ", MTU " << mtu << ", an ACK for " << interval << ", verb "
           << static_cast<int>(options.network.verb) << ", "
           << options.network.queuePairsPerConnection << " queue pairs"
           << (options.network.splitData ? ", split" : "")
           << (options.rendezvous ? ", rendezvous" : "");
        return options;
    }

    /// @param draw of sizes @return sizes of some messages, of all orders of magnitude
    static std::vector<uint64_t> DrawSizes(std::mt19937& draw)
    {
        std::vector<uint64_t> sizes;
        for (uint32_t i = 0; i < 4; ++i)
        {
            sizes.push_back(1 + draw() % (uint64_t{1} << (draw() % 19)));
            // Of equal parts, so that the ideal time is exact.
            sizes.back() = draw() % 2 ? sizes.back() * 12 : sizes.back();
        }
        return sizes;
    }
};

/// All links of a star have one rate.
class OnStars : public MessagesAlone
{
  public:
    OnStars()
        : MessagesAlone("A message alone on a star takes its ideal time")
    {
    }

  private:
    void DoRun() override
    {
        // The ideal time was 8710 ns.
        FabricLinkSpec link;
        link.rate = DataRate("10Gb/s");
        link.delay = MicroSeconds(1);
        JobOptions options = OneAck();
        options.network.queuePair.attributes.emplace_back("Mtu", Create<UintegerValue>(4096));
        options.network.queuePairsPerConnection = 2;
        options.network.splitData = true;
        Check(FabricTopology::Star(2, link),
              OnePerHost(2),
              {4096},
              options,
              "4 KiB split",
              [](auto) { return 0; });
        std::mt19937 draw(20261124);
        for (uint32_t i = tests::GetCases(200); i > 0; --i)
        {
            CheckOne(draw);
        }
    }

    /// @param draw of what is sent
    void CheckOne(std::mt19937& draw)
    {
        const char* const rates[] = {"10Gb/s", "25Gb/s", "100Gb/s", "400Gb/s"};
        FabricLinkSpec link;
        link.rate = DataRate(rates[draw() % 4]);
        link.delay = NanoSeconds(draw() % 3000);
        std::ostringstream what;
        what << "links of " << link.rate << ", " << link.delay.GetNanoSeconds() << " ns";
        const JobOptions options = Draw(draw, what);
        const int64_t perByte = Seconds(1).GetTimeStep() / (link.rate.GetBitRate() / 8);
        const uint32_t pieces =
            options.network.splitData ? options.network.queuePairsPerConnection : 1;
        Check(FabricTopology::Star(2, link),
              OnePerHost(2),
              DrawSizes(draw),
              options,
              what.str(),
              [&](uint64_t bytes) -> int64_t {
                  if (options.rendezvous)
                  {
                      return -1; // it waits until its receiver has told that it is wanted
                  }
                  // What is more than equal parts is not in the ideal time: on each link up to a
                  // packet of it, with its headers, for each part.
                  return bytes % pieces == 0 ? 0 : 2 * pieces * 110 * perByte;
              });
    }
};

/// Links differ, ports are several, GPUs share hosts.
class OnClusters : public MessagesAlone
{
  public:
    OnClusters()
        : MessagesAlone("No message is faster than its ideal time")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 draw(20261125);
        for (uint32_t i = tests::GetCases(200); i > 0; --i)
        {
            draw() % 2 ? CheckUnequal(draw) : CheckCluster(draw);
        }
    }

    /// Links of a star that differ. @param draw of what is sent
    void CheckUnequal(std::mt19937& draw)
    {
        const char* const rates[] = {"10Gb/s", "25Gb/s", "100Gb/s", "400Gb/s"};
        FabricTopology topology;
        const NodeId hosts[] = {topology.AddHost(), topology.AddHost()};
        const NodeId middle[] = {topology.AddSwitch(), topology.AddSwitch()};
        std::ostringstream what;
        const auto add = [&](NodeId one, NodeId other) {
            FabricLinkSpec link;
            link.rate = DataRate(rates[draw() % 4]);
            link.delay = NanoSeconds(draw() % 3000);
            what << link.rate << " ";
            topology.AddLink(one, other, link);
        };
        add(hosts[0], middle[0]);
        add(middle[0], middle[1]);
        add(middle[1], hosts[1]);
        const JobOptions options = Draw(draw, what);
        const std::vector<uint64_t> sizes = DrawSizes(draw);
        Check(topology, OnePerHost(2), sizes, options, what.str(), [](uint64_t) { return -1; });
    }

    /// Hosts with several GPUs and NICs. @param draw of what is sent
    void CheckCluster(std::mt19937& draw)
    {
        const auto below = [&draw](uint32_t count) {
            return static_cast<uint32_t>(draw() % count);
        };
        const char* const presets[] = {"hgx-h100:2", "dcn-h100:2", "dgx1-v100:2", "hpn-h100:2"};
        std::ostringstream what;
        const std::string name = presets[below(4)];
        const GpuFabric preset = GpuFabric::Preset(name);
        what << name;
        JobOptions options = Draw(draw, what);
        QueuePairNetwork::Options& network = options.network;
        network.nic = static_cast<QueuePairNetwork::NicChoice>(below(3));
        network.pxn = below(2);
        network.pxnBytes = below(2) ? 131072 : 1 + below(8192);
        network.gpusPerHost = preset.gpus;
        network.intraRate = below(2) ? preset.intraRate : DataRate("50Gb/s");
        network.intraLatency = NanoSeconds(below(2000));
        const uint32_t host = below(8) > 0 ? 1 : 0;
        const uint32_t from = below(preset.gpus);
        const uint32_t to = host ? below(preset.gpus) : (from + 1) % preset.gpus;
        what << ", GPU " << from << " to " << to << ", nic " << static_cast<int>(network.nic)
             << (network.pxn ? ", PXN by " : ", ") << network.pxnBytes << ", " << network.intraRate;
        const std::vector<uint64_t> sizes = DrawSizes(draw);
        Check(preset.Build(),
              {{HostId(0), from}, {HostId(host), to}},
              sizes,
              options,
              what.str(),
              [](uint64_t) { return -1; });
    }
};

/// Two ranks send to each other in turn, and frames are lost, or a link is cut.
class LostTime : public FabricTestCase
{
  public:
    LostTime()
        : FabricTestCase("Without congestion, all time that loss and cuts take is recovery")
    {
    }

  private:
    /// Plans faults of a run.
    using Faults = std::function<void(FaultHelper&)>;

    /// What came of a job, ns.
    struct Came
    {
        double all{0};      //!< time of the iteration
        double recovery{0}; //!< of the critical path
        double queueing{0}; //!< likewise
        double other{0};    //!< pause, waiting
    };

    /// @param graph of a job @param options of it @param faults of the run @return what came of it
    Came Run(const JobGraph& graph, const JobOptions& options, const Faults& faults)
    {
        Came came;
        {
            const Fabric fabric = MakeStar(graph.GetNRanks());
            FabricRun run(fabric);
            faults(run.Faults());
            Job& job = run.Add<Job>(graph, OnePerHost(graph.GetNRanks()), options);
            auto& stats = run.Add<JobStats>();
            stats.Watch(job);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "the job has an error");
            int64_t sum = 0;
            const JobSummary::OfIteration& iteration = stats.GetSummary(job).GetIterations().at(0);
            for (const int64_t part : iteration.parts)
            {
                sum += part;
            }
            NS_TEST_EXPECT_MSG_EQ(sum,
                                  iteration.iteration.end - iteration.iteration.start,
                                  "the parts do not add up");
            const auto ns = [&](CriticalPath::Part part) {
                return static_cast<double>(iteration.parts[part]) / 1e3; // ticks are ps
            };
            came = {iteration.ns,
                    ns(CriticalPath::RECOVERY),
                    ns(CriticalPath::QUEUEING),
                    ns(CriticalPath::PAUSE) + ns(CriticalPath::WAITING)};
        }
        Simulator::Destroy();
        return came;
    }

    /// @param turns how many @param bytes of each message @return two ranks that send in turn
    static JobGraph PingPong(uint32_t turns, uint64_t bytes)
    {
        JobGraph graph(2);
        uint32_t last[2] = {0, 0};
        for (uint32_t turn = 0; turn < turns; ++turn)
        {
            const uint32_t from = turn % 2;
            const uint32_t send = graph.Add(from, JobGraph::Send(1 - from, bytes, turn));
            if (turn > 0)
            {
                graph.After(from, send, last[from]);
            }
            last[1 - from] = graph.Add(1 - from, JobGraph::Recv(from, bytes, turn));
        }
        return graph;
    }

    void DoRun() override
    {
        const std::vector<std::pair<std::string, Faults>> faults = {
            {"the sender's link is cut",
             [](FaultHelper& f) { f.CutLink(LinkId(0), MicroSeconds(50), MicroSeconds(90)); }},
            {"the receiver's link is cut",
             [](FaultHelper& f) { f.CutLink(LinkId(1), MicroSeconds(50), MicroSeconds(90)); }},
            {"the sender's link is cut for long",
             [](FaultHelper& f) { f.CutLink(LinkId(0), MicroSeconds(50), MicroSeconds(900)); }},
            {"the receiver's link is cut for long",
             [](FaultHelper& f) { f.CutLink(LinkId(1), MicroSeconds(50), MicroSeconds(900)); }},
            {"frames are lost",
             [](FaultHelper& f) {
                 f.LoseRandomly(NodeId(2), 0, 0.01, Time(0));
                 f.LoseRandomly(NodeId(2), 1, 0.01, Time(0));
             }},
        };
        for (const uint32_t interval : {1, 16, 100, 65535})
        {
            for (const uint64_t bytes : {uint64_t{4096}, MIB / 4, MIB})
            {
                for (const auto& [name, plan] : faults)
                {
                    std::ostringstream what;
                    what << name << ", messages of " << bytes << " B, an ACK for " << interval;
                    CheckOne(bytes, interval, plan, what.str());
                }
            }
        }
        CheckRing();
    }

    /// @param interval of ACKs @return options of a job
    static JobOptions OptionsOf(uint32_t interval)
    {
        JobOptions options = OneAck();
        auto& attributes = options.network.queuePair.attributes;
        attributes.emplace_back("AckInterval", Create<UintegerValue>(interval));
        attributes.emplace_back("RetransmitTimeout", Create<TimeValue>(MicroSeconds(200)));
        return options;
    }

    void CheckOne(uint64_t bytes, uint32_t interval, const Faults& plan, const std::string& what)
    {
        const JobGraph graph = PingPong(bytes < 10000 ? 200 : 8, bytes);
        const JobOptions options = OptionsOf(interval);
        const Came alone = Run(graph, options, [](FaultHelper&) {});
        NS_TEST_EXPECT_MSG_EQ(alone.recovery, 0, what);
        const Came came = Run(graph, options, plan);
        const double lost = came.all - alone.all;
        NS_TEST_EXPECT_MSG_GT(lost, 1000, what);
        // Alone frames wait for an ACK, and so may those that are sent again.
        NS_TEST_EXPECT_MSG_LT(came.queueing + came.other, alone.queueing + 0.02 * lost, what);
        NS_TEST_EXPECT_MSG_GT(came.recovery, 0.98 * lost, what);
        NS_TEST_EXPECT_MSG_LT(came.recovery, lost + 50, what);
    }

    /// Ranks wait behind what others of them send again.
    void CheckRing()
    {
        const JobGraph graph = OneCollective(4, CollectiveType::ALL_REDUCE, MIB, "ring");
        const JobOptions options = OptionsOf(65535);
        const Came alone = Run(graph, options, [](FaultHelper&) {});
        const Came came = Run(graph, options, [](FaultHelper& faults) {
            faults.CutLink(LinkId(1), MicroSeconds(50), MicroSeconds(90));
        });
        const double lost = came.all - alone.all;
        NS_TEST_EXPECT_MSG_GT(lost, 150000, "a cut takes time");
        NS_TEST_EXPECT_MSG_GT(came.recovery, 0.85 * lost, "of a ring; the rest waits behind it");
        NS_TEST_EXPECT_MSG_LT(came.recovery, 1.01 * lost, "of a ring");
    }
};

/// The suite of times of messages.
class MessageTimesTestSuite : public TestSuite
{
  public:
    MessageTimesTestSuite()
        : TestSuite("lossless-message-times", Type::UNIT)
    {
        AddTestCase(new OnStars);
        AddTestCase(new OnClusters);
        AddTestCase(new LostTime);
    }
};

MessageTimesTestSuite g_messageTimesTestSuite; //!< the suite

} // namespace

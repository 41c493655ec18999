// SPDX-License-Identifier: GPL-2.0-only
//
// Ideal times of collectives are lower bounds, whatever carries the messages.
#include "case-budget.h"
#include "fabric-test-case.h"
#include "job-on-star.h"

#include "ns3/collective.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/gpu-fabric.h"
#include "ns3/job-graph.h"
#include "ns3/job-stats.h"
#include "ns3/job.h"
#include "ns3/rank-placement.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Several ranks on each host, with all that changes how messages are carried.
class Bounds : public FabricTestCase
{
  public:
    Bounds()
        : FabricTestCase("No collective is faster than its ideal time")
    {
    }

  private:
    /// Run a collective of all GPUs of a preset, and look at what is told of it.
    /// @param preset of a cluster @param graph of it @param options of the job @param what it is
    void Check(const GpuFabric& preset,
               const JobGraph& graph,
               const JobOptions& options,
               const std::string& what)
    {
        const FabricTopology topology = preset.Build();
        {
            const Fabric fabric = FabricHelper().FromTopology(topology);
            FabricRun run(fabric);
            Job& job = run.Add<Job>(
                graph,
                RankPlacement(topology, preset.gpus).Place("packed", graph.GetNRanks()),
                options);
            auto& stats = run.Add<JobStats>();
            stats.Watch(job);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", what);
            for (const auto& [type, sums] : stats.GetSummary(job).GetTypes())
            {
                NS_TEST_EXPECT_MSG_GT(sums.idealNs, 0, what);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(sums.ns, sums.idealNs, what);
            }
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        // These had 0.685, 0.541 and 0.951 times the ideal.
        for (const char* const name : {"hgx-h100:2", "dcn-h100:2", "dgx1-v100:2"})
        {
            const GpuFabric preset = GpuFabric::Preset(name);
            const uint32_t ranks = 2 * preset.gpus;
            Check(preset,
                  OneCollective(ranks, CollectiveType::ALL_TO_ALL, 4 * MIB, "direct"),
                  OneAck(),
                  name);
        }
        std::mt19937 draw(20261124);
        for (uint32_t i = tests::GetCases(100); i > 0; --i)
        {
            CheckOne(draw);
        }
    }

    /// @param draw of what is run
    void CheckOne(std::mt19937& draw)
    {
        const auto below = [&draw](uint32_t count) { return draw() % count; };
        const char* const presets[] = {"hgx-h100:2", "dcn-h100:2", "dgx1-v100:2", "hpn-h100:2"};
        const GpuFabric preset = GpuFabric::Preset(presets[below(4)]);
        const auto type = static_cast<CollectiveType>(below(COLLECTIVE_TYPES));
        std::vector<std::string> names;
        for (const std::string& name : CollectiveAlgorithm::GetNames())
        {
            if (CollectiveAlgorithm::Create(name)->Does(type))
            {
                names.push_back(name);
            }
        }
        const uint64_t bytes =
            type == CollectiveType::BARRIER ? 0 : 1 + draw() % (uint64_t{1} << (4 + below(17)));
        const std::string algorithm = names[below(names.size())];
        JobOptions options = below(2) ? OneAck() : JobOptions();
        options.channels = 1 + below(4);
        options.rendezvous = below(4) == 0;
        options.wireFactor = below(4) == 0 ? 2 : 1;
        options.reduceRate = DataRate(below(2) ? 0 : 400000000000ULL);
        QueuePairNetwork::Options& network = options.network;
        network.nic = static_cast<QueuePairNetwork::NicChoice>(below(3));
        network.pxn = below(4) == 0;
        network.queuePairsPerConnection = 1 + below(3);
        network.splitData = network.queuePairsPerConnection > 1 && below(2);
        network.gpusPerHost = preset.gpus;
        network.intraRate = preset.intraRate;
        network.intraLatency = preset.intraLatency;
        const RdmaVerb verbs[] = {RdmaVerb::WRITE, RdmaVerb::WRITE_IMM, RdmaVerb::SEND};
        network.verb = verbs[below(3)];
        std::ostringstream what;
        what << preset.hosts << " hosts of " << preset.gpus << ", " << ToString(type) << " of "
             << bytes << " B by " << algorithm << ", " << options.channels << " channels"
             << (options.rendezvous ? ", rendezvous" : "") << ", wire " << options.wireFactor
             << ", nic " << static_cast<int>(network.nic) << (network.pxn ? ", PXN, " : ", ")
             << network.queuePairsPerConnection << " queue pairs"
             << (network.splitData ? ", split" : "") << ", verb " << static_cast<int>(network.verb);
        Check(preset, OneCollective(2 * preset.gpus, type, bytes, algorithm), options, what.str());
    }
};

/// A rank that reduces is not idle, though nobody else of the job does anything.
class SlowReductions : public FabricTestCase
{
  public:
    SlowReductions()
        : FabricTestCase("A job is not stuck while one rank reduces")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeStar(2);
        {
            FabricRun run(fabric);
            JobOptions options = OneAck();
            options.reduceRate = DataRate("1Mb/s");
            Job& job = run.Add<Job>(OneCollective(4, CollectiveType::REDUCE, 1000, "binomial"),
                                    std::vector<RankPlace>{{HostId(0), 0},
                                                           {HostId(0), 1},
                                                           {HostId(1), 0},
                                                           {HostId(1), 1}},
                                    options);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "reductions of 8 ms");
            NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(16), "two, one after another");
        }
        Simulator::Destroy();
    }
};

/// The suite of bounds of jobs.
class JobBoundsTestSuite : public TestSuite
{
  public:
    JobBoundsTestSuite()
        : TestSuite("lossless-job-bounds", Type::UNIT)
    {
        AddTestCase(new Bounds);
        AddTestCase(new SlowReductions);
    }
};

JobBoundsTestSuite g_jobBoundsTestSuite; //!< the suite

} // namespace

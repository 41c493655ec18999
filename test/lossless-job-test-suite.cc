// SPDX-License-Identifier: GPL-2.0-only
//
// Jobs of several ranks: the closed forms of collectives on an idle star, and what jobs say when
// they cannot end. Numbers are those of the sheet on AI traffic.
#include "fabric-test-case.h"

#include "ns3/collective-rehearsal.h"
#include "ns3/collective.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/job-graph.h"
#include "ns3/job.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t MIB = 1 << 20;

/// @param hosts of a star of 100 Gb/s, 1 us, MTU 1024 @return it
Fabric
MakeStar(uint32_t hosts)
{
    FabricLinkSpec link;
    link.rate = DataRate("100Gb/s");
    link.delay = MicroSeconds(1);
    return FabricHelper().FromTopology(FabricTopology::Star(hosts, link));
}

/// @param ranks how many @return each on a host of its own
std::vector<RankPlace>
OnePerHost(uint32_t ranks)
{
    std::vector<RankPlace> places;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        places.push_back({HostId(rank), 0});
    }
    return places;
}

/// @return options of a job whose messages have one ACK each
JobOptions
OneAck()
{
    JobOptions options;
    options.network.queuePair.attributes.emplace_back("AckInterval",
                                                      Create<UintegerValue>(65535));
    return options;
}

/// What became of a job.
struct Outcome
{
    double us{0};            //!< time of its last iteration
    std::string error;       //!< Job::GetError()
    JobIteration iteration;  //!< the last
};

/// Run a graph on a star with a host for each rank. @param graph it @param options of the job
/// @return what became of it
Outcome
RunOnStar(const JobGraph& graph, const JobOptions& options)
{
    const Fabric fabric = MakeStar(std::max(2U, graph.GetNRanks()));
    FabricRun run(fabric);
    Job& job = run.Add<Job>(graph, OnePerHost(graph.GetNRanks()), options);
    run.Execute();
    Outcome outcome;
    outcome.error = job.GetError();
    if (!job.GetIterations().empty())
    {
        outcome.iteration = job.GetIterations().back();
        outcome.us = static_cast<double>((outcome.iteration.end - outcome.iteration.start)) /
                     static_cast<double>(MicroSeconds(1).GetTimeStep());
    }
    Simulator::Destroy();
    return outcome;
}

/// @param ranks how many @param type of a collective of all @param bytes of it
/// @param algorithm of it @return the graph
JobGraph
OneCollective(uint32_t ranks,
              CollectiveType type,
              uint64_t bytes,
              const std::string& algorithm,
              uint16_t channels = 0)
{
    JobGraph graph(ranks);
    JobOperation operation = JobGraph::Collective(type, bytes);
    operation.algorithm = graph.AddText(algorithm);
    operation.channels = channels;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        graph.Add(rank, operation);
    }
    return graph;
}

/// Times of collectives on an idle star are those of their closed forms.
class IdleTimes : public FabricTestCase
{
  public:
    IdleTimes()
        : FabricTestCase("Collectives take the time of their closed form on an idle star")
    {
    }

  private:
    void DoRun() override
    {
        // name, ranks, type, steps that wait for each other, us
        struct Row
        {
            const char* algorithm;
            uint32_t ranks;
            CollectiveType type;
            uint32_t steps;
            double us;
        };

        const Row rows[] = {
            {"ring", 4, CollectiveType::ALL_REDUCE, 6, 148.45152},
            {"ring", 8, CollectiveType::ALL_REDUCE, 14, 187.83072},
            {"ring", 16, CollectiveType::ALL_REDUCE, 30, 232.6128},
            {"ring", 4, CollectiveType::REDUCE_SCATTER, 3, 74.2258},
            {"ring", 8, CollectiveType::ALL_GATHER, 7, 93.9154},
            {"ring", 16, CollectiveType::ALL_GATHER, 15, 116.3064},
            {"halving-doubling", 4, CollectiveType::ALL_REDUCE, 4, 144.2694},
            {"halving-doubling", 8, CollectiveType::ALL_REDUCE, 6, 171.1024},
            {"halving-doubling", 16, CollectiveType::ALL_REDUCE, 8, 186.6099},
            {"pairwise", 8, CollectiveType::ALL_TO_ALL, 7, 93.9154},
            {"direct", 8, CollectiveType::ALL_TO_ALL, 7, 81.3768},
            {"recursive-doubling", 8, CollectiveType::ALL_REDUCE, 3, 3 * 92.69456},
            {"binomial", 8, CollectiveType::REDUCE, 3, 3 * 92.69456},
        };
        for (const Row& row : rows)
        {
            const Outcome outcome =
                RunOnStar(OneCollective(row.ranks, row.type, MIB, row.algorithm), OneAck());
            NS_TEST_EXPECT_MSG_EQ(outcome.error, "", row.algorithm);
            // Up to two ACKs of 86 B a step are in the way.
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.us,
                                      row.us + row.steps * 0.00688,
                                      row.steps * 0.00688 + 1e-4,
                                      row.algorithm << " of " << row.ranks);
        }
    }
};

/// The suite of jobs.
class JobTestSuite : public TestSuite
{
  public:
    JobTestSuite()
        : TestSuite("lossless-job", Type::UNIT)
    {
        AddTestCase(new IdleTimes);
    }
};

JobTestSuite g_jobTestSuite; //!< the suite

} // namespace

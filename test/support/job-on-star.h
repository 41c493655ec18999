// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEST_JOB_ON_STAR_H
#define LOSSLESS_TEST_JOB_ON_STAR_H

// What the suites of jobs share: a star with a host for each rank, a collective of all ranks, and
// how long it takes.

#include "ns3/collective.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/job-graph.h"
#include "ns3/job.h"
#include "ns3/rank-place.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

constexpr uint64_t MIB = 1 << 20; //!< bytes of it

/// @param hosts of a star of 100 Gb/s, 1 us, MTU 1024 @return it
inline Fabric
MakeStar(uint32_t hosts)
{
    FabricLinkSpec link;
    link.rate = DataRate("100Gb/s");
    link.delay = MicroSeconds(1);
    return FabricHelper().FromTopology(FabricTopology::Star(hosts, link));
}

/// @param ranks how many @return each on a host of its own
inline std::vector<RankPlace>
OnePerHost(uint32_t ranks)
{
    std::vector<RankPlace> places;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        places.push_back({HostId(rank), 0});
    }
    return places;
}

/// @return options of a job whose messages have one ACK each, without a congestion control
inline JobOptions
OneAck()
{
    JobOptions options;
    options.network.queuePair.congestion.SetTypeId("ns3::RdmaFixedRate");
    options.network.queuePair.attributes.emplace_back("AckInterval", Create<UintegerValue>(65535));
    return options;
}

/// What became of a job.
struct Outcome
{
    double us{0};           //!< time of its last iteration
    std::string error;      //!< Job::GetError()
    JobIteration iteration; //!< the last
};

/// Run a graph on a star with a host for each rank. @param graph it @param options of the job
/// @return what became of it
inline Outcome
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
inline JobGraph
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

} // namespace ns3

#endif // LOSSLESS_TEST_JOB_ON_STAR_H

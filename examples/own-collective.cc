// SPDX-License-Identifier: GPL-2.0-only

// A collective algorithm of one's own: all ranks send their buffer to the first, which adds them up
// and sends the sum to all. Eight ranks do an all-reduce so, and as a ring.

#include "ns3/core-module.h"
#include "ns3/lossless-jobs-module.h"
#include "ns3/lossless-module.h"
#include "ns3/network-module.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

/// What one rank does, while the collective runs.
class CentralPart : public CollectivePart
{
  public:
    explicit CentralPart(const CollectiveShape& shape)
        : m_shape(shape)
    {
    }

    void Start(CollectivePort& port) override
    {
        if (m_shape.position != 0)
        {
            port.Send(0, m_shape.bytes, UP, false);
            port.Receive(0, m_shape.bytes, DOWN, false);
            return;
        }
        for (uint32_t rank = 1; rank < m_shape.ranks; ++rank)
        {
            port.Receive(rank, m_shape.bytes, UP, true); // and add it to what is here
        }
    }

    void Received(CollectivePort& port, uint32_t, uint64_t label) override
    {
        if (label == UP && ++m_received == m_shape.ranks - 1)
        {
            for (uint32_t rank = 1; rank < m_shape.ranks; ++rank)
            {
                port.Send(rank, m_shape.bytes, DOWN, false);
            }
        }
    }

  private:
    static constexpr uint64_t UP = 0;   //!< label of a message to the first rank
    static constexpr uint64_t DOWN = 1; //!< label of a message of the first rank

    CollectiveShape m_shape;
    uint32_t m_received{0};
};

/// Makes the parts.
class CentralCollective : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::CentralCollective")
                                .SetParent<CollectiveAlgorithm>()
                                .AddConstructor<CentralCollective>();
        return tid;
    }

    bool Does(CollectiveType type) const override
    {
        return type == CollectiveType::ALL_REDUCE;
    }

    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override
    {
        return std::make_unique<CentralPart>(shape);
    }
};

NS_OBJECT_ENSURE_REGISTERED(CentralCollective);

int
main(int argc, char* argv[])
{
    FabricProgram program("Compares a ring with a collective algorithm made in this file.");
    uint32_t ranks = 8;
    uint64_t bytes = 1 << 20;
    program.AddOption("ranks", "ranks, each on a host of a star", ranks);
    program.AddSize("bytes", "bytes that are reduced", bytes);
    return program.Run(argc, argv, [&] {
        std::vector<RankPlace> places(ranks);
        for (const std::string algorithm : {"ring", "ns3::CentralCollective"})
        {
            JobGraph graph(ranks);
            JobOperation reduce = JobGraph::Collective(CollectiveType::ALL_REDUCE, bytes);
            reduce.algorithm = graph.AddText(algorithm);
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                graph.Add(rank, reduce);
                places[rank].host = HostId(rank);
            }
            FabricRun run(FabricHelper(program.GetOptions()).Star(ranks));
            const Job& job = run.Add<Job>(graph, places);
            run.Execute();
            if (!job.IsDone())
            {
                throw FabricError(job.GetError());
            }
            const JobIteration& done = job.GetIterations().front();
            std::cout << std::left << std::setw(24) << algorithm << std::right << std::setw(12)
                      << TimeStep(done.end - done.start).As(Time::US) << ", " << done.messages
                      << " messages\n";
        }
    });
}

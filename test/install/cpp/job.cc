// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/core-module.h>
#include <ns3/lossless-jobs-module.h>
#include <ns3/lossless-module.h>

#include <iostream>

int
main()
{
    ns3::Time::SetResolution(ns3::Time::PS);
    ns3::Fabric fabric = ns3::FabricHelper().Star(2);
    ns3::FabricRun run(fabric);
    ns3::JobGraph graph(2);
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        graph.Add(rank, ns3::JobGraph::Collective(ns3::CollectiveType::ALL_REDUCE, 1 << 16));
    }
    const std::vector<ns3::RankPlace> places{{ns3::HostId(0), 0}, {ns3::HostId(1), 0}};
    const ns3::Job& job = run.Add<ns3::Job>(graph, places, ns3::JobOptions());
    run.Execute();
    std::cout << (job.IsDone() ? "the job is done\n" : "the job has not ended\n");
}

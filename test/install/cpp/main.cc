// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/core-module.h>
#include <ns3/lossless-module.h>

#include <iostream>

int
main(int argc, char* argv[])
{
    ns3::Time::SetResolution(ns3::Time::PS);
    ns3::Fabric fabric = ns3::FabricHelper().Star(4);
    ns3::FabricRun run(fabric);
    run.Rdma().Poisson(argv[argc - 1], 0.3, ns3::MicroSeconds(100)); // the name of a workload
    std::cout << run.Execute().Summary();
}

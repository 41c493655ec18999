// SPDX-License-Identifier: GPL-2.0-only

// A program as one drops it into scratch/: two hosts, a switch, one flow.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main()
{
    Time::SetResolution(Time::PS);
    FabricHelper helper;
    const Fabric fabric = helper.Star(2);
    RdmaFlowHelper flows(fabric);
    flows.Add({0, 1, 1000000});
    Simulator::Run();
    std::cout << flows.GetNCompleted() << " flow completed" << std::endl;
    Simulator::Destroy();
    return flows.GetNCompleted() == 1 ? 0 : 1;
}

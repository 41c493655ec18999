// SPDX-License-Identifier: GPL-2.0-only
//
// FabricRanks of a build without MPI.
#include "fabric-ranks.h"

#include <stdexcept>

namespace ns3
{

bool
FabricRanks::IsBuilt()
{
    return false;
}

void
FabricRanks::Begin()
{
    throw std::invalid_argument("this build has no MPI; build the module in ns-3's tree, "
                                "configured with NS3_MPI=ON");
}

void
FabricRanks::End()
{
}

bool
FabricRanks::IsOn()
{
    return false;
}

uint32_t
FabricRanks::Count()
{
    return 1;
}

uint32_t
FabricRanks::Own()
{
    return 0;
}

bool
FabricRanks::HasNode(const Node& node)
{
    return true;
}

void
FabricRanks::BeforeWaiting(void (*call)())
{
}

void
FabricRanks::BeginSum(uint64_t mine)
{
}

uint64_t
FabricRanks::EndSum()
{
    return 0;
}

std::vector<std::string>
FabricRanks::Gather(const std::string& mine)
{
    return {mine};
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-warning.h"

#include "fabric-error.h"

#include "ns3/fabric-ranks.h"

#include <iostream>

namespace ns3
{

void
PrintWarning(const std::string& wrong, const std::string& right)
{
    if (FabricRanks::Own() != 0)
    {
        return; // rank 0 says the same
    }
    // One write, so that processes that share standard error mix no lines.
    std::cerr << std::string("lossless: warning: ") + FabricError(wrong, right).what() + "\n"
              << std::flush;
}

} // namespace ns3

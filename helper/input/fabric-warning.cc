// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-warning.h"

#include "fabric-error.h"

#include <iostream>

namespace ns3
{

void
PrintWarning(const std::string& wrong, const std::string& right)
{
    // One write, so that processes that share standard error mix no lines.
    std::cerr << std::string("lossless: warning: ") + FabricError(wrong, right).what() + "\n"
              << std::flush;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "option-use.h"

#include "fabric-warning.h"

namespace ns3
{

void
WarnOfUnused(const std::string& who, const std::vector<OptionUse>& uses)
{
    for (const OptionUse& use : uses)
    {
        if (use.isSet && !use.isUsed)
        {
            PrintWarning(who + ": " + use.name + " has no effect", "it needs " + use.need);
        }
    }
}

} // namespace ns3

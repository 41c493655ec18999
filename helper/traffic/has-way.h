// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HAS_WAY_H
#define LOSSLESS_HAS_WAY_H

#include "ns3/fabric-error.h"
#include "ns3/fabric.h"

namespace ns3
{

/// @ingroup lossless
/// @param fabric where @param source a host @param destination another host
/// @return whether links and switches join them now; else that is why they cannot be connected
inline bool
HasWay(const Fabric& fabric, HostId source, HostId destination)
{
    try
    {
        fabric.GetPortPairs(source, destination);
    }
    catch (const FabricError&)
    {
        return false;
    }
    return true;
}

} // namespace ns3

#endif // LOSSLESS_HAS_WAY_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LEADS_TO_HOST_H
#define LOSSLESS_LEADS_TO_HOST_H

#include "fabric-switch.h"

#include "ns3/node.h"
#include "ns3/qbb-net-device.h"

namespace ns3
{

/// @ingroup lossless
/// @param device a port of a switch @return whether a host is at the other end of its cable
inline bool
LeadsToHost(const QbbNetDevice& device)
{
    const auto peer = device.GetPeer();
    return peer && peer->GetNode() && !peer->GetNode()->GetObject<FabricSwitch>();
}

} // namespace ns3

#endif // LOSSLESS_LEADS_TO_HOST_H

// SPDX-License-Identifier: GPL-2.0-only
#include "drop-reason.h"

namespace ns3
{

const char*
ToString(DropReason reason)
{
    switch (reason)
    {
    case DropReason::HEADROOM_FULL:
        return "headroom-full";
    case DropReason::POOL_FULL:
        return "headroom-pool-full";
    case DropReason::INGRESS_LIMIT:
        return "ingress-limit";
    case DropReason::EGRESS_LIMIT:
        return "egress-limit";
    case DropReason::WRED:
        return "wred";
    case DropReason::NO_ROUTE:
        return "no-route";
    case DropReason::TTL_EXPIRED:
        return "ttl-expired";
    case DropReason::LINK_LOCAL:
        return "link-local";
    case DropReason::OVERSIZE:
        return "oversize";
    case DropReason::LINK_DOWN:
        return "link-down";
    case DropReason::CORRUPTED:
        return "corrupted";
    case DropReason::HOST_QUEUE_FULL:
        return "host-queue-full";
    case DropReason::NO_QUEUE_PAIR:
        return "no-queue-pair";
    case DropReason::NOT_FOR_US:
        return "not-for-us";
    case DropReason::UNKNOWN_MAC:
        return "unknown-mac";
    case DropReason::WATCHDOG:
        return "watchdog";
    case DropReason::DEADLOCK:
        return "deadlock";
    case DropReason::RECEIVE_FULL:
        return "receive-buffer-full";
    case DropReason::INJECTED:
        return "injected";
    case DropReason::BORDER_POLICY:
        return "border-policy";
    case DropReason::TUNNEL_ECN:
        return "tunnel-ecn";
    case DropReason::TUNNEL_VNI:
        return "tunnel-vni";
    case DropReason::VLAN:
        return "vlan";
    case DropReason::TRIMMED_FULL:
        return "trimmed-full";
    case DropReason::COUNT:
        break;
    }
    return "unknown";
}

} // namespace ns3

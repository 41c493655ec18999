// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_REASON_H
#define LOSSLESS_DROP_REASON_H

#include <cstddef>
#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * @ingroup lossless
 * Why a frame was dropped. The traces, counters and reports name one reason for every drop.
 */
enum class DropReason : uint8_t
{
    HEADROOM_FULL,   //!< lossless class: the (port, class) headroom is exhausted
    POOL_FULL,       //!< lossless class: the shared headroom pool is exhausted
    INGRESS_LIMIT,   //!< lossy class: the ingress threshold or the shared pool is reached
    EGRESS_LIMIT,    //!< the egress queue threshold is reached (tail drop): lossy class, or any
                     //!< class where the queue has a limit of its own
    WRED,            //!< lossy class: WRED (not ECN-capable), or the drop precedence, drops it
    NO_ROUTE,        //!< the forwarding table has no route to the destination
    TTL_EXPIRED,     //!< the time to live (hop limit) reached zero
    LINK_LOCAL,      //!< link-local or multicast destination: a switch does not forward it
    OVERSIZE,        //!< the frame is longer than the MTU of the egress port allows
    LINK_DOWN,       //!< the link went down while the frame was queued or in flight
    CORRUPTED,       //!< the receive error model destroyed the frame
    HOST_QUEUE_FULL, //!< the transmit queue of a host for stock IP traffic is full
    NO_QUEUE_PAIR,   //!< the destination queue pair does not exist
    NOT_FOR_US,      //!< the node does not own the destination address
    UNKNOWN_MAC,     //!< the ARP or MAC table does not know the destination host; the frame is not
                     //!< flooded
    WATCHDOG,        //!< a PFC watchdog drops a stormed class of a port
    DEADLOCK,        //!< the deadlock detector flushed the queue to break a deadlock
    RECEIVE_FULL,    //!< the receive buffer of a NIC is full
    INJECTED,        //!< a fault that the script injected destroyed the frame
    BORDER_POLICY,   //!< a rule of the border policy of a switch drops the frame
    TUNNEL_ECN,      //!< a tunnel ends: CE outside, but the frame inside is not ECN-capable
    TUNNEL_VNI,      //!< a tunnel ends: its end point is not of the VXLAN network of the frame
    VLAN,            //!< a trunk port takes no untagged frame, an access port no tagged one or one
                     //!< of another VLAN
    TRIMMED_FULL,    //!< a trimmed packet finds no room in its own queue, or in the buffer
    COUNT            //!< number of reasons
};

/// @param reason a reason
/// @return its name as reports print it, such as "headroom-full"
const char* ToString(DropReason reason);

/// @param index of a counter by reason @return ToString() of the reason, for CounterField
inline const char*
DropReasonLabel(std::size_t index)
{
    return ToString(static_cast<DropReason>(index));
}

/// Prints ToString(reason). @param os where to @param reason a reason @return os
inline std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    return os << ToString(reason);
}

} // namespace ns3

#endif // LOSSLESS_DROP_REASON_H

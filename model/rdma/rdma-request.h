// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_REQUEST_H
#define LOSSLESS_RDMA_REQUEST_H

#include "rdma-connection.h"
#include "rdma-selective-recovery.h"
#include "rdma-verbs.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * An outstanding work request: its range of PSNs, and the packet of each PSN. A WRITE or SEND owns
 * one PSN for each packet, a READ one PSN for each response packet.
 */
struct RdmaRequest
{
    uint64_t id;            //!< RdmaWorkRequest::id
    uint64_t bytes;         //!< length of the message
    uint64_t remoteAddress; //!< virtual address of the remote memory
    uint64_t first;         //!< first PSN
    uint64_t end;           //!< PSN after the last
    uint64_t bytesBefore;   //!< bytes of all data requests posted before it
    int64_t posted;         //!< when it was posted, ticks
    int64_t firstSent;      //!< when its first packet was sent, ticks; -1: not yet
    uint32_t remoteKey;     //!< R_Key of the remote memory
    uint32_t immediate;     //!< immediate data
    RdmaVerb verb;          //!< the verb

    /// @param status how the request ends @param now tick @return its completion
    RdmaCompletion Complete(RdmaStatus status, int64_t now) const;

    /// @param connection the connection @param psn a PSN of this request
    /// @return wire bytes of its packet
    uint32_t WireBytes(const RdmaConnection& connection, uint64_t psn) const;

    /// @param connection the connection @param psn a PSN of this WRITE or SEND @param now tick
    /// @return its packet, addressed to the peer, without AckReq
    Frame* MakeData(const RdmaConnection& connection, uint64_t psn, int64_t now) const;

    /// @param connection the connection @param range PSNs of this READ
    /// @return the READ request for these responses, addressed to the peer
    Frame* MakeRead(const RdmaConnection& connection, RdmaPsnRange range) const;

    /// Opcode and payload of a packet.
    struct Head
    {
        RoceOpcode opcode; //!< its opcode
        uint32_t payload;  //!< payload bytes
    };

    /// @param mtu payload bytes of a packet @param psn a PSN of this request @return its packet
    Head HeadOf(uint64_t mtu, uint64_t psn) const;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_REQUEST_H

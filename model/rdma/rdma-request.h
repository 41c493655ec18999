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
 * A work request on its way: the sequence numbers that it owns, and what the packet of each of them
 * looks like. A WRITE or SEND owns one a packet, a READ one a response packet.
 */
struct RdmaRequest
{
    uint64_t id;            //!< RdmaWorkRequest::id
    uint64_t bytes;         //!< length of the message
    uint64_t remoteAddress; //!< of the remote memory
    uint64_t first;         //!< first PSN
    uint64_t end;           //!< PSN after the last
    uint64_t bytesBefore;   //!< bytes of all data requests ever posted before
    int64_t posted;         //!< tick
    int64_t firstSent;      //!< tick, or -1
    uint32_t remoteKey;     //!< of the remote memory
    uint32_t immediate;     //!< immediate data
    RdmaVerb verb;          //!< what to do

    /// @param connection the connection @param psn a PSN of this request
    /// @return wire bytes of its packet
    uint32_t WireBytes(const RdmaConnection& connection, uint64_t psn) const;

    /// @param connection the connection @param psn a PSN of this WRITE or SEND @param now tick
    /// @return its packet, addressed; asks for no ACK
    Frame* MakeData(const RdmaConnection& connection, uint64_t psn, int64_t now) const;

    /// @param connection the connection @param range PSNs of this READ
    /// @return a request for these responses, addressed
    Frame* MakeRead(const RdmaConnection& connection, RdmaPsnRange range) const;

  private:
    /// What a packet is.
    struct Head
    {
        RoceOpcode opcode; //!< its opcode
        uint32_t payload;  //!< bytes
    };

    /// @param mtu payload bytes of a packet @param psn a PSN of this request @return its packet
    Head HeadOf(uint64_t mtu, uint64_t psn) const;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_REQUEST_H

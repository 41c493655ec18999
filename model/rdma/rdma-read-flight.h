// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_READ_FLIGHT_H
#define LOSSLESS_RDMA_READ_FLIGHT_H

#include "rdma-ring.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The READ responses in flight: those that a responder has sent and the requester has not
 * acknowledged. READ responses have the PSNs of their requests, between which other requests have
 * theirs; acknowledgements are cumulative.
 */
class RdmaReadFlight
{
  public:
    /// @return payload bytes in flight
    uint64_t Bytes() const
    {
        return m_bytes;
    }

    /// @return number of responses acknowledged
    uint64_t Acknowledged() const
    {
        return m_acknowledged;
    }

    /// @return number of responses sent, without those that SendAgain() has taken back
    uint64_t Sent() const
    {
        return m_sent;
    }

    /// @return PSN of the first response in flight; Next() if none is
    uint64_t Unacked() const
    {
        return m_pieces.IsEmpty() ? m_next : m_pieces[0].first;
    }

    /// @return PSN after the highest response sent
    uint64_t Next() const
    {
        return m_next;
    }

    /// A response leaves; one below Next() is counted already. @param psn its PSN @param payload
    /// its payload, bytes @param mtu payload of a full response, bytes
    void Add(uint64_t psn, uint32_t payload, uint32_t mtu);

    /// All responses before a PSN have arrived. @param to the PSN @return their payload bytes that
    /// were in flight
    uint64_t Acknowledge(uint64_t to);

    /// The responses from a PSN on will be sent again. @param psn the PSN
    void SendAgain(uint64_t psn);

  private:
    /// Responses with successive PSNs, all full but maybe the last.
    struct Piece
    {
        uint64_t first; //!< PSN of the first
        uint64_t end;   //!< PSN after the last
        uint64_t bytes; //!< payload
        uint32_t mtu;   //!< payload of a full one
    };

    RdmaRing<Piece> m_pieces; //!< oldest first
    uint64_t m_next{0};
    uint64_t m_bytes{0};
    uint64_t m_acknowledged{0};
    uint64_t m_sent{0};
};

} // namespace ns3

#endif // LOSSLESS_RDMA_READ_FLIGHT_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_READ_RESPONSES_H
#define LOSSLESS_RDMA_READ_RESPONSES_H

#include "rdma-ack-requests.h"
#include "rdma-end.h"
#include "rdma-hold.h"
#include "rdma-read-flight.h"
#include "rdma-ring.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The READs that a responder answers: builds their responses when the NIC asks for a packet. An
 * RdmaResponder makes one with the first READ; most queue pairs have none.
 */
class RdmaReadResponses
{
  public:
    /// @param end state shared with requester and responder; must outlive this object
    explicit RdmaReadResponses(const RdmaEnd& end)
        : m_end(end)
    {
    }

    /// A READ request comes: what the requester asks for again from there on is void.
    /// @param psn first PSN of the request @return whether there is room for it
    bool MakeRoom(uint64_t psn);

    /**
     * Queue a READ.
     * @param psn PSN of its first response @param bytes its length
     * @param expected PSN that the responder expects, before this request
     * @param now tick
     */
    void Add(uint64_t psn, uint64_t bytes, uint64_t expected, int64_t now);

    /// @return whether responses wait to be sent
    bool IsEmpty() const
    {
        return m_reads.IsEmpty();
    }

    /// @param window limit as of RdmaRequester::CanSend() @return whether Build() may be called
    bool CanSend(uint64_t window) const
    {
        return !IsEmpty() && m_hold.IsOver() &&
               (!m_end.connection.acknowledgesReads ||
                m_asks.LetPass(window, m_flight.Bytes(), m_flight.Unacked()) ||
                m_reads[0].next < m_flight.Next());
    }

    /// @param window as in CanSend() @param messages RdmaResponder::Messages() @param now tick
    /// @return the next response, addressed to the peer
    Frame* Build(uint64_t window, uint64_t messages, int64_t now);

    /// @return wire bytes of the next response
    uint32_t HeadWireBytes() const;

    /// A READ ACK has arrived. @param frame the frame @return payload bytes newly acknowledged
    uint64_t OnAcknowledge(const Frame& frame);

    /// Discard the waiting responses.
    void Clear();

    /// @return the responses in flight; nothing is in flight unless they are acknowledged
    const RdmaReadFlight& GetFlight() const
    {
        return m_flight;
    }

    /// @return until when the NIC lacks the data of the READ that comes next
    RdmaHold& Hold()
    {
        return m_hold;
    }

  private:
    /// A READ being answered.
    struct Read
    {
        uint64_t first; //!< PSN of the first response
        uint64_t next;  //!< PSN of the next one
        uint64_t end;   //!< PSN after the last
        uint64_t bytes; //!< bytes to read
        int64_t ready;  //!< when the NIC has the data, ticks
    };

    /// Opcode and payload of the next response.
    struct Head
    {
        RoceOpcode opcode;
        uint32_t payload;
    };

    Head NextHead() const;
    void AddAgain(const Read& read, uint64_t expected);
    /// Wait until the NIC has the data of the READ that comes next. @param now tick
    void HoldNext(int64_t now);

    const RdmaEnd& m_end;
    RdmaRing<Read> m_reads;
    RdmaReadFlight m_flight;
    RdmaAckRequests m_asks;     //!< which responses asked for a READ ACK
    uint64_t m_responseHigh{0}; //!< PSN after the highest response ever sent
    RdmaHold m_hold;            //!< Hold()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_READ_RESPONSES_H

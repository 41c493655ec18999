// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_RESPONDER_H
#define LOSSLESS_RDMA_RESPONDER_H

#include "rdma-end.h"
#include "rdma-ring.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The receiving half of a queue pair (InfiniBand architecture 9.7): checks the order of what
 * arrives, answers with ACKs and NAKs made of the very frames that arrived, and produces READ
 * responses when the NIC pulls. No simulator: times are ticks and are passed in.
 */
class RdmaResponder
{
  public:
    /// @param end what the two halves share; must outlive this
    explicit RdmaResponder(const RdmaEnd& end);

    /// @param count receives posted, each for one SEND or WRITE_IMM
    void PostReceive(uint32_t count)
    {
        m_receives += count;
    }

    /**
     * A request packet has arrived.
     * @param frame the packet, taken over
     * @param now tick
     * @return the answer, addressed, or null
     */
    Frame* Receive(Frame* frame, int64_t now);

    /// @return whether READ responses wait to be sent
    bool HasResponses() const
    {
        return !m_reads.IsEmpty();
    }

    /// @return the next READ response, addressed
    Frame* BuildResponse();

    /// @return wire bytes of the next READ response
    uint32_t HeadWireBytes() const;

    /// Drop the READ responses that wait.
    void Clear();

    /// @return the PSN that must come next
    uint64_t Expected() const
    {
        return m_expected;
    }

    /// @return requests executed (the wire carries the last 24 bits)
    uint64_t Messages() const
    {
        return m_messages;
    }

    /// @return receives posted and not used
    uint32_t Receives() const
    {
        return m_receives;
    }

  private:
    /// A READ being answered.
    struct Read
    {
        uint64_t first; //!< PSN of the first response
        uint64_t next;  //!< PSN of the next one
        uint64_t end;   //!< PSN after the last
        uint64_t bytes; //!< to read
    };

    /// What the next READ response is.
    struct Head
    {
        RoceOpcode opcode;
        uint32_t payload;
    };

    Frame* Accept(Frame* frame, int64_t now);
    Frame* ReceiveSelective(Frame* frame, int64_t now);
    Frame* AcceptKept(Frame* answer, int64_t now);
    Frame* OutOfOrder(Frame* frame, int64_t now);
    Frame* KeepForLater(Frame* frame);
    Frame* Duplicate(Frame* frame, int64_t now);
    Frame* ExecuteRead(Frame* frame, int64_t now);
    bool MakeRoomForRead(uint64_t psn);
    void ReadAccepted(const Frame& frame, uint64_t end, int64_t now);
    bool TakeReceive(RoceOpcode opcode);
    void StartAgain(uint64_t psn);
    void EndMessage(const Frame& frame, int64_t now);
    Frame* Answer(Frame* frame, uint8_t syndrome, uint64_t psn);
    Head NextHead() const;

    const RdmaEnd& m_end;
    RdmaRing<Read> m_reads;
    uint64_t m_expected{0};     //!< ePSN
    uint64_t m_messages{0};     //!< MSN
    uint64_t m_start{0};        //!< first PSN of the message being received
    uint64_t m_bytes{0};        //!< received of it
    uint64_t m_responseHigh{0}; //!< PSN after the highest response ever sent
    int64_t m_firstAt{0};       //!< when its first packet arrived, tick
    int64_t m_lastNak{0};       //!< tick
    uint32_t m_receives{0};     //!< posted and not used
    bool m_nakSent{false};      //!< the gap at ePSN was told
    bool m_rnrSent{false};      //!< no receive at ePSN was told
    bool m_ceSeen{false};       //!< a packet came with CE since the last answer
    bool m_receiveTaken{false}; //!< the message being received has its receive
};

} // namespace ns3

#endif // LOSSLESS_RDMA_RESPONDER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_RESPONDER_H
#define LOSSLESS_RDMA_RESPONDER_H

#include "rdma-end.h"
#include "rdma-read-responses.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The receiving half of a queue pair (InfiniBand architecture 9.7): checks the order of request
 * packets, answers with ACKs and NAKs, for which it reuses the arrived frames, and hands READs on
 * to an RdmaReadResponses. The class does not use the simulator: callers pass times in ticks.
 */
class RdmaResponder
{
  public:
    /// @param end state shared with the requester; must outlive this object
    explicit RdmaResponder(const RdmaEnd& end);

    /// @param count number of receives to post, each for one SEND or WRITE_IMM
    void PostReceive(uint32_t count)
    {
        m_receives += count;
    }

    /**
     * A request packet has arrived.
     * @param frame the packet, taken over
     * @param now tick
     * @return the ACK or NAK, addressed to the peer; or null
     */
    Frame* Receive(Frame* frame, int64_t now);

    /// @return whether READ responses wait to be sent
    bool HasResponses() const
    {
        return m_reads && !m_reads->IsEmpty();
    }

    /**
     * Where READ responses are acknowledged, the window limits them as it limits requests.
     * Responses that are sent again alone ignore the window, as requests do.
     * @param window limit as of RdmaRequester::CanSend()
     * @return whether BuildResponse() may be called
     */
    bool CanRespond(uint64_t window) const
    {
        return m_reads && m_reads->CanSend(window);
    }

    /// @param window as in CanRespond() @param now tick
    /// @return the next READ response, addressed to the peer
    Frame* BuildResponse(uint64_t window, int64_t now)
    {
        return m_reads->Build(window, m_messages, now);
    }

    /// A READ ACK has arrived. @param frame the frame @return payload bytes newly acknowledged
    uint64_t OnReadAcknowledge(const Frame& frame);

    /// @return the READ responses in flight; null: there has been no READ
    const RdmaReadFlight* GetFlight() const
    {
        return m_reads ? &m_reads->GetFlight() : nullptr;
    }

    /// @return when the NIC has the data of the READ that comes next, ticks; RDMA_NEVER: it has
    int64_t Deadline() const
    {
        return m_reads ? m_reads->Hold().Deadline() : RDMA_NEVER;
    }

    /// A deadline may have come. @param now tick
    void OnTimer(int64_t now)
    {
        if (m_reads)
        {
            m_reads->Hold().OnTimer(now);
        }
    }

    /// @return wire bytes of the next READ response
    uint32_t HeadWireBytes() const
    {
        return m_reads->HeadWireBytes();
    }

    /// Discard the waiting READ responses.
    void Clear();

    /// @return the expected PSN
    uint64_t Expected() const
    {
        return m_expected;
    }

    /// @return number of executed requests: the MSN, of which the wire carries 24 bits
    uint64_t Messages() const
    {
        return m_messages;
    }

    /// @return number of unused receives
    uint32_t Receives() const
    {
        return m_receives;
    }

  private:
    /// Which NAK is in force.
    enum class Nak : uint8_t
    {
        NONE, //!< none
        GAP,  //!< one that tells of the gap at ePSN
        AHEAD //!< go-back-N: one that tells of a trimmed packet, before which others are to come
    };

    /// As Receive(), but the answer has any UDP port.
    Frame* Respond(Frame* frame, int64_t now);
    /// @param frame a packet @return whether it asks for an ACK, or must have one: a mark tells of
    /// its entropy value alone
    bool AsksForAnswer(const Frame& frame) const;
    Frame* Accept(Frame* frame, int64_t now);
    /// A packet whose payload a switch has cut. @param frame the packet, taken over @param now tick
    /// @return the answer, or null
    Frame* ReceiveTrimmed(Frame* frame, int64_t now);
    /// Go-back-N: note that the requester is told of a trimmed packet.
    /// @param frame the packet, not before ePSN @param now tick
    /// @return whether it need not be: told of an earlier one, it sends this one again, too
    bool IsToldOfTrimmed(const Frame& frame, int64_t now);
    /// A packet was accepted while a NAK was in force.
    void UpdateNak();
    Frame* ReceiveSelective(Frame* frame, int64_t now);
    Frame* AcceptKept(Frame* answer, int64_t now);
    Frame* OutOfOrder(Frame* frame, int64_t now);
    Frame* KeepForLater(Frame* frame);
    Frame* Duplicate(Frame* frame, int64_t now);
    Frame* ExecuteRead(Frame* frame, int64_t now);
    void ReadAccepted(const Frame& frame, uint64_t end, int64_t now);
    bool TakeReceive(RoceOpcode opcode);
    void StartAgain(uint64_t psn);
    void EndMessage(const Frame& frame, int64_t now);
    Frame* Answer(Frame* frame, uint8_t syndrome, uint64_t psn);

    // What a packet in order touches, in one cache line of its RdmaQueuePair.
    const RdmaEnd& m_end;
    uint64_t m_expected{0}; //!< ePSN
    uint64_t m_messages{0}; //!< MSN
    uint64_t m_start{0};    //!< first PSN of the message being received
    uint64_t m_bytes{0};    //!< bytes received of that message
    int64_t m_firstAt{0};   //!< when the first packet of that message arrived, ticks
    std::unique_ptr<RdmaReadResponses> m_reads; //!< made by the first READ
    uint32_t m_receives{0};                     //!< unused receives
    Nak m_nak{Nak::NONE};                       //!< the NAK in force
    bool m_rnrSent{false};                      //!< an RNR NAK was sent for ePSN
    bool m_ceSeen{false};       //!< a packet with CE has arrived since the last ACK or NAK
    bool m_receiveTaken{false}; //!< the message being received has consumed a receive
    int64_t m_lastNak{0};       //!< when the last NAK was sent, ticks
    uint64_t m_trimmed{0};      //!< of Nak::AHEAD: PSN of the trimmed packet
};

} // namespace ns3

#endif // LOSSLESS_RDMA_RESPONDER_H

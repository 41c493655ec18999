// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_REQUESTER_H
#define LOSSLESS_RDMA_REQUESTER_H

#include "rdma-ack-requests.h"
#include "rdma-end.h"
#include "rdma-hold.h"
#include "rdma-request-list.h"
#include "rdma-send-marks.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The sending half of a queue pair (InfiniBand architecture 9.7): turns work requests into packets
 * when the NIC asks for a packet, and ACKs, READ responses and timeouts into completions. The class
 * does not use the simulator: callers pass times in ticks.
 *
 * PSNs have 64 bits. Every request owns a range of PSNs from Post() on: one for each packet, or for
 * a READ one for each response packet. A READ is complete when its responses have arrived. The ACK
 * of a later request may overtake the responses; it does not complete the READ.
 */
class RdmaRequester
{
  public:
    /// Largest number of outstanding PSNs: with one READ more they stay below the 2^23 that 24 bits
    /// can order.
    static constexpr uint64_t MAX_OUTSTANDING = 1ULL << 22;
    /// Largest number of responses of one READ request; a longer READ uses several requests.
    static constexpr uint64_t MAX_READ_PACKETS = 1ULL << 20;
    /// Longest message, bytes.
    static constexpr uint64_t MAX_MESSAGE = 1ULL << 40;

    /// Effect of an answer of the peer, or of the timer.
    struct Outcome
    {
        uint64_t ackedBytes{0};                 //!< payload bytes newly acknowledged
        uint64_t trimmedBytes{0};               //!< payload bytes newly known as trimmed
        uint64_t deliveredBytes{0};             //!< RdmaAckEvent::deliveredBytes
        uint64_t lostBytes{0};                  //!< RdmaAckEvent::lostBytes
        bool progress{false};                   //!< whether packets were newly acknowledged
        bool wentBack{false};                   //!< whether packets must be sent again
        bool gap{false};                        //!< whether a READ response came beyond a gap
        bool timedOut{false};                   //!< whether the retransmission timer expired
        bool failed{false};                     //!< whether the queue pair fails: call Fail(status)
        RdmaStatus status{RdmaStatus::SUCCESS}; //!< reason of the failure
    };

    /// @param end state shared with the responder; must outlive this object
    explicit RdmaRequester(const RdmaEnd& end);

    // ---- sending

    /// @param request what to do @param now tick @return its id (RdmaQueuePair::Post)
    uint64_t Post(const RdmaWorkRequest& request, int64_t now);

    /// @param window limit of payload bytes in flight, 0: none; one packet may exceed the limit,
    /// and one more if none in flight asks for an ACK @return whether Build() may be called
    bool CanSend(uint64_t window) const;

    /// @param window as in CanSend() @param now tick @return the next packet, addressed to the peer
    Frame* Build(uint64_t window, int64_t now);

    /// What Build() made has left: the next message may have to wait for the NIC.
    /// @param leftAt tick at which its last bit leaves @param now tick
    void Sent(int64_t leftAt, int64_t now);

    /// @return wire bytes of the next packet
    uint32_t HeadWireBytes() const;

    // ---- receiving; call Complete() afterwards

    /// @param frame an ACK or NAK @param now tick @return its effect
    Outcome OnAck(const Frame& frame, int64_t now);

    /// @param frame a READ response @param now tick @return its effect
    Outcome OnReadResponse(const Frame& frame, int64_t now);

    /**
     * Turn a READ response that asks for it into a READ ACK: all responses before its PSN have
     * arrived, and if it is no NAK, that one, too.
     * @param frame the response, taken over @param outcome of OnReadResponse()
     * @return the READ ACK, addressed to the peer; null if there is nothing to say
     */
    Frame* AcknowledgeResponse(Frame* frame, const Outcome& outcome);

    /// A deadline has come. @param now tick @return its effect
    Outcome OnTimer(int64_t now);

    /// Report all requests that are complete to the sink. @param now tick
    void Complete(int64_t now);

    // ---- end

    /**
     * End all requests: the oldest with a status, the others as FLUSHED.
     * @param status status of the oldest @param now tick
     */
    void Fail(RdmaStatus status, int64_t now);

    // ---- timer

    /// The retransmission timeout runs while the peer owes an answer: to a packet that asked for an
    /// ACK, or to a READ. @return when OnTimer() is due, in ticks, or RDMA_NEVER
    int64_t Deadline() const;

    /// The class was paused: start the retransmission timeout again. @param now tick
    void Postpone(int64_t now);

    /**
     * The link of the port went down or up. While it is down, unsent requests run into the
     * retransmission timeout like sent ones.
     * @param blocked whether the link is down @param now tick
     */
    void SetBlocked(bool blocked, int64_t now);

    /// @return whether the link of the port is down
    bool IsBlocked() const
    {
        return m_blocked;
    }

    // ---- state

    /// @return whether any request is incomplete
    bool IsBusy() const
    {
        return !m_requests.IsEmpty();
    }

    /// @return whether a READ is incomplete
    bool HasReads() const
    {
        return m_reads > 0;
    }

    /// @return whether packets wait to be sent for the first time or again
    bool HasUnsent() const
    {
        return m_cursor < m_requests.Size() || HasLost();
    }

    /// @return timeouts since the last progress
    uint8_t GetRetries() const
    {
        return m_retries;
    }

    /// @return payload bytes sent and not acknowledged
    uint64_t BytesInFlight() const
    {
        return m_nextBytes - m_unackedBytes;
    }

    /// @return payload bytes sent, and neither delivered nor taken for lost: what is acknowledged
    /// out of order is delivered
    uint64_t InFlight() const
    {
        return m_end.sender ? m_end.sender->GetTally().inFlight : BytesInFlight();
    }

    /// @return whether a NAK does not say that packets are lost
    bool ExpectsReordering() const
    {
        return m_end.sender && m_end.sender->ExpectsReordering();
    }

    /// @return first PSN not acknowledged
    uint64_t Unacked() const
    {
        return m_unacked;
    }

    /// @return PSN of the next packet
    uint64_t Next() const
    {
        return m_next;
    }

    /// @return after an Outcome::wentBack, packets by which it went back; 0: it sends lost packets
    /// alone
    uint64_t WentBackBy() const
    {
        return m_wentBackBy;
    }

    /// @return after an Outcome::wentBack, the tick at which the first packet that it sends again
    /// was sent, about; of what could not leave, from which on it waited
    int64_t WentBackTo() const
    {
        return m_wentBackTo;
    }

  private:
    /// @return bytes that the window limits
    uint64_t Windowed() const
    {
        return ExpectsReordering() ? InFlight() : BytesInFlight();
    }

    /// @return whether the selective sender has a lost packet to resend
    bool HasLost() const
    {
        return m_end.sender && m_end.sender->HasLost();
    }

    /// Wait until the NIC has the message that comes next. @param now tick
    void HoldMessage(int64_t now);

    /// @return whether nothing is to be awaited before the next packet
    bool IsReady() const
    {
        return m_refused.IsOver() && m_held.IsOver();
    }

    Frame* MakeData(const RdmaRequest& request, uint64_t psn, int64_t now) const;
    Frame* BuildRead(RdmaRequest& request);
    Frame* BuildLost(int64_t now);
    uint64_t NewReadPackets(const RdmaRequest& request) const;
    bool WantsAck(uint64_t window, bool last);
    void Passed(uint64_t psn, uint64_t bytes);
    void SkipAcked();
    /// @return whether a packet in flight asked for an ACK, or a READ for responses
    bool HasAsked() const;
    /// @return whether the retransmission timeout runs
    bool AwaitsAnswer() const;
    /// What OnAck() does, but for counting what the selective sender knows.
    Outcome Judge(const Frame& frame, int64_t now);
    Outcome OnNak(uint64_t psn);
    bool OnSack(const Frame& frame, uint64_t missing);
    void MarkAcked(uint64_t to);
    /// A NAK tells that a packet was trimmed. @param frame the NAK @param now tick @param outcome
    /// gets the bytes of the packet, and whether packets must be sent again
    void OnTrimmed(const Frame& frame, int64_t now, Outcome& outcome);
    /// A READ response was trimmed. @param psn its PSN @param now tick @return the effect
    Outcome OnTrimmedResponse(uint64_t psn, int64_t now);
    bool CanSendSelective(uint64_t window) const;
    /// Count what has been delivered and lost. @param before tally of the selective sender before
    /// the answer @param outcome of the answer, completed
    void Count(const RdmaByteTally& before, Outcome& outcome) const;
    Outcome OnSelectiveResponse(const Frame& frame, uint64_t psn, int64_t now);
    uint64_t RestartOf(const RdmaRequest& request, uint64_t psn);
    Outcome OnRnr(uint64_t psn, uint8_t code, int64_t now);
    Outcome Acknowledge(uint64_t to, int64_t now);
    void UpdateUnacked();
    void ReadArrived(uint64_t psn);
    void GoBack(uint64_t psn);
    /// Packets must be sent again. @param psn the first of them
    void NoteLost(uint64_t psn);

    /// @param index of a request @param psn a PSN of it @return RdmaRequestList::BytesBefore()
    uint64_t BytesBefore(uint32_t index, uint64_t psn) const
    {
        return m_requests.BytesBefore(index, psn, m_end.connection.mtu);
    }

    void Tell(const RdmaRequest& request, RdmaStatus status, int64_t now);

    // What a packet and its ACK touch, in four cache lines of an RdmaQueuePair, the last half full.
    const RdmaEnd& m_end;
    RdmaRequestList m_requests; //!< oldest first; Complete() removes complete requests
    uint32_t m_cursor{0};       //!< index of the request that m_next belongs to
    uint32_t m_done{0};         //!< number of oldest requests that are complete but not reported

    uint64_t m_next{0};         //!< PSN of the next packet
    uint64_t m_nextBytes{0};    //!< bytes of data requests before m_next
    uint64_t m_unacked{0};      //!< oldest PSN outstanding
    uint64_t m_unackedBytes{0}; //!< bytes of data requests before m_unacked
    uint64_t m_highest{0};      //!< PSN after the highest ever sent
    uint64_t m_ackedTo{0};   //!< PSN after the last one that ACKs cover; READs may lack responses
    int64_t m_quietSince{0}; //!< last progress, or last packet sent while no answer was owed
    RdmaHold m_refused;      //!< RNR NAK: do not send before then

    RdmaAckRequests m_asks;  //!< which packets asked for an ACK
    RdmaSendMarks m_sent;    //!< when packets were sent
    uint32_t m_reads{0};     //!< incomplete READs
    uint8_t m_retries{0};    //!< timeouts since the last progress
    uint8_t m_rnrRetries{0}; //!< RNR NAKs since the last progress
    bool m_blocked{false};   //!< the link of the port is down
    bool m_gapSeen{false};   //!< gone back for a gap in READ responses, no progress since

    RdmaHold m_held;                //!< until the NIC has the next message
    uint64_t m_readPsn{0};          //!< PSN of the next READ response, if m_reads > 0
    uint32_t m_readIndex{0};        //!< index of its request, if m_reads > 0
    uint16_t m_readsOutstanding{0}; //!< READ requests without all of their responses
    bool m_ceSeen{false};           //!< a READ response with CE came since the last READ ACK
    uint64_t m_wentBackBy{0};       //!< WentBackBy()
    int64_t m_wentBackTo{0};        //!< WentBackTo()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_REQUESTER_H

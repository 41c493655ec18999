// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_RESPONDER_H
#define LOSSLESS_MRC_RESPONDER_H

#include "mrc-terms.h"

#include "ns3/rdma-end.h"
#include "ns3/rdma-ring.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The receiving half of a queue pair of MRC (sheet 16, section 5): places each packet that arrives,
 * whatever is missing before it, tells the requester by SACKs, and ends messages in the order of
 * their numbers. The class does not use the simulator: callers pass times in ticks.
 *
 * An answer is the arrived frame, turned into a SACK, NACK or transport ACK: opcode, PSN and
 * MrcHeader are set, the payload is gone. The caller addresses the answer.
 */
class MrcResponder
{
  public:
    /// @param end state shared with the requester; must outlive this object
    /// @param terms fixed parameters, likewise @param counters likewise
    MrcResponder(const RdmaEnd& end, const MrcTerms& terms, MrcCounters& counters);

    /// @param count number of receives to post, each for one WRITE_IMM
    void PostReceive(uint32_t count);

    /// A data packet has arrived, whole or trimmed. @param frame the packet, taken over; its EV is
    /// in srcPort and flowLabel @param now tick @return the answer; or null
    Frame* Receive(Frame* frame, int64_t now);

    /// A reliability probe has arrived. @param frame the probe, taken over @return the SACK
    Frame* AnswerProbe(Frame* frame);

    /// @return highest PSN up to which all packets have arrived (cack), from -1
    int64_t GetCack() const
    {
        return m_cack;
    }

    /// @return packets beyond GetCack() that have arrived
    uint32_t GetOutOfOrder() const
    {
        return m_outOfOrder;
    }

    /// @return messages that have ended
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    /// @return unused receives
    uint32_t GetReceives() const
    {
        return m_receives;
    }

    /// @param frame a packet of a WRITE @return its nominal bytes, by which window and bytes in
    /// flight count: UDP payload + 40
    static uint32_t NominalBytes(const Frame& frame);

    /// @param frame a frame @return its EV: UDP source port, and of IPv6 the flow label above it
    static uint32_t EvOf(const Frame& frame)
    {
        return (frame.ipVersion == 6 ? uint32_t{frame.flowLabel} << 16 : 0) | frame.srcPort;
    }

  private:
    /// A message of which packets may have arrived.
    struct Message
    {
        int64_t firstAt{-1};     //!< when its first packet arrived, ticks; -1: none has
        int64_t last{-1};        //!< PSN of its last packet; -1: that has not arrived
        uint64_t bytes{0};       //!< its length
        uint32_t immediate{0};   //!< immediate data
        bool isImmediate{false}; //!< it is a WRITE_IMM
    };

    /// @param psn a PSN beyond cack @return whether its packet has arrived
    bool Has(int64_t psn) const;
    /// Note that a packet has arrived. @param psn its PSN
    void Place(int64_t psn);
    /// Note what a packet says of its message. @param frame the packet @param now tick
    void NoteMessage(const Frame& frame, int64_t now);
    /// End the messages that are complete. @param now tick
    void EndMessages(int64_t now);
    /// @param frame turned into a SACK @return the same
    Frame* Sack(Frame* frame);
    /// @param frame turned into a NACK @param reason why @return the same
    Frame* Nack(Frame* frame, MrcReason reason);

    // Two bits for each PSN beyond cack: has it arrived, and has a SACK said so.
    const RdmaEnd& m_end;
    const MrcTerms& m_terms;
    MrcCounters& m_counters;
    int64_t m_cack{-1};           //!< GetCack()
    int64_t m_highest{-1};        //!< highest PSN that has arrived
    std::vector<uint64_t> m_here; //!< bit (PSN mod its size); empty: no packet was early yet
    std::vector<uint64_t> m_told; //!< likewise, of SACKs
    uint32_t m_outOfOrder{0};     //!< GetOutOfOrder()
    uint32_t m_untold{0};         //!< packets beyond cack that no SACK has told of
    uint64_t m_received{0};       //!< nominal bytes, each packet once
    uint32_t m_sackCount{0};      //!< bytes since the last SACK, at least 1024 a packet
    RdmaRing<Message> m_open;     //!< messages that have not ended, from number m_messages on
    uint64_t m_messages{0};       //!< GetMessages()
    uint32_t m_receives{0};       //!< GetReceives()
    uint16_t m_immediates{0};     //!< WRITE_IMMs that have ended, mod 2^16
};

} // namespace ns3

#endif // LOSSLESS_MRC_RESPONDER_H

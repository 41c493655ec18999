// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IRN_SENDER_H
#define LOSSLESS_IRN_SENDER_H

#include "rdma-selective-recovery.h"

#include "ns3/rdma-congestion-ops.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Parameters of an IrnSender.
struct IrnParameters
{
    uint32_t bdpCap{0};          //!< largest number of packets in flight (BDP-FC)
    uint32_t fewPackets{3};      //!< with fewer packets in flight the short timeout applies
    int64_t timeoutLowTicks{0};  //!< short timeout, ticks; 0: never
    int64_t timeoutHighTicks{0}; //!< long timeout, ticks; 0: never
    bool countSacked{false};     //!< whether SACKed packets count as in flight
    uint32_t span{0}; //!< largest span of outstanding PSNs; 0: IrnSender::SPAN_CAPS times bdpCap
    int32_t reorderThreshold{0}; //!< packets that have overtaken a lost one; 0: one is enough, and
                                 //!< even a NAK of none; -1: by flow and bdp
    const RdmaFlowState* flow{nullptr}; //!< window and MTU, for reorderThreshold -1
    uint32_t bdp{0};                    //!< bandwidth-delay product, packets, for the same
};

/**
 * @ingroup lossless
 *
 * Sender of IRN (Mittal et al., SIGCOMM 2018, section 3): tracks which packets are SACKed and which
 * are lost, and implements BDP-FC and the two timeouts. The class does not use the simulator; it
 * sees PSNs only.
 *
 * Recovery begins with the first NAK or timeout and ends when all packets sent before are
 * acknowledged. Packets that a NAK finds missing are sent again once, lowest number first. A packet
 * is sent again a second time only after a timeout, as the first packet of a new recovery, or when
 * a switch has trimmed its last copy.
 *
 * With a reorder threshold a NAK says what the peer has, and a packet is lost when so many later
 * ones have arrived (the rule that uet-htsim names "sleek"); it is sent again once, then after a
 * timeout.
 */
class IrnSender final : public RdmaSelectiveSender
{
  public:
    /// The outstanding PSNs span at most so many times the BDP cap, which bounds the memory of the
    /// receiver.
    static constexpr uint64_t SPAN_CAPS = 8;
    /// Successive timeouts double at most so many times.
    static constexpr uint32_t MAX_DOUBLINGS = 6;

    /// @param parameters attributes of RdmaIrn
    explicit IrnSender(const IrnParameters& parameters);

    void Sent(RdmaPsnRange sent, uint16_t bytes = 0) override;
    void Done(RdmaPsnRange range) override;
    void Responded(uint64_t psn) override;
    bool IsDone(uint64_t psn) const override;
    void Kept(RdmaPsnRange range) override;
    void Acknowledged(uint64_t unacked) override;
    bool OnNak(uint64_t missing, uint64_t seen) override;
    bool OnResponseGap(uint64_t missing, uint64_t seen) override;
    void OnRefused(uint64_t psn) override;
    bool OnTrimmed(uint64_t psn) override;
    void OnTimeout(uint64_t executed) override;
    bool HasLost() const override;
    RdmaPsnRange FirstLost(uint64_t limit) const override;
    uint64_t FirstLost() const override;
    void SentAgain(RdmaPsnRange range) override;
    uint64_t Room() const override;
    int64_t TimeoutTicks(uint32_t retries) const override;
    void Clear(uint64_t psn) override;

    /// @return whether the sender is in recovery
    bool IsRecovering() const
    {
        return m_recovering;
    }

    /// @return the PSN up to which all must be acknowledged to end the recovery
    uint64_t RecoveryEnd() const
    {
        return m_recoveryEnd;
    }

    /// @return packets in flight, as the cap counts them
    uint64_t InFlight() const;

    /// @return how many later packets must have arrived for a packet to be lost
    uint64_t GetThreshold() const;

  private:
    /// State of a PSN.
    enum State : uint8_t
    {
        IN_FLIGHT, //!< sent, not acknowledged
        KEPT,      //!< PSN of a READ request that the peer has received out of order
        LOST,      //!< must be sent again
        REPEATED,  //!< sent again
        DONE       //!< received by the peer, or READ response received
    };

    /// What is known of a PSN.
    struct Packet
    {
        uint16_t bytes : 14;     //!< payload
        uint16_t isCounted : 1;  //!< counted as delivered
        uint16_t isResponse : 1; //!< DONE because a READ response has arrived
        State state;             //!< its state
    };

    /// Where PSNs end that so many later ones have overtaken that they are lost.
    struct Frontier
    {
        uint64_t edge{0};  //!< all below have been judged
        uint32_t above{0}; //!< PSNs from there on that are DONE by what this frontier is of
    };

    Packet& At(uint64_t psn)
    {
        return m_packets[psn & (m_packets.size() - 1)];
    }

    const Packet& At(uint64_t psn) const
    {
        return m_packets[psn & (m_packets.size() - 1)];
    }

    /// @param packet that is DONE @return the frontier that counts it
    Frontier& FrontierOf(const Packet& packet)
    {
        return packet.isResponse ? m_responses : m_requests;
    }

    void MarkDone(uint64_t psn, bool isResponse);
    void CountDelivered(Packet& packet);
    void Lose(uint64_t psn);
    void LoseOvertaken(uint64_t psn);
    void Leave(uint64_t psn);
    bool Begin(uint64_t missing);
    void Grow(uint64_t span);
    /// @param frontier of requests or responses @param missing the first PSN that may be lost
    /// @return whether something is lost that was not thought so
    bool FindOvertaken(Frontier& frontier, uint64_t missing);

    IrnParameters m_parameters;
    std::vector<Packet> m_packets; //!< [m_unacked, m_next), by PSN modulo size
    uint64_t m_unacked{0};         //!< first PSN not acknowledged
    uint64_t m_next{0};            //!< PSN of the next new packet
    uint64_t m_recoveryEnd{0};     //!< recoverySeq of the paper
    uint64_t m_nakSeen{0};         //!< PSN up to which NAKs have been evaluated
    uint64_t m_responseSeen{0};    //!< PSN up to which gaps of READ responses have been evaluated
    uint64_t m_firstLost{0};       //!< no PSN below is lost
    uint32_t m_done{0};            //!< number of PSNs that are DONE
    uint32_t m_lost{0};            //!< number of PSNs that are LOST
    bool m_recovering{false};      //!< in recovery
    Frontier m_requests;           //!< of packets that the peer has SACKed
    Frontier m_responses;          //!< of READ responses that have arrived
};

} // namespace ns3

#endif // LOSSLESS_IRN_SENDER_H

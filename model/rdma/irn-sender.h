// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IRN_SENDER_H
#define LOSSLESS_IRN_SENDER_H

#include "rdma-selective-recovery.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Parameters of an IrnSender.
struct IrnParameters
{
    uint32_t bdpCap{0};          //!< packets in flight at most
    uint32_t fewPackets{3};      //!< fewer in flight: the short timeout
    int64_t timeoutLowTicks{0};  //!< the short timeout; 0: never
    int64_t timeoutHighTicks{0}; //!< the long timeout; 0: never
    bool countSacked{false};     //!< whether what was SACKed counts as in flight
};

/**
 * @ingroup lossless
 *
 * Sender of IRN (Mittal et al., SIGCOMM 2018, section 3): which packets are SACKed, which are lost,
 * BDP-FC and the two timeouts. No simulator: the sender sees sequence numbers.
 *
 * Recovery begins with the first NAK or timeout and ends when all that had been sent by then is
 * acknowledged. Packets that a NAK finds missing are sent again once, lowest number first. A packet
 * is sent again a second time only after a timeout, or as the first packet of a new recovery.
 */
class IrnSender final : public RdmaSelectiveSender
{
  public:
    /// The numbers outstanding span no more than so many times the cap, however many are done: the
    /// receiver's memory.
    static constexpr uint64_t SPAN_CAPS = 8;
    /// Timeouts in a row double at most so many times.
    static constexpr uint32_t MAX_DOUBLINGS = 6;

    /// @param parameters as the attributes of RdmaIrn say
    explicit IrnSender(const IrnParameters& parameters);

    void Sent(RdmaPsnRange sent) override;
    void Done(RdmaPsnRange range) override;
    bool IsDone(uint64_t psn) const override;
    void Kept(RdmaPsnRange range) override;
    void Acknowledged(uint64_t unacked) override;
    bool OnNak(uint64_t missing, uint64_t seen) override;
    bool OnResponseGap(uint64_t missing, uint64_t seen) override;
    void OnRefused(uint64_t psn) override;
    void OnTimeout(uint64_t executed) override;
    bool HasLost() const override;
    RdmaPsnRange FirstLost(uint64_t limit) const override;
    uint64_t FirstLost() const override;
    void SentAgain(RdmaPsnRange range) override;
    uint64_t Room() const override;
    int64_t TimeoutTicks(uint32_t retries) const override;
    void Clear(uint64_t psn) override;

    /// @return whether it is in recovery
    bool IsRecovering() const
    {
        return m_recovering;
    }

    /// @return the number whose acknowledgement, with all before, ends the recovery
    uint64_t RecoveryEnd() const
    {
        return m_recoveryEnd;
    }

    /// @return packets in flight, as the cap counts them
    uint64_t InFlight() const;

  private:
    /// What is known of a number.
    enum State : uint8_t
    {
        IN_FLIGHT, //!< sent, nothing heard
        KEPT,      //!< a READ request that the peer has and may not execute yet
        LOST,      //!< to be sent again
        REPEATED,  //!< sent again
        DONE       //!< there
    };

    State& At(uint64_t psn)
    {
        return m_states[psn & (m_states.size() - 1)];
    }

    State At(uint64_t psn) const
    {
        return m_states[psn & (m_states.size() - 1)];
    }

    void Lose(uint64_t psn);
    void Leave(uint64_t psn);
    bool Begin(uint64_t missing);
    void Grow(uint64_t span);

    IrnParameters m_parameters;
    std::vector<State> m_states; //!< of [m_unacked, m_next), by number modulo size
    uint64_t m_unacked{0};       //!< first number not done
    uint64_t m_next{0};          //!< number of the next new packet
    uint64_t m_recoveryEnd{0};   //!< recoverySeq
    uint64_t m_nakSeen{0};       //!< up to here NAKs have been looked at
    uint64_t m_responseSeen{0};  //!< up to here gaps of responses have been looked at
    uint64_t m_firstLost{0};     //!< none is lost below
    uint32_t m_done{0};          //!< how many are DONE
    uint32_t m_lost{0};          //!< how many are LOST
    bool m_recovering{false};    //!< in recovery
};

} // namespace ns3

#endif // LOSSLESS_IRN_SENDER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_SELECTIVE_RECOVERY_H
#define LOSSLESS_RDMA_SELECTIVE_RECOVERY_H

#include <cstdint>

namespace ns3
{

class Frame;

/// @ingroup lossless
/// Sequence numbers [first, end).
struct RdmaPsnRange
{
    uint64_t first{0}; //!< the first
    uint64_t end{0};   //!< after the last
};

/// @ingroup lossless
/// Payload bytes of WRITEs and SENDs at one sender. Those of READ responses count where they are
/// sent.
struct RdmaByteTally
{
    uint64_t inFlight{0};  //!< sent, also again, and neither delivered nor taken for lost
    uint64_t delivered{0}; //!< that the peer has been known to have, each counted once
    uint64_t lost{0};      //!< taken for lost because later ones had arrived
};

/**
 * @ingroup lossless
 *
 * Sender side of an RdmaLossRecovery that resends only lost packets: tracks each outstanding PSN of
 * one queue pair. It decides which packets are lost, how many may be in flight and how long to
 * wait; the requester builds the packets.
 *
 * A PSN of a WRITE or SEND is *done* when the peer has its packet, a PSN of a READ when its
 * response has arrived. All PSNs passed to the methods are below the end of the last Sent(), and
 * not below that of the last Acknowledged().
 */
class RdmaSelectiveSender
{
  public:
    virtual ~RdmaSelectiveSender() = default;

    /// @return the payload bytes so far
    const RdmaByteTally& GetTally() const
    {
        return m_tally;
    }

    /// @return whether packets may overtake each other: a NAK does not say that packets are lost,
    /// and packets that are sent again have to pass the window like others
    bool ExpectsReordering() const
    {
        return m_expectsReordering;
    }

    /// New packets or a READ request have left. @param sent their PSNs, which follow those of the
    /// last call @param bytes payload of each
    virtual void Sent(RdmaPsnRange sent, uint16_t bytes = 0) = 0;

    /// @param range PSNs that are done, in order or not; some may be done already
    virtual void Done(RdmaPsnRange range) = 0;

    /// A READ response has arrived: its PSN is done. @param psn the PSN
    virtual void Responded(uint64_t psn) = 0;

    /// @param psn a PSN @return whether it is done
    virtual bool IsDone(uint64_t psn) const = 0;

    /// The peer has received a READ request out of order. @param range its PSNs
    virtual void Kept(RdmaPsnRange range) = 0;

    /// @param unacked all PSNs below this are done
    virtual void Acknowledged(uint64_t unacked) = 0;

    /**
     * The peer lacks a packet and has a later one.
     * @param missing first PSN that the peer lacks; READ requests before it were executed
     * @param seen PSN of the later packet, or missing + 1
     * @return whether that makes something lost that was not thought so
     */
    virtual bool OnNak(uint64_t missing, uint64_t seen) = 0;

    /**
     * A READ response has arrived before an earlier one.
     * @param missing PSN of the first response that has not arrived
     * @param seen PSN of the response that has arrived
     * @return whether that makes something lost that was not thought so
     */
    virtual bool OnResponseGap(uint64_t missing, uint64_t seen) = 0;

    /// The peer had no receive posted and has dropped a packet. @param psn its PSN
    virtual void OnRefused(uint64_t psn) = 0;

    /// The timeout has expired. @param executed READ requests before this PSN were executed
    virtual void OnTimeout(uint64_t executed) = 0;

    /// A switch has trimmed a packet, or a READ response. @param psn its PSN
    /// @return whether that makes it lost: it is not done, and does not wait to be sent again
    virtual bool OnTrimmed(uint64_t psn) = 0;

    /// @return whether packets must be sent again
    virtual bool HasLost() const = 0;

    /// @param limit a PSN above the first lost one
    /// @return the first run of lost PSNs, up to limit; only while HasLost()
    virtual RdmaPsnRange FirstLost(uint64_t limit) const = 0;

    /// @return PSN of the first lost packet; only while HasLost()
    virtual uint64_t FirstLost() const = 0;

    /// @param range lost PSNs that have been sent again
    virtual void SentAgain(RdmaPsnRange range) = 0;

    /// @return number of new packets that may be sent now
    virtual uint64_t Room() const = 0;

    /// @param retries successive timeouts before this one @return the timeout, ticks; 0: never
    virtual int64_t TimeoutTicks(uint32_t retries) const = 0;

    /// Forget all packets. @param psn PSN of the next packet
    virtual void Clear(uint64_t psn) = 0;

  protected:
    RdmaByteTally m_tally;           //!< GetTally()
    bool m_expectsReordering{false}; //!< ExpectsReordering()
};

/**
 * @ingroup lossless
 *
 * Receiver side of such an RdmaLossRecovery: keeps the packets of one queue pair that arrive before
 * earlier ones.
 */
class RdmaSelectiveReceiver
{
  public:
    /// Result of Keep().
    enum Verdict
    {
        KEPT,     //!< the packet is new and has been kept
        HAD,      //!< the packet had been kept before
        NOT_KEPT, //!< there is no room for it
    };

    virtual ~RdmaSelectiveReceiver() = default;

    /// @param frame the packet, not taken over; its psn is above expected
    /// @param expected the expected PSN @return whether the packet was kept
    virtual Verdict Keep(const Frame& frame, uint64_t expected) = 0;

    /// @param expected the expected PSN; packets kept before it are discarded
    /// @return the packet with that PSN, owned by the caller; null if it is not kept
    virtual Frame* Take(uint64_t expected) = 0;

    /// @param psn a PSN above the expected one @return whether the packet is kept
    virtual bool Has(uint64_t psn) const = 0;

    /// @return number of packets kept
    virtual uint32_t Count() const = 0;

    /// Release all packets.
    virtual void Clear() = 0;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_SELECTIVE_RECOVERY_H

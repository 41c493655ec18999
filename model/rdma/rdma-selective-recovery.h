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

/**
 * @ingroup lossless
 *
 * What a requester whose RdmaLossRecovery sends only lost packets again knows of each sequence
 * number outstanding: one object a queue pair, made by the policy. It decides what is lost, how
 * much may be in flight and how long to wait; the requester makes the packets.
 *
 * A number of a WRITE or SEND is *done* when the peer has its packet; one of a READ when its
 * response is here. Everything is below the number that the last Sent() ended with, and not below
 * that of the last Acknowledged().
 */
class RdmaSelectiveSender
{
  public:
    virtual ~RdmaSelectiveSender() = default;

    /// New packets have left, or a READ asks for new ones. @param sent their numbers; the first
    /// follows those of the last call
    virtual void Sent(RdmaPsnRange sent) = 0;

    /// @param range numbers that are done, in turn or not; those done before do not matter
    virtual void Done(RdmaPsnRange range) = 0;

    /// @param psn a number @return whether it is done
    virtual bool IsDone(uint64_t psn) const = 0;

    /// The peer has a READ request that it may not execute yet. @param range its numbers
    virtual void Kept(RdmaPsnRange range) = 0;

    /// @param unacked all numbers below this are done
    virtual void Acknowledged(uint64_t unacked) = 0;

    /**
     * The peer lacks a packet and has a later one.
     * @param missing the first that it lacks; READ requests before it were executed
     * @param seen the later one, or missing + 1
     * @return whether that makes something lost that was not thought so
     */
    virtual bool OnNak(uint64_t missing, uint64_t seen) = 0;

    /**
     * A READ response has arrived before another that it comes after.
     * @param missing the first that has not arrived
     * @param seen the one that has
     * @return whether that makes something lost that was not thought so
     */
    virtual bool OnResponseGap(uint64_t missing, uint64_t seen) = 0;

    /// The peer had no receive posted and has dropped a packet. @param psn the packet
    virtual void OnRefused(uint64_t psn) = 0;

    /// The timeout has passed. @param executed READ requests before this number were executed
    virtual void OnTimeout(uint64_t executed) = 0;

    /// @return whether something must be sent again
    virtual bool HasLost() const = 0;

    /// @param limit a number above the first one lost
    /// @return the first run of numbers that are lost, to limit at most; only while HasLost()
    virtual RdmaPsnRange FirstLost(uint64_t limit) const = 0;

    /// @return number of the first packet lost; only while HasLost()
    virtual uint64_t FirstLost() const = 0;

    /// @param range numbers that were lost and are sent again
    virtual void SentAgain(RdmaPsnRange range) = 0;

    /// @return how many new packets may be in flight besides those that are
    virtual uint64_t Room() const = 0;

    /// @param retries timeouts in a row before this one @return the timeout, ticks; 0: never
    virtual int64_t TimeoutTicks(uint32_t retries) const = 0;

    /// Forget all. @param psn number of the next packet
    virtual void Clear(uint64_t psn) = 0;
};

/**
 * @ingroup lossless
 *
 * Packets that a responder keeps because earlier ones are missing: one object a queue pair, made by
 * the RdmaLossRecovery.
 */
class RdmaSelectiveReceiver
{
  public:
    /// What became of a packet out of order.
    enum Verdict
    {
        KEPT,     //!< it is new
        HAD,      //!< it was kept before
        NOT_KEPT, //!< there is no room for it
    };

    virtual ~RdmaSelectiveReceiver() = default;

    /// @param frame the packet, not taken over; its psn has 64 bits and is above expected
    /// @param expected the number that must come next @return what became of it
    virtual Verdict Keep(const Frame& frame, uint64_t expected) = 0;

    /// @param expected the number that must come next; what is kept before it is void
    /// @return that packet, given up, or null when it is not kept
    virtual Frame* Take(uint64_t expected) = 0;

    /// Give all up.
    virtual void Clear() = 0;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_SELECTIVE_RECOVERY_H

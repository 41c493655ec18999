// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CREDIT_COUNTERS_H
#define LOSSLESS_CREDIT_COUNTERS_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * The counters of credit-based flow control (Ultra Ethernet 1.0, section 5.2; doc/link.rst). They
 * are cyclic: all that counts is how far one is ahead of another.
 */

/// Bits of the counts that both ends keep.
constexpr uint32_t CREDIT_BITS = 20;

/// Bits of a count that a CF_Update carries: no more credits can be outstanding.
constexpr uint32_t CREDIT_WIRE_BITS = 15;

/// The most credits of a class: above it, a difference of counts on the wire is ambiguous.
constexpr uint32_t MAX_CREDITS = (1U << CREDIT_WIRE_BITS) - 1;

/// @param a a count @param b an earlier count @param bits of counts @return a - b
constexpr uint32_t
CreditDifference(uint32_t a, uint32_t b, uint32_t bits = CREDIT_BITS)
{
    return (a - b) & ((1U << bits) - 1);
}

/// What a credit stands for, as the receiver of frames sets it.
struct CreditUnit
{
    uint32_t bytes{256}; //!< of a credit
    int32_t overhead{0}; //!< bytes that the receiver stores with each frame

    /// @param frameBytes length of a frame @return credits that it takes: ceil((frame + overhead) /
    /// bytes), 1 or more
    uint32_t Of(uint32_t frameBytes) const
    {
        const int64_t stored = std::max<int64_t>(int64_t{frameBytes} + overhead, 1);
        return static_cast<uint32_t>((stored + bytes - 1) / bytes);
    }
};

/// @ingroup lossless
/// Credits of one class at the end that sends frames.
class CreditSender
{
  public:
    /// @param credits that the peer grants: those that may be in use at a time
    void SetLimit(uint32_t credits)
    {
        m_limit = credits;
    }

    /// @return credits in use: consumed and not yet known to be freed
    uint32_t Used() const
    {
        return CreditDifference(m_consumed, m_freed);
    }

    /// @param credits of a frame @return whether it may be sent
    bool Fits(uint32_t credits) const
    {
        return Used() + credits <= m_limit;
    }

    /// A frame is sent. @param credits that it takes
    void Consume(uint32_t credits)
    {
        m_consumed = (m_consumed + credits) & ((1U << CREDIT_BITS) - 1);
    }

    /// A CF_Update has arrived. @param count that it carries, the low CREDIT_WIRE_BITS bits
    void Update(uint32_t count)
    {
        m_freed = (m_freed + CreditDifference(count, m_freed, CREDIT_WIRE_BITS)) &
                  ((1U << CREDIT_BITS) - 1);
    }

    /// @return the count of credits consumed, for a CC_Update
    uint32_t Consumed() const
    {
        return m_consumed;
    }

  private:
    uint32_t m_consumed{0};
    uint32_t m_freed{0};
    uint32_t m_limit{0};
};

/// @ingroup lossless
/// Credits of one class at the end that receives frames.
class CreditReceiver
{
  public:
    /// A frame is stored. @param credits that it takes
    void Store(uint32_t credits)
    {
        m_consumed = (m_consumed + credits) & ((1U << CREDIT_BITS) - 1);
    }

    /// Memory is free again. @param credits of it
    void Free(uint32_t credits)
    {
        m_freed = (m_freed + credits) & ((1U << CREDIT_BITS) - 1);
    }

    /**
     * A CC_Update has arrived: what the sender has consumed and has not arrived here, was lost on
     * the line, and its memory is free.
     * @param count that it carries
     * @return credits of lost frames
     */
    uint32_t Update(uint32_t count)
    {
        const uint32_t lost = CreditDifference(count, m_consumed);
        Store(lost);
        Free(lost);
        return lost;
    }

    /// @return credits of frames that are stored
    uint32_t Stored() const
    {
        return CreditDifference(m_consumed, m_freed);
    }

    /// @return the count of credits freed, for a CF_Update
    uint32_t Freed() const
    {
        return m_freed;
    }

  private:
    uint32_t m_consumed{0};
    uint32_t m_freed{0};
};

} // namespace ns3

#endif // LOSSLESS_CREDIT_COUNTERS_H

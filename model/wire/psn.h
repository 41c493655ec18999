// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PSN_H
#define LOSSLESS_PSN_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Arithmetic of 24-bit packet sequence numbers (InfiniBand architecture 9.7). Inside the module
 * sequence numbers have 64 bits; on the wire they have 24. The receiver of a PSN extends it to the
 * 64-bit number nearest to a number that the receiver knows.
 */
class Psn
{
  public:
    /// Number of different sequence numbers on the wire.
    static constexpr uint32_t SPACE = 1U << 24;

    /// Half the number space: fewer PSNs than this may be outstanding.
    static constexpr uint32_t HALF = SPACE / 2;

    /// @param sequence a number of any size @return its last 24 bits, as on the wire
    static constexpr uint32_t Truncate(uint64_t sequence)
    {
        return static_cast<uint32_t>(sequence & (SPACE - 1));
    }

    /**
     * @param a a sequence number, of which 24 bits count
     * @param b another
     * @return a - b on the circle, in [-2^23, 2^23): negative when a comes before b
     */
    static constexpr int32_t Distance(uint64_t a, uint64_t b)
    {
        return static_cast<int32_t>(Truncate(a - b + HALF)) - static_cast<int32_t>(HALF);
    }

    /// @param a a sequence number @param b another
    /// @return whether a comes before b; numbers half the circle apart come before each other
    static constexpr bool Before(uint64_t a, uint64_t b)
    {
        return Distance(a, b) < 0;
    }

    /**
     * @param psn 24 bits from the wire
     * @param reference a 64-bit number less than 2^23 packets away from the one that was meant
     * @return the number nearest to the reference, and not below zero, whose last 24 bits are psn
     */
    static constexpr uint64_t Extend(uint32_t psn, uint64_t reference)
    {
        int32_t distance = Distance(psn, reference);
        if (distance < 0 && reference < static_cast<uint64_t>(-static_cast<int64_t>(distance)))
        {
            return Truncate(psn); // nothing comes before zero
        }
        return reference + static_cast<uint64_t>(static_cast<int64_t>(distance));
    }
};

} // namespace ns3

#endif // LOSSLESS_PSN_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOKEN_BUCKET_H
#define LOSSLESS_TOKEN_BUCKET_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A token bucket, kept as the time at which it is full again (the generic cell rate algorithm,
 * ITU-T I.371): exact integers, and nothing to do while time passes.
 *
 * A frame may leave while the bucket is not below zero, and may take the bucket below zero. So what
 * leaves in a time t is at most rate * t + burst + one frame, and a backlogged sender gets exactly
 * the rate. With a burst of 0 the frames are paced.
 */
class TokenBucket
{
  public:
    /**
     * Change rate and depth. What the bucket lacks, in bytes, stays.
     * @param now tick
     * @param bitsPerSecond the rate; 0: no limit
     * @param burstBytes depth of the bucket
     * @param ticksPerSecond resolution of time
     */
    void Change(int64_t now, uint64_t bitsPerSecond, uint64_t burstBytes, uint64_t ticksPerSecond)
    {
        const int64_t lack = std::max<int64_t>(m_fullAt - now, 0);
        m_fullAt = IsLimited() && bitsPerSecond
                       ? now + Ticks(static_cast<double>(lack) * m_bitsPerSecond / bitsPerSecond)
                       : now;
        m_bitsPerSecond = bitsPerSecond;
        m_ticksPerSecond = ticksPerSecond;
        m_fraction = 0;
        m_burstTicks = bitsPerSecond ? Ticks(8.0 * static_cast<double>(burstBytes) *
                                             static_cast<double>(ticksPerSecond) / bitsPerSecond)
                                     : 0;
    }

    /// @return whether there is a limit
    bool IsLimited() const
    {
        return m_bitsPerSecond > 0;
    }

    /// @return tick from which on a frame may leave
    int64_t ConformsAt() const
    {
        return m_fullAt - m_burstTicks;
    }

    /// @param now tick @return whether a frame may leave
    bool Conforms(int64_t now) const
    {
        return !IsLimited() || ConformsAt() <= now;
    }

    /// A frame leaves. @param now tick @param wireBytes its bytes on the wire, below 2^20
    void Take(int64_t now, uint32_t wireBytes)
    {
        if (!IsLimited())
        {
            return;
        }
        if (m_fullAt < now)
        {
            m_fullAt = now;
            m_fraction = 0;
        }
        const uint64_t cost = uint64_t{wireBytes} * 8 * m_ticksPerSecond + m_fraction;
        m_fullAt += static_cast<int64_t>(cost / m_bitsPerSecond);
        m_fraction = cost % m_bitsPerSecond;
    }

  private:
    /// @param ticks a time @return the same; the clock ends at 9.2e18
    static int64_t Ticks(double ticks)
    {
        return static_cast<int64_t>(std::min(ticks, 1e18));
    }

    uint64_t m_bitsPerSecond{0};
    uint64_t m_ticksPerSecond{1};
    uint64_t m_fraction{0};  //!< of a tick of m_fullAt, in 1 / m_bitsPerSecond
    int64_t m_fullAt{0};     //!< tick at which the bucket is full again
    int64_t m_burstTicks{0}; //!< what an empty bucket takes to fill
};

} // namespace ns3

#endif // LOSSLESS_TOKEN_BUCKET_H

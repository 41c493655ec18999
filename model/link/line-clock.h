// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINE_CLOCK_H
#define LOSSLESS_LINE_CLOCK_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Computes when the last bit of each frame leaves a port. Serialisation times are rarely whole
 * ticks (84 B at 100 Gb/s take 6.72 ns); rounding each time makes a link up to 5 % too fast or too
 * slow. The clock carries the remainder from one frame to the next as an exact fraction, so that
 * back-to-back frames keep the configured rate for ever, at any resolution of ns3::Time and any
 * rate to 1.6 Tb/s and beyond.
 *
 * Ticks are units of ns3::Time's resolution. The class does not use the simulator: callers pass the
 * time.
 */
class LineClock
{
  public:
    /**
     * @param bitsPerSecond rate, > 0
     * @param ticksPerSecond resolution, such as 10^12 for picoseconds
     * @param unit ticks to which CutFrameTime() cuts the time of each frame; 1: it is exact
     */
    void SetRate(uint64_t bitsPerSecond, uint64_t ticksPerSecond, int64_t unit = 1);

    /**
     * Send a frame.
     * @param now when its first bit leaves, in ticks; not before BusyUntil()
     * @param wireBytes its length
     * @return when its last bit leaves, in ticks (rounded down; the fraction is kept)
     */
    int64_t Send(int64_t now, uint32_t wireBytes)
    {
        if (m_ticksPerByte)
        {
            m_busyUntil = now + wireBytes * m_ticksPerByte; // the usual case: whole ticks
            return m_busyUntil;
        }
        return SendFraction(now, wireBytes);
    }

    /// @return when the last bit of the last frame leaves, in ticks
    int64_t BusyUntil() const
    {
        return m_busyUntil;
    }

    /// @param bits number of bits @return the time on the line, in ticks, rounded up
    int64_t TicksOfBits(uint64_t bits) const;

  private:
    /// Send() for rates with a fraction. @return as Send()
    int64_t SendFraction(int64_t now, uint32_t wireBytes);

    int64_t m_busyUntil{0};
    int64_t m_ticksPerByte{0}; //!< whole ticks of a byte; 0: the ticks of a byte have a fraction
    uint64_t m_remainder{0};   //!< fraction carried to the next frame, in 1/m_denominator ticks
    uint64_t m_numerator{0};   //!< ticks of a byte = m_numerator / m_denominator, reduced
    uint64_t m_denominator{1}; //!< see m_numerator
    uint64_t m_bitsPerSecond{0};
    uint64_t m_ticksPerSecond{0};
    int64_t m_unit{1}; //!< SetRate()
};

} // namespace ns3

#endif // LOSSLESS_LINE_CLOCK_H

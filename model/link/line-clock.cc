// SPDX-License-Identifier: GPL-2.0-only
#include "line-clock.h"

#include "ns3/assert.h"
#include "ns3/cut-time.h"

#include <numeric>

namespace ns3
{

void
LineClock::SetRate(uint64_t bitsPerSecond, uint64_t ticksPerSecond, int64_t unit)
{
    NS_ASSERT(bitsPerSecond > 0 && ticksPerSecond > 0);
    if (bitsPerSecond == m_bitsPerSecond && ticksPerSecond == m_ticksPerSecond && unit == m_unit)
    {
        return; // the remainder stays
    }
    m_bitsPerSecond = bitsPerSecond;
    m_ticksPerSecond = ticksPerSecond;
    m_unit = unit;
    const uint64_t common = std::gcd(8 * ticksPerSecond, bitsPerSecond);
    m_numerator = 8 * ticksPerSecond / common;
    m_denominator = bitsPerSecond / common;
    m_ticksPerByte = m_denominator == 1 && unit == 1 ? static_cast<int64_t>(m_numerator) : 0;
    m_remainder = 0;
}

int64_t
LineClock::SendFraction(int64_t now, uint32_t wireBytes)
{
    if (m_unit > 1)
    {
        m_busyUntil = now + CutFrameTime(wireBytes,
                                         m_bitsPerSecond,
                                         static_cast<int64_t>(m_ticksPerSecond),
                                         m_unit);
        return m_busyUntil;
    }
    // Only a frame that follows at once inherits the remainder: after a pause the line is idle and
    // the next frame starts on a whole tick.
    const uint64_t carried = now == m_busyUntil ? m_remainder : 0;
    const auto sendFor = [this, now](auto scaled) {
        m_busyUntil = now + static_cast<int64_t>(scaled / m_denominator);
        m_remainder = static_cast<uint64_t>(scaled % m_denominator);
        return m_busyUntil;
    };
    // At nanoseconds the product always fits, and the division takes a third of the time.
    constexpr unsigned FRAME_BITS = 20;
    constexpr unsigned OTHER_BITS = 62 - FRAME_BITS;
    if ((m_numerator | m_denominator) >> OTHER_BITS == 0 && wireBytes >> FRAME_BITS == 0)
    {
        return sendFor(wireBytes * m_numerator + carried);
    }
    __extension__ using Wide = unsigned __int128;
    return sendFor(Wide{wireBytes} * m_numerator + carried);
}

int64_t
LineClock::TicksOfBits(uint64_t bits) const
{
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = Wide{bits} * m_ticksPerSecond;
    return static_cast<int64_t>((scaled + m_bitsPerSecond - 1) / m_bitsPerSecond);
}

} // namespace ns3

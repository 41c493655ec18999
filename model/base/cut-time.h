// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CUT_TIME_H
#define LOSSLESS_CUT_TIME_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Cut a time to a unit as the public HPCC simulator cuts its times: it keeps a time as seconds with
 * 64 bits after the point, and cuts these, too. A whole number of units mostly loses one.
 *
 * @param seconds the time, not negative
 * @param ticksPerSecond resolution, such as 10^12 for picoseconds
 * @param unit ticks
 * @return the time in ticks, a multiple of the unit
 */
inline int64_t
CutTime(double seconds, int64_t ticksPerSecond, int64_t unit)
{
    constexpr int BITS = 64;
    __extension__ using Wide = unsigned __int128;
    const auto perSecond = static_cast<uint64_t>(ticksPerSecond / unit);
    const auto whole = static_cast<uint64_t>(seconds);
    const auto fraction = static_cast<uint64_t>(std::ldexp(seconds - whole, BITS));
    const auto below = static_cast<uint64_t>(Wide{fraction} * perSecond >> BITS);
    return static_cast<int64_t>(whole * perSecond + below) * unit;
}

/**
 * @ingroup lossless
 *
 * Time that a frame takes on a line whose times are cut. It is one unit at least: without this, any
 * number of short frames could pass a fast line at once, and no buffer would be large enough.
 *
 * @param wireBytes length of the frame
 * @param bitsPerSecond rate of the line
 * @param ticksPerSecond resolution, such as 10^12 for picoseconds
 * @param unit ticks
 * @return the time in ticks, a multiple of the unit
 */
inline int64_t
CutFrameTime(uint64_t wireBytes, uint64_t bitsPerSecond, int64_t ticksPerSecond, int64_t unit)
{
    constexpr double BITS = 8; // of a byte
    const double seconds =
        BITS * static_cast<double>(wireBytes) / static_cast<double>(bitsPerSecond);
    return std::max(unit, CutTime(seconds, ticksPerSecond, unit));
}

} // namespace ns3

#endif // LOSSLESS_CUT_TIME_H

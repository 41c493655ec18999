// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CUT_TIME_H
#define LOSSLESS_CUT_TIME_H

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

} // namespace ns3

#endif // LOSSLESS_CUT_TIME_H

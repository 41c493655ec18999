// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHDOG_TIME_H
#define LOSSLESS_WATCHDOG_TIME_H

#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// The longest time of a watchdog in ticks, for which percentages and sums do not overflow.
constexpr int64_t LONGEST_WATCHDOG_TICKS = std::numeric_limits<int64_t>::max() / 200;

/**
 * @ingroup lossless
 *
 * Scale a time of a watchdog. Throws std::invalid_argument if the product is too short or too long.
 * @param what name for the error message, such as "PfcWatchdog: DetectionTime"
 * @param time the time of an attribute or a dialect
 * @param scale factor
 * @param least the shortest legal product, in ticks
 * @return the product in ticks
 */
int64_t ScaleWatchdogTime(const std::string& what, Time time, double scale, int64_t least);

} // namespace ns3

#endif // LOSSLESS_WATCHDOG_TIME_H

// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-time.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{

int64_t
ScaleWatchdogTime(const std::string& what, Time time, double scale, int64_t least)
{
    const double ticks = static_cast<double>(time.GetTimeStep()) * scale;
    const auto most = static_cast<double>(LONGEST_WATCHDOG_TICKS);
    // Negated, so that NaN is refused, too; and before the conversion, which may overflow.
    if (!(ticks <= most) || std::llround(ticks) < least)
    {
        const bool isShort = ticks < most;
        std::ostringstream message;
        message << what << " of " << time.GetSeconds() << " s times TimeScale " << scale << " is "
                << time.GetSeconds() * scale << " s; it must be "
                << (isShort ? "at least " : "at most ")
                << TimeStep(isShort ? least : LONGEST_WATCHDOG_TICKS).GetSeconds() << " s";
        throw std::invalid_argument(message.str());
    }
    return std::llround(ticks);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-config.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace ns3
{

MmuThreshold
MmuThreshold::Dynamic(double alpha)
{
    if (!(alpha >= 0 && alpha < MAX_ALPHA))
    {
        std::ostringstream message;
        message << "SwitchMmu: alpha " << alpha << "; it must be 0 or more and below " << MAX_ALPHA;
        throw std::invalid_argument(message.str());
    }
    MmuThreshold threshold;
    threshold.alphaFixed = static_cast<uint32_t>(std::lround(std::ldexp(alpha, ALPHA_SHIFT)));
    if (alpha > 0 && threshold.alphaFixed == 0)
    {
        std::ostringstream message;
        message << "SwitchMmu: alpha " << alpha << "; it must be 0, or 2^-" << ALPHA_SHIFT
                << " or more";
        throw std::invalid_argument(message.str());
    }
    return threshold; // alpha 0 is the static threshold 0
}

MmuThreshold
MmuThreshold::Static(uint32_t cells)
{
    MmuThreshold threshold;
    threshold.staticCells = cells;
    return threshold;
}

uint64_t
MmuThreshold::FreeFor(uint64_t cells) const
{
    if (!alphaFixed)
    {
        return cells <= staticCells ? 0 : std::numeric_limits<uint64_t>::max();
    }
    // floor(free * a / 2^24) >= cells  <=>  free >= ceil(cells * 2^24 / a)
    return ((cells << ALPHA_SHIFT) + alphaFixed - 1) / alphaFixed;
}

} // namespace ns3

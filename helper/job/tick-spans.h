// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TICK_SPANS_H
#define LOSSLESS_TICK_SPANS_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Spans of time, each from its begin to its end, ticks; they may overlap.
using TickSpans = std::vector<std::pair<int64_t, int64_t>>;

/// @ingroup lossless
/// @param spans any @return ticks that are in at least one of them
inline int64_t
CoveredTicks(TickSpans spans)
{
    std::sort(spans.begin(), spans.end());
    int64_t covered = 0;
    int64_t until = spans.empty() ? 0 : spans.front().first;
    for (const auto& [begin, end] : spans)
    {
        covered += std::max<int64_t>(0, end - std::max(begin, until));
        until = std::max(until, end);
    }
    return covered;
}

} // namespace ns3

#endif // LOSSLESS_TICK_SPANS_H

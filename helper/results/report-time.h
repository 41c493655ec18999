// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REPORT_TIME_H
#define LOSSLESS_REPORT_TIME_H

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// @return the time of the simulation, in ticks
inline int64_t
NowTicks()
{
    return Simulator::Now().GetTimeStep();
}

/// @ingroup lossless
/// @param ticks a time @return the same in nanoseconds, as files of results have it
inline int64_t
TicksToNs(int64_t ticks)
{
    return TimeStep(static_cast<uint64_t>(ticks)).GetNanoSeconds();
}

} // namespace ns3

#endif // LOSSLESS_REPORT_TIME_H

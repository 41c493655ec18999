// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ON_OFF_TIMES_H
#define LOSSLESS_ON_OFF_TIMES_H

#include "ns3/application.h"

namespace ns3
{

/// @ingroup lossless
/// FabricError if a time for which an OnOffApplication is on or off may be below 0: the simulator
/// would end the program. @param application any application
void RequireTimesFromZero(const Application& application);

} // namespace ns3

#endif // LOSSLESS_ON_OFF_TIMES_H

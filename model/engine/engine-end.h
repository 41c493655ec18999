// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ENGINE_END_H
#define LOSSLESS_ENGINE_END_H

namespace ns3
{

/// @ingroup lossless
/// @return whether the last Run() of a FabricSimulatorImpl has ended since nothing was left to
/// happen; else it was stopped, or another simulator ran
bool HasRunOutOfEvents();

} // namespace ns3

#endif // LOSSLESS_ENGINE_END_H

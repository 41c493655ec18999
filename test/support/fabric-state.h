// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_STATE_H
#define LOSSLESS_FABRIC_STATE_H

#include "ns3/fabric.h"

#include <string>

namespace ns3
{
namespace tests
{

/// Look whether books agree: invariants I1 to I5 of doc/switch.rst.
/// @param fabric any @return the first thing that is wrong; empty: nothing
std::string FindDisagreement(const Fabric& fabric);

/// Look whether books agree, nothing is booked, queued or paused any more, PFC is honoured, and no
/// queue pair is left.
/// @param fabric any @return the first thing that is wrong; empty: nothing
std::string FindUnsettled(const Fabric& fabric);

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_FABRIC_STATE_H

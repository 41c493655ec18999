// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_START_HINT_H
#define LOSSLESS_START_HINT_H

#include "ns3/exact-text.h"
#include "ns3/nstime.h"

#include <string>

namespace ns3
{

/// @ingroup lossless
/// @param what begins before the time now, such as "its start" @param start as the user has said it
/// @return what would be right
inline std::string
StartHint(const std::string& what, const Time& start)
{
    return start.IsStrictlyNegative() ? what + ", " + ExactText(start) +
                                            ", is negative: it counts from the begin of the run, "
                                            "and must be 0 or more"
                                      : what + " counts from the begin of the run";
}

} // namespace ns3

#endif // LOSSLESS_START_HINT_H

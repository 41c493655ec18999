// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_TIME_H
#define LOSSLESS_RUN_TIME_H

#include "ns3/nstime.h"

#include <cstdio>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// @param time of the simulation @return it for people, in milliseconds
inline std::string
Milliseconds(Time time)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.6g ms", time.GetSeconds() * 1e3);
    return text;
}

} // namespace ns3

#endif // LOSSLESS_RUN_TIME_H

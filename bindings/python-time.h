// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TIME_H
#define LOSSLESS_PYTHON_TIME_H

#include "ns3/nstime.h"

namespace lossless_python
{

/// @param time a time @return seconds, rounded once: ns-3's own GetSeconds() is off in the last
/// digits
inline double
Seconds(const ns3::Time& time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e12;
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TIME_H

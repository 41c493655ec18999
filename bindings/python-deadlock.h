// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_DEADLOCK_H
#define LOSSLESS_PYTHON_DEADLOCK_H

#include "python-support.h"

#include "ns3/deadlock.h"

namespace lossless_python
{

/// @param deadlock a deadlock @return it as a dictionary: time, end, cycle, flows, frames
py::dict DeadlockToDict(const ns3::Deadlock& deadlock);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_DEADLOCK_H

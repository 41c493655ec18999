// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LEAVE_OUT_H
#define LOSSLESS_LEAVE_OUT_H

#include <string>

namespace ns3
{

/// @ingroup lossless
/// Whether a setting is left out, for utils/ablate: the one of that number, from 1 in the order of
/// the calls, that the environment variable LOSSLESS_LEAVE_OUT has; "list" prints all of them.
/// @param what one more setting @return whether
bool IsLeftOut(const std::string& what);

} // namespace ns3

#endif // LOSSLESS_LEAVE_OUT_H

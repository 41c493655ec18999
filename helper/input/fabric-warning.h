// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_WARNING_H
#define LOSSLESS_FABRIC_WARNING_H

#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What can be, and is probably not what the user means: one line on standard error, such as
 * "lossless: warning: sample has no effect; it needs a folder". What cannot be is a FabricError.
 *
 * @param wrong what is odd
 * @param right what would be right, or empty
 */
void PrintWarning(const std::string& wrong, const std::string& right = "");

} // namespace ns3

#endif // LOSSLESS_FABRIC_WARNING_H

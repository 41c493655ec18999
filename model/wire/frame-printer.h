// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_PRINTER_H
#define LOSSLESS_FRAME_PRINTER_H

#include "fabric-frame.h"

#include <ostream>

namespace ns3
{

/// @param opcode a BTH opcode
/// @return its name, such as "WRITE_FIRST"
const char* ToString(RoceOpcode opcode);

/**
 * @ingroup lossless
 * Prints a frame on one line, for ASCII traces and logs: kind, addresses and ports, then
 * "name=value" for the fields of that kind.
 * @param os where to @param frame the frame @return os
 */
std::ostream& operator<<(std::ostream& os, const Frame& frame);

} // namespace ns3

#endif // LOSSLESS_FRAME_PRINTER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_RECORD_H
#define LOSSLESS_FRAME_RECORD_H

#include "fabric-frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Converts between a Frame and bytes for another process of the same simulation. FrameCodec has the
 * bytes of the wire, which lack some bits of a Frame; a record has all of them, as 64 bits of psn,
 * and a packet of the stock IP stack with its tags. A record lacks what only the holder of a frame
 * has: the queue, the receiver, and the booking in the buffer of a switch.
 *
 * Layout, lowest octet first: version (1 octet), bytes of the record (4), and the fields in the
 * order of frame-record.cc; those of IPv6, PFC and telemetry, the packet, and the record of the
 * inner frame, only where the frame has them.
 */
class FrameRecord
{
  public:
    /// Raised when the layout changes.
    static constexpr uint8_t VERSION = 6;

    /// @param frame a frame @param bytes become the record; their memory is used again
    static void Write(const Frame& frame, std::vector<uint8_t>& bytes);

    /// @param data a record @param size its bytes @return the frame, owned by the caller. Another
    /// version or a wrong length is an error (std::runtime_error)
    static Frame* Read(const uint8_t* data, std::size_t size);
};

} // namespace ns3

#endif // LOSSLESS_FRAME_RECORD_H

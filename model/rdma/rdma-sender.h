// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_SENDER_H
#define LOSSLESS_RDMA_SENDER_H

#include <cstdint>

namespace ns3
{

class Frame;

/// @ingroup lossless
/// What sends data by a port: a queue pair, or what a queue pair of several planes has at each.
class RdmaSender
{
  public:
    virtual ~RdmaSender() = default;

    /// The port asks for a frame. @param now tick @return the next frame; null if no frame may be
    /// sent
    virtual Frame* Pull(int64_t now) = 0;

    /// @return wire bytes of the frame that Pull() would return
    virtual uint32_t HeadWireBytes() const = 0;

    /// @return when the gap after its last packet ends, ticks, though its window may be closed;
    /// RDMA_NEVER: it has nothing to send, or no gaps
    virtual int64_t GapEnd() const = 0;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_SENDER_H

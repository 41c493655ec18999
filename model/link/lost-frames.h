// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOST_FRAMES_H
#define LOSSLESS_LOST_FRAMES_H

#include "ns3/drop-reason.h"

#include <cstdint>
#include <vector>

namespace ns3
{

struct Frame;

/**
 * @ingroup lossless
 *
 * Frames of one sort that a port has dropped: for one reason, with one content, and sent in one
 * class. Frames carry the class of their sender, whatever class maps, border policies and tunnels
 * make of their marks.
 */
struct LostFrames
{
    /// What frames carry, within tunnels too.
    enum Content : uint8_t
    {
        RDMA_DATA, //!< data of RDMA
        IP,        //!< packets of IP stacks, such as TCP and UDP
        OTHER      //!< the rest, such as ACKs and PFC
    };

    Content content;    //!< what they carry
    DropReason reason;  //!< why they were dropped
    uint8_t sentClass;  //!< class in which hosts send them
    uint8_t group;      //!< priority group of the last, at a switch
    uint16_t inPort;    //!< port of the switch at which the last had arrived
    uint64_t frames{0}; //!< how many
    uint64_t bytes{0};  //!< of these, on the wire

    /// @param other frames @return whether they are of the same sort
    bool IsLike(const LostFrames& other) const
    {
        return content == other.content && reason == other.reason && sentClass == other.sentClass;
    }
};

/// @ingroup lossless
/// Count a frame among those of its sort. @param lost has an entry for each sort, in the order of
/// their first frames @param frame dropped @param reason why
void CountLost(std::vector<LostFrames>& lost, const Frame& frame, DropReason reason);

} // namespace ns3

#endif // LOSSLESS_LOST_FRAMES_H

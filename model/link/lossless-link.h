// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSSLESS_LINK_H
#define LOSSLESS_LOSSLESS_LINK_H

#include "headroom.h"
#include "lossless-mistake.h"
#include "traffic-class-map.h"

#include <memory>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @file
 * @ingroup lossless
 *
 * What a link needs to be lossless towards one of its ports: headroom behind the port, and pauses
 * that last (IEEE 802.1Qbb, IEEE 802.3 annex 31D; doc/link.rst).
 */

/// @ingroup lossless
/// The maps of a link that join the queues of its sender to the priority groups of its receiver.
struct LinkMaps
{
    /// @param receiver the port that pauses @param sender its peer
    LinkMaps(const QbbNetDevice& receiver, const QbbNetDevice& sender);

    /// @param group a priority group @return whether its pauses work: its PFC priority does
    bool IsPaused(uint8_t group) const
    {
        return working & (1U << in->pfcPriority[group]);
    }

    /// @param group a priority group @param queue a queue of the sender @return whether pauses of
    /// the group stop the queue
    bool Stops(uint8_t group, uint8_t queue) const
    {
        return IsPaused(group) && out->pfcQueues[in->pfcPriority[group]] & (1U << queue);
    }

    /// @param group a priority group @param cls a class @return whether pauses of the group stop
    /// the queue of the class
    bool Joins(uint8_t group, uint8_t cls) const
    {
        return Stops(group, out->queue[cls]);
    }

    uint8_t working;                                   //!< PFC priorities that work at both ends
    std::shared_ptr<const TrafficClassMap::Table> in;  //!< of the receiver
    std::shared_ptr<const TrafficClassMap::Table> out; //!< of the sender
};

/// @param mtuBytes longest IP packet of a port @return the longest frame that the port sends: with
/// Ethernet header, 802.1Q tag and FCS
uint32_t LongestFrameBytes(uint32_t mtuBytes);

/// @param port the port that receives and pauses its peer @return the properties of its link that
/// decide the headroom; the data comes at the rate of the peer
HeadroomLink GetHeadroomLink(const QbbNetDevice& port);

/**
 * Find what lets the peer of a port send although the port has paused the peer: PFC at one end of
 * the link only, class maps that differ, and a pause that runs out before the XOFF is sent again.
 * Also a FrameFormat that differs: then the headroom at one end is for other frames. The XOFF is
 * sent again in time if
 *
 *     refresh + (Mrev + 20) * 8/R < quanta * 512/C,
 *
 * where C is the rate of the peer, R that of the port and Mrev the longest frame of the port, which
 * may have just begun when the XOFF is due. A peer in the dialect EndlessXoff needs no refresh.
 *
 * @param port the port
 * @return the findings; empty: none
 */
std::vector<LosslessMistake> FindPauseMistakes(const QbbNetDevice& port);

/// Refuse PFC of a port, or of its peer, that trusts no field of frames: all frames are of one
/// class then, and PFC of the others stands for nothing. Throws std::invalid_argument.
/// @param port the port
void RequireTrust(const QbbNetDevice& port);

} // namespace ns3

#endif // LOSSLESS_LOSSLESS_LINK_H

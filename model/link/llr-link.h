// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LLR_LINK_H
#define LOSSLESS_LLR_LINK_H

#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/**
 * @file
 * @ingroup lossless
 *
 * What link-level retry needs of a link (doc/link.rst).
 */

/**
 * Wire bytes of the replay buffer that keep a line full without errors: those of a round trip,
 * those between two ACKs, and two longest frames.
 * @param roundTripBytes wire bytes sent in a round trip, C/8 * 2d
 * @param ackSpacingBytes LlrAckSpacing of the peer
 * @param frameBytes wire bytes of the longest frame
 * @return wire bytes, rounded up
 */
uint64_t LlrReplayBytes(double roundTripBytes, uint32_t ackSpacingBytes, uint32_t frameBytes);

/**
 * Share of a line that frames get which arrive for the first time and in order, with go-back-N,
 *
 *     1 / (1 + p W / (1 - p)).
 *
 * @param loss probability p that a frame is lost
 * @param framesInLoop frames W that are sent from a loss to the begin of the replay
 * @return the share
 */
constexpr double
GoBackNShare(double loss, double framesInLoop)
{
    return 1 / (1 + loss * framesInLoop / (1 - loss));
}

/// Refuse link-level retry of a port that cannot be, with std::invalid_argument: at one end of the
/// link only; with the transmitter of the HPCC simulator; with a replay buffer below a longest
/// frame; or on a cable between ranks. @param port the port
void RequireLlr(const QbbNetDevice& port);

} // namespace ns3

#endif // LOSSLESS_LLR_LINK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_H
#define LOSSLESS_HEADROOM_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// A link as headroom sees it: what can still arrive after an XOFF was decided.
struct HeadroomLink
{
    uint64_t bitsPerSecond{0};           //!< line rate
    uint64_t delayPs{0};                 //!< propagation one way, picoseconds
    uint32_t maxFrameBytes{1518};        //!< longest frame of the peer (frame bytes, FCS included)
    uint32_t reverseMaxFrameBytes{1518}; //!< longest frame that may be in the way of the PFC frame
    uint64_t reactionPs{0};              //!< reaction delay of the peer, picoseconds
    uint64_t generationPs{0};            //!< time from the decision to the PFC frame, picoseconds
};

/**
 * Wire bytes that can arrive after an XOFF was decided (doc/link.rst):
 *
 *     H = C/8 * (Tg + (Mrev + 20) * 8/C + 84 * 8/C + 2d + Tr) + (M + 20), rounded up.
 *
 * Sums have more than 64 bits; what passes 2^46 bytes, more than any buffer has, counts as that.
 *
 * @param link the link
 * @return wire bytes
 */
uint64_t HeadroomWireBytes(const HeadroomLink& link);

/**
 * Cells that `wireBytes` on the wire can fill at most: for each frame length from 64 bytes to the
 * longest, a frame of P bytes takes P + 20 on the wire and ceil(P / cell) cells. With 208-byte
 * cells the worst are the shortest frames, and this is ceil(wireBytes /
 * 84).
 *
 * @param wireBytes bytes on the wire
 * @param cellBytes bytes of a cell
 * @param maxFrameBytes longest frame
 * @return cells
 */
uint64_t HeadroomCells(uint64_t wireBytes, uint32_t cellBytes, uint32_t maxFrameBytes);

/**
 * Headroom that a lossless class needs, in bytes, a whole number of cells. It covers
 * HeadroomCells() and one thing more: a frame that does not fit below the threshold goes to
 * headroom as a block, and it is that frame which sets off the XOFF, so one longest frame can be
 * there before HeadroomWireBytes() starts to count. With 208-byte cells HeadroomCells() is large
 * enough for both.
 *
 * @param link the link
 * @param cellBytes bytes of a cell
 * @return bytes
 */
uint64_t HeadroomBytes(const HeadroomLink& link, uint32_t cellBytes);

} // namespace ns3

#endif // LOSSLESS_HEADROOM_H

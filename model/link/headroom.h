// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_H
#define LOSSLESS_HEADROOM_H

#include "ns3/frame-format.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// The properties of a link that decide how many bytes can arrive after an XOFF was decided.
struct HeadroomLink
{
    uint64_t bitsPerSecond{0};           //!< line rate of the peer, at which its frames arrive
    uint64_t delayPs{0};                 //!< propagation delay one way, picoseconds
    uint32_t maxFrameBytes{1518};        //!< longest frame of the peer (frame bytes, FCS included)
    uint32_t reverseMaxFrameBytes{1518}; //!< longest frame that may delay the PFC frame
    uint64_t reactionPs{0};              //!< reaction delay of the peer, picoseconds
    uint64_t generationPs{0}; //!< time from the XOFF decision to the PFC frame, picoseconds
    /// Line rate towards the peer, at which the PFC frame and the frame before it leave; 0: that of
    /// the peer.
    uint64_t reverseBitsPerSecond{0};
    FrameFormat format{FRAMES_STANDARD}; //!< of the frames that arrive
    uint32_t addedBytes{0}; //!< by which the switch lengthens a frame at most before it books it
    uint64_t unitPs{0};     //!< to which the peer cuts the times of frames, picoseconds; 0: exact
};

/**
 * Wire bytes that can arrive after an XOFF was decided (doc/link.rst):
 *
 *     H = C/8 * (Tg + (Mrev + 20) * 8/R + 84 * 8/R + 2d + Tr) + (M + 20), rounded up.
 *
 * The symbols are the members of HeadroomLink in SI units; C is the rate of the peer, R that
 * towards the peer. Where the peer cuts the times of frames, C is the highest rate that frames of
 * one length reach. Results are capped at 2^46 bytes, more
 * than any buffer has.
 *
 * @param link the link
 * @return wire bytes
 */
uint64_t HeadroomWireBytes(const HeadroomLink& link);

/**
 * Largest number of cells that `wireBytes` on the wire can fill: a frame of P bytes, from 64 to the
 * longest, takes P + 20 bytes on the wire and ceil(P / cell) cells. With 208-byte cells the
 * shortest frames are the worst case: ceil(wireBytes / 84) cells. A frame of FRAMES_HPCC takes P
 * bytes, from 48: ceil(wireBytes / 48) cells. Where the switch adds up to A bytes before it books a
 * frame, as a tunnel does, the frame takes ceil((P + A) / cell) cells.
 *
 * @param wireBytes bytes on the wire
 * @param cellBytes bytes of a cell
 * @param maxFrameBytes longest frame
 * @param format of the frames
 * @param addedBytes bytes that the switch adds to a frame at most before it books the frame
 * @return cells
 */
uint64_t HeadroomCells(uint64_t wireBytes,
                       uint32_t cellBytes,
                       uint32_t maxFrameBytes,
                       FrameFormat format = FRAMES_STANDARD,
                       uint32_t addedBytes = 0);

/**
 * Headroom that a lossless class needs, in bytes, a whole number of cells. The headroom must hold
 * HeadroomCells(), and one longest frame besides: the frame that triggers the XOFF goes to headroom
 * as a whole if it does not fit below the threshold, before HeadroomWireBytes() starts to count.
 * With 208-byte cells HeadroomCells() is large enough for both.
 *
 * @param link the link
 * @param cellBytes bytes of a cell
 * @return bytes
 */
uint64_t HeadroomBytes(const HeadroomLink& link, uint32_t cellBytes);

} // namespace ns3

#endif // LOSSLESS_HEADROOM_H

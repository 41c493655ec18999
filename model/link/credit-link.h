// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CREDIT_LINK_H
#define LOSSLESS_CREDIT_LINK_H

#include "credit-counters.h"

#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/**
 * @file
 * @ingroup lossless
 *
 * How many credits a link needs, and how much memory they stand for (doc/link.rst).
 */

/// @ingroup lossless
/// What decides the credits of a link, towards one of its ends.
struct CreditLink
{
    uint64_t bitsPerSecond{0};        //!< line rate of the sender of frames
    uint64_t reverseBitsPerSecond{0}; //!< line rate of the receiver, on which its updates go
    uint64_t delayPs{0};              //!< propagation delay one way, picoseconds
    uint32_t maxFrameBytes{1522};     //!< longest frame of the sender
    uint32_t spacingBytes{6400};      //!< CfMinSpacing of the receiver
    CreditUnit unit;                  //!< what a credit is
};

/**
 * Wire bytes for which no credit may be back yet while the line is full: those that are sent in a
 * round trip, between two updates, and while a frame is stored or an update waits,
 *
 *     N = C/8 * (2d + 8 S/R) + 2 (M + 20) + 8, rounded up.
 *
 * The symbols are the members of CreditLink in SI units.
 *
 * @param link the link
 * @return wire bytes
 */
uint64_t FullRateWireBytes(const CreditLink& link);

/**
 * Credits with which frames from half the longest up keep the line full: those of
 * FullRateWireBytes(), filled by the length in this range that takes most credits of a wire byte.
 * @param link the link
 * @return credits, at least two longest frames
 */
uint64_t FullRateCredits(const CreditLink& link);

/**
 * The most memory that frames can take that hold no more credits than granted: frames of the length
 * for which ceil((frame + added) / cell) / credits is largest. With credits no longer than a cell,
 * and nothing added, a credit takes no more than a cell.
 *
 * @param credits granted
 * @param unit what a credit is
 * @param cellBytes bytes of a cell
 * @param maxFrameBytes longest frame
 * @param addedBytes by which the switch lengthens a frame at most before it books it
 * @return bytes, a whole number of cells
 */
uint64_t CreditMemoryBytes(uint64_t credits,
                           const CreditUnit& unit,
                           uint32_t cellBytes,
                           uint32_t maxFrameBytes,
                           uint32_t addedBytes = 0);

/// @param port a port @return the link that brings its frames
CreditLink GetCreditLink(const QbbNetDevice& port);

/// @param port a port @return credits that it grants its peer in each class: attribute CbfcCredits,
/// or those of FullRateCredits()
uint32_t GetGrantedCredits(const QbbNetDevice& port);

/// Refuse credits of a port that cannot be, with std::invalid_argument: at one end of the link
/// only; together with PFC; fewer than a longest frame takes, or more than can be counted; with
/// class maps that give a class another number, or on a cable between ranks.
/// @param port the port
void RequireCredits(const QbbNetDevice& port);

} // namespace ns3

#endif // LOSSLESS_CREDIT_LINK_H

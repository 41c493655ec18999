// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_RULES_H
#define LOSSLESS_HEADROOM_RULES_H

#include <cstdint>

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * How standards and switch vendors size the headroom of a lossless class: for comparison, or to
 * configure a switch like a real one. The module itself uses HeadroomBytes() (headroom.h), which is
 * exact for the simulated links.
 */

/**
 * Headroom for the worst case of IEEE 802.1Qbb (annex O): a longest frame in each direction, MAC
 * and PHY of both ends, the cable in both directions at 5 ns/m, and the reaction time of the peer.
 *
 * @param bitsPerSecond line rate: 10, 25, 40 or 100 Gb/s, for which the standard has constants
 * @param metres length of the cable
 * @param sentFrameBytes longest frame that may delay the PFC frame, FCS included
 * @param receivedFrameBytes longest frame of the peer, FCS included
 * @return bytes, rounded up; throws std::invalid_argument for other rates
 */
uint64_t StandardHeadroomBytes(uint64_t bitsPerSecond,
                               uint32_t metres,
                               uint32_t sentFrameBytes,
                               uint32_t receivedFrameBytes);

/// Inputs of the headroom rule of SONiC for a port.
struct SonicPort
{
    uint64_t bitsPerSecond{100000000000}; //!< 0.1, 1, 10, 25, 40, 50, 100, 200, 400 or 800 Gb/s
    uint32_t metres{5};                   //!< length of the cable
    uint32_t mtuBytes{9100};              //!< longest frame of the port
    uint32_t losslessMtuBytes{1024};      //!< longest frame of the lossless class
    uint32_t cellBytes{144};              //!< bytes of a cell
    uint32_t lanes{0};                    //!< of the port; 0: 8 from 400 Gb/s on, else fewer
    double smallShare{1};                 //!< share of small packets, 0..1
    uint32_t pipelineBytes{18432};        //!< bytes in the switch pipeline: the XON level; a port
                                          //!< of 8 lanes has twice as much, less 1 KiB
    uint32_t macPhyBytes{819};            //!< bytes in MAC and PHY
};

/// A buffer profile of SONiC, bytes.
struct SonicHeadroom
{
    uint64_t xoff; //!< headroom after the XOFF
    uint64_t xon;  //!< level at which XON is sent
    uint64_t size; //!< xoff + xon, and the MTU of a port of 8 lanes
};

/**
 * The dynamic buffer calculation of SONiC, in steps of 1 KiB.
 * @param port the port
 * @return the profile; throws std::invalid_argument for other rates
 */
SonicHeadroom SonicHeadroomBytes(const SonicPort& port);

/**
 * Headroom in cells by the rule of a published deployment (UCloud, High-performance RoCE network
 * design): floor((1.5 us + 2 * 1538 B * 8/C + 2 * L * 5 ns/m) * C / (84 * 8)). For example, 100
 * Gb/s and 100 m give 408 cells, 25 Gb/s and 15 m give 98.
 *
 * @param bitsPerSecond line rate
 * @param metres length of the cable
 * @return cells of 208 bytes
 */
uint64_t DeploymentHeadroomCells(uint64_t bitsPerSecond, uint32_t metres);

} // namespace ns3

#endif // LOSSLESS_HEADROOM_RULES_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNIT_FACTORS_H
#define LOSSLESS_UNIT_FACTORS_H

#include <cstdint>

/**
 * @file
 * @ingroup lossless
 * Factors between units, for arithmetic with numbers whose names say the unit.
 */

namespace ns3
{

constexpr double BITS = 8;                //!< bits of a byte
constexpr double PS_PER_SECOND = 1e12;    //!< picoseconds of a second
constexpr double PS_PER_NS = 1e3;         //!< picoseconds of a nanosecond
constexpr int64_t WHOLE_PS_PER_NS = 1000; //!< for whole numbers
constexpr double NS_PER_SECOND = 1e9;     //!< nanoseconds of a second
constexpr double MEGA = 1e6;              //!< bit/s of a Mb/s

} // namespace ns3

#endif // LOSSLESS_UNIT_FACTORS_H

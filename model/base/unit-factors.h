// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNIT_FACTORS_H
#define LOSSLESS_UNIT_FACTORS_H

/**
 * @file
 * @ingroup lossless
 * Factors between units, for arithmetic with numbers whose names say the unit.
 */

namespace ns3
{

constexpr double BITS = 8; //!< bits of a byte
constexpr double PS_PER_SECOND = 1e12;
constexpr double PS_PER_NS = 1e3;
constexpr double NS_PER_SECOND = 1e9;

} // namespace ns3

#endif // LOSSLESS_UNIT_FACTORS_H

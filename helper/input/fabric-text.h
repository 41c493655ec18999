// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_TEXT_H
#define LOSSLESS_FABRIC_TEXT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * From text to numbers with units, strictly: all of the text must make sense. Each function throws
 * FabricError, which names the text and says what would be right; none aborts, as some of ns-3's
 * do.
 */
namespace FabricText
{

/**
 * @param text decimal digits
 * @param what name of the quantity, for the message
 * @param max largest value allowed
 * @param min smallest value allowed
 * @return the number
 */
uint64_t ToUint(const std::string& text,
                const std::string& what,
                uint64_t max = std::numeric_limits<uint64_t>::max(),
                uint64_t min = 0);

/**
 * @param text a real number, such as 0.5 or 1e-3
 * @param what name of the quantity, for the message
 * @param min smallest value allowed
 * @param max largest value allowed
 * @return the number
 */
double ToReal(const std::string& text,
              const std::string& what,
              double min = std::numeric_limits<double>::lowest(),
              double max = std::numeric_limits<double>::max());

/**
 * @param text 0, 1, true, false, yes, no, on or off
 * @param what name of the quantity, for the message
 * @return the value
 */
bool ToBool(const std::string& text, const std::string& what);

/**
 * @param text a size such as 1500, 64KiB, 32MiB, 5MB, 2GB (B optional after the prefix)
 * @param what name of the quantity, for the message
 * @return the size in bytes
 */
uint64_t ToBytes(const std::string& text, const std::string& what);

/**
 * @param text a rate such as 100Gbps, 25Gb/s, 2.5Tbps; a bare number is bit/s
 * @param what name of the quantity, for the message
 * @param min lowest rate allowed, bit/s
 * @return the rate. With a unit it must be a whole number of bit/s; a number without one is rounded
 */
DataRate ToRate(const std::string& text, const std::string& what, uint64_t min = 1);

/**
 * @param text a time such as 1us, 0.001ms, 5400ns, or 0
 * @param what name of the quantity, for the message
 * @param bareUnit unit of a number without one, in formats that say so; empty: only 0 needs none
 * @return the time, 0 or more. With a unit it must be a whole number of ticks of Time; a number
 * without one is rounded to them
 */
Time ToTime(const std::string& text, const std::string& what, const std::string& bareUnit = "");

/**
 * @param text a misspelt name
 * @param names the names that are known
 * @return "did you mean X?", or the list of names when none is near, for the second half of an
 * error
 */
std::string DidYouMean(const std::string& text, const std::vector<std::string>& names);

} // namespace FabricText
} // namespace ns3

#endif // LOSSLESS_FABRIC_TEXT_H

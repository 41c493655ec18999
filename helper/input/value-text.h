// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VALUE_TEXT_H
#define LOSSLESS_VALUE_TEXT_H

#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Text of values that FabricAttributes leaves to ns-3, such as addresses. ns-3 ends the program at
 * most text that it cannot read, and at a blank behind text that it can.
 */
namespace ValueText
{

/**
 * @param kind name of a type of values, such as "ns3::Ipv4AddressValue"
 * @param text what a user gives for such a value
 * @return empty if ns-3 reads the text, or refuses it without harm; else what would be right, for
 * the second half of an error
 */
std::string Expected(const std::string& kind, const std::string& text);

} // namespace ValueText
} // namespace ns3

#endif // LOSSLESS_VALUE_TEXT_H

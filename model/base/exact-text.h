// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXACT_TEXT_H
#define LOSSLESS_EXACT_TEXT_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3
{

/// @ingroup lossless
/// @param time a time @return its text in the largest unit, from s to ps, in which it is whole
std::string ExactText(const Time& time);

/// @ingroup lossless
/// @param number a number @return its text, with as many digits as give the same number again
std::string ExactText(double number);

/// @ingroup lossless
/// @param rate a rate @return its text in the largest unit, from Gbps to bps, in which it is whole
std::string ExactText(const DataRate& rate);

/// @ingroup lossless
/// Text that gives the same value again; ns-3's own text of a number or a time has six digits.
/// @param value of an attribute @param checker of the attribute @return its text
std::string ExactText(const AttributeValue& value, const Ptr<const AttributeChecker>& checker);

/// @ingroup lossless
/// @param value of an attribute, for a factory @return an equal one; where it is a number, also the
/// text of a factory that has it gives the same number again
Ptr<AttributeValue> ExactValue(const AttributeValue& value);

} // namespace ns3

#endif // LOSSLESS_EXACT_TEXT_H

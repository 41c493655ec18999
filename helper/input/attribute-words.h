// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_WORDS_H
#define LOSSLESS_ATTRIBUTE_WORDS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Says in words for people what attributes accept: the ends of the messages of FabricAttributes.
 */
namespace AttributeWords
{

/**
 * @param checker of an attribute
 * @return name of the type of its values, such as "ns3::EnumValue". Some of ns-3's checkers leave
 * out the namespace; from 3.41 on, those of enumerations add which: "ns3::EnumValue<ns3::Mode>".
 */
std::string ValueType(const AttributeChecker& checker);

/// @param checker of an attribute @return what it accepts, such as "a whole number from 1 to 8"
std::string Describe(const AttributeChecker& checker);

/// @param info of an attribute @return the same, with an example where the attribute is a mask
std::string Describe(const TypeId::AttributeInformation& info);

/// @param info of an attribute whose values are whole numbers @return whether it is a mask, or has
/// no value above 65535: then it is no size in bytes
bool IsNoSize(const TypeId::AttributeInformation& info);

/// @param value that a checker refuses, no text @param checker it @return what is wrong about it
std::string Wrong(const AttributeValue& value, const Ptr<const AttributeChecker>& checker);

} // namespace AttributeWords
} // namespace ns3

#endif // LOSSLESS_ATTRIBUTE_WORDS_H

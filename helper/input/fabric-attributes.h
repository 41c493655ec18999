// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_ATTRIBUTES_H
#define LOSSLESS_FABRIC_ATTRIBUTES_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

class FabricOptions;

/**
 * @ingroup lossless
 *
 * Attributes from users, checked before they are used: each function throws FabricError, with the
 * nearest name that is known, where ns-3 would abort. Numbers, times, rates and sizes in text are
 * read as FabricText reads them, so that a byte count may be "32MiB".
 */
namespace FabricAttributes
{

/**
 * @param name name of a type, such as "ns3::RdmaDcqcn"
 * @param base what types an error may propose: those that derive from it
 * @return the type, whether it derives from base or not
 */
TypeId FindType(const std::string& name, TypeId base = TypeId());

/**
 * @param type a type
 * @param attribute name of one of its attributes, or of its parents'
 * @param value what it should become; text, or a value of the right type
 * @param options in text of an object, attributes with an option are checked and left out; null:
 * there are no options
 * @return the value as the attribute's type
 */
Ptr<AttributeValue> Check(TypeId type,
                          const std::string& attribute,
                          const AttributeValue& value,
                          const FabricOptions* options = nullptr);

/**
 * Set an attribute of the objects that a factory will make.
 * @param factory the factory, with its type set
 * @param attribute name
 * @param value new value
 */
void Set(ObjectFactory& factory, const std::string& attribute, const AttributeValue& value);

/**
 * Set the default of an attribute, as Config::SetDefault() does.
 * @param fullName type and attribute, such as "ns3::RdmaDcqcn::Dialect"
 * @param value new default; text, or a value of the right type
 * @return the name of the attribute at the type that declares it
 */
std::string SetDefault(const std::string& fullName, const AttributeValue& value);

/// @param type a type @param attribute name of one of its attributes @return the name of the
/// attribute at the type that declares it, such as "ns3::RdmaCongestionOps::LineRate"
std::string FullName(TypeId type, const std::string& attribute);

/**
 * @param type a type
 * @param attribute name of one of its attributes
 * @return whether its default is no longer what the type says, such as after Config::SetDefault()
 */
bool DefaultChanged(TypeId type, const std::string& attribute);

/**
 * @param text an object, "ns3::Type" or "ns3::Type[Attribute=value|...]"
 * @param base what it must be or derive from; none: anything
 * @param options attributes with an option are checked and left out; null: there are no options
 * @return what makes it
 */
ObjectFactory ToFactory(const std::string& text,
                        TypeId base = TypeId(),
                        const FabricOptions* options = nullptr);

} // namespace FabricAttributes
} // namespace ns3

#endif // LOSSLESS_FABRIC_ATTRIBUTES_H

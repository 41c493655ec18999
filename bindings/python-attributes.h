// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_ATTRIBUTES_H
#define LOSSLESS_PYTHON_ATTRIBUTES_H

#include "python-support.h"

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace lossless_python
{

/// @param known a name as ns-3 writes it @param name the same, or in snake case @return whether
/// they are the same name
bool SamePlain(const std::string& known, const std::string& name);

/// @param name as ns-3 writes it, "DataRate" @return it in snake case, "data_rate"
std::string SnakeCase(const std::string& name);

/**
 * @param type a type
 * @param name as ns-3 writes it, or in snake case: "DataRate" or "data_rate"
 * @return the attribute's name in ns-3; AttributeError, which says what there is, if there is none
 */
std::string FindAttributeName(ns3::TypeId type, const std::string& name);

/**
 * @param type a type
 * @param name of one of its attributes, as ns-3 writes it
 * @param value a Python value: text, number, truth value, Time, DataRate, Part or object
 * @return the value, checked; ValueError says what is allowed
 */
ns3::Ptr<ns3::AttributeValue> ToAttribute(ns3::TypeId type,
                                          const std::string& name,
                                          const py::handle& value);

/// @param type a type @param values by keyword, as FindAttributeName() and ToAttribute() take them
/// @return them by the names of ns-3, all checked
LOSSLESS_FOR_MODULES std::vector<std::pair<std::string, ns3::Ptr<ns3::AttributeValue>>>
CheckAttributes(ns3::TypeId type, const py::kwargs& values);

/// @param value a value @return how an attribute of text takes it
std::string ToText(const py::handle& value);

/// Set attributes: all of them at all objects or, with an exception, none. @param objects whose
/// @param values by keyword, as FindAttributeName() and ToAttribute() take them
void SetAttributes(const std::vector<ns3::Ptr<ns3::Object>>& objects, const py::kwargs& values);

/// @param object an object @param name as FindAttributeName() takes it @return its value
py::object GetAttribute(const ns3::Object& object, const std::string& name);

/// @param type a type @return names of its attributes and of those of its parents
std::vector<std::string> ListAttributes(ns3::TypeId type);

/// What can be given to a new object of a type.
struct AttributeOfType
{
    std::string name;         //!< as ns-3 writes it
    std::string valueType;    //!< of ns-3, such as "ns3::TimeValue"
    std::string defaultValue; //!< as text
    std::string help;         //!< what it is, with units
};

/// @param type a type @return what can be given to its constructor, its parents' last
std::vector<AttributeOfType> ConstructorAttributes(ns3::TypeId type);

/// @param name "ns3::Type", or without "ns3::" @return the type; ValueError if there is none
ns3::TypeId FindType(const std::string& name);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_ATTRIBUTES_H

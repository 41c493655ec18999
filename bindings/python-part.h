// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_PART_H
#define LOSSLESS_PYTHON_PART_H

#include "python-support.h"

#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <functional>
#include <string>
#include <vector>

namespace lossless_python
{

/// A type and attributes that differ from their defaults: what makes congestion controls, markers,
/// load balancers and other parts that a fabric has many of.
class Part
{
  public:
    /// @param type name, "ns3::" may be left out @param attributes values by name
    Part(const std::string& type, const py::kwargs& attributes);

    /// @return the type
    ns3::TypeId GetTypeId() const
    {
        return m_factory.GetTypeId();
    }

    /// @return the factory
    const ns3::ObjectFactory& GetFactory() const
    {
        return m_factory;
    }

    /// @return "ns3::Type[Attribute=value|Attribute=value]"
    std::string GetText() const;

    /// @return the type's name and the values as text, by name, for pickle
    py::tuple GetState() const;

    /// @return what Python would write to make it
    std::string GetRepr() const;

  private:
    ns3::ObjectFactory m_factory;
    std::vector<std::pair<std::string, std::string>> m_values; //!< by ns-3's names
    bool m_hasObjects{false};                                  //!< among the values
};

/// @param value a Part, or the name of a type @return the Part
Part ToPart(const py::object& value);

/// @param base TypeId of a class that Python knows @param wrap makes its Python object
void RegisterWrapper(ns3::TypeId base, std::function<py::object(ns3::Ptr<ns3::Object>)> wrap);

/// @param object any object, or null @return it, of the most special class that Python knows
py::object Wrap(ns3::Ptr<ns3::Object> object);

/// @param device a device or null @return " of node 3, port 1", as far as that is known
std::string PlaceOf(const ns3::NetDevice* device);

/// An ns3::Object that Wrap() knows. @tparam Base its base class
template <typename T, typename Base>
py::class_<T, Base, ns3::Ptr<T>>
KnownClass(py::module_& m, const char* name, const char* doc)
{
    RegisterWrapper(T::GetTypeId(), [](ns3::Ptr<ns3::Object> object) {
        return py::cast(ns3::DynamicCast<T>(object));
    });
    return ObjectClass<T, Base>(m, name, doc);
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_PART_H

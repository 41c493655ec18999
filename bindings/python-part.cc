// SPDX-License-Identifier: GPL-2.0-only
#include "python-part.h"

#include "python-attributes.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

#include <map>
#include <set>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// What makes the Python object of a type, by number of the TypeId.
std::map<uint16_t, std::function<py::object(Ptr<Object>)>>&
Wrappers()
{
    static std::map<uint16_t, std::function<py::object(Ptr<Object>)>> wrappers;
    return wrappers;
}

} // namespace

Part::Part(const std::string& type, const py::kwargs& attributes)
    : m_factory(FindType(type).GetName())
{
    if (!GetTypeId().IsChildOf(Object::GetTypeId()))
    {
        throw py::value_error(GetTypeId().GetName() + " is no type of objects");
    }
    if (!GetTypeId().HasConstructor())
    {
        throw py::value_error(GetTypeId().GetName() + " is abstract: name a type derived from it");
    }
    // With some versions of ns-3 these end the program when they go, unless they have been used.
    static const std::set<std::string> fragile{"ns3::DefaultSimulatorImpl",
                                               "ns3::Ping",
                                               "ns3::Radvd",
                                               "ns3::RealtimeSimulatorImpl",
                                               "ns3::Rip",
                                               "ns3::RipNg",
                                               "ns3::ThreeGppHttpClient"};
    if (fragile.count(GetTypeId().GetName()))
    {
        throw py::value_error(GetTypeId().GetName() + " cannot be made by itself; ns-3 makes it");
    }
    auto given = attributes.begin();
    for (const auto& [name, value] : CheckAttributes(GetTypeId(), attributes))
    {
        FabricAttributes::Set(m_factory, name, *value);
        TypeId::AttributeInformation info;
        GetTypeId().LookupAttributeByName(name, &info);
        const py::handle written = (given++)->second;
        const bool hasOwnText = dynamic_cast<const ObjectFactoryValue*>(PeekPointer(value)) ||
                                dynamic_cast<const PointerValue*>(PeekPointer(value));
        m_values.emplace_back(name, hasOwnText ? ToText(written) : ExactText(*value, info.checker));
        m_hasObjects |= py::isinstance<Object>(written);
    }
}

std::string
Part::GetText() const
{
    std::string text;
    for (const auto& [name, value] : m_values)
    {
        text += (text.empty() ? "" : "|") + name + "=" + value;
    }
    return GetTypeId().GetName() + "[" + text + "]";
}

py::tuple
Part::GetState() const
{
    if (m_hasObjects)
    {
        throw py::type_error(GetRepr() + " has an object, which cannot be pickled");
    }
    py::dict values;
    for (const auto& [name, value] : m_values)
    {
        values[py::str(name)] = value;
    }
    return py::make_tuple(GetTypeId().GetName(), values);
}

std::string
Part::GetRepr() const
{
    std::string text = "lossless.Part(\"" + GetTypeId().GetName() + "\"";
    for (const auto& [name, value] : m_values)
    {
        text += ", " + name + "=" + std::string(py::repr(py::str(value)));
    }
    return text + ")";
}

Part
ToPart(const py::object& value)
{
    if (py::isinstance<py::str>(value))
    {
        return Part(py::str(value), py::kwargs());
    }
    const bool isOfPython = py::hasattr(value, "_as_part"); // a CongestionControl of Python
    return (isOfPython ? value.attr("_as_part")() : value).cast<Part>();
}

void
RegisterWrapper(TypeId base, std::function<py::object(Ptr<Object>)> wrap)
{
    Wrappers()[base.GetUid()] = std::move(wrap);
}

std::string
PlaceOf(const NetDevice* device)
{
    const Ptr<Node> node = device ? device->GetNode() : nullptr;
    if (!node)
    {
        return "";
    }
    return " of node " + std::to_string(node->GetId()) + ", port " +
           std::to_string(device->GetIfIndex());
}

py::object
Wrap(Ptr<Object> object)
{
    if (!object)
    {
        return py::none();
    }
    TypeId type = object->GetInstanceTypeId();
    while (true)
    {
        const auto wrapper = Wrappers().find(type.GetUid());
        if (wrapper != Wrappers().end())
        {
            return wrapper->second(object);
        }
        if (!type.HasParent() || type.GetParent() == type)
        {
            return py::cast(object);
        }
        type = type.GetParent();
    }
}

} // namespace lossless_python

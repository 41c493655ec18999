// SPDX-License-Identifier: GPL-2.0-only
#include "python-settings.h"

#include "python-attributes.h"
#include "python-part.h"

#include "ns3/fabric-attributes.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/switch-mmu.h"

#include <string>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return the exact name of what a setting may be about: an attribute, or what SwitchMmu has for a
/// port and class
std::string
ExactName(TypeId type, const std::string& name)
{
    for (const char* own : {"Headroom", "StaticThreshold", "EgressStaticThreshold", "ServicePool"})
    {
        if (type == SwitchMmu::GetTypeId() && SamePlain(own, name))
        {
            return own;
        }
    }
    return FindAttributeName(type, name);
}

/// @return a value of Python for an attribute; an object is text, of which each place makes its own
Ptr<AttributeValue>
ToValue(TypeId type, const std::string& name, const py::handle& value)
{
    TypeId::AttributeInformation info;
    const bool isAttribute = type.LookupAttributeByName(name, &info);
    const bool isText = py::isinstance<Part>(value) || py::isinstance<py::str>(value);
    const bool isObject =
        isAttribute && dynamic_cast<const PointerChecker*>(PeekPointer(info.checker));
    if (!isAttribute || (isObject && isText))
    {
        return Create<StringValue>(ToText(value));
    }
    return ToAttribute(type, name, value);
}

} // namespace

FabricPlaces
ToPlaces(const py::object& places)
{
    if (py::isinstance<py::str>(places))
    {
        return FabricPlaces(places.cast<std::string>());
    }
    if (!PyCallable_Check(places.ptr()))
    {
        throw py::type_error(std::string(py::repr(places)) +
                             " names no places; expected text such as \"leaf\" or \"leaf 2 port "
                             "3\", or a callable that gets the name of a node");
    }
    return FabricPlaces::Those(py::repr(places), [places](const FabricTopology& topology) {
        const auto names = FabricPlaces::NamesOf(topology);
        std::vector<NodeId> nodes;
        for (const NodeId node : topology.Nodes())
        {
            if (py::bool_(places(names[node.Value()])))
            {
                nodes.push_back(node);
            }
        }
        return nodes;
    });
}

std::vector<FabricSetting>
ToSettings(const py::dict& values, const FabricOptions& options)
{
    std::vector<FabricSetting> settings;
    for (const auto& [key, value] : values)
    {
        const auto full = key.cast<std::string>();
        const std::size_t end = full.find_last_of(".:");
        const std::size_t typeEnd = full.find_last_not_of(".:", end);
        if (end == std::string::npos || typeEnd == std::string::npos)
        {
            throw py::value_error("\"" + full +
                                  "\" is no name of an attribute; such as \"SwitchMmu.alpha\"");
        }
        std::string name = full.substr(0, typeEnd + 1);
        name = name.compare(0, 5, "ns3::") == 0 ? name : "ns3::" + name;
        const TypeId type = FabricAttributes::FindType(name);
        const std::string exact = ExactName(type, full.substr(end + 1));
        settings.push_back(
            FabricSetting::Read(name + "::" + exact, *ToValue(type, exact, value), options));
    }
    return settings;
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-frame.h"
#include "python-part.h"
#include "python-traces.h"

#include "ns3/net-device.h"
#include "ns3/node.h"

#include <pybind11/stl.h>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// Set attributes by keyword. @return the object, for chains
Ptr<Object>
SetAll(const Ptr<Object>& object, const py::kwargs& values)
{
    SetAttributes({object}, values);
    return object;
}

/// `object.name = value`: a property of the Python class, else an attribute of ns-3.
void
SetByName(const py::object& self, const std::string& name, const py::object& value)
{
    if (py::hasattr(py::type::of(self), name.c_str()) || name[0] == '_')
    {
        if (PyObject_GenericSetAttr(self.ptr(), py::str(name).ptr(), value.ptr()) != 0)
        {
            throw py::error_already_set();
        }
        return;
    }
    py::kwargs values;
    values[py::str(name)] = value;
    SetAttributes({self.cast<Ptr<Object>>()}, values);
}

/// @return what to call an object
std::string
DescribeObject(const Object& object)
{
    std::string name = object.GetInstanceTypeId().GetName();
    name = name.rfind("ns3::", 0) == 0 ? "lossless." + name.substr(5) : name;
    if (const auto device = dynamic_cast<const NetDevice*>(&object))
    {
        name += PlaceOf(device);
    }
    else if (const auto node = object.GetObject<Node>())
    {
        name += " of node " + std::to_string(node->GetId());
    }
    return "<" + name + ">";
}

/// @return what an object has, and its attributes in snake case: what a console offers
std::vector<std::string>
Directory(const py::object& self)
{
    const py::object object = py::module_::import("builtins").attr("object");
    auto names = object.attr("__dir__")(self).cast<std::vector<std::string>>();
    for (const auto& name : ListAttributes(self.cast<const Object&>().GetInstanceTypeId()))
    {
        names.push_back(SnakeCase(name));
    }
    return names;
}

/// @return names of the types of a group; no group: of all
std::vector<std::string>
TypeNames(const std::string& group)
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (group.empty() || type.GetGroupName() == group)
        {
            names.push_back(type.GetName());
        }
    }
    return names;
}

} // namespace

void
BindObject(py::module_& m)
{
    Class<Object, Ptr<Object>>(
        m,
        "Object",
        "An object of ns-3. Any attribute of its type can be read and set by "
        "name, as obj.data_rate or obj.get(\"DataRate\"); any trace source "
        "takes a callable.")
        .def("set",
             &SetAll,
             "Set attributes, all of them or none: obj.set(data_rate=\"25Gbps\"). Returns the "
             "object.")
        .def("get", &GetAttribute, py::arg("name"), "The value of an attribute.")
        .def(
            "connect",
            [](Object& o, const std::string& name, const py::function& f) { Connect(o, name, f); },
            py::arg("name"),
            py::arg("callable"),
            "Call a callable with what a trace source tells, whenever it fires.")
        .def(
            "disconnect",
            [](Object& o, const std::string& name, const py::function& f) {
                RequireConnected(Disconnect(o, name, f), name, f);
            },
            py::arg("name"),
            py::arg("callable"),
            "End what connect() began with an equal callable.")
        .def(
            "attributes",
            [](const Object& o) { return ListAttributes(o.GetInstanceTypeId()); },
            "Names of all attributes.")
        .def(
            "trace_sources",
            [](const Object& o) { return ListTraceSources(o.GetInstanceTypeId()); },
            "Names of all trace sources.")
        .def(
            "get_object",
            [](const Object& o, const std::string& type) {
                return Wrap(o.GetObject<Object>(FindType(type)));
            },
            py::arg("type"),
            "An object that is aggregated to this one, by the name of its type; or None.")
        .def_property_readonly(
            "type_name",
            [](const Object& o) { return o.GetInstanceTypeId().GetName(); },
            "Name of the type in ns-3.")
        .def("__getattr__", &GetAttribute)
        .def("__dir__", &Directory)
        .def("__setattr__", &SetByName)
        .def("__repr__", ObjectRepr<Object>(&DescribeObject));
    RegisterWrapper(Object::GetTypeId(), [](Ptr<Object> object) { return py::cast(object); });

    Class<Part>(m,
                "Part",
                "A type of ns-3 and attributes that differ from their defaults, for parts that a "
                "fabric has many of: Part(\"RdmaDcqcn\", dialect=\"Nic\").")
        .def(py::init<const std::string&, const py::kwargs&>(), py::arg("type"))
        .def_property_readonly(
            "type_name",
            [](const Part& p) { return p.GetTypeId().GetName(); },
            "Name of the type in ns-3.")
        .def(
            "create",
            [](const Part& p) { return KeepFree(Wrap(p.GetFactory().Create<Object>())); },
            "A new object of it.")
        .def(py::pickle([](const Part& p) { return p.GetState(); },
                        [](const py::tuple& state) {
                            return Part(state[0].cast<std::string>(),
                                        py::reinterpret_borrow<py::kwargs>(state[1]));
                        }))
        .def("__str__", &Part::GetText)
        .def("__repr__", &Part::GetRepr)
        .def("__eq__",
             [](const Part& a, const py::object& b) {
                 return py::isinstance<Part>(b) && a.GetText() == b.cast<const Part&>().GetText();
             })
        .def("__hash__", [](const Part& p) { return std::hash<std::string>()(p.GetText()); });

    Class<PacketView>(m, "Packet", "A packet of the stock IP stack.")
        .def_property_readonly(
            "size",
            [](const PacketView& p) { return p.packet->GetSize(); },
            "Bytes.")
        .def_property_readonly(
            "uid",
            [](const PacketView& p) { return p.packet->GetUid(); },
            "The same for a packet wherever it is seen.")
        .def(
            "to_bytes",
            [](const PacketView& p) {
                std::string content(p.packet->GetSize(), '\0');
                p.packet->CopyData(reinterpret_cast<uint8_t*>(content.data()), p.packet->GetSize());
                return py::bytes(content);
            },
            "Headers and payload, as on the wire.")
        .def("__len__", [](const PacketView& p) { return p.packet->GetSize(); })
        .def("__repr__", [](const PacketView& p) {
            return "<lossless.Packet of " + std::to_string(p.packet->GetSize()) + " bytes>";
        });

    m.def(
        "create",
        [](const std::string& type, const py::kwargs& attributes) {
            return KeepFree(Wrap(Part(type, attributes).GetFactory().Create<Object>()));
        },
        py::arg("type"),
        "A new object: create(\"WredEcnMarker\", pmax=0.1).");
    m.def(
        "constructor_attributes",
        [](const std::string& type) {
            std::vector<std::tuple<std::string, std::string, std::string, std::string>> list;
            for (const auto& a : ConstructorAttributes(FindType(type)))
            {
                list.emplace_back(a.name, a.valueType, a.defaultValue, a.help);
            }
            return list;
        },
        py::arg("type"),
        "What can be given to a new object of a type: name, type of its values, default, help.");
    m.def("type_names",
          &TypeNames,
          py::arg("group") = "",
          "Names of all types, or of those of a group of ns-3, such as \"Lossless\".");
    m.def(
        "unknown_trace_sources",
        [](const std::string& name) {
            const TypeId type = FindType(name);
            std::vector<std::string> unknown;
            for (const auto& source : ListTraceSources(type))
            {
                if (!KnowsTraceSource(type, source))
                {
                    unknown.push_back(source);
                }
            }
            return unknown;
        },
        py::arg("type"),
        "Trace sources of a type that no callable can be connected to.");
}

} // namespace lossless_python

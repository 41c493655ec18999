// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-frame.h"
#include "python-part.h"
#include "python-traces.h"

#include "ns3/config.h"
#include "ns3/fabric-attributes.h"
#include "ns3/packet.h"
#include "ns3/rng-seed-manager.h"

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
    for (const auto& [name, value] : values)
    {
        SetAttribute(*object, name.cast<std::string>(), value);
    }
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
    SetAttribute(self.cast<Object&>(), name, value);
}

/// @return what to call an object
std::string
Describe(const Object& object)
{
    std::string name = object.GetInstanceTypeId().GetName();
    return "<" + (name.rfind("ns3::", 0) == 0 ? "lossless." + name.substr(5) : name) + ">";
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
        .def("set", &SetAll, "Set attributes: obj.set(data_rate=\"25Gbps\"). Returns the object.")
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
                Disconnect(o, name, f);
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
        .def("__setattr__", &SetByName)
        .def("__repr__", &Describe);
    RegisterWrapper(Object::GetTypeId(), [](Ptr<Object> object) { return py::cast(object); });

    Class<Part>(m,
                "Part",
                "A type of ns-3 and attributes that differ from their defaults, for parts that a "
                "fabric has many of: Part(\"RdmaDcqcn\", dialect=\"Nic\").")
        .def(py::init<const std::string&, const py::kwargs&>(), py::arg("type"))
        .def_property_readonly("type_name", [](const Part& p) { return p.GetTypeId().GetName(); })
        .def(
            "create",
            [](const Part& p) { return Wrap(p.GetFactory().Create<Object>()); },
            "A new object of it.")
        .def("__str__", &Part::GetText)
        .def("__repr__", &Part::GetRepr)
        .def("__eq__",
             [](const Part& a, const py::object& b) {
                 return py::isinstance<Part>(b) && a.GetText() == b.cast<const Part&>().GetText();
             })
        .def("__hash__", [](const Part& p) { return std::hash<std::string>()(p.GetText()); });

    Class<Packet, Ptr<Packet>>(m, "Packet", "A packet of the stock IP stack.")
        .def_property_readonly("size", &Packet::GetSize, "Bytes.")
        .def_property_readonly("uid", &Packet::GetUid)
        .def("__len__", &Packet::GetSize)
        .def("__repr__",
             [](const Packet& p) { return "<Packet " + std::to_string(p.GetSize()) + " bytes>"; });

    m.def(
        "create",
        [](const std::string& type, const py::kwargs& attributes) {
            return Wrap(Part(type, attributes).GetFactory().Create<Object>());
        },
        py::arg("type"),
        "A new object: create(\"WredEcnMarker\", pmax=0.1).");
    m.def(
        "set_default",
        [](const std::string& name, const py::object& value) {
            const std::size_t colons = name.rfind("::");
            if (colons == std::string::npos)
            {
                throw py::value_error("\"" + name +
                                      "\" is no attribute; expected \"RdmaDcqcn::Dialect\"");
            }
            const TypeId type = FindType(name.substr(0, colons));
            const std::string exact = FindAttributeName(type, name.substr(colons + 2));
            ToAttribute(type, exact, value);
            FabricAttributes::SetDefault(type.GetName() + "::" + exact, ToText(value));
        },
        py::arg("name"),
        py::arg("value"),
        "Change the default of an attribute: set_default(\"RdmaQueuePair::Mtu\", 4096).");
    m.def(
        "describe_attributes",
        [](const std::string& type) { return DescribeAttributes(FindType(type)); },
        py::arg("type"),
        "One line for each attribute of a type: name, default, help.");
    m.def("reset_defaults", &Config::Reset, "Give all attributes their defaults again.");
    m.def(
        "set_seed",
        [](uint32_t seed, uint64_t run) {
            if (seed == 0)
            {
                throw py::value_error("seed is 0; it must be 1 or more");
            }
            RngSeedManager::SetSeed(seed);
            RngSeedManager::SetRun(run);
        },
        py::arg("seed") = 1,
        py::arg("run") = 1,
        "Seed and run number of the random streams.");
}

} // namespace lossless_python

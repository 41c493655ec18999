// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-part.h"
#include "python-run.h"
#include "python-traces.h"

#include "ns3/config.h"
#include "ns3/environment-values.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/global-value.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// The static methods of class Config.
struct ConfigFunctions
{
};

/// What a path names: objects, and one of their attributes or trace sources.
struct Target
{
    Config::MatchContainer objects;
    std::string leaf;
};

/// @param path of objects; ValueError if ns-3 would end the program for it
Config::MatchContainer
Match(const std::string& path)
{
    if (path.empty() || path[0] != '/')
    {
        throw py::value_error("path is \"" + path +
                              "\"; it must begin as \"/NodeList/*/DeviceList/*\"");
    }
    std::istringstream elements(path);
    for (std::string element; std::getline(elements, element, '/');)
    {
        if (!element.empty() && element[0] == '$')
        {
            FindType(
                element.substr(1)); // ns-3 does not come back from a type that it does not know
        }
    }
    return Config::LookupMatches(path);
}

/// @param path of an attribute or a trace source; ValueError if it matches nothing
Target
Resolve(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == path.size())
    {
        throw py::value_error("path is \"" + path +
                              "\"; it must be as \"/NodeList/*/DeviceList/*/Mtu\"");
    }
    Target target{Match(path.substr(0, slash)), path.substr(slash + 1)};
    if (target.objects.GetN() == 0)
    {
        throw py::value_error("path \"" + path + "\" matches nothing: there are no objects \"" +
                              path.substr(0, slash) + "\"");
    }
    return target;
}

void
SetDefault(const std::string& name, const py::object& value)
{
    const std::size_t colons = name.rfind("::");
    if (colons == std::string::npos)
    {
        throw py::value_error("\"" + name + "\" is no attribute; expected \"RdmaDcqcn::Dialect\"");
    }
    const TypeId type = FindType(name.substr(0, colons));
    const std::string exact = FindAttributeName(type, name.substr(colons + 2));
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(exact, &info);
    if (dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
    {
        throw py::value_error(
            type.GetName() + "::" + exact +
            " is an object, which cannot be the default of many; set it where the "
            "fabric is made, such as scheduler=\"DwrrScheduler\"");
    }
    FabricAttributes::SetDefault(type.GetName() + "::" + exact, *ToAttribute(type, exact, value));
}

void
Reset()
{
    Config::Reset();
    FabricSimulatorImpl::UseByDefault(); // one of the global values that ns-3 has reset
    EnvironmentValues::ApplyDefaults();
}

/// A device of another kind may stand beside those that a path is about, such as the loopback
/// device of an IP stack beside ports. @param objects of a path @param has whether an object has
/// what the path names @return numbers of those that have it; where none has, of all
std::vector<std::size_t>
Choose(const Config::MatchContainer& objects, const std::function<bool(const Object&)>& has)
{
    std::vector<std::size_t> chosen;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < objects.GetN(); ++i)
    {
        all.push_back(i);
        if (has(*objects.Get(i)))
        {
            chosen.push_back(i);
        }
    }
    return chosen.empty() ? all : chosen;
}

void
SetByPath(const std::string& path, const py::object& value)
{
    const Target target = Resolve(path);
    py::kwargs values;
    values[py::str(target.leaf)] = value;
    const auto has = [&target](const Object& object) {
        const auto names = ListAttributes(object.GetInstanceTypeId());
        return std::find(names.begin(), names.end(), target.leaf) != names.end();
    };
    std::vector<Ptr<Object>> objects;
    for (const std::size_t i : Choose(target.objects, has))
    {
        objects.push_back(target.objects.Get(i));
    }
    SetAttributes(objects, values);
}

/// Call something for all trace sources of a path, with the path of each as context.
void
ForEachSource(const std::string& path,
              const std::function<void(Object&, const std::string&, const py::object&)>& action)
{
    const Target target = Resolve(path);
    const auto has = [&target](const Object& object) {
        return object.GetInstanceTypeId().LookupTraceSourceByName(target.leaf) != nullptr;
    };
    for (const std::size_t i : Choose(target.objects, has))
    {
        const Ptr<Object> object = target.objects.Get(i);
        const std::string exact = FindTraceSourceName(object->GetInstanceTypeId(), target.leaf);
        action(*object, exact, py::str(target.objects.GetMatchedPath(i) + exact));
    }
}

py::list
Lookup(const std::string& path)
{
    py::list all;
    for (const auto& object : Match(path))
    {
        all.append(Wrap(object));
    }
    return all;
}

void
SetSeed(const py::int_& seed, uint64_t run)
{
    RequireIdle("a seed within a run, whose random streams have theirs; set it before the run");
    const uint64_t number = PyLong_AsUnsignedLongLong(seed.ptr());
    if (PyErr_Occurred())
    {
        PyErr_Clear();
        throw py::value_error("the seed is " + std::string(py::str(py::handle(seed))) +
                              "; it must be 1 to 4294944442");
    }
    FabricProgram::RequireSeed(number);
    RngSeedManager::SetSeed(static_cast<uint32_t>(number));
    RngSeedManager::SetRun(run);
}

/// @return what objects and random streams to come depend on: all global values by name, with seed
/// and run number, and each default of an attribute that is not its type's
std::map<std::string, std::string>
ReadSettings()
{
    std::map<std::string, std::string> settings;
    for (auto each = GlobalValue::Begin(); each != GlobalValue::End(); ++each)
    {
        StringValue text;
        (*each)->GetValue(text);
        settings[(*each)->GetName()] = text.Get();
    }
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t k = 0; k < type.GetAttributeN(); ++k)
        {
            const auto info = type.GetAttribute(k);
            if (info.initialValue == info.originalInitialValue)
            {
                continue; // nobody has set it; some stock types have values without a text
            }
            const std::string value = ExactText(*info.initialValue, info.checker);
            if (value != ExactText(*info.originalInitialValue, info.checker))
            {
                settings[type.GetName() + "::" + info.name] = value;
            }
        }
    }
    return settings;
}

/// Two random variables draw from what a C++ program hands them, which Python cannot: without it
/// ns-3 ends the program.
void
RequireUsable(const RandomVariableStream& variable)
{
    const std::string name = variable.GetInstanceTypeId().GetName();
    if (name == "ns3::DeterministicRandomVariable" || name == "ns3::EmpiricalRandomVariable")
    {
        throw std::runtime_error(name + " has no values; use for example UniformRandomVariable");
    }
}

void
BindRandom(py::module_& m)
{
    m.def("set_seed",
          &SetSeed,
          py::arg("seed") = 1,
          py::arg("run") = 1,
          "Seed, 1 to 4294944442, and run number of the random streams, before a run.");
    m.def(
        "seed_in_force",
        [] { return py::make_tuple(RngSeedManager::GetSeed(), RngSeedManager::GetRun()); },
        "Seed and run number that random streams made now would have.");
    m.def("settings_in_force",
          &ReadSettings,
          "Global values, and defaults of attributes that are not those of their types, as text.");
    KnownClass<RandomVariableStream, Object>(
        m,
        "RandomVariable",
        "A random variable of ns-3: create(\"ExponentialRandomVariable\", mean=2). Attribute "
        "stream: the number of its random stream, -1 for the next free one.")
        .def(
            "get_value",
            [](RandomVariableStream& v) {
                RequireUsable(v);
                return v.GetValue();
            },
            "The next value.")
        .def(
            "get_integer",
            [](RandomVariableStream& v) {
                RequireUsable(v);
                return v.GetInteger();
            },
            "The next value, as a whole number.");
}

} // namespace

void
BindConfig(py::module_& m)
{
    Class<ConfigFunctions>(
        m,
        "Config",
        "ns-3's configuration by name and by path, as \"/NodeList/*/DeviceList/0/Mtu\".")
        .def_static("set_default",
                    &SetDefault,
                    py::arg("name"),
                    py::arg("value"),
                    "Change the default of an attribute: set_default(\"RdmaQueuePair::Mtu\", "
                    "4096).")
        .def_static("reset",
                    &Reset,
                    "Give all attributes their defaults again: those of NS_ATTRIBUTE_DEFAULT, and "
                    "else those of their types; and the random streams their first seed.")
        .def_static("set",
                    &SetByPath,
                    py::arg("path"),
                    py::arg("value"),
                    "Set the attribute of all objects that a path matches.")
        .def_static(
            "connect",
            [](const std::string& path, const py::function& function) {
                ForEachSource(path, [&](Object& o, const std::string& name, const py::object& c) {
                    Connect(o, name, function, c);
                });
            },
            py::arg("path"),
            py::arg("callable"),
            "Call a callable whenever a trace source of a path fires: with the source's own path, "
            "then with what it tells.")
        .def_static(
            "disconnect",
            [](const std::string& path, const py::function& function) {
                bool isAny = false;
                ForEachSource(path, [&](Object& o, const std::string& name, const py::object& c) {
                    isAny |= Disconnect(o, name, function, c);
                });
                RequireConnected(isAny, path, function);
            },
            py::arg("path"),
            py::arg("callable"),
            "End what connect() began with an equal callable.")
        .def_static("lookup",
                    &Lookup,
                    py::arg("path"),
                    "The objects that a path matches: lookup(\"/NodeList/*/DeviceList/*\").");
    BindRandom(m);
}

} // namespace lossless_python

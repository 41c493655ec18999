// SPDX-License-Identifier: GPL-2.0-only
#include "python-traces.h"

#include "python-attributes.h"
#include "python-callable.h"
#include "python-signatures.h"

#include "ns3/fabric-partitions.h"
#include "ns3/fabric-text.h"
#include "ns3/trace-source-accessor.h"

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return what makes callbacks for a trace source, or null
SinkMaker
FindMaker(TypeId type, const std::string& name, const std::string& signature)
{
    // The type that has the trace source, of which this may be derived.
    while (type.HasParent() && type.GetParent() != type &&
           type.GetParent().LookupTraceSourceByName(name))
    {
        type = type.GetParent();
    }
    for (const std::string& key : {type.GetName() + "::" + name, signature})
    {
        for (const SinkTable* table : {&LosslessSinks(), &StockSinks()})
        {
            const auto found = table->find(key);
            if (found != table->end())
            {
                return found->second;
            }
        }
    }
    return nullptr;
}

/// A trace source, and a callback for it.
struct Found
{
    Ptr<const TraceSourceAccessor> accessor;
    PythonCallable callable;
    CallbackBase sink;
};

/// @return the trace source of a name, with a callback that calls a function
Found
Find(const Object& object,
     const std::string& name,
     const py::function& function,
     const py::object& context)
{
    const TypeId type = object.GetInstanceTypeId();
    const std::string exact = FindTraceSourceName(type, name);
    TypeId::TraceSourceInformation info;
    const auto accessor = type.LookupTraceSourceByName(exact, &info);
    const SinkMaker maker = FindMaker(type, exact, info.callback);
    if (!maker)
    {
        throw py::type_error("trace source " + type.GetName() + "::" + exact +
                             " has the signature " + info.callback +
                             ", which the bindings do not know");
    }
    const PythonCallable callable(function, {&object, type.GetName() + "::" + exact, context});
    return {accessor, callable, maker(callable)};
}

} // namespace

std::string
FindTraceSourceName(TypeId type, const std::string& name)
{
    const auto names = ListTraceSources(type);
    for (const auto& known : names)
    {
        if (SamePlain(known, name))
        {
            return known;
        }
    }
    const std::string hint = FabricText::DidYouMean(name, names);
    throw py::attribute_error(type.GetName() + " has no trace source \"" + name + "\"" +
                              (hint.empty() ? "" : "; " + hint));
}

bool
KnowsTraceSource(TypeId type, const std::string& name)
{
    TypeId::TraceSourceInformation info;
    const std::string exact = FindTraceSourceName(type, name);
    type.LookupTraceSourceByName(exact, &info);
    return FindMaker(type, exact, info.callback) != nullptr;
}

std::vector<std::string>
ListTraceSources(TypeId type)
{
    std::vector<std::string> names;
    while (true)
    {
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            names.push_back(type.GetTraceSource(i).name);
        }
        if (!type.HasParent() || type.GetParent() == type)
        {
            return names;
        }
        type = type.GetParent();
    }
}

void
Connect(Object& object,
        const std::string& name,
        const py::function& function,
        const py::object& context)
{
    RequireOneThread("a Python function of a trace source");
    const Found found = Find(object, name, function, context);
    if (!found.accessor->ConnectWithoutContext(&object, found.sink))
    {
        throw py::type_error("trace source " + name + " of " +
                             object.GetInstanceTypeId().GetName() +
                             " does not have the signature that it documents");
    }
}

bool
Disconnect(Object& object,
           const std::string& name,
           const py::function& function,
           const py::object& context)
{
    const Found found = Find(object, name, function, context);
    const bool isConnected = PythonCallable::IsConnected(found.callable);
    if (PythonCallable::IsAnyActive())
    {
        // The list of callbacks may be the one that is being read: nothing is taken out of it now.
        PythonCallable::CutAll(found.callable);
    }
    else
    {
        found.accessor->DisconnectWithoutContext(&object, found.sink);
    }
    return isConnected;
}

void
RequireConnected(bool isConnected, const std::string& where, const py::function& function)
{
    if (!isConnected)
    {
        throw py::value_error(std::string(py::repr(function)) + " is not connected to " + where +
                              "; give the function that connect() was given");
    }
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#include "python-traces.h"

#include "python-attributes.h"
#include "python-callable.h"
#include "python-frame.h"

#include "ns3/callback.h"
#include "ns3/fabric-text.h"
#include "ns3/pfc-storm-machine.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/trace-source-accessor.h"

#include <map>
#include <type_traits>

namespace lossless_python
{

using namespace ns3;

namespace
{

// What Python gets of an argument: numbers by value, objects by reference, the rest as a copy.

template <typename T>
auto
ToPython(const T& value)
{
    if constexpr (std::is_base_of_v<Object, T>)
    {
        return Borrow(value);
    }
    else if constexpr (std::is_same_v<T, Frame>)
    {
        return FrameCopy(value);
    }
    else
    {
        return value;
    }
}

template <typename T>
Ptr<T>
ToPython(const Ptr<const T>& value)
{
    return ConstCast<T>(value);
}

/// Called by a trace source.
template <typename... Args>
void
Call(PythonCallable function, Args... args)
{
    function(ToPython(args)...);
}

/// @return a callback for a trace source with these arguments
template <typename... Args>
CallbackBase
MakeSink(const PythonCallable& function)
{
    return MakeBoundCallback(&Call<Args...>, function);
}

/// Makes the callback for one signature.
using SinkMaker = CallbackBase (*)(const PythonCallable&);

/// @return what makes a callback, by the name of the signature that trace sources document
const std::map<std::string, SinkMaker>&
Sinks()
{
    static const std::map<std::string, SinkMaker> sinks{
        {"ns3::TracedCallback::Void", &MakeSink<>},
        {"ns3::Packet::TracedCallback", &MakeSink<Ptr<const Packet>>},
        {"ns3::TracedValueCallback::Uint32", &MakeSink<uint32_t, uint32_t>},
        {"ns3::TracedValueCallback::Double", &MakeSink<double, double>},
        {"ns3::TracedValueCallback::Time", &MakeSink<Time, Time>},
        {"ns3::TracedValueCallback::Bool", &MakeSink<bool, bool>},
        {"ns3::L2Tables::FloodTracedCallback", &MakeSink<const Frame&, uint32_t>},
        {"ns3::NicWatchdog::StoppedTracedCallback", &MakeSink<uint32_t, uint8_t, bool>},
        {"ns3::PfcWatchdog::StateTracedCallback",
         &MakeSink<uint32_t, uint32_t, PfcQueueState, PfcQueueState>},
        {"ns3::EcnTuner::KminTracedCallback", &MakeSink<uint32_t, double>},
        {"ns3::FabricSwitch::DropTracedCallback",
         &MakeSink<uint32_t, uint32_t, uint32_t, DropReason>},
        {"ns3::FabricSwitch::QueueTracedCallback", &MakeSink<uint32_t, uint32_t, uint64_t>},
        {"ns3::PolledWredMarker::AlarmTracedCallback", &MakeSink<uint32_t, uint32_t, uint64_t>},
        {"ns3::QbbNetDevice::DropTracedCallback",
         &MakeSink<const QbbNetDevice&, const Frame&, DropReason>},
        {"ns3::QbbNetDevice::FrameTracedCallback", &MakeSink<const QbbNetDevice&, const Frame&>},
        {"ns3::QbbNetDevice::PauseStateTracedCallback",
         &MakeSink<const QbbNetDevice&, uint32_t, bool>},
        {"ns3::QbbNetDevice::PfcTracedCallback",
         &MakeSink<const QbbNetDevice&, uint32_t, uint16_t>},
        {"ns3::RdmaHw::CompletionTracedCallback",
         &MakeSink<const RdmaQueuePair&, const RdmaCompletion&>},
        {"ns3::RdmaQueuePair::CompletionTracedCallback", &MakeSink<const RdmaCompletion&>},
        {"ns3::RdmaQueuePair::RateTracedCallback", &MakeSink<double>},
        {"ns3::SwitchCnpSender::CnpTracedCallback", &MakeSink<uint32_t, uint32_t, uint32_t>},
    };
    return sinks;
}

/// A trace source, and a callback for it.
struct Found
{
    Ptr<const TraceSourceAccessor> accessor;
    CallbackBase sink;
};

/// @return the trace source of a name, with a callback that calls a function
Found
Find(const Object& object, const std::string& name, const py::function& function)
{
    const TypeId type = object.GetInstanceTypeId();
    std::string exact;
    for (const auto& known : ListTraceSources(type))
    {
        exact = SamePlain(known, name) ? known : exact;
    }
    if (exact.empty())
    {
        const std::string hint = FabricText::DidYouMean(name, ListTraceSources(type));
        throw py::attribute_error(type.GetName() + " has no trace source \"" + name + "\"" +
                                  (hint.empty() ? "" : "; " + hint));
    }
    TypeId::TraceSourceInformation info;
    const auto accessor = type.LookupTraceSourceByName(exact, &info);
    const auto sink = Sinks().find(info.callback);
    if (sink == Sinks().end())
    {
        throw py::type_error("trace source " + type.GetName() + "::" + exact +
                             " has the signature " + info.callback +
                             ", which the bindings do not know");
    }
    return {accessor, sink->second(PythonCallable(function))};
}

} // namespace

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
Connect(Object& object, const std::string& name, const py::function& function)
{
    const Found found = Find(object, name, function);
    if (!found.accessor->ConnectWithoutContext(&object, found.sink))
    {
        throw py::type_error("trace source " + name + " of " +
                             object.GetInstanceTypeId().GetName() +
                             " does not have the signature that it documents");
    }
}

void
Disconnect(Object& object, const std::string& name, const py::function& function)
{
    const Found found = Find(object, name, function);
    found.accessor->DisconnectWithoutContext(&object, found.sink);
}

} // namespace lossless_python

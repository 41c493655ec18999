// SPDX-License-Identifier: GPL-2.0-only
#include "python-signatures.h"

#include "python-deadlock.h"

#include "ns3/data-rate.h"
#include "ns3/inof-message.h"
#include "ns3/nstime.h"
#include "ns3/pfc-storm-machine.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-queue-pair.h"

namespace lossless_python
{

using namespace ns3;

/// Deadlocks are dictionaries, as in DeadlockDetector.deadlocks.
template <>
struct AsObject<Deadlock> : std::true_type
{
    static py::object Make(const Deadlock& deadlock)
    {
        return DeadlockToDict(deadlock);
    }
};

/// A host of iNOF is an object with its members.
template <>
struct AsObject<InofHostInfo> : std::true_type
{
    static py::object Make(const InofHostInfo& host)
    {
        using namespace py::literals;
        return SimpleObject("id"_a = host.id,
                            "address"_a = AddressText(host.address),
                            "role"_a = host.role == InofRole::DISK ? "disk" : "server",
                            "pfc_classes"_a = host.pfcClasses);
    }
};

/// A reason is its name.
template <>
struct AsObject<InofReason> : std::true_type
{
    static py::object Make(InofReason reason)
    {
        return py::str(ToString(reason));
    }
};

const SinkTable&
LosslessSinks()
{
    static const SinkTable sinks{
        {"ns3::TracedCallback::Void", &MakeSink<>},
        {"ns3::NetDevice::LinkChangeTracedCallback", &MakeSink<>},
        {"ns3::Packet::TracedCallback", &MakeSink<Ptr<const Packet>>},
        {"ns3::Time::TracedCallback", &MakeSink<Time>},
        {"ns3::TracedValueCallback::Bool", &MakeSink<bool, bool>},
        {"ns3::TracedValueCallback::DataRate", &MakeSink<DataRate, DataRate>},
        {"ns3::TracedValueCallback::Double", &MakeSink<double, double>},
        {"ns3::TracedValueCallback::Int8", &MakeSink<int8_t, int8_t>},
        {"ns3::TracedValueCallback::Int16", &MakeSink<int16_t, int16_t>},
        {"ns3::TracedValueCallback::Int32", &MakeSink<int32_t, int32_t>},
        {"ns3::TracedValueCallback::Int64", &MakeSink<int64_t, int64_t>},
        {"ns3::TracedValueCallback::Time", &MakeSink<Time, Time>},
        {"ns3::TracedValueCallback::Uint8", &MakeSink<uint8_t, uint8_t>},
        {"ns3::TracedValueCallback::Uint16", &MakeSink<uint16_t, uint16_t>},
        {"ns3::TracedValueCallback::Uint32", &MakeSink<uint32_t, uint32_t>},
        {"ns3::TracedValueCallback::Uint64", &MakeSink<uint64_t, uint64_t>},

        {"ns3::BorderPolicy::MatchTracedCallback", &MakeSink<uint32_t, const Frame&>},
        {"ns3::DeadlockDetector::DeadlockTracedCallback", &MakeSink<const Deadlock&>},
        {"ns3::EcnTuner::FeaturesTracedCallback",
         &MakeSink<uint32_t, double, uint32_t, double, double>},
        {"ns3::EcnTuner::KminTracedCallback", &MakeSink<uint32_t, double>},
        {"ns3::ElephantSeparator::ElephantTracedCallback",
         &MakeSink<uint32_t, uint32_t, uint32_t, uint32_t, bool>},
        {"ns3::ElephantSeparator::QueueChangeTracedCallback",
         &MakeSink<const Frame&, uint32_t, bool>},
        {"ns3::FabricSwitch::DropTracedCallback",
         &MakeSink<uint32_t, uint32_t, uint32_t, DropReason>},
        {"ns3::FabricSwitch::QueueTracedCallback", &MakeSink<uint32_t, uint32_t, uint64_t>},
        {"ns3::InofHostAgent::PeerDownTracedCallback", &MakeSink<const InofHostInfo&, InofReason>},
        {"ns3::InofHostAgent::PeerUpTracedCallback", &MakeSink<const InofHostInfo&>},
        {"ns3::InofSwitchAgent::NotifyTracedCallback",
         &MakeSink<uint32_t, const InofHostInfo&, bool, InofReason>},
        {"ns3::InofSwitchAgent::SessionTracedCallback", &MakeSink<uint32_t, bool>},
        {"ns3::L2Tables::FloodTracedCallback", &MakeSink<const Frame&, uint32_t>},
        {"ns3::NicWatchdog::StoppedTracedCallback", &MakeSink<uint32_t, uint8_t, bool>},
        {"ns3::PfcWatchdog::StateTracedCallback",
         &MakeSink<uint32_t, uint32_t, PfcQueueState, PfcQueueState>},
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
        {"ns3::RdmaHw::WentBackTracedCallback", &MakeSink<const RdmaQueuePair&, uint64_t, Time>},
        {"ns3::RdmaQueuePair::CompletionTracedCallback", &MakeSink<const RdmaCompletion&>},
        {"ns3::RdmaQueuePair::RateTracedCallback", &MakeSink<double>},
        {"ns3::SwitchCnpSender::CnpTracedCallback", &MakeSink<uint32_t, uint32_t, uint32_t>},
        {"ns3::TableEcnAdvisor::LookupTracedCallback", &MakeSink<double, bool>},
        {"ns3::VxlanEndpoint::FrameTracedCallback", &MakeSink<const Frame&>},
        {"ns3::VxlanNetDevice::DropTracedCallback", &MakeSink<Ptr<const Packet>, DropReason>},
    };
    return sinks;
}

} // namespace lossless_python

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-terms.h"

#include "rdma-entropy-none.h"
#include "rdma-go-back-n.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/factory-like.h"
#include "ns3/fixed-accessor.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/lossless-link.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-dcqcn.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaTerms");

namespace
{

/// @param tid of a policy @return a factory for it
ObjectFactory
FactoryOf(TypeId tid)
{
    // By TypeId and not by name: this runs before main(), maybe before the policy is registered.
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory;
}

/// @param type of a policy @return whether objects of the type can differ
bool
HasAttributes(TypeId type)
{
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        if (type.GetAttributeN() > 0)
        {
            return true;
        }
    }
    return false;
}

} // namespace

RdmaTerms::RdmaTerms() = default;

RdmaTerms::RdmaTerms(const RdmaTerms& like)
    : Object(like),
      FixedWhenUsed(like),
      m_dataClass(like.m_dataClass),
      m_paceByRate(like.m_paceByRate),
      m_repace(like.m_repace),
      m_turnByNumber(like.m_turnByNumber),
      m_ackClass(like.m_ackClass),
      m_ackQueue(like.m_ackQueue),
      m_cnpClass(like.m_cnpClass),
      m_readAcks(like.m_readAcks),
      m_variableWindow(like.m_variableWindow),
      m_factories(std::make_unique<Factories>(*like.m_factories)),
      m_flow(like.m_flow)
{
    m_end.connection = like.m_end.connection;
    if (like.m_end.times)
    {
        m_end.times = std::make_unique<RdmaHostTimes>(*like.m_end.times);
    }
}

RdmaTerms::~RdmaTerms() = default;

TypeId
RdmaTerms::AddTerms(TypeId tid)
{
    return AddPolicies(AddHostTimes(AddRecovery(AddClasses(AddWindow(AddSizes(tid))))));
}

TypeId
RdmaTerms::AddSizes(TypeId tid)
{
    return tid
        .AddAttribute("Mtu",
                      "Path MTU: largest payload of a packet in bytes, 256 to 9000; NICs allow "
                      "powers of two up to 4096, simulators often use 1000",
                      UintegerValue(1024),
                      MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetMtu, &RdmaTerms::GetMtu)),
                      MakeUintegerChecker<uint16_t>(256, 9000))
        .AddAttribute(
            "AckInterval",
            "n: every n-th data packet, and the last packet of a message, asks for an ACK",
            UintegerValue(1),
            UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetAckInterval,
                                                    &RdmaTerms::GetAckInterval)),
                     &RdmaTerms::IsRc,
                     "Transport ns3::RdmaRc"),
            MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("ReadAcks",
                      "Whether READ responses are acknowledged, as no standard has it, if the "
                      "congestion control or the window of the end that sends the responses needs "
                      "that. If not, such an end posts and executes no READ",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaTerms::m_readAcks)),
                      MakeBooleanChecker())
        .AddAttribute("FrameFormat",
                      "Whose headers give packets their length: Standard, or Hpcc (the public HPCC "
                      "simulator: 48 bytes and the payload, no preamble, no gap); the same at both "
                      "ends",
                      EnumValue(FRAMES_STANDARD),
                      MakeFixed(MakeLosslessEnumAccessor<FrameFormat>(&RdmaTerms::SetFormat,
                                                                      &RdmaTerms::GetFormat)),
                      MakeEnumChecker(FRAMES_STANDARD, "Standard", FRAMES_HPCC, "Hpcc"));
}

TypeId
RdmaTerms::AddWindow(TypeId tid)
{
    return tid
        .AddAttribute(
            "Window",
            "Largest number of payload bytes in flight; a packet is sent while fewer bytes are in "
            "flight; 0: no limit. For congestion controls that set no window themselves",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetWindow, &RdmaTerms::GetWindow)),
            MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "VariableWindow",
            "Whether the window follows the rate: Window * rate / line rate, and at least 1 "
            "byte. If Window is 0, the largest window is line rate * base round trip / 8. For "
            "congestion controls that set no window themselves",
            BooleanValue(false),
            MakeFixed(MakeBooleanAccessor(&RdmaTerms::m_variableWindow)),
            MakeBooleanChecker())
        .AddAttribute("PaceByRate",
                      "Whether packets leave at the rate of the congestion control; false: at line "
                      "rate, and only the window follows it (RATE_BOUND 0 of the HPCC simulator)",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaTerms::m_paceByRate)),
                      MakeBooleanChecker())
        .AddAttribute(
            "Repace",
            "What a new rate does to the gap after the packet that was sent last: the "
            "rest of the gap follows the rate (FromNow); the whole gap does, from when "
            "the packet was sent (FromSent, the HPCC simulator with HPCC); or the rate "
            "counts from the next packet on (Next, the HPCC simulator otherwise)",
            EnumValue(RdmaPacer::FROM_NOW),
            UsedWhen(MakeFixed(MakeLosslessEnumAccessor<RdmaPacer::Repace>(&RdmaTerms::m_repace)),
                     &RdmaTerms::GetPaceByRate,
                     "PaceByRate"),
            MakeEnumChecker(RdmaPacer::FROM_NOW,
                            "FromNow",
                            RdmaPacer::FROM_SENT,
                            "FromSent",
                            RdmaPacer::NEXT,
                            "Next"))
        .AddAttribute("TurnByNumber",
                      "Whether a queue pair that may send again takes its turn in the order in "
                      "which the queue pairs of the port were made, after the one that sent last, "
                      "as in the HPCC simulator; false: after all that may send already",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaTerms::m_turnByNumber)),
                      MakeBooleanChecker());
}

TypeId
RdmaTerms::AddClasses(TypeId tid)
{
    return tid
        .AddAttribute("TrafficClass",
                      "Traffic class of data and READ requests",
                      UintegerValue(3),
                      MakeFixed(MakeUintegerAccessor(&RdmaTerms::m_dataClass)),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute("AckClass",
                      "Traffic class of ACKs and NAKs; -1: that of the data",
                      IntegerValue(-1),
                      UsedWhen(MakeFixed(MakeIntegerAccessor(&RdmaTerms::m_ackClass)),
                               &RdmaTerms::IsRc,
                               "Transport ns3::RdmaRc"),
                      MakeIntegerChecker<int8_t>(-1, TRAFFIC_CLASSES - 1))
        .AddAttribute("AckQueue",
                      "Class of the queue in which ACKs and NAKs wait at the port of this end, and "
                      "whose pauses hold them there; switches queue them by AckClass. -1: AckClass",
                      IntegerValue(-1),
                      MakeFixed(MakeIntegerAccessor(&RdmaTerms::m_ackQueue)),
                      MakeIntegerChecker<int8_t>(-1, TRAFFIC_CLASSES - 1))
        .AddAttribute("CnpClass",
                      "Traffic class of CNPs",
                      UintegerValue(6),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTerms::m_cnpClass)),
                               &RdmaTerms::SendsCnps,
                               "a CongestionControl that sends CNPs"),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute(
            "EcnCapable",
            "Whether data and READ requests say that they are ECN-capable (RFC 3168): switches "
            "then mark them. False: they get no marks, and lossy classes drop them by WRED",
            BooleanValue(true),
            MakeFixed(MakeBooleanAccessor(&RdmaTerms::SetEcnCapable, &RdmaTerms::IsEcnCapable)),
            MakeBooleanChecker())
        .AddAttribute(
            "InitialTtl",
            "TTL or hop limit with which this end sends packets, at least 1; use the same value at "
            "both ends. A low value bounds how often a packet goes round a routing loop.",
            UintegerValue(Frame::INITIAL_TTL),
            MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetInitialTtl, &RdmaTerms::GetInitialTtl)),
            MakeUintegerChecker<uint8_t>(1))
        .AddAttribute(
            "UdpPort",
            "UDP source port of both directions, by which ECMP chooses a path; the same "
            "at both ends; 0: by the numbers of the queue pairs",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetUdpPort, &RdmaTerms::GetUdpPort)),
            MakeUintegerChecker<uint16_t>())
        .AddAttribute(
            "MaxOutstandingReads",
            "Largest number of outstanding READ requests, 1 to 4096, as requester and as responder",
            UintegerValue(16),
            MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetMaxReads, &RdmaTerms::GetMaxReads)),
            MakeUintegerChecker<uint16_t>(1, 4096));
}

TypeId
RdmaTerms::AddRecovery(TypeId tid)
{
    return tid
        .AddAttribute("RetransmitTimeout",
                      "Time without progress after which outstanding packets are sent again. Runs "
                      "from transmission, and not while the class is paused. 0: no timeout",
                      TimeValue(MilliSeconds(4)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaTerms::SetRetransmitTimeout,
                                                          &RdmaTerms::GetRetransmitTimeout)),
                               &RdmaTerms::GoesBack,
                               "Transport ns3::RdmaRc and a LossRecovery that goes back"),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("RetryLimit",
                      "Successive timeouts before the queue pair fails, 0 to 254",
                      UintegerValue(7),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetRetryLimit,
                                                              &RdmaTerms::GetRetryLimit)),
                               &RdmaTerms::IsRc,
                               "Transport ns3::RdmaRc"),
                      MakeUintegerChecker<uint8_t>(0, 254))
        .AddAttribute("RnrRetryLimit",
                      "Successive RNR NAKs before the queue pair fails, 0 to 7; 7: no limit",
                      UintegerValue(7),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTerms::SetRnrRetryLimit,
                                                              &RdmaTerms::GetRnrRetryLimit)),
                               &RdmaTerms::IsRc,
                               "Transport ns3::RdmaRc"),
                      MakeUintegerChecker<uint8_t>(0, 7))
        .AddAttribute(
            "RnrTimer",
            "Waiting time that an RNR NAK of this end asks for, 10 us to 655.36 ms. What "
            "is set becomes the next value of InfiniBand table 45, and reads back so",
            TimeValue(MicroSeconds(640)),
            UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaTerms::SetRnrTimer, &RdmaTerms::GetRnrTimer)),
                     &RdmaTerms::IsRc,
                     "Transport ns3::RdmaRc"),
            MakeTimeChecker(Time(0), NanoSeconds(RdmaConnection::RnrNanoSeconds(0))))
        .AddAttribute("NackInterval",
                      "Least time between two NAKs for the same gap; 0: a NAK answers every packet "
                      "beyond a gap",
                      TimeValue(MicroSeconds(500)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaTerms::SetNackInterval,
                                                          &RdmaTerms::GetNackInterval)),
                               &RdmaTerms::GoesBack,
                               "Transport ns3::RdmaRc and a LossRecovery that goes back"),
                      MakeTimeChecker(Time(0)));
}

TypeId
RdmaTerms::AddHostTimes(TypeId tid)
{
    return tid
        .AddAttribute("TxDelay",
                      "Time from the posting of a request to the first bit that may leave, and at "
                      "the responder from a READ request to the first response: doorbell, work "
                      "request and data over PCIe. A latency, not a gap: messages overlap",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaTerms::SetTxDelay, &RdmaTerms::GetTxDelay)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute(
            "RxDelay",
            "Time from the last bit of a message, or at the requester of its last answer, "
            "to the completion: data and completion over PCIe. ACKs do not wait for that",
            TimeValue(Time(0)),
            MakeFixed(MakeTimeAccessor(&RdmaTerms::SetRxDelay, &RdmaTerms::GetRxDelay)),
            MakeTimeChecker(Time(0)))
        .AddAttribute(
            "MessageGap",
            "Time that the NIC needs between two messages of a queue pair, beside the "
            "line: other queue pairs send meanwhile",
            TimeValue(Time(0)),
            MakeFixed(MakeTimeAccessor(&RdmaTerms::SetMessageGap, &RdmaTerms::GetMessageGap)),
            MakeTimeChecker(Time(0)));
}

TypeId
RdmaTerms::AddPolicies(TypeId tid)
{
    return tid
        .AddAttribute("LossRecovery",
                      "TypeId of the RdmaLossRecovery, with its attributes: Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(RdmaGoBackN::GetTypeId())),
                      MakeFixed(MakeObjectFactoryAccessor(&RdmaTerms::SetRecoveryFactory,
                                                          &RdmaTerms::GetRecoveryFactory)),
                      MakeObjectFactoryChecker())
        .AddAttribute("Entropy",
                      "TypeId of the RdmaEntropyPolicy, which chooses a UDP source port for each "
                      "data packet, so that packets take many paths, with its attributes: "
                      "Type[Name=Value|...]; RdmaEntropyNone: one port for all packets",
                      ObjectFactoryValue(FactoryOf(RdmaEntropyNone::GetTypeId())),
                      MakeFixed(MakeObjectFactoryAccessor(&RdmaTerms::SetEntropyFactory,
                                                          &RdmaTerms::GetEntropyFactory)),
                      MakeObjectFactoryChecker())
        .AddAttribute(
            "Transport",
            "TypeId of the protocol between both ends, with its attributes: "
            "Type[Name=Value|...]; RdmaRc: the reliable connection of InfiniBand; RdmaMrc: "
            "MRC, over all planes of the hosts",
            ObjectFactoryValue(FactoryOf(RdmaRc::GetTypeId())),
            MakeFixed(MakeObjectFactoryAccessor(&RdmaTerms::SetTransportFactory,
                                                &RdmaTerms::GetTransportFactory)),
            MakeObjectFactoryChecker())
        .AddAttribute("CongestionControl",
                      "TypeId of the RdmaCongestionOps, with its attributes: Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(RdmaDcqcn::GetTypeId())),
                      MakeFixed(MakeObjectFactoryAccessor(&RdmaTerms::SetCongestionFactory,
                                                          &RdmaTerms::GetCongestionFactory)),
                      MakeObjectFactoryChecker());
}

void
RdmaTerms::Fix(const RdmaAddress& remote, TelemetryKind telemetry, const QbbNetDevice& device)
{
    RdmaConnection& connection = m_end.connection;
    if (remote.ipVersion != connection.local.ipVersion)
    {
        throw std::invalid_argument(
            "RdmaQueuePair: one end has an IPv4 and one an IPv6 address; use one version at both");
    }
    connection.remote = remote;
    Follow(telemetry, device);
    connection.ticksPerSecond = SimulationClock::TicksPerSecond();
}

void
RdmaTerms::Follow(TelemetryKind telemetry, const QbbNetDevice& device)
{
    RdmaConnection& connection = m_end.connection;
    // INT that grows is as long as this at the last hop.
    const uint32_t telemetryBytes = TelemetryBytes(telemetry, IntTelemetry::MAX_HOPS);
    const uint32_t longest = RoceFrameBytes(RoceOpcode::WRITE_ONLY_IMM,
                                            connection.mtu,
                                            connection.local.ipVersion,
                                            false,
                                            telemetryBytes) -
                             ETHERNET_OVERHEAD_BYTES;
    if (longest > device.GetMtu())
    {
        const std::string with =
            telemetryBytes ? " with " + std::to_string(telemetryBytes) + " bytes of telemetry" : "";
        throw std::invalid_argument("RdmaQueuePair: Mtu " + std::to_string(connection.mtu) + with +
                                    " needs IP packets of " + std::to_string(longest) +
                                    " bytes, and the MTU of the port is " +
                                    std::to_string(device.GetMtu()) +
                                    "; lower the first or raise the second");
    }
    if (connection.format != device.GetFrameFormat() && connection.format == FRAMES_HPCC &&
        device.GetActivePfcClasses())
    {
        throw std::invalid_argument(
            "RdmaQueuePair: packets of FrameFormat Hpcc need more headroom than that of the port, "
            "which has FrameFormat Standard; set FrameFormat of both to Hpcc");
    }
    const TrafficClassMap& map = *device.GetTrafficClassMap();
    uint8_t ackClass = m_ackClass < 0 ? m_dataClass : m_ackClass;
    connection.data = RdmaMarking::FromMap(map, m_dataClass);
    connection.ack = RdmaMarking::FromMap(map, ackClass);
    connection.ack.trafficClass = m_ackQueue < 0 ? connection.ack.trafficClass : m_ackQueue;
    connection.cnp = RdmaMarking::FromMap(map, m_cnpClass);
}

uint8_t
RdmaTerms::FindLooseAcks(const QbbNetDevice& device, bool ofAnyClass) const
{
    const auto peer = device.GetPeer();
    if (m_ackQueue < 0 || !peer)
    {
        return 0;
    }
    const LinkMaps maps(*peer, device);
    const uint8_t own = m_ackClass < 0 ? m_dataClass : m_ackClass;
    uint8_t loose = 0;
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const auto marking = RdmaMarking::FromMap(*device.GetTrafficClassMap(), cls);
        const uint8_t group = maps.in->group[maps.in->Classify(marking)];
        const bool isSent = cls == own || (ofAnyClass && m_ackClass < 0);
        if (isSent && maps.IsPaused(group) && !maps.Stops(group, m_ackQueue))
        {
            loose |= 1U << cls;
        }
    }
    return loose;
}

bool
RdmaTerms::GoesBack() const
{
    if (!IsRc())
    {
        return false;
    }
    const Ptr<const RdmaLossRecovery> recovery =
        m_end.recovery ? m_end.recovery : m_factories->recovery.Create<RdmaLossRecovery>();
    return !recovery->MakeReceiver();
}

bool
RdmaTerms::SendsCnps() const
{
    return MakeCongestionControl()->SendsCnps();
}

bool
RdmaTerms::GetPaceByRate() const
{
    return m_paceByRate;
}

Ptr<RdmaCongestionOps>
RdmaTerms::MakeCongestionControl() const
{
    return m_ops ? m_ops : m_factories->congestion.Create<RdmaCongestionOps>();
}

void
RdmaTerms::TakePolicies(const Ptr<RdmaCongestionOps>& ops, Ptr<RdmaLossRecovery>& last)
{
    m_ops = ops;
    if (!m_end.recovery) // else it was made by a try that failed further down
    {
        const ObjectFactory& factory = m_factories->recovery;
        const bool isShared = last && last->GetInstanceTypeId() == factory.GetTypeId() &&
                              !HasAttributes(factory.GetTypeId());
        m_end.recovery = isShared ? last : factory.Create<RdmaLossRecovery>();
        last = m_end.recovery;
    }
    m_end.connection.refusesReads = !ControlsReads(*ops);
}

void
RdmaTerms::TakeEntropy()
{
    const ObjectFactory& factory = m_factories->entropy;
    if (factory.GetTypeId() == RdmaEntropyNone::GetTypeId())
    {
        return;
    }
    const auto policy = factory.Create<RdmaEntropyPolicy>();
    policy->SetUsed();
    if (!m_end.times)
    {
        m_end.times = std::make_unique<RdmaHostTimes>();
    }
    m_end.times->entropy = Create<RdmaEntropy>(policy, m_end.connection.udpPort);
    m_end.connection.echoCe = true; // an EV is good or bad by its marks
}

TypeId
RdmaTerms::GetTransportType() const
{
    if (m_transport)
    {
        return m_transport->GetInstanceTypeId();
    }
    return m_factories ? m_factories->transport.GetTypeId() : RdmaRc::GetTypeId();
}

bool
RdmaTerms::IsRc() const
{
    return GetTransportType() == RdmaRc::GetTypeId();
}

Ptr<const RdmaTransport>
RdmaTerms::LookAtTransport() const
{
    return m_transport || IsRc() ? m_transport : m_factories->transport.Create<RdmaTransport>();
}

uint32_t
RdmaTerms::CountPlanes(uint32_t ports) const
{
    const auto transport = LookAtTransport();
    return transport ? transport->CountPlanes(ports) : 0;
}

uint32_t
RdmaTerms::GetOuterBytes() const
{
    const auto transport = LookAtTransport();
    return transport ? transport->GetOuterBytes() : 0;
}

uint32_t
RdmaTerms::GetAddedBytes(const RdmaCongestionOps& ops) const
{
    const auto transport = LookAtTransport();
    return transport ? transport->GetHeaderBytes()
                     : TelemetryBytes(ops.GetTelemetry(), IntTelemetry::MAX_HOPS);
}

void
RdmaTerms::RequireNoRcPolicies() const
{
    const auto refuse = [](const std::string& name, const std::string& right) {
        throw std::invalid_argument("RdmaQueuePair: " + name +
                                    " is set, and belongs to Transport RdmaRc; leave it at " +
                                    right);
    };
    if (m_factories->recovery.GetTypeId() != RdmaGoBackN::GetTypeId())
    {
        refuse("LossRecovery", "its default");
    }
    if (m_factories->entropy.GetTypeId() != RdmaEntropyNone::GetTypeId())
    {
        refuse("Entropy", "RdmaEntropyNone");
    }
    if (m_end.times && m_end.times->HoldMessages())
    {
        refuse("TxDelay or MessageGap", "0");
    }
    if (m_flow.window > 0 || m_variableWindow)
    {
        refuse("Window or VariableWindow", "0 and false");
    }
}

const Ptr<RdmaTransport>&
RdmaTerms::MakeTransport()
{
    if (!m_transport && !IsRc())
    {
        m_transport = m_factories->transport.Create<RdmaTransport>();
    }
    return m_transport;
}

void
RdmaTerms::SetTransportFactory(const ObjectFactory& factory)
{
    GetFactories().transport = factory;
    m_transport = nullptr; // made by a try to connect that failed
}

ObjectFactory
RdmaTerms::GetTransportFactory() const
{
    return m_transport   ? FactoryLike(*m_transport)
           : m_factories ? m_factories->transport
                         : FactoryOf(RdmaRc::GetTypeId());
}

void
RdmaTerms::ForgetFactories()
{
    m_factories = nullptr;
}

RdmaTerms::Factories&
RdmaTerms::GetFactories()
{
    if (!m_factories)
    {
        m_factories = std::make_unique<Factories>();
    }
    return *m_factories;
}

void
RdmaTerms::FixFlow(const QbbNetDevice& device, Time baseRtt)
{
    m_flow.lineRate = static_cast<double>(device.GetDataRate().GetBitRate());
    m_flow.rate = m_flow.lineRate;
    m_flow.baseRttPs = baseRtt.GetPicoSeconds();
    m_flow.mtuBytes = m_end.connection.mtu;
    m_flow.packetWireBytes = m_end.connection.WireBytes(RoceOpcode::WRITE_MIDDLE,
                                                        m_flow.mtuBytes,
                                                        m_ops->GetTelemetry());
}

bool
RdmaTerms::NeedsReadAcks(const RdmaCongestionOps& ops) const
{
    const bool hasWindow = ops.SetsWindow() || m_flow.window || m_variableWindow;
    return hasWindow || (ops.GetHooks() & RdmaCongestionOps::ON_ACK);
}

bool
RdmaTerms::ControlsReads(const RdmaCongestionOps& ops) const
{
    return m_readAcks || !NeedsReadAcks(ops);
}

void
RdmaTerms::FixReads()
{
    RdmaConnection& connection = m_end.connection;
    connection.acknowledgesReads = NeedsReadAcks(*m_ops) && m_readAcks;
    connection.readTelemetry =
        connection.acknowledgesReads ? connection.telemetry : TelemetryKind::NONE;
}

void
RdmaTerms::RequireReads() const
{
    if (m_end.connection.refusesReads)
    {
        throw std::invalid_argument(
            "RdmaQueuePair: nothing would control the responses of a READ: " +
            m_ops->GetInstanceTypeId().GetName() +
            " or the window needs acknowledgements, and ReadAcks is false; set ReadAcks");
    }
}

void
RdmaTerms::RequireOneWindow(const RdmaCongestionOps& ops) const
{
    if (ops.SetsWindow() && (m_variableWindow || m_flow.window))
    {
        const std::string name = m_variableWindow ? "VariableWindow" : "Window";
        throw std::invalid_argument(
            "RdmaQueuePair: " + name + " is set, and " + ops.GetInstanceTypeId().GetName() +
            " sets the window itself; set " + name + " to " + (m_variableWindow ? "false" : "0"));
    }
}

uint64_t
RdmaTerms::GetLargestWindow() const
{
    if (!m_variableWindow)
    {
        return 0;
    }
    constexpr double BITS_PER_PS = 8e12; // of a byte in a second
    const double product = m_flow.lineRate * static_cast<double>(m_flow.baseRttPs) / BITS_PER_PS;
    const uint64_t window = m_flow.window ? m_flow.window : static_cast<uint64_t>(product);
    if (window == 0)
    {
        throw std::invalid_argument("RdmaQueuePair: VariableWindow is set, and neither Window nor "
                                    "the round trip of the path is known; set Window, or give "
                                    "its connection the base RTT");
    }
    return window;
}

void
RdmaTerms::SetMtu(uint16_t bytes)
{
    m_end.connection.mtu = bytes;
}

void
RdmaTerms::SetFormat(FrameFormat format)
{
    m_end.connection.format = format;
}

FrameFormat
RdmaTerms::GetFormat() const
{
    return m_end.connection.format;
}

void
RdmaTerms::SetAckInterval(uint16_t packets)
{
    m_end.connection.ackInterval = packets;
}

uint16_t
RdmaTerms::GetAckInterval() const
{
    return m_end.connection.ackInterval;
}

void
RdmaTerms::SetMaxReads(uint16_t requests)
{
    m_end.connection.maxReads = requests;
}

uint16_t
RdmaTerms::GetMaxReads() const
{
    return m_end.connection.maxReads;
}

void
RdmaTerms::SetRetryLimit(uint8_t tries)
{
    m_end.connection.retryLimit = tries;
}

uint8_t
RdmaTerms::GetRetryLimit() const
{
    return m_end.connection.retryLimit;
}

void
RdmaTerms::SetRnrRetryLimit(uint8_t tries)
{
    m_end.connection.rnrRetryLimit = tries;
}

uint8_t
RdmaTerms::GetRnrRetryLimit() const
{
    return m_end.connection.rnrRetryLimit;
}

void
RdmaTerms::SetRnrTimer(const Time& wait)
{
    int64_t nanoSeconds = wait.GetNanoSeconds();
    nanoSeconds += NanoSeconds(nanoSeconds) < wait ? 1 : 0;
    m_end.connection.rnrTimerCode = RdmaConnection::RnrCode(nanoSeconds);
}

Time
RdmaTerms::GetRnrTimer() const
{
    return NanoSeconds(RdmaConnection::RnrNanoSeconds(m_end.connection.rnrTimerCode));
}

void
RdmaTerms::SetRetransmitTimeout(const Time& timeout)
{
    m_end.connection.retransmitTicks = timeout.GetTimeStep();
}

Time
RdmaTerms::GetRetransmitTimeout() const
{
    return TimeStep(m_end.connection.retransmitTicks);
}

void
RdmaTerms::SetNackInterval(const Time& interval)
{
    m_end.connection.nackTicks = interval.GetTimeStep();
}

Time
RdmaTerms::GetNackInterval() const
{
    return TimeStep(m_end.connection.nackTicks);
}

void
RdmaTerms::SetHostTime(int64_t RdmaHostTimes::* which, const Time& time)
{
    if (!m_end.times && !time.IsZero())
    {
        m_end.times = std::make_unique<RdmaHostTimes>();
    }
    if (m_end.times)
    {
        (*m_end.times).*which = time.GetTimeStep();
    }
}

Time
RdmaTerms::GetHostTime(int64_t RdmaHostTimes::* which) const
{
    return TimeStep(m_end.times ? (*m_end.times).*which : 0);
}

void
RdmaTerms::SetTxDelay(const Time& delay)
{
    SetHostTime(&RdmaHostTimes::txTicks, delay);
}

Time
RdmaTerms::GetTxDelay() const
{
    return GetHostTime(&RdmaHostTimes::txTicks);
}

void
RdmaTerms::SetRxDelay(const Time& delay)
{
    SetHostTime(&RdmaHostTimes::rxTicks, delay);
}

Time
RdmaTerms::GetRxDelay() const
{
    return GetHostTime(&RdmaHostTimes::rxTicks);
}

void
RdmaTerms::SetMessageGap(const Time& gap)
{
    SetHostTime(&RdmaHostTimes::gapTicks, gap);
}

Time
RdmaTerms::GetMessageGap() const
{
    return GetHostTime(&RdmaHostTimes::gapTicks);
}

void
RdmaTerms::SetEcnCapable(bool isCapable)
{
    m_end.connection.dataEcn = isCapable ? Ecn::ECT0 : Ecn::NOT_ECT;
}

bool
RdmaTerms::IsEcnCapable() const
{
    return m_end.connection.dataEcn != Ecn::NOT_ECT;
}

void
RdmaTerms::SetInitialTtl(uint8_t ttl)
{
    m_end.connection.initialTtl = ttl;
}

uint8_t
RdmaTerms::GetInitialTtl() const
{
    return m_end.connection.initialTtl;
}

void
RdmaTerms::SetUdpPort(uint16_t port)
{
    m_end.connection.udpPort = port;
}

uint16_t
RdmaTerms::GetUdpPort() const
{
    return m_end.connection.udpPort;
}

void
RdmaTerms::SetWindow(uint64_t bytes)
{
    m_flow.window = bytes;
}

uint64_t
RdmaTerms::GetWindow() const
{
    return m_flow.window;
}

void
RdmaTerms::SetCongestionFactory(const ObjectFactory& factory)
{
    GetFactories().congestion = factory;
    m_ops = nullptr; // what SetCongestionControl() has said before
}

void
RdmaTerms::SetRecoveryFactory(const ObjectFactory& factory)
{
    GetFactories().recovery = factory;
    m_end.recovery = nullptr; // made by a try to connect that failed
}

void
RdmaTerms::SetEntropyFactory(const ObjectFactory& factory)
{
    GetFactories().entropy = factory;
}

ObjectFactory
RdmaTerms::GetEntropyFactory() const
{
    return m_end.Entropy() ? FactoryLike(*m_end.Entropy()->GetPolicy())
           : m_factories   ? m_factories->entropy
                           : FactoryOf(RdmaEntropyNone::GetTypeId());
}

ObjectFactory
RdmaTerms::GetCongestionFactory() const
{
    return m_ops ? FactoryLike(*m_ops) : m_factories ? m_factories->congestion : ObjectFactory();
}

ObjectFactory
RdmaTerms::GetRecoveryFactory() const
{
    return m_end.recovery ? FactoryLike(*m_end.recovery)
           : m_factories  ? m_factories->recovery
                          : ObjectFactory();
}

void
RdmaTerms::SetCongestionControl(Ptr<RdmaCongestionOps> ops)
{
    NS_LOG_FUNCTION(this << ops);
    if (FixedSince())
    {
        throw std::invalid_argument(
            "RdmaQueuePair: the congestion control is set when queue pair " +
            std::to_string(m_end.connection.localQp) + " is connected already; set it before");
    }
    m_ops = ops;
}

Ptr<RdmaCongestionOps>
RdmaTerms::GetCongestionControl() const
{
    return m_ops;
}

Ptr<RdmaEntropyPolicy>
RdmaTerms::GetEntropyPolicy() const
{
    return m_end.Entropy() ? m_end.Entropy()->GetPolicy() : nullptr;
}

Ptr<RdmaLossRecovery>
RdmaTerms::GetLossRecovery() const
{
    return m_end.recovery;
}

} // namespace ns3

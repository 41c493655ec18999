// SPDX-License-Identifier: GPL-2.0-only

// Life and attributes of a queue pair. The data path is in rdma-queue-pair.cc.

#include "rdma-dcqcn.h"
#include "rdma-go-back-n.h"
#include "rdma-hw.h"
#include "rdma-port.h"
#include "rdma-queue-pair.h"

#include "ns3/integer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaQueuePair);

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

} // namespace

TypeId
RdmaQueuePair::GetTypeId()
{
    static TypeId tid = AddPolicies(AddRecovery(AddSizes(TypeId("ns3::RdmaQueuePair")
                                                             .SetParent<Object>()
                                                             .SetGroupName("Lossless")
                                                             .AddConstructor<RdmaQueuePair>())));
    return tid;
}

TypeId
RdmaQueuePair::AddSizes(TypeId tid)
{
    return tid
        .AddAttribute("Mtu",
                      "Path MTU: payload bytes of a packet (256..4096; simulators like 1000)",
                      UintegerValue(1024),
                      MakeUintegerAccessor(&RdmaQueuePair::SetMtu, &RdmaQueuePair::GetMtu),
                      MakeUintegerChecker<uint16_t>(256, 4096))
        .AddAttribute(
            "AckInterval",
            "Every n-th data packet, and the last of a message, asks for an ACK",
            UintegerValue(1),
            MakeUintegerAccessor(&RdmaQueuePair::SetAckInterval, &RdmaQueuePair::GetAckInterval),
            MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("Window",
                      "Payload bytes in flight at most, unless the congestion control sets it; a "
                      "packet is sent while fewer are in flight; 0: no limit",
                      UintegerValue(0),
                      MakeUintegerAccessor(&RdmaQueuePair::SetWindow, &RdmaQueuePair::GetWindow),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("TrafficClass",
                      "Class of data and READ requests",
                      UintegerValue(3),
                      MakeUintegerAccessor(&RdmaQueuePair::m_dataClass),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute("AckClass",
                      "Class of ACKs and NAKs; -1: that of the data",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&RdmaQueuePair::m_ackClass),
                      MakeIntegerChecker<int8_t>(-1, TRAFFIC_CLASSES - 1))
        .AddAttribute("CnpClass",
                      "Class of congestion notification packets",
                      UintegerValue(6),
                      MakeUintegerAccessor(&RdmaQueuePair::m_cnpClass),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute(
            "InitialTtl",
            "TTL, or hop limit, of packets as they are sent; set it alike at both ends. A "
            "low one bounds how often a packet goes round a routing loop.",
            UintegerValue(Frame::INITIAL_TTL),
            MakeUintegerAccessor(&RdmaQueuePair::SetInitialTtl, &RdmaQueuePair::GetInitialTtl),
            MakeUintegerChecker<uint8_t>(1))
        .AddAttribute(
            "MaxOutstandingReads",
            "READ requests outstanding at most, as requester and as responder",
            UintegerValue(16),
            MakeUintegerAccessor(&RdmaQueuePair::SetMaxReads, &RdmaQueuePair::GetMaxReads),
            MakeUintegerChecker<uint16_t>(1, 4096));
}

TypeId
RdmaQueuePair::AddRecovery(TypeId tid)
{
    return tid
        .AddAttribute("RetransmitTimeout",
                      "Time without progress after which what is outstanding is sent again; runs "
                      "from transmission, and not while the class is paused; 0: never",
                      TimeValue(MilliSeconds(4)),
                      MakeTimeAccessor(&RdmaQueuePair::m_retransmitTimeout),
                      MakeTimeChecker(Time(0)))
        .AddAttribute(
            "RetryLimit",
            "Timeouts in a row before the queue pair fails",
            UintegerValue(7),
            MakeUintegerAccessor(&RdmaQueuePair::SetRetryLimit, &RdmaQueuePair::GetRetryLimit),
            MakeUintegerChecker<uint8_t>(0, 254))
        .AddAttribute("RnrRetryLimit",
                      "RNR NAKs in a row before the queue pair fails; 7: no limit",
                      UintegerValue(7),
                      MakeUintegerAccessor(&RdmaQueuePair::SetRnrRetryLimit,
                                           &RdmaQueuePair::GetRnrRetryLimit),
                      MakeUintegerChecker<uint8_t>(0, 7))
        .AddAttribute("RnrTimer",
                      "Wait that an RNR NAK of this end asks for, rounded up to what its code can "
                      "say (10 us .. 655.36 ms)",
                      TimeValue(MicroSeconds(640)),
                      MakeTimeAccessor(&RdmaQueuePair::m_rnrTimer),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("NackInterval",
                      "Least time between two NAKs for the same gap; 0: every packet beyond a gap "
                      "is answered by a NAK",
                      TimeValue(MicroSeconds(500)),
                      MakeTimeAccessor(&RdmaQueuePair::m_nackInterval),
                      MakeTimeChecker(Time(0)));
}

TypeId
RdmaQueuePair::AddPolicies(TypeId tid)
{
    return tid
        .AddAttribute("LossRecovery",
                      "TypeId of the RdmaLossRecovery, with its attributes: Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(RdmaGoBackN::GetTypeId())),
                      MakeObjectFactoryAccessor(&RdmaQueuePair::m_recoveryFactory),
                      MakeObjectFactoryChecker())
        .AddAttribute("CongestionControl",
                      "TypeId of the RdmaCongestionOps, with its attributes: Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(RdmaDcqcn::GetTypeId())),
                      MakeObjectFactoryAccessor(&RdmaQueuePair::m_opsFactory),
                      MakeObjectFactoryChecker())
        .AddTraceSource("Rate",
                        "Sending rate, bit/s of wire bytes, when it changes",
                        MakeTraceSourceAccessor(&RdmaQueuePair::m_rateTrace),
                        "ns3::RdmaQueuePair::RateTracedCallback")
        .AddTraceSource("RequestCompleted",
                        "A work request posted here ended",
                        MakeTraceSourceAccessor(&RdmaQueuePair::m_completionTrace),
                        "ns3::RdmaQueuePair::CompletionTracedCallback")
        .AddTraceSource("MessageReceived",
                        "A message of the peer has arrived, or a READ of it was accepted",
                        MakeTraceSourceAccessor(&RdmaQueuePair::m_receiveTrace),
                        "ns3::RdmaQueuePair::CompletionTracedCallback");
}

RdmaQueuePair::RdmaQueuePair()
    : m_requester(m_end),
      m_responder(m_end)
{
    m_end.sink = this;
}

RdmaQueuePair::~RdmaQueuePair() = default;

void
RdmaQueuePair::DoDispose()
{
    m_timer.Cancel();
    m_state = ERROR;
    m_onCompletion = CompletionCallback();
    m_onReceive = CompletionCallback();
    if (m_port)
    {
        CountBusy();
        m_port->Remove(m_slot);
    }
    m_hw = nullptr;
    m_port = nullptr;
    m_ops = nullptr;
    m_end.recovery = nullptr;
    Object::DoDispose();
}

void
RdmaQueuePair::Attach(RdmaHw* hw, RdmaPort* port, uint32_t number, RdmaCounters* counters)
{
    m_hw = hw;
    m_port = port;
    m_slot = port->Add(this, m_dataClass);
    m_end.counters = counters;
    m_end.connection.localQp = number;
    m_end.connection.local = port->Address();
}

// ---- connecting

void
RdmaQueuePair::ConnectTo(const RdmaAddress& remote, uint32_t remoteQp, Time baseRtt)
{
    if (m_state != RESET || !m_port)
    {
        throw std::invalid_argument(
            "RdmaQueuePair: only a new queue pair of a NIC can be connected");
    }
    RdmaConnection& connection = m_end.connection;
    connection.remoteQp = remoteQp;
    connection.udpPort = RdmaConnection::UdpPort(connection.localQp, remoteQp);
    const Ptr<RdmaCongestionOps> ops = m_ops ? m_ops : m_opsFactory.Create<RdmaCongestionOps>();
    FixConnection(remote, ops->GetTelemetry());
    m_ops = ops;
    m_opsFactory = ObjectFactory();
    if (!m_end.recovery)
    {
        m_end.recovery = m_recoveryFactory.Create<RdmaLossRecovery>();
    }
    m_recoveryFactory = ObjectFactory(); // give its memory back
    StartCongestionControl(baseRtt);
    m_state = READY;
    int64_t now = m_port->Device().Now();
    m_requester.SetBlocked(!m_port->Device().IsLinkUp(), now);
    CongestionChanged(now);
    UpdateTimer(now);
    CountBusy();
}

void
RdmaQueuePair::LinkChanged(bool up)
{
    if (m_state == READY)
    {
        int64_t now = m_port->Device().Now();
        m_requester.SetBlocked(!up, now);
        UpdateTimer(now);
    }
}

void
RdmaQueuePair::FixConnection(const RdmaAddress& remote, TelemetryKind telemetry)
{
    RdmaConnection& connection = m_end.connection;
    QbbNetDevice& device = m_port->Device();
    if (remote.ipVersion != connection.local.ipVersion)
    {
        throw std::invalid_argument("RdmaQueuePair: one end has an IPv4 and one an IPv6 address");
    }
    connection.remote = remote;
    // INT that grows is as long as this at the last hop.
    const uint32_t telemetryBytes = TelemetryBytes(telemetry, IntTelemetry::MAX_HOPS);
    const uint32_t longest = RoceFrameBytes(RoceOpcode::WRITE_ONLY_IMM,
                                            connection.mtu,
                                            remote.ipVersion,
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
    // The attribute may have been set since Attach(); a pause must stop the class that frames
    // carry.
    m_port->Scheduler().SetClass(m_slot, m_dataClass);
    const TrafficClassMap& map = *device.GetTrafficClassMap();
    uint8_t ackClass = m_ackClass < 0 ? m_dataClass : m_ackClass;
    connection.data = RdmaMarking::FromMap(map, m_dataClass);
    connection.ack = RdmaMarking::FromMap(map, ackClass);
    connection.cnp = RdmaMarking::FromMap(map, m_cnpClass);
    connection.rnrTimerCode = RdmaConnection::RnrCode(m_rnrTimer.GetNanoSeconds());
    connection.retransmitTicks = m_retransmitTimeout.GetTimeStep();
    connection.nackTicks = m_nackInterval.GetTimeStep();
    connection.ticksPerSecond = SimulationClock::TicksPerSecond();
}

void
RdmaQueuePair::StartCongestionControl(Time baseRtt)
{
    constexpr int64_t PS_PER_SECOND = 1000000000000;
    int64_t ticks = m_end.connection.ticksPerSecond;
    m_psPerTick = ticks < PS_PER_SECOND ? PS_PER_SECOND / ticks : 1;
    m_ticksPerPs = ticks > PS_PER_SECOND ? ticks / PS_PER_SECOND : 1;
    m_flow.lineRate = static_cast<double>(m_port->Device().GetDataRate().GetBitRate());
    m_flow.rate = m_flow.lineRate;
    m_flow.baseRttPs = baseRtt.GetPicoSeconds();
    m_flow.mtuBytes = m_end.connection.mtu;
    const TelemetryKind telemetry = m_ops->GetTelemetry();
    m_flow.packetWireBytes = RoceFrameBytes(RoceOpcode::WRITE_MIDDLE,
                                            m_flow.mtuBytes,
                                            m_end.connection.local.ipVersion,
                                            m_end.connection.data.tagged,
                                            TelemetryBytes(telemetry)) +
                             ETHERNET_GAP_BYTES;
    m_flow.activeFlows = m_port->GetBusy();
    m_ops->Init(m_flow, ToPs(m_port->Device().Now()));
    m_hooks = m_ops->GetHooks();
    m_end.connection.telemetry = telemetry;
    m_end.connection.echoCe = m_ops->EchoesMarks();
}

void
RdmaQueuePair::SetCongestionControl(Ptr<RdmaCongestionOps> ops)
{
    m_ops = ops;
}

Ptr<RdmaCongestionOps>
RdmaQueuePair::GetCongestionControl() const
{
    return m_ops;
}

void
RdmaQueuePair::SetLossRecovery(Ptr<RdmaLossRecovery> recovery)
{
    m_end.recovery = recovery;
}

Ptr<RdmaLossRecovery>
RdmaQueuePair::GetLossRecovery() const
{
    return m_end.recovery;
}

// ---- verbs

uint64_t
RdmaQueuePair::Post(const RdmaWorkRequest& request)
{
    if (!m_port)
    {
        throw std::invalid_argument("RdmaQueuePair: it belongs to no NIC");
    }
    int64_t now = m_port->Device().Now();
    uint64_t id = m_requester.Post(request, now);
    if (m_state == ERROR)
    {
        m_requester.Fail(RdmaStatus::FLUSHED, now);
    }
    else if (m_state == READY && (!m_active || m_requester.IsBlocked()))
    {
        CatchUp(now);
        PlaceAndKick(now);
        UpdateTimer(now);
    }
    CountBusy();
    return id;
}

void
RdmaQueuePair::PostReceive(uint32_t count)
{
    m_responder.PostReceive(count);
}

void
RdmaQueuePair::Close()
{
    if (m_port && m_state != ERROR)
    {
        Fail(RdmaStatus::FLUSHED, m_port->Device().Now());
    }
}

void
RdmaQueuePair::Fail(RdmaStatus status, int64_t now)
{
    m_state = ERROR;
    CountBusy();
    m_responder.Clear();
    m_port->Scheduler().SetIdle(m_slot);
    m_port->PaceChanged();
    m_active = false;
    if (m_timerAt != RDMA_NEVER)
    {
        Simulator::Remove(m_timer);
        m_timerAt = RDMA_NEVER;
    }
    m_requester.Fail(status, now); // user code last
}

void
RdmaQueuePair::SetCompletionCallback(CompletionCallback callback)
{
    m_onCompletion = callback;
}

void
RdmaQueuePair::SetReceiveCallback(CompletionCallback callback)
{
    m_onReceive = callback;
}

void
RdmaQueuePair::RequestCompleted(const RdmaCompletion& completion)
{
    m_completionTrace(completion);
    m_hw->RequestCompleted(*this, completion);
    if (!m_onCompletion.IsNull())
    {
        m_onCompletion(completion);
    }
}

void
RdmaQueuePair::MessageReceived(const RdmaCompletion& completion)
{
    m_receiveTrace(completion);
    m_hw->MessageReceived(*this, completion);
    if (!m_onReceive.IsNull())
    {
        m_onReceive(completion);
    }
}

// ---- state

Ptr<QbbNetDevice>
RdmaQueuePair::GetDevice() const
{
    return m_port ? Ptr<QbbNetDevice>(&m_port->Device()) : nullptr;
}

bool
RdmaQueuePair::IsIdle() const
{
    return !m_requester.IsBusy() && !m_responder.HasResponses();
}

void
RdmaQueuePair::SetMtu(uint16_t bytes)
{
    m_end.connection.mtu = bytes;
}

void
RdmaQueuePair::SetAckInterval(uint16_t packets)
{
    m_end.connection.ackInterval = packets;
}

uint16_t
RdmaQueuePair::GetAckInterval() const
{
    return m_end.connection.ackInterval;
}

void
RdmaQueuePair::SetRetryLimit(uint8_t tries)
{
    m_end.connection.retryLimit = tries;
}

uint8_t
RdmaQueuePair::GetRetryLimit() const
{
    return m_end.connection.retryLimit;
}

void
RdmaQueuePair::SetRnrRetryLimit(uint8_t tries)
{
    m_end.connection.rnrRetryLimit = tries;
}

uint8_t
RdmaQueuePair::GetRnrRetryLimit() const
{
    return m_end.connection.rnrRetryLimit;
}

void
RdmaQueuePair::SetWindow(uint64_t bytes)
{
    m_flow.window = bytes;
}

uint64_t
RdmaQueuePair::GetWindow() const
{
    return m_flow.window;
}

} // namespace ns3

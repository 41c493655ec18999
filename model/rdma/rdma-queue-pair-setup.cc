// SPDX-License-Identifier: GPL-2.0-only

// Life of a queue pair. The data path is in rdma-queue-pair.cc.

#include "rdma-hw.h"
#include "rdma-port.h"
#include "rdma-queue-pair.h"

#include "ns3/simulator.h"

#include <stdexcept>
#include <string>

namespace ns3
{

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
    m_end.sender = m_end.recovery->MakeSender(m_flow);
    m_end.receiver = m_end.recovery->MakeReceiver();
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

} // namespace ns3

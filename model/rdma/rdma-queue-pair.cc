// SPDX-License-Identifier: GPL-2.0-only

#include "rdma-queue-pair.h"

#include "rdma-hw.h"
#include "rdma-late-completions.h"
#include "rdma-port.h"
#include "unit-factors.h"

#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaQueuePair");

NS_OBJECT_ENSURE_REGISTERED(RdmaQueuePair);

TypeId
RdmaQueuePair::GetTypeId()
{
    static TypeId tid =
        AddTerms(TypeId("ns3::RdmaQueuePair")
                     .SetParent<Object>()
                     .SetGroupName("Lossless")
                     .AddConstructor<RdmaQueuePair>())
            .AddTraceSource("Rate",
                            "The sending rate changed: new rate in bit/s, counted in wire bytes",
                            MakeTraceSourceAccessor(&RdmaQueuePair::m_rateTrace),
                            "ns3::RdmaQueuePair::RateTracedCallback")
            .AddTraceSource("RequestCompleted",
                            "A work request posted to this queue pair ended: the completion.",
                            MakeTraceSourceAccessor(&RdmaQueuePair::m_completionTrace),
                            "ns3::RdmaQueuePair::CompletionTracedCallback")
            .AddTraceSource("MessageReceived",
                            "A message of the peer arrived, or a READ of the peer was executed: "
                            "the completion.",
                            MakeTraceSourceAccessor(&RdmaQueuePair::m_receiveTrace),
                            "ns3::RdmaQueuePair::CompletionTracedCallback");
    return tid;
}

// ---- life

RdmaQueuePair::RdmaQueuePair()
    : m_active(false),
      m_busy(false),
      m_responseNext(false),
      m_repacesGap(false),
      m_requester(m_end),
      m_responder(m_end)
{
    m_end.sink = this;
}

RdmaQueuePair::RdmaQueuePair(const RdmaQueuePair& like)
    : RdmaTerms(like),
      m_active(false),
      m_busy(false),
      m_responseNext(false),
      m_repacesGap(false),
      m_requester(m_end),
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
    if (m_end.times && m_end.times->late)
    {
        m_end.times->late->Detach();
    }
    if (m_transport)
    {
        m_transport->Dispose();
        m_transport = nullptr;
    }
    m_port = nullptr;
    m_ops = nullptr;
    m_end.recovery = nullptr;
    Object::DoDispose();
}

void
RdmaQueuePair::Attach(RdmaPort* port, uint32_t number, RdmaCounters* counters)
{
    m_port = port;
    m_slot = port->Add(this, m_dataClass);
    m_end.counters = counters;
    m_end.connection.localQp = number;
    m_end.connection.local = port->Address();
}

// ---- connecting

std::vector<RdmaAddress>
RdmaQueuePair::GetAddresses()
{
    if (!MakeTransport())
    {
        return {m_end.connection.local};
    }
    std::vector<RdmaAddress> addresses;
    for (const uint32_t port : m_transport->GetPorts(m_port->Hw(), m_port->Device().GetPortIndex()))
    {
        addresses.push_back(m_port->Hw().GetAddress(port));
    }
    return addresses;
}

bool
RdmaQueuePair::UsesPort(uint32_t port) const
{
    if (!m_port)
    {
        return false;
    }
    const uint32_t own = m_port->Device().GetPortIndex();
    if (!m_transport)
    {
        return port == own;
    }
    const auto ports = m_transport->GetPorts(m_port->Hw(), own);
    return std::find(ports.begin(), ports.end(), port) != ports.end();
}

void
RdmaQueuePair::ConnectTransport(const std::vector<RdmaAddress>& remote, Time baseRtt)
{
    RequireNoRcPolicies();
    FixFlow(m_port->Device(), baseRtt);
    DelayCompletions();
    m_transport->Connect({&m_port->Hw(),
                          m_port->Device().GetPortIndex(),
                          &m_end,
                          &m_flow,
                          m_ops,
                          [this](RdmaStatus status) { Fail(status, m_port->Device().Now()); }},
                         remote,
                         baseRtt);
    ForgetFactories();
    m_state = READY;
}

void
RdmaQueuePair::ConnectTo(const std::vector<RdmaAddress>& remote, uint32_t remoteQp, Time baseRtt)
{
    NS_LOG_FUNCTION(this << remoteQp << baseRtt);
    if (m_state != RESET || !m_port)
    {
        throw std::invalid_argument("RdmaQueuePair: only a new queue pair can be connected; its "
                                    "NIC makes one");
    }
    RdmaConnection& connection = m_end.connection;
    connection.remoteQp = remoteQp;
    const Ptr<RdmaCongestionOps> ops = MakeCongestionControl();
    m_port->Hw().CheckCongestionControl(*ops);
    const TelemetryKind telemetry = IsRc() ? ops->GetTelemetry() : TelemetryKind::NONE;
    Fix(remote.front(), telemetry, m_port->Device());
    // The attribute may have been set since Attach(); a pause must stop the class that frames
    // carry.
    m_port->Scheduler().SetClass(m_slot, connection.data.trafficClass);
    if (m_turnByNumber)
    {
        m_port->Scheduler().SetTurn(m_slot);
    }
    RequireOneWindow(*ops);
    TakePolicies(ops, m_port->Shared().recovery);
    if (MakeTransport())
    {
        ConnectTransport(remote, baseRtt);
        return;
    }
    if (m_requester.HasReads())
    {
        RequireReads();
    }
    StartCongestionControl(baseRtt);
    m_end.sender = m_end.recovery->MakeSender(m_flow);
    m_end.receiver = m_end.recovery->MakeReceiver();
    m_end.recovery->SetUsed();
    if (connection.udpPort == 0) // after all that may fail: another try begins with 0
    {
        connection.udpPort = RdmaConnection::UdpPort(connection.localQp, remoteQp);
    }
    TakeEntropy();
    DelayCompletions();
    ForgetFactories();
    m_state = READY;
    int64_t now = m_port->Device().Now();
    m_requester.SetBlocked(!m_port->Device().IsLinkUp(), now);
    CongestionChanged(now);
    UpdateTimer(now);
    CountBusy();
}

void
RdmaQueuePair::DelayCompletions()
{
    if (m_end.times && m_end.times->rxTicks > 0)
    {
        RdmaCompletionSink& host = *this;
        const uint32_t node = m_port->Device().GetNode()->GetId();
        m_end.times->late = Create<RdmaLateCompletions>(host, node, m_end.times->rxTicks);
        m_end.sink = PeekPointer(m_end.times->late);
    }
}

void
RdmaQueuePair::LinkChanged(uint32_t port, bool up)
{
    NS_LOG_FUNCTION(this << port << up);
    if (m_state == READY)
    {
        int64_t now = m_port->Device().Now();
        if (m_transport)
        {
            m_transport->LinkChanged(port, up, now);
            return;
        }
        m_requester.SetBlocked(!up, now);
        UpdateTimer(now);
    }
}

void
RdmaQueuePair::PortChanged(uint32_t port)
{
    if (m_state != READY)
    {
        return;
    }
    if (m_transport)
    {
        m_transport->PortChanged(port);
        return;
    }
    const DataRate rate = m_port->Device().GetDataRate();
    if (static_cast<double>(rate.GetBitRate()) != m_flow.lineRate)
    {
        throw std::invalid_argument(
            "RdmaQueuePair: the congestion control of queue pair " + std::to_string(GetNumber()) +
            " has started at a line rate of " +
            std::to_string(static_cast<uint64_t>(m_flow.lineRate)) +
            " bit/s; set the DataRate of the port before queue pairs are connected");
    }
    const uint8_t& queue = m_end.connection.data.trafficClass;
    const uint8_t before = queue;
    Follow(m_end.connection.telemetry, m_port->Device());
    if (queue != before) // the map of the port says another
    {
        m_port->Scheduler().SetIdle(m_slot);
        m_port->Scheduler().SetClass(m_slot, queue);
        PlaceAndKick(m_port->Device().Now());
    }
    m_pacer.SetUnit(m_port->Device().SerialisationTicks());
}

void
RdmaQueuePair::StartCongestionControl(Time baseRtt)
{
    FixFlow(m_port->Device(), baseRtt);
    m_flow.activeFlows = m_port->GetBusy();
    m_fullWindow = GetLargestWindow();
    m_pacer.SetUnit(m_port->Device().SerialisationTicks());
    m_ops->SetUsed(); // so that its attributes read back as what Init() makes of them
    m_ops->Init(m_flow, m_port->ToPs(m_port->Device().Now()));
    Ptr<RdmaCongestionOps>& last = m_port->Shared().congestion;
    if (m_ops->ShareWith(PeekPointer(last)))
    {
        last = m_ops;
    }
    m_hooks =
        static_cast<uint8_t>(m_ops->GetHooks()) | (m_repace == RdmaPacer::FROM_SENT ? REPACE : 0);
    m_end.connection.telemetry = m_ops->GetTelemetry();
    m_end.connection.echoCe = m_ops->EchoesMarks();
    FixReads();
}

// ---- verbs

uint64_t
RdmaQueuePair::Post(const RdmaWorkRequest& request)
{
    if (!m_port)
    {
        throw std::invalid_argument(
            "RdmaQueuePair: the queue pair belongs to no NIC; a NIC makes its queue pairs");
    }
    if (request.verb == RdmaVerb::READ)
    {
        RequireReads();
    }
    int64_t now = m_port->Device().Now();
    if (!IsRc())
    {
        return PostToTransport(request, now);
    }
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

uint64_t
RdmaQueuePair::PostToTransport(const RdmaWorkRequest& request, int64_t now)
{
    if (m_state == RESET)
    {
        throw std::invalid_argument("RdmaQueuePair: a request is posted before the queue pair is "
                                    "connected, and its Transport is not RdmaRc; connect first");
    }
    const uint64_t id = m_transport->Post(request, now);
    if (m_state == ERROR)
    {
        m_transport->Fail(RdmaStatus::FLUSHED, now);
    }
    CountBusy();
    return id;
}

void
RdmaQueuePair::PostReceive(uint32_t count)
{
    if (MakeTransport())
    {
        m_transport->PostReceive(count);
        return;
    }
    m_responder.PostReceive(count);
}

void
RdmaQueuePair::Close()
{
    NS_LOG_FUNCTION(this);
    if (m_port && m_state != ERROR)
    {
        Fail(RdmaStatus::FLUSHED, m_port->Device().Now());
    }
}

void
RdmaQueuePair::Fail(RdmaStatus status, int64_t now)
{
    NS_LOG_FUNCTION(this << static_cast<int>(status) << now);
    m_state = ERROR;
    CountBusy();
    if (m_transport)
    {
        m_transport->Fail(status, now); // user code last
        return;
    }
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
    m_port->Hw().RequestCompleted(*this, completion);
    if (!m_onCompletion.IsNull())
    {
        m_onCompletion(completion);
    }
}

void
RdmaQueuePair::MessageReceived(const RdmaCompletion& completion)
{
    m_receiveTrace(completion);
    m_port->Hw().MessageReceived(*this, completion);
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
    return !(m_transport ? m_transport->IsBusy() : m_requester.IsBusy()) &&
           !m_responder.HasResponses();
}

// ---- sending

bool
RdmaQueuePair::CanSend() const
{
    return m_state == READY &&
           (m_responder.CanRespond(m_flow.window) || m_requester.CanSend(m_flow.window));
}

uint32_t
RdmaQueuePair::HeadWireBytes() const
{
    bool request = m_requester.CanSend(m_flow.window);
    bool response = m_responder.CanRespond(m_flow.window) && (m_responseNext || !request);
    if (!request && !response)
    {
        return 0; // nothing is left to send: Pull() says so
    }
    return response ? m_responder.HeadWireBytes() : m_requester.HeadWireBytes();
}

Frame*
RdmaQueuePair::Pull(int64_t now)
{
    CatchUp(now);
    bool request = m_requester.CanSend(m_flow.window);
    bool response = m_responder.CanRespond(m_flow.window) && (m_responseNext || !request);
    if (!request && !response)
    {
        Place(now); // the congestion control has just closed the window
        UpdateTimer(now);
        return nullptr;
    }
    m_responseNext = !response;
    Frame* frame = response ? m_responder.BuildResponse(m_flow.window, now)
                            : m_requester.Build(m_flow.window, now);
    uint32_t wireBytes = frame->WireBytes();
    m_pacer.Sent(wireBytes, now);
    if (m_end.times && m_end.times->HoldMessages() && !response)
    {
        const double ticks =
            RdmaPacer::TicksOf(wireBytes, m_flow.lineRate, m_end.connection.ticksPerSecond);
        m_requester.Sent(now + static_cast<int64_t>(ticks), now);
    }
    if (m_hooks & RdmaCongestionOps::ON_SENT)
    {
        NoteInFlight();
        m_ops->OnSent(m_flow, wireBytes, m_port->ToPs(now));
        CongestionChanged(now);
    }
    Place(now);
    UpdateTimer(now);
    return frame;
}

void
RdmaQueuePair::Place(int64_t now)
{
    QpScheduler& scheduler = m_port->Scheduler();
    m_active = CanSend();
    if (!m_active)
    {
        scheduler.SetIdle(m_slot);
    }
    else if (m_pacer.MaySend(m_flow.lineRate, now))
    {
        scheduler.SetReady(m_slot);
    }
    else
    {
        scheduler.SetPaced(m_slot, m_pacer.NextSend());
    }
    m_port->PaceChanged();
}

void
RdmaQueuePair::PlaceAndKick(int64_t now)
{
    Place(now);
    if (!m_active)
    {
        return;
    }
    if (m_pacer.MaySend(m_flow.lineRate, now))
    {
        m_port->Kick(m_end.connection.data.trafficClass);
    }
    else
    {
        m_port->WakeAt(m_end.connection.data.trafficClass, m_pacer.NextSend());
    }
}

// ---- receiving

void
RdmaQueuePair::Receive(Frame* frame, uint32_t port)
{
    int64_t now = m_port->Device().Now();
    if (m_state != READY)
    {
        frame->Release();
        return;
    }
    if (m_transport)
    {
        m_transport->Receive(frame, port, now);
        CountBusy();
        return;
    }
    if (CarriesData(frame->opcode))
    {
        DataArrived(*frame, now);
    }
    switch (frame->opcode)
    {
    case RoceOpcode::CNP:
        ReceiveCnp(frame, now);
        return;
    case RoceOpcode::ACKNOWLEDGE:
        ReceiveAck(frame, now);
        return;
    case RoceOpcode::READ_RESPONSE_FIRST:
    case RoceOpcode::READ_RESPONSE_MIDDLE:
    case RoceOpcode::READ_RESPONSE_LAST:
    case RoceOpcode::READ_RESPONSE_ONLY:
        ReceiveReadResponse(frame, now);
        return;
    case RoceOpcode::READ_REQUEST:
        ReceiveReadRequest(frame, now);
        return;
    case RoceOpcode::READ_ACKNOWLEDGE:
        ReceiveReadAck(frame, now);
        return;
    default:
        ReceiveRequest(frame, now);
        return;
    }
}

void
RdmaQueuePair::DataArrived(Frame& frame, int64_t now)
{
    // Each switch has taken one off; both ends begin with the same.
    const int taken = m_end.connection.initialTtl - frame.ttl;
    const auto switches = static_cast<uint8_t>(taken > 0 ? taken : 0);
    m_end.counters->dataHops += switches + 1U;
    if (frame.telemetryKind == TelemetryKind::DELAY)
    {
        frame.telemetry.delay.hops = switches;
        frame.telemetry.delay.endpointDelayNs = m_port->ClockNs(now); // RdmaPort makes it a delay
    }
    const bool marked = frame.ecn == Ecn::CE;
    if (marked)
    {
        Marked(frame.srcPort, now);
    }
    if (m_hooks & RdmaCongestionOps::ON_DATA)
    {
        m_ops->OnData({m_port->ToPs(now), frame.WireBytes(), marked});
        m_noticeAt = ToTick(m_ops->NextNotice());
        UpdateTimer(now);
    }
}

void
RdmaQueuePair::ReceiveCnp(Frame* frame, int64_t now)
{
    m_end.counters->cnpsReceived++;
    CatchUp(now);
    NoteInFlight();
    if (frame->telemetryKind == TelemetryKind::RATE)
    {
        const RateTelemetry& rate = frame->telemetry.rate;
        m_ops->OnRateReport(m_flow, {rate.rateMbps * MEGA, rate.congested}, m_port->ToPs(now));
    }
    else
    {
        m_ops->OnCnp(m_flow, m_port->ToPs(now));
    }
    frame->Release();
    CongestionChanged(now);
    UpdateTimer(now);
}

void
RdmaQueuePair::ReceiveRequest(Frame* frame, int64_t now)
{
    Frame* answer = m_responder.Receive(frame, now);
    if (answer)
    {
        m_port->SendControl(answer);
    }
    if (!m_active && m_responder.HasResponses() && m_state == READY)
    {
        PlaceAndKick(now);
        UpdateTimer(now);
    }
}

void
RdmaQueuePair::ReceiveReadRequest(Frame* frame, int64_t now)
{
    const RdmaReadFlight* const before = m_responder.GetFlight();
    const uint64_t sent = before ? before->Sent() : 0;
    ReceiveRequest(frame, now);
    if (m_state == READY && sent > 0 && m_responder.GetFlight()->Sent() < sent)
    {
        Acknowledged(nullptr, {}, true, now); // responses must be sent again
    }
}

void
RdmaQueuePair::ReceiveAck(Frame* frame, int64_t now)
{
    const bool nak = (frame->syndrome & aeth::TYPE_MASK) != 0;
    const auto outcome = m_requester.OnAck(*frame, now);
    const bool lost = (nak && !m_requester.ExpectsReordering()) || outcome.wentBack;
    Acknowledged(frame, outcome, lost, now);
    frame->Release();
    Act(outcome, now);
}

void
RdmaQueuePair::ReceiveReadResponse(Frame* frame, int64_t now)
{
    const auto outcome = m_requester.OnReadResponse(*frame, now);
    // Its telemetry is for the end that has sent it.
    Acknowledged(nullptr, outcome, outcome.wentBack, now);
    if (!frame->ackRequest)
    {
        frame->Release();
    }
    else if (Frame* ack = m_requester.AcknowledgeResponse(frame, outcome))
    {
        m_port->SendControl(ack);
    }
    Act(outcome, now);
}

void
RdmaQueuePair::ReceiveReadAck(Frame* frame, int64_t now)
{
    const bool nak = (frame->syndrome & aeth::TYPE_MASK) != 0;
    RdmaRequester::Outcome outcome;
    outcome.ackedBytes = outcome.deliveredBytes = m_responder.OnReadAcknowledge(*frame);
    Acknowledged(frame, outcome, nak && !m_requester.ExpectsReordering(), now);
    frame->Release();
    if (m_active != CanSend())
    {
        PlaceAndKick(now); // the window has opened
    }
    UpdateTimer(now);
}

void
RdmaQueuePair::Acknowledged(const Frame* frame,
                            const RdmaRequester::Outcome& outcome,
                            bool lost,
                            int64_t now)
{
    if (!(m_hooks & RdmaCongestionOps::ON_ACK))
    {
        return;
    }
    RdmaAckEvent event;
    event.nowPs = m_port->ToPs(now);
    event.ackedBytes = outcome.ackedBytes;
    event.deliveredBytes = outcome.deliveredBytes;
    event.lostBytes = outcome.lostBytes;
    // Requests and READ responses have PSNs of different ends: responses count as so many more.
    const RdmaReadFlight* const responses = m_responder.GetFlight();
    event.unackedPsn = m_requester.Unacked() + (responses ? responses->Acknowledged() : 0);
    event.nextPsn = m_requester.Next() + (responses ? responses->Sent() : 0);
    event.nak = lost;
    if (frame)
    {
        // With entropy values each ACK echoes CE, whether the congestion control listens or not.
        event.marked = frame->becn && (!m_end.Entropy() || m_ops->EchoesMarks());
        event.trimmedBytes = outcome.trimmedBytes;
        event.trimmedAtLastHop = frame->trim == Trim::LAST_HOP;
        event.telemetryKind = frame->telemetryKind;
        event.telemetry = frame->telemetryKind == TelemetryKind::NONE ? nullptr : &frame->telemetry;
        if (frame->telemetryKind == TelemetryKind::DELAY)
        {
            event.rttPs = m_port->ToPs(now - frame->telemetry.delay.sentTick);
        }
    }
    CatchUp(now);
    NoteInFlight();
    m_ops->OnAck(m_flow, event);
    CongestionChanged(now);
    m_repacesGap = m_hooks & REPACE; // the first ACK sets no rate
}

void
RdmaQueuePair::NoteInFlight()
{
    const RdmaReadFlight* const responses = m_responder.GetFlight();
    m_flow.inFlight = m_requester.InFlight() + (responses ? responses->Bytes() : 0);
}

void
RdmaQueuePair::Act(const RdmaRequester::Outcome& outcome, int64_t now)
{
    m_requester.Complete(now); // user code: the state may be another afterwards
    if (m_state != READY)
    {
        return;
    }
    if (outcome.failed)
    {
        Fail(outcome.status, now);
        return;
    }
    if (outcome.wentBack)
    {
        m_port->Hw().WentBack(*this, m_requester.WentBackBy(), TimeStep(m_requester.WentBackTo()));
        if (m_state != READY)
        {
            return; // user code has closed it
        }
    }
    if (outcome.wentBack || m_active != CanSend())
    {
        PlaceAndKick(now);
    }
    UpdateTimer(now);
    CountBusy();
}

void
RdmaQueuePair::CountBusy()
{
    const bool busy =
        m_state == READY && (m_transport ? m_transport->IsBusy() : m_requester.IsBusy());
    if (busy != m_busy)
    {
        m_busy = busy;
        m_port->SetBusy(busy);
    }
}

void
RdmaQueuePair::Marked(uint16_t port, int64_t now)
{
    m_end.counters->markedReceived++;
    if (!m_ops->OnMarkedData(m_port->ToPs(now)))
    {
        return;
    }
    Frame* frame = MakeCnp();
    frame->srcPort = port; // back by the way that is congested
    m_port->SendControl(frame);
}

void
RdmaQueuePair::Notify(int64_t now)
{
    if (NoticeAt() > now)
    {
        return;
    }
    RdmaRateReport report;
    const bool send = m_ops->OnNotice(m_port->ToPs(now), report);
    m_noticeAt = ToTick(m_ops->NextNotice());
    if (!send)
    {
        return;
    }
    Frame* frame = MakeCnp();
    frame->telemetryKind = TelemetryKind::RATE;
    frame->telemetry.rate = {static_cast<uint32_t>(report.rate / MEGA), report.congested};
    m_port->SendControl(frame);
}

Frame*
RdmaQueuePair::MakeCnp()
{
    m_end.counters->cnpsSent++;
    auto frame = new Frame;
    m_end.connection.Address(*frame, RoceOpcode::CNP, m_end.connection.cnp);
    frame->becn = true;
    return frame;
}

// ---- congestion control

void
RdmaQueuePair::CatchUp(int64_t now)
{
    if (m_congestionAt <= now)
    {
        NoteInFlight();
        m_ops->OnTimer(m_flow, m_port->ToPs(now));
        CongestionChanged(now);
    }
}

void
RdmaQueuePair::CongestionChanged(int64_t now)
{
    m_congestionAt = ToTick(m_ops->NextTimer());
    m_flow.rate = std::clamp(m_flow.rate, 1.0, m_flow.lineRate);
    const bool isNew = m_flow.rate != m_rateInForce;
    if (isNew)
    {
        m_rateInForce = m_flow.rate;
        m_pacer.SetRate(m_paceByRate ? m_flow.rate : m_flow.lineRate,
                        m_end.connection.ticksPerSecond,
                        now,
                        m_repace);
        if (m_fullWindow)
        {
            const double window = static_cast<double>(m_fullWindow) * m_flow.rate / m_flow.lineRate;
            m_flow.window = std::max<uint64_t>(1, static_cast<uint64_t>(window)); // 0: no limit
        }
        NS_LOG_LOGIC("queue pair " << GetNumber() << " paces at " << m_flow.rate << " bit/s");
        m_rateTrace(m_flow.rate);
    }
    if (m_repacesGap)
    {
        m_port->GapRepaced(m_pacer.NextSend());
    }
    if ((isNew && m_active) || m_active != CanSend())
    {
        PlaceAndKick(now);
    }
}

// ---- timer

int64_t
RdmaQueuePair::ToTick(int64_t ps) const
{
    return ps == RdmaCongestionOps::NEVER ? RDMA_NEVER : m_port->ToTick(ps);
}

void
RdmaQueuePair::UpdateTimer(int64_t now)
{
    int64_t deadline = std::min({m_requester.Deadline(), m_responder.Deadline(), NoticeAt()});
    if (m_requester.HasUnsent() || m_responder.HasResponses())
    {
        deadline = std::min(deadline, m_congestionAt); // else CatchUp() does it in time
    }
    // An armed timer that is too early looks again when it fires. It is taken away only when the
    // queue pair falls idle: taking it away between two packets costs more than they do.
    bool armed = m_timerAt != RDMA_NEVER;
    bool idle = deadline == RDMA_NEVER && !m_requester.IsBusy();
    if (deadline >= m_timerAt && !(armed && idle))
    {
        return;
    }
    if (armed)
    {
        Simulator::Remove(m_timer); // a cancelled event would keep the simulation alive
    }
    m_timerAt = deadline;
    if (deadline != RDMA_NEVER)
    {
        m_timer = SimulationClock::Schedule(m_port->Device().GetNode()->GetId(),
                                            std::max<int64_t>(deadline - now, 0),
                                            MakeEvent(&RdmaQueuePair::TimerFired, this));
    }
}

void
RdmaQueuePair::TimerFired()
{
    m_timerAt = RDMA_NEVER;
    int64_t now = m_port->Device().Now();
    CatchUp(now);
    Notify(now);
    m_responder.OnTimer(now);
    if (m_requester.Deadline() > now)
    {
        if (m_active != CanSend())
        {
            PlaceAndKick(now);
        }
        UpdateTimer(now);
        return;
    }
    if (m_port->IsPaused(m_end.connection.data.trafficClass))
    {
        m_requester.Postpone(now); // no answer is due for what could not leave
    }
    NoteInFlight(); // before the timeout takes all for lost
    auto outcome = m_requester.OnTimer(now);
    if (outcome.timedOut)
    {
        NS_LOG_DEBUG("queue pair " << GetNumber() << ": timeout, " << m_requester.BytesInFlight()
                                   << " bytes unacknowledged");
        m_ops->OnTimeout(m_flow, m_port->ToPs(now));
        CongestionChanged(now);
    }
    Act(outcome, now);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only

#include "qbb-net-device.h"

#include "frame-codec.h"
#include "qbb-channel.h"
#include "qbb-port-owner.h"
#include "strict-priority-scheduler.h"

#include "ns3/apply-or-undo.h"
#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-ranks.h"
#include "ns3/factory-like.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDevice");

NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid =
        AddTraces(AddSettings(TypeId("ns3::QbbNetDevice")
                                  .SetParent<NetDevice>()
                                  .SetGroupName("Lossless")
                                  .AddConstructor<QbbNetDevice>())
                      .AddAttribute("EgressScheduler",
                                    "Which class sends next; one object a port",
                                    PointerValue(),
                                    MakePointerAccessor(&QbbNetDevice::SetScheduler,
                                                        &QbbNetDevice::GetScheduler),
                                    MakePointerChecker<EgressScheduler>())
                      .AddAttribute("ReceiveErrorModel",
                                    "Destroys frames that arrive; none by default",
                                    PointerValue(),
                                    MakePointerAccessor(&QbbNetDevice::SetReceiveErrorModel,
                                                        &QbbNetDevice::GetReceiveErrorModel),
                                    MakePointerChecker<ErrorModel>()));
    return tid;
}

TypeId
QbbNetDevice::AddTraces(TypeId tid)
{
    return tid
        .AddTraceSource("FrameTx",
                        "First bit of a frame leaves",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_frameTx),
                        "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource("FrameRx",
                        "Last bit of a frame has arrived",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_frameRx),
                        "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource("Drop",
                        "A frame is dropped at this port, and why",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_drop),
                        "ns3::QbbNetDevice::DropTracedCallback")
        .AddTraceSource("PfcTx",
                        "PFC sent, once for each class of the frame",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_pfcTx),
                        "ns3::QbbNetDevice::PfcTracedCallback")
        .AddTraceSource(
            "PfcRx",
            "PFC received takes effect, once for each class of the frame: PfcReactionDelay "
            "after the last bit of the frame has arrived",
            MakeTraceSourceAccessor(&QbbNetDevice::m_pfcRx),
            "ns3::QbbNetDevice::PfcTracedCallback")
        .AddTraceSource("PauseState",
                        "A class of this egress port was paused or opened",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_pauseState),
                        "ns3::QbbNetDevice::PauseStateTracedCallback")
        .AddTraceSource("Sniffer",
                        "Frames sent and received, as bytes, for captures",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_sniffer),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PromiscSniffer",
                        "Frames sent and received, as bytes, for captures",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_promiscSniffer),
                        "ns3::Packet::TracedCallback");
}

namespace
{

/// Where the frames of a node go that is another rank's: it must not send here.
class NodeElsewhere : public FrameReceiver
{
  public:
    static NodeElsewhere* Instance()
    {
        static NodeElsewhere instance;
        return &instance;
    }

    void ReceiveFrame(Frame* frame) override
    {
        throw std::runtime_error(
            "a node sends on a rank that is not its own; let an application run "
            "on the rank of its node");
    }
};

} // namespace

QbbNetDevice::QbbNetDevice()
    : m_transmitEnd(Ptr<TransmitEndEvent>(new TransmitEndEvent(this), false))
{
    SetScheduler(CreateObject<StrictPriorityScheduler>());
}

QbbNetDevice::QbbNetDevice(const QbbNetDevice& like)
    : QbbPortSettings(like),
      m_transmitEnd(Ptr<TransmitEndEvent>(new TransmitEndEvent(this), false))
{
    const bool isOwn = like.m_scheduler->GetReferenceCount() == 1;
    SetScheduler(isOwn ? FactoryLike(*like.m_scheduler).Create<EgressScheduler>()
                       : like.m_scheduler);
    SetReceiveErrorModel(like.GetReceiveErrorModel());
    SettingChanged();
}

QbbNetDevice::~QbbNetDevice()
{
    LeaveScheduler();
}

void
QbbNetDevice::DoInitialize()
{
    if (m_node) // else disposed of: FabricHelper has refused the fabric
    {
        Prepare();
    }
    QbbStackPort::DoInitialize();
}

void
QbbNetDevice::DoDispose()
{
    m_transmitEnd->Detach();
    m_pfc.Detach();
    if (m_llr)
    {
        m_llr->Detach();
    }
    if (m_cbfc)
    {
        m_cbfc->Detach();
    }
    m_owner = nullptr;
    m_linkUp = false;
    while (uint8_t waiting = m_queues.NonEmpty())
    {
        m_queues.Pop(__builtin_ctz(waiting))->Release();
    }
    m_channel = nullptr;
    m_losses.SetErrorModel(nullptr);
    QbbStackPort::DoDispose();
}

void
QbbNetDevice::Attach(Ptr<QbbChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    channel->Attach(this);
    SettingChanged();
}

Ptr<Channel>
QbbNetDevice::GetChannel() const
{
    return m_channel;
}

Ptr<QbbNetDevice>
QbbNetDevice::GetPeer() const
{
    return m_channel ? m_channel->GetPeer(this) : nullptr;
}

void
QbbNetDevice::SetOwner(QbbPortOwner* owner, uint16_t index)
{
    m_owner = owner;
    m_index = index;
    m_sendsQueues = !owner || owner->SendsQueues();
}

void
QbbNetDevice::SettingChanged()
{
    m_prepared = false; // the next frame sees the new numbers
    if (IsInitialized())
    {
        Prepare();
    }
    const auto peer = GetPeer();
    if (peer && peer->m_prepared)
    {
        peer->Prepare(); // it refreshes pauses by the rate of this port
    }
    ApplyPfcClasses();
    if (m_owner)
    {
        m_owner->PortChanged(*this);
    }
    if (peer && peer->m_owner)
    {
        peer->m_owner->PortChanged(*peer);
    }
}

void
QbbNetDevice::ApplyPfcClasses()
{
    const auto map = GetTrafficClassMap()->GetTable();
    m_pfc.SetMaps(map->pfcPriority, map->pfcQueues, m_linkUp);
    const uint8_t classes = PfcClassesInForce();
    const uint8_t entered = classes & ~m_pfc.Classes();
    m_pfc.SetClasses(classes, m_linkUp);
    if (entered && m_linkUp)
    {
        GetPeer()->m_pfc.Repeat(entered);
    }
}

uint8_t
QbbNetDevice::GetPausableQueues() const
{
    return GetTrafficClassMap()->GetTable()->QueuesOfPriorities(GetActivePfcClasses()) |
           GetCbfcClasses();
}

uint8_t
QbbNetDevice::GetPausableClasses() const
{
    return GetTrafficClassMap()->GetTable()->ClassesOfQueues(GetPausableQueues());
}

uint8_t
QbbNetDevice::GetPausingGroups() const
{
    return GetTrafficClassMap()->GetTable()->GroupsOfPriorities(GetActivePfcClasses()) |
           GetCbfcClasses();
}

uint8_t
QbbNetDevice::GetPausingClasses() const
{
    return GetTrafficClassMap()->GetTable()->ClassesOfGroups(GetPausingGroups());
}

void
QbbNetDevice::SetScheduler(Ptr<EgressScheduler> scheduler)
{
    NS_LOG_FUNCTION(this << scheduler);
    if (!scheduler || scheduler == m_scheduler)
    {
        return; // null keeps the scheduler: a port cannot do without
    }
    if (!scheduler->IsStateless())
    {
        scheduler->Take(*this);
        scheduler->SetPort(this);
    }
    LeaveScheduler();
    m_scheduler = scheduler;
    m_schedulerHot = PeekPointer(m_scheduler);
    m_soleClassFast = m_scheduler->IsStateless();
    m_limitsRates = m_scheduler->LimitsRates();
    ChoiceChanged(); // the one before may have held classes back
}

void
QbbNetDevice::LeaveScheduler()
{
    if (m_scheduler && !m_scheduler->IsStateless())
    {
        m_scheduler->Leave(*this);
        m_scheduler->SetPort(nullptr);
    }
}

void
QbbNetDevice::ChoiceChanged()
{
    if (m_prepared && m_linkUp)
    {
        Kick();
    }
}

void
QbbNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    NS_LOG_FUNCTION(this << model);
    m_losses.SetErrorModel(model);
    m_lossy = m_lossy || model;
}

void
QbbNetDevice::AddReceiveLoss(Ptr<FrameLoss> loss)
{
    NS_LOG_FUNCTION(this << loss);
    m_losses.Add(loss);
    m_lossy = true;
}

void
QbbNetDevice::RemoveReceiveLoss(Ptr<FrameLoss> loss)
{
    NS_LOG_FUNCTION(this << loss);
    m_losses.Remove(loss);
}

void
QbbNetDevice::SetLaterStreams(int64_t stream)
{
    m_losses.SetLaterStreams(stream);
}

Ptr<ErrorModel>
QbbNetDevice::GetReceiveErrorModel() const
{
    return m_losses.GetErrorModel();
}

Ptr<EgressScheduler>
QbbNetDevice::GetScheduler() const
{
    return m_scheduler;
}

void
QbbNetDevice::SetNotifyLastBit(bool notify)
{
    m_notifyLastBit = notify;
    m_endsByEvent = m_notifyLastBit || GetTransmitter() == HPCC_TRANSMITTER;
}

void
QbbNetDevice::SetCutThroughBytes(uint16_t bytes)
{
    m_cutThroughBytes = bytes;
    if (const auto peer = GetPeer())
    {
        peer->m_peerCutsThrough = bytes > 0;
    }
}

int64_t
QbbNetDevice::TailTicks(uint32_t wireBytes) const
{
    constexpr uint64_t BITS = 8;
    const uint32_t headBytes = GetPeer()->m_cutThroughBytes + ETHERNET_GAP_BYTES;
    return m_peerCutsThrough && wireBytes > headBytes
               ? m_line.TicksOfBits(BITS * (wireBytes - headBytes))
               : 0;
}

// ---- sending

void
QbbNetDevice::Prepare()
{
    NS_ASSERT_MSG(m_node, "QbbNetDevice: the port belongs to no node");
    m_prepared = true;
    const auto ticksPerSecond = static_cast<uint64_t>(SimulationClock::TicksPerSecond());
    m_line.SetRate(GetDataRate().GetBitRate(), ticksPerSecond, SerialisationTicks());
    m_endsByEvent = m_notifyLastBit || GetTransmitter() == HPCC_TRANSMITTER;
    m_nodeId = m_node->GetId();
    if (auto peer = GetPeer())
    {
        NS_ASSERT_MSG(peer->GetNode(), "QbbNetDevice: the peer port belongs to no node");
        m_peerReceiver = PeekPointer(peer);
        m_peerNodeId = peer->GetNode()->GetId();
        m_peerCutsThrough = peer->m_cutThroughBytes > 0;
        m_delayTicks = m_channel->GetDelay().GetTimeStep();
        if (FrameReceiver* const remote = m_channel->GetRemote(*this))
        {
            m_peerReceiver = remote;
            m_peerNodeId = m_nodeId;
            m_delayTicks = 0; // the channel adds it
        }
        if (!FabricRanks::HasNode(*m_node))
        {
            m_peerReceiver = NodeElsewhere::Instance();
        }
    }
    PortPfc::Settings settings;
    settings.quanta = GetPauseQuanta();
    settings.refreshTicks = GetPauseRefresh().GetTimeStep();
    settings.reactionTicks = GetPfcReactionDelay().GetTimeStep();
    settings.endless = GetPfcDialect() == ENDLESS_XOFF;
    settings.format = GetFrameFormat();
    m_pfc.Configure(settings, m_nodeId);
    PrepareCredits();
    PrepareLlr();
}

Time
QbbNetDevice::GetPauseRefresh() const
{
    const auto peer = GetPeer();
    return QbbPortSettings::GetPauseRefresh(peer ? peer->GetDataRate() : GetDataRate());
}

void
QbbNetDevice::Kick()
{
    if (m_transmitting)
    {
        return; // Transmit() looks again before it returns, or TransmitEnd() will
    }
    if (!m_prepared)
    {
        Prepare();
    }
    const int64_t now = SimulationClock::Now();
    if (m_line.BusyUntil() > now)
    {
        m_transmitEnd->Arm(m_nodeId, now, m_line.BusyUntil());
        return;
    }
    Transmit(now);
}

void
QbbNetDevice::WakeAt(int64_t tick)
{
    const int64_t now = SimulationClock::Now();
    m_transmitEnd->Arm(m_nodeId, now, std::max(tick, now));
}

void
QbbNetDevice::TransmitEnd()
{
    if (m_transmitting && m_line.BusyUntil() > SimulationClock::Now())
    {
        WakeAt(m_line.BusyUntil()); // woken earlier by somebody else
        return;
    }
    m_transmitting &= ~SENDING;
    Kick();
}

void
QbbNetDevice::Transmit(int64_t now)
{
    m_transmitting |= SENDING;
    if (m_lastBitPending)
    {
        // Releases buffer, which may make an XON due at this very port: within the guard.
        m_lastBitPending = false;
        m_owner->LastBitSent(*this);
    }
    if (!m_linkUp)
    {
        m_transmitting &= ~SENDING;
        return;
    }
    Frame* frame = nullptr;
    if (!m_pfcPending)
    {
        frame = m_owner ? m_owner->NextFrame(*this) : PopQueues();
    }
    // Also when releasing buffer in NextFrame() made an XON due and there was nothing to send.
    if (!frame && m_pfcPending)
    {
        frame = m_pfc.MakeFrame();
    }
    m_transmitting &= ~SENDING;
    if (!frame)
    {
        return;
    }
    Launch(frame, now);
    if (m_endsByEvent)
    {
        m_lastBitPending = m_notifyLastBit && m_owner;
        m_transmitting |= GetTransmitter() == HPCC_TRANSMITTER ? SENDING : 0; // until TransmitEnd()
    }
    if (m_endsByEvent || m_pfcPending || (m_sendsQueues ? HasSendable() : m_owner->HasNext(*this)))
    {
        m_transmitEnd->Arm(m_nodeId, now, m_line.BusyUntil());
    }
}

void
QbbNetDevice::SendNow(Frame* frame, int64_t now)
{
    NS_ASSERT_MSG(m_transmitting && m_sendsQueues && !m_queues.NonEmpty(), "the port is not free");
    m_transmitting &= ~SENDING;
    Launch(frame, now);
    if (m_pfcPending || HasSendable())
    {
        m_transmitEnd->Arm(m_nodeId, now, m_line.BusyUntil());
    }
}

void
QbbNetDevice::Launch(Frame* frame, int64_t now)
{
    const uint32_t wireBytes = frame->WireBytes();
    ++m_txFrames;
    m_txWireBytes += wireBytes;
    m_queues.CountSent(*frame);
    if (m_watched)
    {
        m_frameTx(*this, *frame);
        Sniff(*frame, true);
        if (m_llr)
        {
            if (m_llr->Discards(*frame))
            {
                m_line.Send(now, wireBytes);
                Drop(frame, DropReason::LINK_DOWN);
                return;
            }
            m_llr->Sent(*frame);
        }
        if (m_cbfc)
        {
            m_cbfc->Sent(*frame);
        }
    }
    const int64_t tail = m_peerCutsThrough ? TailTicks(wireBytes) : 0;
    m_lastArrival = std::max(m_line.Send(now, wireBytes) + m_delayTicks - tail, m_lastArrival);
    frame->receiver = m_peerReceiver;
    SimulationClock::Post(m_peerNodeId, m_lastArrival - now, frame);
}

Frame*
QbbNetDevice::PopQueues()
{
    const uint8_t eligible = Conforming(m_queues.NonEmpty() & ~m_pausedMask);
    if (!eligible)
    {
        return nullptr;
    }
    const bool sole = (eligible & (eligible - 1)) == 0;
    if (sole && m_soleClassFast)
    {
        return m_queues.Pop(__builtin_ctz(eligible));
    }
    const uint32_t cls = m_schedulerHot->Pick(eligible, *this);
    Frame* frame = m_queues.Pop(cls);
    if (!(m_queues.NonEmpty() & (1U << cls)))
    {
        m_schedulerHot->ClassEmptied(cls);
    }
    return frame;
}

uint8_t
QbbNetDevice::AskConforming(uint8_t eligible)
{
    int64_t retryAt = 0;
    const uint8_t conforming =
        m_schedulerHot->Conforming(eligible,
                                   {Now(),
                                    GetDataRate().GetBitRate(),
                                    static_cast<uint64_t>(SimulationClock::TicksPerSecond())},
                                   retryAt);
    if (!conforming)
    {
        WakeAt(retryAt);
    }
    return conforming;
}

uint32_t
QbbNetDevice::HeadWireBytes(uint32_t cls) const
{
    return m_queues.HeadWireBytes(cls);
}

void
QbbNetDevice::ReceiveFrame(Frame* frame)
{
    if (m_lossy)
    {
        DropReason reason;
        if (IsLost(*frame, reason))
        {
            if (m_llr && reason != DropReason::LINK_DOWN && frame->linkNumber > 0)
            {
                m_llr->Destroyed(); // it comes again
                frame->Release();
                return;
            }
            Drop(frame, reason);
            return;
        }
    }
    ++m_rxFrames;
    m_rxWireBytes += frame->WireBytes();
    if (m_watched)
    {
        if (IsDiscarded(frame))
        {
            return;
        }
        m_frameRx(*this, *frame);
        Sniff(*frame, false);
        if (m_cbfc)
        {
            m_cbfc->Arrived(*frame);
            if (!m_owner || !m_owner->FreesCredits(*this))
            {
                FreeCredits(frame->credits);
            }
        }
    }
    if (frame->kind == FrameKind::PFC)
    {
        m_pfc.Arrived(frame);
        return;
    }
    if (m_owner)
    {
        m_owner->FrameArrived(*this, frame);
    }
    else if (frame->kind == FrameKind::IP)
    {
        DeliverUp(frame);
    }
    else
    {
        Drop(frame, DropReason::NO_QUEUE_PAIR);
    }
}

QbbNetDevice::Counters
QbbNetDevice::GetCounters() const
{
    Counters counters;
    counters.txFrames = m_txFrames;
    counters.txWireBytes = m_txWireBytes;
    counters.rxFrames = m_rxFrames;
    counters.rxWireBytes = m_rxWireBytes;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        counters.txClassBytes[cls] = m_queues.SentBytes(cls);
    }
    counters.drops = m_drops;
    return counters;
}

bool
QbbNetDevice::IsLost(const Frame& frame, DropReason& reason)
{
    if (!m_linkUp || SimulationClock::Now() <= m_lostUntil)
    {
        reason = DropReason::LINK_DOWN;
        return true;
    }
    return m_losses.IsLost(frame, reason);
}

void
QbbNetDevice::Sniff(const Frame& frame, bool sent)
{
    if (!IsCaptured())
    {
        return;
    }
    auto peer = GetPeer();
    const Mac48Address far = peer ? peer->m_address : Mac48Address();
    Ptr<const Packet> packet = FrameCodec::ToPacket(frame,
                                                    sent ? m_address : far,
                                                    sent ? far : m_address,
                                                    {ComputesIcrc(), false});
    m_promiscSniffer(packet);
    m_sniffer(packet);
}

void
QbbNetDevice::Drop(Frame* frame, DropReason reason)
{
    NS_LOG_DEBUG("node " << m_nodeId << " port " << m_index << " drops " << frame->bytes
                         << " bytes: " << reason);
    ++m_drops[static_cast<size_t>(reason)];
    CountLost(m_lost, *frame, reason);
    m_drop(*this, *frame, reason);
    frame->Release();
}

// ---- the IP stack

bool
QbbNetDevice::SendFrame(Frame* frame)
{
    const auto map = GetTrafficClassMap();
    frame->sentClass = map->Classify(*frame);
    const uint8_t queue = map->QueueOf(frame->sentClass);
    frame->trafficClass = queue;
    if (!m_linkUp)
    {
        Drop(frame, DropReason::LINK_DOWN);
        return false;
    }
    if (m_queues.Bytes(queue) + frame->bytes > IpQueueBytes())
    {
        Drop(frame, DropReason::HOST_QUEUE_FULL);
        return false;
    }
    m_queues.Push(frame);
    Kick();
    return true;
}

Address
QbbNetDevice::GetPeerAddress() const
{
    auto peer = GetPeer();
    return peer ? peer->GetAddress() : Address();
}

// ---- PFC

void
QbbNetDevice::RequestPause(uint32_t group, bool xoff)
{
    if (m_linkUp)
    {
        NS_LOG_LOGIC("node " << m_nodeId << " port " << m_index << " asks for "
                             << (xoff ? "XOFF" : "XON") << " of priority group " << group);
        m_pfc.Request(group, xoff);
    }
}

void
QbbNetDevice::SetPfcIgnored(uint8_t queues)
{
    NS_LOG_FUNCTION(this << +queues);
    m_pfc.SetIgnored(queues);
}

void
QbbNetDevice::OverridePause(uint8_t stuck, uint8_t muted)
{
    NS_LOG_FUNCTION(this << +stuck << +muted);
    m_pfc.Override(stuck, muted, m_linkUp);
}

void
QbbNetDevice::PfcDue()
{
    if (m_transmitting & HELD)
    {
        m_llr->Pump();
        return;
    }
    Kick();
}

void
QbbNetDevice::PfcSent(uint32_t cls, uint16_t quanta)
{
    m_pfcTx(*this, cls, quanta);
}

void
QbbNetDevice::PfcObeyed(uint32_t cls, uint16_t quanta)
{
    m_pfcRx(*this, cls, quanta);
}

void
QbbNetDevice::PausesChanged(uint8_t closed, uint8_t opened)
{
    m_pausedMask = m_pfc.Obeyer().PausedMask();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if ((closed | opened) & (1U << cls))
        {
            m_pauseState(*this, cls, closed & (1U << cls));
        }
    }
    if (m_owner)
    {
        m_owner->PauseChanged(*this, m_pausedMask);
    }
    if (opened && m_linkUp)
    {
        Kick();
    }
}

// ---- link state

bool
QbbNetDevice::IsLinkUp() const
{
    return m_linkUp;
}

void
QbbNetDevice::LinkChanged(bool up)
{
    NS_LOG_FUNCTION(this << up);
    if (up == m_linkUp)
    {
        return;
    }
    m_linkUp = up;
    if (!up)
    {
        Flush();
    }
    if (m_llr)
    {
        m_llr->LinkChanged(up);
    }
    m_linkChanges();
    if (m_owner)
    {
        m_owner->LinkChanged(*this, up);
    }
    if (up && m_lostUntil >= 0)
    {
        Kick(); // mended; at the first plugging-in there is nothing to send yet
    }
}

void
QbbNetDevice::Flush()
{
    m_lostUntil = std::max(GetPeer()->m_lastArrival, GetPeer()->m_lastUpdate);
    m_lossy = true;
    if (m_cbfc)
    {
        m_cbfc->Cut();
    }
    const uint8_t opened = m_pfc.Cut();
    m_pausedMask = 0;
    while (uint8_t waiting = m_queues.NonEmpty())
    {
        FlushClass(__builtin_ctz(waiting), DropReason::LINK_DOWN);
    }
    if (opened)
    {
        PausesChanged(0, opened);
    }
}

uint32_t
QbbNetDevice::FlushClass(uint32_t cls, DropReason reason)
{
    NS_LOG_FUNCTION(this << cls << reason);
    uint32_t flushed = 0;
    // By number: what comes in meanwhile stays. Giving buffer back may also send some of it.
    for (uint32_t left = m_queues.Frames(cls); left > 0 && m_queues.Frames(cls) > 0; --left)
    {
        Frame* frame = m_queues.Pop(cls);
        if (m_queues.Frames(cls) == 0)
        {
            m_schedulerHot->ClassEmptied(cls);
        }
        if (m_owner)
        {
            m_owner->FrameFlushed(*this, frame, reason);
        }
        Drop(frame, reason);
        ++flushed;
    }
    return flushed;
}

} // namespace ns3

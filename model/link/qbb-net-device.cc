// SPDX-License-Identifier: GPL-2.0-only

#include "qbb-net-device.h"

#include "frame-codec.h"
#include "qbb-channel.h"
#include "qbb-port-owner.h"
#include "strict-priority-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
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

namespace
{

/// Fastest line: 1.6 Tb/s.
constexpr uint64_t MAX_BIT_RATE = 1600000000000;
/// Below it the longest pause, 65535 quanta, does not fit into the clock.
constexpr uint64_t MIN_BIT_RATE = 1000;

/// Duration of the pauses that the SHORT_QUANTA dialect asks for.
const int64_t SHORT_PAUSE_US = 5;

/// Bit times of one pause quantum.
constexpr uint64_t QUANTUM_BITS = 512;

} // namespace

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid =
        AddTraces(AddPfcAttributes(AddLineAttributes(TypeId("ns3::QbbNetDevice")
                                                         .SetParent<NetDevice>()
                                                         .SetGroupName("Lossless")
                                                         .AddConstructor<QbbNetDevice>())));
    return tid;
}

TypeId
QbbNetDevice::AddLineAttributes(TypeId tid)
{
    return tid
        .AddAttribute("DataRate",
                      "Line rate, 1 kb/s to 1.6 Tb/s",
                      DataRateValue(DataRate("100Gbps")),
                      MakeDataRateAccessor(&QbbNetDevice::SetDataRate, &QbbNetDevice::GetDataRate),
                      MakeDataRateChecker())
        .AddAttribute("Mtu",
                      "Longest IP packet, bytes (Ethernet payload)",
                      UintegerValue(1500),
                      MakeUintegerAccessor(&QbbNetDevice::SetMtu, &QbbNetDevice::GetMtu),
                      MakeUintegerChecker<uint16_t>(68, 9216))
        .AddAttribute("IpQueueBytes",
                      "Limit of a transmit queue for packets of the IP stack, frame bytes a "
                      "class",
                      UintegerValue(1U << 20),
                      MakeUintegerAccessor(&QbbNetDevice::m_ipQueueBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("ComputeIcrc",
                      "Whether captures hold the RoCEv2 ICRC; else four zero bytes",
                      BooleanValue(false),
                      MakeBooleanAccessor(&QbbNetDevice::m_computeIcrc),
                      MakeBooleanChecker())
        .AddAttribute("TrafficClassMap",
                      "Map from DSCP or PCP to the class",
                      PointerValue(),
                      MakePointerAccessor(&QbbNetDevice::SetTrafficClassMap,
                                          &QbbNetDevice::GetTrafficClassMap),
                      MakePointerChecker<TrafficClassMap>())
        .AddAttribute("EgressScheduler",
                      "Which class sends next; one object a port",
                      PointerValue(),
                      MakePointerAccessor(&QbbNetDevice::SetScheduler, &QbbNetDevice::GetScheduler),
                      MakePointerChecker<EgressScheduler>())
        .AddAttribute("ReceiveErrorModel",
                      "Destroys frames that arrive; none by default",
                      PointerValue(),
                      MakePointerAccessor(&QbbNetDevice::SetReceiveErrorModel,
                                          &QbbNetDevice::GetReceiveErrorModel),
                      MakePointerChecker<ErrorModel>());
}

TypeId
QbbNetDevice::AddPfcAttributes(TypeId tid)
{
    return tid
        .AddAttribute(
            "PfcEnabled",
            "Whether this port issues and obeys PFC at all",
            BooleanValue(true),
            MakeBooleanAccessor(&QbbNetDevice::SetPfcEnabled, &QbbNetDevice::GetPfcEnabled),
            MakeBooleanChecker())
        .AddAttribute(
            "PfcClasses",
            "Classes with PFC: bit c stands for class c",
            UintegerValue(1U << 3),
            MakeUintegerAccessor(&QbbNetDevice::SetPfcClasses, &QbbNetDevice::GetPfcClasses),
            MakeUintegerChecker<uint8_t>())
        .AddAttribute("PfcDialect",
                      "How a pause ends: by its quanta or XON (Standard), by XON only "
                      "(EndlessXoff, HPCC simulator), or after 5 us unless sent again "
                      "(ShortQuanta)",
                      EnumValue(STANDARD),
                      MakeLosslessEnumAccessor<PfcDialect>(&QbbNetDevice::m_dialect),
                      MakeEnumChecker(STANDARD,
                                      "Standard",
                                      ENDLESS_XOFF,
                                      "EndlessXoff",
                                      SHORT_QUANTA,
                                      "ShortQuanta"))
        .AddAttribute("PfcQuanta",
                      "Pause time of an XOFF, in quanta of 512 bit times",
                      UintegerValue(65535),
                      MakeUintegerAccessor(&QbbNetDevice::m_quanta),
                      MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("PfcRefreshInterval",
                      "Time after which an XOFF still in force is sent again; 0: never; "
                      "negative: half of the pause time",
                      TimeValue(Time(-1)),
                      MakeTimeAccessor(&QbbNetDevice::m_refreshInterval),
                      MakeTimeChecker())
        .AddAttribute("PfcReactionDelay",
                      "Time between the arrival of a PFC frame and its effect (802.3 annex "
                      "31B bounds it, such as 394 quanta at 100 Gb/s)",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&QbbNetDevice::m_reactionDelay),
                      MakeTimeChecker(Time(0)));
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

QbbNetDevice::QbbNetDevice()
    : m_transmitEnd(Ptr<TransmitEndEvent>(new TransmitEndEvent(this), false)),
      m_pfcTimer(Ptr<PfcTimerEvent>(new PfcTimerEvent(this), false)),
      m_classMap(CreateObject<TrafficClassMap>())
{
    SetScheduler(CreateObject<StrictPriorityScheduler>());
}

QbbNetDevice::~QbbNetDevice() = default;

void
QbbNetDevice::DoInitialize()
{
    Prepare();
    QbbStackPort::DoInitialize();
}

void
QbbNetDevice::DoDispose()
{
    m_transmitEnd->Detach();
    m_pfcTimer->Detach();
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
    LineChanged();
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
}

void
QbbNetDevice::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    if (rate.GetBitRate() < MIN_BIT_RATE || rate.GetBitRate() > MAX_BIT_RATE)
    {
        throw std::invalid_argument("QbbNetDevice: DataRate " + std::to_string(rate.GetBitRate()) +
                                    " bit/s; it must be 1 kb/s to 1.6 Tb/s");
    }
    m_rate = rate;
    LineChanged();
}

DataRate
QbbNetDevice::GetDataRate() const
{
    return m_rate;
}

void
QbbNetDevice::SetPfcEnabled(bool enabled)
{
    NS_LOG_FUNCTION(this << enabled);
    m_pfcOn = enabled;
    m_pfcEnabled = enabled ? m_pfcClasses : 0;
}

bool
QbbNetDevice::GetPfcEnabled() const
{
    return m_pfcOn;
}

void
QbbNetDevice::SetPfcClasses(uint8_t classes)
{
    NS_LOG_FUNCTION(this << +classes);
    m_pfcClasses = classes;
    m_pfcEnabled = m_pfcOn ? classes : 0;
}

Time
QbbNetDevice::GetPfcReactionDelay() const
{
    return m_reactionDelay;
}

QbbNetDevice::PfcDialect
QbbNetDevice::GetPfcDialect() const
{
    return m_dialect;
}

uint16_t
QbbNetDevice::GetPfcQuanta() const
{
    if (m_dialect != SHORT_QUANTA)
    {
        return m_quanta;
    }
    const uint64_t bits = m_rate.GetBitRate() / 1000000 * SHORT_PAUSE_US;
    return std::clamp<uint64_t>((bits + QUANTUM_BITS - 1) / QUANTUM_BITS, 1, 65535);
}

Time
QbbNetDevice::GetPfcRefreshInterval() const
{
    if (m_dialect == ENDLESS_XOFF)
    {
        return Time(0);
    }
    if (m_dialect == STANDARD && !m_refreshInterval.IsStrictlyNegative())
    {
        return m_refreshInterval;
    }
    // The quanta of a pause are bit times of the port that is paused.
    const auto peer = GetPeer();
    const DataRate rate = m_dialect == STANDARD && peer ? peer->m_rate : m_rate;
    LineClock line;
    line.SetRate(rate.GetBitRate(), SimulationClock::TicksPerSecond());
    const int64_t pause = line.TicksOfBits(QUANTUM_BITS * GetPfcQuanta());
    return TimeStep(m_dialect == SHORT_QUANTA ? pause : pause / 2);
}

void
QbbNetDevice::SetTrafficClassMap(Ptr<TrafficClassMap> map)
{
    NS_LOG_FUNCTION(this << map);
    // Null keeps the default: a port cannot do without.
    m_classMap = map ? map : m_classMap;
}

Ptr<TrafficClassMap>
QbbNetDevice::GetTrafficClassMap() const
{
    return m_classMap;
}

void
QbbNetDevice::SetScheduler(Ptr<EgressScheduler> scheduler)
{
    NS_LOG_FUNCTION(this << scheduler);
    m_scheduler = scheduler ? scheduler : m_scheduler;
    m_schedulerHot = PeekPointer(m_scheduler);
    m_soleClassFast = m_scheduler->IsStateless();
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
}

// ---- sending

void
QbbNetDevice::Prepare()
{
    NS_ASSERT_MSG(m_node, "QbbNetDevice: the port belongs to no node");
    m_prepared = true;
    const auto ticksPerSecond = static_cast<uint64_t>(SimulationClock::TicksPerSecond());
    m_line.SetRate(m_rate.GetBitRate(), ticksPerSecond);
    m_nodeId = m_node->GetId();
    m_reactionTicks = m_reactionDelay.GetTimeStep();
    if (auto peer = GetPeer())
    {
        NS_ASSERT_MSG(peer->GetNode(), "QbbNetDevice: the peer port belongs to no node");
        m_peerReceiver = PeekPointer(peer);
        m_peerNodeId = peer->GetNode()->GetId();
        m_delayTicks = m_channel->GetDelay().GetTimeStep();
    }

    m_issuer.Configure(GetPfcQuanta(), GetPfcRefreshInterval().GetTimeStep());
}

void
QbbNetDevice::LineChanged()
{
    m_prepared = false; // the next frame sees the new numbers
}

void
QbbNetDevice::Kick()
{
    if (m_transmitting)
    {
        return; // Transmit() looks again before it returns
    }
    if (!m_prepared)
    {
        Prepare();
    }
    const int64_t now = m_clock.Now();
    if (m_line.BusyUntil() > now)
    {
        m_transmitEnd->Arm(m_clock, m_nodeId, now, m_line.BusyUntil());
        return;
    }
    Transmit(now);
}

void
QbbNetDevice::WakeAt(int64_t tick)
{
    const int64_t now = m_clock.Now();
    m_transmitEnd->Arm(m_clock, m_nodeId, now, std::max(tick, now));
}

void
QbbNetDevice::TransmitEnd()
{
    Kick();
}

void
QbbNetDevice::Transmit(int64_t now)
{
    m_transmitting = true;
    if (m_lastBitPending)
    {
        // Releases buffer, which may make an XON due at this very port: within the guard.
        m_lastBitPending = false;
        m_owner->LastBitSent(*this);
    }
    if (!m_linkUp)
    {
        m_transmitting = false;
        return;
    }
    Frame* frame = nullptr;
    if (!m_issuer.Pending())
    {
        frame = m_owner ? m_owner->NextFrame(*this) : PopQueues();
    }
    // Also when releasing buffer in NextFrame() made an XON due and there was nothing to send.
    if (!frame && m_issuer.Pending())
    {
        frame = MakePfcFrame(now);
    }
    m_transmitting = false;
    if (!frame)
    {
        return;
    }
    Launch(frame, now);
    if (m_notifyLastBit && m_owner)
    {
        m_lastBitPending = true;
    }
    if (m_lastBitPending || m_issuer.Pending() ||
        (m_owner ? m_owner->HasNext(*this) : HasSendable()))
    {
        m_transmitEnd->Arm(m_clock, m_nodeId, now, m_line.BusyUntil());
    }
}

void
QbbNetDevice::Launch(Frame* frame, int64_t now)
{
    const uint32_t wireBytes = frame->WireBytes();
    ++m_counters.txFrames;
    m_counters.txWireBytes += wireBytes;
    m_counters.txClassBytes[frame->trafficClass] += frame->bytes;
    m_frameTx(*this, *frame);
    Sniff(*frame, true);
    const int64_t end = m_line.Send(now, wireBytes);
    frame->receiver = m_peerReceiver;
    m_clock.Post(m_peerNodeId, end - now + m_delayTicks, frame);
}

Frame*
QbbNetDevice::PopQueues()
{
    const uint8_t eligible = m_queues.NonEmpty() & ~m_pausedMask;
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
            Drop(frame, reason);
            return;
        }
    }
    ++m_counters.rxFrames;
    m_counters.rxWireBytes += frame->WireBytes();
    m_frameRx(*this, *frame);
    Sniff(*frame, false);
    if (frame->kind == FrameKind::PFC)
    {
        if (m_reactionTicks > 0)
        {
            frame->receiver = &m_pfcReaction;
            m_clock.Post(m_nodeId, m_reactionTicks, frame);
        }
        else
        {
            ObeyPfc(frame);
        }
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

bool
QbbNetDevice::IsLost(const Frame& frame, DropReason& reason)
{
    if (!m_prepared)
    {
        Prepare();
    }
    if (m_cutAt >= 0)
    {
        const int64_t serialisation = GetPeer()->m_line.TicksOfBits(8ULL * frame.WireBytes());
        const int64_t flight = m_delayTicks + serialisation;
        if (!m_linkUp || m_clock.Now() - flight < m_cutAt)
        {
            reason = DropReason::LINK_DOWN;
            return true;
        }
    }
    return m_losses.IsLost(frame, reason);
}

void
QbbNetDevice::Sniff(const Frame& frame, bool sent)
{
    if (m_sniffer.IsEmpty() && m_promiscSniffer.IsEmpty())
    {
        return;
    }
    auto peer = GetPeer();
    const Mac48Address far = peer ? peer->m_address : Mac48Address();
    Ptr<const Packet> packet = FrameCodec::ToPacket(frame,
                                                    sent ? m_address : far,
                                                    sent ? far : m_address,
                                                    {m_computeIcrc, false});
    m_promiscSniffer(packet);
    m_sniffer(packet);
}

void
QbbNetDevice::Drop(Frame* frame, DropReason reason)
{
    NS_LOG_DEBUG("node " << m_nodeId << " port " << m_index << " drops " << frame->bytes
                         << " bytes: " << reason);
    ++m_counters.drops[static_cast<size_t>(reason)];
    m_drop(*this, *frame, reason);
    frame->Release();
}

// ---- the IP stack

bool
QbbNetDevice::SendFrame(Frame* frame)
{
    const uint8_t cls = m_classMap->Classify(*frame);
    frame->trafficClass = cls;
    if (!m_linkUp)
    {
        Drop(frame, DropReason::LINK_DOWN);
        return false;
    }
    if (m_queues.Bytes(cls) + frame->bytes > m_ipQueueBytes)
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
QbbNetDevice::RequestPause(uint32_t cls, bool xoff)
{
    if (!IsPfcEnabled(cls) || !m_linkUp)
    {
        return;
    }
    m_issuer.Request(cls, xoff);
    NS_LOG_LOGIC("node " << m_nodeId << " port " << m_index << " asks for "
                         << (xoff ? "XOFF" : "XON") << " of class " << cls);
    Kick();
    ArmPfcTimer(m_clock.Now());
}

void
QbbNetDevice::SetPfcIgnored(uint8_t classes)
{
    NS_LOG_FUNCTION(this << +classes);
    Opened(m_obeyer.SetIgnored(classes, m_clock.Now()));
}

void
QbbNetDevice::OverridePause(uint8_t stuck, uint8_t muted)
{
    NS_LOG_FUNCTION(this << +stuck << +muted);
    m_issuer.Override(stuck & m_pfcEnabled, muted);
    if (m_linkUp)
    {
        Kick();
        ArmPfcTimer(m_clock.Now());
    }
}

Frame*
QbbNetDevice::MakePfcFrame(int64_t now)
{
    auto frame = new Frame;
    frame->kind = FrameKind::PFC;
    frame->bytes = ETHERNET_MIN_FRAME_BYTES;
    m_issuer.Fill(now, *frame);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame->pfcEnable & (1U << cls))
        {
            m_pfcTx(*this, cls, frame->pfcQuanta[cls]);
        }
    }
    ArmPfcTimer(now);
    return frame;
}

void
QbbNetDevice::ObeyPfc(Frame* frame)
{
    const int64_t now = m_clock.Now();
    if (!m_linkUp || now - m_reactionTicks < m_cutAt)
    {
        frame->Release(); // the cable was cut during the reaction delay
        return;
    }
    const uint8_t before = m_obeyer.PausedMask();
    frame->pfcEnable &= m_pfcEnabled;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame->pfcEnable & (1U << cls))
        {
            m_pfcRx(*this, cls, frame->pfcQuanta[cls]);
        }
    }
    const uint8_t opened = m_obeyer.Apply(now, *frame, m_line, m_dialect == ENDLESS_XOFF);
    frame->Release();
    m_pausedMask = m_obeyer.PausedMask();
    const uint8_t closed = m_pausedMask & ~before;
    NS_LOG_LOGIC("node " << m_nodeId << " port " << m_index << " obeys PFC: paused classes "
                         << +before << " -> " << +m_pausedMask);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (closed & (1U << cls))
        {
            m_pauseState(*this, cls, true);
        }
    }
    if (closed && m_owner)
    {
        m_owner->PauseChanged(*this, m_pausedMask);
    }
    ArmPfcTimer(now);
    Opened(opened);
}

void
QbbNetDevice::Opened(uint8_t opened)
{
    if (!opened)
    {
        return;
    }
    m_pausedMask = m_obeyer.PausedMask();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (opened & (1U << cls))
        {
            m_pauseState(*this, cls, false);
        }
    }
    if (m_owner)
    {
        m_owner->PauseChanged(*this, m_pausedMask);
    }
    if (m_linkUp)
    {
        Kick();
    }
}

void
QbbNetDevice::ArmPfcTimer(int64_t now)
{
    const int64_t next = std::min(m_obeyer.NextExpiry(), m_issuer.NextRefresh());
    if (next != PfcObeyer::NEVER)
    {
        // A refresh that was due, taken back by an XON and wanted again, is due at once.
        m_pfcTimer->Arm(m_clock, m_nodeId, now, std::max(next, now));
    }
}

void
QbbNetDevice::PfcTimer()
{
    const int64_t now = m_clock.Now();
    const uint8_t opened = m_obeyer.Expire(now);
    m_issuer.Refresh(now);
    if (m_issuer.Pending())
    {
        Kick();
    }
    ArmPfcTimer(now);
    Opened(opened);
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
        Flush(m_clock.Now());
    }
    m_linkChanges();
    if (m_owner)
    {
        m_owner->LinkChanged(*this, up);
    }
    if (up && m_cutAt >= 0)
    {
        Kick(); // mended; at the first plugging-in there is nothing to send yet
    }
}

void
QbbNetDevice::Flush(int64_t now)
{
    m_cutAt = now;
    m_lossy = true;
    m_issuer.Reset();
    const uint8_t opened = m_obeyer.PausedMask();
    m_obeyer.Reset(now);
    m_pausedMask = 0;
    while (uint8_t waiting = m_queues.NonEmpty())
    {
        FlushClass(__builtin_ctz(waiting), DropReason::LINK_DOWN);
    }
    Opened(opened);
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

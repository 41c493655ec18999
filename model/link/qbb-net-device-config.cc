// SPDX-License-Identifier: GPL-2.0-only

// How a port is made and configured: attributes, trace sources, life. The data path is in
// qbb-net-device.cc, the NetDevice interface in qbb-net-device-stack.cc.

#include "qbb-channel.h"
#include "qbb-net-device.h"
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

NS_LOG_COMPONENT_DEFINE("QbbNetDeviceConfig");

NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);

namespace
{

/// Fastest line: 1.6 Tb/s.
constexpr uint64_t MAX_BIT_RATE = 1600000000000;
/// Below it the longest pause, 65535 quanta, does not fit into the clock.
constexpr uint64_t MIN_BIT_RATE = 1000;

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
    NetDevice::DoInitialize();
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
    m_node = nullptr;
    m_channel = nullptr;
    m_errorModel = nullptr;
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    NetDevice::DoDispose();
}

void
QbbNetDevice::Attach(Ptr<QbbChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    channel->Attach(this);
    LineChanged();
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
    m_pfcClasses = classes;
    m_pfcEnabled = m_pfcOn ? classes : 0;
}

Time
QbbNetDevice::GetPfcReactionDelay() const
{
    return m_reactionDelay;
}

void
QbbNetDevice::SetTrafficClassMap(Ptr<TrafficClassMap> map)
{
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
    m_scheduler = scheduler ? scheduler : m_scheduler;
    m_schedulerHot = PeekPointer(m_scheduler);
    m_soleClassFast = m_scheduler->IsStateless();
}

void
QbbNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    m_errorModel = model;
    m_lossy = m_lossy || model;
}

void
QbbNetDevice::AddReceiveLoss(Ptr<FrameLoss> loss)
{
    m_losses.push_back(loss);
    m_lossy = true;
}

void
QbbNetDevice::RemoveReceiveLoss(Ptr<FrameLoss> loss)
{
    const auto one = std::find(m_losses.begin(), m_losses.end(), loss);
    if (one != m_losses.end())
    {
        m_losses.erase(one); // added twice, it is asked until it is removed twice
    }
}

Ptr<ErrorModel>
QbbNetDevice::GetReceiveErrorModel() const
{
    return m_errorModel;
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

} // namespace ns3

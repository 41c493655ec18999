// SPDX-License-Identifier: GPL-2.0-only
#include "qbb-port-settings.h"

#include "line-clock.h"
#include "llr-link.h"
#include "lossless-link.h"
#include "qbb-net-device.h"
#include "simulation-clock.h"

#include "ns3/apply-or-undo.h"
#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/fixed-accessor.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbPortSettings");

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
QbbPortSettings::AddSettings(TypeId tid)
{
    return AddLlrSettings(AddCbfcSettings(AddPfcSettings(
        tid.AddAttribute(
               "DataRate",
               "Line rate, 1 kb/s to 1.6 Tb/s",
               DataRateValue(DataRate("100Gbps")),
               MakeDataRateAccessor(&QbbPortSettings::SetDataRate, &QbbPortSettings::GetDataRate),
               MakeDataRateChecker())
            .AddAttribute("SerialisationUnit",
                          "Time to a multiple of which the serialisation time of each frame, and "
                          "the gap after each packet of a queue pair, are cut (1 ns in the HPCC "
                          "simulator), the former to one unit at least; 0: exact, fractions are "
                          "carried to the next frame",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QbbPortSettings::SetSerialisationUnit,
                                           &QbbPortSettings::GetSerialisationUnit),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Transmitter",
                          "When the next frame leaves: as soon as it may (Prompt); or as in the "
                          "HPCC simulator (Hpcc), at one event a frame: what was due before a "
                          "transmission began, and comes at the very time at which the "
                          "transmission ends, comes before the next one, and a NIC is not woken "
                          "for the gap of a queue pair while another waits for its window alone",
                          EnumValue(PROMPT),
                          MakeLosslessEnumAccessor<Transmitter>(&QbbPortSettings::SetTransmitter,
                                                                &QbbPortSettings::GetTransmitter),
                          MakeEnumChecker(PROMPT, "Prompt", HPCC_TRANSMITTER, "Hpcc"))
            .AddAttribute("Mtu",
                          "Longest IP packet, bytes (Ethernet payload)",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&QbbStackPort::SetMtu, &QbbStackPort::GetMtu),
                          MakeUintegerChecker<uint16_t>(68, 9216))
            .AddAttribute("IpQueueBytes",
                          "Limit of a transmit queue for packets of the IP stack, frame bytes a "
                          "class",
                          UintegerValue(1U << 20),
                          MakeUintegerAccessor(&QbbPortSettings::m_ipQueueBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ComputeIcrc",
                          "Whether captures hold the RoCEv2 ICRC; else four zero bytes",
                          BooleanValue(false),
                          UsedWhen(MakeBooleanAccessor(&QbbPortSettings::m_computeIcrc),
                                   &QbbNetDevice::IsCaptured,
                                   "a capture of the port"),
                          MakeBooleanChecker())
            .AddAttribute("TrafficClassMap",
                          "Map from DSCP or PCP to the class",
                          PointerValue(),
                          MakePointerAccessor(&QbbPortSettings::SetTrafficClassMap,
                                              &QbbPortSettings::GetTrafficClassMap),
                          MakePointerChecker<TrafficClassMap>()))));
}

TypeId
QbbPortSettings::AddLlrSettings(TypeId tid)
{
    const auto used = [](Ptr<const AttributeAccessor> accessor) {
        return UsedWhen(MakeFixed(accessor), &QbbPortSettings::GetLlrEnabled, "LlrEnabled");
    };
    return tid
        .AddAttribute("LlrEnabled",
                      "Whether frames lost by bit errors are sent again on the link (link-level "
                      "retry, Ultra Ethernet); the same at both ends",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&QbbPortSettings::m_llrOn)),
                      MakeBooleanChecker())
        .AddAttribute("LlrReplayBytes",
                      "Wire bytes of the replay buffer, which holds frames that are not "
                      "acknowledged; 0: as many as keep the link full (doc/link.rst)",
                      UintegerValue(0),
                      used(MakeUintegerAccessor(&QbbPortSettings::m_llrReplayBytes)),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("LlrReplayTimer",
                      "Time without progress after which all frames are sent again that are not "
                      "acknowledged; 0: a round trip, two longest frames, an AckSpacing and 3 us",
                      TimeValue(Time(0)),
                      used(MakeTimeAccessor(&QbbPortSettings::m_llrReplayTimer)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("LlrReplayCount",
                      "Replays without progress after which the port gives up",
                      UintegerValue(3),
                      used(MakeUintegerAccessor(&QbbPortSettings::m_llrReplayCount)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("LlrAckSpacing",
                      "Bytes of line between two ACKs of this port, at least",
                      UintegerValue(2048),
                      used(MakeUintegerAccessor(&QbbPortSettings::m_llrAckSpacing)),
                      MakeUintegerChecker<uint32_t>(0, 1U << 20))
        .AddAttribute("LlrFlushAction",
                      "What becomes of frames after the port has given up: sent without retry "
                      "(BestEffort), thrown away (Discard), kept waiting (Block)",
                      EnumValue(LLR_BEST_EFFORT),
                      used(MakeLosslessEnumAccessor<LlrFlush>(&QbbPortSettings::m_llrFlush)),
                      MakeEnumChecker(LLR_BEST_EFFORT,
                                      "BestEffort",
                                      LLR_DISCARD,
                                      "Discard",
                                      LLR_BLOCK,
                                      "Block"))
        .AddAttribute("LlrReInitOnFlush",
                      "Whether the port begins to retry anew after it has given up",
                      BooleanValue(false),
                      used(MakeBooleanAccessor(&QbbPortSettings::m_llrBeginsAnew)),
                      MakeBooleanChecker());
}

TypeId
QbbPortSettings::AddCbfcSettings(TypeId tid)
{
    const auto used = [](Ptr<const AttributeAccessor> accessor) {
        return UsedWhen(MakeFixed(accessor), &QbbPortSettings::UsesCbfc, "CbfcClasses");
    };
    return tid
        .AddAttribute(
            "CbfcClasses",
            "Classes with credit-based flow control (Ultra Ethernet) in place of PFC, bit c for "
            "class c; the same at both ends of a link, and none of PfcClasses",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&QbbPortSettings::SetCbfcClasses,
                                           &QbbPortSettings::GetCbfcClasses)),
            MakeUintegerChecker<uint8_t>())
        .AddAttribute("CbfcCredits",
                      "Credits that this port grants its peer in each class; 0: as many as keep "
                      "the link full with frames from half the longest up (doc/link.rst)",
                      UintegerValue(0),
                      used(MakeUintegerAccessor(&QbbPortSettings::SetCbfcCredits,
                                                &QbbPortSettings::GetCbfcCredits)),
                      MakeUintegerChecker<uint32_t>(0, MAX_CREDITS))
        .AddAttribute("CreditBytes",
                      "Bytes of a credit that this port grants: best the cell size of its buffer, "
                      "or less",
                      UintegerValue(256),
                      used(MakeUintegerAccessor(&QbbPortSettings::SetCreditBytes,
                                                &QbbPortSettings::GetCreditBytes)),
                      MakeUintegerChecker<uint32_t>(32, 8192))
        .AddAttribute("CreditOverhead",
                      "Bytes that this port stores with each frame beyond the frame, for which it "
                      "grants credits, too",
                      IntegerValue(0),
                      used(MakeIntegerAccessor(&QbbPortSettings::SetCreditOverhead,
                                               &QbbPortSettings::GetCreditOverhead)),
                      MakeIntegerChecker<int32_t>(-16, 127))
        .AddAttribute("CfMinSpacing",
                      "Bytes of line between two CF_Updates of this port, which return credits, at "
                      "least",
                      UintegerValue(6400),
                      used(MakeUintegerAccessor(&QbbPortSettings::SetCfMinSpacing,
                                                &QbbPortSettings::GetCfMinSpacing)),
                      MakeUintegerChecker<uint32_t>(800, 1U << 20))
        .AddAttribute(
            "CcTimer",
            "Time between two CC_Updates of this port, which find the credits of frames "
            "lost on the line, while it uses credits",
            TimeValue(MicroSeconds(256)),
            used(MakeTimeAccessor(&QbbPortSettings::SetCcTimer, &QbbPortSettings::GetCcTimer)),
            MakeTimeChecker(MicroSeconds(1), MicroSeconds(250000)));
}

TypeId
QbbPortSettings::AddPfcSettings(TypeId tid)
{
    return tid
        .AddAttribute(
            "PfcEnabled",
            "Whether this port issues and obeys PFC at all",
            BooleanValue(true),
            MakeBooleanAccessor(&QbbPortSettings::SetPfcEnabled, &QbbPortSettings::GetPfcEnabled),
            MakeBooleanChecker())
        .AddAttribute(
            "PfcClasses",
            "Classes with PFC, as PFC frames name them: bit c stands for PFC priority c, which is "
            "class c unless the TrafficClassMap says otherwise",
            UintegerValue(1U << 3),
            UsedWhen(MakeUintegerAccessor(&QbbPortSettings::SetPfcClasses,
                                          &QbbPortSettings::GetPfcClasses),
                     &QbbPortSettings::GetPfcEnabled,
                     "PfcEnabled"),
            MakeUintegerChecker<uint8_t>())
        .AddAttribute(
            "PfcDialect",
            "How a pause ends: by its quanta or XON (Standard), by XON only "
            "(EndlessXoff, HPCC simulator), or after 5 us unless sent again "
            "(ShortQuanta)",
            EnumValue(STANDARD),
            UsedWhen(MakeLosslessEnumAccessor<PfcDialect>(&QbbPortSettings::SetPfcDialect,
                                                          &QbbPortSettings::GetPfcDialect),
                     &QbbPortSettings::UsesPfc,
                     "PfcEnabled and PfcClasses"),
            MakeEnumChecker(STANDARD,
                            "Standard",
                            ENDLESS_XOFF,
                            "EndlessXoff",
                            SHORT_QUANTA,
                            "ShortQuanta"))
        .AddAttribute("FrameFormat",
                      "Frames that headroom is made for: Standard (64 bytes or more, preamble and "
                      "gap), or Hpcc, for queue pairs with FrameFormat Hpcc (48 bytes or more, no "
                      "preamble, no gap); the same at both ends",
                      EnumValue(FRAMES_STANDARD),
                      MakeLosslessEnumAccessor<FrameFormat>(&QbbPortSettings::SetFrameFormat,
                                                            &QbbPortSettings::GetFrameFormat),
                      MakeEnumChecker(FRAMES_STANDARD, "Standard", FRAMES_HPCC, "Hpcc"))
        .AddAttribute("PfcQuanta",
                      "Pause time of an XOFF, in quanta of 512 bit times",
                      UintegerValue(65535),
                      UsedWhen(MakeUintegerAccessor(&QbbPortSettings::SetPfcQuanta,
                                                    &QbbPortSettings::GetPfcQuanta),
                               &QbbPortSettings::SendsQuanta,
                               "PfcEnabled, PfcClasses and another PfcDialect than ShortQuanta"),
                      MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("PfcRefreshInterval",
                      "Time after which an XOFF still in force is sent again; 0: never; "
                      "negative: half of the pause time",
                      TimeValue(Time(-1)),
                      UsedWhen(MakeTimeAccessor(&QbbPortSettings::SetPfcRefreshInterval,
                                                &QbbPortSettings::GetPfcRefreshInterval),
                               &QbbPortSettings::ChoosesRefresh,
                               "PfcEnabled, PfcClasses and PfcDialect Standard"),
                      MakeTimeChecker())
        .AddAttribute("PfcReactionDelay",
                      "Time between the arrival of a PFC frame and its effect (802.3 annex "
                      "31B bounds it, such as 394 quanta at 100 Gb/s)",
                      TimeValue(Time(0)),
                      UsedWhen(MakeTimeAccessor(&QbbPortSettings::SetPfcReactionDelay,
                                                &QbbPortSettings::GetPfcReactionDelay),
                               &QbbPortSettings::UsesPfc,
                               "PfcEnabled and PfcClasses"),
                      MakeTimeChecker(Time(0)));
}

QbbPortSettings::QbbPortSettings()
    : m_classMap(CreateObject<TrafficClassMap>()),
      m_ccTimer(MicroSeconds(256))
{
    m_classMap->AddUser(this);
}

QbbPortSettings::QbbPortSettings(const QbbPortSettings& like)
    : QbbStackPort(like),
      m_classMap(like.m_classMap->GetReferenceCount() > 1 ? like.m_classMap
                                                          : CopyObject(like.m_classMap)),
      m_rate(like.m_rate),
      m_serialisationUnit(like.m_serialisationUnit),
      m_reactionDelay(like.m_reactionDelay),
      m_refreshInterval(like.m_refreshInterval),
      m_dialect(like.m_dialect),
      m_frameFormat(like.m_frameFormat),
      m_transmitter(like.m_transmitter),
      m_quanta(like.m_quanta),
      m_pfcClasses(like.m_pfcClasses),
      m_pfcOn(like.m_pfcOn),
      m_cbfcClasses(like.m_cbfcClasses),
      m_cbfcCredits(like.m_cbfcCredits),
      m_creditUnit(like.m_creditUnit),
      m_cfMinSpacing(like.m_cfMinSpacing),
      m_ccTimer(like.m_ccTimer),
      m_llrOn(like.m_llrOn),
      m_llrReplayBytes(like.m_llrReplayBytes),
      m_llrReplayCount(like.m_llrReplayCount),
      m_llrAckSpacing(like.m_llrAckSpacing),
      m_llrReplayTimer(like.m_llrReplayTimer),
      m_llrFlush(like.m_llrFlush),
      m_llrBeginsAnew(like.m_llrBeginsAnew),
      m_ipQueueBytes(like.m_ipQueueBytes),
      m_computeIcrc(like.m_computeIcrc)
{
    m_classMap->AddUser(this);
}

QbbPortSettings::~QbbPortSettings()
{
    m_classMap->RemoveUser(this);
}

template <typename T>
void
QbbPortSettings::Change(T& setting, T value)
{
    ApplyOrUndo(T(setting), value, [this, &setting](const T& next) {
        setting = next;
        SettingChanged();
    });
}

void
QbbPortSettings::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    if (rate.GetBitRate() < MIN_BIT_RATE || rate.GetBitRate() > MAX_BIT_RATE)
    {
        throw std::invalid_argument("QbbNetDevice: DataRate " + std::to_string(rate.GetBitRate()) +
                                    " bit/s; it must be 1 kb/s to 1.6 Tb/s");
    }
    Change(m_rate, rate);
}

void
QbbPortSettings::SetSerialisationUnit(Time unit)
{
    NS_LOG_FUNCTION(this << unit);
    Change(m_serialisationUnit, unit);
}

Time
QbbPortSettings::GetSerialisationUnit() const
{
    return m_serialisationUnit;
}

void
QbbPortSettings::SetTransmitter(Transmitter transmitter)
{
    NS_LOG_FUNCTION(this << transmitter);
    Change(m_transmitter, transmitter);
}

QbbPortSettings::Transmitter
QbbPortSettings::GetTransmitter() const
{
    return m_transmitter;
}

DataRate
QbbPortSettings::GetDataRate() const
{
    return m_rate;
}

bool
QbbPortSettings::SetMtu(const uint16_t mtu)
{
    NS_LOG_FUNCTION(this << mtu);
    ApplyOrUndo(GetMtu(), mtu, [this](uint16_t next) {
        QbbStackPort::SetMtu(next);
        SettingChanged();
    });
    return true;
}

void
QbbPortSettings::SetPfcEnabled(bool enabled)
{
    NS_LOG_FUNCTION(this << enabled);
    Change(m_pfcOn, enabled);
}

bool
QbbPortSettings::GetPfcEnabled() const
{
    return m_pfcOn;
}

void
QbbPortSettings::SetPfcClasses(uint8_t classes)
{
    NS_LOG_FUNCTION(this << +classes);
    Change(m_pfcClasses, classes);
}

void
QbbPortSettings::SetPfcDialect(PfcDialect dialect)
{
    NS_LOG_FUNCTION(this << dialect);
    Change(m_dialect, dialect);
}

QbbPortSettings::PfcDialect
QbbPortSettings::GetPfcDialect() const
{
    return m_dialect;
}

void
QbbPortSettings::SetPfcQuanta(uint16_t quanta)
{
    NS_LOG_FUNCTION(this << quanta);
    Change(m_quanta, quanta);
}

uint16_t
QbbPortSettings::GetPfcQuanta() const
{
    return m_quanta;
}

void
QbbPortSettings::SetPfcRefreshInterval(Time interval)
{
    NS_LOG_FUNCTION(this << interval);
    Change(m_refreshInterval, interval);
}

Time
QbbPortSettings::GetPfcRefreshInterval() const
{
    return m_refreshInterval;
}

void
QbbPortSettings::SetFrameFormat(FrameFormat format)
{
    NS_LOG_FUNCTION(this << +format);
    Change(m_frameFormat, format);
}

FrameFormat
QbbPortSettings::GetFrameFormat() const
{
    return m_frameFormat;
}

void
QbbPortSettings::SetPfcReactionDelay(Time delay)
{
    NS_LOG_FUNCTION(this << delay);
    Change(m_reactionDelay, delay);
}

Time
QbbPortSettings::GetPfcReactionDelay() const
{
    return m_reactionDelay;
}

void
QbbPortSettings::SetTrafficClassMap(Ptr<TrafficClassMap> map)
{
    NS_LOG_FUNCTION(this << map);
    // Null keeps the map: a port cannot do without.
    ApplyOrUndo(m_classMap, map ? map : m_classMap, [this](const Ptr<TrafficClassMap>& next) {
        m_classMap->RemoveUser(this);
        m_classMap = next;
        m_classMap->AddUser(this);
        SettingChanged();
    });
}

Ptr<TrafficClassMap>
QbbPortSettings::GetTrafficClassMap() const
{
    return m_classMap;
}

uint8_t
QbbPortSettings::GetPfcClasses() const
{
    return m_pfcClasses;
}

// ---- credits

const char*
QbbPortSettings::FixedSince() const
{
    return IsInitialized() ? "the run has begun" : nullptr;
}

template <typename T>
void
QbbPortSettings::ChangeUnused(T& setting, T value)
{
    if (FixedSince() && !(value == setting))
    {
        throw std::invalid_argument(std::string("QbbNetDevice: credits are fixed since ") +
                                    FixedSince() + "; set them before");
    }
    Change(setting, value);
}

void
QbbPortSettings::SetCbfcClasses(uint8_t classes)
{
    NS_LOG_FUNCTION(this << +classes);
    ChangeUnused(m_cbfcClasses, classes);
}

uint8_t
QbbPortSettings::GetCbfcClasses() const
{
    return m_cbfcClasses;
}

void
QbbPortSettings::SetCbfcCredits(uint32_t credits)
{
    NS_LOG_FUNCTION(this << credits);
    ChangeUnused(m_cbfcCredits, credits);
}

uint32_t
QbbPortSettings::GetCbfcCredits() const
{
    return m_cbfcCredits;
}

void
QbbPortSettings::SetCreditBytes(uint32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    ChangeUnused(m_creditUnit.bytes, bytes);
}

void
QbbPortSettings::SetCreditOverhead(int32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    ChangeUnused(m_creditUnit.overhead, bytes);
}

uint32_t
QbbPortSettings::GetCreditBytes() const
{
    return m_creditUnit.bytes;
}

int32_t
QbbPortSettings::GetCreditOverhead() const
{
    return m_creditUnit.overhead;
}

const CreditUnit&
QbbPortSettings::GetCreditUnit() const
{
    return m_creditUnit;
}

void
QbbPortSettings::SetCfMinSpacing(uint32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    ChangeUnused(m_cfMinSpacing, bytes);
}

uint32_t
QbbPortSettings::GetCfMinSpacing() const
{
    return m_cfMinSpacing;
}

void
QbbPortSettings::SetCcTimer(Time interval)
{
    NS_LOG_FUNCTION(this << interval);
    ChangeUnused(m_ccTimer, interval);
}

Time
QbbPortSettings::GetCcTimer() const
{
    return m_ccTimer;
}

// ---- link-level retry

PortLlr::Settings
QbbPortSettings::LlrSettingsFor(const QbbPortSettings& peer, Time delay) const
{
    const auto ticks = [](const QbbPortSettings& of, uint64_t bytes) {
        LineClock line;
        line.SetRate(of.m_rate.GetBitRate(), SimulationClock::TicksPerSecond());
        return line.TicksOfBits(8 * bytes);
    };
    PortLlr::Settings settings;
    settings.frameBytes = LongestFrameBytes(GetMtu()) + ETHERNET_GAP_BYTES;
    const double roundTrip = 2 * delay.GetSeconds() * static_cast<double>(m_rate.GetBitRate()) / 8;
    settings.mostBytes = m_llrReplayBytes
                             ? m_llrReplayBytes
                             : LlrReplayBytes(roundTrip, peer.m_llrAckSpacing, settings.frameBytes);
    settings.ackTicks = ticks(*this, m_llrAckSpacing);
    settings.replayTicks = m_llrReplayTimer.GetTimeStep();
    if (m_llrReplayTimer.IsZero())
    {
        const Time slack = MicroSeconds(3);
        settings.replayTicks = (2 * delay + slack).GetTimeStep() +
                               ticks(*this, 2 * uint64_t{settings.frameBytes}) +
                               ticks(peer, peer.m_llrAckSpacing);
    }
    settings.replayCount = m_llrReplayCount;
    settings.flush = m_llrFlush;
    settings.beginsAnew = m_llrBeginsAnew;
    return settings;
}

uint8_t
QbbPortSettings::PfcClassesInForce() const
{
    return m_pfcOn ? m_pfcClasses : 0;
}

uint16_t
QbbPortSettings::GetPauseQuanta() const
{
    if (m_dialect != SHORT_QUANTA)
    {
        return m_quanta;
    }
    const uint64_t bits = m_rate.GetBitRate() / 1000000 * SHORT_PAUSE_US;
    return std::clamp<uint64_t>((bits + QUANTUM_BITS - 1) / QUANTUM_BITS, 1, 65535);
}

Time
QbbPortSettings::GetPauseRefresh(DataRate peerRate) const
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
    const DataRate rate = m_dialect == STANDARD ? peerRate : m_rate;
    LineClock line;
    line.SetRate(rate.GetBitRate(), SimulationClock::TicksPerSecond());
    const int64_t pause = line.TicksOfBits(QUANTUM_BITS * GetPauseQuanta());
    return TimeStep(m_dialect == SHORT_QUANTA ? pause : pause / 2);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-icc.h"

#include "unit-factors.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaIcc");

NS_OBJECT_ENSURE_REGISTERED(RdmaIcc);

namespace
{

constexpr double UTILISATION_UNIT = 1e-4;
constexpr double PER_PS = 1e-12;
constexpr double PER_NS = 1e-9;

/// @return seconds of a time
double
Seconds(const Time& time)
{
    return static_cast<double>(time.GetPicoSeconds()) * PER_PS;
}

/// By IccFeedback::Mode.
constexpr std::array<const char*, 3> FEEDBACK{"Piggyback", "SwitchAck", "ReceiverEcho"};

} // namespace

TypeId
RdmaIcc::GetTypeId()
{
    static TypeId tid = AddTimes(
        TypeId("ns3::RdmaIcc")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaIcc>()
            .AddAttribute("Variant",
                          "Rate formulas: Published (ICC, as in the paper, with a missing factor "
                          "1/T added) or Derived (ICC (derived): a mass balance of this module)",
                          EnumValue(PUBLISHED),
                          MakeFixed(MakeLosslessEnumAccessor<Variant>(&RdmaIcc::m_variant)),
                          MakeEnumChecker(PUBLISHED, "Published", DERIVED, "Derived"))
            .AddAttribute(
                "Feedback",
                "How records of switches arrive: Piggyback (in passing ACKs), SwitchAck "
                "(in ACKs that switches make) or ReceiverEcho (in data packets, echoed "
                "by the receiver); FabricHelper configures the switches alike",
                EnumValue(IccFeedback::PIGGYBACK),
                MakeFixed(MakeLosslessEnumAccessor<IccFeedback::Mode>(&RdmaIcc::m_feedback)),
                IccFeedback::MakeChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate; 0: a packet of the path MTU in each "
                          "ReportTimer, if half of the link can carry that of all flows, else a "
                          "share of that half",
                          DataRateValue(DataRate(0)),
                          MakeFixed(MakeDataRateAccessor(&RdmaIcc::m_minRateSet)),
                          MakeDataRateChecker())
            .AddAttribute(
                "LimitWindow",
                "Whether a window of line rate times RoundTrip limits the payload in flight",
                BooleanValue(false),
                MakeFixed(MakeBooleanAccessor(&RdmaIcc::m_limitWindow)),
                MakeBooleanChecker())
            .AddAttribute("HoldRoundTrips",
                          "How long the rate that a record allows limits what records of other "
                          "queues allow, 0 to 1000 times T (Published: T and ReportTimer); 0: each "
                          "record sets the rate, whatever other queues allow",
                          DoubleValue(1),
                          MakeFixed(MakeDoubleAccessor(&RdmaIcc::m_holdRoundTrips)),
                          MakeDoubleChecker<double>(0, 1000)));
    return tid;
}

TypeId
RdmaIcc::AddTimes(TypeId tid)
{
    return tid
        .AddAttribute(
            "ReportTimer",
            "Time between two records of a queue, at least 100 ns; FabricHelper configures "
            "the switches alike",
            TimeValue(MicroSeconds(15)),
            MakeFixed(MakeTimeAccessor(&RdmaIcc::m_reportTimer)),
            MakeTimeChecker(NanoSeconds(100)))
        .AddAttribute(
            "RoundTrip",
            "T of the formulas; 0: base RTT of the connection, to which Variant Derived adds "
            "ReportTimer",
            TimeValue(Time(0)),
            MakeFixed(MakeTimeAccessor(&RdmaIcc::m_roundTripSet)),
            MakeTimeChecker(Time(0)))
        .AddAttribute("SignalDelay",
                      "t_d, time from the measurement in the switch to its arrival at the source; "
                      "0: measured with the time stamp of the record",
                      TimeValue(Time(0)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaIcc::m_signalDelaySet)),
                               &RdmaIcc::UsesSignalDelay,
                               "Variant Published or LoopDelay 0"),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("SourceDelay",
                      "Time from the source to the switch; 0: half the base RTT of the connection",
                      TimeValue(Time(0)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaIcc::m_sourceDelaySet)),
                               &RdmaIcc::AddsSourceDelay,
                               "Variant Derived and LoopDelay 0"),
                      MakeTimeChecker(Time(0)))
        .AddAttribute(
            "LoopDelay",
            "Variant Derived: time from the measurement until the new rate reaches the queue; "
            "0: SignalDelay + SourceDelay",
            TimeValue(Time(0)),
            UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaIcc::m_loopDelaySet)),
                     &RdmaIcc::IsDerived,
                     "Variant Derived"),
            MakeTimeChecker(Time(0)));
}

RdmaIcc::RdmaIcc() = default;

RdmaIcc::~RdmaIcc() = default;

std::string
RdmaIcc::GetName() const
{
    return m_variant == PUBLISHED ? "ICC" : "ICC (derived)";
}

PathNeed
RdmaIcc::GetPathNeed() const
{
    return PathNeed::ONE; // its switches know flows by their addresses and ports
}

bool
RdmaIcc::SetsWindow() const
{
    return m_limitWindow;
}

uint32_t
RdmaIcc::GetHooks() const
{
    return ON_ACK;
}

bool
RdmaIcc::SendsCnps() const
{
    return false;
}

TelemetryKind
RdmaIcc::GetTelemetry() const
{
    return m_feedback == IccFeedback::RECEIVER_ECHO ? TelemetryKind::ICC : TelemetryKind::NONE;
}

std::vector<std::string>
RdmaIcc::GetSwitchExtensions() const
{
    return {std::string("ns3::IccSwitch[Feedback=") + FEEDBACK[m_feedback] +
            "|ReportTimer=" + std::to_string(m_reportTimer.GetPicoSeconds()) + "ps]"};
}

void
RdmaIcc::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    if (m_roundTripSet.IsZero() && state.baseRttPs == 0)
    {
        throw std::invalid_argument("RdmaIcc: the round trip of the path is not known; set the "
                                    "attribute RoundTrip, or give the connection the base RTT");
    }
    m_formula = m_variant == PUBLISHED ? &IccFormula::PUBLISHED : &IccFormula::DERIVED;
    m_interval = Seconds(m_reportTimer);
    const double baseRtt = state.baseRttPs > 0 ? static_cast<double>(state.baseRttPs) * PER_PS
                                               : Seconds(m_roundTripSet);
    const double untilNext = m_variant == PUBLISHED ? 0 : m_interval; // T of DERIVED has it
    m_roundTrip = m_roundTripSet.IsZero() ? baseRtt + untilNext : Seconds(m_roundTripSet);
    m_signalDelay = Seconds(m_signalDelaySet);
    m_sourceDelay = m_sourceDelaySet.IsZero() ? baseRtt / 2 : Seconds(m_sourceDelaySet);
    m_loopDelay = Seconds(m_loopDelaySet);
    const double hold = m_holdRoundTrips * (m_roundTrip + m_interval - untilNext);
    m_holdPs = static_cast<int64_t>(hold * PS_PER_SECOND + 0.5);
    const auto minRate = static_cast<double>(m_minRateSet.GetBitRate());
    m_minRate =
        std::min(minRate > 0 ? minRate : state.packetWireBytes * BITS / m_interval, state.lineRate);
    if (FixedSince())
    {
        // They read back as what is in force; MinRate 0 goes on to follow the number of flows.
        m_roundTripSet = PicoSeconds(static_cast<int64_t>(m_roundTrip * PS_PER_SECOND + 0.5));
        m_sourceDelaySet = PicoSeconds(static_cast<int64_t>(m_sourceDelay * PS_PER_SECOND + 0.5));
    }
    m_targetBytes =
        m_variant == PUBLISHED ? std::numeric_limits<double>::infinity() : state.packetWireBytes;
    state.rate = state.lineRate;
    if (m_limitWindow)
    {
        const auto bytes = static_cast<uint64_t>(state.lineRate * m_roundTrip / BITS + 0.5);
        state.window = std::max<uint64_t>(bytes, state.mtuBytes);
    }
}

RdmaIcc::Seen&
RdmaIcc::Find(const IccTelemetry& record)
{
    constexpr uint32_t PORT_BITS = 16;
    const uint64_t queue = (uint64_t{record.switchId} << PORT_BITS | record.port) + 1;
    for (Seen& seen : m_seen)
    {
        if (seen.queue == queue)
        {
            return seen;
        }
    }
    Seen& seen = m_seen[m_oldest];
    m_oldest = (m_oldest + 1) % QUEUES;
    seen = {queue, 0, 0, ~record.timeNs};
    return seen;
}

double
RdmaIcc::MinRateFor(const IccTelemetry& record) const
{
    if (m_minRateSet.GetBitRate() > 0)
    {
        return m_minRate;
    }
    constexpr double HALF = 0.5;
    return std::min(m_minRate,
                    HALF * record.capacityMbps * MEGA / std::max<double>(record.flows, 1));
}

double
RdmaIcc::LowestHeld(int64_t nowPs) const
{
    double lowest = std::numeric_limits<double>::infinity();
    for (const Seen& seen : m_seen)
    {
        if (nowPs < seen.holdsUntil)
        {
            lowest = std::min(lowest, seen.rate);
        }
    }
    return lowest;
}

double
RdmaIcc::RateFor(const RdmaFlowState& state, const IccTelemetry& record, int64_t nowPs) const
{
    const uint32_t ageNs =
        static_cast<uint32_t>(nowPs / WHOLE_PS_PER_NS) - record.timeNs; // mod 2^32
    IccInput in;
    in.capacity = record.capacityMbps * MEGA;
    in.flows = std::max<double>(record.flows, 1);
    in.roundTrip = m_roundTrip;
    in.utilisation = record.utilisation * UTILISATION_UNIT;
    in.queue = record.queueBytes * BITS;
    in.queueRate = record.queueRateMbps * MEGA;
    in.target = std::min<double>(record.targetBytes, m_targetBytes * in.flows) * BITS;
    in.signalDelay = m_signalDelay > 0 ? m_signalDelay : ageNs * PER_NS;
    in.loopDelay = m_loopDelay > 0 ? m_loopDelay : in.signalDelay + m_sourceDelay;
    in.rate = state.rate;
    in.lineRate = state.lineRate;
    in.interval = m_interval;
    if (record.queueBytes == 0)
    {
        return m_formula->vIdle(in);
    }
    return record.queueRateMbps > 0 ? m_formula->vMax(in) : m_formula->vMin(in);
}

void
RdmaIcc::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    if (ack.telemetryKind != TelemetryKind::ICC || ack.telemetry->icc.capacityMbps == 0)
    {
        return; // no switch had anything to tell
    }
    const IccTelemetry& record = ack.telemetry->icc;
    Seen& seen = Find(record);
    if (seen.timeNs == record.timeNs)
    {
        ++m_duplicates;
        return;
    }
    const double rate =
        std::clamp(RateFor(state, record, ack.nowPs), MinRateFor(record), state.lineRate);
    seen = {seen.queue, rate, ack.nowPs + m_holdPs, record.timeNs};
    const double held = LowestHeld(ack.nowPs);
    ++(held < rate ? m_heldBack : m_records);
    NS_LOG_LOGIC("port " << record.port << " of switch " << record.switchId << ", queue "
                         << record.queueBytes << " bytes: allows " << rate << " bit/s, others "
                         << held);
    state.rate = std::min(rate, held);
}

} // namespace ns3

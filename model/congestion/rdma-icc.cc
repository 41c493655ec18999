// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-icc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaIcc");

NS_OBJECT_ENSURE_REGISTERED(RdmaIcc);

namespace
{

constexpr double MEGA = 1e6;
constexpr double BITS = 8;
constexpr double UTILISATION_UNIT = 1e-4;
constexpr double PER_PS = 1e-12;
constexpr double PS_PER_SECOND = 1e12;
constexpr double PER_NS = 1e-9;
constexpr int64_t PS_PER_NS = 1000;

/// @return seconds of a time
double
Seconds(const Time& time)
{
    return static_cast<double>(time.GetPicoSeconds()) * PER_PS;
}

/// By RdmaIcc::Variant.
constexpr std::array<const IccFormula*, 3> FORMULAS{&IccFormula::CONSERVATION,
                                                    &IccFormula::PUBLISHED,
                                                    &IccFormula::NO_CREDIT};

/// By IccFeedback::Mode. The switches must do the same as the source expects.
constexpr std::array<const char*, 3> EXTENSIONS{"ns3::IccSwitch[Feedback=Piggyback]",
                                                "ns3::IccSwitch[Feedback=SwitchAck]",
                                                "ns3::IccSwitch[Feedback=ReceiverEcho]"};

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
                          "Rate formulas: Conservation (mass balance), Published (of the paper, "
                          "with a missing factor 1/T added) or NoCredit (Published without the "
                          "credit for data in flight)",
                          EnumValue(CONSERVATION),
                          MakeFixed(MakeLosslessEnumAccessor<Variant>(&RdmaIcc::m_variant)),
                          MakeEnumChecker(CONSERVATION,
                                          "Conservation",
                                          PUBLISHED,
                                          "Published",
                                          NO_CREDIT,
                                          "NoCredit"))
            .AddAttribute(
                "Feedback",
                "How records of switches arrive: Piggyback (in passing ACKs), SwitchAck "
                "(in ACKs that switches make) or ReceiverEcho (in data packets, echoed "
                "by the receiver); FabricHelper configures the switches alike",
                EnumValue(IccFeedback::PIGGYBACK),
                MakeFixed(MakeLosslessEnumAccessor<IccFeedback::Mode>(&RdmaIcc::m_feedback)),
                IccFeedback::MakeChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate; 0: 1/1000 of the line rate",
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
                          "Number of round trips T, 0 to 1000, for which records of other queues "
                          "cannot raise the rate after a record of a queue that is not empty; 0: "
                          "every record is applied",
                          DoubleValue(1),
                          MakeFixed(MakeDoubleAccessor(&RdmaIcc::m_holdRoundTrips)),
                          MakeDoubleChecker<double>(0, 1000)));
    return tid;
}

TypeId
RdmaIcc::AddTimes(TypeId tid)
{
    return tid
        .AddAttribute("RoundTrip",
                      "T of the formulas; 0: base RTT of the connection",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaIcc::m_roundTripSet)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("SignalDelay",
                      "t_d, time from the measurement in the switch to its arrival at the source; "
                      "0: measured with the time stamp of the record",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaIcc::m_signalDelaySet)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("SourceDelay",
                      "Time from the source to the switch; 0: T / 2",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaIcc::m_sourceDelaySet)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("LoopDelay",
                      "Conservation: time from the measurement until a new rate reaches the queue; "
                      "0: SignalDelay + SourceDelay",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaIcc::m_loopDelaySet)),
                      MakeTimeChecker(Time(0)));
}

RdmaIcc::RdmaIcc() = default;

RdmaIcc::~RdmaIcc() = default;

std::string
RdmaIcc::GetName() const
{
    return std::string("ICC (") + FORMULAS[m_variant]->name + ")";
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

TelemetryKind
RdmaIcc::GetTelemetry() const
{
    return m_feedback == IccFeedback::RECEIVER_ECHO ? TelemetryKind::ICC : TelemetryKind::NONE;
}

std::vector<std::string>
RdmaIcc::GetSwitchExtensions() const
{
    return {EXTENSIONS[m_feedback]};
}

void
RdmaIcc::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    m_formula = FORMULAS[m_variant];
    m_roundTrip = m_roundTripSet.IsZero() ? static_cast<double>(state.baseRttPs) * PER_PS
                                          : Seconds(m_roundTripSet);
    if (m_roundTrip <= 0)
    {
        throw std::invalid_argument("RdmaIcc: the round trip of the path is not known; set the "
                                    "attribute RoundTrip, or give Connect() the base RTT");
    }
    m_signalDelay = Seconds(m_signalDelaySet);
    m_sourceDelay = m_sourceDelaySet.IsZero() ? m_roundTrip / 2 : Seconds(m_sourceDelaySet);
    m_loopDelay = Seconds(m_loopDelaySet);
    m_holdPs = static_cast<int64_t>(m_holdRoundTrips * m_roundTrip * PS_PER_SECOND + 0.5);
    constexpr double DEFAULT_MIN_RATE = 1e-3;
    const auto minRate = static_cast<double>(m_minRateSet.GetBitRate());
    m_minRate = std::min(minRate > 0 ? minRate : DEFAULT_MIN_RATE * state.lineRate, state.lineRate);
    state.rate = state.lineRate;
    if (m_limitWindow)
    {
        const auto bytes = static_cast<uint64_t>(state.lineRate * m_roundTrip / BITS + 0.5);
        state.window = std::max<uint64_t>(bytes, state.mtuBytes);
    }
}

uint64_t
RdmaIcc::QueueOf(const IccTelemetry& record)
{
    constexpr uint32_t PORT_BITS = 16;
    return (uint64_t{record.switchId} << PORT_BITS | record.port) + 1;
}

bool
RdmaIcc::IsDuplicate(const IccTelemetry& record)
{
    const uint64_t queue = QueueOf(record);
    for (Seen& seen : m_seen)
    {
        if (seen.queue == queue)
        {
            const bool same = seen.timeNs == record.timeNs;
            seen.timeNs = record.timeNs;
            return same;
        }
    }
    m_seen[m_oldest] = {queue, record.timeNs};
    m_oldest = (m_oldest + 1) % m_seen.size();
    return false;
}

double
RdmaIcc::RateFor(const RdmaFlowState& state, const IccTelemetry& record, int64_t nowPs) const
{
    const double utilisation = record.utilisation * UTILISATION_UNIT;
    if (record.queueBytes == 0)
    {
        return IccIncrease(state.rate, state.lineRate, utilisation);
    }
    const uint32_t ageNs = static_cast<uint32_t>(nowPs / PS_PER_NS) - record.timeNs; // mod 2^32
    IccInput in;
    in.capacity = record.capacityMbps * MEGA;
    in.flows = std::max<double>(record.flows, 1);
    in.roundTrip = m_roundTrip;
    in.utilisation = utilisation;
    in.queue = record.queueBytes * BITS;
    in.queueRate = record.queueRateMbps * MEGA;
    in.target = record.targetBytes * BITS;
    in.signalDelay = m_signalDelay > 0 ? m_signalDelay : ageNs * PER_NS;
    in.loopDelay = m_loopDelay > 0 ? m_loopDelay : in.signalDelay + m_sourceDelay;
    in.rate = state.rate;
    return record.queueRateMbps > 0 ? m_formula->vMax(in) : m_formula->vMin(in);
}

bool
RdmaIcc::IsHeldBack(const RdmaFlowState& state,
                    const IccTelemetry& record,
                    double rate,
                    int64_t nowPs) const
{
    return nowPs < m_holdsUntilPs && rate > state.rate && QueueOf(record) != m_holder;
}

void
RdmaIcc::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    if (ack.telemetryKind != TelemetryKind::ICC || ack.telemetry->icc.capacityMbps == 0)
    {
        return; // no switch had anything to tell
    }
    const IccTelemetry& record = ack.telemetry->icc;
    if (IsDuplicate(record))
    {
        ++m_duplicates;
        return;
    }
    const double rate = std::clamp(RateFor(state, record, ack.nowPs), m_minRate, state.lineRate);
    if (IsHeldBack(state, record, rate, ack.nowPs))
    {
        NS_LOG_LOGIC("port " << record.port << " of switch " << record.switchId << " would give "
                             << rate << " bit/s: held at " << state.rate);
        ++m_heldBack;
        return;
    }
    ++m_records;
    if (record.queueBytes > 0)
    {
        m_holder = QueueOf(record);
        m_holdsUntilPs = ack.nowPs + m_holdPs;
    }
    NS_LOG_LOGIC("port " << record.port << " of switch " << record.switchId << ", queue "
                         << record.queueBytes << " bytes: rate " << rate << " bit/s");
    state.rate = rate;
}

} // namespace ns3

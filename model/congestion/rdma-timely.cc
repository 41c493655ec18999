// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-timely.h"

#include "unit-factors.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaTimely");

NS_OBJECT_ENSURE_REGISTERED(RdmaTimely);

TypeId
RdmaTimely::GetTypeId()
{
    static TypeId tid = AddPacing(AddRules(AddConstants(TypeId("ns3::RdmaTimely")
                                                            .SetParent<RdmaCongestionOps>()
                                                            .SetGroupName("Lossless")
                                                            .AddConstructor<RdmaTimely>())));
    return tid;
}

TypeId
RdmaTimely::AddConstants(TypeId tid)
{
    return tid
        .AddAttribute("EwmaGain",
                      "Weight of a new difference of round trip times in its average, 0 to 1",
                      DoubleValue(0.875),
                      MakeFixed(MakeDoubleAccessor(&RdmaTimely::m_ewma)),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("Beta",
                      "beta, the multiplicative decrease, 0 to 1; 0: 0.8 (RdmaTimely), 0.008 "
                      "(RdmaPatchedTimely)",
                      DoubleValue(0),
                      MakeFixed(MakeDoubleAccessor(&RdmaTimely::m_betaSetting)),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("Delta",
                      "Additive increase; 0: 10 Mb/s at 10 Gb/s, in proportion to the line rate",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaTimely::m_deltaSetting)),
                      MakeDataRateChecker())
        .AddAttribute("LowThreshold",
                      "T_low, the round trip time below which the rate always rises",
                      TimeValue(MicroSeconds(50)),
                      MakeFixed(MakeTimeAccessor(&RdmaTimely::m_low)),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("HighThreshold",
                      "T_high, the round trip time above which the rate always falls",
                      TimeValue(MicroSeconds(500)),
                      MakeFixed(MakeTimeAccessor(&RdmaTimely::m_high)),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("MinRtt",
                      "D_minRTT, the unit of the gradient and the least time between two updates",
                      TimeValue(MicroSeconds(20)),
                      MakeFixed(MakeTimeAccessor(&RdmaTimely::m_minRtt)),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("HyperIncreaseAfter",
                      "Number of successive updates without a positive gradient from which on the "
                      "increase is a hyper increase, at least 1",
                      UintegerValue(5),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTimely::m_hyperAfter)),
                               &RdmaTimely::UsesHyperIncrease,
                               "CountBelowLow, in ns3::RdmaPatchedTimely"),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("HyperIncreaseFactor",
                      "Factor by which a hyper increase exceeds Delta, at least 1",
                      UintegerValue(5),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTimely::m_hyperFactor)),
                               &RdmaTimely::UsesHyperIncrease,
                               "CountBelowLow, in ns3::RdmaPatchedTimely"),
                      MakeUintegerChecker<uint32_t>(1));
}

TypeId
RdmaTimely::AddRules(TypeId tid)
{
    return tid
        .AddAttribute("UpdatePer",
                      "When the rate is updated: per Segment, and at most once per MinRtt, as in "
                      "the paper; or per RoundTrip, with the first ACK of a packet that was sent "
                      "after the last update, as in the HPCC simulator",
                      EnumValue(SEGMENT),
                      MakeFixed(MakeLosslessEnumAccessor<Update>(&RdmaTimely::m_updatePer)),
                      MakeEnumChecker(SEGMENT, "Segment", ROUND_TRIP, "RoundTrip"))
        .AddAttribute("CountBelowLow",
                      "Whether updates below T_low count towards a hyper increase, and are hyper "
                      "increases in their turn, as in the HPCC simulator",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaTimely::m_countBelowLow)),
                      MakeBooleanChecker())
        .AddAttribute("SampleSerialisation",
                      "Whether a sample includes the serialisation time of its packet at the "
                      "sender, as in the HPCC simulator",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaTimely::m_sampleSerialisation)),
                      MakeBooleanChecker());
}

TypeId
RdmaTimely::AddPacing(TypeId tid)
{
    return tid
        .AddAttribute("Segment",
                      "Payload bytes of a segment: acknowledged between two samples, at least 1",
                      UintegerValue(16384),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaTimely::m_segment)),
                               &RdmaTimely::UsesSegment,
                               "UpdatePer Segment or BurstPacing"),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("MinRate",
                      "Lower bound of the rate; 0: 1/100 of the line rate",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaTimely::m_minRateSetting)),
                      MakeDataRateChecker())
        .AddAttribute("StartAtLineRate",
                      "Whether a flow starts at line rate; false: at line rate / (N + 1) with N "
                      "other active queue pairs of the port",
                      BooleanValue(false),
                      UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaTimely::m_startAtLineRate)),
                               &RdmaTimely::StartsByShare,
                               "InitialRate 0"),
                      MakeBooleanChecker())
        .AddAttribute("InitialRate",
                      "Initial rate; 0: StartAtLineRate decides",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaTimely::m_initialRate)),
                      MakeDataRateChecker())
        .AddAttribute("BurstPacing",
                      "Whether segments leave as bursts at line rate with gaps between them; "
                      "false: pacing packet by packet",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaTimely::m_burstPacing)),
                      MakeBooleanChecker());
}

std::string
RdmaTimely::GetName() const
{
    return "TIMELY";
}

PathNeed
RdmaTimely::GetPathNeed() const
{
    return PathNeed::STEADY; // the difference of two paths is no gradient
}

uint32_t
RdmaTimely::GetHooks() const
{
    return ON_ACK | (m_burstPacing ? static_cast<uint32_t>(ON_SENT) : 0);
}

bool
RdmaTimely::SendsCnps() const
{
    return false;
}

TelemetryKind
RdmaTimely::GetTelemetry() const
{
    return TelemetryKind::DELAY;
}

bool
RdmaTimely::UsesHyperIncrease() const
{
    return true;
}

double
RdmaTimely::DefaultBeta() const
{
    return 0.8;
}

void
RdmaTimely::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    constexpr double DELTA_SHARE = 0.001; // 10 Mb/s at 10 Gb/s
    constexpr double MIN_SHARE = 0.01;
    if (m_low > m_high)
    {
        throw std::invalid_argument("RdmaTimely: LowThreshold is " +
                                    std::to_string(m_low.GetNanoSeconds()) +
                                    " ns; it must not exceed HighThreshold, " +
                                    std::to_string(m_high.GetNanoSeconds()) + " ns");
    }
    m_lowPs = m_low.GetPicoSeconds();
    m_highPs = m_high.GetPicoSeconds();
    m_minRttPs = m_minRtt.GetPicoSeconds();
    const auto delta = static_cast<double>(m_deltaSetting.GetBitRate());
    m_delta = delta > 0 ? delta : DELTA_SHARE * state.lineRate;
    m_beta = m_betaSetting > 0 ? m_betaSetting : DefaultBeta();
    const auto minRate = static_cast<double>(m_minRateSetting.GetBitRate());
    m_minRate = std::min(minRate > 0 ? minRate : MIN_SHARE * state.lineRate, state.lineRate);
    m_serialisationPs =
        m_sampleSerialisation
            ? 0
            : static_cast<int64_t>(state.packetWireBytes * BITS * PS_PER_SECOND / state.lineRate);
    const uint64_t packets = state.mtuBytes ? (m_segment + state.mtuBytes - 1) / state.mtuBytes : 1;
    m_segmentWireBytes = packets * state.packetWireBytes;
    const auto initial = static_cast<double>(m_initialRate.GetBitRate());
    const double share = m_startAtLineRate ? 1 : 1.0 / (state.activeFlows + 1);
    m_rate =
        std::clamp(StartsByShare() ? share * state.lineRate : initial, m_minRate, state.lineRate);
    m_history = History();
    if (FixedSince())
    {
        m_deltaSetting = ToDataRate(m_delta); // they read back as what is in force
        m_betaSetting = m_beta;
        m_minRateSetting = ToDataRate(m_minRate);
        m_initialRate = ToDataRate(m_rate);
    }
    Pace(state);
}

void
RdmaTimely::Force(double rate, const History& history)
{
    m_rate = rate;
    m_history = history;
}

// ---- samples

void
RdmaTimely::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    m_acked += ack.ackedBytes;
    const bool due = m_updatePer == ROUND_TRIP
                         ? ack.unackedPsn > m_roundEnd
                         : m_acked >= m_segment && ack.nowPs - m_history.updatedPs >= m_minRttPs;
    if (ack.nak)
    {
        m_roundEnd = std::min(m_roundEnd, ack.unackedPsn); // the sender has gone back
    }
    if (!due || ack.nak || ack.telemetryKind != TelemetryKind::DELAY)
    {
        return;
    }
    m_acked = 0;
    m_roundEnd = ack.nextPsn;
    m_history.updatedPs = ack.nowPs;
    OnSample(state, std::max<int64_t>(ack.rttPs - m_serialisationPs, 0));
}

void
RdmaTimely::OnSample(RdmaFlowState& state, int64_t rttPs)
{
    NS_LOG_LOGIC("round trip " << rttPs << " ps at " << state.rate << " bit/s");
    const auto newDifference = static_cast<double>(rttPs - m_history.previousRttPs);
    m_history.previousRttPs = rttPs;
    if (!m_history.sampled)
    {
        m_history.sampled = true; // nothing to compare it with
        return;
    }
    m_history.rttDifferencePs = (1 - m_ewma) * m_history.rttDifferencePs + m_ewma * newDifference;
    if (rttPs < m_lowPs)
    {
        m_history.increases = m_countBelowLow ? m_history.increases + 1 : 0;
        m_rate += Increase();
    }
    else if (rttPs > m_highPs)
    {
        m_rate *= 1 - m_beta * (1 - static_cast<double>(m_highPs) / static_cast<double>(rttPs));
        m_history.increases = 0;
    }
    else
    {
        const double gradient = m_history.rttDifferencePs / static_cast<double>(m_minRttPs);
        m_rate = RateBetweenThresholds(rttPs, gradient);
    }
    m_rate = std::clamp(m_rate, m_minRate, state.lineRate);
    Pace(state);
}

double
RdmaTimely::RateBetweenThresholds(int64_t /* rttPs */, double gradient)
{
    if (gradient > 0)
    {
        m_history.increases = 0;
        return m_rate * std::max(0.0, 1 - m_beta * gradient);
    }
    m_history.increases++;
    return m_rate + Increase();
}

double
RdmaTimely::Increase() const
{
    return (m_history.increases >= m_hyperAfter ? m_hyperFactor : 1) * m_delta;
}

// ---- pacing

void
RdmaTimely::Pace(RdmaFlowState& state) const
{
    if (!m_burstPacing)
    {
        state.rate = m_rate;
    }
    else if (m_gapAfter)
    {
        // The last packet of a burst takes as long as the burst should have taken from then on.
        const double burst = static_cast<double>(m_gapAfter) / m_rate;
        const double before = static_cast<double>(m_gapAfter - m_lastWireBytes) / state.lineRate;
        state.rate = m_lastWireBytes / (burst - before);
    }
    else
    {
        state.rate = state.lineRate;
    }
}

void
RdmaTimely::OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t /* nowPs */)
{
    m_burst += wireBytes;
    m_lastWireBytes = wireBytes;
    m_gapAfter = 0;
    if (m_burst >= m_segmentWireBytes)
    {
        m_gapAfter = m_burst;
        m_burst = 0;
    }
    Pace(state);
}

} // namespace ns3

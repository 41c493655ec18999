// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-nscc.h"

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
#include <cmath>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaNscc");

NS_OBJECT_ENSURE_REGISTERED(RdmaNscc);

namespace
{

constexpr double BYTES_PER_US = 1e6; // of a byte per picosecond
constexpr uint32_t MAX_GATE = 30;    // 2^30 is more than any window

} // namespace

TypeId
RdmaNscc::GetTypeId()
{
    static TypeId tid = AddPeriods(AddLaw(AddNetwork(TypeId("ns3::RdmaNscc")
                                                         .SetParent<RdmaCongestionOps>()
                                                         .SetGroupName("Lossless")
                                                         .AddConstructor<RdmaNscc>())));
    return tid;
}

TypeId
RdmaNscc::AddNetwork(TypeId tid)
{
    return tid
        .AddAttribute("BaseRtt",
                      "base_rtt, R, the longest round trip of the empty network, the same for all "
                      "flows; 0: base RTT of the connection",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaNscc::m_baseRtt)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Trimming",
                      "Whether switches trim packets, which TargetDelay 0 and QaThreshold 0 "
                      "depend on",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaNscc::m_trimming)),
                      MakeBooleanChecker())
        .AddAttribute("TargetDelay",
                      "target_delay, the queueing delay above which marks reduce the window; 0: R, "
                      "0.75 R with Trimming",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaNscc::m_target)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("MaxWindow",
                      "max_cwnd, largest window and that at the start, payload bytes, of a pair "
                      "whose base RTT is R; less in proportion where the base RTT is shorter. 0: "
                      "1.5 times line rate times R",
                      UintegerValue(0),
                      MakeFixed(MakeUintegerAccessor(&RdmaNscc::m_maxWindow)),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "Average",
            "How the delay is averaged: Ewma (1/80 of each sample, and base RTT / 4 for "
            "a delay above the target without a mark, as in uet-htsim) or Time (by the "
            "time since the last sample, over a base RTT)",
            EnumValue(NsccParameters::EWMA),
            MakeFixed(MakeLosslessEnumAccessor<NsccParameters::Average>(&RdmaNscc::m_average)),
            MakeEnumChecker(NsccParameters::EWMA, "Ewma", NsccParameters::TIME, "Time"))
        .AddAttribute(
            "Dialect",
            "Ue (the text of Ultra Ethernet 1.0) or Htsim (the simulator uet-htsim: "
            "quick adapt by delay with trimming, too; times are over after, not at, "
            "their end; lost bytes are not among those that quick adapt ignores)",
            EnumValue(NsccParameters::UE),
            MakeFixed(MakeLosslessEnumAccessor<NsccParameters::Dialect>(&RdmaNscc::m_dialect)),
            MakeEnumChecker(NsccParameters::UE, "Ue", NsccParameters::HTSIM, "Htsim"));
}

TypeId
RdmaNscc::AddLaw(TypeId tid)
{
    return tid
        .AddAttribute("Alpha",
                      "alpha, proportional increase below the target without a mark, bytes per "
                      "microsecond of the distance, in a window of answers; negative: 4 MTU a / 12 "
                      "us, where a = line rate * R / (100 Gb/s * 12 us)",
                      DoubleValue(-1),
                      MakeFixed(MakeDoubleAccessor(&RdmaNscc::m_alpha)),
                      MakeDoubleChecker<double>(-1))
        .AddAttribute("Fi",
                      "fi, fair increase above the target without a mark, bytes in a window of "
                      "answers; negative: 5 MTU a",
                      DoubleValue(-1),
                      MakeFixed(MakeDoubleAccessor(&RdmaNscc::m_fi)),
                      MakeDoubleChecker<double>(-1))
        .AddAttribute("Eta",
                      "eta, increase in each AdjustPeriod, bytes; negative: 0.15 MTU a",
                      DoubleValue(-1),
                      MakeFixed(MakeDoubleAccessor(&RdmaNscc::m_eta)),
                      MakeDoubleChecker<double>(-1))
        .AddAttribute("FiScale",
                      "fi_scale, fast increase, when a whole window has met less than 1 us of "
                      "queues: share of the delivered bytes; negative: a / 4",
                      DoubleValue(-1),
                      MakeFixed(MakeDoubleAccessor(&RdmaNscc::m_fiScale)),
                      MakeDoubleChecker<double>(-1))
        .AddAttribute("Gamma",
                      "gamma, multiplicative decrease, 0 to 1: of the share of the average delay "
                      "that is above the target",
                      DoubleValue(0.8),
                      MakeFixed(MakeDoubleAccessor(&RdmaNscc::m_gamma)),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MaxMdJump",
                      "max_md_jump, share of the window that a multiplicative decrease leaves at "
                      "least, 0 to 1",
                      DoubleValue(0.5),
                      MakeFixed(MakeDoubleAccessor(&RdmaNscc::m_maxMdJump)),
                      MakeDoubleChecker<double>(0, 1));
}

TypeId
RdmaNscc::AddPeriods(TypeId tid)
{
    return tid
        .AddAttribute("QuickAdapt",
                      "Whether the window can fall to the bytes that have arrived (disable_qa 0)",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaNscc::m_quickAdapt)),
                      MakeBooleanChecker())
        .AddAttribute("QaGate",
                      "qa_gate: quick adapt acts when less than the largest window / 2^QaGate has "
                      "arrived in a base RTT and TargetDelay",
                      UintegerValue(3),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaNscc::m_qaGate)),
                               &RdmaNscc::AdaptsQuickly,
                               "QuickAdapt"),
                      MakeUintegerChecker<uint32_t>(0, MAX_GATE))
        .AddAttribute("QaThreshold",
                      "qa_threshold, queueing delay above which quick adapt acts without a trimmed "
                      "packet; 0: 4 TargetDelay, with Trimming never",
                      TimeValue(Time(0)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaNscc::m_qaThreshold)),
                               &RdmaNscc::AdaptsQuickly,
                               "QuickAdapt"),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("AdjustBytes",
                      "adjust_bytes_threshold: increases reach the window when more payload bytes "
                      "have arrived; 0: 8 MTU",
                      UintegerValue(0),
                      MakeFixed(MakeUintegerAccessor(&RdmaNscc::m_adjustBytes)),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("AdjustPeriod",
                      "adjust_period_threshold: they do after this time, too, with Eta; 0: R",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaNscc::m_adjustPeriod)),
                      MakeTimeChecker(Time(0)));
}

std::string
RdmaNscc::GetName() const
{
    return "NSCC";
}

uint32_t
RdmaNscc::GetHooks() const
{
    return ON_ACK;
}

bool
RdmaNscc::EchoesMarks() const
{
    return true;
}

bool
RdmaNscc::SendsCnps() const
{
    return false;
}

bool
RdmaNscc::SetsWindow() const
{
    return true;
}

TelemetryKind
RdmaNscc::GetTelemetry() const
{
    return TelemetryKind::DELAY;
}

void
RdmaNscc::Init(RdmaFlowState& state, int64_t nowPs)
{
    const int64_t rtt = state.LongestRttPs("RdmaNscc", m_baseRtt.GetPicoSeconds());
    if (rtt <= 0)
    {
        throw std::invalid_argument(
            "RdmaNscc: the connection knows no round trip time: set BaseRtt");
    }
    const NsccParameters parameters = MakeParameters(state, rtt);
    const int64_t ofPair = state.baseRttPs > 0 ? std::min(state.baseRttPs, rtt) : rtt;
    m_window = NsccWindow(parameters, ofPair, nowPs);
    if (FixedSince())
    {
        ReadBack(parameters);
    }
    state.rate = state.lineRate;
    Publish(state);
}

NsccParameters
RdmaNscc::MakeParameters(const RdmaFlowState& state, int64_t rtt) const
{
    auto p = NsccParameters::Of(
        {state.lineRate, rtt, state.mtuBytes, m_trimming, m_target.GetPicoSeconds(), m_dialect});
    const auto take = [](double value, double factor, double& parameter) {
        if (value >= 0)
        {
            parameter = value * factor;
        }
    };
    if (m_maxWindow)
    {
        p.windows = static_cast<double>(m_maxWindow) / p.ProductBytes();
    }
    take(m_alpha, 1 / BYTES_PER_US, p.alpha);
    take(m_fi, 1, p.fi);
    take(m_eta, 1, p.eta);
    take(m_fiScale, 1, p.fiScale);
    p.gamma = m_gamma;
    p.maxMdJump = m_maxMdJump;
    p.quickAdapt = AdaptsQuickly();
    p.qaGate = m_qaGate;
    p.qaThresholdPs = m_qaThreshold.IsZero() ? p.qaThresholdPs : m_qaThreshold.GetPicoSeconds();
    p.adjustBytes = m_adjustBytes ? m_adjustBytes : p.adjustBytes;
    p.adjustPeriodPs = m_adjustPeriod.IsZero() ? p.adjustPeriodPs : m_adjustPeriod.GetPicoSeconds();
    p.average = m_average;
    return p;
}

void
RdmaNscc::ReadBack(const NsccParameters& parameters)
{
    m_baseRtt = PicoSeconds(parameters.baseRttPs);
    m_target = PicoSeconds(parameters.targetPs);
    m_maxWindow =
        static_cast<uint64_t>(std::llround(parameters.windows * parameters.ProductBytes()));
    m_alpha = parameters.alpha * BYTES_PER_US;
    m_fi = parameters.fi;
    m_eta = parameters.eta;
    m_fiScale = parameters.fiScale;
    if (parameters.qaThresholdPs != NsccParameters::NEVER)
    {
        m_qaThreshold = PicoSeconds(parameters.qaThresholdPs);
    }
    m_adjustBytes = static_cast<uint32_t>(parameters.adjustBytes);
    m_adjustPeriod = PicoSeconds(parameters.adjustPeriodPs);
}

void
RdmaNscc::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    NsccWindow::Answer answer;
    answer.bytes = static_cast<int64_t>(ack.deliveredBytes);
    answer.inFlight = static_cast<int64_t>(state.inFlight);
    answer.nowPs = ack.nowPs;
    answer.marked = ack.marked;
    const int64_t rtt = ack.telemetryKind == TelemetryKind::DELAY ? ack.rttPs : 0;
    // The round trip of a NAK for a trimmed packet is that of a short frame, which has overtaken.
    answer.rttPs = ack.trimmedBytes > 0 ? 0 : rtt;
    m_window.OnAck(answer);
    if (ack.trimmedBytes > 0)
    {
        answer.bytes = static_cast<int64_t>(ack.trimmedBytes);
        answer.rttPs = rtt;
        m_window.OnTrim(answer);
    }
    if (ack.lostBytes > 0)
    {
        m_window.OnLoss(static_cast<int64_t>(ack.lostBytes));
    }
    Publish(state);
}

void
RdmaNscc::OnTimeout(RdmaFlowState& state, int64_t nowPs)
{
    const uint64_t lost = std::max<uint64_t>(state.inFlight, state.mtuBytes);
    NS_LOG_DEBUG("timeout: " << lost << " bytes lost, " << nowPs << " ps");
    m_window.OnLoss(static_cast<int64_t>(lost));
    Publish(state);
}

void
RdmaNscc::OnLineRate(RdmaFlowState& state)
{
    m_window.SetRate(state.lineRate);
    state.rate = state.lineRate;
    Publish(state);
}

void
RdmaNscc::Force(RdmaFlowState& state, double bytes)
{
    m_window.Force(bytes);
    Publish(state);
}

void
RdmaNscc::Publish(RdmaFlowState& state) const
{
    // The queue pair sends while fewer bytes are in flight; NSCC while an MTU more fits as well.
    const auto window = static_cast<uint64_t>(m_window.Get());
    state.window = window - std::min<uint64_t>(window, state.mtuBytes) + 1;
}

} // namespace ns3

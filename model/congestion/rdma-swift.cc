// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-swift.h"

#include "unit-factors.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSwift");

NS_OBJECT_ENSURE_REGISTERED(RdmaSwift);

TypeId
RdmaSwift::GetTypeId()
{
    static TypeId tid = AddRest(AddWindow(AddTargets(TypeId("ns3::RdmaSwift")
                                                         .SetParent<RdmaCongestionOps>()
                                                         .SetGroupName("Lossless")
                                                         .AddConstructor<RdmaSwift>())));
    return tid;
}

TypeId
RdmaSwift::AddTargets(TypeId tid)
{
    return tid
        .AddAttribute("BaseTarget",
                      "Base target of the fabric delay, without hop and flow scaling (not "
                      "published); 0: 25 us, or the base RTT + 5 us if that is more",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaSwift::m_base)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("HopScaling",
                      "Time that each switch on the path adds to the target (not published)",
                      TimeValue(MicroSeconds(1)),
                      MakeFixed(MakeTimeAccessor(&RdmaSwift::m_hop)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute(
            "FlowScalingRange",
            "fs_range, the largest time that flow scaling adds to the target (not published)",
            TimeValue(MicroSeconds(100)),
            MakeFixed(MakeTimeAccessor(&RdmaSwift::m_range)),
            MakeTimeChecker(Time(0)))
        .AddAttribute("FlowScalingMinWindow",
                      "fs_min_cwnd, the window in packets up to which flow scaling adds fs_range",
                      DoubleValue(0.1),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_smallWindow)),
                               &RdmaSwift::ScalesByFlows,
                               "FlowScalingRange above 0"),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("FlowScalingMaxWindow",
                      "fs_max_cwnd, the window in packets from which on flow scaling adds no time; "
                      "above FlowScalingMinWindow",
                      DoubleValue(100),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_largeWindow)),
                               &RdmaSwift::ScalesByFlows,
                               "FlowScalingRange above 0"),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("EndpointControl",
                      "Whether a second window controls the delay of the receiving host",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaSwift::m_endpointControl)),
                      MakeBooleanChecker())
        .AddAttribute("EndpointTarget",
                      "Target of the delay of the receiving host (not published)",
                      TimeValue(MicroSeconds(100)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaSwift::m_endpointTarget)),
                               &RdmaSwift::ControlsEndpoint,
                               "EndpointControl"),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("EndpointGain",
                      "Weight of a new sample in the smoothed delay of the receiving host, 0 to 1 "
                      "(not published)",
                      DoubleValue(0.125),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_endpointGain)),
                               &RdmaSwift::ControlsEndpoint,
                               "EndpointControl"),
                      MakeDoubleChecker<double>(0, 1));
}

TypeId
RdmaSwift::AddWindow(TypeId tid)
{
    return tid
        .AddAttribute("AdditiveIncrease",
                      "ai, the packets that a round trip below the target adds to the window",
                      DoubleValue(1),
                      MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_additiveIncrease)),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("Beta",
                      "beta, the multiplicative decrease, 0 to 1",
                      DoubleValue(0.8),
                      MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_beta)),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute(
            "MaxDecrease",
            "max_mdf, the largest share of the window by which one decrease reduces it, 0 to 1",
            DoubleValue(0.5),
            MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_maxDecrease)),
            MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MinWindow",
                      "Lower bound of the windows, packets (not published)",
                      DoubleValue(0.001),
                      MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_minWindow)),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("MaxWindow",
                      "Upper bound of the windows, packets (not published)",
                      DoubleValue(1000),
                      MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_maxWindow)),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("RetransmitResetThreshold",
                      "Number of successive timeouts after which the windows are set to MinWindow, "
                      "at least 1",
                      UintegerValue(5),
                      MakeFixed(MakeUintegerAccessor(&RdmaSwift::m_resetAfter)),
                      MakeUintegerChecker<uint32_t>(1));
}

TypeId
RdmaSwift::AddRest(TypeId tid)
{
    return tid
        .AddAttribute("StartAtLineRate",
                      "Whether the window starts at the bandwidth-delay product of the empty path, "
                      "if the base RTT is known, instead of InitialWindow",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaSwift::m_startAtLineRate)),
                      MakeBooleanChecker())
        .AddAttribute("InitialWindow",
                      "Window at the start, packets",
                      DoubleValue(10),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaSwift::m_initialWindow)),
                               &RdmaSwift::HasInitialWindow,
                               "StartAtLineRate false"),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("Pacing",
                      "Whether packets are paced also with a window of one packet or more: bursts "
                      "at line rate make switches send XOFF",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaSwift::m_pacing)),
                      MakeBooleanChecker());
}

std::string
RdmaSwift::GetName() const
{
    return "Swift";
}

bool
RdmaSwift::SetsWindow() const
{
    return true;
}

uint32_t
RdmaSwift::GetHooks() const
{
    return ON_ACK;
}

bool
RdmaSwift::SendsCnps() const
{
    return false;
}

TelemetryKind
RdmaSwift::GetTelemetry() const
{
    return TelemetryKind::DELAY;
}

void
RdmaSwift::Init(RdmaFlowState& state, int64_t nowPs)
{
    if (m_smallWindow >= m_largeWindow)
    {
        throw std::invalid_argument(
            "RdmaSwift: FlowScalingMinWindow is " + std::to_string(m_smallWindow) +
            "; it must be below FlowScalingMaxWindow, " + std::to_string(m_largeWindow));
    }
    if (m_minWindow > m_maxWindow)
    {
        throw std::invalid_argument("RdmaSwift: MinWindow is " + std::to_string(m_minWindow) +
                                    "; it must not exceed MaxWindow, " +
                                    std::to_string(m_maxWindow));
    }
    m_parameters = {m_additiveIncrease, m_beta, m_maxDecrease, m_minWindow, m_maxWindow};
    const int64_t usual = MicroSeconds(25).GetPicoSeconds();
    const int64_t distant = state.baseRttPs + MicroSeconds(5).GetPicoSeconds();
    const int64_t base = m_base.IsZero() ? std::max(usual, distant) : m_base.GetPicoSeconds();
    if (FixedSince())
    {
        m_base = PicoSeconds(base); // reads back as what is in force
    }
    m_target = SwiftTarget(static_cast<double>(base),
                           static_cast<double>(m_hop.GetPicoSeconds()),
                           static_cast<double>(m_range.GetPicoSeconds()),
                           m_smallWindow,
                           m_largeWindow);
    m_endpointTargetPs = static_cast<double>(m_endpointTarget.GetPicoSeconds());
    m_rttPs = state.baseRttPs;
    double window = m_initialWindow;
    if (!HasInitialWindow() && m_rttPs > 0)
    {
        window = state.lineRate * (static_cast<double>(m_rttPs) / PS_PER_SECOND) /
                 (BITS * state.packetWireBytes);
    }
    m_fabric = SwiftWindow();
    m_endpoint = SwiftWindow();
    Force(window, window, nowPs);
    Apply(state);
}

void
RdmaSwift::Force(double fabric, double endpoint, int64_t nowPs)
{
    m_fabric.Set(fabric, m_parameters, nowPs);
    m_endpoint.Set(endpoint, m_parameters, nowPs);
}

void
RdmaSwift::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    if (ack.telemetryKind != TelemetryKind::DELAY)
    {
        return;
    }
    m_rttPs = ack.rttPs;
    if (ack.ackedBytes > 0)
    {
        m_timeouts = 0;
    }
    if (ack.nak)
    {
        m_fabric.OnLoss(m_rttPs, ack.nowPs, m_parameters);
        m_endpoint.OnLoss(m_rttPs, ack.nowPs, m_parameters);
        Apply(state);
        return;
    }
    const DelayTelemetry& delay = ack.telemetry->delay;
    m_fabricDelayPs = static_cast<double>(ack.rttPs) - PS_PER_NS * delay.endpointDelayNs;
    SwiftWindow::Sample sample;
    sample.delayPs = m_fabricDelayPs;
    sample.targetPs = m_target.Get(delay.hops, m_fabric.Get());
    sample.ackedPackets = static_cast<double>(ack.ackedBytes) / state.mtuBytes;
    sample.rttPs = ack.rttPs;
    sample.nowPs = ack.nowPs;
    m_fabric.OnSample(sample, m_parameters);
    if (ControlsEndpoint())
    {
        UpdateEndpoint(ack, sample);
    }
    Apply(state);
}

void
RdmaSwift::UpdateEndpoint(const RdmaAckEvent& ack, SwiftWindow::Sample sample)
{
    const double delayPs = PS_PER_NS * ack.telemetry->delay.endpointDelayNs;
    const double gain = m_endpointSampled ? m_endpointGain : 1;
    m_endpointSampled = true;
    m_endpointDelayPs += gain * (delayPs - m_endpointDelayPs);
    sample.delayPs = m_endpointDelayPs;
    sample.targetPs = m_endpointTargetPs;
    m_endpoint.OnSample(sample, m_parameters);
}

void
RdmaSwift::OnTimeout(RdmaFlowState& state, int64_t nowPs)
{
    NS_LOG_DEBUG("timeout at " << state.rate << " bit/s, " << nowPs << " ps");
    m_timeouts++;
    if (m_timeouts >= m_resetAfter)
    {
        Force(m_minWindow, m_minWindow, nowPs);
    }
    else
    {
        m_fabric.OnLoss(m_rttPs, nowPs, m_parameters);
        m_endpoint.OnLoss(m_rttPs, nowPs, m_parameters);
    }
    Apply(state);
}

double
RdmaSwift::GetWindow() const
{
    return m_endpointControl ? std::min(m_fabric.Get(), m_endpoint.Get()) : m_fabric.Get();
}

void
RdmaSwift::Apply(RdmaFlowState& state) const
{
    // The queue pair sends while fewer bytes are in flight: a window below one packet lets one out,
    // and the pace makes up for the rest.
    const double window = GetWindow();
    state.window = static_cast<uint64_t>(std::max(window, 1.0) * state.mtuBytes);
    state.rate = state.lineRate;
    if (m_rttPs > 0 && (m_pacing || window < 1))
    {
        const double seconds = static_cast<double>(m_rttPs) / PS_PER_SECOND;
        state.rate = std::min(state.rate, window * state.packetWireBytes * BITS / seconds);
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-dctcp.h"

#include "unit-factors.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fabric-frame.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaDctcp");

NS_OBJECT_ENSURE_REGISTERED(RdmaDctcp);

TypeId
RdmaDctcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaDctcp")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaDctcp>()
            .AddAttribute("Control",
                          "What DCTCP controls: the Rate, with a window by UseWindow and "
                          "VariableWindow, or the Window, which is filled at line rate",
                          EnumValue(RATE),
                          MakeFixed(MakeLosslessEnumAccessor<Control>(&RdmaDctcp::m_control)),
                          MakeEnumChecker(RATE, "Rate", WINDOW, "Window"))
            .AddAttribute("UseWindow",
                          "Whether a window limits the bytes in flight while Control is Rate; "
                          "false: only the rate does (HAS_WIN 0 of the HPCC simulator)",
                          BooleanValue(true),
                          UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaDctcp::m_useWindow)),
                                   &RdmaDctcp::ControlsRate,
                                   "Control Rate"),
                          MakeBooleanChecker())
            .AddAttribute("VariableWindow",
                          "Whether the window of UseWindow follows the rate; false: it stays at "
                          "line rate times BaseRtt (VAR_WIN 0 of the HPCC simulator)",
                          BooleanValue(false),
                          UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaDctcp::m_variableWindow)),
                                   &RdmaDctcp::ChoosesWindow,
                                   "Control Rate and UseWindow"),
                          MakeBooleanChecker())
            .AddAttribute("PayloadWindow",
                          "Whether the window counts payload only, as in the HPCC simulator; "
                          "false: wire bytes, as the rate does",
                          BooleanValue(false),
                          UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaDctcp::m_payloadWindow)),
                                   &RdmaDctcp::SetsWindow,
                                   "Control Window or UseWindow"),
                          MakeBooleanChecker())
            .AddAttribute("FirstAckUpdates",
                          "Whether the first ACK is a round trip of its own, which updates alpha; "
                          "false: it only begins the first round trip, as in the HPCC simulator",
                          BooleanValue(true),
                          MakeFixed(MakeBooleanAccessor(&RdmaDctcp::m_firstAckUpdates)),
                          MakeBooleanChecker())
            .AddAttribute("Gain",
                          "g, the weight of a round trip in alpha, 0 to 1",
                          DoubleValue(1.0 / 16),
                          MakeFixed(MakeDoubleAccessor(&RdmaDctcp::m_gain)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha at the start, 0 to 1",
                          DoubleValue(1),
                          MakeFixed(MakeDoubleAccessor(&RdmaDctcp::m_initialAlpha)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Increase",
                          "Additive increase of the rate once per round trip; 0: the payload of "
                          "one packet per BaseRtt, such as 615 Mb/s at 1000 B and 13 us",
                          DataRateValue(DataRate(0)),
                          MakeFixed(MakeDataRateAccessor(&RdmaDctcp::m_increase)),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lower bound of the rate",
                          DataRateValue(DataRate("100Mbps")),
                          MakeFixed(MakeDataRateAccessor(&RdmaDctcp::m_minRate)),
                          MakeDataRateChecker())
            .AddAttribute("BaseRtt",
                          "Round trip time of an empty path; 0: base RTT of the connection",
                          TimeValue(Time(0)),
                          UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaDctcp::m_baseRtt)),
                                   &RdmaDctcp::UsesBaseRtt,
                                   "Increase 0, Control Window or UseWindow"),
                          MakeTimeChecker(Time(0)));
    return tid;
}

RdmaDctcp::RdmaDctcp() = default;

RdmaDctcp::~RdmaDctcp() = default;

std::string
RdmaDctcp::GetName() const
{
    return "DCTCP";
}

bool
RdmaDctcp::SetsWindow() const
{
    return m_useWindow || !ControlsRate();
}

uint32_t
RdmaDctcp::GetHooks() const
{
    return ON_ACK;
}

bool
RdmaDctcp::SendsCnps() const
{
    return false;
}

bool
RdmaDctcp::EchoesMarks() const
{
    return true;
}

void
RdmaDctcp::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    const int64_t basePs = m_baseRtt.IsZero() ? state.baseRttPs : m_baseRtt.GetPicoSeconds();
    if (basePs <= 0)
    {
        throw std::invalid_argument(
            "RdmaDctcp: the connection knows no round trip time: set BaseRtt");
    }
    const double baseSeconds = static_cast<double>(basePs) / PS_PER_SECOND;
    const auto increase = static_cast<double>(m_increase.GetBitRate());
    m_parameters.gain = m_gain;
    m_parameters.initialAlpha = m_initialAlpha;
    m_parameters.increase = increase > 0 ? increase : state.mtuBytes * BITS / baseSeconds;
    m_parameters.firstAckUpdates = m_firstAckUpdates;
    m_parameters.maxRate = state.lineRate;
    m_parameters.minRate = std::min(static_cast<double>(m_minRate.GetBitRate()), state.lineRate);
    m_reaction = std::make_unique<DctcpRate>(m_parameters);
    if (FixedSince())
    {
        m_increase = ToDataRate(m_parameters.increase); // they read back as what is in force
        m_minRate = ToDataRate(m_parameters.minRate);
        m_baseRtt = PicoSeconds(basePs);
    }

    const uint32_t wire =
        RoceFrameBytes(RoceOpcode::WRITE_MIDDLE, state.mtuBytes) + ETHERNET_GAP_BYTES;
    m_payloadPerBps = baseSeconds / BITS * (m_payloadWindow ? wire : state.mtuBytes) / wire;
    Publish(state);
}

void
RdmaDctcp::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    m_unacked = ack.unackedPsn;
    if (ack.nak)
    {
        m_reaction->GoBack(m_unacked);
    }
    m_reaction->OnAck(m_unacked, ack.nextPsn, ack.marked);
    Publish(state);
    NS_LOG_LOGIC("ACK to " << m_unacked << (ack.marked ? ", marked" : "") << ": rate "
                           << m_reaction->GetRate() << " bit/s");
}

void
RdmaDctcp::OnTimeout(RdmaFlowState& /* state */, int64_t /* nowPs */)
{
    m_reaction->GoBack(m_unacked);
}

void
RdmaDctcp::Publish(RdmaFlowState& state) const
{
    const double rate = m_reaction->GetRate();
    const bool window = !ControlsRate();
    state.rate = window ? state.lineRate : rate;
    if (SetsWindow())
    {
        const bool follows = window || m_variableWindow;
        const double limit = (follows ? rate : state.lineRate) * m_payloadPerBps;
        state.window = std::max<uint64_t>(1, static_cast<uint64_t>(limit)); // 0 would be no limit
    }
}

} // namespace ns3

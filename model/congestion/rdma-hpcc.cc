// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-hpcc.h"

#include "unit-factors.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fabric-frame.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHpcc");

NS_OBJECT_ENSURE_REGISTERED(RdmaHpcc);

TypeId
RdmaHpcc::GetTypeId()
{
    static TypeId tid = AddFormat(AddModes(AddLaw(TypeId("ns3::RdmaHpcc")
                                                      .SetParent<RdmaCongestionOps>()
                                                      .SetGroupName("Lossless")
                                                      .AddConstructor<RdmaHpcc>())));
    return tid;
}

TypeId
RdmaHpcc::AddLaw(TypeId tid)
{
    return tid
        .AddAttribute("Eta",
                      "Target utilisation of the busiest link, 0.01 to 1",
                      DoubleValue(0.95),
                      MakeFixed(MakeDoubleAccessor(&RdmaHpcc::m_eta)),
                      MakeDoubleChecker<double>(0.01, 1))
        .AddAttribute("MaxStage",
                      "Number of successive additive increases, one per round trip, before a "
                      "multiplicative one; 0: always multiplicative, as in the published "
                      "configurations of the HPCC simulator",
                      UintegerValue(5),
                      MakeFixed(MakeUintegerAccessor(&RdmaHpcc::m_maxStage)),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("AdditiveIncrease",
                      "W_AI, the additive increase of the window in wire bytes, at least 1",
                      UintegerValue(80),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaHpcc::m_increase)),
                               &RdmaHpcc::IncreasesByBytes,
                               "IncreaseRate 0"),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("MinWindow",
                      "Lower bound of the window, wire bytes; one packet is sent whenever none is "
                      "in flight. 0: W_AI",
                      UintegerValue(0),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaHpcc::m_minWindow)),
                               &RdmaHpcc::HasMinWindow,
                               "MinRate 0"),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("IncreaseRate",
                      "W_AI as a rate: W_AI = IncreaseRate * BaseRtt (RATE_AI of the HPCC "
                      "simulator); 0: AdditiveIncrease applies",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaHpcc::m_increaseRate)),
                      MakeDataRateChecker())
        .AddAttribute("MinRate",
                      "Lower bound of the window as a rate: MinRate * BaseRtt (MIN_RATE of the "
                      "HPCC simulator); 0: MinWindow applies",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaHpcc::m_minRate)),
                      MakeDataRateChecker())
        .AddAttribute("BaseRtt",
                      "T, the longest round trip time of an empty path, the same for all flows; 0: "
                      "base RTT of the connection",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaHpcc::m_baseRtt)),
                      MakeTimeChecker(Time(0)));
}

TypeId
RdmaHpcc::AddModes(TypeId tid)
{
    return tid
        .AddAttribute("FastReact",
                      "Whether the sender reacts to each ACK; false: once per round trip",
                      BooleanValue(true),
                      UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_fastReact)),
                               &RdmaHpcc::UpdatesOncePerRtt,
                               "OncePerRtt"),
                      MakeBooleanChecker())
        .AddAttribute("OncePerRtt",
                      "Whether the reference window changes only once per round trip; false, for "
                      "demonstrations: it changes with each ACK, and the sender reacts to the same "
                      "packets again and again",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_oncePerRtt)),
                      MakeBooleanChecker())
        .AddAttribute("MultiRate",
                      "Whether each hop has a window, of which the smallest applies; false: one "
                      "window, for the busiest hop",
                      BooleanValue(false),
                      UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_multiRate)),
                               &RdmaHpcc::UsesInt,
                               "Telemetry Fixed or Growing"),
                      MakeBooleanChecker())
        .AddAttribute("SampleFeedback",
                      "Whether, within a round trip, only hops with a queue count",
                      BooleanValue(false),
                      UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_sampleFeedback)),
                               &RdmaHpcc::SamplesFeedback,
                               "Telemetry Fixed or Growing, FastReact and OncePerRtt"),
                      MakeBooleanChecker())
        .AddAttribute("UseWindow",
                      "Whether a window limits the bytes in flight; false: only the rate does "
                      "(HAS_WIN 0 of the HPCC simulator)",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_useWindow)),
                      MakeBooleanChecker())
        .AddAttribute("VariableWindow",
                      "Whether the window of UseWindow follows the rate; false: it stays at line "
                      "rate times BaseRtt (VAR_WIN 0 of the HPCC simulator)",
                      BooleanValue(true),
                      UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_variableWindow)),
                               &RdmaHpcc::SetsWindow,
                               "UseWindow"),
                      MakeBooleanChecker())
        .AddAttribute("PayloadWindow",
                      "Whether the window of UseWindow counts payload only, as in the HPCC "
                      "simulator; false: wire bytes, as the rate does",
                      BooleanValue(false),
                      UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaHpcc::m_payloadWindow)),
                               &RdmaHpcc::SetsWindow,
                               "UseWindow"),
                      MakeBooleanChecker());
}

TypeId
RdmaHpcc::AddFormat(TypeId tid)
{
    return tid
        .AddAttribute("Telemetry",
                      "Telemetry of data packets: Fixed (INT with room for five hops), Growing "
                      "(INT that grows by 8 bytes per hop) or Pint (HPCC-PINT, 2 bytes)",
                      EnumValue(FIXED),
                      MakeFixed(MakeLosslessEnumAccessor<Telemetry>(&RdmaHpcc::m_telemetry)),
                      MakeEnumChecker(FIXED, "Fixed", GROWING, "Growing", PINT, "Pint"))
        .AddAttribute("LinkSpeeds",
                      "Up to eight link speeds that an INT record can name, separated by spaces; "
                      "the first has code 0. IntStamper::LinkSpeeds must have the same value.",
                      StringValue(IntFormat::DEFAULT_SPEEDS),
                      MakeFixed(MakeStringAccessor(&RdmaHpcc::m_linkSpeeds)),
                      MakeStringChecker())
        .AddAttribute("Multiplier",
                      "Factor of the units of an INT record, 1 to 1000: bytes sent count in units "
                      "of 128 B, queues in units of 80 B, times this factor. "
                      "IntStamper::Multiplier must have the same value.",
                      UintegerValue(1),
                      UsedWhen(MakeFixed(MakeUintegerAccessor(&RdmaHpcc::m_multiplier)),
                               &RdmaHpcc::UsesInt,
                               "Telemetry Fixed or Growing"),
                      MakeUintegerChecker<uint32_t>(1, 1000))
        .AddAttribute("PintBase",
                      "Pint: factor between two codes of the logarithmic scale, 1.001 to 2. "
                      "IntStamper::PintBase must have the same value.",
                      DoubleValue(1.05),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaHpcc::m_pintBase)),
                               &RdmaHpcc::UsesPint,
                               "Telemetry Pint"),
                      MakeDoubleChecker<double>(1.001, 2))
        .AddAttribute("PintProbability",
                      "Pint: probability that the sender evaluates an ACK, 0 to 1",
                      DoubleValue(1),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaHpcc::m_pintProbability)),
                               &RdmaHpcc::UsesPint,
                               "Telemetry Pint"),
                      MakeDoubleChecker<double>(0, 1));
}

RdmaHpcc::RdmaHpcc()
    : m_code(2)
{
}

RdmaHpcc::~RdmaHpcc() = default;

std::string
RdmaHpcc::GetName() const
{
    return m_telemetry == PINT ? "HPCC-PINT" : "HPCC";
}

PathNeed
RdmaHpcc::GetPathNeed() const
{
    // The records of another path are a baseline only: with INT it would never react. PINT has the
    // highest utilisation of all paths.
    return GetTelemetry() == TelemetryKind::PINT ? PathNeed::ANY : PathNeed::ONE_AT_A_TIME;
}

bool
RdmaHpcc::SetsWindow() const
{
    return m_useWindow;
}

uint32_t
RdmaHpcc::GetHooks() const
{
    return ON_ACK;
}

bool
RdmaHpcc::SendsCnps() const
{
    return false;
}

TelemetryKind
RdmaHpcc::GetTelemetry() const
{
    return static_cast<TelemetryKind>(m_telemetry);
}

std::vector<std::string>
RdmaHpcc::GetSwitchExtensions() const
{
    constexpr int EXACT_DIGITS = std::numeric_limits<double>::digits10;
    std::ostringstream need;
    need << std::setprecision(EXACT_DIGITS) << "ns3::IntStamper[LinkSpeeds=" << m_linkSpeeds
         << "|Multiplier=" << m_multiplier << "|PintBase=" << m_pintBase << "]";
    return {need.str()};
}

int64_t
RdmaHpcc::AssignStreams(int64_t stream)
{
    if (!UsesPint() || m_pintProbability >= 1)
    {
        return 0; // nothing is drawn
    }
    if (!m_draw)
    {
        m_draw = CreateObject<UniformRandomVariable>();
    }
    m_draw->SetStream(stream);
    return 1;
}

void
RdmaHpcc::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    const int64_t basePs = m_baseRtt.IsZero() ? state.baseRttPs : m_baseRtt.GetPicoSeconds();
    if (basePs <= 0)
    {
        throw std::invalid_argument(
            "RdmaHpcc: the connection knows no round trip time: set BaseRtt");
    }
    m_baseRttPs = static_cast<double>(basePs);
    m_parameters.eta = m_eta;
    m_parameters.maxStage = m_maxStage;
    const auto bytesAt = [this](double rate) {
        return rate * m_baseRttPs / (BITS * PS_PER_SECOND);
    };
    const auto increaseRate = static_cast<double>(m_increaseRate.GetBitRate());
    const auto minRate = static_cast<double>(m_minRate.GetBitRate());
    m_parameters.increaseBytes = IncreasesByBytes() ? m_increase : bytesAt(increaseRate);
    m_parameters.maxBytes = bytesAt(state.lineRate);
    const double minBytes = !HasMinWindow() ? bytesAt(minRate)
                            : m_minWindow   ? m_minWindow
                                            : m_parameters.increaseBytes;
    m_parameters.minBytes = std::min(minBytes, m_parameters.maxBytes);
    if (FixedSince())
    {
        m_baseRtt = PicoSeconds(basePs); // they read back as what is in force
        m_minWindow = static_cast<uint32_t>(std::min(m_parameters.minBytes + 0.5, 0x1p32 - 1));
    }
    m_windows.fill(HpccWindow(m_parameters.maxBytes));
    m_path = HpccPath(IntFormat(m_linkSpeeds, m_multiplier), m_baseRttPs / PS_PER_NS);
    m_code = PintCode(m_pintBase);
    if (UsesPint() && m_pintProbability < 1 && !m_draw)
    {
        m_draw = CreateObject<UniformRandomVariable>(); // the rule is that nothing is drawn
    }

    const uint32_t telemetry = TelemetryBytes(GetTelemetry(), IntTelemetry::MAX_HOPS);
    const uint32_t wire =
        RoceFrameBytes(RoceOpcode::WRITE_MIDDLE, state.mtuBytes, 4, false, telemetry) +
        ETHERNET_GAP_BYTES;
    m_payloadShare = m_payloadWindow ? 1 : static_cast<double>(state.mtuBytes) / wire;
    Publish(state);
}

void
RdmaHpcc::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    m_unacked = ack.unackedPsn;
    if (ack.nak)
    {
        m_lastUpdate = m_unacked; // sequence numbers go back: the next ACK must count
    }
    const bool full = m_unacked > m_lastUpdate || !m_oncePerRtt;
    if (!ack.telemetry || ack.telemetryKind != GetTelemetry() || !(full || m_fastReact))
    {
        return;
    }
    const bool told = UsesPint() ? ReactToPint(ack, full) : ReactToInt(ack, full);
    if (told && full)
    {
        m_lastUpdate = ack.nextPsn;
    }
    Publish(state);
    NS_LOG_LOGIC("ACK to " << m_unacked << ": window " << m_windows[m_smallest].GetBytes()
                           << " bytes");
}

bool
RdmaHpcc::ReactToInt(const RdmaAckEvent& ack, bool full)
{
    const IntTelemetry& telemetry = ack.telemetry->hops;
    if (telemetry.hops > IntTelemetry::MAX_HOPS)
    {
        NS_LOG_DEBUG("telemetry of " << telemetry.hops << " hops: there is room for "
                                     << IntTelemetry::MAX_HOPS);
        ++m_intOverflows;
        return false;
    }
    if (telemetry.hops == 0)
    {
        return false; // a cable without a switch
    }
    if (!m_path.Compare(telemetry, ack.nowPs, m_sampleFeedback && !full))
    {
        NS_LOG_DEBUG("another path, at window " << m_windows[m_smallest].GetBytes() << " bytes");
        // Another path: nothing is known of its hops but the window that was right so far.
        m_windows.fill(HpccWindow(m_windows[m_smallest]));
        m_smallest = 0;
        m_lastUpdate = ack.nextPsn;
        return false;
    }
    if (m_multiRate)
    {
        ReactPerHop(full);
        return true;
    }
    const HpccPath::Hop busiest = m_path.GetBusiest();
    if (busiest.share == 0)
    {
        return false;
    }
    m_windows[0].Average(busiest.utilisation, busiest.share);
    m_windows[0].React(m_parameters, full);
    return true;
}

void
RdmaHpcc::ReactPerHop(bool full)
{
    m_smallest = 0;
    for (uint32_t i = 0; i < m_path.GetNHops(); ++i)
    {
        const HpccPath::Hop& hop = m_path.GetHop(i);
        if (hop.share > 0)
        {
            m_windows[i].Average(hop.utilisation, hop.share);
            m_windows[i].React(m_parameters, full);
        }
        if (m_windows[i].GetBytes() < m_windows[m_smallest].GetBytes())
        {
            m_smallest = i;
        }
    }
}

bool
RdmaHpcc::ReactToPint(const RdmaAckEvent& ack, bool full)
{
    const uint16_t code = ack.telemetry->pint.utilisation;
    if (code == 0 || (m_pintProbability < 1 && m_draw->GetValue() >= m_pintProbability))
    {
        return false;
    }
    if (m_lastUpdate == 0)
    {
        return true; // as with INT, the first ACK begins the first round trip
    }
    m_windows[0].SetUtilisation(m_code.Decode(code));
    m_windows[0].React(m_parameters, full);
    return true;
}

void
RdmaHpcc::OnTimeout(RdmaFlowState& /* state */, int64_t /* nowPs */)
{
    m_lastUpdate = m_unacked; // as after a NAK
}

void
RdmaHpcc::Publish(RdmaFlowState& state) const
{
    const double bytes = m_windows[m_smallest].GetBytes();
    const bool full = bytes >= m_parameters.maxBytes; // exactly line rate: nothing is paced
    state.rate = full ? state.lineRate : bytes * BITS * PS_PER_SECOND / m_baseRttPs;
    if (m_useWindow)
    {
        const double limit = m_variableWindow ? bytes : m_parameters.maxBytes;
        // Not 0, which means no limit. Below a packet, one is sent when none is in flight.
        state.window = std::max<uint64_t>(1, static_cast<uint64_t>(limit * m_payloadShare));
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-dcqcn.h"

#include "dcqcn-nic.h"
#include "dcqcn-paper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fixed-accessor.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaDcqcn");

NS_OBJECT_ENSURE_REGISTERED(RdmaDcqcn);

namespace
{

/// What each dialect has of its own, in the order of RdmaDcqcn::Dialect.
struct DialectDefaults
{
    const char* name;
    double gain;
    int64_t increaseUs;
    int64_t byteCounter;
};

constexpr DialectDefaults DEFAULTS[] = {{"DCQCN (paper)", 1.0 / 256, 55, 10000000},
                                        {"DCQCN (NIC)", 5.0 / 1024, 300, 0},
                                        {"DCQCN (strawman)", 1.0 / 16, 1500, 150000}};

constexpr double GBPS = 1e9;
constexpr double MBPS = 1e6;

/// @return picoseconds of a time
int64_t
Ps(const Time& time)
{
    return time.GetPicoSeconds();
}

/// @return the first if it is set, else the second
template <typename T>
T
Or(T set, T fallback)
{
    return set > 0 ? set : fallback;
}

} // namespace

TypeId
RdmaDcqcn::GetTypeId()
{
    static TypeId tid = AddNicOnly(AddTimers(AddRates(
        TypeId("ns3::RdmaDcqcn")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaDcqcn>()
            .AddAttribute("Dialect",
                          "Reaction point: Paper (Zhu et al., SIGCOMM 2015), Nic (of the "
                          "public HPCC simulator), or Strawman (Paper with the constants of QCN)",
                          EnumValue(NIC),
                          MakeFixed(MakeLosslessEnumAccessor<Dialect>(&RdmaDcqcn::m_dialect)),
                          MakeEnumChecker(PAPER, "Paper", NIC, "Nic", STRAWMAN, "Strawman")))));
    return tid;
}

TypeId
RdmaDcqcn::AddRates(TypeId tid)
{
    return tid
        .AddAttribute("Gain",
                      "g, the weight of a CNP in alpha, 0 to 1; 0: 1/256 (Paper), 5/1024 (Nic), "
                      "1/16 (Strawman)",
                      DoubleValue(0),
                      MakeFixed(MakeDoubleAccessor(&RdmaDcqcn::m_gain)),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("InitialAlpha",
                      "Alpha at the first CNP, 0 to 1; 0: 1 (Paper, Strawman), 1023/1024 (Nic)",
                      DoubleValue(0),
                      MakeFixed(MakeDoubleAccessor(&RdmaDcqcn::m_alpha)),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("AiRate",
                      "Additive increase, R_AI; 0: 40 Mb/s at 40 Gb/s (Paper, Strawman), 5 Mb/s at "
                      "25 Gb/s (Nic), in proportion to the line rate",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaDcqcn::m_aiRate)),
                      MakeDataRateChecker())
        .AddAttribute("HaiRate",
                      "Hyper increase, R_HAI; 0: ten times R_AI",
                      DataRateValue(DataRate(0)),
                      MakeFixed(MakeDataRateAccessor(&RdmaDcqcn::m_haiRate)),
                      MakeDataRateChecker())
        .AddAttribute(
            "MinRate",
            "Lower bound of the rate; 0: 1/1000 of the line rate (Paper, Strawman), 1 Mb/s (Nic)",
            DataRateValue(DataRate(0)),
            MakeFixed(MakeDataRateAccessor(&RdmaDcqcn::m_minRate)),
            MakeDataRateChecker());
}

TypeId
RdmaDcqcn::AddTimers(TypeId tid)
{
    return tid
        .AddAttribute("CnpInterval",
                      "Least time between two CNPs of a queue pair; 0: a CNP for every marked "
                      "packet; negative: 50 us (Paper, Strawman), 4 us (Nic)",
                      TimeValue(NanoSeconds(-1)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaDcqcn::m_cnpInterval)),
                               &RdmaDcqcn::SendsCnps,
                               "MarksInAcks false"),
                      MakeTimeChecker())
        .AddAttribute("MarksInAcks",
                      "Whether ACKs bring the marks back, each as a CNP would, and no CNPs are "
                      "sent, as in the HPCC simulator",
                      BooleanValue(false),
                      MakeFixed(MakeBooleanAccessor(&RdmaDcqcn::m_marksInAcks)),
                      MakeBooleanChecker())
        .AddAttribute("AlphaTimer",
                      "Interval of alpha updates, K or Ta; 0: 55 us (Paper, Strawman), 1 us (Nic)",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaDcqcn::m_alphaTimer)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("IncreaseTimer",
                      "Interval of increases, Ti or Tr; 0: 55 us (Paper), 300 us (Nic), "
                      "1.5 ms (Strawman)",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&RdmaDcqcn::m_increaseTimer)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ByteCounter",
                      "Paper, Strawman: wire bytes between two increases, B; 0: no byte counter; "
                      "negative: 10 MB (Paper), 150 KB (Strawman)",
                      IntegerValue(-1),
                      UsedWhen(MakeFixed(MakeIntegerAccessor(&RdmaDcqcn::m_bytes)),
                               &RdmaDcqcn::CountsBytes,
                               "Dialect Paper or Strawman"),
                      MakeIntegerChecker<int64_t>())
        .AddAttribute("FastRecoveryTimes",
                      "Number of increases in fast recovery, F; 0: 5 (Paper, Strawman), 1 (Nic)",
                      UintegerValue(0),
                      MakeFixed(MakeUintegerAccessor(&RdmaDcqcn::m_threshold)),
                      MakeUintegerChecker<uint32_t>());
}

TypeId
RdmaDcqcn::AddNicOnly(TypeId tid)
{
    return tid
        .AddAttribute("DecreaseTimer",
                      "Nic: least time between two cuts of the rate, Td; at least 2 ns",
                      TimeValue(MicroSeconds(4)),
                      UsedWhen(MakeFixed(MakeTimeAccessor(&RdmaDcqcn::m_decreaseTimer)),
                               &RdmaDcqcn::IsNic,
                               "Dialect Nic"),
                      MakeTimeChecker(NanoSeconds(2)))
        .AddAttribute("MinDecreaseFactor",
                      "Nic: least share of the rate that one cut leaves, 0 to 1",
                      DoubleValue(0.5),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaDcqcn::m_minDecrease)),
                               &RdmaDcqcn::IsNic,
                               "Dialect Nic"),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("FirstCnpFactor",
                      "Nic: factor, 0 to 1, by which the first CNP multiplies the rate",
                      DoubleValue(1),
                      UsedWhen(MakeFixed(MakeDoubleAccessor(&RdmaDcqcn::m_firstCnp)),
                               &RdmaDcqcn::IsNic,
                               "Dialect Nic"),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute(
            "ClampTarget",
            "Nic: whether every cut lowers the target, not only the first cut after an increase",
            BooleanValue(false),
            UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaDcqcn::m_clampTarget)),
                     &RdmaDcqcn::IsNic,
                     "Dialect Nic"),
            MakeBooleanChecker());
}

RdmaDcqcn::RdmaDcqcn() = default;

RdmaDcqcn::~RdmaDcqcn() = default;

std::string
RdmaDcqcn::GetName() const
{
    return DEFAULTS[m_dialect].name;
}

uint32_t
RdmaDcqcn::GetHooks() const
{
    bool counts = CountsBytes() && m_parameters.byteCounter;
    return (counts ? static_cast<uint32_t>(ON_SENT) : 0) |
           (m_marksInAcks ? static_cast<uint32_t>(ON_ACK) : 0);
}

bool
RdmaDcqcn::EchoesMarks() const
{
    return m_marksInAcks;
}

bool
RdmaDcqcn::SendsCnps() const
{
    return !m_marksInAcks;
}

void
RdmaDcqcn::Resolve(double lineRate)
{
    bool paper = m_dialect != NIC;
    const DialectDefaults& defaults = DEFAULTS[m_dialect];
    DcqcnParameters& p = m_parameters;
    p.gain = Or(m_gain, defaults.gain);
    p.initialAlpha = Or(m_alpha, paper ? 1.0 : 1023.0 / 1024);
    double aiDefault =
        paper ? 40 * MBPS * lineRate / (40 * GBPS) : 5 * MBPS * lineRate / (25 * GBPS);
    p.aiRate = Or(static_cast<double>(m_aiRate.GetBitRate()), aiDefault);
    p.haiRate = Or(static_cast<double>(m_haiRate.GetBitRate()), 10 * p.aiRate);
    p.minRate = Or(static_cast<double>(m_minRate.GetBitRate()), paper ? lineRate / 1000 : MBPS);
    p.minRate = std::min(p.minRate, lineRate);
    p.alphaPs = Or(Ps(m_alphaTimer), Ps(MicroSeconds(paper ? 55 : 1)));
    p.increasePs = Or(Ps(m_increaseTimer), Ps(MicroSeconds(defaults.increaseUs)));
    p.decreasePs = Ps(m_decreaseTimer);
    p.byteCounter = m_bytes >= 0 ? m_bytes : defaults.byteCounter;
    p.threshold = Or(m_threshold, paper ? 5U : 1U);
    p.minDecreaseFactor = m_minDecrease;
    p.firstCnpFactor = m_firstCnp;
    p.clampTarget = m_clampTarget;
    // So it is in the HPCC simulator: an ACK is on its way for longer than its Ta of 1 us.
    p.cnpBeforeAlpha = m_marksInAcks;
    m_cnpIntervalPs = Ps(m_cnpInterval < Time(0) ? MicroSeconds(paper ? 50 : 4) : m_cnpInterval);
    if (FixedSince())
    {
        ReadBack();
    }
}

void
RdmaDcqcn::ReadBack()
{
    const DcqcnParameters& p = m_parameters;
    m_gain = p.gain;
    m_alpha = p.initialAlpha;
    m_aiRate = ToDataRate(p.aiRate);
    m_haiRate = ToDataRate(p.haiRate);
    m_minRate = ToDataRate(p.minRate);
    m_alphaTimer = PicoSeconds(p.alphaPs);
    m_increaseTimer = PicoSeconds(p.increasePs);
    m_bytes = static_cast<int64_t>(p.byteCounter);
    m_threshold = p.threshold;
    m_cnpInterval = PicoSeconds(m_cnpIntervalPs);
}

void
RdmaDcqcn::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    Resolve(state.lineRate);
    state.rate = state.lineRate;
    if (!IsNic())
    {
        m_reaction = std::make_unique<DcqcnPaper>(m_parameters, state.lineRate);
    }
    else
    {
        m_reaction = std::make_unique<DcqcnNic>(m_parameters, state.lineRate);
    }
}

void
RdmaDcqcn::OnCnp(RdmaFlowState& state, int64_t nowPs)
{
    m_reaction->OnCnp(state, nowPs);
    NS_LOG_DEBUG("CNP: rate " << state.rate << " bit/s");
}

void
RdmaDcqcn::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    if (ack.marked)
    {
        OnCnp(state, ack.nowPs);
    }
}

void
RdmaDcqcn::OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs)
{
    m_reaction->OnSent(state, wireBytes, nowPs);
}

int64_t
RdmaDcqcn::NextTimer() const
{
    return m_reaction->NextTimer();
}

void
RdmaDcqcn::OnTimer(RdmaFlowState& state, int64_t nowPs)
{
    m_reaction->OnTimer(state, nowPs);
}

bool
RdmaDcqcn::OnMarkedData(int64_t nowPs)
{
    if (m_marksInAcks || nowPs - m_lastCnpPs < m_cnpIntervalPs)
    {
        return false;
    }
    m_lastCnpPs = nowPs;
    return true;
}

double
RdmaDcqcn::GetAlpha(int64_t nowPs) const
{
    return m_reaction->GetAlpha(nowPs);
}

} // namespace ns3
